"""Thresholds on alpha_nd = 1/2, where alpha_* and the gap alpha_* - alpha_# move in step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.later import np
from checks.evidence.sampled import Threshold
from checks.shallow_vit.setting import symbols
from sim.trials.trial import Trial
from theory.shallow_vit.notation import alpha

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

BY_FRACTION = Threshold(name="by alpha_*", symbol=alpha, parameter="label_relevant_fraction", symbols=symbols)


def thresholds(trials: Sequence[Trial]) -> dict[float, Estimate]:
    """The measured threshold of each alpha_* that has one."""
    found = {value: BY_FRACTION.threshold(group) for value, group in BY_FRACTION.groups(trials).items()}
    return {value: threshold for value, threshold in found.items() if threshold.value and threshold.standard_error}


def confounded(trials: Sequence[Trial]) -> str:
    """Slopes of the threshold against alpha_* and against the gap, which move in step on alpha_nd = 1/2."""
    found = thresholds(trials)
    if len(found) < 3:
        return f"only {len(found)} thresholds were found, too few for a slope"
    shares, estimates = np.array(list(found)), list(found.values())
    sizes, errors = (np.array([getattr(entry, name) for entry in estimates]) for name in ("value", "standard_error"))
    against = {"alpha_*": shares, "the gap alpha_* - alpha_# = 2 alpha_* - 1/2": 2 * shares - 0.5}
    slopes = [
        f"{np.polyfit(np.log(axis), np.log(sizes), 1, w=1 / errors)[0]:+.2f} against {name} "
        f"({axis[0]:.2f} to {axis[-1]:.2f})"
        for name, axis in against.items()
    ]
    weighted = "each threshold weighted by its own error alone"
    return f"confounded, as both are collinear: slope, {weighted}, {' or '.join(slopes)}; it belongs to neither alone"
