"""What each arm of the comparison trains on: three sources of tasks of one family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from typing import Any

import numpy as np

from taskgen.curriculum import Curriculum
from taskgen.families import FAMILIES
from taskgen.sampling import Draw
from taskgen.task import GRID, LARGEST_SEED, Task
from taskgen.ticket import Ticket
from taskgen_envs.demo.policy import ColumnPolicy
from taskgen_envs.source import Source

FAMILY = FAMILIES["addition_chain"]
GROUP_SIZE = 8
HARDEST = 64
"""The adaptive arm's limit, so that the demo ends in time."""

FIXED_TASKS = 600
UNIFORM_RANGE = (0, 16)
SCREENED = range(UNIFORM_RANGE[1] + 1)
SCREENING_TASKS = 256


class TaskStream:
    """A source that serves tasks as they come and learns nothing from what is reported."""

    def __init__(self, name: str, tasks: Iterator[Task]) -> None:
        self.group_size = GROUP_SIZE
        self._name = name
        self._tasks = enumerate(tasks)

    def draw(self, n: int = 1) -> list[Ticket]:
        """The next `n` tickets."""
        return [Ticket(number, self._name, self.group_size, task) for number, task in islice(self._tasks, n)]

    def report(self, ticket: Ticket, outcomes: Iterable[Any]) -> None:
        """Changes nothing."""

    def cancel(self, ticket: Ticket) -> None:
        """Changes nothing."""


def adaptive(seed: int, fresh: ColumnPolicy) -> Source:
    """Fresh tasks where the policy passes about half of the time, by taskgen's own curriculum."""
    return Curriculum(FAMILY, seed=seed, group_size=GROUP_SIZE, max_difficulty=HARDEST)


def fixed(seed: int, fresh: ColumnPolicy) -> Source:
    """600 tasks drawn once over the difficulties where the fresh policy passes at all, in a new order each time round.

    "At all" is one right completion of 2,048 at a whole difficulty up to 16; they are not counted against the arm. Most
    of what so passes is luck and hard to learn from. The easiest alone are useful for longer, and soon used up: sets of
    d = 0, of 0 and 1, and of 0 to 2 (two seeds each) had 34, 29 and 23 % useful groups in the first 500 steps, 1 to 4 %
    in the last 100, and ended at d50 = 1.0 to 1.7.
    """
    random = Draw(f"fixed set {seed}")
    learnable = [d for d in SCREENED if _passes_at_all(fresh, d, random)]
    tasks = [_draw(random.choice(learnable), random) for _ in range(FIXED_TASKS)]
    return TaskStream("fixed", _rounds(tasks, random))


def uniform(seed: int, fresh: ColumnPolicy) -> Source:
    """Fresh tasks, uniform over a range of difficulty that was chosen beforehand."""
    random, (low, high) = Draw(f"uniform range {seed}"), UNIFORM_RANGE
    return TaskStream("uniform", (_draw(random.integer(GRID * low, GRID * high) / GRID, random) for _ in count()))


SOURCES: dict[str, Callable[[int, ColumnPolicy], Source]] = {
    "adaptive": adaptive,
    "fixed": fixed,
    "uniform": uniform,
}


def _draw(difficulty: float, random: Draw) -> Task:
    return FAMILY.task(difficulty, random.integer(0, LARGEST_SEED - 1))


def _passes_at_all(policy: ColumnPolicy, difficulty: float, random: Draw) -> bool:
    """Whether one completion of eight on each of 256 tasks is right."""
    tasks = [_draw(difficulty, random) for _ in range(SCREENING_TASKS)] * GROUP_SIZE
    answers = policy.answer([task.prompt for task in tasks], np.random.default_rng(random.integer(0, LARGEST_SEED - 1)))
    return any(task.judge(text).is_correct for task, text in zip(tasks, answers.texts, strict=True))


def _rounds(tasks: list[Task], random: Draw) -> Iterator[Task]:
    while True:
        yield from random.shuffle(tasks)
