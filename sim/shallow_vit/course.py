"""One training with the quantities of its proof: what Lemma 2 and its kin say of q_i, K, V_i, lucky neurons and F.

The training is that of `training.simulate`, on the same engines; at steps that grow geometrically its weights are kept,
and everything is read off them afterwards (`proof_quantities`), which costs a small part of the training.

Under Definition 2 a Gaussian neuron is lucky with a probability of 1e-10 (Lemma 3 at the paper's sizes), so statements
about lucky neurons would be about none. A few neurons are therefore planted near p_1, and as many near p_2: each keeps
its length and gets a direction drawn from a Gaussian's, given that its angle is at most sigma + tau. [li2023, Lemma 2]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from sim.shallow_vit import proof_quantities as read
from sim.shallow_vit.data import LABEL_RELEVANT, Samples, TokenModel
from sim.shallow_vit.engine.interface import Engine
from sim.shallow_vit.gradients import evaluate
from sim.shallow_vit.model import Weights, draw_features, initialize
from sim.shallow_vit.training import Recorder, train_weights
from sim.trial import Scalar, TrialResult
from sim.validation import require, require_integer, require_one_of, require_positive

LOOK_GROWTH = 1.002
"""Steps between two looks grow by this factor: every one of the first 500 steps, as sums over steps need."""
SHOWN_GROWTH = 1.15
"""The same for looks that are worked out in full, for the curves."""
_MARGIN_SAMPLES = 8


def follow_proof(
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
    train_attention: bool = True,
    output_layer: str = "per token",
    initialization: str = "contraction",
    value_error: float = 0.1,
    key_query_error: float = 0.2,
    neuron_scale: float = 0.01,
    n_planted: int = 10,
    generator: torch.Generator,
) -> TrialResult:
    """Train one shallow ViT as `simulate` does, in float64, and report what its proof speaks of.

    Args:
        n_planted: neurons near p_1 at the start, and as many near p_2.

    Curves are over `step`, `*_1` and `*_2` by pattern; tau is the typical length of the token noise.
    """
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, max_steps=max_steps)
    require_integer(least=0, n_planted=n_planted)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    require(2 * n_planted < n_neurons, "n_planted", f"be less than half of n_neurons = {n_neurons}", n_planted)
    require_one_of("initialization", initialization, ("orthonormal", "contraction"))
    require(n_patterns > 2, "n_patterns", "exceed 2, for patterns that no label hangs on", n_patterns)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts=counts, token_noise=token_noise,
    )  # fmt: skip
    directions = draw_features(dimension, _again(generator))[:, :n_patterns]
    drawn = initialize(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=value_error,
        key_query_error=key_query_error, neuron_scale=neuron_scale, output_layer=output_layer,
        initialization=initialization, generator=generator,
    )  # fmt: skip
    tau = token_noise * dimension**0.5
    start = replace(drawn, hidden=plant(drawn.hidden, directions, n_planted, value_error + tau, generator))
    train = data.sample(n_samples, generator)
    probe = train[:batch_size]
    kept = Looks(probe, start)
    run = train_weights(
        train, start, batch_size=batch_size, learning_rate=learning_rate, train_attention=train_attention,
        max_steps=max_steps, generator=generator, recorder=kept,
    )  # fmt: skip
    errors = Errors(value=value_error + tau, query=key_query_error + tau)
    summed, curves = quantities(kept, probe, directions, n_planted, learning_rate=learning_rate, errors=errors)
    return TrialResult(run.outcome, {**run.observables, **summed}, curves)


def _again(generator: torch.Generator) -> torch.Generator:
    """A generator that will draw what this one is about to."""
    return torch.Generator().set_state(generator.get_state())


@dataclass(frozen=True)
class Errors:
    """sigma + tau and delta + tau."""

    value: float
    query: float


def plant(
    hidden: torch.Tensor, directions: torch.Tensor, n_planted: int, radius: float, generator: torch.Generator
) -> torch.Tensor:
    """Neurons, the first `n_planted` turned to within `radius` of p_1 and the next of p_2; lengths stay.

    Angles have the law of a Gaussian vector's, given that they are at most `radius`.
    """
    from scipy.special import betainc, betaincinv

    turned = hidden.clone()
    shape = (hidden.shape[1] - 1) / 2, 0.5
    share = torch.rand(2 * n_planted, generator=generator, dtype=torch.float64).numpy()
    sines = np.sqrt(betaincinv(*shape, share * betainc(*shape, math.sin(radius) ** 2)))
    for i, sine in enumerate(sines):
        feature = directions[:, i // n_planted]
        off = hidden[i] - (hidden[i] @ feature) * feature
        aim = math.sqrt(1 - sine**2) * feature + sine * off / off.norm()
        turned[i] = hidden[i].norm() * aim
    return turned


@dataclass
class Looks(Recorder):
    """Weights, outputs aside, at steps that grow geometrically."""

    kept: list[Weights] = field(default_factory=list)

    def look(self, step: int, engine: Engine) -> dict[str, Any]:
        """The weights before a step."""
        return {"step": step, "weights": engine.weights()}

    def record(self, seen: dict[str, Any], hinge: float) -> None:
        """Keep them."""
        self.kept.append(seen["weights"])
        super().record({"step": seen["step"]}, hinge)

    def final(self) -> dict[str, float]:
        """Nothing: all of it is worked out afterwards."""
        return {}

    @staticmethod
    def _after(step: float) -> float:
        return max(step + 1, step * LOOK_GROWTH)


def quantities(
    looks: Looks,
    probe: Samples,
    directions: torch.Tensor,
    n_planted: int,
    *,
    learning_rate: float,
    errors: Errors,
) -> tuple[dict[str, Scalar], dict[str, np.ndarray]]:
    """Observables and curves of the proof from the weights that were kept."""
    if not looks.kept:
        return {}, {}
    course, start = looks.kept, looks.kept[0]
    steps = [int(row["step"]) for row in looks.rows]
    groups = grouped(start.output, n_planted)
    event = read.closest_by_a_margin(read.angles(start.hidden, directions), errors.value)
    parts = read.stretches(course, steps, learning_rate)
    summed, drift = read.value_drift(course, parts, directions=directions, groups=groups, learning_rate=learning_rate)
    shown, few = _distinct(probe), probe[:_MARGIN_SAMPLES]
    rows = []
    for i in _shown(steps):
        weights, lengths = course[i], read.feature_lengths(course[i], start)
        found = read.angles(weights.hidden, directions)
        margins = few.labels * evaluate(few.tokens, weights)
        rows.append(
            {
                "step": steps[i],
                "hinge": looks.rows[i]["hinge"],
                "margin": float(margins.mean()),
                "margin_least": float(margins.min()),
                **lengths,
                **read.attention_against_bounds(shown, weights, lengths, errors.query),
                **read.neuron_projections(weights.hidden, directions, groups),
                **read.shares_kept(found, groups, errors.value),
                **read.shares_kept_in_event(read.closest_by_a_margin(found, errors.value), event, groups.positive),
                **drift[i],
            }
        )
    curves = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return {
        **summed,
        **read.activity_signs(parts, steps, groups),
        **_ends(curves, probe),
        "n_event": int(event.sum()),
        "n_positive": int(groups.positive[: 2 * n_planted].sum()),
    }, curves


def grouped(output: torch.Tensor, n_planted: int) -> read.Groups:
    """The planted groups of neurons, and the sign of what each is worth to the output."""
    total = output if output.dim() == 1 else output.sum(0)
    number = torch.arange(len(total))
    return read.Groups(number < n_planted, (number >= n_planted) & (number < 2 * n_planted), total > 0)


def _shown(steps: Sequence[int]) -> list[int]:
    """Numbers of the looks on the curves: the first, the last, and between them steps that grow geometrically."""
    chosen = [0]
    for i, step in enumerate(steps):
        if step >= max(steps[chosen[-1]] + 1, steps[chosen[-1]] * SHOWN_GROWTH):
            chosen.append(i)
    return sorted({*chosen, len(steps) - 1})


def _distinct(probe: Samples) -> Samples:
    """One sample of each label where those of a label differ in nothing but the order of their tokens."""
    counts = torch.nn.functional.one_hot(probe.patterns).sum(1)
    chosen = []
    for label in (1.0, -1.0):
        of_label = (probe.labels == label).nonzero().flatten()
        if bool((counts[of_label] != counts[of_label[:1]]).any()):
            return probe
        chosen.append(of_label[:1])
    is_exact = bool((probe.tokens.square().sum(-1) == 1).all())
    return probe[torch.cat(chosen)] if is_exact else probe


def _ends(curves: dict[str, np.ndarray], probe: Samples) -> dict[str, float]:
    """First, last and extreme values that rows compare with a bound."""
    return {
        "mass_at_start": float(curves["mass_own_query"][0]),
        "mass_at_end": float(curves["mass_own_query"][-1]),
        "mass_missing_at_end": float(1 - curves["mass_own_query"][-1]),
        "query_squared": float(curves["query_1"][-1] ** 2),
        "margin_at_end": float(curves["margin_least"][-1]),
        "rest_largest": float(curves["rest_largest"].max()),
        "rest_rms": float(curves["rest_rms"].max()),
        "unlucky_norm_squared_largest": float(curves["unlucky_norm_squared_largest"].max()),
        "relevant_tokens": float((probe.roles == LABEL_RELEVANT).double().sum(1).mean()),
    }
