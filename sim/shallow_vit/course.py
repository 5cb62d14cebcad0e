"""One training with the quantities of its proof: what Lemma 2 and its kin say of q_i, K, V_i, lucky neurons and F.

The training is that of `training.simulate`, on the same engines, bit for bit. At steps that grow geometrically its
weights are kept, sums over all steps are taken while it runs (`engine.tally`), and everything is read off both
afterwards (`readouts.proof_course`, `readouts.proof_curves`), which costs a small part of the training.

Under Definition 2 a Gaussian neuron is lucky with a probability of 1e-10 (Lemma 3 at the paper's sizes), so statements
about lucky neurons would be about none. A few neurons are therefore planted near p_1, and as many near p_2: each keeps
its length and gets a direction drawn from a Gaussian's, given that its angle is at most sigma + tau. [li2023, Lemma 2]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from scipy.special import betainc, betaincinv

from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine.interface import Engine, Masses
from sim.shallow_vit.engine.tally import Tally
from sim.shallow_vit.groups import Groups, grouped
from sim.shallow_vit.model import draw_features
from sim.shallow_vit.setting import PerTokenSetting
from sim.shallow_vit.training import Recorder, StepState, train_weights
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.validation import require, require_integer, require_one_of

_UNSEEN = Masses(math.nan, math.nan, math.nan, math.nan, math.nan)
"""Attention masses are read off the weights here, and asked of no engine."""


@flat
def follow_proof(
    *,
    setting: PerTokenSetting,
    token_noise: float = 0.0,
    train_attention: bool = True,
    n_planted: int = 10,
    generator: torch.Generator,
) -> ProofRun:
    """Train one shallow ViT as `simulate` does, in float64, and keep what its proof speaks of.

    Args:
        n_planted: neurons near p_1 at the start, and as many near p_2.

    tau is the typical length of the token noise.
    """
    require_integer(least=0, n_planted=n_planted)
    rule = f"be less than half of n_neurons = {setting.n_neurons}"
    require(2 * n_planted < setting.n_neurons, "n_planted", rule, n_planted)
    require_one_of("initialization", setting.initialization, ("orthonormal", "contraction"))
    require(setting.n_patterns > 2, "n_patterns", "exceed 2, for patterns that no label hangs on", setting.n_patterns)
    data = setting.data_model(token_noise=token_noise)
    directions = draw_features(setting.dimension, _again(generator))[:, : setting.n_patterns]
    drawn = setting.initial_weights(generator)
    tau = token_noise * setting.dimension**0.5
    errors = Errors(value=setting.value_error + tau, query=setting.key_query_error + tau)
    start = replace(drawn, hidden=plant(drawn.hidden, directions, n_planted, errors.value, generator))
    train = data.sample(setting.n_samples, generator)
    looks = Looks(groups=grouped(start.output, n_planted), learning_rate=setting.learning_rate)
    trained_by = setting.rule(train_attention=train_attention)
    run = train_weights(train, start, **trained_by, generator=generator, recorder=looks)
    return ProofRun(
        outcome=run.outcome, account=run.account, looks=looks, probe=train[: setting.batch_size],
        directions=directions, errors=errors,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ProofRun(Run):
    """A training with what its proof speaks of.

    Attributes:
        looks: weights at some steps, and sums over all.
        probe: the training samples of one batch.
        directions: p_1 to p_M [m_a, M].
    """

    looks: Looks
    probe: Samples
    directions: torch.Tensor
    errors: Errors


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
class Snapshot(StepState):
    """A look, and what value vectors 1 and 2 were moved by so far, by their own groups and by all [2, m_a]."""

    lucky: torch.Tensor = field(kw_only=True)
    every: torch.Tensor = field(kw_only=True)


@dataclass
class Looks(Recorder):
    """Looks at steps that grow geometrically, and sums over all steps from the first look on."""

    n_probe: int = 1
    growth: float = 1.15
    groups: Groups = field(kw_only=True)
    learning_rate: float = field(kw_only=True)
    tally: Tally | None = None

    @property
    def snapshots(self) -> list[Snapshot]:
        """All looks."""
        return [look for look in self.looks if isinstance(look, Snapshot)]

    def look(self, step: int, engine: Engine) -> Snapshot:
        """The state before a step."""
        if self.tally is None:
            members = torch.stack([self.groups.first, self.groups.second], dim=1)
            self.tally = Tally(engine, members, self.learning_rate)
        down = -self.learning_rate
        return Snapshot(step, engine.weights(), _UNSEEN, lucky=down * self.tally.own, every=down * self.tally.every)
