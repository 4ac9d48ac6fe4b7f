"""What happened in each arm, and the figures that are drawn from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

ARMS = ("adaptive", "fixed", "uniform")
MILESTONES = (4, 8, 16, 32)
LEARNT = 16
"""The d50 up to which a policy counts as learning."""


class Progress(NamedTuple):
    """One training step of an arm: shares of rollouts and groups, mean difficulty asked, d50 where it was measured."""

    arm: str
    rollouts: int
    pass_rate: float
    useful_share: float
    difficulty: float
    d50: float | None


@dataclass
class ArmRecord:
    """All steps of one arm so far.

    >>> record = ArmRecord()
    >>> record.add(Progress("fixed", 512, 0.5, 0.25, 8.0, None))
    >>> record.add(Progress("fixed", 512, 0.5, 0.75, 8.0, 17.0))
    >>> record.add(Progress("fixed", 512, 0.5, 0.0, 8.0, 12.0))
    >>> record.rollouts_to(16), record.useful_share_learning, record.d50
    (1024, 0.5, 12.0)
    """

    steps: list[Progress] = field(default_factory=list)

    def add(self, progress: Progress) -> None:
        """Takes in the next step."""
        self.steps.append(progress)

    @property
    def rollouts(self) -> int:
        """Rollouts trained on."""
        return sum(step.rollouts for step in self.steps)

    @property
    def useful_share(self) -> list[float]:
        """The share of groups whose rewards differed, step by step."""
        return [step.useful_share for step in self.steps]

    @property
    def d50(self) -> float | None:
        """The last difficulty measured at which half of the eval tasks are passed; None before the first."""
        return next((step.d50 for step in reversed(self.steps) if step.d50 is not None), None)

    @property
    def useful_share_learning(self) -> float | None:
        """The mean useful share of the steps until d50 first reached 16, or of all; None before the first."""
        return self.mean_useful_share(self.steps_to(LEARNT) or len(self.steps))

    def mean_useful_share(self, steps: int) -> float | None:
        """The mean useful share of the first `steps` steps; None where there is none."""
        shares = self.useful_share[:steps]
        return sum(shares) / len(shares) if shares else None

    def steps_to(self, difficulty: float) -> int | None:
        """How many steps it took until d50 was first measured to reach a difficulty; None where it never was."""
        reached = (n for n, step in enumerate(self.steps, 1) if step.d50 is not None and step.d50 >= difficulty)
        return next(reached, None)

    def rollouts_to(self, difficulty: float) -> int | None:
        """The rollouts trained on when d50 was first measured to reach a difficulty; None where it never was."""
        steps = self.steps_to(difficulty)
        return None if steps is None else sum(step.rollouts for step in self.steps[:steps])

    def figures(self) -> dict[str, Any]:
        """The arm as JSON data; null for what was never reached or measured."""
        return {
            "useful_share": self.useful_share,
            "useful_share_learning": self.useful_share_learning,
            "d50": self.d50,
            "rollouts": self.rollouts,
            "rollouts_to_d50": {str(milestone): self.rollouts_to(milestone) for milestone in MILESTONES},
        }
