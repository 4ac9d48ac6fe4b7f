"""What a check concludes about a text: a verdict and its reason. The reward follows from the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LONGEST_READ = 400
"""Characters of the answer that a verdict keeps for people to see."""


class Status(StrEnum):
    """The three verdicts; only CORRECT pays."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNREADABLE = "unreadable"


REASONS: dict[str, Status] = {
    "correct": Status.CORRECT,
    "wrong": Status.WRONG,
    "wrong_form": Status.WRONG,
    "echo": Status.WRONG,
    "no_answer": Status.UNREADABLE,
    "unparsable": Status.UNREADABLE,
    "over_limit": Status.UNREADABLE,
    "ambiguous": Status.UNREADABLE,
    "undecided": Status.UNREADABLE,
}
"""Every reason, and the status that it means."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Status, reason, and the answer that was read (cut to 400 characters; None where there was none)."""

    status: Status
    reason: str
    read: str | None = None

    @property
    def reward(self) -> float:
        """1.0 for a correct answer, else 0.0."""
        return 1.0 if self.status is Status.CORRECT else 0.0

    @property
    def is_correct(self) -> bool:
        """Whether it pays."""
        return self.status is Status.CORRECT

    @property
    def is_readable(self) -> bool:
        """Whether an answer was read, right or wrong."""
        return self.status is not Status.UNREADABLE


def conclude(reason: str, read: str | None = None) -> Verdict:
    """The verdict for a reason.

    >>> conclude("wrong_form", "6/4").status
    <Status.WRONG: 'wrong'>
    """
    return Verdict(REASONS[reason], reason, read if read is None else read[:LONGEST_READ])


class Refused(Exception):  # noqa: N818 - it is a verdict on its way, no error
    """Raised inside the pipe where a text is no answer; `judge` turns it into a verdict of that reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GoldError(ValueError):
    """A gold answer that cannot be read, or that fails its own check: an author's mistake, raised with the task."""
