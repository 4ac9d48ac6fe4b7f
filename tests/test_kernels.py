"""The kernels against plain Python, against formulas written another way, and against what they promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from taskgen import _kernels as kernels
from taskgen._kernels import CELL, CELLS, CORRELATIONS, DIFFUSION, FIRST, LAPSE, SLOPE
from taskgen.belief import prior

SHAPE = (2, 3, 2, CELLS)
ABILITIES = FIRST + CELL * np.arange(CELLS)


def some_belief(seed: int) -> kernels.Belief:
    weights = np.random.default_rng(seed).exponential(size=SHAPE) ** 3
    belief: kernels.Belief = (weights / weights.sum()).astype(np.float32)
    return belief


def point_belief(cell: int, speed: int = 0) -> kernels.Belief:
    belief = np.zeros(SHAPE, dtype=np.float32)
    belief[0, 0, speed, cell] = 1
    return belief


def pass_rates(x: float, offset: float, guess: float) -> NDArray[np.float64]:
    """Of shape (2, CELLS): by sign of slope and ability."""
    logits = SLOPE * (ABILITIES + offset - x)
    return np.stack([guess + (1 - guess - LAPSE) / (1 + np.exp(-sign * logits)) for sign in (1, -1)])


class TestPlainPython:
    """Each kernel, on the same input, compiled and not. Stored weights are float32, so 1e-6 is a rounding or two."""

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("carry", (1.0,)),
            ("carry", (700.0,)),
            ("shift", (3,)),
            ("shift", (-90,)),
            ("learn", (1.9, 0.05, 0.25, 0, 0, 3, 5)),
            ("learn", (0.4, -0.1, 0.0, 3, 2, 1, 0)),
            ("summarise", (-1.1, 5.3, np.zeros(9))),
            ("locate", (0.16, 0)),
            ("locate", (0.5, 2)),
            ("predict", (2.1, 0.1, 0.25, 8)),
        ],
    )
    def test_the_compiled_kernel_does_what_the_source_says(self, name: str, arguments: tuple[Any, ...]) -> None:
        kernel: Any = getattr(kernels, name)
        results = []
        for function in (kernel, kernel.py_func):
            belief = some_belief(7)
            own = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
            value = function(belief, *own)
            arrays = [belief, *(argument for argument in own if isinstance(argument, np.ndarray))]
            results.append(([] if value is None else value, arrays))
        (compiled, compiled_arrays), (plain, plain_arrays) = results
        np.testing.assert_allclose(compiled, plain, rtol=1e-9)
        for left, right in zip(compiled_arrays, plain_arrays, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-6)

    @given(st.lists(st.floats(0, 10), min_size=1, max_size=30), st.floats(0, 1, exclude_max=True))
    @settings(deadline=None)
    def test_pick_does_what_its_source_says(self, weights: list[float], share: float) -> None:
        kernel: Any = kernels.pick
        table = np.array(weights)
        assert kernel(table, share) == kernel.py_func(table, share)


def test_a_kernel_works_where_no_machine_code_can_be_kept() -> None:
    # Source that lies in no folder has no place for a cache, like a read-only installation without a home directory.
    names: dict[str, Any] = {}
    exec(compile("def double(number): return 2 * number", "<nowhere>", "exec"), names)
    assert kernels.kernel(names["double"])(21.0) == 42.0


class TestLearn:
    def learnt(self, steps: list[tuple[int, int]], seed: int = 1) -> tuple[kernels.Belief, float]:
        """The belief after (passes, failures), ..., of one ticket, and by how much its mean moved in all."""
        belief, passed, failed, moved = some_belief(seed), 0, 0, 0.0
        for passes, failures in steps:
            change, _ = kernels.learn(belief, 1.7, 0.03, 0.1, passed, failed, passes, failures)
            passed, failed, moved = passed + passes, failed + failures, moved + change
        return belief, moved

    @pytest.mark.parametrize(("passed", "failed"), [(0, 8), (8, 0), (3, 5), (1, 0), (7, 9)])
    def test_a_group_is_weighed_by_the_beta_binomial(self, passed: int, failed: int) -> None:
        belief = some_belief(3)
        wanted = belief.astype(np.float64)
        for sign, row in enumerate(pass_rates(1.3, 0.1, 0.25)):
            for level, rho in enumerate(CORRELATIONS):
                s = (1 - rho) / rho
                for cell, p in enumerate(row):
                    a, b = p * s, (1 - p) * s
                    logs = math.lgamma(a + passed) + math.lgamma(b + failed) + math.lgamma(s)
                    logs -= math.lgamma(a) + math.lgamma(b) + math.lgamma(s + passed + failed)
                    wanted[sign, level, :, cell] *= math.exp(logs)
        kernels.learn(belief, 1.3, 0.1, 0.25, 0, 0, passed, failed)
        np.testing.assert_allclose(belief, wanted / wanted.sum(), rtol=1e-5)

    @given(st.permutations([1] * 3 + [0] * 5))
    @settings(deadline=None, max_examples=20)
    def test_eight_outcomes_one_by_one_in_any_order_teach_what_one_group_does(self, outcomes: list[int]) -> None:
        one_by_one, moved = self.learnt([(outcome, 1 - outcome) for outcome in outcomes])
        at_once, moved_at_once = self.learnt([(3, 5)])
        np.testing.assert_allclose(one_by_one, at_once, rtol=1e-6)
        assert moved == pytest.approx(moved_at_once, abs=1e-5)

    @pytest.mark.parametrize("steps", [[(2, 1), (1, 4)], [(0, 5), (3, 0)]])
    def test_parts_of_a_group_teach_what_it_does(self, steps: list[tuple[int, int]]) -> None:
        np.testing.assert_allclose(self.learnt(steps)[0], self.learnt([(3, 5)])[0], rtol=1e-6)

    def test_correlated_outcomes_on_one_ticket_claim_less_than_those_on_eight(self) -> None:
        spreads = []
        for is_same_ticket in (True, False):
            belief = prior()
            for n in range(8):
                earlier = ((n + 1) // 2, n // 2) if is_same_ticket else (0, 0)
                kernels.learn(belief, 2.0, 0.0, 0.0, *earlier, 1 - n % 2, n % 2)
            row = belief[0, 2].sum(axis=0, dtype=np.float64) / belief[0, 2].sum(dtype=np.float64)
            spreads.append(math.sqrt(row @ (ABILITIES - row @ ABILITIES) ** 2))
        assert spreads[0] > 1.5 * spreads[1]

    def test_it_tells_how_far_the_mean_moved_and_how_sure_it_was(self) -> None:
        belief = some_belief(4)
        marginal = belief.sum(axis=(0, 1, 2), dtype=np.float64)
        mean = marginal @ ABILITIES / marginal.sum()
        deviation = math.sqrt(marginal @ (ABILITIES - mean) ** 2 / marginal.sum())
        moved = kernels.learn(belief, 2.0, 0.0, 0.0, 0, 0, 8, 0)
        assert moved[0] == pytest.approx(belief.sum(axis=(0, 1, 2), dtype=np.float64) @ ABILITIES - mean, abs=1e-5)
        assert moved[1] == pytest.approx(deviation, rel=1e-6)
        assert moved[0] > 0

    @given(st.lists(st.sampled_from([(8, 0), (0, 8), (1, 0), (0, 1)]), max_size=60), st.floats(0, 6))
    @settings(deadline=None, max_examples=30)
    def test_a_belief_stays_a_distribution_whatever_is_reported(self, reports: list[tuple[int, int]], x: float) -> None:
        belief = prior()
        for passes, failures in reports:
            kernels.learn(belief, x, 0.0, 0.0, 0, 0, passes, failures)
        assert belief.min() >= 0
        assert belief.sum(dtype=np.float64) == pytest.approx(1, abs=1e-5)


class TestCarry:
    @pytest.mark.parametrize("speed", [0, 1])
    @pytest.mark.parametrize("groups", [1.0, 30.0, 400.0])
    def test_diffusion_adds_its_variance_exactly(self, speed: int, groups: float) -> None:
        belief = point_belief(40, speed)
        kernels.carry(belief, groups)
        marginal = belief[0, 0].sum(axis=0, dtype=np.float64)
        kept = math.exp(-kernels.RESET * groups)
        flat = np.mean((ABILITIES - ABILITIES[40]) ** 2)
        wanted = kept * DIFFUSION[speed] * groups + (1 - kept) * flat
        # Of those that exchange class along the way some drift at the other's rate from the next step on.
        assert marginal @ (ABILITIES - ABILITIES[40]) ** 2 == pytest.approx(wanted, rel=1e-3)

    @given(st.floats(0.01, 1e7), st.integers(0, 5))
    @settings(deadline=None, max_examples=30)
    def test_no_time_loses_mass_or_any_hypothesis(self, groups: float, seed: int) -> None:
        belief = some_belief(seed)
        masses = belief.sum(axis=(2, 3), dtype=np.float64)
        kernels.carry(belief, groups)
        np.testing.assert_allclose(belief.sum(axis=(2, 3), dtype=np.float64), masses, rtol=1e-5)
        assert belief.min() >= np.float32(kernels.SMALLEST)

    def test_after_very_long_nothing_is_left_but_direction_and_correlation(self) -> None:
        belief = some_belief(2)
        kernels.carry(belief, 1e7)
        np.testing.assert_allclose(belief, np.broadcast_to(belief.mean(axis=(2, 3), keepdims=True), SHAPE), rtol=1e-4)

    def test_two_short_times_are_nearly_one_long_one(self) -> None:
        twice, once = prior(), prior()
        kernels.carry(twice, 5.0)
        kernels.carry(twice, 5.0)
        kernels.carry(once, 10.0)
        assert np.abs(twice - once).sum() < 1e-3


class TestReading:
    @pytest.mark.parametrize("cells", [0, 5, -7])
    def test_shift_moves_the_ability(self, cells: int) -> None:
        belief = point_belief(40)
        kernels.shift(belief, cells)
        assert belief[0, 0, 0].argmax() == 40 + cells

    def test_shift_gathers_at_the_end_of_the_grid(self) -> None:
        belief = point_belief(78)
        kernels.shift(belief, 10)
        assert belief[0, 0, 0, CELLS - 1] == pytest.approx(1)

    def test_summarise_against_sums_written_out(self) -> None:
        belief, summary = some_belief(5), np.empty(9)
        kernels.summarise(belief, -1.0, 4.0, summary)
        exact = belief.astype(np.float64) / belief.sum(dtype=np.float64)
        marginal = exact.sum(axis=(0, 1, 2))
        mean = marginal @ ABILITIES
        below, above = ABILITIES < -1, ABILITIES > 4
        by_sign = exact.sum(axis=(1, 2))
        wanted = [
            mean,
            math.sqrt(marginal @ (ABILITIES - mean) ** 2),
            by_sign[1].sum(),
            by_sign[0, ~below & ~above].sum(),
            by_sign[1, ~below & ~above].sum(),
            by_sign[0, below].sum() + by_sign[1, above].sum(),
            by_sign[0, above].sum() + by_sign[1, below].sum(),
            exact[:, 1].sum(),
            exact[:, 2].sum(),
        ]
        np.testing.assert_allclose(summary, wanted, rtol=1e-9)

    @given(st.floats(0.001, 0.999), st.sampled_from([0, 1, 2]))
    @settings(deadline=None, max_examples=40)
    def test_locate_inverts_the_running_sum(self, share: float, sign: int) -> None:
        belief = some_belief(6)
        rows = belief if sign == 2 else belief[sign : sign + 1]
        running = np.concatenate([[0], rows.sum(axis=(0, 1, 2), dtype=np.float64).cumsum()])
        edges = FIRST + CELL * (np.arange(CELLS + 1) - 0.5)
        assert np.interp(kernels.locate(belief, share, sign), edges, running / running[-1]) == pytest.approx(share)

    @pytest.mark.parametrize("guess", [0.0, 0.25])
    def test_predict_against_sums_written_out(self, guess: float) -> None:
        belief = some_belief(8)
        exact = belief.astype(np.float64) / belief.sum(dtype=np.float64)
        rates = pass_rates(2.0, 0.04, guess)
        mixed = np.empty((2, 3, CELLS))
        for level, rho in enumerate(CORRELATIONS):
            s = (1 - rho) / rho
            right = np.prod([(rates * s + k) / (s + k) for k in range(8)], axis=0)
            wrong = np.prod([((1 - rates) * s + k) / (s + k) for k in range(8)], axis=0)
            mixed[:, level] = 1 - right - wrong
        wanted = (exact.sum(axis=(1, 2)) * rates).sum(), (exact.sum(axis=2) * mixed).sum()
        assert kernels.predict(belief, 2.0, 0.04, guess, 8) == pytest.approx(wanted, rel=1e-9)

    def test_pick_draws_in_proportion_and_never_a_weight_of_zero(self) -> None:
        weights = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
        pick: Callable[[NDArray[np.float64], float], int] = kernels.pick
        picked = [pick(weights, i / 1000) for i in range(1000)]
        assert [picked.count(i) for i in range(5)] == [0, 250, 0, 750, 0]
