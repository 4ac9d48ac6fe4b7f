"""A small policy in plain numpy: it reads a sum in the prompt, walks its columns, and writes what it gets.

Its only input is the prompt's text. From that it takes the numbers and their signs, aligned in columns. For each
operation, from the right, a multilayer perceptron reads the digit above, the digit below, what was carried and the sign,
and says the digit to write and what to carry; both are sampled. What it has written is what it goes on with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

HIDDEN = 128
SHAPE = (10, 10, 2, 2)
"""What a column can look like: upper digit, lower digit, carried, sign of the operation (1 for minus)."""

STATES = 400
CARRIES = 2
ACTIONS = 20
"""What can be done in a column: a digit to write and a carry, action = 2 * digit + carry."""

CLIP = 0.2
EPOCHS = 4
"""Gradient steps on each batch; from the second on, the clipped ratio matters."""

_SUM = re.compile(r"\d+(?: [+-] \d+)+")
_TERM = re.compile(r"([+-]?) ?(\d+)")


class Rollouts(NamedTuple):
    """The completions for a batch of prompts, and every column that led to them.

    `states`, `actions` and `rows` have one entry a column: what it looked like, what was done, whose it was.
    """

    texts: list[str]
    states: Indices
    actions: Indices
    rows: Indices


class Policy:
    """A perceptron with one hidden layer of tanh units, a softmax over digits and one over carries, and Adam.

    There are only 400 different columns, so the perceptron is run on all of them once for each batch, and gradients are
    gathered by column: the same arithmetic as column by column, in less time.
    """

    def __init__(self, rng: np.random.Generator, learning_rate: float = 0.01) -> None:
        inputs = dict(zip(("upper", "lower", "carried", "sign"), SHAPE, strict=True))
        self.parameters: dict[str, Array] = {name: rng.normal(0, 1.0, (size, HIDDEN)) for name, size in inputs.items()}
        self.parameters |= {"hidden": np.zeros(HIDDEN), "out": rng.normal(0, 0.1, (HIDDEN, 12)), "bias": np.zeros(12)}
        self._rate = learning_rate
        self._moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in self.parameters.items()}
        self._updates = 0

    def chances(self) -> tuple[Array, Array]:
        """The chance of each digit and of each carry, for every column: shapes (400, 10) and (400, 2)."""
        logits = self._hidden() @ self.parameters["out"] + self.parameters["bias"]
        return _softmax(logits[:, :10]), _softmax(logits[:, 10:])

    def _hidden(self) -> Array:
        p = self.parameters
        upper, lower = p["upper"][:, None, None, None], p["lower"][None, :, None, None]
        carried, sign = p["carried"][None, None, :, None], p["sign"][None, None, None, :]
        return np.tanh(upper + lower + carried + sign + p["hidden"]).reshape(STATES, HIDDEN)

    def act(self, prompts: Sequence[str], rng: np.random.Generator) -> Rollouts:
        """One sampled completion for each prompt; an empty one where there is no sum to be read."""
        cumulative = np.cumsum(_joint(*self.chances()), axis=1)
        cumulative[:, -1] = 1.0
        terms = [_read(prompt) for prompt in prompts]
        width = max((len(digits) for term in terms for _, digits in term), default=0) + max(map(len, terms), default=0)
        total = np.zeros((len(prompts), width), dtype=np.int64)
        length = np.zeros(len(prompts), dtype=np.int64)
        for row, term in enumerate(terms):
            if term:
                length[row] = len(term[0][1])
                total[row, : length[row]] = _digits(term[0][1])
        lines: list[list[str]] = [[] for _ in prompts]
        steps = []
        for operation in range(1, max(map(len, terms), default=0)):
            rows = np.array([row for row, term in enumerate(terms) if len(term) > operation])
            before = [_number(total[row, : length[row]]) for row in rows]
            steps += _operate(total, length, rows, [terms[row][operation] for row in rows], cumulative, rng)
            for row, first in zip(rows, before, strict=True):
                sign, second = terms[row][operation]
                lines[row].append(f"{first} {sign} {second} = {_number(total[row, : length[row]])}")
        texts = [
            "\n".join([*line, f"\\boxed{{{_number(total[row, : length[row]])}}}"]) if line else ""
            for row, line in enumerate(lines)
        ]
        columns = (np.concatenate(parts) for parts in zip(*steps, strict=True)) if steps else (np.zeros(0, int),) * 3
        return Rollouts(texts, *columns)

    def learn(self, rollouts: Rollouts, advantages: Array, entropy_bonus: float) -> None:
        """A batch of GRPO: `advantages` has one entry a rollout, the same for each of its columns.

        Minimises -mean(min(r A, clip(r, 1 - 0.2, 1 + 0.2) A)) - bonus * mean(entropy) over all columns, r the ratio of
        an action's chance to what it was when the rollout was made.
        """
        if not len(rollouts.states):
            return
        gains = advantages[rollouts.rows]
        cells = rollouts.states * ACTIONS + rollouts.actions
        better, worse = (
            np.bincount(cells, weights=part, minlength=STATES * ACTIONS).reshape(STATES, ACTIONS)
            for part in (np.maximum(gains, 0), np.minimum(gains, 0))
        )
        visits = np.bincount(rollouts.states, minlength=STATES)
        old = _joint(*self.chances())
        for _ in range(EPOCHS):
            self._step(self.gradient(old, better, worse, visits, entropy_bonus))

    def gradient(self, old: Array, better: Array, worse: Array, visits: Indices, entropy_bonus: float) -> dict[str, Array]:
        """The gradient of the loss of `learn`.

        `old`: chances of the actions when the rollouts were made; `better` and `worse`: sums of their positive and
        negative advantages, all of shape (400, 20); `visits`, shape (400,): how often each column occurred.
        """
        hidden = self._hidden()
        logits = hidden @ self.parameters["out"] + self.parameters["bias"]
        digits, carries = _softmax(logits[:, :10]), _softmax(logits[:, 10:])
        ratio = _joint(digits, carries) / old
        pull = ratio * (better * (ratio < 1 + CLIP) + worse * (ratio > 1 - CLIP))
        by_action = pull.reshape(STATES, 10, CARRIES)
        heads = []
        for chances, towards in ((digits, by_action.sum(axis=2)), (carries, by_action.sum(axis=1))):
            surprise = np.log(np.maximum(chances, 1e-300))
            entropy = -(chances * surprise).sum(axis=1, keepdims=True)
            policy_part = towards - chances * towards.sum(axis=1, keepdims=True)
            entropy_part = -visits[:, None] * chances * (surprise + entropy)
            heads.append(-(policy_part + entropy_bonus * entropy_part) / visits.sum())
        slopes = np.concatenate(heads, axis=1)
        back = (slopes @ self.parameters["out"].T * (1 - hidden**2)).reshape(*SHAPE, HIDDEN)
        return {
            "upper": back.sum(axis=(1, 2, 3)),
            "lower": back.sum(axis=(0, 2, 3)),
            "carried": back.sum(axis=(0, 1, 3)),
            "sign": back.sum(axis=(0, 1, 2)),
            "hidden": back.sum(axis=(0, 1, 2, 3)),
            "out": hidden.T @ slopes,
            "bias": slopes.sum(axis=0),
        }

    def _step(self, gradient: dict[str, Array]) -> None:
        """Adam (Kingma and Ba 2015) with its usual constants."""
        self._updates += 1
        for name, slope in gradient.items():
            first, second = self._moments[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            size = np.sqrt(second / (1 - 0.999**self._updates)) + 1e-8
            self.parameters[name] -= self._rate * first / (1 - 0.9**self._updates) / size


def _read(prompt: str) -> list[tuple[str, str]]:
    """The sum in a prompt, as signs and numbers; the first sign is empty. No term where there is no sum."""
    found = _SUM.search(prompt)
    return _TERM.findall(found.group()) if found else []


def _operate(
    total: Indices,
    length: Indices,
    rows: Indices,
    terms: list[tuple[str, str]],
    cumulative: Array,
    rng: np.random.Generator,
) -> list[tuple[Indices, Indices, Indices]]:
    """Adds to, or takes from, the totals of some rows a term each, in place; the columns gone through."""
    minus = np.array([sign == "-" for sign, _ in terms], dtype=np.int64)
    widths = np.maximum(length[rows], [len(number) for _, number in terms])
    lower = np.zeros((len(rows), widths.max()), dtype=np.int64)
    for position, (_, number) in enumerate(terms):
        lower[position, : len(number)] = _digits(number)
    carry = np.zeros(len(rows), dtype=np.int64)
    steps = []
    for column in range(widths.max()):
        here = np.flatnonzero(widths > column)
        looks = (total[rows[here], column], lower[here, column], carry[here], minus[here])
        states = np.ravel_multi_index(looks, SHAPE)
        actions = (rng.random((len(here), 1)) >= cumulative[states]).sum(axis=1)
        total[rows[here], column], carry[here] = actions // CARRIES, actions % CARRIES
        steps.append((states, actions, rows[here]))
    over = (carry == 1) & (minus == 0)
    total[rows[over], widths[over]] = 1
    length[rows] = widths + over
    return steps


def _digits(number: str) -> Indices:
    """The digits, the last first."""
    return np.frombuffer(number.encode(), dtype=np.uint8)[::-1].astype(np.int64) - 48


def _number(digits: Indices) -> str:
    """The number of these digits, the last first, without leading zeros."""
    return (digits[::-1] + 48).astype(np.uint8).tobytes().decode().lstrip("0") or "0"


def _joint(digits: Array, carries: Array) -> Array:
    """The chance of each action: digit and carry are chosen apart."""
    return (digits[:, :, None] * carries[:, None, :]).reshape(STATES, ACTIONS)


def _softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
