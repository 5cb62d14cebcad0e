"""The fit of E + A x^-alpha: against scipy on the same likelihood, on planted laws, and where it cannot be had."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from scipy import optimize, stats

from checks.calibration.measure import run_block, summarise
from checks.calibration.offsets import offset_cells
from checks.calibration.strange import autoregression
from checks.statistics import laws
from checks.statistics.judge import judge_scaling
from checks.statistics.laws import fit_offset_power

X = np.geomspace(10.0, 10_000.0, 8)


def drawn(seed: int, *, noise: float = 0.03, runs: int = 4, offset: float = 1.0, alpha: float = 0.5) -> np.ndarray:
    truth = offset + 20 * X**-alpha
    return truth[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((len(X), runs)))


def test_looks_at_one_run_are_taken_for_such_unless_runs_are_their_own() -> None:
    """A curve at twelve checkpoints, errors of 0.8 of the last one: intervals of its residuals miss the offset."""
    x, rng, held = np.geomspace(1, 1000, 12), np.random.default_rng(11), {None: 0, False: 0}
    for _ in range(6):
        curve = (1 + 5 * x**-0.5) * np.exp(0.02 * autoregression(rng.standard_normal((12, 1)), 0.8)[:, 0])
        for said in held:
            held[said] += 1 in fit_offset_power(x, curve[:, None], checkpoints=said).offset.confidence_interval
    assert held[None] == 6 > held[False] + 1


def test_the_example_in_the_documentation_runs() -> None:
    assert doctest.testmod(laws).failed == 0


class Witness:
    """Least squares of log means by scipy, one parameter held: another optimiser, other coordinates, other starts."""

    def __init__(self, samples: np.ndarray) -> None:
        self.y, self.runs = np.log(samples).mean(axis=1), samples.shape[1]

    def squares(self, held: int | None = None, value: float = 0.0) -> float:
        def residuals(free: np.ndarray) -> np.ndarray:
            every = free if held is None else np.insert(free, held, value)
            offset, log_prefactor, alpha = every
            return math.sqrt(self.runs) * (self.y - np.log(offset + np.exp(log_prefactor - alpha * np.log(X))))

        best = math.inf
        for start in ([0.3, 3.0, 0.4], [0.9, 3.5, 0.7], [0.01, 2.0, 0.2]):
            kept = [index for index in range(3) if index != held]
            bounds = np.array([[0.0, np.inf], [-50.0, 50.0], [1e-6, 30.0]])[kept].T
            found = optimize.least_squares(residuals, np.array(start)[kept], bounds=bounds, xtol=1e-13, ftol=1e-13)
            best = min(best, 2 * float(found.cost))
        return best

    def end(self, held: int, inside: float, outside: float, allowed: float) -> float:
        least = self.squares()
        return float(
            optimize.brentq(lambda value: self.squares(held, value) - least - allowed, inside, outside, rtol=1e-4)
        )


@pytest.mark.parametrize(
    ("held", "name", "low", "high"), [(0, "offset", 0.3, 1.4), (1, "prefactor", 2.0, 6.0), (2, "alpha", 0.2, 1.0)]
)
def test_intervals_are_those_of_the_profile_likelihood(held: int, name: str, low: float, high: float) -> None:
    """One run a point, so that the noise is the residual's alone: its quantile is that of F(1, n - 3)."""
    samples = drawn(1, runs=1)
    fit, witness = fit_offset_power(X, samples, checkpoints=False), Witness(samples)
    estimate = getattr(fit, name)
    scaled = math.log if name == "prefactor" else float
    allowed = stats.f.ppf(0.95, 1, len(X) - 3) * witness.squares() / (len(X) - 3)
    middle, interval = scaled(estimate.value), estimate.confidence_interval
    assert witness.squares(held, middle) == pytest.approx(witness.squares(), rel=1e-6)
    assert scaled(interval.low) == pytest.approx(witness.end(held, low, middle, allowed), rel=2e-3)
    assert scaled(interval.high) == pytest.approx(witness.end(held, middle, high, allowed), rel=2e-3)


def test_absolute_noise_is_least_squares_of_the_values() -> None:
    samples = 3.0 + 50 * X[:, None] ** -0.7 + 0.05 * np.random.default_rng(2).standard_normal((8, 3))
    fit = fit_offset_power(X, samples, noise="absolute")
    (offset, prefactor, alpha), _ = optimize.curve_fit(
        lambda x, e, a, p: e + a * x**-p, np.repeat(X, 3), samples.ravel(), p0=(3.0, 40.0, 0.6)
    )
    assert (fit.offset.value, fit.prefactor.value, fit.alpha.value) == pytest.approx(
        (offset, prefactor, alpha), rel=1e-4
    )
    np.testing.assert_allclose(fit.at(X), offset + prefactor * X**-alpha, rtol=1e-4)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_move_nothing(unit: float) -> None:
    here, there = fit_offset_power(X, drawn(3)), fit_offset_power(unit * X, 7 * drawn(3))
    assert there.alpha.confidence_interval.low == pytest.approx(here.alpha.confidence_interval.low, rel=1e-3)
    assert there.alpha.confidence_interval.high == pytest.approx(here.alpha.confidence_interval.high, rel=1e-3)
    assert there.offset.value == pytest.approx(7 * here.offset.value, rel=1e-4)
    assert there.prefactor.value == pytest.approx(7 * here.prefactor.value * unit**here.alpha.value, rel=1e-3)


def test_a_law_that_rises_from_its_offset() -> None:
    fit = fit_offset_power(X, (300 + X**0.7)[:, None] * np.exp(0.01 * np.random.default_rng(4).standard_normal((8, 4))))
    assert 300 in fit.offset.confidence_interval
    assert -0.7 in fit.alpha.confidence_interval


def test_without_an_offset_its_interval_begins_at_zero() -> None:
    fit = fit_offset_power(X, drawn(5, offset=0.0))
    assert fit.offset.confidence_interval.low == 0.0
    assert 0.5 in fit.alpha.confidence_interval


def test_what_does_not_depend_on_x_has_no_exponent() -> None:
    fit = fit_offset_power(X, np.exp(0.1 * np.random.default_rng(6).standard_normal((8, 3))))
    assert "do not show that they depend on x" in fit.reason
    assert (fit.alpha.confidence_interval.low, fit.alpha.confidence_interval.high) == (-math.inf, math.inf)


def test_a_law_that_does_not_fit_is_named() -> None:
    bent = (np.exp(-X / 500) + 0.1)[:, None] * np.exp(0.01 * np.random.default_rng(7).standard_normal((8, 5)))
    assert "times as much as replicates explain" in fit_offset_power(X, bent).reason


def test_rows_and_equal_values_are_pooled() -> None:
    samples = drawn(8)
    apart = fit_offset_power(np.concatenate([X, X]), np.concatenate([samples[:, :1], samples[:, 1:2]]).tolist())
    assert apart == fit_offset_power(X, samples[:, :2])
    ragged = [row[: 1 + index % 4] for index, row in enumerate(samples)]
    fit = fit_offset_power(X, ragged)
    assert (fit.alpha.n_trials, round(fit.alpha.value, 1)) == (20, 0.5)


@pytest.mark.parametrize(
    ("x", "samples", "changes", "words"),
    [
        (X, np.ones((8, 2)), {}, "samples must differ, got 1 everywhere"),
        (X[:4], drawn(0)[:4], {}, "x must have at least 5 different values for three parameters, got 4"),
        (-X, drawn(0), {}, "x must be finite numbers > 0"),
        (X, -drawn(0), {}, "samples must be finite and > 0, none censored"),
        (X, np.full((8, 2), np.inf), {}, "samples must be finite samples .*got inf at index 0"),
        (X, drawn(0).T, {}, "are rows and columns exchanged"),
        (X, drawn(0), {"noise": "loud"}, "noise must be 'relative' or 'absolute', got 'loud'"),
        (X, drawn(0), {"confidence": 0.4}, "confidence must lie in"),
    ],
)
def test_what_cannot_be_fitted_is_refused(x, samples, changes, words) -> None:
    with pytest.raises(ValueError, match=words):
        fit_offset_power(x, samples, **changes)


def test_intervals_cover() -> None:
    cell = next(cell for cell in offset_cells() if cell.name == "offset/alpha/half")
    rates = summarise(cell, run_block(cell, 0, 12))
    assert rates.coverage >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 12)


def test_it_is_named_as_a_rival() -> None:
    x = np.geomspace(16, 4096, 9)
    loss = (0.5 + 8 * x**-0.5)[:, None] * np.exp(0.01 * np.random.default_rng(9).standard_normal((9, 5)))
    assert (
        "the data prefer constant + axis^-0.5 (AICc"
        in judge_scaling(x, loss, 1 / x, relation="tight", margin=0.1).reason
    )
    straight = [
        judge_scaling(
            x,
            x[:, None] ** -0.5 * np.exp(0.02 * np.random.default_rng(seed).standard_normal((9, 5))),
            1 / x,
            relation="tight",
            margin=0.1,
        )
        for seed in range(50)
    ]
    assert not any("constant + axis" in judged.reason for judged in straight)


def test_a_power_without_a_constant_is_not_named_as_one_with() -> None:
    """A free power is the law without its constant: naming it would say that there is one."""
    x = np.geomspace(16, 4096, 13)
    for seed in range(20):
        samples = x[:, None] ** -0.73 * np.exp(0.3 * np.random.default_rng(seed).standard_normal((13, 5)))
        assert "constant + axis" not in judge_scaling(x, samples, 1 / x, relation="tight", margin=0.1).reason
