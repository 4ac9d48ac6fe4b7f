"""What stands around a value: a name in front of it, and other values where one is asked."""

from __future__ import annotations

import re

from taskgen_verifiers.parse import parse
from taskgen_verifiers.text import plain_characters, split_top
from taskgen_verifiers.verdict import Refused

_LABEL = re.compile(
    r"(?:\\text\s?\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]|_\{[A-Za-z0-9]+\}|_[A-Za-z0-9]"
    r"|(?<=[A-Za-z0-9}])\([A-Za-z0-9 ,]*\)|[-+ '])++",
    re.ASCII,
)
_LETTER = re.compile(r"[A-Za-z]")
_LONGEST_LABEL = 80

_GROUP_COMMA = re.compile(r"(?<=[0-9])(?:,|\{,\}|,\\!\ ?|\\!,)(?=[0-9]{3}(?![0-9]))", re.ASCII)
_JOINED = re.compile(r"(?<![A-Za-z\\])(?:or|and)(?![A-Za-z])|\\(?:lor|vee|pm|mp)(?![A-Za-z])", re.IGNORECASE | re.ASCII)


def unlabelled(text: str, variables: tuple[str, ...] = ()) -> str:
    """The text without a name in front, as in `x = 3`, `f(x) = 2x` or `m + n = 293`.

    A name holds no numbers but in its index or argument, so `2x = 10` stays as it is; and what can be read as an
    expression in the variables is no name but a member of an equality.

    >>> unlabelled("x_1 = 3"), unlabelled("2x = 10"), unlabelled("f(x) = x", ("x",)), unlabelled("x = 2x", ("x",))
    ('3', '2x = 10', 'x', 'x = 2x')
    """
    head, sign, tail = plain_characters(text).partition("=")
    head = head.strip()
    is_label = sign and len(head) <= _LONGEST_LABEL and _LABEL.fullmatch(head) and _LETTER.search(head)
    return tail.strip() if is_label and not _is_expression(head, variables) else text


def _is_expression(text: str, variables: tuple[str, ...]) -> bool:
    try:
        parse(text, variables)
    except Refused:
        return False
    return True


def is_several(text: str) -> bool:
    """Whether the text gives several values, where one is asked: `7 or 8`, `7, 8`, `1 \\pm 2`."""
    text = plain_characters(text)
    return bool(_JOINED.search(text)) or len(split_top(_GROUP_COMMA.sub("", text), ",;")) > 1
