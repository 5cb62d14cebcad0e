"""Transformers that generalize without structure: their errors by enumeration, their encodings by plain sorting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from sim.spatial_vit.baselines import structure
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import contiguous_sets
from sim.spatial_vit.network.lattice import labelling_law, not_positive
from sim.spatial_vit.network.setting import Setting, data_setting
from sim.spatial_vit.reduced.enumeration import enumerate_fully
from sim.spatial_vit.sampled.errors import exact_error


def setting_of(n_patches: int, set_size: int, *, nu: float = 1e-4) -> Setting:
    plain = data_setting(n_patches=n_patches, set_size=set_size, spurious_rate=0.3)
    return replace(plain, linear_coefficient=nu)


def top_sets(gram: np.ndarray, size: int, *, with_self: bool) -> list[set[int]]:
    """Top_C of every row, by sorting indices."""
    rows = []
    for i, row in enumerate(gram):
        others = [j for j in range(len(gram)) if with_self or j != i]
        rows.append(set(sorted(others, key=lambda j: -row[j])[:size]))
    return rows


@pytest.mark.parametrize("construction", structure.CONSTRUCTIONS)
@pytest.mark.parametrize(("n_patches", "set_size"), [(8, 2), (12, 3), (24, 6), (64, 4)])
def test_no_top_c_meets_its_set(construction: str, n_patches: int, set_size: int) -> None:
    sets = np.arange(n_patches) // set_size
    built = structure.build(construction, sets, set_size)
    gram = built.encodings.T @ built.encodings
    members = [set(np.flatnonzero(sets == own)) for own in sets]
    found = top_sets(gram, set_size, with_self=False)
    assert all(not chosen & own for chosen, own in zip(found, members, strict=True))
    assert structure.structure_gap(gram, sets, with_self=False) > 0
    # As the theorem prints it, each patch is in its own Top_C.
    assert all(i in chosen for i, chosen in enumerate(top_sets(gram, set_size, with_self=True)))
    assert structure.structure_gap(gram, sets, with_self=True) < 0
    np.testing.assert_allclose(built.even.sum(axis=1), 1)


def test_a_construction_whose_top_c_meets_the_set_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted falsehood: partners a little further than the own set."""
    monkeypatch.setattr(structure, "NEARNESS", -structure.NEARNESS)
    gram = structure.build("partners", np.arange(8) // 2, 2)
    assert structure.structure_gap(gram.encodings.T @ gram.encodings, np.arange(8) // 2, with_self=False) < 0


@pytest.mark.parametrize("construction", structure.CONSTRUCTIONS)
@pytest.mark.parametrize(("n_patches", "set_size"), [(8, 2), (12, 3)])
def test_the_bound_of_the_error_is_that_of_enumeration_but_for_ties(
    construction: str, n_patches: int, set_size: int
) -> None:
    setting = setting_of(n_patches, set_size)
    sets = contiguous_sets(setting)
    built = structure.build(construction, sets.numpy(), set_size)
    assert structure.movement(built, setting) < 0.5
    enumeration = enumerate_fully(setting, sets)
    test_error, label_error = exact_error(enumeration, logits=torch.from_numpy(built.logits), alignment=1.0)
    bound = structure.even_error(setting, built.group_size)
    ties = tied(enumeration, built, setting)
    assert bound - ties - 1e-12 <= label_error <= bound + 1e-12
    assert ties < bound
    shape = {"n_patches": n_patches, "set_size": set_size, "spurious_rate": 0.3}
    assert test_error <= bound + not_positive(labelling_law(**shape)) + 1e-12


def tied(enumeration: Any, built: structure.Transformer, setting: Setting) -> float:
    """Probability that the even F, without its linear part, vanishes."""
    mass = 0.0
    for coefficients, probability in enumeration:
        sums = np.round(built.group_size * coefficients.numpy() @ built.even.T)
        mass += float(probability.numpy()[(sums**setting.activation_power).sum(axis=1) == 0].sum())
    return mass


@pytest.mark.parametrize("construction", structure.CONSTRUCTIONS)
def test_the_real_attention_moves_no_output_further_than_the_bound(construction: str) -> None:
    setting = setting_of(24, 3)
    sets = contiguous_sets(setting).numpy()
    built = structure.build(construction, sets, 3)
    coefficients = torch.randint(-1, 2, (500, 24), generator=torch.Generator().manual_seed(0)).double()
    real = model.output(coefficients, torch.from_numpy(built.logits), setting)
    even = ((24 * coefficients @ torch.from_numpy(built.even).T) ** 3).sum(dim=1)
    step = built.group_size * (24 / built.group_size) ** 3
    assert float((real - even).abs().max()) <= structure.movement(built, setting) * step
    assert float((even / step - (even / step).round()).abs().max()) < 1e-9


def test_a_path_of_sizes_is_confirmed_by_drawn_data() -> None:
    found = structure.build_transformers(
        construction="projected", first_doubling=3, last_doubling=4, spurious_degree=2.0, n_test=4000,
        generator=torch.Generator().manual_seed(0),
    )  # fmt: skip
    observed = found.observables
    assert observed["exponents_grow"]
    assert float(observed["least_gap"]) > 1
    expected = 4000 * float(found.curves["error_bound"].sum())
    assert 0.6 * expected < float(observed["n_wrong"]) < 1.2 * expected


def test_a_search_finds_encodings_where_the_patch_itself_does_not_count_and_none_where_it_does() -> None:
    size = {"n_patches": 8, "set_size": 2, "dimension": 8, "n_steps": 150}
    generator = torch.Generator().manual_seed(0)
    with_self, without = (
        float(structure.search_structureless(with_self=counts, generator=generator, **size).observables["best_gap"])
        for counts in (True, False)
    )
    assert -0.1 < with_self <= 0 < without


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"construction": "magic"}, "construction must be one of partners, projected"),
        ({"last_doubling": 3}, "last_doubling must be >= 4"),
        ({"n_test": 0}, "n_test must be >= 1"),
    ],
)
def test_bad_arguments_are_refused(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"construction": "partners", "first_doubling": 3, "last_doubling": 4, **changes}
    with pytest.raises(ValueError, match=message):
        structure.build_transformers(generator=torch.Generator(), **arguments)


def test_an_odd_number_of_sets_has_no_partners() -> None:
    with pytest.raises(ValueError, match="n_patches must hold an even number of sets"):
        structure.build("partners", np.arange(6) // 2, 2)
