"""How large a value can get, from the bottom up, before anything is computed. This replaces timeouts."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from taskgen_verifiers.tree import NUMERALS, Node
from taskgen_verifiers.verdict import Refused

MOST_BITS = 20_000
"""Of a numerator or denominator; then no single operation takes longer than about a millisecond."""

LARGEST_DEGREE = 10_000
LARGEST_FACTORIAL = 1_000


class Size(NamedTuple):
    """Bounds on a quotient: bits and total degree, of what stands over and under the bar."""

    bits: int
    bits_under: int
    degree: int
    degree_under: int


def measure(node: Node) -> Size:
    """Bounds on the node's value. Refused ("over_limit") where it or any part of it could exceed the limits."""
    size = _MEASURES[node.op](node)
    if max(size[:2]) > MOST_BITS or max(size[2:]) > LARGEST_DEGREE:
        raise Refused("over_limit")
    return size


def whole_exponent(node: Node) -> int:
    """The exponent of a power. Refused unless it is a whole number."""
    measure(node.args[1])
    value = exact(node.args[1])
    if value.denominator != 1:
        raise Refused("unparsable")
    return value.numerator


def exact(node: Node) -> Fraction:
    """The value of a tree without names, once it is measured. Refused where it divides by zero."""
    over, under = _quotient_of(node)
    if not under:
        raise Refused("unparsable")
    return Fraction(over, under)


def _quotient_of(node: Node) -> tuple[int, int]:
    """The value as a quotient, not reduced: a divisor common to both costs more to find than to carry along."""
    if node.op in NUMERALS:
        return node.value.numerator, node.value.denominator
    if node.op == "factorial":
        return factorial(exact(node.args[0])), 1
    over, under = _quotient_of(node.args[0])
    if node.op == "negative":
        return -over, under
    if node.op == "power":
        exponent = whole_exponent(node)
        over, under = (over**exponent, under**exponent) if exponent >= 0 else (under**-exponent, over**-exponent)
    for arg in () if node.op == "power" else node.args[1:]:
        a, b = _quotient_of(arg)
        if node.op == "sum":
            over, under = over * b + a * under, under * b
        elif node.op == "product":
            over, under = over * a, under * b
        else:
            # Under a bar stands a number that is not 0, also where a later factor would hide the fault.
            over, under = over * b, under * a
    if not under:
        raise Refused("unparsable")
    return over, under


def factorial(value: Fraction) -> int:
    """n!, for a small whole number. Refused for any other."""
    if value.denominator != 1 or value < 0:
        raise Refused("unparsable")
    if value > LARGEST_FACTORIAL:
        raise Refused("over_limit")
    return _factorial(value.numerator)


_factorial = lru_cache(maxsize=LARGEST_FACTORIAL + 1)(math.factorial)


def _numeral(node: Node) -> Size:
    return Size(node.value.numerator.bit_length(), node.value.denominator.bit_length(), 0, 0)


def _name(node: Node) -> Size:
    return Size(1, 1, 1, 0)


def _same(node: Node) -> Size:
    return measure(node.args[0])


def _sum(node: Node) -> Size:
    sizes = [measure(arg) for arg in node.args]
    under, degree_under = sum(size.bits_under for size in sizes), sum(size.degree_under for size in sizes)
    return Size(
        max(size.bits + under - size.bits_under for size in sizes) + len(sizes).bit_length(),
        under,
        max(size.degree + degree_under - size.degree_under for size in sizes),
        degree_under,
    )


def _product(node: Node) -> Size:
    sizes = [measure(arg) for arg in node.args]
    return Size(*(sum(parts) for parts in zip(*sizes, strict=True)))


def _quotient(node: Node) -> Size:
    over, under = (measure(arg) for arg in node.args)
    return Size(
        over.bits + under.bits_under,
        over.bits_under + under.bits,
        over.degree + under.degree_under,
        over.degree_under + under.degree,
    )


def _power(node: Node) -> Size:
    base, exponent = measure(node.args[0]), whole_exponent(node)
    times = abs(exponent)
    size = Size(*(part * times for part in base))
    return size if exponent >= 0 else Size(size.bits_under, size.bits, size.degree_under, size.degree)


def _factorial_size(node: Node) -> Size:
    if measure(node.args[0]).degree:
        raise Refused("unparsable")
    return Size(factorial(exact(node.args[0])).bit_length(), 1, 0, 0)


_MEASURES = {
    "integer": _numeral,
    "decimal": _numeral,
    "mixed": _numeral,
    "name": _name,
    "negative": _same,
    "sum": _sum,
    "product": _product,
    "quotient": _quotient,
    "power": _power,
    "factorial": _factorial_size,
}
