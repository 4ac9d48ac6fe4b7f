"""Running figures of a curriculum, decayed over some hundred closed groups, so that they show the policy of now."""

from __future__ import annotations

from typing import Any

from taskgen.ledger import Entry
from taskgen.ticket import Outcome

MEMORY = 256
"""Closed groups after which a group's weight in the running figures has fallen to 1/e."""

_DECAY = 1 - 1 / MEMORY


class Tally:
    """Decayed sums over closed groups, and the shares they amount to."""

    def __init__(self) -> None:
        self._sums: dict[str, float] = {}

    def add(self, entry: Entry, lag: int = 0, policy_step: int | None = None) -> None:
        """Counts a closed group, reported `lag` draws after its own and at the given policy step."""
        passed, failed = entry.passed, entry.failed
        self._fold(
            groups=1,
            rollouts=entry.returned,
            truncated=entry.counts[Outcome.TRUNCATED],
            unreadable=entry.counts[Outcome.UNREADABLE],
            unscorable=entry.counts[Outcome.UNSCORABLE],
            lag=lag,
        )
        if policy_step is not None and entry.policy_step is not None:
            self._fold(timed_groups=1, staleness=policy_step - entry.policy_step)
        if passed + failed:
            self._fold(
                scored=passed + failed,
                passed=passed,
                judged_groups=1,
                mixed=bool(passed and failed),
                all_correct=not failed,
                all_wrong=not passed,
                promised=entry.useful_share,
                predicted=entry.pass_rate,
                missed=entry.pass_rate - passed / (passed + failed),
            )

    def sum(self, name: str) -> float:
        """One decayed sum; 0 before there is any."""
        return self._sums.get(name, 0.0)

    def share(self, part: str, whole: str) -> float:
        """One decayed sum over another; 0 before there is any."""
        return self._sums.get(part, 0.0) / self._sums[whole] if self._sums.get(whole) else 0.0

    def _fold(self, **amounts: float) -> None:
        for name, amount in amounts.items():
            self._sums[name] = self._sums.get(name, 0.0) * _DECAY + amount

    def state_dict(self) -> dict[str, Any]:
        """The sums as JSON data."""
        return dict(self._sums)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Replaces the sums."""
        self._sums = dict(state)
