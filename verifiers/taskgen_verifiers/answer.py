"""Asking and reading in one place: the instruction at the end of a prompt, the answer at the end of a completion."""

from __future__ import annotations

import re

from taskgen_verifiers.check import Check, one_of
from taskgen_verifiers.reasoning import after_reasoning, without_end_tokens
from taskgen_verifiers.text import peeled
from taskgen_verifiers.verdict import Refused

STYLES = ("boxed", "tag", "line")

LONGEST_TAIL = 200_000
"""Characters at the end of a completion in which the answer must stand."""

MOST_ANSWERS = 64
"""Different answers that are marked on the final line."""

_MARKERS = {
    "boxed": r"Put the final answer in \boxed{}.",
    "tag": "Put the final answer between the tags <answer></answer>.",
    "line": 'End with a line that starts with "Answer:" and holds only the final answer.',
}


def instruction(check: Check, style: str) -> str:
    """How to answer: the form that the check wants, and where to put it. ValueError names an unknown style.

    >>> from taskgen_verifiers import Number
    >>> instruction(Number("integer"), "boxed")
    'Give the answer as an integer. Put the final answer in \\\\boxed{}.'
    """
    one_of("style", style, STYLES)
    return f"{check.wanted} {_MARKERS[style]}"


def read_answers(completion: str, style: str, reasoning: str) -> list[str]:
    """What the completion marks as its final answer: one text, or the different ones on the line of the last marker.

    Wrappers are taken off. Refused ("no_answer") where the last marker is missing, torn off or empty.
    """
    text = without_end_tokens(after_reasoning(completion, reasoning == "opened"))[-LONGEST_TAIL:]
    marked = _READERS[style](text)
    if not marked or _is_blank(peeled(marked[-1])):
        raise Refused("no_answer")
    different = dict.fromkeys(marked)
    if len(different) > MOST_ANSWERS:
        raise Refused("over_limit")
    return [answer for answer in dict.fromkeys(map(peeled, different)) if not _is_blank(answer)]


def _is_blank(answer: str) -> bool:
    """Whether nothing but a placeholder stands there, as in the prompt's own example."""
    return not answer.strip(".… _?") or answer in (r"\ldots", r"\dots", r"\cdots")


# A second backslash is an escape that was not undone, as in a JSON string.
_BRACE = re.compile(r"\\{1,2}(?:boxed|fbox)\s{0,20}\{|\\.|[{}]", re.DOTALL)
_CORRECTION = re.compile(
    r"\b(?:wait|actually|sorry|oops|correction|corrected|correcting|mistake|wrong|incorrect|scratch that)\b",
    re.IGNORECASE | re.ASCII,
)


def _boxes(text: str) -> list[str]:
    """The contents of the outermost boxes on the line where the last box starts."""
    start = min((place for mark in (r"\boxed", r"\fbox") if (place := text.find(mark)) >= 0), default=len(text))
    found: list[tuple[int, int, int]] = []
    unclosed: list[tuple[int, int] | None] = []
    for token in _BRACE.finditer(text, max(start - 1, 0)):
        sign = token.group()
        if sign == "{":
            unclosed.append(None)
        elif sign == "}":
            if unclosed and (box := unclosed.pop()):
                while found and found[-1][0] > box[0]:
                    found.pop()
                found.append((*box, token.start()))
        elif sign[-1] == "{" and len(sign) > 2:
            unclosed.append((token.start(), token.end()))
    return _on_the_last_line(text, found, max((box[0] for box in unclosed if box), default=-1))


_ANSWER_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE | re.ASCII)


def _tags(text: str) -> list[str]:
    """The contents of the answer tags on the line where the last one starts."""
    found: list[tuple[int, int, int]] = []
    opened: re.Match[str] | None = None
    for tag in _ANSWER_TAG.finditer(text):
        if not tag.group(1):
            opened = tag
        elif opened:
            found.append((opened.start(), opened.end(), tag.start()))
            opened = None
    return _on_the_last_line(text, found, opened.start() if opened else -1)


def _on_the_last_line(text: str, found: list[tuple[int, int, int]], torn: int) -> list[str]:
    """The contents that start on the line of the last one, and after the last word of correction between them.

    `found` holds where each marker starts, where its content starts, and where that ends. Nothing where the marker at
    `torn`, which is never closed, stands on that line or after it: what was meant is not known.
    """
    if not found:
        return []
    line = text.rfind("\n", 0, found[-1][0])
    if torn > line:
        return []
    contents: list[str] = []
    before = 0
    for start, inside, end in found:
        if start > line:
            if contents and _CORRECTION.search(text, before, start):
                contents = []
            contents.append(text[inside:end])
            before = end
    return contents


_ANSWER_LINE = re.compile(
    r"^[ \t>*_#-]{0,20}(?:(?:the )?final )?answer[ \t]{0,8}[*_]{0,3}[ \t]{0,8}[:：](.*)$", re.IGNORECASE | re.MULTILINE
)


def _lines(text: str) -> list[str]:
    """What follows the last "Answer:" that starts a line: on that line, else on the next that is not empty."""
    found = list(_ANSWER_LINE.finditer(text))
    if not found:
        return []
    last = found[-1]
    content = last.group(1).strip()
    if content.count("**") % 2:
        # One half of the bold stands before the colon, or its beginning stands before the marker.
        content = content.removeprefix("**").strip() if content.startswith("**") else content.removesuffix("**").strip()
    return [content or text[last.end() :].lstrip().partition("\n")[0]]


_READERS = {"boxed": _boxes, "tag": _tags, "line": _lines}
