"""How far a policy has come: the difficulty at which it passes half of the time, on the eval split."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import expm1, log1p

import numpy as np

from taskgen.sampling import Draw
from taskgen.task import LARGEST_SEED
from taskgen_envs.demo.arms import FAMILY
from taskgen_envs.demo.policy import ColumnPolicy

RUNGS = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
TASKS_PER_RUNG = 24
POOLED = 3
"""Measurements whose pass rates are averaged: 72 answers a rung, so that one lucky round does not count as arrival."""


class Ladder:
    """Eval tasks at fixed difficulties, drawn once and the same for every arm, answered again and again."""

    def __init__(self, seed: int) -> None:
        random = Draw(f"ladder {seed}")
        self.tasks = [
            FAMILY.task(rung, random.integer(0, LARGEST_SEED - 1), "eval")
            for rung in RUNGS
            for _ in range(TASKS_PER_RUNG)
        ]
        self._recent: deque[list[float]] = deque(maxlen=POOLED)

    def measure(self, policy: ColumnPolicy, rng: np.random.Generator) -> float:
        """The policy's d50 now, sampled as in training; the mean of the last three pass rates at each difficulty."""
        answers = policy.answer([task.prompt for task in self.tasks], rng)
        rewards = [task.judge(text).reward for task, text in zip(self.tasks, answers.texts, strict=True)]
        self._recent.append(np.reshape(rewards, (len(RUNGS), TASKS_PER_RUNG)).mean(axis=1).tolist())
        return d50(np.mean(self._recent, axis=0).tolist())


def d50(pass_rates: Sequence[float]) -> float:
    """Where the pass rates at the rungs first fall below one half, interpolated in log1p(d).

    0 where already the lowest rung is passed less than half of the time, the top rung where none is.

    >>> round(d50([1.0] * 8 + [0.75, 0.25, 0.0, 0.0, 0.0]), 3), d50([0.25] * 13), d50([0.5] * 13)
    (19.616, 0.0, 64.0)
    """
    fallen = next((rung for rung, rate in enumerate(pass_rates) if rate < 0.5), None)
    if fallen is None:
        return float(RUNGS[-1])
    if fallen == 0:
        return 0.0
    above, below = pass_rates[fallen - 1], pass_rates[fallen]
    start, end = log1p(RUNGS[fallen - 1]), log1p(RUNGS[fallen])
    return expm1(start + (above - 0.5) / (above - below) * (end - start))
