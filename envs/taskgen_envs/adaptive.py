"""One task after another at the policy's own difficulty: every outcome teaches the curriculum."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium

from taskgen.ticket import Ticket
from taskgen_envs.episode import METADATA, drawing, task_info, verdict_info
from taskgen_envs.source import Source, open_source
from taskgen_envs.spaces import LONGEST_COMPLETION, LONGEST_PROMPT, UnicodeText
from taskgen_verifiers import Verdict


class AdaptiveEnv(gymnasium.Env[str, str]):
    """Single turns whose difficulty follows the policy, so a reset depends on all that came before.

    `curriculum` is a Curriculum, the name of one shared within the process (such as "default"), or None for its own,
    made of the further arguments at the first reset, with that reset's seed. One rollout a task.
    """

    metadata: ClassVar[dict[str, Any]] = {**METADATA}  # type: ignore[misc]

    def __init__(
        self, curriculum: Source | str | None = None, *, render_mode: str | None = None, **arguments: Any
    ) -> None:
        self.observation_space = UnicodeText(LONGEST_PROMPT)
        self.action_space = UnicodeText(LONGEST_COMPLETION)
        self.render_mode = render_mode
        self._curriculum = curriculum
        self._arguments = arguments
        self._source: Source | None = None
        self._ticket: Ticket | None = None
        self._verdict: Verdict | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """The next task; one that was left unanswered is cancelled."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown options {sorted(options)}; the curriculum chooses family and difficulty")
        if self._source is None:
            self._source = open_source(self._curriculum, 1, seed, self._arguments)
        self.close()
        self._ticket, self._verdict = self._source.draw()[0], None
        return self._ticket.task.prompt, task_info(self._ticket.task)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """The verdict on a completion, reported to the curriculum; the observation that follows is empty."""
        if self._source is None or self._ticket is None or self._verdict is not None:
            raise ValueError("reset the environment before each step")
        task = self._ticket.task
        self._verdict = task.judge(action)
        self._source.report(self._ticket, [self._verdict])
        return "", self._verdict.reward, True, False, task_info(task) | verdict_info(self._verdict)

    def close(self) -> None:
        """Cancels a task that was left unanswered."""
        if self._source is not None and self._ticket is not None and self._verdict is None:
            self._source.cancel(self._ticket)
            self._ticket = None

    def render(self) -> str | None:
        """Task, answer read and verdict, in render mode "ansi"."""
        task = None if self._ticket is None else self._ticket.task
        return drawing(task, self._verdict) if self.render_mode == "ansi" else None
