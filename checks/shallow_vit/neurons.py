"""Lemma 3: how many neurons are lucky at the start. [li2023, Lemma 3, Definition 2]

Counts of fresh Gaussian neurons against the explicit bound: under Definition 2 as written, and under the event that the
lemma's proof bounds instead, a repair, since Definition 2 prints an angle to one feature. sigma = 0.1 and tau = 0.03
are §4.1's. The lemma is for every eps_m once (208) makes the hidden layer wide enough, so the width grows while eps_m
stays, and the least favourable eps_m of its range counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.sampled import Fraction
from checks.records.preset import Preset
from checks.shallow_vit.searches import LUCKY_LAW
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import LUCKY_NEURONS
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters
from theory.claim import Path, Role
from theory.shallow_vit.neurons import LUCKY_COUNT
from theory.shallow_vit.notation import N, m

_SETTING = {"value_error": 0.1, "noise_radius": 0.03, "dimension": 10, "n_patterns": 5}
_WIDTHS = {Preset.SMOKE: (1000, 10_000), Preset.QUICK: (1000, 10_000, 100_000), Preset.FULL: (1000, 10_000, 1_000_000)}


_SAMPLES = sp.Integer(1000)
"""N enters through the logarithm in (208) alone, which a wider layer outgrows whatever N is."""


_WIDER = Path(
    words="m to infinity at fixed eps_m, M, sigma, tau and N", symbol=m, toward="infinity", moves={N: _SAMPLES}
)


def _symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    return {**symbols(parameters), N: _SAMPLES}


def _counted(name: str, count: str, **roles: Any) -> Fraction:
    sweeps = {
        preset: (Sweep(LUCKY_NEURONS, grid(n_neurons=widths), _SETTING, 20),) for preset, widths in _WIDTHS.items()
    }
    counted = {"count": count, "total": "n_neurons", "bounds": "count", "units_independent": True}  # drawn one by one
    return Fraction(name=name, symbols=_symbols, path=_WIDER, sweeps=sweeps, **counted, **roles)


A_LUCKY_COUNT = Check(
    LUCKY_COUNT,
    (
        _counted("Definition 2: within sigma + tau of p_1", "n_defined"),
        _counted(
            "a tenth of (209) for the proof's event: p_1 closest by a margin",
            "n_in_proof",
            role=Role.REPAIR,
            because="proof of Lemma 3, eq. (210)-(213), bounds this event, which Definition 2 does not print",
            note="(214) prints >~ twice: a tenth of the bound is asked for",
            of_bound=0.1,
        ),
        LUCKY_LAW,
    ),
)
