"""What is believed of a family at the start, and what a common shift does to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskgen._kernels import CELL, CELLS, CORRELATIONS, FIRST, SLOPE
from taskgen.belief import FALLING_SIGN, RISING, FamilyBelief, distance, prior


def settled(ability: float, floor: float = 0.0, ceiling: float = 64.0) -> FamilyBelief:
    """A belief after 30 groups at an x with half of them right."""
    belief = FamilyBelief(prior(), floor, ceiling)
    for _ in range(30):
        belief.learn(math.expm1(ability), 0.0, 0, 0, 4, 4)
    return belief


def test_the_start_is_near_six_steps_falling_and_within_reach() -> None:
    belief = FamilyBelief(prior(), 0, 64)
    assert belief.weights.sum() == pytest.approx(1, abs=1e-5)
    assert math.expm1(belief.ability(0.5)) == pytest.approx(6, abs=0.5)
    assert belief.ability(0.84) - belief.ability(0.16) == pytest.approx(2.5, abs=0.5)
    assert belief.summary.rising == pytest.approx(RISING, abs=1e-6)
    assert belief.summary.reach_falling + belief.summary.reach_rising > 0.85
    assert belief.summary.correlation == pytest.approx((0.02 + 0.12 + 0.35) / 3)


@given(st.floats(-2, 2))
@settings(deadline=None, max_examples=25)
def test_a_shift_moves_everything_that_is_told_by_itself(shift: float) -> None:
    moved, still = settled(2.0), settled(2.0)
    moved.carry(0.0, shift)
    assert abs(moved.offset) <= CELL / 2 + 1e-9
    assert moved.ability(0.3) == pytest.approx(still.ability(0.3) + shift, abs=1e-4)
    assert moved.summary.mean == pytest.approx(still.summary.mean + shift, abs=1e-3)
    at = math.expm1(2.0 + shift) if shift > -2 else 0.0
    assert moved.predict(at, 0.0, 8)[0] == pytest.approx(still.predict(math.expm1(2.0), 0.0, 8)[0], abs=1e-3)


@pytest.mark.parametrize("part", [0.4 * CELL, -0.4 * CELL])
def test_less_than_a_cell_counts_at_the_ends_of_the_range(part: float) -> None:
    # A belief whose mass is cut by the end of reach: shifted outwards, and the range with it, the same mass is cut.
    moved, still = settled(-1.1), settled(-1.1)
    moved.carry(0.0, part)
    moved.low += part
    moved.high += part
    assert 0.05 < still.summary.too_hard < 0.95
    assert moved.summary.too_hard == pytest.approx(still.summary.too_hard, abs=1e-6)


@pytest.mark.parametrize(("passes", "failures"), [(40, 40), (0, 200), (500, 12), (1000, 1000)])
def test_a_group_of_any_size_is_weighed_by_the_beta_binomial(passes: int, failures: int) -> None:
    belief, logs = FamilyBelief(prior(), 0, 64), np.log(prior().astype(np.float64))
    for level, rho in enumerate(CORRELATIONS):
        s = (1 - rho) / rho
        for sign, slope in enumerate((SLOPE, -SLOPE)):
            for cell in range(CELLS):
                p = 0.99 / (1 + math.exp(-slope * (FIRST + CELL * cell - math.log1p(5))))
                gammas = math.lgamma(p * s + passes) + math.lgamma((1 - p) * s + failures)
                logs[sign, level, :, cell] += gammas - math.lgamma(p * s) - math.lgamma((1 - p) * s)
        logs[:, level] += math.lgamma(s) - math.lgamma(s + passes + failures)
    wanted = np.exp(logs - logs.max())
    belief.learn(5.0, 0.0, 0, 0, passes, failures)
    np.testing.assert_allclose(belief.weights, wanted / wanted.sum(), rtol=1e-3, atol=1e-9)


def test_a_shift_that_is_known_is_not_taken_in_twice() -> None:
    belief = settled(2.0)
    belief.carry(0.0, 0.7)
    before = belief.ability(0.5, FALLING_SIGN)
    belief.carry(0.0, 0.7)
    assert belief.ability(0.5, FALLING_SIGN) == before


@given(st.floats(0.001, 0.999), st.floats(0, 0.9))
def test_distance_keeps_away_from_chance_and_certainty(pass_rate: float, guess: float) -> None:
    x = distance(pass_rate, guess)
    reached = guess + (1 - guess - 0.01) / (1 + math.exp(1.386 * x))
    assert guess < reached < 1
    if guess + 0.1 * (1 - guess) < pass_rate < 0.95 + 0.02 * guess:
        assert reached == pytest.approx(pass_rate, abs=1e-9)
