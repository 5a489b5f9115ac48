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
CLUSTER = "TF_CONFIG"
"""The variable of the environment that tells a process of the others it trains together with."""
CLUSTER_STRATEGIES = frozenset(
    f"tensorflow.distribute.{name}"
    for name in (
        "MultiWorkerMirroredStrategy",
        "ParameterServerStrategy",
        "experimental.MultiWorkerMirroredStrategy",
        "experimental.ParameterServerStrategy",
    )
)
"""What trains in several processes together."""
DEVICE = "tensorflow.device"
"""What places the operations in its block on a device."""
