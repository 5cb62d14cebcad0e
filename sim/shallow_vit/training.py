"""Algorithm 1: mini-batch SGD on the hinge loss, until the whole training set has none left.

Zero training hinge is detected exactly and for free: when no batch of a pass over the data had an active hinge, no
gradient moved a weight during that pass, so all N samples are fitted by the same weights. It has to be one pass, with
one order: as many idle steps across two passes may leave out a sample of the first that the second has not reached. The
hitting time, the observable `iterations`, is the last step that moved; `weights` is a hash of the last ones. A trial
ends there ("converged"), when its budget of steps is spent with some hinge left ("budget"), or when an output is no
longer a sane number ("diverged"). [li2023, Algorithm 1, eq. 21]

What a step computes is the engine's business (see `engine`); all engines agree up to rounding. What is read off a
training is not told here: `simulate` keeps what it passed through, and `readouts` read it. Looking changes no bit of
the training: steps run in other blocks, the same ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch

from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.engine.interface import Engine, Masses, StepRule
from sim.shallow_vit.engine.start import start
from sim.shallow_vit.model import Weights, hinge
from sim.shallow_vit.setting import AttentionSetting
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require_integer, require_one_of

_NEVER = 2**63 - 1
"""Steps until nothing is due any more."""
PROBE_SAMPLES = 16
"""Training samples that attention is looked at on."""


@dataclass(frozen=True, kw_only=True)
class FluctuatingSetting(AttentionSetting):
    """A training on counts that fluctuate, from orthonormal features, unless it says otherwise. [li2023, §4.1]"""

    counts: str = "fluctuating"
    initialization: str = "orthonormal"


@flat
def simulate(
    *,
    setting: FluctuatingSetting,
    noise: str = "gaussian",
    token_noise: float = 0.01,
    noise_radius: float = 0.05,
    one_pass: bool = False,
    train_attention: bool = True,
    n_test: int = 1000,
    precision: str = "float64",
    generator: torch.Generator,
) -> TrainedVit:
    """Train one shallow ViT by SGD until its training hinge loss is zero. [li2023, Algorithm 1]

    Args:
        one_pass: each sample is used once (N = B T); otherwise epochs in a fresh random order.
        n_test: fresh samples for the test hinge and error.
    """
    require_integer(least=1, n_test=n_test)
    require_one_of("precision", precision, ("float64", "float32"))
    dtype = torch.float64 if precision == "float64" else torch.float32
    data = setting.data_model(noise=noise, token_noise=token_noise, noise_radius=noise_radius)
    weights = setting.initial_weights(generator).to(dtype)
    train = data.sample(setting.n_samples, generator).to(dtype)
    rule = setting.rule(train_attention=train_attention)
    if one_pass:
        rule["max_steps"] = min(setting.max_steps, setting.n_samples // setting.batch_size)
    recorder = Recorder(min(setting.n_samples, PROBE_SAMPLES))
    run = train_weights(train, weights, **rule, generator=generator, recorder=recorder)
    fresh = functools.partial(_fresh, data, n_test, generator.get_state(), dtype)
    return TrainedVit(outcome=run.outcome, account=run.account, training=run, fresh=fresh)


def _fresh(data: TokenModel, count: int, state: torch.Tensor, dtype: torch.dtype) -> Samples:
    """Samples that the training has not seen, drawn from where its generator stopped."""
    return data.sample(count, torch.Generator().set_state(state)).to(dtype)


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedVit(Run):
    """A training, and what draws the fresh samples that its network may be tested on, the same ones each time."""

    training: TrainedWeights
    fresh: Callable[[], Samples]


@dataclass(frozen=True)
class StepState:
    """The state before a step: weights, attention masses on the probe, and the mean hinge of the batch to come."""

    step: int
    weights: Weights
    masses: Masses
    hinge: float = math.nan


@dataclass(frozen=True)
class TrainedWeights:
    """What a training started from, how it ended, and what was looked at on the way.

    Attributes:
        account: scalars that every training has: steps to the last that moved, whether it fitted, engine, weights.
    """

    train: Samples
    start: Weights
    outcome: Outcome
    engine: Engine
    account: dict[str, Scalar]
    looks: tuple[StepState, ...]

    @property
    def weights(self) -> Weights:
        """Final weights."""
        return self.engine.weights()

    @property
    def probe(self) -> Samples:
        """The training samples that attention is looked at on."""
        return self.train[: min(len(self.train), PROBE_SAMPLES)]


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
) -> TrainedWeights:
    """Run SGD from given weights on given samples. Batches of an epoch are disjoint; a last partial batch is kept.

    `recorder` says at which steps the state is looked at; at none unless given.
    """
    n = len(train)
    batches_per_pass = math.ceil(n / batch_size)
    engine = start(train, weights, StepRule(batch_size, learning_rate, train_attention))
    recorder = recorder or Unrecorded(0)
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
    account: dict[str, Scalar] = {"iterations": last_move, "train_hinge_zero": fitted, "engine": engine.name}
    if outcome != Outcome.DIVERGED:
        account["weights"] = _hash(engine.weights())
    return TrainedWeights(train, weights, outcome, engine, account, tuple(recorder.looks))


def _hash(weights: Weights) -> str:
    return hash_of(weights.hidden, weights.value, weights.key, weights.query)


def _final_outcome(outputs: torch.Tensor, labels: torch.Tensor) -> Outcome:
    """Outcome of a spent budget, from the outputs on the whole training set."""
    if not bool(outputs.abs().max() < INSANE_OUTPUT):
        return Outcome.DIVERGED
    return Outcome.CONVERGED if bool((hinge(outputs, labels) == 0).all()) else Outcome.BUDGET


@dataclass
class Recorder:
    """Looks at steps that grow geometrically, by `growth`; attention is looked at on the first `n_probe` samples."""

    n_probe: int
    growth: float = 1.05
    looks: list[StepState] = field(default_factory=list)
    _next: float = 0.0

    def is_due(self, step: int) -> bool:
        """Whether the state before this step is to be looked at."""
        return step >= self._next

    def steps_until_due(self, step: int) -> int:
        """Steps from this one to the next that is due, itself not counted."""
        following = self._after(step) if self.is_due(step) else self._next
        return max(math.ceil(following) - step, 1)

    def has(self, step: int) -> bool:
        """Whether the last look is at this step."""
        return bool(self.looks) and self.looks[-1].step == step

    def look(self, step: int, engine: Engine) -> StepState:
        """The state before a step; the hinge of its batch is still to come."""
        return StepState(step, engine.weights(), engine.masses(self.n_probe))

    def record(self, seen: StepState, hinge: float) -> None:
        """Keep a look."""
        self._next = self._after(seen.step)
        self.looks.append(replace(seen, hinge=hinge))

    def _after(self, step: float) -> float:
        return max(step + 1, step * self.growth)


class Unrecorded(Recorder):
    """Looks at nothing, so that steps are never cut into blocks for it."""

    def is_due(self, step: int) -> bool:
        """Never."""
        return False

    def steps_until_due(self, step: int) -> int:
        """More than any training has."""
        return _NEVER

    def has(self, step: int) -> bool:
        """As if the last look were there."""
        return True
