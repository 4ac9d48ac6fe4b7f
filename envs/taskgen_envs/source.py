"""Where environments take their tasks from: a curriculum, or anything with the same three verbs."""

from __future__ import annotations

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


def open_source(curriculum: Source | str | None, arguments: dict[str, Any]) -> Source:
    """The curriculum given; the one of that name in this process, made on first use; or for None a new one.

    ValueError where a name is used again with other arguments.
    """
    if isinstance(curriculum, str):
        shared, made_with = _named.setdefault(curriculum, (Curriculum(**arguments), arguments))
        if made_with != arguments:
            raise ValueError(f"curriculum {curriculum!r} was made with {made_with}, not {arguments}")
        return shared
    if curriculum is None:
        return Curriculum(**arguments)
    if extra := sorted(arguments.keys() - {"group_size", "seed"}):
        raise ValueError(f"{', '.join(extra)}: arguments of the curriculum, which is given")
    if curriculum.group_size != arguments["group_size"]:
        raise ValueError(f"the curriculum is for groups of {curriculum.group_size}, not {arguments['group_size']}")
    return curriculum
