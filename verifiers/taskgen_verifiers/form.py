"""The wanted form, judged on the unevaluated tree: `123*456` is no answer to "compute 123*456"."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from taskgen_verifiers.equal import Points, proportional
from taskgen_verifiers.size import measure, whole_exponent
from taskgen_verifiers.tree import NUMERALS, Node, names

MOST_FACTORS = 64


def unsigned(node: Node) -> Node:
    """The tree without the signs in front of it."""
    while node.op == "negative":
        node = node.args[0]
    return node


def is_numeral(node: Node) -> bool:
    """One number as written: digits, a decimal, a mixed number, scientific notation; with a sign or without."""
    node = unsigned(node)
    if node.op == "product" and len(node.args) == 2 and node.args[1].op == "power":
        base, exponent = node.args[1].args
        return (
            node.args[0].op in ("integer", "decimal")
            and base.op == "integer"
            and base.value == 10
            and unsigned(exponent).op == "integer"
        )
    return node.op in NUMERALS


def is_fraction(node: Node) -> bool:
    """One integer over another, each with a sign or without."""
    node = unsigned(node)
    return node.op == "quotient" and all(unsigned(arg).op == "integer" for arg in node.args)


def is_evaluated(node: Node) -> bool:
    """A number with no operation left to the reader."""
    return is_numeral(node) or is_fraction(node)


def is_in_lowest_terms(node: Node) -> bool:
    """An integer, or a fraction of integers with a denominator above 1 and no common divisor; mixed numbers too."""
    node = unsigned(node)
    if node.op == "mixed":
        node = node.args[1]
    if node.op == "integer":
        return True
    if not is_fraction(node) or unsigned(node.args[1]) is not node.args[1]:
        return False
    over, under = (unsigned(arg).value.numerator for arg in node.args)
    return under > 1 and gcd(over, under) == 1


def is_decimal(node: Node) -> bool:
    """Digits with or without a decimal point, and no exponent written as a power."""
    return unsigned(node).op in ("integer", "decimal")


def is_expanded(node: Node) -> bool:
    """A sum of monomials, coefficients evaluated, no two alike."""
    terms = [unsigned(term) for term in (node.args if node.op == "sum" else (node,))]
    powers = [_exponents(term) for term in terms]
    return None not in powers and len(set(powers)) == len(powers)


def _exponents(term: Node) -> tuple[tuple[str, int], ...] | None:
    """A monomial's exponents by variable; None where the term is none, or is not written as one."""
    if term.op == "quotient" and unsigned(term.args[1]).op == "integer":
        if is_fraction(term):
            return ()
        term = unsigned(term.args[0])
    factors = term.args if term.op == "product" else (term,)
    found: dict[str, int] = {}
    for place, factor in enumerate(factors):
        if is_evaluated(factor):
            if place:
                return None
            continue
        base = factor.args[0] if factor.op == "power" else factor
        exponent = whole_exponent(factor) if factor.op == "power" else 1
        written = factor.op != "power" or factor.args[1].op == "integer"
        if base.op != "name" or base.name in found or exponent < 1 or not written:
            return None
        found[base.name] = exponent
    return tuple(sorted(found.items()))


def is_factored_like(node: Node, gold: Node, variables: Sequence[str], points: Points) -> bool:
    """A product with the gold's factors, each as often, up to constants, and at most one constant factor."""
    mine, theirs = _factors(node), _factors(gold)
    if mine is None or theirs is None or len(mine) != len(theirs):
        return False
    for factor in theirs:
        match = next((other for other in mine if proportional(other, factor, variables, points)), None)
        if match is None:
            return False
        mine.remove(match)
    return True


def _factors(node: Node) -> list[Node] | None:
    """The factors that are not constant, powers written out; None where two constants are left to multiply."""
    found: list[Node] = []
    constants, pending = 0, [unsigned(node)]
    while pending:
        factor = pending.pop()
        if factor.op == "product":
            pending.extend(factor.args)
        elif not names(factor):
            constants += 1
            if not is_evaluated(factor):
                return None
        elif factor.op == "power":
            times = whole_exponent(factor)
            if not 1 <= times <= MOST_FACTORS:
                return None
            pending.extend([factor.args[0]] * times)
        else:
            found.append(factor)
        if len(found) + len(pending) > MOST_FACTORS:
            return None
    return found if constants <= 1 else None


def is_simplified_like(node: Node, gold: Node) -> bool:
    """A polynomial, or one polynomial over another, of no higher degree as written than the gold.

    With an equal value that leaves only a constant common factor: a common factor of positive degree would show.
    """
    mine, theirs = measure(node), measure(gold)
    parts = node.args if node.op == "quotient" else (node,)
    return (mine.degree, mine.degree_under) == (theirs.degree, theirs.degree_under) and not any(
        _divides(part) for part in map(unsigned, parts)
    )


def _divides(node: Node) -> bool:
    """Whether a bar stands somewhere within, other than between numbers."""
    return (node.op == "quotient" and not is_fraction(node)) or any(map(_divides, node.args))
