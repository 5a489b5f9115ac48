"""The options of a program's command line: what they are unless the user says otherwise."""

from __future__ import annotations

from pipelint.knowledge.configuration import NAMESPACE, PARSER
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.static.abstract.defaults import by_default
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, Instance, Sequence
from pipelint.static.facts.option_defaults import added_option, defined_flag

_SAME_OPTIONS = ("add_argument_group", "add_mutually_exclusive_group", "add_parser", "add_subparsers")
"""Methods of a parser that give something whose options end in the same place."""
_PARSES = ("parse_args", "parse_intermixed_args", "parse_known_args", "parse_known_intermixed_args")


def of_parser(machine: Machine, parser: Instance, name: str, given: Arguments) -> Value | None:
    """What a method of argparse's parser gives, None for one that has nothing to do with options."""
    if parser.symbol != PARSER:
        return None
    if name == "add_argument":
        _add(machine, parser, given)
        return UNKNOWN
    if name == "set_defaults":
        for key, item in given.keywords.items():
            machine.store.set((parser.number, key), item.value)
        return UNKNOWN
    if name in _SAME_OPTIONS:
        return Instance(symbol=PARSER, number=parser.number)
    if name in _PARSES:
        parsed = Instance(symbol=NAMESPACE, number=parser.number) if _asks_user(given) else Instance(symbol=NAMESPACE)
        return Sequence((parsed, UNKNOWN)) if "known" in name else parsed
    return None


def _asks_user(given: Arguments) -> bool:
    """Whether the command line is that of the user, or empty, and none that the program itself writes."""
    written = given.get(0, "args")
    return not isinstance(written, Sequence) or not written.items


def _add(machine: Machine, parser: Instance, given: Arguments) -> None:
    option = added_option(given)
    if option is None:
        return
    name, default = option
    key = (parser.number, name)
    before = machine.store.get(key)
    # Two commands of one program may have options of one name.
    machine.store.set(key, default if before is None or before == default else UNKNOWN)


def define_flag(machine: Machine, given: Arguments) -> Value:
    """What `flags.DEFINE_integer(name, default, help)` gives: an object that has the value."""
    option = defined_flag(given)
    return defined(machine, *option) if option is not None and isinstance(option[1], Literal) else UNKNOWN


def defined(machine: Machine, name: str, default: Value) -> Value:
    """Remember a flag with its default; the object that has its value."""
    machine.flags.setdefault(name, {})[machine.scope.module] = default
    holder = Instance(symbol="absl.flags.FlagHolder")
    machine.store.set((holder.number, "value"), by_default(default))
    return holder


def flag(machine: Machine, name: str) -> Value | None:
    """The default of a flag: of the module that reads it, else of all that define it if they agree."""
    defined = machine.flags.get(name, {})
    own = defined.get(machine.scope.module)
    if own is not None:
        return by_default(own)
    first = next(iter(defined.values()), None)
    return by_default(first) if first is not None and all(other == first for other in defined.values()) else None
