"""Least squares: exact risks at sizes around and far from the threshold, and the order far below it."""

from __future__ import annotations

from collections.abc import Mapping

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import LEAST_SQUARES, RIDGE
from sim.trials.sweep import grid
from sim.trials.trial import System
from theory.classical import regression as claims


def _along(
    parameter: str,
    name: str,
    values: dict[Preset, tuple[int, ...]],
    system: System = LEAST_SQUARES,
    replicates: Mapping[Preset, int] = FOR_MEANS,
    **fixed: float,
) -> Scaling:
    points = {preset: grid(**{parameter: sizes}) for preset, sizes in values.items()}
    return Scaling(
        name=name,
        symbol=claims.d if parameter == "dimension" else claims.n,
        parameter=parameter,
        observable="excess_risk",
        symbols=symbols,
        sweeps=sweeps(system, points, replicates, **fixed),
    )


OLS_RISK = judged(
    (_along("n_samples", "5 dimensions", powers(12, 6, smoke=3), dimension=5, n_draws=400),),
    claims.OLS_RISK,
    *claims.OLS_RISK_TWINS,
)
OLS_ORDER = judged(
    (
        _along(
            "n_samples",
            "2 dimensions",
            powers(32, 7, smoke=5),
            replicates={Preset.SMOKE: 6, Preset.QUICK: 10},
            dimension=2,
            n_draws=400,
        ),
    ),
    claims.OLS_ORDER,
    *claims.OLS_ORDER_TWINS,
)
INTERPOLATION = judged(
    (_along("dimension", "12 samples", powers(24, 4, smoke=3), n_samples=12, n_draws=200, signal=1.0),),
    claims.INTERPOLATION,
    *claims.INTERPOLATION_TWINS,
)
RIDGE_RISK = judged(
    (
        _along(
            "n_samples",
            "5 dimensions, lambda = 10",
            powers(20, 5, smoke=3),
            RIDGE,
            dimension=5,
            penalty=10.0,
            n_draws=200,
        ),
    ),
    claims.RIDGE,
    *claims.RIDGE_TWINS,
)
