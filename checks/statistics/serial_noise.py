"""Noise of one run that is looked at several times along the axis: each error keeps something of the last one.

A loss curve is one run. Its looks err together, a line through them leaves small residuals, and an interval from these
misses most of the noise. The errors are taken as an autoregression of first order along the axis, of unknown
coefficient r: the error at a point is r times that of the point before it, and something new. The slope is that of
least squares, whose error at each r follows from that r [Grenander and Rosenblatt 1957: no estimator is much better];
r is not estimated but averaged over, each value weighted by the restricted likelihood, in which the line has no part
[Patterson and Thompson 1971; Cooper and Thompson 1977], and by a prior. The interval is that of the mixture of t
distributions.

Few points tell r badly, and what is lost at r near 1 is lost wholly, so the prior leans that way: half of it lies at
the largest r, which on so few points is a random walk, the other half evenly over the logarithm of 1 - r.

*Samples of one point* may be no independent runs either: states of one chain or of several in turn, or runs of one
batch after those of another. `alike_in_order` asks whether the ranks of a row say so: by squared differences of ranks
at small lags [Bartels 1982], and by the variance of means of consecutive samples, the largest of all compared with what
other orders give. The half-width of the mean is then the widest of t for means of batches of several lengths [Conway
1963] and of the mixture above with an even prior of r. Of very many samples batches alone tell, by how much wider
they make it.

Few samples rarely show it: of twenty in batches of four that share half of their variance even the F test that knows
the batches sees 45 % at level 1 %. So where nobody says that samples are runs of their own, their mean has one interval
over all that they may be (`DoubtedMean`): independent, one chain, batches of some length one after the other, or as
many in turn, each of the four as likely beforehand and weighed by the restricted likelihood [Bayesian model averaging:
Hoeting, Madigan, Raftery and Volinsky 1999].
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Array = NDArray[np.float64]

COEFFICIENTS = 24
"""Values of r from 0 to the largest; twice as many change an interval by less than a hundredth."""

EVEN_COEFFICIENTS = 100
"""Values of r, even in their arc sine. Where nothing is known of a chain the prior is even in that too, the reference
prior [Berger and Yang 1994]: one that is even in r itself judges twenty states of a chain of 0.7 wrongly half as often
again. Where a test has said that there is one it is even in r: seeds that look so by chance rather keep their word."""

NEAR_ONE = 0.05
"""The largest r on n points is 1 - this / n: the errors of the first and the last point still are one another's."""

ALL_OF_ONE = 0.5
"""Share of the prior at the largest r."""


@dataclass(frozen=True, eq=False)
class SerialNoise:
    """Errors of an autoregression, its coefficient averaged over; the same use as `checks.statistics.regression.Noise`.

    Attributes:
        coefficients: values of r. [k]
        weights: of each, summing to one. [k]
        scales: variance of one point's error at each. [k]
        freedom: degrees of freedom of the variances.
        order: of the points along the axis.
    """

    coefficients: Array
    weights: Array
    scales: Array
    freedom: float
    order: NDArray[np.intp]

    def errors(self, combination: Array) -> Array:
        """Standard error of sum(combination * y) at each r. [k]"""
        combination = combination[self.order]
        before = np.zeros_like(self.coefficients)
        total = np.full_like(self.coefficients, float(combination @ combination))
        for previous, value in zip(combination[:-1].tolist(), combination[1:].tolist(), strict=True):
            before = self.coefficients * (before + previous)
            total += 2 * value * before
        return np.sqrt(np.maximum(total, 0.0) * self.scales)

    def standard_error(self, combination: Array) -> float:
        """The root of the mean of its squares."""
        return math.sqrt(float(self.weights @ self.errors(combination) ** 2))

    def half_width(self, combination: Array, confidence: float) -> float:
        """Half-width of the interval of sum(combination * y)."""
        return _half_width_of_mixture(self.weights, self.errors(combination), self.freedom, confidence)

    def freedom_of(self, combination: Array) -> float:
        """Degrees of freedom of any combination."""
        return self.freedom


def _half_width_of_mixture(weights: Array, errors: Array, freedom: float, confidence: float) -> float:
    """Half-width of the interval of a mixture of t distributions [k], of one number of degrees of freedom."""
    widest = float(special.stdtrit(freedom, 0.5 + confidence / 2)) * float(errors.max())
    if not widest > 0:
        return 0.0

    def beyond(width: float) -> float:
        tails = special.stdtr(freedom, -width / np.maximum(errors, 1e-300))
        return 2 * float(weights @ tails) - (1 - confidence)

    if beyond(widest) >= 0:
        return widest
    # Only with full_output would brentq return more than the root.
    return float(optimize.brentq(beyond, 0.0, widest, xtol=1e-6 * widest))  # pyrefly: ignore[bad-argument-type]


MIN_IN_ORDER = 8
"""Samples of a point, or points of a line, from which their order says anything."""

MANY_IN_ORDER = 1000
"""Samples of a point beyond which the test is by the width of the interval from batches."""

MUCH_WIDER = 1.5
"""Times as wide as of independent samples: very many that are independent make it so once in a thousand times."""

ALIKE_LEVEL = 0.01
"""Level of the test whether samples follow one another, for all points together; less than that of other pretests,
since most samples are runs of their own and an alarm is printed."""

ORDERS = 4000
"""Orders of a row that are drawn to compare with."""

LAGS = 6
"""Largest distance at which ranks are compared: so many chains in turn are seen."""

NEIGHBOURS_LEVEL = 0.2
"""Level of either test whether points that replicates do not explain err as their neighbours do, that of levels that
share data. Large, since few points show it badly and a false alarm only widens: nine points that scatter independently
by as much then decide in 55 % (50 where correlations alone were looked at), those in blocks of three are wrong in
6.5 + 5.6 %."""

SMOOTH_LEVEL = 0.25
"""Level of the F test whether a cubic passes within the noise of replicates; a preliminary one [Bancroft 1964]."""

NEIGHBOURS_DRAWS = 1000
"""Draws of independent errors to compare with."""

MIN_BLOCKS, MAX_BLOCK = 3, 4
"""Blocks of neighbouring points that there are at least, and points of each at most, as of staircases
(`checks.statistics.straightness`)."""

_SAME = 1e-12
"""Samples that scatter by less than this, relative to their size, are equal."""

SHARES = np.sin(np.pi * (np.arange(20) + 0.5) / 40)
"""Shares of the variance that a batch may have in common, even in their arc sine as r is."""

MIN_BATCHES, MANY_BATCHES = 4, 30
"""Batches that a length must leave to have a variance; and of very many samples."""


def alike_in_order(rows: Sequence[Array]) -> list[bool]:
    """Whether samples recorded near each other are alike, for each row.

    Sorted rows have lost the order of recording and say nothing, nor do rows of one value.

    Args:
        rows: finite samples of each point, in the order of recording.
    """
    level = ALIKE_LEVEL / max(len(rows), 1)
    return [_many_are_alike(row) if len(row) > MANY_IN_ORDER else _chance(row) <= level for row in rows]


def _many_are_alike(row: Array) -> bool:
    return not _is_sorted(row) and OrderedMean(row).inflation > MUCH_WIDER**2


def _is_sorted(row: Array) -> bool:
    """Whether values only rise or only fall, so that the order of recording is lost."""
    steps = np.diff(row)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def _chance(row: Array) -> float:
    """How often other orders of a row make neighbours as alike as this one; 1 where its order says nothing."""
    count = len(row)
    if count < MIN_IN_ORDER or _is_sorted(row):
        return 1.0
    centre, spread, usual = _usual(count)
    found = float(((_likenesses(_ranks(row)[None]) - centre) / spread).max())
    return float(np.mean(usual >= found))


def _ranks(row: Array) -> Array:
    """Places in order from 1 on, of equal values their mean; scipy.stats takes half a second to import.

    >>> _ranks(np.array([3.0, 1.0, 3.0, 2.0]))
    array([3.5, 1. , 3.5, 2. ])
    """
    _, place, count = np.unique(row, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


@functools.lru_cache(maxsize=256)
def _usual(count: int) -> tuple[Array, Array, Array]:
    """Mean and spread of each measure of likeness in orders at random, and the largest in each order."""
    rng, parts = np.random.default_rng(count), max(1, ORDERS * count // 1_000_000)
    found = [
        _likenesses(np.argsort(rng.random((len(some), count)), axis=1).astype(float))
        for some in np.array_split(np.arange(ORDERS), parts)
    ]
    drawn = np.concatenate(found)
    centre, spread = drawn.mean(axis=0), drawn.std(axis=0)
    return centre, spread, ((drawn - centre) / spread).max(axis=1)


def _likenesses(ranks: Array) -> Array:
    """Measures that are large where samples near each other are alike. [orders, samples] -> [orders, measures]"""
    ranks = (ranks - ranks.mean(axis=1, keepdims=True)) / ranks.std(axis=1, keepdims=True)
    count = ranks.shape[1]
    lags = range(1, min(LAGS, count // 4) + 1)
    measures = [-np.mean((ranks[:, lag:] - ranks[:, :-lag]) ** 2, axis=1) for lag in lags]
    for length in _lengths(count, MIN_BATCHES):
        squares = [np.var(_batches(ranks, length, at_end), axis=1, ddof=1) for at_end in (False, True)]
        measures.append(np.log(np.maximum(sum(squares), 1e-12)))
    return np.stack(measures, axis=1)


def _lengths(count: int, least: int) -> list[int]:
    """Lengths of batches, each twice the one before, that leave so many of them."""
    return [2**power for power in range(1, max(count // least, 1).bit_length()) if count // 2**power >= least]


def _batches(values: Array, length: int, at_end: bool) -> Array:
    """Means of consecutive values, counted from the first or the last one. [..., values] -> [..., batches]"""
    number = values.shape[-1] // length
    kept = values[..., -number * length :] if at_end else values[..., : number * length]
    return kept.reshape(*values.shape[:-1], number, length).mean(axis=-1)


class OrderedMean:
    """The mean of samples [replicates, at least 3] that follow one another, and how far it may be off.

    Very many samples have batches alone.
    """

    def __init__(self, samples: Array) -> None:
        count, centred = len(samples), samples - samples.mean()
        self._own = np.full(count, 1 / count)
        self._scale = float(np.abs(centred).max())
        self._independent = 0.0
        self._noise: SerialNoise | None = None
        self._batches: list[tuple[int, float]] = []  # their number, and the standard error of the mean by them
        if self._scale == 0:
            return
        unit, is_many = centred / self._scale, count > MANY_IN_ORDER  # in units of the largest, whose square is finite
        self._independent = float(unit.std(ddof=1)) / math.sqrt(count)
        lengths = [math.isqrt(count), count // MANY_BATCHES] if is_many else _lengths(count, MIN_BATCHES)
        means = [_batches(unit, length, at_end) for length in lengths for at_end in (False, True)]
        self._batches = [(len(each), float(each.std(ddof=1)) / math.sqrt(len(each))) for each in means]
        self._noise = None if is_many else _autoregression(unit, is_even=True)[0]

    def half_width(self, confidence: float) -> float:
        """Of the interval."""
        of_noise = 0.0 if self._noise is None else self._noise.half_width(self._own, confidence)
        quantiles = [float(special.stdtrit(count - 1.0, 0.5 + confidence / 2)) for count, _ in self._batches]
        widths = [quantile * error for quantile, (_, error) in zip(quantiles, self._batches, strict=True)]
        return self._scale * max([of_noise, *widths])

    @functools.cached_property
    def inflation(self) -> float:
        """Times as large as of independent samples the variance of the mean is, at least 1."""
        if not self._independent > 0:
            return 1.0
        of_noise = 0.0 if self._noise is None else self._noise.standard_error(self._own)
        return max(1.0, (max([of_noise, *(error for _, error in self._batches)]) / self._independent) ** 2)


class DoubtedMean:
    """The mean of samples [replicates] of which nobody says that they are runs of their own, and how far it may be off.

    Very few, very many and sorted samples say nothing by their order.

    Args:
        fewest: samples, and batches that a length must leave, from which on they are doubted.
    """

    def __init__(self, samples: Array, *, fewest: tuple[int, int] = (MIN_IN_ORDER, MIN_BATCHES)) -> None:
        count, centred = len(samples), samples - samples.mean()
        self._scale = float(np.abs(centred).max())
        self._freedom = count - 1.0
        is_equal = self._scale <= _SAME * float(np.abs(samples).max())
        if is_equal or not fewest[0] <= count <= MANY_IN_ORDER or _is_sorted(samples):
            self._scale = 0.0
        if self._scale == 0:
            return
        unit = centred / self._scale
        squares = float(unit @ unit)
        alone = -0.5 * (math.log(count) + self._freedom * math.log(squares)), math.sqrt(squares / self._freedom / count)
        chain, of_chain = _autoregression(unit, is_even=False)
        ways = [list(_in_batches(unit, length)) for length in _many_lengths(count, fewest[1])]
        parts = [
            (np.array([alone[0]]), np.array([alone[1]])),
            (of_chain, chain.errors(np.full(count, 1 / count))),
            *(_sharing_of(batches) for batches in ([each for way in ways for each in way[:-1]], [w[-1] for w in ways])),
        ]
        log_weight = np.concatenate([each - math.log(len(each)) for each, _ in parts])  # all four as likely
        errors = [error for _, error in parts]
        weights = np.exp(log_weight - log_weight.max())
        self._weights, self._errors = weights / weights.sum(), np.concatenate(errors)

    def half_width(self, confidence: float) -> float:
        """Of the interval; 0 where the order of samples says nothing."""
        if self._scale == 0:
            return 0.0
        return self._scale * _half_width_of_mixture(self._weights, self._errors, self._freedom, confidence)


def _sharing_of(batches: Sequence[tuple[Array, NDArray[np.intp]]]) -> tuple[Array, Array]:
    """Log weights and errors of several ways to cut values into batches."""
    weights, errors = zip(*(_sharing(*each) for each in batches), strict=True)
    return np.concatenate(weights), np.concatenate(errors)


def _many_lengths(count: int, least: int) -> list[int]:
    """Lengths of batches, half as long again or a third, that leave so many of them: 2, 3, 4, 6, 8, 12."""
    lengths = {each for power in _lengths(count, least) for each in (power, 3 * power // 2)}
    return sorted(length for length in lengths if count // length >= least)


def _in_batches(unit: Array, length: int) -> Iterator[tuple[Array, NDArray[np.intp]]]:
    """Values in the order of the batches they may be of, and where each batch begins.

    One batch after the other, whole ones counted from the first value or from the last; or in turn, as of machines that
    take one run each.
    """
    count = len(unit)
    yield unit, np.arange(0, count, length)
    yield unit, np.unique(np.append(0, np.arange(count % length, count, length)))
    turn = np.arange(count) % (count // length)
    order = np.argsort(turn, kind="stable")
    yield unit[order], np.searchsorted(turn[order], np.arange(count // length))


def _sharing(unit: Array, starts: NDArray[np.intp]) -> tuple[Array, Array]:
    """Log weight, and error of the mean, of values whose mean is 0 at each share that a batch has in common."""
    count, freedom = len(unit), len(unit) - 1.0
    sums, sizes = np.add.reduceat(unit, starts), np.diff(np.append(starts, count)).astype(float)
    share = SHARES[:, None]
    within = 1 - SHARES
    part = share / (1 - share + share * sizes)
    aa = count - part @ sizes**2
    left = float(unit @ unit) - part @ sums**2 - (part @ (sizes * sums)) ** 2 / aa
    squares = np.maximum(left, 1e-300) / within
    log_determinant = (count - len(sizes)) * np.log(within) + np.log(1 - share + share * sizes).sum(axis=1)
    log_weight = -0.5 * (log_determinant + np.log(aa / within) + freedom * np.log(squares))
    variance = (within * count + SHARES * float(sizes @ sizes)) / count**2
    return log_weight, np.sqrt(variance * squares / freedom)


def _autoregression(unit: Array, *, is_even: bool) -> tuple[SerialNoise, Array]:
    """The noise of values, whose mean is 0, each of which keeps something of the last one.

    With the log weight of each coefficient, not yet normed. [k]

    Args:
        is_even: whether the prior is even in the coefficient; else in its arc sine.
    """
    count = len(unit)
    grid = np.sin(np.linspace(0.0, math.asin(1 - NEAR_ONE / count), EVEN_COEFFICIENTS))
    root = np.sqrt(1 - grid**2)[:, None]
    one, centred = (_whitened(each, grid, root) for each in (np.ones(count), unit))
    (aa, ay, yy) = (np.einsum("kn,kn->k", *pair) for pair in ((one, one), (one, centred), (centred, centred)))
    squares = np.maximum(yy - ay**2 / aa, 1e-300) / (1 - grid**2)
    freedom = count - 1.0
    log_weight = -0.5 * ((count - 2) * np.log1p(-(grid**2)) + np.log(aa) + freedom * np.log(squares))
    if is_even:
        log_weight += 0.5 * np.log1p(-(grid**2))  # the coefficients are even in their arc sine
    weights = np.exp(log_weight - log_weight.max())
    return SerialNoise(grid, weights / weights.sum(), squares / freedom, freedom, np.arange(count)), log_weight


def serial_noise(x: Array, y: Array) -> SerialNoise | None:
    """The noise of points about a line, as looks at one run; None on fewer than four points.

    Args:
        x: log axis. [points]
        y: log(measured / claim). [points]
    """
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    count = len(x)
    if count < 4 or x[0] == x[-1]:
        return None
    grid = _grid(count)
    root = np.sqrt(1 - grid**2)[:, None]
    columns = [_whitened(values, grid, root) for values in (np.ones(count), x - x.mean(), y)]
    (aa, ab, bb, ay, by, yy) = (
        np.einsum("kn,kn->k", columns[i], columns[j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
    )
    determinant = aa * bb - ab**2
    explained = (bb * ay**2 - 2 * ab * ay * by + aa * by**2) / determinant
    squares = np.maximum(yy - explained, 1e-300) / (1 - grid**2)
    freedom = count - 2.0
    # log |R| = (n - 1) log(1 - r^2), and the whitened columns are short of a factor of it.
    log_weight = -0.5 * ((count - 1) * np.log1p(-(grid**2)) + np.log(determinant) - 2 * np.log1p(-(grid**2)))
    log_weight += np.log(_prior()) - 0.5 * freedom * np.log(squares)
    weights = np.exp(log_weight - log_weight.max())
    return SerialNoise(grid, weights / weights.sum(), squares / freedom, freedom, order)


def neighbours_err_alike(x: Array, y: Array, noise: float, freedom: float) -> bool:
    """Whether errors of neighbouring points are alike more often than those of independent points; few never are.

    By their correlation about a parabola, and, where no smooth curve passes within noise of the points, by what blocks
    of neighbours explain of them beside the line: blocks that err together are a staircase, which a parabola takes for
    a bend. A line that does bend is another matter (`checks.statistics.straightness`).

    Args:
        x: log axis. [points]
        y: log(measured / claim). [points]
        noise: variance of a point as replicates show it.
        freedom: its degrees of freedom.
    """
    if len(x) < MIN_IN_ORDER:
        return False
    order = np.argsort(x, kind="stable")
    places, errors = tuple(x[order].tolist()), y[order]
    left, least = _residuals_of(places)
    if _likeness(left @ errors) > least:
        return True
    smooth = _without_polynomial(places, 3)
    misfit = float(np.sum((smooth @ errors) ** 2)) / (len(x) - 4)
    if not misfit > noise * float(special.fdtri(len(x) - 4, max(freedom, 1.0), 1 - SMOOTH_LEVEL)):
        return False
    blocks, least = _blocks_of(places)
    return bool(blocks.chances(errors[:, None])[0] < least)


def _without_polynomial(x: tuple[float, ...], degree: int) -> Array:
    """What takes a polynomial out of points. [points, points]"""
    design = np.vander((np.array(x) - np.mean(x)) / np.std(x), degree + 1)
    return np.eye(len(x)) - design @ np.linalg.pinv(design)


@functools.lru_cache(maxsize=256)
def _residuals_of(x: tuple[float, ...]) -> tuple[Array, float]:
    """What takes a parabola out of points, and the likeness of neighbours that independent errors rarely exceed."""
    left = _without_polynomial(x, 2)
    draws = np.random.default_rng(0).standard_normal((NEIGHBOURS_DRAWS, len(x))) @ left
    return left, float(np.quantile(_likeness(draws), 1 - NEIGHBOURS_LEVEL))


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Every way to cut points in order into blocks of 2 to `MAX_BLOCK`, at least `MIN_BLOCKS` of them.

    Attributes:
        left: what takes the line out of points. [points, points]
        parts: of each way what projects on its blocks beside the line, and the degrees of freedom of that and the rest.
    """

    left: Array
    parts: tuple[tuple[Array, int, int], ...]

    def chances(self, errors: Array) -> Array:
        """The least chance of all ways, by the F test of each: blocks against what they leave. [points, n] -> [n]"""
        errors = self.left @ errors
        total, found = np.sum(errors**2, axis=0), np.ones(errors.shape[1])
        for projection, above, below in self.parts:
            explained = np.sum((projection @ errors) ** 2, axis=0)
            ratio = explained / above / np.maximum((total - explained) / below, 1e-300)
            found = np.minimum(found, special.fdtrc(above, below, ratio))
        return found


@functools.lru_cache(maxsize=256)
def _blocks_of(x: tuple[float, ...]) -> tuple[_Blocks, float]:
    """The blocks of points, and the least chance that independent errors rarely fall below."""
    count, left, parts = len(x), _without_polynomial(x, 1), []
    for size in range(2, min(count // MIN_BLOCKS, MAX_BLOCK) + 1):
        for first in range(size):
            number = (np.arange(count) + first) // size
            own = left @ (number[:, None] == np.unique(number))
            above = int(np.linalg.matrix_rank(own))
            if 0 < above < count - 2:
                parts.append((own @ np.linalg.pinv(own), above, count - 2 - above))
    blocks = _Blocks(left, tuple(parts))
    draws = np.random.default_rng(0).standard_normal((count, NEIGHBOURS_DRAWS))
    return blocks, float(np.quantile(blocks.chances(draws), NEIGHBOURS_LEVEL))


def _likeness(left: Array) -> Array:
    """Correlation of residuals at lag 1, of each row. [rows, points] -> [rows]"""
    return np.sum(left[..., 1:] * left[..., :-1], axis=-1) / np.sum(left**2, axis=-1)


def _whitened(values: Array, grid: Array, root: Array) -> Array:
    """Values less r times the one before, the first one times sqrt(1 - r^2). [k, points]"""
    return np.hstack([root * values[0], values[1:] - grid[:, None] * values[:-1]])


@functools.lru_cache(maxsize=64)
def _grid(count: int) -> Array:
    """Values of r on so many points, from 0 on."""
    return 1 - np.geomspace(1.0, NEAR_ONE / count, COEFFICIENTS)


@functools.cache
def _prior() -> Array:
    """Of each value of r."""
    even = np.full(COEFFICIENTS, (1 - ALL_OF_ONE) / COEFFICIENTS)
    even[-1] += ALL_OF_ONE
    return even
