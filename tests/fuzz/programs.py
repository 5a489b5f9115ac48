"""A grammar of TensorFlow programs: random, but of the kind that people write; most are small, so that many can be tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.fuzz.functions import decorator, keras_class, loop_body, mapped_function, mapped_lambda
from tests.fuzz.spelling import Spelling, Writer, spelling

SOURCES = (
    "{dataset}.range(100)",
    "{dataset}.from_tensor_slices((x, y))",
    "{dataset}.from_tensor_slices(files)",
    "{tf}.data.TFRecordDataset(files)",
    "{tf}.data.TFRecordDataset(['a.tfrecord', 'b.tfrecord'])",
    "{tf}.data.TextLineDataset(files)",
    "{dataset}.list_files('data/*.jpg', shuffle=False)",
    "{dataset}.from_generator(numbers, output_signature={tf}.TensorSpec((), {tf}.int32))",
    "{dataset}.zip((left, right))",
    "{tf}.keras.utils.image_dataset_from_directory('images', batch_size=4)",
    "tfds.load('mnist', split='train')",
    "tfds.load('mnist', split=['train', 'test'])[0]",
    "make_dataset(files)",
    "{dataset}.range(9).concatenate({dataset}.range(3))",
)
STAGES = (
    "map({function})",
    "map({function})",
    "map({lambda_})",
    "map({lambda_})",
    "map({function}, num_parallel_calls={number})",
    "map({function}, {auto})",
    "map({function}, num_parallel_calls={auto}, deterministic=False)",
    "map(map_func={function})",
    "map(*arguments)",
    "batch({number})",
    "batch({number}, drop_remainder=True)",
    "batch(batch_size=BATCH)",
    "padded_batch({number})",
    "shuffle({number})",
    "shuffle(buffer_size=len(files), seed=1)",
    "shuffle(100, reshuffle_each_iteration=False)",
    "cache()",
    "cache('/tmp/cache')",
    "prefetch({auto})",
    "prefetch({number})",
    "prefetch(buffer_size={auto})",
    "repeat()",
    "repeat({number})",
    "filter(lambda *a: True)",
    "take({number})",
    "skip({number})",
    "unbatch()",
    "enumerate()",
    "interleave({tf}.data.TFRecordDataset, cycle_length=4)",
    "interleave(lambda f: {tf}.data.TFRecordDataset(f).map({function}))",
    "interleave({tf}.data.TextLineDataset, num_parallel_calls={number})",
    "flat_map({tf}.data.TFRecordDataset)",
    "flat_map(lambda f: {tf}.data.TextLineDataset(f))",
    "apply({tf}.data.experimental.ignore_errors())",
    "apply({tf}.data.experimental.map_and_batch({function}, {number}))",
    "apply({tf}.data.experimental.unbatch())",
    "apply(lambda d: d.map({function}))",
    "with_options(options)",
    "window({number})",
    "shard(2, 0)",
)
NUMBERS = ("1", "2", "4", "8", "32", "1000", "BATCH", "os.cpu_count()", "-1", "0", "2 ** 5", "size or 3", "int(args.n)")


@dataclass
class Program:
    """A program in the making: how it spells things, and the functions that its stages may name."""

    rng: random.Random
    spelling: Spelling
    writer: Writer
    functions: list[str] = field(default_factory=lambda: ["parse"])
    names: list[str] = field(default_factory=list)

    def pick(self, among: Sequence[str]) -> str:
        """One of the templates, filled in."""
        return self.fill(self.rng.choice(among))

    def fill(self, template: str) -> str:
        """A template with the program's own spelling of TensorFlow, and random functions and numbers."""
        for slot, make in self._slots.items():
            while slot in template:
                template = template.replace(slot, make(), 1)
        return template

    @property
    def _slots(self) -> dict[str, Callable[[], str]]:
        return {
            "{function}": lambda: self.rng.choice(self.functions),
            "{lambda_}": lambda: mapped_lambda(self.rng),
            "{number}": lambda: self.rng.choice(NUMBERS),
            "{dataset}": lambda: self.spelling.dataset,
            "{auto}": lambda: self.rng.choice(self.spelling.autotune),
            "{tf}": lambda: self.spelling.tensorflow,
        }

    def stages(self, most: int = 4) -> list[str]:
        """A few stages, in any order."""
        return [self.pick(STAGES) for _ in range(self.rng.randint(1, most))]


def program(rng: random.Random) -> str:
    """The text of a random program."""
    how = spelling(rng)
    made = Program(rng, how, Writer(rng))
    out = made.writer
    if rng.random() < 0.3:
        out.line('"""A training script: \N{PENCIL} by hand."""')
    for line in how.imports:
        out.line(line)
    out.blank()
    for line in rng.sample(("BATCH = 32", "files = ['a', 'b']", "size = None", "options = None"), rng.randint(0, 2)):
        out.line(line)
    for _ in range(rng.choice((0, 1, 1, 2))):
        made.functions.append(mapped_function(rng, how, out))
    if rng.random() < 0.2:
        keras_class(rng, how, out)
    for _ in range(rng.choice((1, 1, 1, 2))):
        _placed(made)
    return out.text()


def _placed(made: Program) -> None:
    """A pipeline and what consumes it: at the top level, in a function, in a class, or under some block."""
    rng, out = made.rng, made.writer
    where = rng.choice(("top", "top", "function", "function", "method", "block"))
    if where == "top":
        _pipeline(made, "ds")
        _consumer(made, made.names.pop())
    elif where == "block":
        blocks = (
            "if __name__ == '__main__':",
            "with strategy.scope():",
            "while True:",
            "try:",
            "for epoch in range(3):",
        )
        head = rng.choice(blocks)
        with out.block(head):
            _pipeline(made, "ds")
            _consumer(made, made.names.pop())
        if head == "try:":
            with out.block(rng.choice(("except Exception:", "except (OSError, ValueError) as error:", "finally:"))):
                out.line("pass")
    elif where == "function":
        _builder(made)
    else:
        with out.block(rng.choice(("class Data:", "class Trainer(tf.keras.Model):", "class A(Base, metaclass=M):"))):
            decorator(rng, made.spelling, out, methods=True)
            with out.block("def make(self, files, flag=True, *, training=False):"):
                _pipeline(made, rng.choice(("self.ds", "ds")))
                out.line(f"return {made.names[-1]}")
            with out.block("def run(self):"):
                _consumer(made, rng.choice((made.names.pop(), "self.make(files)")))


def _builder(made: Program) -> None:
    rng, out = made.rng, made.writer
    decorator(rng, made.spelling, out)
    result = rng.choice(("", " -> tf.data.Dataset", " -> 'Dataset'"))
    with out.block(f"{rng.choice(('def', 'def', 'async def'))} make_dataset(files, training=True, BATCH=8){result}:"):
        _pipeline(made, "ds")
        name = made.names.pop()
        out.line(rng.choice((f"return {name}", f"return {name}.batch(8)", f"yield {name}", f"return {name}, 1")))
    _consumer(made, rng.choice(("make_dataset(files)", "make_dataset(files, False)", "make_dataset(files)[0]")))


def _pipeline(made: Program, name: str) -> None:
    source, stages = made.pick(SOURCES), made.stages()
    made.rng.choice(LAYOUTS)(made, name, source, stages)
    made.names.append(name)


def _chained(made: Program, name: str, source: str, stages: list[str]) -> None:
    made.writer.line(f"{name} = {source}" + "".join(f".{stage}" for stage in stages))


def _parenthesised(made: Program, name: str, source: str, stages: list[str]) -> None:
    out = made.writer
    out.line(f"{name} = (")
    for piece in (source, *(f".{stage}" for stage in stages)):
        out.line(f"    {piece}")
    out.line(")")


def _continued(made: Program, name: str, source: str, stages: list[str]) -> None:
    pieces = [f"{name} = {source}", *(f"    .{stage}" for stage in stages)]
    for piece in pieces[:-1]:
        made.writer.raw(f"{piece} \\")
    made.writer.raw(pieces[-1])


def _reassigned(made: Program, name: str, source: str, stages: list[str]) -> None:
    out, rng = made.writer, made.rng
    out.line(f"{name} = {source}")
    for stage in stages:
        template = rng.choice(("{n} = {n}.{s}",) * 4 + ("{n}.{s}", "if flag: {n} = {n}.{s}", "{n}: object = {n}.{s}"))
        out.line(template.replace("{n}", name).replace("{s}", stage))


def _spread(made: Program, name: str, source: str, stages: list[str]) -> None:
    """Line breaks and comments wherever brackets allow them."""
    rng, out = made.rng, made.writer
    chain = f"{name} = ({source}" + "".join(f".{stage}" for stage in stages) + ")"
    quoted = False
    line = ""
    for letter in chain:
        quoted ^= letter == "'"
        line += letter
        if letter in "(,." and not quoted and "(" in line and rng.random() < 0.15:
            out.line(line) if rng.random() < 0.5 else out.raw(line)
            line = rng.choice(("", "    ", "        ", "\t"))
    out.line(line)


def _guarded(made: Program, name: str, source: str, stages: list[str]) -> None:
    out, rng = made.writer, made.rng
    out.line(f"{name} = {source}")
    for stage in stages:
        head = rng.choice(("if training:", "if flag and size:", "for _ in range(2):", "with context() as c:"))
        with out.block(head):
            out.line(f"{name} = {name}.{stage}")
        if not head.startswith("with") and rng.random() < 0.4:
            with out.block("else:"):
                out.line(f"{name} = {name}.{made.pick(STAGES)}")


def _split(made: Program, name: str, source: str, stages: list[str]) -> None:
    out, rng = made.writer, made.rng
    out.line(f"raw = {source}")
    before = "raw"
    for number, stage in enumerate(stages):
        after = name if number == len(stages) - 1 else f"step_{number}"
        out.line(f"{after} = {before}.{stage}")
        before = rng.choice((after, after, "raw"))


def _chosen(made: Program, name: str, source: str, stages: list[str]) -> None:
    chain = source + "".join(f".{stage}" for stage in stages)
    templates = (
        "{n} = {c} if training else {s}",
        "{n} = [{c} for f in files][0]",
        "{n} = {'train': {c}, 'test': {s}}['train']",
        "{n}, other = {c}, {s}",
        "{n} = other = {c}",
        "{n} = (lambda files: {c})(files)",
        "print({n} := {c})" if name.isidentifier() else "{n} = {c}",
        "{n} = {s}; {n} = {c}",
    )
    made.writer.line(made.rng.choice(templates).replace("{n}", name).replace("{c}", chain).replace("{s}", source))


LAYOUTS = (
    _chained, _chained, _parenthesised, _continued, _reassigned, _reassigned, _guarded, _split, _chosen, _spread,
)  # fmt: skip
CONSUMERS = (
    "model.fit({d})",
    "model.fit({d}, epochs=3)",
    "model.fit({d}.batch(8), validation_data={d}, epochs=3)",
    "history = model.fit(\n    {d},\n    epochs=3,\n)",
    "model.evaluate({d})",
    "print(model.predict({d}), file=log)",
    "next(iter({d}))",
    "x = list({d}.as_numpy_iterator())",
    "return_value = {d}",
    "for batch in {d}.take(1): print(batch)",
    "model.compile('adam', 'mse', run_eagerly=True); model.fit({d})",
)


def _consumer(made: Program, name: str) -> None:
    rng, out = made.rng, made.writer
    if rng.random() < 0.5:
        for line in rng.choice(CONSUMERS).replace("{d}", name).split("\n"):
            out.line(line)
        return
    heads = ("for x, y in {d}:", "for step, (x, y) in enumerate({d}):", "for x in {d}:", "for x, y in tqdm({d}):")
    head = rng.choice(heads).replace("{d}", name)
    if rng.random() < 0.3:
        with out.block("for epoch in range(EPOCHS):"), out.block(head):
            loop_body(rng, made.spelling, out)
    else:
        with out.block(head):
            loop_body(rng, made.spelling, out)
