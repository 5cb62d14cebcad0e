"""Maps of attention between kinds of tokens: summed token by token, and the masses that trainings record anyhow."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from sim.shallow_vit import attention_by_kind
from sim.shallow_vit.attention_by_kind import mapped, maps_of
from tests.sim.shallow_vit.test_looking import train


def map_by_hand(probe: object, scoring: torch.Tensor, kinds: int) -> np.ndarray:
    """Token by token: each query's softmax, shared out by pattern as the sample's label sees it."""
    total, queries = np.zeros((kinds, kinds)), np.zeros(kinds)
    for tokens, label, patterns in zip(probe.tokens, probe.labels, probe.patterns, strict=True):  # type: ignore[attr-defined]
        seen = [1 - int(p) if label < 0 and p < 2 else int(p) for p in patterns]
        for query, of in zip(tokens, seen, strict=True):
            scores = [float(key @ scoring @ query) for key in tokens]
            weights = np.exp(np.array(scores) - max(scores))
            queries[of] += 1
            for weight, to in zip(weights / weights.sum(), seen, strict=True):
                total[of, to] += weight
    return total / queries[:, None]


@pytest.mark.parametrize("engine", ["torch", "collapsed"])
def test_maps_are_those_that_are_summed_token_by_token(engine: str) -> None:
    run = train(engine, "usual", steps=300)
    maps = maps_of(run.looks, run.probe).astype(float)
    assert next(look.step for look in mapped(run.looks)) == 0
    assert len(maps) == 3
    by_hand = [map_by_hand(run.probe, look.weights.scoring, maps.shape[1]) for look in mapped(run.looks)]
    assert np.abs(maps - np.stack(by_hand)).max() < 6e-4
    assert maps.sum(axis=-1) == pytest.approx(1.0, abs=3e-3)
    assert np.ptp(maps, axis=0).max() > 0.1


def test_maps_agree_with_the_masses_that_are_recorded() -> None:
    """Of queries of the label's own pattern the share on tokens of that pattern is a curve of its own."""
    run = train("collapsed", "usual", steps=300)
    own = [float(look.masses.own_query) for look in mapped(run.looks)]
    assert maps_of(run.looks, run.probe).astype(float)[:, 0, 0] == pytest.approx(own, abs=6e-4)


def test_frozen_attention_has_one_map() -> None:
    run = train("collapsed", "usual", attention=False)
    assert not np.ptp(maps_of(run.looks, run.probe), axis=0).any()


def test_a_map_that_mixes_up_the_labels_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: patterns as they were drawn, whatever the label."""
    run = train("collapsed", "usual", steps=300)
    honest = maps_of(run.looks, run.probe)
    monkeypatch.setattr(attention_by_kind, "_kinds", lambda samples: samples.patterns)
    assert np.abs(maps_of(run.looks, run.probe) - honest).max() > 0.05


def test_a_kind_that_the_probe_has_not_is_no_number() -> None:
    run = train("collapsed", "usual")
    there = [int(each) for each in run.probe.patterns.unique()]
    few = type(run.probe)(
        run.probe.tokens, run.probe.labels, run.probe.patterns.masked_fill(run.probe.patterns == 3, 4)
    )
    maps = maps_of(run.looks, few)
    assert 3 in there
    assert np.isnan(maps[:, 3]).all()
    assert (maps[:, :3, 3] == 0).all()
