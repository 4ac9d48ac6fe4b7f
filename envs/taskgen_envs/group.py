"""Groups for GRPO: G tasks times K completions as one vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from taskgen.ticket import Ticket
from taskgen_envs.episode import METADATA, task_info, verdict_info
from taskgen_envs.source import Source, open_source
from taskgen_envs.spaces import LONGEST_COMPLETION, LONGEST_PROMPT, UnicodeText

Texts = tuple[str, ...]
Step = tuple[Texts, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class GroupVectorEnv(VectorEnv[Texts, Texts, NDArray[np.float64]]):
    """`num_envs` = G x K sub-environments, the K members of a group side by side on the same prompt.

    Every episode ends after one step, and the next one begins in the same step: observations and top-level infos are of
    the new tasks, `infos["final_info"]` is of the answered ones. `curriculum` is a Curriculum (of the same group size),
    the name of one shared within the process, or None for its own, made of the further arguments at the first reset,
    with that reset's seed.
    """

    metadata: ClassVar[dict[str, Any]] = {**METADATA, "autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 8,
        *,
        group_size: int = 8,
        curriculum: Source | str | None = None,
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        if group_size < 1 or num_envs < 1 or num_envs % group_size:
            raise ValueError(f"num_envs {num_envs} is not a multiple of group_size {group_size}")
        self.num_envs = num_envs
        self.group_size = group_size
        self.render_mode = render_mode
        self.single_observation_space = UnicodeText(LONGEST_PROMPT)
        self.single_action_space = UnicodeText(LONGEST_COMPLETION)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._curriculum = curriculum
        self._arguments = arguments
        self._source: Source | None = None
        self._tickets: list[Ticket] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Texts, dict[str, Any]]:
        """G new tasks; those that were left unanswered are cancelled."""
        if options:
            raise ValueError(f"unknown options {sorted(options)}; the curriculum chooses family and difficulty")
        if self._source is None:
            self._source = open_source(self._curriculum, self.group_size, seed, self._arguments)
        self.close_extras()
        return self._draw()

    def close_extras(self, **kwargs: Any) -> None:
        """Cancels the tasks that were left unanswered."""
        for ticket in self._tickets:
            assert self._source is not None
            self._source.cancel(ticket)
        self._tickets = []

    def step(self, actions: Sequence[str]) -> Step:  # type: ignore[override]
        """Judges one completion for each prompt, reports each group, and draws the next tasks."""
        if self._source is None:
            raise ValueError("reset the environment before the first step")
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} completions came for {self.num_envs} prompts")
        tasks = [ticket.task for ticket in self._tickets for _ in range(self.group_size)]
        verdicts = [task.judge(action) for task, action in zip(tasks, actions, strict=True)]
        final = [task_info(task) | verdict_info(verdict) for task, verdict in zip(tasks, verdicts, strict=True)]
        for group, ticket in enumerate(self._tickets):
            self._source.report(ticket, verdicts[group * self.group_size : (group + 1) * self.group_size])
        rewards = np.array([verdict.reward for verdict in verdicts])
        texts, infos = self._draw()
        every = np.ones(self.num_envs, dtype=np.bool_)
        infos["final_obs"] = np.array([""] * self.num_envs, dtype=object)
        infos["final_info"] = _stack(final)
        infos["_final_obs"], infos["_final_info"] = every.copy(), every.copy()
        return texts, rewards, every, np.zeros(self.num_envs, dtype=np.bool_), infos

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """The tickets of the prompts that wait for an answer, one a group."""
        return tuple(self._tickets)

    def render(self) -> tuple[str, ...] | None:
        """The prompts that wait for an answer, one a group, in render mode "ansi"."""
        return tuple(ticket.task.prompt for ticket in self._tickets) if self.render_mode == "ansi" else None

    def _draw(self) -> tuple[Texts, dict[str, Any]]:
        assert self._source is not None
        self._tickets = self._source.draw(self.num_envs // self.group_size)
        infos = [
            task_info(ticket.task) | {"ticket": ticket.id} for ticket in self._tickets for _ in range(self.group_size)
        ]
        return tuple(ticket.task.prompt for ticket in self._tickets for _ in range(self.group_size)), _stack(infos)


class AdaptiveVectorEnv(GroupVectorEnv):
    """As many tasks as sub-environments, one rollout each, all steered by one curriculum."""

    def __init__(self, num_envs: int = 1, **arguments: Any) -> None:
        super().__init__(num_envs, **{"group_size": 1, **arguments})


def _stack(infos: list[dict[str, Any]]) -> dict[str, Any]:
    """Infos by Gymnasium's vector convention: an array for each key, and a mask of who has it."""
    stacked: dict[str, Any] = {}
    for key, first in infos[0].items():
        stacked[key] = np.array([info[key] for info in infos], dtype=float if isinstance(first, float) else object)
        stacked[f"_{key}"] = np.ones(len(infos), dtype=np.bool_)
    return stacked
