"""Gradient descent on the full network: every off-diagonal logit A_ij and the whole value vector v.

Two problems: the empirical risk (E) on sampled patches, and the exact population risk (P) by enumeration, where v stays
in span(w*) and is represented by alpha alone. The diagonal of A never moves. [jelassi2022, (E), (P)]

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

What is read off a training stands in `sim.spatial_vit.readouts`. [jelassi2022, (GD)]
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from sim.spatial_vit.engine.start import compiled, is_compiled
from sim.spatial_vit.network.data import (
    Dataset,
    contiguous_sets,
    labelling_function,
    permuted_sets,
    random_feature,
    sample,
)
from sim.spatial_vit.network.descent import DIVERGED_RISK, record_steps
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.enumeration import FullEnumeration, enumerate_fully, population_gradient
from sim.spatial_vit.sampled.empirical import PRECISIONS, FullGradient, SignedPatches
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require_integer, require_non_negative, require_one_of, require_positive

LABELS = ("drawn", "decided", "shuffled")
Gradient = Callable[[torch.Tensor, torch.Tensor], FullGradient]
"""Of a risk, at (A, v)."""


def sampled_gradient(data: Dataset, logits: torch.Tensor, value: torch.Tensor, setting: Setting) -> FullGradient:
    """Differentiate the empirical risk (E) once; for many steps on the same data keep its `SignedPatches`."""
    return SignedPatches.of(data).gradient(logits, value, setting)


def exact_gradient(
    enumeration: FullEnumeration, logits: torch.Tensor, value: torch.Tensor, *, feature: torch.Tensor
) -> FullGradient:
    """Differentiate the population risk (P) at a v in span(w*), where its gradient stays. [jelassi2022, Lemma 4.2]"""
    part = population_gradient(enumeration, logits=logits, alignment=float(value @ feature))
    return FullGradient(risk=part.risk, logits=part.logits, value=part.alignment * feature)


@flat
def simulate_full(
    *,
    setting: Setting,
    learning_rate: float,
    n_steps: int,
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
) -> TrainedSpatialVit:
    """Train A and v by full-batch gradient descent. [jelassi2022, Theorems 4.1, 4.2]

    Parameters are told at the head of this module.
    """
    require_positive(learning_rate=learning_rate, init_scale=init_scale)
    require_non_negative(stop_risk=stop_risk)
    require_integer(least=1, n_steps=n_steps, n_samples=n_samples, n_test=n_test)
    require_integer(least=2, patch_dimension=patch_dimension, n_records=n_records)
    _require_known(risk, initialization, precision, labels)
    sets = permuted_sets(setting, generator) if permuted else contiguous_sets(setting)
    feature = random_feature(patch_dimension, generator)
    logits, value = initial_parameters(setting, feature, initialization, scale=init_scale, generator=generator)
    unit = 1 if patch_factor else setting.n_patches  # sigma(S X v) is sigma(D S X v/D): D^2 times smaller steps of v/D
    value = value / unit
    course: dict[str, Any] = {
        "learning_rate": learning_rate, "value_rate": learning_rate / unit**2, "n_steps": n_steps,
        "stop_risk": stop_risk, "n_records": n_records,
    }  # fmt: skip
    test: FullEnumeration | FreshData
    if risk == "population":
        value = (value @ feature) * feature
        test = enumerate_fully(setting, sets)
        outcome, looks = descend(functools.partial(exact_gradient, test, feature=feature), logits, value, **course)
    else:
        draw = functools.partial(sample, setting, sets, feature=feature, generator=generator, projected=projected_noise)
        data = SignedPatches.of(labelled(draw, sets, n_samples, labels, generator), precision)
        test = FreshData(n_test, int(torch.randint(2**62, (), generator=generator)), projected_noise)
        outcome, looks = descend_on_samples(data, setting, logits, value, **course)
    account: dict[str, Scalar] = {"step": float(looks[-1].step)}
    if outcome is not Outcome.DIVERGED:
        account["weights"] = hash_of(looks[-1].logits, looks[-1].value)
    return TrainedSpatialVit(
        outcome=outcome, account=account, setting=setting, sets=sets, feature=feature, looks=looks, test=test,
        is_decided=labels == "decided",
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedSpatialVit(Run):
    """A training, and what its network may be tested on.

    Attributes:
        sets: the set of each patch, [patches].
        feature: w*, [dimension].
        looks: the state at recorded steps, the last one included.
        test: all data points with their probabilities, or how fresh ones are drawn, the same ones at each look.
        is_decided: whether data are those alone whose label the labelling function gets right.
    """

    setting: Setting
    sets: torch.Tensor
    feature: torch.Tensor
    looks: tuple[NetworkLook, ...]
    test: FullEnumeration | FreshData
    is_decided: bool


@dataclass(frozen=True)
class NetworkLook:
    """The state before a step: risk, share of the training data with y F <= 0 (None for the population risk), A, v."""

    step: int
    risk: float
    train_error: float | None
    logits: torch.Tensor
    value: torch.Tensor


@dataclass(frozen=True)
class FreshData:
    """Test samples: how many, by which seed, and whether their noise has no part along w*."""

    n_samples: int
    seed: int
    projected: bool


def _require_known(risk: str, initialization: str, precision: str, labels: str) -> None:
    """Refuse words that are none of the choices."""
    require_one_of("risk", risk, ("population", "empirical"))
    require_one_of("initialization", initialization, ("idealized", "gaussian"))
    require_one_of("precision", precision, tuple(PRECISIONS))
    require_one_of("labels", labels, LABELS if risk == "empirical" else LABELS[:1])


def labelled(
    draw: Callable[..., Dataset], sets: torch.Tensor, n_samples: int, labels: str, generator: torch.Generator
) -> Dataset:
    """Training data with labels as `LABELS` names them."""
    drawn = draw(n_samples=n_samples)
    if labels == "decided":
        return _decided(drawn, sets, draw)
    if labels == "shuffled":
        return replace(drawn, labels=2.0 * torch.randint(2, (n_samples,), generator=generator).double() - 1.0)
    return drawn


def _decided(drawn: Dataset, sets: torch.Tensor, draw: Callable[..., Dataset]) -> Dataset:
    """As many data points, those whose label the labelling function gets wrong or leaves open drawn again."""
    while True:
        (open_,) = torch.nonzero(drawn.labels * labelling_function(drawn.coefficients, sets) <= 0, as_tuple=True)
        if not len(open_):
            return drawn
        fresh = draw(n_samples=len(open_))
        for kept, new in zip(vars(drawn).values(), vars(fresh).values(), strict=True):
            kept[open_] = new


def descend(
    gradient: Gradient, logits: torch.Tensor, value: torch.Tensor, *,
    learning_rate: float, value_rate: float, n_steps: int, stop_risk: float, n_records: int,
) -> tuple[Outcome, tuple[NetworkLook, ...]]:  # fmt: skip
    """Run gradient descent on the off-diagonal logits and the value vector. [jelassi2022, (GD)]"""
    wanted = set(record_steps(n_steps, n_records).tolist())
    off_diagonal = 1.0 - torch.eye(len(logits), dtype=torch.float64)
    looks: list[NetworkLook] = []
    outcome = Outcome.BUDGET
    for step in range(n_steps + 1):
        current = gradient(logits, value)
        if not (current.risk < DIVERGED_RISK and bool(current.logits.isfinite().all())):
            outcome = Outcome.DIVERGED
        elif current.risk < stop_risk:
            outcome = Outcome.CONVERGED
        ended = outcome is not Outcome.BUDGET or step == n_steps
        if step in wanted or ended:
            looks.append(NetworkLook(step, current.risk, current.error, logits, value))
        if ended:
            break
        logits = logits - learning_rate * off_diagonal * current.logits
        value = value - value_rate * current.value
    return outcome, tuple(looks)


def descend_on_samples(
    data: SignedPatches, setting: Setting, logits: torch.Tensor, value: torch.Tensor, *,
    learning_rate: float, value_rate: float, n_steps: int, stop_risk: float, n_records: int,
) -> tuple[Outcome, tuple[NetworkLook, ...]]:  # fmt: skip
    """Descend on the empirical risk of this data, on compiled kernels where there are any."""
    if not is_compiled():
        return descend(
            lambda logits, value: data.gradient(logits, value, setting), logits, value, learning_rate=learning_rate,
            value_rate=value_rate, n_steps=n_steps, stop_risk=stop_risk, n_records=n_records,
        )  # fmt: skip
    rule = compiled().rule_of(setting, logits_rate=learning_rate, value_rate=value_rate, stop_risk=stop_risk)
    descent = compiled().full_descent(data.patches, logits, value, rule)
    return descent.followed(
        record_steps(n_steps, n_records).tolist(),
        lambda step, reached: NetworkLook(step, reached.risk, reached.error, descent.logits, descent.value),
    )


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
