"""The command line: one file a command."""

from __future__ import annotations

import sys

import typer

from taskgen_envs.cli.demo import demo
from taskgen_envs.cli.families import families
from taskgen_envs.cli.show import show

app = typer.Typer(
    help="Math and logic tasks for reinforcement learning, at the difficulty where the policy passes half of the time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (demo, families, show):
    app.command()(command)


def main() -> None:
    """Runs `taskgen`; a bad value ends it with one sentence on standard error and exit status 2."""
    try:
        app()
    except ValueError as error:
        print(f"taskgen: {error}", file=sys.stderr)
        sys.exit(2)
