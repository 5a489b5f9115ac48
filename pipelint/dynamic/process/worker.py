"""The child process: runs the user's program, measures where it consumes a dataset, and leaves."""

from __future__ import annotations

import importlib
import linecache
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from pipelint.dynamic.capture import error_lines
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process import channel
from pipelint.dynamic.process.channel import ChannelEnd, Job, Message, Progress, Result
from pipelint.dynamic.process.edited_files import EditedFiles
from pipelint.dynamic.process.target import datasets_in, look_up, result_of
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.knowledge.stages import FEW_ELEMENTS
from pipelint.knowledge.versions import OLDEST_MEASURED
from pipelint.knowledge.words import purpose_of_words
from pipelint.model.consumer import Consumer
from pipelint.model.locations import NOWHERE
from pipelint.source.cell_files import cells_to_run
from pipelint.source.errors import FileError, UserError
from pipelint.source.paths import NOTEBOOK, shown_path

if TYPE_CHECKING:
    from pipelint.dynamic.process.measuring_session import MeasuringSession
    from pipelint.dynamic.process.program_watch import ProgramWatch
    from pipelint.dynamic.process.write_guard import WriteGuard

_STDERR = 2
_EXAMPLE = "make_dataset"
_COUNTS = (
    "a call of fit, evaluate or predict, or a loop beyond its second batch, "
    f"one over take({FEW_ELEMENTS}) or less aside,"
)


def main(loaded: Collection[str]) -> NoReturn:
    """Do the job that comes over the channel; `loaded` names the modules that Python has loaded by itself."""
    line = channel.join()
    job = line.take()
    lock = threading.Lock()

    def tell(message: Message) -> None:
        with lock:
            line.tell(message)

    threading.Thread(target=_leave_with_parent, args=(line, job.scratch), daemon=True).start()
    # What Python writes beside the user's modules would be files of theirs.
    sys.dont_write_bytecode = True
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        problem = unsupported(_import_tensorflow().__version__)
    except ImportError as error:
        problem = f"TensorFlow cannot be imported: {error}; install it with `pip install 'pipelint[dynamic]'`"
    if problem:
        tell(Result(MeasuredRun(job.target.text, error=problem), complete=True))
        _leave()
    work(job, tell, loaded)


def work(job: Job, tell: Callable[[Message], None], loaded: Collection[str]) -> NoReturn:
    """Run the target, tell what was measured, and leave the process."""
    _Run(job, tell, loaded).run()
    _leave()


def _import_tensorflow() -> Any:
    """TensorFlow, without what its libraries say of themselves while they are loaded."""
    terminal = os.dup(_STDERR)
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), _STDERR)
        try:
            import tensorflow as tf
        except BaseException:
            said.seek(0)
            os.write(terminal, said.read())
            raise
        finally:
            os.dup2(terminal, _STDERR)
            os.close(terminal)
    return tf


def unsupported(version: str) -> str | None:
    """Why a version of TensorFlow will not do, None where it does."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    oldest = ".".join(map(str, OLDEST_MEASURED))
    if numbers >= OLDEST_MEASURED:
        return None
    return f"TensorFlow {oldest} or newer is needed, and this is {version}; run `pip install -U tensorflow`"


class _Run:
    """The user's program under watch."""

    def __init__(self, job: Job, tell: Callable[[Message], None], loaded: Collection[str]) -> None:
        from pipelint.dynamic.capture import lineage
        from pipelint.dynamic.process.hooks import Hooks
        from pipelint.dynamic.process.measuring_session import MeasuringSession
        from pipelint.dynamic.process.program_watch import ProgramWatch
        from pipelint.dynamic.process.write_guard import WriteGuard

        error_lines.print_tracebacks = job.traceback
        if job.traceback:
            _let_all_frames_through()
        self._target = job.target
        self._tell = tell
        self._loaded = loaded
        self._files = EditedFiles(job.edited)
        self._session: MeasuringSession
        if job.trial is None:
            self._session = MeasuringSession(job.target.text, job.seconds, tell)
        else:
            from pipelint.dynamic.process.trial_session import TrialSession

            self._session = TrialSession(job.target.text, job.seconds, tell, job.trial)
        self._guard: WriteGuard = WriteGuard(job.scratch)
        reached = partial(self._told, self._measure_named) if job.target.asks_for_dataset else None
        self._watch: ProgramWatch = ProgramWatch(
            self._session, self._guard, self._finish, script=job.target.script, reached=reached
        )
        self._module = ModuleType("__main__")
        self._files.install()
        lineage.install()
        self._guard.install()
        Hooks(self._watch, self._guard).install()

    def run(self) -> None:
        """Run the program to the point where it consumes a dataset, or to its end."""
        goal = "it is defined" if self._target.asks_for_dataset else "it consumes a dataset"
        self._tell(Progress(f"running {self._target.home} until {goal}", 0.0, measuring=False))
        self._told(self._run_whole)

    def _run_whole(self) -> None:
        try:
            self._run_program()
        except BaseException as error:
            if not self._is_made:
                raise
            self._session.aside(f"{self._failure_line(error)}; {self._target.text} is there by then, and is measured")
        if self._target.asks_for_dataset:
            self._measure_named()
        if not self._watch.end_of_program():
            self._fail(f"{self._target.home} never consumed a tf.data dataset: {_COUNTS} counts; {self._advice}")

    def _told(self, action: Callable[[], None]) -> None:
        """Do something that may fail in the user's code, which then ends the run in one line."""
        try:
            action()
        except UserError as error:
            self._fail(str(error))
        except SystemExit as leaving:
            if leaving.code in (None, 0):
                self._watch.end_of_program()
            self._fail(self._exit_line(leaving))
        except BaseException as error:  # noqa: BLE001 - whatever the program raises is told in one line
            self._fail(self._failure_line(error))

    @property
    def _is_made(self) -> bool:
        """Whether the program has come so far that what the target names is there."""
        attribute = self._target.attribute
        return attribute is not None and attribute.partition(".")[0] in vars(self._module)

    @property
    def _advice(self) -> str:
        return f"name the dataset or the function that makes it: {self._target.home}:{_EXAMPLE}"

    def _run_program(self) -> None:
        target = self._target
        sys.argv = [target.home, *target.arguments]
        if target.module is not None:
            self._put_first(os.getcwd())
            self._module = _imported(target.module)
            return
        assert target.script is not None
        path = target.script.absolute()
        self._put_first(str(path.resolve().parent))
        name = path.stem if target.asks_for_dataset else "__main__"
        module = self._module = ModuleType(name)
        vars(module).update(__file__=str(path), __builtins__=__builtins__)
        sys.modules[name] = module
        try:
            content = self._files.read(path)
            texts = _cells(path, content, module) if path.suffix == NOTEBOOK else {str(path): content}
        except OSError as error:
            raise UserError(f"{target.home}: {error.strerror or error}") from error
        except FileError as error:
            raise UserError(f"{target.home} {error.message}") from error
        for name, text in texts.items():
            exec(compile(text, name, "exec"), vars(module))  # noqa: S102 - what the user asked to run

    def _put_first(self, directory: str) -> None:
        """Let the program import from a directory first, also where pipelint has loaded a namesake from elsewhere."""
        sys.path.insert(0, directory)
        namesakes = {
            name
            for name in sys.stdlib_module_names.intersection(sys.modules).difference(self._loaded)
            if _is_module(os.path.join(directory, name))
        }
        for name in [name for name in sys.modules if name.partition(".")[0] in namesakes]:
            del sys.modules[name]

    def _measure_named(self) -> None:
        """Measure the datasets that the target names, or what the function that it names trains on."""
        import tensorflow as tf

        from pipelint.dynamic.process.consumed_dataset import ConsumedDataset

        def is_dataset(value: object) -> bool:
            return isinstance(value, tf.data.Dataset)

        self._watch.await_training()
        target = self._target
        value: Any = look_up(target, vars(self._module))
        what = target.text if target.call is None else f"--call {target.call!r}"
        found = list(datasets_in(value, is_dataset))
        if not found and target.call is None and callable(value):
            value = result_of(target, value)
            found = list(datasets_in(value, is_dataset))
            if not found and not self._watch.end_of_program():
                raise UserError(f"{what} returns {_described(value)}, not a tf.data dataset")
        if not found and not self._watch.end_of_program():
            raise UserError(f"{what} is {_described(value)}, neither a tf.data dataset nor a function that returns one")
        self._watch.paused = True
        alone = len(found) == 1
        for name, dataset in found:
            purpose = purpose_of_words([name or (target.attribute or target.call or "") if alone else name])
            self._session.measure([ConsumedDataset(dataset, Consumer(ConsumerKind.ASKED_FOR, NOWHERE, purpose))])
        self._finish()

    def _failure_line(self, error: BaseException) -> str:
        if isinstance(error, EOFError) and str(error) == "EOF when reading a line":
            place = error_lines.place_of(error) or self._target.home
            # The question stands there, without an end of its line.
            sys.stdout.write("\n")
            return f"{place} asks for input, and there is none; give it as arguments of the script, after `--`"
        return error_lines.line_of(error, self._target.home) + self._hint(error)

    def _hint(self, error: BaseException) -> str:
        script = self._target.script
        if script is None or not isinstance(error, ImportError) or "relative import" not in str(error):
            return ""
        module = ".".join(part for part in script.with_suffix("").parts if part.isidentifier())
        return f"; it is part of a package: name a function of its module, as in {module}:{_EXAMPLE}"

    def _exit_line(self, leaving: SystemExit) -> str:
        place = error_lines.place_of(leaving) or self._target.home
        how = "ends" if leaving.code in (None, 0) else f"exits with {leaving.code!r}"
        hint = "; arguments of the script go after `--`" if leaving.code == 2 else ""
        return f"{place}: the script {how} before it consumes a dataset{hint}"

    def _fail(self, line: str) -> NoReturn:
        """End with the line, and with what the program consumed on its way."""
        self._watch.conclude()
        self._session.error = line
        self._finish()

    def _finish(self) -> NoReturn:
        with self._watch.pause():
            self._session.try_changes()
        self._tell(Result(self._session.run, complete=True))
        _leave()


def _let_all_frames_through() -> None:
    """Keep TensorFlow and Keras from leaving frames of theirs out of tracebacks."""
    import tensorflow as tf

    from pipelint.dynamic.process.import_hook import after_import

    tf.debugging.disable_traceback_filtering()
    after_import("keras", lambda keras: keras.config.disable_traceback_filtering())


def _cells(path: Path, content: bytes, module: ModuleType) -> Mapping[str, str | bytes]:
    """The cells of a notebook, their source where Python looks for it, with what IPython gives them."""
    cells = cells_to_run(path, content)
    for name, text in cells.items():
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    vars(module).update(get_ipython=NoShell, display=print)
    # Nobody looks at a window; IPython has pictures stand in the notebook.
    os.environ.setdefault("MPLBACKEND", "agg")
    return cells


class NoShell:
    """Stands in for IPython's shell and for what its commands give: nothing."""

    def __getattr__(self, name: str) -> Callable[..., list[Any]]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: []

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            where = shown_path(Path())
            raise UserError(
                f"no module named {error.name!r} from {where}; run pipelint where it is, or give the path of its file"
            ) from error
        raise


def _is_module(path: str) -> bool:
    return os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py"))


def _described(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__qualname__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _leave_with_parent(line: ChannelEnd, scratch: str) -> None:
    """Nobody is left to measure for, nor to clean up, once the parent has gone."""
    line.wait_for_end()
    shutil.rmtree(scratch, ignore_errors=True)
    # With all that the program started; the group is its own unless somebody runs it by hand.
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _leave() -> NoReturn:
    """Leave without the interpreter's own end, which can hang while a pipeline is in flight."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)
