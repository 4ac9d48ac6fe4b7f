"""Where environments take their tasks from: a curriculum, or anything with the same three verbs."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Protocol

from taskgen.curriculum import Curriculum
from taskgen.ticket import Ticket


class Source(Protocol):
    """What an environment needs of a curriculum."""

    group_size: int

    def draw(self, n: int = 1) -> list[Ticket]:
        """The next `n` tickets."""
        ...

    def report(self, ticket: Ticket, outcomes: Iterable[Any]) -> None:
        """What became of a ticket's group."""
        ...

    def cancel(self, ticket: Ticket) -> None:
        """Nothing will come of a ticket."""
        ...


_named: dict[str, tuple[Curriculum, dict[str, Any]]] = {}
_naming = threading.Lock()


def open_source(
    curriculum: Source | str | None, group_size: int, seed: int | None, arguments: dict[str, Any]
) -> Source:
    """The curriculum given; the one of that name in this process, made on first use; or for None a new one.

    The first seed given makes a curriculum; later ones change nothing. ValueError where a name is used again with other
    arguments, or where the source does not fit: of another group size, or with probes, which would be trained on.
    """
    arguments = {**arguments, "group_size": group_size}
    if curriculum is None:
        source: Source = Curriculum(**{"seed": seed or 0, **arguments})
    elif isinstance(curriculum, str):
        with _naming:
            if curriculum not in _named:
                _named[curriculum] = Curriculum(**{"seed": seed or 0, **arguments}), arguments
            source, made_with = _named[curriculum]
        if made_with != arguments:
            raise ValueError(f"curriculum {curriculum!r} was made with {made_with}, not {arguments}")
    elif extra := sorted(arguments.keys() - {"group_size"}):
        raise ValueError(f"{', '.join(extra)}: arguments of the curriculum, which is given")
    else:
        source = curriculum
    if source.group_size != group_size:
        raise ValueError(f"the curriculum is for groups of {source.group_size}, not {group_size}")
    if getattr(source, "probe", 0):
        raise ValueError("an environment's tasks are trained on, so its curriculum has no probes; draw those yourself")
    return source
