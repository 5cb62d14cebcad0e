"""Phases of a trajectory of (alpha, gamma, rho), and the name of its ending.

The paper tells the run in three events: alpha rises alone to a threshold at T_0, then gamma overtakes the largest
|rho| of the whole run at T_1, then alpha rises again. The threshold stands in an appendix that is not at hand; here it
is half of alpha's rise to its first maximum, and the maximum itself is reported too. [jelassi2022, section 4.1]

Endings, the first that applies; an error is small below a threshold that a network without sets does not reach:

    divergence                          the risk left every bound
    structure_learned                   associated, error small
    association_without_generalization  associated, error not small
    interpolation_without_structure     no training error though not associated; on the population risk a small error
    generalization_without_association  a sampled run that has training errors, and a small test error all the same
    anti_association                    gamma < rho: patches attend across sets
    no_association                      gamma = rho up to rounding, or the held diagonal is not above rho
"""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import TIE, setting_at
from sim.spatial_vit.reduced.population import softmax_values

ROUNDING = 1e-9
"""Where uniform attention errs no more than the labelling function, threshold and error are one number but for this."""
NEVER = -1.0
"""Time of what did not happen."""


def is_associated(setting: Setting, *, within: float, across: float) -> bool:
    """Whether the C largest logits of each row, its diagonal included, are its set; ties fail. [Theorem 4.1 (1)]"""
    return bool(min(setting.diagonal_logit, within) > across)


def smallest_eigenvalue(setting: Setting, *, within: float, across: float) -> float:
    """Least eigenvalue of the three-valued A: negative where A is no Gram matrix of positional encodings.

    Eigenvectors are differences within a set, differences between sets, and the constant vector. [Definition 2.2]
    """
    size = setting.set_size
    own_set = setting.diagonal_logit + (size - 1) * within
    return min(
        setting.diagonal_logit - within,
        own_set - size * across,
        own_set + (setting.n_patches - size) * across,
    )


def name_ending(
    *, associated: bool, gap: float, error: float, threshold: float, diverged: bool, train_error: float | None = None
) -> str:
    """Name how a run ended.

    Args:
        gap: mean logit within sets minus the mean across them, or gamma - rho.
        error: test error.
        threshold: the largest small error; `expected_errors.structure_threshold`, or `Disagreement.structure_level`.
        train_error: of a sampled run; None on the population risk, where it is the test error.
    """
    if diverged:
        return "divergence"
    small = error <= threshold * (1 + ROUNDING)
    if associated:
        return "structure_learned" if small else "association_without_generalization"
    if train_error == 0 or (small and train_error is None):
        return "interpolation_without_structure"
    if small:
        return "generalization_without_association"
    return "anti_association" if gap < -TIE else "no_association"


def phase_observables(setting: Setting, times: np.ndarray, states: np.ndarray) -> dict[str, float]:
    """Events I-III of a trajectory at times [points] with states (alpha, gamma, rho) [points, 3].

    Where the diagonal is trained, states are (alpha, gamma, rho, beta).

    Observables:
        peak_time, peak_alignment: alpha's first local maximum; the end of the run where it never falls.
        half_rise_time: alpha first at or above the middle between its start and that maximum.
        softmax_change_at_half_rise, softmax_change_at_peak: largest relative change of a softmax value by then.
        largest_across_logit: largest |rho| of the run.
        overtake_time: first time at which gamma exceeds it, -1 for never; overtake_alignment: alpha then.
        later_rise: largest rise of log alpha after the overtaking, from a minimum to a later maximum; 0 where alpha
            only falls, absent where gamma never overtakes.
        smallest_alignment: least alpha of the run.
    """
    alignment, within, across = states.T[:3]
    falling = np.flatnonzero(np.diff(alignment) < 0)
    peak = int(falling[0]) if len(falling) else len(alignment) - 1
    half = int(np.flatnonzero(alignment >= (alignment[0] + alignment[peak]) / 2)[0])
    largest = float(np.abs(across).max())
    overtaking = np.flatnonzero(within > largest)
    found = {
        "peak_time": float(times[peak]),
        "peak_alignment": float(alignment[peak]),
        "half_rise_time": float(times[half]),
        "softmax_change_at_half_rise": softmax_change(setting, states[half]),
        "softmax_change_at_peak": softmax_change(setting, states[peak]),
        "largest_across_logit": largest,
        "overtake_time": NEVER,
        "smallest_alignment": float(alignment.min()),
    }
    if len(overtaking):
        first = int(overtaking[0])
        found["overtake_time"] = float(times[first])
        found["overtake_alignment"] = float(alignment[first])
        if alignment.min() > 0:
            later = np.log(alignment[first:])
            found["later_rise"] = float((later - np.minimum.accumulate(later)).max())
    return found


def softmax_change(setting: Setting, state: np.ndarray) -> float:
    """Largest relative change of Lambda, Gamma and Xi since gamma = rho = 0."""
    before = softmax_values(setting, within=0.0, across=0.0)
    now = softmax_values(setting_at(setting, state), within=float(state[1]), across=float(state[2]))
    pairs = ((before.diagonal, now.diagonal), (before.within, now.within), (before.across, now.across))
    return max(abs(new / old - 1) for old, new in pairs)


def later_course(times: np.ndarray, states: np.ndarray) -> dict[str, float]:
    """What alpha does after its first maximum, and whether gamma stays ahead; states (alpha, gamma, rho) [points, 3].

    Observables:
        low_time, low_alignment: the least alpha from the first maximum on.
        second_rise: log of alpha's largest value after that over it; 0 where alpha falls to the end.
        lead_time: first time at which gamma has exceeded every |rho| so far, -1 for never.
        lost_time: first later time at which some |rho| so far is at least every gamma so far, -1 for never: from then
            on a run of this length has no T_1.
    """
    alignment, within, across = states.T[:3]
    falling = np.flatnonzero(np.diff(alignment) < 0)
    peak = int(falling[0]) if len(falling) else len(alignment) - 1
    low = peak + int(alignment[peak:].argmin())
    lead = np.maximum.accumulate(within) > np.maximum.accumulate(np.abs(across)) + TIE
    ahead = np.flatnonzero(lead)
    lost = np.flatnonzero(~lead & (np.arange(len(lead)) > ahead[0])) if len(ahead) else []
    return {
        "low_time": float(times[low]),
        "low_alignment": float(alignment[low]),
        "second_rise": float(np.log(alignment[low:].max() / alignment[low])) if alignment[low] > 0 else 0.0,
        "lead_time": float(times[ahead[0]]) if len(ahead) else NEVER,
        "lost_time": float(times[lost[0]]) if len(lost) else NEVER,
    }
