"""How each claim is measured: p = n / 4 unless a part says otherwise, so that a spike shows from 1.5 on.

Numbers of trials come from pilots with a tenth and with half as many, at which most limits were still open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from theoremeter import (
    Check,
    LawDistance,
    LimitLaw,
    LimitValue,
    Preset,
    Role,
    Sweep,
    System,
    Transition,
    Verdict,
    exact,
)

from . import claims
from .claims import RHO, ell, gamma, kappa, n, p, x
from .simulators import COMPONENTS, LARGEST

SIZES = {Preset.SMOKE: (32, 64, 128, 256), Preset.QUICK: (32, 64, 128, 256, 512)}
REPLICATES = {Preset.SMOKE: 10, Preset.QUICK: 150}
RATE = 0.5
"""How fast means come near their limits at least: by Theorem 3 the largest eigenvalue is within O(n^-1/2) of it."""
MANY = {Preset.SMOKE: 10, Preset.QUICK: 300}
KURTOSIS = {"gaussian": 3, "signs": 1}


def symbols(parameters: Mapping) -> Mapping[sp.Symbol, sp.Expr]:
    """Letters of a trial's parameters."""
    samples, dimension = exact(parameters["n_samples"]), exact(parameters["dimension"])
    kurtosis = sp.Integer(KURTOSIS[parameters["entries"]])
    return {n: samples, p: dimension, gamma: dimension / samples, ell: exact(parameters["spike"]), kappa: kurtosis}


def in_proportion(sizes: Iterable[int], *spikes: float, samples_per_dimension: int = 4, **others) -> tuple[dict, ...]:
    """Points along p = gamma n."""
    return tuple(
        {"n_samples": size, "dimension": size // samples_per_dimension, "spike": spike, **others}
        for spike in spikes
        for size in sizes
    )


def sweeps(*spikes: float, sizes=SIZES, replicates=REPLICATES, system: System = COMPONENTS, **others) -> dict:
    """One sweep a preset."""
    return {
        preset: (Sweep(system, in_proportion(sizes[preset], *spikes, **others), {}, replicates[preset]),)
        for preset in sizes
    }


def limit_of(observable: str, name: str, *spikes: float, tolerance: float | None = None, **more) -> LimitValue:
    """The limit of an observable as n grows."""
    return LimitValue(
        name=name,
        symbol=n,
        parameter="n_samples",
        observable=observable,
        symbols=symbols,
        tolerance=tolerance,
        rate=RATE,
        sweeps=sweeps(*spikes, **more),
        path=claims.IN_PROPORTION,
    )


EDGE_CHECK = Check(claims.EDGE_CLAIM, (limit_of("largest_eigenvalue", "spikes 1 and 1.2, p = n / 4", 1.0, 1.2),))
OUTLIER_CHECK = Check(
    claims.OUTLIER_CLAIM,
    (
        limit_of("largest_eigenvalue", "spikes 2.5 and 4, p = n / 4", 2.5, 4.0, replicates=MANY),
        limit_of("largest_eigenvalue", "spike 3, p = n / 2", 3.0, samples_per_dimension=2),
    ),
)
COSINE_CHECK = Check(
    claims.COSINE_CLAIM, (limit_of("squared_cosine", "spikes 2.5 and 4, p = n / 4", 2.5, 4.0, replicates=MANY),)
)
BLIND_CHECK = Check(
    claims.BLIND_CLAIM, (limit_of("squared_cosine", "spikes 1 and 1.2, p = n / 4", 1.0, 1.2, tolerance=0.05),)
)
SMALLEST_CHECK = Check(claims.SMALLEST_CLAIM, (limit_of("smallest_eigenvalue", "spike 0.1, p = n / 4", 0.1),))

# -------------------------------------------------------------------------------------------------- laws in the limit

DRAWS = {Preset.SMOKE: 4, Preset.QUICK: 40}
y = sp.Symbol("y", real=True)


def law(name: str, spike: float, entries: str, **more) -> LimitLaw:
    """The law of the largest eigenvalue, centred at its limit and times sqrt(n)."""
    return LimitLaw(
        name=name,
        symbol=n,
        parameter="n_samples",
        observable="largest_eigenvalue",
        variable=x,
        drawn=y,
        quantity=sp.sqrt(n) * (y - RHO),
        rate=0.5,
        symbols=symbols,
        sweeps=sweeps(spike, replicates=DRAWS, system=LARGEST, entries=entries),
        path=claims.IN_PROPORTION,
        **more,
    )


GAUSSIAN_LAW = law("Gaussian, spike 4", 4.0, "gaussian")
NORMAL_CHECK = Check(claims.NORMAL_CLAIM, (GAUSSIAN_LAW,))
MOMENTS_CHECK = Check(claims.MOMENTS_CLAIM, (law("signs, spike 3", 3.0, "signs", tolerance=0.1), GAUSSIAN_LAW))
UNIVERSAL_CHECK = Check(claims.UNIVERSAL_CLAIM, (law("signs, spike 3", 3.0, "signs"),), expects=Verdict.VIOLATED)

NEAR = {Preset.SMOKE: (8, 12, 16, 24, 32), Preset.QUICK: (8, 12, 16, 24, 32, 48, 64, 96, 128)}
FAR_DRAWS = {Preset.SMOKE: 4, Preset.QUICK: 60}
"""Of a thousand eigenvalues each: at n = 128 the law is 0.023 from its limit, so many draws 0.006 from theirs."""

DISTANCE = LawDistance(
    name="Gaussian, spike 4",
    symbol=n,
    parameter="n_samples",
    observable="largest_eigenvalue",
    variable=x,
    drawn=y,
    quantity=sp.sqrt(n) * (y - RHO),
    law=claims.NORMAL_CLAIM.formula,
    symbols=symbols,
    sweeps=sweeps(4.0, sizes=NEAR, replicates=FAR_DRAWS, system=LARGEST, entries="gaussian", n_draws=1000),
    path=claims.IN_PROPORTION,
)
"""How far the law of the largest eigenvalue is from its limit."""
EDGEWORTH_CHECK = Check(claims.EDGEWORTH_CLAIM, (DISTANCE,))
QUICKER_CHECK = Check(claims.QUICKER_CLAIM, (DISTANCE,), expects=Verdict.VIOLATED)

# --------------------------------------------------------------------------------------------------------- transitions

BEGINS = Transition(
    name="p = n / 4",
    symbol=n,
    parameter="n_samples",
    moving="spike",
    observable="squared_cosine",
    level=0.15,
    tolerance=0.06,
    within=0.7,
    rate=RATE,
    symbols=symbols,
    sweeps=sweeps(1.0, 1.2, 1.9, 2.5),
    path=claims.IN_PROPORTION,
)
"""Where the squared cosine begins."""
TRANSITION_CHECK = Check(claims.TRANSITION_CLAIM, (BEGINS,))
EARLY_CHECK = Check(claims.EARLY_CLAIM, (BEGINS,), expects=Verdict.VIOLATED)

# ---------------------------------------------------------------------------------------- false, beside what is true

FIXED = {
    preset: (
        Sweep(
            COMPONENTS,
            tuple({"n_samples": 20 * size, "dimension": 10, "spike": 4.0} for size in sizes),
            {},
            REPLICATES[preset],
        ),
    )
    for preset, sizes in SIZES.items()
}
CONSISTENT_CHECK = Check(
    claims.CONSISTENT_CLAIM,
    (
        limit_of("largest_eigenvalue", "spike 4, p = n / 4", 4.0),
        LimitValue(
            name="spike 4, p = 10 fixed",
            symbol=n,
            parameter="n_samples",
            observable="largest_eigenvalue",
            symbols=symbols,
            sweeps=FIXED,
            role=Role.REPAIR,
            because="Anderson's theorem is for p fixed",
        ),
    ),
    expects=Verdict.FALSE_AS_PRINTED,
)
ALWAYS_CHECK = Check(
    claims.ALWAYS_CLAIM, (limit_of("largest_eigenvalue", "spike 1.2, p = n / 4", 1.2),), expects=Verdict.VIOLATED
)
BIAS_CHECK = Check(claims.BIAS_CLAIM, (), expects=Verdict.REFUTED)
