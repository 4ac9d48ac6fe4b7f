"""The loop: answer prompts, have the answers judged, learn from the rewards."""

from __future__ import annotations

from collections.abc import Iterator

import gymnasium
import numpy as np

from taskgen.groups import right_per_group
from taskgen_envs.demo.arms import GROUP_SIZE, SOURCES
from taskgen_envs.demo.grpo import entropy_bonus, improve
from taskgen_envs.demo.ladder import Ladder
from taskgen_envs.demo.policy import ColumnPolicy
from taskgen_envs.demo.record import Progress

GROUPS = 64
MEASURED_EVERY = 10


def train(arm: str, seed: int, steps: int) -> Iterator[Progress]:
    """Trains a fresh policy for so many steps of 64 groups of 8 on an arm's tasks, and tells of each step.

    The same seed gives every arm the same start; the same arguments give the same steps.
    """
    policy, rng, ladder = ColumnPolicy(seed), np.random.default_rng([seed, 1]), Ladder(seed)
    source = SOURCES[arm](seed, policy)
    env = gymnasium.make_vec(
        "taskgen_envs:taskgen/Group-v0", num_envs=GROUPS * GROUP_SIZE, group_size=GROUP_SIZE, curriculum=source
    )
    prompts, asked = env.reset(seed=seed)
    for step in range(steps):
        answers = policy.answer(prompts, rng)
        difficulty = float(asked["difficulty"].mean())
        prompts, flat, _, _, asked = env.step(answers.texts)
        rewards = flat.reshape(GROUPS, GROUP_SIZE)
        improve(policy, answers, rewards, entropy_bonus(step / steps))
        useful = right_per_group(rewards)[1:GROUP_SIZE].sum() / GROUPS
        measured = step % MEASURED_EVERY == 0 or step == steps - 1
        d50 = ladder.measure(policy, rng) if measured else None
        yield Progress(arm, rewards.size, float(rewards.mean()), float(useful), difficulty, d50)
    env.close()
