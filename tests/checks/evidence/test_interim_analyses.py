"""Interim analyses are stated beforehand, depend on stored trials alone, and hold the error rate."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from checks.calibration.cells import MARGIN, ScalingCell
from checks.catalogue import discover
from checks.cli import main
from checks.evidence.check import Check
from checks.evidence.interim_analyses import (
    MAX_ANALYSES,
    UntilDecided,
    analysis,
    first_decided,
    may_decide,
    until_decided,
)
from checks.evidence.proofs import Proof
from checks.evidence.sampled import Behaviour, Scaling
from checks.records.preset import Placement, Preset
from checks.sampling.rounds import measure_in_rounds, walk
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Explanation, Measurements, NextStep
from checks.statistics.policy import LOOKS, ErrorPolicy, level_words, look_shares
from checks.statistics.verdict import Judgement, Plan, Verdict
from sim.running.run import RunReport
from sim.store.store import Store, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.made_up import SYSTEM, made_up
from theory.claim import Axis, Kind

x = sp.Symbol("x", positive=True)
CLAIM = made_up(Kind.TIGHT, axes=(Axis(x),), value=x**2)
PART = Scaling(
    name="made up",
    symbol=x,
    parameter="x",
    symbols=lambda parameters: {x: sp.Integer(parameters["x"])},
    observable="value",
    sweeps={Preset.QUICK: (Sweep(SYSTEM, grid(x=(1, 2, 4, 8, 16, 32)), {}, 2),)},
)


def value(spec: TrialSpec, *, power: float, noise: float) -> float:
    scatter = np.random.default_rng(spec.seed).standard_normal()
    return float(spec.parameters["x"]) ** power * float(np.exp(noise * scatter))


def finished(spec: TrialSpec, *, power: float = 2.0, noise: float = 0.6, seconds: float = 1.0) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"value": value(spec, power=power, noise=noise)}), seconds)


def repeated(budget: float = 1e9, **changes: object) -> UntilDecided:
    (part,) = until_decided(Check(CLAIM, (replace(PART, **changes),)), Preset.QUICK, budget_seconds=budget).parts
    assert isinstance(part, UntilDecided)
    return part


def rounds_of(part: UntilDecided, **truth: float) -> list[int]:
    """Trials in each round, all of them finished as they are asked for."""
    stages = walk(part, Preset.QUICK, Placement.GRID, lambda specs: {key(s): finished(s, **truth) for s in specs})
    return [len(stage.specs) for stage in stages]


def test_a_decided_part_is_analysed_once() -> None:
    assert rounds_of(repeated(), noise=0.02) == [12]


def test_an_open_part_doubles_its_replicates_until_it_is_decided() -> None:
    counts = rounds_of(repeated())
    assert 2 <= len(counts) < MAX_ANALYSES
    assert counts == [12, 12, 24, 48][: len(counts)]


def test_analyses_end() -> None:
    assert rounds_of(repeated(), noise=6.0) == [12, 12, 24, 48, 96]


def judged(verdict: Verdict, plan: Plan | None) -> Judgement:
    return Judgement(verdict, Explanation(evidence=Measurements(6), next=NextStep(plan)))


def test_what_replicates_cannot_decide_is_not_repeated() -> None:
    short = repeated(sweeps={Preset.QUICK: (Sweep(SYSTEM, grid(x=(1, 2, 3)), {}, 2),)})
    assert rounds_of(short) == [6]
    assert not may_decide(judged(Verdict.INCONCLUSIVE, Plan(9, 5)))
    assert not may_decide(judged(Verdict.VIOLATED, Plan(5, 5)))


def test_the_budget_is_kept_and_named() -> None:
    part = repeated(budget=30.0)  # 12 s, then 24 s; the third would come to 48 s
    assert rounds_of(part, noise=6.0) == [12, 12]
    trials = [finished(spec, noise=6.0) for spec in analysis(PART, Preset.QUICK, 1).specs(Preset.QUICK)]
    (row,) = part.judge(CLAIM, trials)
    assert "another analysis would cost 24 s more, beyond the budget of 30 s" in row.judgement.reason


def test_the_next_round_depends_on_no_order() -> None:
    part = repeated()
    trials = [finished(spec) for spec in part.specs(Preset.QUICK)]
    shuffled = random.Random(0).sample(trials, len(trials))
    assert part.next_round(Preset.QUICK, trials) == part.next_round(Preset.QUICK, shuffled)
    assert len(part.next_round(Preset.QUICK, trials)) == 24


def test_rows_name_the_analysis_and_use_its_trials_alone() -> None:
    part = repeated()
    everything = {
        key(spec): finished(spec) for spec in analysis(PART, Preset.QUICK, MAX_ANALYSES - 1).specs(Preset.QUICK)
    }
    (row,) = part.rows(CLAIM, Preset.QUICK, everything)
    assert row.verdict is Verdict.TIGHT
    count = sum(rounds_of(part))
    assert row.protocol.n_trials == count < len(everything)
    number = len(rounds_of(part))
    policy = ErrorPolicy(look=number - 1)
    assert f"interim analysis {number} of at most 5, {level_words(policy.error)} error" in row.judgement.reason
    assert f"{level_words(policy.equivalence_confidence)} interval" in row.judgement.reason


def test_an_analysis_under_way_hides_nothing() -> None:
    part = repeated()
    (first,) = part.rows(CLAIM, Preset.QUICK, {key(s): finished(s) for s in part.specs(Preset.QUICK)})
    assert first.verdict is Verdict.INCONCLUSIVE
    assert "go on with: theoremeter run A.made_up --preset quick --until-decided" in first.judgement.reason
    (none,) = part.rows(CLAIM, Preset.QUICK, {})
    assert none.verdict is Verdict.NOT_MEASURED_YET


def test_the_first_analysis_that_decides_counts() -> None:
    open_, tight, violated = (
        judged(verdict, plan)
        for verdict, plan in (
            (Verdict.INCONCLUSIVE, Plan(6, 99)),
            (Verdict.TIGHT, None),
            (Verdict.VIOLATED, None),
        )
    )
    assert first_decided([open_, tight, violated]) == 1
    assert first_decided([open_, open_]) == 1


def test_every_analysis_is_judged_at_its_share_of_the_error() -> None:
    for number in range(MAX_ANALYSES):
        part = analysis(PART, Preset.QUICK, number)
        assert 1 - part.confidence == pytest.approx(0.05 * look_shares(0.025)[number])
        assert part.sweeps[Preset.QUICK][0].replicates == 2 * 2**number


def test_looks_have_their_shares_of_all_trials() -> None:
    counts = [len(analysis(PART, Preset.QUICK, number).specs(Preset.QUICK)) for number in range(MAX_ANALYSES)]
    assert [count / counts[-1] for count in counts] == pytest.approx(LOOKS)


def test_measuring_in_rounds_stops_where_the_verdict_is_decided(tmp_path: Path) -> None:
    """Interrupted after every round and begun again, the same trials are run."""

    def run(specs: list[TrialSpec], store: Store) -> RunReport:
        store.put(finished(spec) for spec in specs)
        return RunReport(len(specs), (), 0.0)

    def run_once(specs: list[TrialSpec], store: Store) -> RunReport:
        run(specs, store)
        raise KeyboardInterrupt

    check = Check(CLAIM, (repeated(),))
    with Store(tmp_path / "straight") as store:
        measured = measure_in_rounds([check], Preset.QUICK, store, run).measured
        assert measured == len(store) == sum(rounds_of(repeated()))
    with Store(tmp_path / "interrupted") as store:
        for _ in rounds_of(repeated()):
            with pytest.raises(KeyboardInterrupt):
                measure_in_rounds([check], Preset.QUICK, store, run_once)
        assert measure_in_rounds([check], Preset.QUICK, store, run_once).measured == 0
        assert len(store) == measured


def test_evidence_without_sampling_error_is_left_alone() -> None:
    """Proofs, and behaviours that each count one deterministic trial a point."""
    softmax = until_decided(discover()["B.softmax"], Preset.QUICK, budget_seconds=1.0)
    assert all(isinstance(part, Proof) for part in softmax.parts)
    exact = Behaviour(name="b", shows=lambda trial: True, rate=0.5, sweeps={Preset.QUICK: (Sweep(SYSTEM, ({},)),)})
    assert until_decided(Check(CLAIM, (exact,)), Preset.QUICK, budget_seconds=1.0).parts == (exact,)


@pytest.mark.parametrize("preset", list(Preset))
def test_a_part_without_trials_at_the_preset_has_no_analysis_and_no_row(preset: Preset) -> None:
    """Every one of the catalogue, and one that is made without asking."""
    for check in discover().values():
        for part in until_decided(check, preset, budget_seconds=1.0).parts:
            if not part.specs(preset):
                assert not isinstance(part, UntilDecided), part.name
                for placement in Placement:
                    assert list(walk(part, preset, placement, lambda specs: {})) == []
                    rows = part.rows(check.claim, preset, {}, placement)
                    assert all(row.verdict is Verdict.NOT_MEASURED_YET and part.cost for row in rows)
    for sweeps in ({}, {preset: ()}, {preset: (Sweep(SYSTEM, (), {}, 2),)}):
        made = replace(repeated(), preset=preset, part=replace(PART, sweeps=sweeps))
        assert made.next_round(preset, []) == []
        assert made.rows(CLAIM, preset, {}) == []


def test_error_is_held_where_naive_repetition_loses_it() -> None:
    """At the margin's edge every decided verdict is wrong. Planted falsehood: each analysis spends the whole error."""
    cell = ScalingCell(name="edge", delta=MARGIN, noise=0.4, n_replicates=2, scatter="between", interim=True)
    trials = 150
    held = naive = 0
    for seed in range(trials):
        held += cell.trial(np.random.default_rng(seed)).verdict in (Verdict.VIOLATED, Verdict.TIGHT)
        rng = np.random.default_rng(seed)
        samples = cell.draw(rng, 2 * 2 ** (MAX_ANALYSES - 1))
        judged = (cell.judged(samples[:, : 2 * 2**j], rng).verdict for j in range(MAX_ANALYSES))
        naive += any(verdict in (Verdict.VIOLATED, Verdict.TIGHT) for verdict in judged)
    slack = 3 * (0.05 * 0.95 / trials) ** 0.5
    assert held / trials <= 0.05 + slack
    assert held < 0.05 * trials < naive  # 0 and 11; every look asks that no ratio with a limit fits as well


def test_plans_speak_of_the_level_that_will_decide() -> None:
    rule = DeltaRule("upper", 0.25, ErrorPolicy(family=10))
    assert rule.deciding_confidence(0.6) == 0.995
    assert rule.deciding_confidence(0.0) == pytest.approx(0.90)
    assert rule.deciding_confidence(-0.6) == 0.95


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--until-decided", "--placement", "adaptive"], "--placement must be grid with --until-decided, got adaptive"),
        (["--budget", "9"], "--budget must go with --until-decided, or in a run with --retry-unknown, got 9 alone"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], message: str, capsys, tmp_path: Path) -> None:
    assert main(["table", "B.softmax", "--store", str(tmp_path / "none"), *options]) == 2
    assert message in capsys.readouterr().err
