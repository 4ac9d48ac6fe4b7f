"""From tokens to an unevaluated tree: recursive descent, each grammar rule its method's docstring."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from taskgen_verifiers.text import plain_characters
from taskgen_verifiers.tokens import Token, tokens
from taskgen_verifiers.tree import Node
from taskgen_verifiers.verdict import Refused

DEEPEST = 48
"""Brackets, signs, exponents and quotients within each other."""

MOST_NODES = 2_000

_END = Token("end", "")


def parse(text: str, variables: tuple[str, ...] = (), *, grouped: bool = True, labels: bool = False) -> list[Node]:
    """The members of an equality chain, `a = b = c`; one where there is no equality sign.

    Only `variables` may occur as names; with `labels`, any letter may in the first of several members. Refused
    ("unparsable", "over_limit") at anything outside the grammar.

    >>> [node.op for node in parse(r"3\\frac12 = 7/2")]
    ['mixed', 'quotient']
    """
    found = tokens(plain_characters(text), frozenset(variables), grouped)
    members: list[list[Token]] = [[]]
    for token in found:
        if token.kind == "=":
            members.append([])
        else:
            members[-1].append(token)
    chained = labels and len(members) > 1
    return [
        _Parser(member, None if chained and not position else variables).whole()
        for position, member in enumerate(members)
    ]


class _Parser:
    def __init__(self, found: list[Token], variables: tuple[str, ...] | None) -> None:
        self._tokens = [*found, _END]
        self._variables = variables
        self._position = 0
        self._depth = 0
        self._nodes = 0
        self._exponents = 0

    def whole(self) -> Node:
        """whole := sum, and then nothing."""
        node = self._sum()
        if self._next.kind != "end":
            raise Refused("unparsable")
        return node

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._tokens[self._position]
        self._position += 1
        return token

    def _node(self, op: str, *args: Node, value: Fraction = Fraction(0), name: str = "") -> Node:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise Refused("over_limit")
        return Node(op, args, value, name)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Refused("over_limit")

    def _sum(self) -> Node:
        """sum := product (("+" | "-") product)*"""
        terms = [self._product()]
        while self._next.kind in ("+", "-"):
            negative = self._take().kind == "-"
            term = self._product()
            terms.append(self._node("negative", term) if negative else term)
        return terms[0] if len(terms) == 1 else self._node("sum", *terms)

    def _product(self) -> Node:
        """product := ("+" | "-")* power (("*" | "/") signed | power)*, from left to right: 1/2x is (1/2)x, -xy -(xy)"""
        if self._next.kind in ("+", "-"):
            return self._after_sign(self._product)
        factors, quotients = [self._power()], 0
        while True:
            kind = self._next.kind
            if kind in ("*", "/"):
                self._take()
                factor = self._signed()
            elif kind in ("(", "[", "name", "frac", "{"):
                factor = self._power()
            elif kind in ("integer", "decimal"):
                # Two numerals side by side are no product: "2 3" may be 23, 6 or a list.
                raise Refused("unparsable")
            else:
                self._depth -= quotients
                return self._joined(factors)
            if kind == "/":
                quotients += 1
                self._deeper()
                factors = [self._node("quotient", self._joined(factors), factor)]
            else:
                factors.append(factor)

    def _joined(self, factors: list[Node]) -> Node:
        return factors[0] if len(factors) == 1 else self._node("product", *factors)

    def _signed(self) -> Node:
        """signed := ("+" | "-")* power"""
        return self._after_sign(self._signed) if self._next.kind in ("+", "-") else self._power()

    def _after_sign(self, rule: Callable[[], Node]) -> Node:
        self._deeper()
        negative = self._take().kind == "-"
        node = rule()
        self._depth -= 1
        return self._node("negative", node) if negative else node

    def _power(self) -> Node:
        """power := atom "!"* ("^" exponent)?, the exponent grouped or signed; powers bind from the right."""
        node = self._atom()
        while self._next.kind == "!":
            self._take()
            self._deeper()
            node = self._node("factorial", node)
        if self._next.kind == "^":
            self._take()
            self._deeper()
            self._exponents += 1
            node = self._node("power", node, self._signed())
            self._exponents -= 1
            self._depth -= 1
        if self._exponents and node.op in ("power", "factorial"):
            # A tower outgrows every bound, and measuring one would take time that doubles with its height.
            raise Refused("over_limit")
        return node

    def _atom(self) -> Node:
        """atom := numeral | name | "frac" argument argument | "(" sum ")" | "[" sum "]" | "{" sum "}" """
        token = self._take()
        if token.kind in ("integer", "decimal"):
            return self._numeral(token)
        if token.kind == "name":
            return self._name(token)
        if token.kind == "frac":
            return self._node("quotient", self._argument(), self._argument())
        closing = {"(": ")", "[": "]", "{": "}"}.get(token.kind)
        if closing is None:
            raise Refused("unparsable")
        self._deeper()
        node = self._sum()
        self._depth -= 1
        if self._take().kind != closing:
            raise Refused("unparsable")
        return node

    def _numeral(self, token: Token) -> Node:
        r"""numeral := digits "%"? | integer " " integer "/" integer | integer \frac integers (a mixed number)"""
        node = self._node(token.kind, value=token.value)
        if token.kind == "integer" and (part := self._fraction_part()):
            if not part.args[0].value < part.args[1].value or not token.value:
                raise Refused("unparsable")
            value = token.value + part.args[0].value / part.args[1].value
            return self._node("mixed", node, part, value=value)
        if self._next.kind == "%":
            self._take()
            return self._node("decimal", value=token.value / 100)
        return node

    def _fraction_part(self) -> Node | None:
        """The fraction of integers that follows an integer without a sign between, or None."""
        start = self._position
        kinds = [token.kind for token in self._tokens[start : start + 3]]
        if kinds == ["integer", "/", "integer"] and self._next.spaced:
            top, _, bottom = (self._take() for _ in range(3))
            if self._next.kind in ("^", "!", "integer", "decimal", "/"):
                raise Refused("unparsable")
            return self._node(
                "quotient", self._node("integer", value=top.value), self._node("integer", value=bottom.value)
            )
        if kinds[:1] == ["frac"]:
            self._take()
            part = self._node("quotient", self._argument(), self._argument())
            if all(arg.op == "integer" for arg in part.args):
                return part
            self._position = start
        return None

    def _name(self, token: Token) -> Node:
        """name := one of the variables; letters side by side are a product unless they spell one"""
        if self._variables is None:
            return self._node("name", name=token.text)
        word, best = token.text, None
        for ahead in range(self._position, len(self._tokens)):
            if word in self._variables:
                best = (word, ahead)
            following = self._tokens[ahead]
            if following.kind not in ("name", "integer") or following.spaced:
                break
            word += following.text
        if best is None:
            raise Refused("unparsable")
        self._position = best[1]
        return self._node("name", name=best[0])

    def _argument(self) -> Node:
        r"""argument := "{" sum "}" | one digit | name (as in \frac12)"""
        token = self._next
        if token.kind == "{":
            return self._atom()
        if token.kind == "integer" and token.text.isdigit():
            digit, rest = token.text[0], token.text[1:]
            if rest:
                self._tokens[self._position] = Token("integer", rest, Fraction(int(rest)))
            else:
                self._take()
            return self._node("integer", value=Fraction(int(digit)))
        if token.kind == "name":
            return self._atom()
        raise Refused("unparsable")
