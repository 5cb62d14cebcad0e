"""docs/example.md keeps its word: its proof runs as printed, its pictures are there, its curves are as it says."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.worked_example import (
    IMAGES,
    angles_of,
    bernoulli,
    claimed_orders,
    coefficients,
    enclosures,
    lucky_shares,
)
from checks.report.pictures.model import Box
from tests.pages import DOCS, blocks, printed, same
from theoremeter import prove

PAGE = DOCS / "example.md"


def test_the_proof_prints_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    (block,) = [block for block in blocks(PAGE) if block[0] == "console"]
    language, body, expected = block
    assert printed(language, body, {}) == same(expected)
    assert prove("(1-x)^5>=1-4*x", x=(0, 0.95)).point == {"x": Fraction(1, 12)}


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
    printed_share, exact_share = lucky_shares(np.array([0.01]), n_patterns=3, slack=0.01)
    assert printed_share == pytest.approx(0.327, abs=5e-4)
    assert exact_share < 1e-18


def test_the_steps_of_the_proof_are_as_told() -> None:
    assert coefficients() == pytest.approx([0, 0, 9.025, 18.50125, 14.00003125, 3.7500003125])
    pieces = enclosures(pieces=200)
    assert next(box.name for box in pieces.marks if isinstance(box, Box)) == "open"
    for box in (mark for mark in enclosures().marks if isinstance(mark, Box)):
        xs = np.linspace(box.left, box.right, 20)
        gap = np.subtract(*bernoulli(np.pi * xs))
        assert (gap >= box.low - 1e-12).all()
        assert (gap <= box.high + 1e-12).all()


def test_the_neurons_of_the_picture_are_as_told() -> None:
    own, other = angles_of(400)
    assert (own > 0.14).all()
    assert 0.02 < (own + 4 * np.arcsin(0.13 / 2) <= other).mean() < 0.2
