"""Lemma 3: how many neurons are lucky at the start. [li2023, Lemma 3, Definition 2]

Counts of fresh Gaussian neurons against the explicit bound: under Definition 2 as written, and under the event that the
lemma's proof bounds instead. sigma = 0.1 and tau = 0.03 are §4.1's, m grows to the width where counts are sharp.
"""

from __future__ import annotations

from checks.check import Check, Preset
from checks.parts import Fraction
from checks.shallow_vit.setting import symbols
from checks.systems import LUCKY_NEURONS
from sim.sweep import Sweep
from theory.shallow_vit.neurons import LUCKY_COUNT

_SETTING = {"value_error": 0.1, "noise_radius": 0.03, "dimension": 10, "n_patterns": 5}


def _counted(name: str, count: str) -> Fraction:
    sweeps = {
        preset: (Sweep(LUCKY_NEURONS, ({},), {**_SETTING, "n_neurons": 1000}, replicates),)
        for preset, replicates in ((Preset.SMOKE, 20), (Preset.QUICK, 100), (Preset.FULL, 1000))
    }
    return Fraction(name=name, count=count, total="n_neurons", symbols=symbols, sweeps=sweeps)


A_LUCKY_COUNT = Check(
    LUCKY_COUNT,
    (
        _counted("Definition 2: within sigma + tau of p_1", "n_defined"),
        _counted("the proof's event: p_1 closest by a margin", "n_in_proof"),
    ),
)
