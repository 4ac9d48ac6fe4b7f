"""What counts as an elementary step: the counters behind `work` and `solution`.

An elementary step writes one new symbol that needed a fact or a rule. Copying, signs, times 1, plus 0 and reading are
free. A `Trace` carries out a schoolbook method, and each elementary step leaves one line in it; so `work` is the number
of lines, and no author states it by a formula. The rules, and where two readers would count differently, are fixed by
the golden traces in `tests/test_steps.py`:

- a sum or difference costs one step a column, carry included; a column that only copies is free (at most one of the two
  digits and the carry is not 0; in a difference, nothing is taken away), and so is a leading 0, which nobody writes;
- a product costs one step a digit pair, carry included; a pair is free if a digit is 0, or if one is 1 and no carry
  comes;
- a quotient costs one step a written digit for a one-digit divisor (none for the divisor 1), and 1 + 2n a digit for a
  divisor of n digits: the estimate, n products, n differences (a written 0 costs its estimate alone);
- fractions and polynomials cost the integer operations in them, exponents included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

Polynomial = dict[tuple[int, ...], int]
"""Coefficients by exponents, one exponent a variable; no coefficient is 0."""

Constraint = tuple[Sequence[int], Sequence[tuple[bool, ...]]]
"""A scope (variable numbers) and the rows of truth values over it that are allowed."""


class Act(NamedTuple):
    """A step of a deduction: "assume" or "force" a variable's value, or "refute" (a constraint is contradicted)."""

    kind: str
    number: int
    value: bool


class Trace:
    """The elementary steps of one solution, in order and in words.

    >>> trace = Trace()
    >>> trace.add(47, 38)
    85
    >>> trace.lines
    ['47 + 38: 7 + 8 = 15', '4 + 3 + 1 = 8, so 47 + 38 = 85']
    """

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[str] = []

    @property
    def work(self) -> int:
        """How many elementary steps were taken."""
        return len(self.lines)

    def step(self, sentence: str) -> None:
        """One step that needed a rule: a named rule at one node, an assumption, a forced value, a contradiction."""
        self.lines.append(sentence)

    def add(self, a: int, b: int) -> int:
        """a + b, by columns; where the signs differ, the smaller size is taken from the larger. Signs are free."""
        left, right = abs(a), abs(b)
        if (a < 0) == (b < 0):
            self._record(f"{left} + {right}", _sum_columns(left, right), left + right)
        else:
            big, small = max(left, right), min(left, right)
            self._record(f"{big} - {small}", _difference_columns(big, small), big - small)
        return a + b

    def subtract(self, a: int, b: int) -> int:
        """a - b, by columns."""
        return self.add(a, -b)

    def multiply(self, a: int, b: int) -> int:
        """a * b: a row for each digit of the second factor, then the sum of the rows from the first on."""
        top, bottom = abs(a), abs(b)
        rows = []
        for place, digit in enumerate(_digits(bottom)):
            self._record(f"{top} × {digit}", _product_columns(top, digit), top * digit)
            if digit:
                rows.append(top * digit * 10**place)
        total = rows[0] if rows else 0
        for row in rows[1:]:
            total = self.add(total, row)
        return a * b

    def divide(self, a: int, b: int) -> tuple[int, int]:
        """Quotient and remainder of a >= 0 by b > 0, by long division."""
        if a < 0 or b <= 0:
            raise ValueError(f"long division takes a >= 0 and b > 0, not {a} and {b}")
        quotient, remainder = divmod(a, b)
        if b > 1 and quotient:
            facts = _short_division(a, b) if b < 10 else _long_division(a, b)
            self._record(f"{a} ÷ {b}", facts, f"{quotient} remainder {remainder}" if remainder else quotient)
        return quotient, remainder

    def gcd(self, a: int, b: int) -> int:
        """The greatest common divisor of two positive integers, by Euclid's divisions, the larger first."""
        a, b = max(a, b), min(a, b)
        while b:
            a, b = b, self.divide(a, b)[1]
        return a

    def reduce(self, numerator: int, denominator: int) -> tuple[int, int]:
        """A positive fraction in lowest terms: Euclid's divisions and the two quotients."""
        common = self.gcd(numerator, denominator)
        return self.divide(numerator, common)[0], self.divide(denominator, common)[0]

    def power_rule(self, coefficient: int, exponent: int) -> tuple[int, int]:
        """The derivative of c x^n, as (c n, n - 1): the rule, the product and the difference."""
        self.step(f"power rule: (x^{exponent})' = {exponent} · x^({exponent} - 1)")
        return self.multiply(coefficient, exponent), self.subtract(exponent, 1)

    def add_polynomials(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p + q: one integer sum for each pair of like terms."""
        total = dict(p)
        for exponents, coefficient in q.items():
            if exponents in total:
                total[exponents] = self.add(total[exponents], coefficient)
                if not total[exponents]:
                    del total[exponents]
            else:
                total[exponents] = coefficient
        return total

    def multiply_polynomials(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p q: each term of p by each of q (coefficients, exponents of shared variables), like terms collected."""
        total: Polynomial = {}
        for left, a in p.items():
            for right, b in q.items():
                exponents = tuple(self.add(i, j) for i, j in zip(left, right, strict=True))
                total = self.add_polynomials(total, {exponents: self.multiply(a, b)})
        return total

    def eliminate(self, row: Sequence[int], pivot: Sequence[int], column: int) -> list[int]:
        """`row` x pivot entry - `pivot` x row entry, so that `column` becomes 0, which is known and free."""
        lead, target = pivot[column], row[column]
        return [
            0 if place == column else self.subtract(self.multiply(a, lead), self.multiply(b, target))
            for place, (a, b) in enumerate(zip(row, pivot, strict=True))
        ]

    def _record(self, name: str, facts: list[str], result: object) -> None:
        """Adds the facts of one operation, its name before the first and its result after the last."""
        if len(facts) == 1 and facts[0].startswith(f"{name} = "):
            self.lines.append(facts[0])
        elif facts:
            facts[0] = f"{name}: {facts[0]}"
            facts[-1] = f"{facts[-1]}, so {name} = {result}"
            self.lines.extend(facts)


def _digits(n: int) -> list[int]:
    """The decimal digits of n >= 0, the last first."""
    return [ord(c) - 48 for c in reversed(str(n))]


def _sum_columns(left: int, right: int) -> list[str]:
    facts, carry = [], 0
    for upper, lower in zip_longest(_digits(left), _digits(right), fillvalue=0):
        parts = [str(part) for part in (upper, lower, carry) if part]
        total = upper + lower + carry
        if len(parts) > 1:
            facts.append(f"{' + '.join(parts)} = {total}")
        carry = total // 10
    return facts


def _difference_columns(big: int, small: int) -> list[str]:
    facts, borrow = [], 0
    written = len(str(big - small))
    for upper, lower in islice(zip_longest(_digits(big), _digits(small), fillvalue=0), written):
        fact, lent = _difference(upper, lower, borrow)
        if lower or borrow:
            facts.append(fact)
        borrow = lent
    return facts


def _difference(upper: int, lower: int, borrow: int) -> tuple[str, int]:
    """The fact of one column, and what it borrows from the next."""
    lent = int(upper < lower + borrow)
    less = f" - {borrow}" if borrow else ""
    return f"{upper + 10 * lent} - {lower}{less} = {upper + 10 * lent - lower - borrow}", lent


def _product_columns(top: int, digit: int) -> list[str]:
    facts, carry = [], 0
    for upper in _digits(top):
        total = upper * digit + carry
        if (upper > 1 and digit > 1) or (upper and digit and carry):
            facts.append(f"{upper} × {digit}{f' + {carry}' if carry else ''} = {total}")
        carry = total // 10
    return facts


def _quotient_digits(a: int, b: int) -> Iterator[tuple[int, int]]:
    """Each written digit of a / b with the number that it divides, the first digit first."""
    rest, started = 0, False
    for digit in reversed(_digits(a)):
        part = 10 * rest + digit
        wanted, rest = divmod(part, b)
        started = started or wanted > 0
        if started:
            yield part, wanted


def _short_division(a: int, b: int) -> list[str]:
    return [
        f"{part} ÷ {b} = {digit}" + (f" remainder {part - digit * b}" if part % b else "")
        for part, digit in _quotient_digits(a, b)
    ]


def _long_division(a: int, b: int) -> list[str]:
    facts, width = [], len(str(b))
    for part, digit in _quotient_digits(a, b):
        facts.append(f"{b} goes into {part} {digit} times" if digit != 1 else f"{b} goes into {part} once")
        if not digit:
            continue
        carry = borrow = 0
        for upper in _digits(b):
            total = upper * digit + carry
            facts.append(f"{upper} × {digit}{f' + {carry}' if carry else ''} = {total}")
            carry = total // 10
        for upper, lower in islice(zip_longest(_digits(part), _digits(digit * b), fillvalue=0), width):
            fact, borrow = _difference(upper, lower, borrow)
            facts.append(fact)
    return facts


class Deduction:
    """The search for truth values that satisfy constraints, in one fixed order (DPLL), each step left in `acts`.

    Constraints are read in order, again and again: one with no row left is a contradiction; one whose rows left agree
    on an open variable forces it. When nothing is forced, the first open variable is assumed true; after a
    contradiction it is false. Each assumption, forced value and contradiction is one step.
    """

    def __init__(self, count: int, constraints: Sequence[Constraint]) -> None:
        self.acts: list[Act] = []
        self._count = count
        # Truth values are bits, one a variable, so that a row is checked against all that is known at once.
        self._scopes = [tuple(scope) for scope, _ in constraints]
        self._masks = [sum(1 << v for v in scope) for scope in self._scopes]
        self._rows = [
            [sum(1 << v for v, value in zip(scope, row, strict=True) if value) for row in rows]
            for scope, rows in constraints
        ]
        self._readers: list[list[int]] = [[] for _ in range(count)]
        for number, scope in enumerate(self._scopes):
            for variable in scope:
                self._readers[variable].append(number)

    def solutions(self, known: int = 0, values: int = 0) -> Iterator[tuple[bool, ...]]:
        """Every solution, as it is found; the steps taken before the first one comes are those of finding it."""
        known, values, is_consistent = self._propagate(known, values)
        if not is_consistent:
            return
        variable = next((v for v in range(self._count) if not known >> v & 1), None)
        if variable is None:
            yield tuple(bool(values >> v & 1) for v in range(self._count))
            return
        for kind, value in (("assume", True), ("force", False)):
            self.acts.append(Act(kind, variable, value))
            yield from self.solutions(known | 1 << variable, values | value << variable)

    def _propagate(self, known: int, values: int) -> tuple[int, int, bool]:
        """Known variables and their values once nothing more is forced; False once a constraint has no row left."""
        unread = [True] * len(self._scopes)
        while True in unread:
            for number, is_unread in enumerate(unread):
                if not is_unread:
                    continue
                unread[number] = False
                seen = known & self._masks[number]
                left = [row for row in self._rows[number] if row & seen == values & seen]
                if not left:
                    self.acts.append(Act("refute", number, False))
                    return known, values, False
                every, some = left[0], left[0]
                for row in left:
                    every, some = every & row, some | row
                if not (self._masks[number] & ~known & ~(every ^ some)):
                    continue
                for variable in self._scopes[number]:
                    bit = 1 << variable
                    if not known & bit and not (every ^ some) & bit:
                        known, values = known | bit, values | every & bit
                        self.acts.append(Act("force", variable, bool(every & bit)))
                        for reader in self._readers[variable]:
                            unread[reader] = reader != number or unread[number]
        return known, values, True
