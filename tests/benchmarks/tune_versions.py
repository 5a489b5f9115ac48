"""The programs that `pipelint tune` is measured on, and how others write them: by the usual recipe, and by an expert.

The recipe is what guides say: AUTOTUNE on every map and interleave, and a prefetch at the end. The expert knows the
data: that it fits into memory, what is random, what waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SLOW = ROOT / "fixtures" / "slow"
_OWN = Path(__file__).parent / "tune_programs"
_AUTOTUNE = "num_parallel_calls=tf.data.AUTOTUNE"
_PREFETCH = ".prefetch(tf.data.AUTOTUNE)"
_THREADS = "    options = tf.data.Options()\n    options.threading.private_threadpool_size = 16\n"

Replacements = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Program:
    """A program, with what others change in one of its files."""

    name: str
    script: Path
    recipe: Replacements
    expert: Replacements
    changed: Path | None = None
    """The file that they change, where that is not the script."""

    def version(self, changes: Replacements) -> dict[Path, bytes]:
        """Its file with these changes; fails where one of them does not fit."""
        path = self.changed or self.script
        text = path.read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise ValueError(f"{path.name}: {old!r} stands there {text.count(old)} times")
            text = text.replace(old, new)
        return {path: text.encode()} if changes else {}


PROGRAMS = (
    Program(
        "random_augmentation",
        _SLOW / "random_augmentation.py",
        recipe=((".map(augment)", f".map(augment, {_AUTOTUNE})"),),
        expert=(
            ("    dataset = dataset.shuffle(len(paths))\n", ""),
            (".map(load, num_parallel_calls=tf.data.AUTOTUNE)", f".map(load, {_AUTOTUNE}).cache().shuffle(len(paths))"),
            (".map(augment)", f".map(augment, {_AUTOTUNE})"),
        ),
    ),
    Program(
        "sharded_records",
        _SLOW / "sharded_records.py",
        recipe=(
            (
                ".map(parse), cycle_length=SHARDS)",
                ".map(parse, AUTOTUNE), cycle_length=SHARDS, num_parallel_calls=AUTOTUNE)",
            ),
        ),
        expert=(
            ("list_files(pattern)", "list_files(pattern, shuffle=False)"),
            (".map(parse), cycle_length=SHARDS)", ".map(parse), cycle_length=SHARDS, num_parallel_calls=AUTOTUNE)"),
            (
                "read_records(pattern).shuffle(4 * BATCH_SIZE)",
                "read_records(pattern).cache().shuffle(SHARDS * RECORDS)",
            ),
        ),
    ),
    Program(
        "text_lines",
        _SLOW / "text_lines.py",
        recipe=((".map(vectorize)", f".map(vectorize, {_AUTOTUNE})"),),
        expert=(
            ("    dataset = dataset.shuffle(1_000)\n", ""),
            (".map(vectorize)", f".map(vectorize, {_AUTOTUNE}).cache().shuffle(1_000)"),
        ),
    ),
    Program(
        "generator",
        _SLOW / "generator.py",
        recipe=(),
        expert=(("return dataset.shuffle(1_000)", "return dataset.cache().shuffle(1_000)"),),
    ),
    Program(
        "pil_function",
        _SLOW / "pil_function.py",
        recipe=((".map(load)", f".map(load, {_AUTOTUNE})"),),
        expert=(
            ('/*/*.jpg")', '/*/*.jpg", shuffle=False)'),
            (".map(load)", f".map(load, {_AUTOTUNE}).cache()"),
            (".shuffle(BATCH_SIZE * 2)", ".shuffle(IMAGES)"),
        ),
    ),
    Program(
        "slow_storage",
        _SLOW / "slow_storage.py",
        recipe=((".map(read)", f".map(read, {_AUTOTUNE})"),),
        expert=(
            ("    dataset = dataset.shuffle(len(names))\n", ""),
            (".map(read)", ".map(read, num_parallel_calls=16).cache().shuffle(len(names))"),
            ("    return dataset.batch", f"{_THREADS}    return dataset.with_options(options).batch"),
        ),
    ),
    Program(
        "gather",
        _OWN / "gather.py",
        recipe=(
            (".map(look_up)", f".map(look_up, {_AUTOTUNE})"),
            (".batch(BATCH_SIZE)", f".batch(BATCH_SIZE){_PREFETCH}"),
        ),
        expert=(
            ("    dataset = dataset.map(look_up)\n", ""),
            (
                "return dataset.batch(BATCH_SIZE)",
                f"return dataset.batch(BATCH_SIZE).map(look_up, {_AUTOTUNE}){_PREFETCH}",
            ),
        ),
    ),
    Program(
        "worker_share",
        _OWN / "worker_share.py",
        recipe=((".map(load)", f".map(load, {_AUTOTUNE})"), (".batch(BATCH_SIZE)", f".batch(BATCH_SIZE){_PREFETCH}")),
        expert=(
            (".map(load)", ""),
            (".shard(WORKERS, 0)", f".shard(WORKERS, 0).map(load, {_AUTOTUNE}).cache()"),
            (".batch(BATCH_SIZE)", f".batch(BATCH_SIZE){_PREFETCH}"),
        ),
    ),
    Program(
        "switched_off",
        _OWN / "switched_off.py",
        recipe=(
            (".map(decode)", f".map(decode, {_AUTOTUNE})"),
            (".map(crop)", f".map(crop, {_AUTOTUNE})"),
            (".batch(BATCH_SIZE)", f".batch(BATCH_SIZE){_PREFETCH}"),
        ),
        expert=(
            ("    options.autotune.enabled = False\n", ""),
            ("    options.experimental_optimization.apply_default_optimizations = False\n", ""),
            (".shuffle(len(paths))", ""),
            (".map(decode)", f".map(decode, {_AUTOTUNE}).cache().shuffle(len(paths))"),
            (".map(crop)", f".map(crop, {_AUTOTUNE})"),
            (".batch(BATCH_SIZE)", f".batch(BATCH_SIZE){_PREFETCH}"),
        ),
    ),
    Program(
        "records",
        _OWN / "records" / "train.py",
        recipe=(
            (".map(parse)", f".map(parse, {_AUTOTUNE})"),
            (".map(jitter).batch(BATCH_SIZE)", f".map(jitter, {_AUTOTUNE}).batch(BATCH_SIZE){_PREFETCH}"),
        ),
        expert=(
            (".map(parse).shuffle(200)", f".map(parse, {_AUTOTUNE}).cache().shuffle(200)"),
            (".map(jitter).batch(BATCH_SIZE)", f".map(jitter, {_AUTOTUNE}).batch(BATCH_SIZE){_PREFETCH}"),
        ),
        changed=_OWN / "records" / "data.py",
    ),
)
