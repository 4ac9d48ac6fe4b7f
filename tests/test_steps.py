"""Golden traces: where two readers would count differently, these decide."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskgen.steps import Deduction, Trace

whole = st.integers(0, 10**12)


def traced(method: str, *arguments: object) -> tuple[object, list[str]]:
    trace = Trace()
    return getattr(trace, method)(*arguments), trace.lines


GOLDEN = [
    ("add", (7, 8), 15, ["7 + 8 = 15"]),
    ("add", (47, 38), 85, ["47 + 38: 7 + 8 = 15", "4 + 3 + 1 = 8, so 47 + 38 = 85"]),
    (
        "multiply",
        (347, 6),
        2082,
        ["347 × 6: 7 × 6 = 42", "4 × 6 + 4 = 28", "3 × 6 + 2 = 20, so 347 × 6 = 2082"],
    ),
    (
        "divide",
        (745, 6),
        (124, 1),
        [
            "745 ÷ 6: 7 ÷ 6 = 1 remainder 1",
            "14 ÷ 6 = 2 remainder 2",
            "25 ÷ 6 = 4 remainder 1, so 745 ÷ 6 = 124 remainder 1",
        ],
    ),
    (
        "divide",
        (745, 23),
        (32, 9),
        [
            "745 ÷ 23: 23 goes into 74 3 times",
            "3 × 3 = 9",
            "2 × 3 = 6",
            "14 - 9 = 5",
            "7 - 6 - 1 = 0",
            "23 goes into 55 2 times",
            "3 × 2 = 6",
            "2 × 2 = 4",
            "15 - 6 = 9",
            "5 - 4 - 1 = 0, so 745 ÷ 23 = 32 remainder 9",
        ],
    ),
    (
        "multiply",
        (34, 57),
        1938,
        [
            "34 × 7: 4 × 7 = 28",
            "3 × 7 + 2 = 23, so 34 × 7 = 238",
            "34 × 5: 4 × 5 = 20",
            "3 × 5 + 2 = 17, so 34 × 5 = 170",
            "238 + 1700: 2 + 7 = 9, so 238 + 1700 = 1938",
        ],
    ),
    (
        "reduce",
        (18, 24),
        (3, 4),
        [
            "24 ÷ 18: 18 goes into 24 once",
            "8 × 1 = 8",
            "1 × 1 = 1",
            "14 - 8 = 6",
            "2 - 1 - 1 = 0, so 24 ÷ 18 = 1 remainder 6",
            "18 ÷ 6 = 3",
            "18 ÷ 6 = 3",
            "24 ÷ 6 = 4",
        ],
    ),
    (
        "eliminate",
        ([4, -1, 2], [2, 3, 8], 0),
        [0, -14, -28],
        [
            "3 × 4 = 12",
            "2 + 12: 2 + 2 = 4, so 2 + 12 = 14",
            "2 × 2 = 4",
            "8 × 4 = 32",
            "32 - 4: 12 - 4 = 8",
            "3 - 0 - 1 = 2, so 32 - 4 = 28",
        ],
    ),
]


@pytest.mark.parametrize(("method", "arguments", "result", "lines"), GOLDEN, ids=lambda value: str(value)[:24])
def test_golden_trace(method: str, arguments: tuple[object, ...], result: object, lines: list[str]) -> None:
    assert traced(method, *arguments) == (result, lines)


def test_golden_trace_of_a_product_rule() -> None:
    # (4x^3 · sin x)' = 12x^2 · sin x + 4x^3 · cos x
    trace = Trace()
    trace.step("product rule: (u v)' = u' v + u v'")
    assert trace.power_rule(4, 3) == (12, 2)
    trace.step("(sin x)' = cos x")
    assert trace.lines == [
        "product rule: (u v)' = u' v + u v'",
        "power rule: (x^3)' = 3 · x^(3 - 1)",
        "4 × 3 = 12",
        "3 - 1 = 2",
        "(sin x)' = cos x",
    ]


def clauses(*signed: tuple[int, ...]) -> list[tuple[list[int], list[tuple[bool, ...]]]]:
    """Clauses over variables 1, 2, ... as constraints; a negative number negates."""
    table = []
    for clause in signed:
        scope = [abs(literal) - 1 for literal in clause]
        rows = product((False, True), repeat=len(clause))
        table.append(
            (scope, [r for r in rows if any(v == (literal > 0) for v, literal in zip(r, clause, strict=True))])
        )
    return table


def test_golden_trace_of_a_dpll_run() -> None:
    # (a or b) (not a or b) (not b or c) (not a or not c)
    search = Deduction(3, clauses((1, 2), (-1, 2), (-2, 3), (-1, -3)))
    assert next(search.solutions()) == (False, True, True)
    assert search.acts == [
        ("assume", 0, True),
        ("force", 1, True),
        ("force", 2, True),
        ("refute", 3, False),
        ("force", 0, False),
        ("force", 1, True),
        ("force", 2, True),
    ]


FREE = [
    ("add", (5, 0), 0),
    ("add", (5000, 123), 0),
    ("add", (99, 1), 2),
    ("add", (100, -3), 2),
    ("add", (15, -8), 1),
    ("add", (-15, 8), 1),
    ("add", (47, -47), 1),
    ("multiply", (111, 1), 0),
    ("multiply", (-34, 1), 0),
    ("multiply", (304, 6), 2),
    ("multiply", (19, 9), 2),
    ("multiply", (7, 0), 0),
    ("multiply", (200, 30), 1),
    ("divide", (745, 1), 0),
    ("divide", (5, 7), 0),
    ("divide", (612, 6), 3),
    ("divide", (145, 6), 2),
]


@pytest.mark.parametrize(("method", "arguments", "work"), FREE)
def test_copying_is_free(method: str, arguments: tuple[int, int], work: int) -> None:
    assert len(traced(method, *arguments)[1]) == work


@given(whole, whole)
def test_sums_and_differences_are_right_and_cost_at_most_a_step_a_column(a: int, b: int) -> None:
    columns = len(str(max(a, b)))
    for left, right in ((a, b), (a, -b), (-a, b), (-a, -b)):
        total, lines = traced("add", left, right)
        assert total == left + right
        assert len(lines) <= columns


@given(whole, st.integers(1, 10**6))
def test_products_and_quotients_are_right(a: int, b: int) -> None:
    assert traced("multiply", a, b)[0] == a * b
    (quotient, remainder), lines = traced("divide", a, b)  # type: ignore[misc]
    assert (quotient, remainder) == divmod(a, b)
    if b > 9 and quotient:
        assert len(lines) == sum(1 if digit == "0" else 1 + 2 * len(str(b)) for digit in str(quotient))


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_each_arithmetic_line_is_true_by_itself(a: int, b: int) -> None:
    trace = Trace()
    trace.add(a, b)
    trace.subtract(a, b)
    trace.multiply(a, b)
    trace.divide(a, b % 9 + 1)
    for line in trace.lines:
        fact = line.partition(": ")[2] or line
        left, _, right = fact.partition(", so ")[0].partition(" = ")
        result, _, remainder = right.partition(" remainder ")
        value = eval(left.replace("×", "*").replace("÷", "//"))
        assert value == int(result), line
        if remainder:
            assert eval(left.replace("÷", "%")) == int(remainder), line


def test_polynomials_count_coefficients_exponents_and_like_terms() -> None:
    trace = Trace()
    # (2x + 3)(x + 4) = 2x^2 + 8x + 3x + 12
    assert trace.multiply_polynomials({(1,): 2, (0,): 3}, {(1,): 1, (0,): 4}) == {(2,): 2, (1,): 11, (0,): 12}
    assert trace.lines == ["1 + 1 = 2", "2 × 4 = 8", "8 + 3 = 11", "3 × 4 = 12"]


@given(st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=16))
def test_a_deduction_finds_every_solution_once(rows: list[tuple[bool, ...]]) -> None:
    found = list(Deduction(4, [((0, 1, 2, 3), rows)]).solutions())
    assert len(found) == len(set(found))
    assert set(found) == set(rows)


def test_long_division_of_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not -7 and 2"):
        Trace().divide(-7, 2)
