"""Runs that ended without a result: what they may change stays open, what they cannot stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
import sympy as sp

from checks.evidence import folded
from checks.evidence.folded import Count
from checks.evidence.lost_runs import worst_cases
from checks.evidence.open_parts import Course
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour
from checks.evidence.scaling import Scaling
from checks.evidence.thresholds import Threshold
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.verdict import Verdict
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, Kind

SIZES = (8, 16, 32, 64, 128)
N = sp.Symbol("n", positive=True)
HERE = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))


def measured(part: Part, claim: Claim, *, shown: Iterable[bool | float], lost: Iterable[int]) -> Row:
    """The line of a part of whose runs some, by number, ended without a result."""
    gone = set(lost)
    trials = {}
    for place, (spec, value) in enumerate(zip(part.specs(Preset.SMOKE), shown, strict=True)):
        name = "met" if isinstance(value, bool) else "value"
        result = TrialResult(Outcome.CONVERGED, {name: value})
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.FAILED, {"error": "no"}) if place in gone else result, 1.0)
    (row,) = part.rows(claim, Preset.SMOKE, trials)
    return row


def behaviour(rate: float, **more) -> Behaviour:
    sweeps = {Preset.SMOKE: (Sweep(HERE, grid(size=SIZES), {}, 20),)}
    return Behaviour(name="shows", shows=lambda trial: trial.flag("met"), rate=rate, sweeps=sweeps, **more)


CLAIM = made_up(kind=Kind.BEHAVIOUR)


def test_what_holds_however_the_lost_run_came_out_holds_and_names_it() -> None:
    row = measured(behaviour(0.8), CLAIM, shown=[True] * 100, lost=[42])
    assert row.verdict is Verdict.HOLDS
    said = row.judgement.reason
    assert "1 of 100 runs ended without a result (1 failed) and are lost, at size = 32, replicate 2" in said
    assert "whatever they had shown, the verdict is the same" in said


def test_what_the_lost_runs_may_change_is_open_and_says_what_runs_them_again() -> None:
    row = measured(behaviour(0.92), CLAIM, shown=[True] * 100, lost=[20, 21, 22, 23, 24])
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "5 of 100 runs ended without a result (5 failed) and are lost" in row.judgement.reason
    assert "without them: holds" in row.judgement.reason
    assert "run A.made_up --preset smoke --retry-failed" in row.judgement.reason


def test_one_run_without_the_behaviour_speaks_against_every_run_whatever_is_lost() -> None:
    row = measured(behaviour(1), CLAIM, shown=[False] + [True] * 99, lost=[42])
    assert row.verdict is Verdict.VIOLATED


def test_what_no_run_refuted_a_lost_one_might_have() -> None:
    row = measured(behaviour(1), CLAIM, shown=[True] * 100, lost=[42])
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "without them: not refuted" in row.judgement.reason


def test_a_line_that_claims_nothing_stays_so() -> None:
    sweeps = {Preset.SMOKE: (Sweep(HERE, grid(size=SIZES), {}, 20),)}
    part = Course(name="runs", words=lambda trials: f"{len(trials)} runs", sweeps=sweeps)
    row = measured(part, CLAIM, shown=[True] * 100, lost=[42])
    assert row.verdict is Verdict.NO_CLAIM
    assert "1 of 100 runs ended without a result" in row.judgement.reason


def test_where_more_than_a_tenth_is_lost_nothing_is_judged() -> None:
    row = measured(behaviour(0.5), CLAIM, shown=[True] * 100, lost=range(11))
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert "89 of 100 trials stored, 11 failed" in row.judgement.reason


def test_a_run_that_has_not_ended_is_no_lost_run() -> None:
    part = behaviour(0.8)
    specs = part.specs(Preset.SMOKE)
    found = {key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {"met": True}), 1.0) for spec in specs[1:]}
    (row,) = part.rows(CLAIM, Preset.SMOKE, found)
    assert row.verdict is Verdict.NOT_MEASURED_YET


def test_along_a_path_every_mixture_of_places_is_tried() -> None:
    """Lost at two places, the runs may have come out one way at one and the other way at the other."""
    part = behaviour(0.5, parameter="size")
    runs = [Trial(spec, TrialResult(Outcome.CONVERGED, {"met": True}), 1.0) for spec in part.specs(Preset.SMOKE)]
    lost = [run for run in runs if run.spec.replicate == 0 and run.spec.parameters["size"] in (8, 128)]
    left = [run for run in runs if run not in lost]

    def failing(mixed: bool) -> list[list[int]]:
        ways = worst_cases(part.met_by, left, lost, mixed=mixed)
        return [[run.spec.parameters["size"] for run in way if not part.met_by(run)] for way in ways]

    assert failing(mixed=True) == [[8, 128], [8], [128], []]
    assert failing(mixed=False) == [[8, 128], []]
    many = [run for run in runs if run.spec.replicate < 2]
    assert list(worst_cases(part.met_by, left, many, mixed=True)) == []  # 243 ways
    row = measured(part, CLAIM, shown=[True] * 100, lost=[0])
    assert row.verdict is Verdict.HOLDS


def test_a_mean_has_no_worst_case() -> None:
    claim = made_up(kind=Kind.TIGHT, value=1 / N, axes=(Axis(N),))
    part = Scaling(
        name="sizes",
        symbol=N,
        parameter="size",
        observable="value",
        symbols={"size": N},
        sweeps={Preset.SMOKE: (Sweep(HERE, grid(size=SIZES), {}, 4),)},
    )
    specs = list(part.specs(Preset.SMOKE))
    shown = [(1 + 0.01 * (place % 3)) / spec.parameters["size"] for place, spec in enumerate(specs)]
    assert measured(part, claim, shown=shown, lost=[]).verdict is Verdict.TIGHT
    row = measured(part, claim, shown=shown, lost=[7])
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "without them: tight" in row.judgement.reason


def test_a_threshold_is_asked_for_both_ends_of_a_lost_run() -> None:
    claim = made_up(kind=Kind.TIGHT, value=N, axes=(Axis(N),))
    part = Threshold(
        name="needed",
        symbol=N,
        parameter="dimension",
        size="n_samples",
        success="met",
        symbols={"dimension": N},
        sweeps={Preset.SMOKE: (Sweep(HERE, grid(dimension=SIZES, n_samples=(4, 8, 16, 32, 64, 128, 256)), {}, 20),)},
    )
    shown = []
    for spec in part.specs(Preset.SMOKE):
        over = (spec.parameters["n_samples"] / spec.parameters["dimension"]) ** 2
        shown.append(spec.replicate < 20 * over / (1 + over))
    assert measured(part, claim, shown=shown, lost=[]).verdict is Verdict.TIGHT
    row = measured(part, claim, shown=shown, lost=[0])
    assert row.verdict is Verdict.TIGHT
    assert "whatever they had shown" in row.judgement.reason


def test_a_result_stands_in_only_where_it_would_meet_the_criterion_itself() -> None:
    """What shows a behaviour at one size may not show it at another."""
    part = replace(behaviour(0.8), shows=lambda trial: trial.number("value") > trial.spec.parameters["size"])
    sizes = [spec.parameters["size"] for spec in part.specs(Preset.SMOKE)]
    row = measured(part, CLAIM, shown=[size + 1.0 for size in sizes], lost=[42])
    assert row.verdict is Verdict.HOLDS


@pytest.mark.parametrize(("n_lost", "verdict"), [(1, Verdict.HOLDS), (11, Verdict.NOT_MEASURED_YET)])
def test_runs_that_are_counted_as_they_are_read_say_the_same(n_lost: int, verdict: Verdict) -> None:
    part = behaviour(0.8)
    count = Count(part, Preset.SMOKE)
    for place, spec in enumerate(part.specs(Preset.SMOKE)):
        outcome = Outcome.FAILED if place < n_lost else Outcome.CONVERGED
        result = TrialResult(outcome, {"error": "no"} if place < n_lost else {"met": True})
        setting = spec.system.name, folded.written_setting(spec.parameters)
        count.add(setting, Trial(spec, result, 1.0), 1, 1.0)
    (row,) = count.folded().rows(CLAIM, Preset.SMOKE, {})
    assert row.verdict is verdict
