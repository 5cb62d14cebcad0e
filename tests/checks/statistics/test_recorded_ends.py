"""Budgets written down as values and floors of a measurement do not pass for measurements."""

from __future__ import annotations

import numpy as np
import pytest

from checks.calibration.grid import all_cells
from checks.calibration.measure import run_block, summarise
from checks.calibration.page import wrong
from checks.statistics.judge import judge_scaling
from checks.statistics.recorded_runs import find_pile
from checks.statistics.verdict import Judgement, Verdict

AXIS = np.geomspace(1.0, 32.0, 7)


def drawn(truth: np.ndarray, *, noise: float, n_replicates: int = 20, seed: int = 0) -> np.ndarray:
    return truth[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((len(truth), n_replicates)))


def judged(samples: np.ndarray, claimed: np.ndarray, relation: str = "tight", **options) -> Judgement:
    return judge_scaling(AXIS, samples, claimed, relation=relation, margin=0.25, **options)


@pytest.mark.parametrize("jitter", [0.0, 1e-3])
def test_a_budget_recorded_as_a_value_is_told_from_values(jitter: float) -> None:
    samples, budget = drawn(AXIS, noise=1.0, n_replicates=50), 12.0
    written = np.where(
        samples > budget, budget * (1 + jitter * np.random.default_rng(1).random(samples.shape)), samples
    )
    pile = find_pile(written)
    assert pile is not None
    assert pile.largest
    assert pile.runs == (samples > budget).sum()
    assert find_pile(samples) is None
    # What was measured violates sqrt(axis); what was written down looks tight.
    below = judged(written, AXIS**0.5, "upper")
    assert judged(samples, AXIS**0.5, "upper").verdict is Verdict.VIOLATED
    assert below.verdict is Verdict.INCONCLUSIVE
    # It is open for its bend already; a pile about a value is then not worth saying, one at a value is.
    assert (pile.words in below.reason) is (jitter == 0.0)


def test_five_runs_at_a_budget_that_is_met_within_a_hundredth_are_mostly_a_pile() -> None:
    found = []
    for seed in range(40):
        samples, rng = drawn(AXIS, noise=0.3, n_replicates=5, seed=seed), np.random.default_rng(100 + seed)
        written = samples.copy()
        written[-2:] = np.minimum(samples[-2:], AXIS[-2] * np.exp(0.01 * rng.standard_normal((2, 5))))
        found.append((find_pile(written), find_pile(samples)))
    assert sum(pile is not None and pile.largest for pile, _ in found) >= 20  # 11 with the narrower bands of before
    assert all(pile is None for _, pile in found)


def test_a_pile_that_changes_nothing_is_named_and_the_verdict_stands() -> None:
    samples = np.minimum(drawn(AXIS, noise=0.2), 36.0)
    samples[-2, 0] = 36.0
    judgement = judged(samples, AXIS)
    assert judgement.verdict is Verdict.TIGHT
    assert "the largest value, 36, stands" in judgement.reason


@pytest.mark.parametrize("noise", [0.005, 0.1])
@pytest.mark.parametrize("side", ["floor", "ceiling"])
def test_a_flat_end_accuses_nobody(side: str, noise: float) -> None:
    power = -1.0 if side == "floor" else 1.0
    cut = np.maximum if side == "floor" else np.minimum
    own = drawn(np.full(7, AXIS[3] ** power), noise=noise, seed=1)
    judgement = judged(cut(drawn(AXIS**power, noise=noise), own), AXIS**power)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judged(drawn(AXIS**power, noise=noise), AXIS**power).verdict is Verdict.TIGHT


def test_a_claim_that_is_flat_where_the_data_are_is_judged() -> None:
    truth = np.minimum(AXIS, 4.0)
    assert judged(drawn(truth, noise=0.02), truth).verdict is Verdict.TIGHT


def test_what_the_rest_violates_as_well_stays_violated() -> None:
    truth = np.maximum(AXIS**-1.0, AXIS[3] ** -1.0)
    assert judged(drawn(truth, noise=0.02), AXIS**-2.0, "upper").verdict is Verdict.VIOLATED


@pytest.mark.parametrize("seed", range(20))
def test_ordinary_data_show_no_pile(seed: int) -> None:
    assert find_pile(drawn(AXIS, noise=0.2, seed=seed)) is None
    assert find_pile(drawn(np.ones(7), noise=0.02, seed=seed)) is None
    assert find_pile(drawn(AXIS**0.1, noise=0.02, seed=seed)) is None


@pytest.mark.parametrize(
    "name", ["recorded/budget/20/0.3/0.5/upper", "recorded/floor/5/0.0/0.1", "recorded/pasted/1/5"]
)
def test_wrong_verdicts_are_rare(name: str) -> None:
    cell = next(cell for cell in all_cells() if cell.name == name)
    rates = summarise(cell, run_block(cell, 0, 200))
    assert sum(wrong(rates, verdict) or 0.0 for verdict in (Verdict.VIOLATED, Verdict.TIGHT)) <= 0.05 + 0.046
