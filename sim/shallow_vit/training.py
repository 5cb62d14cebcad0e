"""Algorithm 1: mini-batch SGD on the hinge loss, until the whole training set has none left.

Zero training hinge is detected exactly and for free: when no batch of a pass over the data had an active hinge, no
gradient moved a weight during that pass, so all N samples are fitted by the same weights. It has to be one pass, with
one order: as many idle steps across two passes may leave out a sample of the first that the second has not reached. The
hitting time is the last step that moved. A trial ends there ("converged"), when its budget of steps is spent with some
hinge left ("budget"), or when an output is no longer a sane number ("diverged"). [li2023, Algorithm 1, eq. 21]

What a step computes is the engine's business (see `engine`); all engines agree up to rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, Samples, TokenModel
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.engine.interface import Engine, StepRule
from sim.shallow_vit.engine.start import start
from sim.shallow_vit.model import Weights, hinge, initialize
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require, require_integer, require_one_of, require_positive

SUCCESS_TEST_HINGE = 1e-3
"""A trial succeeds when its mean test hinge is below this. [li2023, §4.1]"""

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

    The observable `iterations` counts the steps that moved a weight, to the last; curves are over `step`.
    """
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, max_steps=max_steps, n_test=n_test)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    require_one_of("precision", precision, ("float64", "float32"))
    dtype = torch.float64 if precision == "float64" else torch.float32
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts=counts, noise=noise, token_noise=token_noise,
        noise_radius=noise_radius,
    )  # fmt: skip
    weights = initialize(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=value_error,
        key_query_error=key_query_error, neuron_scale=neuron_scale, output_layer=output_layer,
        initialization=initialization, generator=generator,
    ).to(dtype)  # fmt: skip
    train = data.sample(n_samples, generator).to(dtype)
    run = train_weights(
        train, weights, batch_size=batch_size, learning_rate=learning_rate, train_attention=train_attention,
        max_steps=min(max_steps, n_samples // batch_size) if one_pass else max_steps, generator=generator,
    )  # fmt: skip
    test = data.sample(n_test, generator).to(dtype) if run.outcome != Outcome.DIVERGED else None
    return TrialResult(run.outcome, {**run.observables, **_tested(run, test), **_realised(train)}, run.curves)


def _tested(run: TrainingRun, test: Samples | None) -> dict[str, Scalar]:
    """What fresh samples say of the trained network; a diverged one is asked nothing."""
    if test is None:
        return {"success": False}
    outputs = run.engine.outputs(test)
    test_hinge = float(hinge(outputs, test.labels).mean())
    return {
        "test_hinge": test_hinge,
        "test_error": float((test.labels * outputs <= 0).double().mean()),
        "success": test_hinge < SUCCESS_TEST_HINGE,
    }


def _realised(train: Samples) -> dict[str, Scalar]:
    """The fractions that the tokens' roles came out at, which fluctuate where counts do."""
    return {
        "realised_label_relevant_fraction": float((train.roles == LABEL_RELEVANT).double().mean()),
        "realised_confusion_fraction": float((train.roles == CONFUSION).double().mean()),
    }


@dataclass(frozen=True)
class TrainingRun:
    """Outcome, engine with the final weights, scalar observables and curves of one training."""

    outcome: Outcome
    engine: Engine
    observables: dict[str, bool | int | float | str]
    curves: dict[str, np.ndarray]

    @property
    def weights(self) -> Weights:
        """Final weights."""
        return self.engine.weights()


def train_weights(
    train: Samples,
    weights: Weights,
    *,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    train_attention: bool,
    generator: torch.Generator,
    recorder: Recorder | None = None,
) -> TrainingRun:
    """Run SGD from given weights on given samples. Batches of an epoch are disjoint; a last partial batch is kept.

    `recorder` says what is looked at on the way; the curves of attention, norms and projections unless given.
    """
    n = len(train)
    batches_per_pass = math.ceil(n / batch_size)
    engine = start(train, weights, StepRule(batch_size, learning_rate, train_attention))
    recorder = recorder or Recorder(train[: min(n, _PROBE_SAMPLES)], weights)
    last_move, step, loss, outcome = 0, 0, 0.0, Outcome.BUDGET
    order = torch.arange(n)
    while step < max_steps:
        position = step % batches_per_pass
        if position == 0:
            order = torch.randperm(n, generator=generator)
        seen = recorder.look(step, engine) if recorder.is_due(step) else None
        block = min(batches_per_pass - position, max_steps - step, recorder.steps_until_due(step))
        done = engine.advance(order, position, block)
        if seen is not None and (done.steps > 0 or done.sane):
            recorder.record(seen, done.first_loss)
        if done.last_move >= 0:
            last_move = step + done.last_move + 1
        step += done.steps
        if not done.sane:
            outcome = Outcome.DIVERGED
            break
        loss = done.loss
        if position + block == batches_per_pass and step - last_move >= batches_per_pass:
            outcome = Outcome.CONVERGED
            break
    if outcome == Outcome.BUDGET:  # which may have ended before the pass, or the step, that would have shown either
        outcome = _final_outcome(engine.outputs(train), train.labels)
    fitted = outcome == Outcome.CONVERGED
    if outcome != Outcome.DIVERGED and not recorder.has(step):
        recorder.record(recorder.look(step, engine), 0.0 if fitted else loss)
    observables = {"iterations": last_move, "train_hinge_zero": fitted, **recorder.final(), "engine": engine.name}
    return TrainingRun(outcome, engine, observables, recorder.curves())


def _final_outcome(outputs: torch.Tensor, labels: torch.Tensor) -> Outcome:
    """Outcome of a spent budget, from the outputs on the whole training set."""
    if not bool(outputs.abs().max() < INSANE_OUTPUT):
        return Outcome.DIVERGED
    return Outcome.CONVERGED if bool((hinge(outputs, labels) == 0).all()) else Outcome.BUDGET


@dataclass
class Recorder:
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

    def is_due(self, step: int) -> bool:
        """Whether the state before this step belongs on the curves."""
        return step >= self._next

    def steps_until_due(self, step: int) -> int:
        """Steps from this one to the next that is due, itself not counted."""
        following = self._after(step) if self.is_due(step) else self._next
        return max(math.ceil(following) - step, 1)

    def has(self, step: int) -> bool:
        """Whether the last row is of this step."""
        return bool(self.rows) and self.rows[-1]["step"] == step

    def look(self, step: int, engine: Engine) -> dict[str, float]:
        """What a row says of the state before a step; the hinge of its batch is still to come."""
        masses, weights = engine.masses(len(self.probe)), engine.weights()
        onto = weights.hidden @ self.initial.value[:, : int(self.probe.patterns.max()) + 1]
        return {
            "step": step,
            "hinge": math.nan,
            "mass_label_relevant": masses.label_relevant,
            "mass_confusion": masses.confusion,
            "mass_other": masses.other,
            "mass_own_query": masses.own_query,
            "mass_worst_query": masses.worst_query,
            "query_norm": float(weights.query[:, 0].norm()),
            "key_norm": float(weights.key[:, 0].norm()),
            "projection_first": float(onto[:, 0].abs().max()),
            "projection_rest": float(onto[:, 2:].abs().max()) if onto.shape[1] > 2 else 0.0,
        }

    def record(self, seen: dict[str, float], hinge: float) -> None:
        """Append a row."""
        step = seen["step"]
        self._next = self._after(step)
        self.rows.append({**seen, "hinge": hinge})

    @staticmethod
    def _after(step: float) -> float:
        return max(step + 1, step * _RECORD_GROWTH)

    def curves(self) -> dict[str, np.ndarray]:
        """All rows as arrays by name."""
        return {name: np.array([row[name] for row in self.rows]) for name in self.rows[0]} if self.rows else {}

    def final(self) -> dict[str, float]:
        """The last row's attention masses and norms."""
        keep = ("mass_label_relevant", "mass_own_query", "mass_worst_query", "query_norm", "key_norm")
        return {name: self.rows[-1][name] for name in keep} if self.rows else {}
