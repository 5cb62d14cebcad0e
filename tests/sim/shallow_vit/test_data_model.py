"""What is measured of drawn data, against exact probabilities and data made by hand."""

from __future__ import annotations

import math

import pytest
import torch
from scipy.stats import binom, chi2

from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.data_model import measure_data
from sim.shallow_vit.fractions import expected_fraction
from sim.trials.validation import InvalidParameter

SMALL = {"n_tokens": 20, "label_relevant_fraction": 0.3, "confusion_fraction": 0.1, "n_samples": 2000}


def measure(seed: int = 1, **arguments) -> dict:
    generator = torch.Generator().manual_seed(seed)
    return dict(measure_data(**{**SMALL, **arguments}, generator=generator).observables)


@pytest.mark.parametrize("counts", ["exact", "fluctuating"])
def test_tokens_without_noise_are_patterns_with_majority_labels(counts):
    found = measure(counts=counts)
    assert (found["farthest"], found["length_error"], found["share_within"]) == (0, 0, 1)
    assert found["n_majority"] == found["n_samples"] == 2000


def test_samples_made_by_hand_are_counted_as_they_are(monkeypatch):
    tokens = torch.eye(10, dtype=torch.float64)[torch.tensor([[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 3]])]
    tokens[0, 0, 5] = 0.3
    drawn = Samples(tokens, torch.tensor([1.0, 1.0, -1.0], dtype=torch.float64), torch.zeros(3, 4, dtype=torch.long))
    monkeypatch.setattr(TokenModel, "sample", lambda *_: drawn)
    found = measure(n_tokens=10)
    assert found["farthest"] == pytest.approx(0.3)
    assert found["share_within"] == pytest.approx(11 / 12)
    assert found["length_error"] == pytest.approx(math.sqrt(1.09) - 1)
    assert found["n_majority"] == 1  # the second has the other majority, the third none
    assert found["imbalance"] == 1
    assert found["label_relevant"] == pytest.approx((2 + 1 + 1) / 3 / 10)
    assert found["confusion"] == pytest.approx((1 + 2 + 1) / 3 / 10)


@pytest.mark.parametrize("size", [16, 64, 256, 4096, 16_384])
def test_fair_labels_are_balanced_up_to_three_roots_with_probability_0_997(size):
    reach = 3 * math.sqrt(size)
    positives = range(math.ceil((size - reach) / 2), math.floor((size + reach) / 2) + 1)
    assert binom.cdf(positives[-1], size, 0.5) - binom.cdf(positives[0] - 1, size, 0.5) > 0.997


def test_the_imbalance_has_the_mean_of_a_fair_coin():
    exact = sum(abs(2 * k - 64) * binom.pmf(k, 64, 0.5) for k in range(65))
    found = [measure(seed, n_samples=64)["imbalance"] for seed in range(200)]
    assert sum(found) / 200 == pytest.approx(exact, abs=4 * 4.8 / math.sqrt(200))


def test_gaussian_tokens_are_within_a_radius_as_often_as_chi_squared_says():
    found = measure(noise="gaussian", token_noise=0.01, noise_radius=0.0316)
    share = chi2.cdf(3.16**2, 10)
    assert found["share_within"] == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 40_000))


def test_noise_is_redrawn_beyond_its_radius():
    found = measure(token_noise=0.02, noise_radius=0.05)
    assert 0.049 < found["farthest"] <= 0.05
    assert found["length_error"] <= 0.05
    assert found["share_within"] == 1


def test_average_fractions_of_counts_that_fluctuate_are_the_exact_ones():
    found = measure(counts="fluctuating", n_samples=20_000)
    assert found["label_relevant"] == pytest.approx(expected_fraction(20, 0.3, 0.1), abs=4 * 0.1 / math.sqrt(20_000))


def test_wrong_labels_are_no_majorities():
    assert abs(measure(labels="drawn by lot")["n_majority"] - 1000) < 4 * math.sqrt(500)
    of_one_class = measure(labels="all of one class")
    assert of_one_class["imbalance"] == 2000
    assert abs(of_one_class["n_majority"] - 1000) < 4 * math.sqrt(500)


def test_unknown_labels_are_refused():
    with pytest.raises(InvalidParameter, match="labels must be"):
        measure(labels="right")
