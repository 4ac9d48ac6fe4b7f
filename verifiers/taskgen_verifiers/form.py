"""The wanted form, judged on the unevaluated tree: `123*456` is no answer to "compute 123*456"."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import NamedTuple

from taskgen_verifiers.size import exact
from taskgen_verifiers.tree import NUMERALS, Node, unsigned


def is_integer(tree: Node) -> bool:
    """An integer in digits, with a sign or without: 12, -1,234, 12.0; no power of ten, no percent, no operation."""
    tree = unsigned(tree)
    return tree.op in ("integer", "decimal") and tree.value.denominator == 1


def is_numeral(tree: Node) -> bool:
    """One number as written: digits, a decimal, a mixed number, a percentage, a decimal times a power of ten."""
    tree = unsigned(tree)
    if tree.op == "product" and len(tree.args) == 2:
        significand, power = tree.args
        return significand.op in ("integer", "decimal") and power.op == "power" and _is_power_of_ten(*power.args)
    return tree.op in NUMERALS or tree.op == "percent"


def _is_power_of_ten(base: Node, exponent: Node) -> bool:
    return base.op == "integer" and base.value == 10 and unsigned(exponent).op == "integer"


def is_fraction(tree: Node) -> bool:
    """One integer over another, each with a sign or without."""
    tree = unsigned(tree)
    return tree.op == "quotient" and all(unsigned(arg).op == "integer" for arg in tree.args)


def is_evaluated(tree: Node) -> bool:
    """A number with no operation left to the reader: a numeral, or a fraction that is no integer."""
    return is_numeral(tree) or (is_fraction(tree) and exact(tree).denominator > 1)


def is_in_lowest_terms(tree: Node) -> bool:
    """An integer, or a fraction above a positive denominator with no common divisor; also within a mixed number."""
    if is_integer(tree):
        return True
    tree = unsigned(tree)
    part = tree.args[1] if tree.op == "mixed" else tree
    return is_fraction(part) and part.args[1].op == "integer" and _is_reduced(part)


def _is_reduced(fraction: Node) -> bool:
    over, under = (unsigned(arg).value.numerator for arg in fraction.args)
    return under > 1 and gcd(over, under) == 1


def is_decimal(tree: Node) -> bool:
    """Digits, with a decimal point or without."""
    return unsigned(tree).op in ("integer", "decimal")


class Monomial(NamedTuple):
    """A coefficient times powers of names."""

    coefficient: Fraction
    powers: tuple[tuple[str, int], ...]


def expanded(tree: Node) -> list[Monomial] | None:
    """The monomials of an expanded sum: coefficients evaluated, no two alike, none zero; None where it is not that."""
    terms = [monomial(term) for term in (tree.args if tree.op == "sum" else (tree,))]
    found = [term for term in terms if term is not None]
    if len(found) < len(terms) or len({term.powers for term in found}) < len(terms):
        return None
    return None if len(terms) > 1 and any(not term.coefficient for term in found) else found


def monomial(term: Node) -> Monomial | None:
    """The monomial that a term is written as, with at most one number over the bar and one under it, reduced."""
    sign = -1 if term.op == "negative" else 1
    term = unsigned(term)
    parts = (term, None) if term.op != "quotient" else term.args
    numbers: list[Fraction] = []
    powers: dict[str, int] = {}
    for part, direction in zip(parts, (1, -1), strict=True):
        if part is None:
            numbers.append(Fraction(1))
            continue
        read = _factors_of_monomial(part)
        if read is None or powers.keys() & read[1].keys():
            return None
        numbers.append(read[0])
        powers |= {name: direction * power for name, power in read[1].items()}
    over, under = numbers
    if under != 1 and (under.denominator > 1 or over.denominator > 1 or under < 0 or gcd(*map(int, numbers)) > 1):
        return None
    return Monomial(sign * over / under, tuple(sorted(powers.items()))) if under else None


def _factors_of_monomial(product: Node) -> tuple[Fraction, dict[str, int]] | None:
    """A number, if there is one, and the powers of different names."""
    numbers: list[Fraction] = []
    powers: dict[str, int] = {}
    for factor in product.args if product.op == "product" else (product,):
        base, exponent = factor.args if factor.op == "power" else (factor, None)
        if base.op == "name" and base.name not in powers and (exponent is None or _is_positive(exponent)):
            powers[base.name] = 1 if exponent is None else exponent.value.numerator
        elif is_coefficient(factor):
            numbers.append(exact(factor))
        else:
            return None
    return (numbers[0] if numbers else Fraction(1), powers) if len(numbers) <= 1 else None


def _is_positive(exponent: Node) -> bool:
    return exponent.op == "integer" and exponent.value > 0


def is_coefficient(tree: Node) -> bool:
    """A number as it stands before a letter: digits, a decimal, a mixed number, a reduced fraction."""
    tree = unsigned(tree)
    return tree.op in ("integer", "decimal", "mixed") or (is_fraction(tree) and _is_reduced(tree))
