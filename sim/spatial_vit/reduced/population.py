"""Exact population risk of the reduced network, v = alpha w* and logits (beta, gamma, rho), by set types.

The noise drops out and the risk is an expectation over feature coefficients in {-1, 0, 1}. F is odd in X and the
distribution is symmetric under (X, y) -> (-X, -y), so y = 1 alone gives the risk. Patch i is seen only through its own
coefficient x, its set's sum s and the total z:

    u = D alpha (Lambda x + Gamma (s - x) + Xi (z - s)),   F = sum over patches of u^p + nu u.

A set is then a type (n_plus, n_minus) and a data point a multiset of L - 1 types beside the signal set. Rows
(multisets) share *cells* (z, type): F = counts @ output(cells), with `counts` sparse. The network is evaluated on a few
hundred cells only and the gradient is one sparse product more, which makes a step cost the same order as a table
look-up of the rows. numpy, not torch, since call overhead would dominate arrays of this size.

Convention: the logits' derivatives are *per entry*, dL/dA_ij for one pair (i, j) of the class, as gradient descent on A
moves every entry by it: d(risk)/d(gamma) divided by the D (C - 1) pairs of the class, d(risk)/d(rho) by D (D - C).
The derivative by alpha is the total one, equal to that of v along w*. [jelassi2022, Lemmas 4.1, 4.2, section 4.1]
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
from scipy import sparse

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import LABEL_THRESHOLD
from sim.spatial_vit.network.setting import Setting
from sim.trials.validation import require

MAX_ROWS = 2_000_000
"""Most multisets that the exact reduced expectation enumerates; their arrays take about 100 bytes a set and row."""


@dataclass(frozen=True)
class Weighted:
    """An expected loss, and dL/df of every cell: E[dloss/dF times how often the cell occurs], [cells].

    The loss itself is worked out when asked for: an integrator never does, and its logarithms take as long as the
    exponentials of the slope.
    """

    by_cell: np.ndarray
    expected_loss: Callable[[], float]


class PopulationTable(Protocol):
    """A distribution over data points made of cells (z, type), which is all that a gradient needs.

    Attributes:
        multiplicity: patches of a cell with own coefficient 1, -1, 0, [cells, 3].
        own, within, across: x, s - x and z - s of these patches, [cells, 3].
    """

    @property
    def multiplicity(self) -> np.ndarray:
        """Number of patches."""
        ...

    @property
    def own(self) -> np.ndarray:
        """Coefficient x."""
        ...

    @property
    def within(self) -> np.ndarray:
        """Rest of the set's sum."""
        ...

    @property
    def across(self) -> np.ndarray:
        """Rest of the total."""
        ...

    @property
    def n_rows(self) -> int:
        """Number of terms that the expectation sums."""
        ...

    def weigh(self, outputs: np.ndarray) -> Weighted:
        """Expected loss where a set of each cell adds `outputs` [cells] to F."""
        ...


@dataclass(frozen=True)
class SetTypes:
    """Rows (multisets of set types, the signal set included) over shared cells (z, type).

    Attributes:
        weights: probability of each row, [rows].
        labelling: f* of each row, [rows].
        counts: how often each cell occurs in a row, sparse [rows, cells]; `counts_t` is its transpose.
        multiplicity: patches of a cell with own coefficient 1, -1, 0, [cells, 3].
        own, within, across: x, s - x and z - s of these patches, [cells, 3].
    """

    weights: np.ndarray
    labelling: np.ndarray
    counts: sparse.csr_array
    counts_t: sparse.csr_array
    multiplicity: np.ndarray
    own: np.ndarray
    within: np.ndarray
    across: np.ndarray

    @property
    def n_rows(self) -> int:
        """Number of multisets (exact) or distinct draws (Monte Carlo)."""
        return len(self.weights)

    def weigh(self, outputs: np.ndarray) -> Weighted:
        """Expected loss and its slope by cell, where a set of each cell adds `outputs` [cells] to F."""
        totals = self.counts @ outputs
        # One exponential serves the loss and its slope, which is most of the cost of a step.
        small = np.exp(-np.abs(totals))
        return Weighted(
            by_cell=self.counts_t @ (-self.weights * np.where(totals > 0, small, 1.0) / (1.0 + small)),
            expected_loss=lambda: float(self.weights @ (np.log1p(small) + np.maximum(-totals, 0.0))),
        )


@dataclass(frozen=True)
class ReducedGradient:
    """Risk of the reduced network and its derivatives: by alpha, and per entry A_ij of each class of pairs."""

    expected_loss: Callable[[], float] = field(repr=False, compare=False)
    alignment: float
    diagonal: float
    within: float
    across: float

    @functools.cached_property
    def risk(self) -> float:
        """The risk, worked out at the first look."""
        return self.expected_loss()


def set_types(set_size: int) -> np.ndarray:
    """All (n_plus, n_minus) of one set, [types, 2]."""
    pairs = [(a, b) for a in range(set_size + 1) for b in range(set_size + 1 - a)]
    return np.array(pairs)


def type_probabilities(types: np.ndarray, setting: Setting) -> np.ndarray:
    """Multinomial probability of each type of a random set, [types]."""
    q, size = setting.spurious_rate, setting.set_size
    return np.array(
        [
            math.factorial(size) / (math.factorial(a) * math.factorial(b) * math.factorial(size - a - b))
            * (q / 2) ** (a + b) * (1 - q) ** (size - a - b)
            for a, b in types.tolist()
        ]
    )  # fmt: skip


def exact_types(setting: Setting) -> SetTypes:
    """Enumerate every multiset of L - 1 set types with its multinomial probability.

    Raises:
        ValueError: where there are more multisets than can be enumerated.
    """
    types = set_types(setting.set_size)
    n_random = setting.n_sets - 1
    n_rows = math.comb(n_random + len(types) - 1, n_random)
    rule = f"leave at most {MAX_ROWS} multisets of set types to enumerate"
    require(n_rows <= MAX_ROWS, "n_patches", rule, n_rows)
    flat = itertools.chain.from_iterable(itertools.combinations_with_replacement(range(len(types)), n_random))
    rows = np.fromiter(flat, dtype=np.int64, count=n_rows * n_random).reshape(n_rows, n_random)
    # Orderings of a multiset: (L-1)! over the factorial of each run of equal types; rows are sorted.
    run = np.ones(n_rows)
    repeats = np.ones(n_rows)
    for k in range(1, n_random):
        run = np.where(rows[:, k] == rows[:, k - 1], run + 1, 1)
        repeats *= run
    weights = type_probabilities(types, setting)[rows].prod(axis=1) * math.factorial(n_random) / repeats
    return _tabulate(setting, rows, weights)


def sampled_types(setting: Setting, *, n_draws: int, generator: torch.Generator) -> SetTypes:
    """Draw data points as counts of set types; equal draws share a row."""
    types = set_types(setting.set_size)
    probabilities = torch.from_numpy(type_probabilities(types, setting))
    draws = torch.multinomial(probabilities, n_draws * (setting.n_sets - 1), replacement=True, generator=generator)
    rows = np.sort(draws.numpy().reshape(n_draws, setting.n_sets - 1), axis=1)
    rows, repeats = np.unique(rows, axis=0, return_counts=True)
    return _tabulate(setting, rows, repeats / n_draws)


def _tabulate(setting: Setting, rows: np.ndarray, weights: np.ndarray) -> SetTypes:
    """Join rows of random set types [rows, L - 1] with the signal set and share their cells."""
    size = setting.set_size
    types = set_types(size)
    sums = types[:, 0] - types[:, 1]
    signal = int(np.flatnonzero(types[:, 0] == size)[0])
    rows = np.column_stack([np.full(len(rows), signal), rows])
    row_sums = sums[rows]
    totals = row_sums.sum(axis=1)
    keys, column = np.unique((totals[:, None] + setting.n_patches) * len(types) + rows, return_inverse=True)
    places = np.repeat(np.arange(len(rows), dtype=np.int32), rows.shape[1]), column.ravel().astype(np.int32)
    entries = (np.ones(rows.size), places)  # indices of 32 bits: a product reads half of what it would
    counts = sparse.csr_array(sparse.coo_array(entries, shape=(len(rows), len(keys))))
    total, kind = keys // len(types) - setting.n_patches, keys % len(types)
    plus, minus = types[kind].T
    own = np.array([1.0, -1.0, 0.0])
    return SetTypes(
        weights=weights,
        labelling=np.where(np.abs(row_sums) > LABEL_THRESHOLD * size, row_sums, 0).sum(axis=1),
        counts=counts,
        counts_t=sparse.csr_array(counts.T),
        multiplicity=np.column_stack([plus, minus, size - plus - minus]).astype(float),
        own=np.tile(own, (len(keys), 1)),
        within=sums[kind][:, None] - own,
        across=np.repeat((total - sums[kind]).astype(float)[:, None], 3, axis=1),
    )


@dataclass(frozen=True)
class SoftmaxValues:
    """The three entries of a softmax row and G = D (Lambda + (C - 1) Gamma). [jelassi2022, section 4.1]"""

    diagonal: float
    within: float
    across: float
    own_set: float


def softmax_values(setting: Setting, *, within: float, across: float) -> SoftmaxValues:
    """Lambda, Gamma, Xi and G at the logits (beta, gamma, rho) divided by the temperature."""
    top = max(setting.diagonal_logit, within, across)
    weight = [math.exp((x - top) / setting.temperature) for x in (setting.diagonal_logit, within, across)]
    size, n_patches = setting.set_size, setting.n_patches
    normaliser = weight[0] + (size - 1) * weight[1] + (n_patches - size) * weight[2]
    own, same, other = (x / normaliser for x in weight)
    return SoftmaxValues(diagonal=own, within=same, across=other, own_set=n_patches * (own + (size - 1) * same))


def mixed_values(table: PopulationTable, softmax: SoftmaxValues) -> np.ndarray:
    """Attention-weighted mean coefficient sum_j S_ij x_j of every patch of every cell, [cells, 3]."""
    return softmax.diagonal * table.own + softmax.within * table.within + softmax.across * table.across


def set_terms(
    table: PopulationTable, setting: Setting, *, alignment: float, within: float, across: float
) -> np.ndarray:
    """What the patches of a set of each cell with x = 1, -1, 0 add to F, [cells, 3].

    A mean coefficient that cancels but for rounding is zero: under uniform attention it is the total z, which may be 0.
    """
    softmax = softmax_values(setting, within=within, across=across)
    mixed = mixed_values(table, softmax)
    sizes = softmax.diagonal * np.abs(table.own) + softmax.within * np.abs(table.within)
    sizes += softmax.across * np.abs(table.across)
    mixed = np.where(np.abs(mixed) <= model.ROUNDING * sizes, 0.0, mixed)
    u = setting.n_patches * alignment * mixed
    return table.multiplicity * (u**setting.activation_power + setting.linear_coefficient * u)


def set_outputs(
    table: PopulationTable, setting: Setting, *, alignment: float, within: float, across: float
) -> np.ndarray:
    """What a set of each cell adds to F, [cells]."""
    return set_terms(table, setting, alignment=alignment, within=within, across=across).sum(axis=1)


def reduced_outputs(table: SetTypes, setting: Setting, *, alignment: float, within: float, across: float) -> np.ndarray:
    """F of every row, [rows]; exactly zero where its terms cancel but for rounding."""
    by_patch = set_terms(table, setting, alignment=alignment, within=within, across=across)
    outputs = table.counts @ by_patch.sum(axis=1)
    terms = table.counts @ np.abs(by_patch).sum(axis=1)
    return np.where(np.abs(outputs) <= model.ROUNDING * terms, 0.0, outputs)


def reduced_gradient(
    table: PopulationTable, setting: Setting, *, alignment: float, within: float, across: float
) -> ReducedGradient:
    """Risk and closed-form gradient of the reduced network; see the module's convention on logits."""
    softmax = softmax_values(setting, within=within, across=across)
    mixed = mixed_values(table, softmax)
    n_patches, size, power = setting.n_patches, setting.set_size, setting.activation_power
    u = n_patches * alignment * mixed
    linear_part = u ** (power - 1)
    weighted = table.weigh((table.multiplicity * u * (linear_part + setting.linear_coefficient)).sum(axis=1))
    # dL/du of one patch, summed over the patches it stands for.
    pull = weighted.by_cell[:, None] * table.multiplicity * (power * linear_part + setting.linear_coefficient)
    own, same, other, mean = (float(np.vdot(pull, x)) for x in (table.own, table.within, table.across, mixed))
    # dS_ij/dA_ij: each entry of the row gains S_ij (x_j - mean) / temperature; sums over a class, then per pair (i, j).
    scale = alignment / setting.temperature
    if softmax.diagonal == softmax.within == softmax.across:
        # Uniform attention: every patch pulls alike and sum_j (x_j - mean) = 0 over each class, for every data point.
        # Rounding would leave this saddle after some time; the exact flow never does.
        scale = 0.0
    return ReducedGradient(
        expected_loss=weighted.expected_loss,
        alignment=n_patches * mean,
        diagonal=scale * softmax.diagonal * (own - mean),
        within=scale * softmax.within * (same / (size - 1) - mean),
        across=scale * softmax.across * (other / (n_patches - size) - mean),
    )


def error_rates(table: SetTypes, outputs: np.ndarray) -> tuple[float, float]:
    """P[F f* <= 0] and P[y F <= 0] under the row weights; a tie is an error."""
    wrong_labelling = table.weights[outputs * table.labelling <= 0].sum()
    return float(wrong_labelling), float(table.weights[outputs <= 0].sum())
