"""Layers that take texts, in models that are trained."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Argument, Call, Literal, Made, Program, Symbol

_LAYERS = frozenset({"TextVectorization", "StringLookup"})
_INPUTS = frozenset({"Input", "InputLayer"})
_TEXTS = (Literal("string"), Symbol("tensorflow.string"))
_FUNCTIONAL = frozenset({"keras.Model", "keras.Functional"})


def trained_string_layers(program: Program) -> Iterator[tuple[Call, Call]]:
    """The calls that give a model texts to take apart, with a call of `fit` that trains it."""
    for fit in program.calls:
        if fit.symbol == "keras.Model.fit" and fit.made_at is not None:
            for maker in program.calls_at.get(fit.made_at, ()):
                layers = (
                    _in_functional(program, maker) if maker.symbol in _FUNCTIONAL else _in_list(program, maker, fit)
                )
                yield from ((layer, fit) for layer in layers)


def _in_list(program: Program, maker: Call, fit: Call) -> Iterator[Call]:
    """Inputs and layers for texts that stand in the list of a Sequential, or are added to it."""
    for call in program.calls:
        inside = maker.region.holds(call.region) and (_takes_texts(call) or call.last_name in _LAYERS)
        added = (
            call.symbol == "keras.Model.add"
            and call.made_at == fit.made_at
            and any(map(_is_for_texts, call.positional))
        )
        if inside or added:
            yield call


def _is_for_texts(item: Argument) -> bool:
    return isinstance(item.value, Made) and _last(item.value.symbol) in _LAYERS


def _in_functional(program: Program, maker: Call) -> Iterator[Call]:
    """Layers for texts that are called on an input of Keras, where the only model is made that a function makes."""
    beside = [call for call in program.calls if call.function is maker.function]
    if len({call.region for call in beside if call.symbol in _FUNCTIONAL}) == 1:
        for call in beside:
            owner, _, method = call.symbol.rpartition(".")
            on_input = any(item.value == Made("keras.Input") for item in call.positional)
            if method == "__call__" and _last(owner) in _LAYERS and on_input:
                yield call


def _takes_texts(call: Call) -> bool:
    dtype = call.keywords.get("dtype")
    return call.last_name in _INPUTS and dtype is not None and dtype.value in _TEXTS


def _last(symbol: str) -> str:
    return symbol.rpartition(".")[2]
