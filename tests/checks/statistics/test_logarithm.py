"""A ratio of measured / claimed that grows by a logarithm violates an order, and nothing that looks like one does."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest

from checks.statistics import logarithm
from checks.statistics.judge import judge_scaling
from checks.statistics.laws import CLEARLY, preferred_law
from checks.statistics.regression import Noise, points_from_samples
from checks.statistics.verdict import Judgement, Verdict

D = np.geomspace(16.0, 4096.0, 9)


def judged(ratio: Callable[[np.ndarray], np.ndarray], relation: str = "upper", **asked) -> Judgement:
    """d times a ratio, eight runs with noise 0.03, against d."""
    z = np.random.default_rng(2).standard_normal((len(D), asked.pop("runs", 8)))
    samples = (D * ratio(D))[:, None] * np.exp(0.03 * z)
    return judge_scaling(D, samples, D, relation=relation, margin=0.25, checkpoints=False, **asked)


@pytest.mark.parametrize("relation", ["upper", "tight"])
def test_d_log_d_violates_a_claim_of_order_d(relation: str) -> None:
    found = judged(np.log, relation)
    assert found.verdict is Verdict.VIOLATED
    assert found.reason.startswith("by a logarithm: measured / claimed grows as log axis does")
    assert found.plan is None
    assert found.delta is not None
    assert found.delta < 0.25, "the exponent does not say so"


@pytest.mark.parametrize("noise", [0.001, 0.005, 0.02])
@pytest.mark.parametrize("relation", ["upper", "tight"])
def test_sums_of_the_harmonic_series_violate_a_claim_of_order_n(noise: float, relation: str) -> None:
    """H_n = log n + 0.58 + 1/2n: claim x log axis fits it the worse the better the data are."""
    axis = np.round(np.geomspace(64.0, 16384.0, 9))
    sums = axis * np.array([np.sum(1 / np.arange(1, n + 1)) for n in axis])
    found = []
    for seed in range(8):
        samples = sums[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((9, 8)))
        found.append(judge_scaling(axis, samples, axis, relation=relation, margin=0.25, checkpoints=False))
    assert sum("by a logarithm: measured / claimed grows as log axis +0." in one.reason for one in found) >= 5
    assert all(one.verdict in (Verdict.VIOLATED, Verdict.INCONCLUSIVE) for one in found)


@pytest.mark.parametrize(
    "ratio", [lambda n: n**0.05, lambda n: 1 - 8 / n, lambda n: 1 + 8 / n, lambda n: 1 - 0.7 * (n / 16) ** -0.25]
)
def test_a_constant_beside_the_logarithm_accuses_nothing_that_is_bounded(ratio) -> None:
    for noise, runs in ((0.001, 8), (0.02, 40)):
        z = np.random.default_rng(5).standard_normal((len(D), runs))
        found = judge_scaling(
            D, (D * ratio(D))[:, None] * np.exp(noise * z), D, relation="upper", margin=0.25, checkpoints=False
        )
        assert found.verdict is not Verdict.VIOLATED


def test_toward_zero_the_logarithm_is_that_of_the_inverse() -> None:
    z = np.random.default_rng(2).standard_normal((len(D), 8))
    samples = (D * np.log(D))[:, None] * np.exp(0.03 * z)
    found = judge_scaling(1 / D, samples, D, relation="upper", margin=0.25, toward="zero")
    assert found.verdict is Verdict.VIOLATED
    assert "grows as log 1/axis does" in found.reason


@pytest.mark.parametrize(
    "ratio",
    [
        lambda d: d**0.1,
        lambda d: d**0.15,
        lambda d: 1 - 0.7 * (d / 16) ** -0.25,
        lambda d: 1 - 0.9 * (d / 16) ** -0.4,
        lambda d: 1 - 2 / np.log(d),
        lambda d: np.exp(0.3 * np.tanh(np.log(d / 256))),
        lambda d: np.ones_like(d),
    ],
    ids=["d^0.1", "d^0.15", "d^-1/4", "d^-0.4", "1/log d", "S", "the claim"],
)
@pytest.mark.parametrize("relation", ["upper", "tight"])
def test_small_powers_and_bounded_ratios_are_not_called_logarithms(ratio, relation: str) -> None:
    found = judged(ratio, relation)
    assert found.verdict is not Verdict.VIOLATED
    assert "by a logarithm" not in found.reason


def test_the_claim_that_has_the_logarithm_is_tight() -> None:
    z = np.random.default_rng(2).standard_normal((len(D), 8))
    samples = (D * np.log(D))[:, None] * np.exp(0.03 * z)
    assert judge_scaling(D, samples, D * np.log(D), relation="upper", margin=0.25).verdict is Verdict.TIGHT


def test_nothing_is_said_of_lower_bounds_of_single_runs_and_of_runs_that_share_data() -> None:
    assert judged(lambda d: 1 / np.log(d), "lower").verdict is not Verdict.VIOLATED
    assert judged(np.log, runs=1).verdict is not Verdict.VIOLATED
    assert judged(np.log, paired=True).verdict is not Verdict.VIOLATED


FAR = np.geomspace(1e7, 1e13, 9)
"""So far out a logarithm looks like axis^0.05, which is agreement by its exponent."""


def far_out(
    law: Callable,
    claim: np.ndarray = FAR,
    *,
    relation: str = "upper",
    noise: float = 0.02,
    runs: int = 8,
    seed: int = 2,
):
    z = np.random.default_rng(seed).standard_normal((len(FAR), runs))
    samples = (FAR * law(FAR))[:, None] * np.exp(noise * z)
    return judge_scaling(FAR, samples, claim, relation=relation, margin=0.25, checkpoints=False)


@pytest.mark.parametrize("relation", ["upper", "tight"])
def test_a_logarithm_that_is_preferred_and_not_shown_leaves_the_claim_open(relation: str) -> None:
    found = far_out(np.log, relation=relation, noise=0.07)
    assert found.delta == pytest.approx(0.05, abs=0.02)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.reason.startswith("the data prefer claim x log axis, which outgrows the claim; it does not accuse")
    assert "a ratio that rises to a bound fits as well" in found.reason
    assert "perhaps a logarithm more or less: inconclusive" in found.explanation.sentence
    assert "were it a logarithm, 2 to 4 times as many runs on these points would show it" in found.reason


def test_the_runs_said_to_show_a_logarithm_do_and_none_are_named_where_only_a_longer_axis_would() -> None:
    """More trials were advised whatever the axis, where none on it could tell a logarithm from a bounded ratio."""
    grown = [far_out(np.log, noise=0.07 / math.sqrt(4), seed=seed) for seed in range(12)]
    assert sum(one.verdict is Verdict.VIOLATED for one in grown) >= 10
    axis = np.geomspace(1e6, 1e8, 9)
    said = []
    for seed in range(12):
        z = np.random.default_rng(seed).standard_normal((9, 8))
        samples = (axis * np.log(axis))[:, None] * np.exp(0.3 * z)
        found = judge_scaling(axis, samples, axis, relation="upper", margin=0.25, checkpoints=False)
        said += [clause for clause in found.explanation.next.clauses if "a logarithm" in clause.text]
    assert said
    assert all("no number of runs on this axis" in clause.text for clause in said)
    assert all(clause.figures["factor"] > 100 for clause in said)


def test_what_no_logarithm_is_preferred_to_passes() -> None:
    """The claim itself, with its logarithm, and a small power are tight; a bound with a logarithm to spare holds."""
    assert far_out(np.ones_like).verdict is Verdict.TIGHT
    assert far_out(np.log, FAR * np.log(FAR)).verdict is Verdict.TIGHT
    assert far_out(lambda n: n**-0.05).verdict is Verdict.TIGHT
    for found in (far_out(np.ones_like, FAR * np.log(FAR)), far_out(np.log, relation="lower")):
        assert found.verdict is Verdict.HOLDS
        assert "the bound holds, and is not tight" in found.reason


@pytest.mark.parametrize("relation", ["lower", "tight"])
@pytest.mark.parametrize("noise", [0.02, 0.07])
def test_a_logarithm_too_many_in_a_lower_bound_or_an_equality_does_not_pass(noise: float, relation: str) -> None:
    """sqrt(T) data were tight for sqrt(T) log T: the exponent of a logarithm is within the margin."""
    found = far_out(np.ones_like, FAR * np.log(FAR), relation=relation, noise=noise)
    assert abs(found.delta or 1.0) < 0.25
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "the data prefer claim / log axis, which the claim outgrows; it never accuses" in found.reason
    assert "a claim of that order would be decided" in found.reason


@pytest.mark.parametrize("relation", ["lower", "tight"])
@pytest.mark.parametrize("ratio", [lambda d: 1 + 2 / np.sqrt(d), lambda d: 1 + d**-0.25, lambda d: 1 + 16 / d])
def test_a_ratio_that_falls_to_its_limit_is_no_logarithm(ratio, relation: str) -> None:
    """Nine points from 1e4 to 1e8: a claim that is right in the limit keeps its verdict."""
    axis = np.geomspace(1e4, 1e8, 9)
    z = np.random.default_rng(2).standard_normal((len(axis), 8))
    samples = (axis * ratio(axis))[:, None] * np.exp(0.07 * z)
    found = judge_scaling(axis, samples, axis, relation=relation, margin=0.25, checkpoints=False)
    assert found.verdict is Verdict.TIGHT


@pytest.mark.parametrize(
    ("judge", "condition"),
    [
        (lambda: far_out(np.log, runs=1), "the noise is not known well enough"),
        (lambda: far_out(lambda n: np.log(n) * np.exp(0.06 * np.cos(n))), "leaves more of the points than replicates"),
    ],
    ids=["single runs", "scatter"],
)
def test_the_reason_names_the_condition_that_is_not_met(judge: Callable[[], Judgement], condition: str) -> None:
    assert condition in judge().reason


def test_noise_that_hides_the_difference_hides_the_logarithm() -> None:
    z = np.random.default_rng(1).standard_normal((len(D), 5))
    samples = (D * np.log(D))[:, None] * np.exp(0.3 * z)
    assert judge_scaling(D, samples, D, relation="upper", margin=0.25).verdict is not Verdict.VIOLATED


N = np.geomspace(8.0, 4096.0, 9)
NOISES = {"grows": np.linspace(0.02, 0.2, 9), "falls": np.linspace(0.3, 0.05, 9), "is even": np.full(9, 0.15)}


def judged_as_mean(ratio: Callable[[np.ndarray], np.ndarray], noise: str, seed: int = 0, **asked) -> Judgement:
    """n times a ratio, twenty lognormal runs of mean 1, against n as a claim about E[.]."""
    spread = NOISES[noise][:, None]
    factor = np.exp(spread * np.random.default_rng(seed).standard_normal((9, 20)) - spread**2 / 2)
    samples = (N * ratio(N))[:, None] * factor
    return judge_scaling(N, samples, N, relation="upper", margin=0.25, estimand="mean", **asked)


@pytest.mark.parametrize("noise", NOISES)
def test_arithmetic_means_that_grow_by_a_logarithm_violate(noise: str) -> None:
    found = judged_as_mean(np.log, noise)
    assert found.verdict is Verdict.VIOLATED
    assert found.reason.startswith("by a logarithm: ")
    assert ("means are judged" in found.reason) == (noise != "is even")


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    "ratio", [np.ones_like, lambda n: n**0.05, lambda n: 1 - 0.7 * (n / 8) ** -0.25, lambda n: 1 - 1.5 / np.log(n)]
)
def test_arithmetic_means_that_do_not_grow_by_a_logarithm_do_not_violate(ratio, noise: str) -> None:
    for seed in range(3):
        assert judged_as_mean(ratio, noise, seed).verdict is not Verdict.VIOLATED


def test_means_of_runs_that_share_data_are_not_accused_by_a_logarithm() -> None:
    found = judged_as_mean(np.log, "grows", paired=True)
    assert "means are judged" in found.reason
    assert found.verdict is not Verdict.VIOLATED


@pytest.mark.parametrize("spread", [np.ones(9), np.linspace(0.2, 2.0, 9)], ids=["even", "uneven"])
def test_what_noise_leaves_of_points_is_improbable_as_often_as_is_said(spread: np.ndarray) -> None:
    """The curve is the true one, and the variances are those of twelve runs a point."""
    random = np.random.default_rng(5)
    chances = []
    for _ in range(2000):
        runs = spread[:, None] * random.standard_normal((9, 12))
        noise = Noise(runs.var(axis=1, ddof=1) / 12, np.full(9, 11.0))
        squares = logarithm.SumOfSquares(np.ones(9), noise)
        chances.append(squares.chance(runs.mean(axis=1), np.zeros((1, 9))))
    for level in (0.01, 0.05, 0.5):
        assert np.mean(np.array(chances) < level) == pytest.approx(level, abs=3.5 * np.sqrt(level / 2000))


@pytest.mark.parametrize(("law", "parameters"), [("power", 2), ("logarithm", 2), ("constant", 3)])
def test_how_clearly_a_law_is_preferred_is_a_difference_of_aicc(law: str, parameters: int) -> None:
    """By hand: two parameters of a law with its prefactor and the noise, three with a constant as well."""
    x, variance = np.linspace(1.0, 4.0, 10), 0.01
    y = {"power": 0.5 * x, "logarithm": np.log(x), "constant": np.log1p(np.exp(-x))}[law]
    points = points_from_samples(x, y[:, None] + 0.1 * np.array([-1.0, 1.0]))
    assert points.weight_variance == pytest.approx(np.full(10, variance))
    found = preferred_law(points, x, axis_sign=1.0)
    squares = float(np.sum((y - y.mean()) ** 2))

    def aicc(left: float, count: int) -> float:
        spread = max(left / 10, variance)
        return 10 * math.log(spread) + left / spread + 2 * count * 10 / (10 - count - 1)

    if law == "constant":  # so small a term is not worth its parameter
        assert found is None
        assert aicc(squares, 2) < aicc(0.0, parameters) + CLEARLY
        return
    assert found is not None
    assert found.advantage == pytest.approx(aicc(squares, 2) - aicc(0.0, parameters), rel=1e-9)


def test_advice_for_a_logarithm_decides_when_it_is_followed() -> None:
    """Coupons, k (log k + 0.58) draws against k: as many runs as the longer number says show it in most experiments."""
    sizes = np.array([8, 16, 32, 64, 128, 256])

    def drawn(runs: int, seed: int) -> np.ndarray:
        generator = np.random.default_rng(seed)
        return np.array([generator.geometric((k - np.arange(k)) / k, (runs, k)).sum(1) for k in sizes]) * 1.0

    how = {"relation": "tight", "margin": 0.25, "estimand": "mean"}
    decided = asked = 0
    for seed in range(20):
        first = judge_scaling(sizes**2.0, drawn(30, seed), sizes * 1.0, **how)
        found = re.search(r"(\d+) to (\d+) times as many runs on these points", first.reason)
        if first.verdict is Verdict.INCONCLUSIVE and found:
            asked += 1
            more = judge_scaling(sizes**2.0, drawn(30 * int(found[2]), 100 + seed), sizes * 1.0, **how)
            decided += more.verdict is Verdict.VIOLATED
    assert asked >= 10
    assert decided >= 0.8 * asked


def test_where_no_noise_explains_what_a_logarithm_leaves_more_runs_are_no_advice() -> None:
    """A step on top of the logarithm, with so little noise that the step is no chance."""
    sizes = np.geomspace(64, 4096, 7)
    generator = np.random.default_rng(0)
    steps = 1 + 0.04 * np.array([0, 1, 0, 1, 0, 1, 0])
    samples = (sizes * np.log(sizes) * steps)[:, None] * np.exp(generator.normal(0, 0.01, (7, 40)))
    judgement = judge_scaling(sizes, samples, sizes, relation="upper", margin=0.25)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "times as many runs on these points" not in judgement.reason
