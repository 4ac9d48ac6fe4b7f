"""Characters: an explicit table of what people write for what is meant, and wrappers that change no meaning.

Never NFKC: it turns `4²` into 42 and `1½` into 11/2. A character that is neither ASCII nor in the table stays, and no
parser of mathematics takes it.
"""

from __future__ import annotations

import re

from taskgen_verifiers.verdict import Refused

LONGEST_ANSWER = 4_000
"""Characters of an answer."""

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
_GREEK = tuple(_GREEK_NAMES.split())
GREEK = frozenset(_GREEK)
_GREEK_LETTERS = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", (f"\\{name} " for name in _GREEK), strict=True))

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5"}
_VULGAR |= {"⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}

_TABLE = str.maketrans(
    dict.fromkeys("−–—‐‑‒﹣－", "-")
    | dict.fromkeys("×·∙⋅∗＊", "*")
    | dict.fromkeys("÷⁄∕／", "/")
    | dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
    | dict.fromkeys("\u200b\u200e\u2060\ufeff", "")
    | dict(zip("０１２３４５６７８９（）［］｛｝＋＝，．；：％＾", "0123456789()[]{}+=,.;:%^", strict=True))
    | {"。": ".", "、": ",", "∅": "\\emptyset ", "±": "\\pm ", "∓": "\\mp ", "∈": "\\in ", "→": "->", "…": "..."}
    | dict.fromkeys("“”", '"')
    | _GREEK_LETTERS
)

_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_VULGAR_SIGN = re.compile("([0-9]?)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])([0-9]?)")


def plain_characters(text: str) -> str:
    """The text by the table: superscripts as powers, vulgar fractions as (mixed) fractions, look-alikes as ASCII.

    >>> plain_characters("4² − 1½")
    '4^{2} - 1\\\\frac{1}{2}'
    """
    if text.isascii():
        return text
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^{" + "".join(_SUPERSCRIPTS[c] for c in run.group()) + "}", text)
    return _VULGAR_SIGN.sub(_vulgar_fraction, text).translate(_TABLE)


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
    ("“", "”"),
)
_WRAPPED = frozenset('$\\*_`"“{')
_COMMAND = (
    r"\\(?:boxed|fbox|mbox|text|textbf|textit|textrm|texttt|mathrm|mathbf|mathit|mathsf|operatorname|bf|rm)\s{0,9}"
)
_OPENING_COMMAND = re.compile(_COMMAND + r"\{")
_WORDS = re.compile(_COMMAND + r"\{([^{}]*)\}")
_SPACING = ("\\,", "\\;", "\\:", "\\!", "\\ ", "~", "\\quad", "\\qquad", "\\displaystyle", "\u200b", "\ufeff")
_MOST_WRAPPERS = 16


def peeled(text: str) -> str:
    """The text without wrappers around the whole: spaces, dollar signs, bold, `\\text{}`, a box, a final full stop.

    Refused ("over_limit") where it is longer than any answer, or wrapped more often than anybody would.

    >>> peeled(r" $\\mathbf{42}$. ")
    '42'
    """
    text = text.strip()
    if text.isalnum() and len(text) <= LONGEST_ANSWER:
        return text
    if len(text) > LONGEST_ANSWER:
        raise Refused("over_limit")
    for _ in range(_MOST_WRAPPERS):
        inner = _peeled_once(text)
        if inner == text:
            return text
        text = inner
    raise Refused("over_limit")


def _peeled_once(text: str) -> str:
    text = text.strip()
    if text.endswith((".", "。")) and not text.endswith(".."):
        text = text[:-1].rstrip()
    for space in _SPACING:
        text = text.removeprefix(space).removesuffix(space)
    if text[:1] not in _WRAPPED:
        return text
    for opening, closing in _WRAPPERS:
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening) + len(closing):
            inner = text[len(opening) : -len(closing)]
            # $1$ or $2$ starts and ends with dollars that do not belong together.
            return text if (opening if opening[0] == "\\" else opening[0]) in inner else inner
    command = _OPENING_COMMAND.match(text)
    if command and closing_brace(text, command.end() - 1) == len(text) - 1:
        return text[command.end() : -1]
    if text.startswith("{") and closing_brace(text, 0) == len(text) - 1:
        return text[1:-1]
    return text


def without_text_commands(text: str) -> str:
    r"""The text with the content of every `\text{...}` in its place.

    >>> without_text_commands(r"1 \text{ and } 2")
    '1  and  2'
    """
    return _WORDS.sub(r"\1", text) if "\\" in text else text


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


_BRACKETS = (
    (r"\left\{", r"\right\}"),
    (r"\left(", r"\right)"),
    (r"\left[", r"\right]"),
    (r"\{", r"\}"),
    ("{", "}"),
    ("(", ")"),
    ("[", "]"),
)


def unbracketed(text: str) -> str:
    """The text without the one pair of brackets around the whole, if there is one.

    >>> unbracketed("(1, 2)"), unbracketed("(1), (2)")
    ('1, 2', '(1), (2)')
    """
    text = text.strip()
    for opening, closing in _BRACKETS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            inner, depth = text[len(opening) : -len(closing)], 0
            for character in inner:
                depth += (character in "([{") - (character in ")]}")
                if depth < 0:
                    return text
            return inner.strip()
    return text


def split_top(text: str, separators: str) -> list[str]:
    """The parts between separators that stand outside all brackets and braces.

    >>> split_top("(1, 2), 3", ",")
    ['(1, 2)', ' 3']
    """
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in separators and depth == 0 and text[position - 1 : position] != "\\":
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
