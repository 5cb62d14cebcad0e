"""Whether an accusation stands for all hidden constants: what a claim can be at each point, over boxes of constants.

On a box of constants the claim's value at every grid point lies in a rigorous interval (`theory.intervals`). Judged are
the curves at the ends of these intervals that bound every other one: all low and all high ends, of bounds that are
compared as they stand; for an order the curve that rises least and the one that rises most along the axis, by the sign
of x less its mean, since no prefactor is fitted beside; for an exact value the ends nearest to what was measured. Where
these are violated on the same side, so is the claim for every constant in the box
(`checks.statistics.judge.violated_throughout`).

Of an order the slope is bounded so. The width of its interval is that of the two curves, which differ from those of the
box by less, the smaller the box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.later import interval_arithmetic, interval_programs, np, rules
from checks.statistics.verdict import Judgement
from theory.claim import Axis, Claim, Kind, at

if TYPE_CHECKING:
    from checks.statistics.arguments import Toward
    from checks.statistics.judge import Box
    from checks.statistics.regression import Array
    from theory.intervals.programs import Program

COMPARED = frozenset(
    {Kind.EXPLICIT_UPPER, Kind.EXPLICIT_LOWER, Kind.EXACT, Kind.UPPER, Kind.LOWER, Kind.TIGHT, Kind.EVERY_ALGORITHM,
     Kind.UNSPECIFIED_ORDER, Kind.FIGURE}
)  # fmt: skip
"""Kinds whose value at a point is compared with what was measured there; a limit is another matter."""

Ends = Sequence[tuple[float, float]]


def settling_boxes(
    claim: Claim,
    judge: Callable[[list[float]], Judgement],
    constants: Mapping[sp.Symbol, sp.Expr],
    grid: Sequence[Mapping[sp.Symbol, sp.Expr]],
    *,
    axis: Axis | None,
    toward: Toward,
    measured: Sequence[float | None],
) -> int:
    """In how many boxes an accusation is settled for all hidden constants that exist; 0 where it is not.

    Args:
        judge: the judgement if the claim has these values on the grid.
        constants: the accused choice; constants that the claim makes for every value stay as it has them.
        grid: the measured points in the paper's symbols, all of them judged.
        axis: the axis judged, for orders.
        toward: its limit at the accused choice.
        measured: the mean at each grid point, for exact claims.
    """
    free = {str(c.symbol): c for c in claim.constants if not c.for_all}
    letters = [constant.symbol for constant in free.values()]
    programs = _programs(claim, constants, grid, axis, letters)
    if programs is None:
        return 0
    is_order = axis is not None and not claim.kind.is_explicit
    x = rules.signed_log_axis([float(point[axis.symbol]) for point in grid], toward)[1] if axis and is_order else None

    def extremes(box: Box) -> list[Judgement]:
        ends = _ends(programs, [box[name] for name in free])
        if ends is None or (is_order and min(low for low, _ in ends) <= 0):
            return []
        curves = [_nearest(ends, measured)] if claim.kind is Kind.EXACT else _extremes(ends, x)
        return [judge(curve) for curve in curves if curve]

    return rules.violated_throughout(
        extremes, {name: (_fraction(c.low), _fraction(c.high)) for name, c in free.items()}
    )


def _programs(
    claim: Claim,
    constants: Mapping[sp.Symbol, sp.Expr],
    grid: Sequence[Mapping[sp.Symbol, sp.Expr]],
    axis: Axis | None,
    letters: Sequence[sp.Symbol],
) -> list[Program] | None:
    """The claim at every point as a function of its constants; None where they decide which points count, or no
    enclosure is known.
    """
    deciding = {letter for hypothesis in claim.regime for letter in hypothesis.relation.free_symbols}
    deciding |= set() if axis is None or isinstance(axis.toward, str) else axis.toward.free_symbols
    if claim.kind not in COMPARED or deciding & set(letters):
        return None
    fixed = {letter: value for letter, value in constants.items() if letter not in letters}
    try:
        return [interval_programs.Program([_exact(at(claim.formula, {**fixed, **point}))], letters) for point in grid]
    except interval_arithmetic.NoEnclosure:
        return None


def _ends(programs: Sequence[Program], box: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[float, float]] | None:
    """Between which numbers the claim lies at each point; None where an enclosure has no end."""
    found = [program([interval_arithmetic.interval(*ends) for ends in box])[0] for program in programs]
    return [one.outward() for one in found] if all(one.is_finite for one in found) else None


def _nearest(ends: Ends, measured: Sequence[float | None]) -> list[float]:
    """Of all curves between the ends the one nearest to what was measured; none where a mean is not known."""
    means = [math.nan if mean is None else mean for mean in measured]
    if len(means) != len(ends) or not all(map(math.isfinite, means)):
        return []
    return [min(max(mean, low), high) for mean, (low, high) in zip(means, ends, strict=True)]


def _extremes(ends: Ends, x: Array | None) -> list[list[float]]:
    """All low and all high ends; along an axis the curve that rises most with it and the one that rises least."""
    low, high = np.array(ends).T
    is_late = np.ones(len(low), dtype=bool) if x is None else x > x.mean()
    return [np.where(is_late, *pair).tolist() for pair in ((high, low), (low, high))]


def _fraction(value: sp.Expr) -> Fraction:
    rational = sp.Rational(value)
    return Fraction(int(rational.p), int(rational.q))


def _exact(expression: sp.Expr) -> sp.Expr:
    """An expression whose floats are the rationals that they stand for."""
    return expression.xreplace({number: sp.Rational(number) for number in expression.atoms(sp.Float)})
