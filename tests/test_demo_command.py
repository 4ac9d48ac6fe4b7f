"""`taskgen demo` as people and programs meet it."""

from __future__ import annotations

import json
import multiprocessing
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from taskgen_envs.demo import race as race_module
from taskgen_envs.demo.race import ArmFailedError, race
from taskgen_envs.demo.record import ARMS, ArmRecord, Progress
from taskgen_envs.demo.summary import in_words

COMMAND = [sys.executable, "-c", "from taskgen_envs.cli import main; main()", "demo"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=300)


def check_shape(figures: dict[str, Any]) -> None:
    assert list(figures) == [*ARMS, "seconds"]
    for arm in ARMS:
        assert set(figures[arm]) == {"useful_share", "useful_share_learning", "d50", "rollouts", "rollouts_to_d50"}
        assert set(figures[arm]["rollouts_to_d50"]) == {"4", "8", "16", "32"}
        assert all(0 <= share <= 1 for share in figures[arm]["useful_share"])
        assert figures[arm]["rollouts"] == 512 * len(figures[arm]["useful_share"])


def test_json_is_one_object_of_the_promised_shape_and_a_picture_is_drawn(tmp_path: Path) -> None:
    done = run("--steps", "3", "--seed", "4", "--json", "--plot", str(tmp_path / "run.png"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == "3 arms of 3 steps have begun\n"
    figures = json.loads(done.stdout)
    check_shape(figures)
    assert all(figures[arm]["rollouts"] == 1536 for arm in ARMS)
    assert all(figures[arm]["d50"] == 0.0 and figures[arm]["rollouts_to_d50"]["4"] is None for arm in ARMS)
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("as_json", [True, False])
def test_ctrl_c_ends_it_with_the_summary_so_far(as_json: bool) -> None:
    command = [*COMMAND, "--steps", "100000", *(["--json"] if as_json else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "have begun" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == ""
    if as_json:
        check_shape(json.loads(out))
    else:
        assert out.startswith("interrupted after")


@pytest.mark.parametrize(
    ("plot", "message"),
    [("run.xyz", "--plot writes .*png"), ("nowhere/run.png", "there is no folder 'nowhere'")],
)
def test_a_picture_that_cannot_be_drawn_is_refused_before_the_run(plot: str, message: str) -> None:
    done = run("--plot", plot)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.search(message, done.stderr)


def test_without_matplotlib_a_picture_is_refused_before_the_run() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from taskgen_envs.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "demo", "--plot", "run.png"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "taskgen: --plot needs matplotlib; install it with: pip install 'taskgen[plot]'\n"


def test_an_arm_that_fails_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_module, "ARMS", ("sideways",))
    with pytest.raises(ArmFailedError, match=r"sideways arm failed:\n(.|\n)*KeyError: 'sideways'"):
        list(race(0, 1))
    assert not multiprocessing.active_children()


def test_an_arm_that_is_killed_is_missed_and_the_others_are_ended() -> None:
    steps = race(0, 100_000)
    next(steps)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(ArmFailedError, match="process ended: exit code -9"):
        list(steps)
    assert not multiprocessing.active_children()


def record_of(arm: str, d50: float) -> ArmRecord:
    return ArmRecord([Progress(arm, 512, 0.5, 0.75, 3.0, d50)])


@pytest.mark.parametrize(("adaptive", "verdict"), [(9.0, "went further"), (3.0, "did not go further")])
def test_the_sentence_claims_what_was_seen_and_says_what_the_features_are(adaptive: float, verdict: str) -> None:
    reached = {"adaptive": adaptive, "fixed": 3.0, "uniform": 0.0}
    words = in_words({arm: record_of(arm, d50) for arm, d50 in reached.items()}, 0, 1.0, finished=True)
    sentence = words.splitlines()[-1]
    assert verdict in sentence
    assert "aligned columns" in sentence
    assert sentence.startswith("In this one run")


def test_nothing_is_claimed_before_every_arm_was_measured() -> None:
    words = in_words({"adaptive": record_of("adaptive", 9.0), "fixed": ArmRecord()}, 0, 1.0, finished=False)
    assert words.startswith("interrupted after 1 s")
    assert words.endswith("nothing was shown.")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_adaptive_tasks_stay_useful_while_the_policy_learns(seed: int) -> None:
    figures = json.loads(run("--json", "--seed", str(seed)).stdout)
    adaptive, fixed = figures["adaptive"], figures["fixed"]
    assert adaptive["rollouts_to_d50"]["16"] < 0.85 * adaptive["rollouts"]
    assert adaptive["useful_share_learning"] >= 0.45
    steps = adaptive["rollouts_to_d50"]["16"] // 512
    assert adaptive["useful_share_learning"] >= 4 * sum(fixed["useful_share"][:steps]) / steps
    assert fixed["d50"] < 4
    assert fixed["rollouts_to_d50"]["4"] is None
