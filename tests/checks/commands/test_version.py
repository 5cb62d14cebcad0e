"""A site names the commit that made it, where the program runs from a checkout, and none elsewhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from checks.commands.version import commit


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_has_a_commit_and_says_where_files_differ_from_it(tmp_path: Path) -> None:
    assert commit(tmp_path) == ""
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    (tmp_path / "a.txt").write_text("one")
    for words in (["init", "-q"], ["add", "a.txt"], [*person, "commit", "-q", "-m", "One"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    name = commit(tmp_path)
    assert len(name) == 12
    (tmp_path / "a.txt").write_text("two")
    assert commit(tmp_path) == f"{name} with changes"


def test_without_git_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    assert commit(tmp_path) == ""  # a folder of that name is no checkout
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert commit() == ""
