"""The check `Assignment`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from taskgen_verifiers.check import Check, different_words, listed
from taskgen_verifiers.points import Points
from taskgen_verifiers.text import peeled, plain_characters, split_top, unbracketed, without_text_commands
from taskgen_verifiers.tokens import canonical
from taskgen_verifiers.verdict import Refused

_SEPARATOR = re.compile(r":|=|->|\\(?:to|rightarrow)(?![A-Za-z])|(?<![A-Za-z])(is|are)(?![A-Za-z])", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\\\\|\n|\s(?:and|while|but)\s|\\(?:begin|end)\s?\{[a-z]*\*?\}(?:\{[lcr]*\})?|\\q?quad|\\land|\\wedge",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}[.)])\s+")
_ARTICLE = re.compile(r"^(?:both|all|an?|the)\s+", re.IGNORECASE)
_MARKS = " \t*_'\"`$"


@dataclass(frozen=True)
class Assignment(Check, kind="assignment"):
    """A value for every name: `Ann: knight, Ben: knave`, `Ann = knight; ...`, `Ann is a knight and ...`, or JSON.

    `values` are the allowed words, or the check of each value; numbers may also be given as `15 hens and 9 rabbits`, or
    in brackets in the order of the names, `(x, y) = (3, -2)`. Names and words in either case; `Ann and Ben are
    knights` gives both. Every name is needed. One that is given two values makes the answer ambiguous; the same value
    twice is one. Where one name is asked, the value alone will do.
    """

    many: ClassVar[bool] = True
    names: tuple[str, ...]
    values: tuple[str, ...] | Check

    def __post_init__(self) -> None:
        different_words("names", self.names)
        if not isinstance(self.values, Check):
            different_words("values", self.values, least=2)

    @property
    def wanted(self) -> str:
        if isinstance(self.values, Check):
            pairs = ", ".join(f"{name} = ..." for name in self.names)
            return f"Give the answer in the form {pairs}; each value is {self.values.noun}."
        return (
            f'Give a pair "name: value" for each of {listed(self.names)}, separated by commas; '
            f"each value is {listed(self.values, 'or')}."
        )

    @property
    def noun(self) -> str:
        return f"a value for each of {listed(self.names)}"

    def read(self, text: str) -> dict[str, Any]:
        """The value of each name that is given one; Refused where a name or a value is not among the asked."""
        text = without_text_commands(plain_characters(text)).replace('"', "").replace("&", "")
        found: dict[str, Any] = {}
        for name, stated in self._in_order(text) or self._alone(text) or self._pairs(unbracketed(text)):
            value = self._value(stated)
            if found.setdefault(name, value) != value:
                raise Refused("ambiguous")
        if not found:
            raise Refused("unparsable")
        return found

    def _in_order(self, text: str) -> list[tuple[str, str]]:
        """The pairs of `(x, y) = (3, -2)`, or of `(3, -2)` in the order of the names; none in any other shape."""
        head, sign, tail = text.rpartition("=")
        inside = unbracketed(tail)
        if not isinstance(self.values, Check) or inside == tail.strip() or _SEPARATOR.search(inside):
            return []
        names = [self._name(part) for part in unbracketed(head).split(",")] if sign else list(self.names)
        stated = split_top(inside, ",;")
        if None in names or len(stated) != len(names) or (sign and unbracketed(head) == head.strip()):
            return []
        return [(name, peeled(part)) for name, part in zip(names, stated, strict=True) if name is not None]

    def _alone(self, text: str) -> list[tuple[str, str]]:
        """The pair of a value alone, where one name is asked; none where it is not of that shape."""
        return [(self.names[0], text)] if len(self.names) == 1 and not _SEPARATOR.search(text) else []

    def _pairs(self, text: str) -> list[tuple[str, str]]:
        """The pairs of name and value that are stated one by one."""
        found: list[tuple[str, str]] = []
        waiting: list[str] = []
        for piece in (part for line in _BETWEEN.split(text) for part in split_top(line, ",;")):
            piece = peeled(_BULLET.sub("", piece)).strip(_MARKS)
            sign = _SEPARATOR.search(piece)
            name = self._name(piece[: sign.start()] if sign else piece)
            if sign and name is not None:
                plural = (sign.group(1) or "").lower() == "are"
                if waiting and not plural:
                    raise Refused("unparsable")
                stated = piece[sign.end() :].strip(_MARKS)
                found += [(each, stated) for each in (*waiting, name)]
                waiting = []
            elif name is not None:
                waiting.append(name)
            elif piece:
                found.append(self._counted(piece))
        if waiting:
            raise Refused("unparsable")
        return found

    def _name(self, text: str) -> str | None:
        """The name as the check spells it."""
        return self._by_name.get(canonical(peeled(text).strip(_MARKS).casefold()))

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {canonical(plain_characters(name).strip().casefold()): name for name in self.names}

    def _counted(self, piece: str) -> tuple[str, str]:
        """The pair of `15 chickens`."""
        stated, _, noun = piece.rpartition(" ")
        name = self._name(noun)
        if name is None or not isinstance(self.values, Check):
            raise Refused("unparsable")
        return name, stated.strip()

    def _value(self, stated: str) -> Any:
        stated = peeled(stated)
        if isinstance(self.values, Check):
            return self.values.read(stated)
        word = _ARTICLE.sub("", stated).strip(_MARKS).casefold()
        by_word = {value.strip().casefold(): value for value in self.values}
        for each in (word, word.removesuffix("s")):
            if each in by_word:
                return by_word[each]
        raise Refused("unparsable")

    def compare(self, candidate: dict[str, Any], gold: dict[str, Any], points: Points) -> str:
        """An assignment that leaves a name out is wrong, whatever it says of the others."""
        if candidate.keys() != set(self.names):
            return "wrong"
        if not isinstance(self.values, Check):
            return "correct" if candidate == gold else "wrong"
        reasons = [self.values.compare(candidate[name], gold[name], points) for name in self.names]
        return next((reason for reason in reasons if reason != "correct"), "correct")
