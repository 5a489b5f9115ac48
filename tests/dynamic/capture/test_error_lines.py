"""What went wrong in a program, in one line."""

from __future__ import annotations

from pipelint.dynamic.capture import error_lines


def test_the_cause_stands_behind_all_that_keras_says_before_it() -> None:
    error = TypeError(
        "Exception encountered when calling Loss.call().\n\n\x1b[1mCould not automatically infer the output shape / dtype "
        "of 'loss' (of type Loss). Either the `Loss.call()` method is incorrect, or you need to implement it. Error "
        "encountered:\n\nIterating over a symbolic `tf.Tensor` is not allowed.\x1b[0m\n\nArguments received by Loss.call():"
    )
    assert error_lines.summary(error) == "TypeError: Iterating over a symbolic `tf.Tensor` is not allowed."


def test_the_cause_stands_behind_what_autograph_says_with_frames_and_without() -> None:
    cause = "TypeError: step() takes 1 positional argument but 2 were given"
    frames = '    File "train.py", line 9, in step  *\n        return loss(x, y)\n'
    for shown in ("", frames):
        assert error_lines.summary(TypeError(f"in user code:\n\n{shown}\n    {cause}\n")) == cause
