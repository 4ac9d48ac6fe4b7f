"""The check `Choice`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from taskgen_verifiers.check import Check, different_words, listed
from taskgen_verifiers.points import Points
from taskgen_verifiers.text import peeled, unbracketed, without_text_commands
from taskgen_verifiers.verdict import Refused

_PREFIX = re.compile(r"(?:option|choice|answer)\s*:?\s*", re.IGNORECASE | re.ASCII)
_BETWEEN = re.compile(r"[,;/]|\b(?:or|and)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Choice(Check, kind="choice"):
    """One of a closed list of options, compared whole and without regard to case: `B`, `(b)`, `B)`, `option B`.

    Never a letter within prose: "Don't know" is not D.
    """

    options: tuple[str, ...]

    def __post_init__(self) -> None:
        different_words("options", self.options, least=2)

    @property
    def noun(self) -> str:
        return f"one of {listed(self.options, 'or')}"

    def read(self, text: str) -> str:
        """The option, as the check spells it."""
        if (option := self._option(text)) is not None:
            return option
        parts = _BETWEEN.split(without_text_commands(text))
        several = len(parts) > 1 and all(self._option(part) is not None for part in parts)
        raise Refused("ambiguous" if several else "unparsable")

    def _option(self, text: str) -> str | None:
        by_name = {option.strip().casefold(): option for option in self.options}
        text = " ".join(text.split())
        bare = _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text
        for form in (text, bare, unbracketed(bare), bare.removesuffix(")"), bare.removesuffix(":")):
            if (option := by_name.get(peeled(form).casefold())) is not None:
                return option
        return None

    def compare(self, candidate: str, gold: str, points: Points) -> str:
        return "correct" if candidate == gold else "wrong"
