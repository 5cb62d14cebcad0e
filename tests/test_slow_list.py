"""What `slow.txt` and `exhaustive.txt` list exists: a test that was renamed would come back without a word."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from checks.catalogue import discover
from tests.conftest import TOGETHER, taken, turn_of

ROOT = Path(__file__).resolve().parents[1]


def listed(*names: str) -> list[str]:
    texts = [(ROOT / "tests" / f"{name}.txt").read_text(encoding="utf-8") for name in names or ("slow", "exhaustive")]
    return [line for text in texts for line in text.splitlines() if line and not line.startswith("#")]


def functions(body: list[ast.stmt], prefix: str = "") -> set[str]:
    """Names of functions as pytest writes them, those of classes behind the class."""
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.add(prefix + node.name)
        elif isinstance(node, ast.ClassDef):
            found |= functions(node.body, f"{prefix}{node.name}::")
    return found


def test_every_listed_test_exists() -> None:
    defined: dict[str, set[str]] = {}
    for line in listed():
        path, _, name = line.partition("[")[0].partition("::")
        if path not in defined:
            defined[path] = functions(ast.parse((ROOT / path).read_text(encoding="utf-8")).body)
        assert not name or name in defined[path], line


def test_no_test_is_listed_beside_its_module() -> None:
    modules = {line for line in listed("slow") if "::" not in line}
    assert modules.isdisjoint(line.partition("::")[0] for line in listed("slow") if "::" in line)


def test_every_slow_claim_exists() -> None:
    cases = [line for line in listed() if "[" in line]
    assert all(line.startswith("checks/test_claims.py::") for line in cases), "only claims are listed case by case"
    assert {line.partition("[")[2].removesuffix("]") for line in cases} <= discover().keys()


def test_nothing_is_listed_twice() -> None:
    assert len(set(listed())) == len(listed())


def test_processes_that_take_turns_run_every_module_once_and_whole(tmp_path: Path) -> None:
    modules = ["tests/a.py", *(f"{TOGETHER[0]}{name}.py" for name in "bc"), "tests/d.py", "checks/e.py"]
    items: list[Any] = [SimpleNamespace(nodeid=f"{name}::test[{i}]") for name in modules for i in range(3)]
    one, other = taken(items, tmp_path), taken(items, tmp_path)
    first, second = [next(one)], [next(other)]
    second += [*other]
    first += [*one]
    assert sorted(item.nodeid for item in first + second) == sorted(item.nodeid for item in items)
    assert {turn_of(item) for item in first} == {"tests/a.py"}
    assert "tests/a.py" not in map(turn_of, second)
