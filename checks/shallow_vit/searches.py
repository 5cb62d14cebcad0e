"""What holds where a claim of [li2023] is open, loose or false: laws in all letters of the setting, by search.

One design of trainings serves several claims. It moves what the formulas name and what they lack: the number of tokens,
the width, the confusion fraction, errors, step, batch, samples and the scale of the start. Every setting meets (8), and
(9) up to its constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from checks.evidence.law_search import Drawn, LawSearch, Values
from checks.records.preset import Preset
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.trials.trial import Parameters, Trial
from theory.claim import Role
from theory.shallow_vit import notation as n

BESIDE = "no reading of the text: a law in letters that the statement lacks, found by search"
"""Why a law found by search is a repair."""
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


def _is_granted(values: Values) -> bool:
    """(8), and (9) for some batch."""
    at = {name: float(value) for name, value in _training(values).items()}
    relevant, confusion, error = at["label_relevant_fraction"], at["confusion_fraction"], at["value_error"]
    shrunk = math.exp(-at["key_query_error"])
    return confusion < relevant * shrunk * (1 - error) / 2 and relevant > shrunk * error


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


def _trainings(output_layer: str, **fixed: Any) -> Drawn:
    return Drawn(
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


def of_trainings(
    name: str,
    response: str,
    quantity: Callable[[Trial], float | None],
    drawn: Drawn = _PER_TOKEN,
    *,
    combinations: Sequence[str] = (GAP,),
    **more: Any,
) -> LawSearch:
    """A law of something that a training ends with."""
    return LawSearch(
        name=name,
        role=Role.REPAIR,
        because=BESIDE,
        symbols=symbols,
        drawn=drawn,
        quantity=quantity,
        response=response,
        named=_LETTERS,
        others=_start,
        combinations=tuple(combinations),
        **more,
    )


ITERATIONS_LAW = of_trainings("law of T, output layer per token", "T", _counted)
"""Of A.iterations and A.fig2."""
SHARED_LAW = of_trainings("law of T, output layer shared", "T", _counted, _trainings("shared"))
FROZEN_LAW = of_trainings(
    "law of T, output layer per token", "T", _counted, _trainings("per token", train_attention=False)
)
"""Of A.iterations_frozen."""
ERROR_LAW = of_trainings(
    "law of T in sigma and all else",
    "T",
    _counted,
    claimed=lambda trial: 1 / (0.5 - float(trial.spec.parameters["value_error"])),
    note="claimed: 1/(1/2 - sigma), the square root of the order of samples",
)
"""Of A.init_scaling."""


def _at_end(observable: str, *, power: float = 1.0, lacking: bool = False) -> Callable[[Trial], float | None]:
    """What a training that fits ends with, or what that lacks to 1."""

    def quantity(trial: Trial) -> float | None:
        if not trial.flag("train_hinge_zero"):
            return None
        value = trial.number(observable)
        return (1 - value if lacking else value) ** power

    return quantity


def _log_of_iterations(trial: Trial) -> float:
    """log T at the T of (11), 1 / (eta alpha_*)."""
    at = trial.spec.parameters
    return math.log(1 / (float(at["learning_rate"]) * float(at["label_relevant_fraction"])))


QUERY_LAW = of_trainings(
    "law of ||q_1||^2 at the end of training",
    "||q_1||^2",
    _at_end("query_norm", power=2.0),
    claimed=_log_of_iterations,
    note="claimed: log T at T = 1/(eta alpha_*)",
)
"""Of A.query_log."""
MASS_LAW = of_trainings(
    "law of 1 - p_n(T), label-relevant queries",
    "1 - p_n(T)",
    _at_end("mass_own_query", lacking=True),
    combinations=(GAP, "1 - alpha_*"),
)
"""Of A.mass_limit."""
