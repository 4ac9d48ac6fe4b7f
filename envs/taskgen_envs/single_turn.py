"""One task, one completion, reward 0 or 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import gymnasium

from taskgen.families import find, select
from taskgen.family import Family
from taskgen.notation import Notation
from taskgen.task import LARGEST_SEED, Split, Task
from taskgen_envs.episode import METADATA, drawing, task_info, verdict_info
from taskgen_envs.spaces import LONGEST_COMPLETION, LONGEST_PROMPT, UnicodeText
from taskgen_verifiers import Verdict


class SingleTurnEnv(gymnasium.Env[str, str]):
    """A seeded reset is a pure function of the seed and of options={"family": name, "difficulty": d}.

    The observation is the task's prompt, the action a completion; every episode ends after one step.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(
        self,
        families: str | Family | Iterable[str | Family] = "all",
        *,
        difficulty: float = 8.0,
        split: Split = "train",
        style: str = "boxed",
        notation: Notation = "latex",
        render_mode: str | None = None,
    ) -> None:
        self.observation_space = UnicodeText(LONGEST_PROMPT)
        self.action_space = UnicodeText(LONGEST_COMPLETION)
        self.render_mode = render_mode
        self._families = select(families)
        self._difficulty = difficulty
        self._split: Split = split
        self._wording: dict[str, Any] = {"style": style, "notation": notation}
        self._task: Task | None = None
        self._verdict: Verdict | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """A new task. ValueError names an unknown option, family or difficulty."""
        super().reset(seed=seed)
        asked = dict(options or {})
        position = int(self.np_random.integers(len(self._families)))
        family = find(asked.pop("family")) if "family" in asked else self._families[position]
        difficulty = asked.pop("difficulty", max(self._difficulty, family.floor))
        if asked:
            raise ValueError(f"unknown options {sorted(asked)}; valid: difficulty, family")
        address = int(self.np_random.integers(LARGEST_SEED))
        self._task = family.task(difficulty, address, self._split, **self._wording)
        self._verdict = None
        return self._task.prompt, task_info(self._task)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """The verdict on a completion; the observation that follows is empty."""
        if self._task is None:
            raise ValueError("reset the environment before the first step")
        self._verdict = self._task.judge(action)
        return "", self._verdict.reward, True, False, task_info(self._task) | verdict_info(self._verdict)

    def render(self) -> str | None:
        """Task, answer read and verdict, in render mode "ansi"."""
        return drawing(self._task, self._verdict) if self.render_mode == "ansi" else None
