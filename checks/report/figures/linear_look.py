"""The papers' own look at a law: what was measured against the claimed abscissa, on linear axes.

A straight line on linear axes is weak evidence: over a short range many exponents give one. So the correlation is told
together with the powers of the axis that look as straight, by the rules of `checks.statistics.laws`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.evidence.sampled import Scaling
from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Point, Row
from checks.report.figures.gathered import Piece
from checks.report.marks import MEASURED, UNUSED, is_number, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from checks.statistics.estimates import Estimate
    from checks.statistics.laws import Look
    from checks.statistics.verdict import Interval

_LONGEST_FORMULA = 48


def abscissa(row: Row) -> list[tuple[float, Point]]:
    """Each point at the claim's own value, without the prefactor that was fitted; none where nothing is left open."""
    if row.claim.kind.is_explicit:
        return []
    prefactor = row.judgement.exponents.prefactor or 1.0
    return [(point.bound / prefactor, point) for point in row.points if is_number(point.bound)]


def look_of(piece: Piece) -> Look | None:
    """The look at the points that took part in the verdict, from the estimates behind them."""
    from checks.statistics.laws import linear_look

    placed = {point.value: x for x, point in abscissa(piece.row) if point.in_regime is not False} if piece.row else {}
    estimates = {value: estimate for value, estimate in estimates_of(piece).items() if placed.get(value, 0.0) > 0}
    if not estimates or min(estimates) <= 0:
        return None
    claimed = [placed[value] for value in estimates]
    return linear_look(list(estimates), list(estimates.values()), claimed, confidence=piece.part.confidence)


def estimates_of(piece: Piece) -> dict[float, Estimate]:
    """The measured quantity at each axis value, as the part's own judgement has it."""
    import numpy as np

    from checks.statistics.estimates import geometric_mean

    part = piece.part
    if isinstance(part, SuccessCurves):
        return {value: part.threshold(group) for value, group in part.groups(piece.trials).items()}
    if not isinstance(part, Scaling):
        return {}
    groups = {value: part.counted(group) for value, group in part.groups(piece.trials).items()}
    return {
        value: geometric_mean(
            np.array([part.value(trial) for trial in group]), limit=part.limit(group[0]), confidence=part.confidence
        )
        for value, group in groups.items()
        if group
    }


def look_words(look: Look | None) -> str:
    """The correlation, and the powers of the axis that look as straight."""
    from checks.statistics.laws import LOOK_POWERS, STRAIGHT

    if look is None:
        return "too few values for a correlation"

    def shown(powers: Interval | None) -> str:
        if powers is None:
            return "no power"
        ends = powers.low <= LOOK_POWERS[0], powers.high >= LOOK_POWERS[-1]
        words = {(True, True): "every power tried", (True, False): f"powers up to {powers.high:g}"}
        return words.get(ends, f"powers {powers.low:g} to {powers.high:g}{' and beyond' if ends[1] else ''}")

    return (
        f"correlation {look.correlation:.3f}; at least {STRAIGHT:g} against {shown(look.alike)} of the axis; within "
        f"errors against {shown(look.fitting)}"
    )


def draw_look(axes: Axes, row: Row, *, noun: str = "measured") -> None:
    """The points, and the straight line of least squares through those with a value."""
    import numpy as np

    placed = abscissa(row)
    valued = [(x, point.measured) for x, point in placed if is_number(point.measured)]
    highest = [end for _, point in placed for end in (point.measured, point.low) if is_number(end)]
    axes.set_xlim(0, 1.08 * max((x for x, _ in placed), default=1.0))
    axes.set_ylim(0, 1.25 * max(highest, default=1.0))
    if len({x for x, _ in valued}) > 1:
        xs, ys = (np.array(column, dtype=float) for column in zip(*valued, strict=True))
        slope, start = np.polyfit(xs, ys, 1)
        ends = np.array([xs.min(), xs.max()])
        axes.plot(ends, slope * ends + start, color=UNUSED, lw=1.0, label="straight line fitted", gid="straight")
    for used, words in ((True, ""), (False, ", outside")):
        chosen = [(x, point) for x, point in placed if (point.in_regime is not False) is used]
        mark(axes, chosen, colour=MEASURED, words=words, filled=used, noun=noun, size=4.2,
             confidence=row.policy.interval_confidence)  # fmt: skip
    axes.set_xlabel(abscissa_words(row))
    axes.locator_params(nbins=5)


def abscissa_words(row: Row) -> str:
    """The claimed value as a formula, where it is short and in the axis alone."""
    import sympy as sp

    claim, axis = row.claim, row.axis
    if claim.value is not None and axis is not None and claim.value.free_symbols == {axis.symbol}:
        base, power = claim.value.as_base_exp()
        formula = sp.latex(base) if power == 1 else f"{sp.latex(base)}^{{{sp.latex(power)}}}"
        formula = sp.latex(claim.value, fold_short_frac=True) if not base.is_Symbol else formula
        if len(formula) <= _LONGEST_FORMULA:
            return f"${formula}$".replace("#", r"\#")
    return "claimed value"
