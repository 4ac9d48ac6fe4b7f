"""The open tickets of a run: which outcomes came, under which keys, and which tickets are lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from operator import index
from typing import Any

from taskgen.stored import pack, unpack
from taskgen.ticket import Outcome

HORIZON = 65_536
"""Draws that are remembered; older open tickets count as lost."""


@dataclass(slots=True)
class Entry:
    """One open ticket: what was drawn and when, what was predicted, and what came back. A probe is of no family."""

    task_id: str
    difficulty: float
    guess: float
    policy_step: int | None
    family: int = -1
    pass_rate: float = 0.0
    probe: bool = False
    counts: Counter[Outcome] = field(default_factory=Counter)
    keys: set[str | int] = field(default_factory=set)

    @property
    def passed(self) -> int:
        """Rollouts that passed."""
        return self.counts[Outcome.PASSED]

    @property
    def failed(self) -> int:
        """Rollouts that did not, for whatever reason of their own."""
        return self.returned - self.passed - self.counts[Outcome.UNSCORABLE]

    @property
    def returned(self) -> int:
        """Rollouts that came back."""
        return self.counts.total()

    def accept(self, outcomes: Sequence[Outcome], keys: Sequence[str | int] | None, group_size: int) -> list[Outcome]:
        """The outcomes that are news, now counted: repeated keys and what exceeds the group are left out.

        ValueError where fewer outcomes than a group come without keys, or keys and outcomes do not pair.
        """
        if keys is None:
            if len(outcomes) != group_size or self.keys:
                earlier = " after keyed ones" if self.keys else ""
                raise ValueError(
                    f"{len(outcomes)} outcomes{earlier} for a group of {group_size} need keys, one trajectory id each"
                )
            keys = range(group_size)
        elif len(keys) != len(outcomes):
            raise ValueError(f"{len(outcomes)} outcomes came with {len(keys)} keys")
        news = []
        for key, outcome in zip(list(map(_read_key, keys)), outcomes, strict=True):
            if key not in self.keys and len(self.keys) < group_size:
                self.keys.add(key)
                news.append(outcome)
        self.counts.update(news)
        return news

    def to_list(self) -> list[Any]:
        """The entry as JSON data."""
        *plain, counts, keys = (getattr(self, field.name) for field in fields(self))
        return [*plain, {outcome.value: count for outcome, count in counts.items()}, sorted(keys, key=repr)]

    @classmethod
    def from_list(cls, data: Sequence[Any]) -> Entry:
        """The entry of `to_list`."""
        entry = cls(*data)
        entry.counts = Counter({Outcome(name): count for name, count in entry.counts.items()})
        entry.keys = set(entry.keys)
        return entry


def _read_key(key: object) -> str | int:
    """A key that JSON can hold; integers of any type are alike. ValueError for what is neither text nor integer."""
    if isinstance(key, str):
        return key
    if hasattr(key, "__index__"):
        return index(key)
    raise ValueError(f"a key is a trajectory's id, text or a whole number, not {key!r}")


class Ledger:
    """Open tickets by number, in the order of their draws, none older than the horizon."""

    def __init__(self) -> None:
        self._open: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, number: int, entry: Entry) -> list[Entry]:
        """Opens a ticket; returns those that are lost by it, because they fell behind the horizon."""
        self._open[number] = entry
        lost = []
        for oldest in self._open:
            if oldest > number - HORIZON:
                break
            lost.append(oldest)
        return [self._open.pop(oldest) for oldest in lost]

    def find(self, number: int, task_id: str | None) -> Entry | None:
        """The open ticket of that number and task; None for a closed, cancelled, lost or unknown one."""
        entry = self._open.get(number)
        return None if entry is None or task_id not in (None, entry.task_id) else entry

    def remove(self, number: int) -> Entry:
        """Closes a ticket."""
        return self._open.pop(number)

    def state_dict(self) -> str:
        """The open tickets as text, packed, since there can be 65,536 of them."""
        rows = [[number, *entry.to_list()] for number, entry in self._open.items()]
        return pack(json.dumps(rows).encode())

    def load_state_dict(self, state: str) -> None:
        """Replaces the open tickets by those of `state_dict`."""
        rows = json.loads(unpack(state))
        self._open = {number: Entry.from_list(row) for number, *row in rows}
