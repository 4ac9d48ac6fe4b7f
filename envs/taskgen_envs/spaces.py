"""A space of texts."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

LONGEST_PROMPT = 16_000
LONGEST_COMPLETION = 1_000_000


class UnicodeText(spaces.Text):
    """Any string of at most `max_length` characters, of whatever script; samples are short and alphanumeric.

    Gymnasium's own `Text` takes a finite alphabet, and all of Unicode as one would cost it 193 MB.
    """

    def __init__(self, max_length: int, seed: int | None = None) -> None:
        super().__init__(max_length=max_length, min_length=0, seed=seed)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A random alphanumeric string of at most 64 characters, whatever the bound."""
        length = int(self.np_random.integers(0, min(self.max_length, 64), endpoint=True))
        letters = self.np_random.choice(self.character_list, size=length)
        return "".join(letters)

    def contains(self, x: Any) -> bool:
        """Whether x is a string within the length bound."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]
