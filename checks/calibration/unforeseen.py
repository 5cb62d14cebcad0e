"""Classes of data that were written down before any of them was drawn, once the rules stood.

Most other cells were drawn while rules were made, and a constant or two was chosen by them. No rule was changed for
these, which come in three sets, each written down in full before its first draw: how often they are judged wrongly says
how the rules do on what nobody had in mind. Each is at the margin's edge, where every decided verdict is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import special

from checks.calibration.cells import MARGIN, Array, CellOutcome, Planted, Unseen, none_drawn
from checks.calibration.skewed import NumberRule
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_explicit, judge_fraction, judge_paired, judge_rates, judge_scaling
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Judgement

LOG_SPAN = math.log(32.0)
NOISE = 0.1
WEIBULL = 0.7
"""Shape of the Weibull variables: skewed as exponential ones are, and more."""


class Class(NamedTuple):
    """One experiment on a class, and what its interval should hold."""

    judged: Callable[[np.random.Generator, ErrorPolicy], Judgement]
    target: float
    is_line: bool


@dataclass(frozen=True, kw_only=True)
class UnforeseenCell(Planted):
    """Samples of a class in `CLASSES`."""

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    delta: ClassVar[float] = MARGIN
    relation: ClassVar[str] = "tight"
    kind: str

    @property
    def rule(self) -> DeltaRule:
        """The rule that judges the cell."""
        return (DeltaRule if CLASSES[self.kind].is_line else NumberRule)(self.relation, MARGIN, self.policy)

    @property
    def unseen(self) -> Unseen | None:
        """Experiments that have none of a rare kind of trials."""
        return none_drawn(0.1, 20, "trials") if "one trial in ten" in self.kind else None

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples and judge them."""
        judged, target, _ = CLASSES[self.kind]
        found = judged(rng, self.policy)
        interval = found.confidence_interval
        return CellOutcome(found.verdict, None if interval is None else target in interval, math.nan)


# ---------------------------------------------------------------------------------------------------------------- lines


def _grid(n_points: int) -> Array:
    return np.linspace(0.0, LOG_SPAN, n_points)


def _line(x: Array, logs: Array, policy: ErrorPolicy, *, slope: float = 1.0, alone: bool = False) -> Judgement:
    """Log samples [points, replicates], NaN where there is none, about a line of that slope; `alone` or not said."""
    rows = [np.exp(row[~np.isnan(row)]) for row in logs]
    claimed = np.exp((slope - MARGIN) * x)
    runs = False if alone else None
    return judge_scaling(np.exp(x), rows, claimed, relation="tight", margin=MARGIN, policy=policy, checkpoints=runs)


def _three_campaigns(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(7)
    common = 0.2 * rng.standard_normal(3)[np.arange(7) % 3]
    return _line(x, (x + common)[:, None] + NOISE * rng.standard_normal((7, 5)), policy)


def _loud_in_the_middle(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    noise = NOISE * (1 + 3 * np.exp(-(((np.arange(9) - 4) / 1.5) ** 2)))
    return _line(x, (x + noise * rng.standard_normal(9))[:, None], policy, alone=True)


def _points_of_t3(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(7)
    return _line(x, x[:, None] + NOISE * (rng.standard_t(3, (7, 1)) + rng.standard_normal((7, 5))), policy)


def _two_of_six_columns(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, own = _grid(7), np.array([0.2, 0.2, -0.1, -0.1, -0.1, -0.1])
    return _line(x, x[:, None] * (1 + own) + NOISE * rng.standard_normal((7, 6)), policy)


def _two_digits(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(7)
    values = np.exp(x[:, None] + 0.02 * rng.standard_normal((7, 5)))
    digit = 10.0 ** np.floor(np.log10(values) - 1)
    return _line(x, np.log(np.round(values / digit) * digit), policy)


def _until_precise(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, errors = _grid(7), 0.15 * rng.standard_normal((7, 20))
    for row in errors:
        count = 2
        while count < 20 and row[:count].std(ddof=1) > 0.05 * math.sqrt(count):
            count += 1
        row[count:] = np.nan
    return _line(x, x[:, None] + errors, policy)


def _moving_average(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, fresh = _grid(9), rng.standard_normal((10, 5))
    return _line(x, x[:, None] + NOISE * (fresh[1:] + fresh[:-1]), policy)


def _faster_wave(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    wave = 0.15 * np.sin(2 * math.pi * 1.3 * x / LOG_SPAN + rng.uniform(0, 2 * math.pi))
    return _line(x, (x + wave)[:, None] + NOISE * rng.standard_normal((9, 5)), policy)


_LARGEST_OF_SIX = 1.26721
"""Mean of the largest of six standard normals: without it the others have a mean of minus a fifth of this."""


def _largest_dropped(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, noise = _grid(7), np.geomspace(0.1, 0.4, 7)
    slope = float(np.polyfit(x, x - noise * _LARGEST_OF_SIX / 5, 1)[0])
    kept = np.sort(rng.standard_normal((7, 6)), axis=1)[:, :5]
    return _line(x, x[:, None] + noise[:, None] * kept, policy, slope=slope)


def _levels_and_walks(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(5)
    columns = 0.2 * rng.standard_normal(3) + NOISE * np.cumsum(rng.standard_normal((5, 3)), axis=0)
    return _line(x, x[:, None] + columns, policy)


# The second dozen was written down after shapes were weighed by their evidence and logarithms had a verdict.


def _shaped(truth: Array, x: Array, logs: Array, policy: ErrorPolicy) -> Judgement:
    """Log samples about a truth that is no line, against its slope over the grid."""
    return _line(x, truth[:, None] + logs, policy, slope=float(np.polyfit(x, truth, 1)[0]))


def _cusp(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    truth = x + 0.2 * np.sqrt(np.abs(x - 0.4 * LOG_SPAN))
    return _shaped(truth, x, NOISE * rng.standard_normal((9, 5)), policy)


def _zigzag(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    truth = x + 0.15 * np.array([0, 1, 2, 1, 0, -1, 0, 1, 2]) * (x[1] - x[0])
    return _shaped(truth, x, NOISE * rng.standard_normal((9, 5)), policy)


def _rises_to_a_bound(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    return _shaped(x + np.log1p(-0.7 * np.exp(-x / 3)), x, 0.05 * rng.standard_normal((9, 20)), policy)


def _square_of_a_logarithm(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    truth = 0.3 * np.log(x + 3) - 0.05 * np.log(x + 3) ** 2 + x
    return _shaped(truth, x, 0.03 * rng.standard_normal((9, 20)), policy)


def _walk_of_points(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, steps = _grid(9), 0.08 * np.cumsum(rng.standard_normal((9, 1)), axis=0)
    return _line(x, x[:, None] + steps + NOISE * rng.standard_normal((9, 5)), policy)


def _laplace(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(6)
    return _line(x, x[:, None] + rng.laplace(0.0, NOISE, (6, 3)), policy)


def _crowded_grid(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = np.sort(np.concatenate([[0.0, LOG_SPAN], rng.uniform(0.0, LOG_SPAN, 6)]))
    return _line(x, x[:, None] + 0.1 * rng.standard_normal((8, 1)) + NOISE * rng.standard_normal((8, 4)), policy)


def _one_silent_column(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, logs = _grid(7), 0.2 * rng.standard_normal((7, 5))
    logs[:, 0] *= 0.1
    return _line(x, x[:, None] + logs, policy)


# The last nine were written down after exponents within the margin were told from the claimed one.


def _slow_wave(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    truth = x + 0.15 * np.sin(2 * math.pi * 0.6 * x / LOG_SPAN + rng.uniform(0, 2 * math.pi))
    return _shaped(truth, x, NOISE * rng.standard_normal((9, 5)), policy)


def _late_second_power(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(9)
    return _shaped(np.log(np.exp(x) + 0.1 * np.exp(1.5 * x)), x, 0.05 * rng.standard_normal((9, 8)), policy)


def _columns_that_bend(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x, place = _grid(7), np.linspace(-1.0, 1.0, 7)
    bend = place**2 - np.mean(place**2)
    columns = 0.3 * bend[:, None] * rng.standard_normal(5) + 0.09 * place[:, None] * rng.standard_normal(5)
    return _line(x, x[:, None] + columns + 0.05 * rng.standard_normal((7, 5)), policy)


_LOUDER = np.linspace(0.1, 1.0, 7)
_OF_THE_MEAN = float(np.polyfit(_grid(7), _grid(7) + _LOUDER**2 / 2, 1)[0])
"""The slope of log E[.] where runs are lognormal with these deviations."""


def _loud_end(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(7)
    return _line(x, x[:, None] + _LOUDER[:, None] * rng.standard_normal((7, 5)), policy, slope=_OF_THE_MEAN)


_MEAN_WAIT = float(np.polyfit(_grid(7), np.log(np.exp(_grid(7)) + 0.5), 1)[0])
_TYPICAL_WAIT = 1.0 + float(
    np.polyfit(_grid(7), np.exp(2 * np.exp(_grid(7))) * special.exp1(2 * np.exp(_grid(7))), 1)[0]
)
"""The slope of E[log(n + W / 2)] with an exponential W."""


def _waits(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    x = _grid(7)
    values = np.exp(x)[:, None] + 0.5 * rng.exponential(size=(7, 5))
    return _line(x, np.log(values), policy, slope=_MEAN_WAIT)


# ------------------------------------------------------------------------------- means, pairs, shares and seeds


def _bound(samples: Array, bound: float, policy: ErrorPolicy, *, independent: bool = True) -> Judgement:
    confidence = policy.interval_confidence
    return judge_explicit([samples], [bound], relation="upper", independent=independent, confidence=confidence)


def _loud_fifth(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    return _bound(5 + NOISE * rng.standard_normal(20) * np.where(rng.random(20) < 0.2, 10, 1), 5.0, policy)


def _weibull(rng: np.random.Generator, count: int) -> Array:
    """Weibull variables less their mean."""
    return rng.weibull(WEIBULL, count) - math.gamma(1 + 1 / WEIBULL)


def _weibull_mean(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    mean = math.gamma(1 + 1 / WEIBULL)
    return _bound(mean + _weibull(rng, 20), mean, policy)


def _small_counts(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    return _bound(rng.poisson(0.5, 20).astype(float), 0.5, policy)


def _two_halves(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    level = np.where(np.arange(20) < 10, 0.85, 1.15)
    return _bound(level + 0.3 * rng.standard_normal(20), 1.0, policy, independent=False)


def _drift(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    level = np.linspace(0.75, 1.25, 20)
    return _bound(level + 0.3 * rng.standard_normal(20), 1.0, policy, independent=False)


def _two_courses(rng: np.random.Generator, count: int, noise: float) -> Array:
    """Three in ten of another kind, mean 0; standard deviation 1 but for the noise."""
    return np.where(rng.random(count) < 0.3, 0.7, -0.3) / math.sqrt(0.21) + noise * rng.standard_normal(count)


def _pairs(differences: Array, policy: ErrorPolicy) -> Judgement:
    confidence = policy.interval_confidence
    return judge_paired((MARGIN + differences).tolist(), low=-0.6, high=MARGIN, independent=True, confidence=confidence)


def _share(successes: np.ndarray, units: np.ndarray, rate: float, policy: ErrorPolicy) -> Judgement:
    told = {"relation": "upper", "independent": True, "confidence": policy.interval_confidence}
    return judge_fraction([successes], [units], [rate], **told)


def _unequal_trials(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    units = np.maximum(5, rng.lognormal(4, 1, 20).astype(int))
    return _share(rng.binomial(units, rng.beta(0.3 * 9, 0.7 * 9, 20)), units, 0.3, policy)


def _two_kinds_of_trials(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    rates = np.where(rng.random(20) < 0.2, 0.9, 0.1)
    return _share(rng.binomial(50, rates), np.full(20, 50), 0.26, policy)


def _seeds(scatter: Array, policy: ErrorPolicy) -> Judgement:
    return judge_rates(-1 + MARGIN + scatter, -1.0, relation="tight", margin=MARGIN, policy=policy)


def _half_zeros(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    return _bound(2 * rng.uniform(0.0, 2.0, 25) * (rng.random(25) < 0.5), 1.0, policy)


def _one_trial_all_alike(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    counts = np.where(rng.random(20) < 0.1, 40, rng.binomial(40, 0.2, 20))
    return _share(counts, np.full(20, 40), 0.28, policy)


def _half_zeros_lognormal(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    values = np.where(rng.random(30) < 0.5, np.exp(0.8 * rng.standard_normal(30) - 0.32), 0.0)
    return _bound(values, 0.5, policy)


def _two_lognormals(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    long, short = np.exp(rng.standard_normal(16) - 0.5), np.exp(0.5 * rng.standard_normal(16) - 0.125)
    return _pairs(0.15 * (long - short), policy)


_LOGISTIC_RATE = 0.329261
"""Mean of 1 / (1 + exp(1 - 1.5 Z)) for a normal Z."""


def _logistic_rates(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    rates = 1 / (1 + np.exp(1 - 1.5 * rng.standard_normal(15)))
    return _share(rng.binomial(30, rates), np.full(15, 30), _LOGISTIC_RATE, policy)


def _gumbel(rng: np.random.Generator, policy: ErrorPolicy) -> Judgement:
    return _seeds(0.15 * (rng.gumbel(size=10) - np.euler_gamma) * math.sqrt(6) / math.pi, policy)


CLASSES = {
    "three campaigns in turn/5": Class(_three_campaigns, MARGIN, True),
    "loud in the middle/1": Class(_loud_in_the_middle, MARGIN, True),
    "points scatter by t3/5": Class(_points_of_t3, MARGIN, True),
    "two of six columns of another exponent/6": Class(_two_of_six_columns, MARGIN, True),
    "two digits/5": Class(_two_digits, MARGIN, True),
    "added until precise/2 to 20": Class(_until_precise, MARGIN, True),
    "moving average along columns/5": Class(_moving_average, MARGIN, True),
    "a wave of 1.3 periods/5": Class(_faster_wave, MARGIN, True),
    "the largest of six dropped, noise grows/5": Class(_largest_dropped, MARGIN, True),
    "levels and walks of columns/3": Class(_levels_and_walks, MARGIN, True),
    "mean, one in five ten times as loud/20": Class(_loud_fifth, 1.0, False),
    "mean, Weibull 0.7/20": Class(_weibull_mean, 1.0, False),
    "mean, Poisson 0.5/20": Class(_small_counts, 1.0, False),
    "mean, two halves of a file/20": Class(_two_halves, 1.0, False),
    "mean, a drift along a file/20": Class(_drift, 1.0, False),
    "pairs, Weibull 0.7/12": Class(lambda rng, policy: _pairs(0.2 * _weibull(rng, 12), policy), MARGIN, False),
    "pairs, three in ten collapse/12": Class(
        lambda rng, policy: _pairs(0.2 * _two_courses(rng, 12, 0.1), policy), MARGIN, False
    ),
    "share, trials of 5 to 500 units/20": Class(_unequal_trials, 1.0, False),
    "share, one trial in five of another kind/20": Class(_two_kinds_of_trials, 1.0, False),
    "seeds, Weibull 0.7/12": Class(lambda rng, policy: _seeds(0.15 * _weibull(rng, 12), policy), MARGIN, True),
    "seeds, three in ten of another course/10": Class(
        lambda rng, policy: _seeds(0.2 * _two_courses(rng, 10, 0.3), policy), MARGIN, True
    ),
    "seeds, t with two degrees of freedom/12": Class(
        lambda rng, policy: _seeds(0.1 * rng.standard_t(2, 12), policy), MARGIN, True
    ),
    "a cusp/5": Class(_cusp, MARGIN, True),
    "a zigzag/5": Class(_zigzag, MARGIN, True),
    "a ratio that rises to a bound/20": Class(_rises_to_a_bound, MARGIN, True),
    "a logarithm less its square/20": Class(_square_of_a_logarithm, MARGIN, True),
    "points follow a walk/5": Class(_walk_of_points, MARGIN, True),
    "Laplace noise, six points/3": Class(_laplace, MARGIN, True),
    "points anywhere that scatter/4": Class(_crowded_grid, MARGIN, True),
    "one column ten times as quiet/5": Class(_one_silent_column, MARGIN, True),
    "mean, half of them zero/25": Class(_half_zeros, 1.0, False),
    "pairs, gamma 0.5/14": Class(
        lambda rng, policy: _pairs(0.2 * (rng.gamma(0.5, 1.0, 14) - 0.5) / math.sqrt(0.5), policy), MARGIN, False
    ),
    "share, one trial in ten all alike/20": Class(_one_trial_all_alike, 1.0, False),
    "seeds, Laplace/9": Class(lambda rng, policy: _seeds(rng.laplace(0.0, 0.1, 9), policy), MARGIN, True),
    "a wave of 0.6 periods/5": Class(_slow_wave, MARGIN, True),
    "a second power that leads late/8": Class(_late_second_power, MARGIN, True),
    "columns that bend/5": Class(_columns_that_bend, MARGIN, True),
    "E[.] on the edge, noise grows/5": Class(_loud_end, 1.0 - _OF_THE_MEAN + MARGIN, True),
    "waits of one mean added/5": Class(_waits, _TYPICAL_WAIT - _MEAN_WAIT + MARGIN, True),
    "mean, half of them zero, lognormal/30": Class(_half_zeros_lognormal, 1.0, False),
    "pairs, a long lognormal less a short one/16": Class(_two_lognormals, MARGIN, False),
    "share, logistic normal rates/15": Class(_logistic_rates, 1.0, False),
    "seeds, Gumbel/10": Class(_gumbel, MARGIN, True),
}


def unforeseen_cells() -> list[Any]:
    """One of each class."""
    return [UnforeseenCell(name=f"unforeseen/{kind}", kind=kind) for kind in CLASSES]
