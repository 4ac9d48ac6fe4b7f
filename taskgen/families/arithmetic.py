"""Arithmetic with whole numbers."""

from __future__ import annotations

from taskgen.family import Problem, family
from taskgen.notation import math, signed_sum
from taskgen.sampling import Draw
from taskgen.steps import Trace
from taskgen_verifiers import Number

_MOST_TERMS = 5


def _chains(difficulty: float) -> float:
    """Pairs of digits to add or subtract at one step; from two steps on, what repeats as often as the draws do."""
    return 90 if difficulty < 1 else 2000 * 10.0 ** min(difficulty - 1, 200)


@family(area="arithmetic", ceiling=512, capacity=_chains)
def addition_chain(rng: Draw, difficulty: int) -> Problem:
    """Add and subtract whole numbers from left to right; no running total is negative.

    Method counted: column by column from the right, carries and borrows included, one operation after the other.
    The budget is spent on terms times digits. Example: 47 + 38 - 21 takes 4 steps and gives 64.
    """
    budget = 1 + difficulty
    operations = rng.integer(1, min(_MOST_TERMS - 1, budget))
    lengths = rng.split(budget, operations)
    terms, trace = [rng.digits(max(lengths))], Trace()
    total = terms[0]
    for length in lengths:
        term = rng.digits(length)
        minus = rng.chance(0.5)
        if minus and term > total and len(terms) == 1:
            terms[0], total, term = term, term, total
        term = -term if minus and term <= total else term
        terms.append(term)
        total = trace.add(total, term)
    question = rng.choice(("Compute {}.", "Work out {}.", "What is {}?", "Find the value of {}."))
    return Problem(
        question=question.format(math(signed_sum(map(str, terms)))),
        answer=str(total),
        check=Number("integer"),
        work=trace.work,
        identity=signed_sum(map(str, sorted(terms))),
        solution=tuple(trace.lines),
    )
