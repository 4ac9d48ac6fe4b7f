"""From tokens to an unevaluated tree: a Pratt parser, each grammar rule its method's docstring."""

from __future__ import annotations

from fractions import Fraction

from taskgen_verifiers.tokens import Token, tokens
from taskgen_verifiers.tree import Node, node
from taskgen_verifiers.verdict import Refused

DEEPEST = 64
"""Levels of expressions within each other, and of the tree."""

MOST_NODES = 2_000
"""Nodes of a tree: a polynomial in three variables with 120 terms has about 1,500."""

MOST_MEMBERS = 16
"""Members of a chain of equalities."""

SUM, PRODUCT, POWER, POSTFIX = 1, 2, 3, 4
"""How tightly operators bind."""

_BINDS = dict.fromkeys("+-", SUM) | dict.fromkeys("*/", PRODUCT) | {"^": POWER} | dict.fromkeys("!%", POSTFIX)
_BINDS |= dict.fromkeys(("(", "[", "{", "name", "frac"), PRODUCT)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_NUMERALS = frozenset({"integer", "decimal", "scientific", "repeating"})
_END = Token("end", "")


def parse(text: str, variables: tuple[str, ...] = (), grouped: bool = True) -> list[Node]:
    """The members of a chain of equalities, `a = b = c`; one where there is no equality sign.

    Only `variables` may occur as names. Refused ("unparsable", "over_limit") at anything outside the grammar.

    >>> [member.op for member in parse(r"3\\frac12 = 7/2")]
    ['mixed', 'quotient']
    """
    members: list[list[Token]] = [[]]
    for token in tokens(text, variables, grouped):
        if token.kind == "=":
            members.append([])
        else:
            members[-1].append(token)
    if len(members) > MOST_MEMBERS:
        raise Refused("over_limit")
    return [_Parser(member, variables).whole() for member in members]


class _Parser:
    def __init__(self, found: list[Token], variables: tuple[str, ...]) -> None:
        self._tokens = [*found, _END]
        self._variables = variables
        self._position = 0
        self._depth = 0
        self._nodes = 0

    def whole(self) -> Node:
        """whole := expression, and then nothing."""
        tree = self._expression(0)
        if self._next.kind != "end":
            raise Refused("unparsable")
        return tree

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._tokens[self._position]
        self._position += 1
        return token

    def _leaf(self, leaf: Node) -> Node:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise Refused("over_limit")
        return leaf

    def _node(self, op: str, *args: Node) -> Node:
        tree = node(op, *args)
        if tree.depth > DEEPEST:
            raise Refused("over_limit")
        return self._leaf(tree)

    def _expression(self, binding: int) -> Node:
        """expression := prefix (sum | product | quotient | power | postfix)*, while these bind tighter."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise Refused("over_limit")
        left = self._prefix(binding)
        while _BINDS.get(kind := self._next.kind, 0) > binding:
            if kind in "+-":
                left = self._sum(left)
            elif kind == "/":
                self._take()
                left = self._node("quotient", left, self._expression(PRODUCT))
            elif kind == "^":
                self._take()
                left = self._node("power", left, self._expression(POWER - 1))
            elif kind in "!%":
                left = self._postfix(left)
            else:
                left = self._product(left)
        self._depth -= 1
        return left

    def _sum(self, left: Node) -> Node:
        """sum := expression (("+" | "-") expression)+"""
        terms = [left]
        while self._next.kind in ("+", "-"):
            negative = self._take().kind == "-"
            term = self._expression(SUM)
            terms.append(self._node("negative", term) if negative else term)
        return self._node("sum", *terms)

    def _product(self, left: Node) -> Node:
        """product := expression (("*" | nothing) expression)+, from left to right with quotients: 1/2x is (1/2)x.

        Two numerals side by side are no product, nor is a numeral behind a letter: "2 3" may be 23, 6 or a list.
        """
        factors = [left]
        while (kind := self._next.kind) != "/" and _BINDS.get(kind, 0) == PRODUCT:
            if kind == "*":
                self._take()
            factors.append(self._expression(PRODUCT))
        return self._node("product", *factors)

    def _postfix(self, left: Node) -> Node:
        """postfix := expression "!" | numeral "%" """
        if self._take().kind == "!":
            return self._node("factorial", left)
        if left.op not in ("integer", "decimal", "mixed"):
            raise Refused("unparsable")
        return self._node("percent", left)

    def _prefix(self, binding: int) -> Node:
        """prefix := ("+" | "-") expression | numeral | name | fraction | "(" expression ")", also with [] or {}

        A sign covers the product behind it, but not the sum: -2x^2 + 1 is (-(2x^2)) + 1.
        """
        token = self._take()
        if token.kind in _NUMERALS:
            return self._numeral(token)
        if token.kind == "name":
            return self._name(token)
        if token.kind == "frac":
            return self._fraction()
        if token.kind in ("+", "-"):
            operand = self._expression(max(binding, SUM))
            return operand if token.kind == "+" else self._node("negative", operand)
        if token.kind not in _CLOSING:
            raise Refused("unparsable")
        tree = self._expression(0)
        if self._take().kind != _CLOSING[token.kind]:
            raise Refused("unparsable")
        return tree

    def _numeral(self, token: Token) -> Node:
        r"""numeral := digits | integer integer "/" integer | integer \frac integer integer (mixed, the part below 1)"""
        whole = self._leaf(Node(token.kind, value=token.value))
        if token.kind != "integer":
            return whole
        if self._next.kind == "/" and " " in token.text:
            # 1 234/567 may be 1234/567, or 1 and 234/567.
            raise Refused("ambiguous")
        part = self._mixed_part()
        if part is None:
            return whole
        over, under = (arg.value for arg in part.args)
        if not token.value or not over < under or self._next.kind in ("^", "!", "/"):
            raise Refused("unparsable")
        return self._leaf(Node("mixed", (whole, part), token.value + over / under, depth=3))

    def _mixed_part(self) -> Node | None:
        """The fraction of integers that follows an integer with no sign between them, or None."""
        start = self._position
        if self._next.kind == "frac":
            self._take()
            part = self._fraction()
            if all(arg.op == "integer" for arg in part.args):
                return part
        elif [token.kind for token in self._tokens[start : start + 3]] == ["integer", "/", "integer"]:
            over, _, under = (self._take() for _ in range(3))
            if self._next.kind == "integer":
                raise Refused("unparsable")
            return self._node("quotient", *(Node("integer", value=part.value) for part in (over, under)))
        self._position = start
        return None

    def _name(self, token: Token) -> Node:
        """name := one of the variables"""
        if token.text not in self._variables:
            raise Refused("unparsable")
        return self._leaf(Node("name", name=token.text))

    def _fraction(self) -> Node:
        r"""fraction := \frac argument argument"""
        return self._node("quotient", self._argument(), self._argument())

    def _argument(self) -> Node:
        r"""argument := "{" expression "}" | one digit | name, as in \frac12 and \frac ab"""
        token = self._next
        if token.kind in ("{", "name"):
            return self._prefix(POSTFIX)
        if token.kind != "integer" or not token.text.isdigit():
            raise Refused("unparsable")
        digit, rest = token.text[0], token.text[1:]
        if rest:
            self._tokens[self._position] = Token("integer", rest, Fraction(int(rest)))
        else:
            self._take()
        return self._leaf(Node("integer", value=Fraction(int(digit))))
