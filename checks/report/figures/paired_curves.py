"""Success curves of two choices at each place of an axis: both thresholds in one panel, and their ratio in another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.comparison import succeeded
from checks.evidence.ratios import PairedThresholds
from checks.report.figures.gathered import Piece
from checks.report.figures.overlay import ThresholdCurve
from checks.report.figures.success_maps import as_points
from sim.trial import Trial

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


def paired_part(piece: Piece) -> PairedThresholds:
    """The piece's part, which must be one."""
    if not isinstance(piece.part, PairedThresholds):
        raise TypeError(f"piece must be of paired thresholds, got {type(piece.part).__name__}")
    return piece.part


def choices_of(piece: Piece) -> list[ThresholdCurve]:
    """The thresholds of either choice, that of the numerator first; outside where the ratio takes no part."""
    part = paired_part(piece)
    used = {point.value: point.in_regime for point in piece.points}
    found = []
    for top, name in zip((True, False), part.choices, strict=True):
        own = [trial for trial in piece.trials if part.is_top(trial.spec) is top]
        estimates = {value: _threshold(part, group) for value, group in part.groups(own).items()}
        found.append(ThresholdCurve(name, as_points(estimates, used), part.confidence))
    return found


def _threshold(part: PairedThresholds, trials: Sequence[Trial]) -> Estimate:
    from checks.statistics.estimates import estimate_threshold

    by_size: dict[int, list[bool]] = {}
    for trial in trials:
        by_size.setdefault(int(trial.spec.parameters[part.size]), []).append(succeeded(trial, part.success))
    shown = by_size.values()
    counts = list(by_size), [sum(one) for one in shown], [len(one) for one in shown]
    return estimate_threshold(*counts, confidence=part.confidence)
