"""taskgen: math and logic tasks for reinforcement learning, at the difficulty where the policy passes half of the time.

>>> from taskgen import FAMILIES
>>> task = FAMILIES["addition_chain"].task(difficulty=4, seed=1)
>>> task.judge("I add the columns: \\\\boxed{" + task.answer + "}").reward
1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taskgen.curriculum import Curriculum
    from taskgen.families import FAMILIES
    from taskgen.family import Family, Problem
    from taskgen.task import Task
    from taskgen.ticket import TRUNCATED, Ticket

__all__ = ["FAMILIES", "TRUNCATED", "Curriculum", "Family", "Problem", "Task", "Ticket"]

_HOMES = {
    "Curriculum": "taskgen.curriculum",
    "FAMILIES": "taskgen.families",
    "Family": "taskgen.family",
    "Problem": "taskgen.family",
    "Task": "taskgen.task",
    "TRUNCATED": "taskgen.ticket",
    "Ticket": "taskgen.ticket",
}


def __getattr__(name: str) -> Any:
    """Loads a name's module on first use, so that `import taskgen` itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'taskgen' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
