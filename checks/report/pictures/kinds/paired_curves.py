"""Success curves of two choices at each place of an axis: both thresholds in one panel, and their ratio in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.evidence.comparison import succeeded
from checks.evidence.ratios import PairedThresholds
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import OWN, PictureKind
from checks.report.pictures.kinds.overlay import ThresholdCurve, overlaid, told
from checks.report.pictures.kinds.rates import tables_of
from checks.report.pictures.kinds.rows import points
from checks.report.pictures.model import Band
from checks.report.pictures.points import as_points
from checks.report.pictures.words import figures_in_words, heading, joined, labelled
from checks.statistics.estimates import Estimate, estimate_threshold
from sim.trials.trial import Trial


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
    by_size: dict[int, list[bool]] = {}
    for trial in trials:
        by_size.setdefault(int(trial.spec.parameters[part.size]), []).append(succeeded(trial, part.success))
    shown = by_size.values()
    counts = list(by_size), [sum(one) for one in shown], [len(one) for one in shown]
    return estimate_threshold(*counts, confidence=part.confidence)


def _takes(piece: Piece) -> bool:
    return isinstance(piece.part, PairedThresholds)


def _band(piece: Piece) -> Band:
    part, series, row = paired_part(piece), choices_of(piece), piece.row
    both = labelled(overlaid(series, size=part.size), piece, "")
    panels = [replace(both, title=" and ".join(part.choices))]
    figures = figures_in_words(row) if row is not None and row.points else ""
    if row is not None and row.points:
        panels.append(replace(labelled(points(row), piece, " / ".join(part.choices)), title=figures))
    said = joined(told(series), figures, by="; ")
    return Band(heading(piece), tuple(panels), said, data=tables_of(piece), along=str(part.symbol))


KIND = PictureKind(place=OWN, takes=_takes, each=_band)
