"""Closed-form gradients of the shallow ViT, without ever holding the hidden layer of a whole batch.

With C = W_O W_V, A = W_K^T W_Q, attended tokens u_l = sum_s P_ls x_s, open gates g_l = a_l * 1[C u_l >= 0] and
e_l = C^T g_l, ReLU's homogeneity gives F = mean_l u_l . e_l, and

    dF/dC = mean_l g_l u_l^T,        dF/dA = mean_l (Cov_{P_l}(x) e_l) x_l^T,

where Cov_{P_l} is the covariance of tokens under the attention of query l. The four matrices follow by the chain rule:
dW_O = dC W_V^T, dW_V = W_O^T dC, dW_Q = W_K dA, dW_K = W_Q dA^T. [li2023, eq. 81, 125, 167, 195; (167) as printed
lacks the factor 1/|S^n| that (125) carries]

The gates of one chunk of samples [chunk * L, m] fit the cache; they are used for output and gradient and then
overwritten. Samples whose hinge is inactive have no gradient and skip the second half.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.shallow_vit.model import Gradient, Weights, attention

_CHUNK_ENTRIES = 1 << 17  # gates held at once: 1 MiB in float64, about a core's second-level cache


@dataclass(frozen=True)
class Backward:
    """Outputs F [n], mean hinge loss and its gradient over a batch; `n_active` samples had a positive hinge."""

    outputs: torch.Tensor
    loss: float
    n_active: int
    gradient: Gradient | None


def hinge_gradient(
    tokens: torch.Tensor, labels: torch.Tensor, weights: Weights, *, frozen: torch.Tensor | None = None
) -> Backward:
    """Mean hinge loss of a batch and its gradient. `gradient` is None when no hinge is active.

    Args:
        tokens: [n, L, d]; labels: [n] in {-1, +1}. Everything in the precision of `weights`.
        frozen: with frozen attention, what it attends to [n, L, d] (see `attend`), which never changes and is worked
            out once. The gradients of key and query are then zero.
    """
    n, length, dimension = tokens.shape
    weight, attended = None, frozen
    if attended is None:
        weight = attention(tokens, weights.scoring)
        attended = weight @ tokens
    pulled, outputs, d_readout = _through_neurons(attended, labels, weights.output, weights.readout)
    active = labels * outputs < 1
    n_active = int(active.sum())
    loss = float((1 - labels * outputs)[active].sum()) / n
    if n_active == 0:
        return Backward(outputs, loss, 0, None)

    scale = -1.0 / (n * length)
    d_readout *= scale
    if weight is not None:
        whole = n_active == n  # what is indexed is copied
        x, p, e = (tokens, weight, pulled) if whole else (tokens[active], weight[active], pulled[active])
        # In place, since weights of many tokens are large: fresh memory for each product takes longer than the product.
        along = e @ x.transpose(1, 2)
        mean = (p * along).sum(-1, keepdim=True)
        centred = along.sub_(mean).mul_(p).mul_((scale * labels[active])[:, None, None])
        by_key = centred.transpose(1, 2) @ x
        d_scoring = x.flatten(0, 1).T @ by_key.flatten(0, 1)
    else:
        d_scoring = torch.zeros(dimension, dimension, dtype=tokens.dtype)
    gradient = Gradient(
        hidden=d_readout @ weights.value.T,
        value=weights.hidden.T @ d_readout,
        key=weights.query @ d_scoring.T,
        query=weights.key @ d_scoring,
    )
    return Backward(outputs, loss, n_active, gradient)


def _through_neurons(
    attended: torch.Tensor, labels: torch.Tensor, output: torch.Tensor, readout: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pass attended tokens [n, L, d] through the ReLU layer, chunk by chunk.

    Returns e [n, L, d], outputs F [n], and the sum over active samples of y * sum_l g_l u_l^T [m, d].
    """
    n, length, _ = attended.shape
    n_neurons = len(readout)
    chunk = max(1, min(n, _CHUNK_ENTRIES // (length * n_neurons)))
    pulled = torch.empty_like(attended)
    outputs = torch.empty(n, dtype=attended.dtype)
    d_readout = torch.zeros_like(readout)
    signs = output if output.dim() == 2 else output[None, :]
    buffer = torch.empty(chunk, length, n_neurons, dtype=attended.dtype)
    transposed = readout.T.contiguous()
    for start in range(0, n, chunk):
        stop = min(start + chunk, n)
        rows = attended[start:stop]
        gates = buffer[: stop - start]
        torch.matmul(rows, transposed, out=gates)
        gates = gates.ge_(0).mul_(signs)
        e = torch.matmul(gates, readout, out=pulled[start:stop])
        outputs[start:stop] = (e * rows).sum((1, 2)) / length
        y = labels[start:stop]
        active = y * outputs[start:stop] < 1
        if active.all():
            d_readout.addmm_(gates.flatten(0, 1).T, (rows * y[:, None, None]).flatten(0, 1))
        elif active.any():
            kept = (rows * y[:, None, None])[active].flatten(0, 1)
            d_readout.addmm_(gates[active].flatten(0, 1).T, kept)
    return pulled, outputs, d_readout


def attend(tokens: torch.Tensor, weights: Weights) -> torch.Tensor:
    """What each query attends to, u_l = sum_s P_ls x_s [n, L, d], in chunks that keep memory flat."""
    _n, length, _ = tokens.shape
    chunk = max(1, (1 << 20) // length**2)
    parts = tokens.split(chunk)
    return torch.cat([attention(part, weights.scoring) @ part for part in parts])


def evaluate(tokens: torch.Tensor, weights: Weights) -> torch.Tensor:
    """Outputs F [n] of many samples, in chunks that keep memory flat."""
    n, length, _ = tokens.shape
    chunk = max(1, (1 << 20) // (length * max(length, len(weights.hidden))))
    readout = weights.readout.T.contiguous()
    outputs = torch.empty(n, dtype=tokens.dtype, device=tokens.device)
    for start in range(0, n, chunk):
        hidden = torch.matmul(attend(tokens[start : start + chunk], weights), readout).relu_()
        outputs[start : start + chunk] = hidden.mul_(weights.output).sum((1, 2)) / length
    return outputs
