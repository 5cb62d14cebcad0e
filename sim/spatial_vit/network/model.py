"""The positional-attention network (T), its logistic risk and the hand-written gradient of the latter.

    F(X) = sum_i activation(D sum_j S_ij <v, X_j>),  S = softmax over each row of A / temperature,
    activation(x) = x^p + nu x

The network sees the data only through the projections <v, X_j>, so one backward pass serves sampled data (where the
projections come from patches) and the exact population risk (where they are alpha times -1, 0 or 1).
[jelassi2022, (T), (E)]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.spatial_vit.network.setting import Setting

ROUNDING = 1e-13
"""An output below this share of its terms' absolute sum is a cancellation: a tie, whose sign is rounding alone."""


@dataclass(frozen=True)
class RiskGradient:
    """A weighted logistic risk and its derivatives.

    Attributes:
        risk: scalar.
        logits: by every entry A_ij, the diagonal included, [patches, patches].
        projections: by every <v, X_j>, [samples, patches].
        outputs: F, [samples].
    """

    risk: torch.Tensor
    logits: torch.Tensor
    projections: torch.Tensor
    outputs: torch.Tensor


def attention(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Softmax over each row of the logits divided by the temperature, [patches, patches]."""
    return torch.softmax(logits / temperature, dim=1)


def activation(x: torch.Tensor, setting: Setting) -> torch.Tensor:
    """x^p + nu x, elementwise."""
    return x * (_even_power(x, setting) + setting.linear_coefficient)


def activation_slope(x: torch.Tensor, setting: Setting) -> torch.Tensor:
    """p x^(p-1) + nu, elementwise."""
    return setting.activation_power * _even_power(x, setting) + setting.linear_coefficient


def _even_power(x: torch.Tensor, setting: Setting) -> torch.Tensor:
    """x^(p-1) by products, which are several times faster than `pow`."""
    square = x * x
    power = square
    for _ in range((setting.activation_power - 3) // 2):
        power = power * square
    return power


def output(projections: torch.Tensor, logits: torch.Tensor, setting: Setting) -> torch.Tensor:
    """F from the projections <v, X_j> [samples, patches], [samples]."""
    mixed = projections @ attention(logits, setting.temperature).T
    return activation(setting.n_patches * mixed, setting).sum(dim=1)


def settled_output(projections: torch.Tensor, logits: torch.Tensor, setting: Setting) -> torch.Tensor:
    """F as in `output`, exactly zero where its terms cancel but for rounding, [samples].

    A data point whose negative is a permutation of it has F = 0 where A is symmetric over sets; such ties are errors
    and must not be decided by the order of summation.
    """
    scores = attention(logits, setting.temperature)
    mixed = projections @ scores.T
    mixed = torch.where(mixed.abs() <= ROUNDING * (projections.abs() @ scores.T), torch.zeros_like(mixed), mixed)
    terms = activation(setting.n_patches * mixed, setting)
    outputs = terms.sum(dim=1)
    return torch.where(outputs.abs() <= ROUNDING * terms.abs().sum(dim=1), torch.zeros_like(outputs), outputs)


def forward(patches: torch.Tensor, logits: torch.Tensor, value: torch.Tensor, setting: Setting) -> torch.Tensor:
    """F from patches [samples, patches, dimension] and the value vector v [dimension], [samples]."""
    return output(patches @ value, logits, setting)


def logistic_risk(outputs: torch.Tensor, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Sum of weights times log(1 + exp(-y F)), a scalar; all arguments [samples]."""
    return (weights * torch.nn.functional.softplus(-labels * outputs)).sum()


def risk_gradient(
    projections: torch.Tensor, logits: torch.Tensor, setting: Setting, *, labels: torch.Tensor, weights: torch.Tensor
) -> RiskGradient:
    """Differentiate the weighted risk by hand; autograd would keep four more arrays of the data's size alive.

    Products over samples are taken in the precision of the projections, what they sum to in that of the logits.
    """
    scores = attention(logits, setting.temperature)
    mixing = (setting.n_patches * scores).to(projections.dtype)
    mixed = projections @ mixing.T
    outputs = activation(mixed, setting).sum(dim=1)
    by_output = -weights * labels * torch.sigmoid(-labels * outputs)
    by_mixed = by_output[:, None] * activation_slope(mixed, setting)
    by_scores = setting.n_patches * (by_mixed.T @ projections).to(scores.dtype)
    # Softmax backward: every row of the result sums to zero, since a shift of the row changes nothing.
    by_logits = scores * (by_scores - (by_scores * scores).sum(dim=1, keepdim=True)) / setting.temperature
    risk = logistic_risk(outputs, labels, weights)
    return RiskGradient(risk=risk, logits=by_logits, projections=by_mixed @ mixing, outputs=outputs)


def three_valued_logits(
    sets: torch.Tensor, *, diagonal: torch.Tensor, within: torch.Tensor, across: torch.Tensor
) -> torch.Tensor:
    """The logits with beta on the diagonal, gamma inside sets, rho across. [jelassi2022, Lemma 4.1]"""
    same_set = sets[:, None] == sets[None, :]
    logits = torch.where(same_set, within, across)
    return torch.where(torch.eye(sets.numel(), dtype=torch.bool), diagonal, logits)
