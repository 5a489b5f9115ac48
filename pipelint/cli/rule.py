"""`pipelint rule`: its options."""

from __future__ import annotations

from pathlib import Path

import click

from pipelint.cli.options import allow_local_rules, color, known_rules


@click.command(short_help="Explain a rule.")
@click.argument("rule", required=False, shell_complete=known_rules)
@click.option("--all", "everything", is_flag=True, help="All rules.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to show them.",
)
@click.option(
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --all: write a Markdown page for each rule, and a table of them, to this directory.",
)
@allow_local_rules
@color
def rule(
    rule: str | None,
    everything: bool,
    output_format: str,
    output_dir: Path | None,
    allow_local_rules: bool,
    color: str,
) -> int:
    """Explain a rule, given by its code or its name."""
    from pipelint.cli.actions.rule import run_rule, write_pages

    if (rule is None) is not everything:
        raise click.UsageError("give either a rule or --all")
    if output_dir is None:
        return run_rule(rule, output_format, color, allow_local_rules)
    if not everything or output_format != "markdown":
        raise click.UsageError("--output-dir goes with --all and --output-format markdown")
    return write_pages(output_dir, allow_local_rules)
