"""Several heads: zero error with the samples that are enough for one head, and how much T varies over seeds.

How heads are joined is lost with the formula of appendix G.3, so they are summed, and concatenated. "More stable" is
not defined; it is read as a lower variance over seeds of the number of iterations, and of its logarithm: the first
falls wherever iterations become fewer. Each trial of that kind trains with one head and with four, several times, and
compares the two variances. [li2023, appendix G.3]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.part import Control
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.shallow_vit.extensions import after_one_step, masses_in_words, network_sweeps
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import SHALLOW_VIT_HEADS, SHALLOW_VIT_NETWORK
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Trial
from theory.claim import Role
from theory.shallow_vit.extensions import MULTIHEAD

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

_HEADS_SIZES = {
    SMOKE: ({"n_neurons": 40, "n_seeds": 3}, 6),
    QUICK: ({"n_neurons": 40, "n_seeds": 4}, 16),
    FULL: ({"n_neurons": 1000, "n_seeds": 6}, 20),
}
_HEADS = {
    "n_heads": 4,
    "n_tokens": 20,
    "n_samples": 32,
    "batch_size": 16,
    "learning_rate": 0.5,
    "max_steps": 2_000,
    "label_relevant_fraction": 0.3,
    "confusion_fraction": 0.1,
}
_EXPECTED = "G.3 expects 'a more stable training process' and defines no stability"
_JOIN_IS_LOST = "the formula of appendix G.3 is lost, and with it how heads are joined"


def _of_heads(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """The paper's letters of a comparison, whose networks start as the simulator of one network has it by itself."""
    return symbols(SHALLOW_VIT_NETWORK.completed(parameters))


def _heads(join: str) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: (Sweep(SHALLOW_VIT_HEADS, ({},), {**_HEADS, "head_join": join, **size}, replicates),)
        for preset, (size, replicates) in _HEADS_SIZES.items()
    }


def _stands_still(join: str) -> Control:
    fixed = {**_HEADS, "head_join": join, "n_neurons": 40, "n_seeds": 3, "max_steps": 1}
    return Control("networks after one step, whose T are all 1", {SMOKE: (Sweep(SHALLOW_VIT_HEADS, ({},), fixed, 5),)})


def has_less_variance(trial: Trial) -> bool:
    """Whether T varies less over seeds with several heads than with one."""
    return trial.number("variance_many") < trial.number("variance_one")


def has_less_relative_variance(trial: Trial) -> bool:
    """Whether log T varies less over seeds with several heads than with one."""
    return trial.number("log_variance_many") < trial.number("log_variance_one")


def _variances(trials: Sequence[Trial]) -> str:
    def mean(name: str) -> float:
        return float(np.mean([trial.number(name) for trial in trials]))

    return (
        f"mean T {mean('mean_many'):.1f} with four heads where {mean('mean_one'):.1f} with one, mean variance over "
        f"seeds {mean('variance_many'):.3g} where {mean('variance_one'):.3g}, of log T "
        f"{mean('log_variance_many'):.3g} where {mean('log_variance_one'):.3g}; test hinge below 1e-3 in a share of "
        f"{mean('success_many'):.2g} where {mean('success_one'):.2g}"
    )


def _stability(join: str) -> tuple[Behaviour, Behaviour]:
    variance = Behaviour(
        name=f"variance of T, heads {join}",
        symbols=_of_heads,
        role=Role.OWN_QUESTION,
        because=f"{_EXPECTED}; {_JOIN_IS_LOST}",
        shows=has_less_variance,
        rate=0.5,
        remark=_variances,
        control=_stands_still(join),
        sweeps=_heads(join),
    )
    relative = Behaviour(
        name=f"variance of log T, heads {join}",
        symbols=_of_heads,
        role=Role.OWN_QUESTION,
        because=f"{_EXPECTED}, relative to T, whose variance falls where T does; {_JOIN_IS_LOST}",
        note="exploratory until a second reader had seen it fail",
        shows=has_less_relative_variance,
        rate=0.5,
        control=_stands_still(join),
        sweeps=_heads(join),
    )
    return variance, relative


_ENOUGH_SAMPLES = {SMOKE: 256, QUICK: 256, FULL: 64}
"""At m = 1000 a quarter is enough, and 25 samples would be for one head."""
_NARROW = {SMOKE: {}, QUICK: {"n_neurons": 40, "n_tokens": 20}, FULL: {}}


def _enough(preset: Preset) -> dict[str, int]:
    return {"n_samples": _ENOUGH_SAMPLES[preset], **_NARROW[preset]}


def _with_enough(**fixed: Any) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: tuple(replace(sweep, fixed={**sweep.fixed, **_enough(preset)}) for sweep in sweeps)
        for preset, sweeps in network_sweeps(SHALLOW_VIT_NETWORK, **fixed).items()
    }


def _with_a_tenth(preset: Preset, sweep: Sweep) -> Sweep:
    size = _ENOUGH_SAMPLES[preset] // 10
    fewer = {"n_samples": size, "batch_size": min(size, int(sweep.fixed["batch_size"]))}
    return replace(sweep, fixed={**sweep.fixed, **_enough(preset), **fewer}, replicates=8)


_ONE_HEAD = Control(
    "one head with a tenth of the samples",
    {
        preset: tuple(_with_a_tenth(preset, sweep) for sweep in sweeps)
        for preset, sweeps in network_sweeps(SHALLOW_VIT_NETWORK, n_heads=1).items()
    },
)
"""'The same bounds' says that heads do not matter, so their effect is bounded from above: were one head content with a
tenth of the samples, four might need ten times as many, which is more than a constant hides."""


_FROZEN_TOO = Control(
    "frozen attention",
    _with_enough(n_heads=4, head_join="sum", train_attention=False),
    allowed="footnote 4 grants that frozen attention may need as few samples as (10), whose order G.3 keeps",
)


def _zero_error(join: str) -> Behaviour:
    fixed = {"n_heads": 4, "head_join": join}
    return Behaviour(
        name=f"zero error with four heads, heads {join}",
        note=(
            "256 samples (64 at m = 1000), enough for one head as well; settled on earlier trials, not judged here: "
            "that number, and that 'the same bounds' are asked for as zero error"
        ),
        shows=lambda trial: trial.flag("success"),
        rate=0.8,
        remark=masses_in_words,
        control=after_one_step(**fixed),
        adversaries=(_ONE_HEAD, _FROZEN_TOO),
        sweeps=_with_enough(**fixed),
    )


A_MULTIHEAD = Check(
    MULTIHEAD,
    (
        _zero_error("sum"),
        _zero_error("concatenated"),
        *_stability("sum"),
        *_stability("concatenated"),
    ),
)
