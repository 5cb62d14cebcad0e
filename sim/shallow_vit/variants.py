"""Algorithm 1 on the network with its options, and on four classes: torch alone, since no compiled engine knows them.

Training, stopping and outcomes are those of `sim.shallow_vit.training`: SGD on the hinge until a whole pass over the
training set had no active one. [li2023, Algorithm 1, appendix G.1, G.3, G.4]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.network import Stack, gradient_of, initialize_network, loss_of, masses, outputs_of, stepped
from sim.shallow_vit.rule import training_rule
from sim.shallow_vit.tested import SUCCESS_TEST_HINGE
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require, require_integer, require_one_of

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


@dataclass
class Training:
    """A training as far as it has come: weights, step, and curves of attention mass by layer."""

    network: Stack
    probe: Batch
    step: int = 0
    last_move: int = 0
    rows: list[list[float]] = field(default_factory=list)

    def record(self) -> None:
        """Append the attention mass of each layer."""
        self.rows.append([self.step, *masses(self.probe.tokens, self.probe.is_relevant, self.network)])

    def curves(self) -> dict[str, np.ndarray]:
        """Curves over `step`."""
        names = ["step", *(f"mass_layer_{index + 1}" for index in range(self.network.n_layers))]
        return dict(zip(names, np.array(self.rows).T, strict=True))


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
) -> tuple[Outcome, Training]:
    """Run SGD; batches of a pass are disjoint, a last partial batch is kept."""
    per_pass = math.ceil(len(train) / batch_size)
    probe = Batch(*(tensor[:_PROBE_SAMPLES] for tensor in (train.tokens, train.labels, train.is_relevant)))
    run = Training(network, probe)
    due, order = 0.0, torch.arange(len(train))
    while run.step < max_steps:
        if run.step % per_pass == 0:
            if run.step - run.last_move >= per_pass:
                break
            order = torch.randperm(len(train), generator=generator)
        if run.step >= due:
            run.record()
            due = max(run.step + 1, run.step * _RECORD_GROWTH)
        start = run.step % per_pass * batch_size
        chosen = order[start : start + batch_size]
        outputs, gradient = gradient_of(train.tokens[chosen], train.labels[chosen], run.network, class_hinge)
        if not bool(outputs.abs().max() < INSANE_OUTPUT):
            return Outcome.DIVERGED, run
        run.step += 1
        if gradient:
            run.network = stepped(run.network, gradient, learning_rate, train_attention=train_attention)
            run.last_move = run.step
    run.record()
    outputs = outputs_of(train.tokens, run.network)
    if not bool(outputs.abs().max() < INSANE_OUTPUT):
        return Outcome.DIVERGED, run
    fitted = bool((loss_of(outputs, train.labels, class_hinge) == 0).all())
    return Outcome.CONVERGED if fitted else Outcome.BUDGET, run


def simulate_network(
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
    counts: str = "exact",
    token_noise: float = 0.0,
    n_heads: int = 1,
    head_join: str = "sum",
    skip: bool = False,
    n_classes: int = 2,
    class_hinge: str = "joint",
    n_layers: int = 1,
    train_attention: bool = True,
    output_layer: str = "shared",
    initialization: str = "contraction",
    value_error: float = 0.1,
    key_query_error: float = 0.2,
    neuron_scale: float = 0.01,
    n_test: int = 500,
    generator: torch.Generator,
) -> TrialResult:
    """Train one network with the given options.

    Args:
        n_heads, head_join: heads of each layer, joined by "sum" or "concatenated".
        skip: whether each layer adds its own tokens to what it passes on.
        n_classes: 2, or 4 with labels of two signs and two outputs.
        class_hinge: with four classes, the hinge of y . F ("joint") or the sum of the hinges of y_k F_k ("per output").
        n_layers: stacked layers; `mass_start` and `mass_end` are of the last, `mass_layer_J_...` of each.
    """
    rule = training_rule(
        n_samples, batch_size=batch_size, learning_rate=learning_rate, max_steps=max_steps,
        train_attention=train_attention,
    )  # fmt: skip
    _require_classes(n_test, n_classes, class_hinge, n_patterns, counts)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts=counts, token_noise=token_noise,
    )  # fmt: skip
    start = initialize_network(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, n_heads=n_heads, head_join=head_join, skip=skip,
        n_outputs=n_classes // 2, n_layers=n_layers, value_error=value_error, key_query_error=key_query_error,
        neuron_scale=neuron_scale, output_layer=output_layer, initialization=initialization, generator=generator,
    )  # fmt: skip
    train = draw_batch(data, n_classes, n_samples, generator)
    outcome, run = train_network(train, start, **rule, class_hinge=class_hinge, generator=generator)
    fitted = outcome == Outcome.CONVERGED
    told: dict[str, Scalar] = {"iterations": run.last_move, "train_hinge_zero": fitted, "success": False}
    if outcome != Outcome.DIVERGED:
        told |= _tested(run.network, draw_batch(data, n_classes, n_test, generator), class_hinge) | _masses(run)
        told |= _groups(start, run.network)
    return TrialResult(outcome, told, run.curves())


def _require_classes(n_test: int, n_classes: int, class_hinge: str, n_patterns: int, counts: str) -> None:
    require_integer(least=1, n_test=n_test)
    require_one_of("n_classes", n_classes, (2, 4))
    require_one_of("class_hinge", class_hinge, ("joint", "per output"))
    require(n_classes == 2 or n_patterns >= 5, "n_patterns", "be at least 5 with four classes", n_patterns)
    require(n_classes == 2 or counts == "exact", "counts", "be 'exact' with four classes", counts)


def _tested(network: Stack, test: Batch, class_hinge: str) -> dict[str, Scalar]:
    outputs = outputs_of(test.tokens, network)
    test_hinge = float(loss_of(outputs, test.labels, class_hinge).mean())
    wrong = (test.labels * outputs <= 0).any(dim=1).double()
    return {
        "test_hinge": test_hinge,
        "test_error": float(wrong.mean()),
        "success": test_hinge < SUCCESS_TEST_HINGE,
    }


def _groups(start: Stack, end: Stack) -> dict[str, Scalar]:
    """`growth_of_group` where there are groups: two outputs, and one layer of them for all tokens."""
    return growth_of_group(start, end) if start.output.shape[:2] == (2, 1) else {}


def _masses(run: Training) -> dict[str, Scalar]:
    first, last = run.rows[0][1:], run.rows[-1][1:]
    told: dict[str, Scalar] = {"mass_start": first[-1], "mass_end": last[-1]}
    for index, (start, end) in enumerate(zip(first, last, strict=True), start=1):
        told |= {f"mass_layer_{index}_start": start, f"mass_layer_{index}_end": end}
    return told


def growth_of_group(start: Stack, end: Stack) -> dict[str, Scalar]:
    """How far the neurons of W_2, whose two output signs are + and -, moved along p_1 to p_4. [li2023, eq. (241)]

    The directions are the value features of patterns 1 to 4 at the start. `growth_k` is the mean over the group of what
    the projection on p_k gained, `initial_spread` the standard deviation of the projections at the start.
    """
    signs = end.output[:, 0]
    group = (signs[0] > 0) & (signs[1] < 0)
    features = start.value[0, 0][:, :4]
    features = features / features.norm(dim=0)
    before, after = (network.hidden[group] @ features for network in (start, end))
    gained = (after - before).mean(0) if bool(group.any()) else torch.zeros(4)
    told: dict[str, Scalar] = {f"growth_{k + 1}": float(gained[k]) for k in range(4)}
    return {**told, "initial_spread": float((start.hidden @ features).std()), "n_group": int(group.sum())}


def compare_heads(
    *,
    n_heads: int,
    n_seeds: int,
    n_tokens: int,
    label_relevant_fraction: float,
    confusion_fraction: float,
    n_samples: int,
    n_neurons: int,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    head_join: str = "sum",
    output_layer: str = "shared",
    generator: torch.Generator,
) -> TrialResult:
    """Iterations to zero training hinge with one head and with several, over seeds; the variances of either.

    Returns:
        Observables `variance_one`, `variance_many` of T over `n_seeds` trainings, `log_variance_one`,
        `log_variance_many` of log T, `mean_one`, `mean_many`, `success_one`, `success_many` (shares of trainings with
        test hinge below 1e-3), `finished` (all reached zero training hinge).
    """
    require_integer(least=2, n_seeds=n_seeds)
    told: dict[str, Scalar] = {}
    finished = True
    for name, heads in (("one", 1), ("many", n_heads)):
        results = [
            simulate_network(
                n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction,
                confusion_fraction=confusion_fraction, n_samples=n_samples, n_neurons=n_neurons,
                batch_size=batch_size, learning_rate=learning_rate, max_steps=max_steps, n_heads=heads,
                head_join=head_join, output_layer=output_layer, n_test=100, generator=generator,
            )
            for _ in range(n_seeds)
        ]  # fmt: skip
        if any(result.outcome == Outcome.DIVERGED for result in results):
            return TrialResult(Outcome.DIVERGED, {"finished": False})
        finished &= all(result.outcome == Outcome.CONVERGED for result in results)
        taken = np.array([float(result.observables["iterations"]) for result in results]).clip(min=1)
        told |= {
            f"mean_{name}": float(taken.mean()),
            f"variance_{name}": float(taken.var(ddof=1)),
            f"log_variance_{name}": float(np.log(taken).var(ddof=1)),
            f"success_{name}": float(np.mean([bool(result.observables["success"]) for result in results])),
        }
    return TrialResult(Outcome.CONVERGED if finished else Outcome.BUDGET, {**told, "finished": finished})
