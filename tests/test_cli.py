"""The command line, as people call it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from taskgen import Task
from taskgen.families import FAMILIES
from taskgen_envs.cli import app, main

run = CliRunner()


def test_families_are_listed() -> None:
    done = run.invoke(app, ["families"], env={"COLUMNS": "160"})
    assert done.exit_code == 0
    assert all(name in done.stdout for name in FAMILIES)


def test_families_as_json_are_one_object_a_line() -> None:
    done = run.invoke(app, ["families", "logic", "--json"])
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (row["family"], row["floor"], row["eval_floor"]) == ("knights_and_knaves", 8, 8)


def test_show_prints_tasks_and_keeps_answers_back() -> None:
    done = run.invoke(app, ["show", "addition_chain", "-d", "8", "-n", "3", "--seed", "1"])
    tasks = [FAMILIES["addition_chain"].task(8, seed) for seed in (1, 2, 3)]
    assert all(task.prompt in done.stdout for task in tasks)
    assert "answer:" not in done.stdout


def test_show_with_answers_prints_them_and_the_steps() -> None:
    done = run.invoke(app, ["show", "addition_chain", "-d", "8", "--answers"])
    task = FAMILIES["addition_chain"].task(8, 1)
    assert f"answer: {task.answer}" in done.stdout
    assert task.solution[-1] in done.stdout


def test_show_as_json_prints_rows() -> None:
    done = run.invoke(
        app, ["show", "expand_and_collect", "-n", "2", "--json", "--split", "eval", "--notation", "plain"]
    )
    rows = [Task.from_json(line) for line in done.stdout.splitlines()]
    assert [(task.seed, task.split, task.notation) for task in rows] == [(1, "eval", "plain"), (2, "eval", "plain")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "adition_chain"], "unknown family 'adition_chain'; the nearest is addition_chain"),
        (["show", "addition_chain", "-d", "-1"], "not -1.0"),
        (["show", "knights_and_knaves", "-d", "2"], "from 8 to 64, not 2"),
        (["show", "addition_chain", "--split", "test"], "unknown split 'test'; valid: train, eval"),
        (["show", "addition_chain", "--style", "xml"], "unknown style 'xml'; valid: boxed, tag, line"),
        (["families", "nothing"], "unknown family 'nothing'"),
    ],
)
def test_bad_values_end_with_one_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["taskgen", *arguments])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out
