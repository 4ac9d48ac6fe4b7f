"""One printer, two notations."""

from __future__ import annotations

import pytest

from taskgen.notation import monomial, plain, polynomial, render, signed_sum

PLAIN = [
    (r"3 \cdot x^{2} - \frac{1}{2}", "3 * x^2 - 1/2"),
    (r"\frac{1}{2}x", "(1/2)x"),
    (r"2\frac{x}{3}\left(x + 1\right)", "2(x/3)(x + 1)"),
    (r"\frac{1}{2}^{2}", "(1/2)^2"),
    (r"\frac{x + 1}{2x}", "(x + 1)/(2x)"),
    (r"\left(x + 1\right)^{10}", "(x + 1)^10"),
    (r"x^{-2}", "x^-2"),
    (r"x^{n + 1}", "x^(n + 1)"),
    (r"\frac{\frac{1}{2}}{3}", "(1/2)/3"),
]


@pytest.mark.parametrize(("latex", "text"), PLAIN)
def test_plain_text_reads_the_same(latex: str, text: str) -> None:
    assert plain(latex) == text


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"\sin x", r"\\sin is outside the notation"),
        (r"x^2", "stand in braces"),
        (r"\frac{1}{2", "never closed"),
        ("x}", "never opened"),
    ],
)
def test_what_is_outside_the_notation_is_named(latex: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plain(latex)


def test_only_marked_parts_are_rewritten() -> None:
    question = r"Is 5^{th} grade $x^{2} \cdot y$ more than $x$?"
    assert render(question, "plain") == "Is 5^{th} grade x^2 * y more than x?"
    assert render(question, "latex") == question
    with pytest.raises(ValueError, match="no partner"):
        render("It costs $5.", "plain")


def test_signs_and_ones_are_written_as_people_do() -> None:
    assert signed_sum([]) == "0"
    assert signed_sum(["-x", "-1", "y"]) == "-x - 1 + y"
    assert monomial(1, [("x", 1)]) == "x"
    assert monomial(-1, [("x", 3)]) == "-x^{3}"
    assert monomial(-1, [("x", 0)]) == "-1"
    assert monomial(7, [("a", 12), ("b", 1)]) == "7a^{12}b"


def test_polynomials_are_ordered_by_degree_whatever_the_order_of_the_terms() -> None:
    terms = {(0, 0): 5, (1, 1): 1, (2, 0): -1, (0, 2): 3, (1, 0): -2}
    backwards = dict(reversed(terms.items()))
    assert polynomial(terms, "xy") == polynomial(backwards, "xy") == "-x^{2} + xy + 3y^{2} - 2x + 5"
    assert polynomial({}, "xy") == "0"
