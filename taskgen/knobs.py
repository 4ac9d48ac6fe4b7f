"""From families to knobs: what the controller may know of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskgen.course import Knob
from taskgen.family import Family
from taskgen.task import Split


def knobs(families: Sequence[Family], split: Split, shares: Mapping[str, float], ceiling: float) -> list[Knob]:
    """One knob a family: its range in the split, chance level, capacity and share. ValueError names what fits none."""
    names = [family.name for family in families]
    if strangers := sorted(shares.keys() - names):
        raise ValueError(f"a share is given for {strangers[0]!r}, which is not among {', '.join(names)}")
    found = []
    for family in families:
        floor = family.floor_in(split)
        if not ceiling >= floor:
            raise ValueError(f"max_difficulty {ceiling!r} is below {floor}, where {family.name} starts")
        top = min(float(family.ceiling), ceiling)
        found.append(Knob(family.name, floor, top, family.guess, family.capacity, shares.get(family.name, 1.0)))
    return found
