"""A transition is measured: sequences on both sides of a place, and places that are told apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp

from checks.evidence.transitions import Transition
from checks.mutation.statements import mutants_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.table import render
from checks.report.writing.from_rows import points_of
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
d, gamma = sp.symbols("d gamma", positive=True)
SIZES, RATIOS = [20, 40, 80, 160, 320], [0.5, 0.8, 1.25, 2.0]


def claim_of(value: object = 1, **changes) -> Claim:
    stated = {
        "id": "nobody.begins",
        "source": Source("nobody", "nowhere"),
        "kind": Kind.TRANSITION,
        "statement": "The order begins at a ratio of 1.",
        "observable": "order",
        "evidence": (Evidence.MEASURED,),
        "axes": (Axis(d),),
        "value": sp.sympify(value),
    }
    return Claim(**{**stated, **changes})


def part_of(**changes) -> Transition:
    stated = {
        "name": "order",
        "symbol": d,
        "parameter": "dimension",
        "moving": "ratio",
        "observable": "order",
        "level": 0.15,
        "tolerance": 0.05,
        "within": 0.5,
        "symbols": lambda parameters: {d: sp.Integer(parameters["dimension"])},
        "sweeps": {Preset.SMOKE: (Sweep(SYSTEM, grid(ratio=RATIOS, dimension=SIZES), {}, 10),)},
    }
    return Transition(**{**stated, **changes})


def trials_of(part: Transition) -> list[Trial]:
    """sqrt(1 - 1 / ratio) beyond 1 and 0 below, with a correction like 1 / d."""
    found = []
    for spec in part.specs(Preset.SMOKE):
        size, ratio = float(spec.parameters["dimension"]), float(spec.parameters["ratio"])
        scatter = 0.002 * np.random.default_rng(spec.seed).standard_normal()
        value = max(1 - 1 / ratio, 0) ** 0.5 + 1 / size + scatter
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {"order": value}), 0.5))
    return found


def verdict(part: Transition, claim: Claim) -> Verdict:
    (row,) = part.judge(claim, trials_of(part))
    assert isinstance(row, Row)
    return row.verdict


def test_points_say_which_place_they_belong_to() -> None:
    """The table of points had the sizes alone, once for each place and none of them named."""
    part = part_of()
    (row,) = part.judge(claim_of(), trials_of(part))
    assert [point.sequence for point in row.points] == [f"ratio = {ratio:g}" for ratio in RATIOS for _ in SIZES]
    written = points_of(row)
    assert written is not None
    assert written.headings[:2] == ("sequence", "d")
    assert [cells[:2] for cells in written.rows[:2]] == [("ratio = 0.5", "20"), ("ratio = 0.5", "40")]
    text = render({row.claim.id: [row]}, Preset.SMOKE, fmt="terminal", points=True)
    assert all(f"ratio = {ratio:g}" in text for ratio in RATIOS)


def measured(order: Callable[[float, float], float], **changes: object) -> Row:
    """The row of trials whose order parameter is a function of ratio and size."""
    part = part_of(**changes)
    trials = [
        Trial(spec, TrialResult(Outcome.CONVERGED, {"order": order(*map(float, pair))}), 0.5)
        for spec in part.specs(Preset.SMOKE)
        for pair in [(spec.parameters["ratio"], spec.parameters["dimension"])]  # type: ignore[arg-type]
    ]
    (row,) = part.judge(claim_of(), trials)
    return row


def test_an_order_parameter_that_is_rounding_is_zero() -> None:
    """Residuals of a solver grow with the size, far below the tolerance; what is not rounding is extrapolated."""
    scatter = np.random.default_rng(0).standard_normal

    def order(ratio: float, size: float, small: float = 1e-28) -> float:
        return 0.5 + 1 / size + 0.002 * scatter() if ratio > 1 else small * size**1.3 * (1 + 0.1 * scatter())

    assert measured(order).verdict is Verdict.HOLDS
    assert measured(lambda ratio, size: order(ratio, size, small=1e-3)).verdict is not Verdict.HOLDS
    assert measured(lambda ratio, size: order(2 * (ratio < 1), size)).verdict is Verdict.VIOLATED


def test_a_deterministic_sequence_needs_one_trial_a_size() -> None:
    sweeps = {Preset.SMOKE: (Sweep(SYSTEM, grid(ratio=RATIOS, dimension=SIZES), {}, 1),)}

    def order(ratio: float, size: float) -> float:
        return float(ratio > 1) or 1 / size

    assert measured(order, sweeps=sweeps).verdict is Verdict.INCONCLUSIVE
    assert measured(order, sweeps=sweeps, noiseless=True).verdict is Verdict.HOLDS
    turned = measured(lambda ratio, size: order(2 * (ratio < 1), size), sweeps=sweeps, noiseless=True)
    assert turned.verdict is Verdict.VIOLATED


def test_the_place_holds_and_another_is_violated() -> None:
    part = part_of()
    assert verdict(part, claim_of()) is Verdict.HOLDS
    assert verdict(part, claim_of(sp.Rational(3, 2))) is Verdict.VIOLATED
    assert verdict(part, claim_of(sp.Rational(13, 20))) is Verdict.VIOLATED


def test_what_is_not_enclosed_is_left_open() -> None:
    assert verdict(part_of(within=0.1), claim_of()) is Verdict.INCONCLUSIVE
    (row,) = part_of().judge(claim_of(3), trials_of(part_of()))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "ratio from 0.5 to 2 lies on one side of the claimed 3" in row.judgement.reason


def test_one_part_has_one_place() -> None:
    letters = {"dimension": d, "ratio": gamma}
    (row,) = part_of(symbols=letters).judge(claim_of(gamma), trials_of(part_of()))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "transitions at several places" in row.judgement.reason


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"axes": ()}, "axes must name what grows where a transition is claimed"),
        ({"value": None}, "value must be that of the limit"),
        ({"value": d}, "must not contain its axis d"),
    ],
)
def test_a_transition_that_cannot_be_measured_is_refused(changes, message) -> None:
    with pytest.raises(ValueError, match=message):
        claim_of(**{"value": sp.Integer(1), **changes}) if "value" not in changes else Claim(
            "nobody.begins", Source("nobody", "nowhere"), Kind.TRANSITION, "", "", (), (Axis(d),), changes["value"]
        )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"level": 0.1}, "level"),
        ({"within": 0.0}, "within"),
        ({"level": "half"}, "level must be a number, got 'half'"),
        ({"range": 1}, "range must be two finite numbers"),
        ({"range": ("a", "b")}, "range must be two"),
        ({"range": (1, 0)}, "low < high"),
        ({"range": (0, 1), "noiseless": True}, "values with noise"),
    ],
)
def test_what_is_stated_beforehand_is_checked(changes, message) -> None:
    with pytest.raises(ValueError, match=message):
        part_of(**changes)


def test_planted_places_are_found() -> None:
    found = list(mutants_of(part_of(), claim_of(), Preset.SMOKE))
    assert [mutant.falsehood for mutant in found] == ["begins later", "begins sooner"]
    assert {mutant.honest for mutant in found} == {Verdict.HOLDS}
    assert {mutant.judgement.verdict for mutant in found} == {Verdict.VIOLATED}
