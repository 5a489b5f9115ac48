"""What a `with` is given is followed once, whether or not it catches what its body raises."""

from __future__ import annotations

from pipelint.static.analyse import analyse


def test_a_context_that_is_made_in_place_is_made_once() -> None:
    source = 'import tensorflow as tf\n\nwith tf.summary.create_file_writer("logs").as_default():\n    step()\n'
    made = [call for call in analyse(source, target=(2, 21)).calls if call.last_name == "create_file_writer"]
    assert len(made) == 1


def test_what_it_catches_is_meant_to_fail() -> None:
    source = "import pytest\nimport tensorflow as tf\n\nwith pytest.raises(ValueError):\n    tf.ones(-1)\ntf.ones(1)\n"
    calls = [call for call in analyse(source, target=(2, 21)).calls if call.last_name == "ones"]
    assert [call.meant_to_fail for call in calls] == [True, False]
