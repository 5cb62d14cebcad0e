"""Criteria and remarks of the rows on Events I to III, one trial or some at a time. [jelassi2022, section 4.1]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.later import np
from checks.spatial_vit.looks import softmax_of
from sim.trials.trial import Trial

if TYPE_CHECKING:
    import numpy as np

MAX_CHANGE = 0.1
MIN_RISE = 0.01


def _seen(trial: Trial, name: str) -> float:
    return trial.number(name)


def value_first(trial: Trial) -> bool:
    """alpha rises, and half way to its first maximum no softmax value has changed by a tenth."""
    return _seen(trial, "peak_time") > 0 and _seen(trial, "softmax_change_at_half_rise") < MAX_CHANGE


def leads(trial: Trial) -> bool:
    """gamma exceeds the largest |rho| of the run at some time."""
    return _seen(trial, "overtake_time") >= 0


def stays_ahead(trial: Trial) -> bool:
    """gamma comes ahead of |rho|, and up to the horizon no |rho| so far is as large as the largest gamma so far."""
    return _seen(trial, "lead_time") >= 0 and _seen(trial, "lost_time") < 0


def rises(trial: Trial) -> bool:
    """After its first maximum alpha falls, and rises again by a hundredth or more."""
    return _seen(trial, "second_rise") > MIN_RISE


def rises_after_overtaking(trial: Trial) -> bool:
    """A T_1 exists, and from it on alpha rises by a hundredth or more, fallen before or not."""
    return leads(trial) and float(trial.result.observables.get("later_rise", 0.0)) > MIN_RISE


def overtakes_or_cannot(trial: Trial) -> bool:
    """A T_1 exists; or beta = 0, where attention stays uniform and none can."""
    return leads(trial) or float(trial.spec.parameters["diagonal_logit"]) == 0


def both_events_words(trials: Sequence[Trial]) -> str:
    """In how many runs alpha rises again, in how many there is a T_1, and in how many both, at the longest run."""
    longest = max(int(trial.spec.parameters["n_steps"]) for trial in trials) if trials else 0
    last = [trial for trial in trials if trial.spec.parameters["n_steps"] == longest]
    again, led, both = (sum(map(shows, last)) for shows in (rises, leads, rises_after_overtaking))
    return (
        f"of the {len(last)} longest runs {len(last) - led} have no T_1; alpha rises again in {again}, after a T_1 in "
        f"{both}"
    )


def _after(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """alpha and G at the looks from T_1 on; empty where gamma never overtakes."""
    curves = trial.result.curves
    at = _seen(trial, "overtake_time") * _rate(trial)
    late = curves["flow_time"] >= at if at >= 0 else np.zeros(len(curves["flow_time"]), dtype=bool)
    return curves["feature_alignment"][late], softmax_of(trial).own_set[late]


def weight_rises(trial: Trial) -> bool:
    """From T_1 to the end G rises and alpha falls, by a hundredth or more."""
    alpha, weight = _after(trial)
    if len(alpha) < 2:
        return False
    return bool(min(np.log(weight[-1] / weight[0]), np.log(alpha[0] / alpha[-1])) > MIN_RISE)


def weight_words(trials: Sequence[Trial]) -> str:
    """By what G, alpha and alpha G change from T_1 to the end, over all runs that have a T_1."""
    found = [(alpha, weight) for alpha, weight in map(_after, trials) if len(alpha) > 1]
    if not found:
        return ""
    changes = {
        name: [float(values[-1] / values[0]) for values in curves]
        for name, curves in (
            ("G", [weight for _, weight in found]),
            ("alpha", [alpha for alpha, _ in found]),
            ("alpha G", [alpha * weight for alpha, weight in found]),
        )
    }
    said = [f"{name} times {min(ratios):.2g} to {max(ratios):.2g}" for name, ratios in changes.items()]
    return f"from T_1 to the end {', '.join(said)}"


def _place(trial: Trial) -> str:
    at = trial.spec.parameters
    return f"({at['n_patches']}, {at['set_size']}, {float(at['spurious_rate']):.2g})"


def _rate(trial: Trial) -> float:
    return float(trial.spec.parameters["learning_rate"])


def lead_words(trials: Sequence[Trial]) -> str:
    """From which length of a run on no gamma exceeds every |rho|, and how that goes with the share of wrong labels."""
    lost = [trial for trial in trials if _seen(trial, "lost_time") >= 0]
    if not lost:
        return ""
    times = [_seen(trial, "lost_time") * _rate(trial) for trial in lost]
    said = [f"{time:.1e} at {_place(trial)}" for trial, time in zip(lost, times, strict=True)]
    words = f"lost from flow time on, by (D, C, q): {', '.join(said)}"
    shares = [_seen(trial, "wrong_share") for trial in lost]
    if len(set(shares)) < 3:
        return words
    x, y = np.log(shares), np.log(times)
    slope = np.polyfit(x, y, 1)[0]
    power = f"P[y f* <= 0]^{slope:.2f} before any choice of labels"
    return f"{words}; as {power}, correlation of the logarithms {np.corrcoef(x, y)[0, 1]:.2f}"


def rise_words(trials: Sequence[Trial]) -> str:
    """When alpha is least, and the risk then, in the runs in which it rises again."""
    again = [trial for trial in trials if rises(trial)]
    if not again:
        return "alpha falls from its first maximum to the end in all runs"
    times = [_seen(trial, "low_time") * _rate(trial) for trial in again]
    risks = [_seen(trial, "low_risk") / _seen(trial, "first_risk") for trial in again]
    return (
        f"where it rises again alpha is least at flow time {min(times):.1e} to {max(times):.1e}, with "
        f"{min(risks):.1e} to {max(risks):.1e} of the first risk left"
    )


def after_words(trials: Sequence[Trial]) -> str:
    """At each size: in how many runs alpha rises after T_1 at all, and how much of the first risk is left there."""
    found: dict[int, list[tuple[bool, float, float]]] = {}
    for trial in trials:
        curves, first = trial.result.curves, _seen(trial, "first_risk")
        if _seen(trial, "overtake_time") < 0:
            continue
        at = _seen(trial, "overtake_time") * _rate(trial)
        left = float(np.interp(at, curves["flow_time"], curves["risk"])) / first
        again = trial.result.observables.get("later_rise", 0.0)
        size = int(trial.spec.parameters["n_patches"])
        found.setdefault(size, []).append((float(again) > MIN_RISE, left, _seen(trial, "final_risk") / first))
    said = [
        f"{sum(rise for rise, _, _ in runs)} of {len(runs)} at D = {size}, with {min(left for _, left, _ in runs):.2g} "
        f"to {max(left for _, left, _ in runs):.2g} of the first risk left at T_1 and "
        f"{max(end for _, _, end in runs):.2g} at most at the end"
        for size, runs in sorted(found.items())
    ]
    return f"alpha rises by 1 % after T_1, fallen before or not, in {'; '.join(said)}" if said else ""
