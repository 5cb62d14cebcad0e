"""What the pictures of docs/findings.md are drawn from, at small size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from benchmarks import spatial_pictures
from sim.spatial_vit.baselines.linear_models import attack_labelling

FINDINGS = Path(__file__).parents[1] / "docs" / "findings.md"


def test_the_region_is_that_of_the_attack_and_grows_with_spurious_features() -> None:
    errors = spatial_pictures.least_errors((16, 24), (0.1, 0.3), set_size=4)
    for i, rate in enumerate((0.1, 0.3)):
        for j, patches in enumerate((16, 24)):
            size = {"n_patches": patches, "set_size": 4, "spurious_rate": rate}
            found = attack_labelling(attack="function_of_sum", generator=torch.Generator(), **size)
            assert errors[i, j] == pytest.approx(float(found.observables["error"]))
    assert np.all(np.diff(errors, axis=0) > 0)
    assert np.all(np.diff(errors, axis=1) > 0)


def test_a_run_is_drawn_from_what_the_simulator_returns() -> None:
    found = spatial_pictures.run("encodings", 1.0, n_steps=40)
    assert len(found.curves["step"]) == len(found.curves["test_error"]) == 40
    np.testing.assert_allclose(found.curves["final_logits"], found.curves["final_logits"].T)


def test_the_pictures_are_shown() -> None:
    text = FINDINGS.read_text(encoding="utf-8")
    for name in ("linear_region.svg", "gaussian_patches.svg"):
        assert f"(img/{name})" in text
        assert (spatial_pictures.IMAGES / name).is_file()
