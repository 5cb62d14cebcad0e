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

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.expectation import (
    EXPECTATIONS,
    Expectation,
    errors_at,
    expect,
    least_error,
    structure_threshold,
)
from sim.spatial_vit.reduced.phases import (
    TIE,
    is_associated,
    name_ending,
    phase_observables,
    setting_at,
    smallest_eigenvalue,
)
from sim.spatial_vit.reduced.population import PopulationTable, ReducedGradient, reduced_gradient, softmax_values
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require_integer, require_non_negative, require_one_of, require_positive

DIVERGED_RISK = 1e6
"""Risk above which a run counts as diverged; the risk of the zero network is log 2."""
FLOW_ATOL = 1e-3
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


def record_grid(first: float, last: float, n_records: int) -> np.ndarray:
    """Zero and `n_records` logarithmically spaced times from `first` to `last`, [n_records + 1]."""
    return np.concatenate([[0.0], np.geomspace(min(first, last), last, n_records)])


def record_steps(n_steps: int, n_records: int) -> np.ndarray:
    """Distinct steps nearest to a logarithmic grid, 0 and `n_steps` included."""
    return np.unique(np.round(record_grid(1.0, n_steps, n_records)).astype(np.int64))


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
    tolerance: float = 1e-9,
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


def path_curves(table: PopulationTable, setting: Setting, path: Trajectory) -> dict[str, np.ndarray]:
    """Everything observed along a path, one array [records] a name.

    `*_descent` is minus the derivative, so that an increment of gradient descent is learning rate x descent.
    """
    rows: dict[str, list[float]] = {}
    for state in path.states:
        at = setting_at(setting, state)
        alignment, within, across = (float(value) for value in state[:3])
        gradient = gradient_at(table, setting, state)
        softmax = softmax_values(at, within=within, across=across)
        errors = errors_at(table, at, alignment=alignment, within=within, across=across)
        record = {
            "feature_alignment": alignment, "within_logit": within, "across_logit": across,
            "diagonal_logit": at.diagonal_logit,
            "softmax_diagonal": softmax.diagonal, "softmax_within": softmax.within,
            "softmax_across": softmax.across, "own_set_weight": softmax.own_set,
            "alignment_descent": -gradient.alignment, "within_descent": -gradient.within,
            "across_descent": -gradient.across, "diagonal_descent": -gradient.diagonal,
            "risk": gradient.risk, "test_error": errors.test_error, "label_error": errors.label_error,
            "error_uncertainty": errors.uncertainty,
            "associated": float(is_associated(at, within=within, across=across)),
            "smallest_eigenvalue": smallest_eigenvalue(at, within=within, across=across),
        }  # fmt: skip
        for name, value in record.items():
            rows.setdefault(name, []).append(float(value))
    return {name: np.array(values) for name, values in rows.items()}


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
    train_diagonal: bool = False,
    n_records: int = 200,
    generator: torch.Generator,
) -> TrialResult:
    """Follow (alpha, gamma, rho) on the population risk from the idealized start. [jelassi2022, Theorem 4.1]

    Args (observables are told at `_observables`; all times are steps):
        dynamics: "gradient_descent", or "flow" over the flow time learning_rate x n_steps.
        expectation: "exact" by the method that suits the size, "enumeration" of set types, "fourier", or "monte_carlo"
            over `n_draws` data points drawn once. The observable `expectation_method` says which.
        initial_scale: alpha starts at this multiple of nu^(1/(p-1)).
        stop_risk: gradient descent stops as converged below this risk; 0 never stops.
        train_diagonal: the diagonal moves like every other entry of A, against Simplification 3.1, from where it is.
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
    require_one_of("expectation", expectation, EXPECTATIONS)

    chosen = expect(setting, expectation, n_draws=n_draws, generator=generator)
    start = (initial_scale * setting.initial_alignment, 0.0, 0.0, *[setting.diagonal_logit] * train_diagonal)
    if dynamics == "flow":
        per_time, path = learning_rate, flow(
            chosen.table, setting, np.array(start), first_time=learning_rate, flow_time=learning_rate * n_steps,
            n_records=n_records, tolerance=chosen.flow_tolerance,
        )  # fmt: skip
    else:
        per_time, path = 1.0, descend(
            chosen.table, setting, np.array(start), learning_rate=learning_rate, n_steps=n_steps, n_records=n_records,
            stop_risk=stop_risk,
        )  # fmt: skip
    with np.errstate(over="ignore", invalid="ignore"):
        curves = path_curves(chosen.table, setting, path)
    flow_time = path.times if dynamics == "flow" else path.times * learning_rate
    curves = {"step": path.times / per_time, "flow_time": flow_time, **curves}
    observables = _observables(chosen, setting, path, curves, per_time=per_time)
    return TrialResult(path.outcome, finite_only(observables), curves)


def _observables(
    chosen: Expectation, setting: Setting, path: Trajectory, curves: Mapping[str, np.ndarray], *, per_time: float
) -> dict[str, Scalar]:
    """What a path shows, its times divided by `per_time`, which makes them steps.

    Those of the last record by the names of `path_curves`, and over all steps taken: `smallest_gap` of gamma - rho,
    `first_reversal_step` and `last_reversal_step` with gamma < rho (-1 for none), `smallest_increment_gap` of (gamma's
    increment - rho's) / eta (for the flow, over its records). `always_associated` is over the records after the first.
    Phases and `ending` are those of `phases`.
    """
    table = chosen.table
    left_out = ("_descent", "step", "flow_time")
    last = {name: float(values[-1]) for name, values in curves.items() if not name.endswith(left_out)}
    threshold = structure_threshold(table, setting)
    return {
        **last,
        "associated": bool(curves["associated"][-1]),
        "always_associated": bool(curves["associated"][1:].all()),
        "smallest_gap": path.smallest_gap,
        "first_reversal_step": -1.0 if path.first_reversal is None else path.first_reversal / per_time,
        "last_reversal_step": -1.0 if path.last_reversal is None else path.last_reversal / per_time,
        "smallest_increment_gap": min(
            path.smallest_increment_gap, float((curves["within_descent"] - curves["across_descent"]).min())
        ),
        **phase_observables(setting, path.fine_times / per_time, path.fine_states),
        "ending": name_ending(
            associated=bool(curves["associated"][-1]),
            gap=float(last["within_logit"] - last["across_logit"]),
            error=last["test_error"],
            threshold=threshold,
            diverged=path.outcome is Outcome.DIVERGED,
        ),
        "structure_threshold": threshold,
        "least_error": least_error(table, setting),
        "n_rows": table.n_rows,
        "expectation_method": chosen.method,
        "n_steps_taken": float(curves["step"][-1]),
    }


def finite_only(observables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Leave out what overflowed in a diverged run: an observable is a JSON number or absent."""
    return {name: value for name, value in observables.items() if isinstance(value, str) or math.isfinite(value)}
