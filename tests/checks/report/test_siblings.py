"""Two claims that are judged on the same runs and come out otherwise say so on both pages, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.records.preset import Preset
from checks.report.site.model import JudgedOn, Provenance, ShownLine, Site
from checks.report.site.pages import Renderer
from checks.report.site.siblings import siblings_of
from checks.statistics.verdict import Verdict
from tests.checks.report.test_site_theorems import claim, paper
from theory.claim import Role

OPEN = ShownLine("slope", Role.STATEMENT, Verdict.INCONCLUSIVE, "", measured=JudgedOn("h", "= -1", ("it is off",)))
TIGHT = ShownLine("slope", Role.STATEMENT, Verdict.TIGHT, "", measured=JudgedOn("h", "= -1", (), ("an offset",)))


def test_the_difference_stands_on_both_pages() -> None:
    """A figure was tight and its theorem inconclusive on the same 220 runs, and neither page spoke of the other."""
    theorem, figure = claim("theorem", "eq. (1)", lines=(OPEN,)), claim("figure", "Figure 2", lines=(TIGHT,))
    found = siblings_of((theorem, figure))
    ((one,), (other,)) = found["toy.theorem"], found["toy.figure"]
    assert (one.claim, one.words) == ("toy.figure", "there an offset; here it counts that it is off")
    assert (other.claim, other.words) == ("toy.theorem", "there it counts that it is off; here an offset")
    pages = Renderer(Site((paper(theorem, figure),), Provenance(Preset.QUICK, "store", "digest")))
    for page, words in ((theorem, one.words), (figure, other.words)):
        text = pages.claim(page)
        assert words in text[: text.index('class="folds"')]


@pytest.mark.parametrize(
    "line",
    [
        replace(TIGHT, measured=JudgedOn("of other runs", "= -1")),
        replace(TIGHT, verdict=Verdict.INCONCLUSIVE),
        replace(TIGHT, role=Role.OWN_QUESTION),
        replace(TIGHT, measured=None),
    ],
)
def test_other_runs_and_the_same_word_are_no_difference(line: ShownLine) -> None:
    assert not siblings_of((claim("a", "eq. (1)", lines=(OPEN,)), claim("b", "eq. (2)", lines=(line,))))


def test_another_exponent_is_reason_enough() -> None:
    other = replace(TIGHT, measured=JudgedOn("h", "<= -2"))
    found = siblings_of((claim("a", "eq. (1)", lines=(OPEN,)), claim("b", "eq. (2)", lines=(other,))))
    assert found["toy.a"][0].words == "there <= -2 is claimed, here = -1"
