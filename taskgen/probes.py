"""A fixed set of eval tasks at fixed difficulties, asked again and again: progress that steering cannot hide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskgen.family import Family
from taskgen.ledger import Entry
from taskgen.tally import Tally, measure
from taskgen.task import Task

_DIFFICULTIES = (2, 8, 32)
_SEEDS = 4


class ProbeSet:
    """The probes of a run, asked in turn: every family with an eval split, at the fixed difficulties that it serves."""

    def __init__(self, families: Sequence[Family], max_difficulty: float) -> None:
        self._addresses = [
            (family, difficulty, seed)
            for seed in range(_SEEDS)
            for family in families
            if (floor := family.eval_floor()) is not None
            for difficulty in sorted({max(floor, min(d, family.ceiling, max_difficulty)) for d in _DIFFICULTIES})
        ]
        self._asked = 0
        self._tally = Tally()

    def ask(self, arguments: dict[str, Any]) -> Task:
        """The next probe, in the given style and notation."""
        family, difficulty, seed = self._addresses[self._asked % len(self._addresses)]
        self._asked += 1
        return family.task(difficulty, seed, "eval", **arguments)

    def add(self, entry: Entry) -> None:
        """Counts an answered probe."""
        self._tally.add(measure(entry))

    @property
    def pass_rate(self) -> float:
        """The share of recent probe rollouts that passed; 0 before there is any."""
        return self._tally.share("passed", "scored")

    def state_dict(self) -> dict[str, Any]:
        """Position and figures as JSON data."""
        return {"asked": self._asked, "tally": self._tally.to_list()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from `state_dict`."""
        self._asked = state["asked"]
        self._tally.load(state["tally"])
