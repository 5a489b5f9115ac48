"""Keras traces a layer or model only where something runs it in a graph; eager calls alone do not."""

from __future__ import annotations

import textwrap

import pytest

from pipelint.project.projects import Overrides
from tests.linting import check

NETWORK = """
import numpy as np
import tensorflow as tf

class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    def call(self, state, hidden=None):
        scores = self.dense(state)
        print(scores.numpy())
        return np.tanh(scores)
"""

EAGER = {
    "values of numpy": """
        policy = Policy()
        for state in np.zeros((9, 1, 4), np.float32):
            action = policy(state + np.ones(4)).numpy()
    """,
    "a script": """
        policy = Policy()
        action = policy(np.zeros((1, 4), np.float32))
    """,
    "a tensor that was made outside of traced code": """
        policy = Policy()
        policy.load_weights("policy.weights.h5")
        while not done():
            policy(tf.zeros([1, 4]))
    """,
    "elements of a dataset, which have values in Python": """
        policy = Policy()
        states = tf.data.Dataset.from_tensor_slices(rows).batch(4)
        for number, (state, _) in enumerate(tf.data.Dataset.zip((states, states))):
            policy(state)
    """,
    "what `next` gives": """
        policy = Policy()
        states = iter(tf.data.Dataset.from_tensor_slices(rows).batch(4))
        while True:
            policy(next(states))
    """,
    "a checkpoint keeps the model": """
        policy = Policy()
        checkpoint = tf.train.Checkpoint(net=policy)
        for step in range(9):
            policy({"state": tf.zeros([1, 4]), "steps": step})
    """,
    "variables for input, and what another model has made of them": """
        policy, encoder = Policy(), Policy()
        state = tf.Variable(np.zeros((1, 4), np.float32))
        while not done():
            policy(encoder(state))
    """,
    "beside a call with what nobody knows": """
        policy = Policy()
        def act(state):
            return policy(state)
        for state in np.zeros((9, 1, 4), np.float32):
            policy(state)
    """,
    "a state that the call before has left": """
        policy, hidden = Policy(), None
        for state in np.zeros((9, 1, 4), np.float32):
            action, hidden = policy(state, hidden=hidden)
        best, _ = policy(None, hidden=hidden)
    """,
    "inside of a model that is called eagerly": """
        class Agent(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.policy = Policy()

            def call(self, state):
                return self.policy(state)

        agent = Agent()
        for _ in range(9):
            agent(np.ones((1, 4)))
    """,
    "fit with a step of its own that does not call the model": """
        class Painter(Policy):
            def train_step(self, data):
                return {"loss": tf.reduce_mean(self.dense(data))}

        painter = Painter()
        painter.compile(optimizer="adam")
        for _ in range(9):
            painter.fit(images)
            painter(tf.random.normal([1, 4]))
    """,
}

TRACED = {
    "nothing of its uses in sight": "",
    "one call that tries it out": """
        if __name__ == "__main__":
            print(Policy()(np.ones((1, 4))))
    """,
    "one call in a function": """
        def show():
            print(Policy()(np.ones((1, 4))))
    """,
    "fit": """
        policy = Policy()
        policy.compile(loss="mse")
        policy.fit(x, y)
        policy(np.ones((1, 4)))
    """,
    "predict": """
        policy = Policy()
        policy(np.ones((1, 4)))
        policy.predict(rows)
    """,
    "a tf.function that calls it": """
        policy = Policy()

        @tf.function
        def act(state):
            return policy(state)

        policy(np.ones((1, 4)))
        act(tf.ones([1, 4]))
    """,
    "a tf.function made of it": """
        policy = Policy()
        fast = tf.function(policy)
        policy(np.ones((1, 4)))
    """,
    "a part of a Sequential": """
        policy = Policy()
        policy(np.ones((1, 4)))
        whole = tf.keras.Sequential([policy, tf.keras.layers.Dense(1)])
    """,
    "a functional model": """
        inputs = tf.keras.Input([4])
        model = tf.keras.Model(inputs, Policy()(inputs))
    """,
    "a functional model with several inputs, through another layer": """
        inputs = {"state": tf.keras.Input([4]), "hidden": tf.keras.Input([4])}
        policy = Policy()
        encoded = tf.keras.layers.Dense(4)(inputs["state"])
        model = tf.keras.Model(inputs, [policy(inputs), policy(encoded)])
    """,
    "code out of sight gets it": """
        policy = Policy()
        policy(np.ones((1, 4)))
        trainer.train(policy)
    """,
    "other programs get it": """
        def make_policy():
            policy = Policy()
            policy(np.ones((1, 4)))
            return policy
    """,
    "a model that is fitted holds it": """
        class Agent(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.policy = Policy()

            def call(self, state):
                return self.policy(state)

        agent = Agent()
        agent.compile(loss="mse")
        agent.fit(x, y)
        agent.policy(np.ones((1, 4)))
    """,
}


IN_A_LOOP = """
for _ in range(9):
    Policy()(np.ones((1, 4)))
"""


def found(uses: str) -> set[str]:
    """The codes of what is found in the network beside these uses."""
    source = NETWORK + textwrap.dedent(uses)
    return {diagnostic.code for diagnostic in check(source, Overrides(select=("PIPE6",))).diagnostics}


@pytest.mark.parametrize("uses", EAGER.values(), ids=EAGER)
def test_eager_calls_trace_nothing(uses: str) -> None:
    assert found(uses) == set()


@pytest.mark.parametrize("uses", TRACED.values(), ids=TRACED)
def test_one_use_that_may_be_a_graph_is_enough(uses: str) -> None:
    assert found(uses) == {"PIPE603", "PIPE604"}


@pytest.mark.parametrize("uses", list(TRACED.values())[3:], ids=list(TRACED)[3:])
def test_it_is_enough_beside_eager_calls(uses: str) -> None:
    assert found(textwrap.dedent(uses) + IN_A_LOOP) == {"PIPE603", "PIPE604"}


def test_numpy_stops_the_gradient_of_a_tape_in_eager_calls() -> None:
    source = NETWORK + textwrap.dedent("""
        policy = Policy()
        for state in states:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(policy(state))
            optimizer.apply_gradients(zip(tape.gradient(loss, policy.weights), policy.weights))
    """)
    [finding] = check(source, Overrides(select=("PIPE6",))).diagnostics
    assert finding.message.startswith(
        "`np.tanh` inside `Policy.call` works on a tensor: run eagerly, as here, it stops"
    )


def test_a_call_with_its_own_parameters_is_a_call_of_it() -> None:
    assert "PIPE603" not in found("""
        def search(model, steps):
            for step in range(steps):
                with tf.GradientTape() as tape:
                    loss = model(None, hidden=None)
    """)


def test_a_step_that_the_program_calls_itself_is_not_traced() -> None:
    source = """
        import numpy as np
        import tensorflow as tf

        class Net(tf.keras.Model):
            seen = []

            def train_step(self, data):
                loss = tf.reduce_mean(self(data))
                self.seen.append(loss.numpy())

        net = Net()
        for _ in range(3):
            net.train_step(np.ones((2, 3)))
    """
    assert not check(textwrap.dedent(source), Overrides(select=("PIPE6",))).diagnostics
    fitted = textwrap.dedent(source) + "net.fit(x)\n"
    assert {found.code for found in check(fitted, Overrides(select=("PIPE6",))).diagnostics} >= {"PIPE603"}
