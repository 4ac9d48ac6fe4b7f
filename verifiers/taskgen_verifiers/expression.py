"""The check `Expression`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from taskgen_verifiers.check import Check, different_words, listed, one_of
from taskgen_verifiers.equal import same_function
from taskgen_verifiers.factors import is_factored_like, is_simplified_like
from taskgen_verifiers.form import expanded
from taskgen_verifiers.parse import parse
from taskgen_verifiers.points import Points
from taskgen_verifiers.size import measure
from taskgen_verifiers.statement import is_several, unlabelled
from taskgen_verifiers.tokens import canonical
from taskgen_verifiers.tree import Node, outline
from taskgen_verifiers.verdict import GoldError, Refused

_WANTED = {
    "any": "an expression{}",
    "expanded": "an expanded polynomial{}, like terms collected",
    "factored": "a product{}, completely factored",
    "simplified": "a polynomial{} or one fraction in lowest terms",
}
DOMAINS = ("real",)
_VARIABLE = re.compile(r"\\?[A-Za-z]+(?:_(?:[A-Za-z0-9]|[0-9]+|\{[A-Za-z0-9]+\}))?", re.ASCII)


@dataclass(frozen=True)
class Expression(Check, kind="expression"):
    """A rational function of the variables over the rationals, equal to the gold as a function, in the asked `form`.

    - "any": however it is written.
    - "expanded": a sum of different monomials, coefficients evaluated.
    - "factored": the gold's factors, up to order and constants, which are collected into one number. The gold must be
      completely factored.
    - "simplified": one polynomial or one fraction with nothing left to cancel, each part expanded or factored. The gold
      must be in lowest terms.

    `domain`: where the variables range; rational functions agree on all of it or hardly anywhere, so "real" is the one
    there is. `echo`: the problem's own expression; handed back, up to the order of terms and factors, it does not pay.
    """

    variables: tuple[str, ...]
    domain: str = "real"
    form: str = "any"
    echo: str = ""

    def __post_init__(self) -> None:
        one_of("form of expression", self.form, tuple(_WANTED))
        one_of("domain", self.domain, DOMAINS)
        different_words("variables", self.variables, least=0)
        for name in self.variables:
            if not _VARIABLE.fullmatch(name):
                raise ValueError(f"a variable is a letter or a word, with an index or without, not {name!r}")

    @property
    def noun(self) -> str:
        return _WANTED[self.form].format(f" in {listed(self.variables)}" if self.variables else "")

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(map(canonical, self.variables))

    @cached_property
    def _echo(self) -> tuple[Any, ...] | None:
        try:
            return outline(parse(self.echo, self._names)[-1]) if self.echo else None
        except Refused as refused:
            raise GoldError(f"the echo {self.echo!r} of {self} is {refused.reason}") from None

    def read(self, text: str) -> list[Node]:
        """The members of a chain of equalities, mostly one; Refused where the text states none, or several answers."""
        try:
            members = parse(unlabelled(text, self._names), self._names)
        except Refused as refused:
            raise Refused("ambiguous") if is_several(text) else refused from None
        for member in members:
            measure(member)
        return members

    def compare(self, candidate: list[Node], gold: list[Node], points: Points) -> str:
        """The last member counts, once all are equal."""
        answer, right = candidate[-1], gold[-1]
        if any(not same_function(member, answer, self._names, points) for member in candidate[:-1]):
            return "ambiguous"
        if self.echo and outline(answer) == self._echo:
            return "echo"
        if self.form == "expanded" and expanded(answer) is None:
            return "wrong_form"
        if not same_function(answer, right, self._names, points):
            return "wrong"
        liken = {"factored": is_factored_like, "simplified": is_simplified_like}.get(self.form)
        return "wrong_form" if liken and not liken(answer, right, self._names, points) else "correct"
