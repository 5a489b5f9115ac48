"""Builds the dataset graph: sources, transformations, and what is done with a dataset besides."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from pipelint.knowledge import signatures, stages
from pipelint.model.definitions import MappedFunction, Method
from pipelint.model.values import DATASET, UNKNOWN, Literal, Value
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.machine import ANY, Machine
from pipelint.static.abstract.values import (
    TENSOR,
    Arguments,
    Closure,
    DatasetValue,
    Given,
    Instance,
    Iterating,
    Options,
    Partial,
    Sequence,
    Table,
    Tensor,
    Transformation,
    alternatives,
    datasets_in,
    parameters,
)
from pipelint.static.facts import consumers, draws, effects, events, given_functions, handed_out, naming

_WINDOW_ELEMENT = Tensor(elements=True)
_DIFFER_EACH_TIME = frozenset({"from_generator", "list_files", "random", "sample_from_datasets"})
"""Sources that need not give the same elements each time that a mapped function makes them."""


def _node(machine: Machine, value: DatasetValue) -> DatasetValue:
    value.guards = machine.path
    value.built_in = machine.title
    value.made_in = tuple(machine.loops)
    function = machine.frames[-1].node
    value.parameters = frozenset(item.arg for item in parameters(function)) if function else frozenset()
    return value


def source(machine: Machine, name: str, given: Arguments) -> Value | None:
    """The dataset that a call of this symbol makes, None if it makes none."""
    legacy = name.startswith("tensorflow.compat.v1.")
    plain = "tensorflow." + name.removeprefix("tensorflow.compat.v1.") if legacy else name
    if plain not in signatures.SOURCES:
        return None
    op = plain.rpartition(".")[2]
    # One argument of a range alone is its end.
    only_stop = op == "range" and len(given.positional) == 1
    arguments = given.bind(("stop",) if only_stop else signatures.SOURCES[plain])
    inputs = tuple(_merged_inputs(given)) if op in stages.MERGES else ()
    if op in _DIFFER_EACH_TIME:
        machine.lose_sight()
    for value in inputs:
        machine.use(value)
    made = _node(
        machine,
        DatasetValue(
            op,
            given.node,
            arguments=arguments,
            hides=given.hides,
            inputs=inputs,
            function=_generator(machine, arguments) if op == "from_generator" else None,
            proven=True,
            is_source=True,
            yields_batches=(op in stages.LOADERS and not _unbatched(arguments)) or _loads_batches(plain, arguments),
            # Under the name that a module gives to all of TensorFlow, the module tells what it is written for.
            legacy=legacy and "compat" in (dotted_parts(given.node.func) or () if given.node is not None else ()),
        ),
    )
    if plain == "tensorflow_datasets.load":
        return _loaded_splits(machine, made, arguments)
    if op == "image_dataset_from_directory" and arguments.get(
        "subset", Given(UNKNOWN, ast.Constant(0))
    ).value == Literal("both"):
        return Sequence((made, made))
    return made


def _generator(machine: Machine, arguments: dict[str, Given]) -> MappedFunction | None:
    """The function that gives the elements: TensorFlow calls it later, as Python, and makes no graph of it."""
    given = arguments.get("generator")
    if given is None:
        return None
    called = naming.called(given.node)
    value = machine.evaluate(called) if called is not None else UNKNOWN
    if isinstance(given.node, ast.Call) and isinstance(given.value, Closure):
        value = given.value  # a call that returns the generator's function
    while isinstance(value, Partial):
        value = value.function
    of_object = _method_that_makes(machine, given.value)
    value = of_object or value
    if isinstance(value, Closure):
        machine.escaped.append(value)
    function = value.identity if isinstance(value, Closure) else None
    name = function.name if function is not None and of_object is None else naming.last_name(called)
    written = value.node if isinstance(value, Closure) else None
    args = arguments["args"].node if "args" in arguments else None
    passed = args.elts if isinstance(args, (ast.List, ast.Tuple)) else []
    return MappedFunction(
        name,
        machine.region(given.node),
        resolved=False,
        function=function,
        hands_out=handed_out.handed_out(given.node),
        slices=handed_out.sliced_parts(given.node, written, passed),
    )


def _method_that_makes(machine: Machine, generator: Value) -> Closure | None:
    """The `__call__` of an object that is given as the generator."""
    if not isinstance(generator, Instance) or generator.cls is None:
        return None
    methods = (machine.attribute(ancestor.scope.number, "__call__") for ancestor in generator.cls.ancestry())
    found = next((method for method in methods if method is not None), None)
    return replace(found, bound=generator) if isinstance(found, Closure) else None


def _unbatched(arguments: dict[str, Given]) -> bool:
    return "batch_size" in arguments and arguments["batch_size"].value == Literal(None)


def _loads_batches(name: str, arguments: dict[str, Given]) -> bool:
    return name == "tensorflow_datasets.load" and "batch_size" in arguments


def _loaded_splits(machine: Machine, dataset: DatasetValue, arguments: dict[str, Given]) -> Value:
    """tfds.load gives a dataset, a list of them for a list of splits, or a dict of them; and a pair with its info."""
    split = arguments["split"].value if "split" in arguments else None
    with_info = "with_info" in arguments and arguments["with_info"].value == Literal(True)
    result: Value = dataset
    if isinstance(split, Sequence):
        asked = arguments["split"].node
        copies = [_copy(machine, dataset, arguments | {"split": Given(item, asked)}) for item in split.items]
        result = Sequence(tuple(copies), "list", split.open_ended)
    elif split is None:
        result = Table(((None, dataset),))
    return Sequence((result, UNKNOWN)) if with_info else result


def _copy(machine: Machine, dataset: DatasetValue, arguments: dict[str, Given]) -> DatasetValue:
    return _node(machine, DatasetValue(**vars(dataset) | {"arguments": arguments}))


def external_source(machine: Machine, op: str, given: Arguments) -> Value:
    """A dataset that another library makes (`builder.as_dataset()`, `hf.to_tf_dataset(...)`)."""
    arguments = dict(given.keywords)
    batches = "batch_size" in arguments or op == "to_tf_dataset"
    made = _node(
        machine,
        DatasetValue(
            "load" if op == "as_dataset" else op,
            given.node,
            arguments=arguments,
            hides=given.hides,
            proven=True,
            is_source=True,
            yields_batches=batches,
        ),
    )
    return _loaded_splits(machine, made, arguments) if op == "as_dataset" and "split" in arguments else made


def _merged_inputs(given: Arguments) -> Iterable[Value]:
    for value in given.values():
        yield from datasets_in(value)


def method(machine: Machine, receiver: Value, name: str, given: Arguments) -> Value:
    """What a method of a dataset gives."""
    if name in signatures.TRANSFORMATIONS:
        draws.note_seed(given)
        if name == "apply":
            return _apply(machine, receiver, given)
        if name == "zip":
            return UNKNOWN
        return _transformed(machine, receiver, name, signatures.TRANSFORMATIONS[name], given)
    events.record(machine, Method(DATASET, name), given, receiver)
    match name:
        case "make_one_shot_iterator" | "make_initializable_iterator":
            return session_iterator(receiver)
        case "as_numpy_iterator":
            return Iterating((receiver,), is_iterator=True)
        case "reduce":
            if given.node is not None:
                consumers.collect(machine, receiver, given.node)
            given_functions.follow(machine, "tensorflow.data.Dataset.reduce", given)
            return TENSOR
        case "__iter__":
            return consumers.iterator(receiver)
        case _:
            machine.use(receiver)
            return UNKNOWN


def session_iterator(dataset: Value) -> Value:
    """The iterator that programs for TensorFlow 1 make; the dataset counts as one of theirs."""
    for _, option in alternatives(dataset):
        if isinstance(option, DatasetValue):
            option.legacy = True
    return Iterating((dataset,), is_iterator=True)


def _apply(machine: Machine, receiver: Value, given: Arguments) -> Value:
    transformation = given.get(0, "transformation_func")
    if isinstance(transformation, Transformation):
        return apply_transformation(machine, receiver, transformation, given)
    if transformation is None or given.node is None:
        return UNKNOWN
    machine.use(receiver)
    passed = given.node.func.value if isinstance(given.node.func, ast.Attribute) else given.node
    return machine.call(transformation, Arguments(given.node, (Given(receiver, passed),)))


def apply_transformation(machine: Machine, receiver: Value, transformation: Transformation, given: Arguments) -> Value:
    """A stage of `tf.data.experimental`, applied through `apply`."""
    signature = signatures.EXPERIMENTAL_TRANSFORMATIONS[transformation.op]
    stage = _transformed(machine, receiver, transformation.op, signature, transformation.call)
    if isinstance(stage, DatasetValue):
        stage.proven = True
        stage.applied = given.node
    return stage


def _transformed(machine: Machine, receiver: Value, op: str, signature: tuple[str, ...], given: Arguments) -> Value:
    arguments = given.bind(signature)
    machine.use(receiver)
    for _, option in alternatives(receiver):
        if isinstance(option, DatasetValue):
            option.extended = True
    inputs: tuple[Value, ...] = (receiver,) if not isinstance(receiver, Tensor) else ()
    if op == "concatenate" and "dataset" in arguments:
        other = arguments["dataset"].value
        if any(isinstance(option, DatasetValue) for _, option in alternatives(other)):
            machine.use(other)
            inputs = (*inputs, other)
    made = DatasetValue(
        op,
        given.node,
        arguments=arguments,
        hides=given.hides,
        inputs=inputs,
        proven=op in stages.ONLY_DATASETS_HAVE
        or _is_proven(receiver)
        or isinstance(receiver, Tensor)
        or bool(stages.TELLING_ARGUMENTS & given.keywords.keys()),
        element=_element_behind(op, receiver),
    )
    _node(machine, made)
    if op in stages.SHUFFLES:
        machine.lose_sight()
    if op == "with_options" and "options" in arguments:
        made.options, made.options_known = _options(machine, arguments["options"].value)
    parameter = stages.FUNCTION_PARAMETER.get(op)
    if parameter is not None and parameter in arguments:
        _attach_function(machine, made, receiver, arguments[parameter])
    else:
        _follow_functions(machine, arguments)
    return made


def _follow_functions(machine: Machine, arguments: dict[str, Given]) -> None:
    """Follow the functions of the rarer transformations; the last parameter of a reduction is a nested dataset."""
    for parameter, given in arguments.items():
        if isinstance(given.value, Closure):
            reduces = parameter in ("reduce_func", "reader_func")
            effects.mapped_function(machine, given, Sequence((TENSOR, _WINDOW_ELEMENT)) if reduces else TENSOR)


def _is_proven(value: Value) -> bool:
    options = [option for _, option in alternatives(value)]
    return any(isinstance(option, DatasetValue) and option.proven for option in options)


def _element_behind(op: str, receiver: Value) -> Value:
    if op == "window":
        return _WINDOW_ELEMENT
    if op in ("map", "flat_map", "interleave", "batch", "padded_batch"):
        return TENSOR
    if op == "enumerate":
        return Sequence((TENSOR, _element(receiver)))
    return _element(receiver)


def _element(receiver: Value) -> Value:
    return next((option.element for _, option in alternatives(receiver) if isinstance(option, DatasetValue)), TENSOR)


def _options(machine: Machine, value: Value) -> tuple[dict[str, Value], bool]:
    """What an options object sets, and whether that is all that it sets."""
    if not isinstance(value, Options):
        return {}, False
    names = set(machine.store.keys_of(value.number))
    return {name: machine.attribute(value.number, name) or UNKNOWN for name in names - {ANY}}, ANY not in names


def _attach_function(machine: Machine, stage: DatasetValue, receiver: Value, given: Given) -> None:
    element = _element(receiver)
    if isinstance(receiver, Tensor):
        element = TENSOR
    mapped, trace, result = effects.mapped_function(machine, given, element)
    stage.function = mapped
    machine.applied.setdefault(trace, []).append(stage)
    if stage.op in stages.RETURNS_DATASETS:
        stage.inner = tuple(datasets_in(result))
        for inner in stage.inner:
            machine.use(inner)
    elif stage.op == "map":
        stage.element = _mapped_element(result)


def _mapped_element(result: Value) -> Value:
    match result:
        case Tensor(elements=False) | Sequence():
            return result
        case _:
            return TENSOR
