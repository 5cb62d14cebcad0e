"""Exact expectations: two enumerations, autograd, Monte Carlo and sampled data must agree."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from sim.spatial_vit.network import data
from sim.spatial_vit.network.model import three_valued_logits
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import enumeration, population
from sim.spatial_vit.sampled import gradients
from sim.spatial_vit.sampled.errors import exact_error
from sim.spatial_vit.sampled.training import sampled_gradient

SIZES = [(6, 2), (6, 3), (8, 4), (9, 3)]


def setting_of(n_patches, set_size, **changes):
    values = {
        "spurious_rate": 0.35, "activation_power": 3, "linear_coefficient": 0.03, "diagonal_logit": 0.8,
        "temperature": 1.0,
    }  # fmt: skip
    return Setting(n_patches=n_patches, set_size=set_size, **{**values, **changes})


def full_logits(setting, *, within, across, sets=None):
    values = torch.tensor([setting.diagonal_logit, within, across], dtype=torch.float64)
    sets = data.contiguous_sets(setting) if sets is None else sets
    return three_valued_logits(sets, diagonal=values[0], within=values[1], across=values[2])


def deviations(generator_seed=3, **changes):
    arguments = {
        "n_patches": 6, "set_size": 2, "spurious_rate": 0.3, "activation_power": 3, "linear_coefficient": 0.02,
        "temperature": 1.6, "n_points": 2, "n_samples": 50,
    }  # fmt: skip
    generator = torch.Generator().manual_seed(generator_seed)
    return gradients.measure_gradients(**{**arguments, **changes}, generator=generator).observables


@pytest.mark.parametrize(("size", "n_rows"), [((16, 4), 680), ((24, 4), 11628), ((6, 2), 21), ((8, 4), 15)])
def test_number_of_multisets(size, n_rows):
    table = population.exact_types(setting_of(*size))
    assert table.n_rows == n_rows
    assert table.weights.sum() == pytest.approx(1, abs=1e-13)


@pytest.mark.parametrize("size", SIZES)
def test_full_enumeration_is_a_distribution_with_the_right_moments(size):
    setting = setting_of(*size)
    chunks = list(enumeration.enumerate_fully(setting, data.contiguous_sets(setting)))
    values, weights = (torch.cat(parts) for parts in zip(*chunks, strict=True))
    assert len(values) == setting.n_sets * 3 ** (size[0] - size[1])
    assert float(weights.sum()) == pytest.approx(1, abs=1e-12)
    torch.testing.assert_close(weights @ values, torch.full((size[0],), 1 / setting.n_sets, dtype=torch.float64))
    second = 1 / setting.n_sets + (1 - 1 / setting.n_sets) * 0.35
    torch.testing.assert_close(weights @ values**2, torch.full((size[0],), second, dtype=torch.float64))


def test_full_enumeration_does_not_depend_on_the_chunk(monkeypatch):
    setting = setting_of(6, 3)
    sets = torch.tensor([0, 1, 0, 1, 1, 0])
    logits = full_logits(setting, within=0.4, across=-0.2, sets=sets)
    whole = enumeration.population_gradient(enumeration.enumerate_fully(setting, sets), logits=logits, alignment=0.2)
    monkeypatch.setattr(enumeration, "CHUNK_ENTRIES", 42)
    chunked = enumeration.enumerate_fully(setting, sets)
    assert chunked.held is None
    assert len(list(chunked)) == 2 * 4  # seven rows at a time
    parts = enumeration.population_gradient(chunked, logits=logits, alignment=0.2)
    assert parts.risk == pytest.approx(whole.risk, rel=1e-13)
    torch.testing.assert_close(parts.logits, whole.logits)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("power", [3, 5])
def test_closed_form_equals_autograd_of_the_full_network(size, power):
    found = deviations(n_patches=size[0], set_size=size[1], activation_power=power)
    assert found["relative_gradient_deviation"] < 1e-10
    assert found["gradient_deviation"] < 1e-10


def test_autograd_gradient_has_three_values_and_stays_in_the_span():
    found = deviations()
    assert found["class_deviation"] < 1e-12
    assert found["span_deviation"] < 1e-12
    assert found["sampled_span_deviation"] > 1e-3  # the pairing of noise with its negative is what removes it


def test_increments_of_a_row_sum_to_zero():
    assert deviations()["increment_identity"] < 1e-12


@pytest.mark.parametrize("component", ["alignment", "diagonal", "within", "across"])
def test_a_flipped_sign_in_one_component_is_caught(component, monkeypatch):
    """The tester is tested: each planted error must break the comparison that the test above asserts."""
    honest = population.reduced_gradient

    def planted(*arguments, **keywords):
        gradient = honest(*arguments, **keywords)
        return replace(gradient, **{component: -getattr(gradient, component)})

    monkeypatch.setattr(population, "reduced_gradient", planted)
    assert deviations()["relative_gradient_deviation"] > 1


def test_total_instead_of_per_pair_derivative_is_caught(monkeypatch):
    honest = population.reduced_gradient

    def total(table, setting, **state):
        gradient = honest(table, setting, **state)
        return replace(gradient, within=gradient.within * setting.n_within_pairs)

    monkeypatch.setattr(population, "reduced_gradient", total)
    assert deviations()["relative_gradient_deviation"] > 1


def test_per_entry_convention_is_the_total_derivative_over_the_pairs():
    """Central differences of the reduced risk, divided by the number of pairs of the class."""
    setting, step = setting_of(16, 4, temperature=1.3), 1e-5
    table = population.exact_types(setting)
    at = {"alignment": 0.17, "within": 0.3, "across": -0.2}
    found = population.reduced_gradient(table, setting, **at)
    pairs = {"alignment": 1, "within": setting.n_within_pairs, "across": setting.n_across_pairs}
    for name, n_pairs in pairs.items():
        up, down = (
            population.reduced_gradient(table, setting, **{**at, name: at[name] + sign * step}).risk for sign in (1, -1)
        )
        assert getattr(found, name) == pytest.approx((up - down) / (2 * step) / n_pairs, rel=1e-6)


@pytest.mark.parametrize("size", SIZES)
def test_error_rates_of_both_enumerations_agree(size):
    setting = setting_of(*size)
    table = population.exact_types(setting)
    outputs = population.reduced_outputs(table, setting, alignment=0.3, within=0.2, across=-0.1)
    logits = full_logits(setting, within=0.2, across=-0.1)
    whole = enumeration.enumerate_fully(setting, data.contiguous_sets(setting))
    full = exact_error(whole, logits=logits, alignment=0.3)
    assert population.error_rates(table, outputs) == pytest.approx(full, abs=1e-13)


def test_a_vanishing_network_errs_always():
    table = population.exact_types(setting_of(6, 2))
    assert population.error_rates(table, np.zeros(table.n_rows)) == pytest.approx((1, 1))


def test_population_gradient_is_equivariant_under_permutations_of_patches():
    setting = setting_of(6, 3)
    generator = torch.Generator().manual_seed(5)
    logits = torch.randn(6, 6, generator=generator, dtype=torch.float64)
    order = torch.randperm(6, generator=generator)
    sets = data.contiguous_sets(setting)
    before = enumeration.population_gradient(enumeration.enumerate_fully(setting, sets), logits=logits, alignment=0.2)
    moved = enumeration.enumerate_fully(setting, sets[order])
    after = enumeration.population_gradient(moved, logits=logits[order][:, order], alignment=0.2)
    assert after.risk == pytest.approx(before.risk, rel=1e-13)
    torch.testing.assert_close(after.logits, before.logits[order][:, order])


def test_monte_carlo_agrees_with_enumeration():
    """Within five standard errors of independent batches, for the risk and every derivative."""
    setting = setting_of(16, 4)
    at = {"alignment": 0.15, "within": 0.2, "across": -0.05}
    names = ("risk", "alignment", "diagonal", "within", "across")
    generator = torch.Generator().manual_seed(2)
    exact = population.reduced_gradient(population.exact_types(setting), setting, **at)
    batches = []
    for _ in range(25):
        table = population.sampled_types(setting, n_draws=2000, generator=generator)
        gradient = population.reduced_gradient(table, setting, **at)
        batches.append([getattr(gradient, name) for name in names])
    mean, error = np.mean(batches, axis=0), np.std(batches, axis=0, ddof=1) / 5
    assert (np.abs(mean - [getattr(exact, name) for name in names]) < 5 * error).all()
    assert (error < 0.1 * np.abs(mean)).all()  # the comparison has power


def test_sampled_gradient_converges_to_the_population_gradient():
    """Mean over batches of (E)'s gradient within five standard errors of (P)'s, entry by entry."""
    setting = setting_of(6, 3)
    sets = data.contiguous_sets(setting)
    generator = torch.Generator().manual_seed(4)
    feature = data.random_feature(8, generator)
    logits = full_logits(setting, within=0.3, across=-0.1)
    exact = enumeration.population_gradient(enumeration.enumerate_fully(setting, sets), logits=logits, alignment=0.25)
    batches = []
    for _ in range(30):
        drawn = data.sample(setting, sets, feature=feature, n_samples=1000, generator=generator)
        found = sampled_gradient(drawn, logits, 0.25 * feature, setting)
        batches.append(torch.cat([found.logits.ravel(), found.value @ feature[:, None]]))
    stacked = torch.stack(batches)
    error = stacked.std(dim=0) / 30**0.5
    target = torch.cat([exact.logits.ravel(), torch.tensor([exact.alignment], dtype=torch.float64)])
    assert ((stacked.mean(dim=0) - target).abs() < 5 * error).all()
    assert float(error[-1]) < 0.05 * abs(exact.alignment)


def test_enumerations_refuse_what_they_cannot_hold():
    with pytest.raises(ValueError, match=r"n_patches must leave at most .* multisets"):
        population.exact_types(setting_of(64, 4))
    wide = setting_of(64, 4)
    with pytest.raises(ValueError, match=r"n_patches must leave at most .* configurations"):
        enumeration.enumerate_fully(wide, data.contiguous_sets(wide))
