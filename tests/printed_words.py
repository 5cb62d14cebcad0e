"""What a reader sees: every text of the sources that is no docstring, and every paragraph of pages and tables.

Pages that a command writes from stored trials are left out; they are held where their words come from.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("theory", "sim", "checks", "theoremeter", "theoremeter_papers")
KINDS = (".md", ".toml", ".j2")
WRITTEN = frozenset({"shallow_vit.md", "spatial_vit.md", "api.md"})
"""Pages of `docs` that a command writes."""


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


@functools.cache
def paragraphs() -> tuple[Text, ...]:
    """Pages, data and templates, a text each paragraph."""
    pages = [*ROOT.glob("*.md"), *(page for page in (ROOT / "docs").glob("*.md") if page.name not in WRITTEN)]
    kept = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in KINDS]
    return tuple(text for path in sorted([*pages, *kept, ROOT / "pyproject.toml"]) for text in _paragraphs(path))


def _paragraphs(path: Path) -> Iterator[Text]:
    line, name = 1, str(path.relative_to(ROOT))
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        yield Text(name, line, " ".join(paragraph.split()))
        line += paragraph.count("\n") + 2


def _of(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield Text(str(path.relative_to(ROOT)), node.lineno, node.value)
