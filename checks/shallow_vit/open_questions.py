"""What the paper leaves open: tokens left by sparsification, stacked layers, a background that goes with the label.

Nothing here is claimed, so nothing is judged; figures and pictures alone. The protocol is that of `SAME_RATIOS`: an
output layer per token, the same ratios in all samples, no token noise, training to zero hinge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.open_parts import Course, Exponent
from checks.records.pictures import Lines, Picture
from checks.records.preset import Preset
from checks.shallow_vit.setting import PAPER, SAME_RATIOS
from sim.shallow_vit.systems import SHALLOW_VIT, SHALLOW_VIT_NETWORK, SHALLOW_VIT_TOKENS
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Trial
from theory.shallow_vit.notation import S
from theory.shallow_vit.open_questions import OPEN_DEPTH, OPEN_LENGTH, OPEN_SPURIOUS

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

_WIDTH = {SMOKE: 40, QUICK: 100, FULL: 1000}
_COMMON = {**PAPER, **SAME_RATIOS, "max_steps": 6_000}
_OF_ANY_LENGTH = {name: value for name, value in _COMMON.items() if name != "n_tokens"}

# ------------------------------------------------------------------------------------- how many tokens are left

_LENGTHS = {SMOKE: (10, 40, 160), QUICK: (10, 20, 40, 80, 160, 320), FULL: (10, 20, 40, 80, 160, 320, 640)}
_LENGTH_SIZES = {SMOKE: (4, 16, 64), QUICK: (8, 16, 32, 64), FULL: (4, 8, 16, 32, 64, 128)}
_LENGTH_REPLICATES = {SMOKE: 2, QUICK: 6, FULL: 12}
_AT_FIXED_FRACTIONS = {"label_relevant_fraction": 0.3, "confusion_fraction": 0.1}


def _lengths(sizes: Callable[[Preset], Sequence[int]], batch_size: int) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: (
            Sweep(
                SHALLOW_VIT,
                grid(n_tokens=_LENGTHS[preset], n_samples=sizes(preset)),
                {**_OF_ANY_LENGTH, **_AT_FIXED_FRACTIONS, "n_neurons": width, "batch_size": batch_size},
                _LENGTH_REPLICATES[preset],
            ),
        )
        for preset, width in _WIDTH.items()
    }


def _steps(trial: Trial) -> float | None:
    return trial.number("iterations") if trial.flag("train_hinge_zero") else None


def _success_by_length(trials: Sequence[Trial]) -> str:
    """Share of successful trials by number of samples, for each number of tokens."""
    shares: dict[int, dict[int, list[bool]]] = {}
    for trial in trials:
        at = trial.spec.parameters
        by_size = shares.setdefault(int(at["n_tokens"]), {})
        by_size.setdefault(int(at["n_samples"]), []).append(trial.flag("success"))
    said = [
        f"{length} tokens: " + ", ".join(f"{sum(shown)}/{len(shown)}" for _, shown in sorted(by_size.items()))
        for length, by_size in sorted(shares.items())
    ]
    sizes = ", ".join(str(size) for size in sorted(next(iter(shares.values()))))
    return f"trials with test hinge below 1e-3 at N = {sizes}: {'; '.join(said)}"


A_OPEN_LENGTH = Check(
    OPEN_LENGTH,
    (
        Exponent(
            name="T against the number of tokens",
            note="N = 64, alpha_* = 0.3, alpha_# = 0.1",
            symbol=S,
            along=lambda at: float(at["n_tokens"]),
            quantity=_steps,
            axis_words="tokens",
            sweeps=_lengths(lambda _: (64,), 16),
        ),
        Course(
            name="N against the number of tokens",
            note="alpha_* = 0.3, alpha_# = 0.1, B = 4",
            words=_success_by_length,
            sweeps=_lengths(lambda preset: _LENGTH_SIZES[preset], 4),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------- stacked layers

_DEPTH = {
    SMOKE: ({"n_neurons": 40, "n_tokens": 20, "n_samples": 64}, 2),
    QUICK: ({"n_neurons": 100, "n_tokens": 40, "n_samples": 128}, 6),
    FULL: ({"n_neurons": 1000, "n_tokens": 100, "n_samples": 200}, 6),
}


def _mass_by_layer(trials: Sequence[Trial]) -> str:
    """Mean mass on label-relevant tokens at start and end, layer by layer."""
    n_layers = int(trials[0].spec.parameters["n_layers"])
    said = []
    for layer in range(1, n_layers + 1):
        start, end = (
            np.array([trial.number(f"mass_layer_{layer}_{when}") for trial in trials]) for when in ("start", "end")
        )
        rises = int((end > start).sum())
        said.append(f"layer {layer} {start.mean():.3f} to {end.mean():.3f} (rises in {rises} of {len(trials)})")
    fitted = sum(trial.flag("train_hinge_zero") for trial in trials)
    steps = np.median([trial.number("iterations") for trial in trials])
    return (
        f"mass on label-relevant tokens: {', '.join(said)}; zero training hinge in {fitted}, median steps {steps:.0f}"
    )


def _mass_picture(trial: Trial) -> tuple[Picture, ...]:
    curves = trial.result.curves
    kept = curves["step"] > 0
    lines = {
        f"layer {index}": curves[f"mass_layer_{index}"][kept]
        for index in range(1, int(trial.spec.parameters["n_layers"]) + 1)
    }
    return (Lines("attention mass on label-relevant tokens", "SGD steps", curves["step"][kept], lines),)


def _depth(n_layers: int, *, skip: bool) -> Course:
    fixed = {
        **_COMMON,
        "n_layers": n_layers,
        "skip": skip,
        "label_relevant_fraction": 0.5,
        "confusion_fraction": 0.05,
    }
    return Course(
        name=f"{n_layers} layers, {'with' if skip else 'without'} skip connections",
        words=_mass_by_layer,
        pictures=_mass_picture,
        sweeps={
            preset: (Sweep(SHALLOW_VIT_NETWORK, ({},), {**fixed, **size}, replicates),)
            for preset, (size, replicates) in _DEPTH.items()
        },
    )


A_OPEN_DEPTH = Check(OPEN_DEPTH, tuple(_depth(layers, skip=skip) for layers in (2, 3) for skip in (False, True)))

# ----------------------------------------------------------------------------------------- a spurious background

_CORRELATIONS = {SMOKE: (0.0, 0.8, 1.0), QUICK: (0.0, 0.5, 0.8, 0.95, 1.0), FULL: (0.0, 0.5, 0.8, 0.9, 0.95, 1.0)}
_SPURIOUS_REPLICATES = {SMOKE: 2, QUICK: 8, FULL: 20}


def _hinge_by_correlation(trials: Sequence[Trial]) -> str:
    """Median test hinge and error by correlation, on all tokens and without the background."""
    found: dict[float, list[Trial]] = {}
    for trial in trials:
        found.setdefault(float(trial.spec.parameters["spurious_correlation"]), []).append(trial)

    def median(group: Sequence[Trial], name: str) -> float:
        return float(np.median([trial.number(name) for trial in group]))

    said = [
        f"rho = {rho:g}: {median(group, 'test_hinge'):.2g} (error {median(group, 'test_error'):.2g}), without "
        f"background {median(group, 'kept_test_hinge'):.2g} (error {median(group, 'kept_test_error'):.2g})"
        for rho, group in sorted(found.items())
    ]
    return f"median test hinge {'; '.join(said)}"


def _spurious(name: str, relevant: float, confusion: float, kept: int) -> Course:
    fixed = {
        **_COMMON,
        "label_relevant_fraction": relevant,
        "confusion_fraction": confusion,
        "has_background": True,
        "kept_tokens": kept,
        "n_samples": 64,
    }
    return Course(
        name=name,
        note="all non-discriminative tokens of a sample are pattern 3 or pattern 4, at random in the test data; N = 64",
        words=_hinge_by_correlation,
        parameter="spurious_correlation",
        compares={"test_hinge": "test hinge, all tokens", "kept_test_hinge": "test hinge, without the background"},
        sweeps={
            preset: (
                Sweep(
                    SHALLOW_VIT_TOKENS,
                    grid(spurious_correlation=_CORRELATIONS[preset]),
                    {**fixed, "n_neurons": width},
                    _SPURIOUS_REPLICATES[preset],
                ),
            )
            for preset, width in _WIDTH.items()
        },
    )


A_OPEN_SPURIOUS = Check(
    OPEN_SPURIOUS,
    (
        _spurious("background of correlation rho, alpha_* = 0.3", 0.3, 0.1, 40),
        _spurious("background of correlation rho, alpha_* = 0.1", 0.1, 0.02, 12),
    ),
)
