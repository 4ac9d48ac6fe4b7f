"""`taskgen families`: what can be asked."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def families(
    wanted: Annotated[list[str] | None, typer.Argument(help="names, globs or areas; all unless given")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a line")] = False,
) -> None:
    """List the families with the range of difficulty that each serves."""
    from taskgen.families import select

    chosen = select(wanted or "all")
    if as_json:
        for family in chosen:
            row = {
                "family": family.name,
                "area": family.area,
                "version": family.version,
                "floor": family.floor,
                "ceiling": family.ceiling,
                "eval_floor": family.eval_floor(),
                "guess_at_floor": family.guess(family.floor),
                "asks": family.doc.splitlines()[0],
            }
            print(json.dumps(row, sort_keys=True))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("family", "area", "difficulty", "eval from", "asks")
    for family in chosen:
        span, start = f"{family.floor} to {family.ceiling}", family.eval_floor()
        table.add_row(
            family.name, family.area, span, "never" if start is None else str(start), family.doc.splitlines()[0]
        )
    Console().print(table)
