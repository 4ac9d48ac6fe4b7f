"""Tickets, and what can be reported against one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from operator import index
from typing import Any, SupportsFloat, cast

from taskgen.task import Task
from taskgen_verifiers import Verdict


class Outcome(Enum):
    """What became of one rollout."""

    PASSED = "passed"
    FAILED = "failed"
    UNREADABLE = "unreadable"
    """Failed, for want of a readable answer."""
    TRUNCATED = "truncated"
    """Cut off at the length limit: a failure for steering, since masking it would let difficulty run away."""
    UNSCORABLE = "unscorable"
    """An infrastructure error: no evidence."""


TRUNCATED = Outcome.TRUNCATED


@dataclass(frozen=True)
class Ticket:
    """A drawn task with its number in the run; outcomes are reported against it.

    A `probe` measures: its task is of the eval split, and nobody may train on it.
    """

    number: int
    run: str
    group_size: int
    task: Task
    probe: bool = False

    @property
    def id(self) -> str:
        """Run, number and task, enough to report against, also after a restart."""
        return f"{self.run}:{self.number}:{self.task.id}"

    def to_json(self) -> str:
        """The ticket as canonical JSON, its task a row."""
        data = {"number": self.number, "run": self.run, "group_size": self.group_size, "probe": self.probe}
        return json.dumps(data | {"task": self.task.to_row()}, sort_keys=True, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Ticket:
        """The ticket of `to_json`. ValueError names a key that is missing."""
        data = json.loads(text)
        if missing := sorted({"number", "run", "group_size", "probe", "task"} - data.keys()):
            raise ValueError(f"a ticket lacks {', '.join(missing)}")
        return cls(data["number"], data["run"], data["group_size"], Task.from_row(data["task"]), data["probe"])


def read_ticket(ticket: Ticket | str | int) -> tuple[int, str | None, str | None]:
    """Number, run and task id of a ticket, its id, its JSON or its bare number; None where it does not say.

    A bare number says the least: after a restart from an older state it can stand for another task.
    """
    if isinstance(ticket, str) and ticket.startswith("{"):
        ticket = Ticket.from_json(ticket)
    if isinstance(ticket, Ticket):
        return ticket.number, ticket.run, ticket.task.id
    if isinstance(ticket, str):
        run, _, rest = ticket.partition(":")
        number, colon, task_id = rest.partition(":")
        if colon and number.isascii() and number.isdigit():
            return int(number), run, task_id
    elif not isinstance(ticket, bool) and hasattr(ticket, "__index__"):
        return index(ticket), None, None
    raise ValueError(f"not a ticket, a ticket's id, its JSON or its number: {ticket!r}")


def read_outcomes(outcomes: Iterable[Any]) -> list[Outcome]:
    """Each outcome as one of the five: 1 or 0 (any number type), a Verdict, TRUNCATED, or None for no evidence.

    ValueError for anything between: a reward is binary, so a shaped one must be thresholded by whoever shaped it.
    """
    return [_read_outcome(outcome) for outcome in outcomes]


def _read_outcome(outcome: object) -> Outcome:
    if outcome is None:
        return Outcome.UNSCORABLE
    if isinstance(outcome, Outcome):
        return outcome
    if isinstance(outcome, Verdict):
        if outcome.is_correct:
            return Outcome.PASSED
        return Outcome.FAILED if outcome.is_readable else Outcome.UNREADABLE
    if isinstance(outcome, str):
        if outcome in _BY_VALUE:
            return _BY_VALUE[outcome]
    elif hasattr(outcome, "__float__"):
        value = float(cast(SupportsFloat, outcome))
        if value in (0.0, 1.0):
            return Outcome.PASSED if value else Outcome.FAILED
    raise ValueError(f"an outcome is 1, 0, a Verdict, TRUNCATED or None (no evidence), not {outcome!r}")


_BY_VALUE = {outcome.value: outcome for outcome in Outcome}
