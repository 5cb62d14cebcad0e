"""The largest cluster of a critical torus."""

from __future__ import annotations

from checks.classical.setting import judged, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import PERCOLATION
from sim.trials.sweep import grid
from theory.classical import percolation as claims

_WIDTHS = (8, 12, 16, 24, 32, 48, 64, 96, 128)
_BOXES = {Preset.SMOKE: grid(width=_WIDTHS[:6]), Preset.QUICK: grid(width=_WIDTHS)}

CLUSTER_MASS = judged(
    (
        Scaling(
            name="p = 1/2",
            symbol=claims.L,
            parameter="width",
            observable="largest_cluster",
            symbols=symbols,
            sweeps=sweeps(PERCOLATION, _BOXES, {Preset.SMOKE: 6, Preset.QUICK: 12}, n_draws=50),
        ),
    ),
    claims.CLUSTER_MASS,
    *claims.CLUSTER_MASS_TWINS,
)
