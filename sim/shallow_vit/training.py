"""Algorithm 1: mini-batch SGD on the hinge loss, until the whole training set has none left.

Zero training hinge is detected exactly and for free: when no batch of a pass over the data had an active hinge, no
gradient moved a weight during that pass, so all N samples are fitted by the same weights. It has to be one pass, with
one order: as many idle steps across two passes may leave out a sample of the first that the second has not reached. The
hitting time is the last step that moved. A trial ends there ("converged"), when its budget of steps is spent with some
hinge left ("budget"), or when an output is no longer a sane number ("diverged"). [li2023, Algorithm 1, eq. 21]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, OTHER, Samples, TokenModel
from sim.shallow_vit.gradients import attend, evaluate, hinge_gradient
from sim.shallow_vit.model import Weights, attention, hinge, initialize
from sim.trial import Outcome, TrialResult
from sim.validation import require, require_integer, require_one_of, require_positive

SUCCESS_TEST_HINGE = 1e-3
"""A trial succeeds when its mean test hinge is below this. [li2023, §4.1]"""

_INSANE_OUTPUT = 1e6
_PROBE_SAMPLES = 16
_RECORD_GROWTH = 1.05  # steps between two records of the curves grow by this factor


def simulate(
    *,
    n_tokens: int,
    label_relevant_fraction: float,
    confusion_fraction: float,
    n_samples: int,
    n_neurons: int,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    dimension: int = 10,
    n_patterns: int = 5,
    counts: str = "fluctuating",
    noise: str = "gaussian",
    token_noise: float = 0.01,
    noise_radius: float = 0.05,
    one_pass: bool = False,
    train_attention: bool = True,
    output_layer: str = "shared",
    initialization: str = "orthonormal",
    value_error: float = 0.1,
    key_query_error: float = 0.2,
    neuron_scale: float = 0.01,
    n_test: int = 1000,
    precision: str = "float64",
    generator: torch.Generator,
) -> TrialResult:
    """Train one shallow ViT by SGD until its training hinge loss is zero. [li2023, Algorithm 1]

    Args:
        one_pass: each sample is used once (N = B T); otherwise epochs in a fresh random order.
        n_test: fresh samples for the test hinge and error.

    Returns:
        Observables `iterations` (steps that moved a weight, counted to the last), `train_hinge_zero`, `test_hinge`,
        `test_error`, `success`, the attention mass on label-relevant tokens at the end, realised fractions of roles;
        curves over `step` (see `_Recorder`).
    """
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, max_steps=max_steps, n_test=n_test)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    require_one_of("precision", precision, ("float64", "float32"))
    dtype = torch.float64 if precision == "float64" else torch.float32
    data = TokenModel(
        n_tokens=n_tokens,
        label_relevant_fraction=label_relevant_fraction,
        confusion_fraction=confusion_fraction,
        dimension=dimension,
        n_patterns=n_patterns,
        counts=counts,
        noise=noise,
        token_noise=token_noise,
        noise_radius=noise_radius,
    )
    weights = initialize(
        dimension=dimension,
        n_neurons=n_neurons,
        n_tokens=n_tokens,
        value_error=value_error,
        key_query_error=key_query_error,
        neuron_scale=neuron_scale,
        output_layer=output_layer,
        initialization=initialization,
        generator=generator,
    ).to(dtype)
    train = data.sample(n_samples, generator).to(dtype)
    run = train_weights(
        train,
        weights,
        batch_size=batch_size,
        learning_rate=learning_rate,
        max_steps=min(max_steps, n_samples // batch_size) if one_pass else max_steps,
        train_attention=train_attention,
        generator=generator,
    )
    observables = dict(run.observables)
    if run.outcome != Outcome.DIVERGED:
        test = data.sample(n_test, generator).to(dtype)
        outputs = evaluate(test.tokens, run.weights)
        test_hinge = float(hinge(outputs, test.labels).mean())
        observables |= {
            "test_hinge": test_hinge,
            "test_error": float((test.labels * outputs <= 0).double().mean()),
            "success": test_hinge < SUCCESS_TEST_HINGE,
        }
    else:
        observables |= {"success": False}
    roles = train.roles
    observables |= {
        "realised_label_relevant_fraction": float((roles == LABEL_RELEVANT).double().mean()),
        "realised_confusion_fraction": float((roles == CONFUSION).double().mean()),
    }
    return TrialResult(outcome=run.outcome, observables=observables, curves=run.curves)


@dataclass(frozen=True)
class TrainingRun:
    """Outcome, final weights, scalar observables and curves of one training."""

    outcome: Outcome
    weights: Weights
    observables: dict[str, float]
    curves: dict[str, np.ndarray]


def train_weights(
    train: Samples,
    weights: Weights,
    *,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    train_attention: bool,
    generator: torch.Generator,
) -> TrainingRun:
    """Run SGD from given weights on given samples. Batches of an epoch are disjoint; a last partial batch is kept."""
    n = len(train)
    batches_per_pass = math.ceil(n / batch_size)
    recorder = _Recorder(train[: min(n, _PROBE_SAMPLES)], weights)
    attended = None if train_attention else attend(train.tokens, weights)
    last_move, step, outcome = 0, 0, Outcome.BUDGET
    order = torch.arange(n)
    while step < max_steps:
        position = step % batches_per_pass
        if position == 0:
            order = torch.randperm(n, generator=generator)
        chosen = order[position * batch_size : (position + 1) * batch_size]
        fixed = None if attended is None else attended[chosen]
        batch = hinge_gradient(train.tokens[chosen], train.labels[chosen], weights, frozen=fixed)
        if not bool(batch.outputs.abs().max() < _INSANE_OUTPUT):
            outcome = Outcome.DIVERGED
            break
        recorder.record(step, weights, batch.loss)
        step += 1
        if batch.gradient is not None:
            last_move = step
            weights = weights.step(batch.gradient, learning_rate, train_attention=train_attention)
        if position == batches_per_pass - 1 and step - last_move >= batches_per_pass:
            outcome = Outcome.CONVERGED
            break
    if outcome == Outcome.BUDGET:  # which may have ended before the pass, or the step, that would have shown either
        outcome = _final_outcome(evaluate(train.tokens, weights), train.labels)
    fitted = outcome == Outcome.CONVERGED
    if outcome != Outcome.DIVERGED:
        recorder.record(step, weights, 0.0 if fitted else batch.loss, force=True)
    observables = {"iterations": last_move, "train_hinge_zero": fitted, **recorder.final()}
    return TrainingRun(outcome, weights, observables, recorder.curves())


def _final_outcome(outputs: torch.Tensor, labels: torch.Tensor) -> Outcome:
    """Outcome of a spent budget, from the outputs on the whole training set."""
    if not bool(outputs.abs().max() < _INSANE_OUTPUT):
        return Outcome.DIVERGED
    return Outcome.CONVERGED if bool((hinge(outputs, labels) == 0).all()) else Outcome.BUDGET


@dataclass
class _Recorder:
    """Curves on steps that grow geometrically, measured on a fixed probe of training samples.

    `mass_*`: attention mass averaged over query tokens and samples, by role of the attended token; `mass_own_query`
    restricts the queries to label-relevant tokens, `mass_worst_query` takes the smallest over all queries (Proposition
    2 speaks of every token l); `query_norm`, `key_norm`: length of the query / key features of pattern 1;
    `projection_first`, `projection_rest`: largest projection of a neuron on the value features of pattern 1 and of the
    non-discriminative patterns.
    """

    probe: Samples
    initial: Weights
    rows: list[dict[str, float]] = field(default_factory=list)
    _next: float = 0.0

    def record(self, step: int, weights: Weights, loss: float, *, force: bool = False) -> None:
        """Append a row if its step is due (or forced and not yet there)."""
        if step < self._next and not (force and self.rows[-1]["step"] != step):
            return
        self._next = max(step + 1, step * _RECORD_GROWTH)
        weight = attention(self.probe.tokens, weights.scoring)
        roles = self.probe.roles[:, None, :]
        mass = {role: (weight * (roles == role)).sum(-1) for role in (LABEL_RELEVANT, CONFUSION, OTHER)}
        own = self.probe.roles == LABEL_RELEVANT
        onto = weights.hidden @ self.initial.value[:, : int(self.probe.patterns.max()) + 1]
        self.rows.append(
            {
                "step": step,
                "hinge": loss,
                "mass_label_relevant": float(mass[LABEL_RELEVANT].mean()),
                "mass_confusion": float(mass[CONFUSION].mean()),
                "mass_other": float(mass[OTHER].mean()),
                "mass_own_query": float(mass[LABEL_RELEVANT][own].mean()),
                "mass_worst_query": float(mass[LABEL_RELEVANT].min()),
                "query_norm": float(weights.query[:, 0].norm()),
                "key_norm": float(weights.key[:, 0].norm()),
                "projection_first": float(onto[:, 0].abs().max()),
                "projection_rest": float(onto[:, 2:].abs().max()) if onto.shape[1] > 2 else 0.0,
            }
        )

    def curves(self) -> dict[str, np.ndarray]:
        """All rows as arrays by name."""
        return {name: np.array([row[name] for row in self.rows]) for name in self.rows[0]} if self.rows else {}

    def final(self) -> dict[str, float]:
        """The last row's attention masses and norms."""
        keep = ("mass_label_relevant", "mass_own_query", "mass_worst_query", "query_norm", "key_norm")
        return {name: self.rows[-1][name] for name in keep} if self.rows else {}
