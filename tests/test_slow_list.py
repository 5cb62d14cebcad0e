"""What `slow.txt` and `exhaustive.txt` list exists: a test that was renamed would come back without a word."""

from __future__ import annotations

import ast
from pathlib import Path

from checks.catalogue import discover

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
