"""Parts that compare two success curves place by place, on made-up trials."""

from __future__ import annotations

import pytest

from checks.evidence.ratios import SmallerThreshold, ThresholdRatio
from checks.mutation.made_up_trials import curve_trials
from checks.shallow_vit.setting import symbols
from checks.statistics.explanation import Topic
from checks.statistics.verdict import Verdict
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.trials.trial import Trial, TrialSpec
from theory.shallow_vit.figures import FIG_3
from theory.shallow_vit.generalization import GAIN
from theory.shallow_vit.notation import alpha

PLACES = (0.05, 0.1, 0.2, 0.4, 0.8)
COMMON = {
    "name": "made up",
    "symbol": alpha,
    "parameter": "label_relevant_fraction",
    "symbols": symbols,
    "is_top": lambda spec: bool(spec.parameters["train_attention"]),
    "choices": ("trained", "frozen"),
}
GIVEN = {
    "confusion_fraction": 0.0,
    "value_error": 0.01,
    "token_noise": 0.0,
    "initialization": "contraction",
    "output_layer": "per token",
}


def trials(ratios: dict[float, float], *, bottom: float = 400.0, replicates: int = 80) -> list[Trial]:
    part = ThresholdRatio(**COMMON)
    return [
        trial
        for place, ratio in ratios.items()
        for top, centre in ((True, ratio * bottom), (False, bottom))
        for trial in curve_trials(
            part,
            TrialSpec(SHALLOW_VIT, {**GIVEN, "label_relevant_fraction": place, "train_attention": top}),
            centre,
            replicates,
        )
    ]


def judged(part_type, claim, found: list[Trial]):
    (row,) = part_type(**COMMON).judge(claim, found)
    return row


def test_a_ratio_that_follows_the_square_has_no_delta_and_one_that_is_constant_has() -> None:
    square = judged(ThresholdRatio, GAIN, trials({place: place**2 for place in PLACES}, bottom=4000.0))
    assert abs(square.judgement.delta) < 0.25
    constant = judged(ThresholdRatio, GAIN, trials(dict.fromkeys(PLACES, 0.3)))
    assert constant.judgement.delta == pytest.approx(2, abs=0.25)
    assert constant.verdict is Verdict.VIOLATED
    assert "thresholds, trained / frozen: " in constant.judgement.reason


def test_a_place_where_one_curve_does_not_cross_has_no_ratio_and_takes_no_part() -> None:
    whole = trials(dict.fromkeys(PLACES, 0.3))
    lost = [
        trial
        for trial in whole
        if trial.spec.parameters["label_relevant_fraction"] != 0.1
        or trial.spec.parameters["train_attention"]
        or not trial.flag("success")
    ]
    row = judged(ThresholdRatio, GAIN, lost)
    assert row.points[1].measured is None
    assert "1 of 5 places have no ratio" in row.judgement.reason
    nothing = judged(ThresholdRatio, GAIN, [trial for trial in whole if trial.spec.parameters["train_attention"]])
    assert nothing.verdict is Verdict.INCONCLUSIVE


def test_ratios_at_other_levels_of_success_are_said_and_decide_nothing() -> None:
    found = trials(dict.fromkeys(PLACES, 0.3))
    levels = {"failure": lambda trial: not trial.flag("success"), "the same": lambda trial: trial.flag("success")}
    (row,) = ThresholdRatio(**COMMON, levels=levels).judge(GAIN, found)
    plain = judged(ThresholdRatio, GAIN, found)
    assert (row.verdict, row.points) == (plain.verdict, plain.points)
    failure, same = (clause.text for clause in row.explanation.about(Topic.LEVELS))
    assert failure.startswith("at failure: ratios none at 0.05")
    assert same.startswith(f"at the same: ratios {plain.points[0].measured:.3g} at 0.05")
    assert plain.explanation.about(Topic.LEVELS) == ()


@pytest.mark.parametrize(("ratio", "verdict"), [(0.3, Verdict.HOLDS), (3.0, Verdict.VIOLATED)])
def test_smaller_thresholds(ratio: float, verdict: Verdict) -> None:
    row = judged(SmallerThreshold, FIG_3, trials(dict.fromkeys(PLACES[:3], ratio)))
    assert row.verdict is verdict
    assert [point.value for point in row.points] == list(PLACES[:3])
