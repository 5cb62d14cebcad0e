"""Regret of Adam and AMSGrad along one run each; nothing is drawn, so that one trial is all there is."""

from __future__ import annotations

from checks.classical.setting import course, judged, sweeps
from checks.evidence.sampled import Range
from checks.records.preset import Preset
from sim.classical.systems import ONLINE
from theory.classical import online as claims


def _regret(method: str, rate: float, since: int) -> Range:
    return Range(
        name=f"{method}, C = 3, 30000 losses",
        symbol=claims.t,
        axis_words="losses seen",
        quantity=course("regret", claims.t, since=since),
        sweeps=sweeps(
            ONLINE,
            {Preset.SMOKE: ({"method": method},), Preset.QUICK: ({"method": method},)},
            {Preset.SMOKE: 1, Preset.QUICK: 1},
            steepness=3.0,
            rate=rate,
            n_steps=30_000,
        ),
    )


ADAM_REGRET = judged((_regret("adam", 0.5, 100),), claims.ADAM_REGRET, *claims.ADAM_REGRET_TWINS)
AMSGRAD_REGRET = judged((_regret("amsgrad", 2.0, 300),), claims.AMSGRAD_REGRET, *claims.AMSGRAD_REGRET_TWINS)
