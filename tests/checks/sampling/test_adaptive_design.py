"""Adaptive placement: a pure function of what is finished, efficient, honest, and able to come out either way.

Success is drawn from curves with known thresholds. What a placement must achieve is stated once (`faults`) and must
fail for two planted placements: one that ignores what is known, one that stops too early.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from benchmarks.adaptive import GRID, Truth, compare
from checks.catalogue import discover
from checks.evidence.check import Check
from checks.evidence.family import each_by_itself
from checks.evidence.sampled import Threshold
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.adaptive_design import Counts, CurveDesign, belief, next_sizes, success_rate
from checks.sampling.rounds import measure_in_rounds, stored, walk
from checks.statistics.estimates import estimate_threshold
from checks.statistics.verdict import Verdict
from sim.running.run import RunReport
from sim.store.store import Store
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theory.claim import Axis, Claim, Evidence, Kind, Source

FULL, ADAPTIVE = Preset.FULL, Placement.ADAPTIVE
SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
x = sp.Symbol("x", positive=True)
VALUES = (0.15, 0.2, 0.26, 0.34, 0.45, 0.6, 0.75)


def in_letters(parameters: Mapping[str, object]) -> dict[sp.Symbol, sp.Expr]:
    return {x: sp.Rational(str(parameters["x"]))}


PART = Threshold(
    name="made up",
    symbol=x,
    parameter="x",
    symbols=in_letters,
    size="n",
    sweeps={Preset.FULL: (Sweep(SYSTEM, grid(x=VALUES, n=GRID.sizes), {}, GRID.replicates),)},
)


def claim_of(power: int) -> Claim:
    return Claim(
        id="A.made_up",
        source=Source("nobody", "nowhere"),
        kind=Kind.TIGHT,
        statement="Made up.",
        observable="made_up",
        evidence=(Evidence.MEASURED,),
        axes=(Axis(x, "zero"),),
        value=x**-power,
    )


def drawn(spec: TrialSpec, power: float = 1.0, steepness: float = 6.0) -> Trial:
    """A trial of a success curve with its threshold at a multiple of x^-power, from the trial's own seed."""
    middle = math.log(250) - power * math.log(float(spec.parameters["x"]) / 0.33)
    rate = success_rate(np.log(spec.parameters["n"]), middle, steepness, 0.02)
    success = bool(np.random.default_rng(spec.seed).random() < rate)
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"success": success}), 1.0)


def placed(part: Threshold = PART, **law: float) -> list[list[Trial]]:
    """All rounds of a part, trial by trial."""
    rounds: list[list[Trial]] = []
    while specs := part.next_round(FULL, list(itertools.chain(*rounds)), ADAPTIVE):
        rounds.append([drawn(spec, **law) for spec in specs])
    return rounds


# -------------------------------------------------------------------------------------------------- pure and resumable


@pytest.fixture(scope="module")
def rounds() -> list[list[Trial]]:
    return placed()


def test_a_round_depends_on_what_is_finished_and_not_on_its_order(rounds: list[list[Trial]]) -> None:
    for count in range(1, len(rounds), 2):
        before = list(itertools.chain(*rounds[:count]))
        random.Random(count).shuffle(before)
        assert PART.next_round(FULL, before, ADAPTIVE) == [trial.spec for trial in rounds[count]]


def test_a_round_depends_on_what_is_finished(rounds: list[list[Trial]]) -> None:
    """All successes and all failures lead to different sizes."""
    first = rounds[0]
    told = []
    for success in (True, False):
        result = TrialResult(Outcome.CONVERGED, {"success": success})
        told.append(PART.next_round(FULL, [Trial(trial.spec, result, 1.0) for trial in first], ADAPTIVE))
    sizes = [{spec.parameters["n"] for spec in specs} for specs in told]
    assert max(sizes[0]) < min(sizes[1])


def test_trials_lie_on_the_ladder_count_replicates_up_and_stay_below_the_grid(rounds: list[list[Trial]]) -> None:
    seen: dict[tuple[float, int], list[int]] = {}
    for trial in itertools.chain(*rounds):
        seen.setdefault((trial.spec.parameters["x"], trial.spec.parameters["n"]), []).append(trial.spec.replicate)
    assert {n for _, n in seen} <= set(GRID.ladder)
    assert set(GRID.sizes) <= set(GRID.ladder)
    assert all(replicates == list(range(len(replicates))) for replicates in seen.values())
    assert {t.spec.identity for t in rounds[0]} <= {spec.identity for spec in PART.specs(FULL)}
    for value in VALUES:
        assert sum(len(replicates) for (at, _), replicates in seen.items() if at == value) < GRID.budget / 2


def test_workers_order_and_interruption_leave_the_same_trials(tmp_path: Path) -> None:
    """One run in order; one shuffled, and stopped after every thirty trials, as if by many workers."""
    part = replace(PART, sweeps={FULL: (Sweep(SYSTEM, grid(x=VALUES[:2], n=GRID.sizes), {}, GRID.replicates),)})
    expected = {trial.spec.identity for trial in itertools.chain(*placed(part))}

    def in_order(specs: Sequence[TrialSpec], store: Store) -> RunReport:
        store.put([drawn(spec) for spec in specs])
        return RunReport(len(specs), (), 0.0)

    def in_pieces(specs: Sequence[TrialSpec], store: Store) -> RunReport:
        some = random.Random(len(specs)).sample(list(specs), k=min(len(specs), 30))
        store.put([drawn(spec) for spec in some])
        if len(some) < len(specs):
            raise KeyboardInterrupt
        return RunReport(len(some), (), 0.0)

    check = Check(claim_of(1), (part,))
    for run in (in_order, in_pieces):
        with Store(tmp_path / f"{run.__name__}.sqlite") as store:
            finished = False
            while not finished:
                with suppress(KeyboardInterrupt):
                    measure_in_rounds([check], FULL, store, run, ADAPTIVE)
                    finished = True
            trials = stored([check], FULL, store.get, ADAPTIVE)
            assert {trial.spec.identity for trial in trials.values()} == expected
            assert len(store) == len(expected)


# --------------------------------------------------------------------------------- as good as the grid with less of it


def ignorant(designs: Sequence[CurveDesign], counts: Sequence[Counts]) -> list[dict[int, int]]:
    """Planted: as many trials as the honest placement, at sizes that take turns, whatever was seen."""
    added: list[dict[int, int]] = []
    for i, (design, seen) in enumerate(zip(designs, counts, strict=True)):
        done = int(sum(total for _, total in seen.values()))
        turns = [design.ladder[7 * (done + i + j) % len(design.ladder)] for j in range(8)]
        added.append({size: turns.count(size) for size in turns} if done < 40 else {})
    return added


def hasty(designs: Sequence[CurveDesign], counts: Sequence[Counts]) -> list[dict[int, int]]:
    """Planted: stops after two rounds."""
    done = [sum(total for _, total in seen.values()) for seen in counts]
    return next_sizes(designs, counts) if max(done, default=0) <= len(GRID.sizes) else [{} for _ in designs]


def faults(place) -> list[str]:
    """What is wrong with a placement by the standards of docs/planning.md. Seeds are fixed."""
    grid, placed = compare(Truth(steepness=6.0, n_points=6), 6, place)
    found = {
        "interval wider than the grid's": placed.width > 1.25 * grid.width,
        "errors larger than the grid's": placed.rmse > 1.25 * grid.rmse,
        "saves less than 2.5 times": grid.trials < 2.5 * placed.trials,
        "coverage": placed.coverage < 0.935 - 3 * math.sqrt(0.05 * 0.95 / placed.n_intervals),
        "biased": abs(placed.bias) > 3 * placed.bias_error + 0.02,
    }
    return [name for name, wrong in found.items() if wrong]


def test_placement_is_as_good_as_the_grid_with_a_fraction_of_its_trials() -> None:
    assert faults(next_sizes) == []


@pytest.mark.parametrize("place", [ignorant, hasty])
def test_planted_placements_are_caught(place) -> None:
    assert "interval wider than the grid's" in faults(place)
    assert "errors larger than the grid's" in faults(place)


@pytest.mark.parametrize("power", [1, 2])
def test_verdicts_on_planted_exponents_are_the_same_in_both_modes(power: int) -> None:
    trials = {Placement.GRID: [drawn(spec, power=power) for spec in PART.specs(FULL)]}
    trials[ADAPTIVE] = list(itertools.chain(*placed(power=power)))
    assert len(trials[ADAPTIVE]) < len(trials[Placement.GRID]) / 2
    for claimed in (1, 2):
        with each_by_itself():
            rows: list[Row] = [row for found in trials.values() for row in PART.judge(claim_of(claimed), found)]
        assert {row.verdict for row in rows} == {Verdict.TIGHT if claimed == power else Verdict.VIOLATED}
        assert all(power - claimed in row.judgement.confidence_interval for row in rows)


# ------------------------------------------------------------------------------------------------------ curves at edges


@pytest.mark.parametrize(("always", "censored"), [(True, "below"), (False, "above")])
def test_a_threshold_beyond_the_grid_is_left_after_few_trials(always: bool, censored: str) -> None:
    counts: dict[int, tuple[int, int]] = {}
    while added := next_sizes([GRID], [counts])[0]:
        for size, number in added.items():
            successes, trials = counts.get(size, (0, 0))
            counts[size] = successes + always * number, trials + number
    assert sum(trials for _, trials in counts.values()) < GRID.budget / 4
    estimate = estimate_threshold(list(counts), [s for s, _ in counts.values()], [t for _, t in counts.values()])
    assert estimate.censored == censored


def test_success_that_does_not_depend_on_the_size_uses_the_budget_and_is_said_to() -> None:
    generator = np.random.default_rng(5)
    counts: dict[int, tuple[int, int]] = {}
    while added := next_sizes([GRID], [counts])[0]:
        for size, number in added.items():
            successes, trials = counts.get(size, (0, 0))
            counts[size] = successes + int(generator.binomial(number, 0.5)), trials + number
    assert sum(trials for _, trials in counts.values()) <= GRID.budget
    estimate = estimate_threshold(list(counts), [s for s, _ in counts.values()], [t for _, t in counts.values()])
    assert estimate.value is None
    assert "no dependence" in estimate.reason


def test_one_size_has_nothing_to_place() -> None:
    design = CurveDesign((100,), 20)
    assert next_sizes([design], [{}]) == [{100: 20}]
    assert next_sizes([design], [{100: (3, 20)}]) == [{}]


@functools.cache
def certain() -> dict[int, tuple[int, int]]:
    return {size: (0 if size < 200 else 20, 20) for size in GRID.sizes}


def test_the_posterior_finds_the_step_of_a_separable_curve() -> None:
    known = belief(GRID, certain())
    assert math.log(128) < known.mean < math.log(256)
    assert known.deviation < math.log(2) / 2
    assert next_sizes([GRID], [certain()]) == [{}]


def test_every_threshold_part_can_begin_and_its_first_round_is_part_of_its_grid() -> None:
    parts = [part for check in discover().values() for part in check.parts if isinstance(part, Threshold)]
    assert parts
    for part, preset in itertools.product(parts, Preset):
        first = part.next_round(preset, (), ADAPTIVE)
        assert {spec.identity for spec in first} <= {spec.identity for spec in part.specs(preset)}
        assert bool(first) is bool(part.specs(preset))
        assert [len(stage.specs) for stage in walk(part, preset, ADAPTIVE, lambda specs: {})] == (
            [len(first)] if first else []
        )
