"""What holds where a claim of [li2023] is open, loose or false: laws in all letters of the setting, by search.

One design of trainings serves several claims. It moves what the formulas name and what they lack: the number of tokens,
the width, the confusion fraction, errors, step, batch, samples and the scale of the start. Every setting meets (8), and
(9) up to its constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from checks.evidence.later import estimates
from checks.evidence.law_search import BESIDE, DrawnSettings, LawSearch, Values, threshold_in
from checks.evidence.thresholds import counted_by_size
from checks.evidence.translation import exact
from checks.records.preset import Preset
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import (
    LOCAL_NETWORK,
    LUCKY_NEURONS,
    POPULATION_HINGE,
    PROOF_COURSE,
    SHALLOW_VIT,
    SHALLOW_VIT_TOKENS,
)
from sim.trials.trial import Parameters, Trial
from theory.shallow_vit import notation as n
from theory.shallow_vit.extensions import spread
from theory.shallow_vit.generalization import RANDOM_SIGNS

GAP = "alpha_* - alpha_#"
"""Distance of the fractions from a tie."""


def _training(values: Values) -> Parameters:
    """Parameters of a training; both fractions are whole numbers of tokens, the smaller one at least one."""
    tokens = int(values["tokens"])
    relevant = max(round(values["relevant"] * tokens), 3)
    return {
        "n_tokens": tokens,
        "label_relevant_fraction": relevant / tokens,
        "confusion_fraction": max(round(values["confusion"] * relevant), 1) / tokens,
        "n_neurons": int(values["neurons"]),
        "learning_rate": values["rate"],
        "value_error": values["value_error"],
        "key_query_error": values["key_query_error"],
        "neuron_scale": values["scale"],
        "n_samples": int(values["samples"]),
        "batch_size": int(values["batch"]),
    }


def _meets_8(at: Parameters, radius: float = 0.0) -> bool:
    """(8) for some eps_S < 1/2, of tokens within a radius tau of their pattern."""
    shrunk, kept = math.exp(-float(at["key_query_error"]) - radius), 1 - (float(at["value_error"]) + radius)
    return float(at["confusion_fraction"]) < float(at["label_relevant_fraction"]) * shrunk * kept / 2


def _is_granted(values: Values) -> bool:
    """(8), and (9) for some batch."""
    at = _training(values)
    shrunk = math.exp(-float(at["key_query_error"]))
    return _meets_8(at) and float(at["label_relevant_fraction"]) > shrunk * float(at["value_error"])


_RANGES = {
    "tokens": (30, 200),
    "relevant": (0.1, 0.8),
    "confusion": (0.05, 0.45),
    "neurons": (50, 400),
    "rate": (0.1, 1.0),
    "value_error": (0.01, 0.3),
    "key_query_error": (0.05, 0.4),
    "scale": (0.003, 0.03),
    "samples": (64, 256),
    "batch": (8, 64),
}
_PROTOCOL = {
    "dimension": 10,
    "n_patterns": 5,
    "token_noise": 0.0,
    "counts": "exact",
    "initialization": "contraction",
    "max_steps": 20_000,
    "n_test": 300,
}


def _trainings(output_layer: str, **fixed: Any) -> DrawnSettings:
    return DrawnSettings(
        SHALLOW_VIT,
        _RANGES,
        {Preset.QUICK: 96},
        whole=("tokens", "neurons", "samples", "batch"),
        admissible=_is_granted,
        parameters=_training,
        fixed={**_PROTOCOL, "output_layer": output_layer, **fixed},
    )


_PER_TOKEN = _trainings("per token")
_LETTERS = (n.alpha, n.alpha_confusion, n.S, n.m, n.eta, n.sigma, n.delta, n.N, n.B)


def _start(trial: Trial) -> Values:
    """xi, which the translation of trials leaves out: most claims are silent on it."""
    return {n.xi.name: float(trial.spec.parameters["neuron_scale"])}


def _counted(trial: Trial) -> float | None:
    """T of a model that fits and generalises."""
    is_counted = trial.flag("train_hinge_zero") and trial.flag("success")
    return max(trial.number("iterations"), 1.0) if is_counted else None


def _beside(name: str, response: str, drawn: DrawnSettings, **more: Any) -> LawSearch:
    """A law of drawn settings, beside what a claim states."""
    given: dict[str, Any] = {"symbols": symbols, "combinations": (GAP,), **more}
    return LawSearch(name=name, response=response, drawn=drawn, **given)


def of_trainings(
    name: str,
    response: str,
    quantity: Callable[[Trial], float | None],
    drawn: DrawnSettings = _PER_TOKEN,
    **more: Any,
) -> LawSearch:
    """A law of something that a training ends with."""
    given: dict[str, Any] = {"named": _LETTERS, "others": _start, **more}
    return _beside(name, response, drawn, quantity=quantity, **given)


FIGURE_LAW = of_trainings("law of T, output layer per token", "T", _counted)
"""Of A.fig2."""
ITERATIONS_LAW = replace(FIGURE_LAW, reasons=(RANDOM_SIGNS[0].name,))
"""Of A.iterations, whose lemma says why T grows like the root of |S|."""
SHARED_LAW = of_trainings("law of T, output layer shared", "T", _counted, _trainings("shared"))
FROZEN_LAW = replace(ITERATIONS_LAW, drawn=_trainings("per token", train_attention=False))
"""Of A.iterations_frozen."""
ERROR_LAW = of_trainings(
    "law of T in sigma and all else",
    "T",
    _counted,
    claimed=lambda trial: _of_11(trial, float(trial.spec.parameters["value_error"])),
    note="claimed: 1/((c - sigma) eta alpha_*) at the c that suits best",
)
"""Of A.init_scaling."""


_POLES = (0.481, 0.5, 0.55, 0.6, 0.7, 0.85, 1.0, 1.4, 2.0, 4.0, 1e3)
"""The Theta(1) of Remarks 2 and 3, above every error that is drawn."""


def _of_11(trial: Trial, error: float) -> list[float]:
    """(11) with every Theta(1) for what stands before the error."""
    at = trial.spec.parameters
    size = float(at["learning_rate"]) * float(at["label_relevant_fraction"])
    return [1 / ((pole - error) * size) for pole in _POLES]


_POWERS = (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""The C > 0 of (15)."""


def _of_15(trial: Trial) -> list[float]:
    """What (15) lacks to 1, eta^C."""
    return [float(trial.spec.parameters["learning_rate"]) ** power for power in _POWERS]


def _at_end(observable: str, *, power: float = 1.0, lacking: bool = False) -> Callable[[Trial], float | None]:
    """What a training that fits ends with, or what that lacks to 1."""

    def quantity(trial: Trial) -> float | None:
        if not trial.flag("train_hinge_zero"):
            return None
        value = trial.number(observable)
        return (1 - value if lacking else value) ** power

    return quantity


def _log_of_iterations(trial: Trial) -> list[float]:
    """log T at the T of (11), c / (eta alpha_*) for every c from 1 to 1000."""
    at = trial.spec.parameters
    size = float(at["learning_rate"]) * float(at["label_relevant_fraction"])
    return [math.log(constant / size) for constant in (1, 3, 10, 30, 100, 300, 1000)]


QUERY_LAW = of_trainings(
    "law of ||q_1||^2 at the end of training",
    "||q_1||^2",
    _at_end("query_norm", power=2.0),
    claimed=_log_of_iterations,
    note="claimed: log T at T = c/(eta alpha_*), c the one that suits best",
)
"""Of A.query_log."""
CONCENTRATION_LAW = of_trainings(
    "law of what the worst query lacks to 1 at the end of training",
    "lacking mass",
    _at_end("mass_worst_query", lacking=True),
    claimed=_of_15,
    note="claimed: eta^C at the C > 0 that suits best",
)
"""Of A.concentration."""
AVERAGE_LAW = of_trainings(
    "law of what the average query lacks to 1 at the end of training",
    "lacking mass",
    _at_end("mass_label_relevant", lacking=True),
    claimed=_of_15,
    note="claimed: eta^C at the C > 0 that suits best, as (15) has it of each token",
)
"""Of A.fig4."""
PATTERNS_LAW = replace(
    AVERAGE_LAW,
    name="law of what the average query lacks to 1 at the end of training, d = 20",
    drawn=replace(
        _PER_TOKEN,
        ranges={**_RANGES, "patterns": (5, 19)},
        count={Preset.QUICK: 64},
        whole=(*_PER_TOKEN.whole, "patterns"),
        parameters=lambda values: {**_training(values), "n_patterns": int(values["patterns"])},
        fixed={**{name: value for name, value in _PER_TOKEN.fixed.items() if name != "n_patterns"}, "dimension": 20},
    ),
    named=(*_LETTERS, n.M),
)
"""Of A.fig7."""
SETS_LAW = of_trainings(
    "law of the weight on patterns without a label at the end of training, sets of two vectors",
    "weight",
    lambda trial: float(trial.result.curves["mass_other"][-1]) if trial.flag("train_hinge_zero") else None,
    replace(
        _PER_TOKEN,
        system=SHALLOW_VIT_TOKENS,
        ranges={
            **_RANGES, "tokens": (30, 80), "neurons": (50, 200), "rate": (0.2, 1.0), "samples": (64, 128),
            "batch": (8, 32), "spread": (0.2, 1.4),
        },
        count={Preset.QUICK: 120},
        admissible=lambda values: _is_granted(values) and values["relevant"] * (1 + values["confusion"]) <= 0.9,
        seed=2,
        parameters=lambda values: {**_training(values), "pattern_spread": values["spread"]},
    ),
    symbols=lambda parameters: {**symbols(parameters), spread: exact(parameters["pattern_spread"])},
    named=(*_LETTERS, spread),
    combinations=(GAP, "1 - alpha_*"),
    claimed=lambda trial: 1.0,
    note="claimed: close to zero, in no letter, for which a constant runs; half as many settings bore out no law",
)  # fmt: skip
"""Of A.pattern_sets. Settings without a token of a third pattern had been drawn first, and more expensive ones."""
MASS_LAW = of_trainings(
    "law of 1 - p_n(T), label-relevant queries",
    "1 - p_n(T)",
    _at_end("mass_own_query", lacking=True),
    combinations=(GAP, "1 - alpha_*"),
)
"""Of A.mass_limit."""

# ----------------------------------------------------------------------------------------------------- samples needed

_SIZES = (6, 12, 24, 48, 96, 192)


def _few(values: Values) -> Parameters:
    """A setting whose samples are counted: any two fractions of which the first is larger."""
    tokens = int(values["tokens"])
    relevant = max(round(values["relevant"] * tokens), 2)
    return {
        "n_tokens": tokens,
        "label_relevant_fraction": relevant / tokens,
        "confusion_fraction": min(max(round(values["confusion"] * relevant), 1), relevant - 1) / tokens,
        "n_neurons": int(values["neurons"]),
        "value_error": values["value_error"],
        "key_query_error": values["key_query_error"],
    }


SAMPLES_LAW = _beside(
    "law of the samples that half of the trainings need, output layer per token",
    "N",
    DrawnSettings(
        SHALLOW_VIT,
        {
            "tokens": (16, 80), "relevant": (0.1, 0.6), "confusion": (0.1, 0.9), "neurons": (40, 160),
            "value_error": (0.01, 0.1), "key_query_error": (0.05, 0.4),
        },
        {Preset.QUICK: 112},
        whole=("tokens", "neurons"),
        even=("confusion",),
        admissible=lambda values: values["relevant"] * (1 + values["confusion"]) <= 0.95,
        parameters=_few,
        moved=lambda values: [{"n_samples": size} for size in _SIZES],
        fixed={
            **_PROTOCOL, "output_layer": "per token", "learning_rate": 0.5, "batch_size": 4, "max_steps": 4_000,
        },
        replicates=2,
    ),
    of_setting=threshold_in("n_samples", "success"),
    moving="n_samples",
    named=(n.alpha, n.alpha_confusion, n.S, n.m, n.sigma, n.delta),
)  # fmt: skip
"""Of A.fig1a; of A.samples those settings alone that meet (8)."""


def _is_learnable(values: Values) -> bool:
    """(8), and alpha_* above the error, of the fractions as they are in whole tokens."""
    at = _few({"neurons": 1, **values})
    return _meets_8(at) and float(at["label_relevant_fraction"]) > float(at["value_error"])


SAMPLES_FROZEN_LAW = replace(
    SAMPLES_LAW,
    name="law of the samples that half of the trainings need, attention frozen",
    drawn=replace(
        SAMPLES_LAW.drawn,
        ranges={**SAMPLES_LAW.drawn.ranges, "confusion": (0.05, 0.45)},
        count={Preset.QUICK: 64},
        admissible=_is_learnable,
        fixed={**SAMPLES_LAW.drawn.fixed, "train_attention": False},
    ),
)
"""Of A.samples_frozen."""


def _without_confusion(values: Values) -> Parameters:
    return {
        "n_tokens": int(values["tokens"]),
        "label_relevant_fraction": values["relevant"],
        "n_neurons": int(values["neurons"]),
        "n_patterns": int(values["patterns"]),
    }


CNN_LAW = _beside(
    "law of the samples that half of the trainings of a CNN of one layer need",
    "N",
    DrawnSettings(
        LOCAL_NETWORK,
        {"tokens": (40, 160), "relevant": (0.25, 0.7), "neurons": (40, 160), "patterns": (3, 9)},
        {Preset.QUICK: 22},
        whole=("tokens", "neurons", "patterns"),
        parameters=_without_confusion,
        moved=lambda values: [{"n_samples": size} for size in (16, 36, 81, 182, 410)],
        fixed={
            "dimension": 10, "confusion_fraction": 0.0, "counts": "fluctuating", "output_layer": "shared",
            "neuron_scale": 0.01, "value_error": 0.03, "batch_size": 16, "max_steps": 6_000, "n_test": 300,
            "mixing": "convolution", "kernel": 1, "learning_rate": 2.0,
        },
        replicates=3,
    ),
    of_setting=threshold_in("n_samples", "success"),
    moving="n_samples",
    named=(n.alpha, n.S, n.m, n.M),
    combinations=(),
    because=f"{BESIDE}; alpha_# = 0, where a CNN learns",
    claimed=lambda trial: 1.0,
    note="claimed: more than a ViT, in no letter, for which a constant runs",
)  # fmt: skip
"""Of A.fig3, on its protocol."""

_LEADS = (0.06, 0.12, 0.25, 0.5, 0.9)
"""By which share of the label-relevant tokens these outnumber the confusion tokens."""


def _lead(parameters: Parameters) -> int:
    """Label-relevant tokens less confusion tokens."""
    relevant, confusion = (float(parameters[f"{name}_fraction"]) for name in ("label_relevant", "confusion"))
    return round((relevant - confusion) * int(parameters["n_tokens"]))


def _by_lead(values: Values) -> list[Parameters]:
    """Confusion fractions, which differ by a token at least."""
    tokens = int(values["tokens"])
    relevant = max(round(values["relevant"] * tokens), 2)
    counts = {max(relevant - max(round(share * relevant), 1), 1) for share in _LEADS}
    return [{"confusion_fraction": count / tokens} for count in sorted(counts)]


def _least_lead(trials: Sequence[Trial]) -> float | None:
    """alpha_* - alpha_# at which half of a setting's trainings succeed; None where that lies beyond those measured."""
    shown: dict[int, list[bool]] = {}
    for trial in trials:
        shown.setdefault(_lead(trial.spec.parameters), []).append(trial.flag("success"))
    found = estimates.estimate_threshold(*counted_by_size(dict(sorted(shown.items())))).value
    return None if found is None else found / float(trials[0].spec.parameters["n_tokens"])


def _lead_of_8(at: Parameters) -> list[float]:
    """alpha_* - alpha_# where (8) begins, for every eps_S up to 1/2."""
    shrunk = math.exp(-float(at["key_query_error"])) * (1 - float(at["value_error"]))
    return [float(at["label_relevant_fraction"]) * (1 - shrunk * share) for share in (0.01, 0.1, 0.2, 0.3, 0.4, 0.5)]


LEAD_LAW = _beside(
    "law of the lead alpha_* - alpha_# at which half of the trainings succeed, output layer per token",
    "alpha_* - alpha_#",
    replace(
        SAMPLES_LAW.drawn,
        ranges={
            "tokens": (40, 80), "relevant": (0.25, 0.5), "neurons": (40, 160), "value_error": (0.01, 0.1),
            "key_query_error": (0.05, 0.4), "samples": (12, 64),
        },
        count={Preset.QUICK: 64},
        whole=("tokens", "neurons", "samples"),
        even=(),
        admissible=None,
        parameters=lambda values: {**_few({**values, "confusion": 0.5}), "n_samples": int(values["samples"])},
        moved=_by_lead,
    ),
    of_setting=_least_lead,
    moving="confusion_fraction",
    named=(n.alpha, n.S, n.m, n.N, n.sigma, n.delta),
    claimed=lambda trial: _lead_of_8(trial.spec.parameters),
    note="claimed: that of (8) at the eps_S up to 1/2 that suits best",
    combinations=(),
)  # fmt: skip
"""Of A.fraction."""

# --------------------------------------------------------------------------------------------------- population hinge


def _largest_hinge(trial: Trial) -> float | None:
    """Of all samples that can occur, where the training fits; None where it is zero."""
    lacking = 1 - trial.number("least_margin")
    return lacking if trial.flag("train_hinge_zero") and lacking > 0 else None


HINGE_LAW = _beside(
    "law of the largest hinge of the population, output layer per token",
    "largest hinge",
    DrawnSettings(
        POPULATION_HINGE,
        {
            "tokens": (24, 80), "relevant": (0.2, 0.6), "confusion": (0.05, 0.45), "neurons": (40, 160),
            "value_error": (0.01, 0.15), "key_query_error": (0.05, 0.4), "samples": (32, 256),
        },
        {Preset.QUICK: 120},
        whole=("tokens", "neurons", "samples"),
        admissible=_is_learnable,
        parameters=lambda values: {**_few(values), "n_samples": int(values["samples"])},
        fixed={
            **{name: value for name, value in _PROTOCOL.items() if name not in ("token_noise", "n_test")},
            "output_layer": "per token", "learning_rate": 0.5, "batch_size": 16,
        },
    ),
    quantity=_largest_hinge,
    named=(n.alpha, n.alpha_confusion, n.S, n.m, n.N, n.sigma, n.delta),
    note="claimed: zero, for which a constant runs",
)  # fmt: skip
"""Of A.zero_error."""

# ------------------------------------------------------------------------------------------------------------- width

_FEW_NEURONS = (1, 2, 4, 8, 16, 32)


def _wide(values: Values) -> Parameters:
    at = {name: value for name, value in _few({**values, "neurons": 1}).items() if name != "n_neurons"}
    return {**at, "n_patterns": int(values["patterns"]), "n_samples": int(values["samples"])}


WIDTH_LAW = _beside(
    "law of the neurons that half of the trainings need, output layer per token",
    "m",
    DrawnSettings(
        SHALLOW_VIT,
        {
            "tokens": (12, 60), "relevant": (0.2, 0.6), "confusion": (0.1, 0.45), "patterns": (3, 9),
            "samples": (128, 512), "value_error": (0.01, 0.15), "key_query_error": (0.05, 0.4),
        },
        {Preset.QUICK: 48},
        whole=("tokens", "patterns", "samples"),
        admissible=_is_learnable,
        parameters=_wide,
        moved=lambda values: [{"n_neurons": size} for size in _FEW_NEURONS],
        fixed={
            **{name: value for name, value in _PROTOCOL.items() if name != "n_patterns"},
            "output_layer": "per token", "learning_rate": 0.5, "batch_size": 16, "max_steps": 4_000,
        },
        replicates=2,
    ),
    of_setting=threshold_in("n_neurons", "success"),
    moving="n_neurons",
    named=(n.alpha, n.alpha_confusion, n.S, n.M, n.N, n.sigma, n.delta),
)  # fmt: skip
"""Of A.width."""

# ------------------------------------------------------------------------------------------------------- token noise


def _noisy(values: Values) -> Parameters:
    """Truncated noise of radius tau, below sigma and delta; its vectors have a typical length of 0.9 tau."""
    radius = float(f"{values['radius'] * min(values['value_error'], values['key_query_error']):.4g}")
    noise = {"noise_radius": radius, "token_noise": float(f"{radius / 10**0.5:.4g}")}
    return {**_few(values), **noise, "learning_rate": values["rate"]}


def _is_noisy(values: Values) -> bool:
    at = _noisy(values)
    radius, error = float(at["noise_radius"]), float(at["value_error"])
    shrunk = math.exp(-float(at["key_query_error"]) - radius)
    return error + radius < 0.48 and _meets_8(at, radius) and float(at["label_relevant_fraction"]) > shrunk * error


NOISE_LAW = _beside(
    "law of T in tau and all else",
    "T",
    DrawnSettings(
        SHALLOW_VIT,
        {
            "tokens": (12, 32), "relevant": (0.2, 0.7), "confusion": (0.1, 0.45), "neurons": (40, 120),
            "rate": (0.2, 1.0), "value_error": (0.05, 0.3), "key_query_error": (0.05, 0.4), "radius": (0.05, 0.95),
        },
        {Preset.QUICK: 48},
        whole=("tokens", "neurons"),
        admissible=_is_noisy,
        parameters=_noisy,
        fixed={
            **{name: value for name, value in _PROTOCOL.items() if name != "token_noise"}, "output_layer": "per token",
            "noise": "truncated", "n_samples": 64, "batch_size": 16,
        },
    ),
    quantity=_counted,
    named=(n.alpha, n.alpha_confusion, n.S, n.m, n.eta, n.sigma, n.delta, n.tau),
    claimed=lambda trial: _of_11(
        trial, float(trial.spec.parameters["value_error"]) + float(trial.spec.parameters["noise_radius"])
    ),
    note="claimed: 1/((c - sigma - tau) eta alpha_*) at the c that suits best",
)  # fmt: skip
"""Of A.noise_scaling."""

# --------------------------------------------------------------------------------------------------------- neurons


def _grown(values: Values) -> Parameters:
    at = _training({**values, "samples": 64, "batch": 16})
    return {**at, "max_steps": int(values["steps"])}


def _gain(trial: Trial) -> float | None:
    """How far lucky neurons have moved along p_1, on average; None where they have moved away."""
    gain = trial.number("lucky_gain")
    return gain if gain > 0 else None


NEURON_LAW = _beside(
    "law of the growth beyond the start, lucky for p_1, sum of a positive",
    "growth",
    DrawnSettings(
        PROOF_COURSE,
        {**{name: ends for name, ends in _RANGES.items() if name not in ("samples", "batch")}, "steps": (4, 64)},
        {Preset.QUICK: 120},
        whole=("tokens", "neurons", "steps"),
        admissible=lambda values: _is_granted({**values, "samples": 64, "batch": 16}),
        parameters=_grown,
        fixed={
            **{name: value for name, value in _PROTOCOL.items() if name not in ("max_steps", "n_test")},
            "output_layer": "per token", "n_planted": 20,
        },
    ),
    quantity=_gain,
    named=(n.alpha, n.alpha_confusion, n.S, n.m, n.eta, n.sigma, n.delta),
    others=lambda trial: {**_start(trial), n.t.name: float(trial.spec.parameters["max_steps"])},
    claimed=lambda trial: (
        (float(trial.spec.parameters["learning_rate"]) * float(trial.spec.parameters["max_steps"])) ** 2
        * float(trial.spec.parameters["label_relevant_fraction"])
        * trial.number("mass_at_start")
    ),
    note="claimed: eta^2 t^2 alpha_* p_n, p_n at the start",
)  # fmt: skip
"""Of A.neuron_growth."""

UNLUCKY_LAW = replace(
    NEURON_LAW,
    name="law of the largest projection of unlucky neurons on p_3 and on over xi, any step",
    quantity=lambda trial: trial.number("rest_largest") / float(trial.spec.parameters["neuron_scale"]),
    response="projection over xi",
    claimed=lambda trial: 1.0,
    note="claimed: at most 1",
)
"""Of A.unlucky_bounded."""


def _activity(trial: Trial) -> float | None:
    """-V_i, the mean over lucky neurons and over training; None where it is not below zero."""
    activity = -trial.number("activity_1_positive")
    return activity if activity > 0 else None


VALUE_LAW = replace(
    NEURON_LAW,
    name="law of -V_i, the mean over neurons lucky for p_1, sum of a positive, and over t steps",
    quantity=_activity,
    response="-V_i",
    claimed=lambda trial: (
        float(trial.spec.parameters["label_relevant_fraction"])
        * trial.number("mass_at_start") / float(trial.spec.parameters["n_neurons"]) ** 0.5
    ),
    note="claimed: alpha_* p_n / a, p_n at the start",
)  # fmt: skip
"""Of A.value_signs."""


def _neurons(values: Values) -> Parameters:
    patterns = int(values["patterns"])
    return {
        "n_neurons": 20_000,
        "value_error": values["value_error"],
        "noise_radius": values["noise"],
        "n_patterns": patterns,
        "dimension": patterns + int(values["more"]),
    }


LUCKY_LAW = _beside(
    "law of the neurons in the proof's event: p_1 closest by a margin",
    "share",
    DrawnSettings(
        LUCKY_NEURONS,
        {"patterns": (3, 10), "more": (1, 12), "value_error": (0.005, 0.15), "noise": (0.005, 0.1)},
        {Preset.QUICK: 60},
        whole=("patterns", "more"),
        admissible=lambda values: (values["value_error"] + values["noise"]) * values["patterns"] < math.pi / 2,
        parameters=_neurons,
    ),
    quantity=lambda trial: max(trial.number("n_in_proof"), 0.5) / trial.number("n_neurons"),
    because=f"{BESIDE}; Definition 2 does not print the event",
    named=(n.M, n.d),
    others=lambda trial: {"error": _error(trial)},
    combinations=("1 - error",),
    claimed=lambda trial: _lucky_share(trial),
    note="error is sigma + tau; claimed: (1 - eps_m - (sigma+tau) M / pi) / M at the eps_m that suits best",
)
"""Of A.lucky_count."""


def _lucky_share(trial: Trial) -> list[float]:
    """Lemma 3's share of the neurons for every eps_m that leaves it positive where (sigma + tau) M < pi/2."""
    patterns = int(trial.spec.parameters["n_patterns"])
    kept = 1 - _error(trial) * patterns / math.pi
    return [(kept - lost) / patterns for lost in (0.0, 0.1, 0.2, 0.3, 0.4, 0.49)]


def _error(trial: Trial) -> float:
    """sigma + tau."""
    at = trial.spec.parameters
    return float(at["value_error"]) + float(at["noise_radius"])
