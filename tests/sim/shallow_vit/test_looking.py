"""Looking at a training changes no bit of it: how often, with which sums, on whichever engine."""

from __future__ import annotations

import pytest
import torch

from sim.engine_setting import forced
from sim.shallow_vit.course import Looks
from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.groups import grouped
from sim.shallow_vit.model import initialize
from sim.shallow_vit.training import Recorder, TrainedWeights, train_weights

ENGINES = ("torch", "fused", "grouped", "collapsed")


def train(
    engine: str, recorder: str, *, steps: int = 150, attention: bool = True, dimension: int = 10
) -> TrainedWeights:
    generator = torch.Generator().manual_seed(3)
    data = TokenModel(
        n_tokens=10, label_relevant_fraction=0.4, confusion_fraction=0.1, counts="exact", dimension=dimension,
        token_noise=0.0 if engine == "collapsed" else 0.05,
    )  # fmt: skip
    weights = initialize(
        dimension=dimension, n_neurons=30, n_tokens=10, value_error=0.1, key_query_error=0.2, neuron_scale=0.01,
        output_layer="per token", initialization="contraction", generator=generator,
    )  # fmt: skip
    samples = data.sample(29, generator)
    recorders = {
        "nothing": lambda: None,
        "usual": lambda: Recorder(16),
        "each step": lambda: Recorder(16, growth=1.0),
        "sums": lambda: Looks(groups=grouped(weights.output, 4), learning_rate=0.3),
    }
    with forced(engine):
        return train_weights(
            samples, weights, batch_size=8, learning_rate=0.3, max_steps=steps, train_attention=attention,
            generator=generator, recorder=recorders[recorder](),
        )  # fmt: skip


@pytest.mark.parametrize("attention", [True, False])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_training_is_the_same_whatever_is_looked_at(engine: str, attention: bool) -> None:
    alone = train(engine, "nothing", attention=attention)
    assert alone.looks == ()
    for recorder in ("usual", "each step", "sums"):
        looked = train(engine, recorder, attention=attention)
        assert looked.looks
        assert (looked.outcome, looked.account) == (alone.outcome, alone.account)
        assert torch.equal(looked.weights.hidden, alone.weights.hidden)


def test_a_training_to_its_end_stops_where_it_would() -> None:
    ends = [train("collapsed", recorder, steps=4000).account for recorder in ("nothing", "usual", "each step", "sums")]
    assert ends[0]["train_hinge_zero"] is True
    assert ends == [ends[0]] * 4


def test_a_look_that_touches_the_weights_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: an observer that moves a weight by one bit in the last place."""
    look = Recorder.look

    def touching(recorder: Recorder, step: int, engine: object) -> object:
        engine._network.hidden[0, 0] *= 1 + 2**-52  # type: ignore[attr-defined]
        return look(recorder, step, engine)  # type: ignore[arg-type]

    alone = train("collapsed", "nothing").account
    monkeypatch.setattr(Recorder, "look", touching)
    assert train("collapsed", "usual").account["weights"] != alone["weights"]


def test_looks_are_copies() -> None:
    """A recorded look must not move on with the training."""
    for engine in ENGINES:
        looks = train(engine, "each step", steps=5).looks
        assert [look.step for look in looks] == list(range(6))
        assert not torch.equal(looks[0].weights.hidden, looks[-1].weights.hidden)
