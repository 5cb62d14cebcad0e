"""Figure 4: the learned A beside the partition, the test error over its floor, the cosine. [jelassi2022, Figure 4]

The paper prints no sizes. Two protocols are measured:

- the text's: noise orthogonal to the feature, the factor D of (T), d = D, once with the softmax of section 4.1 and once
  with the temperature sqrt(d) of (T). D, C and q are the circulated script's, the rest as in `realistic`;
- the circulated script's: d = D^2, noise with a part along the feature, no factor D, no sqrt(d), p = 5, nu = 0.03,
  diagonal log log d, 300 steps of 0.1. It draws signs at half the rate q = log(d)/D that it names.

What the figure shows is asked of the text's protocol: Top_C of every row is its set; the test error falls below what
uniform attention reaches; the cosine rises above three standard deviations of a random direction's. The statement has
the softmax of section 4.1, a reading the sqrt(d) of (T), which Theorem 4.2 names, in d times as many steps, as its
siblings have it, with 20 000 samples in place of 2 000. With 2 000 the rows are not ordered in as many steps, in d or
d^2 times as many, on all labels or on those that f* gets right: too few samples for this network. Training on
shuffled labels must fail each. The stricter criteria of before (an error half way to its floor, a cosine above 0.9;
fixed after single exploratory runs) and all other protocols are questions of ours, as the figure prints neither sizes
nor steps. The full preset adds ten times longer runs of the script.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.later import np
from checks.evidence.sampled import Behaviour
from checks.records.pictures import Lines, Matrix, Picture
from checks.records.preset import Preset
from checks.spatial_vit.paths import Remark, with_wrong_labels
from checks.spatial_vit.realistic import below_uniform, endings, spread
from checks.spatial_vit.setting import COMMON, ONE_STEP
from sim.spatial_vit.systems import SPATIAL_VIT
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Role
from theory.spatial_vit import figures

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

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
_DIVIDED = {**_TEXT, "temperature": _PATCHES**0.5}
_LONGER = {**_DIVIDED, "n_steps": _PATCHES * _TEXT["n_steps"]}
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
_REPLICATES = {SMOKE: 6, QUICK: 12, FULL: 12}
"""Below eleven, trials that never show a statement are too few to accuse a paper that states many."""
_RATE = 0.7
"""Of twelve runs none may fail: the lower limit is then 0.74, and half as many are told from it. It was 0.5 until all
twelve had been seen to succeed."""
_MIN_COSINE = 0.9


def _sweeps(
    protocol: Parameters, *, at: Preset = QUICK, runs: int = _REPLICATES[QUICK], **changes: Scalar
) -> dict[Preset, tuple[Sweep, ...]]:
    """A protocol as it stands from a preset on, with so many runs at quick, and with these changes at preset full."""
    points = {at: protocol, **({QUICK: protocol} if at is SMOKE else {}), FULL: {**protocol, **changes}}
    counts = {**_REPLICATES, QUICK: runs}
    return {preset: (Sweep(SPATIAL_VIT, (point,), _SHARED, counts[preset]),) for preset, point in points.items()}


_PROTOCOLS = {
    "text": _sweeps(_TEXT, at=SMOKE, patch_dimension=100, n_samples=50_000),
    "text, sqrt(d), 20 000 samples": _sweeps({**_LONGER, "n_samples": 20_000}, at=FULL),
    "text, sqrt(d)": _sweeps(_DIVIDED, at=FULL),
    "text, sqrt(d), d times longer": _sweeps(_LONGER, runs=6),
    "text, sqrt(d), d^2 times longer": _sweeps(_DIVIDED, at=FULL, n_steps=_PATCHES**2 * _TEXT["n_steps"]),
    "script": _sweeps(_SCRIPT, n_samples=50_000),
    "script, 3000 steps": _sweeps(_SCRIPT, at=FULL, n_steps=3000, n_samples=20_000),
}


def pictures(trial: Trial) -> tuple[Picture, ...]:
    """What Figure 4 draws, from one trial. The diagonal of A is held at its start and would set the scale."""
    curves, observed = trial.result.curves, trial.result.observables
    sets, steps = curves["sets"], curves["step"]
    errors = {"test error": curves["test_error"], "training error": curves["train_error"]}
    return (
        Matrix("i and j in one set", (sets[:, None] == sets[None, :]).astype(float)),
        Matrix("learned A off its diagonal", np.where(np.eye(len(sets)), np.nan, curves["final_logits"])),
        Lines("error", "step", steps, errors, level=("test error's floor", float(observed["error_floor"]))),
        Lines("cosine of v and w*", "step", steps, {"cosine": curves["cosine"]}, level=("0.9", _MIN_COSINE)),
    )


def _error_words(trials: Sequence[Trial]) -> str:
    """Test errors and what they are to be seen against."""
    named = {"test_error": "test error", "error_floor": "floor", "structure_level": "half way"}
    return ", ".join(filter(None, (spread(trials, name, words) for name, words in named.items())))


def _shown(name: str, least: float | None = None) -> Callable[[Trial], bool]:
    """Whether an observable is true, or above a number."""

    def shows(trial: Trial) -> bool:
        return trial.flag(name) if least is None else trial.number(name) > least

    return shows


def _cosine_rises(trial: Trial) -> bool:
    """The cosine ends above three standard deviations of a random direction's."""
    return trial.number("cosine") > 3 / math.sqrt(int(trial.spec.parameters["patch_dimension"]))


def _cosine_words(trials: Sequence[Trial]) -> str:
    return spread(trials, "cosine", "cosine")


_OWN = {
    "text": "Figure 4 prints no numbers for error and cosine: the bars are ours",
    "text, sqrt(d)": "(T) divides by sqrt(d), and Figure 4 prints neither steps nor samples: how many more it takes",
    "script": "a circulated script that is not the setting of Theorem 4.2",
}


def _behaviour(name: str, protocol: str, shows: Callable[[Trial], bool], remark: Remark, **options: Any) -> Behaviour:
    """One criterion of a protocol, with its control: the same run on shuffled labels."""
    runs = 1 if protocol.endswith("longer") else 2  # a second one costs more than it tells
    shuffled = {
        preset: (Sweep(SPATIAL_VIT, ({**sweep.points[0], "labels": "shuffled"},), _SHARED, runs),)
        for preset, (sweep,) in _PROTOCOLS[protocol].items()
        if preset is not FULL or len(_PROTOCOLS[protocol]) == 1
    }
    return Behaviour(
        name=f"{protocol}: {name}", shows=shows, remark=with_wrong_labels(remark), rate=_RATE,
        sweeps=_PROTOCOLS[protocol], control=Control("training labels shuffled", shuffled), **options,
    )  # fmt: skip


_WITH_ROOT = "text, sqrt(d), 20 000 samples"
_DIVIDES = (
    "Theorem 4.2, which Figure 4 illustrates, is about (T), which divides logits by sqrt(d); steps and samples are not "
    "printed: d times as many steps, as its siblings have here, and samples enough for every row"
)


_RISES_AT_ONCE = "the cosine of Figure 4 rises from the first step on, and one step with enough samples passes this bar"


def _parts() -> Iterator[Behaviour]:
    """What the figure shows, of both networks; and stricter behaviours of each protocol, on the same trials."""
    associated = _shown("associated")
    told: dict[str, dict[str, Any]] = {"text": {}, _WITH_ROOT: {"role": Role.READING, "because": _DIVIDES}}
    for name in _PROTOCOLS:
        because = next(words for start, words in reversed(_OWN.items()) if name.startswith(start))
        own = {"role": Role.OWN_QUESTION, "because": because}
        if name.startswith("text"):
            root = told.get(name, own)
            mask = {"pictures": pictures, "quantity": "learned A", **root}
            yield _behaviour("A is largest within sets", name, associated, endings, **mask)
            error = {"quantity": "test error", **root}
            yield _behaviour("test error falls below uniform attention's", name, below_uniform, _error_words, **error)
            cosine = {"quantity": "cosine of v and w*", "spared": {ONE_STEP: _RISES_AT_ONCE}, **root}
            yield _behaviour("cosine rises above 3/sqrt(d)", name, _cosine_rises, _cosine_words, **cosine)
        else:
            yield _behaviour("A is largest within sets", name, associated, endings, pictures=pictures, **own)
        yield _behaviour("test error near its floor", name, _shown("error_small"), _error_words, **own)
        yield _behaviour("cosine above 0.9", name, _shown("cosine", _MIN_COSINE), _cosine_words, **own)


B_FIG_4 = Check(figures.FIG_4, tuple(_parts()))
