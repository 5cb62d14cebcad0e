"""Protocols of the rows about the proof during training, shared so that one set of runs serves all of them.

The statement's protocol is that of eq. (1) and section 4.1: an output layer per token, the same ratio of patterns in
all samples, initial matrices of norm at most 1, no token noise, fractions that meet (8). "When t is large enough before
the end of training" is read as the last three quarters of the steps up to zero training hinge, quarter by quarter.

Every hypothesis with a hidden constant (width, batch, tokens, sigma = O(1/M)) is met from some size on along the path
`SMALLER_STEPS`, whatever the constant: what fails there as the path goes on fails inside the hypotheses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from checks.evidence.later import np
from checks.evidence.part import Control
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.shallow_vit.setting import PAPER, WITHIN_NORMS, without
from sim.shallow_vit.systems import PROOF_COURSE, PROOF_COURSE_SHUFFLED
from sim.trials.sweep import Sweep
from sim.trials.trial import System, Trial
from theory.claim import Role
from theory.shallow_vit.hypotheses import SMALLER_STEPS

if TYPE_CHECKING:
    import numpy as np

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

LEAST, MOST = 0.1, 10.0
"""Range of a constant that >~ or <~ hides."""
RATE = 0.9
"""Share of the runs that must show what the text says of a training "with high probability"."""

_STATEMENT = {
    **PAPER,
    **WITHIN_NORMS,
    "n_tokens": 50,
    "counts": "exact",
    "token_noise": 0.0,
    "output_layer": "per token",
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 128,
    "learning_rate": 0.5,
    "max_steps": 40_000,
    "n_planted": 10,
}
_SIZES: dict[Preset, dict[str, int]] = {
    SMOKE: {"n_neurons": 60},
    QUICK: {"n_neurons": 500},
    FULL: {"n_neurons": 1000, "n_tokens": 100},
}
"""From the quick preset on as wide as Theorem 1 asks with eps = 1/2 and a constant of 1, M = 5 and N = 128: 485."""
_RUNS = {SMOKE: 6, QUICK: 32, FULL: 50}


def course(preset: Preset, **own: Any) -> dict[str, Any]:
    """Parameters of the statement's runs at a preset, with a sweep's own."""
    return {**_STATEMENT, **_SIZES[preset], **own}


def sweep(points: Iterable[Mapping[str, Any]], fixed: Mapping[str, Any], replicates: int) -> Sweep:
    """Runs at several points; what the points set is taken out of what is fixed."""
    points = tuple(points)
    return Sweep(
        PROOF_COURSE,
        points,
        without(fixed, *(name for point in points for name in point)),
        replicates,
    )


def runs(counts: Mapping[Preset, int] = _RUNS, **own: Any) -> Mapping[Preset, tuple[Sweep, ...]]:
    """The statement's runs, at one point."""
    return {preset: (sweep([{}], course(preset, **own), count),) for preset, count in counts.items()}


def untrained(**own: Any) -> Control:
    """The same network after one step."""
    return Control("the network after one step", {SMOKE: (sweep([{}], course(SMOKE, **own, max_steps=1), 5),)})


STATEMENT_RUNS, UNTRAINED = runs(), untrained()
_ADVERSARY_RUNS = 5


def adversary(words: str, system: System = PROOF_COURSE, **own: Any) -> Control:
    """The statement's runs in another system, or with something else, as long."""
    return Control(
        words,
        {preset: (Sweep(system, ({},), course(preset, **own), _ADVERSARY_RUNS),) for preset in (SMOKE, QUICK, FULL)},
    )


MEMORISING = adversary("random labels", PROOF_COURSE_SHUFFLED)
FROZEN = adversary("frozen attention", train_attention=False)


def random_labels(**own: Any) -> Control:
    """The same network trained on labels drawn at random: for what says that the untrained network has it already."""
    sweeps = {SMOKE: (Sweep(PROOF_COURSE_SHUFFLED, ({},), course(SMOKE, **own), 5),)}
    return Control("random labels", sweeps)


ALGORITHM_1 = {"neuron_scale": 5**-0.5}
"""xi = 1/sqrt(M) of appendix C, where Lemmas 2 to 4 stand, at M = 5; section 4.1's figures have 0.01."""
_TOKENS = {SMOKE: (16, 24), QUICK: (16, 24, 32), FULL: (16, 24, 32, 40)}
_RUNS_ON_PATH = {SMOKE: (6, 6), QUICK: (12, 30), FULL: (20, 30)}
"""At its beginning, and at its end, which decides."""


def on_path(size: int) -> dict[str, Any]:
    """The parameters at |S| = `size` on the path `SMALLER_STEPS`."""
    return {
        "n_tokens": size,
        "n_neurons": 4 * size,
        "n_samples": 4 * size,
        "batch_size": size // 2,
        "learning_rate": (16 / size) ** 6 / 2,
        "value_error": 1.6 / size,
    }


def _path_sweep(sizes: Iterable[int], replicates: int, **own: Any) -> Sweep:
    own = {"label_relevant_fraction": 0.5, "confusion_fraction": 0.125, "n_planted": 5, "max_steps": 10**6, **own}
    return sweep(map(on_path, sizes), course(SMOKE, **{**ALGORITHM_1, **own}), replicates)


def path_runs(**own: Any) -> Mapping[Preset, tuple[Sweep, ...]]:
    """The statement's runs along the path."""
    found = {}
    for preset, (first, last) in _RUNS_ON_PATH.items():
        sizes = _TOKENS[preset]
        found[preset] = _path_sweep(sizes[:-1], first, **own), _path_sweep(sizes[-1:], last, **own)
    return found


def path_untrained(**own: Any) -> Control:
    """The network after one step, as far along the path as the quick preset goes."""
    return Control("the network after one step", {SMOKE: (_path_sweep(_TOKENS[QUICK][-1:], 5, **own, max_steps=1),)})


PATH_RUNS, PATH_UNTRAINED = path_runs(), path_untrained()
ATTENTION_FROZEN = Control("W_K and W_Q not trained", {SMOKE: (_path_sweep((16,), 5, train_attention=False),)})
"""For what says that attention does not rise: one step meets that as well."""


def trained(shows: Callable[[Trial], bool]) -> Callable[[Trial], bool]:
    """A behaviour of a training that reached zero training hinge; one that did not shows nothing.

    The control is asked for the behaviour alone: that one step does not reach zero hinge would say nothing of it.
    """
    return lambda trial: (trial.flag("train_hinge_zero") or is_control(trial)) and shows(trial)


def is_control(trial: Trial) -> bool:
    """Whether a trial is the network after one step."""
    return trial.spec.parameters["max_steps"] == 1


def behaviour(name: str, shows: Callable[[Trial], bool], **options: Any) -> Behaviour:
    """A behaviour of the statement's runs, which the network after one step must not show."""
    given: dict[str, Any] = {"rate": RATE, "sweeps": STATEMENT_RUNS, "control": UNTRAINED, **options}
    return Behaviour(name=name, shows=trained(shows), **given)


FREE_OF_SIZE: dict[str, Any] = {
    "role": Role.READING,
    "because": "Theorem 1 names no upper end of |S|: its constants are read as free of it",
}
"""What a line along a path with growing |S| is: the proof has |S| = Theta(1), and (9) asks for Omega(1) alone."""
BEYOND_CLAIM_2: dict[str, Any] = {
    "role": Role.OWN_QUESTION,
    "because": (
        "claim 2's own proof has |S| = Theta(1), below (160), and the path's widths, 4 |S|, are below a third of "
        "what a constant of 1 asks, eps^-2 M^2 log N"
    ),
}
"""The same where the proof of the very claim fixes |S|: a question of ours."""


def behaviour_on_path(name: str, shows: Callable[[Trial], bool], **options: Any) -> Behaviour:
    """The same along the path, toward its end, where constants that do not depend on |S| are met."""
    along: dict[str, Any] = {
        "parameter": "n_tokens",
        "path": SMALLER_STEPS,
        "sweeps": PATH_RUNS,
        "control": PATH_UNTRAINED,
        **FREE_OF_SIZE,
    }
    return behaviour(name, shows, **{**along, **options})


def quarters(trial: Trial) -> Iterator[tuple[float, float]]:
    """First and last step of the second, third and fourth quarter of training."""
    last = trial.number("iterations")
    for quarter in (1, 2, 3):
        yield last * quarter / 4, last * (quarter + 1) / 4


def at(trial: Trial, curve: str, step: float) -> float:
    """A recorded quantity at a step, between two looks on the line through them."""
    curves = trial.result.curves
    return float(np.interp(step, curves["step"], curves[curve]))


def growth(trial: Trial, curve: str, first: float, last: float) -> float:
    """Growth of the logarithm between two steps, the sum of log(1 + K); minus infinity where a length is lost."""
    before, after = at(trial, curve, first), at(trial, curve, last)
    return math.log(after / before) if min(before, after) > 0 else -math.inf


def in_training(trial: Trial, curve: str) -> np.ndarray:
    """A recorded quantity at every look up to the last step that moved a weight."""
    curves = trial.result.curves
    return curves[curve][curves["step"] <= trial.number("iterations")]


def value_error(trial: Trial) -> float:
    """sigma + tau of a trial without token noise."""
    return float(trial.spec.parameters["value_error"])


def query_error(trial: Trial) -> float:
    """delta + tau of a trial without token noise."""
    return float(trial.spec.parameters["key_query_error"])
