"""Asking and reading in one place: the instruction that a prompt ends with, the answer that a completion ends with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from taskgen_verifiers.text import peeled
from taskgen_verifiers.verdict import Refused

if TYPE_CHECKING:
    from taskgen_verifiers.check import Check

Style = Literal["boxed", "tag", "line"]
STYLES: tuple[Style, ...] = ("boxed", "tag", "line")
Reasoning = Literal["free", "opened"]

LONGEST_TAIL = 200_000
"""Characters at the end of a completion in which the answer must stand."""

LONGEST_ANSWER = 4_000
"""Characters of an answer."""

MOST_MARKED = 64
"""Marked answers on one line."""

_MOST_END_TOKENS = 16

_MARKERS: dict[str, str] = {
    "boxed": r"Put the final answer in \boxed{}.",
    "tag": "Put the final answer between the tags <answer></answer>.",
    "line": 'End with a line that starts with "Answer:" and holds the final answer alone.',
}


def instruction(check: Check, style: str) -> str:
    """How to answer: the form that the check wants, and where to put it.

    >>> from taskgen_verifiers import Number
    >>> instruction(Number("integer"), "boxed")
    'Give the answer as an integer. Put the final answer in \\\\boxed{}.'
    """
    if style not in _MARKERS:
        raise ValueError(f"unknown style {style!r}; valid: {', '.join(STYLES)}")
    return f"{check.wanted} {_MARKERS[style]}"


_REASONING = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis", "<|channel|>final<|message|>"),
    ("<|channel>thought", "<channel|>"),
)
_OPENING = {opening.lower() for opening, _ in _REASONING}
_CLOSING = {closing.lower() for _, closing in _REASONING}
_TAG = re.compile("|".join(re.escape(tag) for pair in _REASONING for tag in pair), re.IGNORECASE | re.ASCII)

_END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|return|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<eos>",
    "</s>",
    "[EOS]",
)


def read_answer(completion: str, style: str, reasoning: str, many: bool) -> str:
    """The text that the completion gives as its final answer, without wrappers.

    `many`: the check asks for several things, so several marked answers in one breath are one list. Refused where
    there is no answer, or where several different ones stand on the final line.
    """
    text = _end_trimmed(_after_reasoning(completion, reasoning))[-LONGEST_TAIL:]
    marked = {"boxed": _boxes, "tag": _tags, "line": _lines}[style](text)
    if max(map(len, marked)) > LONGEST_ANSWER:
        raise Refused("over_limit")
    answers = [answer for answer in map(peeled, marked) if answer.strip(".… ")]
    if len(answers) < len(marked) or not answers:
        raise Refused("no_answer")
    if len(set(answers)) == 1:
        return answers[0]
    if many:
        return ", ".join(answers)
    raise Refused("ambiguous")


def _after_reasoning(text: str, reasoning: str) -> str:
    """What follows the last closing tag of reasoning; Refused where reasoning is not closed."""
    closed, opened = 0, reasoning == "opened"
    for tag in _TAG.finditer(text):
        name = tag.group().lower()
        if name in _CLOSING:
            closed, opened = tag.end(), False
        else:
            opened = True
    if opened:
        raise Refused("no_answer")
    return text[closed:]


def _end_trimmed(text: str) -> str:
    """The text without end tokens and white space behind it."""
    text = text.rstrip()
    for _ in range(_MOST_END_TOKENS):
        token = next((token for token in _END_TOKENS if text.endswith(token)), None)
        if token is None:
            break
        text = text.removesuffix(token).rstrip()
    return text


_BOX_TOKEN = re.compile(r"\\(?:boxed|fbox)\s{0,20}\{|\\.|[{}]", re.DOTALL)


def _boxes(text: str) -> list[str]:
    """The contents of the outermost boxes on the line of the last one; Refused where one there is unclosed."""
    boxes: list[tuple[int, int, int]] = []
    unclosed: list[tuple[int, int] | None] = []
    for token in _BOX_TOKEN.finditer(text):
        sign = token.group()
        if sign == "{":
            unclosed.append(None)
        elif sign == "}":
            if unclosed and (box := unclosed.pop()):
                while boxes and boxes[-1][0] > box[0]:
                    boxes.pop()
                boxes.append((*box, token.start()))
        elif sign[-1] == "{" and len(sign) > 2:
            unclosed.append((token.start(), token.end()))
    torn = max((box[0] for box in unclosed if box), default=-1)
    return _on_the_last_line(text, boxes, torn)


_ANSWER_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE | re.ASCII)


def _tags(text: str) -> list[str]:
    """The contents of the answer tags on the line where the last one starts; Refused where that one is unclosed."""
    found: list[tuple[int, int, int]] = []
    opened: re.Match[str] | None = None
    for tag in _ANSWER_TAG.finditer(text):
        if not tag.group(1):
            opened = tag
        elif opened:
            found.append((*opened.span(), tag.start()))
            opened = None
    return _on_the_last_line(text, found, opened.start() if opened else -1)


def _on_the_last_line(text: str, found: list[tuple[int, int, int]], torn: int) -> list[str]:
    """The contents of those (start, start and end of content) that start on the line of the last.

    Refused where there is none, where one is torn off on that line or later, or where there are too many to be a list.
    """
    if not found:
        raise Refused("no_answer")
    line = text.rfind("\n", 0, found[-1][0])
    if torn > line:
        raise Refused("no_answer")
    last = [text[begin:end] for start, begin, end in found[-MOST_MARKED - 1 :] if start > line]
    if len(last) > MOST_MARKED:
        raise Refused("over_limit")
    return last


_LINE = re.compile(r"^[ \t>*_#-]*(?:final[ ]+)?answer[ \t*_]*:(.*)$", re.IGNORECASE | re.ASCII | re.MULTILINE)


def _lines(text: str) -> list[str]:
    """What follows the last "Answer:" that starts a line, on it or on the next line that is not empty."""
    last = max(_LINE.finditer(text), key=re.Match.start, default=None)
    if last is None:
        raise Refused("no_answer")
    content = last.group(1).strip().removeprefix("**").strip()
    return [content or text[last.end() :].strip().partition("\n")[0]]
