"""Lemma 2, claims 1 and 3, and Lemma 4 during training: lucky neurons, their activity, value vectors, the output.

Definition 2's lucky neurons hardly ever occur (A.lucky_count), so ten near p_1 and ten near p_2 are planted. With an
output layer per token a neuron has L signs; it is worth their sum. (54) counts lucky neurons of p_1 with + 1/m, so the
statement has those whose sum is positive, and all of them is the literal reading. [li2023, (27)-(42), (49)-(67), (217)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.sampled import Rate, Scaling
from checks.shallow_vit.course import (
    FROZEN,
    FULL,
    LEAST,
    MEMORISING,
    MOST,
    QUICK,
    SMOKE,
    STATEMENT_RUNS,
    at,
    behaviour,
    course,
    in_training,
    sweep,
    value_error,
)
from checks.shallow_vit.setting import symbols
from sim.trials.sweep import grid
from sim.trials.trial import Parameters, Trial
from theory.claim import Role
from theory.shallow_vit.neurons import LUCKY_MONOTONE, NEURON_GROWTH, UNLUCKY
from theory.shallow_vit.notation import t, xi
from theory.shallow_vit.values import OUTPUT, VALUE_GROWTH, VALUE_SIGNS

if TYPE_CHECKING:
    import numpy as np

ROUNDING = 1e-9
POSITIVE = "(54) counts lucky neurons with + 1/m"
LITERAL: dict[str, Any] = {
    "role": Role.READING,
    "because": "Definition 2 and Lemma 2 ask nothing of the sign of a_(l)i",
}

# ------------------------------------------------------------------------------------------------ lucky stay lucky


def _kept(*curves: str, least: float = 1.0) -> Callable[[Trial], bool]:
    """At every look at least this share of the neurons that were lucky is lucky still."""
    return lambda trial: all(bool((in_training(trial, curve) >= least).all()) for curve in curves)


def _kept_words(kind: str) -> Callable[[Sequence[Trial]], str]:
    def remark(trials: Sequence[Trial]) -> str:
        words = []
        for group in ("1_positive", "1_negative", "2_positive", "2_negative"):
            curves = [in_training(trial, f"{kind}_{group}") for trial in trials]
            least = [float(curve.min()) for curve in curves if np.isfinite(curve).all()]
            if least:
                words.append(f"p_{group.replace('_', ', sum of a ')} {sum(least) / len(least):.2f}")
        return f"least share still lucky at any look: {'; '.join(words)}"

    return remark


A_LUCKY_MONOTONE = Check(
    LUCKY_MONOTONE,
    (
        behaviour(
            "Definition 2, sum of a positive near p_1 and negative near p_2",
            _kept("kept_1_positive", "kept_2_negative"),
            note=f"{POSITIVE}; those of p_2 grow by (36) where it is negative",
            remark=_kept_words("kept"),
        ),
        behaviour(
            "the event of Lemma 3's proof, the same signs",
            _kept("event_1_positive", "event_2_negative"),
            role=Role.REPAIR,
            because="proof of Lemma 3, eq. (210)-(213), bounds this event",
            remark=_kept_words("event"),
        ),
        behaviour(
            "the same, three in four of the neurons",
            _kept("event_1_positive", "event_2_negative", least=0.75),
            role=Role.OWN_QUESTION,
            because="the share was chosen after the first runs: how nearly Lemma 4 holds of the proof's event",
        ),
        behaviour(
            "Definition 2, whatever the sum of a",
            _kept("kept_1_positive", "kept_1_negative", "kept_2_positive", "kept_2_negative"),
            **LITERAL,
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ growth of neurons


def _grown(curve: str) -> Callable[[Trial, float], tuple[np.ndarray, np.ndarray] | None]:
    """The mean projection of lucky neurons beyond a share of its initial value; None where it is never beyond."""

    def quantity(trial: Trial, share: float) -> tuple[np.ndarray, np.ndarray] | None:
        steps, found = in_training(trial, "step"), in_training(trial, curve)
        beyond = found - share * found[0]
        kept = (steps > 0) & (beyond > 0)
        return (steps[kept], beyond[kept]) if kept.any() else None

    return quantity


def _by_quarter(curve: str) -> Callable[[Sequence[Trial]], str]:
    """Mean growth exponents over windows of training, a factor of 2 long."""

    def remark(trials: Sequence[Trial]) -> str:
        words = []
        for low, high in ((0.125, 0.25), (0.25, 0.5), (0.5, 1.0)):
            slopes = []
            for trial in trials:
                if (pair := _grown(curve)(trial, 1.0)) is None:
                    continue
                steps, beyond = pair
                inside = (steps >= low * trial.number("iterations")) & (steps <= high * trial.number("iterations"))
                if inside.sum() >= 2:
                    slopes.append(np.polyfit(np.log(steps[inside]), np.log(beyond[inside]), 1)[0])
            words.append(f"{np.mean(slopes):.2f}" if slopes else "none")
        return f"exponent from 1/8 to 1/4 of training, to 1/2, to its end: {', '.join(words)}"

    return remark


def _growth(name: str, curve: str, **role: Any) -> Rate:
    return Rate(
        name=name,
        symbol=t,
        axis_words="SGD steps",
        quantity=_grown(curve),
        constant="share of the initial projection",
        values=(0.0, 0.9, 1.0),
        window=(0.1, 1.0),
        contradiction="the projection does not exceed its initial value",
        ended="training has ended (zero training hinge), so longer runs show nothing more",
        remark=_by_quarter(curve),
        sweeps=STATEMENT_RUNS,
        **role,
    )


A_NEURON_GROWTH = Check(
    NEURON_GROWTH,
    (
        _growth("lucky for p_1, sum of a positive", "projection_1_positive", note=POSITIVE),
        _growth("all lucky for p_1", "projection_1", **LITERAL),
        _growth(
            "lucky for p_2, sum of a negative",
            "projection_2_negative",
            role=Role.READING,
            because="(36) for U(t): those whose sum is negative grow along p_2",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ unlucky neurons

_SCALES = (0.01, 0.03, 0.1)


def _with_scale(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    return {**symbols(parameters), xi: sp.nsimplify(str(parameters["neuron_scale"]))}


def _projection(name: str, observable: str, **role: Any) -> Scaling:
    return Scaling(
        name=name,
        symbol=xi,
        parameter="neuron_scale",
        symbols=_with_scale,
        observable=observable,
        sweeps={
            preset: (sweep(grid(neuron_scale=_SCALES), course(preset), count),)
            for preset, count in ((SMOKE, 3), (QUICK, 20), (FULL, 20))
        },
        **role,
    )


A_UNLUCKY = Check(
    UNLUCKY,
    (
        _projection("(40): largest projection on p_3 and on, any step", "rest_largest"),
        _projection(
            "the same, root mean square",
            "rest_rms",
            role=Role.READING,
            because="xi is the scale of one entry; a typical neuron is the mildest interpretation of (40)",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ value vectors


def _error_within(kind: str) -> Callable[[Trial], bool]:
    def shows(trial: Trial) -> bool:
        return all(in_training(trial, f"{kind}_{i}").max() <= value_error(trial) + ROUNDING for i in (1, 2))

    return shows


def _others_stay(trial: Trial) -> bool:
    return bool(in_training(trial, "value_drift_rest").max() <= value_error(trial))


def _drifts(trials: Sequence[Trial]) -> str:
    """Mean lengths at the end of training."""
    names = {
        "value_drift_1": "drift of the first value vector",
        "value_left_1": "left of it without lucky neurons",
        "value_identity_1": "left of it without any",
        "value_drift_rest": "largest drift of a pattern without a label",
    }
    means = {
        words: sum(float(trial.result.curves[name][-1]) for trial in trials) / len(trials)
        for name, words in names.items()
    }
    lost = max(trial.number("quadrature") for trial in trials)
    return (
        f"at the end: {', '.join(f'{words} {mean:.3f}' for words, mean in means.items())}; quadrature within {lost:.1%}"
    )


A_VALUE_GROWTH = Check(
    VALUE_GROWTH,
    (
        behaviour(
            "(49)-(50), some lambda at most 1",
            _error_within("value_identity"),
            note="lambda = 1 makes (49) an identity of gradient descent: z is then the initial error",
            remark=_drifts,
        ),
        behaviour(
            "(49)-(50) with lambda = 0",
            _error_within("value_left"),
            role=Role.READING,
            because="Assumption 3's lambda is the inner product of tokens of different patterns, here 0",
        ),
        behaviour(
            "value vectors of patterns without a label stay within sigma+tau",
            _others_stay,
            role=Role.OWN_QUESTION,
            because="proof idea sketch: non-discriminative projections and initial error stay 'almost unchanged'",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ activity


def _signs(first: str, second: str) -> Callable[[Trial], bool]:
    """V_i negative for all of a group near p_1, positive for all of one near p_2, of its order for unlucky ones."""

    def shows(trial: Trial) -> bool:
        parameters = trial.spec.parameters
        most = MOST / (float(parameters["n_neurons"]) * float(parameters["batch_size"])) ** 0.5
        below = trial.number(f"activity_below_zero_1_{first}"), trial.number(f"activity_below_zero_2_{second}")
        return below == (1.0, 0.0) and trial.number("activity_unlucky_largest") <= most

    return shows


def _activities(trials: Sequence[Trial]) -> str:
    """Mean V_i of each group in units of alpha_* / (2 a), and how many are below zero."""
    words = []
    for group in ("1_positive", "1_negative", "2_positive", "2_negative"):
        units = [
            trial.number(f"activity_{group}")
            * 2
            * float(trial.spec.parameters["n_neurons"]) ** 0.5
            / float(trial.spec.parameters["label_relevant_fraction"])
            for trial in trials
        ]
        below = np.nanmean([trial.number(f"activity_below_zero_{group}") for trial in trials])
        words.append(f"p_{group.replace('_', ', sum of a ')} {np.nanmean(units):.3f} ({below:.0%} below 0)")
    return f"V_i over alpha_*/(2a): {'; '.join(words)}"


A_VALUE_SIGNS = Check(
    VALUE_SIGNS,
    (
        behaviour(
            "lucky neurons with a positive sum of a", _signs("positive", "positive"), note=POSITIVE, remark=_activities
        ),
        behaviour(
            "those of p_2 with a negative sum, which grow as (36) says",
            _signs("positive", "negative"),
            role=Role.READING,
            because="(36) has neurons of U(t) grow along p_2, which those of a positive sum do not",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ output


def _margin_grows(trial: Trial) -> bool:
    """At least a tenth of (t/T)^2 from a tenth of training on, and above 1 on every sample at its end."""
    last = trial.number("iterations")
    shares = [k / 20 for k in range(2, 21)]
    return trial.number("margin_at_end") >= 1 and all(
        at(trial, "margin", share * last) >= LEAST * share**2 for share in shares
    )


def _output_exponents(trials: Sequence[Trial]) -> str:
    """Mean exponents of the mean margin by quarter of training."""
    words = []
    for quarter in range(4):
        slopes = []
        for trial in trials:
            last = trial.number("iterations")
            first, second = max(1.0, last * quarter / 4), last * (quarter + 1) / 4
            low, high = at(trial, "margin", first), at(trial, "margin", second)
            if low > 0 and high > 0:
                slopes.append(np.log(high / low) / np.log(second / first))
        words.append(f"{np.mean(slopes):.2f}" if slopes else "none")
    return f"exponent of the margin in t by quarter of training: {', '.join(words)}"


A_OUTPUT = Check(
    OUTPUT,
    (
        behaviour(
            "margin at least (t/T)^2 / 10, and 1 at T",
            _margin_grows,
            remark=_output_exponents,
            adversaries=(MEMORISING, FROZEN),
        ),
    ),
)
