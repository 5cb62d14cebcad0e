"""Sizes at which Assumption 2 keeps its slack, and what the labelling function leaves open there. [jelassi2022]

Along C = log2 L, d = D, q = C^degree / D every hypothesis of Assumption 2 holds at each point or from some size on,
whatever whoever applies a theorem takes for its polynomials. At a finite size the labelling function is zero or wrong
on some data points, which no network can be blamed for: their share is said of every size that is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import sympy as sp

from checks.evidence.translation import exact
from checks.spatial_vit import setting
from checks.spatial_vit.setting import wrong_labels
from sim.trials.trial import Parameters, Trial
from theory.claim import Path
from theory.spatial_vit import notation as n

Remark = Callable[[Sequence[Trial]], str]


def growing_set(n_sets: int) -> tuple[int, int]:
    """(D, C) with C the logarithm of the number of sets."""
    size = int(math.log2(n_sets))
    return size * n_sets, size


def growing_sets(degree: sp.Expr) -> Path:
    """C = log2 L, d = D, q = C^degree / D, as L grows."""
    size = sp.log(n.L) / sp.log(2)
    patches = n.L * size
    moves = {n.C: size, n.D: patches, n.d: patches, n.sigma: 1 / sp.sqrt(patches), n.q: size**degree / patches}
    power = f"C^{degree}" if degree.is_Integer else f"C^({degree})"
    return Path(f"C = log2 L, d = D, q D = {power}", n.L, "infinity", moves)


def symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """A trial's parameters as the paper's symbols; d = D where patches have no dimension, q from q D where that is set.

    Without a dimension nothing depends on d, and d = D is Simplification 3.1's.
    """
    values = dict(setting.symbols(parameters))
    patches, size = exact(parameters["n_patches"]), exact(parameters["set_size"])
    values.setdefault(n.d, patches)
    if "spurious_patches" in parameters:
        values[n.q] = exact(parameters["spurious_patches"]) / patches
    return {**values, n.sigma: 1 / sp.sqrt(values[n.d]), n.L: patches / size}


def with_wrong_labels(*remarks: Remark) -> Remark:
    """What the remarks say, and the share of labels that the labelling function leaves open or gets wrong."""

    def remark(trials: Sequence[Trial]) -> str:
        return "; ".join(filter(None, (one(trials) for one in (*remarks, wrong_labels))))

    return remark
