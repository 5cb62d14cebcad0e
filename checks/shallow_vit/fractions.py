"""(66): the mean fraction of label-relevant tokens, weighted by p_n, against its expectation. [li2023, (26), (66)]

Counts must fluctuate for the mean to do so. Without initial error, token noise and missing mass the offset of (66) is
zero, and what is left is the fluctuation that Hoeffding's inequality bounds.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from checks.shallow_vit.setting import symbols
from sim.shallow_vit.systems import MEAN_FRACTION
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters
from theory.shallow_vit.means import HOEFFDING
from theory.shallow_vit.notation import N, zeta

_SETTING = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "value_error": 0.0,
    "key_query_error": 0.0,
    "token_noise": 0.0,
    "query_length": 4.0,
}
"""At ||q_1|| = 4 other tokens keep less than a millionth of the mass."""
_SIZES = {
    Preset.SMOKE: (32, 128, 512, 2048, 8192),
    Preset.QUICK: (32, 128, 512, 2048, 8192, 32768),
    Preset.FULL: (32, 128, 512, 2048, 8192, 32768),
}
_RUNS = {Preset.SMOKE: 40, Preset.QUICK: 60, Preset.FULL: 200}


def _symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    return {**symbols(parameters), N: sp.Integer(int(parameters["n_samples"])), zeta: sp.Integer(1)}


A_HOEFFDING = Check(
    HOEFFDING,
    (
        Scaling(
            name="counts that fluctuate, no errors, all mass on label-relevant tokens",
            symbol=N,
            parameter="n_samples",
            symbols=_symbols,
            observable="deviation",
            sweeps={
                preset: (Sweep(MEAN_FRACTION, grid(n_samples=sizes), _SETTING, _RUNS[preset]),)
                for preset, sizes in _SIZES.items()
            },
        ),
    ),
)
