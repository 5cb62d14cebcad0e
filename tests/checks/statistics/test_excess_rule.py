"""The order of an excess over an unknown offset is judged like any other, and left open where it cannot be told."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from checks.statistics.judge import judge_excess, judge_scaling
from checks.statistics.verdict import Judgement, Verdict

N = np.geomspace(10.0, 1e5, 9)


def drawn(truth: np.ndarray, noise: float = 0.01, runs: int = 5) -> np.ndarray:
    return truth[:, None] * np.exp(noise * np.random.default_rng(0).standard_normal((len(truth), runs)))


def judged(samples: np.ndarray, exponent: float, relation: str = "tight", **asked) -> Judgement:
    return judge_excess(N, samples, exponent, relation=relation, margin=0.25, checkpoints=False, **asked)


def test_the_excess_is_told_where_the_line_is_not() -> None:
    """1.7 + 4 n^-1/2: a line through logarithms has neither that slope nor any other."""
    samples = drawn(1.7 + 4 * N**-0.5)
    line = judge_scaling(N, samples, N**-0.5, relation="tight", margin=0.25)
    assert line.verdict is not Verdict.TIGHT
    assert judged(samples, -0.5).verdict is Verdict.TIGHT
    assert judged(samples, -1.0, "upper").verdict is Verdict.VIOLATED
    assert judged(samples, -1.0, "lower").verdict is Verdict.LOOSE


def test_a_limit_at_zero_turns_the_axis() -> None:
    found = judge_excess(1 / N, drawn(1.7 + 4 * N**-0.5), 0.5, relation="tight", margin=0.25, toward="zero")
    assert found.verdict is Verdict.TIGHT
    assert found.delta == pytest.approx(0.0, abs=0.1)


def test_another_law_and_no_law_are_left_open() -> None:
    wave = 1.7 + 4 * N**-0.5 * (1 + 0.05 * np.sin(3 * np.log(N)))
    found = judged(drawn(wave, noise=0.002), -0.5)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "no such law: points scatter about the law" in found.reason
    assert judged(drawn(np.full(9, 1.7)), -0.5).verdict is Verdict.INCONCLUSIVE


def test_an_exponent_that_drifts_toward_the_limit_is_left_open() -> None:
    """Two powers of like size look like one power over another offset; without the first points they do not."""
    found = judged(drawn(1.7 + 40 * N**-1.2 + 0.4 * N**-0.2, noise=0.001), -1.2)
    assert found.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"claimed_exponent": float("nan")}, "claimed_exponent must be a finite number"),
        ({"toward": 3.0}, "toward must be 'infinity' or 'zero' for an excess"),
        ({"samples": -np.ones((9, 2))}, "samples must be finite and > 0"),
        ({"axis": N[:4], "samples": np.ones((4, 2))}, "at least 5 different values"),
    ],
)
def test_what_it_cannot_use_is_refused(change: dict, message: str) -> None:
    asked = {"axis": N, "samples": drawn(1.7 + N**-0.5), "claimed_exponent": -0.5, **change}
    with pytest.raises(ValueError, match=message):
        judge_excess(**asked, relation="tight", margin=0.25)


SHORT = np.array([10.0, 14.0, 20.0, 28.0, 40.0, 56.0, 80.0, 160.0])
SHIFTED = [
    ("0.5 + 2 / (n + 10)", lambda n: 0.5 + 2 / (n + 10), SHORT, (-1.0, -0.5), 0.01, 0.25),
    ("least squares", lambda n: 1 + 10 / (n - 11), 2 * SHORT, (-1.0, -1.75), 0.03, 0.25),
    ("0.5 + 2 / (n + 5)", lambda n: 0.5 + 2 / (n + 5), SHORT, (-1.0,), 0.01, 0.125),
    ("0.5 + n^-1/2 + 2 / n", lambda n: 0.5 + n**-0.5 + 2 / n, 1.6 * SHORT, (-0.75,), 0.01, 0.125),
]


@pytest.mark.parametrize(("law", "sizes", "claimed", "noise", "margin"), [each[1:] for each in SHIFTED])
def test_an_axis_that_is_shifted_is_taken_for_no_other_power(law, sizes, claimed, noise, margin) -> None:
    """The first claim is true and was violated in half of these and more, the others are false and were tight."""
    for seed, power in itertools.product(range(3), claimed):
        rows = law(sizes)[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((8, 10)))
        found = judge_excess(sizes, rows, power, relation="tight", margin=margin)
        assert found.verdict is not (Verdict.VIOLATED if power == -1.0 else Verdict.TIGHT)


def test_another_law_that_fits_is_named_with_its_exponent() -> None:
    rows = (0.5 + 2 / (SHORT + 10))[:, None] * np.exp(0.01 * np.random.default_rng(0).standard_normal((8, 10)))
    found = judge_excess(SHORT, rows, -1.0, relation="tight", margin=0.25)
    assert re.search(r"E \+ A \(x \+ \d+\)\^-alpha fits as well, with alpha = ", found.reason)


def test_advice_for_a_shift_that_fits_as_well_names_what_can_be_done() -> None:
    """It named a shift that is known, which neither the rule nor the part `Excess` takes."""
    rows = (0.5 + 2 / (SHORT + 10))[:, None] * np.exp(0.01 * np.random.default_rng(0).standard_normal((8, 10)))
    found = judge_excess(SHORT, rows, -1.0, relation="tight", margin=0.25)
    assert "where the offset is known, what lies beyond it, judged as an order against the formula with its shift" in (
        found.reason
    )
    beyond = judge_scaling(SHORT, rows - 0.5, 1 / (SHORT + 10), relation="tight", margin=0.25)
    assert beyond.verdict is Verdict.TIGHT


LONG = np.geomspace(10.0, 1000.0, 9)
SUM = 1 + LONG**-0.5 + 5 / LONG


def over_two_decades(law: np.ndarray, claimed: float, seed: int, relation: str = "tight", **asked) -> Judgement:
    rows = law[:, None] * np.exp(0.01 * np.random.default_rng(seed).standard_normal((len(law), 5)))
    sizes = 1 / LONG if asked else LONG
    return judge_excess(sizes, rows, claimed, relation=relation, margin=0.25, checkpoints=False, **asked)


@pytest.mark.parametrize("asked", [{}, {"toward": "zero"}])
def test_two_powers_are_taken_for_no_power_between_them(asked: dict) -> None:
    """1 + x^-1/2 + 5 / x looks like x^-0.8 over two decades: tight in 16 of 20, and an upper bound held."""
    for seed, relation in itertools.product(range(4), ("tight", "upper")):
        found = over_two_decades(SUM, 0.8 if asked else -0.8, seed, relation, **asked)
        assert found.verdict is Verdict.INCONCLUSIVE


def test_two_powers_that_fit_are_named_and_the_faster_one_accuses_nothing() -> None:
    """The exponent seen, -0.8, is beyond the margin from the one that leads in the limit."""
    found = [over_two_decades(SUM, -0.8, seed).reason for seed in range(4)]
    assert any("E + A x^-0.5 + B x^-1 fits" in reason for reason in found)
    assert all(over_two_decades(SUM, -0.5, seed).verdict is not Verdict.VIOLATED for seed in range(4))


def test_one_power_keeps_its_verdicts_beside_sums() -> None:
    """Where the faster term of a sum fits alone and says the same, the points do not ask for a slower one."""
    for exponent, prefactor in ((-0.5, 3.0), (-1.0, 20.0)):
        law = 1 + prefactor * LONG**exponent
        found = [over_two_decades(law, exponent, seed).verdict for seed in range(4)]
        assert found.count(Verdict.TIGHT) >= 3
    assert over_two_decades(1 + 20 / LONG, -0.5, 0).verdict is Verdict.VIOLATED
