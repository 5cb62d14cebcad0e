"""Theorem 5.2: without any knowledge of the sets, as few samples are not enough. The setting is that of Theorem 5.1.

Sets must be learned, which at q = C^2 / D nobody escapes: the oracle's bound is exact. At q = C^(3/2) / D and C / D the
best guess without sets is itself good (8 and 2 % at C = 4, o(1) as C grows), so attacks there need the feature alone.
"q = poly(C)/D" is "of high enough degree" or "of any degree", as in Theorem 3.1: the first is the statement, q = C^2/D;
the second is another reading, an attack at q = C^(3/2) / D, more spurious features than informative ones, with C = log2
L growing and an error to reach that vanishes, 1/(2C). [jelassi2022, Theorem 5.2]
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.sampled import Behaviour, Scaling, Threshold
from checks.records.preset import Preset
from checks.spatial_vit.paths import growing_set, growing_sets, symbols, wrong_labels
from checks.spatial_vit.searches import ORACLE_LAW
from sim.spatial_vit.systems import SPATIAL_VIT_ORACLE, SPATIAL_VIT_PARTITION_FREE
from sim.trials.sweep import Sweep
from sim.trials.trial import Scalar, Trial
from theory.claim import Role
from theory.spatial_vit.notation import D
from theory.spatial_vit.transfer import NO_TRANSFER

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL


def _attack(n_patches: int, size: int, power: float, sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    """q = C^power / D and d = D, over numbers of samples."""
    common = {"n_patches": n_patches, "patch_dimension": n_patches, "set_size": size, "spurious_patches": size**power}
    return [{**common, "n_samples": count} for count in sizes]


def _attacks(points: list[dict[str, Any]], replicates: int, **fixed: Scalar) -> tuple[Sweep, ...]:
    return (Sweep(SPATIAL_VIT_PARTITION_FREE, tuple(points), fixed, replicates),)


_DIRECTION = (32, 48, 64, 96, 128, 192, 256, 384)
_ATTACKED = {QUICK: (64, 96, 128, 256, 512), FULL: (64, 96, 128, 192, 256, 384, 512, 768, 1024)}
_QUARTERS = (1, 2, 3, 4, 6, 8)
"""Samples over D / 4 in the ladders of learned sets."""


def _learned(preset: Preset, feature: str, replicates: int) -> tuple[Sweep, ...]:
    points = [
        point
        for patches in _ATTACKED[preset]
        for point in _attack(patches, 4, 2, tuple(patches * quarters // 4 for quarters in _QUARTERS))
    ]
    return _attacks(points, replicates, feature=feature, label="learned_sets", level_share=0.5, n_test=1000)


def _growing(sets: tuple[int, ...], power: float, n_samples: int, **fixed: Scalar) -> tuple[Sweep, ...]:
    """C = log2(D/C), q = C^power/D; the error to reach, 1/C^2 or 1/(2C), vanishes along the way."""
    points = []
    for count in sets:
        patches, size = growing_set(count)
        level = size**-2 if power == 1 else 1 / (2 * size)
        points.append({**_attack(patches, size, power=power, sizes=(n_samples,))[0], "level": level})
    return _attacks(points, 10, n_test=4000, **fixed)


def _fails(trial: Trial) -> bool:
    """The attack does not reach the level."""
    return not trial.flag("success")


_LEARNS = "the same attack told w*, which must reach the level"
_CONSTANT_C = "'error o(1)': at constant C the error that the attack reaches is a constant"
_AS_MANY = "after Assumption 2: 'more spurious features than informative ones'; here they are as many"
_SEPARABLE = "read with 'low signal-to-noise regime which makes the data non-linearly separable', after Assumption 2"
_ONE_LEARNER = (
    "one learner: none needs fewer samples than the oracle told the signal sets, which is the statement's line"
)
_ANY_POLYNOMIAL = (
    "Assumption 2: q = poly(C)/D of any degree, with 'more spurious features than informative ones', here q D > C; the "
    "level 1/(2C) was set with the errors in view"
)
_ONE_SAMPLE = Control(
    "sets learned from one sample",
    {SMOKE: _attacks(_attack(64, 4, 2, (1,)), 6, feature="known", label="learned_sets", level_share=0.5, n_test=1000)},
)

B_NO_TRANSFER = Check(
    NO_TRANSFER,
    (
        Behaviour(
            name="q = C^(3/2)/D, C = log2 L: 8 samples leave an error above 1/(2C)",
            role=Role.READING,
            because=_ANY_POLYNOMIAL,
            note="direction of most variance, then the more frequent sign; more spurious features than informative",
            shows=_fails,
            rate=0.5,
            parameter="n_patches",
            symbols=symbols,
            path=growing_sets(sp.Rational(3, 2)),
            remark=wrong_labels,
            control=Control(_LEARNS, {SMOKE: _growing((8, 16), 1.5, 8, feature="known")}),
            sweeps={
                preset: _growing(sets, 1.5, 8)
                for preset, sets in ((SMOKE, (8, 16, 32)), (QUICK, (8, 16, 32, 64)), (FULL, (8, 16, 32, 64, 128, 256)))
            },
        ),
        Threshold(
            name="q = C^(3/2)/D: the direction of most variance, then the more frequent sign",
            role=Role.OWN_QUESTION,
            because=_CONSTANT_C,
            remark=wrong_labels,
            control=_ONE_SAMPLE,
            note="all of 32 learners must err at most 1/8, which Theorem 3.1 denies all generalized linear models",
            symbol=D,
            parameter="n_patches",
            symbols=symbols,
            sweeps={
                FULL: _attacks(
                    [point for patches in _DIRECTION for point in _attack(patches, 4, 1.5, (1, 2, 3, 4))],
                    20,
                    n_repeats=32,
                    n_test=400,
                )
            },
        ),
        Behaviour(
            name="q = C/D, C = log2(D/C): 4 samples leave an error above 1/C^2",
            note="direction of most variance, then the more frequent sign: its error falls like exp(-C/2) as D grows",
            role=Role.OWN_QUESTION,
            because=_AS_MANY,
            symbols=symbols,
            path=growing_sets(sp.Integer(1)),
            remark=wrong_labels,
            control=Control(_LEARNS, {SMOKE: _growing((16,), 1, 4, feature="known")}),
            shows=_fails,
            rate=0.5,
            sweeps={
                preset: _growing(sets, 1, 4)
                for preset, sets in ((SMOKE, (16, 32)), (QUICK, (16, 32, 64)), (FULL, (16, 32, 64, 128, 256)))
            },
        ),
        Behaviour(
            name="q = C^(3/2)/D: 8 samples leave one of 32 learners above 1/8",
            note="the same attack at C = 4, with more spurious patches than informative ones",
            role=Role.OWN_QUESTION,
            because=_CONSTANT_C,
            symbols=symbols,
            remark=wrong_labels,
            control=Control(
                _LEARNS,
                {SMOKE: _attacks(_attack(64, 4, 1.5, (8,)), 3, feature="known", n_repeats=32, n_test=400)},
            ),
            shows=_fails,
            rate=0.5,
            sweeps={
                preset: _attacks(
                    [point for patches in sizes for point in _attack(patches, 4, 1.5, (8,))],
                    4,
                    n_repeats=32,
                    n_test=400,
                )
                for preset, sizes in ((QUICK, (32, 64, 128, 256)), (FULL, (32, 64, 128, 256, 512, 1024)))
            },
        ),
        Threshold(
            name="q = C^2/D: sets learned from pairs, w* known",
            role=Role.OWN_QUESTION,
            because=_ONE_LEARNER,
            note=_SEPARABLE,
            remark=wrong_labels,
            control=_ONE_SAMPLE,
            symbol=D,
            parameter="n_patches",
            symbols=symbols,
            sweeps={preset: _learned(preset, "known", replicates) for preset, replicates in ((QUICK, 6), (FULL, 20))},
        ),
        Threshold(
            name="q = C^2/D: sets learned from pairs, w* from 8 samples",
            role=Role.OWN_QUESTION,
            because=_ONE_LEARNER,
            note=_SEPARABLE,
            remark=wrong_labels,
            control=_ONE_SAMPLE,
            symbol=D,
            parameter="n_patches",
            symbols=symbols,
            sweeps={
                preset: _learned(preset, "spectral", replicates) for preset, replicates in ((QUICK, 6), (FULL, 10))
            },
        ),
        Scaling(
            name="q = C^2/D: the oracle told every sample's signal set",
            note="exact; no learner needs fewer samples under a uniform prior over partitions",
            symbol=D,
            parameter="n_patches",
            symbols=symbols,
            observable="least_samples",
            sweeps={
                preset: (
                    Sweep(
                        SPATIAL_VIT_ORACLE,
                        tuple({"n_patches": patches} for patches in sizes),
                        {"set_size": 4, "spurious_patches": 16.0},
                    ),
                )
                for preset, sizes in (
                    (SMOKE, (32, 64, 128, 256, 512)),
                    (FULL, (32, 64, 128, 256, 512, 1024)),
                )
            },
        ),
        ORACLE_LAW,
    ),
)
