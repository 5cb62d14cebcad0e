"""Theorem 3.2: transformers that generalize although every Top_C avoids the patch's own set. [jelassi2022]

"Up to d^-omega(1)" is read along C = log2 L with d = D, as -log(error) / log(D) rising at every size and, our bar,
above 2 at the last. (At first it read: at most D^-2 at every size, which f* itself meets by a hair at D = 24, so
nothing else could.) The error is an exact upper bound; drawn data only confirm it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.refutation import Construction
from checks.evidence.translation import exact
from checks.records.preset import Preset
from sim.spatial_vit.systems import STRUCTURE_FREE, STRUCTURE_FREE_SEARCH
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Role
from theory.spatial_vit import notation as n
from theory.spatial_vit import statements

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL
_MIN_EXPONENT = 2.0


def _value(trial: Trial, name: str) -> float:
    return trial.number(name)


_CONDITIONS = {
    "every Top_C (j != i) avoids the set": lambda trial: _value(trial, "least_gap") > 0,
    "real attention moves F by less than half a step": lambda trial: _value(trial, "largest_movement") < 0.5,
    "-log(error) / log(D) rises at every size": lambda trial: trial.flag("exponents_grow"),
    "and ends above 2": lambda trial: _value(trial, "last_exponent") > _MIN_EXPONENT,
}


def _path_words(trial: Trial) -> str:
    """Where the encodings point and how the error falls along the sizes."""
    curves = trial.result.curves
    sizes = ", ".join(f"{size:g}" for size in np.asarray(curves["n_patches"]))
    errors = ", ".join(f"{error:.2g}" for error in np.asarray(curves["error_bound"]))
    degree = float(trial.spec.parameters["spurious_degree"])
    drawn = f"{_value(trial, 'n_wrong'):g} of {_value(trial, 'n_test'):g} drawn data points wrong"
    return (
        f"q D = C^{degree:g}, D = {sizes}: error at most {errors}, D^-{_value(trial, 'last_exponent'):.2g} at the end; "
        f"Top_C ahead of the set by {_value(trial, 'least_gap'):.2g} or more; {drawn}"
    )


def _at_the_end(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """The last size, C = log2 L and d = D, in the paper's symbols."""
    size = sp.Integer(int(parameters["last_doubling"]))
    patches = size * 2**size
    rate = size ** exact(parameters["spurious_degree"]) / patches
    return {n.D: patches, n.d: patches, n.C: size, n.L: 2**size, n.q: rate, n.sigma: 1 / sp.sqrt(patches)}


def _built(construction: str, degrees: Sequence[float], **fixed: Scalar) -> dict[Preset, tuple[Sweep, ...]]:
    points = tuple({"construction": construction, "spurious_degree": degree} for degree in degrees)
    return {
        preset: (Sweep(STRUCTURE_FREE, points, {"first_doubling": 3, "last_doubling": last, **fixed}),)
        for preset, last in ((SMOKE, 6), (FULL, 7))
    }


def _searched(sets_of: int, n_patches: int, starts: int, **fixed: Scalar) -> Sweep:
    size = {"n_patches": n_patches, "set_size": sets_of, "dimension": n_patches}
    return Sweep(STRUCTURE_FREE_SEARCH, ({**size, "with_self": True},), fixed, starts)


B_NO_STRUCTURE = Check(
    statements.NO_STRUCTURE,
    (
        Construction(
            name="with j != i: W_Q and W_K free",
            symbols=_at_the_end,
            conditions=_CONDITIONS,
            built=_path_words,
            sweeps=_built("projected", (1.0, 2.0)),
        ),
        Construction(
            name="with j != i: partner sets, A = P^T P",
            role=Role.READING,
            because="Simplification 3.1, printed after the theorem: W_Q and W_K are the identity",
            symbols=_at_the_end,
            conditions=_CONDITIONS,
            built=_path_words,
            sweeps=_built("partners", (1.0,)),
        ),
        Construction(
            name="as written, j = i counted: searched by gradient ascent",
            role=Role.OWN_QUESTION,
            because="Theorem 3.2's range of j includes the patch itself, a slip; how near a search comes to a tie",
            conditions={"every Top_C avoids the set": lambda trial: _value(trial, "best_gap") > 0},
            built=lambda trial: f"its best Top_C lies {-_value(trial, 'best_gap'):.2g} of a squared length behind",
            sweeps={
                SMOKE: (_searched(2, 8, 2, n_steps=300),),
                QUICK: (_searched(2, 8, 5), _searched(4, 16, 2)),
                FULL: (_searched(2, 8, 50, n_steps=2000), _searched(4, 16, 20, n_steps=2000)),
            },
        ),
    ),
)
