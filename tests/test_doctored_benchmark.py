"""A slice of `benchmarks.doctored`: copies are named, one altered success is met as often as is said, and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import doctored


def test_ways_to_edit_a_store_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctored, "CLAIMS", (doctored.CLAIM,))
    asked = [
        f"copy a good row over {doctored.COPIES} under other seeds",
        "call one failure a success",
        "edit a parameter",
    ]
    copied, one, keyed = doctored.findings(tmp_path / "sound.sqlite", tmp_path, asked)
    assert "copies named" in copied.unread
    assert copied.moved.startswith(f"{doctored.CLAIM}: holds → ")
    assert copied.by_default == copied.by_claim == 1
    assert one.by_claim is not None
    assert one.by_claim > 0.9
    assert one.told == "success was true, is false"
    assert keyed.refused.startswith("key must be the hash of the row")
    page = doctored.render([copied, one, keyed])
    assert page.count("\n| ") == 5
