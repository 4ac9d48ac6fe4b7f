"""The controller: tracks pass rates, chooses family and difficulty. It sees names, numbers and counts only.

A grid Bayes filter for each family over ability, sign of slope, correlation of rollouts and rate of drift; a shift that
all families share is pooled.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from taskgen import _kernels as kernels
from taskgen.belief import FamilyBelief, prior
from taskgen.course import BINS, COLUMNS, GRID, Course, Estimate, Knob, MixedBin
from taskgen.stored import pack, unpack

__all__ = ["Controller", "Estimate", "Knob", "MixedBin", "Placement"]

RETIRED_BELOW = 0.3
"""The share of what a family could teach at best, below which it is retired; active ones are weighed as no less."""

RETIRED_AFTER = 3
ENOUGH_PROBLEMS = 1024
"""Problems at a family's difficulty below which its share of the groups falls in proportion."""

_POOLED_AFTER = 5
_FEWEST_POOLED = 10
"""Families that a shift is averaged over, at least: what one or two of them do is news of those alone."""

_LARGEST_CHANGE = 1.74
_STATE_VERSION = 1


class Placement(NamedTuple):
    """Where the next group goes, and what is predicted there over the whole belief.

    `family` is the knob's index, `difficulty` a multiple of 1/64, `guess` of 1/1024. `reason`: "steer", "revisit" (of a
    retired family) or "fallback" (nothing is learnable).
    """

    family: int
    difficulty: float
    guess: float
    pass_rate: float
    useful_share: float
    reason: str


class Controller:
    """Chooses family and difficulty for groups of `group_size` rollouts, and learns from their outcomes.

    Difficulties are uniform in x = log1p(d) over those whose predicted pass rate is within `spread` of `target`.
    Families are chosen in proportion to share, worth (P(within reach) times the useful share at p = 1/2) and, where a
    family has fewer than 1,024 problems, their number. One worth less than 0.3 after three groups is retired; the share
    `revisit` of the groups looks again at retired ones, the longest unseen first. `adapt_mix=False` counts all as worth
    the same, and retires none. Clocks are in groups issued; the same calls give the same bits.

    >>> controller = Controller([Knob("sums", 0, 64, lambda difficulty: 0.0)], spread=0)
    >>> group = controller.place((0.5, 0.5, 0.5), clock=0)
    >>> controller.observe(group.family, group.difficulty, group.guess, [True] * 8, passed=0, failed=0, clock=1)
    >>> controller.close(group.family, group.difficulty, group.guess, passed=8, failed=0)
    >>> group.difficulty < controller.place((0.5, 0.5, 0.5), clock=1).difficulty
    True
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
        _check(knobs, target, spread, group_size, revisit)
        self._target, self._spread = target, spread
        self._size, self._adapts, self._revisit = group_size, adapt_mix, revisit
        self._weights = np.repeat(prior()[np.newaxis], len(knobs), axis=0)
        self._tally = np.zeros((len(knobs), BINS, COLUMNS))
        self._courses = [
            Course(knob, FamilyBelief(weights, knob.floor, knob.ceiling), tally, group_size)
            for knob, weights, tally in zip(knobs, self._weights, self._tally, strict=True)
        ]
        self._last_issued = np.full(len(knobs), -1, dtype=np.int64)
        self._shift = self._surprise = 0.0
        self._count = 0
        # What follows from the rest, for each family; `_stale` are those whose belief has changed since.
        self._last_resort = np.zeros(len(knobs))
        self._mix = np.zeros(len(knobs))
        self._is_retired = np.zeros(len(knobs), dtype=np.bool_)
        self._retired = 0
        self._stale = set(range(len(knobs)))

    def place(self, uniforms: tuple[float, float, float], clock: float) -> Placement:
        """The next group's place, from three independent numbers in [0, 1): for the family, the sign of slope, and the
        position. It is in flight from now on."""
        self._weigh()
        family, reason = self._choose(uniforms[0])
        course = self._courses[family]
        course.belief.carry(clock, self._shift)
        self._stale.add(family)
        if reason == "fallback":
            difficulty, _ = course.last_resort()
        else:
            difficulty = course.place(uniforms[1], uniforms[2], self._target, self._spread)
        guess = course.guess(difficulty)
        pass_rate, mixed = course.belief.predict(difficulty, guess, self._size)
        course.issued += 1
        course.in_flight += 1
        self._last_issued[family] = self._count
        self._count += 1
        return Placement(family, difficulty, guess, pass_rate, mixed, reason)

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
        """New outcomes of a group issued at `difficulty` and `guess`, of which `passed` and `failed` came before."""
        passes = sum(map(bool, outcomes))
        course = self._courses[family]
        course.belief.carry(clock, self._shift)
        course.learn(difficulty, guess, passed, failed, passes, len(outcomes) - passes)
        self._stale.add(family)

    def close(self, family: int, difficulty: float, guess: float, *, passed: int, failed: int) -> None:
        """A group is complete: it leaves flight, is counted by its difficulty, and moves the common shift."""
        if passed + failed < 1:
            raise ValueError("a group without outcomes teaches nothing: release it")
        self.release(family)
        course = self._courses[family]
        change, deviation = course.close(difficulty, guess, passed, failed)
        if course.closed > _POOLED_AFTER and deviation > 0:
            self._surprise += 0.1 * (min(max(change / deviation, -3.0), 3.0) - self._surprise)
            gain = (1 + 20 * self._surprise**2) / max(len(self._courses), _FEWEST_POOLED)
            step = gain * min(max(change, -_LARGEST_CHANGE), _LARGEST_CHANGE)
            self._shift += step
            # The family has learnt this from its own outcomes; the others take it in when they are next used.
            course.belief.shift += step
        self._stale.add(family)

    def release(self, family: int, n: int = 1) -> None:
        """Groups are lost or cancelled: they leave flight without evidence."""
        course = self._courses[family]
        if not 0 <= n <= course.in_flight:
            raise ValueError(f"{course.knob.name} has {course.in_flight} groups in flight, so {n} cannot leave it")
        course.in_flight -= n

    def hold(self, family: int, held: bool) -> None:
        """While held, a family is not retired: it has a fault that no difficulty mends."""
        self._courses[family].held = held
        self._stale.add(family)

    @property
    def active(self) -> int:
        """How many families are not retired."""
        self._weigh()
        return len(self._courses) - self._retired

    @property
    def nothing_learnable(self) -> bool:
        """Whether every family is retired."""
        return self.active == 0

    def ability(self) -> tuple[float, float, float]:
        """The mean over families of the expected x at p = 1/2, with a 90 % interval (families taken as independent)."""
        crossings = [course.crossing() for course in self._courses]
        pending = sum(self._shift - course.belief.shift for course in self._courses)
        mean = (sum(x for x, _ in crossings) + pending) / len(crossings)
        deviation = math.sqrt(sum(deviation**2 for _, deviation in crossings)) / len(crossings)
        return mean, mean - 1.645 * deviation, mean + 1.645 * deviation

    def estimates(self) -> list[Estimate]:
        """What is known of each family, in the order of the knobs."""
        self._weigh()
        return [
            course.estimate(self._target, self._shift, "retired" if retired else "held" if course.held else "active")
            for course, retired in zip(self._courses, self._is_retired.tolist(), strict=True)
        ]

    def mixed_by_difficulty(self) -> dict[str, list[MixedBin]]:
        """Closed groups by family and difficulty: tells groups that are mixed from unanimous ones at the same mean."""
        return {course.knob.name: course.mixed_bins() for course in self._courses}

    def _choose(self, uniform: float) -> tuple[int, str]:
        if not self._retired:
            return kernels.pick(self._mix, uniform), "steer"
        if uniform < self._revisit:
            return int(np.where(self._is_retired, self._last_issued, self._count).argmin()), "revisit"
        if self._retired == len(self._courses):
            return int(self._last_resort.argmax()), "fallback"
        return kernels.pick(self._mix, (uniform - self._revisit) / (1 - self._revisit)), "steer"

    def _weigh(self) -> None:
        """Retires or revives the families whose belief has changed by their worth, and sets their weight in the mix."""
        for family in self._stale:
            course = self._courses[family]
            worth = course.worth
            is_judged = course.closed >= RETIRED_AFTER and not course.is_undecided and not course.held
            retired = self._adapts and is_judged and worth < RETIRED_BELOW
            weight = course.knob.share * min(1.0, course.capacity / ENOUGH_PROBLEMS)
            self._last_resort[family] = course.last_resort()[1] if retired else 0.0
            self._mix[family] = 0.0 if retired else weight * max(worth, RETIRED_BELOW) if self._adapts else weight
            self._retired += int(retired) - int(self._is_retired[family])
            self._is_retired[family] = retired
        self._stale.clear()

    def state_dict(self) -> dict[str, Any]:
        """Everything needed to go on bit for bit, as JSON data with a checksum; under 6 kB for each family."""
        state = {
            "version": _STATE_VERSION,
            "families": [course.knob.name for course in self._courses],
            "weights": pack(self._weights.astype("<f4").tobytes()),
            "tally": pack(self._tally.astype("<f8").tobytes()),
            "last_issued": self._last_issued.tolist(),
            "courses": [course.state for course in self._courses],
            "common": [self._shift, self._surprise, self._count],
        }
        return {**state, "checksum": _checksum(state)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state_dict`. ValueError, and nothing changes, where version, checksum or families differ."""
        if state.get("version") != _STATE_VERSION:
            raise ValueError(f"unknown controller state version {state.get('version')!r}; this is {_STATE_VERSION}")
        if state.get("checksum") != _checksum({key: value for key, value in state.items() if key != "checksum"}):
            raise ValueError("the controller state's checksum does not fit its content")
        names, stored = [course.knob.name for course in self._courses], list(state["families"])
        if stored != names:
            missing, new = sorted(set(stored) - set(names)), sorted(set(names) - set(stored))
            raise ValueError(
                f"the state is of other families: {missing} are missing here, {new} there"
                if missing or new
                else f"the state has the families in another order: {stored}, not {names}"
            )
        weights = np.frombuffer(unpack(state["weights"]), dtype="<f4").reshape(self._weights.shape)
        tally = np.frombuffer(unpack(state["tally"]), dtype="<f8").reshape(self._tally.shape)
        self._weights[...], self._tally[...], self._last_issued[...] = weights, tally, state["last_issued"]
        for course, data in zip(self._courses, state["courses"], strict=True):
            course.state = data
        self._shift, self._surprise, self._count = state["common"]
        self._stale = set(range(len(names)))


def _check(knobs: Sequence[Knob], target: float, spread: float, group_size: int, revisit: float) -> None:
    """ValueError with the value and what it should be."""
    if not 0 < target < 1:
        raise ValueError(f"target is a pass rate between 0 and 1, not {target!r}")
    if not 0 <= spread < 0.5:
        raise ValueError(f"spread is a distance of pass rates in [0, 0.5), not {spread!r}")
    if group_size < 2:
        raise ValueError(f"a group that can disagree has at least two rollouts, not {group_size!r}")
    if not 0 <= revisit < 1:
        raise ValueError(f"revisit is a share of the groups in [0, 1), not {revisit!r}")
    if not knobs:
        raise ValueError("a controller needs at least one family")
    names = [knob.name for knob in knobs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"each family has one knob, but {', '.join(twice)} has several")
    for knob in knobs:
        if not 0 <= math.ceil(knob.floor * GRID) <= math.floor(knob.ceiling * GRID):
            raise ValueError(f"{knob.name} has no difficulty on a grid of 1/64 from {knob.floor!r} to {knob.ceiling!r}")
        if not 0 < knob.share < math.inf:
            raise ValueError(f"the share of {knob.name} is a positive number, not {knob.share!r}")


def _checksum(state: Mapping[str, Any]) -> str:
    return sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
