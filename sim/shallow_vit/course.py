"""One training with the quantities of its proof: what Lemma 2 and its kin say of q_i, K, V_i, lucky neurons and F.

The training is that of `training.simulate`, on the same engines. At steps that grow geometrically its weights are kept,
sums over all steps are taken while it runs (`engine.tally`), and everything is read off both afterwards
(`proof_quantities`), which costs a small part of the training.

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
from sim.shallow_vit.engine.tally import Tally
from sim.shallow_vit.model import Weights, draw_features, initialize
from sim.shallow_vit.points import TokenPoints, outputs
from sim.shallow_vit.training import Recorder, train_weights
from sim.trial import Scalar, TrialResult
from sim.validation import require, require_integer, require_one_of, require_positive

_LOOK_GROWTH = 1.15  # steps between two looks grow by this factor
_MARGIN_SAMPLES = 8
_MOST_ENTRIES = 1 << 18  # of an array over looks, samples, points and neurons: two megabytes, which stay in a cache


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
    looks = Looks(probe, start, groups=grouped(start.output, n_planted), learning_rate=learning_rate)
    run = train_weights(
        train, start, batch_size=batch_size, learning_rate=learning_rate, train_attention=train_attention,
        max_steps=max_steps, generator=generator, recorder=looks,
    )  # fmt: skip
    errors = Errors(value=value_error + tau, query=key_query_error + tau)
    summed, curves = quantities(looks, probe, directions, errors)
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


@dataclass(frozen=True)
class Snapshot:
    """Weights before a step, and what value vectors 1 and 2 were moved by, by their own groups and by all [2, m_a]."""

    weights: Weights
    lucky: torch.Tensor
    all: torch.Tensor


@dataclass
class Looks(Recorder):
    """Looks at steps that grow geometrically, and sums over all steps from the first look on."""

    groups: read.Groups = field(kw_only=True)
    learning_rate: float = field(kw_only=True)
    kept: list[Snapshot] = field(default_factory=list)
    tally: Tally | None = None

    def look(self, step: int, engine: Engine) -> dict[str, Any]:
        """The state before a step."""
        if self.tally is None:
            members = torch.stack([self.groups.first, self.groups.second], dim=1)
            self.tally = Tally(engine, members, self.learning_rate)
        down = -self.learning_rate
        return {"step": step, "look": Snapshot(engine.weights(), down * self.tally.own, down * self.tally.every)}

    def record(self, seen: dict[str, Any], hinge: float) -> None:
        """Keep it."""
        self.kept.append(seen["look"])
        super().record({"step": seen["step"]}, hinge)

    def final(self) -> dict[str, float]:
        """Nothing: all of it is worked out afterwards."""
        return {}

    @staticmethod
    def _after(step: float) -> float:
        return max(step + 1, step * _LOOK_GROWTH)


def quantities(
    looks: Looks, probe: Samples, directions: torch.Tensor, errors: Errors
) -> tuple[dict[str, Scalar], dict[str, np.ndarray]]:
    """Observables and curves of the proof from what was kept of a training."""
    if not looks.kept or looks.tally is None:
        return {}, {}
    groups, steps = looks.groups, looks.tally.steps
    course = _stacked([look.weights for look in looks.kept])
    lucky, every = torch.stack([look.lucky for look in looks.kept]), torch.stack([look.all for look in looks.kept])
    drift = read.value_drift(course.value, lucky, every - lucky, directions=directions)
    found = read.angles(course.hidden, directions)
    event = read.closest_by_a_margin(found, errors.value)
    by_look = {
        **_of_samples(course, probe, errors.query),
        **read.neuron_projections(course.hidden, directions, groups),
        **read.shares_kept(found, groups, errors.value),
        **read.shares_kept_in_event(event, event[0], groups),
        **drift,
    }
    curves = {name: np.array([row[name] for row in looks.rows]) for name in ("step", "hinge")}
    curves |= {name: values.numpy() for name, values in by_look.items()}
    lost = float(curves.pop("value_lost")[-1])
    return {
        "quadrature": lost,
        **(read.activity_signs(looks.tally.activity / steps, groups) if steps else {}),
        **_ends(curves, probe),
        "n_event": int(event[0].sum()),
        "n_positive": int((groups.positive & ~groups.unlucky).sum()),
    }, curves


def _stacked(course: Sequence[Weights]) -> Weights:
    """Trained matrices with the looks as their first axis."""
    names = ("hidden", "value", "key", "query")
    stacked = {name: torch.stack([getattr(weights, name) for weights in course]) for name in names}
    return Weights(**stacked, output=course[0].output)


def _of_samples(course: Weights, probe: Samples, error: float) -> read.Quantities:
    """Margins, feature lengths and attention on the probe at each look."""
    shown, few = TokenPoints.of(_distinct(probe), course.output), TokenPoints.of(probe[:_MARGIN_SAMPLES], course.output)
    scoring, lengths = course.key.transpose(1, 2) @ course.query, read.feature_lengths(course.query, course.key)
    parts = []
    for chosen in torch.arange(len(scoring)).split(max(1, _MOST_ENTRIES // few.output_sums.numel())):
        margins = few.labels * outputs(few, scoring[chosen], course.hidden[chosen] @ course.value[chosen])
        own = {name: values[chosen] for name, values in lengths.items()}
        against = read.attention_against_bounds(shown, scoring[chosen], own, error)
        parts.append({"margin": margins.mean(1), "margin_least": margins.amin(1), **own, **against})
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def grouped(output: torch.Tensor, n_planted: int) -> read.Groups:
    """The planted groups of neurons, and the sign of what each is worth to the output."""
    total = output if output.dim() == 1 else output.sum(0)
    number = torch.arange(len(total))
    return read.Groups(number < n_planted, (number >= n_planted) & (number < 2 * n_planted), total > 0)


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
