"""docs/example.md keeps its word: its proof runs as printed, its pictures are there, its curves are as it says."""

from __future__ import annotations

import re

import numpy as np
import pytest

from benchmarks.worked_example import IMAGES, bernoulli, claimed_orders, lucky_shares
from tests.pages import DOCS, blocks, printed, same

PAGE = DOCS / "example.md"


def test_the_proof_prints_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    (block,) = [block for block in blocks(PAGE) if block[0] == "console"]
    language, body, expected = block
    assert printed(language, body, {}) == same(expected)


def test_every_picture_is_shown_once() -> None:
    shown = re.findall(r"\]\(img/example/([\w-]+\.svg)\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(path.name for path in IMAGES.glob("*.svg"))
    assert all(path.stat().st_size < 50_000 for path in IMAGES.glob("*.svg"))


def test_the_curves_say_what_the_page_says() -> None:
    for trace in claimed_orders().marks:
        slope = np.polyfit(np.log(trace.xs), np.log(trace.ys), 1)[0]
        assert slope == pytest.approx(-2)
    left, right = bernoulli(np.linspace(0, 3, 50))
    assert (left >= right).all()
    assert left[0] == right[0]
    share, exact = lucky_shares(np.linspace(0.05, 0.5, 20))
    assert (share > 5 * exact).all()
    assert lucky_shares(np.array([np.pi / 2]))[1] == pytest.approx(0.5)
