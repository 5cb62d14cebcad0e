"""Fine-tuning with frozen attention: its gradient, its shortcut to the test error, and what association is worth."""

import functools

import numpy as np
import pytest
import torch

from sim.spatial_vit.network.data import contiguous_sets, labelling_function, random_feature, sample
from sim.spatial_vit.network.model import forward
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import simulate_reduced
from sim.spatial_vit.sampled import errors, transfer
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED, SPATIAL_VIT_TRANSFER
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

SETTING = Setting(
    n_patches=12, set_size=3, spurious_rate=0.3, activation_power=3, linear_coefficient=0.1, diagonal_logit=1.0,
    temperature=1.3,
)  # fmt: skip
ARGUMENTS = {
    "n_patches": 32, "set_size": 4, "spurious_rate": 0.5, "activation_power": 3, "linear_coefficient": 1 / 32,
    "diagonal_logit": 8.0, "within_logit": 8.0, "patch_dimension": 32, "n_samples": 8, "learning_rate": 0.2 / 32**2,
    "n_steps": 128, "init_scale": 1e-3 / 32, "n_repeats": 4,
}  # fmt: skip


def simulate(seed=0, **changes):
    done = transfer.simulate_transfer(**{**ARGUMENTS, **changes}, generator=torch.Generator().manual_seed(seed))
    return observed(SPATIAL_VIT_TRANSFER, done)


def drawn(seed=0, n_samples=7, dimension=9):
    generator = torch.Generator().manual_seed(seed)
    feature = random_feature(dimension, generator)
    data = sample(SETTING, contiguous_sets(SETTING), feature=feature, n_samples=n_samples, generator=generator)
    logits = torch.randn(12, 12, generator=generator, dtype=torch.float64)
    value = 0.1 * torch.randn(dimension, generator=generator, dtype=torch.float64)
    return data, logits, value, feature


def test_the_gradient_of_v_is_that_of_the_network_by_autograd():
    data, logits, value, _ = drawn()
    value = value / 10  # margins below 20: beyond, torch's softplus is linear and its derivative off by 1e-9
    found = transfer.fine_tuning_risk(
        transfer.mixed_patches(data.patches, logits, SETTING), value, data.labels, SETTING
    )
    leaf = value.clone().requires_grad_(True)
    risk = torch.nn.functional.softplus(-data.labels * forward(data.patches, logits, leaf, SETTING)).mean()
    risk.backward()
    assert found.value == pytest.approx(float(risk.detach()), rel=1e-12)
    assert leaf.grad is not None
    torch.testing.assert_close(found.gradient, leaf.grad, rtol=1e-10, atol=1e-14)


def test_fine_tuning_is_gradient_descent_patch_by_patch():
    """Three steps by loops over samples, patches and coordinates, from (T) alone."""
    data, logits, value, _ = drawn(n_samples=3, dimension=4)
    tuned = transfer.fine_tune(data, logits, value, SETTING, learning_rate=0.01, n_steps=3, stop_risk=0.0, n_records=2)
    weights = np.exp(logits.numpy() / 1.3)
    weights /= weights.sum(axis=1, keepdims=True)
    v = value.numpy().copy()
    for _ in range(3):
        step = np.zeros_like(v)
        for patches, label in zip(data.patches.numpy(), data.labels.numpy(), strict=True):
            mixed = [12 * sum(weights[i, j] * patches[j] for j in range(12)) for i in range(12)]
            output = sum((v @ u) ** 3 + 0.1 * (v @ u) for u in mixed)
            pull = label / (1 + np.exp(label * output)) / 3
            step += pull * sum((3 * (v @ u) ** 2 + 0.1) * u for u in mixed)
        v += 0.01 * step
    np.testing.assert_allclose(tuned.value.numpy(), v, rtol=1e-10)
    assert tuned.n_steps == 3
    assert [look.step for look in tuned.looks] == [0, 1, 3]


def test_the_error_from_projections_is_that_of_whole_patches():
    data, logits, value, feature = drawn(n_samples=20_000)
    sets = contiguous_sets(SETTING)
    outputs = forward(data.patches, logits, value, SETTING)
    whole = float((outputs * labelling_function(data.coefficients, sets) <= 0).double().mean())
    generator = torch.Generator().manual_seed(3)
    quick, _ = errors.sampled_error(
        SETTING, sets, logits, value, feature=feature, n_samples=20_000, generator=generator
    )
    assert 0.05 < whole < 0.95  # a v that decides nothing by itself, so that the noise matters
    assert quick == pytest.approx(whole, abs=4 * (0.5 / 20_000) ** 0.5)
    noiseless, _ = errors.sampled_error(
        SETTING, sets, logits, float(value @ feature) * feature, feature=feature, n_samples=20_000, generator=generator
    )
    assert abs(noiseless - whole) > 0.02


def test_association_lets_a_few_samples_do_and_nothing_else_does():
    associated, uniform = simulate(), simulate(association="uniform", n_samples=64)
    assert associated.observables["success"]
    assert associated.observables["own_set_weight"] > 0.99
    assert not uniform.observables["success"]
    assert uniform.observables["own_set_weight"] == pytest.approx(1 / 8)
    least = uniform.observables["least_error_without_partition"]
    assert uniform.observables["mean_test_error"] > 0.9 * least
    assert associated.observables["level"] == pytest.approx(least / 2)
    anti = simulate(within_logit=-8.0)
    assert anti.observables["associated"] is False


def test_pretrained_attention_is_the_end_of_the_exact_flow():
    arguments = {
        "n_patches": 16, "set_size": 4, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 1 / 256,
        "diagonal_logit": 1.0,
    }  # fmt: skip
    done = simulate_reduced(
        **arguments, dynamics="flow", learning_rate=1e-3, n_steps=10**6, n_records=5, generator=torch.Generator()
    )
    path = observed(SPATIAL_VIT_REDUCED, done)
    within, across = transfer.pretrained_values(Setting(**arguments, temperature=1.0), 1e3)
    assert within == pytest.approx(path.observables["within_logit"], rel=1e-2)
    assert across == pytest.approx(path.observables["across_logit"], rel=1e-2)
    trained = simulate(**arguments, association="pretrained", pretraining_time=1e3, patch_dimension=16)
    assert trained.observables["associated"] is True


def test_pretraining_on_samples_leaves_the_new_feature_out():
    """A is learned with one feature, v with another: their overlap is that of random directions."""
    trained = simulate(
        n_patches=9, set_size=3, spurious_rate=0.3, linear_coefficient=1 / 81, diagonal_logit=1.0, patch_dimension=16,
        association="empirical", pretraining_samples=500, pretraining_steps=300, pretraining_rate=0.05,
        learning_rate=0.2 / 81, n_steps=300,
    )  # fmt: skip
    assert trained.outcome is Outcome.CONVERGED
    assert abs(trained.observables["feature_overlap"]) < 0.9
    assert trained.observables["own_set_weight"] > 1 / 3 + 0.05
    assert trained.observables["cosine"] > 0.5


def test_a_step_beyond_stability_diverges_and_is_named():
    run = simulate(learning_rate=1e150, n_steps=50)
    assert run.outcome is Outcome.DIVERGED
    assert all(np.isfinite(value) for value in run.observables.values())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"association": "none"}, "association must be one of hand_built, pretrained, empirical, uniform, got 'none'"),
        ({"n_repeats": 0}, "n_repeats must be >= 1, got 0"),
        ({"learning_rate": -0.1}, "learning_rate must be > 0, got -0.1"),
        ({"within_logit": float("inf")}, "within_logit must be finite, got inf"),
        ({"set_size": 5}, "set_size must divide n_patches, got 5 and 32"),
    ],
)
def test_bad_input_is_refused_in_one_line(changes, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        simulate(**changes)


def test_planted_fault_a_gradient_without_the_activation_is_seen(monkeypatch):
    """Descending the linear part alone is the network of uniform slopes: it is not (T)."""
    data, logits, value, _ = drawn()
    mixed = transfer.mixed_patches(data.patches, logits, SETTING)
    right = transfer.fine_tuning_risk(mixed, value, data.labels, SETTING).gradient
    slope = functools.partial(torch.full_like, fill_value=SETTING.linear_coefficient)
    monkeypatch.setattr(transfer.model, "activation_slope", lambda x, setting: slope(x))
    wrong = transfer.fine_tuning_risk(mixed, value, data.labels, SETTING).gradient
    assert not torch.allclose(right, wrong, rtol=1e-3)
