"""Where reasoning ends: tags from a closed list of pairs, and the tokens with which chat templates end a turn."""

from __future__ import annotations

import re

from taskgen_verifiers.verdict import Refused

PAIRS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel|>analysis", "<|channel|>final<|message|>"),
    ("<|channel|>commentary", "<|channel|>final<|message|>"),
    ("<|channel>thought", "<channel|>"),
)
"""Every pair of marks around reasoning that is known, opening and closing; letters in either case."""

END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end_of_solution|>",
    "<|END_RESPONSE|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|endofassistant|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<turn|>",
    "<｜end▁of▁sentence｜>",
    "<seed:eos>",
    "[EOS]",
    "<eos>",
    "</s>",
)
"""What chat templates write after the last word of a turn."""

_MOST_END_TOKENS = 16

_OPENING = {opening.lower(): closing.lower() for opening, closing in PAIRS}
_CLOSING = frozenset(_OPENING.values())
# Every mark starts with one of three characters, for which the scanner can search fast.
_MARK = re.compile(
    rf"[<\[◁](?:{'|'.join(sorted({re.escape(mark[1:]) for pair in PAIRS for mark in pair}, reverse=True))})",
    re.IGNORECASE | re.ASCII,
)


def after_reasoning(text: str, opened: bool) -> str:
    """What follows the last closing mark of reasoning. Refused ("no_answer") where reasoning is left open.

    `opened`: the prompt has opened the reasoning, so a text without any closing mark is reasoning to its end.

    >>> after_reasoning("2 and 2 ... </think>It is 4.", opened=True)
    'It is 4.'
    """
    end, waiting = 0, {"the prompt's"} if opened else set[str]()
    for mark in _MARK.finditer(text):
        name = mark.group().lower()
        if name in _CLOSING:
            end = mark.end()
            waiting -= {name, "the prompt's"}
        else:
            waiting.add(_OPENING[name])
    if waiting:
        raise Refused("no_answer")
    return text[end:]


def without_end_tokens(text: str) -> str:
    """The text without the end tokens (up to 16 of them) and the white space behind it.

    >>> without_end_tokens("It is 4. <|im_end|>\\n")
    'It is 4.'
    """
    text = text.rstrip()
    for _ in range(_MOST_END_TOKENS):
        token = next((token for token in END_TOKENS if text.endswith(token)), None)
        if token is None:
            break
        text = text.removesuffix(token).rstrip()
    return text
