"""Functions of libraries whose calls the interpreter itself has to know."""

from __future__ import annotations

from collections.abc import Callable

from pipelint.knowledge.configuration import (
    CONFIGURABLE,
    DEFINES_CONFIG_FILE,
    DEFINES_FLAG,
    EXTERNAL_CONFIGURABLE,
    FIELD,
    PARSER,
    RECORDS,
    REGISTERED,
    SETTINGS_FOR_MAIN,
)
from pipelint.knowledge.effects import PY_FUNCTIONS
from pipelint.knowledge.higher_order import GIVES_BACK
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.defaults import Field
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import ANY, Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import EAGER, TENSOR, Arguments, ClassValue, Closure, Instance, Options, Partial
from pipelint.static.facts import (
    command_line_options,
    datasets,
    effects,
    environment,
    gin_bindings,
    records,
    tracing,
)
from pipelint.static.interpret import assignments, calls, decoration, importing


def _partial(machine: Machine, given: Arguments) -> Value:
    if not given.positional:
        return UNKNOWN
    function, *rest = given.positional
    return Partial(function.value, Arguments(given.node, tuple(rest), given.keywords, given.hides))


def _gives_back(name: str) -> Callable[[Machine, Arguments], Value]:
    return lambda _, given: given.get(0, GIVES_BACK[name]) or Symbol(name)


def _flagged(flag: str) -> Callable[[Machine, Arguments], Value]:
    """What `property(f)` and its like give where they are called by hand."""

    def made(machine: Machine, given: Arguments) -> Value:
        function = given.positional[0].value if given.positional else UNKNOWN
        return decoration.marked(function, flag) if isinstance(function, Closure) else UNKNOWN

    return made


def _set_attribute(machine: Machine, given: Arguments) -> Value:
    match [item.value for item in given.positional]:
        case [owner, Literal(value=str() as name), value]:
            assignments.set_attribute(machine, owner, name, value)
        case [Instance(number=number) | ClassValue(scope=Scope(number=number)), *_]:
            machine.store.set((number, ANY), UNKNOWN)
        case [owner, *_]:
            machine.let_go(owner)
    return Literal(None)


def _py_function(machine: Machine, given: Arguments) -> Value:
    effects.python_function(machine, given)
    return TENSOR if machine.is_traced else EAGER


def _tf_function(machine: Machine, given: Arguments) -> Value:
    function = given.get(0, "func")
    return tracing.wrapped(function, given) if function is not None else Symbol("tensorflow.function")


def _attributes(machine: Machine, given: Arguments) -> Value:
    """What `vars(args)` gives."""
    value = given.positional[0].value if given.positional else UNKNOWN
    if not isinstance(value, Instance) or not records.is_record(value):
        return UNKNOWN
    return machine.contained(records.table(machine, value))


def _record(name: str) -> Callable[[Machine, Arguments], Value]:
    return lambda machine, given: records.made(machine, name, given)


def _define_configuration(machine: Machine, given: Arguments) -> Value:
    """What `config_flags.DEFINE_config_file(name, path)` gives: its value is what `get_config` of that file gives."""
    name, path = given.get(0, "name"), given.get(1, "default")
    if not isinstance(name, Literal) or not isinstance(path, Literal):
        return UNKNOWN
    module = importing.found(machine, str(path.value).removesuffix(".py").replace("/", "."))
    maker = importing.attribute(machine, ModuleValue(module), "get_config") if module is not None else None
    if not isinstance(maker, Closure):
        return UNKNOWN
    return command_line_options.defined(machine, str(name.value), calls.apply(machine, maker, Arguments(None)))


def _configurable(name: str) -> Callable[[Machine, Arguments], Value]:
    """What gin's decorators give where they are called: with a name, or with the function itself."""

    def made(machine: Machine, given: Arguments) -> Value:
        function = given.get(0, "name_or_fn")
        if not isinstance(function, Closure):
            return Partial(Symbol(name), given)
        if name in REGISTERED:
            return function
        names = gin_bindings.names_of(machine, function.name or "", function.scope, module=given.get(1, "module"))
        return decoration.configurable(function, names)

    return made


def _external_configurable(machine: Machine, given: Arguments) -> Value:
    """What `gin.external_configurable(function, name, module)` gives."""
    function, told, module = given.get(0, "fn_or_cls"), given.get(1, "name"), given.get(2, "module")
    if not isinstance(function, Closure):
        return UNKNOWN
    names = gin_bindings.names_of(machine, function.name or "", function.scope, told=told, module=module)
    return decoration.configurable(function, names)


SPECIAL: dict[str, Callable[[Machine, Arguments], Value]] = {
    "builtins.classmethod": _flagged("is_class_method"),
    "builtins.property": _flagged("is_property"),
    "builtins.setattr": _set_attribute,
    "builtins.staticmethod": _flagged("is_static"),
    "builtins.vars": _attributes,
    FIELD: lambda _, given: Field(given.get(None, "default") or UNKNOWN, given.get(None, "default_factory")),
    "functools.partial": _partial,
    "importlib.import_module": importing.by_name,
    "os.environ.setdefault": environment.set_default,
    SETTINGS_FOR_MAIN: lambda _, given: Partial(Symbol(SETTINGS_FOR_MAIN), given),
    **{name: _configurable(name) for name in CONFIGURABLE | REGISTERED},
    **dict.fromkeys(EXTERNAL_CONFIGURABLE, _external_configurable),
    **gin_bindings.CALLS,
    "tensorflow.function": _tf_function,
    **{name: _record(name) for name in RECORDS},
    PARSER: lambda _, given: Instance(symbol=PARSER, arguments=given),
    **dict.fromkeys(DEFINES_FLAG, command_line_options.define_flag),
    **dict.fromkeys(DEFINES_CONFIG_FILE, _define_configuration),
    **{name: _gives_back(name) for name in GIVES_BACK},
    "tensorflow.data.Options": lambda _, __: Options(),
    **dict.fromkeys(PY_FUNCTIONS, _py_function),
    **dict.fromkeys(
        ("tensorflow.compat.v1.data.make_one_shot_iterator", "tensorflow.compat.v1.data.make_initializable_iterator"),
        lambda _, given: datasets.session_iterator(given.get(0, "dataset") or UNKNOWN),
    ),
}
"""What each of them gives."""
