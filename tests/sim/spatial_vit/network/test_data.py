"""The data of Assumption 1: what is certain, what is a frequency, what a bad argument says."""

import pytest
import torch

from sim.spatial_vit.network import data
from sim.spatial_vit.network.setting import Setting

SETTING = Setting(
    n_patches=12, set_size=3, spurious_rate=0.4, activation_power=3, linear_coefficient=0.01,
    diagonal_logit=1.0, temperature=1.0,
)  # fmt: skip


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(7)


@pytest.fixture
def drawn(generator):
    sets = data.permuted_sets(SETTING, generator)
    feature = data.random_feature(40, generator)
    return sets, feature, data.sample(SETTING, sets, feature=feature, n_samples=4000, generator=generator)


def test_signal_set_carries_the_label(drawn):
    sets, _, sample = drawn
    signal = sets == sample.signal_set[:, None]
    assert (sample.coefficients[signal].reshape(-1, 3) == sample.labels[:, None]).all()
    assert signal.sum() == 4000 * 3


def test_spurious_features_have_the_stated_rate_and_no_preferred_sign(drawn):
    sets, _, sample = drawn
    random = sample.coefficients[sets != sample.signal_set[:, None]]
    n = random.numel()
    assert abs(float((random != 0).double().mean()) - 0.4) < 5 * (0.24 / n) ** 0.5
    assert abs(float(random.mean())) < 5 * (0.4 / n) ** 0.5


def test_noise_is_orthogonal_to_the_feature_and_of_variance_one_over_d(drawn):
    _, feature, sample = drawn
    torch.testing.assert_close(sample.patches @ feature, sample.coefficients, rtol=0, atol=1e-13)
    noise = sample.patches - sample.coefficients[..., None] * feature
    n_entries = noise.numel()
    assert abs(float(noise.square().mean()) * 40 / (39 / 40) - 1) < 5 * (2 / n_entries) ** 0.5


def test_signal_sets_are_uniform(drawn):
    counts = torch.bincount(drawn[2].signal_set, minlength=4).double()
    assert ((counts - 1000).abs() < 5 * 750**0.5).all()


def test_labelling_function_thresholds_set_sums():
    setting_sets = torch.arange(8) // 4
    coefficients = torch.tensor(
        [[1, 1, 1, 1, 0, 1, 1, 1], [1, 1, 1, 1, -1, -1, -1, -1], [-1, -1, -1, -1, 1, 0, 0, 0]], dtype=torch.float64
    )
    assert data.labelling_function(coefficients, setting_sets).tolist() == [4, 0, -4]


def test_labels_follow_the_labelling_function_unless_random_sets_are_full(drawn):
    sets, _, sample = drawn
    values = data.labelling_function(sample.coefficients, sets)
    sums = data.set_sums(sample.coefficients, sets)
    usual = (sums.abs() == 3).sum(dim=1) == 1
    assert (values[usual] * sample.labels[usual] == 3).all()


def test_permuted_sets_partition_evenly(generator):
    sets = data.permuted_sets(SETTING, generator)
    assert torch.bincount(sets).tolist() == [3, 3, 3, 3]
    assert sets.tolist() != data.contiguous_sets(SETTING).tolist()


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("set_size", 5, "set_size must divide n_patches, got 5 and 12"),
        ("set_size", 12, "set_size must be in"),
        ("set_size", 1, "set_size must be in"),
        ("set_size", 0, "set_size must be >= 1, got 0"),
        ("n_patches", 12.0, "n_patches must be an integer, got 12.0"),
        ("spurious_rate", 1.5, "spurious_rate must be in"),
        ("spurious_rate", float("nan"), "spurious_rate must be in"),
        ("activation_power", 4, "activation_power must be odd and >= 3, got 4"),
        ("linear_coefficient", 0.0, "linear_coefficient must be > 0, got 0.0"),
        ("temperature", -1.0, "temperature must be > 0, got -1.0"),
        ("diagonal_logit", float("inf"), "diagonal_logit must be finite, got inf"),
    ],
)
def test_bad_settings_are_named(argument, value, message):
    arguments = {
        "n_patches": 12, "set_size": 3, "spurious_rate": 0.4, "activation_power": 3, "linear_coefficient": 0.01,
        "diagonal_logit": 1.0, "temperature": 1.0,
    }  # fmt: skip
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        Setting(**{**arguments, argument: value})
