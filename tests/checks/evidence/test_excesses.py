"""What a quantity has beyond an offset that nobody knows: what passes, what is told apart, what is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import sympy as sp

from checks.evidence import excesses
from checks.evidence.excesses import Excess
from checks.evidence.sampled import Scaling
from checks.evidence.validation import part_problems
from checks.mutation.statements import mutants_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics import delta_rule
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
n = sp.Symbol("n", positive=True)
SIZES = [10, 30, 100, 300, 1000, 3000, 10000]
OFFSET = 1.7
HALF = sp.Rational(-1, 2)


def claim_of(power: sp.Expr = HALF, kind: Kind = Kind.TIGHT, **changes) -> Claim:
    stated = {
        "id": "nobody.loss",
        "source": Source("nobody", "nowhere"),
        "kind": kind,
        "statement": "The loss has n^power beyond its irreducible part.",
        "observable": "loss",
        "evidence": (Evidence.MEASURED,),
        "axes": (Axis(n),),
        "value": n**power,
        "margin": sp.Rational(1, 4),
    }
    return Claim(**{**stated, **changes})


def part_of(kind: type = Excess, **changes) -> Excess:
    stated = {
        "name": "loss",
        "symbol": n,
        "parameter": "n_samples",
        "symbols": {"n_samples": n},
        "observable": "loss",
        "sweeps": {Preset.SMOKE: (Sweep(SYSTEM, grid(n_samples=SIZES), {}, 6),)},
    }
    return kind(**{**stated, **changes})


def trials_of(part: Excess, power: float = -0.5, *, offset: float = OFFSET, noise: float = 0.002) -> list[Trial]:
    found = []
    for spec in part.specs(Preset.SMOKE):
        drawn = np.random.default_rng(spec.seed).standard_normal()
        loss = (offset + 4 * spec.parameters["n_samples"] ** power) * np.exp(noise * drawn)
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {"loss": float(loss)}), 0.5))
    return found


def only(rows: list[Row]) -> Row:
    (row,) = rows
    return row


def test_the_exponent_beyond_an_offset_passes_where_a_line_accuses() -> None:
    part, line = part_of(), part_of(Scaling)
    found = only(part.judge(claim_of(), trials_of(part)))
    assert found.verdict is Verdict.TIGHT
    assert abs(found.judgement.delta) < 0.1
    assert found.display.quantity.startswith("loss beyond its offset, 1.")
    assert only(line.judge(claim_of(), trials_of(line))).verdict is not Verdict.TIGHT


@pytest.mark.parametrize(
    ("claimed", "kind", "verdict"),
    [
        (sp.Integer(-1), Kind.TIGHT, Verdict.VIOLATED),
        (sp.Integer(-1), Kind.UPPER, Verdict.VIOLATED),
        (sp.Rational(-1, 8), Kind.UPPER, Verdict.LOOSE),
        (sp.Rational(-1, 8), Kind.LOWER, Verdict.VIOLATED),
    ],
)
def test_other_exponents_are_told(claimed: sp.Expr, kind: Kind, verdict: Verdict) -> None:
    part = part_of()
    assert only(part.judge(claim_of(claimed, kind), trials_of(part))).verdict is verdict


def test_a_wrong_offset_in_the_simulator_moves_nothing_and_a_wrong_power_does() -> None:
    part = part_of()
    assert only(part.judge(claim_of(), trials_of(part, offset=3.4))).verdict is Verdict.TIGHT
    assert only(part.judge(claim_of(), trials_of(part, power=-1.0))).verdict is Verdict.VIOLATED


def test_a_power_between_two_halves_is_not_told_from_their_sum() -> None:
    """n^-0.9 looks like A n^(-1/2) + B / n, of which the claim n^(-1/2) would be right."""
    part = part_of()
    assert only(part.judge(claim_of(), trials_of(part, power=-0.9))).verdict is Verdict.INCONCLUSIVE


def test_points_are_what_lies_beyond_the_offset_beside_the_claim() -> None:
    """Its noise is 1 % of the loss, so of the excess at n = 100, 0.4, it is 5 %."""
    part = part_of()
    row = only(part.judge(claim_of(), trials_of(part)))
    assert [point.bound for point in row.points] == pytest.approx([4 * m**-0.5 for m in SIZES], rel=0.1)
    assert [point.measured for point in row.points][:4] == pytest.approx([4 * m**-0.5 for m in SIZES][:4], rel=0.1)
    assert row.judgement.exponents.prefactor == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize(
    ("value", "sizes", "loss", "words"),
    [
        (1 / sp.sqrt(n), SIZES[:3], 1.0, "an offset and a power need"),
        (sp.log(n) / n, SIZES, 1.0, "the claim is no power of n"),
        (1 / sp.sqrt(n), SIZES, -1.0, "loss must be > 0 in every run"),
    ],
)
def test_what_cannot_be_told_is_open(value: sp.Expr, sizes: list[int], loss: float, words: str) -> None:
    part = part_of(sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(n_samples=sizes), {}, 6),)})
    trials = [
        dataclasses.replace(trial, result=TrialResult(Outcome.CONVERGED, {"loss": loss * trial.number("loss")}))
        for trial in trials_of(part)
    ]
    row = only(part.judge(claim_of(value=value), trials))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert words in row.judgement.reason


def test_it_asks_for_as_many_sizes_as_the_rule() -> None:
    assert excesses.MIN_POINTS == delta_rule.MIN_POINTS


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ValueError, match="noise must be 'relative' or 'absolute', got 'none' for part 'loss'"):
        part_of(noise="none")
    explicit = claim_of(kind=Kind.EXPLICIT_UPPER)
    assert any("Excess" in problem for problem in part_problems(explicit, part_of()))


def test_planted_falsehoods_near_the_claim_are_caught() -> None:
    found = list(mutants_of(part_of(), claim_of(), Preset.SMOKE))
    assert found
    assert all(mutant.killed for mutant in found if not mutant.equivalent)
