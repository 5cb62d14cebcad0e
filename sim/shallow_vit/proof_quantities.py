"""What the proof of Lemma 2 speaks of, read off the weights at some steps of one training.

Features are those of Assumption 1: p_j the orthonormal vectors near which W_V(0) was drawn, q_j = r_j the unit vectors,
near which W_K(0) and W_Q(0) start. Tokens are exact patterns, unit vectors too. All of it is linear algebra on
weights that the training had anyway: no gradient is taken a second time. The activity V_i of eq. (197) follows from
how far W_O moved, since dW_O = dC W_V^T with C = W_O W_V and dC[i, j] = V_i for tokens of pattern j.
[li2023, Definitions 1 and 2, Lemma 2]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, OTHER, Samples
from sim.shallow_vit.model import Weights, attention

Quantities = dict[str, float]
DISCRIMINATIVE = (0, 1)
"""Patterns that a label may hang on."""


_TINY = 1e-300  # what has not moved has lost nothing


@dataclass(frozen=True)
class Groups:
    """Neurons that lie near p_1 (`first`) and near p_2 (`second`) at the start, and all others (`unlucky`).

    Masks [m]. `positive` marks neurons whose output coefficients add up to more than zero.
    """

    first: torch.Tensor
    second: torch.Tensor
    positive: torch.Tensor

    @property
    def unlucky(self) -> torch.Tensor:
        """Neurons near neither."""
        return ~(self.first | self.second)

    def of(self, pattern: int) -> torch.Tensor:
        """Neurons near the feature of one discriminative pattern."""
        return (self.first, self.second)[pattern]


def angles(hidden: torch.Tensor, directions: torch.Tensor) -> torch.Tensor:
    """Angle of every neuron to every feature [m, M]."""
    cosines = hidden @ directions / hidden.norm(dim=1, keepdim=True)
    return torch.arccos(cosines.clamp(-1, 1))


def closest_by_a_margin(found: torch.Tensor, error: float) -> torch.Tensor:
    """Which neurons the proof of Lemma 3 counts for each discriminative pattern [m, 2], from angles [m, M]."""
    widening = 2 * math.asin(min(error / 2, 1.0))
    counted = []
    for pattern in DISCRIMINATIVE:
        others = torch.cat([found[:, :pattern], found[:, pattern + 1 :]], dim=1)
        counted.append(found[:, pattern] + widening <= others.min(dim=1).values - widening)
    return torch.stack(counted, dim=1)


def feature_lengths(weights: Weights, start: Weights) -> Quantities:
    """||q_i(t)|| and ||r_i(t)||: 1 and what W_Q, W_K gained along the feature; the start's error stays an error."""
    found = {}
    for pattern in DISCRIMINATIVE:
        name = pattern + 1
        found[f"query_{name}"] = 1 + float((weights.query - start.query)[pattern, pattern])
        found[f"key_{name}"] = 1 + float((weights.key - start.key)[pattern, pattern])
    return found


def attention_against_bounds(probe: Samples, weights: Weights, lengths: Quantities, error: float) -> Quantities:
    """Weights of label-relevant queries against Definition 1, worst over queries, keys and samples.

    `error` is delta + tau. `relevant_over_bound` is the least weight on a label-relevant token over E nu_n, the right
    side of (43); `other_over_bound` the largest weight on another token over nu_n, that of (45); `other_over_least` the
    smallest over phi_n; `mass_over_bound` the least mass over p_n. `weight_*` are means by role of the key.
    """
    weight = attention(probe.tokens, weights.scoring)
    roles = probe.roles
    relevant = roles == LABEL_RELEVANT
    count = relevant.sum(1).to(weight.dtype)
    rest = probe.tokens.shape[1] - count
    q = torch.where(probe.labels > 0, lengths["query_1"], lengths["query_2"])
    low, high = torch.exp(q**2 - error * q), torch.exp(q**2 + error * q)
    nu, phi = 1 / (count * low + rest), 1 / (count * high + rest)
    own = weight * relevant[:, :, None]
    masses = {
        role: (own * (roles == role)[:, None, :]).sum(-1)[relevant] for role in (LABEL_RELEVANT, CONFUSION, OTHER)
    }
    tokens = {role: float((roles == role).sum()) / len(probe) for role in masses}
    pair = relevant[:, :, None] & relevant[:, None, :]
    cross = relevant[:, :, None] & ~relevant[:, None, :]
    bound = count * low * nu
    found = {
        "relevant_over_bound": float((weight / (low * nu)[:, None, None])[pair].min()),
        "other_over_bound": float((weight / nu[:, None, None])[cross].max()),
        "other_over_least": float((weight / phi[:, None, None])[cross].min()),
        "mass_over_bound": float((masses[LABEL_RELEVANT] / bound[:, None].expand_as(relevant)[relevant]).min()),
        "mass_own_query": float(masses[LABEL_RELEVANT].mean()),
        "mass_bound": float(bound.mean()),
    }
    for role, name in ((LABEL_RELEVANT, "relevant"), (CONFUSION, "confusion"), (OTHER, "other")):
        found[f"weight_{name}"] = float(masses[role].mean()) / tokens[role] if tokens[role] else 0.0
    return found


def neuron_projections(hidden: torch.Tensor, directions: torch.Tensor, groups: Groups) -> Quantities:
    """Projections of neurons on features: lucky ones on their own, by sign of output; unlucky ones on p_3 and on."""
    onto = hidden @ directions
    rest = onto[groups.unlucky][:, 2:]
    found = {
        "rest_largest": float(rest.max()),
        "rest_rms": float(rest.square().mean().sqrt()),
        "unlucky_norm_squared_largest": float(hidden[groups.unlucky].square().sum(1).max()),
    }
    for pattern in DISCRIMINATIVE:
        for sign, marked in (("positive", groups.positive), ("negative", ~groups.positive)):
            found[f"projection_{pattern + 1}_{sign}"] = _mean(onto[groups.of(pattern) & marked, pattern])
        found[f"projection_{pattern + 1}"] = _mean(onto[groups.of(pattern), pattern])
    return found


def shares_kept(found: torch.Tensor, groups: Groups, radius: float) -> Quantities:
    """Share of each group that Definition 2 still calls lucky, from angles [m, M]: within `radius` of the feature."""
    kept = {}
    for pattern in DISCRIMINATIVE:
        inside = (found[:, pattern] <= radius).double()
        for sign, marked in (("positive", groups.positive), ("negative", ~groups.positive)):
            kept[f"kept_{pattern + 1}_{sign}"] = _mean(inside[groups.of(pattern) & marked])
    return kept


def shares_kept_in_event(now: torch.Tensor, at_start: torch.Tensor, positive: torch.Tensor) -> Quantities:
    """Share of the neurons that the proof of Lemma 3 counts at the start and counts still, masks [m, 2]."""
    kept = {}
    for pattern in DISCRIMINATIVE:
        for sign, marked in (("positive", positive), ("negative", ~positive)):
            kept[f"event_{pattern + 1}_{sign}"] = _mean(now[at_start[:, pattern] & marked, pattern].double())
    return kept


@dataclass(frozen=True)
class Stretch:
    """What neurons did between two looks: `activity` V_i summed over the steps [m, d], `hidden` W_O half way."""

    activity: torch.Tensor
    hidden: torch.Tensor


def stretches(course: Sequence[Weights], steps: Sequence[int], learning_rate: float) -> list[Stretch]:
    """Summed activities between looks: exact over one step, by the trapezoid rule over more.

    A step is W_O <- W_O - eta dC W_V^T, so dC = (W_O - W_O') W_V^{-T} / eta.
    """
    found = []
    for i, (before, after) in enumerate(itertools.pairwise(course)):
        one = steps[i + 1] - steps[i] == 1
        value = before.value if one else (before.value + after.value) / 2
        hidden = before.hidden if one else (before.hidden + after.hidden) / 2
        moved = (before.hidden - after.hidden) / learning_rate
        found.append(Stretch(torch.linalg.solve(value, moved.T).T, hidden))
    return found


def value_drift(
    course: Sequence[Weights],
    parts: Sequence[Stretch],
    *,
    directions: torch.Tensor,
    groups: Groups,
    learning_rate: float,
) -> tuple[Quantities, list[Quantities]]:
    """How value vectors moved, split as (49) and (50) do: along lucky neurons, and along all others.

    Returns what holds at the end, and the curves. `value_left_i` is the length of W_V(t) mu_i - p_i without the lucky
    part: what z must bound where lambda is 0. `value_identity_i` is the same without the others' part as well: where
    lambda is 1. `quadrature` is what the trapezoid rule loses of the drift.
    """
    start = course[0]
    origin = start.value[:, : directions.shape[1]] - directions
    lucky = [torch.zeros_like(start.value[:, 0]) for _ in DISCRIMINATIVE]
    others = [torch.zeros_like(start.value[:, 0]) for _ in DISCRIMINATIVE]
    curves: list[Quantities] = []
    for i, weights in enumerate(course):
        if i:
            for pattern in DISCRIMINATIVE:
                pull = parts[i - 1].activity[:, pattern, None] * parts[i - 1].hidden
                lucky[pattern] = lucky[pattern] - learning_rate * pull[groups.of(pattern)].sum(0)
                others[pattern] = others[pattern] - learning_rate * pull[~groups.of(pattern)].sum(0)
        drift = weights.value - start.value
        row = {}
        for pattern in DISCRIMINATIVE:
            left = drift[:, pattern] + origin[:, pattern] - lucky[pattern]
            row[f"value_left_{pattern + 1}"] = float(left.norm())
            row[f"value_identity_{pattern + 1}"] = float((left - others[pattern]).norm())
            row[f"value_drift_{pattern + 1}"] = float(drift[:, pattern].norm())
        row["value_drift_rest"] = _largest(drift[:, 2:].norm(dim=0))
        curves.append(row)
    drift = course[-1].value - start.value
    lost = 0.0
    for pattern in DISCRIMINATIVE:
        moved = drift[:, pattern]
        lost = max(lost, float((moved - lucky[pattern] - others[pattern]).norm()) / max(float(moved.norm()), _TINY))
    return {"quadrature": lost}, curves


def activity_signs(parts: Sequence[Stretch], steps: Sequence[float], groups: Groups) -> Quantities:
    """Mean V_i over the training, by group: share below zero, and mean size; the largest size of unlucky ones.

    For neurons near p_1 V_i is read at tokens of pattern 1, near p_2 at tokens of pattern 2, for others at either.
    """
    if not parts:
        return {}
    mean = torch.stack([part.activity for part in parts]).sum(0) / (steps[-1] - steps[0])
    found = {}
    for pattern in DISCRIMINATIVE:
        for sign, marked in (("positive", groups.positive), ("negative", ~groups.positive)):
            own = mean[groups.of(pattern) & marked, pattern]
            found[f"activity_below_zero_{pattern + 1}_{sign}"] = _mean((own < 0).double())
            found[f"activity_{pattern + 1}_{sign}"] = _mean(own)
    found["activity_unlucky_largest"] = _largest(mean[groups.unlucky][:, :2].abs().flatten())
    return found


def _mean(values: torch.Tensor) -> float:
    """Mean, NaN of none."""
    return float(values.mean()) if len(values) else math.nan


def _largest(values: torch.Tensor) -> float:
    return float(values.max()) if len(values) else 0.0
