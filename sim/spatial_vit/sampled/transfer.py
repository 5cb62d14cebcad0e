"""Fine-tuning: the attention of a pre-trained network is frozen, the value vector learns a new feature.

With A frozen the mixed patches u_i = D sum_j S_ij X_j never change, so the network is F(X) = sum_i activation(<v, u_i>)
and a step of gradient descent is one product with the matrix of all u_i and one with its transpose. Given v, the test
error needs no patches either (`errors.sampled_error`). Which of several fine-tunings is the worst decides how a trial
ends, so this error is part of the recipe.

Where A comes from (`association`):

    hand_built  three values, `diagonal_logit`, `within_logit` and `across_logit`
    pretrained  gamma and rho from the exact flow on the population risk to `pretraining_time`; it does not depend on
                w* (Lemmas 4.1, 4.2), so neither does its overlap with the new feature
    empirical   gradient descent of all A_ij and v on `pretraining_samples` data points with another feature
    uniform     no association: every patch attends to every other alike

A fine-tuning stops as converged below `stop_risk`; 0 never stops.

[jelassi2022, section 5, Theorem 5.1]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import torch

from sim.spatial_vit.engine.start import compiled, is_compiled
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import Dataset, contiguous_sets, random_feature, sample
from sim.spatial_vit.network.descent import DIVERGED_RISK, record_steps
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import flow
from sim.spatial_vit.reduced.expectation import expect
from sim.spatial_vit.sampled.empirical import SignedPatches
from sim.spatial_vit.sampled.errors import sampled_error
from sim.spatial_vit.sampled.training import descend_on_samples, initial_parameters
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require, require_integer, require_non_negative, require_one_of, require_positive

ASSOCIATIONS = ("hand_built", "pretrained", "empirical", "uniform")
FLOW_TOLERANCE = 1e-4
"""Of the pre-training flow; gamma and rho at the end are needed to a percent."""


@dataclass(frozen=True)
class Risk:
    """The logistic risk of fine-tuning and its derivative by v [dimension]."""

    value: float
    gradient: torch.Tensor


@dataclass(frozen=True)
class ValueLook:
    """The state before a step: risk, and v [dimension]."""

    step: int
    risk: float
    value: torch.Tensor


@dataclass(frozen=True)
class FineTuning:
    """How gradient descent on v went; the last look is at its end."""

    outcome: Outcome
    looks: tuple[ValueLook, ...]

    @property
    def value(self) -> torch.Tensor:
        """v at the end."""
        return self.looks[-1].value

    @property
    def n_steps(self) -> int:
        """Steps taken."""
        return self.looks[-1].step


def mixed_patches(patches: torch.Tensor, logits: torch.Tensor, setting: Setting) -> torch.Tensor:
    """u_i = D sum_j S_ij X_j of every sample and patch, [samples, patches, dimension]."""
    return setting.n_patches * (model.attention(logits, setting.temperature) @ patches)


def fine_tuning_risk(mixed: torch.Tensor, value: torch.Tensor, labels: torch.Tensor, setting: Setting) -> Risk:
    """Differentiate the mean logistic loss by v alone, A frozen. [jelassi2022, (E) of section 5]"""
    rows = mixed.reshape(-1, mixed.shape[-1])
    responses = (rows @ value).reshape(labels.numel(), setting.n_patches)
    outputs = model.activation(responses, setting).sum(dim=1)
    by_output = -labels * torch.sigmoid(-labels * outputs) / labels.numel()
    by_response = by_output[:, None] * model.activation_slope(responses, setting)
    risk = float(torch.nn.functional.softplus(-labels * outputs).mean())
    return Risk(value=risk, gradient=by_response.reshape(-1) @ rows)


def fine_tune(
    data: Dataset, logits: torch.Tensor, start: torch.Tensor, setting: Setting, *,
    learning_rate: float, n_steps: int, stop_risk: float, n_records: int,
) -> FineTuning:  # fmt: skip
    """Run gradient descent on v with A frozen; converged below `stop_risk`."""
    mixed, value = mixed_patches(data.patches, logits, setting), start
    if is_compiled():
        rule = compiled().rule_of(setting, logits_rate=0.0, value_rate=learning_rate, stop_risk=stop_risk)
        descent = compiled().value_descent(mixed, data.labels, start, rule)
        steps = record_steps(n_steps, n_records).tolist()
        return FineTuning(*descent.followed(steps, lambda step, at: ValueLook(step, at.risk, descent.value)))
    wanted = set(record_steps(n_steps, n_records).tolist())
    looks: list[ValueLook] = []
    outcome = Outcome.BUDGET
    for step in range(n_steps + 1):
        current = fine_tuning_risk(mixed, value, data.labels, setting)
        if not (current.value < DIVERGED_RISK and bool(current.gradient.isfinite().all())):
            outcome = Outcome.DIVERGED
        elif current.value < stop_risk:
            outcome = Outcome.CONVERGED
        ended = outcome is not Outcome.BUDGET or step == n_steps
        if step in wanted or ended:
            looks.append(ValueLook(step, current.value, value))
        if ended:
            break
        value = value - learning_rate * current.gradient
    return FineTuning(outcome, tuple(looks))


# ---------------------------------------------------------------------------------------------------- pre-training


@functools.lru_cache(maxsize=16)
def pretrained_values(setting: Setting, flow_time: float) -> tuple[float, float]:
    """gamma and rho after the idealized flow on the population risk; kept, since many fine-tunings share it."""
    chosen = expect(setting, "exact", n_draws=1, generator=torch.Generator())
    start = np.array([setting.initial_alignment, 0.0, 0.0])
    path = flow(
        chosen.table, setting, start, first_time=flow_time / 10, flow_time=flow_time, n_records=2,
        tolerance=FLOW_TOLERANCE,
    )  # fmt: skip
    return float(path.states[-1, 1]), float(path.states[-1, 2])


def three_values(sets: torch.Tensor, setting: Setting, *, within: float, across: float) -> torch.Tensor:
    """Logits with the setting's diagonal and these other two values, [patches, patches]."""
    values = {"diagonal": setting.diagonal_logit, "within": within, "across": across}
    return model.three_valued_logits(
        sets, **{name: torch.tensor(value, dtype=torch.float64) for name, value in values.items()}
    )


def empirical_logits(
    setting: Setting, sets: torch.Tensor, *, feature: torch.Tensor, n_samples: int, n_steps: int, learning_rate: float,
    init_scale: float, generator: torch.Generator,
) -> torch.Tensor:  # fmt: skip
    """Logits after gradient descent of A and v on sampled data with its own feature. [jelassi2022, Theorem 4.2]"""
    data = sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)
    logits, value = initial_parameters(setting, feature, "gaussian", scale=init_scale, generator=generator)
    _, looks = descend_on_samples(
        SignedPatches.of(data), setting, logits, value, learning_rate=learning_rate, value_rate=learning_rate,
        n_steps=n_steps, stop_risk=0.0, n_records=2,
    )  # fmt: skip
    return looks[-1].logits


# ------------------------------------------------------------------------------------------------------- the trial


@flat
def simulate_transfer(
    *,
    setting: Setting,
    patch_dimension: int,
    n_samples: int,
    learning_rate: float,
    n_steps: int,
    association: str = "hand_built",
    within_logit: float = 0.0,
    across_logit: float = 0.0,
    pretraining_time: float = 1e4,
    pretraining_samples: int = 1000,
    pretraining_steps: int = 1000,
    pretraining_rate: float = 0.01,
    init_scale: float = 1e-5,
    stop_risk: float = 0.01,
    n_repeats: int = 1,
    n_records: int = 20,
    n_test: int = 1000,
    generator: torch.Generator,
) -> TransferRun:
    """Fine-tune the value vector on a new feature and test it. [jelassi2022, Theorem 5.1]

    Args, beside those that the head of this module tells:
        init_scale: omega, the standard deviation of v at the start, and of A in empirical pre-training.
        n_repeats: independent features, samples and starts; the trial ends as the worst of them does.
    """
    frozen = FrozenAttention(
        association=association, within_logit=within_logit, across_logit=across_logit, time=pretraining_time,
        n_samples=pretraining_samples, n_steps=pretraining_steps, learning_rate=pretraining_rate, init_scale=init_scale,
    )  # fmt: skip
    require_positive(learning_rate=learning_rate)
    require_non_negative(stop_risk=stop_risk)
    require_integer(least=1, n_samples=n_samples, n_steps=n_steps, n_test=n_test, n_repeats=n_repeats)
    require_integer(least=2, patch_dimension=patch_dimension, n_records=n_records)
    sets, source = contiguous_sets(setting), random_feature(patch_dimension, generator)
    logits = frozen.logits(setting, sets, source, generator)
    tunings: list[Tested] = []
    for _ in range(n_repeats):
        feature = random_feature(patch_dimension, generator)
        data = sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)
        start = init_scale * torch.randn(patch_dimension, generator=generator, dtype=torch.float64)
        tuned = fine_tune(
            data, logits, start, setting, learning_rate=learning_rate, n_steps=n_steps, stop_risk=stop_risk,
            n_records=n_records,
        )  # fmt: skip
        fresh = {"feature": feature, "n_samples": n_test, "generator": generator}
        error = sampled_error(setting, sets, logits, tuned.value, **fresh)[0]
        tunings.append(Tested(error, tuned, feature))
    worst = max(tunings, key=lambda tested: tested.error)
    diverged = any(tested.tuned.outcome is Outcome.DIVERGED for tested in tunings)
    account: dict[str, Scalar] = {"test_error": worst.error, "n_steps_taken": worst.tuned.n_steps}
    if not diverged:
        account["weights"] = hash_of(logits, *(tested.tuned.value for tested in tunings))
    return TransferRun(
        outcome=Outcome.DIVERGED if diverged else worst.tuned.outcome, account=account, setting=setting, sets=sets,
        source=source, logits=logits, tunings=tuple(tunings), worst=worst,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TransferRun(Run):
    """Fine-tunings on one frozen attention.

    Attributes:
        sets: the set of each patch, [patches].
        source: the feature of pre-training, [dimension].
        logits: A, [patches, patches].
        worst: the fine-tuning with the largest test error, by which a trial is told how it ended.
    """

    setting: Setting
    sets: torch.Tensor
    source: torch.Tensor
    logits: torch.Tensor
    tunings: tuple[Tested, ...]
    worst: Tested


@dataclass(frozen=True, kw_only=True)
class FrozenAttention:
    """Where A comes from, by the parameters of the same names, those of pre-training without that word."""

    association: str
    within_logit: float
    across_logit: float
    time: float
    n_samples: int
    n_steps: int
    learning_rate: float
    init_scale: float

    def __post_init__(self) -> None:
        require_positive(init_scale=self.init_scale, pretraining_time=self.time, pretraining_rate=self.learning_rate)
        require_integer(least=1, pretraining_samples=self.n_samples, pretraining_steps=self.n_steps)
        require_one_of("association", self.association, ASSOCIATIONS)
        for name, logit in (("within_logit", self.within_logit), ("across_logit", self.across_logit)):
            require(bool(np.isfinite(logit)), name, "be finite", logit)

    def logits(
        self, setting: Setting, sets: torch.Tensor, source: torch.Tensor, generator: torch.Generator
    ) -> torch.Tensor:
        """A, [n_patches, n_patches], of a network pre-trained on the feature `source`."""
        if self.association == "hand_built":
            return three_values(sets, setting, within=self.within_logit, across=self.across_logit)
        if self.association == "pretrained":
            within, across = pretrained_values(setting, self.time)
            return three_values(sets, setting, within=within, across=across)
        if self.association == "empirical":
            return empirical_logits(
                setting, sets, feature=source, n_samples=self.n_samples, n_steps=self.n_steps,
                learning_rate=self.learning_rate, init_scale=self.init_scale, generator=generator,
            )  # fmt: skip
        return torch.full((setting.n_patches, setting.n_patches), setting.diagonal_logit, dtype=torch.float64)


@dataclass(frozen=True)
class Tested:
    """A fine-tuning with its test error and its feature w*, [dimension]."""

    error: float
    tuned: FineTuning
    feature: torch.Tensor
