"""One policy for every level: what it derives, what it refuses, and that no rule at 99 % uses or prints another one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import special

import theoremeter
from checks.statistics import estimates, judge
from checks.statistics.comparisons import judge_smaller, threshold_ratio
from checks.statistics.laws import linear_look
from checks.statistics.order_rules import judge_unspecified
from checks.statistics.policy import LOOKS, ErrorPolicy, level_words, look_shares, policy_of
from checks.statistics.verdict import Interval, Judgement
from tests.checks.levels import PRINTED, foreign, spied

SIZES = np.array([4.0, 8.0, 16.0, 32.0, 64.0, 128.0])
N, TRIALS = [10, 20, 40, 80, 160], [20] * 5


def test_levels_follow_from_the_policy() -> None:
    policy = ErrorPolicy(0.99, family=10, share=0.2)
    assert policy.interval_confidence == pytest.approx(0.998, abs=1e-15)
    assert policy.equivalence_confidence == pytest.approx(0.996, abs=1e-15)
    assert policy.violation_confidence == pytest.approx(0.9998, abs=1e-15)
    assert policy.each_of(4) == pytest.approx(0.9995, abs=1e-15)
    assert ErrorPolicy().interval_confidence == 0.95  # to the last bit: what was printed stays
    assert ErrorPolicy().violation_confidence == ErrorPolicy().interval_confidence
    assert (ErrorPolicy().power_quantile, ErrorPolicy(power=0.9).power_quantile) == (0.84, 1.28)


def test_the_rules_that_take_a_confidence_or_a_policy_are_those_that_the_page_names() -> None:
    """The page said that every one takes either."""
    taken = {
        name: inspect.signature(getattr(theoremeter, name)).parameters
        for name in dir(theoremeter)
        if name.startswith(("judge_", "estimate_"))
    }
    assert {name for name, asked in taken.items() if "confidence" not in asked} == {"judge_identity", "judge_range"}
    families = ("scaling", "thresholds", "joint", "unspecified", "rates", "limit", "transition", "excess", "rise")
    assert {name for name, asked in taken.items() if "policy" in asked} == {f"judge_{name}" for name in families}
    page = (Path(__file__).parents[3] / "docs" / "python.md").read_text(encoding="utf-8")
    assert "takes one but `judge_identity` and `judge_range`" in page
    assert "in its place to rules of orders, rates, limits, transitions, excesses and rises" in page


@pytest.mark.parametrize("level", [0.05, 0.005])
def test_looks_together_are_wrong_as_often_as_one_may_be(level: float) -> None:
    """By simulated sums of independent parts: up to each look, the level times the root of its share of the data.

    Planted falsehood: every look at the whole level.
    """
    parts = np.diff([0.0, *LOOKS]) ** 0.5 * np.random.default_rng(1).standard_normal((200_000, len(LOOKS)))
    means = np.cumsum(parts, axis=1) / np.sqrt(LOOKS)
    bounds = -special.ndtri(level * np.array(look_shares(level)))
    missed = np.maximum.accumulate(means > bounds, axis=1).mean(axis=0)
    allowed = level * np.array(LOOKS) ** 0.5
    assert np.all(np.abs(missed - allowed) < 4 * np.sqrt(allowed / len(means)))
    assert (means > -special.ndtri(level)).any(axis=1).mean() > 2 * level


def test_an_accusation_at_a_look_has_its_own_share() -> None:
    policy = ErrorPolicy(family=40, look=4)
    assert 1 - policy.violation_confidence == pytest.approx(0.05 / 40 * look_shares(0.05 / 80)[4])
    assert sum(look_shares(1e-6)) < sum(look_shares(0.025))
    with pytest.raises(ValueError, match="look must be None or 0 to 4, got 5"):
        ErrorPolicy(look=5)


@pytest.mark.parametrize("family", [1, 3, 12])
@pytest.mark.parametrize("share", [1.0, 0.5, 0.125])
def test_a_choice_of_constants_shares_the_interval_and_not_the_accusation(family: int, share: float) -> None:
    policy, chosen = ErrorPolicy(family=family), ErrorPolicy(family=family).of_choice(share)
    assert chosen.interval_confidence == pytest.approx(1 - 0.05 * share)
    wanted = max(policy.violation_confidence, chosen.interval_confidence)
    assert chosen.violation_confidence == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize(
    ("level", "words"),
    [(0.95, "95 %"), (0.9, "90 %"), (1 - 0.05 / 12, "99.58 %"), (0.9999667, "99.997 %"), (0.05, "5 %"), (1.0, "100 %")],
)
def test_a_level_is_never_rounded_to_all(level: float, words: str) -> None:
    assert level_words(level) == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"confidence": 95}, r"confidence must lie in \(0.5, 1\), got 95"),
        ({"confidence": 0.5}, "confidence must lie in"),
        ({"confidence": 1 - 1e-16}, "confidence must lie in"),
        ({"confidence": float("nan")}, "confidence must lie in"),
        ({"power": 1.0}, "power must lie in"),
        ({"family": 0.5}, "family must be finite and >= 1, got 0.5"),
        ({"share": 0.0}, r"share must lie in \(0, 1\], got 0"),
    ],
)
def test_levels_that_are_none_are_refused(changes: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ErrorPolicy(**changes)


def test_a_rule_takes_a_confidence_or_a_policy() -> None:
    assert policy_of(0.99, None) == ErrorPolicy(0.99)
    assert policy_of(0.95, ErrorPolicy(0.99, family=3)) == ErrorPolicy(0.99, family=3)
    with pytest.raises(ValueError, match="confidence must be left to the policy"):
        policy_of(0.99, ErrorPolicy())


# ------------------------------------------------------------------------------------------------- everything at 99 %


def noisy(law: np.ndarray, *, seed: int = 0, noise: float = 0.1, replicates: int = 8) -> np.ndarray:
    return law[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((len(law), replicates)))


def curve(shift: float = 1.0, *, clumped: bool = False, **options: bool) -> estimates.Estimate:
    successes = [0, 20, 0, 20, 20] if clumped else [0, 2, 9, 18, 20]
    return estimates.estimate_threshold([shift * n for n in N], successes, TRIALS, confidence=0.99, **options)


def thresholds() -> list[estimates.Estimate]:
    return [curve(size) for size in SIZES]


CENSORED = np.where(noisy(SIZES) > 70, np.inf, noisy(SIZES))
UPPER = {"relation": "upper", "confidence": 0.99}
LINE = {**UPPER, "margin": 0.25}
RULES: dict[str, Callable[[], object]] = {
    "scaling": lambda: judge.judge_scaling(SIZES, noisy(SIZES), SIZES, **LINE),
    "scaling, false": lambda: judge.judge_scaling(SIZES, noisy(SIZES**2), SIZES, **LINE),
    "scaling, open": lambda: judge.judge_scaling(SIZES, noisy(SIZES**1.2, noise=1.0), SIZES, **LINE),
    "scaling, one run a point": lambda: judge.judge_scaling(SIZES, noisy(SIZES, replicates=1), SIZES, **LINE),
    "scaling, bend": lambda: judge.judge_scaling(SIZES, noisy(SIZES + 30, noise=0.01), SIZES, **LINE),
    "scaling, cut off": lambda: judge.judge_scaling(SIZES, CENSORED, SIZES, limit=70, **LINE),
    "scaling, paired": lambda: judge.judge_scaling(SIZES, noisy(SIZES), SIZES, paired=True, **LINE),
    "scaling, lost": lambda: judge.judge_scaling(
        SIZES, np.where(noisy(SIZES) > 140, np.nan, noisy(SIZES)), SIZES, **LINE
    ),
    "joint": lambda: judge.judge_joint(
        {"a": (np.repeat(SIZES, 6), "infinity"), "b": (np.tile(SIZES, 6), "infinity")},
        noisy(np.repeat(SIZES, 6)), np.repeat(SIZES, 6), **LINE,
    ),
    "unspecified": lambda: judge_unspecified(
        SIZES, noisy(SIZES), family="poly", degree=2, margin=0.25, confidence=0.99
    ),
    "thresholds": lambda: judge.judge_thresholds(SIZES, thresholds(), SIZES, **LINE),
    "rates": lambda: judge.judge_rates(
        -1 + 0.1 * np.random.default_rng(0).standard_normal(12), -1.0,
        late_slopes=-1 + 0.1 * np.random.default_rng(1).standard_normal(12), **LINE,
    ),
    "rates, open": lambda: judge.judge_rates(np.random.default_rng(0).standard_normal(9), -1.0, **LINE),
    "rise": lambda: judge.judge_rise(SIZES, thresholds(), confidence=0.99),
    "rise, open": lambda: judge.judge_rise(SIZES, [curve(s) for s in (1, 1.1, 0.9, 1, 1.1, 1)], confidence=0.99),
    "smaller": lambda: judge_smaller([threshold_ratio(curve(), curve(4.0))] * 3, confidence=0.99),
    "behaviour": lambda: judge.judge_behaviour(20, 30, rate=0.9, confidence=0.99),
    "behaviour, open": lambda: judge.judge_behaviour(27, 30, rate=0.9, confidence=0.99),
    "behaviour, none": lambda: judge.judge_behaviour(0, 0, rate=0.9, confidence=0.99),
    "sufficient": lambda: judge.judge_sufficient(30, 30, 5, 9, rate=0.8, confidence=0.99),
    "path": lambda: judge.judge_path_behaviour(SIZES, [0, 2, 5, 9, 9, 9], [10] * 6, rate=0.9, confidence=0.99),
    "fraction": lambda: judge.judge_fraction([[3, 4, 2, 9, 0, 1, 2, 3]], [10], [0.3], **UPPER),
    "fraction, pooled": lambda: judge.judge_fraction([30, 38], [100], [0.4] * 2, **UPPER),
    "explicit": lambda: judge.judge_explicit(noisy(SIZES, replicates=30), SIZES * 1.03, **UPPER),
    "explicit, range": lambda: judge.judge_explicit(
        np.random.default_rng(0).random((2, 30)), [0.6, 0.7], range=(0, 1), **UPPER
    ),
    "exact": lambda: judge.judge_exact(noisy(SIZES, replicates=30), SIZES, margin=0.05, confidence=0.99),
    "paired": lambda: judge.judge_paired(
        0.02 * np.random.default_rng(0).standard_normal(12), low=-0.03, confidence=0.99
    ),
    "excess": lambda: judge.judge_excess(SIZES, noisy(1 + 1 / SIZES, noise=0.01), -1.0, **UPPER, margin=0.25),
    "logarithm": lambda: judge.judge_scaling(
        16 * SIZES, noisy(np.log(16 * SIZES), noise=0.01), np.ones(len(SIZES)), **UPPER, margin=0.25
    ),
    "offset": lambda: judge.fit_offset_power(SIZES, noisy(1 + 1 / SIZES, noise=0.01), confidence=0.99),
    "threshold": curve,
    "threshold, clumped": lambda: curve(clumped=True),
    "threshold, over-dispersed": lambda: curve(overdispersed=True),
    "threshold, nested": lambda: curve(nested=True),
    "steepness": lambda: estimates.common_steepness([(N, [0, 2, 9, 18, 20], TRIALS)] * 2, confidence=0.99),
    "rate": lambda: estimates.success_rate(3, 10, confidence=0.99),
    "geometric mean": lambda: estimates.geometric_mean([1, 2, 3], confidence=0.99),
    "median": lambda: estimates.geometric_mean([1, 2, 3] * 4 + [np.inf], limit=4, confidence=0.99),
    "mean": lambda: estimates.arithmetic_mean([1, 2, 3], confidence=0.99),
    "exponent": lambda: judge.fitted_exponent(SIZES, thresholds(), confidence=0.99),
    "look": lambda: linear_look(SIZES, thresholds(), SIZES, confidence=0.99),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_no_rule_at_99_uses_or_prints_another_level(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with spied(monkeypatch) as asked:
        found = RULES[name]()
    judgements = found.values() if isinstance(found, dict) else [found]
    assert not foreign(asked)
    for one in judgements:
        assert not PRINTED.search(f"{one} {getattr(one, 'reason', '')}")
        if isinstance(one, Judgement) and one.effect.interval_kind != "range" and one.confidence_interval is not None:
            assert one.effect.confidence is not None
            assert one.effect.confidence >= 0.98


def test_the_spy_hears_a_level_that_was_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    with spied(monkeypatch) as asked:
        judge.judge_scaling(SIZES, noisy(SIZES), SIZES, relation="upper", margin=0.25)
    assert foreign(asked)


def test_a_wide_interval_of_two_samples_ends_at_infinity() -> None:
    found = estimates.geometric_mean([1e-9, 1e9], confidence=0.99)
    assert found.confidence_interval == Interval(0.0, np.inf)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        (curve(), estimates.estimate_threshold(N, [0, 2, 9, 18, 20], TRIALS)),
        (curve(overdispersed=True), estimates.estimate_threshold(N, [0, 2, 9, 18, 20], TRIALS, overdispersed=True)),
        (curve(nested=True), estimates.estimate_threshold(N, [0, 2, 9, 18, 20], TRIALS, nested=True)),
    ],
    ids=["profile", "integrated", "nested"],
)
def test_an_interval_at_99_holds_the_one_at_95(wide: estimates.Estimate, narrow: estimates.Estimate) -> None:
    outer, inner = wide.confidence_interval, narrow.confidence_interval
    assert isinstance(outer, Interval)
    assert isinstance(inner, Interval)
    assert wide.value == pytest.approx(narrow.value)
    assert outer.low < inner.low < inner.high < outer.high
    assert wide.standard_error is not None
    assert wide.standard_error > 0.9 * (narrow.standard_error or 0.0)
