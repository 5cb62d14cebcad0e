"""The grid of the calibration: which truths are planted, family by family in the order of the table."""

from __future__ import annotations

import itertools
from dataclasses import replace

from checks.calibration.bends import bent_cells
from checks.calibration.beyond_lines import beyond_cells
from checks.calibration.cells import BETWEEN, MARGIN, Cell, CurveCell, JointCell, RateCell, ScalingCell, ThresholdCell
from checks.calibration.curve_shapes import shape_cells
from checks.calibration.doubtful_samples import doubtful_cells
from checks.calibration.handed import handed_cells
from checks.calibration.limits import limit_cells
from checks.calibration.no_lines import no_line_cells
from checks.calibration.offsets import offset_cells
from checks.calibration.pairs import pairs_cells
from checks.calibration.recorded import recorded_cells
from checks.calibration.skewed import skewed_cells
from checks.calibration.strange import looked_at, strange_cells
from checks.calibration.unforeseen import unforeseen_cells
from checks.statistics.verdict import delta_sign

RELATIONS = ("upper", "lower", "tight")
LIMITS = ("infinity", "zero")
POINTS = (5, 7, 9)
NOISES = (0.05, 0.2, 0.5)

SLOPES = {"-2m": -0.5, "-m": -0.25, "-m/2": -0.125, "0": 0.0, "+m/2": 0.125, "+m": 0.25, "+2m": 0.5}
"""Residual slopes beyond, at the edge of and inside the margin m; multiples of 1/8: the edge is met exactly."""


def all_cells() -> tuple[Cell, ...]:
    """Every cell, in the order of the table; the part of the name before "/" is its family."""
    lines = (*_slopes(), *_noises(), *_shapes(), *_replicates(), *_power(), *_censored())
    others = (*_axis_errors(), *_planes(), *_rates(), *_looks(), *_thresholds(), *_curves(), *shape_cells())
    later = (
        *bent_cells(),
        *no_line_cells(),
        *recorded_cells(),
        *doubtful_cells(),
        *handed_cells(),
        *offset_cells(),
        *skewed_cells(),
        *pairs_cells(),
        *limit_cells(),
        *strange_cells(),
        *unforeseen_cells(),
        *beyond_cells(),
    )
    return (*lines, *others, *later)


def _slopes() -> list[Cell]:
    return [
        ScalingCell(
            name=f"slope/{relation}/{toward}/{word}",
            delta=delta_sign(relation) * slope,
            relation=relation,
            toward=toward,
        )
        for relation, toward, (word, slope) in itertools.product(RELATIONS, LIMITS, SLOPES.items())
    ]


def _noises() -> list[Cell]:
    kinds = ("normal", "heteroscedastic", "t3", "outlier", "between")
    return [
        ScalingCell(name=f"noise/{kind}/{noise:g}/{count}", delta=MARGIN, noise=noise, n_points=count, scatter=kind)
        for kind, noise, count in itertools.product(kinds, NOISES, POINTS)
    ]


def _shapes() -> list[Cell]:
    return [
        ScalingCell(
            name=f"shape/{shape}/{noise:g}/{count}",
            delta=MARGIN,
            relation="lower" if shape == "log" else "upper",  # an upper bound would be violated by the logarithm
            noise=noise,
            n_points=count,
            shape=shape,
        )
        for shape, noise, count in itertools.product(("offset", "log"), NOISES, POINTS)
    ]


def _replicates() -> list[Cell]:
    return [
        ScalingCell(name=f"replicates/{number}/{count}", delta=MARGIN, n_replicates=number, n_points=count)
        for number, count in (*itertools.product((1, 2, 3, 10, 50), (5, 9)), (20, 4), (50, 4))
    ]


def _power() -> list[Cell]:
    return [
        ScalingCell(name=f"power/{word}/{noise:g}/{count}", delta=delta, noise=noise, n_points=count, relation="tight")
        for (word, delta), noise, count in itertools.product((("0", 0.0), ("+2m", 0.5)), NOISES, POINTS)
    ]


def _censored() -> list[Cell]:
    cells: list[Cell] = [
        ScalingCell(name=f"censored/{cut}/0.2/{count}", delta=MARGIN, n_points=count, cut=cut)
        for cut, count in itertools.product(("last", "two", "first"), POINTS)
    ]
    cells += [
        ScalingCell(name=f"censored/{cut}/{noise:g}/7", delta=MARGIN, noise=noise, cut=cut)
        for cut, noise in itertools.product(("last", "two"), (0.05, 0.5))
    ]
    cells += [
        ScalingCell(name="censored/last/between/7", delta=MARGIN, cut="last", scatter="between"),
        ScalingCell(name="censored/last/zero/7", delta=MARGIN, cut="last", toward="zero"),
        ScalingCell(name="censored/last/lower/7", delta=MARGIN, cut="last", relation="lower"),
        ScalingCell(name="censored/last/0/7", delta=0.0, cut="last", relation="tight"),
        ScalingCell(name="censored/last/+2m/7", delta=2 * MARGIN, cut="last", relation="tight"),
    ]
    return cells


def _axis_errors() -> list[Cell]:
    return [
        ScalingCell(name=f"axis/{error:g}/{count}", delta=delta, n_points=count, noise=0.05, axis_error=error)
        for (error, delta), count in itertools.product(((0.1, MARGIN), (0.3, MARGIN)), POINTS)
    ]


def _planes() -> list[Cell]:
    return [
        JointCell(name="joint/4 x 4", delta=MARGIN),
        JointCell(name="joint/3 x 3", delta=MARGIN, n_points=3),
        JointCell(name="joint/4 x 4/tilted", delta=MARGIN, tilt=0.7),
        JointCell(name="joint/4 x 4/between", delta=MARGIN, between=BETWEEN),
        JointCell(name="joint/4 x 4/upper", delta=MARGIN, relation="upper"),
        JointCell(name="joint/4 x 4/0", delta=0.0),
        JointCell(name="joint/4 x 4/+2m", delta=2 * MARGIN),
    ]


def _rates() -> list[Cell]:
    cells: list[Cell] = [
        RateCell(name=f"rates/{number}/{noise:g}", delta=MARGIN, n_replicates=number, noise=noise)
        for number, noise in itertools.product((5, 10, 50), (0.05, 0.5))
    ]
    return [
        *cells,
        RateCell(name="rates/5/t3", delta=MARGIN, n_replicates=5, heavy=True),
        RateCell(name="rates/20/t3", delta=MARGIN, n_replicates=20, heavy=True),
        RateCell(name="rates/10/lower", delta=MARGIN, relation="lower"),
        RateCell(name="rates/10/0", delta=0.0),
        RateCell(name="rates/10/+2m", delta=2 * MARGIN),
    ]


def _looks() -> list[Cell]:
    cells: list[Cell] = [
        ScalingCell(
            name=f"looks/{noise:g}/{kind}", delta=MARGIN, noise=noise, n_replicates=2, scatter=kind, interim=True
        )
        for noise, kind in itertools.product((0.2, 0.5, 1.0), ("normal", "between"))
    ]
    return [
        *cells,
        ScalingCell(name="looks/0.5/0", delta=0.0, noise=0.5, n_replicates=2, relation="tight", interim=True),
        ScalingCell(name="looks/0.5/+2m", delta=2 * MARGIN, noise=0.5, n_replicates=2, relation="tight", interim=True),
        *looked_at(),
    ]


def _thresholds() -> list[Cell]:
    cells: list[Cell] = [
        ThresholdCell(name=f"thresholds/{number}", delta=MARGIN, n_replicates=number) for number in (5, 10, 20, 50)
    ]
    cells += [
        ThresholdCell(name=f"thresholds/{number}/shallow", delta=MARGIN, n_replicates=number, steepness=1.5)
        for number in (5, 20)
    ]
    return [
        *cells,
        ThresholdCell(name="thresholds/20/between", delta=MARGIN, n_replicates=20, between=BETWEEN),
        ThresholdCell(name="thresholds/20/over-dispersed", delta=MARGIN, n_replicates=20, overdispersion=0.1),
        ThresholdCell(
            name="thresholds/20/over-dispersed/declared",
            delta=MARGIN,
            n_replicates=20,
            overdispersion=0.1,
            declared=True,
        ),
        ThresholdCell(name="thresholds/20/5 points", delta=MARGIN, n_replicates=20, n_points=5),
        ThresholdCell(name="thresholds/20/0", delta=0.0, n_replicates=20, relation="tight"),
        ThresholdCell(name="thresholds/20/+2m", delta=2 * MARGIN, n_replicates=20, relation="tight"),
    ]


def _curves() -> list[Cell]:
    cells: list[Cell] = [
        CurveCell(name=f"curve/{word}/{number}", n_replicates=number, steepness=steepness)
        for (word, steepness), number in itertools.product(
            (("shallow", 1.5), ("middling", 3.0), ("steep", 8.0)), (5, 10, 20, 50)
        )
    ]
    cells += [CurveCell(name=f"curve/lapse/{number}", n_replicates=number, lapse=0.1) for number in (5, 20)]
    clumped = [
        CurveCell(name=f"curve/over-dispersed {word}/{number}", n_replicates=number, steepness=k, overdispersion=0.1)
        for (word, k), number in itertools.product((("shallow", 1.5), ("middling", 3.0)), (10, 50))
    ]
    clumped.append(CurveCell(name="curve/over-dispersed strongly/20", n_replicates=20, overdispersion=0.3))
    cells += clumped
    cells += [replace(cell, name=f"{cell.name}/declared", declared=True) for cell in clumped]
    cells.append(CurveCell(name="curve/binomial/20/declared", n_replicates=20, declared=True))
    cells += [CurveCell(name=f"curve/level 0.8/{number}", n_replicates=number, level=0.8) for number in (10, 50)]
    return cells
