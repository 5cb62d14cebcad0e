"""The engines whose steps are compiled: they lay torch's tensors out for the kernels and read results back."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
import torch

from sim.kernels.layout import aligned, lane_count, padded
from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine import collapsed
from sim.shallow_vit.engine import grouped as kernels
from sim.shallow_vit.engine.arrays import GradientDescent, Network, Scratch, Tokens
from sim.shallow_vit.engine.collapsed import CollapsedPoints, PointScratch
from sim.shallow_vit.engine.descent import multiply_out
from sim.shallow_vit.engine.interface import Advance, Masses, StepRule
from sim.shallow_vit.engine.screening import Idle
from sim.shallow_vit.engine.structure import (
    distinct_samples,
    pattern_points,
    same_tokens_by_pattern,
    shared_points,
    sums_fit,
)
from sim.shallow_vit.gradients import evaluate
from sim.shallow_vit.model import Weights

_DENSE_ABOVE = 0.5  # share of neurons on an edge from which on settling the others no longer pays
_CHUNK_SAMPLES = 128  # laid out at once where only outputs are wanted


class _CompiledEngine(ABC):
    """What both kinds of compiled engines share: the network, and what a step does to it."""

    name: str

    def __init__(self, train: Samples, weights: Weights, rule: StepRule, *, dense_above: float) -> None:
        kind = train.tokens.numpy().dtype
        self._output, self._n_neurons = weights.output, len(weights.hidden)
        self._network = aligned(_network(weights))
        self._axes = (0,) * train.tokens.shape[2]
        self._descent = aligned(_descent(self._network))
        self._protocol = (
            rule.batch_size,
            self._n_neurons,
            kind.type(rule.learning_rate),
            rule.train_attention,
            dense_above,
        )
        multiply_out(self._network, self._axes)

    def weights(self) -> Weights:
        """Weights as they are now."""
        network = self._network
        return Weights(
            hidden=torch.from_numpy(network.hidden[:, : self._n_neurons].T.copy()),
            value=torch.from_numpy(network.value.copy()),
            key=torch.from_numpy(network.key.copy()),
            query=torch.from_numpy(network.query.copy()),
            output=self._output,
        )

    def outputs(self, samples: Samples) -> torch.Tensor:
        """Outputs F [n] of any samples under the weights as they are now."""
        chunks = range(0, len(samples), _CHUNK_SAMPLES)
        return torch.cat([self._outputs(samples[start : start + _CHUNK_SAMPLES]) for start in chunks])

    @abstractmethod
    def _outputs(self, samples: Samples) -> torch.Tensor:
        """Outputs of one chunk."""


class FusedEngine(_CompiledEngine):
    """Any tokens; with `grouped`, one gate for all tokens of a pattern wherever it is certain."""

    def __init__(self, train: Samples, weights: Weights, rule: StepRule, *, grouped: bool) -> None:
        super().__init__(train, weights, rule, dense_above=_DENSE_ABOVE if grouped else -1.0)
        self.name = "grouped" if grouped else "fused"
        self._train = train
        self._tokens = aligned(self._lay_out(train))
        self._scratch = aligned(_scratch(self._tokens, self._network))
        self._idle = aligned(_idle(train, weights, asked=grouped))
        if not rule.train_attention:
            attended = np.zeros_like(self._tokens.columns)
            kernels.attend_all(self._network, self._tokens, self._scratch, self._axes, attended)
            self._tokens = self._tokens._replace(attended=attended)
        self._probes: dict[int, tuple[Tokens, Scratch, np.ndarray]] = {}

    def _lay_out(self, samples: Samples) -> Tokens:
        patterns = samples.patterns if self.name == "grouped" else torch.zeros_like(samples.patterns)
        return _tokens(samples, patterns)

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run steps on consecutive batches of a pass."""
        progress = kernels.train(
            self._network, self._tokens, self._scratch, self._descent, self._idle, order.numpy(), first, count,
            self._protocol, self._axes,
        )  # fmt: skip
        return Advance(*progress)

    def masses(self, n_samples: int) -> Masses:
        """Attention masses on the first training samples."""
        n_samples = min(n_samples, len(self._train))  # kernels check no index
        if n_samples not in self._probes:  # curves ask for the same samples again and again
            probe = self._train[:n_samples]
            tokens = _tokens(probe, probe.patterns)
            roles = _roles_by_pattern(probe.labels, tokens.bounds.shape[1] - 1)
            self._probes[n_samples] = tokens, _scratch(tokens, self._network), roles
        tokens, scratch, roles = self._probes[n_samples]
        rows = np.empty((n_samples, 6))
        kernels.masses(self._network, tokens, scratch, roles, self._axes, rows)
        return _masses(rows)

    def _outputs(self, samples: Samples) -> torch.Tensor:
        tokens = self._lay_out(samples)
        out = np.empty(len(samples), tokens.rows.dtype)
        scratch = _scratch(tokens, self._network)
        dense_above = self._protocol[-1]
        kernels.outputs(self._network, tokens, scratch, self._n_neurons, dense_above, self._axes, out)
        return torch.from_numpy(out)


class CollapsedEngine(_CompiledEngine):
    """Tokens of a pattern identical within each sample."""

    name = "collapsed"

    def __init__(self, train: Samples, weights: Weights, rule: StepRule) -> None:
        super().__init__(train, weights, rule, dense_above=0.0)
        self._n_patterns = int(train.patterns.max()) + 1
        self._train = train
        points, self._kinds = self._lay_out(train)
        self._points = aligned(points)
        self._scratch = aligned(_point_scratch(self._points, self._network))
        self._roles = _roles_by_pattern(torch.from_numpy(self._points.labels), self._points.rows.shape[1])

    def _lay_out(self, samples: Samples) -> tuple[CollapsedPoints, np.ndarray]:
        n_patterns = int(samples.patterns.max()) + 1
        if self._output.dim() == 2:
            kinds = torch.arange(len(samples))
            sums = _output_sums(samples.patterns, self._output, n_patterns)
        else:
            kept, kinds = distinct_samples(samples, n_patterns)
            samples = samples[kept]
            sums = self._output[None, None]
        points, counts = pattern_points(samples, n_patterns)
        laid_out = CollapsedPoints(
            rows=shared_points(points, counts).numpy(),
            counts=counts.numpy().astype(points.numpy().dtype),
            output_sums=_pad(sums.numpy(), vectors=2),
            labels=samples.labels.numpy(),
            length=samples.tokens.shape[1],
        )
        return laid_out, kinds.numpy()

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run steps on consecutive batches of a pass."""
        progress = collapsed.train(
            self._network, self._points, self._kinds, self._scratch, self._descent, order.numpy(), first, count,
            self._protocol, self._axes,
        )  # fmt: skip
        return Advance(*progress)

    def masses(self, n_samples: int) -> Masses:
        """Attention masses on the first training samples."""
        kinds = self._kinds[:n_samples]
        rows = np.empty((int(kinds.max()) + 1, 6))
        collapsed.masses(self._network, self._points, self._scratch, self._roles, rows)
        return _masses(rows[kinds])

    def _outputs(self, samples: Samples) -> torch.Tensor:
        if not same_tokens_by_pattern(samples):
            return evaluate(samples.tokens, self.weights())
        points, kinds = self._lay_out(samples)
        out = np.empty(len(points.labels), points.rows.dtype)
        collapsed.outputs(self._network, points, _point_scratch(points, self._network), self._axes, out)
        return torch.from_numpy(out[kinds])


def _network(weights: Weights) -> Network:
    dimension = weights.value.shape[1]
    hidden = _pad(weights.hidden.numpy().T, vectors=2)
    output = _pad(weights.output.numpy().reshape(-1, len(weights.hidden)), vectors=2)
    panel = 2 * lane_count(hidden.dtype)
    return Network(
        hidden=hidden,
        value=weights.value.numpy().copy(),
        key=weights.key.numpy().copy(),
        query=weights.query.numpy().copy(),
        output=np.ascontiguousarray(output.reshape(len(output), -1, panel).transpose(1, 0, 2)),
        readout=np.zeros((dimension, hidden.shape[1]), hidden.dtype),
        scoring=np.zeros((dimension, dimension), hidden.dtype),
    )


def _descent(network: Network) -> GradientDescent:
    kind, dimension = network.readout.dtype, len(network.readout)
    lanes = lane_count(kind)
    return GradientDescent(
        readout=np.zeros_like(network.readout),
        scoring=np.zeros(dimension * dimension * lanes, kind),
        value=np.zeros(network.value.size * lanes, kind),
        key_row=np.zeros(dimension, kind),
        query_row=np.zeros(dimension, kind),
    )


def _tokens(samples: Samples, groups: torch.Tensor) -> Tokens:
    """Samples with their tokens sorted by group."""
    n, length, dimension = samples.tokens.shape
    order = groups.argsort(dim=1, stable=True)
    rows = samples.tokens.gather(1, order[:, :, None].expand(-1, -1, dimension)).numpy()
    counts = (groups[:, None, :] == torch.arange(int(groups.max()) + 1)[:, None]).sum(2)
    bounds = torch.cat([torch.zeros(n, 1, dtype=torch.long), counts.cumsum(1)], dim=1)
    return Tokens(
        rows=rows,
        columns=_pad(rows.transpose(0, 2, 1)),
        bounds=bounds.numpy(),
        positions=order.numpy(),
        reach=np.sqrt((rows * rows).sum(2)).max(1) * rows.dtype.type(1.001),
        labels=samples.labels.numpy(),
        attended=np.empty((0, dimension, padded(length, rows.dtype)), rows.dtype),
    )


def _scratch(tokens: Tokens, network: Network) -> Scratch:
    kind = tokens.rows.dtype
    _, length, dimension = tokens.rows.shape
    queries, neurons, n_groups = tokens.columns.shape[2], network.readout.shape[1], tokens.bounds.shape[1] - 1

    def empty(*shape: int) -> np.ndarray:
        return np.zeros(shape, kind)

    return Scratch(
        weights=empty(length * queries),
        inverse=empty(queries),
        attended=empty(dimension * queries),
        errors=empty(dimension * queries),
        partial=empty(length * dimension * lane_count(kind)),
        sums=empty(n_groups, dimension),
        centre=empty(dimension),
        radius=empty(dimension),
        gates=empty(n_groups, neurons),
        edge=np.zeros((n_groups, neurons), np.int64),
        edge_size=np.zeros(n_groups, np.int64),
        edge_readout=empty(n_groups, dimension, neurons),
        edge_gates=empty(length, neurons),
        edge_moments=empty(n_groups, dimension, neurons),
        moments=empty(dimension, neurons),
    )


def _idle(train: Samples, weights: Weights, *, asked: bool) -> Idle:
    """What settles inactive hinges, where groups are those of patterns and their sums fit memory."""
    n_patterns, dimension = int(train.patterns.max()) + 1, train.tokens.shape[2]
    if not asked or not sums_fit(train, weights):
        sums = torch.empty(0, 1, 1, dtype=weights.output.dtype)
    elif weights.output.dim() == 1:
        sums = weights.output[None, None]
    else:
        chunks = train.patterns.split(_CHUNK_SAMPLES)
        sums = torch.cat([_output_sums(chunk, weights.output, n_patterns) for chunk in chunks])
    kind = train.tokens.numpy().dtype
    return Idle(
        sums=_pad(sums.numpy(), vectors=2),
        length=np.array([float(weights.output.double().norm(dim=-1).max())]),
        gram=np.zeros((dimension, dimension), kind),
        roots=np.zeros(dimension, kind),
        before=np.zeros(len(train), np.uint8),
    )


def _point_scratch(points: CollapsedPoints, network: Network) -> PointScratch:
    _, n_points, dimension = points.rows.shape
    kind = points.rows.dtype
    return PointScratch(
        scores=np.zeros((n_points, n_points), kind),
        powers=np.zeros((n_points, n_points), kind),
        weights=np.zeros((n_points, n_points), kind),
        attended=np.zeros((n_points, dimension), kind),
        scored=np.zeros(dimension, kind),
        errors=np.zeros(dimension, kind),
        gates=np.zeros((n_points, network.readout.shape[1]), kind),
        pulled=np.zeros((n_points, dimension), kind),
    )


def _output_sums(patterns: torch.Tensor, output: torch.Tensor, n_patterns: int) -> torch.Tensor:
    """Sum of a per-token output layer [L, m] over the tokens of each pattern [n, K, m]."""
    belongs = patterns[:, None, :] == torch.arange(n_patterns)[:, None]
    return belongs.to(output.dtype) @ output


def _roles_by_pattern(labels: torch.Tensor, n_patterns: int) -> np.ndarray:
    """Role of every pattern in every sample [n, K]: 0 label-relevant, 1 confusion, 2 other. See `Samples.roles`."""
    patterns = torch.arange(n_patterns).expand(len(labels), -1)
    return Samples(tokens=patterns, labels=labels, patterns=patterns).roles.numpy()


def _masses(rows: np.ndarray) -> Masses:
    """Masses of samples, from one row each (see `grouped.masses`)."""
    return Masses(
        label_relevant=float(rows[:, 0].mean()),
        confusion=float(rows[:, 1].mean()),
        other=float(rows[:, 2].mean()),
        own_query=float(rows[:, 3].sum() / rows[:, 4].sum()) if rows[:, 4].any() else math.nan,
        worst_query=float(rows[:, 5].min()),
    )


def _pad(values: np.ndarray, *, vectors: int = 1) -> np.ndarray:
    """Values with zeros at the end of their last axis, to whole vectors."""
    width = padded(values.shape[-1], values.dtype, vectors=vectors)
    out = np.zeros((*values.shape[:-1], width), values.dtype)
    out[..., : values.shape[-1]] = values
    return out
