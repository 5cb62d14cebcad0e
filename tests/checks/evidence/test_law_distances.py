"""The order at which a law nears its limit: a right one is met, wrong ones are violated, noise alone says nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from checks.evidence.law_distances import LawDistance
from checks.evidence.validation import part_problems
from checks.mutation.statements import mutants_of
from checks.planning.axis_experiments import DistanceExperiment
from checks.planning.experiments import experiment_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.distances import _gap, gap_and_limits, kolmogorov_distance
from checks.statistics.verdict import Plan, Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, Trial, TrialResult
from tests.checks.evidence.test_limit_laws import NORMAL, claim_of, d, mu, part_of, x
from theory.claim import Claim, Kind

SIZES = [2, 4, 8, 16, 32]
ROOT = claim_of(d ** sp.Rational(-1, 2), kind=Kind.TIGHT, observable="Kolmogorov distance of the mean from a normal")
FAST = replace(ROOT, kind=Kind.UPPER, value=1 / d)


def distance_part(replicates: int = 10, **changes) -> LawDistance:
    law = part_of()
    asked = {name: getattr(law, name) for name in ("symbol", "parameter", "symbols", "observable", "variable", "drawn")}
    sweeps = {
        Preset.SMOKE: (Sweep(law.sweeps[Preset.SMOKE][0].system, grid(dimension=SIZES, ratio=[2.0]), {}, replicates),)
    }
    stated = {**asked, "name": "mean", "quantity": law.quantity, "law": NORMAL, "sweeps": sweeps}
    return LawDistance(**{**stated, **changes})


def trials_of(part: LawDistance, *, draws: int = 4000, seed: int = 0, normal: bool = False) -> list[Trial]:
    """Means of d exponentials of mean 2, or of as many normals: nearer by d^-1/2, and not at all apart."""
    found = []
    for index, spec in enumerate(part.specs(Preset.SMOKE)):
        size, rng = int(spec.parameters["dimension"]), np.random.default_rng([seed, index])
        mean = rng.normal(2, 2 / math.sqrt(size), draws) if normal else rng.gamma(size, 2.0 / size, draws)
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {}, {"mean": mean}), 0.1))
    return found


def judged(claim: Claim, **made: object) -> Row:
    part = distance_part()
    (row,) = part.judge(claim, trials_of(part, **made))
    return row


def test_the_rate_of_berry_and_esseen_is_met_and_a_faster_one_violated() -> None:
    row = judged(ROOT)
    assert row.verdict is Verdict.TIGHT
    assert row.points[0].measured == pytest.approx(0.0938, abs=0.01)  # of two exponentials, by their exact law
    assert judged(FAST).verdict is Verdict.VIOLATED
    assert judged(replace(ROOT, value=1 / d)).verdict is Verdict.VIOLATED
    assert judged(replace(ROOT, kind=Kind.LOWER, value=d**-2)).verdict is not Verdict.VIOLATED
    assert judged(replace(ROOT, kind=Kind.LOWER, value=d ** sp.Rational(1, 2))).verdict is Verdict.VIOLATED
    slow = judged(replace(ROOT, kind=Kind.LOWER, value=d ** sp.Rational(-1, 10)))
    assert slow.verdict is Verdict.INCONCLUSIVE  # d^-0.4 over so few sizes: a ratio that falls to a limit fits as well
    assert "may near a limit" in slow.judgement.reason


def test_draws_of_the_law_itself_have_no_distance_and_accuse_nothing() -> None:
    for claim in (ROOT, FAST):
        row = judged(claim, normal=True)
        assert row.verdict is Verdict.INCONCLUSIVE
        assert {point.censored for point in row.points} == {"below"}


def test_draws_of_a_trial_each_ask_for_one_distribution_function_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    made, makes = [], LawDistance.function
    monkeypatch.setattr(LawDistance, "function", lambda self, *asked: made.append(asked) or makes(self, *asked))
    part, rng = distance_part(replicates=50), np.random.default_rng(0)
    trials = [
        Trial(spec, TrialResult(Outcome.CONVERGED, {"mean": rng.gamma(2)}), 0.1) for spec in part.specs(Preset.SMOKE)
    ]
    levels = part.levels_by(part.law, trials[::-1], of="it")[::-1]
    assert len(made) == len(SIZES)
    alone = [makes(part, part.law, part.point(trial))(np.array([trial.number("mean")])) for trial in trials]
    np.testing.assert_array_equal(levels, alone)


def test_runs_of_any_length_have_the_gap_that_one_by_one_they_have() -> None:
    rng = np.random.default_rng(0)
    runs = [rng.random(count) for count in (1, 4, 2, 9, 1, 3, 3, 5, 2)]
    for is_above in (True, False):
        inside = np.array([sum(draw <= runs[1][0] if is_above else draw < runs[1][0] for draw in run) for run in runs])
        share, off = inside.sum() / 30, inside - inside.sum() / 30 * np.array([len(run) for run in runs])
        gap, variance = _gap(runs, (float(runs[1][0]), is_above))
        assert gap == pytest.approx(abs(share - runs[1][0]) * np.sign(gap))
        assert variance >= off @ off / 900 * 9 / 8 - 1e-15


def test_few_draws_leave_it_open() -> None:
    assert judged(FAST, draws=20).verdict is Verdict.INCONCLUSIVE


def levels(rng: np.random.Generator, distance: float, shape: tuple[int, int]) -> np.ndarray:
    """Draws whose distribution function is u + 4 D u (1 - u): farthest at the middle, by D."""
    slope = 4 * distance
    return (1 + slope - np.sqrt((1 + slope) ** 2 - 4 * slope * rng.random(shape))) / (2 * slope)


def test_a_distance_is_nearer_than_the_largest_gap_and_its_error_is_that_of_repetitions() -> None:
    rng = np.random.default_rng(3)
    drawn = [levels(rng, 0.06, (4, 1500)) for _ in range(300)]
    found = [kolmogorov_distance(runs) for runs in drawn]
    values = np.array([estimate.value for estimate in found if estimate.value])
    assert len(values) > 290
    gaps = np.array([gap_and_limits(runs.ravel(), 0.95)[0] for runs in drawn])
    assert abs(values.mean() - 0.06) < 0.0025 < gaps.mean() - 0.06
    error = np.median([estimate.standard_error for estimate in found if estimate.value]) * 0.06
    assert values.std() == pytest.approx(error, rel=0.2)


def test_runs_that_share_something_have_the_error_of_their_own_scatter() -> None:
    rng = np.random.default_rng(4)
    shared = np.clip(levels(rng, 0.1, (40, 250)) + 0.1 * rng.standard_normal((40, 1)), 0, 1)
    alone = kolmogorov_distance(levels(rng, 0.1, (40, 250))).standard_error
    assert kolmogorov_distance(shared).standard_error > 2 * alone


@pytest.mark.parametrize("runs", [[], [np.array([])]])
def test_no_draws_are_no_distance(runs: Sequence[np.ndarray]) -> None:
    assert kolmogorov_distance(runs).value is None


def test_planted_orders_are_found() -> None:
    part = distance_part(2)
    found = {mutant.falsehood: mutant for mutant in mutants_of(part, ROOT, Preset.SMOKE)}
    assert {mutant.honest for mutant in found.values()} == {Verdict.TIGHT}
    for name in ("half a power slower", "half a power faster", "one power faster"):
        assert found[name].judgement.verdict is Verdict.VIOLATED, name


def test_a_plan_says_how_many_draws_decide() -> None:
    part = distance_part()
    trials = trials_of(part, draws=400)
    (row,) = part.judge(ROOT, trials)
    experiment = experiment_of(part, ROOT, row, trials)
    assert isinstance(experiment, DistanceExperiment)
    (_, (right, wrong)) = experiment.truths()[-1]
    few, many = (min(experiment.power(Plan(5, count), truth, 20) for truth in (right, wrong)) for count in (10, 200))
    assert few < 0.5 < many
    nothing = trials_of(part, normal=True)
    (row,) = part.judge(ROOT, nothing)
    assert (
        experiment_of(part, ROOT, row, nothing) == "no distance is told from 0: it needs more draws, or smaller sizes"
    )


def test_what_is_no_law_and_letters_that_nothing_gives_are_refused() -> None:
    part = distance_part(law=2 * NORMAL)
    with pytest.raises(ValueError, match="law of part 'mean' must be a distribution function"):
        part.judge(ROOT, trials_of(part))
    assert list(part_problems(ROOT, distance_part())) == []
    (problem,) = part_problems(claim_of(), distance_part())
    assert problem.startswith("LawDistance judges tight, upper, lower, got kind limit")
    left = distance_part(law=NORMAL.subs(x, x / mu), symbols={"dimension": d})
    with pytest.raises(ValueError, match="got gamma left over"):
        left.judge(ROOT, trials_of(left))
