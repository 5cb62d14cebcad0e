"""What is measured of initial weights: by hand where the recipe says it, and a bound below every family's distance."""

from __future__ import annotations

import pytest
import torch

from sim.shallow_vit.initial import measure_initial


def measured(**options) -> dict[str, float]:
    seed = options.pop("seed", 1)
    return dict(measure_initial(**options, generator=torch.Generator().manual_seed(seed)).observables)


@pytest.mark.parametrize("seed", range(5))
def test_contractions_are_within_norm_one_and_the_stated_errors(seed: int) -> None:
    told = measured(initialization="contraction", dimension=8, n_patterns=8, seed=seed)
    for name, error in {"value": 0.1, "key": 0.2, "query": 0.2}.items():
        assert told[f"norm_{name}"] <= 1
        assert told[f"distance_{name}"] == pytest.approx(error, abs=1e-12)  # all columns, so the farthest is among them


def test_errors_added_to_isometries_have_their_length_and_norms_above_one() -> None:
    told = measured(initialization="orthonormal")
    assert told["distance_value"] == pytest.approx(0.1)
    assert [told["distance_key"], told["distance_query"]] == pytest.approx([0.2, 0.2])
    assert min(told["norm_value"], told["norm_key"], told["norm_query"]) > 1


def test_the_literal_matrices_are_multiples_of_isometries() -> None:
    told = measured(initialization="literal")
    for name, factor in {"value": 100.0, "key": 400.0, "query": 400.0}.items():
        assert told[f"norm_{name}"] == pytest.approx(factor)
        assert told[f"distance_{name}"] == pytest.approx(factor - 1)
        assert told[f"least_{name}"] == pytest.approx(factor - 1)


@pytest.mark.parametrize("initialization", ["contraction", "orthonormal"])
def test_no_orthonormal_family_is_nearer_than_the_bound(initialization: str) -> None:
    told = measured(initialization=initialization)
    for name in ("value", "key", "query"):
        assert told[f"least_{name}"] <= told[f"distance_{name}"]


def test_more_patterns_than_dimensions_are_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="dimension must be at least n_patterns, got 4"):
        measured(initialization="contraction", dimension=4, n_patterns=5)
