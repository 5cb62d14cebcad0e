"""Proposition 1, Remark 1 and Figure 3: what training the attention gains. [li2023, eq. (13), (14), Figure 3]

Samples. The thresholds of A.samples and A.samples_frozen are held against each other at the same alpha_*, in one
protocol: eq. (1)'s output layer per token, the same ratios in all samples, alpha_# = alpha_*/4, sigma = 0.03, no token
noise. (10) over (13) is a ratio of two sufficient bounds, and footnote 4 says that samples are sufficient only; so the
measured ratio is a question of ours, whatever it is.

Figure 3. Only its caption is left: "Comparison of ViT and CNN". The statement is its comparison with a CNN, of one
layer with windows of one token; frozen attention, which Proposition 1 calls no self-attention layer, and identity
attention are readings of what stands for the CNN. CNN and identity attention are compared on the protocol in which they
learn from a few hundred samples: one output layer for all tokens, counts that fluctuate, alpha_# = 0. The CNN's step is
four times as large, since its W_O alone has to grow. With an output layer per token neither generalises from 256
samples at 200 tokens.

Iterations. (14) takes the T of (11) over to frozen attention; as for A.iterations, T counts steps to zero training
hinge of runs that generalise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from checks.evidence.check import Check
from checks.evidence.ratios import SmallerThreshold, ThresholdRatio
from checks.evidence.sampled import Scaling, Threshold
from checks.records.preset import Preset
from checks.shallow_vit.iteration_laws import FROZEN_LAWS, against_errors, inside
from checks.shallow_vit.levels import OTHER_LEVELS
from checks.shallow_vit.searches import CNN_LAW, FROZEN_LAW
from checks.shallow_vit.setting import (
    COUNTED_STEPS,
    EASIEST,
    FLUCTUATING_IS_READ,
    NEAR_ZERO,
    SAME_RATIOS,
    SHARED,
    SIZES,
    WITHIN_NORMS,
    at_fractions,
    random_labels,
    symbols,
    untrained,
    with_a_quarter,
    without,
)
from sim.shallow_vit.systems import LOCAL_NETWORK, SHALLOW_VIT
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Scalar, System, TrialSpec
from theory.claim import Role
from theory.shallow_vit.figures import FIG_3
from theory.shallow_vit.generalization import GAIN, ITERATIONS_FROZEN
from theory.shallow_vit.notation import alpha, eta

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

# --------------------------------------------------------------------------------------- trained over frozen attention

_IN_BOTH = (0.08, 0.12, 0.16)
"""Fractions at which A.samples and A.samples_frozen measure thresholds already."""
_ADDED = (0.24, 0.4)
"""Fractions at which A.samples_frozen alone does."""
_SIZES = {SMOKE: (8, 32, 128), **dict.fromkeys((QUICK, FULL), (8, 16, 32, 64, 128, 256))}
_REPLICATES = {SMOKE: 3, QUICK: 8, FULL: 40}
_ADDED_REPLICATES = {SMOKE: 3, QUICK: 6, FULL: 12}


def _curves(preset: Preset, fractions: tuple[float, ...], replicates: int, **own: Scalar) -> Sweep:
    """Success curves of the protocol of A.samples, by the same parameters and hence the same trials."""
    sizes = _SIZES[preset]
    common = {**SIZES[preset], **SAME_RATIOS, "batch_size": sizes[0], **NEAR_ZERO, "n_tokens": 200, **own}
    return Sweep(SHALLOW_VIT, at_fractions(with_a_quarter(fractions), sizes), common, replicates)


def below_a_batch(preset: Preset, fractions: Sequence[float], **own: Scalar) -> tuple[Sweep, ...]:
    """The same with fewer samples than a batch of those curves holds, all of them a step: thresholds may lie there."""
    if preset is not FULL:
        return ()
    points = tuple(
        {**point, "batch_size": point["n_samples"]} for point in at_fractions(with_a_quarter(fractions), (2, 4))
    )
    common = without({**SIZES[preset], **SAME_RATIOS, **NEAR_ZERO, "n_tokens": 200, **own}, "batch_size")
    return (Sweep(SHALLOW_VIT, points, common, _REPLICATES[preset]),)


def frozen_curves(preset: Preset) -> tuple[Sweep, ...]:
    """Success curves with the attention left as it starts, those of A.samples_frozen."""
    return (_curves(preset, _IN_BOTH + _ADDED, _REPLICATES[preset], train_attention=False),)


def _trained_and_frozen(preset: Preset) -> tuple[Sweep, ...]:
    return (
        _curves(preset, _IN_BOTH, _REPLICATES[preset]),
        _curves(preset, _ADDED, _ADDED_REPLICATES[preset]),
        *below_a_batch(preset, _IN_BOTH + _ADDED),
        *frozen_curves(preset),
    )


def is_trained(spec: TrialSpec) -> bool:
    """Whether a trial is of the network of eq. (1) with its attention trained."""
    return spec.system == SHALLOW_VIT and spec.parameters.get("train_attention", True) is True


_OVER_FROZEN: dict[str, Any] = {
    "symbol": alpha,
    "parameter": "label_relevant_fraction",
    "symbols": symbols,
    "is_top": is_trained,
    "choices": ("trained", "frozen"),
    "levels": OTHER_LEVELS,
    "control": untrained(EASIEST, **{**SIZES[SMOKE], **SAME_RATIOS}),
    "sweeps": {preset: _trained_and_frozen(preset) for preset in (SMOKE, QUICK, FULL)},
}

_NOISELESS_FRACTIONS = (0.04, 0.08, 0.16, 0.24, 0.4)
_NOISELESS_SIZES = {QUICK: (8, 32, 128, 512), FULL: (8, 16, 32, 64, 128, 256)}


def _noiseless(preset: Preset) -> tuple[Sweep, ...]:
    points = at_fractions(with_a_quarter(_NOISELESS_FRACTIONS), _NOISELESS_SIZES[preset])
    common = {**SIZES[preset], **SAME_RATIOS, "batch_size": 8, "value_error": 0.0, "train_attention": False}
    return (Sweep(SHALLOW_VIT, points, {**common, "n_tokens": 100}, {QUICK: 4, FULL: 12}[preset]),)


FROZEN_WITHOUT_ERRORS = Threshold(
    name="a per token, same ratios, sigma = tau = 0",
    note="(13) is alpha_*^-4 here, the exponent that Remark 1 compares",
    symbol=alpha,
    parameter="label_relevant_fraction",
    symbols=symbols,
    levels=OTHER_LEVELS,
    control=untrained(EASIEST, **{**SIZES[SMOKE], **SAME_RATIOS, "train_attention": False}),
    sweeps={preset: _noiseless(preset) for preset in (QUICK, FULL)},
)
"""The second limit of (13): toward alpha_* = 0 where there is neither noise nor initial value error."""

# ------------------------------------------------------------------------------------------------- without attention

_SHARED = {"counts": "fluctuating", "output_layer": "shared", "n_tokens": 50, "n_test": 1000, "batch_size": 16}
_FEW_FRACTIONS = {QUICK: (0.3, 0.45, 0.6), FULL: (0.12, 0.2, 0.3, 0.45, 0.6)}
_FEW_SIZES = {QUICK: (16, 64, 256, 1024), FULL: (16, 64, 256, 1024, 4096)}
_FEW_REPLICATES = {QUICK: 12, FULL: 20}
_STEPS = {QUICK: 6_000, FULL: 20_000}
_LOCAL_SIZES = ("dimension", "n_patterns", "neuron_scale")


_MORE_FRACTIONS, _MORE_SIZES, _MORE_REPLICATES = (0.3, 0.45, 0.6), (32, 64, 128, 256), 200
"""Preset full alone: where both curves had crossed a half in 20 runs a size, of which the mean ratio was 0.86 and not
told from 1. Number and sizes were fixed then, before these runs; so the ratio is looked at twice, and speaks for the
claim where its limit at half of 5 % does."""


def _shared_curves(preset: Preset, system: System, **own: Scalar) -> tuple[Sweep, ...]:
    sizes = {name: SIZES[preset][name] for name in _LOCAL_SIZES}
    common = {
        **sizes,
        **_SHARED,
        **NEAR_ZERO,
        "max_steps": _STEPS[preset],
        "n_neurons": min(SIZES[preset]["n_neurons"], 100),
        "learning_rate": 0.5,
        **own,
    }
    few = at_fractions([(fraction, 0.0) for fraction in _FEW_FRACTIONS[preset]], _FEW_SIZES[preset])
    many = at_fractions([(fraction, 0.0) for fraction in _MORE_FRACTIONS], _MORE_SIZES) if preset is FULL else ()
    return (
        Sweep(system, tuple(point for point in few if point not in many), common, _FEW_REPLICATES[preset]),
        *([Sweep(system, many, common, _MORE_REPLICATES)] if many else []),
    )


def _against_local(**own: Scalar) -> dict[Preset, tuple[Sweep, ...]]:
    vit = {**WITHIN_NORMS, "token_noise": 0.0, "key_query_error": 0.2}
    return {
        preset: (*_shared_curves(preset, SHALLOW_VIT, **vit), *_shared_curves(preset, LOCAL_NETWORK, **own))
        for preset in (QUICK, FULL)
    }


def _over_local(words: str, **own: Scalar) -> dict[str, Any]:
    return {
        "symbol": alpha,
        "parameter": "label_relevant_fraction",
        "symbols": symbols,
        "is_top": is_trained,
        "choices": ("trained attention", words),
        "levels": OTHER_LEVELS,
        "control": untrained(
            EASIEST, **{**SIZES[SMOKE], **_SHARED, **WITHIN_NORMS, "token_noise": 0.0, "learning_rate": 0.5}
        ),
        "sweeps": _against_local(**own),
        "role": Role.READING,
        "because": FLUCTUATING_IS_READ,
    }


_IDENTITY = _over_local("identity attention", mixing="identity")
_CNN = _over_local("CNN", mixing="convolution", kernel=1, learning_rate=2.0)
_OF_CAPTION: dict[str, Any] = without(_CNN, "role", "because")
_PROPOSITION_1: dict[str, Any] = {
    "role": Role.READING,
    "because": "Proposition 1 calls frozen attention 'no self-attention layer': Remark 1's comparison, by another name",
}
_SPENT = (
    "a step of 2, chosen by hand, and a budget of steps that the CNN spends where alpha_* is small and samples many"
)

A_FIG_3 = Check(
    FIG_3,
    (
        SmallerThreshold(name="fewer than a CNN of one layer", note=_SPENT, **_OF_CAPTION),
        SmallerThreshold(
            name="trained attention needs fewer samples than frozen", **{**_OVER_FROZEN, **_PROPOSITION_1}
        ),
        SmallerThreshold(name="fewer than identity attention", **_IDENTITY),
        CNN_LAW,
    ),
)

_OURS: dict[str, Any] = {
    "role": Role.OWN_QUESTION,
    "because": "footnote 4: both bounds are sufficient only, and their ratio says nothing of samples that are needed",
}

A_ATTENTION_GAIN = Check(
    GAIN,
    (
        ThresholdRatio(name="measured samples, trained over frozen", **{**_OVER_FROZEN, **_OURS}),
        ThresholdRatio(name="measured samples, over identity attention", **{**_IDENTITY, **_OURS}),
        ThresholdRatio(name="measured samples, over a CNN of one layer", **{**_CNN, **_OURS}),
    ),
)

# ------------------------------------------------------------------------------------------------------- iterations

_ENOUGH = {**SAME_RATIOS, "n_samples": 512, "max_steps": 30_000, "train_attention": False}
"""So many samples that runs generalise, which each trial's test shows."""
_COUNTED = {
    SMOKE: (0.04, 0.08, 0.12, 0.16, 0.24),
    QUICK: (0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28),
    FULL: (0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28),
}
_RATES = {
    SMOKE: (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
    QUICK: (0.05, 0.1, 0.2, 0.4, 0.8),
    FULL: (0.05, 0.1, 0.15, 0.2, 0.4, 0.8),
}
_SEEDS = {SMOKE: 2, QUICK: 4, FULL: 8}


def frozen_against_fraction(preset: Preset, **own: Any) -> tuple[Sweep, ...]:
    """Steps to zero training hinge against alpha_*, with the attention left as it starts."""
    points = at_fractions(with_a_quarter(_COUNTED[preset]))
    fixed = {**SIZES[preset], **_ENOUGH, **NEAR_ZERO, "n_tokens": 100, "learning_rate": 0.8, **own}
    return (Sweep(SHALLOW_VIT, points, fixed, _SEEDS[preset]),)


def _against_rate(preset: Preset, more: Sequence[float] = (), **own: Any) -> tuple[Sweep, ...]:
    fixed = {**SIZES[preset], **_ENOUGH, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, **own}
    rates = grid(learning_rate=sorted({*_RATES[preset], *more}))
    return (Sweep(SHALLOW_VIT, rates, without(fixed, "learning_rate"), _SEEDS[preset]),)


_FROZEN_EASIEST = {**SIZES[SMOKE], **SAME_RATIOS, "train_attention": False}


def _of_frozen(build: Callable[[Preset], tuple[Sweep, ...]], **axis: Any) -> Scaling:
    named: dict[str, Any] = {"name": "attention frozen", **axis}
    adversaries = () if "role" in axis else (random_labels(EASIEST, **_FROZEN_EASIEST),)
    return Scaling(
        symbols=symbols,
        control=untrained(EASIEST, **_FROZEN_EASIEST),
        adversaries=adversaries,
        sweeps={preset: build(preset) for preset in (SMOKE, QUICK, FULL)},
        **COUNTED_STEPS,
        **named,
    )


_SHARED_LAYER: dict[str, Any] = {
    "name": "attention frozen, output layer shared",
    "role": Role.READING,
    "because": SHARED,
}
"""With one vector for all tokens the lemma on |S| says nothing of T."""
_NEAR_THE_MARGIN = 20
"""Runs a place, where the exponent lies next to the margin of 1/4. Twice as many left it as open, by lack of fit."""
_WITH_CONSTANTS_OF_1: dict[str, Any] = {
    "note": (
        "the sizes and batches of A.iterations, two runs a point at quick, whose upper half alone was the statement "
        "once: A.iterations is asked for both halves, and so is this"
    ),
    "symbol": alpha,
    "parameter": "label_relevant_fraction",
    "symbols": symbols,
    "control": untrained(EASIEST, **_FROZEN_EASIEST),
    "sweeps": {
        QUICK: tuple(replace(sweep, replicates=2) for sweep in inside(QUICK, train_attention=False)),
        FULL: tuple(replace(sweep, replicates=_NEAR_THE_MARGIN) for sweep in inside(FULL, train_attention=False)),
    },
    **COUNTED_STEPS,
}

A_ITERATIONS_FROZEN = Check(
    ITERATIONS_FROZEN,
    (
        _of_frozen(
            frozen_against_fraction,
            symbol=alpha,
            parameter="label_relevant_fraction",
            note="0.2 and 0.28 were added post hoc: five points had not decided",
        ),
        _of_frozen(_against_rate, symbol=eta, parameter="learning_rate"),
        _of_frozen(
            partial(frozen_against_fraction, output_layer="shared", learning_rate=0.3),
            symbol=alpha,
            parameter="label_relevant_fraction",
            **_SHARED_LAYER,
        ),
        _of_frozen(
            partial(_against_rate, more=(0.3, 0.6), output_layer="shared"),
            symbol=eta,
            parameter="learning_rate",
            **_SHARED_LAYER,
        ),
        Scaling(name="attention frozen, with every constant of the hypotheses at 1", **_WITH_CONSTANTS_OF_1),
        against_errors("attention frozen", "random", train_attention=False),
        *FROZEN_LAWS,
        FROZEN_LAW,
    ),
)
