"""Records what happens in the words of the model: calls, reads of values, counters, switches."""

from __future__ import annotations

import ast

from pipelint.knowledge import signatures
from pipelint.knowledge.devices import DEVICE
from pipelint.knowledge.keras import SWITCHES
from pipelint.model.code import (
    BatchLength,
    Call,
    Count,
    DeviceBlock,
    Event,
    HostRead,
    Operation,
    ReadBy,
    Switch,
    TraceKind,
    VariableRead,
)
from pipelint.model.definitions import Callee, Class, Function, Method
from pipelint.model.locations import NOWHERE, Region
from pipelint.model.values import CHANGING_NUMBER, DATASET, UNKNOWN, Argument, Array, Literal, Made, Symbol, Text, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import (
    is_prediction,
    is_step_result,
    is_symbolic,
    is_tensor,
    is_variable,
    may_be_symbolic,
    shows_tensor,
    undecided_in,
    without_containers,
)
from pipelint.static.abstract.traced_values import Formatted
from pipelint.static.abstract.values import (
    NUMBER,
    STEP_RESULT,
    Arguments,
    Choice,
    Foreign,
    Given,
    Instance,
    Sequence,
    Table,
    Tensor,
    alternatives,
)
from pipelint.static.facts import draws, loops, network_uses, renewed_objects, slices

_LENGTH = Symbol("builtins.len")


def record(machine: Machine, callee: Callee | None, given: Arguments, receiver: Value | None = None) -> Call | None:
    """Remember a call of something; nothing where TensorFlow itself makes the call."""
    node = given.node
    if node is None:
        if not isinstance(callee, (Function, Class)):
            machine.lose_sight()
        return None
    values = given.values() if receiver is None else [*given.values(), receiver]
    if callee == _LENGTH:
        # How many tensors a container holds is known without them.
        values = [value for value in values if not isinstance(value, (Sequence, Table))]
    named = node.func
    call = Call(
        region=machine.region(node),
        callee=callee,
        name=machine.positions.attribute_name(named) if isinstance(named, ast.Attribute) else machine.region(named),
        expression=machine.region(named) if _is_imported(machine, named) else None,
        positional=tuple(_argument(machine, item) for item in given.positional),
        keywords={name: _argument(machine, item) for name, item in given.keywords.items()},
        hides_arguments=given.hides,
        on_step_result=any(map(is_step_result, values)),
        on_prediction=any(map(is_prediction, values)),
        on_outer_object=_is_outer(machine, named),
        on_growing=bool(machine.loops) and loops.mentions([*node.args, *node.keywords], machine.loops[-1].growing),
        unseen=isinstance(receiver, Instance) and receiver.cls is None and not receiver.exact,
        receiver=receiver.cls.identity if isinstance(receiver, Instance) and receiver.cls is not None else None,
        made_at=renewed_objects.place_of_making(machine, receiver),
        parts=machine.taken_apart.get(node, 0),
    )
    if machine.is_traced:
        call.on_new_container = _is_new_container(machine, receiver)
    if call.on_step_result:
        call.results = _results_in(machine, node)
    call.parameters = parameters_of(call.callee)
    _note_tensors(machine, call, values)
    draws.note(machine, call, given)
    network_uses.note(machine, callee, given, receiver)
    machine.record(call)
    return call


def _results_in(machine: Machine, node: ast.expr) -> frozenset[str]:
    """The variables in an expression that have the result of a training step, and metrics that are asked for one."""
    parts = list(walk(node))
    read = {part.id for part in parts if isinstance(part, ast.Name)}
    results = {name for name in read if (value := machine.lookup(name)) is not None and is_step_result(value)}
    return frozenset(results | {ast.unparse(part) for part in parts if _asks_metric(part)})


def _asks_metric(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute(), attr="result"), args=[], keywords=[]):
            return True
        case _:
            return False


def _note_tensors(machine: Machine, call: Call, values: list[Value]) -> None:
    """Remember which tensors a call is given, also those that only later turn out to be some."""
    if not machine.is_traced:
        call.on_tensor = any(map(is_tensor, values))
        return

    def note() -> None:
        call.on_tensor = any(map(is_symbolic, values))
        call.on_text_of_tensor = any(map(shows_tensor, values))
        call.on_possible_tensor = any(map(may_be_symbolic, values))

    note()
    for undecided in undecided_in(*values):
        undecided.waiting.append(note)


def item_read(machine: Machine, node: ast.Subscript, value: Value, index: Value) -> None:
    """Remember `table[x]` in traced code as the call that it is, except for items of tensors and of Python's own."""
    for _, option in alternatives(value) if machine.recorder is not None else ():
        owner: Symbol | None
        match option:
            case Instance(symbol=str() as symbol):
                owner = Symbol(symbol)
            case Instance():
                owner = None
            case _ if option is UNKNOWN and is_symbolic(index):
                # No list or dict takes a tensor for an index.
                owner = None
            case _:
                continue
        call = ast.copy_location(ast.Call(func=node.value, args=[node.slice], keywords=[]), node)
        record(machine, Method(owner, "__getitem__"), Arguments(call, (Given(index, node.slice),)), option)


def elements_taken(machine: Machine, node: ast.expr) -> None:
    """Remember that a mapped function goes through another dataset."""
    if machine.recorder is not None and machine.recorder.kind is TraceKind.MAP:
        call = ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node)
        record(machine, Method(DATASET, "__iter__"), Arguments(call))


def parameters_of(callee: Callee | None) -> tuple[str, ...]:
    """The parameters of a callee in the order of its signature, as far as that is known."""
    match callee:
        case Function(parameters=parameters, owner=owner):
            return parameters[1:] if owner is not None else parameters
        case Symbol(name=name):
            return signatures.parameters_of(name) or ()
        case Method(owner=Symbol(name=owner_name), name=name):
            return signatures.parameters_of(f"{owner_name}.{name}") or ()
        case _:
            return ()


def _is_imported(machine: Machine, callee: ast.expr) -> bool:
    """Whether the callee is written as a name of a library: `np.sin`, not `self.activation`."""
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    if not isinstance(callee, ast.Name):
        return False
    value = machine.lookup(callee.id)
    return isinstance(value, Symbol) or value is None


def _argument(machine: Machine, item: Given) -> Argument:
    # What a `*` or `**` unpacks has no place of its own.
    place = machine.region(item.node) if hasattr(item.node, "lineno") else NOWHERE
    may_be_rows = isinstance(item.node, slices.ARRAYS)
    most = slices.most_rows(machine, item.node) if may_be_rows else None
    if most is None and isinstance(item.value, Tensor):
        most = item.value.rows
    rows = slices.rows(machine, item.node) if may_be_rows else None
    of_any_length = isinstance(item.value, Sequence) and item.value.display == "list" and item.value.open_ended
    return Argument(model_value(item.value), place, rows, most, of_any_length=of_any_length)


def model_value(value: Value) -> Value:
    """The value as rules see it: constants and names; anything else is a value of which nothing is known."""
    match value:
        case Literal() | Symbol() | Tensor() | Text():
            return value
        case Sequence(items=items, open_ended=False) if all(isinstance(item, Literal) for item in items):
            return Literal(tuple(item.value for item in items if isinstance(item, Literal)))
        case Instance(symbol=str()) | Sequence() if (symbol := _maker(value)) is not None:
            return Made(symbol)
        case Foreign(array=Array() as array):
            return array
        case _ if value == NUMBER:
            return CHANGING_NUMBER
        case Formatted(values=(Literal(value=str() as start) | Text(start=start), *_)):
            return Text(start)
        case _:
            return UNKNOWN


def _maker(value: Value) -> str | None:
    """The symbol whose calls made an object, or all in a list, but for a None in the place of some."""
    match value:
        case Instance(symbol=symbol):
            return symbol
        case Sequence(items=items):
            made = [_maker(item) for item in items]
        case Choice():
            made = [_maker(option) for _, option in alternatives(value) if option != Literal(None)]
        case _:
            return None
    return made[0] if made and len(set(made)) == 1 else None


def _is_outer(machine: Machine, callee: ast.expr) -> bool:
    """Whether a method is called on an object that lives outside of the function being followed."""
    if not isinstance(callee, ast.Attribute):
        return False
    owner = callee.value
    while isinstance(owner, (ast.Attribute, ast.Subscript)):
        owner = owner.value
    if not isinstance(owner, ast.Name):
        return False
    value = machine.lookup(owner.id)
    if isinstance(value, Instance) and value.cls is not None:
        return value.number < machine.recorded_from
    scope = machine.scope.owner(owner.id)
    return scope is None or scope.number < machine.recorded_from


def _is_new_container(machine: Machine, value: Value | None) -> bool:
    """Whether the code that is being recorded has made a container."""
    return isinstance(value, (Sequence, Table)) and value.number is not None and value.number >= machine.recorded_from


def outer_count(machine: Machine, node: ast.stmt, target: ast.Name | ast.Attribute, added: ast.expr) -> None:
    """Remember `counter += 1` on something that outlives the traced function."""
    if not machine.is_traced:
        return
    if isinstance(target, ast.Name):
        owner = machine.scope.owner(target.id)
        outlives = owner is not None and owner.number < machine.recorded_from
    else:
        outlives = _is_outer(machine, target)
    if not outlives:
        return
    before = machine.evaluate(target)
    if isinstance(machine.evaluate(added), Literal) and not is_tensor(before) and not is_variable(before):
        place = machine.region(target)
        machine.record(Count(region=machine.region(node), name=place, target=ast.unparse(target)))


def noted(machine: Machine, node: ast.Name | ast.Attribute, value: Value) -> Value:
    """The value itself; that traced code reads a variable is remembered."""
    if machine.is_traced and is_variable(value):
        machine.record(VariableRead(region=machine.region(node)))
    return value


def note_switch(machine: Machine, target: ast.Attribute, value: Value) -> None:
    """Remember an assignment that switches something on or off."""
    if target.attr in SWITCHES:
        name = machine.positions.attribute_name(target)
        machine.record(
            Switch(region=machine.region(target), name=name, attribute=target.attr, value=model_value(value))
        )


def note_device(machine: Machine, entered: list[Event], context: ast.expr, body: list[ast.stmt]) -> None:
    """Remember a block that a call of `tf.device`, among what happened on entering it, places on a device."""
    for call in entered:
        if isinstance(call, Call) and call.symbol == DEVICE and call.region == machine.region(context):
            given = call.argument("device_name")
            device = given.value.start if given and isinstance(given.value, Text) else given.text if given else None
            block = Region(call.region.start, machine.region(body[-1]).end)
            machine.record(DeviceBlock(region=block, device=device or ""))


def note_operator(machine: Machine, operand: ast.expr, result: Value) -> None:
    """Remember that a loop outside of traced code applies an operator to tensors in each turn, once for each loop."""
    if not machine.loops or machine.is_traced or not is_tensor(result):
        return
    loop = machine.loops[-1]
    if not loop.operates and machine.holding <= loop.always:
        loop.operates = True
        machine.record(Operation(region=machine.region(operand)))


def note_batch_length(machine: Machine, operand: ast.expr) -> None:
    """Remember that a mapped function computes with the static length of the first axis of what it is given."""
    if machine.recorder is None or machine.recorder.kind is not TraceKind.MAP:
        return
    match operand:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=0)):
            given = machine.lookup(name)
            is_parameter = machine.function is not None and name in machine.function.parameters
            if is_parameter and given is not None and is_symbolic(given):
                machine.record(BatchLength(region=machine.region(operand), tensor=name))


def host_read(machine: Machine, node: ast.expr, value: Value, by: ReadBy) -> None:
    """A step's result, or a tensor in traced code, that Python must see the value of: a test, or a formatted string."""
    read = is_symbolic if machine.is_traced else is_step_result
    if read(value) and (by is not ReadBy.TEST or read(without_containers(value))):
        machine.record(HostRead(region=machine.region(node), by=by, results=_results_in(machine, node)))


def mark_step_result(machine: Machine, given: Arguments) -> None:
    """What gradients are taken of, in a loop outside of traced code, is the result of a step."""
    node = given.positional[0].node if given.positional else None
    if isinstance(node, ast.Name) and machine.loops and not machine.is_traced:
        value = machine.lookup(node.id)
        if value is UNKNOWN or isinstance(value, Tensor):
            machine.assign(node.id, STEP_RESULT)
