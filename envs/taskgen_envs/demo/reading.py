"""What the policy reads: a prompt's text as terms, and the terms as aligned columns of digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MATHEMATICS = re.compile(r"\$([^$]*)\$")
_TERM = re.compile(r"([+-]?) ?(\d+)")


class Term(NamedTuple):
    """A whole number of a sum, as written, and whether it is taken away."""

    minus: bool
    numeral: str


class Sheet(NamedTuple):
    """Sums as columns, the last digits in column 0: whoever reads it is told which digits belong together.

    `digits` has the shape (terms, sums, width), 0 where a number has ended; `lengths` (digits of a term, 0 where a sum
    has fewer terms) and `minus` have the shape (terms, sums).
    """

    digits: NDArray[np.int64]
    lengths: NDArray[np.int64]
    minus: NDArray[np.bool_]


def read(prompt: str) -> list[Term]:
    """The terms between the prompt's dollar signs. ValueError where there is no sum of whole numbers.

    >>> read("Compute $47 + 38 - 21$. Give the answer as an integer.")
    [Term(minus=False, numeral='47'), Term(minus=False, numeral='38'), Term(minus=True, numeral='21')]
    """
    found = _MATHEMATICS.search(prompt)
    terms = [Term(sign == "-", numeral) for sign, numeral in _TERM.findall(found[1])] if found else []
    if len(terms) < 2:
        raise ValueError(f"the demo's policy reads sums of whole numbers, not {prompt!r}")
    return terms


def align(sums: Sequence[Sequence[Term]]) -> Sheet:
    """The sums, one under the other, column by column."""
    most = max(len(terms) for terms in sums)
    width = max(len(term.numeral) for terms in sums for term in terms)
    digits = np.zeros((most, len(sums), width), dtype=np.int64)
    lengths = np.zeros((most, len(sums)), dtype=np.int64)
    minus = np.zeros((most, len(sums)), dtype=np.bool_)
    for number, terms in enumerate(sums):
        for place, (taken_away, numeral) in enumerate(terms):
            digits[place, number, : len(numeral)] = np.frombuffer(numeral[::-1].encode(), np.uint8) - ord("0")
            lengths[place, number] = len(numeral)
            minus[place, number] = taken_away
    return Sheet(digits, lengths, minus)
