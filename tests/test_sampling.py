"""Draws are functions of the address, and uniform."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskgen.sampling import Draw


def test_the_stream_of_an_address_never_changes() -> None:
    draw = Draw("a family@1/8.0/train/42")
    assert [draw.integer(0, 99) for _ in range(8)] == [83, 87, 78, 36, 88, 20, 25, 98]
    assert draw.shuffle("abcdef") == ["b", "a", "c", "f", "e", "d"]
    assert draw.digits(30) == 373169640054640475349917384444


def test_neighbouring_seeds_share_nothing() -> None:
    first = [Draw(f"f@1/8.0/train/{seed}").integer(0, 10**12) for seed in range(500)]
    second = [Draw(f"f@1/8.0/train/{seed + 1}").integer(0, 10**12) for seed in range(500)]
    assert first[1:] == second[:-1]
    assert len(set(first)) == 500


@given(st.integers(-(10**30), 10**30), st.integers(0, 10**30), st.text())
def test_integers_lie_between_both_ends(low: int, size: int, address: str) -> None:
    assert low <= Draw(address).integer(low, low + size) <= low + size


def test_integers_are_uniform() -> None:
    draw = Draw("uniform")
    counts = Counter(draw.integer(1, 6) for _ in range(12_000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    # Five standard deviations of a binomial with n = 12,000 and p = 1/6 are 204.
    assert all(abs(count - 2000) < 204 for count in counts.values())


def test_every_subset_and_order_occurs() -> None:
    draw = Draw("orders")
    assert len({tuple(draw.shuffle("abcd")) for _ in range(500)}) == 24
    assert len({tuple(draw.subset("abcde", 2)) for _ in range(200)}) == 10


@given(st.integers(0, 1000), st.integers(1, 30), st.text())
def test_a_split_adds_up_and_is_even(total: int, parts: int, address: str) -> None:
    sizes = Draw(address).split(total, parts)
    assert len(sizes) == parts
    assert sum(sizes) == total
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(1, 50), st.text())
def test_nonzero_and_digits_keep_their_word(size: int, address: str) -> None:
    draw = Draw(address)
    assert 1 <= abs(draw.nonzero(size)) <= size
    assert len(str(draw.digits(size))) == size


def test_empty_ranges_are_named() -> None:
    with pytest.raises(ValueError, match="between 3 and 2"):
        Draw("").integer(3, 2)
    with pytest.raises(ValueError, match="cannot take 4 of 3"):
        Draw("").subset("abc", 4)
