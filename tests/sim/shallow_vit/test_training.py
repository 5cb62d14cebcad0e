"""Algorithm 1: where it stops and why, what it counts, what it leaves alone."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch

from sim.engine_setting import VARIABLE, forced
from sim.shallow_vit import training
from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.engine import reference
from sim.shallow_vit.gradients import evaluate, hinge_gradient
from sim.shallow_vit.model import Weights, hinge, initialize
from sim.shallow_vit.probes import MATRICES
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.shallow_vit.training import simulate, train_weights
from sim.trials.readouts import observed
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import InvalidParameter

ARGUMENTS = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 30,
    "n_neurons": 30,
    "batch_size": 8,
    "learning_rate": 0.5,
    "max_steps": 3000,
    "n_test": 50,
}
SINGLE_DIMENSION = 10
"""Of tokens in single precision. Kernels are compiled for each precision and dimension; test_shallow_vit_engines has
these as well, and claims at smoke."""
MASSES = ("mass_label_relevant", "mass_confusion", "mass_other")


def trial(seed: int = 0, **arguments) -> TrialResult:
    return observed(SHALLOW_VIT, simulate(**{**ARGUMENTS, **arguments}, generator=torch.Generator().manual_seed(seed)))


def beginning(
    seed: int = 0, *, n: int = 30, dimension: int = 10, output_layer: str = "shared", **arguments
) -> tuple[Samples, Weights]:
    """A training set and initial weights."""
    generator = torch.Generator().manual_seed(seed)
    fractions = {"n_tokens": 20, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "dimension": dimension}
    samples = TokenModel(**{**fractions, **arguments}).sample(n, generator)
    weights = initialize(
        dimension=dimension, n_neurons=30, n_tokens=20, value_error=0.1, key_query_error=0.2, neuron_scale=0.01,
        output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    return samples, weights


def train(samples: Samples, weights: Weights, seed: int = 0, **arguments) -> training.TrainedWeights:
    usual = {"batch_size": 8, "learning_rate": 0.5, "max_steps": 3000, "train_attention": True}
    return train_weights(
        samples, weights, **{**usual, **arguments}, generator=torch.Generator().manual_seed(seed),
        recorder=training.Recorder(min(16, len(samples))),
    )  # fmt: skip


def curve(name: str, run: training.TrainedWeights) -> np.ndarray:
    """What is read along a training."""
    read = training.TrainedVit(outcome=run.outcome, account=run.account, training=run, fresh=lambda: run.train)
    return observed(SHALLOW_VIT, read).curves[name]


@dataclass
class Log:
    """What every step of a training saw: which samples, and whether a weight moved."""

    samples: Samples
    chosen: list[list[int]] = field(default_factory=list)
    moved: list[bool] = field(default_factory=list)

    def __call__(self, tokens, labels, weights, **keywords):
        result = hinge_gradient(tokens, labels, weights, **keywords)
        rows = [int((self.samples.tokens == row).all(dim=(1, 2)).nonzero()) for row in tokens]
        self.chosen.append(rows)
        self.moved.append(result.gradient is not None)
        return result


@pytest.fixture
def logged(monkeypatch):
    def install(samples: Samples) -> Log:
        log = Log(samples)
        monkeypatch.setenv(VARIABLE, "torch")
        monkeypatch.setattr(reference, "hinge_gradient", log)
        return log

    return install


# ------------------------------------------------------------------------------------------------------------- stopping


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize("train_attention", [True, False])
def test_training_stops_at_exactly_zero_hinge_on_all_samples(output_layer, train_attention):
    for seed in range(3):
        samples, weights = beginning(seed, output_layer=output_layer)
        run = train(samples, weights, train_attention=train_attention)
        assert run.outcome is Outcome.CONVERGED
        assert run.account["train_hinge_zero"] is True
        assert hinge(evaluate(samples.tokens, run.weights), samples.labels).max() == 0


def test_every_sample_was_seen_after_the_last_move_and_iterations_is_its_step(logged):
    """Idle steps of two passes do not add up to one: their orders differ, and a sample may be missing from both."""
    for seed in range(6):
        samples, weights = beginning(seed)
        log = logged(samples)
        run = train(samples, weights, seed, batch_size=4)
        assert run.outcome is Outcome.CONVERGED
        last = max(step for step, moved in enumerate(log.moved, start=1) if moved)
        assert run.account["iterations"] == last
        assert {sample for rows in log.chosen[last:] for sample in rows} == set(range(len(samples)))
        assert len(log.moved) - last < 2 * 8, "and no later than the end of the next full pass"


def test_a_pass_visits_every_sample_once_in_a_fresh_order(logged):
    samples, weights = beginning()
    log = logged(samples)
    train(samples, weights, max_steps=8, learning_rate=0.01)
    assert [len(rows) for rows in log.chosen] == [8, 8, 8, 6] * 2
    first, second = ([sample for rows in part for sample in rows] for part in (log.chosen[:4], log.chosen[4:]))
    assert sorted(first) == sorted(second) == list(range(30))
    assert first != second


def test_a_spent_budget_is_an_outcome():
    result = trial(max_steps=3)
    assert result.outcome is Outcome.BUDGET
    assert result.observables["iterations"] == 3
    assert result.observables["train_hinge_zero"] is False
    assert result.observables["success"] is False
    assert result.curves["step"].tolist() == [0, 1, 2, 3]


def test_a_budget_that_ends_on_the_last_move_still_knows_that_the_data_are_fitted():
    samples, weights = beginning()
    full = train(samples, weights)
    last = full.account["iterations"]
    short = train(samples, weights, max_steps=last)
    assert short.outcome is Outcome.CONVERGED
    assert short.account["iterations"] == last
    assert train(samples, weights, max_steps=last - 1).outcome is Outcome.BUDGET


@pytest.mark.parametrize("max_steps", [1, 3000])
def test_divergence_is_an_outcome(max_steps):
    result = trial(learning_rate=1e6, max_steps=max_steps)
    assert result.outcome is Outcome.DIVERGED
    assert result.observables["success"] is False
    assert result.observables["train_hinge_zero"] is False
    assert "test_hinge" not in result.observables
    assert all(np.isfinite(curve).all() for curve in result.curves.values())


def test_success_is_a_test_hinge_below_one_in_a_thousand():
    for seed, n_samples in ((0, 300), (1, 8)):
        found = trial(seed, n_samples=n_samples, n_test=400).observables
        assert found["success"] is (found["test_hinge"] < 1e-3)
        assert 0 <= found["test_error"] <= found["test_hinge"], "an error has a hinge of at least one"
    assert found["train_hinge_zero"]
    assert found["test_hinge"] > 1e-3, "eight samples are fitted but do not suffice"


# ------------------------------------------------------------------------------------------------------------- one pass


def test_one_pass_uses_every_sample_once(monkeypatch):
    """N = B T. [li2023, proof of Theorem 1]"""
    seen = []

    def spy(tokens, labels, weights, **keywords):
        seen.extend(map(bytes, tokens.numpy()))
        return hinge_gradient(tokens, labels, weights, **keywords)

    monkeypatch.setenv(VARIABLE, "torch")
    monkeypatch.setattr(reference, "hinge_gradient", spy)
    result = trial(one_pass=True, n_samples=42, batch_size=8)
    assert len(seen) == len(set(seen)) == 40
    assert result.curves["step"][-1] == 5
    assert result.observables["iterations"] == 5


def test_one_pass_stops_early_where_the_budget_does():
    assert trial(one_pass=True, max_steps=2).curves["step"][-1] == 2


def test_one_pass_converges_where_it_has_samples_enough():
    result = trial(one_pass=True, n_samples=800, counts="exact")
    assert result.outcome is Outcome.CONVERGED
    assert result.observables["train_hinge_zero"] is True


# --------------------------------------------------------------------------------------------------------------- frozen


def assert_attention_is_frozen(weights: Weights, run: training.TrainedWeights) -> None:
    for name in ("key", "query"):
        assert torch.equal(getattr(run.weights, name), getattr(weights, name)), "frozen attention does not move"


def test_frozen_attention_leaves_key_and_query_alone():
    samples, weights = beginning()
    run = train(samples, weights, train_attention=False)
    assert_attention_is_frozen(weights, run)
    assert not torch.equal(run.weights.hidden, weights.hidden)
    assert not torch.equal(run.weights.value, weights.value)
    assert np.ptp(curve("mass_label_relevant", run)) == np.ptp(curve("query_norm", run)) == 0


def test_frozen_attention_that_moves_is_caught(monkeypatch):
    step = Weights.step
    monkeypatch.setattr(Weights, "step", lambda *arguments, train_attention: step(*arguments, train_attention=True))
    monkeypatch.setenv(VARIABLE, "torch")
    monkeypatch.setattr(reference, "hinge_gradient", lambda *arguments, frozen: hinge_gradient(*arguments))
    samples, weights = beginning()
    with pytest.raises(AssertionError, match="frozen attention does not move"):
        assert_attention_is_frozen(weights, train(samples, weights, train_attention=False))


def test_trained_attention_moves_and_the_output_layer_never_does():
    samples, weights = beginning()
    run = train(samples, weights)
    for name in MATRICES:
        assert not torch.equal(getattr(run.weights, name), getattr(weights, name))
    assert torch.equal(run.weights.output, weights.output)


# --------------------------------------------------------------------------------------------------------------- curves


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_curves_are_consistent(output_layer):
    result = trial(output_layer=output_layer, learning_rate=0.1)
    curves, found = result.curves, result.observables
    steps = curves["step"]
    assert steps[0] == 0
    assert (np.diff(steps) > 0).all()
    assert {len(curves[name]) for name in curves if name not in ("map_step", "attention_map")} == {len(steps)}
    assert np.allclose(sum(curves[name] for name in MASSES), 1, rtol=0, atol=1e-12)
    assert (curves["mass_worst_query"] <= curves["mass_own_query"]).all()
    assert (curves["mass_worst_query"] <= curves["mass_label_relevant"]).all()
    assert (curves["hinge"] >= 0).all()
    assert curves["hinge"][0] == pytest.approx(1, abs=0.05), "outputs start near zero"
    assert curves["hinge"][-1] == 0
    for name in ("mass_label_relevant", "mass_own_query", "mass_worst_query", "query_norm", "key_norm"):
        assert found[name] == curves[name][-1]
    assert curves["mass_label_relevant"][-1] > curves["mass_label_relevant"][0]


def test_masses_at_the_start_are_the_fractions_where_attention_is_blind():
    samples, weights = beginning(n=16)
    blind = Weights(weights.hidden, weights.value, 0 * weights.key, weights.query, weights.output)
    run = train(samples, blind, max_steps=1)
    for role, name in enumerate(MASSES):
        assert curve(name, run)[0] == pytest.approx(float((samples.roles == role).double().mean()), rel=1e-12)


def test_realised_fractions_are_those_of_the_training_set():
    found = trial(counts="exact", max_steps=1).observables
    assert found["realised_label_relevant_fraction"] == 0.4
    assert found["realised_confusion_fraction"] == 0.1


# ---------------------------------------------------------------------------------------- reproducibility and precision


def bits(result: TrialResult) -> tuple:
    return result.outcome, dict(result.observables), {name: curve.tobytes() for name, curve in result.curves.items()}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"output_layer": "per token", "counts": "exact"},
        {"noise": "truncated", "train_attention": False},
        {"initialization": "literal", "value_error": 0.01, "key_query_error": 0.01},
        {"precision": "float32", "one_pass": True, "dimension": SINGLE_DIMENSION},
    ],
)
def test_a_fixed_seed_gives_the_same_bits(arguments):
    short = {"max_steps": 60, **arguments}
    assert bits(trial(3, **short)) == bits(trial(3, **short))
    assert bits(trial(3, **short)) != bits(trial(4, **short))


def test_single_precision_follows_double_precision():
    samples, weights = beginning(dimension=SINGLE_DIMENSION)
    arguments = {"max_steps": 50, "learning_rate": 0.1}
    with forced("torch"):
        double = train(samples, weights, **arguments)
    single = train(samples.to(torch.float32), weights.to(torch.float32), **arguments)
    assert single.weights.hidden.dtype == torch.float32
    for name in MATRICES:
        a, b = getattr(single.weights, name).double(), getattr(double.weights, name)
        assert (a - b).abs().max() < 1e-4 * b.abs().max()
    for name in (*MASSES, "hinge", "query_norm", "projection_first"):
        assert np.allclose(curve(name, single), curve(name, double), rtol=1e-4, atol=1e-4, equal_nan=True)
    assert trial(precision="float32", dimension=SINGLE_DIMENSION, max_steps=5).observables["iterations"] == 5


def test_a_step_is_plain_gradient_descent():
    samples, weights = beginning(n=8)
    run = train(samples, weights, max_steps=1)
    gradient = hinge_gradient(samples.tokens, samples.labels, weights).gradient
    for name in MATRICES:
        expected = getattr(weights, name) - 0.5 * getattr(gradient, name)
        assert torch.allclose(getattr(run.weights, name), expected, rtol=1e-12, atol=1e-15)


def test_the_paper_s_sizes_run():
    """d = 10, M = 5, m = 1000, L = 100. [li2023, §4.1]"""
    result = trial(n_tokens=100, n_neurons=1000, n_samples=32, batch_size=16, max_steps=4, n_test=20)
    assert result.outcome is Outcome.BUDGET
    assert result.observables["iterations"] == 4
    assert result.curves["hinge"][-1] < result.curves["hinge"][0]


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"learning_rate": -0.1}, "learning_rate must be > 0, got -0.1"),
        ({"learning_rate": float("inf")}, "learning_rate must be finite, got inf"),
        ({"batch_size": 31}, "batch_size must be at most n_samples = 30, got 31"),
        ({"batch_size": 0}, "batch_size must be >= 1, got 0"),
        ({"n_samples": 0}, "n_samples must be >= 1, got 0"),
        ({"n_samples": 30.0}, "n_samples must be an integer, got 30.0"),
        ({"max_steps": 0}, "max_steps must be >= 1, got 0"),
        ({"n_test": 0}, "n_test must be >= 1, got 0"),
        ({"precision": "float16"}, "precision must be one of float64, float32, got 'float16'"),
        ({"output_layer": "none"}, "output_layer must be one of shared, per token, got 'none'"),
        (
            {"initialization": "random"},
            "initialization must be one of orthonormal, contraction, adversarial, literal, got 'random'",
        ),
        ({"counts": "even"}, "counts must be one of exact, fluctuating, got 'even'"),
        ({"confusion_fraction": 0.7, "label_relevant_fraction": 0.8},
         "label_relevant_fraction + confusion_fraction must be at most 1, got 1.5"),
        ({"neuron_scale": 0.0}, "neuron_scale must be > 0, got 0.0"),
    ],
)  # fmt: skip
def test_bad_input_names_argument_rule_and_value(arguments, message):
    with pytest.raises(InvalidParameter) as caught:
        trial(**arguments)
    assert str(caught.value) == message
