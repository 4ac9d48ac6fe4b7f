"""The registry: what is in the folder, what other packages add, and how families are chosen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from taskgen.families import FAMILIES, _collect, find, select
from taskgen.family import Family, family

PLUGIN = '''
from taskgen.family import Problem, family
from taskgen_verifiers import Number

@family(area="plugin")
def {name}(rng, difficulty):
    """Name a number. Method counted: none."""
    number = rng.integer(0, 10**9)
    return Problem(f"Write ${{number}}$.", str(number), Number("integer"), 1 + difficulty, str(number))
'''


def with_plugin(folder: Path, name: str, code: str) -> subprocess.CompletedProcess[str]:
    """Runs code beside a package, as installed, that registers one family."""
    (folder / "their_families.py").write_text(PLUGIN.format(name=name))
    info = folder / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[taskgen.families]\ntheirs = their_families\n")
    path = f"import sys; sys.path.insert(0, {str(folder)!r})\n"
    return subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True)


def test_another_package_registers_families_by_an_entry_point(tmp_path: Path) -> None:
    code = "from taskgen.families import select; print(select('plugin')[0].task(3, 1).family)"
    assert with_plugin(tmp_path, "naming", code).stdout == "naming\n"


def test_a_clash_of_names_raises(tmp_path: Path) -> None:
    done = with_plugin(tmp_path, "addition_chain", "import taskgen.families")
    assert "two families are called addition_chain" in done.stderr


def test_the_registry_is_sorted_and_read_only() -> None:
    assert list(FAMILIES) == sorted(FAMILIES)
    with pytest.raises(TypeError):
        FAMILIES["new"] = FAMILIES["addition_chain"]  # type: ignore[index]


def test_families_are_chosen_by_name_glob_area_or_as_they_are() -> None:
    own = FAMILIES["addition_chain"]
    assert [f.name for f in select("algebra")] == ["expand_and_collect", "linear_equation"]
    assert [f.name for f in select(["*_equation", own])] == ["addition_chain", "linear_equation"]
    assert len(select("all")) == len(FAMILIES)


def test_what_fits_none_is_named() -> None:
    with pytest.raises(ValueError, match="'knights'; the nearest is knights_and_knaves"):
        find("knights")
    with pytest.raises(ValueError, match="two families are called addition_chain"):
        _collect([FAMILIES["addition_chain"], Family(**{**vars(FAMILIES["addition_chain"]), "version": 2})])


def test_an_authors_mistakes_raise_at_once() -> None:
    def undocumented(rng: object, difficulty: int) -> None: ...

    with pytest.raises(ValueError, match="undocumented needs a docstring"):
        family(area="x")(undocumented)  # type: ignore[arg-type]

    def upside_down(rng: object, difficulty: int) -> None:
        """Asks. Method counted: none."""

    with pytest.raises(ValueError, match="floor 9 and ceiling 3 are out of order"):
        family(area="x", floor=9, ceiling=3)(upside_down)  # type: ignore[arg-type]
