"""The rules of the house, checked: who may import whom, what is documented, and how long a function may be."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from sim.store.sources import file_of, sources_of
from sim.systems import systems
from theoremeter_papers import repository

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("theory", "sim", "checks")
WITH_DOORS = (*PACKAGES, "theoremeter", "theoremeter_papers")
MODULES = sorted(path for package in WITH_DOORS for path in (ROOT / package).rglob("*.py"))
MAX_FUNCTION_LINES = 60

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


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Modules of this repository that a module imports: at its top, inside a function, or for type checkers alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & modules) or {str(node.module)}
    return found & modules


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not even by an import inside a function or under TYPE_CHECKING: each such circle is one module in pieces."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}
    graph = {name: imports_of(path, set(names)) - {name} for name, path in names.items()}
    try:
        tuple(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


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
def test_module_is_documented(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module opens with what it is and why it is so"
    assert [node.name for node in public(tree.body) if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_functions_fit_on_a_screen(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or node.lineno) - node.lineno < MAX_FUNCTION_LINES, f"{name_of(path)}: {node.name}"


def test_one_name_for_one_class() -> None:
    named: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                named.setdefault(node.name, set()).add(name_of(path))
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}


def test_papers_have_the_same_folders_everywhere() -> None:
    for paper in repository():
        assert all((ROOT / package / paper.folder.name / "__init__.py").is_file() for package in PACKAGES)


def test_no_simulator_asks_the_machine() -> None:
    """The size of a batch or block may decide the last bits; it comes from the parameters or stands in the source."""
    sources = {source for system in systems().values() for source in sources_of(system.module)}
    for path in map(file_of, sources):
        assert not imported(path) & {"os", "sys", "platform", "psutil", "multiprocessing", "time"}, name_of(path)
        assert "get_num_threads" not in path.read_text(encoding="utf-8"), name_of(path)
