"""What a check is: how an answer is verified, as small frozen data. JSON both ways.

Each kind words the form it wants, reads a text as a candidate, and compares a candidate with the gold. A new kind is a
class in `checks.py` or in a file beside it, listed by `@kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from taskgen_verifiers.equal import Points


@dataclass(frozen=True)
class Check:
    """How an answer is verified. Frozen, hashable, data only."""

    kind: ClassVar[str] = ""
    many: ClassVar[bool] = False
    """Whether several things are asked, so that a list is an answer and not a hedge."""

    @property
    def wanted(self) -> str:
        """The wanted form, as a sentence that a prompt can hold."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """The candidate that the text states. Refused where it states none."""
        raise NotImplementedError

    def read_member(self, text: str) -> Any:
        """The same for a member of a list, in which a comma only separates."""
        return self.read(text)

    def compare(self, candidate: Any, gold: Any, points: Points) -> str:
        """The reason for the verdict on a candidate, given the gold read by the same method."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """{"kind": ..., and every field}, as JSON data."""
        return {"kind": self.kind} | {f.name: _to_json(getattr(self, f.name)) for f in fields(self)}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Check:
        """The check of `to_dict`; defaults may be left out. ValueError names what is unknown or missing."""
        values = dict(data)
        kind = values.pop("kind", None)
        if kind not in KINDS:
            raise ValueError(f"unknown kind of check {kind!r}; valid: {', '.join(sorted(KINDS))}")
        known = {f.name: f for f in fields(KINDS[kind])}
        if unknown := sorted(values.keys() - known.keys()):
            raise ValueError(f"check {kind} has no field {unknown[0]!r}; valid: {', '.join(known)}")
        if missing := sorted(name for name, f in known.items() if name not in values and f.default is MISSING):
            raise ValueError(f"check {kind} needs the field {missing[0]!r}")
        return KINDS[kind](**{name: _from_json(value) for name, value in values.items()})


KINDS: dict[str, type[Check]] = {}
"""Every kind of check by its name in JSON."""


def kind(name: str) -> Any:
    """Lists a class of checks under its name in JSON."""

    def enlist(cls: type[Check]) -> type[Check]:
        cls.kind = name
        KINDS[name] = cls
        return cls

    return enlist


def one_of(what: str, value: object, valid: tuple[str, ...]) -> None:
    """ValueError, naming the value and the valid ones, unless the value is one of them."""
    if value not in valid:
        raise ValueError(f"unknown {what} {value!r}; valid: {', '.join(valid)}")


def _to_json(value: Any) -> Any:
    if isinstance(value, Check):
        return value.to_dict()
    return [_to_json(item) for item in value] if isinstance(value, tuple) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Check.from_dict(value)
    return tuple(_from_json(item) for item in value) if isinstance(value, list | tuple) else value
