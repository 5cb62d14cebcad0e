"""Gaussian patches: labels by loops, gradients by autograd and finite differences, what the attention found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from sim.spatial_vit.baselines import gaussian_patches as gp
from sim.spatial_vit.baselines.adam import Adam
from sim.spatial_vit.baselines.patch_errors import attention_on_sets
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import contiguous_sets
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.systems import GAUSSIAN_PATCHES
from sim.trials.readouts import observed
from sim.trials.trial import TrialResult

SETTING = Setting(
    n_patches=6, set_size=3, spurious_rate=0.0, activation_power=3, linear_coefficient=0.05, diagonal_logit=0.0,
    temperature=1.3,
)  # fmt: skip
SMALL: dict[str, Any] = {
    "n_patches": 8, "set_size": 2, "patch_dimension": 4, "convolution": "shared", "attention": "logits",
    "init_scale": 1.0, "n_samples": 2000, "n_test": 2000, "n_steps": 300, "batch_size": 200, "learning_rate": 0.05,
}  # fmt: skip


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def simulate(**arguments: Any) -> TrialResult:
    return observed(GAUSSIAN_PATCHES, gp.simulate_gaussian_patches(**arguments))


@pytest.mark.parametrize("convolution", gp.FILTERS)
def test_labels_are_those_of_a_naive_convolution(convolution: str) -> None:
    filters = gp.draw_filters(convolution, SETTING, 5, generator())
    drawn = gp.draw(filters, contiguous_sets(SETTING), n_samples=20, generator=generator(1))
    for row in range(20):
        value = 0.0
        for first in (0, 3):
            response = sum(float(filters[j % 3] @ drawn.patches[row, first + j]) for j in range(3))
            value += response**3
        assert float(drawn.labels[row]) == np.sign(value)
    assert torch.equal(filters[:3], filters[3:])
    gram = filters[:3] @ filters[:3].T
    expected = torch.ones(3, 3) if convolution == "shared" else torch.eye(3)
    torch.testing.assert_close(gram, expected.double(), atol=1e-12, rtol=0)


@pytest.mark.parametrize("attention", gp.ATTENTIONS)
def test_gradients_are_those_of_autograd_and_of_differences(attention: str) -> None:
    patches = torch.randn(7, 6, 4, generator=generator(2), dtype=torch.float64)
    labels = torch.tensor([1.0, -1, 1, 1, -1, -1, 1], dtype=torch.float64)
    parameter = torch.randn(6, 6, generator=generator(3), dtype=torch.float64)
    value = 0.2 * torch.randn(4, generator=generator(4), dtype=torch.float64)

    def risk(parameter: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        logits = parameter.T @ parameter if attention == "encodings" else parameter
        scores = torch.softmax(logits / 1.3, dim=1)
        u = 6 * torch.einsum("ij,njd,d->ni", scores, patches, value)
        return torch.nn.functional.softplus(-labels * (u**3 + 0.05 * u).sum(dim=1)).mean()

    found = gp.batch_gradient(patches, labels, parameter, value, setting=SETTING, attention=attention)
    tracked = parameter.clone().requires_grad_(), value.clone().requires_grad_()
    expected = torch.autograd.grad(risk(*tracked), tracked)
    assert found[0] == pytest.approx(float(risk(parameter, value)), rel=1e-12)
    for mine, theirs in zip(found[1:], expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-10, atol=1e-12)
    step = torch.zeros_like(parameter)
    step[2, 4] = 1e-6
    difference = float(risk(parameter + step, value) - risk(parameter - step, value)) / 2e-6
    assert float(found[1][2, 4]) == pytest.approx(difference, rel=1e-5)


def test_adam_follows_the_published_algorithm_in_plain_numbers() -> None:
    gradients = [0.3, -1.0, 2.0, 0.1]
    x, first, second = 1.0, 0.0, 0.0
    for t, g in enumerate(gradients, start=1):
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        rate = 0.1 * 0.5 * (1 + np.cos(np.pi * (t - 1) / 4))
        x -= rate * (first / (1 - 0.9**t)) / ((second / (1 - 0.999**t)) ** 0.5 + 1e-8)
    parameter = torch.tensor([1.0], dtype=torch.float64)
    optimizer = Adam((parameter,), 0.1, 4)
    for g in gradients:
        optimizer.step((torch.tensor([g], dtype=torch.float64),))
    assert float(parameter) == pytest.approx(x, rel=1e-12)


def test_association_gives_no_error_with_one_filter_and_even_attention_that_of_the_sum() -> None:
    """With two sets the sum would do: a^3 + b^3 has the sign of a + b."""
    setting = replace(SETTING, n_patches=12, temperature=1.0, linear_coefficient=1e-9)
    sets = contiguous_sets(setting)
    filters = gp.draw_filters("shared", setting, 4, generator())
    drawn = gp.draw(filters, sets, n_samples=3000, generator=generator(1))
    logits = 50.0 * (sets[:, None] == sets).double()
    assert (torch.sign(model.forward(drawn.patches, logits, filters[0], setting)) == drawn.labels).all()
    even = torch.sign(model.forward(drawn.patches, 0 * logits, filters[0], setting))
    assert torch.equal(even, torch.sign(drawn.responses.sum(dim=1)))
    assert 0.02 < float((even != drawn.labels).double().mean()) < 0.2


def test_sets_are_found_wherever_some_patch_attends_to_them() -> None:
    sets = torch.arange(8) // 2
    own = 3.0 * (sets[:, None] == sets).double()
    seen = attention_on_sets(own, sets, 1.0)
    assert (seen["associated"], seen["associated_entries"], seen["sets_found"]) == (True, 1.0, 1.0)
    moved = attention_on_sets(own.roll(2, dims=0), sets, 1.0)
    assert (moved["associated"], moved["associated_entries"], moved["sets_found"]) == (False, 0.0, 1.0)
    noise = torch.randn(8, 8, generator=generator(5), dtype=torch.float64)
    assert not attention_on_sets(noise, sets, 1.0)["associated"]
    assert attention_on_sets(own * 0, sets, 1.0)["own_attention"] == pytest.approx(1 / 4)


def test_frozen_attention_errs_like_a_linear_model_and_trained_attention_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted falsehood: attention that does not move must not look like structure."""
    trained = simulate(**SMALL, generator=generator()).observables
    assert float(trained["test_error"]) < 0.5 * float(trained["linear_error"])
    right = gp.batch_gradient

    def frozen(*arguments: Any, **options: Any) -> tuple[float, torch.Tensor, torch.Tensor]:
        risk, by_parameter, by_value = right(*arguments, **options)
        return risk, 0 * by_parameter, by_value

    monkeypatch.setattr(gp, "batch_gradient", frozen)
    stiff = simulate(**{**SMALL, "init_scale": 0.01}, generator=generator()).observables
    assert float(stiff["test_error"]) > 0.8 * float(stiff["sum_error"])
    assert abs(float(stiff["own_attention"]) - 1 / 4) < 0.01


def test_a_run_is_a_function_of_its_seed_and_records_its_curves() -> None:
    short = {**SMALL, "n_steps": 30, "n_records": 4}
    first, second = (simulate(**short, generator=generator(7)) for _ in range(2))
    assert first.observables == second.observables
    assert first.curves["step"].tolist() == [1, 10, 20, 30]
    assert first.curves["test_error"][-1] == first.observables["test_error"]
    assert first.curves["final_logits"].shape == (8, 8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"convolution": "round"}, "convolution must be one of shared, by_place"),
        ({"attention": "none"}, "attention must be one of encodings, logits"),
        ({"init_scale": 0.0}, "init_scale must be > 0"),
        ({"patch_dimension": 1}, "patch_dimension must be >= 2"),
        ({"n_records": 1}, "n_records must be >= 2"),
    ],
)
def test_bad_arguments_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**{**SMALL, **changes}, generator=generator())


def test_attention_that_is_not_trained_stays_and_the_value_vector_moves() -> None:
    def ended(**changes: Any) -> tuple[np.ndarray, float]:
        run = simulate(**{**SMALL, **changes}, generator=generator(4))
        return run.curves["final_logits"], float(run.observables["test_error"])

    start, _ = ended(train_attention=False, n_steps=1)
    held, held_error = ended(train_attention=False)
    moved, _ = ended()
    assert np.array_equal(start, held)
    assert not np.allclose(start, moved)
    assert held_error < 0.4
