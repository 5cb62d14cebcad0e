"""Algorithm 1 on the network with its options, and on four classes: torch alone, since no compiled engine knows them.

Training, stopping and outcomes are those of `sim.shallow_vit.training`: SGD on the hinge until a whole pass over the
training set had no active one. [li2023, Algorithm 1, appendix G.1, G.3, G.4]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.network import MATRICES, Stack, gradient_of, initialize_network, loss_of, outputs_of, stepped
from sim.shallow_vit.setting import AttentionSetting, TrainingSetting
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require, require_integer, require_one_of

_PROBE_SAMPLES = 16
_RECORD_GROWTH = 1.2

CLASS_SIGNS = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], dtype=torch.float64)
"""Labels y in {+1, -1}^2 of the classes of patterns 1 to 4."""


@dataclass(frozen=True)
class Batch:
    """Tokens [n, L, d], labels [n, K], and which tokens are label-relevant [n, L]."""

    tokens: torch.Tensor
    labels: torch.Tensor
    is_relevant: torch.Tensor

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: slice) -> Batch:
        return Batch(self.tokens[index], self.labels[index], self.is_relevant[index])


def draw_batch(data: TokenModel, n_classes: int, size: int, generator: torch.Generator) -> Batch:
    """Samples of two classes as `TokenModel` has them, or of four.

    With four classes patterns 1 to 4 are discriminative. The pattern of the class has the label-relevant fraction, the
    confusion fraction is spread evenly over the other three, the rest over the non-discriminative ones, all exactly.
    """
    if n_classes == 2:
        samples = data.sample(size, generator)
        return Batch(samples.tokens, samples.labels[:, None], samples.roles == 0)
    relevant, confusing = (
        round(fraction * data.n_tokens) for fraction in (data.label_relevant_fraction, data.confusion_fraction)
    )
    rest = data.n_tokens - relevant - confusing
    ordered = torch.cat(
        [
            torch.zeros(relevant, dtype=torch.long),
            1 + torch.arange(confusing) % 3,
            4 + torch.arange(rest) % max(data.n_patterns - 4, 1),
        ]
    )
    shuffle = torch.rand(size, data.n_tokens, generator=generator).argsort(dim=1)
    classes = torch.randint(0, 4, (size,), generator=generator)
    turned = torch.where(ordered[shuffle] < 4, (ordered[shuffle] + classes[:, None]) % 4, ordered[shuffle])
    tokens = torch.eye(data.dimension, dtype=torch.float64)[turned]
    if data.token_noise > 0:
        tokens = tokens + data.token_noise * torch.randn(tokens.shape, generator=generator, dtype=torch.float64)
    return Batch(tokens, CLASS_SIGNS[classes], turned == classes[:, None])


@dataclass(frozen=True)
class StackLook:
    """The network before a step."""

    step: int
    network: Stack


@dataclass(frozen=True)
class StackTraining:
    """How a training ended, the last step that moved, and what was looked at; the last look is at its end."""

    outcome: Outcome
    last_move: int
    looks: tuple[StackLook, ...]

    @property
    def network(self) -> Stack:
        """The network at the end."""
        return self.looks[-1].network


def train_network(
    train: Batch,
    network: Stack,
    *,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    train_attention: bool,
    class_hinge: str,
    generator: torch.Generator,
) -> StackTraining:
    """Run SGD; batches of a pass are disjoint, a last partial batch is kept."""
    per_pass = math.ceil(len(train) / batch_size)
    step, last_move, due, order = 0, 0, 0.0, torch.arange(len(train))
    looks: list[StackLook] = []
    while step < max_steps:
        if step % per_pass == 0:
            if step - last_move >= per_pass:
                break
            order = torch.randperm(len(train), generator=generator)
        if step >= due:
            looks.append(StackLook(step, network))
            due = max(step + 1, step * _RECORD_GROWTH)
        start = step % per_pass * batch_size
        chosen = order[start : start + batch_size]
        outputs, gradient = gradient_of(train.tokens[chosen], train.labels[chosen], network, class_hinge)
        if not bool(outputs.abs().max() < INSANE_OUTPUT):
            return StackTraining(Outcome.DIVERGED, last_move, tuple(looks))
        step += 1
        if gradient:
            network = stepped(network, gradient, learning_rate, train_attention=train_attention)
            last_move = step
    looks.append(StackLook(step, network))
    return StackTraining(_ending(train, network, class_hinge), last_move, tuple(looks))


def _ending(train: Batch, network: Stack, class_hinge: str) -> Outcome:
    outputs = outputs_of(train.tokens, network)
    if not bool(outputs.abs().max() < INSANE_OUTPUT):
        return Outcome.DIVERGED
    fitted = bool((loss_of(outputs, train.labels, class_hinge) == 0).all())
    return Outcome.CONVERGED if fitted else Outcome.BUDGET


@flat
def simulate_network(
    *,
    setting: AttentionSetting,
    token_noise: float = 0.0,
    n_heads: int = 1,
    head_join: str = "sum",
    skip: bool = False,
    n_classes: int = 2,
    class_hinge: str = "joint",
    n_layers: int = 1,
    train_attention: bool = True,
    n_test: int = 500,
    generator: torch.Generator,
) -> TrainedStack:
    """Train one network with the given options.

    Args:
        n_heads, head_join: heads of each layer, joined by "sum" or "concatenated".
        skip: whether each layer adds its own tokens to what it passes on.
        n_classes: 2, or 4 with labels of two signs and two outputs.
        class_hinge: with four classes, the hinge of y . F ("joint") or the sum of the hinges of y_k F_k ("per output").
        n_layers: stacked layers.
    """
    _require_classes(n_test, n_classes, class_hinge, setting)
    data = setting.data_model(token_noise=token_noise)
    start = initialize_network(
        dimension=setting.dimension, n_neurons=setting.n_neurons, n_tokens=setting.n_tokens, n_heads=n_heads,
        head_join=head_join, skip=skip, n_outputs=n_classes // 2, n_layers=n_layers, value_error=setting.value_error,
        key_query_error=setting.key_query_error, neuron_scale=setting.neuron_scale, output_layer=setting.output_layer,
        initialization=setting.initialization, generator=generator,
    )  # fmt: skip
    train = draw_batch(data, n_classes, setting.n_samples, generator)
    rule = setting.rule(train_attention=train_attention)
    run = train_network(train, start, **rule, class_hinge=class_hinge, generator=generator)
    fitted = run.outcome == Outcome.CONVERGED
    account: dict[str, Scalar] = {"iterations": run.last_move, "train_hinge_zero": fitted}
    if run.outcome != Outcome.DIVERGED:
        account["weights"] = hash_of(*(getattr(run.network, name) for name in MATRICES))
    return TrainedStack(
        outcome=run.outcome, account=account, start=start, training=run, probe=train[:_PROBE_SAMPLES],
        test=draw_batch(data, n_classes, n_test, generator), class_hinge=class_hinge,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedStack(Run):
    """A training, the training samples that attention is looked at on, and fresh ones."""

    start: Stack
    training: StackTraining
    probe: Batch
    test: Batch
    class_hinge: str


def _require_classes(n_test: int, n_classes: int, class_hinge: str, setting: AttentionSetting) -> None:
    n_patterns, counts = setting.n_patterns, setting.counts
    require_integer(least=1, n_test=n_test)
    require_one_of("n_classes", n_classes, (2, 4))
    require_one_of("class_hinge", class_hinge, ("joint", "per output"))
    require(n_classes == 2 or n_patterns >= 5, "n_patterns", "be at least 5 with four classes", n_patterns)
    require(n_classes == 2 or counts == "exact", "counts", "be 'exact' with four classes", counts)


@flat
def compare_heads(
    *,
    setting: TrainingSetting,
    n_heads: int,
    n_seeds: int,
    head_join: str = "sum",
    generator: torch.Generator,
) -> ComparedHeads:
    """Train networks with one head and with several, over `n_seeds` seeds; `finished` where all reached zero hinge."""
    require_integer(least=2, n_seeds=n_seeds)
    one, many = [], []
    for runs, heads in ((one, 1), (many, n_heads)):
        runs += [
            simulate_network(**vars(setting), n_heads=heads, head_join=head_join, n_test=100, generator=generator)
            for _ in range(n_seeds)
        ]
        if any(run.outcome == Outcome.DIVERGED for run in runs):
            account: dict[str, Scalar] = {"finished": False}
            return ComparedHeads(outcome=Outcome.DIVERGED, account=account, one=tuple(one), many=tuple(many))
    runs = [*one, *many]
    finished = all(run.outcome == Outcome.CONVERGED for run in runs)
    weights = hash_of(*(getattr(run.training.network, name) for run in runs for name in MATRICES))
    return ComparedHeads(
        outcome=Outcome.CONVERGED if finished else Outcome.BUDGET,
        account={"finished": finished, "weights": weights}, one=tuple(one), many=tuple(many),
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparedHeads(Run):
    """Trainings with one head and with several."""

    one: tuple[TrainedStack, ...]
    many: tuple[TrainedStack, ...]
