"""The empirical risk: hand-written gradients against autograd, drawn projections against drawn patches."""

import itertools

import pytest
import torch

from sim.spatial_vit.network import data, model
from sim.spatial_vit.network.labelling import disagreement
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.sampled import empirical, training
from sim.spatial_vit.sampled.empirical import SignedPatches
from sim.spatial_vit.sampled.errors import sampled_error
from sim.spatial_vit.systems import SPATIAL_VIT
from sim.trials.readouts import observed


def setting(n_patches=6, set_size=2, *, rate=0.4, power=3, temperature=1.0, nu=0.03):
    return Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=rate, activation_power=power, linear_coefficient=nu,
        diagonal_logit=1.0, temperature=temperature,
    )  # fmt: skip


def drawn(where, *, dimension=9, n_samples=30, seed=0, projected=True):
    generator = torch.Generator().manual_seed(seed)
    feature = data.random_feature(dimension, generator)
    sets = data.contiguous_sets(where)
    sample = data.sample(
        where, sets, feature=feature, n_samples=n_samples, generator=generator, projected=projected
    )  # fmt: skip
    logits = torch.randn(where.n_patches, where.n_patches, generator=generator, dtype=torch.float64)
    value = 0.2 * torch.randn(dimension, generator=generator, dtype=torch.float64)
    return sample, sets, feature, logits, value


def literal_output(patches, logits, value, where, factor):
    """(T) as the paper writes it, one loop for one sum, with `factor` in the place of D."""
    scores = torch.exp(logits / where.temperature)
    scores = scores / scores.sum(dim=1, keepdim=True)
    outputs = []
    for sample in patches:
        terms = []
        for i in range(where.n_patches):
            x = factor * sum(scores[i, j] * (value @ sample[j]) for j in range(where.n_patches))
            terms.append(x**where.activation_power + where.linear_coefficient * x)
        outputs.append(sum(terms))
    return torch.stack(outputs)


def literal_gradient(sample, logits, value, where, *, factor):
    """Risk and its gradients by autograd of the literal network and labels that are not folded."""
    logits, value = logits.clone().requires_grad_(), value.clone().requires_grad_()
    outputs = literal_output(sample.patches, logits, value, where, factor)
    risk = torch.log1p(torch.exp(-sample.labels * outputs)).mean()
    return float(risk.detach()), *torch.autograd.grad(risk, (logits, value)), outputs.detach()


@pytest.mark.parametrize(("power", "temperature"), [(3, 1.0), (5, 1.0), (7, 3.0)])
def test_gradient_is_that_of_autograd_whatever_the_blocks(power, temperature, monkeypatch):
    where = setting(power=power, temperature=temperature)
    sample, _, _, logits, value = drawn(where)
    risk, by_logits, by_value, outputs = literal_gradient(sample, logits, value, where, factor=where.n_patches)
    for block_samples in (30, 7, 1):
        monkeypatch.setattr(empirical, "BLOCK_VALUES", block_samples * 6 * 9)
        found = SignedPatches.of(sample).gradient(logits, value, where)
        assert found.risk == pytest.approx(risk, rel=1e-12)
        assert found.error == pytest.approx(float((outputs * sample.labels <= 0).double().mean()))
        torch.testing.assert_close(found.logits, by_logits, rtol=1e-10, atol=1e-12)
        torch.testing.assert_close(found.value, by_value, rtol=1e-10, atol=1e-12)
    once = training.sampled_gradient(sample, logits, value, where)
    torch.testing.assert_close(once.logits, by_logits, rtol=1e-10, atol=1e-12)


def test_single_precision_is_the_same_gradient_to_its_own_rounding():
    where = setting(power=5)
    sample, _, _, logits, value = drawn(where, n_samples=200)
    double = SignedPatches.of(sample).gradient(logits, value, where)
    single = SignedPatches.of(sample, "single").gradient(logits, value, where)
    assert single.logits.dtype == single.value.dtype == torch.float64
    for name in ("logits", "value"):
        expected, found = getattr(double, name), getattr(single, name)
        assert 0 < float((found - expected).norm() / expected.norm()) < 1e-5
    assert single.risk == pytest.approx(double.risk, rel=1e-5)


@pytest.mark.parametrize(("patch_factor", "projected"), [(True, True), (False, False)])
def test_a_run_takes_the_steps_of_the_literal_network(patch_factor, projected):
    """Also where the output has no factor D: the run then keeps v/D, with steps D^2 times smaller."""
    where, steps, dimension, n_samples, rate = setting(), 3, 5, 20, 0.02
    done = training.simulate_full(
        n_patches=6, set_size=2, spurious_rate=0.4, activation_power=3, linear_coefficient=0.03, diagonal_logit=1.0,
        learning_rate=rate, n_steps=steps, risk="empirical", initialization="gaussian", init_scale=0.3,
        patch_dimension=dimension, n_samples=n_samples, n_test=10, n_records=2, patch_factor=patch_factor,
        projected_noise=projected, generator=torch.Generator().manual_seed(4),
    )  # fmt: skip
    run = observed(SPATIAL_VIT, done)
    generator = torch.Generator().manual_seed(4)
    feature = data.random_feature(dimension, generator)
    logits = 0.3 * torch.randn(6, 6, generator=generator, dtype=torch.float64)
    value = 0.3 * torch.randn(dimension, generator=generator, dtype=torch.float64)
    logits.fill_diagonal_(1.0)
    sample = data.sample(
        where, data.contiguous_sets(where), feature=feature, n_samples=n_samples, generator=generator,
        projected=projected,
    )  # fmt: skip
    factor = 6 if patch_factor else 1
    for _ in range(steps):
        _, by_logits, by_value, _ = literal_gradient(sample, logits, value, where, factor=factor)
        logits = logits - rate * by_logits * (1 - torch.eye(6, dtype=torch.float64))
        value = value - rate * by_value
    assert run.curves["final_logits"] == pytest.approx(logits.numpy(), rel=1e-10, abs=1e-12)
    assert run.observables["feature_alignment"] == pytest.approx(float(value @ feature) / (6 / factor), rel=1e-10)
    assert run.observables["cosine"] == pytest.approx(float(value @ feature / value.norm()), rel=1e-10)


@pytest.mark.parametrize("projected", [True, False])
def test_drawn_projections_err_as_often_as_drawn_patches(projected):
    where, n = setting(8, 2, rate=0.3), 40_000
    sample, sets, feature, _, _ = drawn(where, dimension=5, n_samples=n, seed=2, projected=projected)
    logits = torch.where(sets[:, None] == sets[None, :], 1.0, 0.0).double()
    value = 0.4 * feature + 0.3 * torch.ones(5, dtype=torch.float64)
    outputs = model.forward(sample.patches, logits, value, where)
    function = data.labelling_function(sample.coefficients, sets)
    expected = [float((outputs * sign <= 0).double().mean()) for sign in (function, sample.labels)]
    found = sampled_error(
        where, sets, logits, value, feature=feature, n_samples=n, generator=torch.Generator().manual_seed(3),
        projected=projected,
    )  # fmt: skip
    for mine, theirs in zip(found, expected, strict=True):
        assert mine == pytest.approx(theirs, abs=5 * (2 * theirs / n) ** 0.5)
        assert mine > 0.01


def test_noise_off_the_feature_or_not():
    feature = data.random_feature(4, torch.Generator().manual_seed(0))
    common = {"n_samples": 5000, "n_patches": 3, "generator": torch.Generator().manual_seed(1)}
    along = data.sample_noise(feature, **common, projected=False) @ feature
    assert float(along.var()) == pytest.approx(1 / 4, rel=0.1)
    assert float((data.sample_noise(feature, **common) @ feature).abs().max()) < 1e-14


@pytest.mark.parametrize(("n_patches", "set_size", "rate"), [(6, 2, 0.3), (6, 3, 0.7), (8, 2, 0.25), (9, 3, 0.5)])
def test_disagreement_is_that_of_all_data_points(n_patches, set_size, rate):
    where = setting(n_patches, set_size, rate=rate)
    floor = label_floor = wrong = tied = 0.0
    odds = {-1: rate / 2, 0: 1 - rate, 1: rate / 2}
    for signs in itertools.product((-1, 0, 1), repeat=n_patches - set_size):
        probability = 1.0
        for sign in signs:
            probability *= odds[sign]
        patches = (1,) * set_size + signs
        sums = [sum(patches[start : start + set_size]) for start in range(0, n_patches, set_size)]
        function = sum(total for total in sums if abs(total) > 0.9 * set_size)
        floor += probability * (function == 0)
        label_floor += probability * (function <= 0)
        wrong += probability * (sum(patches) * function < 0)
        tied += probability * (sum(patches) == 0 and function != 0)
    found = disagreement(where)
    assert (found.floor, found.label_floor) == pytest.approx((floor, label_floor), abs=1e-13)
    assert (found.total_wrong, found.total_tied) == pytest.approx((wrong, tied), abs=1e-13)
    by_lot = found.floor + found.total_wrong + found.total_tied / 2
    assert found.structure_level == pytest.approx((found.floor + by_lot) / 2, abs=1e-15)
    # The signal and one random set of the same size: the total is never wrong, there is nothing for structure to mend.
    assert (found.structure_level > found.floor) is (n_patches > 2 * set_size)


def test_no_network_errs_less_than_the_floor():
    """The exact error of a trained network, at all its records."""
    done = training.simulate_full(
        n_patches=6, set_size=2, spurious_rate=0.4, activation_power=3, linear_coefficient=1 / 36, diagonal_logit=1.0,
        learning_rate=0.1, n_steps=300, n_records=5, generator=torch.Generator(),
    )  # fmt: skip
    run = observed(SPATIAL_VIT, done)
    assert run.curves["test_error"].min() >= run.observables["error_floor"] - 1e-12
