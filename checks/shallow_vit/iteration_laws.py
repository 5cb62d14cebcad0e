"""What (11) leaves out of T, and the other protocols of Theorem 1: no confusion tokens, one pass over fresh samples.

(11) names alpha_*, eta, sigma and tau. Against the width m, the batch B, the number of tokens L and the error delta, in
which it is silent, T has measured exponents and no verdict, with trained and with frozen attention; against sigma the
distance to the pole of (11) is the axis. Runs count that end with zero training hinge and a test hinge below 1e-3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

from checks.evidence.open_parts import Exponent
from checks.evidence.sampled import Scaling, Threshold
from checks.records.preset import Preset
from checks.shallow_vit.levels import OTHER_LEVELS
from checks.shallow_vit.noise_and_start import DIRECTIONS, VALUE_ERRORS, against_value_error
from checks.shallow_vit.setting import (
    COUNTED_STEPS,
    NEAR_ZERO,
    PAPER,
    SAME_RATIOS,
    SIZES,
    at_fractions,
    granted_batch,
    symbols,
    untrained,
    with_a_quarter,
    without,
)
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Role
from theory.shallow_vit import notation as letters
from theory.shallow_vit.notation import alpha, sigma

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

# ------------------------------------------------------------------------------------------------- constants of 1

_INSIDE_FRACTIONS = {QUICK: (0.06, 0.08, 0.12, 0.16, 0.24), FULL: (0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.24)}
_INSIDE_SEEDS = {QUICK: 4, FULL: 8}
_INSIDE = {
    **NEAR_ZERO,
    "precision": "float32",
    "n_tokens": 200,
    "learning_rate": 0.8,
    "n_samples": 1024,
    "max_steps": 20_000,
}


def inside(preset: Preset, **own: Scalar) -> tuple[Sweep, ...]:
    """alpha_* at batches and widths that meet (9) and the width condition with constants of 1 and eps = 1/2."""
    points: list[Parameters] = [
        {**point, "batch_size": granted_batch(fraction)}
        for fraction in _INSIDE_FRACTIONS[preset]
        for point in at_fractions(with_a_quarter((fraction,)))
    ]
    width = {"n_neurons": 1000 if preset is FULL else 700}
    fixed = without({**PAPER, **SAME_RATIOS, **_INSIDE, **width, **own}, *points[0])
    return (Sweep(SHALLOW_VIT, tuple(points), fixed, _INSIDE_SEEDS[preset]),)


# ------------------------------------------------------------------------------------------------------ own questions

_SILENT = "(11) has no such letter: what T does where the theorem is silent"
_QUARTER = {"n_samples": 128, "label_relevant_fraction": 0.24, "confusion_fraction": 0.06}
_AS_BY_LENGTH = {"label_relevant_fraction": 0.3, "confusion_fraction": 0.1, "n_samples": 64, "max_steps": 6_000}
"""The fractions of A.open_L, whose trials with trained attention these are."""
_WIDTHS = {SMOKE: 40, QUICK: 100, FULL: 1000}

_AXES: dict[str, tuple[str, dict[Preset, tuple[Any, ...]]]] = {
    "m": ("n_neurons", {QUICK: (25, 50, 100, 200, 400), FULL: (50, 100, 200, 400, 800, 1600)}),
    "B": ("batch_size", {QUICK: (4, 8, 16, 32, 64), FULL: (2, 4, 8, 16, 32, 64, 128)}),
    "delta": ("key_query_error", {QUICK: (0.05, 0.1, 0.2, 0.45), FULL: (0.025, 0.05, 0.1, 0.2, 0.45)}),
}
_LETTERS = {"m": letters.m, "B": letters.B, "delta": letters.delta, "L": letters.L}
_LENGTHS = {QUICK: (10, 20, 40, 80, 160, 320), FULL: (10, 20, 40, 80, 160, 320, 640)}
_SEEDS = {QUICK: 6, FULL: 20}


def _kind_of(attention: bool) -> str:
    return f"attention {'trained' if attention else 'frozen'}"


def _counted(trial: Trial) -> float | None:
    """T of a model that fits and generalises."""
    is_counted = trial.flag("train_hinge_zero") and trial.flag("success")
    return max(trial.number("iterations"), 1.0) if is_counted else None


def _along(parameter: str) -> Callable[[Parameters], float]:
    return lambda at: float(at[parameter])


def _exponent(name: str, letter: str, parameter: str, sweeps: dict[Preset, tuple[Sweep, ...]]) -> Exponent:
    return Exponent(
        name=name,
        lacked=_LETTERS[letter],
        role=Role.OWN_QUESTION,
        because=_SILENT,
        symbols=symbols,
        along=_along(parameter),
        quantity=_counted,
        axis_words=parameter.replace("_", " "),
        sweeps=sweeps,
    )


def _against(letter: str, *, attention: bool) -> Exponent:
    parameter, values = _AXES[letter]
    own: dict[str, Scalar] = {} if attention else {"train_attention": False}
    sweeps: dict[Preset, tuple[Sweep, ...]] = {
        preset: (
            Sweep(
                SHALLOW_VIT,
                grid(**{parameter: at}),
                without({**SIZES[preset], **SAME_RATIOS, **_QUARTER, "n_tokens": 50, **own}, parameter),
                _SEEDS[preset],
            ),
        )
        for preset, at in values.items()
    }
    return _exponent(f"T against {letter}, {_kind_of(attention)}", letter, parameter, sweeps)


def _against_length(*, attention: bool) -> Exponent:
    own: dict[str, Scalar] = {} if attention else {"train_attention": False}
    sweeps: dict[Preset, tuple[Sweep, ...]] = {
        preset: (
            Sweep(
                SHALLOW_VIT,
                grid(n_tokens=at, n_samples=(64,)),
                without(
                    {**PAPER, **SAME_RATIOS, **_AS_BY_LENGTH, "n_neurons": _WIDTHS[preset], **own},
                    "n_tokens",
                    "n_samples",
                ),
                _SEEDS[preset],
            ),
        )
        for preset, at in _LENGTHS.items()
    }
    return _exponent(f"T against L, {_kind_of(attention)}", "L", "n_tokens", sweeps)


_POLE = pi / PAPER["n_patterns"]
"""Where (11) diverges in sigma, at tau = eps = 0."""
_TOWARD_POLE = {QUICK: (0.05, 0.25, 0.45, 0.55, 0.6), FULL: (0.05, 0.25, 0.45, 0.55, 0.6, 0.62)}


GRANTED = "Theorem 1: zero error after T iterations, so a training that needs fewer is inside (11)"
"""Why (11) is an upper bound along letters in which nothing says that so many steps are also needed."""
PROPORTIONAL = (
    "(11) prints Theta, and (P1) 'the required number of iterations is proportional to 1/(Theta(1) - sigma - tau)'"
)
_TO_EVERY_POLE = tuple(round(0.05 * k, 2) for k in range(1, 13))
"""sigma to 0.6: wherever between eps = 1/2 and 0 the pole of (11) lies, five places and a factor of 4 lie before it."""


def _along_errors(direction: str, errors: Sequence[float] = (), **own: Scalar) -> dict[str, Any]:
    return {
        "symbol": sigma,
        "parameter": "value_error",
        "symbols": symbols,
        "note": f"{direction} errors, tau = 0; at eps = 1/4 the pole is at sigma = 3 pi / 20 = 0.471",
        "sweeps": {
            preset: against_value_error(preset, direction, errors or VALUE_ERRORS[preset][:6], **own)
            for preset in (QUICK, FULL)
        },
        **COUNTED_STEPS,
    }


def against_errors(
    name: str, direction: str, *, errors: Sequence[float] = (), whole: str = "", **own: Scalar
) -> Scaling:
    """T against sigma + tau toward where (11) diverges, as an upper bound; `whole` asks both halves of its trials."""
    common = {"side": "upper", "whole": whole, "because": GRANTED}
    return Scaling(name=f"{name}, {direction} errors", **common, **_along_errors(direction, errors, **own))


BOTH_SIDES = Scaling(
    name="output layer per token, random errors, both sides",
    role=Role.READING,
    because=PROPORTIONAL,
    **_along_errors("random", _TO_EVERY_POLE),
)
"""(11)'s Theta and (P1)'s sentence taken at their word."""
UPPER_HALF = against_errors("output layer per token", "random", errors=_TO_EVERY_POLE, whole=BOTH_SIDES.name)
"""What the theorem grants, of the same trials."""


def _against_pole(direction: str, *, attention: bool) -> Exponent:
    own: dict[str, Scalar] = {} if attention else {"train_attention": False}
    return Exponent(
        name=f"T against pi/M - sigma, {direction} errors, {_kind_of(attention)}",
        role=Role.OWN_QUESTION,
        because="(11) has exponent -1 in pi (1 - eps) / M - sigma - tau, with an eps that is not given",
        note=f"eps = 0 and tau = 0, so the pole is at sigma = pi/5 = {_POLE:.3f}",
        symbols=symbols,
        along=lambda at: _POLE - float(at["value_error"]),
        quantity=_counted,
        axis_words="pi/M - value error",
        sweeps={preset: against_value_error(preset, direction, at, **own) for preset, at in _TOWARD_POLE.items()},
    )


_PATTERNS = {QUICK: (3, 4, 5, 6, 7, 8, 9), FULL: (3, 4, 5, 6, 7, 8, 9)}
_BY_PATTERNS = {"value_error": 0.25, "label_relevant_fraction": 0.5, "confusion_fraction": 0.08, "n_samples": 256}


def _against_patterns(*, attention: bool) -> Exponent:
    own: dict[str, Scalar] = {} if attention else {"train_attention": False}
    fixed = {**SAME_RATIOS, **_BY_PATTERNS, "n_tokens": 50, **own}
    return Exponent(
        name=f"T against pi/sigma - M, {_kind_of(attention)}",
        role=Role.OWN_QUESTION,
        because="(11) has exponent -1 in pi (1 - eps) / (sigma+tau) - M, which a whole number M does not tend to",
        note="sigma = 1/4, eps = 0 and tau = 0: (11) grows by a factor of 2.7 from M = 3 to 9",
        symbols=symbols,
        along=lambda at: pi / _BY_PATTERNS["value_error"] - float(at["n_patterns"]),
        quantity=_counted,
        axis_words="pi/value error - M",
        sweeps={
            preset: (
                Sweep(
                    SHALLOW_VIT,
                    grid(n_patterns=at),
                    without({**SIZES[preset], **fixed}, "n_patterns"),
                    _SEEDS[preset],
                ),
            )
            for preset, at in _PATTERNS.items()
        },
    )


LAWS = (
    *(_against(letter, attention=True) for letter in _AXES),
    _against_length(attention=True),
    *(_against_pole(direction, attention=True) for direction in DIRECTIONS),
    _against_patterns(attention=True),
)
"""Parts of A.iterations: exponents where nothing is claimed."""
FROZEN_LAWS = (
    *(_against(letter, attention=False) for letter in _AXES),
    _against_length(attention=False),
    _against_pole("random", attention=False),
    _against_patterns(attention=False),
)
"""The same of A.iterations_frozen."""
LENGTH_LAW = _against_length(attention=True)

# ----------------------------------------------------------------------------------------------------------- readings

_NO_CONFUSION = {QUICK: (0.04, 0.06, 0.1, 0.16, 0.24), FULL: (0.04, 0.06, 0.08, 0.12, 0.16, 0.24)}

ITERATIONS_WITHOUT_CONFUSION = Scaling(
    name="output layer per token, alpha_# = 0",
    role=Role.READING,
    because="(8) leaves alpha_# open below its bound: alpha_# = 0 is inside, as alpha_*/4 is",
    symbol=alpha,
    parameter="label_relevant_fraction",
    symbols=symbols,
    **COUNTED_STEPS,
    sweeps={
        preset: (
            Sweep(
                SHALLOW_VIT,
                at_fractions([(fraction, 0.0) for fraction in fractions]),
                {**SIZES[preset], **SAME_RATIOS, **NEAR_ZERO, "n_samples": 256, "n_tokens": 100, "max_steps": 20_000},
                _SEEDS[preset],
            ),
        )
        for preset, fractions in _NO_CONFUSION.items()
    },
)

_ONE_PASS_FRACTIONS = {QUICK: (0.08, 0.12, 0.16, 0.24, 0.4), FULL: (0.04, 0.08, 0.12, 0.16, 0.24, 0.4)}
_ONE_PASS_SIZES = {QUICK: (128, 256, 512, 1024), FULL: (128, 256, 512, 1024, 2048)}
_ONE_PASS = {**NEAR_ZERO, "one_pass": True, "batch_size": 1}
_ONCE = "Algorithm 1 draws a mini-batch at each step: read as fresh samples, each used once, instead of epochs"


def _one_pass(preset: Preset) -> tuple[Sweep, ...]:
    """Success curves over N = T: one sample a step."""
    points = at_fractions(with_a_quarter(_ONE_PASS_FRACTIONS[preset]), _ONE_PASS_SIZES[preset])
    fixed: dict[str, Scalar] = {**SIZES[preset], **SAME_RATIOS, **_ONE_PASS, "n_tokens": 100}
    return (Sweep(SHALLOW_VIT, points, fixed, _SEEDS[preset]),)


def one_pass(note: str) -> Threshold:
    """A part of A.samples and of A.iterations on the same trials: with one sample a step N is T."""
    easiest: Sequence[Parameters] = at_fractions(((0.4, 0.1),), (128,))
    return Threshold(
        name="one pass over fresh samples",
        role=Role.READING,
        because=_ONCE,
        note=note,
        symbol=alpha,
        parameter="label_relevant_fraction",
        levels=OTHER_LEVELS,
        symbols=symbols,
        control=untrained(easiest[0], **{**SIZES[SMOKE], **SAME_RATIOS, **_ONE_PASS, "n_tokens": 100}),
        sweeps={preset: _one_pass(preset) for preset in (QUICK, FULL)},
    )
