"""The peer of the population benchmark solves the same problem, and a planted fault shows."""

import numpy as np
import pytest
import torch

from benchmarks import population as benchmark
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import population
from sim.spatial_vit.reduced.dynamics import descend


def compare(monkeypatch, *, weights=None):
    setting = Setting(12, 3, 0.3, 3, 1 / 144, 1.0, 1.0)
    monkeypatch.setattr(benchmark, "PEER_STEPS", 10)
    points, shares = benchmark.representatives(setting)
    full = benchmark.train_full(setting, points, shares if weights is None else weights(shares))
    start = np.array([setting.initial_alignment, 0.0, 0.0])
    path = descend(
        population.exact_types(setting), setting, start, learning_rate=benchmark.LEARNING_RATE, n_steps=10, n_records=2
    )
    return full, path.states[-1]


def test_full_model_on_representatives_is_the_reduced_descent(monkeypatch):
    full, reduced = compare(monkeypatch)
    assert full == pytest.approx(reduced, rel=1e-10)
    assert reduced[0] > 2 / 12


def test_wrong_weights_are_noticed(monkeypatch):
    full, reduced = compare(monkeypatch, weights=lambda shares: torch.full_like(shares, 1 / len(shares)))
    assert np.abs(full - reduced).max() > 1e-3
