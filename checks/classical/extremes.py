"""The largest of n standard normal variables, from a few to thousands."""

from __future__ import annotations

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import GAUSSIAN_MAXIMUM
from sim.trials.sweep import grid
from theory.classical import extremes as claims


def _maxima(name: str, sizes: dict[Preset, tuple[int, ...]]) -> Scaling:
    points = {preset: grid(n_variables=values) for preset, values in sizes.items()}
    return Scaling(
        name=name,
        symbol=claims.n,
        parameter="n_variables",
        observable="expected_maximum",
        symbols=symbols,
        sweeps=sweeps(GAUSSIAN_MAXIMUM, points, FOR_MEANS, n_draws=160),
    )


_SMALL = (_maxima("from 4 variables on", powers(4, 6, factor=4, smoke=4)),)
_LARGE = (_maxima("from 128 variables on", powers(128, 4, factor=4, smoke=2)),)

MAXIMUM = judged(_SMALL, claims.GAUSSIAN_MAXIMUM, *claims.GAUSSIAN_MAXIMUM_TWINS)
MAXIMUM_ORDER = judged(_SMALL, claims.GAUSSIAN_MAXIMUM_ORDER, *claims.GAUSSIAN_MAXIMUM_ORDER_TWINS)
MAXIMUM_LOWER = judged(_SMALL, claims.GAUSSIAN_MAXIMUM_LOWER, *claims.GAUSSIAN_MAXIMUM_LOWER_TWINS)
MAXIMUM_MEAN = judged(_LARGE, claims.GAUSSIAN_MAXIMUM_MEAN, *claims.GAUSSIAN_MAXIMUM_MEAN_TWINS)
