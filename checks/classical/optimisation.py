"""Descent on quadratics: losses along the steps of a run, and the floor of noise along the learning rate."""

from __future__ import annotations

from collections.abc import Mapping

from checks.classical.setting import FOR_MEANS, course, judged, sweeps, symbols
from checks.evidence.sampled import Range, Scaling
from checks.records.preset import Preset
from sim.classical.systems import CONVEX_DESCENT, DESCENT, NOISY_DESCENT
from sim.trials.sweep import grid
from theory.classical import optimisation as claims

ONCE = {Preset.SMOKE: 1, Preset.QUICK: 1}
_NOWHERE_ELSE = {Preset.SMOKE: ({},), Preset.QUICK: ({},)}

POWER_LAW = judged(
    (
        Range(
            name="20000 eigenvalues, 4096 steps",
            symbol=claims.t,
            axis_words="steps",
            quantity=course("loss", claims.t, since=4),
            sweeps=sweeps(DESCENT, _NOWHERE_ELSE, ONCE, n_modes=20_000, decay=2.0, learning_rate=0.5, n_steps=4096),
        ),
    ),
    claims.POWER_LAW,
    *claims.POWER_LAW_TWINS,
)

STRONGLY_CONVEX = judged(
    (
        Range(
            name="condition 10, late steps",
            symbol=claims.t,
            axis_words="steps",
            quantity=course("loss", claims.t, since=150),
            sweeps=sweeps(
                CONVEX_DESCENT,
                _NOWHERE_ELSE,
                {Preset.SMOKE: 2, Preset.QUICK: 8},
                dimension=10,
                condition=10.0,
                learning_rate=0.5,
                n_steps=600,
            ),
        ),
    ),
    claims.STRONGLY_CONVEX,
    *claims.STRONGLY_CONVEX_TWINS,
)


def _floor(
    name: str, rates: tuple[float, ...], smoke: slice, replicates: Mapping[Preset, int], n_chains: int
) -> Scaling:
    points = {Preset.SMOKE: grid(learning_rate=rates[smoke]), Preset.QUICK: grid(learning_rate=rates)}
    return Scaling(
        name=name,
        symbol=claims.eta,
        parameter="learning_rate",
        observable="mean_square",
        symbols=symbols,
        sweeps=sweeps(NOISY_DESCENT, points, replicates, n_times=10, n_chains=n_chains),
    )


_LARGE = _floor("eta to 0.64", (0.04, 0.08, 0.16, 0.32, 0.64), slice(2, None), FOR_MEANS, 200)
_SMALL = _floor(
    "eta to 0.08",
    (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08),
    slice(2, None),
    {Preset.SMOKE: 6, Preset.QUICK: 10},
    400,
)
NOISE_FLOOR = judged((_LARGE,), claims.NOISE_FLOOR, *claims.NOISE_FLOOR_TWINS)
NOISE_ORDER = judged((_SMALL,), claims.NOISE_ORDER, *claims.NOISE_ORDER_TWINS)
