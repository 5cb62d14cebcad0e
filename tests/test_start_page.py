"""docs/start.md keeps its word: its commands run, in order, and print what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import DOCS, blocks, printed, same

PAGE = DOCS / "start.md"


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = PAGE.read_text(encoding="utf-8")
    data = text.partition("```none\n")[2].partition("```")[0]
    assert data.startswith("n,risk\n")
    Path("risk.csv").write_text(data, encoding="utf-8")
    run = [block for block in blocks(PAGE) if block[0] == "console"]
    assert len(run) == 6
    for language, body, expected in run:
        said = printed(language, body, {})
        assert said == same(expected) if expected else " claims at preset quick: " in said, body
