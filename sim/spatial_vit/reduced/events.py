"""Events I to III followed far: to flow time 1e12, at thousands of patches, or on data with right labels alone.

`reduced` also works out error probabilities, which take most of the time at large D and overflow at a thousand patches.
Here only the state is followed. Where the labelling function f* itself contradicts the label (y f* <= 0), which
Definition 2.1 makes negligible and small sizes do not, such data can be left out: the expectation is then conditioned
on y f* > 0, row by row of the enumeration. [jelassi2022, Definition 2.1, section 4.1]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from sim.spatial_vit.network.data import LABEL_THRESHOLD
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import Trajectory, finite_only, flow, gradient_at
from sim.spatial_vit.reduced.expectation import Expectation, expect
from sim.spatial_vit.reduced.fourier import convolved
from sim.spatial_vit.reduced.phases import NEVER, TIE, phase_observables
from sim.spatial_vit.reduced.population import SetTypes, exact_types, set_types, type_probabilities
from sim.trial import Scalar, TrialResult
from sim.validation import require_integer, require_one_of, require_positive

LABELS = ("all", "right")


def follow_events(
    *,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    activation_power: int,
    linear_coefficient: float,
    diagonal_logit: float,
    learning_rate: float,
    n_steps: int,
    temperature: float = 1.0,
    labels: str = "all",
    initial_scale: float = 1.0,
    n_records: int = 60,
    generator: torch.Generator,
) -> TrialResult:
    """Follow the gradient flow over the time learning_rate x n_steps, and tell what the three events say of it.

    Observables: those of `phases.phase_observables`, with times in steps; `later_course`; `smallest_gap` of gamma - rho
    over all steps of the integrator; and `wrong_share`, P[y f* <= 0] before any data are left out.
    Curves: flow_time, feature_alignment, within_logit, across_logit, risk, [records].

    Args:
        labels: "all" data, or those with "right" labels, y f* > 0; the latter by enumeration alone.
        initial_scale: alpha starts at this multiple of nu^(1/(p-1)).

    Raises:
        ValueError: on bad input, or where the enumeration has too many rows.
    """
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=diagonal_logit, temperature=temperature,
    )  # fmt: skip
    require_positive(learning_rate=learning_rate, initial_scale=initial_scale)
    require_integer(least=1, n_steps=n_steps)
    require_integer(least=2, n_records=n_records)
    require_one_of("labels", labels, LABELS)
    if labels == "all":
        chosen = expect(setting, "exact", n_draws=1, generator=generator)
    else:
        chosen = Expectation(rightly_labelled(exact_types(setting)), "enumeration")
    table = chosen.table
    path = flow(
        table, setting, np.array([initial_scale * setting.initial_alignment, 0.0, 0.0]), first_time=learning_rate,
        flow_time=learning_rate * n_steps, n_records=n_records, tolerance=chosen.flow_tolerance,
    )  # fmt: skip
    risks = np.array([gradient_at(table, setting, state).risk for state in path.states])
    observables = {
        **_observables(setting, path, risks, learning_rate=learning_rate),
        "n_rows": table.n_rows,
        "expectation_method": chosen.method,
    }
    names = ("feature_alignment", "within_logit", "across_logit")
    curves = {"flow_time": path.times, **dict(zip(names, path.states.T, strict=True)), "risk": risks}
    return TrialResult(path.outcome, finite_only(observables), curves)


def _observables(setting: Setting, path: Trajectory, risks: np.ndarray, *, learning_rate: float) -> dict[str, Scalar]:
    """What the flow shows of the three events, times in steps."""
    course = later_course(path.fine_times / learning_rate, path.fine_states)
    return {
        **phase_observables(setting, path.fine_times / learning_rate, path.fine_states),
        **course,
        "smallest_gap": path.smallest_gap,
        "first_risk": float(risks[0]),
        "final_risk": float(risks[-1]),
        "final_within": float(path.states[-1][1]),
        "final_across": float(path.states[-1][2]),
        "wrong_share": wrong_share(setting),
        "low_risk": float(np.interp(float(course["low_time"]) * learning_rate, path.times, risks)),
    }


def rightly_labelled(table: SetTypes) -> SetTypes:
    """The distribution conditioned on y f* > 0; labels are 1 throughout, so on f* > 0."""
    weights = np.where(table.labelling > 0, table.weights, 0.0)
    return replace(table, weights=weights / weights.sum())


def wrong_share(setting: Setting) -> float:
    """P[y f* <= 0]: the label is 1, and random sets whose sums pass the threshold add up to -C or less."""
    size, types = setting.set_size, set_types(setting.set_size)
    sums = types[:, 0] - types[:, 1]
    passed = np.where(np.abs(sums) > LABEL_THRESHOLD * size, sums, 0)
    of_set = np.bincount(passed + size, type_probabilities(types, setting), minlength=2 * size + 1)
    n_random = setting.n_sets - 1
    law = convolved(of_set, n_random)
    return float(law[: (n_random - 1) * size + 1].sum())


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
