"""What the proof of Lemma 2 speaks of, read off the weights at some steps of one training and off sums over all steps.

Features are those of Assumption 1: p_j the orthonormal vectors near which W_V(0) was drawn, q_j = r_j the unit vectors,
near which W_K(0) and W_Q(0) start. Tokens are exact patterns, unit vectors too. All of it is linear algebra on what the
training had anyway: no gradient is taken a second time. Leading axes `...` are those of the looks.
[li2023, Definitions 1 and 2, Lemma 2]
"""

from __future__ import annotations

import math

import torch

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, OTHER
from sim.shallow_vit.groups import DISCRIMINATIVE, Groups
from sim.shallow_vit.points import TokenPoints, attention

Quantities = dict[str, torch.Tensor]
"""Values by name [...], one a look."""
_TINY = 1e-300  # what has not moved has lost nothing


def angles(hidden: torch.Tensor, directions: torch.Tensor) -> torch.Tensor:
    """Angle of every neuron to every feature [..., m, M], from W_O [..., m, m_a]."""
    cosines = hidden @ directions / hidden.norm(dim=-1, keepdim=True)
    return torch.arccos(cosines.clamp(-1, 1))


def closest_by_a_margin(found: torch.Tensor, error: float) -> torch.Tensor:
    """Neurons that the proof of Lemma 3 counts for each discriminative pattern [..., m, 2], from angles [..., m, M]."""
    widening = 2 * math.asin(min(error / 2, 1.0))
    counted = []
    for pattern in DISCRIMINATIVE:
        others = torch.cat([found[..., :pattern], found[..., pattern + 1 :]], dim=-1)
        counted.append(found[..., pattern] + widening <= others.amin(-1) - widening)
    return torch.stack(counted, dim=-1)


def feature_lengths(query: torch.Tensor, key: torch.Tensor) -> Quantities:
    """||q_i(t)|| and ||r_i(t)|| from W_Q and W_K at each look, from the start on [T, m_b, d].

    Each is 1 and what the matrix gained along the feature; the start's error stays an error.
    """
    found = {}
    for pattern in DISCRIMINATIVE:
        for name, matrix in (("query", query), ("key", key)):
            found[f"{name}_{pattern + 1}"] = 1 + (matrix - matrix[0])[:, pattern, pattern]
    return found


def attention_against_bounds(
    probe: TokenPoints, scoring: torch.Tensor, lengths: Quantities, error: float
) -> Quantities:
    """Weights of label-relevant queries against Definition 1, worst over queries, keys and samples.

    `scoring` is W_K^T W_Q [T, d, d], `error` delta + tau. `relevant_over_bound` is the least weight on a label-relevant
    token over E nu_n, the right side of (43); `other_over_bound` the largest weight on another token over nu_n, that of
    (45); `other_over_least` the smallest over phi_n; `mass_over_bound` the least mass over p_n. `weight_*` are means by
    role of the key.
    """
    there = probe.counts > 0
    relevant = (probe.roles == LABEL_RELEVANT) & there
    count = (probe.counts * relevant).sum(1)
    rest = probe.length - count
    q = torch.where(probe.labels > 0, lengths["query_1"][:, None], lengths["query_2"][:, None])
    low, high = torch.exp(q**2 - error * q), torch.exp(q**2 + error * q)
    nu, phi = 1 / (count * low + rest), 1 / (count * high + rest)
    bound = count * low * nu
    sample, query = relevant.nonzero(as_tuple=True)
    weight, times = attention(probe, scoring)[:, sample, query], probe.counts[sample, query]
    on_relevant, on_others = relevant[sample], (there & ~relevant)[sample]
    most_on_others = weight.where(on_others, -math.inf).amax(-1)
    least_on_others = weight.where(on_others, math.inf).amin(-1)
    least_on_relevant = weight.where(on_relevant, math.inf).amin(-1)
    mass = (weight * (probe.counts * relevant)[sample]).sum(-1)
    found = {
        "relevant_over_bound": (least_on_relevant / (low * nu)[:, sample]).amin(-1),
        "other_over_bound": (most_on_others / nu[:, sample]).amax(-1),
        "other_over_least": (least_on_others / phi[:, sample]).amin(-1),
        "mass_over_bound": (mass / bound[:, sample]).amin(-1),
        "mass_own_query": mass @ times / times.sum(),
        "mass_bound": bound.mean(-1),
    }
    for role, name in ((LABEL_RELEVANT, "relevant"), (CONFUSION, "confusion"), (OTHER, "other")):
        tokens = probe.counts * (probe.roles == role)
        each = max(float(tokens.sum()) / len(tokens), 1 / len(tokens))
        found[f"weight_{name}"] = (weight * tokens[sample]).sum(-1) @ times / times.sum() / each
    return found


def missing_by_query(probe: TokenPoints, scoring: torch.Tensor) -> dict[str, float]:
    """What queries lack to a mass of 1 on label-relevant tokens: the worst of any sample, and all on average.

    `scoring` is W_K^T W_Q [1, d, d].
    """
    there = probe.counts > 0
    relevant = probe.counts * ((probe.roles == LABEL_RELEVANT) & there)
    missing = 1 - (attention(probe, scoring)[0] * relevant[:, None]).sum(-1)
    return {
        "worst_query_missing_at_end": float(missing[there].max()),
        "average_query_missing_at_end": float((missing * probe.counts).sum() / probe.counts.sum()),
    }


def neuron_projections(hidden: torch.Tensor, directions: torch.Tensor, groups: Groups) -> Quantities:
    """Projections of neurons on features: lucky ones on their own, by sign of output; unlucky ones on p_3 and on."""
    onto = hidden @ directions
    rest = onto[..., groups.unlucky, 2:]
    found = {
        "rest_largest": rest.amax((-2, -1)),
        "rest_rms": rest.square().mean((-2, -1)).sqrt(),
        "unlucky_norm_squared_largest": hidden.square().sum(-1)[..., groups.unlucky].amax(-1),
    }
    for pattern in DISCRIMINATIVE:
        for sign, marked in groups.signs():
            found[f"projection_{pattern + 1}_{sign}"] = onto[..., groups.of(pattern) & marked, pattern].mean(-1)
        found[f"projection_{pattern + 1}"] = onto[..., groups.of(pattern), pattern].mean(-1)
    return found


def shares_kept(found: torch.Tensor, groups: Groups, radius: float) -> Quantities:
    """Share of each group that Definition 2 still calls lucky, from angles [..., m, M]: within `radius`."""
    kept = {}
    for pattern in DISCRIMINATIVE:
        inside = (found[..., pattern] <= radius).double()
        for sign, marked in groups.signs():
            kept[f"kept_{pattern + 1}_{sign}"] = inside[..., groups.of(pattern) & marked].mean(-1)
    return kept


def shares_kept_in_event(now: torch.Tensor, at_start: torch.Tensor, groups: Groups) -> Quantities:
    """Share of the neurons that the proof of Lemma 3 counts at the start [m, 2] and counts still [..., m, 2]."""
    kept = {}
    for pattern in DISCRIMINATIVE:
        for sign, marked in groups.signs():
            counted = now[..., at_start[:, pattern] & marked, pattern]
            kept[f"event_{pattern + 1}_{sign}"] = counted.double().mean(-1)
    return kept


def shares_in_event(now: torch.Tensor, groups: Groups) -> Quantities:
    """Share of each planted group that the proof of Lemma 3 counts [...], from whom it counts [..., m, 2]."""
    found = {}
    for pattern in DISCRIMINATIVE:
        for sign, marked in groups.signs():
            counted = now[..., groups.of(pattern) & marked, pattern]
            found[f"lucky_in_event_{pattern + 1}_{sign}"] = counted.double().mean(-1)
    return found


def value_drift(
    value: torch.Tensor, lucky: torch.Tensor, others: torch.Tensor, *, directions: torch.Tensor
) -> Quantities:
    """How value vectors moved, split as (49) and (50) do: along lucky neurons, and along all others.

    Args:
        value: W_V at each look, from the start on [T, m_a, d].
        lucky, others: what the value vectors of patterns 1 and 2 were moved by up to each look [T, 2, m_a].

    `value_left_i` is the length of W_V(t) mu_i - p_i without the lucky part: what z must bound where lambda is 0.
    `value_identity_i` is the same without the others' part as well: where lambda is 1. `value_lost` is the largest
    part of the drift that neither sum has.
    """
    drift = value - value[0]
    origin = value[0][:, : directions.shape[1]] - directions
    row, lost = {}, torch.zeros(len(value), dtype=value.dtype)
    for pattern in DISCRIMINATIVE:
        moved = drift[..., pattern]
        left = moved + origin[:, pattern] - lucky[:, pattern]
        row[f"value_left_{pattern + 1}"] = left.norm(dim=-1)
        row[f"value_identity_{pattern + 1}"] = (left - others[:, pattern]).norm(dim=-1)
        row[f"value_drift_{pattern + 1}"] = moved.norm(dim=-1)
        missing = (moved - lucky[:, pattern] - others[:, pattern]).norm(dim=-1)
        lost = torch.maximum(lost, missing / moved.norm(dim=-1).clamp(min=_TINY))
    return {**row, "value_drift_rest": drift[..., 2:].norm(dim=-2).amax(-1), "value_lost": lost}


def activity_signs(mean: torch.Tensor, groups: Groups) -> dict[str, float]:
    """Mean V_i over the training, by group: share below zero, and mean size; the largest size of unlucky ones.

    Args:
        mean: V_i at tokens of patterns 1 and 2 [m, 2]. For neurons near p_1 it is read at tokens of pattern 1, near p_2
            at tokens of pattern 2, for others at either.
    """
    found = {}
    for pattern in DISCRIMINATIVE:
        for sign, marked in groups.signs():
            own = mean[groups.of(pattern) & marked, pattern]
            found[f"activity_below_zero_{pattern + 1}_{sign}"] = float((own < 0).double().mean())
            found[f"activity_{pattern + 1}_{sign}"] = float(own.mean())
    found["activity_unlucky_largest"] = float(mean[groups.unlucky].abs().max())
    return found
