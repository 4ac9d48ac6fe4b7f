"""README's code runs as it stands, with a policy that says nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = (Path(__file__).parent.parent / "README.md").read_text()


class SilentPolicy:
    """Stands in for the reader's model."""

    def sample(self, messages: list[dict[str, str]], n: int) -> list[str]:
        assert messages[-1]["role"] == "user"
        return ["I do not know."] * n

    def update(self) -> None:
        pass


def test_the_three_jobs_run_one_after_the_other() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 3
    logged: list[dict[str, float]] = []
    space: dict[str, Any] = {"policy": SilentPolicy(), "log": logged.append, "ask": lambda prompt: "I do not know."}
    for block in blocks:
        exec(block.replace("range(1000)", "range(2)").replace("draw(200)", "draw(20)"), space)
    assert logged[-1]["taskgen/unreadable"] == 1
    assert space["passed"] == [False] * 60
    assert space["state"]["run"] == space["curriculum"].run


def test_every_command_named_exists() -> None:
    from taskgen_envs.cli import app

    known = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert set(re.findall(r"(?:`|&& )taskgen (\w+)", README)) <= known


def test_the_contributors_example_is_a_family() -> None:
    text = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    space: dict[str, Any] = {}
    imports = (
        "from taskgen.family import Problem, family\nfrom taskgen.notation import math\n"
        "from taskgen.sampling import Draw\nfrom taskgen.steps import Trace\nfrom taskgen_verifiers import Number\n"
    )
    exec(imports + block, space)
    task = space["doubling"].task(8, 1)
    number = int(task.question.split("$")[1])
    assert task.judge(f"\\boxed{{{2 * number}}}").is_correct
    assert len(task.solution) == task.work
