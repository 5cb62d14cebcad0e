"""The network (T): against a plain loop, autograd, and its symmetries."""

import math
from dataclasses import replace

import pytest
import torch

from sim.spatial_vit.network import data, model
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.sampled.training import sampled_gradient

SETTING = Setting(
    n_patches=8, set_size=4, spurious_rate=0.3, activation_power=3, linear_coefficient=0.05,
    diagonal_logit=1.0, temperature=1.7,
)  # fmt: skip


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(11)


def random_problem(generator, setting=SETTING, n_samples=6, dimension=5):
    sets = data.contiguous_sets(setting)
    feature = data.random_feature(dimension, generator)
    drawn = data.sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)
    logits = torch.randn(setting.n_patches, setting.n_patches, generator=generator, dtype=torch.float64)
    value = 0.3 * torch.randn(dimension, generator=generator, dtype=torch.float64)
    return drawn, logits, value


def naive_output(patches, logits, value, setting):
    """(T) as a double loop over patches, for one data point."""
    total = 0.0
    for i in range(setting.n_patches):
        normaliser = sum(math.exp(logits[i, r] / setting.temperature) for r in range(setting.n_patches))
        mixed = 0.0
        for j in range(setting.n_patches):
            score = math.exp(logits[i, j] / setting.temperature) / normaliser
            mixed += score * sum(float(a) * float(b) for a, b in zip(value, patches[j], strict=True))
        u = setting.n_patches * mixed
        total += u**setting.activation_power + setting.linear_coefficient * u
    return total


@pytest.mark.parametrize("power", [3, 5])
def test_forward_equals_the_plain_loop(generator, power):
    setting = replace(SETTING, activation_power=power)
    drawn, logits, value = random_problem(generator, setting)
    outputs = model.forward(drawn.patches, logits, value, setting)
    for patches, output in zip(drawn.patches, outputs, strict=True):
        assert float(output) == pytest.approx(naive_output(patches, logits, value, setting), rel=1e-12)


def test_hand_written_gradient_equals_autograd(generator):
    drawn, logits, value = random_problem(generator)
    logits.requires_grad_()
    value.requires_grad_()
    weights = torch.full_like(drawn.labels, 1 / len(drawn.labels))
    risk = model.logistic_risk(model.forward(drawn.patches, logits, value, SETTING), drawn.labels, weights)
    by_logits, by_value = torch.autograd.grad(risk, [logits, value])
    found = sampled_gradient(drawn, logits.detach(), value.detach(), SETTING)
    assert found.risk == pytest.approx(risk.item(), rel=1e-13)
    torch.testing.assert_close(found.logits, by_logits, rtol=1e-10, atol=1e-13)
    torch.testing.assert_close(found.value, by_value, rtol=1e-10, atol=1e-13)


def test_logistic_risk_does_not_overflow():
    outputs = torch.tensor([-1e5, 1e5], dtype=torch.float64)
    risk = model.logistic_risk(outputs, torch.ones(2, dtype=torch.float64), torch.tensor([0.5, 0.5]).double())
    assert float(risk) == 5e4


def test_permuting_patches_and_logits_together_changes_nothing(generator):
    drawn, logits, value = random_problem(generator)
    order = torch.randperm(8, generator=generator)
    before = model.forward(drawn.patches, logits, value, SETTING)
    after = model.forward(drawn.patches[:, order], logits[order][:, order], value, SETTING)
    torch.testing.assert_close(after, before, rtol=1e-12, atol=1e-13)


def test_output_is_odd_so_that_a_flipped_label_has_the_same_risk(generator):
    drawn, logits, value = random_problem(generator)
    outputs = model.forward(drawn.patches, logits, value, SETTING)
    torch.testing.assert_close(model.forward(-drawn.patches, logits, value, SETTING), -outputs)
    weights = torch.ones_like(drawn.labels)
    torch.testing.assert_close(
        model.logistic_risk(-outputs, -drawn.labels, weights), model.logistic_risk(outputs, drawn.labels, weights)
    )


def test_shifting_a_row_of_logits_changes_nothing(generator):
    drawn, logits, value = random_problem(generator)
    shift = torch.randn(8, 1, generator=generator, dtype=torch.float64)
    torch.testing.assert_close(
        model.forward(drawn.patches, logits + shift, value, SETTING),
        model.forward(drawn.patches, logits, value, SETTING),
    )
    rows = sampled_gradient(drawn, logits, value, SETTING).logits.sum(dim=1)
    assert float(rows.abs().max()) < 1e-14


def test_settled_output_calls_a_cancellation_a_tie():
    logits = torch.zeros(8, 8, dtype=torch.float64)
    projections = torch.tensor([[1, 1, 1, 1, -1, -1, -1, -1], [1, 1, 1, 1, 0, 0, -1, -1]], dtype=torch.float64) / 3
    settled = model.settled_output(projections, logits, SETTING)
    assert settled[0] == 0
    assert settled[1] == model.output(projections, logits, SETTING)[1] > 0


def test_three_valued_logits_by_class():
    sets = torch.tensor([0, 1, 0, 1])
    values = dict(zip(("diagonal", "within", "across"), torch.tensor([5.0, 2.0, -1.0]), strict=True))
    expected = [[5, -1, 2, -1], [-1, 5, -1, 2], [2, -1, 5, -1], [-1, 2, -1, 5]]
    assert model.three_valued_logits(sets, **values).tolist() == expected
