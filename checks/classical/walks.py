"""The random walk between two barriers: one of them fixed, or both moving together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import EXIT
from sim.trials.sweep import grid
from sim.trials.trial import Parameters
from theory.classical import walks as claims


def _exits(
    name: str, observable: str, points: Mapping[Preset, Sequence[Parameters]], n_draws: int, replicates=FOR_MEANS
) -> Scaling:
    return Scaling(
        name=name,
        symbol=claims.b,
        parameter="above",
        observable=observable,
        symbols=symbols,
        sweeps=sweeps(EXIT, points, replicates, n_draws=n_draws),
    )


_FIXED = {preset: grid(below=(8,), above=sizes) for preset, sizes in powers(2, 5, smoke=3).items()}
_WIDTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64)
_TOGETHER: dict[Preset, tuple[Parameters, ...]] = {
    preset: tuple({"below": size, "above": size} for size in sizes)
    for preset, sizes in {Preset.SMOKE: _WIDTHS[:6], Preset.QUICK: _WIDTHS}.items()
}

EXIT_TIME = judged((_exits("8 below", "expected_exit_time", _FIXED, 2000),), claims.EXIT_TIME, *claims.EXIT_TIME_TWINS)
EXIT_SIDE = judged((_exits("8 below", "share_above", _FIXED, 2000),), claims.EXIT_SIDE, *claims.EXIT_SIDE_TWINS)
EXIT_ORDER = judged(
    (_exits("symmetric", "expected_exit_time", _TOGETHER, 400, {Preset.SMOKE: 6, Preset.QUICK: 10}),),
    claims.EXIT_ORDER,
    *claims.EXIT_ORDER_TWINS,
)
