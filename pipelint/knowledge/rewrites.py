"""What TensorFlow rewrites in a pipeline by itself, since when, and the options that turn it off.

Source: core/data/dataset_utils.cc of v2.6 to v2.21. Tested for the names of the options.
"""

from __future__ import annotations

from typing import NamedTuple

AUTOTUNE_OPTIONS = ("autotune.enabled", "experimental_optimization.autotune")
"""The switch of autotuning: today's name, and the one of older versions."""
DEFAULTS_OPTION = "experimental_optimization.apply_default_optimizations"


class Rewrite(NamedTuple):
    """One rewrite that is on by default."""

    since: tuple[int, int]
    """The first version that does it; (2, 6) stands for that or earlier."""
    option: str
    needs_autotune: bool = False

    @property
    def turned_off_by(self) -> tuple[str, ...]:
        """The options that keep TensorFlow from it when they are False."""
        return (*(AUTOTUNE_OPTIONS if self.needs_autotune else ()), DEFAULTS_OPTION, self.option)


MAP_PARALLELIZATION = Rewrite((2, 6), "experimental_optimization.map_parallelization", needs_autotune=True)
"""A `map` with a stateless function runs in parallel."""
INJECT_PREFETCH = Rewrite((2, 11), "experimental_optimization.inject_prefetch", needs_autotune=True)
"""A prefetch stands at the end."""
MAP_AND_BATCH_FUSION = Rewrite((2, 6), "experimental_optimization.map_and_batch_fusion")
"""A `map` and the `batch` right behind it become one stage, which makes batches ahead of its consumer."""
REWRITES = (
    MAP_PARALLELIZATION,
    INJECT_PREFETCH,
    MAP_AND_BATCH_FUSION,
    Rewrite((2, 6), "experimental_optimization.noop_elimination"),
    Rewrite((2, 6), "experimental_optimization.shuffle_and_repeat_fusion"),
    Rewrite((2, 8), "experimental_optimization.parallel_batch"),
)
