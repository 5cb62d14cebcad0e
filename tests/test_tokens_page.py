"""docs/settings.md keeps its word: every block of code on it runs, in order, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.shallow_vit.tokens import SCORES
from tests.pages import DOCS, blocks, printed, same

PAGE = DOCS / "settings.md"


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session: dict[str, Any] = {"__name__": "__main__"}
    for language, body, expected in blocks(PAGE):
        assert language == "python"
        assert printed(language, body, session) == same(expected), body


def test_every_score_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f'| `"{name}"` |' in text for name in SCORES)
