"""Connectivity of random graphs as success curves in the number of edges."""

from __future__ import annotations

import math

from checks.classical.setting import judged, powers, sweeps, symbols
from checks.evidence.sampled import Threshold
from checks.records.preset import Preset
from sim.classical.systems import RANDOM_GRAPH
from sim.trials.trial import Parameters
from theory.classical import random_graphs as claims


def _edges(n_vertices: int) -> tuple[Parameters, ...]:
    """From half to twice n log n / 2 edges."""
    middle = n_vertices * math.log(n_vertices) / 2
    return tuple(
        {"n_vertices": n_vertices, "n_edges": round(share * middle)} for share in (0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
    )


def _connected(name: str, sizes: dict[Preset, tuple[int, ...]]) -> Threshold:
    points = {preset: tuple(point for size in values for point in _edges(size)) for preset, values in sizes.items()}
    return Threshold(
        name=name,
        symbol=claims.n,
        parameter="n_vertices",
        size="n_edges",
        symbols=symbols,
        sweeps=sweeps(RANDOM_GRAPH, points, {Preset.QUICK: 50}),
    )


CONNECTIVITY = judged(
    (_connected("from 8 vertices on", powers(8, 7)),), claims.CONNECTIVITY, *claims.CONNECTIVITY_TWINS
)
CONNECTIVITY_MEDIAN = judged(
    (_connected("from 32 vertices on", powers(32, 5)),),
    claims.CONNECTIVITY_MEDIAN,
    *claims.CONNECTIVITY_MEDIAN_TWINS,
)
