"""Sums over every step of a training, taken while it runs: how active each neuron was, and what neurons pulled at.

The activity V_i of a neuron at tokens of pattern j is entry (i, j) of dC, the gradient in C = W_O W_V, where tokens are
the unit vectors of their patterns; a step moves the value vector of pattern j along the sum of V_i times neuron i. Both
are wanted of every step, and a look at the weights after each would cost as much as the training: the compiled engines
therefore sum inside their loops. Any other engine is asked for its weights, which takes a small part of its steps:
dW_O = dC W_V^T gives dC. [li2023, eq. 49, 197]
"""

from __future__ import annotations

import functools
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from sim.kernels.cache import kernels_kept
from sim.kernels.layout import aligned, padded
from sim.shallow_vit.engine.interface import Advance, Engine

_COMPILED = ("collapsed", "grouped", "fused")
N_PATTERNS = 2
"""Patterns 1 and 2, the ones that a label may hang on, are summed for."""


class Sums(NamedTuple):
    """What is summed, with neurons along the last axis as in `arrays.Network`.

    Attributes:
        before: W_O^T before the step at hand [m_a, stride].
        members: 1 for neurons of the group of a pattern [2, so many whole vectors that all members are within].
        activity: V_i at tokens of a pattern [2, stride].
        own, every: V_i W_O_i over the neurons of the pattern's group, and over all [2, m_a].
    """

    before: np.ndarray
    members: np.ndarray
    activity: np.ndarray
    own: np.ndarray
    every: np.ndarray


class Tally:
    """Sums over the steps of one engine, which from now on takes its steps through `advance`.

    Args:
        members: which neurons form the group of patterns 1 and 2 [m, 2].

    Attributes:
        steps: how many were taken.
    """

    def __init__(self, engine: Engine, members: torch.Tensor, learning_rate: float) -> None:
        self._engine, self._advance, self._rate = engine, engine.advance, learning_rate
        self._n_neurons, self.steps = len(members), 0
        hidden = engine.weights().hidden.numpy().T
        before = engine._network.hidden if engine.name in _COMPILED else hidden  # type: ignore[attr-defined]
        last = int(members.any(1).nonzero().max()) + 1 if members.any() else 0
        marked = np.zeros((N_PATTERNS, padded(last, before.dtype)), before.dtype)
        marked[:, :last] = members[:last].numpy().T
        pulled = np.zeros((N_PATTERNS, len(before)), before.dtype)
        activity = np.zeros((N_PATTERNS, before.shape[1]), before.dtype)
        self._sums = aligned(Sums(np.zeros_like(before), marked, activity, pulled, pulled.copy()))
        engine.advance = self.advance  # type: ignore[method-assign]

    @property
    def activity(self) -> torch.Tensor:
        """V_i at tokens of patterns 1 and 2, summed over steps [m, 2]."""
        return torch.from_numpy(self._sums.activity[:, : self._n_neurons].T.copy())

    @property
    def own(self) -> torch.Tensor:
        """V_i times neuron i, summed over steps and the pattern's own group [2, m_a]."""
        return torch.from_numpy(self._sums.own.copy())

    @property
    def every(self) -> torch.Tensor:
        """V_i times neuron i, summed over steps and all neurons [2, m_a]."""
        return torch.from_numpy(self._sums.every.copy())

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run steps as the engine does, and sum over them."""
        if self._engine.name in _COMPILED:
            done = self._advance_compiled(order, first, count)
        else:
            done = self._advance_one_by_one(order, first, count)
        self.steps += done.steps
        return done

    def _advance_compiled(self, order: torch.Tensor, first: int, count: int) -> Advance:
        engine: Any = self._engine
        block = (order.numpy(), first, count, engine._protocol, engine._axes, self._sums)
        if engine.name == "collapsed":
            begin = (engine._network, engine._points, engine._kinds, engine._scratch, engine._descent)
            return Advance(*_kernels().train_collapsed(*begin, *block))
        begin = (engine._network, engine._tokens, engine._scratch, engine._descent, engine._idle)
        return Advance(*_kernels().train_grouped(*begin, *block))

    def _advance_one_by_one(self, order: torch.Tensor, first: int, count: int) -> Advance:
        last_move, loss, first_loss = -1, 0.0, 0.0
        weights = self._engine.weights()
        for step in range(count):
            done = self._advance(order, first + step, 1)
            if not done.sane:
                return Advance(step, last_move, loss, first_loss, sane=False)
            loss = done.loss
            first_loss = loss if step == 0 else first_loss
            if done.last_move == 0:
                last_move = step
                before, weights = weights, self._engine.weights()
                moved = (before.hidden - weights.hidden).numpy() / self._rate
                self._add(moved, before.value.numpy(), before.hidden.numpy())
        return Advance(count, last_move, loss, first_loss, sane=True)

    def _add(self, moved: np.ndarray, value: np.ndarray, hidden: np.ndarray) -> None:
        """Add a step from dW_O and the weights before it."""
        sums = self._sums
        back = np.linalg.solve(value.T, np.eye(len(value))[:, :N_PATTERNS])
        activity = (moved @ back).T
        sums.activity[:] += activity
        reach = min(sums.members.shape[1], len(hidden))
        sums.own[:] += (activity[:, :reach] * sums.members[:, :reach]) @ hidden[:reach]
        sums.every[:] += activity @ hidden


@functools.cache
def _kernels() -> ModuleType:
    """The compiled loops, bound to the cache of their package."""
    with kernels_kept(Path(__file__).parent):
        from sim.shallow_vit.engine import tally_kernels as module
    return module
