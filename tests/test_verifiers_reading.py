"""Where the answer stands: markers, wrappers, reasoning and what is left behind by chat templates."""

from __future__ import annotations

import pytest

from taskgen_verifiers import STYLES, Assignment, Choice, Collection, Expression, Number, instruction, judge
from taskgen_verifiers.answer import LONGEST_TAIL
from taskgen_verifiers.reasoning import END_TOKENS, PAIRS
from taskgen_verifiers.text import LONGEST_ANSWER, peeled, plain_characters

INTEGER = Number("integer")


def reason(completion: str, style: str = "boxed", reasoning: str = "free") -> str:
    return judge(completion, INTEGER, "42", style, reasoning=reasoning).reason


@pytest.mark.parametrize(
    "completion",
    [
        r"\boxed{42}",
        r"So it is \[ \boxed{42} \]",
        r"So it is \(\boxed{42}\).",
        r"$$\boxed{42}$$",
        r"\boxed {42}",
        r"\boxed { 42 }",
        r"\fbox{42}",
        r"\boxed{\,42\,}",
        r"\boxed{{42}}",
        r"\boxed{$42$}",
        r"\boxed{\mathbf{42}}",
        r"\boxed{\text{42}}",
        r"\boxed{42.}",
        r"\boxed{\left(42\right)}",
        r"\boxed{`42`}",
        r"\boxed{\boxed{42}}",
        r"\boxed{\displaystyle 42}",
        r"In \boxed form: \boxed{42}",
        r"In \boxed{} form: \boxed{42}",
        r"In \boxed{...} form: \boxed{42}",
        r"\boxed{42}, that is \boxed{42}",
        r"\boxed{42} = \boxed{42.0}",
        r"\boxed{41}? No, wait: \boxed{42}",
        r"\boxed{41} is wrong, it is \boxed{42}",
        "\\boxed{41}\n\\boxed{42}",
        "a draft {\\boxed{41}\nIt is \\boxed{42}",
        "an unfinished \\boxed{41\nIt is \\boxed{42}",
        r"f(x) = \{ \boxed{42} } }",
        r"\\boxed{42}",
        "\\boxed{\n42\n}",
        "\\boxed{42}\n\nI hope this helps!",
    ],
)
def test_the_last_box_is_read(completion: str) -> None:
    assert reason(completion) == "correct"


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        ("", "no_answer"),
        ("42", "no_answer"),
        ("The answer is 42.", "no_answer"),
        ("Answer: 42", "no_answer"),
        ("<answer>42</answer>", "no_answer"),
        (r"\boxed 42", "no_answer"),
        (r"\boxed{}", "no_answer"),
        (r"\boxed{ }", "no_answer"),
        (r"\boxed{...}", "no_answer"),
        (r"\boxed{\ldots}", "no_answer"),
        (r"\boxed{?}", "no_answer"),
        (r"\boxed{42} \boxed{}", "no_answer"),
        (r"\boxed{42", "no_answer"),
        (r"\boxed{42} and \boxed{43", "no_answer"),
        ("\\boxed{42}\n\\boxed{", "no_answer"),
        (r"\boxed{42 \boxed{42}", "no_answer"),
        (r"\boxed{42\}", "no_answer"),
        (r"\boxed{\text{your answer here}}", "unparsable"),
        (r"\boxed{41 \boxed{42}}", "unparsable"),
        ("\\boxed{41,\n\\boxed{42}}", "ambiguous"),
        (r"\boxed{41} or \boxed{42}", "ambiguous"),
        (r"\boxed{41} \boxed{42}", "ambiguous"),
        (r"\boxed{42} \boxed{41}", "ambiguous"),
        (r"\boxed{42}, \boxed{\text{none}}", "ambiguous"),
        (r"not \boxed{42} but \boxed{41}", "ambiguous"),
        ("\\boxed{42}\n\\boxed{41}", "wrong"),
        ("".join(rf"\boxed{{{n}}}" for n in range(100)), "over_limit"),
    ],
)
def test_other_texts_hold_no_answer_or_several(completion: str, expected: str) -> None:
    assert reason(completion) == expected


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        ("<answer>42</answer>", "correct"),
        ("<answer>\n42\n</answer>", "correct"),
        ("<ANSWER>42</Answer>", "correct"),
        (r"<answer>\(\boxed{42}\).</answer>", "correct"),
        ("<answer>41</answer>\n<answer>42</answer>", "correct"),
        ("Put it in <answer></answer>: <answer>42</answer>", "correct"),
        ("There are 42 of them.\n<answer>10</answer>", "wrong"),
        ("<answer>41</answer> or <answer>42</answer>", "ambiguous"),
        ("<answer>42", "no_answer"),
        ("42</answer>", "no_answer"),
        ("<answer></answer>", "no_answer"),
        ("<answer>42</answer> <answer>", "no_answer"),
        (r"\boxed{42}", "no_answer"),
    ],
)
def test_the_last_answer_tag_is_read(completion: str, expected: str) -> None:
    assert reason(completion, "tag") == expected


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        ("Answer: 42", "correct"),
        ("answer: 42.", "correct"),
        ("Answer : 42", "correct"),
        ("Answer：42", "correct"),
        ("**Answer:** 42", "correct"),
        ("**Answer: 42**", "correct"),
        ("**Answer**: 42", "correct"),
        ("Final Answer: **42**", "correct"),
        ("The final answer: 42", "correct"),
        ("### Answer: 42", "correct"),
        ("> Answer: $42$", "correct"),
        ("Answer:\n\n42\n\nI hope this helps!", "correct"),
        ("Answer: 41\nAnswer: 42", "correct"),
        (r"Answer: \boxed{42}", "correct"),
        ("Left: 437 + 2 = 439.\nAnswer: m + n = 20 + 22 = 42", "correct"),
        ("Answer: 42\nAnswer: 41", "wrong"),
        ("Answer: 41 or 42", "ambiguous"),
        ("The answer: see below. 42", "no_answer"),
        ("It is not Answer: 42", "no_answer"),
        ("Answer:", "no_answer"),
        ("Answer: ...", "no_answer"),
        ("Answer 42", "no_answer"),
        (r"\boxed{42}", "no_answer"),
    ],
)
def test_the_last_answer_line_is_read(completion: str, expected: str) -> None:
    assert reason(completion, "line") == expected


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_reasoning_is_cut_and_must_be_closed(opening: str, closing: str) -> None:
    draft = rf"{opening} maybe \boxed{{42}}"
    assert reason(draft) == "no_answer"
    assert reason(rf"{draft} {closing} \boxed{{41}}") == "wrong"
    assert reason(rf"{opening} maybe \boxed{{41}} {closing} \boxed{{42}}") == "correct"
    assert reason(draft + closing) == "no_answer"
    assert reason(rf"\boxed{{42}} {opening} hm") == "no_answer"
    assert reason(rf"{opening.upper()} 41 {closing.upper()} \boxed{{42}}") == "correct"


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_reasoning_that_the_prompt_opened_must_be_closed_too(opening: str, closing: str) -> None:
    def opened(completion: str) -> str:
        return reason(completion, reasoning="opened")

    assert opened(r"maybe \boxed{42}") == "no_answer"
    assert opened(rf"maybe \boxed{{42}} {closing}") == "no_answer"
    assert opened(rf"maybe \boxed{{41}} {closing} \boxed{{42}}") == "correct"
    assert opened(rf"maybe \boxed{{42}} {closing} \boxed{{41}}") == "wrong"
    assert opened(rf"{opening} maybe {closing} \boxed{{42}}") == "correct"
    assert opened(rf"maybe {closing} \boxed{{42}} {opening} or not") == "no_answer"


@pytest.mark.parametrize(
    ("completion", "style", "expected"),
    [
        ("", "boxed", "no_answer"),
        (r"First 6 * 7 = \boxed{42}", "boxed", "no_answer"),
        ("First 6 * 7.\nAnswer: 42", "line", "no_answer"),
        ("<answer>42</answer>", "tag", "no_answer"),
        ("<answer>42</answer></think>", "tag", "no_answer"),
        ("6 * 7</think><answer>42</answer>", "tag", "correct"),
        ("6 * 7</think>Answer: 42", "line", "correct"),
        ("6 * 7\nAnswer: 41\n</think>\nAnswer: 42", "line", "correct"),
        ("6 * 7\nAnswer: 42\n</think>\n", "line", "no_answer"),
        (r"a</think>b \boxed{41}</think>\boxed{42}", "boxed", "correct"),
        (r"a</think>b \boxed{42}</think>", "boxed", "no_answer"),
        (r"a</think> <think> b \boxed{42}", "boxed", "no_answer"),
        (r"a</think> <think> b </think> \boxed{42}", "boxed", "correct"),
        (r"<think>a</think> \boxed{42}", "boxed", "correct"),
        (r"<think><think>a</think> \boxed{42}", "boxed", "correct"),
        (r"a < b, b > c: \boxed{42}", "boxed", "no_answer"),
        (r"a </thinking> \boxed{42}", "boxed", "correct"),
        (r"a [/THINK] \boxed{42}</s>", "boxed", "correct"),
        (r"a</THINK>\boxed{42}<|im_end|>", "boxed", "correct"),
        (r"a</ think>\boxed{42}", "boxed", "no_answer"),
        (r"a</think\boxed{42}", "boxed", "no_answer"),
        (r"a<|end|><|start|>assistant<|channel|>final<|message|>\boxed{42}<|return|>", "boxed", "correct"),
        (r"a \boxed{42}<|end|><|start|>assistant<|channel|>final<|message|>", "boxed", "no_answer"),
    ],
)
def test_a_completion_that_starts_within_reasoning(completion: str, style: str, expected: str) -> None:
    assert reason(completion, style, "opened") == expected


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        (r"<think>a</reasoning> \boxed{42}", "no_answer"),
        (r"<think>a</think><reasoning>b</reasoning>\boxed{42}", "correct"),
        (r"<think>a <scratchpad>b</scratchpad> \boxed{42}", "no_answer"),
        (r"<|channel|>analysis<|message|>a<|end|><|channel|>commentary<|message|>b \boxed{42}", "no_answer"),
        (r"<|channel|>analysis<|message|>\boxed{41}<|end|><|channel|>final<|message|>\boxed{42}", "correct"),
        (r"<|channel>thought a \boxed{41}<channel|>\boxed{42}<turn|>", "correct"),
        (r"It takes no thinking: \boxed{42}", "correct"),
    ],
)
def test_every_kind_of_reasoning_is_closed_by_its_own_mark(completion: str, expected: str) -> None:
    assert reason(completion) == expected


@pytest.mark.parametrize("token", END_TOKENS)
def test_end_tokens_are_no_part_of_the_answer(token: str) -> None:
    for style, marked in {"boxed": r"\boxed{42}", "tag": "<answer>42</answer>", "line": "Answer: 42"}.items():
        assert reason(marked + token, style) == "correct"
        assert reason(f"{marked} {token}\n{token}\n", style) == "correct"
        assert reason(token, style) == "no_answer"


def test_only_the_tail_is_searched_for_the_answer_but_all_of_it_for_reasoning() -> None:
    assert reason(r"\boxed{42}" + "." * (LONGEST_TAIL - 10)) == "correct"
    assert reason(r"\boxed{42}" + "." * LONGEST_TAIL) == "no_answer"
    assert reason("<think>" + "." * LONGEST_TAIL + r"\boxed{42}") == "no_answer"


CHECKS = [
    (INTEGER, "42"),
    (Number(), "1/2"),
    (Expression(("x",), form="expanded"), "x^2 + 1"),
    (Choice(("A", "B", "yes")), "A"),
    (Assignment(("Ann", "Ben"), ("knight", "knave")), "Ann: knight, Ben: knave"),
    (Assignment(("x", "y"), INTEGER), "x = 1, y = 2"),
    (Collection(INTEGER), "1, 2"),
    (Collection(INTEGER, ordered=True, repeated=True), "1, 1"),
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("check", "gold"), CHECKS)
def test_a_prompt_is_no_answer(check: Number, gold: str, style: str) -> None:
    prompt = f"What is it?\n\n{instruction(check, style)}"
    wrong_place = {"boxed": f"\\boxed{{{prompt}}}", "tag": f"<answer>{prompt}</answer>", "line": f"Answer: {prompt}"}
    for text in (prompt, instruction(check, style), check.wanted, wrong_place[style]):
        assert not judge(text, check, gold, style).is_readable


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("check", "gold"), CHECKS)
def test_an_instruction_is_a_sentence_with_the_marker(check: Number, gold: str, style: str) -> None:
    text = instruction(check, style)
    assert text.startswith(check.wanted)
    assert {"boxed": r"\boxed{}", "tag": "<answer></answer>", "line": '"Answer:"'}[style] in text
    assert text[0].isupper()
    assert text.endswith(".")
    assert "  " not in text


@pytest.mark.parametrize(
    "text", ["$$", "{", r"\text{a} or \text{b}", "$1$ or $2$", "**a** and **b**", "a.b", "..", r"\(a\) \(b\)"]
)
def test_peeling_keeps_what_does_not_wrap_the_whole(text: str) -> None:
    assert peeled(text) == text


def test_peeling_is_bounded() -> None:
    assert reason(r"\boxed{" + r"\text{" * 100 + "42" + "}" * 101) == "over_limit"
    assert reason(r"\boxed{" + "4" * (LONGEST_ANSWER + 1) + "}") == "over_limit"


def test_characters_are_changed_by_the_table_alone() -> None:
    assert plain_characters("4² − ½ × ３") == r"4^{2} - \frac{1}{2} * 3"
    # Compatibility folding would turn these into digits and letters.
    assert plain_characters("①ℝ٣𝟛") == "①ℝ٣𝟛"
