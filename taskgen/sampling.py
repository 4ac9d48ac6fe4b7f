"""Draws that families share: everything random about a task comes from its address, through `getrandbits` alone.

The other methods of `random.Random` may change their streams between Python versions; `getrandbits` and seeding by text
may not, so tasks keep their bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

_UNIT = 1 << 53


class Draw:
    """The random source of one task, seeded by the task's address (any text, hashed whole).

    >>> Draw("a").integer(1, 6) == Draw("a").integer(1, 6)
    True
    """

    __slots__ = ("_bits",)

    def __init__(self, address: str) -> None:
        self._bits = Random(address).getrandbits

    def integer(self, low: int, high: int) -> int:
        """An integer, uniform on [low, high], both ends included. ValueError where the range is empty."""
        size = high - low + 1
        if size <= 0:
            raise ValueError(f"no integer lies between {low} and {high}")
        width = size.bit_length()
        while (value := self._bits(width)) >= size:
            pass
        return low + value

    def nonzero(self, size: int) -> int:
        """An integer, uniform on [-size, size] without 0."""
        value = self.integer(1, 2 * size)
        return value if value <= size else size - value

    def digits(self, count: int) -> int:
        """An integer of exactly `count` digits, uniform, the leading one not 0."""
        return self.integer(10 ** (count - 1), 10**count - 1)

    def chance(self, probability: float) -> bool:
        """True with the given probability (to 53 bits)."""
        return self._bits(53) < probability * _UNIT

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, uniform. ValueError where there is none."""
        return options[self.integer(0, len(options) - 1)]

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """The items in a uniformly random order, as a new list."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.integer(0, last)
            deck[last], deck[other] = deck[other], deck[last]
        return deck

    def subset(self, items: Sequence[T], size: int) -> list[T]:
        """`size` different positions of `items`, in their order; every such choice equally likely."""
        picked = sorted(self.shuffle(range(len(items)))[:size])
        if len(picked) < size:
            raise ValueError(f"cannot take {size} of {len(items)} items")
        return [items[position] for position in picked]

    def split(self, total: int, parts: int) -> list[int]:
        """`total` as a sum of `parts` whole numbers that differ by at most 1, in random order."""
        small, larger = divmod(total, parts)
        return self.shuffle([small + 1] * larger + [small] * (parts - larger))
