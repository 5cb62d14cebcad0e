"""docs/python.md keeps its word: every block of code on it runs, in order, and prints what the page shows.

A block of Python whose first line is `# <name>.py` becomes that file; the others run in one namespace, as in a session.
A block `console` runs its commands. The block `text` that follows is what was printed, to the letter.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checks.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.S | re.M)


def pairs() -> Iterator[tuple[str, str, str]]:
    """Language and code of every block that runs, with the output that the page shows, "" for none."""
    for place, (language, body) in enumerate(BLOCKS):
        following = BLOCKS[place + 1] if place + 1 < len(BLOCKS) else ("", "")
        if language != "text":
            yield language, body, following[1] if following[0] == "text" else ""


def printed(language: str, body: str, session: dict[str, Any]) -> str:
    """What a block prints when it runs in the current folder."""
    file = re.match(r"# (\w+\.py)\n", body)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        if file:
            Path(file[1]).write_text(body, encoding="utf-8")
        elif language == "python":
            exec(compile(body, str(PAGE), "exec"), session)
        else:
            for line in body.replace("\\\n", " ").splitlines():
                command, *words = shlex.split(line)
                assert command == "theoremeter"
                assert main(words) == 0, line
    return out.getvalue()


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    session: dict[str, Any] = {"__name__": "__main__"}
    for language, body, expected in pairs():
        assert language in ("python", "console")
        assert printed(language, body, session) == expected, body
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():
            del sys.modules[name]


def test_links_lead_to_pages() -> None:
    for target in re.findall(r"\]\(([^)h#][^)#]*)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).exists(), target
