"""The policy: it reads a sum in a prompt, works through its columns, and writes a completion. Its only input is text.

At each column it sees one of 400 states: two digits, what it carries, and whether it adds or takes away. It chooses one
of 20 actions: a digit to write and a carry (or borrow) of 0 or 1. What it does in a state is learnt; that digits stand
in columns, which column comes next, and that a last carry is written in front are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskgen_envs.demo.network import Array, Network
from taskgen_envs.demo.reading import Sheet, Term, align, read

STATES = 400
DIGITS, CARRIES = 10, 2


class Answers(NamedTuple):
    """Completions, and the choices that wrote them, one for each column of each operation.

    `owner` is the completion that a choice belongs to, `state` where it was made, `action` what was chosen (2 x digit
    + carry). `log_likelihood`, of shape (states, actions), is that of the policy that wrote.
    """

    texts: tuple[str, ...]
    owner: NDArray[np.int64]
    state: NDArray[np.int64]
    action: NDArray[np.int64]
    log_likelihood: Array


class ColumnPolicy:
    """Writes sums column by column, at first at random."""

    def __init__(self, seed: int) -> None:
        self.network = Network(_features(), DIGITS + CARRIES, np.random.default_rng([seed, 0]))

    def log_likelihood(self) -> Array:
        """log P(action | state), of shape (states, actions); digit and carry are drawn independently.

        There are so few states that one forward pass over all of them serves a whole batch.
        """
        digit, carry = self._heads()
        return (digit[:, :, np.newaxis] + carry[:, np.newaxis, :]).reshape(STATES, DIGITS * CARRIES)

    def logit_slope(self, slope: Array) -> Array:
        """An objective's gradient in the logits, from its gradient in `log_likelihood`."""
        joint = slope.reshape(STATES, DIGITS, CARRIES)
        total = joint.sum(axis=(1, 2))[:, np.newaxis]
        digit, carry = self._heads()
        return np.hstack([joint.sum(axis=2) - np.exp(digit) * total, joint.sum(axis=1) - np.exp(carry) * total])

    def ascend(self, slope: Array) -> None:
        """One step uphill on an objective, given its gradient in `log_likelihood`."""
        self.network.ascend(self.logit_slope(slope))

    def answer(self, prompts: Sequence[str], rng: np.random.Generator) -> Answers:
        """One sampled completion for each prompt."""
        numbers: dict[str, int] = {}
        # The members of a group share a prompt, which is read once.
        which = np.array([numbers.setdefault(prompt, len(numbers)) for prompt in prompts])
        sums = [read(prompt) for prompt in numbers]
        log_likelihood = self.log_likelihood()
        hand = _Hand(log_likelihood, rng)
        totals = hand.work(align(sums), which)
        texts = tuple(_write(sums[number], row) for number, row in zip(which, zip(*totals, strict=True), strict=True))
        return Answers(texts, *hand.choices(), log_likelihood)

    def _heads(self) -> tuple[Array, Array]:
        logits = self.network.logits()
        return _log_softmax(logits[:, :DIGITS]), _log_softmax(logits[:, DIGITS:])


class _Hand:
    """Samples a batch of sums, all completions at once, one column after the other."""

    def __init__(self, log_likelihood: Array, rng: np.random.Generator) -> None:
        self._thresholds = np.exp(log_likelihood).cumsum(axis=1)[:, :-1]
        self._rng = rng
        self._choices: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []

    def work(self, sheet: Sheet, which: NDArray[np.int64]) -> list[list[str]]:
        """The running totals that were written, a list for each operation; "" where a sum has ended before it."""
        terms, _, width = sheet.digits.shape
        total = np.zeros((len(which), width + terms), dtype=np.int64)
        total[:, :width] = sheet.digits[0, which]
        lengths = sheet.lengths[0, which]
        written = []
        for place in range(1, terms):
            term = np.zeros_like(total)
            term[:, :width] = sheet.digits[place, which]
            more = sheet.lengths[place, which]
            columns = np.where(more > 0, np.maximum(lengths, more), 0)
            self._operate(total, term, 200 * sheet.minus[place, which], columns)
            numerals = [numeral if columns[row] else "" for row, numeral in enumerate(_numerals(total))]
            lengths = np.array([len(numeral) for numeral in numerals])
            written.append(numerals)
        return written

    def _operate(
        self, total: NDArray[np.int64], term: NDArray[np.int64], offset: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> None:
        """One operation of every sum, in place in `total`, over each one's number of columns."""
        carry = np.zeros(len(total), dtype=np.int64)
        for column in range(columns.max()):
            rows = np.flatnonzero(columns > column)
            state = offset[rows] + 100 * carry[rows] + 10 * total[rows, column] + term[rows, column]
            action = (self._thresholds[state] < self._rng.random((len(rows), 1))).sum(axis=1)
            total[rows, column], carry[rows] = action // CARRIES, action % CARRIES
            self._choices.append((rows, state, action))
        ended = np.flatnonzero(carry)
        total[ended, columns[ended]] = 1

    def choices(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Owner, state and action of every choice made."""
        owner, state, action = (np.concatenate(column) for column in zip(*self._choices, strict=True))
        return owner, state, action


def _features() -> Array:
    """What is seen in each state, one-hot: a digit of the running total, one of the term, the carry, the operation."""
    state = np.arange(STATES)
    parts = ((state // 10 % 10, 10), (state % 10, 10), (state // 100 % 2, 2), (state // 200, 2))
    return np.hstack([np.eye(size)[values] for values, size in parts])


def _log_softmax(logits: Array) -> Array:
    result: Array = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    return result


def _numerals(digits: NDArray[np.int64]) -> list[str]:
    """Rows of digits, the last digit first, as numerals without leading zeros."""
    codes = (digits[:, ::-1] + ord("0")).astype(np.uint8)
    return [row.tobytes().decode().lstrip("0") or "0" for row in codes]


def _write(terms: Sequence[Term], totals: Sequence[str]) -> str:
    r"""The completion: a line for each operation, and the last total in a box.

    >>> _write([Term(False, "47"), Term(False, "38"), Term(True, "21")], ["85", "64"])
    '47 + 38 = 85\n85 - 21 = 64\n\\boxed{64}'
    """
    lines, running = [], terms[0].numeral
    for term, total in zip(terms[1:], totals, strict=False):
        lines.append(f"{running} {'-' if term.minus else '+'} {term.numeral} = {total}")
        running = total
    return "\n".join([*lines, f"\\boxed{{{running}}}"])
