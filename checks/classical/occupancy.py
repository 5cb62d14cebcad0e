"""Coupons as means of many collections; birthdays as success curves in the number of people."""

from __future__ import annotations

from checks.classical.setting import FOR_MEANS, judged, powers, sweeps, symbols
from checks.evidence.sampled import Scaling, Threshold
from checks.records.preset import Preset
from sim.classical.systems import BIRTHDAYS, COUPONS
from sim.trials.sweep import grid
from sim.trials.trial import Parameters
from theory.classical import occupancy as claims


def _coupons(name: str, sizes: dict[Preset, tuple[int, ...]], replicates=FOR_MEANS, n_draws: int = 80) -> Scaling:
    points = {preset: grid(n_coupons=values) for preset, values in sizes.items()}
    return Scaling(
        name=name,
        symbol=claims.n,
        parameter="n_coupons",
        observable="expected_draws",
        symbols=symbols,
        sweeps=sweeps(COUPONS, points, replicates, n_draws=n_draws),
    )


def _people(n_days: int) -> tuple[Parameters, ...]:
    """Groups from two fifths to two and a half times the square root of the days."""
    sizes = sorted({round(share * n_days**0.5) for share in (0.4, 0.6, 0.8, 1.1, 1.4, 1.8, 2.5)})
    return tuple({"n_days": n_days, "n_people": size} for size in sizes)


def _shared_day(name: str, days: dict[Preset, tuple[int, ...]], replicates: int) -> Threshold:
    points = {preset: tuple(point for n_days in values for point in _people(n_days)) for preset, values in days.items()}
    return Threshold(
        name=name,
        symbol=claims.n,
        parameter="n_days",
        size="n_people",
        symbols=symbols,
        sweeps=sweeps(BIRTHDAYS, points, {Preset.QUICK: replicates}),
    )


COUPONS_MEAN = judged((_coupons("from 4 on", powers(4, 5, factor=4, smoke=3)),), claims.COUPONS, *claims.COUPONS_TWINS)
COUPONS_ORDER = judged(
    (_coupons("from 16 on", powers(16, 7, smoke=5), {Preset.SMOKE: 6, Preset.QUICK: 8}, 200),),
    claims.COUPONS_ORDER,
    *claims.COUPONS_ORDER_TWINS,
)
BIRTHDAYS_ORDER = judged(
    (_shared_day("from 16 days on", powers(16, 13), 25),), claims.BIRTHDAYS, *claims.BIRTHDAYS_TWINS
)
BIRTHDAYS_MEDIAN = judged(
    (_shared_day("from 64 days on", powers(64, 5, factor=4), 100),),
    claims.BIRTHDAYS_MEDIAN,
    *claims.BIRTHDAYS_MEDIAN_TWINS,
)
