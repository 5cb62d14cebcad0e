"""Quicksort and increasing subsequences: exact values at small sizes, orders where lower terms have faded."""

from __future__ import annotations

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from sim.classical.systems import QUICKSORT, SUBSEQUENCE
from sim.trials.sweep import grid
from sim.trials.trial import System
from theory.classical import sorting as claims


def _along(
    system: System, observable: str, name: str, sizes: dict[Preset, tuple[int, ...]], n_draws: int, replicates=FOR_MEANS
) -> Scaling:
    points = {preset: grid(n_items=values) for preset, values in sizes.items()}
    return Scaling(
        name=name,
        symbol=claims.n,
        parameter="n_items",
        observable=observable,
        symbols=symbols,
        sweeps=sweeps(system, points, replicates, n_draws=n_draws),
    )


_FOR_ORDERS = {Preset.SMOKE: 6, Preset.QUICK: 8}
_SMALL_SORTS = _along(QUICKSORT, "expected_comparisons", "from 4 on", powers(4, 5, factor=4, smoke=3), 160)
_LARGE_SORTS = _along(QUICKSORT, "expected_comparisons", "from 256 on", powers(256, 7, smoke=5), 40, _FOR_ORDERS)
_SMALL_LENGTHS = _along(SUBSEQUENCE, "expected_length", "from 4 on", powers(4, 5, factor=4, smoke=3), 80)
_LARGE_LENGTHS = _along(SUBSEQUENCE, "expected_length", "from 256 on", powers(256, 7, smoke=5), 20, _FOR_ORDERS)

QUICKSORT_MEAN = judged((_SMALL_SORTS,), claims.QUICKSORT, *claims.QUICKSORT_TWINS)
QUICKSORT_ORDER = judged((_LARGE_SORTS,), claims.QUICKSORT_ORDER, *claims.QUICKSORT_ORDER_TWINS)
SUBSEQUENCE_UPPER = judged((_SMALL_LENGTHS,), claims.SUBSEQUENCE, *claims.SUBSEQUENCE_TWINS)
SUBSEQUENCE_LOWER = judged((_SMALL_LENGTHS,), claims.SUBSEQUENCE_LOWER, *claims.SUBSEQUENCE_LOWER_TWINS)
SUBSEQUENCE_ORDER = judged((_LARGE_LENGTHS,), claims.SUBSEQUENCE_ORDER, *claims.SUBSEQUENCE_ORDER_TWINS)
