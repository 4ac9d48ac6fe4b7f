"""Whether two rational functions are equal, by their values at secret random points modulo secret random primes.

A polynomial of degree at most D that is not zero vanishes at a random point modulo p with probability at most D / p
(Schwartz and Zippel), here D / 2^60; and a coefficient of b bits vanishes modulo at most b / 60 of the 2^54 primes of
this size. Two points, each with a prime, square that. Nothing is expanded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskgen_verifiers.points import Points
from taskgen_verifiers.size import exact
from taskgen_verifiers.tree import NUMERALS, Node
from taskgen_verifiers.verdict import Refused

POINTS = 2
MOST_TRIES = 8
"""Points in a row at which a denominator vanishes before it is taken to vanish everywhere."""


def same_function(mine: Node, right: Node, names: Sequence[str], points: Points) -> bool:
    """Whether two measured trees are equal as functions of the names.

    Refused ("unparsable") where one of them is defined nowhere, as 1/(x - x).
    """
    for _ in range(POINTS):
        (one, other), _prime = values([mine, right], names, points)
        if one != other:
            return False
    return True


def values(trees: Sequence[Node], names: Sequence[str], points: Points) -> tuple[list[int], int]:
    """The values of measured trees at the next point where all are defined, and the prime they are modulo."""
    for _ in range(MOST_TRIES):
        prime, point = points.place(names)
        found = [residue(tree, point, prime) for tree in trees]
        if None not in found:
            return [value for value in found if value is not None], prime
    raise Refused("unparsable")


def residue(tree: Node, point: Mapping[str, int], prime: int) -> int | None:
    """The value at a point modulo a prime; None where a denominator vanishes."""
    if tree.op == "name":
        return point[tree.name]
    if tree.op in NUMERALS:
        return _quotient(tree.value.numerator, tree.value.denominator, prime)
    if tree.op == "factorial":
        return exact(tree).numerator % prime
    if tree.op == "power":
        base, exponent = residue(tree.args[0], point, prime), exact(tree.args[1]).numerator
        return None if base is None or (base == 0 and exponent <= 0) else pow(base, exponent, prime)
    total = residue(tree.args[0], point, prime)
    if tree.op == "negative":
        return None if total is None else -total % prime
    if tree.op == "percent":
        return None if total is None else _quotient(total, 100, prime)
    for arg in tree.args[1:]:
        value = residue(arg, point, prime)
        if total is None or value is None:
            return None
        if tree.op == "sum":
            total = (total + value) % prime
        elif tree.op == "product":
            total = total * value % prime
        else:
            total = _quotient(total, value, prime)
    return total


def _quotient(over: int, under: int, prime: int) -> int | None:
    if under == 1:
        return over % prime
    return over * pow(under, -1, prime) % prime if under % prime else None


def ratios(trees: Sequence[Node], names: Sequence[str], points: Points) -> list[tuple[int, ...]]:
    """For each measured tree its value at one point over its value at another, modulo each of two primes.

    Two polynomials have the same ratios where they differ by a constant factor, and else by chance only: f(P) g(Q) -
    f(Q) g(P) is then a polynomial that is not zero. Refused ("undecided") where a tree is zero everywhere.
    """
    columns = []
    for _ in range(POINTS):
        for _ in range(MOST_TRIES):
            prime, here = points.place(names)
            _, there = points.place(names)
            found = [(residue(tree, here, prime), residue(tree, there, prime)) for tree in trees]
            column = [_quotient(a, b, prime) for a, b in found if a and b]
            if len(column) == len(trees):
                break
        else:
            raise Refused("undecided")
        columns.append([value or 0 for value in column])
    return list(zip(*columns, strict=True))
