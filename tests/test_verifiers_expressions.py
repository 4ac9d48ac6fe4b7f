"""The check Expression: rational functions in every notation, compared at secret points, in the form that is asked.

Longer than 300 lines: tables of cases, by form.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskgen_verifiers import Expression, GoldError, check_gold, judge
from taskgen_verifiers.parse import DEEPEST, MOST_NODES, parse
from taskgen_verifiers.points import Points, is_prime, primes
from taskgen_verifiers.tree import nodes, outline
from taskgen_verifiers.verdict import Refused

XYZ = ("x", "y", "z")


def reason(answer: str, gold: str, form: str = "any", variables: tuple[str, ...] = XYZ, echo: str = "") -> str:
    return judge(f"<answer>{answer}</answer>", Expression(variables, form=form, echo=echo), gold, "tag").reason


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("1+2*x+x**2", "(x+1)^2"),
        ("x² + 2x + 1", "(x+1)^2"),
        (r"\left(x+1\right)^{2}", "(x+1)^2"),
        ("(1+x)(x+1)", "(x+1)^2"),
        ("1 + x(x + 2)", "(x+1)^2"),
        ("x × x + 2·x + 1", "(x+1)^2"),
        (r"x \cdot x + 2 \times x + 1", "(x+1)^2"),
        ("[x+1]^2", "(x+1)^2"),
        ("{x+1}^2", "(x+1)^2"),
        ("(−x − 1)²", "(x+1)^2"),
        ("$(x+1)^2$.", "(x+1)^2"),
        ("f(x) = (x+1)^2", "(x+1)^2"),
        ("w = (x+1)^2 = x^2+2x+1", "(x+1)^2"),
        ("-x^2", "-(x^2)"),
        ("2^3x", "8x"),
        ("2^{-1}x", "x/2"),
        ("x^-1", "1/x"),
        ("x^2^3", "x^8"),
        ("1/2x", "x/2"),
        ("x/y/z", "x/(yz)"),
        ("x/y*z", "xz/y"),
        ("2/-3x", "-2x/3"),
        (r"\frac xy", "x/y"),
        (r"\frac12x", "x/2"),
        (r"\frac{1}{\frac{1}{x}}", "x"),
        (r"\frac{x}{2}", "0.5x"),
        (r"1\frac12x", "3x/2"),
        ("xyz", "z*y*x"),
        ("3 x y", "3xy"),
        ("2(3)x", "6x"),
        ("x^2/x", "x"),
        ("50%x", "x/2"),
        ("3!x", "6x"),
    ],
)
def test_equal_functions_are_accepted(answer: str, gold: str) -> None:
    assert reason(answer, gold) == "correct"


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("x+2305843009213693951", "x"),
        ("x+2147483647", "x"),
        (r"x+998244353\cdot 1000000007", "x"),
        ("x+18446744073709551557*18446744073709551533", "x"),
        ("x" + "".join(f"+0*(x-{n})" for n in range(5)) + "+" + "".join(f"(x-{n})" for n in range(-8, 9)), "x"),
        ("x+x(x-1)(x+1)(x-2)(x+2)(2x-1)(2x+1)", "x"),
        ("x^{2305843009213693951}", "x"),
        ("x+10^{-400}", "x"),
        ("x+0.0000000001", "x"),
        ("(-x)^2", "-x^2"),
        ("x^2-2x+1", "(x+1)^2"),
        ("2/(x+y)", "1/x+1/y"),
        ("x^2", "x"),
        ("y", "x"),
    ],
)
def test_different_functions_are_not(answer: str, gold: str) -> None:
    assert reason(answer, gold) in ("wrong", "over_limit")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("0/0", "unparsable"),
        ("x+1/(x-x)", "unparsable"),
        ("x(x-x)/(x-x)", "unparsable"),
        ("x+0/(x-x)", "unparsable"),
        ("x+(x-x)^0-1", "unparsable"),
        ("x+(x-x)^{-1}", "unparsable"),
        ("x/1/0", "unparsable"),
        ("x, y", "ambiguous"),
        ("x or y", "ambiguous"),
        ("x = y", "ambiguous"),
        ("x = x + 1", "ambiguous"),
        ("w = x = x + 1", "ambiguous"),
        ("xy = x", "ambiguous"),
        ("x + y = x", "ambiguous"),
        ("x + 0w", "unparsable"),
        ("x + C", "unparsable"),
        ("X", "unparsable"),
        ("x2", "unparsable"),
        ("x 2", "unparsable"),
        ("x!", "unparsable"),
        ("x^y", "unparsable"),
        ("x^{1/2}", "unparsable"),
        ("x%", "unparsable"),
        (r"\sqrt{x^2}", "unparsable"),
        (r"\dfrac", "unparsable"),
        (r"\frac{x}", "unparsable"),
        (r"\frac{x}{y", "unparsable"),
        ("x[x+1", "unparsable"),
        ("(x+1", "unparsable"),
        ("x+", "unparsable"),
        ("*x", "unparsable"),
        ("|x|", "unparsable"),
        ("x_1", "unparsable"),
        ("(1+x)^{100000}", "over_limit"),
        ("x^{1000000000}", "over_limit"),
        ("((x^{100})^{100})^{100}", "over_limit"),
        ("(x+y+z)^{9^{9}}", "over_limit"),
        ("x" * 3000, "over_limit"),
        ("(" * 2000 + "x" + ")" * 2000, "over_limit"),
        ("x^" * 200 + "x", "over_limit"),
    ],
)
def test_what_states_no_function_is_refused(answer: str, expected: str) -> None:
    assert reason(answer, "x") == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("x^2+3x+2", "correct"),
        ("2+3x+x^2", "correct"),
        ("x**2 + 3*x + 2", "correct"),
        ("(x^2+3x+2)", "correct"),
        ("(x+1)(x+2) = x^2+3x+2", "correct"),
        ("x^2+x3+2", "unparsable"),
        ("(x+1)(x+2)", "wrong_form"),
        ("x(x+3)+2", "wrong_form"),
        ("x^2+x+2x+2", "wrong_form"),
        ("x^2+3x+1+1", "wrong_form"),
        ("x^2+3x+2+0", "wrong_form"),
        ("x^2+3x+2+0y", "wrong_form"),
        ("x*x+3x+2", "wrong_form"),
        ("x^2+1*3x+2", "wrong_form"),
        ("x^2+6x/2+2", "wrong_form"),
        ("x^{1+1}+3x+2", "wrong_form"),
        ("-(-x^2-3x-2)", "wrong_form"),
        ("x^2+3x+2x^0", "wrong_form"),
        ("x^2+3x-2", "wrong"),
        ("x^2+2x+3", "wrong"),
        ("x^2+3x+2 = 0", "ambiguous"),
    ],
)
def test_expanded_is_a_sum_of_different_monomials(answer: str, expected: str) -> None:
    assert reason(answer, "x^2+3x+2", "expanded") == expected


def test_monomials_are_written_in_many_ways() -> None:
    for monomial in ("-3x^2y/4", r"-\frac{3}{4}x^2y", r"-\frac{3x^2y}{4}", "-0.75x^2y", "y*x^2*(-3/4)", "-3yx^2/4"):
        assert reason(f"{monomial} + 1", "1 - 3x^2y/4", "expanded") == "correct", monomial
    for monomial in ("-6x^2y/8", r"-\frac{3x*x*y}{4}", "-3/2*x^2y/2", "-3(x^2y)/4"):
        assert reason(f"{monomial} + 1", "1 - 3x^2y/4", "expanded") == "wrong_form", monomial


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("2(x-3)(x-3)", "2(x-3)^2", "correct"),
        ("(3-x)^2*2", "2(x-3)^2", "correct"),
        ("-2(x-3)(3-x)", "2(x-3)^2", "correct"),
        ("(x+2)(x-1)", "(x-1)(x+2)", "correct"),
        ("x*(x+1)", "x(x+1)", "correct"),
        ("(x^2+4)(x+2)(x-2)", "(x-2)(x+2)(x^2+4)", "correct"),
        (r"\frac{(x-1)(x+2)}{3}", "(x-1)(x+2)/3", "correct"),
        ("(y+x)(x-y)", "(x-y)(x+y)", "correct"),
        ("2*2*3", "2^2*3", "correct"),
        (r"3 \cdot 2^2", "2^2*3", "correct"),
        ("x^2+1", "x^2+1", "correct"),
        ("x^2+x-2", "(x-1)(x+2)", "wrong_form"),
        ("(x^2+x-2)", "(x-1)(x+2)", "wrong_form"),
        ("x(x+1)-2", "(x-1)(x+2)", "wrong_form"),
        ("1(x-1)(x+2)", "(x-1)(x+2)", "wrong_form"),
        ("(x^2-4)(x^2+4)", "(x-2)(x+2)(x^2+4)", "wrong_form"),
        ("2(x^2-6x+9)", "2(x-3)^2", "wrong_form"),
        ("1*2(x-3)^2", "2(x-3)^2", "wrong_form"),
        ("(1+1)(x-3)^2", "2(x-3)^2", "wrong_form"),
        (r"\frac{4(x-3)^2}{2}", "2(x-3)^2", "wrong_form"),
        ("2(x-3)^3/(x-3)", "2(x-3)^2", "wrong_form"),
        ("2(x-3)^{4/2}", "2(x-3)^2", "wrong_form"),
        ("12", "2^2*3", "wrong_form"),
        ("4*3", "2^2*3", "wrong_form"),
        ("(x-1)(x-2)", "(x-1)(x+2)", "wrong"),
        ("2*3", "2^2*3", "wrong"),
    ],
)
def test_factored_is_the_golds_factors_up_to_constants(answer: str, gold: str, expected: str) -> None:
    assert reason(answer, gold, "factored") == expected


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        (r"\frac{1+x}{2+x}", "(x+1)/(x+2)", "correct"),
        ("(x+1)(x+2)^{-1}", "(x+1)/(x+2)", "correct"),
        (r"-\frac{-x-1}{x+2}", "(x+1)/(x+2)", "correct"),
        ("(x^2+3x+2)/(x+5)", "(x+1)(x+2)/(x+5)", "correct"),
        ("x/2+1", "(x+2)/2", "correct"),
        ("2x", "2x", "correct"),
        ("1/x", "1/x", "correct"),
        (r"\frac{1}{2x}", "1/(2x)", "correct"),
        (r"\frac{-x(x+1)}{x+2}", "-(x^2+x)/(x+2)", "correct"),
        (r"-\frac{-2x}{x+2}", "2x/(x+2)", "wrong_form"),
        (r"-\frac{2x}{-3}", "2x/3", "wrong_form"),
        ("x^5", "x^5", "correct"),
        ("0", "0", "correct"),
        ("1", "1", "correct"),
        (r"\frac{2x+2}{2x+4}", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{(x+1)(x+3)}{(x+2)(x+3)}", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{x^2+x}{x^2+2x}", "(x+1)/(x+2)", "wrong_form"),
        ("1-1/(x+2)", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{1}{(x+2)/(x+1)}", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{2}{(x+2)/(x+1)}", "2(x+1)/(x+2)", "wrong_form"),
        (r"\frac{x+1}{x+1+1}", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{x/2+1/2}{x/2+1}", "(x+1)/(x+2)", "wrong_form"),
        (r"\frac{2x+4}{2}", "x+2", "wrong_form"),
        ("2x/4", "x/2", "wrong_form"),
        ("x^2*x^3", "x^5", "wrong_form"),
        ("x^{10}/x^5", "x^5", "wrong_form"),
        ("x+x", "2x", "wrong_form"),
        ("2*1*x", "2x", "wrong_form"),
        ("x+y-y", "x", "wrong_form"),
        ("(x+1)/(x+3)", "(x+1)/(x+2)", "wrong"),
    ],
)
def test_simplified_has_nothing_left_to_cancel(answer: str, gold: str, expected: str) -> None:
    assert reason(answer, gold, "simplified") == expected


@pytest.mark.parametrize(
    "answer",
    ["(x+1)*(x+2)", "(x+2)(1+x)", "(x + 1)(x + 2) + 0", "1(x+2)(x+1)", r"\left[x+1\right]\cdot(x+2)", "--(x+1)(x+2)"],
)
def test_the_problem_handed_back_is_an_echo(answer: str) -> None:
    assert reason(answer, "x^2+3x+2", echo="(x+1)(x+2)") == "echo"
    assert reason("x^2+3x+2", "x^2+3x+2", echo="(x+1)(x+2)") == "correct"


def test_names_with_an_index_and_greek_ones_are_variables_too() -> None:
    variables = ("x_1", "x_2", "alpha")
    assert reason(r"x_{2}x_1 + \alpha", "α + x_1 x_2", variables=variables) == "correct"
    assert reason("alpha + x_{1}x_{2}", r"\alpha + x_1 x_2", variables=variables) == "correct"
    assert reason("x_1", "x_2", variables=variables) == "wrong"


def test_a_polynomial_with_120_terms_in_three_variables_is_within_the_limits() -> None:
    terms = [(a, b, c) for a in range(8) for b in range(8 - a) for c in range(8 - a - b)]
    gold = " + ".join(f"{7 + a * b}x^{{{a + 1}}}y^{{{b + 1}}}z^{{{c + 1}}}" for a, b, c in terms)
    assert len(terms) == 120
    assert sum(1 for _ in nodes(parse(gold, XYZ)[0])) < MOST_NODES
    assert reason(" + ".join(reversed(gold.split(" + "))), gold, "expanded") == "correct"
    assert reason(gold.replace("7x^{1}", "8x^{1}", 1), gold, "expanded") == "wrong"


def test_trees_are_bounded() -> None:
    for text in ("x^" * 99 + "x", "(" * 99 + "x" + ")" * 99, "1/" * 99 + "x", "x" + "!" * 99, "-" * 99 + "x"):
        with pytest.raises(Refused, match="over_limit"):
            parse(text, ("x",))
    assert max(node.depth for node in nodes(parse("x(1+" * 20 + "x" + ")" * 20, ("x",))[0])) <= DEEPEST


@pytest.mark.parametrize(
    ("check", "gold"),
    [
        (Expression(XYZ), "w"),
        (Expression(XYZ), ""),
        (Expression(XYZ), "1/(x-x)"),
        (Expression(XYZ, form="expanded"), "x(x+1)"),
        (Expression(XYZ, form="factored"), "1*x(x+1)"),
        (Expression(XYZ, form="simplified"), "(2x+2)/2"),
        (Expression(XYZ, echo="(x+1"), "x+1"),
        (Expression(XYZ, echo="1 + x"), "x+1"),
    ],
)
def test_a_gold_that_fails_its_own_check_raises(check: Expression, gold: str) -> None:
    with pytest.raises(GoldError, match=r"gold|echo"):
        check_gold(check, gold)


COEFFICIENTS = st.lists(st.integers(-99, 99), min_size=2, max_size=6)


@given(COEFFICIENTS, st.integers(-9, 9))
@settings(max_examples=40)
def test_renderings_of_a_polynomial_are_accepted_and_other_coefficients_are_not(found: list[int], shift: int) -> None:
    found[-1] = found[-1] or 1
    degrees = range(len(found))
    gold = " + ".join(f"({found[d]})*x^{d + 1}" for d in degrees)
    horner = "".join(f"x({c} + " for c in found) + "0" + ")" * len(found)
    shifted = " + ".join(f"{c}((x + {shift}) - {shift})^{{{d + 1}}}" for d, c in enumerate(found)).replace("+ -", "- ")
    for text in (gold, gold.replace("*", r" \cdot "), horner.replace("+ -", "- "), shifted.replace("- -", "+ ")):
        assert reason(text, gold) == "correct", text
    for d in degrees:
        for wrong in (found[d] + 1, found[d] - 1, -found[d] or 1):
            others = " + ".join(f"({wrong if d == e else found[e]})*x^{e + 1}" for e in degrees)
            assert reason(others, gold) == "wrong"


def test_points_depend_on_the_key_and_on_all_they_are_told() -> None:
    def drawn(*arguments: str) -> tuple[int, dict[str, int]]:
        return Points(*arguments).place(("x", "y"))

    assert drawn("k", "a", "b") == drawn("k", "a", "b")
    others = [drawn("l", "a", "b"), drawn("k", "ab", ""), drawn("k", "a", "c"), drawn("k", "1:a|1", "b")]
    assert len({tuple(point.values()) for _, point in [drawn("k", "a", "b"), *others]}) == 5
    stream = Points(b"k", "a")
    assert stream.place(("x",)) != stream.place(("x",))
    assert Points("\udcff", "\ud800").place(("x",))


def test_primes_are_primes_of_61_bits_and_differ_by_key() -> None:
    found = primes(b"a key")
    assert all(is_prime(p) and p.bit_length() == 61 for p in found)
    assert not set(found) & set(primes(b"another key"))
    assert is_prime(2**61 - 1)
    # Composites that pass the test to few bases: a Carmichael number, strong pseudoprimes, a product of two primes.
    assert not any(map(is_prime, (0, 1, 561, 3215031751, 3825123056546413051, 998244353 * 1000000007)))


def test_an_outline_ignores_order_and_idle_parts_alone() -> None:
    def seen(text: str) -> object:
        return outline(parse(text, XYZ)[0])

    assert seen("x + (y + z)") == seen("z + y*1 + x + 0")
    assert seen("x - y") == seen("-y + x")
    assert seen("x - y") != seen("y - x")
    assert seen("x/y") != seen("y/x")
    assert seen("x^2") != seen("x*x")
