"""The unevaluated tree that a text is parsed to. Immutable; nothing is simplified, so that form can be judged."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Node(NamedTuple):
    """A numeral ("integer", "decimal", "mixed"), a "name", or an operation on its `args`.

    Operations: "sum" and "product" (two or more), "quotient", "power" (two), "negative", "factorial" (one). A numeral
    has its `value`; a mixed number's args are its whole part and its fraction; a name has its `name`.
    """

    op: str
    args: tuple[Node, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""


NUMERALS = frozenset({"integer", "decimal", "mixed"})


def integer(value: int) -> Node:
    """The numeral of an integer, which may be negative (a numeral has no sign of its own)."""
    return Node("integer", value=Fraction(value)) if value >= 0 else Node("negative", (integer(-value),))


def key(node: Node) -> tuple[object, ...]:
    """The tree up to the order of summands and factors: two trees with the same key say the same thing."""
    args = tuple(key(arg) for arg in node.args)
    if node.op in ("sum", "product"):
        args = tuple(sorted(args, key=repr))
    return (node.op, args, node.value.numerator, node.value.denominator, node.name)


def names(node: Node) -> frozenset[str]:
    """The names in the tree."""
    return frozenset({node.name} if node.name else ()).union(*map(names, node.args))
