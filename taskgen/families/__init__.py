"""The registry: a new file in this folder, or an entry point of the group `taskgen.families`, is all that it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType

from taskgen.family import Family


def _members(module: ModuleType) -> Iterator[Family]:
    return (value for value in vars(module).values() if isinstance(value, Family))


def _installed() -> Iterator[Family]:
    """The families that other packages register: a module full of them, or a family."""
    for point in entry_points(group="taskgen.families"):
        loaded = point.load()
        if isinstance(loaded, Family):
            yield loaded
        else:
            yield from _members(loaded)


def _collect(found: Iterable[Family]) -> Mapping[str, Family]:
    families: dict[str, Family] = {}
    for member in found:
        if families.setdefault(member.name, member) is not member:
            raise ValueError(f"two families are called {member.name}")
    return MappingProxyType(dict(sorted(families.items())))


def _own() -> Iterator[Family]:
    for info in iter_modules(__path__):
        yield from _members(import_module(f"{__name__}.{info.name}"))


FAMILIES: Mapping[str, Family] = _collect([*_own(), *_installed()])


def find(name: str, among: Mapping[str, Family] = FAMILIES) -> Family:
    """The family of that name. ValueError names the nearest one."""
    if name in among:
        return among[name]
    near = get_close_matches(name, among, n=1, cutoff=0.0)
    raise ValueError(f"unknown family {name!r}; the nearest is {', '.join(near) or 'none'}")


def select(wanted: str | Family | Iterable[str | Family] = "all") -> list[Family]:
    """Families by name, glob, area, or as they are; "all" of them; sorted by name. ValueError where a word fits none.

    >>> [family.name for family in select(["logic", "*_equation"])]
    ['knights_and_knaves', 'linear_equation']
    """
    chosen: dict[str, Family] = {}
    for item in [wanted] if isinstance(wanted, str | Family) else wanted:
        for member in [item] if isinstance(item, Family) else _matching(item):
            if chosen.setdefault(member.name, member) is not member:
                raise ValueError(f"two families are called {member.name}")
    if not chosen:
        raise ValueError("no family was chosen")
    return [chosen[name] for name in sorted(chosen)]


def _matching(word: str) -> Sequence[Family]:
    fits = [f for f in FAMILIES.values() if word in ("all", f.area) or fnmatchcase(f.name, word)]
    return fits or [find(word)]
