"""What is believed of one family's pass rate as a function of x = log1p(difficulty)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taskgen import _kernels as kernels
from taskgen._kernels import CELL, CELLS, CORRELATIONS, FIRST, LAPSE, SLOPE
from taskgen.groups import useful_share

START, START_SPREAD, START_FLAT = math.log1p(6), 1.0, 0.15
"""Before any outcome: a normal around the ability of 6 steps, and a share spread over all abilities."""

RISING = 1 / 21
"""Prior odds of 20 to 1 that the pass rate falls with difficulty."""

MARGIN = 1.1
"""How far outside its range of x a family's ability may lie and still be within reach."""


def prior() -> kernels.Belief:
    """The belief before any outcome, of shape (2, 3, 2, CELLS)."""
    abilities = FIRST + CELL * np.arange(CELLS)
    peak = np.exp(-0.5 * ((abilities - START) / START_SPREAD) ** 2)
    over_ability = (1 - START_FLAT) * peak / peak.sum() + START_FLAT / CELLS
    belief = np.empty((2, 3, 2, CELLS))
    belief[0] = (1 - RISING) * over_ability / 6
    belief[1] = RISING * over_ability / 6
    return belief.astype(np.float32)


class FamilyBelief:
    """A belief and its place in time: `weights` is its array, `offset` the part of a shift that is less than a cell."""

    def __init__(self, weights: kernels.Belief, floor: float, ceiling: float) -> None:
        self.weights = weights
        self.low, self.high = math.log1p(floor), math.log1p(ceiling)
        self.offset = 0.0
        self.time = 0.0
        self.shift = 0.0
        self._summary = np.zeros(9)
        self._is_fresh = False

    def carry(self, time: float, shift: float) -> None:
        """Brings the belief to a time (in groups issued) and to the common shift of all families."""
        if time > self.time:
            kernels.drift(self.weights, time - self.time)
            self.time = time
            self._is_fresh = False
        if shift != self.shift:
            self.offset += shift - self.shift
            self.shift = shift
            cells = round(self.offset / CELL)
            if cells:
                kernels.shift(self.weights, cells)
                self.offset -= cells * CELL
            self._is_fresh = False

    def learn(self, difficulty: float, guess: float, passed: int, failed: int, passes: int, failures: int) -> None:
        """New outcomes of a ticket issued at `difficulty`, of which `passed` and `failed` came before."""
        x = math.log1p(difficulty)
        kernels.learn(self.weights, x, self.offset, guess, passed, failed, passes, failures)
        self._is_fresh = False

    @property
    def summary(self) -> dict[str, float]:
        """Mean and standard deviation of ability, and the masses of the hypotheses."""
        if not self._is_fresh:
            margins = (self.low - MARGIN - self.offset, self.high + MARGIN - self.offset)
            kernels.summarise(self.weights, *margins, self._summary)
            self._is_fresh = True
        mean, *rest = self._summary.tolist()
        return dict(zip(_NAMES, (mean + self.offset, *rest), strict=True))

    def ability(self, share: float, signs: int = 2) -> float:
        """The ability below which `share` of the belief lies, of the falling sign (0), the rising one (1), or both."""
        return float(kernels.locate(self.weights, share, signs)) + self.offset

    def correlations(self) -> tuple[float, float, float]:
        """The weights of the three correlations."""
        known = self.summary
        return 1 - known["some"] - known["much"], known["some"], known["much"]

    def useful_share(self, pass_rate: float, size: int) -> float:
        """The predicted share of mixed groups at a pass rate."""
        pairs = zip(self.correlations(), CORRELATIONS.tolist(), strict=True)
        return sum(weight * useful_share(pass_rate, size, correlation) for weight, correlation in pairs)

    def pass_rate(self, difficulty: float, guess: float, sign: int) -> float:
        """The predicted pass rate at a difficulty, at the median ability of a sign."""
        slope = -SLOPE if sign else SLOPE
        skill = 1 / (1 + math.exp(-slope * (self.ability(0.5, sign) - math.log1p(difficulty))))
        return guess + (1 - guess - LAPSE) * skill

    def state_dict(self) -> dict[str, Any]:
        """Offset, time and shift; the weights are stored together with those of the other families."""
        return {"offset": self.offset, "time": self.time, "shift": self.shift}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from `state_dict`."""
        self.offset, self.time, self.shift = state["offset"], state["time"], state["shift"]
        self._is_fresh = False


_NAMES = ("mean", "deviation", "rising", "reach_falling", "reach_rising", "too_hard", "too_easy", "some", "much")
