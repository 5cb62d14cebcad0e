"""Extreme singular values of Gaussian matrices with 16 columns, and of square ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import SINGULAR_VALUES
from sim.trials.sweep import grid
from sim.trials.trial import Parameters
from theory.classical import matrices as claims


def _values(
    name: str, observable: str, points: Mapping[Preset, Sequence[Parameters]], n_draws: int, replicates=FOR_MEANS
) -> Scaling:
    return Scaling(
        name=name,
        symbol=claims.n,
        parameter="n_rows",
        observable=observable,
        symbols=symbols,
        sweeps=sweeps(SINGULAR_VALUES, points, replicates, n_draws=n_draws),
    )


_TALL = {preset: grid(n_rows=sizes, n_columns=(16,)) for preset, sizes in powers(16, 5, smoke=3).items()}
_SQUARE: dict[Preset, tuple[Parameters, ...]] = {
    preset: tuple({"n_rows": size, "n_columns": size} for size in sizes)
    for preset, sizes in powers(8, 6, smoke=5).items()
}

OPERATOR_NORM = judged(
    (_values("16 columns", "expected_operator_norm", _TALL, 40),),
    claims.OPERATOR_NORM,
    *claims.OPERATOR_NORM_TWINS,
)
SMALLEST_SINGULAR_VALUE = judged(
    (_values("16 columns", "expected_smallest_singular_value", _TALL, 40),),
    claims.SMALLEST_SINGULAR_VALUE,
    *claims.SMALLEST_SINGULAR_VALUE_TWINS,
)
NORM_ORDER = judged(
    (_values("square", "expected_operator_norm", _SQUARE, 16, {Preset.SMOKE: 6, Preset.QUICK: 8}),),
    claims.NORM_ORDER,
    *claims.NORM_ORDER_TWINS,
)
