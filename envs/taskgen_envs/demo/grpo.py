"""How the policy learns: GRPO (Shao et al. 2024) with a clipped ratio and an entropy bonus."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from taskgen.groups import advantages
from taskgen_envs.demo.network import Array
from taskgen_envs.demo.policy import Answers, ColumnPolicy

CLIP = 0.2
EPOCHS = 4
ENTROPY_BONUS = 0.5
ENTROPY_UNTIL = 0.6


def entropy_bonus(progress: float) -> float:
    """The bonus at a share of the run: it falls evenly to 0, since a policy that must vary cannot be precise.

    Without one the policy soon answers each prompt always in the same way, right or wrong, and no group disagrees.
    """
    return ENTROPY_BONUS * max(0.0, 1.0 - progress / ENTROPY_UNTIL)


def improve(policy: ColumnPolicy, answers: Answers, rewards: ArrayLike, bonus: float) -> None:
    """Four updates on one batch; `rewards`, of shape (groups, K), are of whole completions, and all it is told."""
    gain, loss, visits = tallies(answers, rewards)
    for _ in range(EPOCHS):
        _, slope = objective(policy.log_likelihood(), answers.log_likelihood, gain, loss, visits, bonus)
        policy.ascend(slope)


def tallies(answers: Answers, rewards: ArrayLike) -> tuple[Array, Array, Array]:
    """What `objective` needs of a batch: gain, loss and visits.

    Every choice in a completion has the completion's advantage, and every choice of the batch the same weight.
    """
    shape, choices = answers.log_likelihood.shape, len(answers.owner)
    advantage = advantages(rewards).ravel()[answers.owner] / choices
    gain, loss = np.zeros(shape), np.zeros(shape)
    np.add.at(gain, (answers.state, answers.action), np.maximum(advantage, 0))
    np.add.at(loss, (answers.state, answers.action), np.minimum(advantage, 0))
    return gain, loss, np.bincount(answers.state, minlength=shape[0]) / choices


def objective(now: Array, then: Array, gain: Array, loss: Array, visits: Array, bonus: float) -> tuple[float, Array]:
    """The clipped objective plus `bonus` times the mean entropy, and its gradient in `now`.

    Choices with the same state and action have the same ratio, so the batch enters as sums over them: `gain` of the
    positive advantages, `loss` of the negative ones, both like `now` and `then` (log-likelihoods at present and when
    the batch was written) of shape (states, actions); `visits` is the share of choices made in each state.
    """
    ratio = np.exp(now - then)
    surrogate = gain * np.minimum(ratio, 1 + CLIP) + loss * np.maximum(ratio, 1 - CLIP)
    likelihood = np.exp(now)
    entropy = -(likelihood * now).sum(axis=1)
    value = surrogate.sum() + bonus * (visits @ entropy)
    slope = ratio * (gain * (ratio < 1 + CLIP) + loss * (ratio > 1 - CLIP))
    return float(value), slope - bonus * visits[:, np.newaxis] * likelihood * (now + 1)
