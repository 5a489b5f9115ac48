"""What chooses the devices that TensorFlow runs on, and how devices are named."""

from __future__ import annotations

HIDES_DEVICES = frozenset({"CUDA_VISIBLE_DEVICES"})
"""Variables of the environment that leave TensorFlow only some of the graphics cards."""
NO_DEVICES = ("-1", "")
"""Their values that leave it none."""
CHOOSES_DEVICES = frozenset(
    {"tensorflow.config.set_visible_devices", "tensorflow.config.experimental.set_visible_devices"}
)
"""Functions that do the same from within, for the kind of device that they are told."""
DEVICE = "tensorflow.device"
"""What places the operations in its block on a device."""
