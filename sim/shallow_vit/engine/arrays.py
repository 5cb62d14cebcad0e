"""What the compiled kernels read and write: plain arrays under names, laid out for whole vectors.

Rows are padded to whole vectors with zero weights, which add nothing anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Tokens(NamedTuple):
    """Samples as the kernels read them; within a sample, tokens are sorted by group.

    Attributes:
        rows: [n, L, d]; columns: the same transposed and padded [n, d, stride].
        bounds: [n, K + 1], tokens bounds[k] to bounds[k + 1] form group k.
        positions: [n, L], place of each token in the sample as drawn, which decides its row of a per-token output.
        reach: [n], largest length of a token.
        attended: [n, d, stride] with frozen attention, otherwise empty.
    """

    rows: np.ndarray
    columns: np.ndarray
    bounds: np.ndarray
    positions: np.ndarray
    reach: np.ndarray
    labels: np.ndarray
    attended: np.ndarray


class Network(NamedTuple):
    """Weights with neurons along the last, padded axis.

    `hidden` W_O^T [m_a, stride], `value` W_V, `key` W_K, `query` W_Q; `output` a [panels, 1 or L, 2 lanes], cut into
    panels of two vectors; the products `readout` (W_O W_V)^T [d, stride] and `scoring` W_K^T W_Q [d, d] follow them.
    """

    hidden: np.ndarray
    value: np.ndarray
    key: np.ndarray
    query: np.ndarray
    output: np.ndarray
    readout: np.ndarray
    scoring: np.ndarray


class GradientDescent(NamedTuple):
    """Gradients of a batch and room to apply them.

    `readout` dC^T [d, stride], `scoring` dA [d, d, lanes] (not yet summed over lanes, afterwards [d, d] in front),
    `value` [m_a, d, lanes], `key_row` and `query_row` [d].
    """

    readout: np.ndarray
    scoring: np.ndarray
    value: np.ndarray
    key_row: np.ndarray
    query_row: np.ndarray


class Scratch(NamedTuple):
    """Working memory, written before it is read in every sample."""

    weights: np.ndarray  # attention before normalisation [L, tokens]: one row per key
    inverse: np.ndarray  # one over its sums [tokens]
    attended: np.ndarray  # [d, tokens]
    errors: np.ndarray  # e [d, tokens]
    partial: np.ndarray  # sums for e, not yet added over lanes [L, d, lanes]
    sums: np.ndarray  # of attended tokens by group [K, d]
    centre: np.ndarray  # mean of the group at hand [d]
    radius: np.ndarray  # its largest deviations [d]
    gates: np.ndarray  # 1 for neurons open for all tokens of a group [K, neurons]
    edge: np.ndarray  # neurons on a group's edge [K, neurons]
    edge_size: np.ndarray  # how many they are [K]
    edge_readout: np.ndarray  # their weights [K, d, neurons]
    edge_gates: np.ndarray  # a times their gates [L, neurons]
    edge_moments: np.ndarray  # sum over tokens of gates and attended tokens [K, d, neurons]
    moments: np.ndarray  # the same for the other neurons, summed over groups [d, neurons]


class TrainingProgress(NamedTuple):
    """What became of a block of steps: see `interface.Advance`."""

    steps: int
    last_move: int
    loss: float
    first_loss: float
    sane: bool
