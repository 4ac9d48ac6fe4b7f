"""The pipe: read, characters, parse, size, form, equal. Text in, verdict out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from taskgen_verifiers.answer import STYLES, read_answer
from taskgen_verifiers.check import Check, one_of
from taskgen_verifiers.equal import Points
from taskgen_verifiers.text import peeled
from taskgen_verifiers.verdict import GoldError, Refused, Verdict, conclude

VERIFIER_VERSION = 1
"""Rises whenever a verdict changes."""


def judge(
    completion: str,
    check: Check,
    answer: str,
    style: str = "boxed",
    *,
    reasoning: str = "free",
    key: str | bytes | None = None,
) -> Verdict:
    """The verdict on any text whatever: total, bounded by size and not by time, and with a `key` a pure function.

    `style` is the marker that the prompt asked for, "boxed", "tag" or "line"; no other is read. With
    `reasoning="opened"` the chat template has opened the reasoning in the prompt, so that a completion which never
    closes it holds no answer. `key` is the secret of the random points (None: TASKGEN_KEY of the environment,
    else one of this process). GoldError where the gold `answer` fails its own check; ValueError for an unknown style.

    >>> from taskgen_verifiers import Number
    >>> judge(r"So it is $\\boxed{\\frac{1}{2}}$.", Number(), "1/2").reason
    'correct'
    >>> judge(r"\\boxed{1/2}, or maybe \\boxed{1/3}", Number(), "1/2").reason
    'ambiguous'
    """
    one_of("style", style, STYLES)
    one_of("reasoning", reasoning, ("free", "opened"))
    gold = _gold(check, answer)
    text = None
    try:
        text = read_answer(completion, style, reasoning, check.many)
        reason = check.compare(check.read(text), gold, Points(key, repr(check), answer, text))
    except Refused as refused:
        reason = refused.reason
    except RecursionError:
        # Nesting is bounded, but not the depth of the stack that this is called from.
        reason = "over_limit"
    return conclude(reason, text)


def check_gold(check: Check, answer: str) -> None:
    """GoldError unless the gold answer is read by the check and passes it, form and echo included."""
    _gold(check, answer)


@lru_cache(maxsize=4096)
def _gold(check: Check, answer: str) -> Any:
    """The gold as the check reads it."""
    try:
        gold = check.read(peeled(answer))
        reason = check.compare(gold, gold, Points(b"gold", answer))
    except Refused as refused:
        reason = refused.reason
    if reason != "correct":
        raise GoldError(f"the gold answer {answer!r} is {reason} by its own check {check}")
    return gold
