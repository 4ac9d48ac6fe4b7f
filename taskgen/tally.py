"""Running figures of a curriculum, decayed over some hundred closed groups, so that they show the policy of now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskgen.groups import useful_share
from taskgen.ledger import Entry
from taskgen.ticket import Outcome

MEMORY = 256
"""Closed groups after which a group's weight in the running figures has fallen to 1/e."""

_DECAY = 1 - 1 / MEMORY


class Amounts(NamedTuple):
    """What one closed group adds to a tally."""

    groups: float
    rollouts: float
    truncated: float
    unreadable: float
    unscorable: float
    lag: float
    timed_groups: float
    staleness: float
    scored: float
    passed: float
    judged_groups: float
    mixed: float
    all_correct: float
    all_wrong: float
    promised: float
    missed: float


_PLACE = {name: place for place, name in enumerate(Amounts._fields)}


def measure(entry: Entry, lag: int = 0, policy_step: int | None = None) -> Amounts:
    """The amounts of a closed group, reported `lag` draws after its own and at the given policy step."""
    passed, failed, counts = entry.passed, entry.failed, entry.counts
    scored = passed + failed
    is_timed = policy_step is not None and entry.policy_step is not None
    return Amounts(
        groups=1,
        rollouts=entry.returned,
        truncated=counts[Outcome.TRUNCATED],
        unreadable=counts[Outcome.UNREADABLE],
        unscorable=counts[Outcome.UNSCORABLE],
        lag=lag,
        timed_groups=is_timed,
        staleness=(policy_step or 0) - (entry.policy_step or 0) if is_timed else 0,
        scored=scored,
        passed=passed,
        judged_groups=scored > 0,
        mixed=passed > 0 and failed > 0,
        all_correct=scored > 0 and not failed,
        all_wrong=scored > 0 and not passed,
        promised=useful_share(entry.pass_rate, scored) if scored else 0,
        missed=entry.pass_rate - passed / scored if scored else 0,
    )


class Tally:
    """Decayed sums over closed groups, and the shares they amount to."""

    def __init__(self) -> None:
        self._sums: NDArray[np.float64] = np.zeros(len(Amounts._fields))

    def add(self, amounts: Amounts) -> None:
        """Counts one more group."""
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
