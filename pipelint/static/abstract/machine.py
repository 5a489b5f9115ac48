"""The state of one interpretation: where it stands, what it has recorded, and what the facts may ask of it."""

from __future__ import annotations

import ast
import collections
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pipelint.model.code import Event, Loop, Trace, TraceKind
from pipelint.model.consumer import Consumer
from pipelint.model.definitions import Class, Function, MappedFunction
from pipelint.model.feed import Feed
from pipelint.model.locations import Region
from pipelint.model.program import Reference
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.module_text import Importer, ModuleText
from pipelint.source.positions import Positions
from pipelint.static.abstract.barren import BarrenCalls
from pipelint.static.abstract.bounds import bounded
from pipelint.static.abstract.containers import ITEMS, holds_callables, holds_functions, opened
from pipelint.static.abstract.frames import EagerTape, Frame
from pipelint.static.abstract.guards import NO_GUARDS, Atom, Guards, consistent, held, subjects
from pipelint.static.abstract.later_changes import Changes
from pipelint.static.abstract.noted import Consumption, EagerCall
from pipelint.static.abstract.scopes import Key, ModuleScope, Scope, Store, new_number
from pipelint.static.abstract.values import (
    Arguments,
    Choice,
    ClassValue,
    Closure,
    DatasetValue,
    FunctionNode,
    Instance,
    Options,
    Sequence,
    Table,
    alternatives,
    choice,
)
from pipelint.static.abstract.work import Work

MOST_CALLS = 4000
"""How many calls of the user's functions are followed in one program before the rest counts as unknown."""
MOST_MODULES = 64
"""How many modules of the project around a program are followed: what matters to it is near it."""
DEEPEST_CALL = 12
"""How deep calls are followed into calls; programs that nest deeper have nothing more to show."""
ANY = "*"
"""Under this name the store keeps that code out of sight may have set any attribute of an object."""
Reads = dict[Key, Value | None]


@dataclass(eq=False)
class Machine(ABC):
    """Everything that the interpreter and the facts share; the interpreter itself is the one that follows code."""

    positions: Positions
    module: ModuleScope
    scope: Scope
    store: Store = field(default_factory=Store)
    environment: int = field(default_factory=new_number)
    """The number of `os.environ`, whose variables the store keeps as it does attributes."""
    flags: dict[str, dict[ModuleScope, Value]] = field(default_factory=dict)
    """The defaults of the flags of the command line, by the modules that define them."""
    path: Guards = NO_GUARDS
    held_by_default: set[Atom] = field(default_factory=set)
    """The tests that come out so by constants of the program and defaults of parameters."""
    turned_off: set[Atom] = field(default_factory=set)
    """The tests that come out false by constants of the module, until somebody edits them, as Keras calls `call`, and
    those of traced code that come out so only where something is no tensor that is or may be one there."""
    off_by_default: set[Atom] = field(default_factory=set)
    """The tests that come out otherwise by what callers give, or by defaults that none of them overrides."""
    version_tests: set[Atom] = field(default_factory=set)
    """The tests of what holds the version of TensorFlow, whatever its name."""
    frames: list[Frame] = field(default_factory=lambda: [Frame(None)])
    loops: list[Loop] = field(default_factory=list)
    recorder: Trace | None = None
    recorded_from: int = 0
    """Scopes and objects with a lower number were there before the function that is being recorded was entered."""
    function: Function | None = None
    """The named function whose body is being followed."""
    tape_depth: int = 0
    calls_left: int = MOST_CALLS
    followed: collections.Counter[FunctionNode] = field(default_factory=collections.Counter)
    """How many calls of each function were followed."""
    spent: collections.Counter[FunctionNode] = field(default_factory=collections.Counter)
    """How many steps these took, with all that they led to."""
    gave: dict[FunctionNode, Value] = field(default_factory=dict)
    """What the last of them gave."""
    cut_short: int = 0
    """How many calls were not followed as they lie too deep, or run already."""
    barren: BarrenCalls = field(default_factory=BarrenCalls)
    work: Work = field(default_factory=Work)
    layers_within: list[Instance] = field(default_factory=list)
    """The layers made of layers that are being applied, the outermost first."""
    cell_ends: collections.abc.Sequence[int] = ()
    main_lines: frozenset[int] = frozenset()
    """The lines that run only where the file itself is run."""
    importer: Importer | None = None
    """Finds what the program imports from its project; None for one that stands alone."""
    own_modules: frozenset[ModuleText] = frozenset()
    """The modules that the program is made of, which are followed in any case."""
    others_left: int = MOST_MODULES
    """How many more modules of the project may be followed."""
    linked: dict[ModuleText, ModuleScope] = field(default_factory=dict)
    """The modules of the project that were followed, with their names."""
    trees: dict[ast.Module, ModuleScope] = field(default_factory=dict)
    """What is written in the modules of the program and around it that were followed, with their names."""
    callers: set[ModuleScope] = field(default_factory=set)
    """Those of them whose functions are followed even if nobody calls them."""
    taken_apart: dict[ast.expr, int] = field(default_factory=dict)
    """The expressions whose value an assignment takes apart, with the number of variables."""
    rows: dict[Key, int] = field(default_factory=dict)
    """How many rows the slices have that variables name."""
    most_rows: dict[Key, int] = field(default_factory=dict)
    """How many they have at most, where their bounds are constants."""
    sums: dict[Key, ast.expr] = field(default_factory=dict)
    """The sums and products that variables name, as possible ends of slices."""
    identities: dict[ast.AST, Function | Class] = field(default_factory=dict)
    """The function or class that each definition stands for."""

    events: list[Event] = field(default_factory=list)
    feeds: list[Feed] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    consumptions: list[Consumption] = field(default_factory=list)
    discarded: list[DatasetValue] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    applied: dict[Trace, list[DatasetValue]] = field(default_factory=dict)
    """The stages that seem to map a traced function over a dataset."""
    visited: set[FunctionNode] = field(default_factory=set)
    functions: list[Closure] = field(default_factory=list)
    """Every function and method that was defined, in order."""
    uncalled: set[Function] = field(default_factory=set)
    """The functions that the program itself does not call, and that were followed all the same."""
    resting: list[Region] = field(default_factory=list)
    """Definitions that no code in sight leads to."""
    callers_decide: bool = False
    """Whether one of them is given something and has to do with datasets."""
    escaped: list[Closure] = field(default_factory=list)
    """Functions that are given to code out of sight, which may call them."""
    returned: list[tuple[Value, ast.expr, Closure]] = field(default_factory=list)
    """What functions returned to callers in the program."""
    classes: list[ClassValue] = field(default_factory=list)
    constructed: dict[Class, set[str]] = field(default_factory=dict)
    """The classes of which the program makes objects, with the parameters that it gives them."""
    objects: dict[Class, list[Instance]] = field(default_factory=dict)
    """The objects of such classes that it makes itself."""
    mapped: dict[tuple[FunctionNode, int, int, Value], tuple[Reads, MappedFunction, Trace, Value]] = field(
        default_factory=dict
    )
    """What mapped functions gave, as long as what they read from outside is the same."""
    reads: Reads | None = None
    """What the mapped function that is being followed has read so far."""
    changes: Changes = field(default_factory=Changes)
    assumed: set[Key] = field(default_factory=set)
    """The parameters that have their defaults only because nobody is seen to give them."""
    attribute_runs: set[tuple[int, str]] = field(default_factory=set)
    eager_calls: dict[Function, list[EagerCall]] = field(default_factory=dict)
    """The calls of functions that may be training steps, where they run op by op."""
    eager_tapes: dict[Region, EagerTape] = field(default_factory=dict)
    """The tapes that stand in loops, by their place."""
    called_eagerly: dict[Function, bool] = field(default_factory=dict)
    """The methods of networks that are called outside of traced code, and whether ever under a tape."""
    used_in_graphs: dict[Function, set[Trace | None]] = field(default_factory=dict)
    """The traces that call a method of a network; None for uses out of sight, which may trace it."""

    @property
    def is_traced(self) -> bool:
        """Whether the code that is being followed is recorded by TensorFlow."""
        return self.recorder is not None and self.recorder.kind is not TraceKind.PYTHON

    @property
    def title(self) -> str:
        """How messages name the function whose body is being followed, with the class of the object that has it."""
        if self.function is None:
            return ""
        owner = self.frames[-1].owner
        return f"{owner.name}.{self.function.name}" if owner is not None else self.function.title

    @property
    def tests(self) -> frozenset[str]:
        """The tests, as written, under which the current code runs."""
        return subjects(self.path)

    @property
    def holding(self) -> frozenset[str]:
        """What holds where the current code runs, as written."""
        return held(self.path)

    @property
    def is_for_some_versions(self) -> bool:
        """Whether the current code runs only under some versions of TensorFlow."""
        return not self.version_tests.isdisjoint(self.path)

    def module_of(self, node: ast.AST | None) -> ModuleScope:
        """The module that a node is in."""
        line = getattr(node, "lineno", 0)
        around = [module for module in self.linked if module.first_line <= line]
        return self.linked[max(around, key=lambda module: module.first_line)] if around else self.module

    def region(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg) -> Region:
        """Where a node stands."""
        return self.positions.region(node)

    def lookup(self, name: str) -> Value | None:
        """The value of a name, restricted to what the current path allows; None if the name is not bound."""
        owner = self.scope.owner(name)
        if owner is None:
            return None
        value = self._read((owner.number, name), self.changes.names)
        if value is None and not owner.is_module and name in owner.names:
            return UNKNOWN
        return value

    def assign(self, name: str, value: Value) -> None:
        """Bind a name in the scope that owns it."""
        owner = self.scope.owner(name) or self.module
        self.store.set((owner.number, name), value)

    def attribute(self, number: int, name: str) -> Value | None:
        """The value of an object's attribute, None if none was seen."""
        return self._read((number, name), self.changes.attributes)

    def _read(self, key: Key, changing: frozenset[str]) -> Value | None:
        value = self.store.get(key)
        if self.reads is not None:
            self.reads.setdefault(key, value)
        if value is None:
            return None
        value = self.current(self.restricted(value))
        if self.recorder is not None:
            changes = key[1] in changing and key[0] < self.recorded_from
            if (changes or key in self.assumed) and holds_functions(value):
                self.lose_sight()
        return value

    def may_be_another(self, node: ast.expr, value: Value) -> bool:
        """Whether what an expression names may be replaced by a function that anybody may call."""
        if not holds_callables(value):
            return False
        match node:
            case ast.Name(id=name):
                owner = self.scope.owner(name)
                return name in self.changes.names or (owner is not None and (owner.number, name) in self.assumed)
            case ast.Attribute(attr=name):
                return name in self.changes.attributes
            case _:
                return False

    def current(self, value: Value) -> Value:
        """A container as it is now: it may have changed since it was bound."""
        if not isinstance(value, (Sequence, Table)) or value.number is None:
            return value
        key = (value.number, ITEMS)
        now = self.store.get(key)
        if self.reads is not None:
            self.reads.setdefault(key, now)
        return now or value

    def contained(self, value: Sequence | Table) -> Value:
        """A container that can change, as it is made."""
        made = bounded(replace(value, number=new_number()))
        assert isinstance(made, (Sequence, Table))
        self.change(made)
        return made

    def change(self, container: Sequence | Table) -> None:
        """Remember that the container with this number is now this one."""
        if container.number is not None:
            self.store.set((container.number, ITEMS), bounded(container))

    def let_go(self, value: Value) -> None:
        """Remember that code out of sight has a value: containers of functions may get others from it."""
        match value:
            case Sequence(items=items):
                parts = items
            case Table(items=pairs):
                parts = tuple(item for _, item in pairs)
            case Options(number=number) | Instance(symbol=str(), number=number):
                self.store.set((number, ANY), UNKNOWN)
                return
            case _:
                return
        now = self.current(value)
        if isinstance(now, (Sequence, Table)) and holds_callables(now):
            self.change(opened(now))
        for part in parts:
            self.let_go(part)

    def lose_sight(self) -> None:
        """Remember that something happens here which is not followed, so that what is recorded is not all."""
        if self.recorder is not None:
            self.recorder.complete = False

    @contextmanager
    def noting_reads(self) -> Iterator[Reads]:
        """Note what is read from the store."""
        outer, noted = self.reads, Reads()
        self.reads = noted
        try:
            yield noted
        finally:
            self.reads = outer
            self.read_again(noted)

    def read_again(self, reads: Reads) -> None:
        """Note that what is being followed depends on these reads as well."""
        if self.reads is not None:
            self.reads |= {key: value for key, value in reads.items() if key not in self.reads}

    def still_holds(self, reads: Reads) -> bool:
        """Whether all that was read is as it was."""
        return all((now := self.store.get(key)) is value or now == value for key, value in reads.items())

    def restricted(self, value: Value) -> Value:
        """Without the alternatives that the current path excludes."""
        if not isinstance(value, Choice) or not self.path:
            return value
        possible = [(guards, option) for guards, option in value.options if consistent(guards, self.path)]
        return value if len(possible) == len(value.options) else choice(possible)

    @contextmanager
    def within(self, guards: Guards) -> Iterator[None]:
        """Follow code that runs only under these guards."""
        before = self.path
        self.path = before | guards
        try:
            yield
        finally:
            self.path = before

    @contextmanager
    def in_scope(self, scope: Scope) -> Iterator[None]:
        """Follow code whose names belong to this scope."""
        before, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = before

    @contextmanager
    def apart(self, module: ModuleScope) -> Iterator[None]:
        """Follow another module from its beginning, as an import does, wherever that stands."""
        before = (self.scope, self.path, self.frames, self.function, self.reads)
        self.scope, self.path, self.frames, self.function, self.reads = module, NO_GUARDS, [Frame(None)], None, None
        try:
            with self.store.below_branches(), self.recording(None):
                yield
        finally:
            self.scope, self.path, self.frames, self.function, self.reads = before

    @contextmanager
    def recording(self, recorder: Trace | None) -> Iterator[None]:
        """Follow a function that TensorFlow traces or that runs as Python behind a py_function."""
        before = (self.recorder, self.loops, self.tape_depth, self.recorded_from)
        self.recorder, self.loops, self.tape_depth, self.recorded_from = recorder, [], 0, new_number()
        try:
            yield
        finally:
            self.recorder, self.loops, self.tape_depth, self.recorded_from = before

    def record(self, event: Event) -> None:
        """Remember what happens here."""
        event.loops = tuple(self.loops)
        event.guards = self.tests
        event.held = self.holding
        event.doubtful = not self.turned_off.isdisjoint(self.path)
        event.for_some_versions = self.is_for_some_versions
        event.function = self.function
        event.under_tape = self.tape_depth > 0
        if self.recorder is not None:
            self.recorder.events.append(event)
        if self.is_traced:
            event.trace = self.recorder
        self.events.append(event)

    def consume(self, value: Value, consumer: Consumer, node: ast.expr | None) -> None:
        """Remember that a dataset is consumed."""
        consumer.in_tf_function = self.is_traced
        self.consumptions.append(Consumption(value, consumer, node, self.tests, self.function))
        self.use(value)

    @staticmethod
    def use(value: Value) -> None:
        """Remember that something was done with a dataset, so that it is not just lying there."""
        for _, option in alternatives(value):
            if isinstance(option, DatasetValue):
                option.used = True

    def truth(self, value: Value) -> bool | None:
        """Whether a test holds, None if that is not known; a default that a caller may override is not."""
        match value:
            case Literal(value=constant, assumed=False):
                return bool(constant)
            case Closure() | ClassValue() | DatasetValue():
                return True
            case _:
                return None

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value) -> None:
        """Give an assignment target its value, taking tuples apart."""

    @abstractmethod
    def call(self, callee: Value, given: Arguments) -> Value:
        """What a callee gives for these arguments."""

    @abstractmethod
    def enter(self, function: Closure, given: Arguments) -> Value:
        """Follow the body of a user's function and return what it gives."""
