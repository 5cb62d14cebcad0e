"""Dynamics of the reduced variables (alpha, gamma, rho): gradient descent and its stiff flow.

Gradient descent on the logits moves every entry A_ij by -eta dL/dA_ij; on the set-symmetric manifold that is gamma and
rho moving by the per-pair derivatives of `population.ReducedGradient`, while beta is held. The flow is the same vector
field in flow time = learning rate x steps, followed by an implicit solver to times at which plain gradient descent
would need millions of steps. What is read off a path stands in `sim.spatial_vit.readouts`.
[jelassi2022, (GD), Lemma 4.3]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy.integrate import solve_ivp

from sim.spatial_vit.network.descent import DIVERGED_RISK, record_grid, record_steps
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.expectation import EXPECTATIONS, Expectation, expect
from sim.spatial_vit.reduced.population import PopulationTable, ReducedGradient, reduced_gradient
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require_integer, require_non_negative, require_one_of, require_positive

TIE = 1e-12
"""gamma and rho closer than this are equal: uniform attention keeps them so up to rounding."""
FLOW_ATOL = 1e-4
"""Absolute tolerance over the relative one: gamma and rho start at zero."""
FINE_POINTS = 4000
"""Times at which the flow is read for its phases: neighbours differ by under 1 % over 14 decades."""


@dataclass(frozen=True)
class Trajectory:
    """A trajectory at recorded times, with extremes over *all* steps the integrator took.

    Attributes:
        times: step (descent) or flow time (flow), [records].
        states: alpha, gamma, rho, [records, 3], and beta where the diagonal is trained, [records, 4].
        smallest_gap: least gamma - rho over all steps after the first point.
        first_reversal, last_reversal: first and last time at which gamma < rho beyond a tie; None where there is none.
        smallest_increment_gap: least of (increment of gamma - increment of rho) / eta over all steps; infinite for the
            flow, where the records tell.
        fine_times, fine_states: every step (descent), or `FINE_POINTS` log-spaced times of the dense solution (flow).
        outcome: how the run ended.
    """

    times: np.ndarray
    states: np.ndarray
    smallest_gap: float
    first_reversal: float | None
    last_reversal: float | None
    smallest_increment_gap: float
    fine_times: np.ndarray
    fine_states: np.ndarray
    outcome: Outcome


def setting_at(setting: Setting, state: np.ndarray) -> Setting:
    """The setting with the diagonal that a state (alpha, gamma, rho, beta) has; itself where the diagonal is held."""
    return setting if len(state) == 3 else replace(setting, diagonal_logit=float(state[3]))


def gradient_at(table: PopulationTable, setting: Setting, state: np.ndarray) -> ReducedGradient:
    """Gradient at the state (alpha, gamma, rho), or (alpha, gamma, rho, beta) where the diagonal is trained."""
    at = setting_at(setting, state)
    return reduced_gradient(table, at, alignment=float(state[0]), within=float(state[1]), across=float(state[2]))


def ascent(gradient: ReducedGradient, state: np.ndarray) -> np.ndarray:
    """The gradient by the components of a state."""
    return np.array([gradient.alignment, gradient.within, gradient.across, gradient.diagonal])[: len(state)]


def descend(
    table: PopulationTable, setting: Setting, start: np.ndarray, *, learning_rate: float, n_steps: int, n_records: int,
    stop_risk: float = 0.0,
) -> Trajectory:  # fmt: skip
    """Run gradient descent from `start` = (alpha, gamma, rho); stop early at `stop_risk` or on divergence."""
    state = np.array(start, dtype=float)
    wanted = set(record_steps(n_steps, n_records).tolist())
    times, states, fine = [], [], []
    smallest_gap = smallest_increment_gap = math.inf
    reversals: list[int] = []
    outcome = Outcome.BUDGET
    for step in range(n_steps + 1):
        if step:
            gap = state[1] - state[2]
            smallest_gap = min(smallest_gap, gap)
            if gap < -TIE:
                reversals.append(step)
        with np.errstate(over="ignore", invalid="ignore"):
            gradient = gradient_at(table, setting, state)
        if not (gradient.risk < DIVERGED_RISK and math.isfinite(gradient.alignment)):
            outcome = Outcome.DIVERGED
        elif gradient.risk < stop_risk:
            outcome = Outcome.CONVERGED
        fine.append(state)
        if step in wanted or outcome is not Outcome.BUDGET:
            times.append(step)
            states.append(state)
        if outcome is not Outcome.BUDGET or step == n_steps:
            break
        smallest_increment_gap = min(smallest_increment_gap, gradient.across - gradient.within)
        state = state - learning_rate * ascent(gradient, state)
        if not np.isfinite(state).all():
            outcome = Outcome.DIVERGED
            break
    return Trajectory(
        times=np.array(times, dtype=float), states=np.array(states), smallest_gap=float(smallest_gap),
        first_reversal=reversals[0] if reversals else None, last_reversal=reversals[-1] if reversals else None,
        smallest_increment_gap=float(smallest_increment_gap), outcome=outcome,
        fine_times=np.arange(len(fine), dtype=float), fine_states=np.array(fine),
    )  # fmt: skip


def flow(
    table: PopulationTable, setting: Setting, start: np.ndarray, *, first_time: float, flow_time: float, n_records: int,
    tolerance: float = 1e-8,
) -> Trajectory:  # fmt: skip
    """Integrate d(state)/d(time) = -gradient by LSODA, which turns implicit where the flow is stiff.

    Records lie between `first_time` and `flow_time`.
    """

    def field(_: float, state: np.ndarray) -> np.ndarray:
        return -ascent(gradient_at(table, setting, state), state)

    solution = solve_ivp(
        field, (0.0, flow_time), np.asarray(start, dtype=float), method="LSODA",
        dense_output=True, rtol=tolerance, atol=FLOW_ATOL * tolerance,
    )  # fmt: skip
    times = record_grid(first_time, solution.t[-1], n_records)
    visited = solution.y[:, 1:]
    gaps = visited[1] - visited[2]
    fine_times = record_grid(first_time, solution.t[-1], FINE_POINTS)
    reversed_at = solution.t[1:][gaps < -TIE]
    return Trajectory(
        times=times, states=solution.sol(times).T, smallest_gap=float(gaps.min()),
        first_reversal=float(reversed_at[0]) if len(reversed_at) else None,
        last_reversal=float(reversed_at[-1]) if len(reversed_at) else None,
        smallest_increment_gap=math.inf,
        fine_times=fine_times, fine_states=solution.sol(fine_times).T,
        outcome=Outcome.BUDGET if solution.success else Outcome.DIVERGED,
    )  # fmt: skip


@flat
def simulate_reduced(
    *,
    setting: Setting,
    learning_rate: float,
    n_steps: int,
    dynamics: str = "gradient_descent",
    expectation: str = "exact",
    n_draws: int = 20_000,
    initial_scale: float = 1.0,
    stop_risk: float = 0.0,
    train_diagonal: bool = False,
    n_records: int = 200,
    generator: torch.Generator,
) -> ReducedRun:
    """Follow (alpha, gamma, rho) on the population risk from the idealized start. [jelassi2022, Theorem 4.1]

    Args:
        dynamics: "gradient_descent", or "flow" over the flow time learning_rate x n_steps.
        expectation: "exact" by the method that suits the size, "enumeration" of set types, "fourier", or "monte_carlo"
            over `n_draws` data points drawn once. The observable `expectation_method` says which.
        initial_scale: alpha starts at this multiple of nu^(1/(p-1)).
        stop_risk: gradient descent stops as converged below this risk; 0 never stops.
        train_diagonal: the diagonal moves like every other entry of A, against Simplification 3.1, from where it is.
    """
    require_positive(learning_rate=learning_rate, initial_scale=initial_scale)
    require_non_negative(stop_risk=stop_risk)
    require_integer(least=1, n_steps=n_steps, n_draws=n_draws)
    require_integer(least=2, n_records=n_records)
    require_one_of("dynamics", dynamics, ("gradient_descent", "flow"))
    require_one_of("expectation", expectation, EXPECTATIONS)

    chosen = expect(setting, expectation, n_draws=n_draws, generator=generator)
    start = (initial_scale * setting.initial_alignment, 0.0, 0.0, *[setting.diagonal_logit] * train_diagonal)
    is_flow = dynamics == "flow"
    if is_flow:
        path = flow(
            chosen.table, setting, np.array(start), first_time=learning_rate, flow_time=learning_rate * n_steps,
            n_records=n_records, tolerance=chosen.flow_tolerance,
        )  # fmt: skip
    else:
        path = descend(
            chosen.table, setting, np.array(start), learning_rate=learning_rate, n_steps=n_steps, n_records=n_records,
            stop_risk=stop_risk,
        )  # fmt: skip
    per_step = learning_rate if is_flow else 1.0
    return ReducedRun(
        outcome=path.outcome, account=account_of(chosen, path) | {"n_steps_taken": float(path.times[-1] / per_step)},
        setting=setting, expectation=chosen, path=path, is_flow=is_flow, learning_rate=learning_rate,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedRun(Run):
    """A path of the reduced variables, what it was followed on, and whether its times are steps or flow time."""

    setting: Setting
    expectation: Expectation
    path: Trajectory
    is_flow: bool
    learning_rate: float

    @property
    def per_step(self) -> float:
        """Time of the path that a step takes."""
        return self.learning_rate if self.is_flow else 1.0


def account_of(chosen: Expectation, path: Trajectory) -> dict[str, Scalar]:
    """Scalars that every path has: how expectations were taken, and a hash of its states where they are sane."""
    account: dict[str, Scalar] = {"n_rows": chosen.table.n_rows, "expectation_method": chosen.method}
    if path.outcome is not Outcome.DIVERGED:
        account["weights"] = hash_of(path.states, path.fine_states)
    return account
