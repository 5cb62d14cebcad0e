"""docs/python.md keeps its word: every block of code on it runs, in order, and prints what the page shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import DOCS, blocks, printed, same

PAGE = DOCS / "python.md"


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    session: dict[str, Any] = {"__name__": "__main__"}
    for language, body, expected in blocks(PAGE):
        assert language in ("python", "console")
        assert printed(language, body, session) == same(expected), body
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():
            del sys.modules[name]


def test_links_lead_to_pages() -> None:
    for target in re.findall(r"\]\(([^)h#][^)#]*)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).exists(), target
