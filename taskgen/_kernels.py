"""The controller's arithmetic: floats and arrays in, floats and arrays out, compiled by numba. No randomness.

A `belief` has the shape (2, 3, 2, CELLS) and sums to 1: slope sign (falling, rising) x correlation x drift class (slow,
fast) x ability cell. Ability is the x = log1p(difficulty) at which the skilled part of the pass rate is one half. Cells
are `CELL` apart, the first at `FIRST`; a family's `offset` adds to all of them. Beliefs are stored as float32, so that
a saved state is the whole state; all sums are float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

CELLS = 81
FIRST = -4.3
CELL = 17.3 / (CELLS - 1)
SLOPE = 1.386
"""Logits per unit of x at a pass rate of one half, where each step fails independently: 2 ln 2."""

LAPSE = 0.01
"""The share of failures that no ability prevents."""

CORRELATIONS = np.array([0.02, 0.12, 0.35])
DIFFUSION = np.array([3.8e-5, 1.5e-3])
"""Variance of ability per group issued, of the slow and the fast drift class, in units of x squared."""

EXCHANGE = 2e-5
"""Rate per group issued at which slow families turn fast, and fast ones slow."""

RESET = 5e-5
"""Rate per group issued at which an ability is forgotten."""

SMALLEST = 1e-12
"""What a prediction leaves in every cell, so that no hypothesis is lost for good."""

Belief = NDArray[np.float32]
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiles a function on first use, keeps the machine code on disk, and lets other threads run meanwhile.

    The machine code lies beside this file, or in the user's cache directory where that folder cannot be written.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # Neither place can be written, as in a read-only container: each process compiles anew.
        compiled = numba.njit(nogil=True)(function)
    return cast(F, compiled)


@kernel
def carry(belief: Belief, groups: float) -> None:
    """Predicts a belief over the time of `groups` issued groups, in place: diffusion, exchange of classes, resets.

    Diffusion is one implicit step, (1 - spread L)^-1 with L the second difference and reflecting ends: its variance is
    exact, no weight turns negative, and its cost is the same for any time (Press et al., Numerical Recipes, 20.2).
    """
    exchanged = 0.5 * (1.0 - np.exp(-2.0 * EXCHANGE * groups))
    forgotten = 1.0 - np.exp(-RESET * groups)
    spread = DIFFUSION * (0.5 * groups / (CELL * CELL))
    upper = np.empty((2, CELLS))
    inverse = np.empty((2, CELLS))
    for speed in range(2):
        before = 0.0
        for cell in range(CELLS):
            neighbours = 1.0 if cell in (0, CELLS - 1) else 2.0
            inverse[speed, cell] = 1.0 / (1.0 + neighbours * spread[speed] - spread[speed] * before)
            before = spread[speed] * inverse[speed, cell]
            upper[speed, cell] = before
    rows = np.empty((2, CELLS))
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                mass = 0.0
                before = 0.0
                for cell in range(CELLS):
                    weight = np.float64(belief[sign, level, speed, cell])
                    mass += weight
                    before = (weight + spread[speed] * before) * inverse[speed, cell]
                    rows[speed, cell] = before
                for cell in range(CELLS - 2, -1, -1):
                    rows[speed, cell] += upper[speed, cell] * rows[speed, cell + 1]
                for cell in range(CELLS):
                    rows[speed, cell] += forgotten * (mass / CELLS - rows[speed, cell])
            for cell in range(CELLS):
                moved = exchanged * (rows[1, cell] - rows[0, cell])
                belief[sign, level, 0, cell] = max(rows[0, cell] + moved, SMALLEST)
                belief[sign, level, 1, cell] = max(rows[1, cell] - moved, SMALLEST)


@kernel
def shift(belief: Belief, cells: int) -> None:
    """Moves a belief by whole cells, in place; what leaves the grid gathers at its end."""
    row = np.empty(CELLS)
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                for cell in range(CELLS):
                    row[cell] = SMALLEST
                for cell in range(CELLS):
                    row[min(max(cell + cells, 0), CELLS - 1)] += belief[sign, level, speed, cell]
                for cell in range(CELLS):
                    belief[sign, level, speed, cell] = row[cell]


@kernel
def learn(
    belief: Belief, x: float, offset: float, guess: float, passed: int, failed: int, passes: int, failures: int
) -> tuple[float, float]:
    """Multiplies a belief, in place, by the likelihood of a ticket's new outcomes given its `passed` and `failed` ones.

    With p = g + (1 - g - lapse) / (1 + exp(-slope (ability + offset - x))) and s = (1 - rho) / rho, one more pass after
    k passes of n outcomes has the likelihood (p s + k) / (s + n): outcomes one by one amount to a beta-binomial group.
    Returns by how much the mean ability moved, and its standard deviation before.
    """
    skills = 1.0 / (1.0 + np.exp(-SLOPE * (FIRST + CELL * np.arange(CELLS) + offset - x)))
    before, after = np.zeros(3), np.zeros(2)
    for level in range(3):
        s = (1.0 - CORRELATIONS[level]) / CORRELATIONS[level]
        scale = 1.0
        for n in range(passed + failed, passed + failed + passes + failures):
            scale /= s + n
        for sign in range(2):
            for cell in range(CELLS):
                p = guess + (1.0 - guess - LAPSE) * (skills[cell] if sign == 0 else 1.0 - skills[cell])
                likelihood = scale
                for k in range(passed, passed + passes):
                    likelihood *= p * s + k
                for k in range(failed, failed + failures):
                    likelihood *= (1.0 - p) * s + k
                slow = np.float64(belief[sign, level, 0, cell])
                fast = np.float64(belief[sign, level, 1, cell])
                place = CELL * cell
                before[0] += slow + fast
                before[1] += (slow + fast) * place
                before[2] += (slow + fast) * place * place
                after[0] += (slow + fast) * likelihood
                after[1] += (slow + fast) * likelihood * place
                belief[sign, level, 0, cell] = slow * likelihood
                belief[sign, level, 1, cell] = fast * likelihood
    weights = belief.reshape(belief.size)
    for index in range(weights.size):
        weights[index] = np.float64(weights[index]) / after[0]
    mean = before[1] / before[0]
    return after[1] / after[0] - mean, np.sqrt(max(before[2] / before[0] - mean * mean, 0.0))


@kernel
def summarise(belief: Belief, low: float, high: float, summary: NDArray[np.float64]) -> None:
    """Writes nine numbers into `summary`: mean and standard deviation of ability (without offset); the mass of the
    rising sign; the masses within [low, high] of the falling and of the rising sign; the masses outside for which all
    is too hard, and too easy; the masses of the second and third correlation."""
    for index in range(9):
        summary[index] = 0.0
    square = 0.0
    total = 0.0
    for sign in range(2):
        for level in range(3):
            mass = 0.0
            for cell in range(CELLS):
                weight = np.float64(belief[sign, level, 0, cell]) + np.float64(belief[sign, level, 1, cell])
                place = CELL * cell
                mass += weight
                summary[0] += weight * place
                square += weight * place * place
                if FIRST + place < low:
                    summary[5 if sign == 0 else 6] += weight
                elif FIRST + place > high:
                    summary[6 if sign == 0 else 5] += weight
                else:
                    summary[3 + sign] += weight
            total += mass
            if sign == 1:
                summary[2] += mass
            if level > 0:
                summary[6 + level] += mass
    for index in range(9):
        summary[index] /= total
    summary[1] = np.sqrt(max(square / total - summary[0] ** 2, 0.0))
    summary[0] += FIRST


@kernel
def locate(belief: Belief, share: float, sign: int) -> float:
    """The ability (without offset) below which `share` of a belief lies: of the falling sign (0), the rising one (1),
    or both (2); linear between the edges of a cell."""
    column = np.zeros(CELLS)
    for row in range(2):
        if sign in (2, row):
            for level in range(3):
                for speed in range(2):
                    for cell in range(CELLS):
                        column[cell] += belief[row, level, speed, cell]
    below = 0.0
    wanted = share * column.sum()
    for cell in range(CELLS):
        if below + column[cell] >= wanted:
            return float(FIRST + CELL * (cell - 0.5 + (wanted - below) / column[cell]))
        below += column[cell]
    return FIRST + CELL * (CELLS - 0.5)


@kernel
def predict(belief: Belief, x: float, offset: float, guess: float, size: int) -> tuple[float, float]:
    """The mean pass rate at x, and the mean share of mixed groups of `size` rollouts, over the whole belief."""
    total = 0.0
    passing = 0.0
    mixed = 0.0
    for cell in range(CELLS):
        skill = 1.0 / (1.0 + np.exp(-SLOPE * (FIRST + CELL * cell + offset - x)))
        for sign in range(2):
            p = guess + (1.0 - guess - LAPSE) * (skill if sign == 0 else 1.0 - skill)
            for level in range(3):
                weight = np.float64(belief[sign, level, 0, cell]) + np.float64(belief[sign, level, 1, cell])
                total += weight
                passing += weight * p
                if weight > SMALLEST:
                    s = (1.0 - CORRELATIONS[level]) / CORRELATIONS[level]
                    right = 1.0
                    wrong = 1.0
                    for k in range(size):
                        right *= (p * s + k) / (s + k)
                        wrong *= ((1.0 - p) * s + k) / (s + k)
                    mixed += weight * (1.0 - right - wrong)
    return passing / total, mixed / total


@kernel
def pick(weights: NDArray[np.float64], share: float) -> int:
    """The index at which the running sum of non-negative weights, shape (F,), passes `share` of their total."""
    wanted = share * weights.sum()
    last = 0
    for index in range(weights.size):
        if weights[index] > 0.0:
            last = index
            wanted -= weights[index]
            if wanted < 0.0:
                return index
    return last
