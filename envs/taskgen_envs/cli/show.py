"""`taskgen show`: what a family's tasks look like."""

from __future__ import annotations

from typing import Annotated

import typer


def show(
    family: Annotated[str, typer.Argument(help="the family's name")],
    difficulty: Annotated[float, typer.Option("-d", "--difficulty", help="elementary steps beyond a trivial task")] = 8,
    n: Annotated[int, typer.Option("-n", min=1, help="how many")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="the first seed; the others follow it")] = 1,
    split: Annotated[str, typer.Option(help="train or eval")] = "train",
    style: Annotated[str, typer.Option(help="boxed, tag or line")] = "boxed",
    notation: Annotated[str, typer.Option(help="latex or plain")] = "latex",
    answers: Annotated[bool, typer.Option("--answers", help="with answers and worked steps")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one task row a line, answers included")] = False,
) -> None:
    """Print tasks of a family."""
    from taskgen.families import find

    chosen = find(family)
    for address in range(seed, seed + n):
        task = chosen.task(difficulty, address, split, style, notation)  # type: ignore[arg-type]
        if as_json:
            print(task.to_json())
            continue
        print(f"--- {task.family}, difficulty {task.difficulty:g}, seed {task.seed}, {task.split}")
        print(task.prompt)
        if answers:
            print(f"\nanswer: {task.answer}\nwork: {task.work} steps")
            for step in task.solution:
                print(f"  {step}")
        print()
