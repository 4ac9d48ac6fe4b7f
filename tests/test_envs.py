"""The environments, through Gymnasium's own checker, vectorisation and wrappers."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordVectorEpisodeStatistics

import taskgen_envs  # noqa: F401 - registers the ids
from taskgen import Curriculum
from taskgen.families import FAMILIES
from taskgen_envs.spaces import UnicodeText

ADDITION = {"families": "addition_chain"}


def answers(tickets: Any) -> list[str]:
    """A right answer for the first half of each group, a wrong one for the rest."""
    return [
        f"\\boxed{{{ticket.task.answer}}}" if member < ticket.group_size / 2 else "\\boxed{-1}"
        for ticket in tickets
        for member in range(ticket.group_size)
    ]


class TestSpaces:
    def test_any_text_within_the_bound_belongs(self) -> None:
        space = UnicodeText(10)
        assert all(text in space for text in ("", "é−²", "\n\t ", "0123456789", "\ud800"))
        assert all(thing not in space for thing in ("01234567890", 5, None, b"x"))

    def test_it_samples_pickles_batches_and_compares(self) -> None:
        space = UnicodeText(10, seed=1)
        assert space.sample() in space
        assert pickle.loads(pickle.dumps(space)) == space
        assert batch_space(space, 3).contains(("a", "é", ""))
        assert space != UnicodeText(11)
        assert repr(space) == "UnicodeText(10)"


@pytest.mark.parametrize("name", ["taskgen/SingleTurn-v0", "taskgen/Adaptive-v0"])
def test_gymnasiums_checker_passes(name: str) -> None:
    check_env(gym.make(name, render_mode="ansi").unwrapped)


def test_the_module_form_needs_no_other_import() -> None:
    code = (
        "import gymnasium, sys\n"
        "env = gymnasium.make('taskgen_envs:taskgen/Adaptive-v0', families='addition_chain')\n"
        "prompt, info = env.reset(seed=1)\n"
        "print(env.step('no idea')[1])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0.0\n"


def test_registration_loads_nothing_heavy() -> None:
    code = "import taskgen_envs, sys; print([m for m in ('numba', 'sympy', 'taskgen', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


class TestSingleTurn:
    def test_a_seeded_reset_is_a_function_of_seed_and_options(self) -> None:
        options = {"family": "linear_equation", "difficulty": 12}
        first, second = gym.make("taskgen/SingleTurn-v0"), gym.make("taskgen/SingleTurn-v0")
        second.reset(seed=5)
        second.step("x")
        assert first.reset(seed=3, options=options) == second.reset(seed=3, options=options)
        assert first.reset(seed=3)[0] != first.reset(seed=4)[0]
        info = first.reset(seed=3, options=options)[1]
        assert (info["family"], info["difficulty"]) == ("linear_equation", 12.0)

    def test_only_a_right_answer_pays(self) -> None:
        env = gym.make("taskgen/SingleTurn-v0", **ADDITION)
        _, info = env.reset(seed=1)
        task = FAMILIES["addition_chain"].task(info["difficulty"], int(info["seed"]))
        *_, reward, terminated, truncated, after = env.step(f"So it is \\boxed{{{task.answer}}}.")
        assert (reward, terminated, truncated, after["reason"]) == (1.0, True, False, "correct")
        env.reset(seed=1)
        assert env.step("\\boxed{}")[1] == 0.0

    def test_an_episode_pays_once(self) -> None:
        env = gym.make("taskgen/SingleTurn-v0", **ADDITION)
        env.reset(seed=1)
        env.step("no")
        with pytest.raises(ValueError, match="before each step"):
            env.step("again")

    def test_difficulty_is_what_the_family_serves_nearest(self) -> None:
        for difficulty, split in ((0, "train"), (0, "eval"), (100, "train")):
            env = gym.make("taskgen/SingleTurn-v0", difficulty=difficulty, split=split)
            for seed in range(8):
                info = env.reset(seed=seed)[1]
                family = FAMILIES[info["family"]]
                assert family.floor_in(split) <= info["difficulty"] <= family.ceiling

    @pytest.mark.parametrize("bad", [{"split": "test"}, {"style": "xml"}, {"notation": "x"}, {"difficulty": -3}])
    def test_bad_arguments_are_refused_at_once(self, bad: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"unknown|not -3"):
            gym.make("taskgen/SingleTurn-v0", **bad)

    def test_only_its_own_families_can_be_asked_for(self) -> None:
        env = gym.make("taskgen/SingleTurn-v0", **ADDITION)
        with pytest.raises(ValueError, match="nearest is addition_chain"):
            env.reset(options={"family": "linear_equation"})

    def test_bad_options_are_named(self) -> None:
        env = gym.make("taskgen/SingleTurn-v0")
        with pytest.raises(ValueError, match="nearest is linear_equation"):
            env.reset(options={"family": "linear_equations"})
        with pytest.raises(ValueError, match="unknown options"):
            env.reset(options={"level": 3})

    def test_it_renders_task_and_verdict(self) -> None:
        env = gym.make("taskgen/SingleTurn-v0", render_mode="ansi", **ADDITION)
        prompt, _ = env.reset(seed=1)
        assert prompt in str(env.render())
        env.step("nothing")
        assert "no_answer" in str(env.render())

    @pytest.mark.parametrize("mode", ["sync", "async"])
    def test_it_vectorises(self, mode: str) -> None:
        kwargs = {"shared_memory": False} if mode == "async" else {}
        envs = gym.make_vec("taskgen/SingleTurn-v0", 3, vectorization_mode=mode, vector_kwargs=kwargs, **ADDITION)
        prompts, infos = envs.reset(seed=1)
        assert len(set(prompts)) == 3
        assert infos["difficulty"].dtype == float
        assert envs.step(("a", "b", "c"))[2].all()
        envs.close()

    def test_statistics_wrapper(self) -> None:
        env = RecordEpisodeStatistics(gym.make("taskgen/SingleTurn-v0", **ADDITION))
        env.reset(seed=1)
        assert env.step("x")[4]["episode"]["r"] == 0.0


class TestAdaptive:
    def test_difficulty_follows_the_policy(self) -> None:
        curriculum = Curriculum("addition_chain", group_size=1, seed=1)
        env = gym.make("taskgen/Adaptive-v0", curriculum=curriculum)
        for _ in range(200):
            _, info = env.reset()
            task = FAMILIES["addition_chain"].task(info["difficulty"], int(info["seed"]))
            able = task.work <= 30
            env.step(f"\\boxed{{{task.answer}}}" if able else "I cannot.")
        (estimate,) = curriculum.estimates()
        assert 18 < estimate.d50 < 45

    def test_an_unanswered_task_is_cancelled(self) -> None:
        curriculum = Curriculum("addition_chain", group_size=1)
        env = gym.make("taskgen/Adaptive-v0", curriculum=curriculum)
        env.reset()
        env.reset()
        assert curriculum.metrics()["taskgen/cancelled"] == 1

    def test_a_named_curriculum_is_shared_within_the_process(self) -> None:
        left, right = (gym.make("taskgen/Adaptive-v0", curriculum="default", **ADDITION) for _ in range(2))
        seen = [env.reset()[1]["task_id"] for env in (left, right)]
        assert len(set(seen)) == 2
        other = gym.make("taskgen/Adaptive-v0", curriculum="default", families="linear_equation")
        with pytest.raises(ValueError, match="'default' was made with"):
            other.reset()

    def test_a_named_curriculum_serves_seeded_vector_environments(self) -> None:
        envs = gym.make_vec(
            "taskgen/Adaptive-v0", 3, vectorization_mode="sync", curriculum="of the vectors", **ADDITION
        )
        assert len(set(envs.reset(seed=1)[0])) == 3

    def test_closing_cancels_what_is_open(self) -> None:
        curriculum = Curriculum("addition_chain", group_size=1)
        env = gym.make("taskgen/Adaptive-v0", curriculum=curriculum)
        env.reset()
        env.close()
        assert curriculum.metrics()["taskgen/open"] == 0

    def test_its_vector_form_shares_one_curriculum(self) -> None:
        envs = gym.make_vec("taskgen/Adaptive-v0", 6, **ADDITION)
        prompts, _ = envs.reset(seed=1)
        assert len(set(prompts)) > 3
        assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


class TestGroup:
    def test_members_of_a_group_are_side_by_side_on_one_task(self) -> None:
        envs = gym.make_vec("taskgen/Group-v0", 32, group_size=8, **ADDITION)
        prompts, infos = envs.reset(seed=1)
        assert len(prompts) == 32
        assert all(len(set(prompts[i : i + 8])) == 1 for i in range(0, 32, 8))
        assert len(set(infos["ticket"])) == 4

    def test_each_step_ends_an_episode_and_begins_the_next(self) -> None:
        curriculum = Curriculum("addition_chain", seed=1)
        envs = gym.make_vec("taskgen/Group-v0", 16, curriculum=curriculum)
        prompts, infos = envs.reset()
        tickets = envs.unwrapped.tickets
        after, rewards, terminated, truncated, new_infos = envs.step(answers(tickets))
        assert rewards.tolist() == ([1.0] * 4 + [0.0] * 4) * 2
        assert terminated.all()
        assert not truncated.any()
        assert after[0] != prompts[0]
        assert new_infos["final_info"]["task_id"].tolist() == infos["task_id"].tolist()
        assert new_infos["task_id"][0] != infos["task_id"][0]
        assert new_infos["_final_info"].all()
        assert new_infos["final_info"]["reason"][0] == "correct"
        metrics = curriculum.metrics()
        assert (metrics["taskgen/frac_mixed"], metrics["taskgen/open"]) == (1, 2)

    def test_spaces_hold_observations_and_actions(self) -> None:
        envs = gym.make_vec("taskgen/Group-v0", 8, **ADDITION)
        prompts, _ = envs.reset(seed=1)
        assert envs.observation_space.contains(prompts)
        assert envs.action_space.contains(("é",) * 8)
        assert envs.observation_space.contains(envs.step(envs.action_space.sample())[0])

    def test_the_first_seed_seeds_its_curriculum_once(self) -> None:
        first, again, other = (gym.make_vec("taskgen/Group-v0", 16, **ADDITION) for _ in range(3))
        prompts = first.reset(seed=7)[0]
        assert prompts == again.reset(seed=7)[0]
        assert prompts != other.reset(seed=8)[0]
        assert first.reset(seed=7)[0] != prompts

    def test_probes_are_not_for_training(self) -> None:
        for arguments in ({"probe": 0.1, **ADDITION}, {"curriculum": Curriculum("addition_chain", probe=0.1)}):
            with pytest.raises(ValueError, match="no probes"):
                gym.make_vec("taskgen/Group-v0", 8, **arguments).reset()

    def test_closing_cancels_what_is_open(self) -> None:
        curriculum = Curriculum("addition_chain")
        envs = gym.make_vec("taskgen/Group-v0", 16, curriculum=curriculum)
        envs.reset()
        envs.close()
        assert curriculum.metrics()["taskgen/open"] == 0

    def test_an_early_reset_cancels_what_is_open(self) -> None:
        curriculum = Curriculum("addition_chain")
        envs = gym.make_vec("taskgen/Group-v0", 16, curriculum=curriculum)
        envs.reset()
        envs.reset()
        assert curriculum.metrics()["taskgen/cancelled"] == 2

    def test_statistics_wrapper(self) -> None:
        envs = RecordVectorEpisodeStatistics(gym.make_vec("taskgen/Group-v0", 16, **ADDITION))
        envs.reset(seed=1)
        *_, infos = envs.step(answers(envs.unwrapped.tickets))
        assert infos["episode"]["r"].tolist() == ([1.0] * 4 + [0.0] * 4) * 2
        assert infos["episode"]["l"].tolist() == [1] * 16
        *_, infos = envs.step(["?"] * 16)
        assert infos["episode"]["r"].tolist() == [0.0] * 16

    def test_it_cannot_be_made_alone(self) -> None:
        with pytest.raises(gym.error.Error):
            gym.make("taskgen/Group-v0")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"num_envs": 12}, "12 is not a multiple of group_size 8"),
            ({"num_envs": 8, "group_size": 0}, "group_size 0"),
        ],
    )
    def test_shapes_that_do_not_fit_are_named(self, arguments: dict[str, int], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            gym.make_vec("taskgen/Group-v0", **arguments)

    def test_a_curriculum_of_another_group_size_is_named(self) -> None:
        envs = gym.make_vec("taskgen/Group-v0", 8, group_size=4, curriculum=Curriculum("addition_chain"))
        with pytest.raises(ValueError, match="groups of 8"):
            envs.reset()

    def test_too_few_completions_are_named(self) -> None:
        envs = gym.make_vec("taskgen/Group-v0", 8, **ADDITION)
        envs.reset()
        with pytest.raises(ValueError, match="3 completions came for 8 prompts"):
            envs.step(["a"] * 3)

    def test_rewards_are_floats_of_each_prompt(self) -> None:
        envs = gym.make_vec("taskgen/Group-v0", 8, **ADDITION)
        envs.reset()
        rewards = envs.step(["a"] * 8)[1]
        assert rewards.dtype == np.float64
        assert rewards.shape == (8,)
