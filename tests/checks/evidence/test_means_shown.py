"""Points and pictures show what is judged: arithmetic means where a claim is about E[.]."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from checks.evidence.scaling import Scaling
from checks.records.preset import Preset
from checks.report.pictures.gathered import Piece
from checks.report.pictures.linear_look import estimates_of
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Axis, Kind

N = sp.Symbol("n", positive=True)
SIZES = (8, 16, 32, 64)


@pytest.mark.parametrize(("estimand", "shown"), [("mean", np.mean), ("typical", lambda x: np.exp(np.log(x).mean()))])
def test_points_of_an_order_show_what_is_judged(estimand: str, shown) -> None:
    claim = made_up(kind=Kind.TIGHT, value=1 / N, axes=(Axis(N),))
    system = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
    part = Scaling(
        name="sizes",
        symbol=N,
        parameter="size",
        observable="value",
        symbols={"size": N},
        estimand=estimand,
        sweeps={Preset.SMOKE: (Sweep(system, grid(size=SIZES), {}, 60),)},
    )
    noise = np.abs(np.random.default_rng(3).standard_normal(60))
    trials = {}
    for spec in part.specs(Preset.SMOKE):
        value = float(noise[spec.replicate]) / spec.parameters["size"]
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, {"value": value}), 1.0)
    (row,) = part.rows(claim, Preset.SMOKE, trials)
    expected = [float(shown(noise / size)) for size in SIZES]
    assert [point.measured for point in row.points] == pytest.approx(expected)
    assert all(point.low < point.measured < point.high for point in row.points)
    if estimand == "mean":  # the claim is scaled to means, and so are the points
        assert all(point.low < point.bound < point.high for point in row.points)
    look = estimates_of(Piece(claim, part, row, tuple(trials.values())))
    assert [look[size].value for size in SIZES] == pytest.approx(expected)
    spread = noise.std(ddof=1) / noise.mean() if estimand == "mean" else np.log(noise).std(ddof=1)
    assert look[8].standard_error == pytest.approx(spread / 60**0.5)
