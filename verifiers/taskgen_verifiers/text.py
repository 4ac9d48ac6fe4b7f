"""Characters: an explicit table of what people write for what is meant, and wrappers that change no meaning.

Never NFKC: it turns `4²` into 42 and `1½` into 11/2. A character that is neither ASCII nor in the table is refused.
"""

from __future__ import annotations

import re

from taskgen_verifiers.verdict import Refused

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5"}
_VULGAR |= {"⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}

_TABLE = str.maketrans(
    dict.fromkeys("−–—‐‑‒﹣－", "-")
    | dict.fromkeys("×·∙⋅∗＊", "*")
    | dict.fromkeys("÷⁄∕／", "/")
    | dict.fromkeys("\u00a0\u2002\u2003\u2005\u2007\u2009\u200a\u202f\u3000", " ")
    | dict(zip("０１２３４５６７８９（）＋＝，．；：％", "0123456789()+=,.;:%", strict=True))
)

_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_VULGAR_SIGN = re.compile("([0-9]?)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])([0-9]?)")


def plain_characters(text: str) -> str:
    """The text in ASCII by the table: superscripts as powers, vulgar fractions as (mixed) fractions.

    >>> plain_characters("4² − 1½")
    '4^{2} - 1\\\\frac{1}{2}'
    """
    if text.isascii():
        return text
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^{" + "".join(_SUPERSCRIPTS[c] for c in run.group()) + "}", text)
    text = _VULGAR_SIGN.sub(_vulgar_fraction, text).translate(_TABLE)
    if not text.isascii():
        raise Refused("unparsable")
    return text


def _vulgar_fraction(match: re.Match[str]) -> str:
    """A vulgar fraction as \\frac, which after an integer reads as a mixed number; a digit behind it is refused."""
    before, sign, after = match.groups()
    if after:
        raise Refused("unparsable")
    top, bottom = _VULGAR[sign].split("/")
    return f"{before}\\frac{{{top}}}{{{bottom}}}"


_WRAPPERS = (
    ("$$", "$$"),
    ("$", "$"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("`", "`"),
    ('"', '"'),
)
_COMMANDS = re.compile(r"\\(?:boxed|fbox|text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|bf|rm)\s*\{")
_SPACING = ("\\,", "\\;", "\\:", "\\!", "\\ ", "~", "\\quad", "\\qquad", "\\displaystyle", "\u200b", "\ufeff")
_MOST_WRAPPERS = 16


def peeled(text: str) -> str:
    """The text without wrappers around the whole: spaces, dollar signs, bold, `\\text{}`, a box, a final full stop.

    >>> peeled(r" $\\mathbf{42}$. ")
    '42'
    """
    for _ in range(_MOST_WRAPPERS):
        before = text
        text = text.strip()
        if text.endswith((".", "\\.")) and not text.endswith(".."):
            text = text[:-1].rstrip("\\")
        for space in _SPACING:
            text = text.removeprefix(space).removesuffix(space)
        for opening, closing in _WRAPPERS:
            inner = text[len(opening) : -len(closing)]
            wraps = text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing)
            if wraps and (opening[0] not in inner or opening[0] == "\\"):
                text = inner
                break
        command = _COMMANDS.match(text)
        if command and closing_brace(text, command.end() - 1) == len(text) - 1:
            text = text[command.end() : -1]
        elif text.startswith("{") and text.endswith("}") and closing_brace(text, 0) == len(text) - 1:
            text = text[1:-1]
        if text == before:
            return text
    raise Refused("over_limit")


TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")


def closing_brace(text: str, start: int) -> int:
    """The position of the brace that closes the one at `start`; -1 where there is none. Escaped braces do not count."""
    depth, position = 0, start
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if not depth:
                return position
        position += 1
    return -1


def split_top(text: str, separators: str) -> list[str]:
    """The parts between separators that stand outside all brackets and braces."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in separators and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
