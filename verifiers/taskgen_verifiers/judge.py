"""The pipe: read, characters, parse, size, form, equal. Text in, verdict out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from taskgen_verifiers.answer import STYLES, read_answers
from taskgen_verifiers.check import Check, one_of
from taskgen_verifiers.points import Points
from taskgen_verifiers.text import peeled
from taskgen_verifiers.verdict import GoldError, Refused, Verdict, conclude

VERIFIER_VERSION: int = 1
"""Rises whenever a verdict changes."""

REASONING = ("free", "opened")


def judge(
    completion: str,
    check: Check,
    answer: str,
    style: str = "boxed",
    *,
    reasoning: str = "free",
    key: str | bytes | None = None,
) -> Verdict:
    """The verdict on any text whatever: total, bounded by size and not by time, and with a `key` pure.

    `style` is the marker that the prompt asked for, "boxed", "tag" or "line"; no other is read. `reasoning="opened"`:
    the chat template has opened the reasoning in the prompt, so a completion that never closes it holds no answer.
    `key` is the secret of the random points (None: the environment's TASKGEN_KEY, else one of this process). GoldError
    where the gold `answer` fails its own check; ValueError for an unknown style; TypeError where the completion is no
    str.

    >>> from taskgen_verifiers import Number
    >>> judge(r"So it is $\\boxed{\\frac{1}{2}}$.", Number(), "1/2").reason
    'correct'
    >>> judge(r"\\boxed{1/2} or \\boxed{1/3}", Number(), "1/2").reason
    'ambiguous'
    """
    one_of("style", style, STYLES)
    one_of("reasoning", reasoning, REASONING)
    if not isinstance(completion, str):
        raise TypeError(f"a completion is a str, not {completion!r}")
    gold = _gold(check, answer)
    try:
        answers = read_answers(completion, style, reasoning)
    except Refused as refused:
        return conclude(refused.reason)
    read = ", ".join(answers)
    return conclude(_reason([read] if check.many else answers, check, answer, gold, key), read)


def _reason(answers: list[str], check: Check, answer: str, gold: Any, key: str | bytes | None) -> str:
    """The reason for the verdict on one answer; several are ambiguous, unless all say the same and are right."""
    if len(answers) > 1:
        alike = all(_reason([text], check, answer, gold, key) == "correct" for text in answers)
        return "correct" if alike else "ambiguous"
    try:
        return check.compare(check.read(answers[0]), gold, Points(key, repr(check), answer, answers[0]))
    except Refused as refused:
        return refused.reason


def check_gold(check: Check, answer: str) -> None:
    """GoldError unless the gold answer is read by the check and passes it, form and echo included."""
    _gold(check, answer)


@lru_cache(maxsize=4096)
def _gold(check: Check, answer: str) -> Any:
    """The gold as the check reads it."""
    if not isinstance(check, Check) or not isinstance(answer, str):
        raise TypeError(f"a gold answer is a str with a Check, not {answer!r} with {check!r}")
    try:
        gold = check.read(peeled(answer))
        reason = check.compare(gold, gold, Points(b"gold", repr(check), answer))
    except Refused as refused:
        reason = refused.reason
    if reason != "correct":
        raise GoldError(f"the gold answer {answer!r} is {reason} by its own check {check}")
    return gold
