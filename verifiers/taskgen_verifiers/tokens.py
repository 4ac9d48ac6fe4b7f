"""Tokens of mathematics: plain and LaTeX notation, one scanner, whole input or nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

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


_GROUPED = r"[0-9]{1,3}(?:(?:,|\{,\}|\\,|,\\!|\\!,|~|\\ | )[0-9]{3})+(?![0-9])"
_SCANNER = re.compile(
    rf"""
    (?P<space> (?: \s | ~ | \\[,;:!\ ] | \\q?quad(?![a-zA-Z]) )+ )
  | (?P<grouped> {_GROUPED} (?:\.[0-9]+)? )
  | (?P<decimal> [0-9]*\.[0-9]+ )
  | (?P<integer> [0-9]+ )
  | (?P<command> \\(?: [A-Za-z]+ | % ) )
  | (?P<name> [A-Za-z] )
  | (?P<sign> \*\* | [-+*/^()\[\]{{}}=,;!%] )
    """,
    re.VERBOSE | re.ASCII,
)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,4})(?![0-9.])", re.ASCII)
_SEPARATOR = re.compile(r"[^0-9.]+")
_DIGITS = re.compile(r"[0-9]+")

_SIGNS = {r"\cdot": "*", r"\times": "*", r"\ast": "*", r"\div": "/", "**": "^", r"\%": "%"}
_FRACTIONS = {r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"}
_BRACKETS = {r"\left", r"\right", r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}


def tokens(text: str, names: frozenset[str], grouped: bool = True) -> list[Token]:
    """The tokens of an ASCII text. Refused at anything that is not in the notation.

    `grouped`: `1,234` is one number; in a list of numbers it is two. `1e3` is a numeral unless e is a name.
    """
    found: list[Token] = []
    position, spaced = 0, False
    while position < len(text):
        match = _SCANNER.match(text, position)
        if match is None:
            raise Refused("unparsable")
        kind, piece = str(match.lastgroup), match.group()
        if kind == "grouped" and not grouped:
            match = _DIGITS.match(text, position)
            assert match is not None
            kind, piece = "integer", match.group()
        position = match.end()
        if kind == "space":
            spaced = True
            continue
        if kind in ("grouped", "decimal", "integer"):
            exponent = None if "e" in names else _EXPONENT.match(text, position)
            position = exponent.end() if exponent else position
            found.append(_numeral(kind, piece, exponent, spaced))
        elif kind == "command":
            if (command := _command(piece, spaced)) is not None:
                found.append(command)
        elif kind == "name":
            found.append(Token("name", piece, spaced=spaced))
        else:
            found.append(Token(_SIGNS.get(piece, piece), piece, spaced=spaced))
        spaced = False
    return found


def _numeral(kind: str, piece: str, exponent: re.Match[str] | None, spaced: bool) -> Token:
    if len(piece) > MOST_DIGITS:
        raise Refused("over_limit")
    if kind == "grouped" and len(set(_SEPARATOR.findall(piece))) > 1:
        raise Refused("unparsable")
    whole, _, places = _SEPARATOR.sub("", piece).partition(".")
    value = Fraction(int(whole + places or "0"), 10 ** len(places))
    if exponent:
        power = int(exponent.group(1))
        if abs(power) > LARGEST_EXPONENT:
            raise Refused("over_limit")
        value *= Fraction(10) ** power
    return Token("decimal" if places or exponent else "integer", piece, value, spaced)


def _command(piece: str, spaced: bool) -> Token | None:
    """The token of a command; None for one that only sizes a bracket."""
    if piece in _BRACKETS:
        return None
    if piece in _FRACTIONS:
        return Token("frac", piece, spaced=spaced)
    if piece in _SIGNS:
        return Token(_SIGNS[piece], piece, spaced=spaced)
    raise Refused("unparsable")
