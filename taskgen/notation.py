"""One printer for the mathematics in questions: written once between dollar signs, rendered as LaTeX or as plain text.

Families write a closed subset of LaTeX, through the functions below or by hand: `\\cdot`, `\\frac{a}{b}`, `^{n}`,
`\\left(` and `\\right)`. `render` keeps it, or rewrites it to plain text that reads the same; a command outside the
subset raises, because it is a family's mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

Notation = Literal["latex", "plain"]
NOTATIONS: tuple[Notation, ...] = ("latex", "plain")

_WORDS = {r"\cdot": "*", r"\left(": "(", r"\right)": ")"}
_TOKEN = re.compile(r"\\left\(|\\right\)|\\[A-Za-z]+|\s+|.", re.DOTALL)
_ATOM = re.compile(r"-?\d+|[A-Za-z]")
_FACTOR_END = re.compile(r"[\w)]$")
_FACTOR_START = re.compile(r"[\w(^]|\\left|\\frac")


def signed_sum(terms: Iterable[str]) -> str:
    """Terms joined by their signs: no `+ -`, nothing before a leading plus; "0" where there is no term.

    >>> signed_sum(["2x", "-3", "y"])
    '2x - 3 + y'
    """
    text = ""
    for term in terms:
        if not text:
            text = term
        elif term.startswith("-"):
            text += f" - {term[1:]}"
        else:
            text += f" + {term}"
    return text or "0"


def monomial(coefficient: int, powers: Sequence[tuple[str, int]] = ()) -> str:
    """A coefficient times powers of letters, without a 1 that nobody writes.

    >>> monomial(-1, [("x", 2), ("y", 0)]), monomial(3, [("x", 1)]), monomial(-1)
    ('-x^{2}', '3x', '-1')
    """
    letters = "".join(name if power == 1 else f"{name}^{{{power}}}" for name, power in powers if power)
    if not letters:
        return str(coefficient)
    return {1: "", -1: "-"}.get(coefficient, str(coefficient)) + letters


def polynomial(coefficients: Mapping[tuple[int, ...], int], variables: Sequence[str]) -> str:
    """A polynomial by falling total degree, then by falling powers of the first variables; "0" where it is zero.

    >>> polynomial({(0, 1): -4, (2, 0): 1, (0, 0): 7, (1, 1): 3}, "xy")
    'x^{2} + 3xy - 4y + 7'
    """
    order = sorted(coefficients, key=by_degree)
    return signed_sum(monomial(coefficients[e], list(zip(variables, e, strict=True))) for e in order)


def by_degree(exponents: Sequence[int]) -> tuple[int, ...]:
    """A sort key: the order in which `polynomial` writes its terms."""
    return (-sum(exponents), *(-power for power in exponents))


def bracketed(latex: str) -> str:
    """The expression in brackets, to be multiplied."""
    return f"({latex})"


def math(latex: str) -> str:
    """The expression, marked as mathematics in a question."""
    return f"${latex}$"


def render(question: str, notation: Notation) -> str:
    """The question with its `$...$` parts in the notation: kept for "latex", rewritten for "plain".

    >>> render(r"Expand $3\\cdot(x + 1)^{2}$.", "plain")
    'Expand 3*(x + 1)^2.'
    """
    if notation == "latex":
        return question
    parts = question.split("$")
    if len(parts) % 2 == 0:
        raise ValueError(f"a dollar sign has no partner in {question!r}")
    return "".join(plain(part) if place % 2 else part for place, part in enumerate(parts))


def plain(latex: str) -> str:
    """The plain text of an expression in the subset; ValueError names a command outside it.

    >>> plain(r"\\frac{x + 1}{2} - x^{10}")
    '(x + 1)/2 - x^10'
    """
    tokens = _TOKEN.findall(latex)[::-1]
    text = _plain(tokens)
    if tokens:
        raise ValueError(f"a brace closes that was never opened in {latex!r}")
    return text


def _plain(tokens: list[str]) -> str:
    """Rewrites reversed tokens up to the end or an unmatched closing brace, which it leaves."""
    text = ""
    while tokens and tokens[-1] != "}":
        token = tokens.pop()
        if token == r"\frac":
            fraction = f"{_bracket(_group(tokens))}/{_bracket(_group(tokens))}"
            # Beside a factor the bar would be read differently: 1/2x is not half of x.
            beside = _FACTOR_END.search(text) or (tokens and _FACTOR_START.match(tokens[-1]))
            text += f"({fraction})" if beside else fraction
        elif token == "^":
            text += f"^{_bracket(_group(tokens))}"
        elif token.startswith("\\"):
            if token not in _WORDS:
                raise ValueError(f"{token} is outside the notation; it knows \\frac, ^ and {', '.join(sorted(_WORDS))}")
            text += _WORDS[token]
        else:
            text += token
    return text


def _group(tokens: list[str]) -> str:
    if not tokens or tokens.pop() != "{":
        raise ValueError(r"the arguments of \frac and ^ stand in braces")
    text = _plain(tokens)
    if not tokens:
        raise ValueError("a brace opens that is never closed")
    tokens.pop()
    return text


def _bracket(text: str) -> str:
    return text if _ATOM.fullmatch(text) else f"({text})"
