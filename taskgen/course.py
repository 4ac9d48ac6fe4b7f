"""One family in the controller's eyes: its knob, what is believed of it, and what has become of its groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskgen._kernels import CORRELATIONS, SLOPE
from taskgen.belief import EITHER_SIGN, FALLING_SIGN, RISING_SIGN, FamilyBelief, distance
from taskgen.groups import useful_share

GRID = 64
"""Difficulties are multiples of 1/64."""

GUESS_GRID = 1024
"""Chance levels are multiples of 1/1024."""

_MOST_GUESSED = 0.95
_UNSURE = 0.87
"""Width in x of the middle 68 % of an ability above which groups in flight are spread over the belief."""

_POSSIBLE = 0.02
"""Mass within reach above which a sign of slope is still tried at a rail."""

_UNDECIDED = 0.05
"""Mass within reach above which a rising pass rate is still to be tried out before a family is given up."""

_GOLDEN = (math.sqrt(5) - 1) / 2

BINS = 13
_BIN = 0.5
"""Groups are counted in bins of x, 0.5 wide; the last one, from d = 402, is open upwards."""

COLUMNS = 6
_ALL_RIGHT, _ALL_WRONG, _MIXED, _PROMISED, _RECENT_PASSED, _RECENT_ROLLOUTS = range(COLUMNS)

_KEPT = 0.98
"""How much of the recent counts a closed group leaves: a memory of about 50 groups."""

_FLAT = 0.5
"""Flat: the pass rate changes with x by less than this part of what is expected, two standard errors included."""


class Knob(NamedTuple):
    """All that the controller knows of a family.

    The range of its difficulties, its chance level and (where limited) number of distinct problems at a difficulty, and
    the share of the groups that it should have, relative to the other families'.
    """

    name: str
    floor: float
    ceiling: float
    guess: Callable[[float], float]
    capacity: Callable[[float], float] | None = None
    share: float = 1.0


class Estimate(NamedTuple):
    """What is known of a family: the difficulty at a pass rate of one half with a 90 % interval, what is predicted for
    its next group at the target, and what has become of its groups.

    `correlation` is between rollouts on one task. `status` is "active", "retired" or "held". `flags` are among dead
    (too hard everywhere), saturated (too easy everywhere), reversed (passes more where d is higher), flat (passes alike
    at difficulties far apart) and noisy (correlation above 0.3). `mixed` is the share of mixed groups among the closed
    ones, nan before the first.
    """

    name: str
    d50: float
    low: float
    high: float
    pass_rate: float
    useful_share: float
    correlation: float
    status: str
    flags: tuple[str, ...]
    issued: int
    closed: int
    in_flight: int
    mixed: float


class MixedBin(NamedTuple):
    """Closed groups at difficulties from `low` up to `high`: how they came out, and how many mixed ones were promised
    by the predicted mean pass rate p of each, 1 - p^K - (1-p)^K."""

    low: float
    high: float
    all_right: int
    all_wrong: int
    mixed: int
    promised: float

    @property
    def groups(self) -> int:
        """How many groups were closed."""
        return self.all_right + self.all_wrong + self.mixed


class Course:
    """A family's belief and counts: where its next group goes, what it is worth, and how it stands.

    `tally`, shape (BINS, COLUMNS), is the family's part of the controller's counts by difficulty; `size` is a group's.
    """

    def __init__(self, knob: Knob, belief: FamilyBelief, tally: NDArray[np.float64], size: int) -> None:
        self.knob, self.belief = knob, belief
        self._tally, self._size = tally, size
        self._best = [useful_share(0.5, size, rho) / useful_share(0.5, size) for rho in CORRELATIONS.tolist()]
        self.issued = self.closed = self.in_flight = 0
        self.held = False
        self._change = self._deviation = 0.0

    def place(self, uniform: float, position: float, target: float, spread: float) -> float:
        """The next difficulty: uniform in x over those whose predicted pass rate is within `spread` of `target`."""
        known = self.belief.summary
        low, high = self.belief.low, self.belief.high
        sign = RISING_SIGN if uniform < known.rising else FALLING_SIGN
        centre = self._centre(sign, target)
        other_reach = known.reach_falling if sign == RISING_SIGN else known.reach_rising
        if not low <= centre <= high and self.issued % 2 and other_reach > _POSSIBLE:
            # At a rail by one sign of slope: while the other is possible, every second group tries what that one says.
            sign = FALLING_SIGN if sign == RISING_SIGN else RISING_SIGN
            centre = self._centre(sign, target)
        guess = self.guess(self._nearest(math.expm1(centre)))
        middle = distance(target, guess)
        reach = [distance(target + side * spread, guess) - middle for side in (1, -1)]
        ends = sorted(centre + (step if sign == FALLING_SIGN else -step) for step in reach)
        start, end = (min(max(end, low), high) for end in ends)
        return self._nearest(math.expm1(start + position * (end - start)))

    def _centre(self, sign: int, pass_rate: float) -> float:
        """The x of a pass rate, for the median ability of a sign of slope.

        While groups are in flight and the ability is unsure, for a quantile of it that moves from group to group:
        groups at one point would all ask the same, whereas spread ones find the ability within one delay.
        """
        share = 0.5
        if self.in_flight:
            width = self.belief.ability(0.84, sign) - self.belief.ability(0.16, sign)
            if width > _UNSURE:
                share += self.in_flight / (1 + self.in_flight) * ((self.issued * _GOLDEN) % 1 - 0.5)
        return self._crossing(share, sign, pass_rate)

    def _crossing(self, share: float, sign: int, pass_rate: float) -> float:
        """The x at which the ability below which `share` of a sign's belief lies has a pass rate."""
        ability = self.belief.ability(share, sign)
        step = distance(pass_rate, self.guess(self._nearest(math.expm1(ability))))
        is_rising = sign == RISING_SIGN or (sign == EITHER_SIGN and self.belief.summary.rising > 0.5)
        return ability - step if is_rising else ability + step

    def last_resort(self) -> tuple[float, float]:
        """Where least is lost if nothing can be learnt, and the predicted share of mixed groups there.

        That is the ceiling if all is too easy, or else the floor. Guesses are not counted: they mix groups that teach
        nothing.
        """
        known = self.belief.summary
        difficulty = self._nearest(self.knob.ceiling if known.too_easy > known.too_hard else self.knob.floor)
        return difficulty, self.belief.predict(difficulty, 0.0, self._size)[1]

    def guess(self, difficulty: float) -> float:
        """The chance level at a difficulty, to 1/1024. ValueError where guessing passes nearly always."""
        guess = round(self.knob.guess(difficulty) * GUESS_GRID) / GUESS_GRID
        if not 0 <= guess <= _MOST_GUESSED:
            raise ValueError(f"{self.knob.name} has a chance level of {guess}, not one in [0, {_MOST_GUESSED}]")
        return guess

    def _nearest(self, difficulty: float) -> float:
        """The nearest multiple of 1/64 within the family's range."""
        low, high = math.ceil(self.knob.floor * GRID), math.floor(self.knob.ceiling * GRID)
        return min(max(round(difficulty * GRID), low), high) / GRID

    @property
    def worth(self) -> float:
        """P(within reach) times the useful share at p = 1/2, relative to that of independent rollouts."""
        known = self.belief.summary
        low, medium, high = self._best
        useful = low + known.medium_correlation * (medium - low) + known.high_correlation * (high - low)
        return (known.reach_falling + known.reach_rising) * useful

    @property
    def is_undecided(self) -> bool:
        """Whether the pass rate may yet rise with difficulty, so that one end of the range tells little."""
        return self.belief.summary.reach_rising > _UNDECIDED

    @property
    def capacity(self) -> float:
        """How many problems the family has at its difficulty of p = 1/2."""
        if self.knob.capacity is None:
            return math.inf
        return self.knob.capacity(self._nearest(math.expm1(self._crossing(0.5, EITHER_SIGN, 0.5))))

    def learn(self, difficulty: float, guess: float, passed: int, failed: int, passes: int, failures: int) -> None:
        """New outcomes of a ticket; how far they move the ability is kept until a group is closed."""
        change, deviation = self.belief.learn(difficulty, guess, passed, failed, passes, failures)
        if not self._change:
            self._deviation = deviation
        self._change += change

    def close(self, difficulty: float, guess: float, passed: int, failed: int) -> tuple[float, float]:
        """Counts a complete group by its difficulty. Returns how far the ability moved since the last one, and the
        standard deviation it had then."""
        self.closed += 1
        row = self._tally[min(int(math.log1p(difficulty) / _BIN), BINS - 1)]
        row[_MIXED if passed and failed else _ALL_RIGHT if passed else _ALL_WRONG] += 1
        row[_PROMISED] += useful_share(self.belief.predict(difficulty, guess, self._size)[0], passed + failed)
        self._tally[:, _RECENT_PASSED:] *= _KEPT
        row[_RECENT_PASSED] += passed
        row[_RECENT_ROLLOUTS] += passed + failed
        change, self._change = self._change, 0.0
        return change, self._deviation

    def estimate(self, target: float, shift: float, status: str) -> Estimate:
        """What is known of the family; `shift` is the common one, of which a part may not have reached its belief."""
        pending = shift - self.belief.shift
        low, d50, high = (self._crossing(share, EITHER_SIGN, 0.5) + pending for share in (0.05, 0.5, 0.95))
        sign = RISING_SIGN if self.belief.summary.rising > 0.5 else FALLING_SIGN
        difficulty = self._nearest(math.expm1(self._crossing(0.5, sign, target) + pending))
        pass_rate, mixed = self.belief.predict(difficulty, self.guess(difficulty), self._size)
        return Estimate(
            name=self.knob.name,
            d50=max(0.0, math.expm1(d50)),
            low=max(0.0, math.expm1(low)),
            high=max(0.0, math.expm1(high)),
            pass_rate=pass_rate,
            useful_share=mixed,
            correlation=self.belief.summary.correlation,
            status=status,
            flags=self._flags(),
            issued=self.issued,
            closed=self.closed,
            in_flight=self.in_flight,
            mixed=float(self._tally[:, _MIXED].sum()) / self.closed if self.closed else math.nan,
        )

    def crossing(self) -> tuple[float, float]:
        """The expected x at a pass rate of one half, and its standard deviation."""
        known = self.belief.summary
        step = distance(0.5, self.guess(self._nearest(math.expm1(known.mean))))
        return known.mean + (1 - 2 * known.rising) * step, known.deviation

    def _flags(self) -> tuple[str, ...]:
        known = self.belief.summary
        is_dead, is_saturated = known.too_hard > 0.5, known.too_easy > 0.5
        is_flat = not is_dead and not is_saturated and self._is_flat()
        flags = {
            "dead": is_dead,
            "saturated": is_saturated,
            # Whichever sign a flat family is believed to have, it has none.
            "reversed": known.rising > 0.9 and not is_flat,
            "flat": is_flat,
            "noisy": known.correlation > 0.3,
        }
        return tuple(flag for flag, is_raised in flags.items() if is_raised)

    def _is_flat(self) -> bool:
        """A line through the recent pass rates by bin, with the variance of correlated rollouts (Kish's design effect),
        against the slope of a logistic curve."""
        passed, rollouts = self._tally[:, _RECENT_PASSED], self._tally[:, _RECENT_ROLLOUTS]
        if not (total := float(rollouts.sum())):
            return False
        x = _BIN * np.arange(BINS)
        x -= (rollouts @ x) / total
        scatter = float(rollouts @ x**2)
        mean = float(passed.sum()) / total
        if not scatter or not 0 < mean < 1:
            return False
        slope = float(passed @ x) / scatter
        design = 1 + (self._size - 1) * self.belief.summary.correlation
        error = math.sqrt(mean * (1 - mean) * design / scatter)
        return abs(slope) + 2 * error < _FLAT * SLOPE * mean * (1 - mean)

    def mixed_bins(self) -> list[MixedBin]:
        """The closed groups by difficulty, where there are any."""
        bins = []
        for number, (right, wrong, mixed, promised, *_) in enumerate(self._tally.tolist()):
            if right or wrong or mixed:
                high = math.expm1(_BIN * (number + 1)) if number < BINS - 1 else math.inf
                bins.append(MixedBin(math.expm1(_BIN * number), high, int(right), int(wrong), int(mixed), promised))
        return bins

    @property
    def state(self) -> list[Any]:
        """Counts and position; the arrays are saved with those of the other families."""
        counts = [self.issued, self.closed, self.in_flight, self.held, self._change, self._deviation]
        return [*counts, *self.belief.state]

    @state.setter
    def state(self, state: list[Any]) -> None:
        self.issued, self.closed, self.in_flight, self.held, self._change, self._deviation, *place = state
        offset, time, shift = place
        self.belief.state = (offset, time, shift)
