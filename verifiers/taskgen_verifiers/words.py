"""Checks of answers in words: a choice, a value for every name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from taskgen_verifiers.check import Check, kind
from taskgen_verifiers.equal import Points
from taskgen_verifiers.text import TEXT_COMMAND, closing_brace, peeled
from taskgen_verifiers.verdict import Refused

_OPTION = re.compile(r"(?:option|choice|answer)?\s*[(\[]?(.+?)[)\].:]?", re.IGNORECASE | re.DOTALL)


@kind("choice")
@dataclass(frozen=True)
class Choice(Check):
    """One of a closed list of options, whole and case-folded: "B", "(b)", "option B"; never a letter within prose."""

    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if len({option.casefold() for option in self.options}) < max(2, len(self.options)):
            raise ValueError(f"a choice has at least two options, all different, not {self.options!r}")

    @property
    def wanted(self) -> str:
        *before, last = self.options
        return f"Give the answer as one of {', '.join(before)} or {last}."

    def read(self, text: str) -> str:
        by_name = {option.casefold(): option for option in self.options}
        stripped = _OPTION.fullmatch(text)
        for word in (text, stripped.group(1) if stripped else ""):
            if word.strip().casefold() in by_name:
                return by_name[word.strip().casefold()]
        parts = [
            part.strip(" ()[].").casefold() for part in re.split(r",|;|/|\bor\b|\band\b", text, flags=re.IGNORECASE)
        ]
        raise Refused("ambiguous" if len(parts) > 1 and all(part in by_name for part in parts) else "unparsable")

    def compare(self, candidate: str, gold: str, points: Points) -> str:
        return "correct" if candidate == gold else "wrong"


_SEPARATOR = re.compile(r":|=|->|→|\\to\b|\\rightarrow\b|\bis\b(?:\s+(?:an?|the)\b)?", re.IGNORECASE)
_QUOTES = " *_'`"


@kind("assignment")
@dataclass(frozen=True)
class Assignment(Check):
    """A value for every name: `Ann: knight, Ben: knave`, `Ann = knight; ...`, `Ann is a knight and ...`, or JSON.

    `values` are the allowed words, or the check of each value. Every name is needed; one that is given two values makes
    the answer ambiguous.
    """

    many: ClassVar[bool] = True
    names: tuple[str, ...]
    values: tuple[str, ...] | Check

    def __post_init__(self) -> None:
        if not self.names or len({name.casefold() for name in self.names}) < len(self.names):
            raise ValueError(f"an assignment has different names, at least one, not {self.names!r}")
        if not self.values:
            raise ValueError("an assignment needs the values that are allowed")

    @property
    def wanted(self) -> str:
        if isinstance(self.values, Check):
            return f"Give the answer as {', '.join(f'{name} = ...' for name in self.names)}."
        words = " or ".join(self.values)
        everyone = ", ".join(self.names)
        return f"Give the answer as name: kind, separated by commas, for {everyone}; each kind is {words}."

    def read(self, text: str) -> dict[str, Any]:
        text = TEXT_COMMAND.sub(r"\1", text).replace('"', "").strip()
        if text.startswith("{") and closing_brace(text, 0) == len(text) - 1:
            text = text[1:-1]
        by_name = {name.casefold(): name for name in self.names}
        found: dict[str, Any] = {}
        for part in re.split(r"[,;\n]|\\\\|\band\b", text):
            if not (part := peeled(part)):
                continue
            separator = _SEPARATOR.search(part)
            if separator is None or (name := by_name.get(part[: separator.start()].strip(_QUOTES).casefold())) is None:
                raise Refused("unparsable")
            value = self._value(part[separator.end() :].strip(_QUOTES))
            if found.setdefault(name, value) != value:
                raise Refused("ambiguous")
        if not found:
            raise Refused("unparsable")
        return found

    def _value(self, text: str) -> Any:
        if isinstance(self.values, Check):
            return self.values.read(text)
        word = next((word for word in self.values if word.casefold() == text.casefold()), None)
        if word is None:
            raise Refused("unparsable")
        return word

    def compare(self, candidate: dict[str, Any], gold: dict[str, Any], points: Points) -> str:
        if candidate.keys() != set(self.names):
            return "wrong_form"
        if not isinstance(self.values, Check):
            return "correct" if candidate == gold else "wrong"
        reasons = [self.values.compare(candidate[name], gold[name], points) for name in self.names]
        return next((reason for reason in reasons if reason != "correct"), "correct")
