"""Figure 4: the learned A beside the partition, the test error over its floor, the cosine. [jelassi2022, Figure 4]

The paper prints no sizes. Two protocols are measured:

- the text's: noise orthogonal to the feature, the factor D of (T), d = D, once with the softmax of section 4.1 and once
  with the temperature sqrt(d) of (T). D, C and q are the circulated script's, the rest as in `realistic`;
- the circulated script's: d = D^2, noise with a part along the feature, no factor D, no sqrt(d), p = 5, nu = 0.03,
  diagonal log log d, 300 steps of 0.1. It draws signs at half the rate q = log(d)/D that it names.

Criteria, stated before looking: Top_C of every row is its set; the test error ends at most half way from uniform
attention's to its floor; the cosine ends above 0.9. The full preset adds the script's protocol for ten times longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from checks.check import Check, Lines, Matrix, Picture, Preset
from checks.parts import Behaviour
from checks.spatial_vit.realistic import endings, spread
from checks.spatial_vit.setting import COMMON
from checks.systems import SPATIAL_VIT
from sim.sweep import Sweep
from sim.trial import Parameters, Trial
from theory.spatial_vit import figures

QUICK, FULL = Preset.QUICK, Preset.FULL

_PATCHES = 10
_SHARED = {
    "n_patches": _PATCHES,
    "set_size": 2,
    "spurious_rate": round(math.log(100) / 20, 4),
    "risk": "empirical",
    "initialization": "gaussian",
    "init_scale": 1e-3,
    "learning_rate": 0.1,
    "n_test": 20_000,
    "n_records": 30,
    "precision": "single",
}
_TEXT = {**COMMON, "patch_dimension": _PATCHES, "linear_coefficient": _PATCHES**-2, "n_samples": 2000, "n_steps": 1600}
_SCRIPT = {
    "patch_dimension": 100,
    "activation_power": 5,
    "linear_coefficient": 0.03,
    "diagonal_logit": round(math.log(math.log(100)), 4),
    "projected_noise": False,
    "patch_factor": False,
    "n_steps": 300,
    "n_samples": 3000,
}
_LARGE = {"n_samples": 50_000}
_REPLICATES = 6
_RATE = 0.5
_LEAST_COSINE = 0.9


def _sweeps(protocol: Parameters, full: Parameters, *, quick: bool = True) -> dict[Preset, tuple[Sweep, ...]]:
    """A protocol as it stands, and at the full preset with these changes."""
    points = {QUICK: protocol, FULL: {**protocol, **full}}
    return {
        preset: (Sweep(SPATIAL_VIT, (point,), _SHARED, _REPLICATES),)
        for preset, point in points.items()
        if quick or preset is FULL
    }


_PROTOCOLS = {
    "text": _sweeps(_TEXT, {"patch_dimension": 100, **_LARGE}),
    "text, sqrt(d)": _sweeps({**_TEXT, "temperature": _PATCHES**0.5}, {"n_steps": 16_000}),
    "script": _sweeps(_SCRIPT, _LARGE),
    "script, 3000 steps": _sweeps(_SCRIPT, {"n_steps": 3000, "n_samples": 20_000}, quick=False),
}


def pictures(trial: Trial) -> tuple[Picture, ...]:
    """What Figure 4 draws, from one trial."""
    curves, observed = trial.result.curves, trial.result.observables
    sets, steps = curves["sets"], curves["step"]
    errors = {"test error": curves["test_error"], "training error": curves["train_error"]}
    return (
        Matrix("i and j in one set", (sets[:, None] == sets[None, :]).astype(float)),
        Matrix("learned A", curves["final_logits"]),
        Lines("error", "step", steps, errors, level=("P[f* = 0]", float(observed["error_floor"]))),
        Lines("cosine of v and w*", "step", steps, {"cosine": curves["cosine"]}, level=("0.9", _LEAST_COSINE)),
    )


def _error_words(trials: Sequence[Trial]) -> str:
    """Test errors and what they are to be seen against."""
    if not trials:
        return ""
    seen = trials[0].result.observables
    return (
        f"{spread(trials, 'test_error', 'test error')}, floor {float(seen['error_floor']):.3g}, "
        f"half way {float(seen['structure_level']):.3g}"
    )


def _shown(name: str, least: float | None = None) -> Callable[[Trial], bool]:
    """Whether an observable is true, or above a number."""

    def shows(trial: Trial) -> bool:
        value = trial.result.observables[name]
        return bool(value) if least is None else float(value) > least

    return shows


def _parts() -> Iterator[Behaviour]:
    """Three behaviours a protocol, on the same trials."""
    for name, sweeps in _PROTOCOLS.items():
        common = {"rate": _RATE, "sweeps": sweeps}
        yield Behaviour(
            name=f"{name}: A is largest within sets", shows=_shown("associated"), remark=endings, pictures=pictures,
            **common,
        )  # fmt: skip
        yield Behaviour(
            name=f"{name}: test error near its floor", shows=_shown("error_small"), remark=_error_words, **common
        )
        yield Behaviour(
            name=f"{name}: cosine above 0.9", shows=_shown("cosine", _LEAST_COSINE),
            remark=lambda trials: spread(trials, "cosine", "cosine"), **common,
        )  # fmt: skip


B_FIG_4 = Check(figures.FIG_4, tuple(_parts()))
