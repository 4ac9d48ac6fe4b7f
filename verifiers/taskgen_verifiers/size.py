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
    degree: int = 0
    degree_under: int = 0

    @property
    def is_constant(self) -> bool:
        """Whether there are no names in it."""
        return not (self.degree or self.degree_under)


def measure(tree: Node) -> Size:
    """Bounds on the tree's value.

    Refused where it or any part of it could exceed the limits ("over_limit"), and where an exponent is no whole number
    or a factorial has no meaning ("unparsable").
    """
    if tree.op in NUMERALS:
        return _bounded(Size(tree.value.numerator.bit_length(), tree.value.denominator.bit_length()))
    if tree.op == "name":
        return Size(1, 1, 1)
    sizes = [measure(arg) for arg in tree.args]
    match tree.op:
        case "sum":
            return _bounded(_sum(sizes))
        case "product":
            return _bounded(Size(*map(sum, zip(*sizes, strict=True))))
        case "quotient":
            (over, under), (a, b), (c, d) = (sizes, sizes[0][:2], sizes[1][:2])
            return _bounded(Size(a + d, b + c, over.degree + under.degree_under, over.degree_under + under.degree))
        case "power":
            return _bounded(_power(sizes[0], _whole(tree.args[1], sizes[1])))
        case "factorial":
            return _bounded(Size(_factorial_bits(_whole(tree.args[0], sizes[0])), 1))
        case "percent":
            return _bounded(Size(sizes[0].bits, sizes[0].bits_under + 7))
    return sizes[0]


def _bounded(size: Size) -> Size:
    if max(size.bits, size.bits_under) > MOST_BITS or max(size.degree, size.degree_under) > LARGEST_DEGREE:
        raise Refused("over_limit")
    return size


def _sum(sizes: list[Size]) -> Size:
    under, degree_under = sum(size.bits_under for size in sizes), sum(size.degree_under for size in sizes)
    return Size(
        max(size.bits + under - size.bits_under for size in sizes) + len(sizes).bit_length(),
        under,
        max(size.degree + degree_under - size.degree_under for size in sizes),
        degree_under,
    )


def _power(base: Size, exponent: int) -> Size:
    times = abs(exponent)
    a, b, c, d = (part * times for part in base)
    return Size(a, b, c, d) if exponent >= 0 else Size(b, a, d, c)


def _whole(tree: Node, size: Size) -> int:
    """The whole number that an exponent or the argument of a factorial is."""
    if not size.is_constant:
        raise Refused("unparsable")
    value = exact(tree)
    if value.denominator != 1:
        raise Refused("unparsable")
    return value.numerator


def _factorial_bits(argument: int) -> int:
    if argument < 0:
        raise Refused("unparsable")
    if argument > LARGEST_FACTORIAL:
        raise Refused("over_limit")
    return argument * argument.bit_length() + 1


_factorial = lru_cache(maxsize=LARGEST_FACTORIAL + 1)(math.factorial)


def exact(tree: Node) -> Fraction:
    """The value of a measured tree without names. Refused ("unparsable") where it has none, as 1/0.

    >>> from taskgen_verifiers.parse import parse
    >>> exact(parse("(1 1/2)^2 - 25%")[0])
    Fraction(2, 1)
    """
    return tree.value if tree.op in NUMERALS else Fraction(*_quotient(tree))


def _quotient(tree: Node) -> tuple[int, int]:
    """The value as a quotient, not reduced: a common divisor costs more to find at every node than to carry along."""
    if tree.op in NUMERALS:
        return tree.value.numerator, tree.value.denominator
    over, under = _quotient(tree.args[0])
    match tree.op:
        case "negative":
            return -over, under
        case "percent":
            return over, under * 100
        case "factorial":
            return _factorial(over // under), 1
        case "power":
            return _raised(over, under, exact(tree.args[1]).numerator)
    for arg in tree.args[1:]:
        a, b = _quotient(arg)
        if tree.op == "sum":
            over, under = over * b + a * under, under * b
        elif tree.op == "product":
            over, under = over * a, under * b
        else:
            over, under = over * b, under * a
    if not under:
        raise Refused("unparsable")
    return over, under


def _raised(over: int, under: int, exponent: int) -> tuple[int, int]:
    """A power; 0^0 and 1/0 have no value."""
    if exponent <= 0 and not over:
        raise Refused("unparsable")
    return (over**exponent, under**exponent) if exponent >= 0 else (under**-exponent, over**-exponent)
