"""The live display: one line an arm, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from statistics import fmean

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from taskgen_envs.demo.record import ArmRecord

_RECENT = 20
"""Steps over which the shown shares are averaged."""


@contextmanager
def watching(records: Mapping[str, ArmRecord], steps: int) -> Iterator[Callable[[], None]]:
    """Shows the records while the block runs; call what it yields after each step.

    Where standard error is no terminal, one line tells of the first step, and nothing follows.
    """
    console, start = Console(stderr=True), time.monotonic()

    def announce() -> None:
        if sum(len(record.steps) for record in records.values()) == 1:
            console.print(f"{len(records)} arms of {steps} steps have begun", highlight=False)

    def table() -> Table:
        return _table(records, steps, time.monotonic() - start)

    if not console.is_terminal:
        yield announce
        return
    with Live(console=console, get_renderable=table, auto_refresh=False) as live:
        yield _throttled(live.refresh)


def _throttled(act: Callable[[], None]) -> Callable[[], None]:
    """`act`, but at most five times a second: an arm takes more steps than anybody can read."""
    last = -inf

    def act_sometimes() -> None:
        nonlocal last
        if time.monotonic() - last > 0.2:
            last = time.monotonic()
            act()

    return act_sometimes


def _table(records: Mapping[str, ArmRecord], steps: int, elapsed: float) -> Table:
    done = min(len(record.steps) for record in records.values())
    caption = f"about {elapsed * (steps - done) / done:.0f} s left" if done else "starting"
    table = Table("tasks", "", "steps", "pass rate", "useful", "difficulty", "d50", caption=caption)
    for arm, record in records.items():
        recent = record.steps[-_RECENT:]
        table.add_row(
            arm,
            ProgressBar(total=steps, completed=len(record.steps), width=12),
            str(len(record.steps)),
            *(
                (
                    f"{fmean(step.pass_rate for step in recent):.0%}",
                    f"{fmean(step.useful_share for step in recent):.0%}",
                    f"{fmean(step.difficulty for step in recent):.1f}",
                    "" if record.d50 is None else f"{record.d50:.1f}",
                )
                if recent
                else ()
            ),
        )
    return table
