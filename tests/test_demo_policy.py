"""The demo's learner: what it sees, that it can be perfect, and that it climbs the gradient it says it does."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from taskgen.families import FAMILIES
from taskgen_envs.demo import arms, grpo
from taskgen_envs.demo.ladder import RUNGS, TASKS_PER_RUNG, Ladder
from taskgen_envs.demo.policy import ColumnPolicy
from taskgen_envs.demo.reading import read
from taskgen_envs.demo.training import train

ADDITION = FAMILIES["addition_chain"]


def randomness(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


class Scholar(ColumnPolicy):
    """Knows the addition and the subtraction table."""

    def log_likelihood(self) -> NDArray[np.float64]:
        table = np.full((400, 20), -np.inf)
        for state in range(400):
            minus, carry, upper, lower = state // 200, state // 100 % 2, state // 10 % 10, state % 10
            result = upper - lower - carry if minus else upper + lower + carry
            table[state, 2 * (result % 10) + (result < 0 or result > 9)] = 0.0
        return table


@pytest.mark.parametrize("module", ["reading", "network", "policy"])
def test_what_the_policy_is_made_of_knows_nothing_of_tasks(module: str) -> None:
    tree = ast.parse(inspect.getsource(importlib.import_module(f"taskgen_envs.demo.{module}")))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in names if name and name.startswith("taskgen")}
    assert ours <= {"taskgen_envs.demo.network", "taskgen_envs.demo.reading"}


def test_training_hands_the_policy_prompts_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[object] = []
    answer = ColumnPolicy.answer

    def spy(self: ColumnPolicy, *given: object) -> object:
        handed.append(given)
        return answer(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(ColumnPolicy, "answer", spy)
    list(train("uniform", 0, 1))
    for prompts, rng in handed:  # type: ignore[misc]
        assert all(type(prompt) is str for prompt in prompts)
        assert isinstance(rng, np.random.Generator)
    assert len(handed) == 2


def test_the_same_sum_is_answered_the_same_however_it_is_asked() -> None:
    policy = ColumnPolicy(0)
    ways = [
        "Compute $407 - 38 + 5$.\n\nPut the answer in \\boxed{}.",
        "What is $407 - 38 + 5$? Answer in <answer> tags.",
    ]
    assert policy.answer([ways[0]] * 8, randomness()).texts == policy.answer([ways[1]] * 8, randomness()).texts


@pytest.mark.parametrize("prompt", ["", "Compute 2 + 3.", "Solve $x$.", "Is $12$ even?"])
def test_a_prompt_without_a_sum_is_refused_with_the_prompt(prompt: str) -> None:
    with pytest.raises(ValueError, match="reads sums"):
        read(prompt)


@settings(max_examples=60, deadline=None)
@given(st.floats(1, 64), st.integers(0, 2**53 - 1), st.sampled_from(["train", "eval"]))
def test_with_the_tables_known_every_task_is_passed(difficulty: float, seed: int, split: str) -> None:
    task = ADDITION.task(difficulty, seed, split)  # type: ignore[arg-type]
    answers = Scholar(0).answer([task.prompt], randomness())
    assert task.judge(answers.texts[0]).is_correct, answers.texts


def test_a_batch_is_answered_row_by_row() -> None:
    tasks = [ADDITION.task(d, seed) for d in (0, 1, 9, 64) for seed in range(20) for _ in range(3)]
    answers = Scholar(0).answer([task.prompt for task in tasks], randomness())
    assert all(task.judge(text).is_correct for task, text in zip(tasks, answers.texts, strict=True))


def test_a_fresh_policy_is_nearly_indifferent_and_passes_some_of_the_easiest() -> None:
    likelihood = np.exp(ColumnPolicy(0).log_likelihood())
    np.testing.assert_allclose(likelihood.sum(axis=1), 1.0)
    assert likelihood.max() < 0.1
    tasks = [ADDITION.task(0, seed) for seed in range(1000)]
    answers = ColumnPolicy(0).answer([task.prompt for task in tasks], randomness())
    passed = sum(task.judge(text).is_correct for task, text in zip(tasks, answers.texts, strict=True))
    assert 20 <= passed <= 100  # a digit of ten and a carry of two: 50, give or take 7


def test_choices_are_sampled_as_often_as_the_policy_says() -> None:
    policy = ColumnPolicy(3)
    answers = policy.answer(["Compute $7 - 4$."] * 20_000, randomness())
    seen = np.bincount(answers.action, minlength=20) / 20_000
    assert set(answers.state) == {200 + 10 * 7 + 4}
    np.testing.assert_allclose(seen, np.exp(answers.log_likelihood[274]), atol=0.01)


def test_the_gradient_is_that_of_the_objective() -> None:
    policy, rng = ColumnPolicy(1), randomness()
    then = policy.log_likelihood() + rng.normal(0, 0.3, (400, 20))
    gain, loss = rng.random((400, 20)), -rng.random((400, 20))
    visits = rng.random(400)
    _, slope = grpo.objective(policy.log_likelihood(), then, gain, loss, visits, 0.3)
    gradients = policy.network.gradients(policy.logit_slope(slope))
    for parameter, gradient in zip(policy.network.parameters, gradients, strict=True):
        for place in rng.integers(0, parameter.size, 6):
            kept, values = parameter.flat[place], []
            for offset in (1e-6, -1e-6):
                parameter.flat[place] = kept + offset
                values.append(grpo.objective(policy.log_likelihood(), then, gain, loss, visits, 0.3)[0])
            parameter.flat[place] = kept
            assert gradient.flat[place] == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-3, abs=1e-4)


def test_summed_choices_give_the_objective_of_grpo_choice_by_choice() -> None:
    policy, rng = ColumnPolicy(1), randomness()
    answers = policy.answer([ADDITION.task(3, seed).prompt for seed in range(6) for _ in range(4)], rng)
    rewards = rng.integers(0, 2, (6, 4))
    now = answers.log_likelihood + rng.normal(0, 0.3, (400, 20))
    gain, loss, visits = grpo.tallies(answers, rewards)
    value, _ = grpo.objective(now, answers.log_likelihood, gain, loss, visits, 0.0)

    deviation = rewards.std(axis=1, keepdims=True)
    advantage = ((rewards - rewards.mean(axis=1, keepdims=True)) / np.where(deviation, deviation, 1)).ravel()
    terms = []
    for owner, state, action in zip(answers.owner, answers.state, answers.action, strict=True):
        ratio = np.exp(now[state, action] - answers.log_likelihood[state, action])
        terms.append(min(ratio * advantage[owner], np.clip(ratio, 0.8, 1.2) * advantage[owner]))
    assert value == pytest.approx(np.mean(terms))


def test_unanimous_groups_teach_nothing() -> None:
    policy = ColumnPolicy(0)
    before = [parameter.copy() for parameter in policy.network.parameters]
    answers = policy.answer(["Compute $1 + 2$."] * 4 + ["Compute $9 - 2$."] * 4, randomness())
    grpo.improve(policy, answers, [[1, 1, 1, 1], [0, 0, 0, 0]], bonus=0.0)
    assert all((now == then).all() for now, then in zip(policy.network.parameters, before, strict=True))


def test_what_was_rewarded_becomes_likelier() -> None:
    policy = ColumnPolicy(0)
    answers = policy.answer(["Compute $1 + 2$."] * 8, randomness())
    grpo.improve(policy, answers, [[1, 0, 0, 0, 0, 0, 0, 0]], bonus=0.0)
    state, action = answers.state[0], answers.action[0]
    assert policy.log_likelihood()[state, action] > answers.log_likelihood[state, action]


def test_the_entropy_bonus_falls_to_nothing_before_the_end() -> None:
    bonuses = [grpo.entropy_bonus(step / 100) for step in range(100)]
    assert bonuses == sorted(bonuses, reverse=True)
    assert bonuses[0] == grpo.ENTROPY_BONUS
    assert bonuses[60:] == [0.0] * 40


def test_the_fixed_set_is_600_tasks_that_come_again_and_again() -> None:
    source = arms.fixed(0, ColumnPolicy(0))
    rounds = [Counter(ticket.task.id for ticket in source.draw(arms.FIXED_TASKS)) for _ in range(2)]
    assert rounds[0] == rounds[1]
    assert rounds[0].total() == 600


def test_the_uniform_arm_asks_fresh_tasks_of_its_whole_range() -> None:
    tickets = arms.uniform(0, ColumnPolicy(0)).draw(400)
    difficulties = [ticket.task.difficulty for ticket in tickets]
    assert 0 <= min(difficulties) < 1
    assert 15 < max(difficulties) <= 16
    assert len({ticket.task.id for ticket in tickets}) == 400


def test_the_ladder_asks_eval_tasks_and_a_scholar_stands_at_its_top() -> None:
    ladder = Ladder(0)
    assert Counter(task.difficulty for task in ladder.tasks) == dict.fromkeys(RUNGS, TASKS_PER_RUNG)
    assert {task.split for task in ladder.tasks} == {"eval"}
    # One round of three is not enough to arrive.
    policies = [ColumnPolicy(0), ColumnPolicy(0), Scholar(0), Scholar(0)]
    assert [ladder.measure(policy, randomness()) for policy in policies] == [0.0, 0.0, 0.0, RUNGS[-1]]


def test_the_same_seed_trains_the_same_way() -> None:
    assert list(train("adaptive", 5, 3)) == list(train("adaptive", 5, 3))
