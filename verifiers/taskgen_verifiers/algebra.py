"""Checks of numbers and of expressions with letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from taskgen_verifiers import form
from taskgen_verifiers.check import Check, kind, one_of
from taskgen_verifiers.equal import Points, same_function
from taskgen_verifiers.parse import parse
from taskgen_verifiers.size import exact, measure
from taskgen_verifiers.text import split_top
from taskgen_verifiers.tree import Node, integer, key, names
from taskgen_verifiers.verdict import Refused

_NUMBER_FORMS = {
    "integer": ("an integer", form.is_numeral),
    "evaluated": ("a number, fully evaluated", form.is_evaluated),
    "lowest_terms": ("an integer or a fraction in lowest terms", form.is_in_lowest_terms),
    "decimal": ("a decimal number", form.is_decimal),
}

_PLAIN_INTEGER = re.compile(r"-?[0-9]{1,300}", re.ASCII)
_HEDGE = re.compile(r"\bor\b|\band\b|\\text\s*\{\s*(?:or|and)\s*\}|\\(?:lor|vee|pm|mp)(?![A-Za-z])|±", re.IGNORECASE)

_GROUPED = re.compile(r"[0-9](?:,|,\\!|\\!,|\{,\})[0-9]{3}(?![0-9])", re.ASCII)
"""A comma between digits that can group them; whether all do, the scanner says."""


class Value(NamedTuple):
    """A number as it was written, and its exact value."""

    node: Node
    value: Fraction


@kind("number")
@dataclass(frozen=True)
class Number(Check):
    """One rational number, compared exactly. The form is that of the answer as written:

    "integer": one numeral, such as 12, 1,234 or 3e2; "evaluated": a numeral, a fraction of integers or a mixed number;
    "lowest_terms": an integer or a reduced fraction; "decimal": digits, with a point or without. A name may stand in
    front, `x = 3`; in a chain of equalities all members must be equal, and the last is the answer.
    """

    form: str = "evaluated"

    def __post_init__(self) -> None:
        one_of("form of number", self.form, tuple(_NUMBER_FORMS))

    @property
    def wanted(self) -> str:
        return f"Give the answer as {_NUMBER_FORMS[self.form][0]}."

    def read(self, text: str) -> Value:
        return self._read(text, grouped=True)

    def read_member(self, text: str) -> Value:
        return self._read(text, grouped=False)

    def _read(self, text: str, grouped: bool) -> Value:
        if _PLAIN_INTEGER.fullmatch(text):
            value = int(text)
            return Value(integer(value), Fraction(value))
        if _HEDGE.search(text) or (len(split_top(text, ",;")) > 1 and not _GROUPED.search(text)):
            raise Refused("ambiguous")
        members = parse(text, grouped=grouped, labels=True)
        values = []
        for node in members[1:] if len(members) > 1 and names(members[0]) else members:
            measure(node)
            values.append(exact(node))
        if any(value != values[-1] for value in values):
            # 2 + 2 = 5 states nothing, even where 5 is right.
            raise Refused("ambiguous")
        return Value(members[-1], values[-1])

    def compare(self, candidate: Value, gold: Value, points: Points) -> str:
        if not _NUMBER_FORMS[self.form][1](candidate.node):
            return "wrong_form"
        return "correct" if candidate.value == gold.value else "wrong"


_EXPRESSION_FORMS = {
    "any": "Give the answer as an expression in {}.",
    "expanded": "Give the answer in {} as an expanded polynomial, like terms collected.",
    "factored": "Give the answer in {}, completely factored.",
    "simplified": "Give the answer in {} as a fraction in lowest terms, or as a polynomial.",
}


@kind("expression")
@dataclass(frozen=True)
class Expression(Check):
    """A rational function of the variables, equal to the gold, in the asked form.

    `domain` states where the variables range (empty: over the rationals). `echo` is the problem's own expression:
    handed back, up to the order of terms and factors, it does not pay. For "factored" and "simplified" the gold is in
    that form.
    """

    variables: tuple[str, ...]
    domain: str = ""
    form: str = "any"
    echo: str = ""

    def __post_init__(self) -> None:
        one_of("form of expression", self.form, tuple(_EXPRESSION_FORMS))
        if not self.variables or len(set(self.variables)) < len(self.variables):
            raise ValueError(f"an expression has different variables, at least one, not {self.variables!r}")

    @property
    def wanted(self) -> str:
        *before, last = self.variables
        return _EXPRESSION_FORMS[self.form].format(f"{', '.join(before)} and {last}" if before else last)

    def read(self, text: str) -> list[Node]:
        if _HEDGE.search(text) or len(split_top(text, ",;")) > 1:
            raise Refused("ambiguous")
        members = parse(text, self.variables, labels=True)
        label = len(members) > 1 and not names(members[0]) <= set(self.variables)
        members = members[1:] if label else members
        for node in members:
            measure(node)
        return members

    def compare(self, candidate: list[Node], gold: list[Node], points: Points) -> str:
        answer, right = candidate[-1], gold[-1]
        if any(not same_function(member, answer, self.variables, points) for member in candidate[:-1]):
            return "ambiguous"
        if self.echo and key(answer) == _echo_key(self.echo, self.variables):
            return "echo"
        if not self._is_in_form(answer, right, points):
            return "wrong_form"
        return "correct" if same_function(answer, right, self.variables, points) else "wrong"

    def _is_in_form(self, answer: Node, gold: Node, points: Points) -> bool:
        match self.form:
            case "expanded":
                return form.is_expanded(answer)
            case "factored":
                return form.is_factored_like(answer, gold, self.variables, points)
            case "simplified":
                return form.is_simplified_like(answer, gold)
        return True


@lru_cache(maxsize=1024)
def _echo_key(echo: str, variables: tuple[str, ...]) -> tuple[object, ...]:
    return key(parse(echo, variables)[0])
