"""Secret random points: a keyed stream of primes and residues, the same again for whoever holds the key.

A fixed point is learnt: a policy adds a factor that vanishes there. Points here come from a key that a policy does not
know, the check, the gold and the candidate, so that a verdict can be replayed and not be prepared for. The primes are
secret too: with a known prime p, the constant p is a zero that shows nowhere.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Sequence
from functools import lru_cache

PRIME_BITS = 61
PRIMES = 16
"""How many primes a key has."""


@lru_cache(maxsize=1)
def process_key() -> bytes:
    """The secret of this process: the environment's TASKGEN_KEY, else random bytes; read once."""
    return os.environ.get("TASKGEN_KEY", "").encode("utf-8", "surrogateescape") or os.urandom(32)


class Points:
    """The points at which one candidate is compared with one gold. `context`: whatever they are to depend on."""

    __slots__ = ("_context", "_count", "_key")

    def __init__(self, key: str | bytes | None, *context: str) -> None:
        self._key = key
        self._context = context
        self._count = 0

    def place(self, names: Sequence[str]) -> tuple[int, dict[str, int]]:
        """The next prime, and a residue for each name."""
        key = self._secret()
        prime = primes(key)[self._word(key) % PRIMES]
        return prime, {name: self._word(key) % prime for name in names}

    def _secret(self) -> bytes:
        if self._key is None:
            return process_key()
        return self._key.encode("utf-8", "surrogatepass") if isinstance(self._key, str) else self._key

    def _word(self, key: bytes) -> int:
        self._count += 1
        # Lengths keep ("ab", "c") and ("a", "bc") apart.
        parts = [str(self._count), *(f"{len(part)}:{part}" for part in self._context)]
        return int.from_bytes(hmac.digest(key, "|".join(parts).encode("utf-8", "surrogatepass"), "sha256")[:16], "big")


@lru_cache(maxsize=8)
def primes(key: bytes) -> tuple[int, ...]:
    """The primes of a key, of 61 bits each."""
    found: list[int] = []
    count = 0
    while len(found) < PRIMES:
        word = int.from_bytes(hmac.digest(key, b"prime %d" % count, "sha256")[:8], "big")
        candidate = word >> (64 - PRIME_BITS) | 1 << (PRIME_BITS - 1) | 1
        if is_prime(candidate):
            found.append(candidate)
        count += 1
    return tuple(found)


_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def is_prime(n: int) -> bool:
    """Whether n < 2^64 is prime, by the strong test of Miller and Rabin.

    The first twelve primes as bases decide every n below 3.1 * 10^23 (Sorenson and Webster 2015).

    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if n < 2 or any(n % base == 0 for base in _BASES):
        return n in _BASES
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(n, pow(base, odd, n), twos) for base in _BASES)


def _passes(n: int, value: int, twos: int) -> bool:
    if value in (1, n - 1):
        return True
    for _ in range(twos - 1):
        value = value * value % n
        if value == n - 1:
            return True
    return False
