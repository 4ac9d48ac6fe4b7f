"""The check `Number`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from taskgen_verifiers import form
from taskgen_verifiers.check import Check, one_of
from taskgen_verifiers.parse import parse
from taskgen_verifiers.points import Points
from taskgen_verifiers.size import exact, measure
from taskgen_verifiers.statement import is_several, unlabelled
from taskgen_verifiers.tree import Node, integer, node
from taskgen_verifiers.verdict import Refused

_FORMS: dict[str, tuple[str, Callable[[Node], bool]]] = {
    "any": ("an exact number", lambda tree: True),
    "evaluated": ("a number, fully evaluated", form.is_evaluated),
    "integer": ("an integer", form.is_integer),
    "lowest_terms": ("an integer or a fraction in lowest terms", form.is_in_lowest_terms),
    "decimal": ("an exact decimal number", form.is_decimal),
}

_PLAIN_INTEGER = re.compile(r"-?[0-9]{1,300}", re.ASCII)


class Value(NamedTuple):
    """A number as it was written, and its exact value."""

    tree: Node
    value: Fraction


@dataclass(frozen=True)
class Number(Check, kind="number"):
    """One rational number, compared exactly: a rounded decimal is no fraction. `form` is how it is written.

    - "any": whatever has the value, `2^10` too.
    - "evaluated": a numeral (`1,234`, `0.5`, `1.5e3`, `50%`), a mixed number, or a fraction of integers that is no
      integer: `6/4`, but not `6/2`.
    - "integer": digits with a sign or without; `3.0` is 3, while `6/2`, `3e2` and `300%` leave something to do.
    - "lowest_terms": an integer or a reduced fraction, also within a mixed number; not `2/4`, not `0.5`.
    - "decimal": digits with a point or without.

    A name may stand in front, as in `x = 3`. In a chain of equalities all members must be equal, and the last is the
    answer.
    """

    form: str = "evaluated"

    def __post_init__(self) -> None:
        one_of("form of number", self.form, tuple(_FORMS))

    @property
    def noun(self) -> str:
        return _FORMS[self.form][0]

    def read(self, text: str) -> Value:
        """The number; Refused where the text states none, several, or a false equality."""
        return self._read(text, grouped=True)

    def read_member(self, text: str) -> Value:
        """The number within a list, where `1,234` is two."""
        return self._read(text, grouped=False)

    def _read(self, text: str, grouped: bool) -> Value:
        if _PLAIN_INTEGER.fullmatch(text):
            size = integer(int(text.removeprefix("-")))
            return Value(node("negative", size), -size.value) if text[0] == "-" else Value(size, size.value)
        try:
            members = parse(unlabelled(text), grouped=grouped)
        except Refused as refused:
            raise Refused("ambiguous") if is_several(text) else refused from None
        for member in members:
            measure(member)
        values = [exact(member) for member in members]
        if any(value != values[-1] for value in values):
            # 2 + 2 = 5 states nothing, even where 5 is right.
            raise Refused("ambiguous")
        return Value(members[-1], values[-1])

    def compare(self, candidate: Value, gold: Value, points: Points) -> str:
        """Form first: it is judged on what is written, whatever its value."""
        if not _FORMS[self.form][1](candidate.tree):
            return "wrong_form"
        return "correct" if candidate.value == gold.value else "wrong"
