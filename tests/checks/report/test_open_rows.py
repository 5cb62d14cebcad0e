"""Rows of shipped papers that stay open: each says what was tried, and the pages that show it do so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.report.explain import render
from checks.statistics.verdict import Verdict
from theory.tried import Tried, Way

ROOT = Path(__file__).resolve().parents[3]
RESULTS = {"A": "shallow_vit", "B": "spatial_vit"}
"""Pages with the headlines of all claims at preset quick, by paper."""
OPEN = {Verdict.INCONCLUSIVE, Verdict.UNDECIDABLE, Verdict.UNINFORMATIVE, Verdict.OUT_OF_REGIME, Verdict.UNKNOWN}
_ROW = r"^\| ([AB]\.\w+) \| ([a-z ,-]+?)(?: \(full: [a-z ,-]+\))? \|"
"""A claim and its headline, behind which that of full may stand."""
MOST_OPEN = 10
"""Rows of both papers together that are open at preset quick; six is the aim at full. The number may fall, not
grow: it grew from eight when exponents told from the claimed ones ceased to pass and a reading lost what it counted."""


def headlines(page: str) -> dict[str, Verdict]:
    """The headline of each claim on a page of results."""
    text = (ROOT / "docs" / f"{page}.md").read_text()
    return {name: Verdict(word) for name, word in re.findall(_ROW, text, re.MULTILINE)}


def open_rows() -> list[str]:
    found = {name: verdict for page in RESULTS.values() for name, verdict in headlines(page).items()}
    return [name for name, verdict in found.items() if verdict in OPEN]


def test_pages_of_results_have_all_claims() -> None:
    found = {name for page in RESULTS.values() for name in headlines(page)}
    assert found == {name for name, check in discover().items() if check.claim.paper in RESULTS}


@pytest.mark.parametrize("name", open_rows())
def test_an_open_row_says_what_was_tried(name: str) -> None:
    tried = discover()[name].claim.tried
    assert len({one.way for one in tried}) >= 3, f"{name} is open: name the ways that were gone (Claim.tried)"
    page = " ".join(render([discover()[name]]).split())
    assert "**What was tried where it is open.**" in page
    assert all(one.way.value in page for one in tried)


def test_few_rows_stay_open() -> None:
    assert len(open_rows()) <= MOST_OPEN


def test_a_way_without_an_outcome_is_refused() -> None:
    with pytest.raises(ValueError, match="outcome must say why more trials does not decide, got none"):
        Tried(Way.MORE_TRIALS, " ")
    assert str(Tried(Way.PATH, "it is short.")) == "a path: it is short."
