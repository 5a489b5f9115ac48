"""Functions that get functions: where they are, and that they call or keep what they get."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from pipelint.knowledge.higher_order import CALLS, GIVES_BACK, LOADS_OBJECTS, FunctionParameters
from tests.knowledge.installed import resolve, stateful_operations, tf


@pytest.mark.parametrize(("name", "functions"), CALLS.items(), ids=CALLS)
def test_parameters_are_where_their_row_says(name: str, functions: FunctionParameters) -> None:
    found = [parameter for parameter in inspect.signature(resolve(name)).parameters if parameter != "self"]
    assert {found[position]: position for position in functions.values()} == functions


@pytest.mark.parametrize(("name", "parameter"), GIVES_BACK.items(), ids=GIVES_BACK)
def test_a_function_is_given_by_the_first_parameter(name: str, parameter: str) -> None:
    assert next(iter(inspect.signature(resolve(name)).parameters)) == parameter


@pytest.mark.parametrize("name", sorted(LOADS_OBJECTS))
def test_what_loads_objects_is_there(name: str) -> None:
    assert callable(resolve(name))


def jitter(x: Any) -> Any:
    return x + tf.random.uniform([])


FORMS = {
    "map_fn": lambda x: tf.map_fn(jitter, x),
    "map_structure": lambda x: tf.nest.map_structure(jitter, x),
    "vectorized_map": lambda x: tf.vectorized_map(jitter, x),
    "case": lambda x: tf.case([(tf.reduce_sum(x) > 0, lambda: jitter(x))], default=lambda: x),
    "cond": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: jitter(x), lambda: x),
    "scan": lambda x: tf.scan(lambda a, y: a + jitter(y), x),
    "recompute_grad": tf.recompute_grad(jitter),
    "map_flat_values": lambda x: tf.ragged.map_flat_values(jitter, x),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_graph_holds_what_the_given_function_does(form: object) -> None:
    assert stateful_operations(tf.data.Dataset.from_tensors([1.0, 2.0]).map(form))
