"""What data and network of the simulators are, against the paper's definitions. [li2023, section 3.2, eq. (1)-(4)]

Data: tokens are compared with patterns, labels with majorities and classes with each other, without believing what the
generator says of itself. Network: outputs, and weights after a few steps, against eq. (1) and Algorithm 1 written out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.open_parts import Course
from checks.evidence.sampled import Agreement, Behaviour
from checks.records.preset import Preset
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import SHALLOW_VIT_DATA, SHALLOW_VIT_WRITTEN_OUT
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Role
from theory.shallow_vit.definitions import DATA, MODEL
from theory.shallow_vit.notation import alpha, alpha_confusion, alpha_nd

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

# ------------------------------------------------------------------------------------------------------------- data

_DATA: dict[str, Scalar] = {"n_tokens": 20, "label_relevant_fraction": 0.3, "confusion_fraction": 0.1}
_ROUNDING = 1e-12


def _data_symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    known = symbols(parameters)
    return {**known, alpha_nd: 1 - known[alpha] - known[alpha_confusion]}


def _has_majority_labels(trial: Trial) -> bool:
    return trial.number("n_majority") == trial.number("n_samples")


def _is_exact(trial: Trial) -> bool:
    at_patterns = max(trial.number("farthest"), trial.number("length_error")) <= _ROUNDING
    return at_patterns and _has_majority_labels(trial)


def _is_within_noise(trial: Trial) -> bool:
    radius = float(trial.spec.parameters["noise_radius"])
    near = max(trial.number("farthest"), trial.number("length_error")) <= radius + _ROUNDING
    return near and _has_majority_labels(trial)


def _is_balanced(trial: Trial) -> bool:
    return trial.number("imbalance") <= 3 * float(trial.spec.parameters["n_samples"]) ** 0.5


def _drawn(points: Sequence[Parameters], replicates: int, **fixed: Scalar) -> tuple[Sweep, ...]:
    return (Sweep(SHALLOW_VIT_DATA, tuple(points), {**_DATA, **fixed}, replicates),)


_KINDS_OF_COUNTS = grid(counts=("exact", "fluctuating"))
_NOISE = {"token_noise": 0.01, "noise_radius": 0.05}
_BALANCE_SIZES = {SMOKE: (16, 256), QUICK: (16, 64, 256, 1024, 4096), FULL: (16, 64, 256, 1024, 4096, 16_384)}
_DATA_RUNS = {SMOKE: 20, QUICK: 30, FULL: 60}


def _of_labels(words: str, labels: str, **fixed: Scalar) -> Control:
    return Control(words, {SMOKE: _drawn(({"counts": "exact"},), 5, n_samples=400, labels=labels, **fixed)})


def _gaussian_tokens(trials: Sequence[Trial]) -> str:
    """How far Gaussian tokens are from patterns."""
    typical = float(trials[0].spec.parameters["noise_radius"])
    shares = [trial.number("share_within") for trial in trials]
    farthest = max(trial.number("farthest") for trial in trials)
    return (
        f"{100 * sum(shares) / len(shares):.0f} % of the tokens are within the typical length {typical:.3f}, the "
        f"farthest of {len(trials)} x 8000 at {farthest:.3f}; none has unit norm"
    )


def _average_fractions(trials: Sequence[Trial]) -> str:
    """Fractions of the drawn samples where counts fluctuate, beside the probabilities that they were drawn with."""
    found = [sum(trial.number(name) for trial in trials) / len(trials) for name in ("label_relevant", "confusion")]
    at = trials[0].spec.parameters
    asked = at["label_relevant_fraction"], at["confusion_fraction"]
    return (
        f"alpha_* = {found[0]:.4f} and alpha_# = {found[1]:.4f} where tokens are drawn with probabilities {asked[0]} "
        f"and {asked[1]}: the label is the majority that came out"
    )


def _own(name: str, because: str, words: Any, **fixed: Scalar) -> Course:
    sweeps = {preset: _drawn(({},), runs, n_samples=400, **fixed) for preset, runs in _DATA_RUNS.items()}
    roles: dict[str, Any] = {"role": Role.OWN_QUESTION, "because": because, "symbols": _data_symbols}
    return Course(name=name, words=words, sweeps=sweeps, **roles)


A_DATA = Check(
    DATA,
    (
        Behaviour(
            name="tokens that equal patterns",
            shows=_is_exact,
            rate=0.9,
            symbols=_data_symbols,
            control=_of_labels("labels by lot", "drawn by lot"),
            sweeps={preset: _drawn(_KINDS_OF_COUNTS, runs, n_samples=400) for preset, runs in _DATA_RUNS.items()},
        ),
        Behaviour(
            name="noise redrawn beyond tau, unit norm up to tau",
            role=Role.READING,
            because="Assumption 3 scales tokens up a little, so unit norm is not kept to the letter",
            shows=_is_within_noise,
            rate=0.9,
            symbols=_data_symbols,
            control=_of_labels("labels by lot", "drawn by lot", **_NOISE),
            sweeps={
                preset: _drawn(_KINDS_OF_COUNTS, runs, n_samples=400, **_NOISE) for preset, runs in _DATA_RUNS.items()
            },
        ),
        Behaviour(
            name="||D+| - |D-|| at most 3 sqrt(N)",
            shows=_is_balanced,
            rate=0.9,
            symbols=_data_symbols,
            control=_of_labels("samples of one class", "all of one class"),
            sweeps={
                preset: _drawn(grid(counts=("exact",), n_samples=sizes), _DATA_RUNS[preset])
                for preset, sizes in _BALANCE_SIZES.items()
            },
        ),
        _own(
            "Gaussian tokens of section 4.1",
            "section 4.1 draws N(mu, c_0^2 I); tau is read as c_0 sqrt(d) = 0.032",
            _gaussian_tokens,
            noise="gaussian",
            token_noise=0.01,
            noise_radius=0.0316,
        ),
        _own(
            "average fractions where counts fluctuate",
            "Definition 1.5 has alpha_* = E |S_*|/|S|",
            _average_fractions,
            counts="fluctuating",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------------ model

_MODEL_KINDS = grid(output_layer=("shared", "per token"), token_noise=(0.0, 0.1))
_SMALL = {"n_tokens": 5, "n_neurons": 6, "n_samples": 6, "batch_size": 4, "n_steps": 4}
_MODEL_RUNS = {SMOKE: 2, QUICK: 10, FULL: 50}
_COMPARED = {
    "output": "eq. (1), plain forward pass",
    "engine": "eq. (1), the engine's outputs after training",
    "hidden": "Algorithm 1, W_O after four steps",
    "value": "Algorithm 1, W_V after four steps",
    "key": "Algorithm 1, W_K after four steps",
    "query": "Algorithm 1, W_Q after four steps",
    "signs": "a = +-1/sqrt(m), before and after training",
}

A_MODEL = Check(
    MODEL,
    tuple(
        Agreement(
            name=name,
            observable=f"error_{observable}",
            sweeps={
                preset: (Sweep(SHALLOW_VIT_WRITTEN_OUT, _MODEL_KINDS, _SMALL, runs),)
                for preset, runs in _MODEL_RUNS.items()
            },
        )
        for observable, name in _COMPARED.items()
    ),
)
