"""One task, one completion, reward 0 or 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import gymnasium

from taskgen.families import find, select
from taskgen.family import Family
from taskgen.notation import NOTATIONS, Notation
from taskgen.task import LARGEST_SEED, SPLITS, Split, Task, quantised
from taskgen_envs.episode import METADATA, drawing, task_info, verdict_info
from taskgen_envs.spaces import LONGEST_COMPLETION, LONGEST_PROMPT, UnicodeText
from taskgen_verifiers import STYLES, Verdict
from taskgen_verifiers.check import one_of


class SingleTurnEnv(gymnasium.Env[str, str]):
    """A seeded reset is a pure function of the seed and of options={"family": name, "difficulty": d}.

    The observation is the task's prompt, the action a completion; every episode ends after one step.
    """

    metadata: ClassVar[dict[str, Any]] = {**METADATA}  # type: ignore[misc]

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
        one_of("split", split, SPLITS)
        one_of("style", style, STYLES)
        one_of("notation", notation, NOTATIONS)
        self._families = {family.name: family for family in select(families)}
        self._floors = {name: family.floor_in(split) for name, family in self._families.items()}
        self._difficulty = quantised(difficulty)
        self._split: Split = split
        self._wording: dict[str, Any] = {"style": style, "notation": notation}
        self._task: Task | None = None
        self._verdict: Verdict | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """A new task, by default of any of the families, at the difficulty nearest the environment's that it serves.

        ValueError names an unknown option or family, or a difficulty that the family does not serve.
        """
        super().reset(seed=seed)
        asked = dict(options or {})
        name = self.np_random.choice(list(self._families))
        family = find(asked.pop("family", str(name)), self._families)
        nearest = min(max(self._difficulty, self._floors[family.name]), family.ceiling)
        difficulty = asked.pop("difficulty", nearest)
        if asked:
            raise ValueError(f"unknown options {sorted(asked)}; valid: difficulty, family")
        address = int(self.np_random.integers(LARGEST_SEED))
        self._task = family.task(difficulty, address, self._split, **self._wording)
        self._verdict = None
        return self._task.prompt, task_info(self._task)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """The verdict on a completion; the observation that follows is empty."""
        if self._task is None or self._verdict is not None:
            raise ValueError("reset the environment before each step")
        self._verdict = self._task.judge(action)
        return "", self._verdict.reward, True, False, task_info(self._task) | verdict_info(self._verdict)

    def render(self) -> str | None:
        """Task, answer read and verdict, in render mode "ansi"."""
        return drawing(self._task, self._verdict) if self.render_mode == "ansi" else None
