"""What kernels share: lanes whose functions are exact to rounding, and a folder that changes with every source."""

import math

import numpy as np
import pytest

from sim.kernels.cache import folder

numba = pytest.importorskip("numba")


def by_lanes(name, values):
    """A function of vectors at these values."""
    from sim.kernels import simd

    function, load, store, width = getattr(simd, name), simd.load, simd.store, simd.width

    @numba.njit
    def run(values, out):
        for place in range(0, len(values), width(values)):
            store(out, place, function(load(values, place)))

    out = np.empty_like(values)
    run(values, out)
    return out


@pytest.mark.parametrize(("kind", "bound"), [(np.float64, 4e-16), (np.float32, 1.5e-7)])
def test_exp_of_lanes_is_exact_to_rounding(kind, bound):
    values = np.linspace(-87 if kind is np.float32 else -700, 80, 1 << 14).astype(kind)
    exact = np.array([math.exp(float(value)) for value in values])
    assert np.abs(by_lanes("exponential", values) / exact - 1).max() < bound
    least = by_lanes("exponential", np.full(16, -1e9, kind))
    assert (least >= 0).all()
    assert (least < 1e-37).all()


@pytest.mark.parametrize(("kind", "bound"), [(np.float64, 6e-16), (np.float32, 3e-7)])
def test_log_of_one_plus_a_lane_is_exact_to_rounding(kind, bound):
    values = np.concatenate([np.geomspace(1e-30, 1, 1 << 13), np.linspace(0, 1, 1 << 13)]).astype(kind)
    exact = np.array([math.log1p(float(value)) for value in values])
    found = by_lanes("log_one_plus", values)
    assert np.abs(found[values > 0] / exact[values > 0] - 1).max() < bound
    assert (found[values == 0] == 0).all()


def test_kernels_are_kept_under_the_name_of_all_their_sources(tmp_path):
    (tmp_path / "one.py").write_text("a")
    (tmp_path / "two.py").write_text("b")
    before = folder(tmp_path)
    assert before.parent == tmp_path / "__pycache__"
    assert folder(tmp_path) == before
    assert folder(tmp_path, "elsewhere").parts == ("elsewhere", before.name)
    (tmp_path / "two.py").write_text("c")
    assert folder(tmp_path) != before
