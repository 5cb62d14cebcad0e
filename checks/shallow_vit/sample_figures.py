"""Figure 1: how many samples half of the trainings need, over alpha_* in (a) and over sigma in (b). [li2023, §4.1]

Printed are d, M, m, the errors, the token noise, the number of tokens, the fractions, 20 trials a cell and success as a
test hinge below 1e-3; not printed are the grids, the batch, the step and the budget. A batch holds at most four samples
here, since N begins at two and a step costs what its batch costs.

(a) With half of the tokens non-discriminative alpha_# = 1/2 - alpha_*, so that alpha_* lies between 1/4 and 1/2 and the
gap alpha_* - alpha_# moves with it. The paper's own tokens carry noise; without noise the same picture costs a third,
and is a reading. (8) fails below alpha_* = 0.366, which the picture must show: `meets_condition_8`.

(b) alpha_* = 0.3 and alpha_# = 0.2 are outside (8) whatever sigma is. Initial matrices have norm at most 1, as for
every statement, so W_V shrinks a little as sigma grows. Features of length 1 plus an error, where sigma moves the error
alone and may exceed 1, are a reading and a question of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.law_search import BESIDE
from checks.evidence.open_parts import Course
from checks.evidence.regime import met_at
from checks.evidence.rising import Rising
from checks.evidence.sampled import Threshold
from checks.records.preset import Preset
from checks.shallow_vit.confounding import confounded
from checks.shallow_vit.levels import OTHER_LEVELS
from checks.shallow_vit.searches import SAMPLES_LAW
from checks.shallow_vit.setting import (
    SAME_RATIOS,
    SIZES,
    symbols,
    untrained,
    without,
)
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Met, Role
from theory.shallow_vit.figures import FIG_1A, FIG_1B
from theory.shallow_vit.hypotheses import CONDITION_8
from theory.shallow_vit.notation import alpha, sigma

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

NOISY = {"token_noise": 0.01, "precision": "float32"}
"""Section 4.1's tokens, c_0 = 0.01, in single precision."""

BATCH = 4
TRIALS_A_CELL = 20
"""Printed."""


def meets_condition_8(parameters: Parameters) -> bool:
    """Whether (8) holds for some eps_S < 1/2 at a cell of a figure."""
    return met_at(CONDITION_8, symbols(parameters)) is Met.MET


def _cell(size: int, **place: Scalar) -> Parameters:
    """A cell of a success map: its batch is no larger than its samples."""
    return {**place, "n_samples": size, "batch_size": min(BATCH, size)}


# ------------------------------------------------------------------------------------------------------ Figure 1(a)

_SMALL = (2, 4, 8, 16, 32, 64, 128)

CELLS: dict[Preset, dict[float, tuple[int, ...]]] = {
    SMOKE: dict.fromkeys((0.3, 0.34, 0.38, 0.42, 0.46), (4, 16, 64)),
    QUICK: dict.fromkeys((0.29, 0.32, 0.36, 0.42, 0.48), (4, 8, 16, 32, 64)),
    FULL: {
        0.26: (2, 8, 32, 128, 1024, 2048, 4096),
        0.27: (2, 8, 32, 128, 512),
        0.28: (*_SMALL, 256),
        **dict.fromkeys((0.29, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.43, 0.46, 0.49), _SMALL),
    },
}
"""Numbers of samples by alpha_*, a whole number of tokens each. At full each goes on to one at which nearly all of the
trainings succeed and not far beyond, where steps are dear and tell nothing of where half of them do."""
NOISELESS_CELLS: dict[Preset, dict[float, tuple[int, ...]]] = {
    **CELLS,
    QUICK: {0.27: (8, 32, 128), **dict.fromkeys((0.29, 0.32, 0.36, 0.42, 0.48), (4, 8, 16, 32, 64, 128))},
}
_SIZES_1A = {SMOKE: {"n_tokens": 50, "max_steps": 10_000}, QUICK: {"max_steps": 10_000}, FULL: {"max_steps": 40_000}}
_A_CELL = {SMOKE: 2, QUICK: 5, FULL: TRIALS_A_CELL}


def _figure_1a(preset: Preset, cells: dict[float, tuple[int, ...]], **options: Scalar) -> tuple[Sweep, ...]:
    points = tuple(
        _cell(size, label_relevant_fraction=share, confusion_fraction=round(0.5 - share, 2))
        for share, sizes in cells.items()
        for size in sizes
    )
    fixed = {**SIZES[preset], **SAME_RATIOS, **_SIZES_1A[preset], **options}
    return (Sweep(SHALLOW_VIT, points, without(fixed, "batch_size"), _A_CELL[preset]),)


def _said_of_1a(trials: Sequence[Trial]) -> str:
    """Which of the picture's cells lie outside (8), and which runs ended without having fitted their samples."""
    places = {float(trial.spec.parameters["label_relevant_fraction"]): trial.spec.parameters for trial in trials}
    outside = [f"{share:g}" for share in sorted(places) if not meets_condition_8(places[share])]
    unfitted = sum(not trial.flag("train_hinge_zero") for trial in trials)
    words = f"outside (8): {', '.join(outside) or 'none'}; {unfitted} of {len(trials)} runs spent their budget of steps"
    return f"{words}; {confounded(trials)}"


_EASIEST_1A = _cell(64, label_relevant_fraction=0.46, confusion_fraction=0.04)


def _untrained(place: Parameters, **options: Scalar) -> Control:
    return untrained(place, **without({**SIZES[SMOKE], **SAME_RATIOS, **options}, "batch_size"))


_NOISELESS_1A: dict[str, Any] = {
    "symbol": alpha,
    "parameter": "label_relevant_fraction",
    "symbols": symbols,
    "hatched": (CONDITION_8,),
    "control": _untrained(_EASIEST_1A, n_tokens=50),
    "sweeps": {preset: _figure_1a(preset, cells) for preset, cells in NOISELESS_CELLS.items()},
}
"""The figure without noise, of which two parts ask."""

A_FIG_1A = Check(
    FIG_1A,
    (
        Threshold(
            name="tokens with noise",
            note="batches of at most 4 samples, alpha_* from 0.29 on, at full from 0.26 on: neither is printed",
            symbol=alpha,
            parameter="label_relevant_fraction",
            symbols=symbols,
            levels=OTHER_LEVELS,
            hatched=(CONDITION_8,),
            remark=_said_of_1a,
            control=_untrained(_EASIEST_1A, n_tokens=50, **NOISY),
            sweeps={preset: _figure_1a(preset, cells, **NOISY) for preset, cells in CELLS.items()},
        ),
        Threshold(
            name="tokens without noise",
            role=Role.READING,
            because="section 3.2 allows tau = 0; section 4.1 has c_0 = 0.01, small beside the length of a token",
            levels=OTHER_LEVELS,
            remark=_said_of_1a,
            **_NOISELESS_1A,
        ),
        Rising(
            name="fewer samples where alpha_* is larger",
            role=Role.OWN_QUESTION,
            because="no power can be told on an axis that short, but the direction of the picture can",
            note="asked after the figure was measured; alpha_# falls by as much as alpha_* rises",
            falls=True,
            **_NOISELESS_1A,
        ),
        replace(
            SAMPLES_LAW,
            exempt=tuple(hypothesis.name for hypothesis in FIG_1A.regime),
            because=f"{BESIDE}; alpha_# is free of alpha_*, so that the gap is told from the fraction",
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------ Figure 1(b)

_ERRORS = {
    SMOKE: (0.0, 0.4, 0.8),
    QUICK: (0.0, 0.2, 0.4, 0.6, 0.8),
    FULL: (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9),
}
_LARGE_ERRORS = {SMOKE: (1.0, 4.0, 10.0), QUICK: (1.0, 2.0, 4.0, 10.0, 20.0), FULL: (1.0, 2.0, 4.0, 7.0, 10.0, 20.0)}
_SIZES_1B = {SMOKE: (8, 32, 128), QUICK: (8, 16, 32, 64), FULL: (4, 8, 16, 32, 64, 128)}
_WIDER = {SMOKE: _SIZES_1B[SMOKE], QUICK: (8, 16, 32, 64, 128), FULL: (*_SIZES_1B[FULL], 256)}
_A_CELL_1B = {SMOKE: 3, QUICK: 5, FULL: TRIALS_A_CELL}
_FRACTIONS_1B = {"label_relevant_fraction": 0.3, "confusion_fraction": 0.2}
_ERROR_ALONE = {"initialization": "orthonormal"}


def _figure_1b(preset: Preset, errors: Sequence[float], sizes: Sequence[int], **options: Scalar) -> tuple[Sweep, ...]:
    points = tuple(_cell(size, value_error=error) for error in errors for size in sizes)
    fixed = {**SIZES[preset], **SAME_RATIOS, **_FRACTIONS_1B, "n_tokens": 50, **options}
    return (Sweep(SHALLOW_VIT, points, without(fixed, "batch_size", "value_error"), _A_CELL_1B[preset]),)


def _rising(name: str, sweeps: dict[Preset, tuple[Sweep, ...]], *, easiest: Control, **options: Any) -> Rising:
    return Rising(
        name=name,
        symbol=sigma,
        parameter="value_error",
        symbols=symbols,
        levels=OTHER_LEVELS,
        hatched=(CONDITION_8,),
        control=easiest,
        sweeps=sweeps,
        **options,
    )


_LITERAL_ERRORS = {SMOKE: (0.05, 0.2), QUICK: (0.03, 0.1, 0.2), FULL: (0.03, 0.05, 0.1, 0.2)}
_LITERAL_SIZES = {SMOKE: (32,), QUICK: (32,), FULL: (32, 128)}
_LITERAL = {"initialization": "literal", "learning_rate": 1e-3, "max_steps": 2000}
"""W_V is 9 to 400 U, so the step is a small part of the others'; at 1e-4 nothing else changes."""


def _literal_words(trials: Sequence[Trial]) -> str:
    """In how many cells a training succeeds, and the mean test hinge by sigma and samples."""
    hinges: dict[tuple[float, int], list[float]] = {}
    for trial in trials:
        at = trial.spec.parameters
        place = float(at["value_error"]), int(at["n_samples"])
        hinges.setdefault(place, []).append(trial.number("test_hinge"))
    shown = ", ".join(
        f"{sum(found) / len(found):.2f} at sigma = {error:g}, N = {size}"
        for (error, size), found in sorted(hinges.items())
    )
    succeeded = sum(trial.flag("success") for trial in trials)
    return f"{succeeded} of {len(trials)} trainings succeed; mean test hinge {shown}"


def _untrained_1b(**options: Scalar) -> Control:
    return _untrained(_cell(128, **_FRACTIONS_1B), n_tokens=50, **options)


A_FIG_1B = Check(
    FIG_1B,
    (
        replace(
            SAMPLES_LAW,
            exempt=tuple(hypothesis.name for hypothesis in FIG_1B.regime),
            because=f"{BESIDE}: sigma moves there with all else",
        ),
        _rising(
            "matrices of norm at most 1, tokens with noise",
            {
                preset: _figure_1b(preset, _ERRORS[preset], _SIZES_1B[preset], **NOISY)
                for preset in (SMOKE, QUICK, FULL)
            },
            easiest=_untrained_1b(**NOISY),
        ),
        _rising(
            "errors about features of length 1",
            {
                preset: _figure_1b(preset, _ERRORS[preset], _SIZES_1B[preset], **_ERROR_ALONE)
                for preset in (SMOKE, QUICK, FULL)
            },
            role=Role.READING,
            because="section 4.1: errors added to orthonormal features take norms above 1; sigma moves nothing else",
            easiest=_untrained_1b(**_ERROR_ALONE),
        ),
        _rising(
            "errors longer than the features",
            {
                preset: _figure_1b(preset, _LARGE_ERRORS[preset], _WIDER[preset], **_ERROR_ALONE)
                for preset in (SMOKE, QUICK, FULL)
            },
            role=Role.OWN_QUESTION,
            because="where the number of samples does depend on sigma; Assumption 1 has sigma = O(1/M)",
            note="after pilot runs, in which sigma below 1 moved no threshold",
            easiest=_untrained_1b(**_ERROR_ALONE),
        ),
        Course(
            name="section 4.1's matrices, literally",
            role=Role.OWN_QUESTION,
            because="section 4.1 prints (delta/c_0)^2 I and (sigma/c_0)^2 U; its step and its budget are not printed",
            words=_literal_words,
            sweeps={
                preset: _figure_1b(preset, _LITERAL_ERRORS[preset], _LITERAL_SIZES[preset], **{**NOISY, **_LITERAL})
                for preset in (SMOKE, QUICK, FULL)
            },
        ),
    ),
)
