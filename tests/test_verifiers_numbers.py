"""The check Number: numerals in every notation, exact values, and the form that is asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from taskgen_verifiers import Number, judge
from taskgen_verifiers.number import Value
from taskgen_verifiers.parse import parse
from taskgen_verifiers.size import exact
from taskgen_verifiers.verdict import Refused

FORMS = ("any", "evaluated", "integer", "lowest_terms", "decimal")


def reason(answer: str, gold: str, form: str = "evaluated") -> str:
    return judge(f"<answer>{answer}</answer>", Number(form), gold, "tag").reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("1,234,567.5", Fraction(2469135, 2)),
        ("1{,}234", 1234),
        (r"1\,234", 1234),
        (r"11,\!111", 11111),
        (r"11,\! 111,\! 100", 11111100),
        ("1 234 567", 1234567),
        ("1\u202f234", 1234),
        (".5", Fraction(1, 2)),
        ("1.50", Fraction(3, 2)),
        ("1.5e3", 1500),
        ("1.5E+3", 1500),
        ("2e-3", Fraction(1, 500)),
        (r"1.5\times 10^{3}", 1500),
        ("1.5*10^3", 1500),
        ("50%", Fraction(1, 2)),
        (r"33\frac13\%", Fraction(1, 3)),
        (r"0.\overline{3}", Fraction(1, 3)),
        (r"0.1\overline{6}", Fraction(1, 6)),
        (r"0.\dot{3}", Fraction(1, 3)),
        ("1/2", Fraction(1, 2)),
        ("1⁄2", Fraction(1, 2)),
        (r"\frac12", Fraction(1, 2)),
        (r"\dfrac{1}{2}", Fraction(1, 2)),
        (r"\tfrac1{20}", Fraction(1, 20)),
        (r"\frac 1 2", Fraction(1, 2)),
        ("{1}/{2}", Fraction(1, 2)),
        (r"1\frac12", Fraction(3, 2)),
        ("1 1/2", Fraction(3, 2)),
        ("1½", Fraction(3, 2)),
        ("1 ½", Fraction(3, 2)),
        ("-2 1/4", Fraction(-9, 4)),
        (r"-1\frac{1}{2}", Fraction(-3, 2)),
        ("−5", -5),
        ("–5", -5),
        ("+5", 5),
        ("５", 5),
        ("(5)", 5),
        ("[5]", 5),
        (r"\left(5\right)", 5),
        ("x = 5", 5),
        ("x_{1} = 5", 5),
        ("x＝5", 5),
        (r"\alpha = 5", 5),
        ("f(2) = 5", 5),
        ("m + n = 2 + 3 = 5", 5),
        (r"\text{total} = 5", 5),
        ("2 + 3 = 5", 5),
    ],
)
def test_the_value_is_read_exactly(text: str, value: Fraction) -> None:
    read = Number("any").read(text)
    assert read.value == value
    assert reason(text, str(Fraction(value)), "any") == "correct"
    assert reason(text, str(Fraction(value) + Fraction(1, 10**9)), "any") == "wrong"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7 or 8", "ambiguous"),
        (r"7 \text{ or } 8", "ambiguous"),
        ("7, 8", "ambiguous"),
        ("7; 8", "ambiguous"),
        ("7 and 8", "ambiguous"),
        (r"\pm 7", "ambiguous"),
        ("±7", "ambiguous"),
        ("9 = 7", "ambiguous"),
        ("2 + 2 = 7", "ambiguous"),
        ("3,14", "ambiguous"),
        ("1,234,56", "ambiguous"),
        ("1234,567", "unparsable"),
        ("1,234{,}567", "unparsable"),
        ("1 234/567", "ambiguous"),
        ("1 23", "unparsable"),
        ("7 7", "unparsable"),
        ("4 10/3", "unparsable"),
        ("2 3/3", "unparsable"),
        ("1.5 1/2", "unparsable"),
        ("2x = 7", "unparsable"),
        ("2x - 7 = 7", "unparsable"),
        ("x(x - 6) = 7", "unparsable"),
        ("7x", "unparsable"),
        ("7-", "unparsable"),
        ("(7", "unparsable"),
        ("7)", "unparsable"),
        ("(7]", "unparsable"),
        (r"\{7\}", "unparsable"),
        ("7..", "unparsable"),
        ("x > 7", "unparsable"),
        ("seven", "unparsable"),
        ("nan", "unparsable"),
        (r"\infty", "unparsable"),
        ("1/0", "unparsable"),
        ("0/0", "unparsable"),
        (r"\frac{0}{0}", "unparsable"),
        ("0^0", "unparsable"),
        ("0*(1/0)", "unparsable"),
        ("(-1)!", "unparsable"),
        ("(1/2)!", "unparsable"),
        ("2^{1/2}", "unparsable"),
        ("1_000", "unparsable"),
        ("0x7", "unparsable"),
        ("٧", "unparsable"),
        ("𝟕", "unparsable"),
        ("1О", "unparsable"),
        ("l0", "unparsable"),
        ("½7", "unparsable"),
        ("4²²³⁴⁵⁶", "over_limit"),
        ("9^{9^{9}}", "over_limit"),
        ("9**9**9**9", "over_limit"),
        ("((2^{64})^{64})^{64}", "over_limit"),
        ("10^{10^{10}}", "over_limit"),
        ("1^{9^{9}}", "over_limit"),
        ("1000000000!", "over_limit"),
        ("3!!!!", "over_limit"),
        ("1e999", "over_limit"),
        ("7" * 1001, "over_limit"),
        ("0." + "3" * 1001, "over_limit"),
        ("(" * 100 + "7" + ")" * 100, "over_limit"),
        ("-" * 100 + "7", "over_limit"),
        ("1/" * 100 + "7", "over_limit"),
        ("1+" * 1999 + "1", "over_limit"),
        ("7=" * 100 + "7", "over_limit"),
        ("__import__('os').getcwd()", "unparsable"),
        ("eval('7')", "unparsable"),
        ("(lambda: 7)()", "unparsable"),
        ("[7][0] if 1 else 7", "unparsable"),
        (r"\sin 7", "unparsable"),
        (r"\sum_{k=1}^{10^{12}} k", "unparsable"),
        ("\ud800", "unparsable"),
        ("7\x00", "unparsable"),
    ],
)
def test_what_is_not_one_number_is_refused(text: str, expected: str) -> None:
    assert reason(text, "7", "any") == expected


@pytest.mark.parametrize(
    ("text", "gold", "forms"),
    [
        ("12", "12", {"any", "evaluated", "integer", "lowest_terms", "decimal"}),
        ("-12", "-12", {"any", "evaluated", "integer", "lowest_terms", "decimal"}),
        ("12.0", "12", {"any", "evaluated", "integer", "lowest_terms", "decimal"}),
        ("24/2", "12", {"any"}),
        ("12/1", "12", {"any"}),
        ("3*4", "12", {"any"}),
        ("11+1", "12", {"any"}),
        ("--12", "12", {"any"}),
        ("12^1", "12", {"any"}),
        ("1.2e1", "12", {"any", "evaluated"}),
        (r"1.2\times 10^1", "12", {"any", "evaluated"}),
        (r"1.2\times 10^{3-2}", "12", {"any"}),
        ("1200%", "12", {"any", "evaluated"}),
        ("10^1", "10", {"any"}),
        ("3!", "6", {"any"}),
        ("1/2", "1/2", {"any", "evaluated", "lowest_terms"}),
        ("-1/2", "-1/2", {"any", "evaluated", "lowest_terms"}),
        (r"\frac{-1}{2}", "-1/2", {"any", "evaluated", "lowest_terms"}),
        (r"\frac{1}{-2}", "-1/2", {"any", "evaluated"}),
        (r"\frac{-1}{-2}", "1/2", {"any", "evaluated"}),
        ("2/4", "1/2", {"any", "evaluated"}),
        ("0.5", "1/2", {"any", "evaluated", "decimal"}),
        ("50%", "1/2", {"any", "evaluated"}),
        ("5e-1", "1/2", {"any", "evaluated"}),
        ("(1/2)/1", "1/2", {"any"}),
        ("1.0/2", "1/2", {"any"}),
        (r"1\frac12", "3/2", {"any", "evaluated", "lowest_terms"}),
        (r"1\frac24", "3/2", {"any", "evaluated"}),
        ("1 + 1/2", "3/2", {"any"}),
    ],
)
def test_the_form_is_judged_on_what_is_written(text: str, gold: str, forms: set[str]) -> None:
    for form in FORMS:
        if gold != "1/2" and gold != "-1/2" and gold != "3/2":
            assert reason(text, gold, form) == ("correct" if form in forms else "wrong_form"), form
        elif form != "integer":
            asked = str(float(Fraction(gold))) if form == "decimal" else gold
            assert reason(text, asked, form) == ("correct" if form in forms else "wrong_form"), form


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("0.3333333333", "1/3"),
        ("33.3%", "1/3"),
        ("4.9999999", "5"),
        ("5.0000001", "5"),
        ("100009", "100000"),
        ("101", "100"),
        ("9%", "9"),
        ("900%", "9/100"),
        ("1 - 10^{-40}", "1"),
        ("5 + 10^{-4000}", "5"),
        ("0.0000002", "0.0000001"),
        ("0", "0.0000001"),
        ("1.5e-3", "1500"),
        (r"1.5\times 103", "1500"),
        ("2", "1/2"),
        ("12", "1/2"),
        ("1,234", "1.234"),
    ],
)
def test_close_is_not_equal(text: str, gold: str) -> None:
    assert reason(text, gold, "any") == "wrong"


@given(st.integers(-(10**30), 10**30))
def test_every_writing_of_an_integer_is_accepted_and_its_neighbours_are_not(value: int) -> None:
    size, sign = abs(value), "-" if value < 0 else ""
    grouped = f"{size:,}"
    writings = [f"{sign}{size}", f"{sign}{grouped}", f"{sign}{grouped.replace(',', '{,}')}", f"x = {sign}{size}"]
    writings += [f"{sign}{grouped.replace(',', separator)}" for separator in ("\\,", ",\\!", " ")]
    writings += [f"${sign}{size}$", f"**{sign}{size}**", f"{sign}{size}.", f"\\text{{{sign}{size}}}", f"{sign}{size}.0"]
    for writing in writings:
        assert reason(writing, str(value), "integer") == "correct", writing
        for near in (value + 1, value - 1, -value or 1, value * 10 or 1):
            assert reason(writing, str(near), "integer") == "wrong", writing


@given(st.integers(10, 10**12), st.data())
def test_swapped_and_dropped_digits_are_wrong(value: int, data: st.DataObject) -> None:
    digits = str(value)
    place = data.draw(st.integers(0, len(digits) - 2))
    swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
    assert reason(digits[:place] + digits[place + 1 :], digits, "integer") == "wrong"
    assume(swapped != digits)
    assert reason(swapped, digits, "integer") == "wrong"


@given(st.fractions(max_denominator=10**6), st.integers(2, 9))
def test_every_writing_of_a_fraction_is_accepted(value: Fraction, factor: int) -> None:
    assume(value.denominator > 1)
    over, under, sign = abs(value.numerator), value.denominator, "-" if value < 0 else ""
    whole, rest = divmod(over, under)
    writings = [f"{sign}{over}/{under}", rf"{sign}\frac{{{over}}}{{{under}}}", rf"\dfrac{{{sign}{over}}}{{{under}}}"]
    writings += [rf"{sign}{whole}\frac{{{rest}}}{{{under}}}"] * bool(whole)
    # 2 101/102 may also be 2101/102, and is refused.
    writings += [f"{sign}{whole} {rest}/{under}"] * bool(whole and len(str(rest)) != 3)
    for writing in writings:
        assert reason(writing, str(value), "lowest_terms") == "correct", writing
        assert reason(writing, str(-value)) == "wrong", writing
        assert reason(writing, str(1 / value), "any") == "wrong", writing
    multiple = f"{sign}{over * factor}/{under * factor}"
    assert reason(multiple, str(value)) == "correct"
    assert reason(multiple, str(value), "lowest_terms") == "wrong_form"


@given(st.from_regex(r"-?[0-9]{1,300}", fullmatch=True))
def test_the_short_way_for_plain_integers_reads_what_the_parser_reads(text: str) -> None:
    tree = parse(text)[0]
    assert Number("integer").read(text) == Value(tree, exact(tree))


@given(st.text(st.sampled_from("0123456789.,%+-*/^!()[]{}\\ =frcx"), max_size=40))
def test_a_text_is_read_or_refused(text: str) -> None:
    try:
        read = Number("any").read(text)
    except Refused:
        return
    assert exact(read.tree) == read.value
