"""Equations and expressions with letters."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

from taskgen.family import Problem, family
from taskgen.notation import bracketed, by_degree, math, monomial, plain, polynomial, signed_sum
from taskgen.sampling import Draw
from taskgen.steps import Polynomial, Trace
from taskgen_verifiers import Expression, Number

_LETTERS = ("x", "y", "t", "n")

Linear = tuple[tuple[int, "Inside"], ...]
"""A sum: each term a factor and what it multiplies."""

Inside = Linear | str
"""The unknown ("x"), 1 (""), or a bracket."""

Term = tuple[int, Inside]


def _equations(difficulty: float) -> float:
    """One-step equations; from three steps on, what repeats as often as the draws do. Two steps are no set to test on:
    there are more equations, but few solutions make up most of them."""
    return 172 if difficulty < 2 else 4000 * 10.0 ** min(difficulty - 2, 60)


@family(area="algebra", capacity=_equations)
def linear_equation(rng: Draw, difficulty: int) -> Problem:
    """Solve a linear equation in one unknown; the solution is a whole number.

    Method counted: on either side, multiply out the brackets from left to right, innermost first, and collect; then
    take the unknown to the left, the numbers to the right, and divide. The budget is spent on brackets, which nest, and
    on coefficients. Example: 3(2x - 5) = x + 5 gives 4.
    """
    letter = rng.choice(_LETTERS)
    if difficulty == 0:
        left, right, solution = _one_step(rng)
    else:
        solution = rng.nonzero(9 + 3 * difficulty) if difficulty < 30 else rng.nonzero(99)
        left, right = _sides(rng, difficulty, solution)
    trace = Trace()
    found = _solve(left, right, trace)
    assert found == solution, (left, right, found, solution)
    sides = sorted(json.dumps(_canonical(side)) for side in (left, right))
    equation = f"{_show(left, letter)} = {_show(right, letter)}"
    question = rng.choice(("Solve {} for {}.", "Solve the equation {}. What is {}?", "If {}, what is the value of {}?"))
    return Problem(
        question=question.format(math(equation), math(letter)),
        answer=str(solution),
        check=Number("integer"),
        work=trace.work,
        identity=" = ".join(sides),
        solution=tuple(trace.lines),
    )


def _one_step(rng: Draw) -> tuple[Linear, Linear, int]:
    """x + a = b or a x = b, with one-digit numbers."""
    solution, number = rng.integer(1, 9), rng.integer(2, 9)
    if rng.chance(0.5):
        return ((number, "x"),), ((number * solution, ""),), solution
    if solution <= number or rng.chance(0.5):
        return ((1, "x"), (number, "")), ((solution + number, ""),), solution
    return ((1, "x"), (-number, "")), ((solution - number, ""),), solution


class _Side:
    """One side as it grows: its terms, what they collect to, and the steps of collecting them."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.trace = Trace()
        self.a = self.b = 0

    def append(self, term: Term) -> None:
        self.terms.append(term)
        self.a, self.b = _gather(self.a, self.b, term, self.trace)


def _sides(rng: Draw, difficulty: int, solution: int) -> tuple[Linear, Linear]:
    """Two sides that the solution makes equal: terms and brackets are added until the budget is spent."""
    size = 9 if difficulty < 24 or rng.chance(0.5) else 30
    left, right = _Side(), _Side()
    left.append((rng.integer(1, size), "x"))
    while True:
        ending = Trace()
        gap = (left.a - right.a) * solution + left.b - right.b
        _divide(left.a, left.b, right.a, right.b + gap, ending)
        missing = 1 + difficulty - left.trace.work - right.trace.work - ending.work
        if missing <= difficulty // 8:
            return tuple(left.terms), _balanced(right.terms, gap)
        side = rng.choice((left, right))
        inside = _inside(rng, size, missing)
        if side.terms and side.terms[-1][1] == inside:
            continue
        term = (_factor(rng, size, inside), inside)
        slope, _ = _gather(0, 0, term, Trace())
        if left.a - right.a + (slope if side is left else -slope):
            side.append(term)


def _inside(rng: Draw, size: int, missing: int) -> Inside:
    """What a new term multiplies: the unknown or 1 for the last few steps, else a bracket, which may hold another."""
    if missing < 8:
        return rng.choice(("x", ""))
    inner: list[Term] = [(rng.nonzero(size), "x"), (rng.nonzero(size), "")]
    if missing > 20 and rng.chance(0.5):
        deeper = _inside(rng, size, missing - 10)
        inner.append((_factor(rng, size, deeper), deeper))
    return tuple(rng.shuffle(inner))


def _factor(rng: Draw, size: int, inside: Inside) -> int:
    """A factor for what it multiplies: nobody puts an expression in brackets to multiply it by 1."""
    while (factor := rng.nonzero(size)) == 1 and not isinstance(inside, str):
        pass
    return factor


def _balanced(terms: list[Term], gap: int) -> Linear:
    """The right-hand side with the number that is missing: a new last term, or the last one changed."""
    if terms and terms[-1][1] == "":
        gap += terms[-1][0]
        terms = terms[:-1]
    return (*terms, (gap, "")) if gap or not terms else tuple(terms)


def _solve(left: Linear, right: Linear, trace: Trace) -> int:
    """The solution by the method that the family names."""
    return _divide(*_collect(left, trace), *_collect(right, trace), trace)


def _divide(a: int, b: int, c: int, d: int, trace: Trace) -> int:
    """The solution of a x + b = c x + d, a whole number."""
    slope, number = trace.subtract(a, c), trace.subtract(d, b)
    size, rest = trace.divide(abs(number), abs(slope))
    assert not rest, (a, b, c, d)
    return size if (number < 0) == (slope < 0) else -size


def _collect(side: Linear, trace: Trace) -> tuple[int, int]:
    """The side as a x + b."""
    a = b = 0
    for term in side:
        a, b = _gather(a, b, term, trace)
    return a, b


def _gather(a: int, b: int, term: Term, trace: Trace) -> tuple[int, int]:
    """a x + b and one more term."""
    factor, inside = term
    if inside == "x":
        return trace.add(a, factor), b
    if isinstance(inside, str):
        return a, trace.add(b, factor)
    p, q = _collect(inside, trace)
    return trace.add(a, trace.multiply(factor, p)), trace.add(b, trace.multiply(factor, q))


def _show(side: Linear, letter: str) -> str:
    return signed_sum(
        monomial(factor, [(letter, int(inside == "x"))])
        if isinstance(inside, str)
        else monomial(factor, [(bracketed(_show(inside, letter)), 1)])
        for factor, inside in side
    )


def _canonical(side: Linear) -> list[Any]:
    """The side as JSON data, free of order and of the letter."""
    return sorted(([k, part if isinstance(part, str) else _canonical(part)] for k, part in side), key=json.dumps)


_LETTER_SETS = ("xyz", "abc", "uvw", "pqr")

Product = tuple[int, tuple[Polynomial, ...]]
"""A number times polynomials."""


@family(area="algebra", floor=2, capacity=lambda difficulty: 900 * 4.0 ** min(difficulty, 50))
def expand_and_collect(rng: Draw, difficulty: int) -> Problem:
    """Expand a sum of products of polynomials and collect like terms.

    Method counted: multiply the factors of each product from left to right, term by term, then the number in front;
    add the results from left to right. The budget is spent on factors and variables.
    Example: 2(x + 3) - (x - 1)(x + 4) gives -x^2 - x + 10.
    """
    letters = rng.choice(_LETTER_SETS)[: rng.integer(1, 1 + (difficulty >= 6) + (difficulty >= 20))]
    products: list[Product] = []
    trace = Trace()
    total: Polynomial = {}
    while trace.work <= difficulty or not total:
        product = _product(rng, total, len(letters), 1 + difficulty - trace.work)
        products.append(product)
        total = trace.add_polynomials(total, _expanded(product, trace))
    letters, products, total = _occurring(letters, products, total)
    expression = signed_sum(_show_product(product, letters) for product in products)
    question = rng.choice(
        ("Expand {} and collect like terms.", "Multiply out and simplify {}.", "Write {} in expanded form.")
    )
    return Problem(
        question=question.format(math(expression)),
        answer=plain(polynomial(total, letters)),
        check=Expression(tuple(letters), form="expanded", echo=plain(expression)),
        work=trace.work,
        identity=min(_content(products, order) for order in permutations(range(len(letters)))),
        solution=tuple(trace.lines),
    )


def _product(rng: Draw, total: Polynomial, variables: int, missing: int) -> Product:
    """A number times one to three polynomials, for about the missing work; a like term for the last few steps."""
    if total and missing < 4:
        return rng.nonzero(9), ({rng.choice(list(total)): 1},)
    if missing < 8:
        return rng.choice((rng.integer(2, 9), -rng.integer(1, 9))), (_polynomial(rng, variables, 2),)
    if missing < 26 or rng.chance(0.6):
        return rng.choice((1, -1, rng.nonzero(5))), tuple(_polynomial(rng, variables, 2) for _ in range(2))
    return rng.choice((1, -1)), tuple(_polynomial(rng, variables, 2) for _ in range(3))


def _polynomial(rng: Draw, variables: int, terms: int) -> Polynomial:
    """`terms` different monomials, of degree 0 or 1 in each variable, at least one not constant."""
    while True:
        chosen = {tuple(rng.integer(0, 1) for _ in range(variables)): rng.nonzero(9) for _ in range(terms)}
        if len(chosen) == terms and any(any(exponents) for exponents in chosen):
            # As written: the method multiplies term by term, from left to right.
            return dict(sorted(chosen.items(), key=lambda term: by_degree(term[0])))


def _occurring(letters: str, products: list[Product], total: Polynomial) -> tuple[str, list[Product], Polynomial]:
    """The same without the letters that no polynomial holds."""
    kept = [
        i for i in range(len(letters)) if any(e[i] for _, factors in products for factor in factors for e in factor)
    ]

    def narrowed(p: Polynomial) -> Polynomial:
        return {tuple(e[i] for i in kept): coefficient for e, coefficient in p.items()}

    remaining = [(number, tuple(map(narrowed, factors))) for number, factors in products]
    return "".join(letters[i] for i in kept), remaining, narrowed(total)


def _expanded(product: Product, trace: Trace) -> Polynomial:
    number, factors = product
    total = factors[0]
    for factor in factors[1:]:
        total = trace.multiply_polynomials(total, factor)
    return {exponents: trace.multiply(coefficient, number) for exponents, coefficient in total.items()}


def _show_product(product: Product, letters: str) -> str:
    number, factors = product
    if len(factors[0]) == 1:
        return polynomial(dict.fromkeys(factors[0], number), letters)
    return monomial(number, [(bracketed(polynomial(factor, letters)), 1) for factor in factors])


def _content(products: list[Product], order: tuple[int, ...]) -> str:
    """The sum of products as text, free of the order of terms and factors, its variables in the given order."""
    renamed = [
        [k, sorted(sorted([[e[i] for i in order], c] for e, c in factor.items()) for factor in factors)]
        for k, factors in products
    ]
    return json.dumps(sorted(renamed))
