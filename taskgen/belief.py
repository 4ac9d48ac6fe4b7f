"""What is believed of one family's pass rate as a function of x = log1p(difficulty), and when it was last known."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from taskgen import _kernels as kernels
from taskgen._kernels import CELL, CELLS, CORRELATIONS, FIRST, LAPSE, SLOPE

START, START_SPREAD, START_FLAT = math.log1p(6), 1.0, 0.15
"""Before any outcome: a normal around the ability of 6 steps, and a share spread over all abilities."""

RISING = 1 / 21
"""Prior odds of 20 to 1 that the pass rate falls with difficulty."""

MARGIN = 1.1
"""How far outside its range of x a family's ability may lie and still be within reach: 1.5 logits."""

FALLING_SIGN, RISING_SIGN, EITHER_SIGN = 0, 1, 2

_AT_ONCE = 64
"""Outcomes in one product: the likelihood of more of them would leave the range of float32."""

_LEAST_SKILL = 0.02
_LEAST_SKILL_GUESSED = 0.1


class Summary(NamedTuple):
    """Mean and standard deviation of ability, and the masses of the hypotheses (as `summarise` writes them)."""

    mean: float
    deviation: float
    rising: float
    reach_falling: float
    reach_rising: float
    too_hard: float
    too_easy: float
    medium_correlation: float
    high_correlation: float

    @property
    def correlation(self) -> float:
        """The mean correlation."""
        low, medium, high = CORRELATIONS.tolist()
        return float(low + self.medium_correlation * (medium - low) + self.high_correlation * (high - low))


def prior() -> kernels.Belief:
    """The belief before any outcome, of shape (2, 3, 2, CELLS)."""
    abilities = FIRST + CELL * np.arange(CELLS)
    peak = np.exp(-0.5 * ((abilities - START) / START_SPREAD) ** 2)
    over_ability = (1 - START_FLAT) * peak / peak.sum() + START_FLAT / CELLS
    belief = np.empty((2, 3, 2, CELLS))
    belief[FALLING_SIGN] = (1 - RISING) * over_ability / 6
    belief[RISING_SIGN] = RISING * over_ability / 6
    return belief.astype(np.float32)


def distance(pass_rate: float, guess: float) -> float:
    """How far above an ability, in x, the difficulty lies at which that ability passes at `pass_rate` (below, if < 0).

    Solves g + (1 - g - lapse) / (1 + exp(slope distance)) = pass rate. Where a right answer can be a guess, it stays at
    a tenth of skill: nearer to the chance level, mixed groups teach nothing.

    >>> [round(distance(pass_rate, 0), 2) for pass_rate in (0.2, 0.5, 0.8)]
    [0.99, -0.01, -1.04]
    >>> [round(distance(pass_rate, 0.25), 2) for pass_rate in (0.2, 0.5, 0.8)]
    [1.59, 0.49, -0.77]
    """
    least = max(_LEAST_SKILL, min(_LEAST_SKILL_GUESSED, guess))
    skill = min(max((pass_rate - guess) / (1 - guess - LAPSE), least), 1 - _LEAST_SKILL)
    return math.log((1 - skill) / skill) / SLOPE


class FamilyBelief:
    """A belief and its place in time: `weights` is its array, `offset` the part of a shift that is less than a cell.

    `low` and `high` are the ends of the family's range in x; `time` is in groups issued; `shift` is how much of the
    common shift of all families it has taken in.
    """

    __slots__ = ("_known", "high", "low", "offset", "shift", "time", "weights")

    def __init__(self, weights: kernels.Belief, floor: float, ceiling: float) -> None:
        self.weights = weights
        self.low, self.high = math.log1p(floor), math.log1p(ceiling)
        self.offset = self.time = self.shift = 0.0
        self._known: Summary | None = None

    def carry(self, time: float, shift: float) -> None:
        """Brings the belief to a time and to the common shift. Time never runs backwards: an earlier one is ignored."""
        if time > self.time:
            kernels.carry(self.weights, time - self.time)
            self.time = time
            self._known = None
        if shift != self.shift:
            self.offset += shift - self.shift
            self.shift = shift
            cells = round(self.offset / CELL)
            if cells:
                kernels.shift(self.weights, cells)
                self.offset -= cells * CELL
            self._known = None

    def learn(
        self, difficulty: float, guess: float, passed: int, failed: int, passes: int, failures: int
    ) -> tuple[float, float]:
        """New outcomes of a ticket issued at `difficulty`, of which `passed` and `failed` came before. Returns by how
        much the mean ability moved, and its standard deviation before."""
        self._known = None
        x = math.log1p(difficulty)
        moved = deviation = 0.0
        while total := passes + failures:
            right = passes * min(total, _AT_ONCE) // total
            wrong = min(failures, _AT_ONCE - right)
            change, before = kernels.learn(self.weights, x, self.offset, guess, passed, failed, right, wrong)
            moved, deviation = moved + change, deviation or before
            passed, failed, passes, failures = passed + right, failed + wrong, passes - right, failures - wrong
        return moved, deviation

    @property
    def summary(self) -> Summary:
        """What is believed, computed anew only where the belief has changed."""
        if self._known is None:
            numbers = np.empty(len(Summary._fields))
            low, high = self.low - MARGIN - self.offset, self.high + MARGIN - self.offset
            kernels.summarise(self.weights, low, high, numbers)
            mean, *others = numbers.tolist()
            self._known = Summary(mean + self.offset, *others)
        return self._known

    @property
    def state(self) -> tuple[float, float, float]:
        """Offset, time and shift: with `weights`, all that there is to save."""
        return self.offset, self.time, self.shift

    @state.setter
    def state(self, state: tuple[float, float, float]) -> None:
        self.offset, self.time, self.shift = state
        self._known = None

    def ability(self, share: float, sign: int = EITHER_SIGN) -> float:
        """The ability below which `share` of the belief in a sign of slope lies."""
        return float(kernels.locate(self.weights, share, sign)) + self.offset

    def predict(self, difficulty: float, guess: float, size: int) -> tuple[float, float]:
        """The mean pass rate at a difficulty, and the mean share of mixed groups of `size` rollouts."""
        pass_rate, mixed = kernels.predict(self.weights, math.log1p(difficulty), self.offset, guess, size)
        return pass_rate, mixed
