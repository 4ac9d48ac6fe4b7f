"""What is said at the end: as JSON, and in words that claim no more than was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskgen_envs.demo.arms import FIXED_TASKS, UNIFORM_RANGE
from taskgen_envs.demo.ladder import RUNGS
from taskgen_envs.demo.record import LEARNT, ArmRecord

_TASKS = {
    "adaptive": "fresh tasks where the policy passes about half of the time",
    "fixed": f"{FIXED_TASKS} tasks drawn once over the difficulties where the fresh policy passes at all",
    "uniform": f"fresh tasks, uniform over the difficulties from {UNIFORM_RANGE[0]} to {UNIFORM_RANGE[1]}",
}


def figures(records: Mapping[str, ArmRecord], seconds: float) -> dict[str, Any]:
    """The whole run as one JSON object."""
    return {**{arm: record.figures() for arm, record in records.items()}, "seconds": round(seconds, 2)}


def in_words(records: Mapping[str, ArmRecord], seed: int, seconds: float, finished: bool) -> str:
    """The whole run in a few lines: useful groups and d50 of each arm, what the arms were, and one sentence."""
    end = "finished" if finished else "interrupted"
    learning = records["adaptive"].steps_to(LEARNT) or max(len(record.steps) for record in records.values())
    rows = [
        ("tasks", f"useful groups, first {learning} steps", "all steps", "half of the eval tasks passed at difficulty"),
        *(
            (
                arm,
                _percent(record.mean_useful_share(learning)),
                _percent(record.mean_useful_share(len(record.steps))),
                _difficulty(record.d50),
            )
            for arm, record in records.items()
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    legend = [f"{arm}: {_TASKS[arm]}" for arm in records]
    return "\n".join([f"{end} after {seconds:.0f} s, seed {seed}", "", *table, "", *legend, "", _sentence(records)])


def _sentence(records: Mapping[str, ArmRecord]) -> str:
    """What the figures show of this run, and no more."""
    reached = [record.d50 for record in records.values() if record.d50 is not None]
    if len(reached) < len(records):
        return "It ended before every arm was measured, so nothing was shown."
    further = records["adaptive"].d50 == max(reached) and reached.count(max(reached)) == 1
    rollouts = max(record.rollouts for record in records.values())
    return (
        f"In this one run, from the same start and with up to {rollouts:,} rollouts an arm, a small policy whose "
        "features are aligned columns (it is told which digits stand under each other, and learns what to write and "
        f"to carry) {'went' if further else 'did not go'} further on adaptive tasks than on the others."
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _difficulty(d50: float | None) -> str:
    if d50 is None:
        return "not measured"
    if d50 < RUNGS[0]:
        return f"less than {RUNGS[0]}"
    return f"{d50:.1f}" if d50 < RUNGS[-1] else f"{RUNGS[-1]} or more"
