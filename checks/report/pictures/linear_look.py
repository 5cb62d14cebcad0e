"""The papers' own look at a law: what was measured against the claimed abscissa, on linear axes.

A straight line on linear axes is weak evidence: over a short range many exponents give one. So the correlation is told
together with the powers of the axis that look as straight, by the rules of `checks.statistics.laws`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import sympy as sp

from checks.evidence.sampled import Scaling
from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Point, Row
from checks.report.pictures.gathered import Piece
from checks.report.pictures.model import UNUSED, Ink, Mark, Panel, PanelAxis, Trace, is_number
from checks.report.pictures.points import used_and_not
from checks.report.pictures.words import figures_in_words, labelled
from checks.statistics.estimates import Estimate
from checks.statistics.laws import LOOK_POWERS, STRAIGHT, Look, linear_look
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
    placed = {point.value: x for x, point in abscissa(piece.row) if point.in_regime is not False} if piece.row else {}
    if not placed:
        return None
    estimates = {value: estimate for value, estimate in estimates_of(piece).items() if placed.get(value, 0.0) > 0}
    if not estimates or min(estimates) <= 0:
        return None
    claimed = [placed[value] for value in estimates]
    return linear_look(list(estimates), list(estimates.values()), claimed, confidence=piece.part.confidence)


def estimates_of(piece: Piece) -> dict[float, Estimate]:
    """The measured quantity at each axis value, as the part's own judgement has it, where it is > 0."""
    part = piece.part
    if isinstance(part, SuccessCurves):
        return {value: part.threshold(group) for value, group in part.groups(piece.trials).items()}
    if not isinstance(part, Scaling):
        return {}
    groups = {value: part.counted(group) for value, group in part.groups(piece.trials).items()}
    samples = {value: np.array([part.value(trial) for trial in group]) for value, group in groups.items() if group}
    return {
        value: part.estimate(found, part.limit(groups[value][0]))
        for value, found in samples.items()
        if np.all(found > 0)  # others have no logarithm, and no place in a look of slopes
    }


def look_words(found: Look | None) -> str:
    """The correlation, and the powers of the axis that look as straight."""
    if found is None:
        return "too few values for a correlation"

    def shown(powers: Interval | None) -> str:
        if powers is None:
            return "no power"
        ends = powers.low <= LOOK_POWERS[0], powers.high >= LOOK_POWERS[-1]
        words = {(True, True): "every power tried", (True, False): f"powers up to {powers.high:g}"}
        return words.get(ends, f"powers {powers.low:g} to {powers.high:g}{' and beyond' if ends[1] else ''}")

    return (
        f"correlation {found.correlation:.3f}; at least {STRAIGHT:g} against {shown(found.alike)} of the axis; within "
        f"errors against {shown(found.fitting)}"
    )


def look(row: Row, *, noun: str = "measured") -> Panel:
    """The points, and the straight line of least squares through those with a value."""
    placed = abscissa(row)
    valued = [(x, point.measured) for x, point in placed if is_number(point.measured)]
    highest = [end for _, point in placed for end in (point.measured, point.low) if is_number(end)]
    marks: list[Mark] = []
    if len({x for x, _ in valued}) > 1:
        xs, ys = (np.array(column, dtype=float) for column in zip(*valued, strict=True))
        slope, start = np.polyfit(xs, ys, 1)
        ends = np.array([xs.min(), xs.max()])
        ink, label = Ink(UNUSED, 1.0), "straight line fitted"
        marks.append(Trace(ink, "straight", label, xs=ends.tolist(), ys=(slope * ends + start).tolist()))
    marks += used_and_not(placed, noun=noun, size=4.2, confidence=row.policy.interval_confidence)
    x = PanelAxis(abscissa_words(row), ends=(0, 1.08 * max((x for x, _ in placed), default=1.0)), most=5)
    return Panel(x, PanelAxis(ends=(0, 1.25 * max(highest, default=1.0)), most=5), marks)


def look_panels(piece: Piece, height: str, noun: str = "measured") -> list[Panel]:
    """The look as a panel, where the claim leaves a prefactor open."""
    if piece.row is None or not abscissa(piece.row):
        return []
    panel = labelled(look(piece.row, noun=noun), piece, height, in_step=False)
    return [replace(panel, title=f"Linear look: {look_words(look_of(piece))}")]


def said_of(piece: Piece) -> list[str]:
    """The figures of the judgement and of the look, and what moves with the axis, for those who cannot see them."""
    found, moving = look_of(piece), piece.in_step()
    said = [figures_in_words(piece.row)] if piece.row is not None and piece.row.points else []
    said += [f"linear look: {look_words(found)}"] if found is not None else []
    return said + ([f"confounded with {', '.join(moving)}"] if moving else [])


def abscissa_words(row: Row) -> str:
    """The claimed value as a formula, where it is short and in the axis alone."""
    claim, axis = row.claim, row.axis
    if claim.value is not None and axis is not None and claim.value.free_symbols == {axis.symbol}:
        base, power = claim.value.as_base_exp()
        raised = sp.latex(power, fold_short_frac=True).replace(" / ", "/")  # a fraction on a fraction is too small
        formula = sp.latex(base) if power == 1 else f"{sp.latex(base)}^{{{raised}}}"
        formula = sp.latex(claim.value, fold_short_frac=True) if not base.is_Symbol else formula
        if len(formula) <= _LONGEST_FORMULA:
            return f"${formula}$".replace("#", r"\#")
    return "claimed value"
