"""Factored and simplified forms, judged against a gold in that form: no factoring is needed, and no common divisor.

A candidate that is equal to the gold has the gold's irreducible factors where its own factors match them one by one, up
to constants; and its bar has nothing left to cancel where what stands under it matches the gold's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, prod
from typing import NamedTuple

from taskgen_verifiers.equal import ratios
from taskgen_verifiers.form import expanded, is_coefficient
from taskgen_verifiers.points import Points
from taskgen_verifiers.size import exact
from taskgen_verifiers.tree import NUMERALS, Node, integer, node, unsigned


class Factors(NamedTuple):
    """What a product is written as: the numbers over and under the bar, and other factors with their exponents."""

    over: list[Fraction]
    under: list[Fraction]
    rest: list[tuple[Node, int]]


def factors(tree: Node) -> Factors | None:
    """The factors of a measured tree.

    None where a number in it is not evaluated, an exponent is no numeral, a bar stands under a bar, or there are two
    signs to cancel.
    """
    found = Factors([], [], [])
    pending, signs = [(tree, 1)], 0
    while pending:
        factor, exponent = pending.pop()
        if factor.op == "negative":
            signs += 1
            pending.append((factor.args[0], exponent))
        elif factor.op == "product":
            pending.extend((arg, exponent) for arg in factor.args)
        elif is_coefficient(factor) and abs(exponent) == 1:
            (found.over if exponent > 0 else found.under).append(exact(factor))
        elif factor.op == "quotient" and exponent > 0:
            pending += [(factor.args[0], exponent), (factor.args[1], -exponent)]
        elif factor.op == "power" and unsigned(factor.args[1]).op == "integer" and exact(factor.args[1]):
            pending.append((factor.args[0], exponent * exact(factor.args[1]).numerator))
        elif factor.op in ("name", "sum") or (factor.op in NUMERALS and exponent > 1):
            found.rest.append((factor, exponent))
        else:
            return None
    return found if signs <= 1 else None


def is_factored_like(tree: Node, gold: Node, names: Sequence[str], points: Points) -> bool:
    """Whether a tree that is equal to the gold is written as the same factors, constants collected into one.

    Over the rationals a constant is a unit: (2x - 2)(x + 1) is factored as well as 2(x - 1)(x + 1). Where the gold is a
    product of numbers alone, such as 2^2*3, the numbers are the factors.
    """
    mine, theirs = factors(tree), factors(gold)
    if mine is None or theirs is None:
        return False
    if not any(factor.op in ("name", "sum") for factor, _ in theirs.rest):
        return _numbers(mine) == _numbers(theirs)
    if not _collected(mine):
        return False
    parts = [factor for factor, _ in (*mine.rest, *theirs.rest)]
    found = ratios(parts, names, points)
    return _counts(mine, found[: len(mine.rest)]) == _counts(theirs, found[len(mine.rest) :])


def _counts(parts: Factors, found: list[tuple[int, ...]]) -> Counter[tuple[object, ...]]:
    """How often each factor stands over the bar, and how often under it."""
    counts = Counter[tuple[object, ...]]()
    for ratio, (_, exponent) in zip(found, parts.rest, strict=True):
        counts[exponent > 0, ratio] += abs(exponent)
    return counts


def _numbers(found: Factors) -> Counter[Fraction] | None:
    """How often each number is a factor; None where there are other factors too."""
    if found.under or any(factor.op not in NUMERALS for factor, _ in found.rest):
        return None
    counts = Counter(found.over)
    for factor, exponent in found.rest:
        counts[factor.value] += exponent
    return counts


def _collected(found: Factors) -> bool:
    """Whether one number at most stands over the bar and one under it, reduced, no idle 1 and no power of a number."""
    if len(found.over) > 1 or len(found.under) > 1 or any(factor.op in NUMERALS for factor, _ in found.rest):
        return False
    idle = found.over == [1] and not found.under and any(exponent > 0 for _, exponent in found.rest)
    if found.under == [1] or idle:
        return False
    return gcd(*_number(found)) == 1


def _number(found: Factors) -> tuple[int, int]:
    """The numbers over and under the bar as one fraction of integers, not reduced."""
    over, under = (prod(numbers, start=Fraction(1)) for numbers in (found.over, found.under))
    return over.numerator * under.denominator, over.denominator * under.numerator


def is_simplified_like(tree: Node, gold: Node, names: Sequence[str], points: Points) -> bool:
    """Whether a tree that is equal to the gold is one polynomial, or one over another with nothing left to cancel.

    Each is written as an expanded polynomial or as a product of such, powers of equal factors combined, numbers
    collected. Below the bar must stand the gold's denominator, up to a constant; then so does its numerator above.
    """
    mine, theirs = factors(tree), factors(gold)
    if mine is None or theirs is None or not _collected(mine) or not _is_reduced(mine):
        return False
    parts = [factor for factor, _ in mine.rest]
    *found, under, wanted = ratios([*parts, _denominator(mine), _denominator(theirs)], names, points)
    return len(set(found)) == len(parts) and under == wanted


def _denominator(parts: Factors) -> Node:
    """What stands under the bar, without numbers."""
    raised = [node("power", factor, integer(-exponent)) for factor, exponent in parts.rest if exponent < 0]
    return node("product", integer(1), *raised)


def _is_reduced(parts: Factors) -> bool:
    """Whether the factors are expanded polynomials, and no whole number divides all over and all under the bar."""
    over, under = _number(parts)
    for factor, exponent in parts.rest:
        terms = expanded(factor)
        if terms is None or any(power < 0 for term in terms for _, power in term.powers):
            return False
        coefficients = [term.coefficient for term in terms]
        if any(coefficient.denominator > 1 for coefficient in coefficients):
            return len(parts.rest) == 1 and exponent > 0 and under == 1
        content = gcd(*(coefficient.numerator for coefficient in coefficients))
        over, under = (over * content, under) if exponent > 0 else (over, under * content)
    return gcd(over, under) == 1
