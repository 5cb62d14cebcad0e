"""The words that the program can print: every text of its sources that is no docstring, with its place."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("theory", "sim", "checks", "theoremeter", "theoremeter_papers")


@dataclass(frozen=True)
class Text:
    """One text of a source, or what stands between the figures of one that is put together."""

    path: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.words}"


@functools.cache
def texts() -> tuple[Text, ...]:
    """All of them, in the order of files and lines."""
    return tuple(text for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) for text in _of(path))


def _of(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield Text(str(path.relative_to(ROOT)), node.lineno, node.value)
