"""Running figures of a curriculum, decayed over some hundred closed groups, so that they show the policy of now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskgen.groups import useful_share
from taskgen.ledger import Entry
from taskgen.ticket import Outcome

MEMORY = 256
"""Closed groups after which a group's weight in the running figures has fallen to 1/e."""

_DECAY = 1 - 1 / MEMORY

_NAMES = (
    "groups",
    "rollouts",
    "truncated",
    "unreadable",
    "unscorable",
    "lag",
    "timed_groups",
    "staleness",
    "scored",
    "passed",
    "judged_groups",
    "mixed",
    "all_correct",
    "all_wrong",
    "promised",
    "missed",
)
_PLACE = {name: place for place, name in enumerate(_NAMES)}


def measure(entry: Entry, lag: int = 0, policy_step: int | None = None) -> tuple[float, ...]:
    """What a closed group adds to a tally, reported `lag` draws after its own and at the given policy step."""
    passed, failed, counts = entry.passed, entry.failed, entry.counts
    scored = passed + failed
    is_timed = policy_step is not None and entry.policy_step is not None
    return (
        1,
        entry.returned,
        counts[Outcome.TRUNCATED],
        counts[Outcome.UNREADABLE],
        counts[Outcome.UNSCORABLE],
        lag,
        is_timed,
        (policy_step or 0) - (entry.policy_step or 0) if is_timed else 0,
        scored,
        passed,
        scored > 0,
        passed > 0 and failed > 0,
        scored > 0 and not failed,
        scored > 0 and not passed,
        useful_share(entry.pass_rate, scored) if scored else 0,
        entry.pass_rate - passed / scored if scored else 0,
    )


class Tally:
    """Decayed sums over closed groups, and the shares they amount to."""

    def __init__(self) -> None:
        self._sums: NDArray[np.float64] = np.zeros(len(_NAMES))

    def add(self, amounts: tuple[float, ...]) -> None:
        """Counts one more group, as measured."""
        self._sums *= _DECAY
        self._sums += amounts

    def sum(self, name: str) -> float:
        """One decayed sum; 0 before there is any."""
        return float(self._sums[_PLACE[name]])

    def share(self, part: str, whole: str) -> float:
        """One decayed sum over another; 0 before there is any."""
        return self.sum(part) / self.sum(whole) if self.sum(whole) else 0.0

    def to_list(self) -> list[float]:
        """The sums as JSON data."""
        sums: list[float] = self._sums.tolist()
        return sums

    def load(self, sums: list[float]) -> None:
        """Replaces the sums by those of `to_list`."""
        self._sums[:] = sums
