"""From families to knobs: what the controller may know of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from taskgen.course import Knob
from taskgen.family import Family
from taskgen.task import Split


def knobs(families: Sequence[Family], split: Split, shares: Mapping[str, float], ceiling: float) -> list[Knob]:
    """One knob a family: its range in the split, chance level, capacity and share. ValueError names what fits none."""
    names = [family.name for family in families]
    for name, share in shares.items():
        if name not in names:
            raise ValueError(f"a share is given for {name!r}, which is not among {', '.join(names)}")
        if not 0 < share < inf:
            raise ValueError(f"the share of {name} is a positive number, not {share!r}")
    found = []
    for family in families:
        floor = family.eval_floor() if split == "eval" else family.floor
        if ceiling < floor:
            raise ValueError(f"max_difficulty {ceiling!r} is below {floor}, where {family.name} starts")
        top = min(float(family.ceiling), ceiling)
        found.append(Knob(family.name, floor, top, family.guess, family.capacity, shares.get(family.name, 1.0)))
    return found
