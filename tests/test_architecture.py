"""The floor plan, as tests: imports run down only, no circles, no long files, light faces."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {"taskgen_verifiers": ROOT / "verifiers", "taskgen": ROOT, "taskgen_envs": ROOT / "envs"}
FLOORS = {"taskgen_verifiers": 0, "taskgen": 1, "taskgen_envs": 2}
HEAVY = ("numpy", "numba", "sympy", "mpmath", "gymnasium")
LONGEST_FILE = 300


def modules() -> dict[str, Path]:
    found = {}
    for package, root in SOURCES.items():
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def run_time_imports(name: str) -> set[str]:
    """The modules of ours that a module imports when it is imported (not for type checking, not inside functions)."""

    def visit(nodes: list[ast.stmt]) -> set[str]:
        found: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name} imports relatively"
                found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            elif isinstance(node, ast.If | ast.Try | ast.With):
                found |= visit(node.body)
        return found

    return visit(ast.parse(MODULES[name].read_text()).body) & MODULES.keys() - {name}


@pytest.mark.parametrize("name", MODULES)
def test_imports_run_down_only(name: str) -> None:
    floor = FLOORS[name.partition(".")[0]]
    above = [other for other in run_time_imports(name) if FLOORS[other.partition(".")[0]] > floor]
    assert not above, f"{name} imports {above} from a floor above"


def test_there_is_no_import_circle() -> None:
    # A package's face is imported with any of its parts, so an edge to a part is not an edge to its face.
    graph = {name: run_time_imports(name) for name in MODULES}
    graph = {
        name: {i for i in imports if not any(other.startswith(f"{i}.") for other in imports)}
        for name, imports in graph.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import circle: {error.args[1]}")


NUMBERS = {f"taskgen.{name}" for name in ("groups", "_kernels", "belief", "course", "controller")}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_the_wings_do_not_meet_below_the_curriculum(name: str) -> None:
    reached, frontier = set(), {name}
    while frontier:
        reached |= frontier
        frontier = set().union(*(run_time_imports(module) for module in frontier)) - reached
    problems = {"taskgen.family", "taskgen.task"}
    if name in NUMBERS:
        assert not reached & problems
        assert not any(r.startswith("taskgen_verifiers") for r in reached)
    if name in problems or name.startswith("taskgen.families"):
        assert not reached & NUMBERS


FILES = sorted(
    path for folder in ("benchmarks", "envs", "taskgen", "tests", "verifiers") for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_long_without_a_reason(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= LONGEST_FILE or "Longer than" in "\n".join(lines[:12]), f"{path} has {len(lines)} lines"


@pytest.mark.parametrize("face", ["taskgen", "taskgen_verifiers"])
def test_faces_are_light(face: str) -> None:
    code = f"import sys, {face}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_ground_never_loads_a_heavy_library() -> None:
    code = (
        "import sys, taskgen_verifiers as v\n"
        "v.judge(r'\\boxed{1/2}', v.Number(), '1/2')\n"
        "v.judge(r'\\boxed{x^2-1}', v.Expression(('x',)), '(x-1)*(x+1)')\n"
        "print([m for m in ('numpy', 'numba', 'sympy', 'gymnasium') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_face_has_under_ten_names_and_all_exist() -> None:
    import taskgen

    assert len(taskgen.__all__) < 10
    assert all(getattr(taskgen, name) is not None for name in taskgen.__all__)


def test_the_source_roots_hold_no_code_of_their_own() -> None:
    assert not (ROOT / "envs" / "__init__.py").exists()
    assert not (ROOT / "verifiers" / "__init__.py").exists()
