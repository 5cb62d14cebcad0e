"""Pictures and figures of limits, and of values with their constants: claim, what was found, digits that tell."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from checks.report.pictures.kinds.rows import panel_of
from checks.report.writing.figures import figures
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Interval, Quantity
from tests.checks.evidence.test_limit_values import claim_of, part_of, trials_of
from tests.checks.report.test_plot import fitted
from theory.claim import Kind


def limit_row(**changes):
    part = part_of(**changes)
    (row,) = part.judge(claim_of(), trials_of(part))
    return row


def test_a_limit_is_drawn_beside_the_claimed_one() -> None:
    row = limit_row()
    panel, interval = panel_of(row), row.judgement.confidence_interval
    assert interval is not None
    assert panel.title.startswith("a limit in [")
    labels = {mark.label for mark in panel.marks}
    assert {"claimed limit", "interval of the limit"} <= labels
    (found,) = panel.named("limit")
    assert (found.low[0], found.high[0]) == (interval.low, interval.high)


def test_what_is_within_the_tolerance_of_a_limit_is_drawn_and_seen() -> None:
    row = limit_row()
    panel, decision = panel_of(row), row.judgement.explanation.decision
    (band,) = panel.named("tolerance")
    assert (band.low[0], band.high[0]) == (decision.claimed - decision.threshold, decision.claimed + decision.threshold)
    assert panel.y.ends is not None
    assert panel.y.ends[0] <= band.low[0] <= band.high[0] <= panel.y.ends[1]


def test_a_headline_of_a_law_names_the_quantile_and_one_of_a_transition_the_strength() -> None:
    row = limit_row()
    judgement = row.judgement

    def told(kind: Kind, quantity: Quantity, figures_of: dict, where: dict | None = None) -> str:
        explanation = judgement.explanation.adding(choices=(Clause(Topic.MARGIN, "", figures_of),))
        decided = replace(explanation.decision, claimed=0.75, clauses=(Clause(Topic.SETTING, "", where or {}),))
        effect = replace(judgement.effect, quantity=quantity, confidence_interval=Interval(0.7, 0.8))
        changed = replace(judgement, explanation=replace(explanation, decision=decided), effect=effect)
        return figures(replace(row, claim=replace(row.claim, kind=kind), judgement=changed)).text

    assert told(Kind.LIMIT, Quantity.LIMIT, {"tolerance": 0.05, "step": 0.25}).startswith(
        "share up to the 0.75 quantile in [0.7, 0.8] for"
    )
    of_place = {"tolerance": 0.05, "level": 0.3, "within": 0.2}
    assert "to 0.3 or more" in told(Kind.TRANSITION, Quantity.PLACE, of_place)
    open_at = told(Kind.TRANSITION, Quantity.LIMIT, of_place, {"place": 1.25})
    assert open_at.startswith("at 1.25 a limit in [0.7, 0.8] for")


def test_sequences_with_limits_of_their_own_have_strokes_and_no_line() -> None:
    panel = panel_of(limit_row(ratios=[0.25, 0.5]))
    (claimed,) = panel.named("claimed")
    assert claimed.ink.shape == "stroke"
    assert not panel.named("limit")
    names = [mark.label for mark in panel.marks if mark.name == "sequence"]
    assert len(set(names)) == 2
    assert all("=" in name for name in names)


def test_the_limit_of_a_share_is_not_drawn_among_distances() -> None:
    row = limit_row()
    other = replace(row, points=tuple(replace(point, bound=0.0) for point in row.points))
    assert panel_of(row).named("limit")
    assert not panel_of(other).named("limit")


def test_a_value_with_its_constants_is_drawn_as_it_stands() -> None:
    order = fitted("infinity", -1.0)
    assert any("×" in mark.label for mark in panel_of(order).marks)
    row = replace(order, claim=replace(order.claim, kind=Kind.EXPLICIT_UPPER))
    labels = [mark.label for mark in panel_of(row).marks]
    assert not any("×" in label or "slopes within" in label for label in labels)


@pytest.mark.parametrize(("high", "shown"), [(1.0042, "[1, 1]"), (1.0142, "[1.001, 1.014]")])
def test_ends_of_a_limit_have_the_digits_that_tell(high: float, shown: str) -> None:
    """Planted: [1, 1] beside 1.02 +- 0.01, whose ends lie on either side of 1.01."""
    row = limit_row()
    judgement = row.judgement
    decision = replace(judgement.explanation.decision, claimed=1.02, threshold=0.01, interval=Interval(1.001, high))
    effect = replace(judgement.effect, confidence_interval=Interval(1.001, high), quantity=Quantity.LIMIT)
    explanation = replace(judgement.explanation, decision=decision)
    told = figures(replace(row, judgement=replace(judgement, effect=effect, explanation=explanation))).text
    assert f"a limit in {shown}" in told


def test_a_star_leaves_the_open_of_python_alone() -> None:
    asked = "from theoremeter import *; import builtins; assert open is builtins.open; assert judge_limit"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
