"""The controller: tracks pass rates, chooses family and difficulty. It sees names, numbers and counts only.

A grid Bayes filter for each family over ability, direction, correlation and rate of drift; a shift that all families
share is pooled. Placement is uniform over the difficulties whose predicted pass rate lies within `spread` of the target.
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from zlib import compress, decompress

import numpy as np

from taskgen import _kernels as kernels
from taskgen._kernels import CELLS, CORRELATIONS, LAPSE, SLOPE
from taskgen.belief import FamilyBelief, prior
from taskgen.groups import useful_share

GRID = 64
"""Difficulties are multiples of 1/64."""

GUESS_GRID = 1024
RETIRED_BELOW = 0.3
"""The share of what a family could teach at best, below which it is retired."""

RETIRED_AFTER = 3
ENOUGH_CAPACITY = 1024
"""Problems at a difficulty below which a family's share of the draws falls in proportion."""

UNSURE = 0.87
"""Width of the middle 68 % of an ability above which groups in flight are spread over the belief."""

GOLDEN = (math.sqrt(5) - 1) / 2
POOLED_AFTER = 5
_STATE_VERSION = 1
_BIN = 0.5
_BINS = 27
_ALL_RIGHT, _ALL_WRONG, _MIXED, _PROMISED = range(4)


class Knob(NamedTuple):
    """All that the controller knows of a family: its name, range, chance level, number of problems, target share."""

    name: str
    floor: float
    ceiling: float
    guess: Callable[[float], float]
    capacity: Callable[[float], float] | None = None
    share: float = 1.0


class Placement(NamedTuple):
    """Where the next group goes, and what is predicted there.

    `difficulty` is a multiple of 1/64, `guess` of 1/1024. `reason`: "steer", "revisit" (of a retired family) or
    "fallback" (nothing is learnable).
    """

    family: int
    difficulty: float
    guess: float
    pass_rate: float
    useful_share: float
    reason: str


class Estimate(NamedTuple):
    """What is known of a family: the difficulty at p = 1/2 with a 90 % interval, and what is predicted and was seen.

    `status` is "active", "retired" or "held"; `flags` are among dead, saturated, reversed, flat and noisy.
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
    """Closed groups of a family at difficulties from `low` to `high`: how they came out, and how many mixed ones the
    mean pass rate of each promised (1 - p^K - (1-p)^K)."""

    low: float
    high: float
    all_right: int
    all_wrong: int
    mixed: int
    promised: float


class _Course:
    """What has happened to a family: counts, phases, status."""

    def __init__(self) -> None:
        self.issued = self.closed = self.in_flight = self.visits = 0
        self.retired = self.held = False
        self.last_issued = -1
        self.last_mean: float | None = None
        self.last_deviation = 1.0


class Controller:
    """Chooses family and difficulty for groups of `group_size`, and learns from their outcomes.

    `target` is the pass rate aimed at; `adapt_mix=False` keeps all families at their shares and retires none; `revisit`
    is the share of groups that look again at retired families. The same calls give the same bits.
    """

    def __init__(
        self,
        knobs: Sequence[Knob],
        *,
        target: float = 0.5,
        spread: float = 0.3,
        group_size: int = 8,
        adapt_mix: bool = True,
        revisit: float = 0.01,
    ) -> None:
        if not 0 < target < 1:
            raise ValueError(f"target is a pass rate between 0 and 1, not {target!r}")
        if not 0 <= spread < 0.5:
            raise ValueError(f"spread is a distance of pass rates in [0, 0.5), not {spread!r}")
        if group_size < 2:
            raise ValueError(f"a group that can disagree has at least two rollouts, not {group_size!r}")
        if not knobs:
            raise ValueError("a controller needs at least one family")
        self._knobs = list(knobs)
        self._target, self._spread = target, spread
        self._size, self._adapts, self._revisit = group_size, adapt_mix, revisit
        self._weights = np.repeat(prior()[np.newaxis], len(knobs), axis=0)
        self._beliefs = [
            FamilyBelief(weights, knob.floor, knob.ceiling) for weights, knob in zip(self._weights, knobs, strict=True)
        ]
        self._courses = [_Course() for _ in knobs]
        self._mix = np.zeros(len(knobs))
        self._bins = np.zeros((len(knobs), _BINS, 4))
        self._shift = self._surprise = 0.0
        self._count = 0
        for family in range(len(knobs)):
            self._weigh(family)

    def place(self, uniforms: tuple[float, float, float], clock: float) -> Placement:
        """The next group's place, from three independent numbers in [0, 1); it counts as in flight from now on.

        `clock` is the policy's time, in groups issued.
        """
        family, reason = self._choose(uniforms[0])
        belief, course = self._beliefs[family], self._courses[family]
        belief.carry(clock, self._shift)
        difficulty, sign = self._locate(family, uniforms[1], uniforms[2])
        guess = self._guess(family, difficulty)
        pass_rate = belief.pass_rate(difficulty, guess, sign)
        course.issued += 1
        course.in_flight += 1
        course.visits += 1
        course.last_issued = self._count
        self._count += 1
        return Placement(family, difficulty, guess, pass_rate, belief.useful_share(pass_rate, self._size), reason)

    def observe(
        self,
        family: int,
        difficulty: float,
        guess: float,
        outcomes: Sequence[bool],
        *,
        passed: int,
        failed: int,
        clock: float,
    ) -> None:
        """New outcomes of a group issued at `difficulty`, of which `passed` and `failed` came before."""
        belief = self._beliefs[family]
        belief.carry(clock, self._shift)
        passes = sum(outcomes)
        belief.learn(difficulty, guess, passed, failed, passes, len(outcomes) - passes)
        self._weigh(family)

    def close(self, family: int, difficulty: float, guess: float, *, passed: int, failed: int) -> None:
        """A group is complete: it leaves flight, is counted by its difficulty, and moves the common shift."""
        course = self._courses[family]
        course.in_flight -= 1
        course.closed += 1
        fate = _MIXED if passed and failed else _ALL_RIGHT if passed else _ALL_WRONG
        row = self._bins[family, _bin_of(difficulty)]
        row[fate] += 1
        row[_PROMISED] += useful_share(passed / (passed + failed), passed + failed)
        self._pool(family)
        self._weigh(family)

    def release(self, family: int) -> None:
        """A group is lost or cancelled: it leaves flight without evidence."""
        self._courses[family].in_flight -= 1

    def hold(self, family: int, held: bool) -> None:
        """While held, a family is not retired."""
        if self._courses[family].held != held:
            self._courses[family].held = held
            self._weigh(family)

    @property
    def nothing_learnable(self) -> bool:
        """Whether every family is retired."""
        return all(course.retired for course in self._courses)

    def ability(self) -> tuple[float, float, float]:
        """The mean over families of the expected x at p = 1/2, and its 90 % interval (families taken as independent)."""
        known = [belief.summary for belief in self._beliefs]
        mean = sum(summary["mean"] for summary in known) / len(known)
        deviation = math.sqrt(sum(summary["deviation"] ** 2 for summary in known)) / len(known)
        return mean, mean - 1.645 * deviation, mean + 1.645 * deviation

    def estimates(self) -> list[Estimate]:
        """What is known of each family, in the order of the knobs."""
        return [self._estimate(family) for family in range(len(self._knobs))]

    def mixed_by_difficulty(self) -> dict[str, list[MixedBin]]:
        """Closed groups by family and difficulty: tells groups that are mixed from unanimous ones at the same mean."""
        return {
            knob.name: [
                MixedBin(math.expm1(_BIN * i), math.expm1(_BIN * (i + 1)), *map(int, row[:3]), float(row[3]))
                for i, row in enumerate(table)
                if row[:3].any()
            ]
            for knob, table in zip(self._knobs, self._bins, strict=True)
        }

    def _choose(self, uniform: float) -> tuple[int, str]:
        retired = [family for family, course in enumerate(self._courses) if course.retired]
        if not retired:
            return int(kernels.pick(self._mix, uniform)), "steer"
        if len(retired) == len(self._courses) and uniform >= self._revisit:
            return max(retired, key=lambda family: (self._worth(family), -family)), "fallback"
        if uniform < self._revisit:
            return min(retired, key=lambda family: (self._courses[family].last_issued, family)), "revisit"
        return int(kernels.pick(self._mix, (uniform - self._revisit) / (1 - self._revisit))), "steer"

    def _locate(self, family: int, uniform: float, position: float) -> tuple[float, int]:
        """A difficulty, and the sign of slope that it was placed for."""
        knob, belief, course = self._knobs[family], self._beliefs[family], self._courses[family]
        known = belief.summary
        sign = int(uniform < known["rising"])
        low, high = self._window(family, sign)
        at_a_rail = low > belief.high or high < belief.low
        if at_a_rail and course.visits % 2 and known["reach_falling" if sign else "reach_rising"] > 0.02:
            # While both directions are possible, a family that is out of reach by one is tried at the other's end.
            sign = 1 - sign
            low, high = self._window(family, sign)
        low, high = (min(max(end, belief.low), belief.high) for end in (low, high))
        return _on_grid(math.expm1(low + position * (high - low)), knob), sign

    def _window(self, family: int, sign: int) -> tuple[float, float]:
        """The interval of x whose predicted pass rates lie within the spread of the target."""
        belief, course = self._beliefs[family], self._courses[family]
        share = 0.5
        if course.in_flight:
            width = belief.ability(0.84, sign) - belief.ability(0.16, sign)
            if width > UNSURE:
                phase = (course.issued * GOLDEN) % 1
                share += course.in_flight / (1 + course.in_flight) * (phase - 0.5)
        ability = belief.ability(share, sign)
        guess = self._guess(
            family, min(max(math.expm1(ability), self._knobs[family].floor), self._knobs[family].ceiling)
        )
        distances = [_logit((p - guess) / (1 - guess - LAPSE)) / SLOPE for p in self._aims()]
        ends = sorted(ability + distance if sign else ability - distance for distance in distances)
        return ends[0], ends[1]

    def _aims(self) -> tuple[float, float]:
        return self._target - self._spread, self._target + self._spread

    def _guess(self, family: int, difficulty: float) -> float:
        return round(self._knobs[family].guess(difficulty) * GUESS_GRID) / GUESS_GRID

    def _worth(self, family: int) -> float:
        """P(within reach) times the useful share at p = 1/2, relative to that of independent rollouts."""
        belief = self._beliefs[family]
        known = belief.summary
        reach = known["reach_falling"] + known["reach_rising"]
        return reach * belief.useful_share(0.5, self._size) / useful_share(0.5, self._size)

    def _weigh(self, family: int) -> None:
        """Retires or revives a family by its worth, and sets its weight in the mix."""
        knob, course = self._knobs[family], self._courses[family]
        worth = self._worth(family) if self._adapts else 1.0
        course.retired = worth < RETIRED_BELOW and course.closed >= RETIRED_AFTER and not course.held
        weight = knob.share * max(worth, RETIRED_BELOW)
        if knob.capacity is not None:
            d50 = min(max(math.expm1(self._beliefs[family].ability(0.5)), knob.floor), knob.ceiling)
            weight *= min(1.0, knob.capacity(d50) / ENOUGH_CAPACITY)
        self._mix[family] = 0.0 if course.retired else weight

    def _pool(self, family: int) -> None:
        """Moves the shift that all families share by the family's surprise since its last closed group."""
        belief, course = self._beliefs[family], self._courses[family]
        known = belief.summary
        if course.closed > POOLED_AFTER and course.last_mean is not None:
            change = known["mean"] - belief.shift - course.last_mean
            surprise = min(max(change / max(course.last_deviation, 1e-6), -3.0), 3.0)
            self._surprise += 0.1 * (surprise - self._surprise)
            gain = (1 + 20 * self._surprise**2) / len(self._knobs)
            self._shift += gain * min(max(change, -1.74), 1.74)
            # The family has learnt from its own outcomes already; the others are shifted when they are next used.
            belief.shift = self._shift
        # Less the shift: what came from the other families is no surprise of this one's.
        course.last_mean, course.last_deviation = known["mean"] - belief.shift, known["deviation"]

    def _estimate(self, family: int) -> Estimate:
        knob, belief, course = self._knobs[family], self._beliefs[family], self._courses[family]
        known = belief.summary
        d50, low, high = (max(0.0, math.expm1(belief.ability(share))) for share in (0.5, 0.05, 0.95))
        correlation = float(np.dot(belief.correlations(), CORRELATIONS))
        flags = {
            "dead": known["too_hard"] > 0.5,
            "saturated": known["too_easy"] > 0.5,
            "reversed": known["rising"] > 0.9,
            "flat": course.closed >= 20 and belief.ability(0.84) - belief.ability(0.16) > 4,
            "noisy": correlation > 0.3,
        }
        return Estimate(
            name=knob.name,
            d50=d50,
            low=low,
            high=high,
            useful_share=belief.useful_share(self._target, self._size),
            correlation=correlation,
            status="retired" if course.retired else "held" if course.held else "active",
            flags=tuple(flag for flag, raised in flags.items() if raised),
            issued=course.issued,
            closed=course.closed,
            in_flight=course.in_flight,
        )

    def state_dict(self) -> dict[str, Any]:
        """Everything needed to go on bit for bit, as JSON data; arrays are compressed and carry a checksum."""
        return {
            "version": _STATE_VERSION,
            "families": [knob.name for knob in self._knobs],
            "weights": _pack(self._weights.astype("<f4")),
            "bins": _pack(self._bins.astype("<f8")),
            "beliefs": [belief.state_dict() for belief in self._beliefs],
            "courses": [dict(vars(course)) for course in self._courses],
            "common": [self._shift, self._surprise, self._count],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state_dict`. ValueError, and nothing changes, where version, families or checksum differ."""
        if state.get("version") != _STATE_VERSION:
            raise ValueError(f"unknown controller state version {state.get('version')!r}; this is {_STATE_VERSION}")
        names = [knob.name for knob in self._knobs]
        if state["families"] != names:
            different = sorted(set(state["families"]) ^ set(names)) or names
            raise ValueError(f"the state is of other families; they differ in {', '.join(different)}")
        weights = np.frombuffer(_unpack(state["weights"]), dtype="<f4").reshape(len(names), 2, 3, 2, CELLS)
        bins = np.frombuffer(_unpack(state["bins"]), dtype="<f8").reshape(self._bins.shape)
        self._weights[:] = weights
        self._bins[:] = bins
        for belief, data in zip(self._beliefs, state["beliefs"], strict=True):
            belief.load_state_dict(data)
        for course, data in zip(self._courses, state["courses"], strict=True):
            vars(course).update(data)
        self._shift, self._surprise, self._count = state["common"]
        for family in range(len(names)):
            self._weigh(family)


def _logit(p: float) -> float:
    clipped = min(max(p, 0.03), 0.97)
    return math.log(clipped / (1 - clipped))


def _on_grid(difficulty: float, knob: Knob) -> float:
    """The nearest multiple of 1/64 within the family's range."""
    low, high = math.ceil(knob.floor * GRID), math.floor(knob.ceiling * GRID)
    return min(max(round(difficulty * GRID), low), high) / GRID


def _bin_of(difficulty: float) -> int:
    return min(int(math.log1p(difficulty) / _BIN), _BINS - 1)


def _pack(array: np.ndarray[Any, Any]) -> dict[str, str]:
    data = array.tobytes()
    return {"sha256": sha256(data).hexdigest(), "zlib": b64encode(compress(data, 6)).decode()}


def _unpack(packed: Mapping[str, str]) -> bytes:
    data = decompress(b64decode(packed["zlib"]))
    if sha256(data).hexdigest() != packed["sha256"]:
        raise ValueError("the state's checksum does not fit its content")
    return data
