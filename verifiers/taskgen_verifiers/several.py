"""Checks of several answers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from taskgen_verifiers.check import Check, kind
from taskgen_verifiers.equal import Points
from taskgen_verifiers.text import TEXT_COMMAND, peeled, split_top
from taskgen_verifiers.verdict import Refused

MOST_MEMBERS = 64
_BRACKETS = {
    "(": ")",
    "[": "]",
    "{": "}",
    r"\{": r"\}",
    r"\left\{": r"\right\}",
    r"\left(": r"\right)",
    r"\left[": r"\right]",
}
_EMPTY = {"", r"\emptyset", r"\varnothing", "∅", r"\left\{\right\}"}


@kind("collection")
@dataclass(frozen=True)
class Collection(Check):
    """Several answers of one kind: a set, or a list where `ordered`, with repetitions where `repeated`.

    Written with commas or semicolons, bare or in one pair of brackets; a comma never groups digits in it.
    """

    many: ClassVar[bool] = True
    of: Check
    ordered: bool = False
    repeated: bool = False

    @property
    def wanted(self) -> str:
        order = "in order" if self.ordered else "in any order"
        return f"Give all answers {order}, separated by commas. {self.of.wanted.replace('the answer', 'each')}"

    def read(self, text: str) -> list[Any]:
        text = self._unbracketed(text.strip())
        if text in _EMPTY:
            return []
        parts = split_top(TEXT_COMMAND.sub(r"\1", text).replace(" and ", ","), ",;")
        if len(parts) > MOST_MEMBERS:
            raise Refused("over_limit")
        parts = [peeled(part) for part in parts]
        if "" in parts:
            raise Refused("unparsable")
        return [self.of.read_member(part) for part in parts]

    def _unbracketed(self, text: str) -> str:
        for opening, closing in _BRACKETS.items():
            inner = text[len(opening) : -len(closing)]
            if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
                # (1), (2) starts and ends with brackets that do not belong together.
                depth = 0
                for character in inner:
                    depth += (character in "([{") - (character in ")]}")
                    if depth < 0:
                        return text
                return inner
        return text

    def compare(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        if not self.ordered:
            return self._compare_unordered(candidate, gold, points)
        if len(candidate) != len(gold):
            return "wrong"
        reasons = [self.of.compare(mine, right, points) for mine, right in zip(candidate, gold, strict=True)]
        return next((reason for reason in reasons if reason != "correct"), "correct")

    def _compare_unordered(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        """Each candidate must be a gold; without repetition each gold must be met, with it exactly as often."""
        left = list(gold)
        met: list[Any] = []
        for mine in candidate:
            reasons = [self.of.compare(mine, right, points) for right in left]
            if "correct" not in reasons:
                seen = not self.repeated and any(self.of.compare(mine, right, points) == "correct" for right in met)
                if not seen:
                    return next((reason for reason in reasons if reason != "wrong"), "wrong")
                continue
            met.append(left.pop(reasons.index("correct")))
        return "wrong" if left else "correct"
