"""What a run's groups came to, over all and for each family, and the figures that are drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskgen.course import Estimate
from taskgen.ledger import Entry
from taskgen.tally import Tally, measure

_FAULTY_SHARE, _KNOWN_ROLLOUTS = 0.5, 12
"""A family whose answers are unreadable in more than this share, of at least so many, has a format fault."""


class Record:
    """Tallies of closed groups, one over all families and one for each."""

    def __init__(self, families: int) -> None:
        self._all = Tally()
        self._each = [Tally() for _ in range(families)]

    def add(self, entry: Entry, lag: int, policy_step: int | None) -> None:
        """Counts a closed group, reported `lag` draws after its own and at the given policy step."""
        amounts = measure(entry, lag, policy_step)
        self._all.add(amounts)
        self._each[entry.family].add(amounts)

    def is_faulty(self, family: int) -> bool:
        """Whether the family's answers are mostly unreadable: a fault of format, which difficulty cannot mend."""
        return self._is_known(family) and self._each[family].share("unreadable", "scored") > _FAULTY_SHARE

    def may_retire(self, family: int) -> bool:
        """Whether the family is known to have no such fault."""
        return self._is_known(family) and not self.is_faulty(family)

    def _is_known(self, family: int) -> bool:
        return self._each[family].sum("scored") >= _KNOWN_ROLLOUTS

    def figures(self) -> dict[str, float]:
        """Shares over the last few hundred closed groups of all families."""
        return _shares(self._all) | {
            "truncated": self._all.share("truncated", "rollouts"),
            "unscorable": self._all.share("unscorable", "rollouts"),
            "calibration_bias": self._all.share("missed", "judged_groups"),
            "report_lag": self._all.share("lag", "groups"),
            "staleness": self._all.share("staleness", "timed_groups"),
        }

    def family_figures(self, estimates: Sequence[Estimate]) -> dict[str, float]:
        """The same of each family, with what the controller knows of it, as `<name>/<figure>`."""
        figures: dict[str, float] = {}
        for estimate, tally in zip(estimates, self._each, strict=True):
            known = {
                "difficulty": estimate.d50,
                "difficulty_low": estimate.low,
                "difficulty_high": estimate.high,
                "retired": float(estimate.status == "retired"),
            }
            figures |= {f"{estimate.name}/{name}": value for name, value in (_shares(tally) | known).items()}
        return figures

    def state_dict(self) -> dict[str, Any]:
        """The tallies as JSON data."""
        return {"all": self._all.to_list(), "each": [tally.to_list() for tally in self._each]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from `state_dict`."""
        self._all.load(state["all"])
        for tally, data in zip(self._each, state["each"], strict=True):
            tally.load(data)


def _shares(tally: Tally) -> dict[str, float]:
    return {
        "pass_rate": tally.share("passed", "scored"),
        "frac_mixed": tally.share("mixed", "judged_groups"),
        "frac_mixed_promised": tally.share("promised", "judged_groups"),
        "frac_all_correct": tally.share("all_correct", "judged_groups"),
        "frac_all_wrong": tally.share("all_wrong", "judged_groups"),
        "unreadable": tally.share("unreadable", "rollouts"),
    }
