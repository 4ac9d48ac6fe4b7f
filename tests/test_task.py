"""A task's row: JSON in, JSON out, whoever wrote it."""

from __future__ import annotations

from typing import Any

import pytest

from taskgen.families import FAMILIES
from taskgen.family import Family
from taskgen.task import Task, split_of
from taskgen_verifiers import GoldError

TASK = FAMILIES["expand_and_collect"].task(8, 3)
ROW = TASK.to_row()

SCHEMA = (
    "schema id family area version verifier_version difficulty seed split style notation question instruction prompt "
    "answer check guess work identity domain solution extra"
)


def test_a_row_has_the_whole_schema() -> None:
    assert set(ROW) == set(SCHEMA.split())
    assert ROW["prompt"] == f"{ROW['question']}\n\n{ROW['instruction']}"
    assert len(ROW["id"]) == 16


def test_keys_of_a_later_version_are_kept() -> None:
    task = Task.from_row({**ROW, "novelty": [1, 2]})
    assert task.extra == {"novelty": [1, 2]}
    assert Task.from_json(task.to_json()).extra == {"novelty": [1, 2]}
    assert Task.from_row({**ROW, "extra": None}).extra == {}


def test_other_tools_write_whole_floats_as_integers() -> None:
    assert Task.from_row({**ROW, "difficulty": 8}).to_json() == TASK.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "unknown task schema 2"),
        ({"id": "0" * 16}, "id '0000000000000000' disagrees"),
        ({"prompt": "Hello."}, "prompt 'Hello.' disagrees"),
        ({"difficulty": 8.001}, "multiple of 1/64"),
        ({"style": "xml"}, "unknown style 'xml'"),
        ({"check": {"kind": "oracle"}}, "oracle"),
    ],
)
def test_rows_that_disagree_with_themselves_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Task.from_row({**ROW, **change})


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ValueError, match="lacks answer"):
        Task.from_row({key: value for key, value in ROW.items() if key != "answer"})


def test_a_gold_that_fails_its_own_check_raises_when_the_task_is_made() -> None:
    with pytest.raises(GoldError):
        Task.from_row({**ROW, "answer": "2(x + 1)"})
    with pytest.raises(GoldError):
        Task.from_row({**ROW, "answer": "who knows"})


def test_messages_are_a_chat_and_the_wording_is_the_users() -> None:
    assert TASK.messages() == [{"role": "user", "content": TASK.prompt}]
    assert TASK.messages(system="Be brief.", instruction="Box it: \\boxed{}.") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"{TASK.question}\n\nBox it: \\boxed{{}}."},
    ]
    assert TASK.messages(instruction="")[0]["content"] == TASK.question


def test_about_a_tenth_of_all_content_is_for_evaluation() -> None:
    held_out = sum(split_of("domain", str(i)) == "eval" for i in range(20_000))
    # Five standard deviations of a binomial with p = 0.1 are 212.
    assert abs(held_out - 2000) < 212


def test_siblings_of_one_domain_share_their_splits() -> None:
    older = FAMILIES["addition_chain"]
    sibling = Family(**{**vars(older), "name": "sibling"})
    stranger = Family(**{**vars(older), "name": "stranger", "domain": "stranger"})
    held_out = {older.task(1, seed, "eval").identity for seed in range(200)}
    assert not held_out & {sibling.task(1, seed).identity for seed in range(600)}
    # The same problems under another domain are split otherwise, so the claim above is not an empty one.
    assert held_out & {stranger.task(1, seed).identity for seed in range(600)}
