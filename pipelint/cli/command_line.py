"""The program `pipelint`: its commands, each loaded when it is asked for, and one line for every failure."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from pipelint.cli.actions.status import FAILED, INTERRUPTED, OK
from pipelint.display.terminal import one_line
from pipelint.source.errors import UserError
from pipelint.version import __version__

ISSUES = "https://github.com/pipelint/pipelint/issues"
COMMANDS = ("check", "profile", "tune", "server", "rule", "config", "baseline", "trust", "clean")
"""Each is the function of that name in the module of that name beside this one."""


class _CommandLine(click.Group):
    """A group whose every failure is one line on stderr and exit status 2."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        for stream in (sys.stdout, sys.stderr):
            # Names of files and source may hold what the terminal's encoding cannot say.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        try:
            return int(super().main(*args, **{**kwargs, "standalone_mode": False}) or 0)
        except UserError as error:
            message = str(error)
        except click.UsageError as error:
            message = _misused(error)
        except click.ClickException as error:
            message = error.format_message()
        except PermissionError as error:
            message = f"{error.filename}: {error.strerror}; it must be readable, and so must its directory"
        except click.Abort:
            return INTERRUPTED
        except Exception:  # noqa: BLE001 - Python would exit with 1, which means findings
            import traceback  # slow to load

            traceback.print_exc()
            message = f"internal error; please report it with the lines above at {ISSUES}"
        click.echo(f"pipelint: {one_line(message)}", err=True)
        return FAILED

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which help shows them."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first, and what else is given; a misspelled one is told with what it may mean."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UserError(f"No such command {args[0]!r}; {_meant(args[0])}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"pipelint.cli.{cmd_name}"), cmd_name)
        return command


def _meant(word: str) -> str:
    from difflib import get_close_matches  # few misspell

    near = [f"check {word}"] if Path(word).exists() else get_close_matches(word, COMMANDS)
    return f"did you mean `pipelint {near[0]}`?" if near else "see `pipelint --help`"


def _misused(error: click.UsageError) -> str:
    """What is wrong with what was typed, and where to look or what may have been meant."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        return f"No such option {error.option_name}; did you mean {error.possibilities[0]}?"
    usage = f"{error.ctx.command_path} --help" if error.ctx else "pipelint --help"
    return f"{error.format_message().rstrip('.')}; see `{usage}`"


@click.group(cls=_CommandLine, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", prog_name="pipelint", message="%(prog)s %(version)s")
@click.pass_context
def command_line(context: click.Context) -> int:
    """Find what makes TensorFlow and Keras input pipelines slow or wrong, and repair the source."""
    if context.invoked_subcommand is None:
        # Who forgets the command in a script must not take that for a run without findings.
        click.echo(context.get_help(), err=True)
        return FAILED
    return OK
