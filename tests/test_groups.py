"""The arithmetic of groups against published figures and against counting every outcome."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskgen.groups import advantages, right_per_group, useful_band, useful_share

rates = st.floats(0, 1)
sizes = st.integers(1, 40)


@pytest.mark.parametrize(
    ("size", "share"), [(1, 0.0), (2, 0.5), (4, 0.875), (6, 0.969), (8, 0.9922), (12, 0.9995), (16, 1.0)]
)
def test_useful_share_at_one_half_by_group_size(size: int, share: float) -> None:
    assert useful_share(0.5, size) == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize(
    ("pass_rate", "share"),
    [
        (0.45, 0.990),
        (0.40, 0.983),
        (0.35, 0.968),
        (0.30, 0.942),
        (0.25, 0.900),
        (0.20, 0.832),
        (0.15, 0.728),
        (0.10, 0.570),
        (0.05, 0.337),
        (0.02, 0.149),
    ],
)
def test_useful_share_of_eight_rollouts_by_pass_rate(pass_rate: float, share: float) -> None:
    assert useful_share(pass_rate, 8) == pytest.approx(share, abs=5.1e-4)


@pytest.mark.parametrize(
    ("correlation", "share"), [(0, 0.992), (0.05, 0.977), (0.1, 0.955), (0.2, 0.891), (0.3, 0.808), (0.5, 0.607)]
)
def test_correlated_rollouts_agree_more_often(correlation: float, share: float) -> None:
    assert useful_share(0.5, 8, correlation) == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize("pass_rate", [0.0, 0.1, 0.37, 0.5, 1.0])
@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_useful_share_is_what_counting_every_outcome_gives(pass_rate: float, size: int) -> None:
    mixed = 0.0
    for outcomes in product((0, 1), repeat=size):
        if len(set(outcomes)) == 2:
            mixed += math.prod(pass_rate if outcome else 1 - pass_rate for outcome in outcomes)
    assert useful_share(pass_rate, size) == pytest.approx(mixed, abs=1e-12)


@pytest.mark.parametrize("correlation", [0.02, 0.12, 0.35])
def test_correlated_useful_share_is_the_mean_over_beta_distributed_pass_rates(correlation: float) -> None:
    s = (1 - correlation) / correlation
    pass_rates = np.random.default_rng(5).beta(0.3 * s, 0.7 * s, 200_000)
    share = np.mean(1 - pass_rates**8 - (1 - pass_rates) ** 8)
    assert useful_share(0.3, 8, correlation) == pytest.approx(share, abs=0.004)


@given(rates, sizes, st.floats(0, 0.9))
def test_useful_share_is_a_probability_and_the_same_for_right_and_wrong(p: float, size: int, rho: float) -> None:
    share = useful_share(p, size, rho)
    assert -1e-12 <= share <= 1
    assert share == pytest.approx(useful_share(1 - p, size, rho), abs=1e-9)


@given(rates, st.floats(0, 0.9))
def test_one_rollout_never_disagrees(p: float, rho: float) -> None:
    assert useful_share(p, 1, rho) == pytest.approx(0, abs=1e-12)


@given(sizes, st.floats(0, 0.9), st.sampled_from([0.0, 1.0]))
def test_certain_outcomes_never_disagree(size: int, rho: float, p: float) -> None:
    assert useful_share(p, size, rho) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("size", "low"), [(8, 0.313), (16, 0.171)])
def test_the_band_of_useful_pass_rates(size: int, low: float) -> None:
    band = useful_band(0.95, size)
    assert band is not None
    assert band[0] == pytest.approx(low, abs=5e-4)
    assert band[1] == pytest.approx(1 - low, abs=5e-4)


def test_four_rollouts_never_reach_ninety_per_cent() -> None:
    assert useful_band(0.9, 4) is None


@given(st.floats(0.01, 1), st.integers(2, 40))
def test_the_ends_of_a_band_have_the_wanted_share(share: float, size: int) -> None:
    band = useful_band(share, size)
    if band is None:
        assert useful_share(0.5, size) < share
    else:
        assert useful_share(band[0], size) == pytest.approx(share, abs=1e-6)
        assert band[1] == 1 - band[0] >= 0.5


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: useful_share(1.2, 8), r"1\.2"),
        (lambda: useful_share(0.5, 0), "0"),
        (lambda: useful_share(0.5, 8, 1.0), r"1\.0"),
        (lambda: useful_band(-0.1, 8), r"-0\.1"),
        (lambda: advantages([1.0, 0.0]), r"\(2,\)"),
        (lambda: right_per_group([[0.5, 1.0]]), "0 or 1"),
    ],
)
def test_a_bad_value_is_named(call: object, words: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=words):
        call()


def test_one_right_of_eight_earns_the_root_of_seven() -> None:
    (row,) = advantages([[0, 0, 1, 0, 0, 0, 0, 0]])
    assert row[2] == pytest.approx(math.sqrt(7))
    assert np.delete(row, 2) == pytest.approx([-1 / math.sqrt(7)] * 7)


@given(st.lists(st.lists(st.integers(0, 1), min_size=8, max_size=8), min_size=1, max_size=5))
def test_advantages_are_centred_and_of_unit_spread_or_zero(rewards: list[list[int]]) -> None:
    for row, group in zip(advantages(rewards), rewards, strict=True):
        assert row.sum() == pytest.approx(0, abs=1e-9)
        assert np.mean(row**2) == pytest.approx(len(set(group)) - 1)


def test_a_group_that_differs_by_rounding_alone_teaches_nothing() -> None:
    assert not advantages([[0.1 + 0.2, 0.3]]).any()


@given(st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=1, max_size=9))
def test_the_histogram_counts_each_group_once(rewards: list[list[int]]) -> None:
    assert right_per_group(rewards).tolist() == [sum(sum(group) == k for group in rewards) for k in range(5)]
