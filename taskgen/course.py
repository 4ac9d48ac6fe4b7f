"""One family in the controller's eyes: its knob, what is believed of it, and what has become of its groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskgen._kernels import CORRELATIONS, LAPSE, SLOPE
from taskgen.belief import FamilyBelief
from taskgen.groups import useful_share

GRID = 64
"""Difficulties are multiples of 1/64."""

GUESS_GRID = 1024
UNSURE = 0.87
"""Width of the middle 68 % of an ability above which groups in flight are spread over the belief."""

POSSIBLE = 0.02
"""Mass above which a direction of slope is still tried."""

_GOLDEN = (math.sqrt(5) - 1) / 2
_BIN = 0.5
BINS = 27
_ALL_RIGHT, _ALL_WRONG, _MIXED, _PROMISED = range(4)


class Knob(NamedTuple):
    """All that the controller knows of a family: its name, range, chance level, number of problems, target share."""

    name: str
    floor: float
    ceiling: float
    guess: Callable[[float], float]
    capacity: Callable[[float], float] | None = None
    share: float = 1.0


class Estimate(NamedTuple):
    """What is known of a family: the difficulty at p = 1/2 with a 90 % interval, and what has become of its groups.

    `useful_share` is predicted at the target. `status` is "active", "retired" or "held"; `flags` are among dead,
    saturated, reversed, flat, noisy, and format (answers mostly unreadable).
    """

    name: str
    d50: float
    low: float
    high: float
    useful_share: float
    correlation: float
    status: str
    flags: tuple[str, ...]
    issued: int
    closed: int
    in_flight: int


class MixedBin(NamedTuple):
    """Closed groups at difficulties from `low` to `high`: how they came out, and how many mixed ones the mean pass rate
    of each promised, 1 - p^K - (1-p)^K."""

    low: float
    high: float
    all_right: int
    all_wrong: int
    mixed: int
    promised: float


class Course:
    """What has happened to a family, where its next group goes, and what it is worth."""

    def __init__(self, knob: Knob, belief: FamilyBelief, bins: NDArray[np.float64], size: int) -> None:
        self.knob, self.belief = knob, belief
        self._bins, self._size = bins, size
        self._best = [useful_share(0.5, size, correlation) for correlation in CORRELATIONS.tolist()]
        self.issued = self.closed = self.in_flight = 0
        self.retired = self.held = False
        self.last_issued = -1
        self._last_level: float | None = None
        self._last_deviation = 0.0

    def place(self, uniform: float, position: float, target: float, spread: float) -> tuple[float, int]:
        """The next difficulty, and the sign of slope that it is meant for.

        Uniform in x over the interval whose predicted pass rates lie within `spread` of `target`.
        """
        known = self.belief.summary
        sign = int(uniform < known["rising"])
        low, high = self._window(sign, target, spread)
        is_out_of_reach = low > self.belief.high or high < self.belief.low
        if is_out_of_reach and self.issued % 2 and known["reach_falling" if sign else "reach_rising"] > POSSIBLE:
            # Out of reach by one direction: while the other is possible, every second group goes to that end.
            sign = 1 - sign
            low, high = self._window(sign, target, spread)
        low, high = (min(max(end, self.belief.low), self.belief.high) for end in (low, high))
        return self._on_grid(math.expm1(low + position * (high - low))), sign

    def _window(self, sign: int, target: float, spread: float) -> tuple[float, float]:
        share = 0.5
        if self.in_flight:
            width = self.belief.ability(0.84, sign) - self.belief.ability(0.16, sign)
            if width > UNSURE:
                # Groups in flight at one point would all answer the same question; spread, they localise in one delay.
                share += self.in_flight / (1 + self.in_flight) * ((self.issued * _GOLDEN) % 1 - 0.5)
        ability = self.belief.ability(share, sign)
        guess = self.guess(self._on_grid(math.expm1(ability)))
        distances = [_logit((p - guess) / (1 - guess - LAPSE)) / SLOPE for p in (target + spread, target - spread)]
        ends = sorted(ability + distance if sign else ability - distance for distance in distances)
        return ends[0], ends[1]

    def guess(self, difficulty: float) -> float:
        """The chance level at a difficulty, to 1/1024."""
        return round(self.knob.guess(difficulty) * GUESS_GRID) / GUESS_GRID

    def _on_grid(self, difficulty: float) -> float:
        low, high = math.ceil(self.knob.floor * GRID), math.floor(self.knob.ceiling * GRID)
        return min(max(round(difficulty * GRID), low), high) / GRID

    @property
    def worth(self) -> float:
        """P(within reach) times the useful share at p = 1/2, relative to that of independent rollouts."""
        known = self.belief.summary
        mixed = sum(w * u for w, u in zip(self.belief.correlations(), self._best, strict=True))
        return (known["reach_falling"] + known["reach_rising"]) * mixed / useful_share(0.5, self._size)

    @property
    def capacity(self) -> float:
        """How many problems the family has at its difficulty of p = 1/2."""
        if self.knob.capacity is None:
            return math.inf
        return self.knob.capacity(self._on_grid(math.expm1(self.belief.ability(0.5))))

    def close(self, difficulty: float, passed: int, failed: int) -> tuple[float, float]:
        """Counts a complete group by its difficulty; the change of ability since the last one, and the same in
        deviations (0 for the first). A shift that came from other families is no change of this one's."""
        self.in_flight -= 1
        self.closed += 1
        row = self._bins[min(int(math.log1p(difficulty) / _BIN), BINS - 1)]
        row[_MIXED if passed and failed else _ALL_RIGHT if passed else _ALL_WRONG] += 1
        row[_PROMISED] += useful_share(passed / (passed + failed), passed + failed)
        known = self.belief.summary
        level = known["mean"] - self.belief.shift
        change = level - self._last_level if self._last_level is not None else 0.0
        surprise = change / self._last_deviation if self._last_deviation else 0.0
        self._last_level, self._last_deviation = level, known["deviation"]
        return change, surprise

    def forget_shift(self, shift: float) -> None:
        """Takes the common shift as known: the part that came from this family is in its belief already."""
        if self._last_level is not None:
            self._last_level += self.belief.shift - shift
        self.belief.shift = shift

    def estimate(self, target: float) -> Estimate:
        """What is known of the family."""
        known = self.belief.summary
        d50, low, high = (max(0.0, math.expm1(self.belief.ability(share))) for share in (0.5, 0.05, 0.95))
        correlation = float(np.dot(self.belief.correlations(), CORRELATIONS))
        flags = {
            "dead": known["too_hard"] > 0.5,
            "saturated": known["too_easy"] > 0.5,
            "reversed": known["rising"] > 0.9,
            "flat": self.closed >= 20 and self.belief.ability(0.84) - self.belief.ability(0.16) > 4,
            "noisy": correlation > 0.3,
        }
        return Estimate(
            name=self.knob.name,
            d50=d50,
            low=low,
            high=high,
            useful_share=self.belief.useful_share(target, self._size),
            correlation=correlation,
            status="retired" if self.retired else "held" if self.held else "active",
            flags=tuple(flag for flag, is_raised in flags.items() if is_raised),
            issued=self.issued,
            closed=self.closed,
            in_flight=self.in_flight,
        )

    def mixed_bins(self) -> list[MixedBin]:
        """The closed groups by difficulty, where there are any."""
        return [
            MixedBin(math.expm1(_BIN * i), math.expm1(_BIN * (i + 1)), int(right), int(wrong), int(mixed), promised)
            for i, (right, wrong, mixed, promised) in enumerate(self._bins.tolist())
            if right or wrong or mixed
        ]

    def state_dict(self) -> dict[str, Any]:
        """Counts, status and position as JSON data; the arrays are stored with those of the other families."""
        return {name: getattr(self, name) for name in _STATE} | {"belief": self.belief.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from `state_dict`."""
        for name in _STATE:
            setattr(self, name, state[name])
        self.belief.load_state_dict(state["belief"])


_STATE = ("issued", "closed", "in_flight", "retired", "held", "last_issued", "_last_level", "_last_deviation")


def _logit(p: float) -> float:
    clipped = min(max(p, 0.03), 0.97)
    return math.log(clipped / (1 - clipped))
