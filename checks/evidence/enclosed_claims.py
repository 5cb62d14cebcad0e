"""Whether an accusation stands for all hidden constants: what a claim can be at each point, over boxes of constants.

On a box of constants the claim's value at every grid point lies in a rigorous interval (`theory.intervals`). Judged are
the curves at the ends of these intervals that bound every other one: all low and all high ends, of bounds that are
compared as they stand; for an order the curve that rises least and the one that rises most along the axis, by the sign
of x less its mean, since no prefactor is fitted beside; for an exact value the ends nearest to what was measured. Where
these are violated on the same side, so is the claim for every constant in the box
(`checks.statistics.judge.violated_throughout`). Judged are the points that count, and have a finite value, for every
constant in the box: what is violated on some of its points is violated.

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
    from theory.intervals.arithmetic import RigorousInterval
    from theory.intervals.programs import Program

COMPARED = frozenset(
    {Kind.EXPLICIT_UPPER, Kind.EXPLICIT_LOWER, Kind.EXACT, Kind.UPPER, Kind.LOWER, Kind.TIGHT, Kind.EVERY_ALGORITHM,
     Kind.UNSPECIFIED_ORDER, Kind.FIGURE}
)  # fmt: skip
"""Kinds whose value at a point is compared with what was measured there; a limit is another matter."""

Ends = Sequence[tuple[float, float]]


def settling_boxes(
    claim: Claim,
    judge: Callable[[list[float], list[bool]], Judgement],
    constants: Mapping[sp.Symbol, sp.Expr],
    grid: Sequence[Mapping[sp.Symbol, sp.Expr]],
    *,
    axis: Axis | None,
    toward: Toward,
    measured: Sequence[float | None],
) -> int:
    """In how many boxes an accusation is settled for all hidden constants that exist; 0 where it is not.

    Args:
        judge: the judgement if the claim has these values on the grid and these points count.
        constants: the accused choice; constants that the claim makes for every value stay as it has them.
        grid: the measured points in the paper's symbols, none of them at the axis' limit.
        axis: the axis judged, for orders.
        toward: its limit at the accused choice.
        measured: the mean at each grid point, for exact claims.
    """
    free = {str(c.symbol): c for c in claim.constants if not c.for_all}
    letters = [constant.symbol for constant in free.values()]
    fixed = {letter: value for letter, value in constants.items() if letter not in letters}
    if claim.kind not in COMPARED or moves_limit(claim, axis):
        return 0
    try:
        programs = [_program(at(claim.formula, {**fixed, **point}), letters) for point in grid]
        conditions = [_conditions(claim, {**fixed, **point}, letters) for point in grid]
    except interval_arithmetic.NoEnclosure:
        return 0
    is_order = axis is not None and not claim.kind.is_explicit
    x = rules.signed_log_axis([float(point[axis.symbol]) for point in grid], toward)[1] if axis and is_order else None

    def extremes(box: Box) -> list[Judgement]:
        values = [interval_arithmetic.interval(*box[name]) for name in free]
        ends = [program(values)[0].outward() for program in programs]
        counted = [
            _surely_counts(each, values) and -math.inf < low and high < math.inf and (low > 0 or not is_order)
            for each, (low, high) in zip(conditions, ends, strict=True)
        ]
        curves = [_nearest(ends, measured)] if claim.kind is Kind.EXACT else _extremes(ends, x, counted)
        return [judge(curve, counted) for curve in curves if curve]

    return rules.violated_throughout(
        extremes, {name: (_fraction(c.low), _fraction(c.high)) for name, c in free.items()}
    )


def moves_limit(claim: Claim, axis: Axis | None) -> bool:
    """Whether a hidden constant moves the limit that an axis approaches: x is then another one at every constant."""
    if axis is None or isinstance(axis.toward, str):
        return False
    return bool(axis.toward.free_symbols & {constant.symbol for constant in claim.constants if not constant.for_all})


def _program(expression: sp.Expr, letters: Sequence[sp.Symbol]) -> Program:
    """An expression as a function of some letters.

    Raises:
        NoEnclosure: where none is known.
    """
    return interval_programs.Program([_exact(expression)], letters)


def _conditions(
    claim: Claim, known: Mapping[sp.Symbol, sp.Expr], letters: Sequence[sp.Symbol]
) -> Sequence[Program] | None:
    """What is negative, or 0, where a point's hypotheses are met, as functions of the constants; None if never met.

    Hypotheses with letters that nothing determines are open, and the point counts, as in `comparison.scan`.

    Raises:
        NoEnclosure: where a hypothesis is no inequality, or one without an enclosure.
    """
    found = []
    for hypothesis in claim.regime:
        relation = at(hypothesis.relation, known)
        if relation == sp.false:
            return None
        if relation == sp.true or not relation.free_symbols <= set(letters):
            continue
        if not isinstance(relation, sp.Lt | sp.Le | sp.Gt | sp.Ge):
            raise interval_arithmetic.NoEnclosure(f"no inequality: {relation}")
        found.append(_program(relation.lts - relation.gts, letters))
    return found


def _surely_counts(conditions: Sequence[Program] | None, values: Sequence[RigorousInterval]) -> bool:
    """Whether a point meets its hypotheses whatever the constants in a box."""
    return conditions is not None and all(each(values)[0].outward()[1] < 0 for each in conditions)


def _nearest(ends: Ends, measured: Sequence[float | None]) -> list[float]:
    """Of all curves between the ends the one nearest to what was measured; none where a mean is not known."""
    means = [math.nan if mean is None else mean for mean in measured]
    if len(means) != len(ends) or not all(map(math.isfinite, means)):
        return []
    return [min(max(mean, low), high) for mean, (low, high) in zip(means, ends, strict=True)]


def _extremes(ends: Ends, x: Array | None, counted: Sequence[bool]) -> list[list[float]]:
    """All low and all high ends; along an axis the curve that rises most with it and the one that rises least."""
    low, high = np.nan_to_num(np.array(ends)).T  # infinite ends are those of points that do not count
    is_late = np.ones(len(low), dtype=bool) if x is None or not any(counted) else x > x[counted].mean()
    return [np.where(is_late, *pair).tolist() for pair in ((high, low), (low, high))]


def _fraction(value: sp.Expr) -> Fraction:
    rational = sp.Rational(value)
    return Fraction(int(rational.p), int(rational.q))


def _exact(expression: sp.Expr) -> sp.Expr:
    """An expression whose floats are the rationals that they stand for."""
    return expression.xreplace({number: sp.Rational(number) for number in expression.atoms(sp.Float)})
