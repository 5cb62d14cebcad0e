"""Appendix G: four classes, patterns that are sets, several heads, a skip connection.

All of appendix G is sketches, and most of its formulas are lost in extraction; what had to be filled in is said with
each part. "Attention concentrates" is a criterion on each trial: over training, the attention mass that label-relevant
tokens lack to 1, averaged over queries, falls by a quarter at least. Training ends at zero training hinge, and with it
the attention; with eta = 1/2 the limit 1 - eta^C of (15) may be as low as 1/2. The control is the same network with
frozen attention. Growth of neurons is counted in standard deviations of their projections at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.part import Control
from checks.evidence.sampled import Behaviour
from checks.evidence.translation import exact
from checks.records.preset import Preset
from checks.shallow_vit.setting import PAPER, WITHIN_NORMS, symbols
from sim.shallow_vit.systems import (
    SHALLOW_VIT_HEADS,
    SHALLOW_VIT_NETWORK,
    SHALLOW_VIT_SKIP_GRADIENTS,
    SHALLOW_VIT_TOKENS,
)
from sim.sweep import Sweep, grid
from sim.trial import Parameters, Scalar, System, Trial
from theory.claim import Role
from theory.shallow_vit.extensions import MULTICLASS, MULTIHEAD, PATTERN_SETS, SKIP, spread

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

_SIZES = {
    SMOKE: {"n_neurons": 40, "n_tokens": 20, "n_samples": 64},
    QUICK: {"n_neurons": 100, "n_tokens": 40, "n_samples": 128},
    FULL: {"n_neurons": 1000, "n_tokens": 100, "n_samples": 200},
}
_REPLICATES = {SMOKE: 6, QUICK: 16, FULL: 20}
_FIXED = {
    **PAPER,
    **WITHIN_NORMS,
    "counts": "exact",
    "token_noise": 0.0,
    "output_layer": "per token",
    "learning_rate": 0.5,
    "max_steps": 6_000,
    "n_test": 200,
    "label_relevant_fraction": 0.5,
    "confusion_fraction": 0.05,
}
"""The sizes of Figure 4, with an output layer per token and the same ratios in all samples."""


def _sweeps(system: System, points: Sequence[Parameters] = ({},), **fixed: Scalar) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: (Sweep(system, tuple(points), {**_FIXED, **size, **fixed}, _REPLICATES[preset]),)
        for preset, size in _SIZES.items()
    }


def _frozen(system: System, **fixed: Scalar) -> Control:
    sweep = Sweep(system, ({},), {**_FIXED, **_SIZES[SMOKE], **fixed, "train_attention": False}, 5)
    return Control("the same network with frozen attention", {SMOKE: (sweep,)})


def concentrates(trial: Trial) -> bool:
    """Whether the mass that label-relevant tokens lack to 1 fell by a quarter at least."""
    return 1 - trial.number("mass_end") <= 0.75 * (1 - trial.number("mass_start"))


def _masses(trials: Sequence[Trial]) -> str:
    import numpy as np

    start, end = (np.mean([trial.number(name) for trial in trials]) for name in ("mass_start", "mass_end"))
    fitted = sum(trial.flag("train_hinge_zero") for trial in trials)
    return (
        f"mean mass on label-relevant tokens from {start:.3f} to {end:.3f}, median steps "
        f"{np.median([trial.number('iterations') for trial in trials]):.0f}, zero training hinge in {fitted} of "
        f"{len(trials)}, test hinge below 1e-3 in {sum(trial.flag('success') for trial in trials)}"
    )


# --------------------------------------------------------------------------------------------------- four classes

_CLASSES = {"n_classes": 4, "n_patterns": 6, "confusion_fraction": 0.15}
_GROUP_REPLICATES = {SMOKE: 6, QUICK: 30, FULL: 30}
_GROUPS = {**_CLASSES, "output_layer": "shared"}
_JOINT_IS_READ = (
    "(241) adds the two signs of a neuron for one sample, as the hinge of y . F does; a hinge for each output is read "
    "from 'multi-classification'"
)


def grows_as_its_group(trial: Trial) -> bool:
    """Group W_2 grew along p_2 and fell along p_3 by 3 initial spreads; p_1 and p_4 gained at most a quarter of p_2."""
    unit = trial.number("initial_spread")
    first, own, opposite, last = (trial.number(f"growth_{k}") for k in (1, 2, 3, 4))
    return own >= 3 * unit and opposite <= -3 * unit and max(abs(first), abs(last)) <= own / 4


def _growths(trials: Sequence[Trial]) -> str:
    import numpy as np

    means = [np.mean([t.number(f"growth_{k}") / t.number("initial_spread") for t in trials]) for k in (1, 2, 3, 4)]
    said = ", ".join(f"p_{k} {mean:+.1f}" for k, mean in enumerate(means, start=1))
    error = np.mean([trial.number("test_error") for trial in trials])
    return f"mean gain of W_2 in initial spreads along {said}; mean test error {error:.2g}"


def _after_one_step(**fixed: Scalar) -> Control:
    sweep = Sweep(SHALLOW_VIT_NETWORK, ({},), {**_FIXED, **_SIZES[SMOKE], **fixed, "max_steps": 1}, 5)
    return Control("the network after one step", {SMOKE: (sweep,)})


def _group(name: str, class_hinge: str, role: Role = Role.STATEMENT, because: str = "") -> Behaviour:
    fixed = {**_GROUPS, "class_hinge": class_hinge}
    return Behaviour(
        name=name,
        role=role,
        because=because,
        shows=grows_as_its_group,
        rate=0.8,
        remark=_growths,
        control=_after_one_step(**fixed),
        sweeps={
            preset: tuple(replace(sweep, replicates=_GROUP_REPLICATES[preset]) for sweep in sweeps)
            for preset, sweeps in _sweeps(SHALLOW_VIT_NETWORK, **fixed).items()
        },
    )


A_MULTICLASS = Check(
    MULTICLASS,
    (
        _group("neurons of W_2, hinge of y . F", "joint"),
        _group("neurons of W_2, a hinge for each output", "per output", Role.READING, _JOINT_IS_READ),
        Behaviour(
            name="attention concentrates, four classes",
            shows=concentrates,
            rate=0.8,
            remark=_masses,
            control=_frozen(SHALLOW_VIT_NETWORK, **_CLASSES),
            sweeps=_sweeps(SHALLOW_VIT_NETWORK, **_CLASSES),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- sets of patterns

_SPREADS = grid(pattern_spread=(0.4, 0.8, 1.2))
_WIDE = grid(pattern_spread=(1.6,))


def _set_symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    return {**symbols(parameters), spread: exact(parameters["pattern_spread"])}


def _few_each(points: Sequence[Parameters]) -> dict[Preset, tuple[Sweep, ...]]:
    """Sweeps in which the points share the trials of one."""
    shared = _sweeps(SHALLOW_VIT_TOKENS, points)
    return {
        preset: tuple(replace(sweep, replicates=-(-sweep.replicates // len(points))) for sweep in sweeps)
        for preset, sweeps in shared.items()
    }


A_PATTERN_SETS = Check(
    PATTERN_SETS,
    (
        Behaviour(
            name="sets of two vectors",
            note="sets {cos(t) e_j + sin(t) e_(M+j), cos(t) e_j - sin(t) e_(M+j)}: kappa = sqrt(2), Delta = 2 sin(t)",
            shows=concentrates,
            rate=0.8,
            remark=_masses,
            symbols=_set_symbols,
            control=_frozen(SHALLOW_VIT_TOKENS, pattern_spread=0.8),
            sweeps={preset: (*_few_each(_SPREADS)[preset], *_few_each(_WIDE)[preset]) for preset in Preset},
        ),
    ),
)

# --------------------------------------------------------------------------------------------------------- many heads

_HEADS_SIZES = {
    SMOKE: ({"n_neurons": 40, "n_seeds": 3}, 6),
    QUICK: ({"n_neurons": 40, "n_seeds": 6}, 16),
    FULL: ({"n_neurons": 1000, "n_seeds": 6}, 20),
}
_HEADS = {
    "n_heads": 4,
    "n_tokens": 20,
    "n_samples": 32,
    "batch_size": 16,
    "learning_rate": 0.5,
    "max_steps": 2_000,
    "label_relevant_fraction": 0.3,
    "confusion_fraction": 0.1,
}
_JOIN_IS_LOST = "the formula of appendix G.3 is lost, and with it how heads are joined"


def _heads(join: str) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: (Sweep(SHALLOW_VIT_HEADS, ({},), {**_HEADS, "head_join": join, **size}, replicates),)
        for preset, (size, replicates) in _HEADS_SIZES.items()
    }


def _stands_still(join: str) -> Control:
    fixed = {**_HEADS, "head_join": join, "n_neurons": 40, "n_seeds": 3, "max_steps": 1}
    return Control("networks after one step, whose T are all 1", {SMOKE: (Sweep(SHALLOW_VIT_HEADS, ({},), fixed, 5),)})


def has_less_variance(trial: Trial) -> bool:
    """Whether T varies less over seeds with several heads than with one."""
    return trial.number("variance_many") < trial.number("variance_one")


def has_less_relative_variance(trial: Trial) -> bool:
    """Whether log T varies less over seeds with several heads than with one."""
    return trial.number("log_variance_many") < trial.number("log_variance_one")


def _variances(trials: Sequence[Trial]) -> str:
    import numpy as np

    def mean(name: str) -> float:
        return float(np.mean([trial.number(name) for trial in trials]))

    return (
        f"mean T {mean('mean_many'):.1f} with four heads where {mean('mean_one'):.1f} with one, mean variance over "
        f"seeds {mean('variance_many'):.3g} where {mean('variance_one'):.3g}, of log T "
        f"{mean('log_variance_many'):.3g} where {mean('log_variance_one'):.3g}; test hinge below 1e-3 in a share of "
        f"{mean('success_many'):.2g} where {mean('success_one'):.2g}"
    )


def _stability(join: str) -> tuple[Behaviour, Behaviour]:
    variance = Behaviour(
        name=f"variance of T, heads {join}",
        role=Role.READING,
        because=_JOIN_IS_LOST,
        shows=has_less_variance,
        rate=0.5,
        remark=_variances,
        control=_stands_still(join),
        sweeps=_heads(join),
    )
    relative = Behaviour(
        name=f"variance of log T, heads {join}",
        role=Role.OWN_QUESTION,
        because="where T itself falls its variance falls with it; that of log T does not",
        shows=has_less_relative_variance,
        rate=0.5,
        control=_stands_still(join),
        sweeps=_heads(join),
    )
    return variance, relative


_ENOUGH_SAMPLES = {"n_samples": 256}
_NARROW = {SMOKE: {}, QUICK: {"n_neurons": 40, "n_tokens": 20}, FULL: {}}


def _zero_error(join: str) -> Behaviour:
    fixed = {"n_heads": 4, "head_join": join}
    return Behaviour(
        name=f"zero error with four heads, heads {join}",
        note="256 samples, enough for one head as well",
        shows=lambda trial: trial.flag("success"),
        rate=0.8,
        remark=_masses,
        control=_after_one_step(**fixed),
        sweeps={
            preset: tuple(
                replace(sweep, fixed={**sweep.fixed, **_ENOUGH_SAMPLES, **_NARROW[preset]}) for sweep in sweeps
            )
            for preset, sweeps in _sweeps(SHALLOW_VIT_NETWORK, **fixed).items()
        },
    )


A_MULTIHEAD = Check(
    MULTIHEAD,
    (
        _zero_error("sum"),
        _zero_error("concatenated"),
        *_stability("sum"),
        *_stability("concatenated"),
    ),
)

# ------------------------------------------------------------------------------------------------- a skip connection

_SKIP_GRADIENTS = {
    SMOKE: (
        Sweep(
            SHALLOW_VIT_SKIP_GRADIENTS,
            grid(output_layer=("shared", "per token"), n_tokens=(12, 30)),
            {"n_neurons": 40, "n_samples": 8},
            5,
        ),
    )
}
_OTHER_GATES = Control(
    "the forms at the gates of the network without the skip",
    {
        SMOKE: (
            Sweep(
                SHALLOW_VIT_SKIP_GRADIENTS,
                grid(output_layer=("shared", "per token"), n_tokens=(12,)),
                {"n_neurons": 40, "n_samples": 8, "gates_of": "without"},
                3,
            ),
        )
    },
)
_FORMS = {"value": "W_V, eq. (195)", "key": "W_K, eq. (167)", "query": "W_Q, eq. (125)", "hidden": "W_O with x_l"}

_ROUNDING = 1e-10


def _largest_error(matrix: str) -> Callable[[Sequence[Trial]], str]:
    return lambda trials: f"largest relative error {max(trial.number(f'error_{matrix}') for trial in trials):.2g}"


A_SKIP = Check(
    SKIP,
    (
        *(
            Behaviour(
                name=f"{place} at the skip's gates",
                note=f"agreement with automatic differentiation to {_ROUNDING:g}",
                shows=lambda trial, matrix=matrix: trial.number(f"error_{matrix}") <= _ROUNDING,
                rate=0.8,
                remark=_largest_error(matrix),
                control=_OTHER_GATES,
                sweeps=_SKIP_GRADIENTS,
            )
            for matrix, place in _FORMS.items()
        ),
        Behaviour(
            name="attention concentrates with a skip",
            shows=concentrates,
            rate=0.8,
            remark=_masses,
            control=_frozen(SHALLOW_VIT_NETWORK, skip=True),
            sweeps=_sweeps(SHALLOW_VIT_NETWORK, skip=True),
        ),
    ),
)
