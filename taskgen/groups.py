"""The arithmetic of groups: how often K rollouts disagree, and what each of them then teaches."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray


def useful_share(pass_rate: float, size: int, correlation: float = 0.0) -> float:
    """The probability that the rewards of a group differ: 1 - p^K - (1-p)^K for independent rollouts.

    With a `correlation` rho in [0, 1) between the rollouts on one prompt, the beta-binomial's: its chance of K right
    ones is the product over i < K of (p s + i) / (s + i), s = (1 - rho) / rho (Griffiths 1973).

    >>> round(useful_share(0.5, 8), 4), round(useful_share(0.9, 8), 3), round(useful_share(0.5, 8, 0.2), 3)
    (0.9922, 0.57, 0.891)
    """
    if not 0 <= pass_rate <= 1:
        raise ValueError(f"a pass rate lies between 0 and 1, not {pass_rate!r}")
    if size < 1:
        raise ValueError(f"a group has at least one rollout, not {size!r}")
    if not 0 <= correlation < 1:
        raise ValueError(f"a correlation lies in [0, 1), not {correlation!r}")
    return 1.0 - _unanimous(pass_rate, size, correlation) - _unanimous(1.0 - pass_rate, size, correlation)


def _unanimous(p: float, size: int, correlation: float) -> float:
    # Multiplied out by rho, the product holds at rho = 0 too, and where (1 - rho) / rho would overflow.
    free = 1 - correlation
    return math.prod((p * free + i * correlation) / (free + i * correlation) for i in range(size))


def useful_band(share: float, size: int) -> tuple[float, float] | None:
    """The pass rates at which at least `share` of the groups are useful, as (low, 1 - low); None where none is.

    >>> [round(p, 3) for p in useful_band(0.95, 8)], useful_band(0.95, 4)
    ([0.313, 0.687], None)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1, not {share!r}")
    if useful_share(0.5, size) < share:
        return None
    low, high = 0.0, 0.5
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if useful_share(middle, size) >= share else (middle, high)
    return high, 1.0 - high


def advantages(rewards: ArrayLike, eps: float = 1e-6) -> NDArray[np.float64]:
    """GRPO's advantages (Shao et al. 2024) of rewards of shape (groups, K): distance from the group's mean over its
    population standard deviation; 0 for every member where that is at most `eps`.

    >>> advantages([[1, 0, 0, 0], [1, 1, 1, 1]]).round(3).tolist()
    [[1.732, -0.577, -0.577, -0.577], [0.0, 0.0, 0.0, 0.0]]
    """
    table = np.asarray(rewards, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"rewards have the shape (groups, K), not {table.shape}")
    centred = table - table.mean(axis=1, keepdims=True)
    deviation = table.std(axis=1, keepdims=True)
    return np.where(deviation > eps, centred / np.where(deviation > eps, deviation, 1.0), 0.0)


def right_per_group(rewards: ArrayLike) -> NDArray[np.int64]:
    """How many groups have 0, 1, ..., K members right, for rewards 0 or 1 of shape (groups, K); shape (K + 1,).

    >>> right_per_group([[1, 0, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]).tolist()
    [2, 0, 1, 1]
    """
    table = np.asarray(rewards)
    if table.ndim != 2 or not np.isin(table, (0, 1)).all():
        raise ValueError("rewards are 0 or 1, of the shape (groups, K)")
    return np.bincount(table.sum(axis=1).astype(np.int64), minlength=table.shape[1] + 1)
