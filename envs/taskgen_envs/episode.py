"""What the environments have in common: the two spaces, and a task and its verdict as `info` and as text."""

from __future__ import annotations

from typing import Any

from taskgen.task import Task
from taskgen_verifiers import Verdict

METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}


def task_info(task: Task) -> dict[str, Any]:
    """The task's address as strings and a float, which every vector environment can stack (a seed is text)."""
    return {
        "task_id": task.id,
        "family": task.family,
        "difficulty": task.difficulty,
        "split": task.split,
        "seed": str(task.seed),
    }


def verdict_info(verdict: Verdict) -> dict[str, Any]:
    """The verdict in words."""
    return {"status": str(verdict.status), "reason": verdict.reason, "read": verdict.read or ""}


def drawing(task: Task | None, verdict: Verdict | None) -> str:
    """Task, answer read and verdict as text for people."""
    if task is None:
        return "no task yet"
    text = f"[{task.family}, difficulty {task.difficulty:g}]\n{task.prompt}"
    return text if verdict is None else f"{text}\n\nread: {verdict.read!r}\n{verdict.status}: {verdict.reason}"
