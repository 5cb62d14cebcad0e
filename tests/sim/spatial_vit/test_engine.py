"""Compiled descents of the spatial ViT against autograd of the network and against the torch code's own steps."""

import pytest
import torch

from sim.engine_setting import forced
from sim.spatial_vit.engine.start import compiled, is_compiled
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import Dataset, contiguous_sets, random_feature, sample
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.sampled import training, transfer
from sim.spatial_vit.sampled.empirical import SignedPatches
from sim.trials.trial import Outcome

pytest.importorskip("numba")

RATES = {"learning_rate": 0.03, "value_rate": 0.01}
SHAPES = [
    (6, 2, 9, 30, 3, 1.0),
    (8, 2, 8, 64, 3, 1.0),
    (9, 3, 7, 5, 5, 2.0),
    (10, 5, 1, 17, 7, 0.5),
    (14, 2, 9, 1100, 3, 1.0),
]
"""Patches, patches of a set, dimension, samples, power, temperature: whole vectors and not, less than one vector, more
than a group of them."""


def problem(shape, precision="double", seed=0):
    n_patches, set_size, dimension, n_samples, power, temperature = shape
    where = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=0.4, activation_power=power, linear_coefficient=0.3,
        diagonal_logit=1.0, temperature=temperature,
    )  # fmt: skip
    generator = torch.Generator().manual_seed(seed)
    feature = random_feature(dimension, generator)
    drawn = sample(where, contiguous_sets(where), feature=feature, n_samples=n_samples, generator=generator)
    logits = torch.randn(n_patches, n_patches, generator=generator, dtype=torch.float64)
    value = 0.1 * torch.randn(dimension, generator=generator, dtype=torch.float64)
    return where, drawn, SignedPatches.of(drawn, precision), logits, value


def by_torch(where, signed, logits, value, **course):
    with forced("torch"):
        return training.descend_on_samples(signed, where, logits, value, **course)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_step_is_that_of_autograd_of_the_network(shape):
    where, drawn, signed, logits, value = problem(shape)
    leaves = logits.clone().requires_grad_(), value.clone().requires_grad_()
    outputs = model.forward(drawn.patches, *leaves, where)
    risk = torch.log1p(torch.exp(-drawn.labels * outputs)).mean()
    by_logits, by_value = torch.autograd.grad(risk, leaves)
    rule = compiled().rule_of(where, logits_rate=0.03, value_rate=0.01, stop_risk=0.0)
    descent = compiled().full_descent(signed.patches, logits, value, rule)
    at_start = descent.advance(0)
    assert at_start.risk == pytest.approx(float(risk.detach()), rel=1e-12)
    assert at_start.error == pytest.approx(float((drawn.labels * outputs <= 0).double().mean()), abs=1e-12)
    descent.advance(1)
    moved = logits - descent.logits
    assert bool((moved.diagonal() == 0).all())  # the diagonal is held
    moved, expected = moved.fill_diagonal_(0) / 0.03, by_logits.fill_diagonal_(0)
    torch.testing.assert_close(moved, expected, rtol=1e-10, atol=1e-13)
    torch.testing.assert_close((value - descent.value) / 0.01, by_value, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(("precision", "tolerance"), [("double", 1e-12), ("single", 1e-5)])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_descent_is_that_of_torch_at_every_look(shape, precision, tolerance):
    where, _, signed, logits, value = problem(shape, precision)
    course = {**RATES, "n_steps": 60, "stop_risk": 0.0, "n_records": 6}
    outcome, looks = training.descend_on_samples(signed, where, logits, value, **course)
    expected_outcome, expected = by_torch(where, signed, logits, value, **course)
    assert outcome is expected_outcome is Outcome.BUDGET
    assert [look.step for look in looks] == [look.step for look in expected]
    for found, right in zip(looks, expected, strict=True):
        assert found.risk == pytest.approx(right.risk, rel=tolerance, abs=tolerance)
        assert found.train_error == pytest.approx(right.train_error, abs=1e-12)
        torch.testing.assert_close(found.logits, right.logits, rtol=tolerance, atol=tolerance)
        torch.testing.assert_close(found.value, right.value, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [({"stop_risk": 0.35}, Outcome.CONVERGED), ({"learning_rate": 1e4, "value_rate": 1e4}, Outcome.DIVERGED)],
)
def test_a_descent_ends_at_the_same_step_for_the_same_reason(change, outcome):
    where, _, signed, logits, value = problem(SHAPES[1])
    course = {**RATES, "n_steps": 4000, "stop_risk": 0.0, "n_records": 5, **change}
    found, looks = training.descend_on_samples(signed, where, logits, value, **course)
    expected, right = by_torch(where, signed, logits, value, **course)
    assert found is expected is outcome
    assert looks[-1].step == right[-1].step < 4000


def test_another_temperature_is_told(monkeypatch):
    """The comparison above rejects a kernel that forgets the temperature."""
    where, _, signed, logits, value = problem(SHAPES[2])
    course = {**RATES, "n_steps": 20, "stop_risk": 0.0, "n_records": 2}
    right = compiled().rule_of

    def forgetful(*given, **named):
        return right(*given, **named)._replace(temperature=1.0)

    monkeypatch.setattr(compiled(), "rule_of", forgetful)
    looks = training.descend_on_samples(signed, where, logits, value, **course)[1]
    expected = by_torch(where, signed, logits, value, **course)[1]
    assert float((looks[-1].logits - expected[-1].logits).abs().max()) > 1e-3


@pytest.mark.parametrize("change", [{}, {"stop_risk": 0.4}, {"learning_rate": 1e5}])
@pytest.mark.parametrize("shape", SHAPES)
def test_fine_tuning_is_that_of_torch(shape, change):
    where, drawn, _, logits, value = problem(shape)
    course = {"learning_rate": 0.01, "n_steps": 50, "stop_risk": 0.0, "n_records": 4, **change}
    found = transfer.fine_tune(drawn, logits, value, where, **course)
    with forced("torch"):
        assert not is_compiled()
        right = transfer.fine_tune(drawn, logits, value, where, **course)
    assert found.outcome is right.outcome
    assert [look.step for look in found.looks] == [look.step for look in right.looks]
    if found.outcome is not Outcome.DIVERGED:
        torch.testing.assert_close(found.value, right.value, rtol=1e-11, atol=1e-13)
        assert found.looks[-1].risk == pytest.approx(right.looks[-1].risk, rel=1e-11)


def test_pre_training_on_samples_is_that_of_torch():
    where, _, _, _, _ = problem(SHAPES[0])
    feature = random_feature(9, torch.Generator().manual_seed(1))

    def learned():
        return transfer.empirical_logits(
            where, contiguous_sets(where), feature=feature, n_samples=40, n_steps=30, learning_rate=0.1,
            init_scale=0.1, generator=torch.Generator().manual_seed(2),
        )  # fmt: skip

    found = learned()
    with forced("torch"):
        torch.testing.assert_close(found, learned(), rtol=1e-11, atol=1e-13)


def test_ties_count_as_errors_and_padding_as_nothing():
    """A data point of zeros has F = 0: an error, with risk log 2."""
    where, drawn, _, logits, value = problem(SHAPES[0])
    rule = compiled().rule_of(where, logits_rate=0.0, value_rate=0.0, stop_risk=0.0)
    nothing = Dataset(torch.zeros_like(drawn.patches), drawn.labels, drawn.coefficients, drawn.signal_set)
    at_start = compiled().full_descent(SignedPatches.of(nothing).patches, logits, value, rule).advance(0)
    assert at_start.error == 1.0
    assert at_start.risk == pytest.approx(torch.log(torch.tensor(2.0, dtype=torch.float64)).item(), rel=1e-14)
