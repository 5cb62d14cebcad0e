"""A bound that is kept less and less along its axis holds where it was measured, and says where it would not."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from checks.evidence.headline import headline_of
from checks.evidence.scaling import Scaling
from checks.records.preset import Preset
from checks.statistics.bound_trend import told_of_climb
from checks.statistics.explanation import Topic
from checks.statistics.judge import judge_explicit
from checks.statistics.outcome import Interval
from checks.statistics.verdict import Judgement, Verdict
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Axis, Kind

SIZES = np.array([2.0, 4, 8, 16, 32, 64, 128, 256])
EDGE = 2 - 1.77 * SIZES ** (-2 / 3)  # E[largest eigenvalue] / sqrt(n) of a Wigner matrix, nearly


def told(values: np.ndarray, bound: np.ndarray, *, relation: str = "upper", half: float = 0.003) -> Judgement:
    intervals = [Interval(value - half, value + half) for value in values]
    judged = judge_explicit(intervals, bound, relation=relation)
    return told_of_climb(judged, SIZES, values, intervals, bound, relation=relation, letter="n")


def reach(judgement: Judgement) -> float | None:
    clauses = judgement.explanation.limits.clauses
    return next((float(clause.figures["reach"]) for clause in clauses if clause.topic is Topic.GRID), None)


def test_a_bound_that_is_false_later_says_near_where() -> None:
    judgement = told(EDGE, np.full(8, 1.98))
    assert judgement.verdict is Verdict.HOLDS
    assert 256 < (reach(judgement) or 0) < 1024  # 1.98 is passed at n = 833
    assert "measured / claimed rises along n, 0.447 to 0.988" in judgement.reason


def test_a_lower_bound_that_is_approached_from_above_says_so_too() -> None:
    judgement = told(4 - EDGE, np.full(8, 2.02), relation="lower")
    assert judgement.verdict is Verdict.HOLDS
    assert reach(judgement) is not None
    assert "falls along n" in judgement.reason


@pytest.mark.parametrize(
    ("values", "bound"),
    [(np.full(8, 1.5), 2.0), (EDGE[::-1], 2.1), (EDGE, 20.0), (1 - 1 / SIZES**2, 1.5)],
    ids=["level", "falling", "far below", "settled"],
)
def test_others_say_nothing(values: np.ndarray, bound: float) -> None:
    judgement = told(values, np.full(8, bound))
    assert judgement.verdict is Verdict.HOLDS
    assert reach(judgement) is None


def test_a_climb_within_the_noise_is_none() -> None:
    assert reach(told(1 + np.arange(8) / 1000, np.full(8, 1.02), half=0.006)) is None


def test_what_does_not_hold_is_left_as_it_is() -> None:
    judgement = told(EDGE, np.full(8, 1.9))
    assert judgement.verdict is Verdict.VIOLATED
    assert reach(judgement) is None


def test_the_headline_of_a_part_says_so_in_its_scope() -> None:
    n = sp.Symbol("n", positive=True)
    claim = made_up(kind=Kind.EXPLICIT_UPPER, value=sp.Rational(198, 100), axes=(Axis(n),))
    system = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
    part = Scaling(
        name="mean",
        symbol=n,
        parameter="size",
        observable="value",
        symbols={"size": n},
        noiseless=True,
        sweeps={Preset.SMOKE: (Sweep(system, grid(size=tuple(map(int, SIZES)))),)},
    )
    trials = {
        key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {"value": float(value)}), 1.0)
        for spec, value in zip(part.specs(Preset.SMOKE), EDGE, strict=True)
    }
    (row,) = part.rows(claim, Preset.SMOKE, trials)
    (scope,) = headline_of([row]).scope
    assert row.verdict is Verdict.HOLDS
    assert scope.startswith("mean: nears its bound along n, and going on so reaches it near n = ")
