"""The controller's arithmetic: floats and arrays in, floats and arrays out, compiled by numba. No randomness.

A `belief` has the shape (2, 3, 2, CELLS) and sums to 1: slope sign (falling, rising) x correlation x drift class (slow,
fast) x ability cell. Ability is the x = log1p(d) at which the skilled part of the pass rate is one half. Cells are
`CELL` apart, the first at `FIRST`. Beliefs are float32 so that a stored state is the whole state; sums are float64.
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
"""Logits per unit of x at p = 1/2 where each step fails independently: 2 ln 2."""

LAPSE = 0.01
CORRELATIONS = np.array([0.02, 0.12, 0.35])
DIFFUSION = np.array([3.8e-5, 1.5e-3])
"""Variance of ability per group issued, of the slow and the fast drift class, in x^2."""

EXCHANGE = 2e-5
RESET = 5e-5
SMALLEST = 1e-12
_MOST_PASSES = 256

Belief = NDArray[np.float32]
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiles a function on first use, keeps the machine code on disk, and lets other threads run meanwhile."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


@kernel
def drift(belief: Belief, groups: float) -> None:
    """Carries a belief over a time of `groups` issued groups, in place: diffusion, exchange of classes, resets."""
    exchanged = 0.5 * (1.0 - np.exp(-2.0 * EXCHANGE * groups))
    forgotten = 1.0 - np.exp(-RESET * groups)
    old = np.empty(CELLS)
    new = np.empty(CELLS)
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                spread = DIFFUSION[speed] * groups / (CELL * CELL)
                passes = min(_MOST_PASSES, 1 + int(2.0 * spread))
                step = min(0.25, 0.5 * spread / passes)
                mass = 0.0
                for cell in range(CELLS):
                    old[cell] = belief[sign, level, speed, cell]
                    mass += old[cell]
                for _ in range(passes):
                    for cell in range(CELLS):
                        left = old[max(cell - 1, 0)]
                        right = old[min(cell + 1, CELLS - 1)]
                        new[cell] = old[cell] + step * (left + right - 2.0 * old[cell])
                    old, new = new, old
                flat = forgotten * mass / CELLS
                for cell in range(CELLS):
                    belief[sign, level, speed, cell] = max((1.0 - forgotten) * old[cell] + flat, SMALLEST)
            for cell in range(CELLS):
                slow = belief[sign, level, 0, cell]
                fast = belief[sign, level, 1, cell]
                belief[sign, level, 0, cell] = slow + exchanged * (fast - slow)
                belief[sign, level, 1, cell] = fast + exchanged * (slow - fast)


@kernel
def learn(
    belief: Belief, x: float, offset: float, guess: float, passed: int, failed: int, passes: int, failures: int
) -> None:
    """Multiplies a belief, in place, by the predictive likelihood of new outcomes given the ticket's earlier ones.

    With p = g + (1 - g - lapse) / (1 + exp(-slope (ability + offset - x))) and s = (1 - rho) / rho, one more pass after
    k passes of n has the likelihood (p s + k) / (s + n): outcomes one by one amount to a beta-binomial group.
    """
    total = 0.0
    for sign in range(2):
        slope = SLOPE if sign == 0 else -SLOPE
        for cell in range(CELLS):
            skill = 1.0 / (1.0 + np.exp(-slope * (FIRST + CELL * cell + offset - x)))
            p = guess + (1.0 - guess - LAPSE) * skill
            for level in range(3):
                s = (1.0 - CORRELATIONS[level]) / CORRELATIONS[level]
                likelihood = 1.0
                for k in range(passed, passed + passes):
                    likelihood *= p * s + k
                for k in range(failed, failed + failures):
                    likelihood *= (1.0 - p) * s + k
                for n in range(passed + failed, passed + failed + passes + failures):
                    likelihood /= s + n
                for speed in range(2):
                    weight = belief[sign, level, speed, cell] * likelihood
                    belief[sign, level, speed, cell] = weight
                    total += weight
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                for cell in range(CELLS):
                    belief[sign, level, speed, cell] = max(belief[sign, level, speed, cell] / total, SMALLEST)


@kernel
def shift(belief: Belief, cells: int) -> None:
    """Moves a belief by whole cells, in place; what leaves the grid gathers at its end."""
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                row = belief[sign, level, speed].copy()
                belief[sign, level, speed, :] = SMALLEST
                for cell in range(CELLS):
                    belief[sign, level, speed, min(max(cell + cells, 0), CELLS - 1)] += row[cell]


@kernel
def summarise(belief: Belief, low: float, high: float, summary: NDArray[np.float64]) -> None:
    """Writes nine numbers into `summary`: mean and standard deviation of ability (without offset); the mass of the
    rising sign; the masses within [low, high] of the falling and of the rising sign; the masses outside it for which
    all is too hard, and too easy; the masses of the second and third correlation."""
    summary[:] = 0.0
    square = 0.0
    total = 0.0
    for sign in range(2):
        for level in range(3):
            for speed in range(2):
                for cell in range(CELLS):
                    weight = belief[sign, level, speed, cell]
                    place = FIRST + CELL * cell
                    total += weight
                    summary[0] += weight * place
                    square += weight * place * place
                    if sign == 1:
                        summary[2] += weight
                    if level > 0:
                        summary[6 + level] += weight
                    if place < low:
                        summary[5 if sign == 0 else 6] += weight
                    elif place > high:
                        summary[6 if sign == 0 else 5] += weight
                    else:
                        summary[3 + sign] += weight
    summary[:] /= total
    summary[1] = np.sqrt(max(square / total - summary[0] ** 2, 0.0))


@kernel
def locate(belief: Belief, share: float, signs: int) -> float:
    """The ability (without offset) below which `share` of a belief lies: of the falling sign (signs = 0), the rising
    one (1), or both (2); linear between the edges of a cell."""
    column = np.zeros(CELLS)
    for sign in range(2):
        if signs in (2, sign):
            for level in range(3):
                for speed in range(2):
                    for cell in range(CELLS):
                        column[cell] += belief[sign, level, speed, cell]
    wanted = share * column.sum()
    below = 0.0
    for cell in range(CELLS):
        if below + column[cell] >= wanted:
            return float(FIRST + CELL * (cell - 0.5 + (wanted - below) / column[cell]))
        below += column[cell]
    return FIRST + CELL * (CELLS - 0.5)


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
