"""Every number that a rule rests on says what it is, where it stands."""

from __future__ import annotations

import ast
import importlib
from numbers import Number
from pathlib import Path

import numpy as np
import pytest

import checks.statistics

MODULES = sorted(path.stem for path in Path(checks.statistics.__file__).parent.glob("*.py") if path.stem != "__init__")


def names_of(node: ast.stmt) -> list[str]:
    """Public names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return [name.id for name in names if not name.id.startswith("_")]


def is_numeric(value: object) -> bool:
    """Whether a value is a number, or holds nothing but numbers."""
    if isinstance(value, dict):
        return bool(value) and all(map(is_numeric, value.values()))
    if isinstance(value, tuple | list):
        return bool(value) and all(map(is_numeric, value))
    return isinstance(value, Number) or (isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.number))


def undocumented(source: str, values: dict[str, object]) -> list[str]:
    """Public numeric constants of a module without words right after them."""
    body = ast.parse(source).body
    found = []
    for node, following in zip(body, [*body[1:], None], strict=True):
        has_words = (
            isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
            and isinstance(following.value.value, str)
        )
        found += [] if has_words else [name for name in names_of(node) if is_numeric(values[name])]
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_public_number_has_words_right_after_it(name: str) -> None:
    module = importlib.import_module(f"checks.statistics.{name}")
    assert undocumented(Path(str(module.__file__)).read_text(encoding="utf-8"), vars(module)) == []


def test_a_number_without_words_is_found() -> None:
    source = 'A = 1\n"""Of a."""\nB, C = 2, 3\nD = {1: 2.0}\n_E = 4\nF = "words"\n'
    values: dict[str, object] = {"A": 1, "B": 2, "C": 3, "D": {1: 2.0}, "F": "words"}
    assert undocumented(source, values) == ["B", "C", "D"]
