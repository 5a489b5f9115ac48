"""`pipelint config`: its options."""

from __future__ import annotations

import click

from pipelint.cli.options import allow_local_rules, color


@click.command(short_help="Explain the settings.")
@click.argument("key", required=False)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to show them."
)
@allow_local_rules
@color
def config(key: str | None, output_format: str, allow_local_rules: bool, color: str) -> int:
    """Explain a KEY of [tool.pipelint], such as fail-on or tiny-batch; without one, list them all."""
    from pipelint.cli.actions.config import run_config

    return run_config(key, output_format, color, allow_local_rules)
