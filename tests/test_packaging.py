"""What an installed taskgen promises to its neighbours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.integration
@pytest.mark.parametrize("folder", [ROOT, ROOT.parent], ids=["from the repository", "from elsewhere"])
def test_prime_intellects_verifiers_imports_beside_ours(folder: Path) -> None:
    code = (
        "import verifiers, taskgen_verifiers, taskgen, taskgen_envs\n"
        "print(verifiers.__file__)\n"
        "assert taskgen_verifiers.judge(r'\\boxed{4}', taskgen_verifiers.Number(), '4').is_correct"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    assert "site-packages" in done.stdout


def test_the_command_line_starts() -> None:
    script = Path(sys.executable).parent / "taskgen"
    done = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    assert all(command in done.stdout for command in ("demo", "families", "show"))
