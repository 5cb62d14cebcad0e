"""Runs that gave NaN: no part takes them for runs that fail a claim, and what others show stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import sympy as sp

from checks.evidence.control import Control
from checks.evidence.folded import Count
from checks.evidence.limit_laws import LimitLaw
from checks.evidence.limit_values import LimitValue
from checks.evidence.part import Part
from checks.evidence.refutation import Construction, CounterexampleSearch
from checks.evidence.sampled import Behaviour, Fraction
from checks.evidence.scaling import Scaling
from checks.evidence.thresholds import Threshold
from checks.evidence.transitions import Transition
from checks.evidence.trial_bounds import AtLeast, AtMost
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.verdict import Verdict
from sim.store.store import key, written_setting
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, Scalar, System, Trial, TrialResult, TrialSpec
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, Kind

N = sp.Symbol("n", positive=True)
X, Y = sp.symbols("x y", real=True)
HERE = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
SIZES = (8, 16, 32, 64)
SWEEPS = {Preset.SMOKE: (Sweep(HERE, grid(size=SIZES), {}, 20),)}
Shown = Callable[[TrialSpec], dict[str, Scalar]]


def measured(part: Part, claim: Claim, shown: Shown, *, curve: Sequence[float] = ()) -> Row:
    """The line of a part of which every run ended with these observables."""
    trials = {}
    for spec in [*part.specs(Preset.SMOKE), *part.control_specs(Preset.SMOKE)]:
        curves = {"draws": np.array([shown(spec)["value"], *curve])} if curve else {}
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, shown(spec), curves), 1.0)
    (row,) = part.rows(claim, Preset.SMOKE, trials)
    return row


def lost_at(sizes: Sequence[int], otherwise: float = 0.5) -> Shown:
    """NaN at replicate 3 of these sizes."""
    gone = {(size, 3) for size in sizes}
    return lambda spec: {
        "value": math.nan if (spec.parameters.get("size"), spec.replicate) in gone else otherwise,
        "total": 10,
    }


BEHAVIOUR = made_up(kind=Kind.BEHAVIOUR)
AXIS = (Axis(N),)
ALONG = {"name": "along", "symbol": N, "parameter": "size", "symbols": {"size": N}, "sweeps": SWEEPS}


@pytest.mark.parametrize(
    "shows",
    [
        AtMost("value", 1.0),
        AtLeast("value", 0.1),
        lambda trial: trial.number("value") < 1,
        lambda trial: not trial.number("value") > 1,
        lambda trial: abs(trial.number("value") - 1) / 2 <= 1,
    ],
)
@pytest.mark.parametrize("rate", [1, 0.995])
def test_a_behaviour_takes_no_run_without_a_number_for_one_that_fails(
    shows: Callable[[Trial], bool], rate: float
) -> None:
    part = Behaviour(name="shows", shows=shows, rate=rate, sweeps=SWEEPS)
    row = measured(part, BEHAVIOUR, lost_at(SIZES))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "4 of 80 runs gave no number (NaN) and are lost, at size = 8, replicate 3" in row.judgement.reason
    assert "nan" not in row.judgement.reason.replace("NaN", "")


def test_what_holds_whatever_they_had_shown_stands() -> None:
    part = Behaviour(name="shows", shows=AtMost("value", 1.0), rate=0.5, sweeps=SWEEPS)
    row = measured(part, BEHAVIOUR, lost_at(SIZES))
    assert row.verdict is Verdict.HOLDS
    assert "whatever they had shown" in row.judgement.reason


def test_one_run_with_a_number_beyond_the_bound_speaks_against_every_run() -> None:
    shown = lost_at([8])
    part = Behaviour(name="shows", shows=AtMost("value", 1.0), rate=1, sweeps=SWEEPS)
    row = measured(part, BEHAVIOUR, lambda spec: {"value": 2.0} if spec.parameters["size"] == 64 else shown(spec))
    assert row.verdict is Verdict.VIOLATED
    assert "value = 2.0" in row.judgement.reason


def test_a_criterion_that_asks_for_nan_itself_knows_what_it_means() -> None:
    part = Behaviour(
        name="shows",
        shows=lambda trial: math.isnan(value := trial.number("value")) or value < 1,
        rate=1,
        sweeps=SWEEPS,
    )
    row = measured(part, BEHAVIOUR, lost_at(SIZES))
    assert row.verdict is Verdict.NOT_REFUTED
    assert "lost" not in row.judgement.reason


def test_trials_that_are_counted_as_they_are_read_are_lost_alike() -> None:
    part = Behaviour(name="shows", shows=AtMost("value", 1.0), rate=1, sweeps=SWEEPS)
    count, shown = Count(part, Preset.SMOKE), lost_at(SIZES)
    for spec in part.specs(Preset.SMOKE):
        setting = spec.system.name, written_setting(spec.parameters)
        count.add(setting, Trial(spec, TrialResult(Outcome.CONVERGED, shown(spec)), 1.0), 1, 1.0)
    (row,) = count.folded().rows(BEHAVIOUR, Preset.SMOKE, {})
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "4 of 80 runs gave no number (NaN) and are lost" in row.judgement.reason


def test_a_control_without_a_number_shows_nothing() -> None:
    control = Control("untrained", {Preset.SMOKE: (Sweep(HERE, grid(size=(4,)), {}, 20),)})
    part = Behaviour(name="shows", shows=AtMost("value", 1.0), rate=0.5, sweeps=SWEEPS, control=control)
    row = measured(part, BEHAVIOUR, lambda spec: {"value": math.nan if spec.parameters["size"] == 4 else 0.5})
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "meets the criterion in 0 of 0 runs, 20 more gave no number (NaN)" in row.judgement.reason


@pytest.mark.parametrize("estimand", ["mean", "each"])
def test_attempts_without_a_number_refute_nothing_and_take_nothing_from_what_refutes(estimand: str) -> None:
    claim = made_up(kind=Kind.EVERY_ALGORITHM, value=sp.Rational(1, 10))
    part = CounterexampleSearch(
        name="attempts", member="size", exact="value", estimand=estimand, symbols={}, sweeps=SWEEPS
    )
    row = measured(part, claim, lost_at([8]))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "without them: not refuted" in row.judgement.reason
    shown = lost_at([8])
    row = measured(part, claim, lambda spec: {"value": 0.01} if spec.parameters["size"] == 64 else shown(spec))
    assert row.verdict is Verdict.REFUTED
    assert "whatever they had shown" in row.judgement.reason


def test_a_construction_stands_on_those_that_were_built() -> None:
    claim = made_up(kind=Kind.EXISTENCE)
    part = Construction(
        name="built", conditions={"small": lambda trial: trial.number("value") < 1}, built=str, sweeps=SWEEPS
    )
    row = measured(part, claim, lost_at(SIZES))
    assert row.verdict is Verdict.SATISFIABLE
    assert "4 of 80 runs gave no number" in row.judgement.reason


LAW = (1 + sp.erf(X / sp.sqrt(2))) / 2


@pytest.mark.parametrize(
    ("part", "claim"),
    [
        (Scaling(observable="value", **ALONG), made_up(kind=Kind.EXPLICIT_UPPER, value=2 / N * N, axes=AXIS)),
        (Scaling(observable="value", **ALONG), made_up(kind=Kind.TIGHT, value=N, axes=AXIS)),
        (LimitValue(observable="value", **ALONG), made_up(kind=Kind.LIMIT, value=sp.Integer(1), axes=AXIS)),
        (
            LimitLaw(observable="draws", variable=X, drawn=Y, quantity=Y, **ALONG),
            made_up(kind=Kind.LIMIT, value=LAW, axes=AXIS),
        ),
        (
            Fraction(name="share", count="value", total="total", bounds="share", symbols={"size": N}, sweeps=SWEEPS),
            made_up(kind=Kind.EXPLICIT_UPPER, value=sp.Rational(1, 2), axes=AXIS),
        ),
        (
            Transition(observable="value", moving="size", level=1.0, tolerance=0.1, within=5.0, **ALONG),
            made_up(kind=Kind.TRANSITION, value=sp.Integer(20), axes=AXIS),
        ),
    ],
    ids=["explicit", "order", "limit", "law", "fraction", "transition"],
)
def test_no_kind_of_part_is_broken_or_accuses_by_it(part: Part, claim: Claim) -> None:
    draws = np.random.default_rng(7).standard_normal(50).tolist()
    row = measured(part, claim, lost_at(SIZES, otherwise=1), curve=draws)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "4 of 80 runs gave no number (NaN) and are lost, at size = 8, replicate 3" in row.judgement.reason


def test_a_threshold_without_a_number_is_lost() -> None:
    part = Threshold(
        name="needed",
        symbol=N,
        parameter="size",
        size="n_samples",
        success="value",
        symbols={"size": N},
        sweeps={Preset.SMOKE: (Sweep(HERE, grid(size=SIZES, n_samples=(4, 8, 16, 32)), {}, 20),)},
    )
    gone = {"value": math.nan}
    row = measured(
        part,
        made_up(kind=Kind.TIGHT, value=N, axes=AXIS),
        lambda spec: gone if spec.replicate == 3 else {"value": bool(spec.replicate % 2)},
    )
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "gave no number (NaN) and are lost" in row.judgement.reason


def test_a_value_that_is_no_distribution_function_is_told_with_the_draw() -> None:
    part = LimitLaw(observable="draws", variable=X, drawn=Y, quantity=Y, **ALONG)
    claim = made_up(kind=Kind.LIMIT, value=X**2, axes=AXIS)
    with pytest.raises(ValueError, match=r"must be a distribution function, from 0 to 1, got 4 at the draw 2"):
        measured(part, claim, lambda spec: {"value": 2.0}, curve=[0.5])


def test_an_order_of_runs_with_0_names_the_run_and_what_takes_0() -> None:
    part = Scaling(observable="value", **ALONG)
    claim = made_up(kind=Kind.TIGHT, value=N, axes=AXIS)
    said = r"value must be > 0 in every run for an order.*got 0 at size=16, replicate=3; a claim with its constants"
    with pytest.raises(ValueError, match=said):
        measured(part, claim, lambda spec: {"value": float((spec.parameters["size"], spec.replicate) != (16, 3))})
