"""Random numbers that Python draws in traced code: what they are for, and whether tensors could stand for them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pipelint.knowledge import names
from pipelint.knowledge.python_calls import NO_DRAWS, PYTHON_RANDOM
from pipelint.knowledge.tensor_arguments import TAKES_ANYTHING, tensors_of
from pipelint.model.code import Call, TraceKind
from pipelint.model.values import Literal, Symbol, Value
from pipelint.source.bindings import bound_names, dotted_parts, parameter_names
from pipelint.source.tree_walk import children, walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import is_symbolic
from pipelint.static.abstract.values import Arguments, Foreign, Instance
from pipelint.static.facts import keras_classes
from pipelint.static.facts.dotted_names import symbol_of

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_NUMBERS = frozenset({"builtins.abs", "builtins.int", "builtins.round"})
"""What makes an integer of a draw, as a seed has to be one."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Question = Callable[[ast.expr], bool]


def note(machine: Machine, call: Call, given: Arguments) -> None:
    """Remember of a draw whether a tensor could stand for it, and of others what they do with one."""
    if not machine.is_traced:
        return
    if is_draw(call.symbol) and given.node is not None:
        function = machine.frames[-1].node
        uses = _Uses(machine, function) if function is not None else None
        call.may_be_tensor = uses is not None and uses.take_tensor(given.node)
        call.meant_once = _is_seeded(machine, call.symbol) or (uses is not None and uses.only_seed(given.node))
    if call.symbol == "tensorflow.Variable":
        _begin_state(*given.values())
    elif _keeps_state(call.symbol):
        note_seed(given)


def note_seed(given: Arguments) -> None:
    """A draw that is the seed of what keeps a state of its own is one draw by intent."""
    seed = given.get(None, "seed")
    if seed is not None:
        _begin_state(seed)


def _begin_state(*values: Value) -> None:
    for value in values:
        if isinstance(value, Foreign) and value.drawn is not None:
            value.drawn.meant_once = True


def _is_seeded(machine: Machine, symbol: str) -> bool:
    """Whether the code that is being recorded set a constant seed before, so that it draws the same each time."""
    seed = "numpy.random.seed" if names.root(symbol) == "numpy" else "random.seed"
    events = machine.recorder.events if machine.recorder is not None else []
    return any(isinstance(event, Call) and event.symbol == seed and _is_constant(event) for event in events)


def _is_constant(call: Call) -> bool:
    given = [argument.value for argument in call.arguments]
    return bool(given) and all(isinstance(value, Literal) for value in given)


def is_draw(symbol: str) -> bool:
    """Whether a function of this name draws random numbers in Python."""
    return symbol.startswith(PYTHON_RANDOM) and names.last(symbol) not in NO_DRAWS


def _keeps_state(symbol: str) -> bool:
    """Whether a seed only starts what then draws another number each time."""
    if symbol.startswith(("keras.layers.", "keras.initializers.")):
        return True
    return names.root(symbol) == "tensorflow" and not names.last(symbol).startswith("stateless_")


class _Uses:
    """How the body of one function uses the result of a call."""

    def __init__(self, machine: Machine, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        self._machine = machine
        self._function = function
        self._parents = {child: node for node in walk(function) for child in children(node)}
        self._answers: dict[tuple[_Question, str], bool] = {}

    def take_tensor(self, node: ast.expr) -> bool:
        """Whether a tensor would serve: in arithmetic, as an argument of TensorFlow, as the test of a plain `if`."""
        parent = self._parents.get(node)
        match parent:
            case ast.BinOp(op=op, left=left, right=right) if isinstance(op, _ARITHMETIC):
                return self._is_tensor(right if left is node else left) or self.take_tensor(parent)
            case ast.UnaryOp(op=ast.USub()) | ast.List() | ast.Tuple(ctx=ast.Load()):
                return self.take_tensor(parent)
            case ast.keyword(arg=str()):
                call = self._parents[parent]
                return isinstance(call, ast.Call) and self._takes_tensors(call)
            case ast.Call(func=function) if function is not node:
                return self._takes_tensors(parent)
            case ast.Compare(ops=[_]):
                branch = self._parents.get(parent)
                return isinstance(branch, ast.If) and branch.test is parent and self._can_be_traced(branch)
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._everywhere(self.take_tensor, name)
            case _:
                return False

    def only_seed(self, node: ast.expr) -> bool:
        """Whether what is drawn goes nowhere but into seeds of what keeps a state of its own."""
        parent = self._parents.get(node)
        match parent:
            case ast.BinOp() | ast.UnaryOp():
                return self.only_seed(parent)
            case ast.Call(func=func, args=[_]) if func is not node and symbol_of(self._machine, func) in _NUMBERS:
                return self.only_seed(parent)
            case ast.keyword(arg="seed"):
                call = self._parents[parent]
                return isinstance(call, ast.Call) and _keeps_state(symbol_of(self._machine, call.func))
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._everywhere(self.only_seed, name)
            case _:
                return False

    def _everywhere(self, question: _Question, name: str) -> bool:
        """Whether something holds wherever a variable is read, asked once; of one made of itself it cannot be told."""
        if (question, name) not in self._answers:
            self._answers[question, name] = False
            uses = self._uses_of(name)
            self._answers[question, name] = bool(uses) and all(map(question, uses))
        return self._answers[question, name]

    def _is_tensor(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                value = self._machine.lookup(name)
                return value is not None and is_symbolic(value)
            case ast.BinOp(left=left, right=right):
                return self._is_tensor(left) or self._is_tensor(right)
            case ast.Subscript(value=value):
                return self._is_tensor(value)
            case ast.Call():
                return self._takes_tensors(node)
            case _:
                return False

    def _uses_of(self, name: str) -> list[ast.expr]:
        """Where a variable is read; nothing where it is assigned more than once, or read by a function inside."""
        found = [node for node in walk(self._function) if isinstance(node, ast.Name) and node.id == name]
        stores = [node for node in found if isinstance(node.ctx, ast.Store)]
        inner = [node for node in walk(self._function) if isinstance(node, _FUNCTIONS) and node is not self._function]
        if len(stores) > 1 or any(part in found for node in inner for part in walk(node)):
            return []
        return [node for node in found if isinstance(node.ctx, ast.Load)]

    def _takes_tensors(self, call: ast.Call) -> bool:
        if any(keyword.arg == "training" for keyword in call.keywords):
            return True
        parts = dotted_parts(call.func)
        value = self._machine.lookup(parts[0]) if parts else None
        if isinstance(value, Symbol) and parts:
            symbol = names.canonical(".".join([value.name, *parts[1:]]))
            anything = names.root(symbol) == "tensorflow" and names.last(symbol) in TAKES_ANYTHING
            return tensors_of(symbol) > 0 or anything
        for name in parts[1:] if parts else ():
            value = self._machine.attribute(value.number, name) if isinstance(value, Instance) else None
        if not isinstance(value, Instance):
            return False
        return keras_classes.is_network_class(value.symbol or "") or (
            value.cls is not None and keras_classes.is_network(value.cls)
        )

    def _can_be_traced(self, branch: ast.If) -> bool:
        """Whether AutoGraph can make a branch of the graph of it: what it assigns has a value on the other way too.

        Keras 3 keeps AutoGraph from `train_step`.
        """
        trace = self._machine.recorder
        if (
            trace is None
            or trace.kind is TraceKind.STEP
            or any(isinstance(node, (ast.Return, ast.Break, ast.Continue)) for node in walk(branch))
        ):
            return False
        body = [] if isinstance(self._function, ast.Lambda) else self._function.body
        before = [node for node in body if (node.end_lineno or 0) < branch.lineno]
        return bound_names([branch]) <= parameter_names(self._function) | bound_names(before)
