"""Tokens of mathematics: plain and LaTeX notation, one scanner, whole input or nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from taskgen_verifiers.text import GREEK, LONGEST_ANSWER, plain_characters
from taskgen_verifiers.verdict import Refused

MOST_DIGITS = 1_000
"""Digits of a literal; far under the 4,300 where Python refuses to convert."""

LARGEST_EXPONENT = 400
"""Of a literal such as 1e400."""


class Token(NamedTuple):
    """A kind, its text, and for a numeral its value. `spaced`: white space stands before it."""

    kind: str
    text: str
    value: Fraction = Fraction(0)
    spaced: bool = False


_GROUP = r"(?:,|\{,\}|\\,|,\\!\ ?|\\!,|~|\\\ |\ )"
_SCANNER = re.compile(
    rf"""
    (?P<space> (?: \s | ~ | \\[,;:!\ ] | \\q?quad(?![a-zA-Z]) )+ )
  | (?P<grouped> [0-9]{{1,3}} (?: {_GROUP} [0-9]{{3}} )+ (?![0-9]) (?: \.[0-9]+ )? )
  | (?P<repeating> [0-9]*\.[0-9]* (?: \\overline\s?\{{[0-9]+\}} | \\dot\s?\{{?[0-9]\}}? ) )
  | (?P<decimal> [0-9]*\.[0-9]+ )
  | (?P<integer> [0-9]+ )
  | (?P<command> \\(?: [A-Za-z]+ | % ) )
  | (?P<name> [A-Za-z] (?: _ (?: [0-9]+ | [A-Za-z] | \{{[A-Za-z0-9]+\}} ) )? )
  | (?P<sign> \*\* | [-+*/^()\[\]{{}}=!%] )
    """,
    re.VERBOSE | re.ASCII,
)
_DIGITS = re.compile("[0-9]+")
_NOT_DIGITS = re.compile("[^0-9.]+")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,4})(?![0-9.])", re.ASCII)

_SIGNS = {r"\cdot": "*", r"\times": "*", r"\ast": "*", r"\div": "/", "**": "^", r"\%": "%"}
_FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"})
_SIZES = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)")


def tokens(text: str, names: tuple[str, ...] = (), grouped: bool = True) -> list[Token]:
    """The tokens of a text. Refused ("unparsable", "over_limit") at anything that is not in the notation.

    `names` are those of the variables: a letter is a name of its own unless it begins a longer one. `1e3` is a numeral
    unless e is a name. `grouped`: `1,234` is one number; in a list it is two.

    >>> [token.kind for token in tokens(r"2\\cdot x^{10}", ("x",))]
    ['integer', '*', 'name', '^', '{', 'integer', '}']
    """
    if len(text) > LONGEST_ANSWER:
        raise Refused("over_limit")
    text = plain_characters(text)
    words = tuple(sorted((name for name in names if len(name) > 1), key=len, reverse=True))
    found: list[Token] = []
    position, spaced = 0, False
    while position < len(text):
        match = _SCANNER.match(text, position)
        if match is None:
            raise Refused("unparsable")
        kind, piece = str(match.lastgroup), match.group()
        if kind == "space":
            position, spaced = match.end(), True
            continue
        if kind == "grouped" and not grouped and "," in piece.replace("{,}", ""):
            kind, piece = "integer", _NOT_DIGITS.split(piece, maxsplit=1)[0]
        if kind == "name":
            piece = next((word for word in words if text.startswith(word, position)), piece)
            found.append(Token(kind, canonical(piece), spaced=spaced))
        elif kind == "command":
            found += _command(piece, spaced)
        elif kind == "sign":
            found.append(Token(_SIGNS.get(piece, piece), piece, spaced=spaced))
        else:
            exponent = None if "e" in names or kind == "repeating" else _EXPONENT.match(text, position + len(piece))
            found.append(_numeral(kind, piece, exponent, spaced))
            position += len(exponent.group()) if exponent else 0
        position, spaced = position + len(piece), False
    return found


def canonical(name: str) -> str:
    r"""One spelling for a name: `x_{1}` is `x_1`, `\alpha` is `alpha`."""
    return name.replace("{", "").replace("}", "").removeprefix("\\")


def _numeral(kind: str, piece: str, exponent: re.Match[str] | None, spaced: bool) -> Token:
    if len(piece) > MOST_DIGITS:
        raise Refused("over_limit")
    if kind == "repeating":
        return Token(kind, piece, _repeating(piece), spaced)
    if kind == "grouped":
        if len({separator.replace(" ", "") for separator in _NOT_DIGITS.findall(piece)}) > 1:
            raise Refused("unparsable")
        digits = _NOT_DIGITS.sub("", piece)
    else:
        digits = piece
    whole, _, places = digits.partition(".")
    value = Fraction(int(whole + places), 10 ** len(places)) if places else Fraction(int(whole))
    if exponent:
        power = int(exponent.group(1))
        if abs(power) > LARGEST_EXPONENT:
            raise Refused("over_limit")
        return Token("scientific", piece, value * Fraction(10) ** power, spaced)
    return Token("decimal" if places else "integer", piece, value, spaced)


def _repeating(piece: str) -> Fraction:
    r"""The value of `0.1\overline{6}` or `0.1\dot{6}`."""
    whole, _, rest = piece.partition(".")
    places, _, period = rest.partition("\\")
    period = "".join(_DIGITS.findall(period))
    unit = 10 ** len(places)
    return Fraction(int(whole + places or "0"), unit) + Fraction(int(period), unit * (10 ** len(period) - 1))


def _command(piece: str, spaced: bool) -> list[Token]:
    """The token of a command; none for one that only sizes a bracket."""
    if _SIZES.fullmatch(piece):
        return []
    if piece in _FRACTIONS:
        return [Token("frac", piece, spaced=spaced)]
    if piece in _SIGNS:
        return [Token(_SIGNS[piece], piece, spaced=spaced)]
    if piece[1:] in GREEK:
        return [Token("name", piece[1:], spaced=spaced)]
    raise Refused("unparsable")
