"""The unevaluated tree that a text is parsed to. Immutable; nothing is simplified, so that form can be judged."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple


class Node(NamedTuple):
    """A numeral, a "name", or an operation on its `args`; `depth` counts the levels.

    Numerals: "integer", "decimal", "scientific", "repeating", "mixed"; each has its `value`, none has a sign. A mixed
    number's args are its whole part and its fraction. A name has its `name`. Operations: "sum" and "product" (two or
    more args), "quotient", "power" (two), "negative", "percent", "factorial" (one).
    """

    op: str
    args: tuple[Node, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""
    depth: int = 1


NUMERALS = frozenset({"integer", "decimal", "scientific", "repeating", "mixed"})


def node(op: str, *args: Node) -> Node:
    """An operation on its arguments."""
    return Node(op, args, depth=1 + max(arg.depth for arg in args))


def integer(value: int) -> Node:
    """The numeral of a whole number; a sign would be an operation."""
    return Node("integer", value=Fraction(value))


def unsigned(tree: Node) -> Node:
    """The tree without one sign in front of it."""
    return tree.args[0] if tree.op == "negative" else tree


def nodes(tree: Node) -> Iterator[Node]:
    """Every node of the tree."""
    pending = [tree]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(current.args)


def names(tree: Node) -> frozenset[str]:
    """The names in the tree."""
    return frozenset(found.name for found in nodes(tree) if found.name)


def outline(tree: Node) -> tuple[Any, ...]:
    """What the tree says, up to the order of terms and factors and to idle signs: equal for `x*1 + 0` and `x`.

    Two trees with the same outline are the same expression; nothing is computed.
    """
    if tree.op in NUMERALS:
        return ("number", str(tree.value))
    if tree.op == "name":
        return ("name", tree.name)
    args: list[tuple[Any, ...]] = [outline(arg) for arg in tree.args]
    idle = {"sum": _ZERO, "product": _ONE}.get(tree.op)
    if idle:
        spread = [part for arg in args for part in (arg[1:] if arg[0] == tree.op else (arg,)) if part != idle]
        args = sorted(spread, key=repr) or [idle]
        return args[0] if len(args) == 1 else (tree.op, *args)
    if tree.op == "negative" and args[0][0] == "negative":
        return tuple(args[0][1])
    if tree.op in ("quotient", "power") and args[1] == _ONE:
        return args[0]
    return (tree.op, *args)


_ZERO = ("number", "0")
_ONE = ("number", "1")
