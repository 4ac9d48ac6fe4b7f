"""The checks Choice, Assignment and Collection."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskgen_verifiers import Assignment, Check, Choice, Collection, Expression, Number, judge

NAMES = ("Ada", "Ben", "Clara")
KINDS = Assignment(NAMES, ("knight", "knave"))
KINDS_GOLD = "Ada: knight, Ben: knave, Clara: knight"
POINT = Assignment(("x", "y"), Number())
SET = Collection(Number())
LIST = Collection(Number(), ordered=True)
MULTISET = Collection(Number(), repeated=True)


def reason(answer: str, check: Check, gold: str) -> str:
    return judge(f"<answer>{answer}</answer>", check, gold, "tag").reason


@pytest.mark.parametrize(
    "answer",
    ["B", "b", "(B)", "[B]", "B)", "B.", "**B**", "$B$", r"\text{B}", r"\textbf{(B)}", "Option B", "choice: b"],
)
def test_an_option_is_compared_whole(answer: str) -> None:
    assert reason(answer, Choice(tuple("ABCD")), "B") == "correct"
    assert reason(answer, Choice(tuple("ABCD")), "A") == "wrong"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Blue", "unparsable"),
        ("Because it is so", "unparsable"),
        ("B is right", "unparsable"),
        ("Don't know", "unparsable"),
        ("None of the above", "unparsable"),
        ("E", "unparsable"),
        ("not B", "unparsable"),
        ("BB", "unparsable"),
        ("Ｂ", "unparsable"),
        ("В", "unparsable"),  # the Cyrillic letter
        ("A, B", "ambiguous"),
        ("A or B", "ambiguous"),
        ("A/B", "ambiguous"),
        (r"A \text{ and } B", "ambiguous"),
    ],
)
def test_prose_and_lists_are_no_option(answer: str, expected: str) -> None:
    assert reason(answer, Choice(tuple("ABCD")), "B") == expected


def test_options_may_be_words() -> None:
    check = Choice(("yes", "no", "it depends"))
    assert reason("It  depends.", check, "it depends") == "correct"
    assert reason("NO", check, "no") == "correct"
    assert reason("nothing", check, "no") == "unparsable"
    assert reason("yes/no", check, "no") == "ambiguous"


@pytest.mark.parametrize(
    "answer",
    [
        "Ada: knight, Ben: knave, Clara: knight",
        "clara: KNIGHT; ben: Knave; ADA: knight",
        "Ada = knight, Ben = knave, Clara = knight",
        "Ada -> knight, Ben -> knave, Clara -> knight",
        "Ada is a knight, Ben is a knave, and Clara is a knight.",
        "Ada is a knight and Ben is a knave and Clara is a knight",
        "Ada is the knight; Ben is a knave; Clara is knight",
        "Ada and Clara are knights, Ben is a knave",
        "Ben is a knave, Ada and Clara are both knights",
        "Ada: knight\nBen: knave\nClara: knight",
        "- Ada: knight\n- Ben: knave\n- Clara: knight",
        "1. **Ada**: knight\n2. **Ben**: knave\n3. **Clara**: *knight*",
        '{"Ada": "knight", "Ben": "knave", "Clara": "knight"}',
        r"\text{Ada: knight, Ben: knave, Clara: knight}",
        r"\text{Ada}: \text{knight}, \text{Ben}: \text{knave}, \text{Clara}: \text{knight}",
        r"\text{Ada} = \text{knight},\ \text{Ben} = \text{knave},\ \text{Clara} = \text{knight}",
        "{Ada: knight, Ben: knave, Clara: knight}",
        r"\{Ada: knight, Ben: knave, Clara: knight\}",
        r"\begin{array}{l} \text{Ada: knight} \\ \text{Ben: knave} \\ \text{Clara: knight} \end{array}",
        "(Ada: knight, Ben: knave, Clara: knight)",
        "Ada: knight, Ben: knave, Clara: knight, Ada: knight",
    ],
)
def test_an_assignment_is_read_in_many_notations(answer: str) -> None:
    assert reason(answer, KINDS, KINDS_GOLD) == "correct"
    for other in ("Ada: knave, Ben: knave, Clara: knight", "Ada: knave, Ben: knight, Clara: knave"):
        assert reason(answer, KINDS, other) == "wrong"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Ada: knight, Ben: knave", "wrong"),
        ("Ada: knight", "wrong"),
        ("Ada: knight, Ben: knave, Clara: knave", "wrong"),
        ("Ada: knave, Ada: knight, Ben: knave, Clara: knight", "ambiguous"),
        ("Ada: knight, Ben: knave, Clara: knight, Dan: knave", "unparsable"),
        ("Ada: knight or knave, Ben: knave, Clara: knight", "unparsable"),
        ("Ada: not a knave, Ben: knave, Clara: knight", "unparsable"),
        ("Ada is not a knave, Ben: knave, Clara: knight", "unparsable"),
        ("Ada: knight, Ben: knave, Clara", "unparsable"),
        ("Ada, Ben: knave, Clara: knight", "unparsable"),
        ("knight, knave, knight", "unparsable"),
        ("knights: Ada, Clara; knaves: Ben", "unparsable"),
        ("all knights", "unparsable"),
        ("name: value", "unparsable"),
        (", , ;", "unparsable"),
    ],
)
def test_omissions_conflicts_and_strangers_do_not_pay(answer: str, expected: str) -> None:
    assert reason(answer, KINDS, KINDS_GOLD) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("x = 3, y = -1/2", "correct"),
        ("y=-0.5; x=3", "correct"),
        (r"x=3,\ y=-\frac{1}{2}", "correct"),
        (r"x=3 \text{ and } y=-\frac12", "correct"),
        (r"x = 3, \quad y = -\tfrac{1}{2}", "correct"),
        (r"\begin{cases} x = 3 \\ y = -\frac{1}{2} \end{cases}", "correct"),
        (r"\begin{aligned} x &= 3 \\ y &= -\frac{1}{2} \end{aligned}", "correct"),
        (r"(x, y) = \left(3, -\frac{1}{2}\right)", "correct"),
        ("(y, x) = (-0.5, 3)", "correct"),
        ("(3, -1/2)", "correct"),
        ('{"x": 3, "y": -0.5}', "correct"),
        ("x = 6/2 = 3, y = -0.5", "correct"),
        ("x = -1/2, y = 3", "wrong"),
        ("(-1/2, 3)", "wrong"),
        ("x = 3", "wrong"),
        ("x = 6/2, y = -1/2", "wrong_form"),
        ("x = 3, y = -1/2, z = 0", "unparsable"),
        ("3, -1/2", "unparsable"),
        ("(3, -1/2, 0)", "unparsable"),
        ("(3, -1/2]", "unparsable"),
        ("x = 3 or x = 4, y = -1/2", "ambiguous"),
        ("x = 3, x = 4, y = -1/2", "ambiguous"),
        ("x + y = 5/2, x - y = 7/2", "unparsable"),
    ],
)
def test_the_values_of_an_assignment_may_be_numbers(answer: str, expected: str) -> None:
    assert reason(answer, POINT, "x = 3, y = -1/2") == expected


def test_numbers_may_stand_before_their_nouns_and_one_name_needs_no_name() -> None:
    animals = Assignment(("chickens", "rabbits"), Number("integer"))
    assert reason("15 chickens and 12 rabbits", animals, "chickens=15, rabbits=12") == "correct"
    assert reason("12 chickens and 15 rabbits", animals, "chickens=15, rabbits=12") == "wrong"
    assert reason("5", Assignment(("x",), Number()), "x = 5") == "correct"
    assert reason("y = 5", Assignment(("x",), Number()), "x = 5") == "unparsable"


def test_several_boxes_are_one_assignment_or_one_collection() -> None:
    assert judge(r"So \boxed{x = 3} and \boxed{y = 4}.", POINT, "x=3, y=4").is_correct
    assert judge(r"So \boxed{3} and \boxed{4}.", SET, "{4, 3}").is_correct
    assert judge(r"So \boxed{3} and \boxed{4}.", Number(), "4").reason == "ambiguous"


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(("red", "green")), min_size=1), st.data())
def test_an_assignment_is_free_of_order_and_notation(values: dict[str, str], data: st.DataObject) -> None:
    check = Assignment(tuple(sorted(values)), ("red", "green"))
    gold = ", ".join(f"{name}: {value}" for name, value in sorted(values.items()))
    mixed = data.draw(st.permutations(sorted(values.items())))
    assert reason("; ".join(f"{name.upper()} = {value}" for name, value in mixed), check, gold) == "correct"
    assert reason("\n".join(f"{name} is {value}" for name, value in mixed), check, gold) == "correct"
    assert reason(json.dumps(dict(mixed)), check, gold) == "correct"
    changed = data.draw(st.sampled_from(sorted(values)))
    others = values | {changed: "red" if values[changed] == "green" else "green"}
    assert reason(json.dumps(others), check, gold) == "wrong"


@pytest.mark.parametrize(
    "answer",
    [
        "1, -2",
        "-2,1",
        r"\{1, -2\}",
        r"\left\{1,-2\right\}",
        "{1,-2}",
        "(1, -2)",
        "[1; -2]",
        "1 and -2",
        r"1 \text{ and } -2",
        r"x = 1 \text{ or } x = -2",
        "x=1, x=-2",
        r"x \in \{1, -2\}",
        "x = {1, -2}",
        "1, -2, 1",
        "1.0, -4/2 = -2",
        "$1$ and $-2$",
    ],
)
def test_a_set_is_read_in_many_notations(answer: str) -> None:
    assert reason(answer, SET, "{1, -2}") == "correct"
    assert reason(answer, SET, "{1, 2}") == "wrong"


@pytest.mark.parametrize(
    ("answer", "check", "gold", "expected"),
    [
        ("1", SET, "1, 2", "wrong"),
        ("1, 2, 3", SET, "1, 2", "wrong"),
        ("1, 2/2", SET, "1", "wrong_form"),
        ("1, 2, or 3 maybe", SET, "1, 2", "unparsable"),
        ("1, 2, ...", SET, "1, 2", "unparsable"),
        ("1,,2", SET, "1, 2", "unparsable"),
        ("1, 2,", SET, "1, 2", "unparsable"),
        ("(1, 2", SET, "1, 2", "unparsable"),
        ("1,234", SET, "1234", "wrong"),
        ("1{,}234", SET, "1234", "correct"),
        ("1,234", SET, "1, 234", "correct"),
        (r"\emptyset", SET, r"\{\}", "correct"),
        ("∅", SET, "{}", "correct"),
        ("0", SET, r"\emptyset", "wrong"),
        (r"\{\emptyset\}", SET, r"\emptyset", "unparsable"),
        (", ".join(map(str, range(65))), SET, "1", "over_limit"),
        ("[3, 1, 2]", LIST, "3, 1, 2", "correct"),
        ("3, 1, 2", LIST, "[3, 1, 2]", "correct"),
        ("1, 2, 3", LIST, "3, 1, 2", "wrong"),
        ("3, 1", LIST, "3, 1, 2", "wrong"),
        ("3, 1, 2, 2", LIST, "3, 1, 2", "wrong"),
        ("3, 1, 4/2", LIST, "3, 1, 2", "wrong_form"),
        ("2, 3, 2", MULTISET, "2, 2, 3", "correct"),
        ("2, 3", MULTISET, "2, 2, 3", "wrong"),
        ("2, 3, 3", MULTISET, "2, 2, 3", "wrong"),
        ("2, 2, 2, 3", MULTISET, "2, 2, 3", "wrong"),
        (r"\{(3,4), (1,2)\}", Collection(LIST), "(1,2), (3,4)", "correct"),
        ("(3,4) and (1,2)", Collection(LIST), "(1,2), (3,4)", "correct"),
        (r"\{(1,3), (2,4)\}", Collection(LIST), "(1,2), (3,4)", "wrong"),
        (r"\{\{2,1\}\}", Collection(SET), r"\{\{1,2\}\}", "correct"),
        (r"\{\{1\},\{2\}\}", Collection(SET), r"\{\{1,2\}\}", "wrong"),
        ("b, A", Collection(Choice(("a", "b", "c"))), "a, b", "correct"),
        ("(1+x)^2, 2x", Collection(Expression(("x",))), "2x, x^2+2x+1", "correct"),
        ("x, x+1-1", Collection(Expression(("x",)), repeated=True), "x, x+1", "wrong"),
    ],
)
def test_collections(answer: str, check: Check, gold: str, expected: str) -> None:
    assert reason(answer, check, gold) == expected


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12), st.data())
def test_collections_agree_with_sets_multisets_and_lists(gold: list[int], data: st.DataObject) -> None:
    mine = data.draw(st.permutations(gold) | st.lists(st.sampled_from(gold), min_size=1, max_size=12))
    text, right = ", ".join(map(str, mine)), ", ".join(map(str, gold))
    for check, same in ((SET, set(mine) == set(gold)), (MULTISET, sorted(mine) == sorted(gold)), (LIST, mine == gold)):
        assert reason(text, check, right) == ("correct" if same else "wrong")
