"""Dynamics of the reduced variables (alpha, gamma, rho): gradient descent and its stiff flow.

Gradient descent on the logits moves every entry A_ij by -eta dL/dA_ij; on the set-symmetric manifold that is gamma and
rho moving by the per-pair derivatives of `population.ReducedGradient`, while beta is held. The flow is the same vector
field in flow time = learning rate x steps, followed by an implicit solver to times at which plain gradient descent
would need millions of steps. [jelassi2022, (GD), Lemma 4.3]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from scipy.integrate import solve_ivp

from sim.spatial_vit.population import (
    ReducedGradient,
    SetTypes,
    error_rates,
    exact_types,
    reduced_gradient,
    reduced_outputs,
    sampled_types,
    softmax_values,
)
from sim.spatial_vit.setting import Setting
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require_integer, require_non_negative, require_one_of, require_positive

DIVERGED_RISK = 1e6
"""Risk above which a run counts as diverged; the risk of the zero network is log 2."""
FLOW_RTOL, FLOW_ATOL = 1e-9, 1e-12
TIE = 1e-12
"""gamma and rho closer than this are equal: uniform attention keeps them so up to rounding."""


@dataclass(frozen=True)
class Path:
    """A trajectory at recorded times, with extremes over *all* steps the integrator took.

    Attributes:
        times: step (descent) or flow time (flow), [records].
        states: alpha, gamma, rho, [records, 3].
        smallest_gap: least gamma - rho over all steps after the first point.
        first_reversal, last_reversal: first and last time at which gamma < rho beyond a tie; None where there is none.
        smallest_increment_gap: least of (increment of gamma - increment of rho) / eta over all steps.
        outcome: how the run ended.
    """

    times: np.ndarray
    states: np.ndarray
    smallest_gap: float
    first_reversal: float | None
    last_reversal: float | None
    smallest_increment_gap: float
    outcome: Outcome


def record_grid(first: float, last: float, n_records: int) -> np.ndarray:
    """Zero and `n_records` logarithmically spaced times from `first` to `last`, [n_records + 1]."""
    return np.concatenate([[0.0], np.geomspace(min(first, last), last, n_records)])


def record_steps(n_steps: int, n_records: int) -> np.ndarray:
    """Distinct steps nearest to a logarithmic grid, 0 and `n_steps` included."""
    return np.unique(np.round(record_grid(1.0, n_steps, n_records)).astype(np.int64))


def gradient_at(table: SetTypes, setting: Setting, state: np.ndarray) -> ReducedGradient:
    """Gradient at the state (alpha, gamma, rho)."""
    return reduced_gradient(table, setting, alignment=state[0], within=state[1], across=state[2])


def descend(
    table: SetTypes, setting: Setting, start: np.ndarray, *, learning_rate: float, n_steps: int, n_records: int,
    stop_risk: float = 0.0,
) -> Path:  # fmt: skip
    """Run gradient descent from `start` = (alpha, gamma, rho); stop early at `stop_risk` or on divergence."""
    state = np.array(start, dtype=float)
    wanted = set(record_steps(n_steps, n_records).tolist())
    times, states = [], []
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
        if step in wanted or outcome is not Outcome.BUDGET:
            times.append(step)
            states.append(state)
        if outcome is not Outcome.BUDGET or step == n_steps:
            break
        smallest_increment_gap = min(smallest_increment_gap, gradient.across - gradient.within)
        state = state - learning_rate * np.array([gradient.alignment, gradient.within, gradient.across])
        if not np.isfinite(state).all():
            outcome = Outcome.DIVERGED
            break
    return Path(
        times=np.array(times, dtype=float), states=np.array(states), smallest_gap=float(smallest_gap),
        first_reversal=reversals[0] if reversals else None, last_reversal=reversals[-1] if reversals else None,
        smallest_increment_gap=float(smallest_increment_gap), outcome=outcome,
    )  # fmt: skip


def flow(
    table: SetTypes, setting: Setting, start: np.ndarray, *, first_time: float, flow_time: float, n_records: int
) -> Path:
    """Integrate d(state)/d(time) = -gradient by LSODA, which turns implicit where the flow is stiff.

    Records lie between `first_time` and `flow_time`.
    """

    def field(_: float, state: np.ndarray) -> np.ndarray:
        gradient = gradient_at(table, setting, state)
        return -np.array([gradient.alignment, gradient.within, gradient.across])

    solution = solve_ivp(
        field, (0.0, flow_time), np.asarray(start, dtype=float), method="LSODA",
        dense_output=True, rtol=FLOW_RTOL, atol=FLOW_ATOL,
    )  # fmt: skip
    times = record_grid(first_time, solution.t[-1], n_records)
    visited = solution.y[:, 1:]
    gaps = visited[1] - visited[2]
    increments = np.array([np.subtract(*field(0.0, state)[1:]) for state in solution.y.T])
    reversed_at = solution.t[1:][gaps < -TIE]
    return Path(
        times=times, states=solution.sol(times).T, smallest_gap=float(gaps.min()),
        first_reversal=float(reversed_at[0]) if len(reversed_at) else None,
        last_reversal=float(reversed_at[-1]) if len(reversed_at) else None,
        smallest_increment_gap=float(increments.min()),
        outcome=Outcome.BUDGET if solution.success else Outcome.DIVERGED,
    )  # fmt: skip


def path_curves(table: SetTypes, setting: Setting, path: Path) -> dict[str, np.ndarray]:
    """Everything observed along a path, one array [records] a name.

    `*_descent` is minus the derivative, so that an increment of gradient descent is learning rate x descent.
    """
    rows: dict[str, list[float]] = {}
    for alignment, within, across in path.states:
        state = {"alignment": float(alignment), "within": float(within), "across": float(across)}
        gradient = reduced_gradient(table, setting, **state)
        softmax = softmax_values(setting, within=state["within"], across=state["across"])
        test_error, label_error = error_rates(table, reduced_outputs(table, setting, **state))
        record = {
            "feature_alignment": alignment, "within_logit": within, "across_logit": across,
            "softmax_diagonal": softmax.diagonal, "softmax_within": softmax.within,
            "softmax_across": softmax.across, "own_set_weight": softmax.own_set,
            "alignment_descent": -gradient.alignment, "within_descent": -gradient.within,
            "across_descent": -gradient.across, "diagonal_descent": -gradient.diagonal,
            "risk": gradient.risk, "test_error": test_error, "label_error": label_error,
            "associated": float(is_associated(setting, within=within, across=across)),
        }  # fmt: skip
        for name, value in record.items():
            rows.setdefault(name, []).append(float(value))
    return {name: np.array(values) for name, values in rows.items()}


def is_associated(setting: Setting, *, within: float, across: float) -> bool:
    """Whether the C largest logits of each row, its diagonal included, are its set; ties fail. [Theorem 4.1 (1)]"""
    return bool(min(setting.diagonal_logit, within) > across)


def simulate_reduced(
    *,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    activation_power: int,
    linear_coefficient: float,
    diagonal_logit: float,
    learning_rate: float,
    n_steps: int,
    temperature: float = 1.0,
    dynamics: str = "gradient_descent",
    expectation: str = "exact",
    n_draws: int = 20_000,
    initial_scale: float = 1.0,
    stop_risk: float = 0.0,
    n_records: int = 200,
    generator: torch.Generator,
) -> TrialResult:
    """Follow (alpha, gamma, rho) on the population risk from the idealized start. [jelassi2022, Theorem 4.1]

    Observables are those of the last record by the names of `path_curves`, and over all steps taken: `smallest_gap` of
    gamma - rho, `first_reversal_step` and `last_reversal_step` with gamma < rho (-1 for none), `smallest_increment_gap`
    of (gamma's increment - rho's) / eta. `always_associated` is over the records after the first.

    Args:
        dynamics: "gradient_descent", or "flow" over the flow time learning_rate x n_steps.
        expectation: "exact" by enumeration of set types, or "monte_carlo" over `n_draws` data points drawn once.
        initial_scale: alpha starts at this multiple of nu^(1/(p-1)).
        stop_risk: gradient descent stops as converged below this risk; 0 never stops.

    Raises:
        ValueError: on bad input, or where the exact expectation has too many rows.
    """
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=diagonal_logit, temperature=temperature,
    )  # fmt: skip
    require_positive(learning_rate=learning_rate, initial_scale=initial_scale)
    require_non_negative(stop_risk=stop_risk)
    require_integer(least=1, n_steps=n_steps, n_draws=n_draws)
    require_integer(least=2, n_records=n_records)
    require_one_of("dynamics", dynamics, ("gradient_descent", "flow"))
    require_one_of("expectation", expectation, ("exact", "monte_carlo"))

    if expectation == "exact":
        table = exact_types(setting)
    else:
        table = sampled_types(setting, n_draws=n_draws, generator=generator)
    start = np.array([initial_scale * setting.initial_alignment, 0.0, 0.0])
    if dynamics == "flow":
        path = flow(
            table, setting, start, first_time=learning_rate, flow_time=learning_rate * n_steps, n_records=n_records
        )
        steps, flow_times = path.times / learning_rate, path.times
    else:
        path = descend(
            table, setting, start, learning_rate=learning_rate, n_steps=n_steps, n_records=n_records,
            stop_risk=stop_risk,
        )  # fmt: skip
        steps, flow_times = path.times, path.times * learning_rate
    with np.errstate(over="ignore", invalid="ignore"):
        curves = path_curves(table, setting, path)
    last = {name: float(values[-1]) for name, values in curves.items() if not name.endswith("_descent")}
    per_time = learning_rate if dynamics == "flow" else 1.0
    observables: dict[str, Scalar] = {
        **last,
        "associated": bool(curves["associated"][-1]),
        "always_associated": bool(curves["associated"][1:].all()),
        "smallest_gap": path.smallest_gap,
        "first_reversal_step": -1.0 if path.first_reversal is None else path.first_reversal / per_time,
        "last_reversal_step": -1.0 if path.last_reversal is None else path.last_reversal / per_time,
        "smallest_increment_gap": path.smallest_increment_gap,
        "n_rows": table.n_rows,
        "n_steps_taken": float(steps[-1]),
    }
    curves = {"step": steps, "flow_time": flow_times, **curves}
    return TrialResult(path.outcome, finite_only(observables), curves)


def finite_only(observables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Leave out what overflowed in a diverged run: an observable is a JSON number or absent."""
    return {name: value for name, value in observables.items() if isinstance(value, str) or math.isfinite(value)}
