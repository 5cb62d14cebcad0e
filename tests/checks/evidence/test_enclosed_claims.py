"""An accusation over hidden constants stands only where enclosures settle it for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sympy as sp

from checks.evidence import comparison
from checks.evidence.comparison import Candidate, profile, scan
from checks.statistics.judge import judge_exact, judge_explicit, judge_scaling
from checks.statistics.verdict import Judgement, Verdict
from theory.claim import Axis, Claim, Constant, Evidence, Kind, Source

n, c = sp.symbols("n c", positive=True)
N = np.array([4.0, 8.0, 16.0, 32.0, 64.0])
GRID = [{n: sp.Integer(int(size))} for size in N]


def claimed(kind: Kind, value: sp.Expr, low: object, high: object) -> Claim:
    return Claim(
        id="X.constant", source=Source("none", "eq. (1)"), kind=kind, statement="A claim.", observable="q",
        evidence=(Evidence.MEASURED,), axes=(Axis(n),), value=value,
        constants=(Constant(c, sp.sympify(low), sp.sympify(high)),),
    )  # fmt: skip


def drawn(truth: np.ndarray, seed: int = 0) -> np.ndarray:
    return truth[:, None] * (1 + 0.02 * np.random.default_rng(seed).standard_normal((len(truth), 25)))


def judged(claim: Claim, samples: np.ndarray) -> Judgement:
    def judge(candidate: Candidate) -> Judgement:
        bounds: Sequence[float] = [candidate.bound(i) for i in range(len(N))]
        if claim.kind is Kind.EXACT:
            return judge_exact(samples, bounds, margin=0.05, independent=True)
        if claim.kind.is_explicit:
            return judge_explicit(samples, bounds, relation=comparison.relation_of(claim.kind), independent=True)
        return judge_scaling(N, samples, bounds, relation=comparison.relation_of(claim.kind), margin=0.1)

    candidates = scan(claim, GRID, axis=claim.axes[0])
    return profile(claim, judge, candidates, list(samples.mean(axis=1)))[0]


def test_a_true_claim_between_the_nodes_is_not_accused():
    claim = claimed(Kind.EXACT, 2 * (1 + c / n), 0, 60)
    assert judged(claim, drawn(2 * (1 + 12 / N))).verdict is not Verdict.VIOLATED


SPIKE = 1 + 100 * sp.exp(-((1000 * (c - sp.Rational(1, 3))) ** 2))
"""Large in a sliver of [0, 1] that no node and no search comes near."""
SLOWLY = n ** sp.Rational(1, 100)


@pytest.mark.parametrize("kind", [Kind.EXPLICIT_UPPER, Kind.EXACT])
def test_a_claim_that_a_sliver_of_the_range_saves_is_left_open(kind):
    found = judged(claimed(kind, SPIKE * SLOWLY, 0, 1), drawn(np.full(5, 50.0)))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "not shown to be for all c in [0, 1]" in found.reason


def test_an_order_that_a_sliver_of_the_range_saves_is_left_open():
    value = n ** -(1 - sp.exp(-((1000 * (c - sp.Rational(1, 3))) ** 2)))
    found = judged(claimed(Kind.UPPER, value, 0, 1), drawn(np.ones(5)))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "not shown" in found.reason


@pytest.mark.parametrize(
    ("kind", "value", "truth"),
    [
        (Kind.EXPLICIT_UPPER, (1 + c * (1 - c)) * (1 + 1 / n), 2 + 0 * N),
        (Kind.EXPLICIT_LOWER, 3 + c / n, 2 + 0 * N),
        (Kind.EXACT, 2 * (1 + c / n), 1 + 0 * N),
        (Kind.UPPER, n ** (c / 4), N**0.9),
        (Kind.LOWER, n ** (c / 4), N**-0.9),
        (Kind.TIGHT, sp.log(n + c), N**-0.9),
        (Kind.TIGHT, (n + c) ** sp.Rational(1, 3), N**1.5),
    ],
)
def test_a_false_claim_is_accused_for_all_constants(kind, value, truth):
    found = judged(claimed(kind, value, 0, 1), drawn(truth))
    assert found.verdict is Verdict.VIOLATED
    assert "enclosed and violated for all c in [0, 1]" in found.reason


def test_a_claim_without_an_enclosure_is_left_open():
    found = judged(claimed(Kind.EXPLICIT_UPPER, SLOWLY + sp.besselj(0, c) ** 2, 0, 1), drawn(np.full(5, 50.0)))
    assert found.verdict is Verdict.INCONCLUSIVE
