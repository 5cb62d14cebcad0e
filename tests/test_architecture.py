"""The rules of the house, checked: who may import whom, what is documented, and how long a module may be."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("theory", "sim", "checks")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MAX_LINES = 420

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> set[str]:
    """Top-level names of everything a module imports, at any depth of nesting."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            found.add(str(node.module).split(".")[0])
    return found


def public(body: list[ast.stmt]) -> Iterator[Definition]:
    """Public functions and classes of a module, and the public methods of those classes."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_no_rule_rests_on_assert() -> None:
    """`python -O` leaves those statements out. Tests may: pytest's are what they are for."""
    for path in MODULES:
        if path.name != "conftest.py" and not path.name.startswith("test_"):
            found = [node.lineno for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Assert)]
            assert not found, f"{name_of(path)}: assert in lines {found}"


def test_import_contracts_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("sim", {"sympy", "theory", "checks"}), ("theory", {"torch", "sim", "checks"}), ("tests", set())],
)
def test_no_forbidden_import_not_even_inside_a_function(package: str, forbidden: set[str]) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        assert not imported(path) & forbidden, name_of(path)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_documented_and_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module opens with what it is and why it is so"
    assert text.count("\n") <= MAX_LINES
    assert [node.name for node in public(tree.body) if not ast.get_docstring(node)] == []


def test_papers_have_the_same_folders_everywhere() -> None:
    from theory.claim import PAPERS

    for folder in PAPERS.values():
        assert all((ROOT / package / folder / "__init__.py").is_file() for package in PACKAGES)


def test_every_source_of_a_simulator_exists() -> None:
    """A stale source would let a changed simulator reuse old trials."""
    from checks.systems import SYSTEMS

    for system in SYSTEMS:
        assert any(system.function.startswith(source) for source in system.sources), system.name
        for source in (*system.sources, system.function.split(":")[0]):
            assert importlib.util.find_spec(source) is not None, source


BORDER = frozenset({"sim.trial", "sim.validation", "sim.store_error", "sim.engine_setting", "sim.kernel_cache"})
"""No figure is computed there: they carry parameters and results, refuse bad input and bad stores, choose an engine,
whose name is in a trial's key, and say where compiled code is kept."""


def imported_modules(path: Path) -> set[str]:
    """Modules of `sim` that a module imports, also inside functions; a package stands for its `__init__`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("sim.") and path_of(name)}


def path_of(module: str) -> Path | None:
    """File of a dotted name; None where it names no module."""
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def reached(module: str) -> set[str]:
    """The module and all it imports, directly or not."""
    found, waiting = {module}, [module]
    while waiting:
        path = path_of(waiting.pop())
        assert path is not None
        new = imported_modules(path) - found
        found |= new
        waiting += new
    return found


def test_sources_of_a_simulator_are_all_it_imports() -> None:
    """A module left out would let a changed simulator reuse old trials, without a word."""
    from checks.systems import SYSTEMS

    for system in SYSTEMS:
        packages = {"sim", f"sim.{system.function.split('.')[1]}"}
        needed = reached(system.function.split(":")[0]) - BORDER - packages
        covered = {name for name in needed if any(f"{name}.".startswith(f"{s}.") for s in system.sources)}
        assert covered == needed, f"{system.name} lacks {needed - covered}"


def test_imports_are_followed_as_the_interpreter_follows_them() -> None:
    """The second witness: what a fresh interpreter loads is among what was read off the sources."""
    code = "import sys, sim.spatial_vit.reduced; print(*(m for m in sys.modules if m.startswith('sim.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"sim.spatial_vit.reduced", "sim.spatial_vit.fourier", "sim.spatial_vit.data"} <= loaded
    assert loaded - {"sim.spatial_vit"} <= reached("sim.spatial_vit.reduced")


def test_names_of_systems_are_unique() -> None:
    """Seeds derive from them."""
    from checks.systems import SYSTEMS

    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)


def test_no_simulator_asks_the_machine() -> None:
    """The size of a batch or block may decide the last bits; it comes from the parameters or stands in the source."""
    from checks.systems import SYSTEMS

    for source in {source for system in SYSTEMS for source in system.sources}:
        spec = importlib.util.find_spec(source)
        assert spec is not None
        assert spec.origin is not None
        folder = spec.submodule_search_locations
        for path in Path(folder[0]).glob("*.py") if folder else [Path(spec.origin)]:
            assert not imported(path) & {"os", "sys", "platform", "psutil", "multiprocessing", "time"}, name_of(path)
            assert "get_num_threads" not in path.read_text(encoding="utf-8"), name_of(path)
