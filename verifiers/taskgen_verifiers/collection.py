"""The check `Collection`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from taskgen_verifiers.check import Check
from taskgen_verifiers.points import Points
from taskgen_verifiers.text import peeled, plain_characters, split_top, unbracketed, without_text_commands
from taskgen_verifiers.verdict import Refused

MOST_MEMBERS = 64

_MEMBERSHIP = re.compile(r"^[A-Za-z]\s*(?:\\in(?![A-Za-z])|=(?=\s*(?:\\left\s*)?\\?[{\[(]))\s*", re.ASCII)
_JOINED = re.compile(" (?:and|or) ", re.IGNORECASE)
_EMPTY = (r"\emptyset", r"\varnothing")


@dataclass(frozen=True)
class Collection(Check, kind="collection"):
    """Several answers of one kind, written with commas, semicolons or "and", bare or in one pair of brackets.

    - `ordered`: a list, compared place by place.
    - `repeated`: in any order, but each exactly as often; without it a set, in which an element counts once.

    A comma never groups digits in it: `1,234` is 1 and 234, while `1{,}234` is one number.
    """

    many: ClassVar[bool] = True
    of: Check
    ordered: bool = False
    repeated: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.of, Check):
            raise TypeError(f"the members of a collection are of a Check, not {self.of!r}")

    @property
    def wanted(self) -> str:
        order = "in order" if self.ordered else "in any order"
        often = ", each as often as it occurs" if self.repeated and not self.ordered else ""
        return f"List all answers {order}{often}, separated by commas, each as {self.of.noun}."

    @property
    def noun(self) -> str:
        return (
            f"a {'list' if self.ordered else 'set'} in brackets, separated by commas, of which each is {self.of.noun}"
        )

    def read(self, text: str) -> list[Any]:
        """The members as they are read by the check of each."""
        text = " ".join(without_text_commands(plain_characters(text)).split())
        text = _MEMBERSHIP.sub("", text, count=1)
        inside = unbracketed(text)
        if text in _EMPTY or not inside:
            return []
        parts = [part for between in split_top(inside, ",;") for part in _joined(between)]
        if len(parts) > MOST_MEMBERS:
            raise Refused("over_limit")
        return [self.of.read_member(peeled(part)) for part in parts]

    def compare(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        if self.ordered:
            if len(candidate) != len(gold):
                return "wrong"
            reasons = [self.of.compare(mine, right, points) for mine, right in zip(candidate, gold, strict=True)]
            return next((reason for reason in reasons if reason != "correct"), "correct")
        return self._compare_unordered(candidate, gold, points)

    def _compare_unordered(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        """Each member is one of the gold's; with repetition each gold is met as often as it stands there, else once."""
        missing = list(range(len(gold)))
        for mine in candidate:
            open_places = missing if self.repeated else range(len(gold))
            reasons = {place: self.of.compare(mine, gold[place], points) for place in open_places}
            met = [place for place, reason in reasons.items() if reason == "correct"]
            if not met:
                return next((reason for reason in reasons.values() if reason != "wrong"), "wrong")
            missing = [place for place in missing if place not in (met[:1] if self.repeated else met)]
        return "wrong" if missing else "correct"


def _joined(text: str) -> list[str]:
    """The parts of `1 and 2`; of `, and 2` only what follows."""
    parts = [part.strip() for part in _JOINED.split(f" {text} ")]
    return parts[1:] if len(parts) > 1 and not parts[0] else parts
