"""Descents on compiled kernels: arrays in their layout, and the same contract for all logits and for v alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch

from sim.kernels.layout import aligned_array, lane_count
from sim.spatial_vit.engine import full_kernels, value_kernels
from sim.spatial_vit.engine.full_kernels import CONVERGED, DIVERGED, STRIDE, DescentRule, FullProblem, Room
from sim.spatial_vit.engine.value_kernels import ValueProblem, ValueRoom
from sim.spatial_vit.network.descent import DIVERGED_RISK
from sim.spatial_vit.network.setting import Setting
from sim.trials.trial import Outcome

Look = TypeVar("Look")
"""What is kept of a state."""
_OUTCOMES = {CONVERGED: Outcome.CONVERGED, DIVERGED: Outcome.DIVERGED}


@dataclass(frozen=True)
class Reached:
    """How far a descent came: steps of the call, risk, share of errors (where counted), and how it ended if it did."""

    steps: int
    risk: float
    error: float
    outcome: Outcome | None


class Descent:
    """A descent that goes on where it stands."""

    def __init__(
        self, kernel: Callable[..., Any], problem: FullProblem | ValueProblem, rule: DescentRule, room: Any
    ) -> None:
        self._kernel, self._problem, self._rule, self._room = kernel, problem, rule, room

    def advance(self, count: int) -> Reached:
        """Take at most `count` steps; the risk is that of the state reached."""
        steps, risk, error, standing = self._kernel(self._problem, self._rule, self._room, count)
        return Reached(steps, risk, error, _OUTCOMES.get(standing))

    def followed(self, steps: Iterable[int], look: Callable[[int, Reached], Look]) -> tuple[Outcome, tuple[Look, ...]]:
        """Go on to each of these steps in turn and look, up to the first at or before which the descent ends."""
        step, looks = 0, []
        for target in steps:
            reached = self.advance(target - step)
            step += reached.steps
            looks.append(look(step, reached))
            if reached.outcome is not None:
                return reached.outcome, tuple(looks)
        return Outcome.BUDGET, tuple(looks)

    @property
    def logits(self) -> torch.Tensor:
        """A, [patches, patches], a copy."""
        return torch.from_numpy(self._problem.logits.copy())  # type: ignore[union-attr]

    @property
    def value(self) -> torch.Tensor:
        """v, [dimension], a copy."""
        return torch.from_numpy(self._problem.value.copy())


def rule_of(setting: Setting, *, logits_rate: float, value_rate: float, stop_risk: float) -> DescentRule:
    """What a step does in a setting, at rates of its own for A and v."""
    return DescentRule(
        temperature=setting.temperature, power=setting.activation_power, linear=setting.linear_coefficient,
        logits_rate=logits_rate, value_rate=value_rate, stop_risk=stop_risk, diverged_risk=DIVERGED_RISK,
    )  # fmt: skip


def full_descent(patches: torch.Tensor, logits: torch.Tensor, value: torch.Tensor, rule: DescentRule) -> Descent:
    """On all off-diagonal logits and v; `patches` y X [samples, patches, dimension], whose precision decides."""
    n_samples, n_patches, dimension = patches.shape
    laid = _by_lanes(patches.numpy())
    kind, lanes = laid.dtype, laid.shape[-1]
    room = Room(
        direction=np.zeros(dimension, kind), mixing=np.zeros((n_patches, n_patches), kind),
        turned=np.zeros((n_patches, n_patches), kind), seen=_zeros(n_patches * STRIDE * lanes, kind),
        slopes=_zeros(n_patches * STRIDE * lanes, kind), pulled=_zeros(n_patches * lanes, kind),
        along=_zeros(dimension * lanes, kind), losses=_zeros(2 * lanes, kind),
        scores=np.zeros((n_patches, n_patches)), by_scores=np.zeros((n_patches, n_patches)),
        by_value=np.zeros(dimension), counted=np.zeros(2),
    )  # fmt: skip
    problem = FullProblem(laid, logits.numpy().copy(), value.numpy().copy(), n_samples)
    return Descent(full_kernels.descend, problem, rule, room)


def value_descent(mixed: torch.Tensor, labels: torch.Tensor, value: torch.Tensor, rule: DescentRule) -> Descent:
    """On v alone; `mixed` patches [samples, patches, dimension] and `labels` [samples], double precision."""
    n_samples, n_patches, dimension = mixed.shape
    laid = _by_lanes(mixed.numpy().reshape(n_samples * n_patches, dimension))
    n_rows = laid.shape[0] * laid.shape[-1]
    room = ValueRoom(_zeros(n_rows), _zeros(n_rows), _zeros(dimension * laid.shape[-1]), np.zeros(dimension))
    problem = ValueProblem(laid, labels.numpy().copy(), value.numpy().copy(), n_patches)
    return Descent(value_kernels.descend, problem, rule, room)


def _by_lanes(rows: np.ndarray) -> np.ndarray:
    """Rows along a last axis of lanes, [blocks, ..., lanes]; the last block is filled with zeros."""
    lanes = lane_count(rows.dtype)
    n_blocks = -(-len(rows) // lanes)
    whole = np.zeros((n_blocks * lanes, *rows.shape[1:]), rows.dtype)
    whole[: len(rows)] = rows
    return aligned_array(np.moveaxis(whole.reshape(n_blocks, lanes, *rows.shape[1:]), 1, -1))


def _zeros(count: int, kind: np.dtype | type = np.float64) -> np.ndarray:
    return aligned_array(np.zeros(count, kind))
