"""What holds for every check: data, gold, totality, purity, limits, a light import."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import taskgen_verifiers
from taskgen_verifiers import (
    STYLES,
    Assignment,
    Check,
    Choice,
    Collection,
    Expression,
    GoldError,
    Number,
    Status,
    Verdict,
    check_gold,
    judge,
)
from taskgen_verifiers.check import KINDS
from taskgen_verifiers.verdict import LONGEST_READ, REASONS, conclude

GOLDS: dict[Check, str] = {
    Number(): "1/2",
    Number("integer"): "-12",
    Number("decimal"): "0.125",
    Expression(("x", "y")): "x/y + 1",
    Expression(("x",), form="expanded", echo="(x+1)(x+2)"): "x^2 + 3x + 2",
    Expression(("x",), form="factored"): "2x(x+1)^2",
    Expression(("x",), form="simplified"): "(x+1)/(x+2)",
    Choice(("A", "B", "C")): "B",
    Assignment(("Ann", "Ben"), ("knight", "knave")): "Ann: knight, Ben: knave",
    Assignment(("x", "y"), Number()): "x = 1/2, y = -3",
    Collection(Number()): "1, 2, 3",
    Collection(Collection(Number(), ordered=True), repeated=True): "(1, 2), (1, 2)",
}
MARKED = {"boxed": "\\boxed{%s}", "tag": "<answer>%s</answer>", "line": "Answer: %s"}
every_check = pytest.mark.parametrize(("check", "gold"), GOLDS.items(), ids=[repr(check) for check in GOLDS])


def test_every_name_of_the_face_exists() -> None:
    assert all(getattr(taskgen_verifiers, name) is not None for name in taskgen_verifiers.__all__)


def test_the_tests_know_every_kind() -> None:
    assert {check.kind for check in GOLDS} == set(KINDS)


@every_check
def test_a_check_survives_json_and_pickle_and_is_a_key(check: Check, gold: str) -> None:
    data = json.loads(json.dumps(check.to_dict()))
    assert data["kind"] == check.kind
    assert Check.from_dict(data) == check
    assert pickle.loads(pickle.dumps(check)) == check
    assert {check: gold}[Check.from_dict(data)] == gold


def test_fields_with_a_default_may_be_left_out() -> None:
    assert Check.from_dict({"kind": "number"}) == Number()
    assert Check.from_dict({"kind": "expression", "variables": ["x"]}) == Expression(("x",))
    assert Check.from_dict({"kind": "collection", "of": {"kind": "number"}}) == Collection(Number())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "unknown kind of check None; valid: assignment, choice, collection, expression, number"),
        ({"kind": "numbers"}, "unknown kind of check 'numbers'"),
        ({"kind": "number", "from": "integer"}, "has no field 'from'; valid: form"),
        ({"kind": "number", "form": "int"}, "unknown form of number 'int'; valid: any, evaluated, integer"),
        ({"kind": "expression"}, "needs the field 'variables'"),
        ({"kind": "expression", "variables": ["x", "x"]}, "different words"),
        ({"kind": "expression", "variables": ["x+1"]}, "a variable is a letter or a word"),
        ({"kind": "expression", "variables": ["x"], "form": "tidy"}, "unknown form of expression 'tidy'"),
        ({"kind": "expression", "variables": ["x"], "domain": "p"}, "unknown domain 'p'; valid: real"),
        ({"kind": "choice", "options": ["A"]}, "at least 2"),
        ({"kind": "choice", "options": ["A", "a"]}, "different words"),
        ({"kind": "assignment", "names": ["x", ""], "values": ["a", "b"]}, "different words"),
        ({"kind": "collection", "of": {"kind": "list"}}, "unknown kind of check 'list'"),
    ],
)
def test_an_authors_mistake_is_named(data: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Check.from_dict(data)


def test_wrong_types_are_named() -> None:
    with pytest.raises(TypeError, match="tuple of strings"):
        Expression("xy")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="of a Check"):
        Collection("number")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a completion is a str"):
        judge(b"\\boxed{1}", Number(), "1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown style 'box'; valid: boxed, tag, line"):
        judge("", Number(), "1", "box")
    with pytest.raises(ValueError, match="unknown reasoning 'closed'; valid: free, opened"):
        judge("", Number(), "1", reasoning="closed")


@pytest.mark.parametrize(
    ("check", "gold"),
    [
        (Number(), ""),
        (Number(), "???"),
        (Number(), "see the figure"),
        (Number(), "7 or 8"),
        (Number(), "1/0"),
        (Number(), "\ud800"),
        (Number("integer"), "6/2"),
        (Number("integer"), "1/2"),
        (Number("lowest_terms"), "2/4"),
        (Choice(("A", "B")), "C"),
        (Assignment(("a", "b"), ("yes", "no")), "a: yes"),
        (Assignment(("a", "b"), ("yes", "no")), "a: yes, b: maybe"),
        (Collection(Number()), "1, x"),
    ],
)
def test_an_unreadable_gold_raises_and_pays_nobody(check: Check, gold: str) -> None:
    with pytest.raises(GoldError):
        check_gold(check, gold)
    with pytest.raises(GoldError):
        judge(f"\\boxed{{{gold}}}", check, gold)


@every_check
@pytest.mark.parametrize("style", STYLES)
def test_the_gold_pays_in_its_own_style_only(check: Check, gold: str, style: str) -> None:
    check_gold(check, gold)
    for reader in STYLES:
        verdict = judge("Let me see.\n" + MARKED[style] % gold, check, gold, reader)
        assert verdict.is_correct == (reader == style)


@every_check
def test_no_other_checks_gold_pays(check: Check, gold: str) -> None:
    for other, answer in GOLDS.items():
        if type(other) is not type(check):
            assert not judge(MARKED["tag"] % answer, check, gold, "tag").is_correct


PIECES = st.sampled_from(
    (
        *("\\boxed{", "}", "{", "<think>", "</think>", "<answer>", "</answer>", "Answer: ", "\n", "\\frac", "\\text{"),
        *("^", "!", "(", ")", "/", "=", ",", ":", "%", "$", "**", "\\", "1", "x", "1/2", " or ", "knight", "Ann"),
        *("½", "²", "\ud800", "9^9^9"),
    )
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=30).map("".join)


@every_check
@given(text=TEXTS, reasoning=st.sampled_from(("free", "opened")))
@settings(max_examples=40)
@example("\\boxed{" * 40 + "}" * 40, "free")
@example("\ud800\udfff\x00", "free")
def test_any_text_gets_a_verdict(check: Check, gold: str, text: str, reasoning: str) -> None:
    for style in STYLES:
        for completion in (text, MARKED[style] % text):
            verdict = judge(completion, check, gold, style, reasoning=reasoning, key="k")
            assert verdict == judge(completion, check, gold, style, reasoning=reasoning, key="k")
            assert REASONS[verdict.reason] is verdict.status
            assert verdict.reward == (1.0 if verdict.is_correct else 0.0)


HOSTILE = {
    "angles": "<" * 10**6,
    "thoughts": "<think>" * 10**5,
    "end tokens": "<|im_end|>" * 10**5,
    "spaces": " " * 10**6,
    "surrogates": "\ud800" * 10**6,
    "boxes": "\\boxed{1}" * 10**5,
    "open boxes": "\\boxed{" * 10**5,
    "nested boxes": "\\boxed{" * 10**4 + "}" * 10**4,
    "braces": "\\boxed{" + "{" * 10**6,
    "backslashes": "\\boxed{" + "\\" * 10**6,
    "lines": "Answer: 1/3\n" * 10**5,
    "tags": "<answer>1</answer>" * 10**5,
    "digits": "\\boxed{" + "7" * 10**6 + "}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_gets_a_verdict(name: str) -> None:
    # What is read is cut to the length of an answer before any check sees it, so one check stands for all.
    check = Expression(("x",), form="expanded")
    for style in STYLES:
        assert not judge(HOSTILE[name], check, "x + 1", style).is_correct


LONG = {
    "sum": "+".join(["1"] * 1999),
    "fractions": "+".join(f"1/{n}" for n in range(1, 600)),
    "factorials": "+".join(["1000!"] * 600),
    "powers": "+".join(["3^{12000}"] * 400),
    "exponents": "+".join(["x^{2^{9999}-2^{9999}}"] * 150),
    "factors": "(x+1)" * 700,
    "variables": "x" * 3900,
    "signs": "-" * 3900 + "1",
    "brackets": "(" * 1900 + "1" + ")" * 1900,
    "bars": "1" + "/1" * 1900,
    "roofs": "2" + "^2" * 1900,
    "bangs": "3" + "!" * 3900,
    "equalities": "3" + "=3" * 1900,
    "alternatives": "3 or " * 700,
    "members": "3," * 1900,
    "pairs": "x = 1, " * 500,
    "groups": "1" + ",234" * 900,
    "commands": "\\text{" * 600 + "}" * 600,
    "dollars": "$" * 3999,
    "quotes": '"' * 3999,
    "dots": "." * 3900,
    "letters": "\\aaaaaaa" * 400 + "=3",
    "gap": "x" + " " * 3900 + "y",
    "gaps": "1 and" + " " * 1900 + "x = 2" + " " * 1900 + ": 3",
    "zero": "0^{2^{9999}}",
}


@every_check
@pytest.mark.parametrize("name", LONG)
def test_an_answer_as_long_as_any_gets_a_verdict(check: Check, gold: str, name: str) -> None:
    assert not judge(MARKED["tag"] % LONG[name], check, gold, "tag", key="k").is_correct


def test_verdicts_are_small_frozen_data() -> None:
    verdict = judge("\\boxed{1}", Number(), "2")
    assert verdict == Verdict(Status.WRONG, "wrong", "1")
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert not hasattr(verdict, "__dict__")
    with pytest.raises(AttributeError):
        verdict.reason = "correct"  # type: ignore[misc]
    assert (verdict.reward, verdict.is_correct, verdict.is_readable) == (0.0, False, True)
    assert len(str(conclude("wrong", "1" * 9999).read)) == LONGEST_READ
    assert {REASONS[reason].value for reason in REASONS} == {"correct", "wrong", "unreadable"}


def test_the_gold_is_not_in_the_verdict() -> None:
    assert "8675309" not in repr(judge("\\boxed{1}", Number(), "8675309"))


def test_every_key_gives_the_same_verdict_on_honest_answers() -> None:
    check = Expression(("x",), form="factored")
    for key in (None, "a", b"b", "\udcff"):
        assert judge("\\boxed{(x+1)(x+2)}", check, "(x+2)(x+1)", key=key).is_correct
        assert judge("\\boxed{(x+1)(x+3)}", check, "(x+2)(x+1)", key=key).reason == "wrong"


def test_a_process_without_a_key_has_a_secret_of_its_own_and_with_one_has_that() -> None:
    code = "from taskgen_verifiers.points import process_key; print(process_key().hex())"

    def secret(**environment: str) -> str:
        plain = {name: value for name, value in os.environ.items() if name != "TASKGEN_KEY"}
        run = subprocess.run(
            [sys.executable, "-c", code], env=plain | environment, capture_output=True, text=True, check=True
        )
        return run.stdout.strip()

    assert secret() != secret()
    assert secret(TASKGEN_KEY="abc") == b"abc".hex()


def test_judging_imports_no_heavy_library() -> None:
    code = (
        "import json, sys, taskgen_verifiers as v\n"
        "v.judge(r'\\boxed{x^2-1}', v.Expression(('x',), form='factored'), '(x-1)*(x+1)')\n"
        "print(json.dumps(sorted(m.partition('.')[0] for m in sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "sympy", "mpmath", "numba", "gymnasium", "taskgen", "taskgen_envs"} & set(
        json.loads(run.stdout)
    )
