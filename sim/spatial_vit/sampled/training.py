"""Gradient descent on the full network: every off-diagonal logit A_ij and the whole value vector v.

Two problems: the empirical risk (E) on sampled patches, and the exact population risk (P) by enumeration, where v stays
in span(w*) and is represented by alpha alone. The diagonal of A never moves. [jelassi2022, (E), (P), (GD)]

Parameters of `simulate_full`:
    risk: "population" (P) by enumeration, for small n_patches, or "empirical" (E) on `n_samples` data points.
    initialization: "idealized" (v = nu^(1/(p-1)) w*, off-diagonal A = 0) or "gaussian" (both Gaussian with standard
        deviation `init_scale`; under the population risk v is its component along w*).
    permuted: sets are a random partition instead of runs of neighbouring patches.
    projected_noise: noise of sampled patches has no part along w*, as the paper defines it; else it has.
    patch_factor: F mixes D S X v, as (T) has it; else S X v, for which v is reported divided by D.
    precision: "double", or "single" for the products over sampled patches.
    labels: of sampled data: "drawn" as the data model has them; "decided", only data points whose label the labelling
        function gets right, y f* > 0, in training and test; "shuffled", training labels that say nothing of patches.
    stop_risk: stop as converged below this risk; 0 never stops.

Its observables, beside the last of every curve:
    error_floor, structure_level: see `sim.spatial_vit.network.labelling`; `error_small` where the test error has come
        to the level, `structured` where all rows are associated too.
    association_step: first record at which all rows are associated, -1 for never; `association_stays` where they are
        at every later one.
    asymmetry, least_eigenvalue: of A, |A - A^T| / |A| and of (A + A^T) / 2; a Gram matrix has none negative.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import (
    Dataset,
    contiguous_sets,
    labelling_function,
    permuted_sets,
    random_feature,
    sample,
)
from sim.spatial_vit.network.labelling import disagreement
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import DIVERGED_RISK, finite_only, record_steps
from sim.spatial_vit.reduced.enumeration import FullEnumeration, enumerate_fully, population_gradient
from sim.spatial_vit.reduced.phases import NEVER, name_ending
from sim.spatial_vit.sampled.empirical import PRECISIONS, FullGradient, SignedPatches, sampled_error
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require_integer, require_non_negative, require_one_of, require_positive

LABELS = ("drawn", "decided", "shuffled")


def sampled_gradient(data: Dataset, logits: torch.Tensor, value: torch.Tensor, setting: Setting) -> FullGradient:
    """Differentiate the empirical risk (E) once; for many steps on the same data keep its `SignedPatches`."""
    return SignedPatches.of(data).gradient(logits, value, setting)


def exact_gradient(
    enumeration: FullEnumeration, logits: torch.Tensor, value: torch.Tensor, *, feature: torch.Tensor
) -> FullGradient:
    """Differentiate the population risk (P) at a v in span(w*), where its gradient stays. [jelassi2022, Lemma 4.2]"""
    part = population_gradient(enumeration, logits=logits, alignment=float(value @ feature))
    return FullGradient(risk=part.risk, logits=part.logits, value=part.alignment * feature)


def is_associated(logits: torch.Tensor, sets: torch.Tensor) -> bool:
    """Whether the C largest logits of each row, its diagonal included, are its set; ties fail. [Theorem 4.1 (1)]"""
    return bool((association_gaps(logits, sets) > 0).all())


def association_gaps(logits: torch.Tensor, sets: torch.Tensor) -> torch.Tensor:
    """Least logit inside a row's set minus the greatest outside, [patches]."""
    same_set = sets[:, None] == sets[None, :]
    inside = logits.masked_fill(~same_set, torch.inf).amin(dim=1)
    outside = logits.masked_fill(same_set, -torch.inf).amax(dim=1)
    return inside - outside


def three_value_deviation(logits: torch.Tensor, sets: torch.Tensor) -> float:
    """Largest spread (max - min) of the logits inside one of the three classes. [jelassi2022, Lemma 4.1]"""
    same_set = sets[:, None] == sets[None, :]
    diagonal = torch.eye(sets.numel(), dtype=torch.bool)
    classes = (logits[diagonal], logits[same_set & ~diagonal], logits[~same_set])
    return max(float(values.max() - values.min()) for values in classes)


def exact_error(enumeration: FullEnumeration, *, logits: torch.Tensor, alignment: float) -> tuple[float, float]:
    """Compute P[F f* <= 0] and P[y F <= 0] by enumeration at v = alpha w*."""
    wrong_labelling = wrong_label = 0.0
    for coefficients, probability in enumeration:
        outputs = model.settled_output(alignment * coefficients, logits, enumeration.setting)
        values = labelling_function(coefficients, enumeration.sets)
        wrong_labelling += float(probability[outputs * values <= 0].sum())
        wrong_label += float(probability[outputs <= 0].sum())
    return wrong_labelling, wrong_label


def simulate_full(
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
    risk: str = "population",
    initialization: str = "idealized",
    init_scale: float = 1e-3,
    patch_dimension: int = 64,
    n_samples: int = 1000,
    n_test: int = 4096,
    permuted: bool = False,
    projected_noise: bool = True,
    patch_factor: bool = True,
    precision: str = "double",
    labels: str = "drawn",
    stop_risk: float = 0.0,
    n_records: int = 20,
    generator: torch.Generator,
) -> TrialResult:
    """Train A and v by full-batch gradient descent. [jelassi2022, Theorems 4.1, 4.2]

    Parameters and observables are told at the head of this module.
    """
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=diagonal_logit, temperature=temperature,
    )  # fmt: skip
    require_positive(learning_rate=learning_rate, init_scale=init_scale)
    require_non_negative(stop_risk=stop_risk)
    require_integer(least=1, n_steps=n_steps, n_samples=n_samples, n_test=n_test)
    require_integer(least=2, patch_dimension=patch_dimension, n_records=n_records)
    _require_known(risk, initialization, precision, labels)
    sets = permuted_sets(setting, generator) if permuted else contiguous_sets(setting)
    feature = random_feature(patch_dimension, generator)
    logits, value = initial_parameters(setting, feature, initialization, scale=init_scale, generator=generator)
    unit = 1 if patch_factor else n_patches  # sigma(S X v) is sigma(D S X v/D): steps on v/D are D^2 times smaller
    value = value / unit
    if risk == "population":
        value = (value @ feature) * feature
        problem = _population_problem(setting, sets, feature)
    else:
        problem = _empirical_problem(
            setting, sets, feature, n_samples=n_samples, n_test=n_test, projected=projected_noise, precision=precision,
            labels=labels, generator=generator,
        )  # fmt: skip
    run = _train(
        problem, logits, value, learning_rate=learning_rate, value_rate=learning_rate / unit**2, n_steps=n_steps,
        stop_risk=stop_risk, n_records=n_records,
    )  # fmt: skip
    pictures = {"final_logits": run.logits.numpy(), "sets": sets.numpy().astype(float)}
    observed = _observables(run, setting, sets, decided=labels == "decided")
    return TrialResult(run.outcome, finite_only(observed), {**run.curves, **pictures})


def _require_known(risk: str, initialization: str, precision: str, labels: str) -> None:
    """Refuse words that are none of the choices."""
    require_one_of("risk", risk, ("population", "empirical"))
    require_one_of("initialization", initialization, ("idealized", "gaussian"))
    require_one_of("precision", precision, tuple(PRECISIONS))
    require_one_of("labels", labels, LABELS if risk == "empirical" else LABELS[:1])


@dataclass(frozen=True)
class Problem:
    """A risk to descend: its gradient, and the error rates P[F f* <= 0] and P[y F <= 0], at (A, v)."""

    sets: torch.Tensor
    feature: torch.Tensor
    gradient: Callable[[torch.Tensor, torch.Tensor], FullGradient]
    errors: Callable[[torch.Tensor, torch.Tensor], tuple[float, float]]


@dataclass(frozen=True)
class Descent:
    """How a descent ended and what was recorded on the way, [records] a curve."""

    outcome: Outcome
    logits: torch.Tensor
    curves: dict[str, np.ndarray]


def _observables(run: Descent, setting: Setting, sets: torch.Tensor, *, decided: bool) -> dict[str, Scalar]:
    """What a finished run is asked for; see `simulate_full`."""
    last = {name: float(values[-1]) for name, values in run.curves.items()}
    exact = disagreement(setting, decided=decided)
    associated, error = is_associated(run.logits, sets), last["test_error"]
    whole = run.curves["associated_rows"] == 1
    first = int(whole.argmax())
    symmetric = (run.logits + run.logits.T) / 2
    sane = bool(run.logits.isfinite().all())
    return last | {
        "associated": associated,
        "smallest_association_gap": float(association_gaps(run.logits, sets).min()),
        "error_floor": exact.floor,
        "structure_level": exact.structure_level,
        "error_small": error <= exact.structure_level,
        "structured": associated and error <= exact.structure_level,
        "association_step": float(run.curves["step"][first]) if whole.any() else NEVER,
        "association_stays": bool(whole.any() and whole[first:].all()),
        "ending": name_ending(
            associated=associated,
            gap=last["mean_within_logit"] - last["mean_across_logit"],
            error=error,
            train_error=last.get("train_error"),
            threshold=exact.structure_level,
            diverged=run.outcome is Outcome.DIVERGED,
        ),
        "asymmetry": float((run.logits - run.logits.T).norm() / run.logits.norm()),
        "least_eigenvalue": float(torch.linalg.eigvalsh(symmetric)[0]) if sane else float("nan"),
        "largest_deviation": float(run.curves["three_value_deviation"].max()),
        "largest_orthogonal_value": float(run.curves["orthogonal_value"].max()),
    }


def _population_problem(setting: Setting, sets: torch.Tensor, feature: torch.Tensor) -> Problem:
    """(P) with v in span(w*), everything by enumeration."""
    enumeration = enumerate_fully(setting, sets)
    return Problem(
        sets, feature,
        gradient=lambda logits, value: exact_gradient(enumeration, logits, value, feature=feature),
        errors=lambda logits, value: exact_error(enumeration, logits=logits, alignment=float(value @ feature)),
    )  # fmt: skip


def _empirical_problem(
    setting: Setting, sets: torch.Tensor, feature: torch.Tensor, *, n_samples: int, n_test: int, projected: bool,
    precision: str, labels: str, generator: torch.Generator,
) -> Problem:  # fmt: skip
    """(E) on samples drawn here. Every record sees the same test samples: its curve differs by the network alone."""
    draw = functools.partial(sample, setting, sets, feature=feature, generator=generator, projected=projected)
    drawn = draw(n_samples=n_samples)
    if labels == "decided":
        drawn = _decided(drawn, sets, draw)
    elif labels == "shuffled":
        drawn = replace(drawn, labels=2.0 * torch.randint(2, (n_samples,), generator=generator).double() - 1.0)
    data = SignedPatches.of(drawn, precision)
    test_seed = int(torch.randint(2**62, (), generator=generator))

    def errors(logits: torch.Tensor, value: torch.Tensor) -> tuple[float, float]:
        fresh = torch.Generator().manual_seed(test_seed)
        return sampled_error(
            setting, sets, logits, value, feature=feature, n_samples=n_test, generator=fresh, projected=projected,
            decided=labels == "decided",
        )  # fmt: skip

    return Problem(sets, feature, gradient=lambda logits, value: data.gradient(logits, value, setting), errors=errors)


def _decided(drawn: Dataset, sets: torch.Tensor, draw: Callable[..., Dataset]) -> Dataset:
    """As many data points, those whose label the labelling function gets wrong or leaves open drawn again."""
    while True:
        (open_,) = torch.nonzero(drawn.labels * labelling_function(drawn.coefficients, sets) <= 0, as_tuple=True)
        if not len(open_):
            return drawn
        fresh = draw(n_samples=len(open_))
        for kept, new in zip(vars(drawn).values(), vars(fresh).values(), strict=True):
            kept[open_] = new


def _train(
    problem: Problem, logits: torch.Tensor, value: torch.Tensor, *,
    learning_rate: float, value_rate: float, n_steps: int, stop_risk: float, n_records: int,
) -> Descent:  # fmt: skip
    """Run gradient descent on the off-diagonal logits and the value vector. [jelassi2022, (GD)]"""
    wanted = set(record_steps(n_steps, n_records).tolist())
    off_diagonal = 1.0 - torch.eye(len(logits), dtype=torch.float64)
    records: list[dict[str, float]] = []
    outcome = Outcome.BUDGET
    for step in range(n_steps + 1):
        current = problem.gradient(logits, value)
        if not (current.risk < DIVERGED_RISK and bool(current.logits.isfinite().all())):
            outcome = Outcome.DIVERGED
        elif current.risk < stop_risk:
            outcome = Outcome.CONVERGED
        ended = outcome is not Outcome.BUDGET or step == n_steps
        if step in wanted or ended:
            test_error, label_error = problem.errors(logits, value)
            seen = {"step": step, "risk": current.risk, "test_error": test_error, "label_error": label_error}
            if current.error is not None:
                seen["train_error"] = current.error
            records.append(seen | _observe(logits, value, problem.sets, problem.feature))
        if ended:
            break
        logits = logits - learning_rate * off_diagonal * current.logits
        value = value - value_rate * current.value
    curves = {name: np.array([record[name] for record in records], dtype=float) for name in records[0]}
    return Descent(outcome, logits, curves)


def initial_parameters(
    setting: Setting, feature: torch.Tensor, initialization: str, *, scale: float, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits [patches, patches] and value vector [dimension] at step 0. [jelassi2022, Parametrization 3.1]"""
    shape = (setting.n_patches, setting.n_patches)
    if initialization == "idealized":
        logits, value = torch.zeros(shape, dtype=torch.float64), setting.initial_alignment * feature
    else:
        logits = scale * torch.randn(shape, generator=generator, dtype=torch.float64)
        value = scale * torch.randn(feature.shape, generator=generator, dtype=torch.float64)
    logits.fill_diagonal_(setting.diagonal_logit)
    return logits, value


def _observe(logits: torch.Tensor, value: torch.Tensor, sets: torch.Tensor, feature: torch.Tensor) -> dict[str, float]:
    """What a record keeps of the parameters."""
    same_set = sets[:, None] == sets[None, :]
    inside = same_set & ~torch.eye(sets.numel(), dtype=torch.bool)
    along = float(value @ feature)
    return {
        "feature_alignment": along,
        "cosine": along / max(float(value.norm()), torch.finfo(torch.float64).tiny),
        "orthogonal_value": float((value - along * feature).norm()),
        "mean_within_logit": float(logits[inside].mean()),
        "mean_across_logit": float(logits[~same_set].mean()),
        "three_value_deviation": three_value_deviation(logits, sets),
        "associated_rows": float((association_gaps(logits, sets) > 0).double().mean()),
    }
