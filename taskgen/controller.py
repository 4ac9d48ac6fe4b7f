"""The controller: tracks pass rates, chooses family and difficulty. It sees names, numbers and counts only.

A grid Bayes filter for each family over ability, direction, correlation and rate of drift; a shift that all families
share is pooled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from taskgen import _kernels as kernels
from taskgen.belief import FamilyBelief, prior
from taskgen.course import BINS, Course, Estimate, Knob, MixedBin
from taskgen.stored import pack, unpack

RETIRED_BELOW = 0.3
"""The share of what a family could teach at best, below which it is retired."""

RETIRED_AFTER = 3
ENOUGH_PROBLEMS = 1024
"""Problems at a family's difficulty below which its share of the draws falls in proportion."""

_POOLED_AFTER = 5
_FEWEST_POOLED = 10
"""Families that a shift is averaged over, at least: what one or two of them do is news of those alone."""

_LARGEST_CHANGE = 1.74
_STATE_VERSION = 1


class Placement(NamedTuple):
    """Where the next group goes, and what is predicted there.

    `family` is the knob's number, `difficulty` a multiple of 1/64, `guess` of 1/1024. `reason`: "steer", "revisit" (of
    a retired family) or "fallback" (nothing is learnable).
    """

    family: int
    difficulty: float
    guess: float
    pass_rate: float
    useful_share: float
    reason: str


class Controller:
    """Chooses family and difficulty for groups of `group_size` rollouts, and learns from their outcomes.

    Difficulties are uniform in x = log1p(d) where the predicted pass rate is within `spread` of `target`. Families are
    chosen by share times worth; `adapt_mix=False` keeps them at their shares and retires none. `revisit` is the share
    of groups that look again at retired families. The same calls give the same bits. ValueError for a bad value.
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
        if not 0 <= revisit < 1:
            raise ValueError(f"revisit is a share of the groups in [0, 1), not {revisit!r}")
        if not knobs:
            raise ValueError("a controller needs at least one family")
        self._target, self._spread = target, spread
        self._size, self._adapts, self._revisit = group_size, adapt_mix, revisit
        self._weights = np.repeat(prior()[np.newaxis], len(knobs), axis=0)
        self._bins = np.zeros((len(knobs), BINS, 4))
        self._courses = [
            Course(knob, FamilyBelief(weights, knob.floor, knob.ceiling), bins, group_size)
            for knob, weights, bins in zip(knobs, self._weights, self._bins, strict=True)
        ]
        self._mix = np.zeros(len(knobs))
        self._retired: set[int] = set()
        self._shift = self._surprise = 0.0
        self._count = 0
        for family in range(len(knobs)):
            self._weigh(family)

    def place(self, uniforms: tuple[float, float, float], clock: float) -> Placement:
        """The next group's place, from three independent numbers in [0, 1); it is in flight from now on.

        `clock` is the policy's time, in groups issued.
        """
        family, reason = self._choose(uniforms[0])
        course = self._courses[family]
        course.belief.carry(clock, self._shift)
        difficulty, sign = course.place(uniforms[1], uniforms[2], self._target, self._spread)
        guess = course.guess(difficulty)
        pass_rate = course.belief.pass_rate(difficulty, guess, sign)
        course.issued += 1
        course.in_flight += 1
        course.last_issued = self._count
        self._count += 1
        return Placement(
            family, difficulty, guess, pass_rate, course.belief.useful_share(pass_rate, self._size), reason
        )

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
        belief, passes = self._courses[family].belief, sum(outcomes)
        belief.carry(clock, self._shift)
        belief.learn(difficulty, guess, passed, failed, passes, len(outcomes) - passes)
        self._weigh(family)

    def close(self, family: int, difficulty: float, *, passed: int, failed: int) -> None:
        """A group is complete: it leaves flight, is counted by its difficulty, and moves the common shift."""
        course = self._courses[family]
        change, surprise = course.close(difficulty, passed, failed)
        if course.closed > _POOLED_AFTER:
            self._surprise += 0.1 * (min(max(surprise, -3.0), 3.0) - self._surprise)
            gain = (1 + 20 * self._surprise**2) / max(len(self._courses), _FEWEST_POOLED)
            self._shift += gain * min(max(change, -_LARGEST_CHANGE), _LARGEST_CHANGE)
            course.forget_shift(self._shift)
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
        return len(self._retired) == len(self._courses)

    @property
    def active(self) -> int:
        """How many families are not retired."""
        return len(self._courses) - len(self._retired)

    def ability(self) -> tuple[float, float, float]:
        """The mean over families of the expected x at p = 1/2, with a 90 % interval (families taken as independent)."""
        known = [course.belief.summary for course in self._courses]
        mean = sum(summary["mean"] for summary in known) / len(known)
        deviation = math.sqrt(sum(summary["deviation"] ** 2 for summary in known)) / len(known)
        return mean, mean - 1.645 * deviation, mean + 1.645 * deviation

    def estimates(self) -> list[Estimate]:
        """What is known of each family, in the order of the knobs."""
        return [course.estimate(self._target) for course in self._courses]

    def mixed_by_difficulty(self) -> dict[str, list[MixedBin]]:
        """Closed groups by family and difficulty: tells groups that are mixed from unanimous ones at the same mean."""
        return {course.knob.name: course.mixed_bins() for course in self._courses}

    def _choose(self, uniform: float) -> tuple[int, str]:
        if not self._retired:
            return int(kernels.pick(self._mix, uniform)), "steer"
        if uniform < self._revisit:
            return min(self._retired, key=lambda family: (self._courses[family].last_issued, family)), "revisit"
        if self.nothing_learnable:
            return max(self._retired, key=lambda family: (self._courses[family].worth, -family)), "fallback"
        return int(kernels.pick(self._mix, (uniform - self._revisit) / (1 - self._revisit))), "steer"

    def _weigh(self, family: int) -> None:
        """Retires or revives a family by its worth, and sets its weight in the mix."""
        course = self._courses[family]
        worth = course.worth if self._adapts else 1.0
        course.retired = worth < RETIRED_BELOW and course.closed >= RETIRED_AFTER and not course.held
        (self._retired.add if course.retired else self._retired.discard)(family)
        weight = course.knob.share * max(worth, RETIRED_BELOW) * min(1.0, course.capacity / ENOUGH_PROBLEMS)
        self._mix[family] = 0.0 if course.retired else weight

    def state_dict(self) -> dict[str, Any]:
        """Everything needed to go on bit for bit, as JSON data; arrays are compressed and carry a checksum."""
        return {
            "version": _STATE_VERSION,
            "families": [course.knob.name for course in self._courses],
            "weights": pack(self._weights.astype("<f4").tobytes()),
            "bins": pack(self._bins.astype("<f8").tobytes()),
            "courses": [course.state_dict() for course in self._courses],
            "common": [self._shift, self._surprise, self._count],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state_dict`. ValueError, and nothing changes, where version, families or checksum differ."""
        if state.get("version") != _STATE_VERSION:
            raise ValueError(f"unknown controller state version {state.get('version')!r}; this is {_STATE_VERSION}")
        names = [course.knob.name for course in self._courses]
        if state["families"] != names:
            different = sorted(set(state["families"]) ^ set(names)) or names
            raise ValueError(f"the state is of other families; they differ in {', '.join(different)}")
        weights = np.frombuffer(unpack(state["weights"]), dtype="<f4").reshape(self._weights.shape)
        bins = np.frombuffer(unpack(state["bins"]), dtype="<f8").reshape(self._bins.shape)
        self._weights[:] = weights
        self._bins[:] = bins
        self._shift, self._surprise, self._count = state["common"]
        for family, (course, data) in enumerate(zip(self._courses, state["courses"], strict=True)):
            course.load_state_dict(data)
            self._weigh(family)
