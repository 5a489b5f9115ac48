"""`pipelint rule`: its options."""

from __future__ import annotations

import click

from pipelint.cli.options import allow_local_rules, color


@click.command(short_help="Explain a rule.")
@click.argument("rule", required=False)
@click.option("--all", "everything", is_flag=True, help="All rules.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to show them.",
)
@allow_local_rules
@color
def rule(rule: str | None, everything: bool, output_format: str, allow_local_rules: bool, color: str) -> int:
    """Explain a rule, given by its code or its name."""
    from pipelint.cli.actions.rule import run_rule

    if (rule is None) is not everything:
        raise click.UsageError("give either a rule or --all")
    return run_rule(rule, output_format, color, allow_local_rules)
