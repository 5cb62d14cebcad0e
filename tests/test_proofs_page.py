"""The section of docs/proofs.md on constants that may be chosen keeps its word: its blocks print what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.pages import DOCS, blocks, printed, same

TITLE = "## Constants that may be chosen\n"


def test_the_section_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, title, rest = (DOCS / "proofs.md").read_text(encoding="utf-8").partition(TITLE)
    section = tmp_path / "section.md"
    section.write_text(title + rest.partition("\n## ")[0] + "\n", encoding="utf-8")
    found = list(blocks(section))
    assert {language for language, *_ in found} == {"python", "console"}
    session: dict[str, Any] = {}
    for language, body, expected in found:
        assert printed(language, body, session) == same(expected), body
