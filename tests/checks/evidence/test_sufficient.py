"""Sufficient conditions: by which factor a point misses one, and how far beyond it success has to be shown."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from checks.evidence.sampled import Sufficient
from checks.evidence.sufficient import beyond
from checks.records.rows import BEYOND, Row
from checks.report.writing.figures import figures
from checks.statistics.verdict import Verdict
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.made_up import made_up
from theory.claim import Hypothesis, Kind
from theory.relations import above, at_least, at_most

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
x, y = sp.symbols("x y", positive=True)
ENOUGH = Hypothesis("x >= 64", at_least(x, 64))


def part(absorbed: float = 1.0, rate: float = 0.9) -> Sufficient:
    return Sufficient(
        name="enough", symbols=lambda parameters: {x: sp.Integer(int(parameters["x"]))}, success="success", rate=rate,
        condition=ENOUGH, absorbed=absorbed,
    )  # fmt: skip


@pytest.mark.parametrize("rate", [0.0, 1.0, 1.5, -0.1, float("nan")])
def test_a_rate_that_no_success_can_be_held_against_is_refused_where_it_is_declared(rate: float) -> None:
    with pytest.raises(ValueError, match=r"rate must lie in \(0, 1\), got .* for part 'enough'"):
        part(rate=rate)


def trials(outside: dict[int, tuple[int, int]]) -> list[Trial]:
    """Forty successes inside, and at each x outside so many successes of so many."""
    counts = {64: (40, 40), **outside}
    return [
        Trial(TrialSpec(SYSTEM, {"x": size}, i), TrialResult(Outcome.CONVERGED, {"success": i < successes}), 0.0)
        for size, (successes, total) in counts.items()
        for i in range(total)
    ]


def judged(outside: dict[int, tuple[int, int]], absorbed: float = 1.0) -> Row:
    (row,) = part(absorbed).judge(made_up(Kind.SUFFICIENT), trials(outside))
    return row


def reached(row: Row) -> tuple[object, ...]:
    clauses = row.judgement.explanation.decision.clauses
    return next(
        (tuple(clause.figures[name] for name in BEYOND) for clause in clauses if BEYOND[0] in clause.figures), ()
    )


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (at_least(x, 12), 4),
        (at_most(12, x), 4),
        (at_most(x, 1), 3),
        (at_least(x, 3), 0),
        (at_least(x, 0), 0),
        (at_most(x, -1), math.inf),
        (sp.And(at_least(x, 12), above(y, 20)), 10),
        (sp.And(at_least(x, 3), above(y, 4)), 2),
    ],
)
def test_a_factor_says_by_how_much_a_point_misses_a_condition(relation: sp.Basic, expected: float) -> None:
    assert beyond(relation, {x: sp.Integer(3), y: sp.Integer(2)}) == expected


def test_success_far_beyond_is_loose_by_the_last_factors_that_show_it() -> None:
    row = judged({32: (40, 40), 8: (40, 40), 1: (0, 40)})
    assert (row.verdict, reached(row)) == (Verdict.LOOSE, (8, 8))
    assert figures(row).text.endswith(", loose by a factor of 8")


def test_the_walk_ends_at_the_first_band_that_fails() -> None:
    row = judged({32: (40, 40), 8: (0, 40), 1: (40, 40)})
    assert (row.verdict, reached(row)) == (Verdict.LOOSE, (2, 2))
    row = judged({32: (0, 40), 8: (40, 40)})
    assert (row.verdict, reached(row)) == (Verdict.HOLDS, ())
    assert "shown nowhere beyond the condition" in row.judgement.reason


def test_small_settings_share_a_band_that_says_no_more_than_its_nearest() -> None:
    row = judged({32: (10, 10), 16: (10, 10), 8: (10, 10), 4: (10, 10)})
    assert (row.verdict, reached(row)) == (Verdict.LOOSE, (2, 16))
    assert judged({32: (10, 10), 16: (10, 10)}).verdict is Verdict.HOLDS, "twenty successes do not show nine in ten"


def test_a_setting_too_small_to_show_the_rate_stops_no_walk() -> None:
    """Twenty successes show nine in ten at no level asked, and eighty beyond them do."""
    row = judged({32: (40, 40), 8: (20, 20), 2: (80, 80)})
    assert (row.verdict, reached(row)) == (Verdict.LOOSE, (8, 32))
    assert reached(judged({32: (40, 40), 8: (10, 20), 2: (80, 80)})) == (2, 2)


def test_where_a_constant_is_hidden_the_smaller_one_that_serves_is_said() -> None:
    outside = {32: (40, 40), 8: (40, 40)}
    assert figures(judged(outside, absorbed=7)).text.endswith(", loose by a factor of 8: a constant of 0.12 serves")
    assert "serves" not in figures(judged(outside)).text


@pytest.mark.parametrize(("absorbed", "verdict"), [(1, Verdict.LOOSE), (7, Verdict.LOOSE), (10, Verdict.HOLDS)])
def test_what_a_hidden_constant_absorbs_is_not_loose(absorbed: float, verdict: Verdict) -> None:
    row = judged({32: (40, 40), 8: (40, 40)}, absorbed)
    assert row.verdict is verdict
    if verdict is Verdict.HOLDS:
        assert "up to a factor of 8 beyond the condition, of which a hidden constant absorbs 10" in row.judgement.reason


def test_bands_hang_on_no_result() -> None:
    design = {32: 20, 16: 12, 8: 40, 4: 10}
    shapes = set()
    for share in (0.0, 0.5, 1.0):
        made = trials({size: (int(share * count), count) for size, count in design.items()})
        outside = [trial for trial in made if trial.spec.parameters["x"] != 64]
        shapes.add(tuple((band.least, band.most, band.trials) for band in part().bands(outside)))
    assert shapes == {((2, 4, 32), (8, 8, 40), (16, 16, 10))}


def test_failure_inside_is_violated_however_far_success_goes_beyond() -> None:
    made = trials({8: (40, 40)})
    failing = [
        Trial(trial.spec, TrialResult(Outcome.CONVERGED, {"success": trial.spec.parameters["x"] != 64}), 0.0)
        for trial in made
    ]
    (row,) = part().judge(made_up(Kind.SUFFICIENT), failing)
    assert row.verdict is Verdict.VIOLATED
