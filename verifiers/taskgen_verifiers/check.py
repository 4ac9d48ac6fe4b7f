"""What a check is: how an answer is verified, as small frozen data. JSON both ways.

Each kind words the form it wants, reads a text as a candidate, and compares a candidate with the gold. A new kind is a
subclass in a file of its own, listed in `checks.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from taskgen_verifiers.points import Points

KINDS: dict[str, type[Check]] = {}
"""Every kind of check by its name in JSON."""


@dataclass(frozen=True)
class Check:
    """How an answer is verified. Frozen, hashable, data only."""

    kind: ClassVar[str]
    many: ClassVar[bool] = False
    """Whether several things are asked, so that several marked answers are one list and not a hedge."""

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        KINDS[kind] = cls

    @property
    def wanted(self) -> str:
        """The wanted form, as a sentence that a prompt can hold."""
        return f"Give the answer as {self.noun}."

    @property
    def noun(self) -> str:
        """What one answer is, with its article: "an integer"."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """The candidate that the text states. Refused where it states none."""
        raise NotImplementedError

    def read_member(self, text: str) -> Any:
        """The candidate that the text states within a list, where a comma separates."""
        return self.read(text)

    def compare(self, candidate: Any, gold: Any, points: Points) -> str:
        """The reason for the verdict on a candidate, given the gold read by the same method."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """{"kind": ..., every field}, as JSON data."""
        return {"kind": self.kind} | {f.name: _to_json(getattr(self, f.name)) for f in fields(self)}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Check:
        """The check of `to_dict`; fields with a default may be left out. ValueError names a wrong one.

        >>> Check.from_dict({"kind": "number", "form": "integer"})
        Number(form='integer')
        """
        values = dict(data)
        kind = values.pop("kind", None)
        if kind not in KINDS:
            raise ValueError(f"unknown kind of check {kind!r}; valid: {', '.join(sorted(KINDS))}")
        known = {f.name: f for f in fields(KINDS[kind])}
        for name in values:
            if name not in known:
                raise ValueError(f"a check of kind {kind} has no field {name!r}; valid: {', '.join(known)}")
        for name, f in known.items():
            if name not in values and f.default is MISSING and f.default_factory is MISSING:
                raise ValueError(f"a check of kind {kind} needs the field {name!r}")
        return KINDS[kind](**{name: _from_json(value) for name, value in values.items()})


def one_of(what: str, value: object, valid: tuple[str, ...]) -> None:
    """ValueError, naming the value and the valid ones, unless the value is one of them."""
    if value not in valid:
        raise ValueError(f"unknown {what} {value!r}; valid: {', '.join(valid)}")


def different_words(what: str, words: object, least: int = 1) -> None:
    """TypeError unless the words are a tuple of str; ValueError unless enough of them, none empty, all different."""
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"{what} are a tuple of strings, not {words!r}")
    if len(words) < least or len({word.strip().casefold() for word in words} - {""}) < len(words):
        raise ValueError(f"{what} are different words, at least {least}, not {words!r}")


def listed(words: tuple[str, ...], last: str = "and") -> str:
    """Words as people list them.

    >>> listed(("x", "y", "z"))
    'x, y and z'
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _to_json(value: Any) -> Any:
    if isinstance(value, Check):
        return value.to_dict()
    return [_to_json(item) for item in value] if isinstance(value, tuple) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Check.from_dict(value)
    return tuple(_from_json(item) for item in value) if isinstance(value, list | tuple) else value
