"""A tf.data service on this machine, with a worker that is killed."""

from __future__ import annotations

import pytest

from tests.dynamic.programs import Run, run

pytest.importorskip("tensorflow", reason="a service needs TensorFlow")
pytestmark = pytest.mark.network
__all__ = ["run"]


def test_workers_give_the_data_and_one_that_is_killed_takes_no_more_than_its_mode_allows(run: Run) -> None:
    from pipelint.dynamic.measure.data_service import run_service, shardings_of

    program = run("""
        import tensorflow as tf
        ds = tf.data.Dataset.range(4_000).map(lambda number: number * 3).batch(8)
        endless = tf.data.Dataset.range(40).shuffle(40).repeat().batch(4)
        part = tf.data.Dataset.range(90).shard(2, 0).batch(4)
        local = tf.data.Dataset.from_generator(lambda: iter(range(9)), output_types=tf.int64).batch(3)
    """)
    told: list[str] = []
    found = run_service(
        program.captured(), 2, seconds=0.3, progress=lambda text, share: told.append(f"{text} {share:.1f}")
    )
    assert (found.sharding, len(found.rates), found.note) == ("DYNAMIC", 2, "")
    dynamic, off = found.killed
    assert (dynamic.sharding, dynamic.examples, dynamic.repeated) == ("DYNAMIC", 4_000, 0), "at most once"
    assert dynamic.lost < 4_000
    assert (off.sharding, off.examples, off.lost) == ("OFF", 4_000, 0), "nothing is lost"
    assert off.repeated >= 4_000
    assert told[-1] == "killing one of 2 workers 0.7"

    assert shardings_of(program.captured("endless").pipeline) == ("OFF", "DYNAMIC")
    whole = run_service(program.captured("part"), 1, seconds=0.2, progress=lambda text, share: None)
    assert (whole.sharding, len(whole.rates), whole.killed) == ("OFF", 1, ())
    refused = run_service(program.captured("local"), 1, seconds=0.2, progress=lambda text, share: None)
    assert refused.note == "workers cannot run the Python code of the from_generator"
