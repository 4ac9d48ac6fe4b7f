"""Whether two expressions are equal: exactly for rationals, at secret random points for rational functions.

A rational function of degree at most D that is not zero vanishes at a random point modulo a random prime near 2^61
with probability at most about D / 2^61 (Schwartz and Zippel); two primes square it. Points and primes come from a key
that a policy does not know, the check, the answer and the candidate: the same again for whoever holds the key, never
learnable.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache

from taskgen_verifiers.size import exact, whole_exponent
from taskgen_verifiers.tree import NUMERALS, Node
from taskgen_verifiers.verdict import Refused

_PRIME_BITS = 61
_POOL = 16
_POINTS = 2
_MOST_TRIES = 8
"""Points at which a denominator vanishes, in a row, before it is taken to be zero everywhere."""


@lru_cache(maxsize=1)
def _process_key() -> bytes:
    return os.environ["TASKGEN_KEY"].encode() if os.environ.get("TASKGEN_KEY") else os.urandom(32)


class Points:
    """A keyed stream of primes and residues for one comparison."""

    def __init__(self, key: str | bytes | None, *context: str) -> None:
        self._key = (
            _process_key() if key is None else key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
        )
        self._context = "\0".join(context).encode("utf-8", "surrogatepass")
        self._count = 0

    def _word(self) -> int:
        self._count += 1
        message = self._count.to_bytes(4, "big") + self._context
        return int.from_bytes(hmac.digest(self._key, message, "sha256")[:16], "big")

    def prime(self) -> int:
        """One of the key's primes."""
        pool = _primes(self._key)
        return pool[self._word() % len(pool)]

    def place(self, names: Sequence[str], prime: int) -> dict[str, int]:
        """A residue for each name."""
        return {name: self._word() % prime for name in names}


def same_function(left: Node, right: Node, names: Sequence[str], points: Points) -> bool:
    """Whether two rational functions are equal, both measured before.

    Refused ("unparsable") where the first one's denominator vanishes wherever it is tried.
    """
    found, tries = 0, 0
    while found < _POINTS:
        prime = points.prime()
        point = points.place(names, prime)
        values = [residue(node, point, prime) for node in (left, right)]
        if None in values:
            tries += 1
            if tries > _MOST_TRIES:
                raise Refused("unparsable")
            continue
        if values[0] != values[1]:
            return False
        found += 1
    return True


def proportional(left: Node, right: Node, names: Sequence[str], points: Points) -> bool:
    """Whether two polynomials, not zero, differ by a constant factor only."""
    prime = points.prime()
    places = [points.place(names, prime) for _ in range(2)]
    values = [residue(node, point, prime) for point in places for node in (left, right)]
    if None in values or 0 in values:
        return False
    a, b, c, d = (value or 0 for value in values)
    return (a * d - b * c) % prime == 0


def residue(node: Node, point: Mapping[str, int], prime: int) -> int | None:
    """The value at a point modulo a prime; None where a denominator vanishes."""
    if node.op in NUMERALS:
        return _quotient(node.value.numerator, node.value.denominator, prime)
    if node.op == "name":
        return point[node.name]
    if node.op == "factorial":
        return exact(node).numerator % prime
    if node.op == "power":
        base, exponent = residue(node.args[0], point, prime), whole_exponent(node)
        if base is None or (base == 0 and exponent < 0):
            return None
        return pow(base, exponent, prime)
    values = []
    for arg in node.args:
        value = residue(arg, point, prime)
        if value is None:
            return None
        values.append(value)
    if node.op == "negative":
        return -values[0] % prime
    if node.op == "sum":
        return sum(values) % prime
    if node.op == "quotient":
        return _quotient(values[0], values[1], prime)
    total = 1
    for value in values:
        total = total * value % prime
    return total


def _quotient(over: int, under: int, prime: int) -> int | None:
    if under == 1:
        return over % prime
    return over * pow(under, -1, prime) % prime if under % prime else None


@lru_cache(maxsize=8)
def _primes(key: bytes) -> tuple[int, ...]:
    """The pool of primes of a key, none of which is known to who does not hold it."""
    found: list[int] = []
    count = 0
    while len(found) < _POOL:
        word = hmac.digest(key, b"prime" + count.to_bytes(4, "big"), "sha256")
        candidate = int.from_bytes(word[:8], "big") >> (64 - _PRIME_BITS) | 1 << (_PRIME_BITS - 1) | 1
        if _is_prime(candidate):
            found.append(candidate)
        count += 1
    return tuple(found)


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test with the bases that decide it below 2^64 (the first twelve primes)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if any(n % base == 0 for base in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        value = pow(base, odd, n)
        if value in (1, n - 1):
            continue
        if not any((value := value * value % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True
