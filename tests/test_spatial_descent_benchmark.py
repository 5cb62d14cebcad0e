"""The benchmark of the spatial ViT's steps at toy size: its contestants agree, and every size has its line."""

import pytest

from benchmarks import spatial_descent

pytest.importorskip("numba")


def test_contestants_agree_and_each_size_has_a_line(monkeypatch):
    monkeypatch.setattr(spatial_descent, "DESCENTS", ((4, 2, 4, 40, "double"), (4, 2, 3, 33, "double")))
    monkeypatch.setattr(spatial_descent, "TUNINGS", ((8, 3),))
    page = spatial_descent.main(n_steps=3, tuning_steps=3)
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| D")]
    assert len(lines) == 3
    assert all(float(cells[-1]) < 1e-12 for cells in lines)
