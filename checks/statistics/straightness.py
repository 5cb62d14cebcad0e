"""Whether points follow a straight line at all: whether they bend, or have any other shape.

*Bends.* Points may bend along an axis, and what counts is where the bend leads. An offset or a crossover makes a line
curve smoothly. The interval of its slope then widens by lack of fit, as if the points scattered at random, and a test
that asks whether the end of the grid lies outside that interval is blind. So the curvature is estimated by itself, as
the square term of a parabola, and compared with the noise about the parabola, in which the bend is not.

Noise. What replicates show decides, unless the points scatter about the parabola by more than that: a preliminary F
test at 10 % says so [Bancroft 1964], and then the wider of the two counts, that of replicates at half the error and
that of the scatter at all of it. Random scatter of whole points is so rarely taken for a bend. With one replicate the
residuals are all there is.

A bend undermines a verdict only if it matters: `late` is the parabola's slope at the end nearest to the limit, and the
verdict must still be right where Delta goes on as far again. On one axis, where replicates say that place to within
`PRECISE` margins, no test comes first: a verdict that the parabola itself leads out of is not given.

*Shapes.* A dictionary holds many, and each is tried beside the line. A line that is no line has a slope, and the slope
decides nothing. Lack of fit widens its interval as if points scattered at random about it, so a step, a wave or a kink
hides behind its own size. Here every shape is a curve g that is added to the line, y = a + b x + c g(x), and c is
tested against noise in which the shape is not:

- against what replicates show (pure error), and, where points scatter about line and shape by more than that (F test at
  10 %) [Bancroft 1964], or where there is one run a point, against what line and shape leave of the points as well;
- all shapes together at one level. Against replicates the statistic is the mean of exp(z^2 / 2) over the kinds of
  shapes, and over the members of each, z = c / error(c) [Andrews and Ploberger 1994]: a truth between two shapes raises
  both, and a kind of many members counts no more than one of few. The largest z alone is a weaker test: at 4 % it found
  kinks less often than this one does at 2 %. Against scatter it is the largest share of the residual squares that a
  shape explains. The reference is the distribution of either under normal noise on this very grid, from draws of a
  fixed seed [a Monte Carlo test: Barnard 1963; Dufour 2006].

The shapes are a parabola, a cubic, a step between any two points, an S, a kink at any point, staircases, and
log-periodic waves.

A shape undermines a verdict only if it matters: Delta where line and shape end, with its own interval, must get the
same verdict. Shapes that few points do not tell apart (within `ALIKE` of the best in log likelihood) must all agree. A
step leaves the slope on both its sides, a wave the slope about which it swings, all others their slope at the end of
the grid that is nearest to the limit.

On several axes (`shape_of_plane`) the design is a plane, shapes run along the axis in question, and products with the
other axes are shapes too [response surfaces: Box and Wilson 1951]; Delta is then looked at on both ends of the other
axis.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import MIN_SPREAD, Array, Line, Noise, Points
from checks.statistics.verdict import Interval, Verdict

# ---------------------------------------------------------------------------------------------------------------- bends


PRELIMINARY = 0.1
"""Level of the test whether points scatter about the parabola, or a shape, by more than replicates explain; not the
policy's. At 25 % one bend in four was asked to stand out of a scatter that was chance, and a crossover passed."""

PRECISE = 0.57
"""Standard error, in margins, of where a parabola leads Delta as far again beyond the grid, up to which that place
decides without a test. Straight data without a Delta then lose a verdict in 7 % at worst, and in less than 0.1 % where
the error is a quarter of the margin; an offset that noise of 0.1 half hides is not called tight any more."""


@dataclass(frozen=True)
class Bend:
    """A curvature along one axis that noise does not explain, or that replicates know precisely enough.

    Attributes:
        late: the parabola's slope at the end nearest to the limit.
        curvature: how its slope changes per unit of log axis.
        width: half-width of the interval of `curvature`.
    """

    late: float
    curvature: float
    width: float

    def undermines(self, verdict: Verdict, rule: DeltaRule, slope: float) -> bool:
        """Whether the slope, drifting as far again beyond the end of the grid, would make a verdict wrong."""
        return not rule.admits(verdict, rule.delta(self.late + (self.late - slope)))


def bend_of_line(points: Points, line: Line, *, confidence: float, margin: float) -> Bend | None:
    """The bend of points along their axis; None where there is none, or too few points carry an estimate."""
    if points.side.any():
        kept = points.keep(points.side == 0)
        sampling = (Noise(kept.variance, kept.freedom),) if np.all(kept.freedom > 0) else ()
    else:
        kept, sampling = points, line.sampling
    x, weights = kept.x, 1 / np.maximum(kept.weight_variance, MIN_SPREAD**2)
    share = weights / weights.sum()
    centred = x - share @ x
    slope = share * centred / (share @ centred**2)
    raw = centred**2
    tilt = float(slope @ raw)
    rest = raw - share @ raw - tilt * centred  # what of the square the line leaves
    size = float(share @ rest**2)
    if len(x) < 4 or not size > 1e-12 * float(share @ raw**2):
        return None
    square = share * rest / size
    residual = kept.y - share @ kept.y - (slope @ kept.y) * centred - (square @ kept.y) * rest
    fit = _Parabola(slope - tilt * square, square, residual, weights, len(x) - 3.0, float(centred.max()))
    return _bend(fit, kept.y, sampling, confidence, precise=PRECISE * margin)


def bend_of_plane(
    x: Array, y: Array, own: int, *, weights: Array, sampling: Sequence[Noise], confidence: float
) -> Bend | None:
    """The bend along one axis of several, the others (with a square each, where points allow) held fixed.

    Args:
        x: signed log axes. [points, axes]
        y: log(measured / claim). [points]
        own: the axis in question.
        weights: of the points. [points]
        sampling: noise of the points as replicates show it, the widest counts; none with one replicate.
        confidence: of the test that the curvature is not 0.
    """
    count, n_axes = x.shape
    centred = x - weights @ x / weights.sum()
    linear = np.column_stack([np.ones(count), centred])
    squares = centred**2
    others = [axis for axis in range(n_axes) if axis != own]
    full = np.column_stack([linear, squares[:, [own, *others]]])
    design = full if count > full.shape[1] else full[:, : n_axes + 2]
    freedom = count - design.shape[1]
    root = np.sqrt(weights)
    if freedom < 1 or np.linalg.matrix_rank(design * root[:, None]) < design.shape[1]:
        return None
    # Rows of the inverse express each coefficient as a sum over y.
    inverse = np.linalg.pinv(design * root[:, None]) * root
    residual = y - design @ (inverse @ y)
    end = float(centred[:, own].max())
    fit = _Parabola(inverse[1 + own], inverse[n_axes + 1], residual, weights, float(freedom), end)
    return _bend(fit, y, sampling, confidence)


@dataclass(frozen=True, eq=False)
class _Parabola:
    """A fitted parabola: coefficients of its slope at the centre and of its square term, and what it leaves."""

    slope: Array
    square: Array
    residual: Array
    weights: Array
    freedom: float
    end: float

    @property
    def beyond(self) -> Array:
        """Coefficients of the slope as far again beyond the end of the grid as that end is from the line's."""
        return self.slope + 4 * self.end * self.square


def _bend(
    fit: _Parabola, y: Array, sampling: Sequence[Noise], confidence: float, *, precise: float = 0.0
) -> Bend | None:
    """The bend of a parabola where its square term is told from noise, or says to within `precise` where it leads."""
    scatter = Noise(float(fit.weights @ fit.residual**2) / fit.freedom / fit.weights, fit.freedom)
    level = 1 - (1 - confidence) / 2
    square = float(fit.square @ y)
    if sampling:
        known = max(sampling, key=lambda noise: noise.half_width(fit.square, level))
        width = known.half_width(fit.square, level)
        if abs(square) > width and exceeds(scatter, known, fit.square, PRELIMINARY):
            width = max(width, scatter.half_width(fit.square, confidence))
    else:
        width = scatter.half_width(fit.square, level)
    if not abs(square) > width and not _is_precise(fit, scatter, sampling, precise):
        return None
    return Bend(float(fit.slope @ y) + 2 * square * fit.end, 2 * square, 2 * width)


def _is_precise(fit: _Parabola, scatter: Noise, sampling: Sequence[Noise], precise: float) -> bool:
    """Whether replicates, and the scatter about the parabola where it is larger, say where it leads to that error."""
    if not sampling:
        return False
    pooled = Noise(1 / fit.weights, sampling[0].freedom)
    noises = [pooled, *sampling[1:], *([scatter] if exceeds(scatter, sampling[0], fit.beyond, PRETEST_LEVEL) else [])]
    return max(noise.standard_error(fit.beyond) for noise in noises) <= precise


def late_of_windows(deltas: Array, places: Array) -> float:
    """Delta at the window nearest to the limit, from a straight line through all windows: they have no noise.

    Args:
        deltas: local Delta of each window. [windows]
        places: where each lies on the signed log axis, increasing toward the limit. [windows]
    """
    slope, level = np.polyfit(places - places.max(), deltas, 1)
    return float(level) if math.isfinite(float(slope)) else float(deltas.mean())


def exceeds(scatter: Noise, sampling: Noise, coefficients: Array, level: float) -> bool:
    """Whether points scatter by more than replicates explain, by an F test at `level` on one combination of them."""
    ratio = scatter.standard_error(coefficients) ** 2
    ratio /= max(sampling.standard_error(coefficients) ** 2, MIN_SPREAD**2 * float(coefficients @ coefficients))
    above, below = (min(noise.freedom_of(coefficients), 1e9) for noise in (scatter, sampling))
    return ratio > float(special.fdtri(above, max(below, 1e-9), 1 - level)) if math.isfinite(ratio) else True


# --------------------------------------------------------------------------------------------------------------- shapes


SHAPE_LEVEL = 0.02
"""Level of the test of all shapes together against what replicates show."""

SCATTER_SHAPE_LEVEL = 0.25
"""The same against what line and shape leave of the points, where replicates say that no line passes through them. Few
points measure that noise badly; what is no line is then rather taken for a shape than for chance."""

SINGLE_SHAPE_LEVEL = 0.05
"""The same with one run a point, where nothing else says that points are on no line."""

ALIKE = 3.0
"""Shapes whose log likelihood is within this of the best one's are not told apart from it: odds of 20 to 1."""

MIN_FREEDOM = 2
"""Points beyond the parameters of line and shape that are needed to test one."""

MAX_PLACES = 16
"""Steps and kinks that are tried, evenly spread where there are more places: neighbours hardly differ."""

DRAWS = 4000
"""Draws behind the reference of the shapes, a Monte Carlo test [Barnard 1963; Dufour 2006]: 80 are over 2 %."""

MIN_STAIRS, MAX_TREAD = 3, 4
"""Steps that a staircase has at least, and points on each at most: neighbours measured together err together."""

PHASES = 4
"""Phases, an eighth of a period apart, at which each log-periodic wave is tried beside the line."""

WAVE = "a log-periodic wave"


@dataclass(frozen=True)
class FoundShape:
    """A shape that noise does not explain and that does not bear out a verdict.

    Attributes:
        shape: what it is and where, in words.
        statistic: size of the shape in standard errors, the largest of all that were tried.
        p_value: how often straight data show one as large, over all shapes that were tried.
        against: the noise it was tested against, "replicates" or "scatter".
        late: Delta where line and shape end.
        interval: of `late`.
    """

    shape: str
    statistic: float
    p_value: float
    against: str
    late: float
    interval: Interval

    @property
    def clause(self) -> Clause:
        """Why it decides nothing, with its figures."""
        words = (
            f"no power law here: {self.shape} ({self.statistic:.1f} standard errors, p = {self.p_value:.1g} over all "
            f"shapes tried), with Delta {self.late:+.3g} {self.interval} at the end of the grid"
        )
        figures = {"statistic": self.statistic, "p_value": self.p_value, "late": self.late}
        return Clause(Topic.STRAIGHTNESS, words, figures)


@dataclass(frozen=True)
class _Shape:
    """One shape: its values at the points, its derivative where the slope is asked for, its name, and where it lies."""

    values: Array
    ends: tuple[float, ...]
    name: str
    places: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class _Dictionary:
    """All shapes over one design, as sums over y.

    Attributes:
        names, places: of the shapes; a name has a gap for each of its places on the signed log axis.
        contrasts: coefficients of each shape's size c. [shapes, points]
        lates: coefficients of Delta where line and shape end, one for each end. [shapes, ends, points]
        rest: y less what the design explains. [points, points]
        weights: of the points.
        freedom: points beyond the parameters of design and shape.
    """

    names: tuple[str, ...]
    places: tuple[tuple[float, ...], ...]
    contrasts: Array
    lates: Array
    rest: Array
    weights: Array
    freedom: float

    def evidence(self, squares: Array) -> Array:
        """Log of the mean of exp(z^2 / 2) over the kinds of shapes, and over the members of each.

        Args:
            squares: of the sizes in standard errors, z. [shapes, ...]
        """
        return special.logsumexp(squares / 2, axis=0, b=self._shares.reshape(-1, *[1] * (squares.ndim - 1)))

    @functools.cached_property
    def _shares(self) -> Array:
        """Of each shape in the mean: one for a kind, equally for its members. [shapes]"""
        kinds = [" ".join(name.split()[:2]) for name in self.names]
        shares = np.array([1 / kinds.count(kind) for kind in kinds])
        return shares / shares.sum()

    @functools.cached_property
    def evidence_of_noise(self) -> Array:
        """The evidence in draws of noise of known size, sorted. [draws]"""
        return np.sort(self.evidence(self._explained))

    @functools.cached_property
    def largest_shares(self) -> Array:
        """The largest share of the residual sum of squares that any shape explains, sorted. [draws]"""
        return np.sort(self._explained.max(axis=0) / self._totals)

    def words(self, index: int, axis_sign: float) -> str:
        """What a shape is, its places on the axis itself."""
        places = (math.exp(max(min(axis_sign * place, 700.0), -700.0)) for place in self.places[index])
        return self.names[index].format(*(f"{place:.3g}" for place in places))

    @property
    def _noise(self) -> Array:
        """Normal noise of unit weighted variance, the same draws on every grid of so many points. [points, draws]"""
        return _draws(len(self.weights)) / np.sqrt(self.weights)[:, None]

    @property
    def _explained(self) -> Array:
        """[shapes, draws]"""
        return (self.contrasts @ self._noise) ** 2 / (self.contrasts**2 @ (1 / self.weights))[:, None]

    @property
    def _totals(self) -> Array:
        """[draws]"""
        return self.weights @ (self.rest @ self._noise) ** 2


def shape_of_line(
    points: Points, line: Line, rule: DeltaRule, verdict: Verdict, *, axis_sign: float = 1.0
) -> FoundShape | None:
    """The shape of points along one axis that does not bear out `verdict`; None where there is none.

    Args:
        axis_sign: +1 where x is log axis, -1 where it is minus that; for the places in the shape's name.
    """
    if verdict is Verdict.INCONCLUSIVE:
        return None
    if points.side.any():
        points = points.keep(points.side == 0)
        sampling = (Noise(points.variance, points.freedom),) if np.all(points.freedom > 0) else ()
    else:
        sampling = line.sampling
    if len(np.unique(points.x)) < 3 + MIN_FREEDOM:
        return None
    weights = 1 / np.maximum(points.weight_variance, MIN_SPREAD**2)
    dictionary = _dictionary_of_line(_key(points.x), _weight_key(weights))
    return _found(dictionary, points.y, sampling, rule, verdict, axis_sign)


def shape_of_plane(
    x: Array,
    y: Array,
    own: int,
    rule: DeltaRule,
    verdict: Verdict,
    *,
    sampling: Sequence[Noise],
    axis_sign: float = 1.0,
) -> FoundShape | None:
    """The same along one axis of several, all points weighing the same.

    Args:
        x: signed log axes. [points, axes]
        y: log(measured / claim). [points]
        own: the axis in question.
        sampling: noise of the points as replicates show it; none with one replicate.
    """
    count, n_axes = x.shape
    if count - n_axes - 2 < MIN_FREEDOM or len(np.unique(x[:, own])) < 3:
        return None
    dictionary = _dictionary_of_plane(tuple(_key(column) for column in x.T), own)
    return _found(dictionary, y, sampling, rule, verdict, axis_sign)


def _key(values: Array) -> tuple[float, ...]:
    """Places on an axis, as a cache can tell them apart."""
    return tuple(np.round(values, 9).tolist())


def _weight_key(weights: Array) -> tuple[float, ...]:
    """The same of weights, which need no more than three digits."""
    return tuple(float(f"{weight:.3g}") for weight in weights / weights.mean())


@functools.lru_cache(maxsize=256)
def _dictionary_of_line(x: tuple[float, ...], weights: tuple[float, ...]) -> _Dictionary:
    axis = np.array(x)
    return _dictionary(np.column_stack([np.ones(len(axis)), axis]), 1, _curves(axis), np.array(weights))


@functools.lru_cache(maxsize=64)
def _dictionary_of_plane(columns: tuple[tuple[float, ...], ...], own: int) -> _Dictionary:
    x = np.array(columns).T
    curves = _curves(x[:, own])
    for other in range(x.shape[1]):
        if other != own:
            held = x[:, other] - x[:, other].mean()
            curves.append(_Shape(x[:, own] * held, (float(held.min()), float(held.max())), "a product of two axes"))
    return _dictionary(np.column_stack([np.ones(len(x)), x]), 1 + own, curves, np.ones(len(x)))


def _curves(x: Array) -> list[_Shape]:
    """Shapes along one axis, where at least two values lie on either side of a step or of an S."""
    places = np.unique(x)
    middle, half = (places[-1] + places[0]) / 2, (places[-1] - places[0]) / 2
    u, v, end = (x - middle) / half, (places - middle) / half, 1 / half
    curves = [_Shape(u**2, (2 * end,), "a bend"), _Shape(u**3, (3 * end,), "a cubic")]
    for low, high in _spread(list(itertools.pairwise(places))):
        at = (low + high) / 2
        curves.append(_Shape((x > at).astype(float), (0.0,), "a step between {} and {}", (low, high)))
    for at, width in itertools.product(np.linspace(-0.5, 0.5, 5), (0.15, 0.3)):
        if min((v > at + width / 2).sum(), (v < at - width / 2).sum()) > 1:
            rise, slope = np.tanh((u - at) / width), (1 - math.tanh((1 - at) / width) ** 2) / width
            curves.append(_Shape(rise, (slope * end,), "an S-shape about {}", (middle + at * half,)))
    curves += [_Shape(np.maximum(x - at, 0.0), (1.0,), "a kink at {}", (at,)) for at in _spread(list(places[1:-1]))]
    rank = np.searchsorted(places, x)
    for size in range(2, min(len(places) // MIN_STAIRS, MAX_TREAD) + 1):
        for first in range(size):
            stairs = ((rank + first) // size).astype(float)
            curves.append(_Shape(stairs, (0.0,), f"a staircase of {size} points a step"))
    for cycles in np.arange(1.0, (len(places) - 1) / 3 + 1e-9, 0.5):
        for phase in range(PHASES):
            wave = np.sin(math.pi * (cycles * u + phase / PHASES))
            curves.append(_Shape(wave, (0.0,), f"{WAVE}, {cycles:g} periods on the grid"))
    return curves


def _spread(places: list) -> list:
    """At most `MAX_PLACES` of them, evenly spread, both ends among them."""
    if len(places) <= MAX_PLACES:
        return places
    return [places[i] for i in np.unique(np.linspace(0, len(places) - 1, MAX_PLACES).round().astype(int))]


def _dictionary(design: Array, slope: int, curves: Sequence[_Shape], weights: Array) -> _Dictionary:
    """Every shape that the design does not hold already."""
    root = np.sqrt(weights)
    base = np.linalg.pinv(design * root[:, None]) * root  # [parameters, points]
    rest = np.eye(len(design)) - design @ base
    names, places, contrasts, lates = [], [], [], []
    for curve in curves:
        left = rest @ curve.values
        size = float(weights @ left**2)
        if not size > 1e-9 * float(weights @ (curve.values - curve.values.mean()) ** 2):
            continue
        contrast = weights * left / size
        below = base[slope] - float(base[slope] @ curve.values) * contrast
        names.append(curve.name)
        places.append(curve.places)
        contrasts.append(contrast)
        ends = curve.ends if len(curve.ends) > 1 else curve.ends * 2
        lates.append(np.stack([below + end * contrast for end in ends]))
    freedom = len(design) - design.shape[1] - 1.0
    return _Dictionary(tuple(names), tuple(places), np.array(contrasts), np.array(lates), rest, weights, freedom)


@functools.lru_cache(maxsize=32)
def _draws(count: int) -> Array:
    """Standard normals that do not change from call to call. [count, draws]"""
    return np.random.default_rng(count).standard_normal((count, DRAWS))


def _found(
    dictionary: _Dictionary,
    y: Array,
    sampling: Sequence[Noise],
    rule: DeltaRule,
    verdict: Verdict,
    axis_sign: float,
) -> FoundShape | None:
    """The likeliest shape whose end does not bear out the verdict, where any is told from noise."""
    told = _told_from_noise(dictionary, y, sampling, rule.confidence)
    if told is None:
        return None
    explained, best = told.explained, float(told.explained.max())
    unit = max(float(np.mean(noise.variances * dictionary.weights)) for noise in told.noises)
    alike = np.flatnonzero(explained >= best - 2 * ALIKE * max(unit, MIN_SPREAD**2))
    plain = replace(rule, policy=rule.policy.of_family(1))
    for index in alike[np.argsort(-explained[alike])]:
        for ending in dictionary.lates[index]:
            end = _End(ending, float(ending @ y), told.noises)
            if not bears_out(verdict, plain.decide(rule.of_delta(end.interval))):
                name = dictionary.words(index, axis_sign)
                late, interval = rule.delta(end.value), rule.of_delta(end.interval)(rule.confidence)
                return FoundShape(name, told.statistic, told.p_value, told.against, late, interval)
    return None


@dataclass(frozen=True, eq=False)
class _Told:
    """That some shape is told from noise: the test of the largest, and the noise that the ends are to be judged by."""

    explained: Array
    statistic: float
    p_value: float
    against: str
    noises: Sequence[Noise]


def _told_from_noise(dictionary: _Dictionary, y: Array, sampling: Sequence[Noise], confidence: float) -> _Told | None:
    """The test of all shapes together."""
    size = dictionary.contrasts @ y
    explained = size**2 / (dictionary.contrasts**2 @ (1 / dictionary.weights))
    total = float(dictionary.weights @ (dictionary.rest @ y) ** 2)
    best = int(np.argmax(explained))
    contrast = dictionary.contrasts[best]
    left = max(total - float(explained[best]), 0.0)
    scatter = Noise(left / dictionary.freedom / dictionary.weights, dictionary.freedom)
    noises: tuple[Noise, ...] = (scatter,)
    if sampling:
        score = _score(contrast, size[best], sampling)
        squares = explained * (score**2 / max(float(explained[best]), 1e-300))  # all in the error of the largest
        chance = _chance(dictionary.evidence_of_noise, float(dictionary.evidence(squares)))
        if not chance < SHAPE_LEVEL:
            return None
        known = max(sampling, key=lambda noise: noise.half_width(contrast, confidence))
        if not exceeds(scatter, known, contrast, PRELIMINARY):
            return _Told(explained, score, chance, "replicates", (known,))
        noises = (known, scatter)
    chance = _chance(dictionary.largest_shares, float(explained.max()) / max(total, 1e-300))
    if not chance < (SCATTER_SHAPE_LEVEL if sampling else SINGLE_SHAPE_LEVEL):
        return None
    error = max(scatter.standard_error(contrast), MIN_SPREAD * math.sqrt(float(contrast @ contrast)))
    return _Told(explained, abs(float(size[best])) / error, chance, "scatter", noises)


@dataclass(frozen=True, eq=False)
class _End:
    """The slope where line and shape end."""

    coefficients: Array
    value: float
    noises: Sequence[Noise]

    def interval(self, confidence: float) -> Interval:
        """Its t interval, by the widest noise."""
        half = max(noise.half_width(self.coefficients, confidence) for noise in self.noises)
        return Interval(self.value - half, self.value + half)


def bears_out(verdict: Verdict, at_end: Verdict) -> bool:
    """Whether the end of the grid says the same: all that is tight or loose there holds as well."""
    return at_end is verdict or (verdict is Verdict.HOLDS and at_end in (Verdict.TIGHT, Verdict.LOOSE))


def _score(contrast: Array, size: float, sampling: Sequence[Noise]) -> float:
    """The size in standard errors of a normal with the same tail, by the noise that makes least of it."""
    least = MIN_SPREAD * math.sqrt(float(contrast @ contrast))
    scores = [
        -float(
            special.ndtri(
                special.stdtr(noise.freedom_of(contrast), -abs(size) / max(noise.standard_error(contrast), least))
            )
        )
        for noise in sampling
    ]
    return min(scores)


def _chance(null: Array, value: float) -> float:
    """How often a draw is at least as large. [sorted draws]"""
    return float(len(null) - np.searchsorted(null, value) + 1) / (len(null) + 1)
