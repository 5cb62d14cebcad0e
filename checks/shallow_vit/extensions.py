"""Appendix G: four classes, patterns that are sets, a skip connection. Several heads are in `checks.shallow_vit.heads`.

All of appendix G is sketches, and most of its formulas are lost in extraction; what had to be filled in is said with
each part. "Attention concentrates" is a criterion on each trial: over training, the attention mass that label-relevant
tokens lack to 1, averaged over queries, falls by a quarter at least. Training ends at zero training hinge, and with it
the attention; with eta = 1/2 the limit 1 - eta^C of (15) may be as low as 1/2. The quarter was settled on earlier
trials, which are not among those judged here, and each row says so (`QUARTER`). The control is the same network with
frozen attention. Growth of neurons is counted in standard deviations of their projections at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.part import Control
from checks.evidence.sampled import Behaviour
from checks.evidence.translation import exact
from checks.records.preset import Preset
from checks.shallow_vit.attention_figures import NEAR_ONE
from checks.shallow_vit.searches import SETS_LAW
from checks.shallow_vit.setting import PAPER, WITHIN_NORMS, symbols
from sim.shallow_vit.systems import (
    SHALLOW_VIT_NETWORK,
    SHALLOW_VIT_SKIP_GRADIENTS,
    SHALLOW_VIT_TOKENS,
)
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters, Scalar, System, Trial
from theory.claim import Role
from theory.shallow_vit.extensions import MULTICLASS, PATTERN_SETS, SKIP, spread

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

_SIZES = {
    SMOKE: {"n_neurons": 40, "n_tokens": 20, "n_samples": 64},
    QUICK: {"n_neurons": 100, "n_tokens": 40, "n_samples": 128},
    FULL: {"n_neurons": 1000, "n_tokens": 100, "n_samples": 200},
}
_REPLICATES = {SMOKE: 6, QUICK: 16, FULL: 15}
_FIXED = {
    **PAPER,
    **WITHIN_NORMS,
    "counts": "exact",
    "token_noise": 0.0,
    "output_layer": "per token",
    "learning_rate": 0.5,
    "max_steps": 6_000,
    "n_test": 250,  # the trials on which criteria were settled had 200: those judged here were drawn afterwards
    "label_relevant_fraction": 0.5,
    "confusion_fraction": 0.05,
}
"""The sizes of Figure 4, with an output layer per token and the same ratios in all samples."""


def network_sweeps(
    system: System, points: Sequence[Parameters] = ({},), **fixed: Scalar
) -> dict[Preset, tuple[Sweep, ...]]:
    """The extensions' common protocol at these points, by preset."""
    return {
        preset: (Sweep(system, tuple(points), {**_FIXED, **size, **fixed}, _REPLICATES[preset]),)
        for preset, size in _SIZES.items()
    }


def _frozen(system: System, **fixed: Scalar) -> Control:
    sweep = Sweep(system, ({},), {**_FIXED, **_SIZES[SMOKE], **fixed, "train_attention": False}, 5)
    return Control("the same network with frozen attention", {SMOKE: (sweep,)})


PAPER_TOKENS = 100
"""Tokens of section 4.1."""
QUARTER = "settled on earlier trials, not judged here: that the mass lacking to 1 falls by a quarter"


def concentrates(trial: Trial) -> bool:
    """Whether the mass that label-relevant tokens lack to 1 fell by a quarter at least."""
    return 1 - trial.number("mass_end") <= 0.75 * (1 - trial.number("mass_start"))


NEAR_ZERO = round(1 - NEAR_ONE, 6)
"""A mass that is called close to 0, where `NEAR_ONE` is close to 1."""


def comes_near_zero(trial: Trial) -> bool:
    """Whether tokens of patterns without a label end with a mass of `NEAR_ZERO` or less."""
    return float(trial.result.curves["mass_other"][-1]) <= NEAR_ZERO


def where_others_end(trials: Sequence[Trial]) -> str:
    """Where the mass on tokens of patterns without a label starts and ends."""
    starts, ends = (np.array([trial.result.curves["mass_other"][at] for trial in trials]) for at in (0, -1))
    return f"mass on patterns without a label from {starts.mean():.3f} to {ends.min():.3f} to {ends.max():.3f}"


def masses_in_words(trials: Sequence[Trial]) -> str:
    """What attention and training came to, on the mean over trials."""
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
_GROUPS = {**_CLASSES, "output_layer": "shared", "n_test": 260}
"""Another size of the test set than before: the last change of the criterion came after a look at other trials."""
_GROUPS_CHOSEN = (
    "settled on earlier trials, not judged here: that p_1 and p_4 change at most by a quarter of p_2's gain, and by "
    "less than p_3 falls (a fall by 3 initial spreads was asked for first, which 1000 neurons do not show); and 30 "
    "trials, as 16 had left the line near its margin"
)
_JOINT_IS_READ = (
    "(241) adds the two signs of a neuron for one sample, as the hinge of y . F does; a hinge for each output is read "
    "from 'multi-classification'"
)


def grows_as_its_group(trial: Trial) -> bool:
    """Group W_2 grew along p_2 by 3 initial spreads; p_1, p_4 moved at most a quarter as far, less than p_3 fell."""
    first, own, opposite, last = (trial.number(f"growth_{k}") for k in (1, 2, 3, 4))
    stay = max(abs(first), abs(last))
    return own >= 3 * trial.number("initial_spread") and stay <= own / 4 and stay < -opposite


def falls_far(trial: Trial) -> bool:
    """Group W_2 fell along p_3 by 3 initial spreads."""
    return trial.number("growth_3") <= -3 * trial.number("initial_spread")


def _growths(trials: Sequence[Trial]) -> str:
    means = [np.mean([t.number(f"growth_{k}") / t.number("initial_spread") for t in trials]) for k in (1, 2, 3, 4)]
    said = ", ".join(f"p_{k} {mean:+.1f}" for k, mean in enumerate(means, start=1))
    error = np.mean([trial.number("test_error") for trial in trials])
    return f"mean gain of W_2 in initial spreads along {said}; mean test error {error:.2g}"


def after_one_step(**fixed: Scalar) -> Control:
    """The network with these options after one step."""
    sweep = Sweep(SHALLOW_VIT_NETWORK, ({},), {**_FIXED, **_SIZES[SMOKE], **fixed, "max_steps": 1}, 5)
    return Control("the network after one step", {SMOKE: (sweep,)})


def _group(
    name: str,
    class_hinge: str,
    role: Role = Role.STATEMENT,
    because: str = "",
    shows: Callable[[Trial], bool] = grows_as_its_group,
) -> Behaviour:
    fixed = {**_GROUPS, "class_hinge": class_hinge}
    return Behaviour(
        name=name,
        role=role,
        because=because,
        note=_GROUPS_CHOSEN,
        shows=shows,
        rate=0.8,
        remark=_growths,
        control=after_one_step(**fixed),
        sweeps={
            preset: tuple(replace(sweep, replicates=_GROUP_REPLICATES[preset]) for sweep in sweeps)
            for preset, sweeps in network_sweeps(SHALLOW_VIT_NETWORK, **fixed).items()
        },
    )


A_MULTICLASS = Check(
    MULTICLASS,
    (
        _group("neurons of W_2, hinge of y . F", "joint"),
        _group("neurons of W_2, a hinge for each output", "per output", Role.READING, _JOINT_IS_READ),
        _group(
            "neurons of W_2 fall along p_3 by 3 initial spreads, hinge of y . F",
            "joint",
            Role.OWN_QUESTION,
            "(240) prints <= 0 and no size; this was asked for first",
            falls_far,
        ),
        Behaviour(
            name="attention concentrates, four classes",
            note=QUARTER,
            shows=concentrates,
            rate=0.8,
            remark=masses_in_words,
            control=_frozen(SHALLOW_VIT_NETWORK, **_CLASSES),
            sweeps=network_sweeps(SHALLOW_VIT_NETWORK, **_CLASSES),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- sets of patterns

_NARROW, _NEARER = grid(pattern_spread=(0.4, 0.8)), grid(pattern_spread=(1.2,))
_SPREADS = (*_NARROW, *_NEARER)
_SHARED = {**_REPLICATES, FULL: 20}
_WIDE = grid(pattern_spread=(1.6,))


def _set_symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    return {**symbols(parameters), spread: exact(parameters["pattern_spread"])}


def _few_each(points: Sequence[Parameters], among: int = 0) -> dict[Preset, tuple[Sweep, ...]]:
    """Sweeps in which so many points, those given by default, share the trials of one."""
    shared = network_sweeps(SHALLOW_VIT_TOKENS, points)
    return {
        preset: tuple(replace(sweep, replicates=-(-_SHARED[preset] // (among or len(points)))) for sweep in sweeps)
        for preset, sweeps in shared.items()
    }


def _near_zero(
    tokens: str, sizes: Mapping[Preset, Preset], points: Sequence[Parameters] = _SPREADS, **role: Any
) -> Behaviour:
    """Whether what other patterns keep is small at the end, at some presets, each at the sizes of another."""
    return Behaviour(
        name=f"sets of two vectors, {tokens}: weights of other patterns end at {NEAR_ZERO} or less",
        note="the level was stated for Figure 4; these runs had been seen by then, and all Delta were one line",
        shows=comes_near_zero,
        rate=0.8,
        remark=where_others_end,
        symbols=_set_symbols,
        control=_frozen(SHALLOW_VIT_TOKENS, pattern_spread=0.8),
        sweeps={preset: _few_each(points, len(_SPREADS))[size] for preset, size in sizes.items()},
        **role,
    )


A_PATTERN_SETS = Check(
    PATTERN_SETS,
    (
        Behaviour(
            name="sets of two vectors",
            note=(
                "sets {cos(t) e_j + sin(t) e_(M+j), cos(t) e_j - sin(t) e_(M+j)}: kappa = sqrt(2), Delta = 2 sin(t); "
                f"{QUARTER}"
            ),
            shows=concentrates,
            rate=0.8,
            remark=masses_in_words,
            symbols=_set_symbols,
            control=_frozen(SHALLOW_VIT_TOKENS, pattern_spread=0.8),
            sweeps={preset: (*_few_each(_SPREADS)[preset], *_few_each(_WIDE)[preset]) for preset in Preset},
        ),
        *(
            _near_zero(
                f"{PAPER_TOKENS} tokens, {words}",
                {QUICK: FULL, FULL: FULL},
                points,
                role=Role.OWN_QUESTION,
                because=(
                    "G.2 prints no level of 'close to zero': this is the one at which A.fig4 is 'close to 1', and Delta"
                    " was split after the runs had been seen"
                ),
            )
            for words, points in (("Delta up to 0.8", _NARROW), ("Delta = 1.2", _NEARER))
        ),
        _near_zero(
            "at most 40 tokens",
            {SMOKE: SMOKE, QUICK: QUICK},
            role=Role.OWN_QUESTION,
            because="the weight that is left falls as |S| grows: fewer tokens than section 4.1's say nothing of them",
        ),
        SETS_LAW,
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
        Behaviour(
            name="attention concentrates with a skip",
            role=Role.READING,
            because="G.4 changes Assumption 1 for W_V(0) in a way that is lost in (250): it is left as it was",
            note=QUARTER,
            shows=concentrates,
            rate=0.8,
            remark=masses_in_words,
            control=_frozen(SHALLOW_VIT_NETWORK, skip=True),
            sweeps=network_sweeps(SHALLOW_VIT_NETWORK, skip=True),
        ),
        *(
            Behaviour(
                name=f"{place} at the skip's gates",
                quantity="gradient by its printed form",
                note=f"agreement with automatic differentiation to {_ROUNDING:g}",
                shows=lambda trial, matrix=matrix: trial.number(f"error_{matrix}") <= _ROUNDING,
                rate=0.8,
                remark=_largest_error(matrix),
                control=_OTHER_GATES,
                sweeps=_SKIP_GRADIENTS,
            )
            for matrix, place in _FORMS.items()
        ),
    ),
)
