"""The settings of [jelassi2022] in words, and their translation into the paper's letters.

The paper asks for d = poly(D), C = polylog(d), q = poly(C)/D, nu = 1/poly(d), p odd >= 3, beta = polyloglog(d), a small
step. The two sizes used throughout, (D, C, q) = (16, 4, 1/4) and (24, 4, 1/3), have exact population risks by
enumeration; p = 3, nu = D^-2, beta = 1, and the reduced softmax of section 4.1, without the sqrt(d) of (T).

`CONTROLS` are changes of a setting that a criterion of success must not survive. `LOGARITHMIC` is the path toward the
paper's limit on which sizes move together: C = log2 D - 1 and q = log2(D) / D.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import sympy as sp

from checks.evidence.adversaries import Adversary
from checks.evidence.control import Control
from checks.evidence.later import lattice
from checks.evidence.translation import exact
from checks.records.preset import Preset
from sim.spatial_vit.systems import SPATIAL_VIT, SPATIAL_VIT_DIAGONAL, SPATIAL_VIT_EVENTS, SPATIAL_VIT_REDUCED
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, System, Trial
from theory.claim import Path
from theory.spatial_vit import notation

SMALL = {"n_patches": 16, "set_size": 4, "spurious_rate": 0.25, "linear_coefficient": 16**-2}
LARGE = {"n_patches": 24, "set_size": 4, "spurious_rate": 1 / 3, "linear_coefficient": 24**-2}
COMMON = {"activation_power": 3, "diagonal_logit": 1.0}


def setting(size: Parameters, **changes: Scalar) -> Parameters:
    """A full parameter set from a size and what differs."""
    return {**COMMON, **size, **changes}


_READ_COORDINATES = ("logistic", "logistic_step")
"""Linear models that see coordinates of patches; the others see <w*, X_j> alone."""


def _has_dimension(parameters: Parameters) -> bool:
    """Whether the dimension of a patch decides anything in a trial."""
    if "patch_dimension" not in parameters or parameters.get("risk") == "population":
        return False
    return "attack" not in parameters or parameters["attack"] in _READ_COORDINATES


def symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """A trial's parameters as the paper's symbols; noise has variance 1/d and sigma_A is the diagonal logit.

    Where nothing has a dimension, as on the population risk, d is D (Simplification 3.1). What the population risk
    does not draw has no number.
    """
    if "n_patches" in parameters and not _has_dimension(parameters):
        parameters = {**parameters, "patch_dimension": parameters["n_patches"]}
    if parameters.get("risk") == "population":
        parameters = {name: value for name, value in parameters.items() if name != "n_samples"}
    named = {word: parameters[word] for word in notation.SYMBOLS if word in parameters}
    values = {notation.SYMBOLS[word]: exact(value) for word, value in named.items()}
    if notation.eta in values:
        values[notation.eta] = _inverse(values[notation.eta])
    if notation.d in values:
        values[notation.sigma] = 1 / sp.sqrt(values[notation.d])
    if notation.beta in values:
        values[notation.sigma_A] = values[notation.beta]
    return values


@functools.cache
def _inverse(rate: sp.Expr) -> sp.Expr:
    """1/k where a rate is the float next to it: T = D^2 steps of 1/D are D/eta, not short of that by rounding."""
    whole = sp.Integer(round(1 / rate)) if rate > 0 else sp.Integer(0)
    return 1 / whole if whole and float(1 / whole) == float(rate) else rate


# ------------------------------------------------------------------------------------------------ controls and paths

NOT_TRAINED = "one thousandth of a unit of flow time: an untrained network"
OTHER_SIGN = "beta = -1, which turns the sign of what attention learns"
STAYS_EVEN = "beta = 0, at which attention stays uniform"
ONE_STEP = "one step of training"
UNTRAINED = {"n_steps": 1}
REVERSED = {"diagonal_logit": -1.0}
UNIFORM = {"diagonal_logit": 0.0}
BEYOND = {"initial_scale": 30.0}
CONTROLS = {
    NOT_TRAINED: UNTRAINED,
    OTHER_SIGN: REVERSED,
    STAYS_EVEN: UNIFORM,
    "a start at 30 times the paper's alpha, beyond its maximum": BEYOND,
}
"""What each control is, in words."""


adversaries = (
    *(
        Adversary(words, system, change)
        for system in (SPATIAL_VIT_REDUCED, SPATIAL_VIT_EVENTS, SPATIAL_VIT_DIAGONAL)
        for words, change in CONTROLS.items()
        if change != BEYOND
    ),
    Adversary("training labels shuffled", SPATIAL_VIT, {"labels": "shuffled"}),
    Adversary(ONE_STEP, SPATIAL_VIT, UNTRAINED),
)
"""Systems that the paper's statements are put to by default."""


def control(system: System, change: Parameters, fixed: Parameters, points: Iterable[Parameters] = ()) -> Control:
    """Runs at two or more settings that differ from the judged ones by `change` alone."""
    (words,) = (words for words, changed in CONTROLS.items() if changed == change)
    chosen = tuple({**at, **change} for at in (tuple(points) or (setting(SMALL), setting(LARGE))))
    rest = {name: value for name, value in fixed.items() if name not in change}
    return Control(words, {Preset.SMOKE: (Sweep(system, chosen, rest),)})


FLOW = "eta < 1/poly(d)"
"""The hypothesis that the gradient flow leaves out."""
AS_FLOW = "Parametrization 3.1: eta < 1/poly(d); the flow is gradient descent as eta tends to zero"
"""Why it does."""


def logarithmic(size: int, set_size: int) -> Parameters:
    """The size's settings on the path; C is whole and divides D: at the sizes run within 1.02 of log2 D - 1."""
    return {"n_patches": size, "set_size": set_size, "spurious_rate": math.log2(size) / size}


def logarithmic_path(nu_power: int) -> Path:
    """D to infinity with nu = D^-nu_power."""
    size = notation.D
    doublings = sp.log(size) / sp.log(2)
    return Path(
        words=f"D to infinity with d = D, C = log2 D - 1, q = log2(D) / D, nu = D^-{nu_power}",
        symbol=size,
        toward="infinity",
        moves={
            notation.d: size,
            notation.sigma: 1 / sp.sqrt(size),
            notation.C: doublings - 1,
            notation.q: doublings / size,
            notation.nu: size**-nu_power,
            notation.p: sp.Integer(3),
        },
    )


def wrong_labels(trials: Sequence[Trial]) -> str:
    """P[y f* <= 0], exactly, at every size among the trials."""
    sizes = set()
    for trial in trials:
        at = trial.spec.parameters
        patches = int(at["n_patches"])
        rate = float(at["spurious_patches"]) / patches if "spurious_patches" in at else float(at["spurious_rate"])
        decided = at.get("labels") in ("decided", "right")
        sizes.add((patches, int(at["set_size"]), rate, decided))
    said = []
    for patches, size, rate, decided in sorted(sizes):
        law = lattice.labelling_law(n_patches=patches, set_size=size, spurious_rate=rate)
        share = "0 by choice of the data" if decided else f"{lattice.not_positive(law):.2g}"
        said.append(f"{share} at D = {patches}, C = {size}, q = {rate:.3g}")
    return f"P[y f* <= 0] = {', '.join(said)}" if said else ""


def remarks(*said: Callable[[Sequence[Trial]], str]) -> Callable[[Sequence[Trial]], str]:
    """Several remarks in one."""
    return lambda trials: "; ".join(filter(None, (one(trials) for one in said)))
