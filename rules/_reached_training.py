"""Whether a script gets to code that trains, rather than import some that it never calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pipelint.rule import Call, Class, Event, Function, Method, Module, Program, Region, once_a_program

_NAME = re.compile(r"(?:\w+\.)*(\w+)\Z")
_MADE_BY = ("__init__", "__new__", "__post_init__", "__call__")


def leads_to_training(program: Program, event: Event) -> bool:
    """Whether code that runs with an event trains: that of its module and of those that import it, and what they call.

    A method of an object of which nothing is known may be any of its name, and so may what is named as an argument.
    """
    module, bodies = program.module_at(event.region), _calls_by_body(program)
    # What a module does as it is imported is no script of its own.
    top = [call for call in bodies.get(None, ()) if program.module_at(call.region).start not in module.imports]
    run, reached = _followed(program, [*top, *bodies.get(event.function, ())])
    if not reached or (event.function is not None and event.function not in reached):
        # Others call what it defines, who are out of sight.
        own = [body for body in bodies if body is not None and not body.unused and _is_of(program, body, module)]
        run, _ = _followed(program, [*run, *(call for body in own for call in bodies[body])])
    return any(call.fits or call.updates_weights for call in run)


def _followed(program: Program, calls: Sequence[Call]) -> tuple[list[Call], set[Function]]:
    """Some calls with those that they lead to, and the functions that hold these."""
    bodies, run, reached = _calls_by_body(program), list(calls), set[Function]()
    for call in run:
        for function in _led_to(program, call):
            if function not in reached:
                reached.add(function)
                run += bodies.get(function, ())
    return run, reached


def _is_of(program: Program, function: Function, module: Module) -> bool:
    return program.module_at(function.location) is module


@once_a_program
def _calls_by_body(program: Program) -> Mapping[Function | None, Sequence[Call]]:
    """The calls by the function whose body holds them."""
    found: dict[Function | None, list[Call]] = {}
    for call in program.calls:
        found.setdefault(call.function, []).append(call)
    return found


@once_a_program
def _functions_by_name(program: Program) -> Mapping[str, Sequence[Function]]:
    found: dict[str, list[Function]] = {}
    for function in program.functions:
        found.setdefault(function.name or "", []).append(function)
    return found


def _led_to(program: Program, call: Call) -> Iterator[Function]:
    """The functions that a call runs, or may run."""
    named = _functions_by_name(program)
    match call.callee:
        case Function() as function:
            yield function
        case Class(methods=methods):
            yield from (methods[name] for name in _MADE_BY if name in methods)
        case Method(name=name):
            yield from named.get(name, ())
        case _:
            pass
    for argument in call.arguments:
        written = program.written(argument.region) if isinstance(argument.region, Region) else ""
        if found := _NAME.match(written):
            yield from named.get(found[1], ())
            classes = (cls for cls in program.classes if cls.name == found[1])
            yield from (method for cls in classes for method in cls.methods.values())
