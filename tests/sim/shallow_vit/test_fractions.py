"""The mean of (66) against loops over its samples, and its limit against every outcome written out."""

import itertools
import math

import pytest
import torch

from sim.shallow_vit.data import LABEL_RELEVANT, TokenModel
from sim.shallow_vit.fractions import expected_fraction, measure_mean_fraction
from sim.trials.validation import InvalidParameter

SETTING = {
    "n_samples": 50, "n_tokens": 12, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "value_error": 0.1,
    "key_query_error": 0.2, "query_length": 1.3,
}  # fmt: skip


def test_the_mean_is_the_one_that_66_writes():
    found = measure_mean_fraction(**SETTING, generator=torch.Generator().manual_seed(4)).observables
    data = TokenModel(n_tokens=12, label_relevant_fraction=0.4, confusion_fraction=0.1, token_noise=0.0)
    roles = data.sample(50, torch.Generator().manual_seed(4)).roles.tolist()
    total = 0.0
    for sample in roles:
        count = sample.count(LABEL_RELEVANT)
        high = math.exp(1.3**2 - 0.2 * 1.3)
        bound = count * high / (count * high + 12 - count)
        total += count / 12 * bound * (bound - 0.1)
    assert found["mean"] == pytest.approx(total / 50)
    assert found["deviation"] == pytest.approx(abs(found["mean"] - found["expected_fraction"]))


@pytest.mark.parametrize(("relevant", "confusion"), [(0.4, 0.1), (0.6, 0.4), (0.3, 0.25)])
def test_the_limit_is_the_mean_over_every_outcome(relevant, confusion):
    probability = (relevant, confusion, 1 - relevant - confusion)
    total = weight = 0.0
    for outcome in itertools.product(range(3), repeat=7):
        counts = [outcome.count(pattern) for pattern in range(3)]
        if counts[0] != counts[1]:
            chance = math.prod(probability[pattern] for pattern in outcome)
            total += chance * max(counts[:2]) / 7
            weight += chance
    assert expected_fraction(7, relevant, confusion) == pytest.approx(total / weight)


def test_bad_input_is_named():
    with pytest.raises(InvalidParameter, match="query_length must be > 0, got 0"):
        measure_mean_fraction(**{**SETTING, "query_length": 0}, generator=torch.Generator())
