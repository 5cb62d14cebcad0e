"""Figure 2: the number of SGD steps against 1/alpha_*, judged as the picture that it is. [li2023, §4.1]

The trials are those of A.iterations. The paper prints neither alpha_# nor eta, sigma or the range of alpha_* for this
figure: alpha_# = alpha_*/4 so that (8) holds, and sigma = 0.03 so that alpha_* can go down to 0.04.
"""

from __future__ import annotations

from typing import Any

from checks.evidence.check import Check
from checks.evidence.sampled import Scaling
from checks.records.preset import Preset
from checks.shallow_vit.generalization import EXCLUDED, against_fraction
from checks.shallow_vit.iteration_laws import LENGTH_LAW
from checks.shallow_vit.searches import FIGURE_LAW
from checks.shallow_vit.setting import COUNTED_STEPS, SHARED, symbols
from theory.claim import Role
from theory.shallow_vit.figures import FIG_2
from theory.shallow_vit.notation import alpha


def _against_fraction(name: str, output_layer: str, **role: Any) -> Scaling:
    return Scaling(
        name=name,
        symbol=alpha,
        parameter="label_relevant_fraction",
        symbols=symbols,
        **COUNTED_STEPS,
        sweeps={preset: against_fraction(preset, output_layer) for preset in Preset},
        **(role or EXCLUDED),
    )


A_FIG_2 = Check(
    FIG_2,
    (
        _against_fraction("output layer per token", "per token"),
        _against_fraction("output layer shared", "shared", role=Role.READING, because=SHARED),
        LENGTH_LAW,
        FIGURE_LAW,
    ),
)
