"""A law in the limit is measured: what converges, what a line says, and laws that are told apart."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from checks.evidence.limit_laws import LEAST_DRAWS, LimitLaw
from checks.evidence.validation import part_problems
from checks.mutation.statements import mutants_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
d, mu = sp.symbols("d gamma", positive=True)
x, y = sp.symbols("x y", real=True)
NORMAL = (1 + sp.erf(x / sp.sqrt(2))) / 2
SIZES = [20, 40, 80, 160, 320]


def claim_of(value: sp.Expr = NORMAL, **changes) -> Claim:
    stated = {
        "id": "nobody.law",
        "source": Source("nobody", "nowhere"),
        "kind": Kind.LIMIT,
        "statement": "The mean of exponentials, centred and scaled, tends to a normal.",
        "observable": "mean",
        "evidence": (Evidence.MEASURED,),
        "axes": (Axis(d),),
        "value": value,
    }
    return Claim(**{**stated, **changes})


def part_of(**changes) -> LimitLaw:
    stated = {
        "name": "mean",
        "symbol": d,
        "parameter": "dimension",
        "symbols": {"dimension": d, "ratio": mu},
        "observable": "mean",
        "variable": x,
        "drawn": y,
        "quantity": sp.sqrt(d) * (y / mu - 1),
        "rate": 0.5,
        "sweeps": {Preset.SMOKE: (Sweep(SYSTEM, grid(dimension=SIZES, ratio=[2.0]), {}, 4),)},
    }
    return LimitLaw(**{**stated, **changes})


def trials_of(part: LimitLaw, *, draws: int = 4000, spread: float = 1.0) -> list[Trial]:
    """Means of d exponentials of mean 2, each trial with so many of them."""
    found = []
    for spec in part.specs(Preset.SMOKE):
        size = int(spec.parameters["dimension"])
        mean = np.random.default_rng(spec.seed).gamma(size, 2.0 / size, draws)
        curves = {"mean": 2 + spread * (mean - 2)}
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {}, curves), 0.5))
    return found


def only(rows: list[Row]) -> Row:
    (row,) = rows
    return row


def test_the_central_limit_holds_though_no_size_is_normal_and_another_scale_is_violated() -> None:
    part = part_of()
    row = only(part.judge(claim_of(), trials_of(part)))
    assert row.verdict is Verdict.HOLDS
    assert row.points[0].low > 0.01  # at d = 20 the mean of exponentials is not normal
    assert row.points[-1].measured < row.points[0].measured
    assert only(part.judge(claim_of(), trials_of(part, spread=1.5))).verdict is Verdict.VIOLATED
    assert "Kolmogorov distance of the limit is at most 0.25" in row.judgement.reason
    evidence = row.judgement.explanation.evidence
    assert (evidence.points, evidence.replicates) == (5, (4, 4))  # sizes, and trials at each: levels and draws are none


def test_a_law_that_is_off_by_less_than_the_tolerance_is_not_accused() -> None:
    part = part_of()
    assert only(part.judge(claim_of(), trials_of(part, spread=1.03))).verdict is not Verdict.VIOLATED


def test_draws_come_as_curves_or_one_a_trial() -> None:
    many = part_of(sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(dimension=[20], ratio=[2.0]), {}, 3),)})
    trials = trials_of(many, draws=1)
    single = [
        Trial(t.spec, TrialResult(Outcome.CONVERGED, {"mean": float(t.result.curves["mean"][0])}), 0) for t in trials
    ]
    assert many.levels_of(claim_of(), trials).tolist() == many.levels_of(claim_of(), single).tolist()
    row = only(many.judge(claim_of(), single))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert f"3 draws at a size are fewer than the {LEAST_DRAWS}" in row.judgement.reason


def test_a_share_of_none_or_all_has_noise_too() -> None:
    part = part_of(levels=(0.001, 0.999), tolerance=0.0001)
    row = only(part.judge(claim_of(), trials_of(part, draws=LEAST_DRAWS // 4)))
    assert row.verdict is Verdict.INCONCLUSIVE


def test_a_plan_counts_trials_and_not_draws() -> None:
    part = part_of(tolerance=0.01)
    row = only(part.judge(claim_of(), trials_of(part, draws=250)))
    assert row.verdict is Verdict.INCONCLUSIVE
    plan = row.judgement.plan  # 64 times the 4 trials a size, and their two further draws: not 64 times 1000 draws
    assert plan is None or plan.n_replicates <= 64 * 4 + 1


def test_a_value_that_is_no_distribution_function_is_refused() -> None:
    part = part_of()
    with pytest.raises(ValueError, match=r"value of nobody\.law must be a distribution function"):
        part.judge(claim_of(2 * NORMAL), trials_of(part))
    with pytest.raises(ValueError, match="got z left over"):
        part.levels_of(claim_of(NORMAL.subs(x, x + sp.Symbol("z"))), trials_of(part))


@pytest.mark.parametrize(
    ("changes", "message"), [({"levels": (0.5, 0.5)}, "levels"), ({"tolerance": 0.0}, "tolerance")]
)
def test_levels_and_tolerance_are_checked(changes, message) -> None:
    with pytest.raises(ValueError, match=message):
        part_of(**changes)


def test_its_own_letter_needs_no_parameter_and_others_do() -> None:
    assert list(part_problems(claim_of(), part_of())) == []
    (problem,) = part_problems(claim_of(NORMAL.subs(x, x / mu)), part_of(symbols={"dimension": d}))
    assert "and gamma left over" in problem


def test_points_outside_the_hypotheses_are_left_out() -> None:
    part = part_of()
    claim = claim_of(regime=(Hypothesis("d > 30", sp.Gt(d, 30)),))
    row = only(part.judge(claim, trials_of(part)))
    assert [point.in_regime for point in row.points] == [False, True, True, True, True]


def test_planted_laws_are_found() -> None:
    found = list(mutants_of(part_of(), claim_of(), Preset.SMOKE))
    assert [mutant.falsehood for mutant in found] == ["the greater of two draws", "the lesser of two draws"]
    assert {mutant.honest for mutant in found} == {Verdict.HOLDS}
    assert {mutant.judgement.verdict for mutant in found} == {Verdict.VIOLATED}
