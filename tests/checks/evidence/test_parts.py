"""Each kind of evidence can come out for a claim and against it, and a planted falsehood is found out exactly.

The planted falsehoods go over every discovered check: its own grid and translation into symbols, with made-up trials
that follow it exactly, its hidden constants at the middle of their ranges, plus seeded noise.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.comparison import constant_choices, exponent_words, scan
from checks.evidence.family import each_by_itself, shared_by
from checks.evidence.part import Part
from checks.evidence.ratios import ThresholdRatio
from checks.evidence.sampled import Agreement, Behaviour, Fraction, Range, Rate, Scaling, Sufficient, Threshold
from checks.evidence.trajectories import ClaimedRate, _slopes
from checks.mutation.falsehoods import nearness, pinned
from checks.mutation.made_up_trials import curve_trials, follow
from checks.records.pictures import Curve
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.writing.figures import figures
from checks.statistics.explanation import Topic, measured_sentence
from checks.statistics.judge import judge_fraction
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theory.claim import Axis, Claim, Constant, Evidence, Hypothesis, Kind, Source

DECIDED = {
    ("A.samples", "a per token, same ratios"),
    ("A.samples", "alpha_# = 0"),
    ("A.samples_frozen", "a per token, same ratios"),
    ("A.samples_frozen", "alpha_# = 0"),
    ("A.iterations", "output layer shared"),
    ("A.iterations", "output layer per token"),
    ("A.concentration", "worst query, a per token, eta = 0.3"),
    ("A.concentration", "average query, a per token"),
    ("B.gamma_step", "early: alpha's first decade"),
}
"""Parts whose grids must be able to decide, at every preset."""

# ------------------------------------------------------------------------------------------------ made-up evidence

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
x, y, c = sp.symbols("x y c", positive=True)


def claim_of(kind: Kind = Kind.UPPER, value: sp.Expr | None = x**2, **changes: object) -> Claim:
    return Claim(
        **{
            "id": "A.made_up",
            "source": Source("nobody", "nowhere"),
            "kind": kind,
            "statement": "Made up.",
            "observable": "made_up",
            "evidence": (Evidence.MEASURED,),
            "axes": (Axis(x),) if value is not None and x in value.free_symbols else (),
            "value": value,
            **changes,
        }
    )


def in_letters(parameters: Mapping[str, object]) -> dict[sp.Symbol, sp.Expr]:
    return {sp.Symbol(name, positive=True): sp.Rational(str(value)) for name, value in parameters.items()}


def finished(
    spec: TrialSpec, observables: dict[str, object], outcome: Outcome = Outcome.CONVERGED, **curves: np.ndarray
) -> Trial:
    return Trial(spec, TrialResult(outcome, observables, curves), 0.5)


def specs(replicates: int = 1, **axes: object) -> list[TrialSpec]:
    return Sweep(SYSTEM, grid(**axes), {}, replicates).specs()


def noise(spec: TrialSpec, size: int | None = None, scale: float = 0.02) -> np.ndarray:
    return np.exp(scale * np.random.default_rng(spec.seed).standard_normal(size))


def only(rows: list[Row]) -> Row:
    (row,) = rows
    return row


VALUES = (1, 2, 4, 8, 16, 32)
SCALING = Scaling(name="made up", symbol=x, parameter="x", symbols=in_letters, observable="seen")


def scaling_trials(
    law: Callable[[float], float], values: tuple[float, ...] = VALUES, replicates: int = 5
) -> list[Trial]:
    return [
        finished(spec, {"seen": law(float(spec.parameters["x"])) * noise(spec)}) for spec in specs(replicates, x=values)
    ]


def test_a_law_for_the_square_of_what_is_seen_is_judged_by_its_square():
    claim = claim_of(Kind.TIGHT)
    squared = replace(SCALING, power=2.0)
    trials = scaling_trials(lambda value: value)
    judged = only(squared.judge(claim, trials)).judgement
    assert judged.verdict is Verdict.TIGHT
    assert judged.exponents.measured == pytest.approx(2, abs=0.1)
    assert only(SCALING.judge(claim, trials)).judgement.delta == pytest.approx(-1, abs=0.1)


def test_the_cutoff_of_a_squared_quantity_is_squared_too():
    part = replace(SCALING, power=2.0, cutoff="x")
    (one,) = scaling_trials(lambda value: value, values=(4,), replicates=1)
    assert part.limit(one) == 16


@pytest.mark.parametrize(
    ("kind", "law", "verdict"),
    [
        (Kind.EXACT, lambda v: v * v, Verdict.HOLDS),
        (Kind.EXACT, lambda v: v * v if v < 32 else 1.1 * v * v, Verdict.VIOLATED),
        (Kind.EXPLICIT_UPPER, lambda v: v * v * (1 - 1e-9), Verdict.HOLDS),
        (Kind.EXPLICIT_UPPER, lambda v: v * v + (v == 8) * 1e-6, Verdict.VIOLATED),
    ],
)
def test_values_without_noise_are_judged_one_trial_a_point(kind, law, verdict):
    """Planted: a sequence that leaves what is claimed at one of six points, by one in sixty million."""
    part = replace(SCALING, noiseless=True)
    trials = [
        finished(spec, {"seen": float(law(float(spec.parameters["x"])))}) for spec in specs(replicates=1, x=VALUES)
    ]
    row = only(part.judge(claim_of(kind, x**2), trials))
    assert row.verdict is verdict
    assert row.judgement.plan is None
    assert only(SCALING.judge(claim_of(kind, x**2), trials)).verdict is Verdict.INCONCLUSIVE
    with pytest.raises(ValueError, match="measured must agree at each point where it is exact"):
        part.judge(claim_of(kind, x**2), scaling_trials(law, replicates=2))


def test_what_has_no_noise_has_no_range_to_bet_on_and_states_no_order():
    with pytest.raises(ValueError, match="range must be of values with noise"):
        replace(SCALING, noiseless=True, range=(0.0, 1.0))
    assert Kind.UPPER in SCALING.kinds
    assert not {Kind.UPPER, Kind.TIGHT} & replace(SCALING, noiseless=True).kinds


@pytest.mark.parametrize(
    ("side", "law", "verdict"),
    [
        ("", lambda v: v, Verdict.VIOLATED),
        ("upper", lambda v: v, Verdict.LOOSE),
        ("upper", lambda v: v**3, Verdict.VIOLATED),
        ("lower", lambda v: v, Verdict.VIOLATED),
        ("lower", lambda v: v**3, Verdict.LOOSE),
    ],
)
def test_one_side_of_an_order_is_judged_where_the_text_grants_no_more(side, law, verdict):
    part = replace(SCALING, side=side, because="a place")
    assert only(part.judge(claim_of(Kind.TIGHT), scaling_trials(law))).verdict is verdict
    for kind in (Kind.UPPER, Kind.LOWER):  # whose side is their own
        assert part.relation(claim_of(kind)) == kind.value


def test_one_side_has_its_reason_and_a_name():
    with pytest.raises(ValueError, match="because must say why part 'made up' judges one side of an order"):
        replace(SCALING, side="upper")
    with pytest.raises(ValueError, match="side must be 'upper', 'lower' or ''"):
        replace(SCALING, side="both", because="a place")


@pytest.mark.parametrize("power", [0.0, -1.0, float("inf"), float("nan")])
def test_a_power_is_positive_and_finite(power):
    with pytest.raises(ValueError, match=r"power must be positive and finite, got .* for part 'made up'"):
        replace(SCALING, power=power)


# ------------------------------------------------------------------------------------- planted falsehoods, everywhere


def scaling_parts() -> list[object]:
    """Parts that judge an order; a bound with its constants has none, and is judged by them."""
    return [
        pytest.param(check.claim, part, id=f"{name} / {part.name} / {part.symbol}")
        for name, check in discover().items()
        for part in check.parts
        if isinstance(part, Scaling | Threshold | ThresholdRatio | Rate | Range) and not check.claim.kind.is_explicit
    ]


def planted(claim: Claim, symbol: sp.Symbol, power: int) -> tuple[Claim, int]:
    """The claim with more powers of what goes to zero (the axis, its inverse, the distance to a boundary); how many.

    One power, or two where one would cancel the axis: a claim is about its axes.
    """
    near = nearness(claim, claim.axis(symbol))
    if symbol not in (claim.value * near**power).free_symbols:
        power *= 2
    return replace(claim, value=claim.value * near**power), power


EXPECTED = {
    (Kind.UPPER, 1): Verdict.VIOLATED,
    (Kind.UPPER, -1): Verdict.LOOSE,
    (Kind.TIGHT, 1): Verdict.VIOLATED,
    (Kind.TIGHT, -1): Verdict.VIOLATED,
    (Kind.LOWER, 1): Verdict.LOOSE,
    (Kind.LOWER, -1): Verdict.VIOLATED,
    (Kind.UNSPECIFIED_ORDER, 1): Verdict.VIOLATED,
    (Kind.UNSPECIFIED_ORDER, -1): Verdict.HOLDS,
    (Kind.EVERY_ALGORITHM, 1): Verdict.NOT_REFUTED,
    (Kind.EVERY_ALGORITHM, -1): Verdict.REFUTED,
    (Kind.FIGURE, 1): Verdict.VIOLATED,
    (Kind.FIGURE, -1): Verdict.VIOLATED,
}
"""Verdict on a claim one power of the limit lower (+1: it grows too slowly toward it) or higher (-1)."""

CONFIRMED = {Kind.UNSPECIFIED_ORDER: Verdict.HOLDS, Kind.EVERY_ALGORITHM: Verdict.NOT_REFUTED}
"""Verdict on a claim that its trials follow exactly, where it is not "tight"."""


WITHDRAWN = {
    (
        "A.fig6b",
        "stand-in: digits on photographs, 40%, backgrounds of 16 x 16 pixels",
    ): "differ in steepness (p = 0.047)",
    ("A.samples_frozen", "alpha_# = 0"): "finite size: the points bend",
}
"""Parts whose made-up success curves differ in steepness, or whose thresholds bend, by chance, which withdraws the
verdict: a test of shape at 5 % does so in one design of twenty."""


def require_usual(claim: Claim, part: Part, preset: Preset) -> None:
    """Skip what is withdrawn by chance, and fail where it no longer is."""
    words = WITHDRAWN.get((claim.id, part.name))
    if words is not None and preset is Preset.FULL:
        part, trials = follow(part, pinned(claim), preset)
        assert words in only(part.judge(pinned(claim), trials)).judgement.reason
        pytest.skip(f"of its made-up data a test of shape says by chance: {words}")


def undenied(part: Part) -> Part:
    """Without the order that it denies: the largest (log D)^3 of a polylog has the slope of sqrt(D) on these grids."""
    return replace(part, denies=None) if isinstance(part, Threshold) else part


@pytest.mark.parametrize(("claim", "part"), scaling_parts())
@pytest.mark.parametrize("preset", [pytest.param(Preset.FULL, marks=pytest.mark.exhaustive), Preset.SMOKE])
def test_a_planted_power_moves_delta_by_exactly_it(claim: Claim, part: Part, preset: Preset) -> None:
    """And the claim that is right for some constants is not violated."""
    if not part.specs(preset):
        assert part.cost or part.rows(claim, preset, {}) == []
        return
    require_usual(claim, part, preset)
    known = pinned(claim)
    part, trials = follow(undenied(part), known, preset)
    row = only(part.judge(known, trials))
    honest = row.judgement
    decided = honest.verdict is CONFIRMED.get(claim.kind, Verdict.TIGHT)
    assert decided or ("needed" in honest.reason and (claim.id, part.name) not in DECIDED)
    # along a course every run has letters of its own, which stay as they are
    points = [] if isinstance(part, Range | Rate) else [part.point(trial) for trial in trials]
    others = set() if claim.value is None else claim.value.free_symbols - {part.symbol}
    moves = any(len({point[letter] for point in points if letter in point}) > 1 for letter in others)
    assert (row.display.asymptotic_exponent is None) == moves
    for sign in (1, -1):
        claim, power = planted(known, part.symbol, sign)
        with each_by_itself():
            false = only(part.judge(claim, trials)).judgement
        worse = -power if claim.kind in (Kind.LOWER, Kind.EVERY_ALGORITHM) else power  # of a lower bound more is better
        assert false.delta - honest.delta == pytest.approx(worse, abs=1e-9)
        assert false.exponents.measured == pytest.approx(honest.exponents.measured, abs=1e-9)
        kind = Kind.UPPER if getattr(part, "side", "") == "upper" else claim.kind
        assert false.verdict is (EXPECTED[kind, sign] if decided else Verdict.INCONCLUSIVE)


def test_the_exponent_in_the_limit_is_that_of_the_grids_own_letters() -> None:
    x, y, p = sp.symbols("x y p", positive=True)
    claim, axis = claim_of(Kind.UPPER, value=x**p * y, axes=(Axis(x),)), Axis(x)
    grid = [{x: sp.Integer(value), y: sp.Integer(2), p: sp.Rational(3, 2)} for value in (1, 2, 4)]
    assert exponent_words(claim, axis) == "p"
    assert exponent_words(claim, axis, grid) == "3/2"
    assert exponent_words(claim, axis, [{**point, y: point[x]} for point in grid]) is None


def test_every_scaling_claim_with_parts_is_covered() -> None:
    """A figure that states a value may also be judged by what a trial shows."""
    covered = {entry.values[0].id for entry in scaling_parts()}
    with_parts = {
        name: check.claim.kind
        for name, check in discover().items()
        if check.claim.has_order and any(part.is_measured for part in check.parts)
    }
    assert covered <= set(with_parts)
    assert all(with_parts[name] is Kind.FIGURE for name in set(with_parts) - covered)
    parts = {(entry.values[0].id, entry.values[1].name) for entry in scaling_parts()}
    assert parts >= DECIDED


# --------------------------------------------------------------------------------------------- scaling, a made-up one


@pytest.mark.parametrize(
    ("kind", "law", "verdict"),
    [
        (Kind.UPPER, lambda v: v**2, Verdict.TIGHT),
        (Kind.UPPER, lambda v: v**3, Verdict.VIOLATED),
        (Kind.UPPER, lambda v: v, Verdict.LOOSE),
        (Kind.LOWER, lambda v: v, Verdict.VIOLATED),
        (Kind.LOWER, lambda v: v**3, Verdict.LOOSE),
        (Kind.TIGHT, lambda v: v**2, Verdict.TIGHT),
        (Kind.TIGHT, lambda v: v, Verdict.VIOLATED),
        (Kind.TIGHT, lambda v: v**3, Verdict.VIOLATED),
        (Kind.UNSPECIFIED_ORDER, lambda v: v**2, Verdict.HOLDS),
        (Kind.UNSPECIFIED_ORDER, lambda v: v, Verdict.HOLDS),
        (Kind.UNSPECIFIED_ORDER, lambda v: v**3, Verdict.VIOLATED),
        (Kind.EVERY_ALGORITHM, lambda v: v**2, Verdict.NOT_REFUTED),
        (Kind.EVERY_ALGORITHM, lambda v: v**3, Verdict.NOT_REFUTED),
        (Kind.EVERY_ALGORITHM, lambda v: v, Verdict.REFUTED),
    ],
)
def test_scaling_by_kind(kind: Kind, law: Callable[[float], float], verdict: Verdict) -> None:
    row = only(SCALING.judge(claim_of(kind), scaling_trials(law)))
    assert row.verdict is verdict
    assert row.display.asymptotic_exponent == "2"
    assert [point.value for point in row.points] == list(VALUES)
    assert row.protocol.n_trials == 30
    assert row.protocol.seconds == 15.0


GIVEN = replace(SCALING, finished="done", given="generalises", cutoff="limit")


def given_trials(memorised: Callable[[TrialSpec], bool]) -> list[Trial]:
    """Ten runs a size; those that memorised took a hundred times as long at the largest sizes."""
    return [
        finished(
            spec,
            {
                "seen": float(spec.parameters["x"]) ** (4 if memorised(spec) else 2) * noise(spec),
                "done": True,
                "generalises": not memorised(spec),
            },
        )
        for spec in Sweep(SYSTEM, grid(x=VALUES), {"limit": 10**9}, 10).specs()
    ]


def test_runs_without_the_condition_do_not_count_and_are_counted_in_the_reason() -> None:
    trials = given_trials(lambda spec: spec.replicate < 2)
    row = only(GIVEN.judge(claim_of(Kind.TIGHT), trials))
    assert row.verdict is Verdict.TIGHT
    assert row.judgement.exponents.measured == pytest.approx(2, abs=0.1)
    assert "12 of 60 runs finished without generalises and are left out" in row.judgement.reason
    everyone = only(replace(GIVEN, given="").judge(claim_of(Kind.TIGHT), trials))
    assert everyone.judgement.exponents.measured > 2.2
    assert "left out" not in everyone.judgement.reason


def test_a_mean_over_a_selection_gives_no_verdict() -> None:
    """Three of ten left out at one size are more than a fifth."""
    row = only(GIVEN.judge(claim_of(Kind.TIGHT), given_trials(lambda s: s.replicate < 3 and s.parameters["x"] == 8)))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.judgement.reason.startswith(
        "3 of 60 runs finished without generalises and are left out, 30% of them at 8"
    )


def test_a_run_that_was_cut_off_is_censored_whatever_it_shows() -> None:
    trials = [
        replace(trial, result=replace(trial.result, observables={**trial.result.observables, "done": False}))
        if trial.spec.parameters["x"] == VALUES[-1]
        else trial
        for trial in given_trials(lambda spec: spec.parameters["x"] == VALUES[-1])
    ]
    row = only(GIVEN.judge(claim_of(Kind.TIGHT), trials))
    assert [point.censored for point in row.points] == [None] * (len(VALUES) - 1) + ["above"]
    assert "0 of 60 runs finished without generalises" in row.judgement.reason


@pytest.mark.parametrize("n_cut", [1, 10])
def test_runs_cut_off_at_a_point_are_censored_whether_all_are_or_one_is(n_cut: int) -> None:
    trials = [
        replace(trial, result=replace(trial.result, observables={**trial.result.observables, "done": False}))
        if trial.spec.parameters["x"] == VALUES[-1] and trial.spec.replicate < n_cut
        else trial
        for trial in given_trials(lambda _: False)
    ]
    row = only(GIVEN.judge(claim_of(Kind.TIGHT), trials))
    assert row.judgement.explanation.evidence.censored == n_cut
    assert row.judgement.n_points == len(VALUES)


def test_a_wrong_direction_is_violated() -> None:
    """N ~ alpha^-4 against alpha^-2 is violated toward zero, and merely loose read toward infinity."""
    trials = scaling_trials(lambda v: v**-4.0)
    toward_zero = claim_of(Kind.UPPER, x**-2, axes=(Axis(x, "zero"),))
    violated = only(SCALING.judge(toward_zero, trials)).judgement
    assert violated.verdict is Verdict.VIOLATED
    assert violated.delta == pytest.approx(2, abs=0.1)
    loose = only(SCALING.judge(claim_of(Kind.UPPER, x**-2), trials)).judgement
    assert loose.verdict is Verdict.LOOSE
    assert loose.delta == pytest.approx(-violated.delta, abs=1e-9)


def test_swapped_axes_are_violated() -> None:
    """The claim's exponents in x and y given to each other."""

    def measure(spec: TrialSpec) -> Trial:
        a, b = (float(spec.parameters[name]) for name in "xy")
        return finished(spec, {"seen": a**2 * b * noise(spec)})

    right, swapped = (claim_of(Kind.TIGHT, value, axes=(Axis(x), Axis(y))) for value in (x**2 * y, x * y**2))
    for symbol, delta in ((x, 1), (y, -1)):
        varied, fixed = (str(symbol), "y" if symbol is x else "x")
        trials = [measure(spec) for spec in specs(5, **{varied: VALUES, fixed: (3,)})]
        part = replace(SCALING, symbol=symbol, parameter=varied)
        assert only(part.judge(right, trials)).verdict is Verdict.TIGHT
        judgement = only(part.judge(swapped, trials)).judgement
        assert judgement.verdict is Verdict.VIOLATED
        assert judgement.delta == pytest.approx(delta, abs=0.1)


def test_the_bound_carries_the_fitted_prefactor() -> None:
    row = only(SCALING.judge(claim_of(), scaling_trials(lambda v: 7 * v**2)))
    for point in row.points:
        assert point.bound == pytest.approx(7 * point.value**2, rel=0.05)
        assert point.low < point.measured < point.high
        assert point.n_trials == 5


def test_hidden_constants_are_profiled() -> None:
    """(x - c)^2 with c in [0, 1/2]: what some c explains is not violated; what none explains is."""
    claim = claim_of(Kind.TIGHT, (x - c) ** 2, constants=(Constant(c, sp.Integer(0), sp.Rational(1, 2)),))
    right = only(SCALING.judge(claim, scaling_trials(lambda v: (v - 0.5) ** 2)))
    assert right.verdict is Verdict.TIGHT
    assert "constants chosen: c = 1/2" in right.judgement.reason
    assert not any(
        only(SCALING.judge(claim, scaling_trials(lambda v, at=at: (v - at) ** 2))).verdict is Verdict.VIOLATED
        for at in (0.0, 0.25, 0.5)
    )
    wrong = only(SCALING.judge(claim, scaling_trials(lambda v: v**4)))
    assert wrong.verdict is Verdict.VIOLATED
    assert "violated for all 3 choices" in wrong.judgement.reason


@pytest.mark.parametrize("power", [0.7, 1.3, 3.1])
def test_a_constant_between_the_nodes_spares_a_claim(power: float) -> None:
    """x^c with c in [0, 4]: no node is right, some c is; what no c explains stays violated."""
    claim = claim_of(Kind.TIGHT, x**c, constants=(Constant(c, sp.Integer(0), sp.Integer(4)),))
    row = only(SCALING.judge(claim, scaling_trials(lambda v: v**power)))
    assert row.verdict is Verdict.TIGHT
    assert float(row.judgement.reason.split("constants chosen: c = ")[1].split("/")[0]) > 0
    assert only(SCALING.judge(claim, scaling_trials(lambda v: v**6))).verdict is Verdict.VIOLATED


def test_constant_choices_are_ends_and_middle() -> None:
    claim = claim_of(constants=(Constant(c, sp.Integer(0), sp.Integer(1)), Constant(y, sp.Integer(2), sp.Integer(2))))
    assert [tuple(choice.values()) for choice in constant_choices(claim)] == [(0, 2), (sp.Rational(1, 2), 2), (1, 2)]


def test_points_out_of_regime_are_shown_and_left_out_of_the_fit() -> None:
    """Beyond x = 32 the law changes, and the claim does not speak of it."""
    claim = claim_of(Kind.TIGHT, regime=(Hypothesis("x <= 32", sp.Le(x, 32)),))
    trials = scaling_trials(lambda v: v**2 if v <= 32 else 1e9, (*VALUES, 64, 128))
    row = only(SCALING.lines(claim, trials))
    assert row.verdict is Verdict.TIGHT
    assert row.judgement.n_points == 6
    assert row.in_regime is True  # of the points that entered; the others are greyed
    assert [point.in_regime for point in row.points] == [True] * 6 + [False] * 2
    outside = only(SCALING.judge(replace(claim, regime=(Hypothesis("x <= 0", sp.Le(x, 0, evaluate=False)),)), trials))
    assert outside.verdict is Verdict.OUT_OF_REGIME
    assert not any(point.in_regime for point in outside.points)


def test_an_undecidable_hypothesis_excludes_nothing() -> None:
    claim = claim_of(regime=(Hypothesis("x <= Theta(1)", sp.Le(x, c)),))
    assert only(SCALING.judge(claim, scaling_trials(lambda v: v**2))).verdict is Verdict.TIGHT


def test_a_hypothesis_in_a_profiled_constant_is_decided_for_each_choice() -> None:
    claim = claim_of(
        value=(x - c) ** 2,
        constants=(Constant(c, sp.Integer(0), sp.Integer(4)),),
        regime=(Hypothesis("x > c", sp.Gt(x, c)),),
    )
    usable = [candidate.usable for candidate in scan(claim, [{x: sp.Integer(v)} for v in VALUES], axis=claim.axes[0])]
    assert [flags.count(False) for flags in usable] == [0, 2, 3]


def test_a_point_on_the_boundary_of_an_axis_is_not_usable() -> None:
    claim = claim_of(value=(x - c) ** -2, axes=(Axis(x, c),), constants=(Constant(c, sp.Integer(2), sp.Integer(2)),))
    (candidate,) = scan(claim, [{x: sp.Integer(v)} for v in (1, 2, 3)], axis=claim.axes[0])
    assert candidate.usable == [True, False, True]
    assert candidate.toward == 2


def test_a_symbol_that_nothing_determines_is_refused() -> None:
    with pytest.raises(ValueError, match="got y left over"):
        SCALING.judge(claim_of(value=x * y), scaling_trials(lambda v: v))


def test_diverged_runs_are_counted_and_notes_stand_among_the_choices() -> None:
    trials = scaling_trials(lambda v: v**2)
    lost = [finished(trial.spec, {"seen": 1e30}, Outcome.DIVERGED) for trial in trials[::5]]
    mixed = [*lost, *(trial for i, trial in enumerate(trials) if i % 5)]
    row = only(replace(SCALING, note="made-up protocol").judge(claim_of(), mixed))
    assert row.verdict is Verdict.TIGHT
    assert [clause.text for clause in row.explanation.about(Topic.PROTOCOL)] == ["made-up protocol"]
    assert row.explanation.about(Topic.DIVERGED)[0].figures == {"diverged": 6, "runs": 30}


def test_a_point_at_which_every_run_diverged_is_no_measurement() -> None:
    trials = [
        trial if trial.spec.parameters["x"] > 1 else finished(trial.spec, {}, Outcome.DIVERGED)
        for trial in scaling_trials(lambda v: v**2)
    ]
    row = only(SCALING.judge(claim_of(), trials))
    assert row.judgement.n_points == 5
    assert row.points[0].measured is None
    all_lost = [finished(trial.spec, {}, Outcome.DIVERGED) for trial in trials]
    assert only(SCALING.judge(claim_of(), all_lost)).verdict is Verdict.INCONCLUSIVE


def test_runs_that_were_cut_off_are_censored() -> None:
    part = replace(SCALING, finished="done", cutoff="cap")
    trials = []
    for spec in specs(5, x=VALUES, cap=(600,)):
        seen = float(spec.parameters["x"]) ** 2 * noise(spec)
        trials.append(finished(spec, {"seen": min(seen, 600.0), "done": bool(seen < 600)}))
    row = only(part.judge(claim_of(Kind.TIGHT), trials))
    assert row.points[-1].censored == "above"
    assert row.judgement.effect.interval_kind == "profile"
    assert row.verdict is Verdict.TIGHT


# ------------------------------------------------------------------------------------------------------- thresholds

THRESHOLD = Threshold(name="made up", symbol=x, parameter="x", symbols=in_letters, size="n")


def threshold_trials(law: Callable[[float], float]) -> list[Trial]:
    centres = {value: 100 * law(value) for value in VALUES}
    return [t for spec in specs(x=VALUES) for t in curve_trials(THRESHOLD, spec, centres[spec.parameters["x"]])]


@pytest.mark.parametrize(
    ("law", "verdict"),
    [(lambda v: v, Verdict.TIGHT), (lambda v: v**2, Verdict.VIOLATED), (lambda v: 1.0, Verdict.LOOSE)],
)
def test_threshold(law: Callable[[float], float], verdict: Verdict) -> None:
    row = only(THRESHOLD.judge(claim_of(value=x), threshold_trials(law)))
    assert row.verdict is verdict
    for point in row.points:
        assert point.low < point.measured < point.high
        assert point.measured == pytest.approx(100 * law(point.value), rel=0.2)


def test_a_threshold_prints_its_own_ratio_and_whose_margin_it_is() -> None:
    row = only(THRESHOLD.judge(claim_of(Kind.EXACT, value=100 * x), threshold_trials(lambda v: 0.8 * v)))
    index = row.judgement.explanation.decision.clauses[0].figures["index"]
    shown, ends = row.points[index], row.judgement.confidence_interval
    ratio = shown.measured / shown.bound
    assert row.judgement.explanation.decision.measured == pytest.approx(ratio)
    assert abs((ends.low + ends.high) / 2 - ratio) > 1e-6  # the middle of the interval is another number
    said = measured_sentence(row.judgement.explanation.decision, row.judgement.explanation.evidence)
    assert f"1 claimed, tested within {THRESHOLD.ratio_margin:g}" in said


def test_a_diverged_trial_does_not_succeed() -> None:
    lost = [
        finished(trial.spec, {"success": True}, Outcome.DIVERGED) if trial.spec.parameters["x"] == 1 else trial
        for trial in threshold_trials(lambda v: v)
    ]
    row = only(THRESHOLD.judge(claim_of(value=x), lost))
    assert row.points[0].measured is None
    assert row.points[0].censored == "above"
    assert "200 of" in row.judgement.reason


def test_success_that_does_not_depend_on_the_size_is_a_finding_not_a_line() -> None:
    always = [finished(trial.spec, {"success": True}) for trial in threshold_trials(lambda v: v)]
    row = only(THRESHOLD.judge(claim_of(value=x), always))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert all(point.measured is None for point in row.points)


# ---------------------------------------------------------------------------------------------- curves inside a trial


def rate(power: float, constant: float = 1.0) -> Rate:
    t = np.geomspace(1, 100, 50)
    return Rate(
        name="made up",
        symbol=x,
        remark=None,
        quantity=lambda trial, value: None if value > constant else (t, t**power * noise(trial.spec, len(t))),
        constant="c",
        values=(1.0, 2.0),
        window=(0.1, 1.0),
        contradiction="the limit is exceeded",
    )


@pytest.mark.parametrize(("power", "verdict"), [(-1, Verdict.TIGHT), (-2, Verdict.VIOLATED), (0, Verdict.VIOLATED)])
def test_rate(power: float, verdict: Verdict) -> None:
    trials = [finished(spec, {}) for spec in specs(8)]
    row = only(rate(power, constant=1.5 if power == -1 else 2.0).judge(claim_of(Kind.TIGHT, 1 / x), trials))
    assert row.verdict is verdict
    assert row.display.asymptotic_exponent == "-1"


DECAY = sp.Symbol("lambda", positive=True)


def decaying(speed: float, bend: float, *, stated: float | None) -> Row:
    """Curves exp(-rate t), bent where t is large, against exp(-stated t), or against a hidden rate."""
    claim = claim_of(Kind.TIGHT, sp.exp(-(DECAY if stated is None else sp.Rational(str(stated))) * x))
    part = replace(
        rate(-1, 2.0),
        quantity=lambda trial, value: (T, np.exp(-speed * T / (1 + bend * T)) * noise(trial.spec, len(T), 0.01)),
        symbols=lambda parameters: {},
    )
    return only(part.judge(claim, [finished(spec, {}) for spec in specs(8)]))


T = np.linspace(1.0, 20.0, 60)


@pytest.mark.parametrize(
    ("speed", "bend", "stated", "verdict"),
    [
        (0.5, 0.0, 0.5, Verdict.TIGHT),
        (1.0, 0.0, 0.5, Verdict.VIOLATED),  # a rate is claimed with its constant
        (0.1, 0.0, 0.5, Verdict.VIOLATED),
        (0.7, 0.0, None, Verdict.TIGHT),  # any rate will do
        (0.7, 1.0, None, Verdict.INCONCLUSIVE),  # and this is none: the decay stops
    ],
)
def test_rate_of_an_exponential(speed: float, bend: float, stated: float | None, verdict: Verdict) -> None:
    assert decaying(speed, bend, stated=stated).verdict is verdict


def test_every_trial_decays_at_the_rate_claimed_of_its_own_parameters() -> None:
    speed = sp.Symbol("speed", positive=True)

    def curve(trial: Trial, value: float) -> tuple[np.ndarray, np.ndarray]:
        return T, np.exp(-float(trial.spec.parameters["speed"]) * T) * noise(trial.spec, len(T), 0.01)

    part = replace(rate(-1, 2.0), quantity=curve, symbols=in_letters)
    trials = [finished(spec, {}) for spec in specs(4, speed=(0.2, 0.9))]
    assert only(part.judge(claim_of(Kind.TIGHT, sp.exp(-speed * x)), trials)).verdict is Verdict.TIGHT


def test_a_curve_that_stands_still_is_no_decay_of_any_rate() -> None:
    part = replace(rate(-1, 2.0), quantity=lambda trial, value: (T, np.ones_like(T)), symbols=lambda _: {})
    trials = [finished(spec, {}) for spec in specs(8)]
    assert only(part.judge(claim_of(Kind.TIGHT, sp.exp(-DECAY * x)), trials)).verdict is Verdict.VIOLATED


def test_a_power_with_a_hidden_exponent_is_refused_in_words() -> None:
    part = replace(rate(-1, 2.0), symbols=lambda _: {})
    row = only(part.judge(claim_of(Kind.TIGHT, x ** (-DECAY)), [finished(spec, {}) for spec in specs(8)]))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert re.search(r"must be a power or an exponential .*its exponent .* hides a constant", row.judgement.reason)


def test_rate_is_violated_where_every_constant_is_contradicted() -> None:
    trials = [finished(spec, {}) for spec in specs(8)]
    row = only(rate(-1, constant=0.5).judge(claim_of(Kind.TIGHT, 1 / x), trials))
    assert row.verdict is Verdict.VIOLATED
    assert "the limit is exceeded in 8 of 8 runs" in row.judgement.reason


@pytest.mark.parametrize(
    ("slope", "verdicts"), [(-1.0, {Verdict.TIGHT, Verdict.INCONCLUSIVE}), (0.0, {Verdict.VIOLATED})]
)
def test_rate_is_accused_of_no_constant_between_the_values(slope: float, verdicts: set[Verdict]) -> None:
    """t^-1 + c - 1.3 is t^-1 at c = 1.3: contradicted at 1 and flat at 2; a flat curve is so whatever c."""

    def quantity(trial: Trial, value: float) -> tuple[np.ndarray, np.ndarray] | None:
        t = np.geomspace(1, 100, 50)
        y = t**slope * noise(trial.spec, 50, 0.01) + value - 1.3
        return None if y.min() <= 0 else (t, y)

    part = replace(rate(-1), quantity=quantity)
    row = only(part.judge(claim_of(Kind.TIGHT, 1 / x), [finished(spec, {}) for spec in specs(8)]))
    assert row.verdict in verdicts
    assert ("enclosed and violated for all c in [1, 2]" in row.judgement.reason) == (slope == 0)


def test_rate_leaves_out_curves_too_short_for_a_slope() -> None:
    part = replace(rate(-1), remark=None, quantity=lambda trial, value: (np.array([1.0, 2.0]), np.array([1.0, 0.5])))
    row = only(part.judge(claim_of(Kind.TIGHT, 1 / x), [finished(spec, {}) for spec in specs(8)]))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "0 seeds" in row.judgement.reason


@pytest.mark.parametrize(("power", "verdict"), [(2, Verdict.TIGHT), (3, Verdict.VIOLATED), (1, Verdict.LOOSE)])
@pytest.mark.parametrize("toward", ["infinity", "zero"])
def test_range(power: float, verdict: Verdict, toward: str) -> None:
    values = np.geomspace(1, 10, 60)
    part = Range(
        name="made up", symbol=x, remark=None, quantity=lambda trial, claim: (values, values**power, values**2)
    )
    flipped = {Verdict.VIOLATED: Verdict.LOOSE, Verdict.LOOSE: Verdict.VIOLATED}
    row = only(part.judge(claim_of(axes=(Axis(x, toward),)), [finished(spec, {}) for spec in specs()]))
    assert row.verdict is (verdict if toward == "infinity" else flipped.get(verdict, verdict))
    assert row.judgement.effect.interval_kind == "range"
    falling = replace(part, quantity=lambda trial, claim: tuple(row[::-1] for row in part.quantity(trial, claim)))
    assert only(falling.judge(row.claim, [finished(spec, {}) for spec in specs()])).judgement == row.judgement
    empty = replace(part, remark=None, quantity=lambda trial, claim: (values[:0],) * 3)
    assert only(empty.judge(claim_of(), [finished(spec, {}) for spec in specs()])).verdict is Verdict.INCONCLUSIVE


# ------------------------------------------------------------------------------------------------- counts and errors


def fraction_row(kind: Kind, share: float, **changes: object) -> Row:
    claim = claim_of(kind, m / 4, axes=(), **changes)
    trials = [finished(spec, {"n": round(share * 1000), "of": 1000}) for spec in specs(8, m=(1000,))]
    return only(
        Fraction(name="made up", count="n", total="of", bounds="count", symbols=in_letters).judge(claim, trials)
    )


m = sp.Symbol("m", positive=True)


@pytest.mark.parametrize(
    ("kind", "share", "verdict"),
    [
        (Kind.EXPLICIT_LOWER, 0.3, Verdict.HOLDS),
        (Kind.EXPLICIT_LOWER, 0.125, Verdict.VIOLATED),
        (Kind.EXPLICIT_LOWER, 0.25, Verdict.INCONCLUSIVE),
        (Kind.EXPLICIT_UPPER, 0.125, Verdict.HOLDS),
        (Kind.EXPLICIT_UPPER, 0.5, Verdict.VIOLATED),
    ],
)
def test_fraction(kind: Kind, share: float, verdict: Verdict) -> None:
    row = fraction_row(kind, share)
    assert row.verdict is verdict
    (point,) = row.points
    assert (point.value, point.bound, point.n_trials) == (1000, 250, 8)
    assert point.low < point.measured == round(share * 1000) < point.high


@pytest.mark.parametrize(
    ("kind", "claimed", "verdict"),
    [
        (Kind.EXPLICIT_UPPER, sp.Rational(99, 100), Verdict.HOLDS),
        (Kind.EXPLICIT_UPPER, sp.Rational(1, 2), Verdict.VIOLATED),
        (Kind.EXPLICIT_LOWER, sp.Rational(99, 100), Verdict.VIOLATED),
        (Kind.EXPLICIT_LOWER, sp.Rational(1, 2), Verdict.HOLDS),
    ],
)
def test_a_fraction_is_held_against_a_share_or_a_count_as_its_author_says(
    kind: Kind, claimed: sp.Expr, verdict: Verdict
) -> None:
    """Three of four are a share below 0.99 and a count far above it: one for the other turns every verdict."""
    trials = [finished(spec, {"n": 750, "of": 1000}) for spec in specs(8, m=(1000,))]
    part = Fraction(name="made up", count="n", total="of", bounds="share", symbols=in_letters)
    row = only(part.judge(claim_of(kind, claimed, axes=()), trials))
    assert row.verdict is verdict
    assert row.points[0].bound == pytest.approx(1000 * float(claimed))
    of_counts = replace(part, bounds="count").judge(claim_of(kind, 1000 * claimed, axes=()), trials)
    assert only(of_counts).verdict is verdict
    with pytest.raises(ValueError, match="bounds must be 'share' or 'count', got 'rate' for part 'made up'"):
        replace(part, bounds="rate")


@pytest.mark.parametrize("units", [1000, 700])
def test_what_would_decide_a_share_of_independent_units_is_a_number_of_trials(units: int) -> None:
    """Each has many of them, and the number of units stood there as one of trials; a part of a trial is a whole one."""
    shown = round(0.51 * units)
    trials = [finished(spec, {"n": shown, "of": units}) for spec in specs(4, m=(units,))]
    shared = {"count": "n", "total": "of", "bounds": "share", "symbols": in_letters, "units_independent": True}
    part = Fraction(name="made up", **shared)
    judgement = only(part.judge(claim_of(Kind.EXPLICIT_UPPER, sp.Rational(1, 2), axes=()), trials)).judgement
    assert judgement.verdict is Verdict.INCONCLUSIVE
    pooled = judge_fraction([4 * shown], [4 * units], [0.5], relation="upper")
    assert pooled.explanation.next.unit == "units"
    assert f"would decide: {pooled.plan.n_replicates} units" in pooled.reason
    assert judgement.plan.n_replicates == math.ceil(pooled.plan.n_replicates / units)
    assert f"would decide: {judgement.plan.n_replicates} trials" in judgement.reason


def test_what_holds_of_all_settings_together_is_open_where_one_alone_is_against_it() -> None:
    """At the first of nine settings 67 of 100 show it where nine in ten are claimed: 867 of 900 in all do."""
    places = tuple(range(1, 10))
    asked = {"sweeps": {Preset.SMOKE: (Sweep(SYSTEM, grid(m=places), {}, 100),)}}
    trials = [
        finished(spec, {"right": spec.parameters["m"] > 1 or spec.replicate < 67}) for spec in specs(100, m=places)
    ]
    shown = Behaviour(name="made up", shows=lambda trial: trial.flag("right"), rate=0.9, **asked)
    row = only(shown.judge(claim_of(Kind.BEHAVIOUR), trials))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "holds of all 9 settings together, violated by 1 alone: at m = 1, seen in 67 of 100" in row.judgement.reason
    assert only(shown.judge(claim_of(Kind.BEHAVIOUR), trials[100:])).verdict is Verdict.HOLDS
    condition = Hypothesis("m >= 1", sp.Ge(m, 1))
    enough = Sufficient(name="made up", success="right", rate=0.9, condition=condition, symbols=in_letters, **asked)
    assert only(enough.judge(claim_of(Kind.SUFFICIENT), trials)).verdict is Verdict.INCONCLUSIVE
    assert only(enough.judge(claim_of(Kind.SUFFICIENT), trials[100:])).verdict is Verdict.HOLDS


def test_a_diverged_trial_counts_as_it_recorded() -> None:
    """Failures that end a run early must not raise the share of successes; what recorded nothing is left out."""
    part = Fraction(name="made up", count="n", total="of", bounds="count", symbols=in_letters)
    fitted, broken, silent = specs(3, m=(1,))
    diverged = Outcome.DIVERGED
    trials = [
        finished(fitted, {"n": 1, "of": 1}),
        finished(broken, {"n": 0, "of": 1}, diverged),
        finished(silent, {}, diverged),
    ]
    (point,) = only(part.judge(claim_of(Kind.EXPLICIT_LOWER, m / 4, axes=()), trials)).points
    assert (point.measured, point.n_trials) == (1 / 2, 2)


def test_fraction_out_of_regime() -> None:
    row = fraction_row(Kind.EXPLICIT_LOWER, 0.3, regime=(Hypothesis("m < 10", sp.Lt(m, 10)),))
    assert row.verdict is Verdict.OUT_OF_REGIME
    assert not any(point.in_regime for point in row.points)


def all_parts(kind: type[Part]) -> list[object]:
    return [
        pytest.param(check.claim, part, id=f"{name} / {part.name}")
        for name, check in discover().items()
        for part in check.parts
        if isinstance(part, kind)
    ]


@pytest.mark.parametrize(("claim", "part"), all_parts(Fraction))
def test_every_fraction_at_half_its_bound_is_violated_and_at_twice_it_holds(claim: Claim, part: Fraction) -> None:
    """Bounds at the constants that count: the mildest where they exist, the strictest where they may be any."""
    listed = part.specs(Preset.FULL)
    enough = range(math.ceil(1300 / len(listed)))  # 299 trials a point are the fewest that show 0.99
    listed = [replace(spec, replicate=spec.replicate + 1_000 * copy) for spec in listed for copy in enough]
    part = replace(part, remark=None)
    pick = max if any(constant.for_all for constant in claim.constants) else min

    @functools.cache
    def bound_at(*parameters: object) -> float:
        symbols = part.symbols(dict(parameters))
        values = (float(claim.value.subs({**choice, **symbols})) for choice in constant_choices(claim))
        return part.of_bound * pick(values)

    def counted(spec: TrialSpec, share: float) -> dict[str, int]:
        bound = bound_at(*spec.parameters.items())  # of hundreds of replicates
        total = int(spec.parameters.get(part.total, 1))  # a total that nobody chooses is the trial itself
        return {part.count: min(round(share * bound), total), part.total: total}

    below, above = (Verdict.VIOLATED, Verdict.HOLDS)
    if claim.kind is Kind.EXPLICIT_UPPER:
        below, above = above, below
    for share, verdict in ((0.5, below), (2.0, above)):
        trials = [finished(spec, counted(spec, share)) for spec in listed]
        assert only(part.judge(claim, trials)).verdict is verdict


@pytest.mark.parametrize(("claim", "part"), all_parts(Agreement))
def test_every_agreement_is_refuted_by_an_error_of_1e_6(claim: Claim, part: Agreement) -> None:
    part, listed = replace(part, remark=None), part.specs(Preset.FULL)
    errors = [1e-13] * len(listed)
    assert only(part.judge(claim, _with_errors(part, listed, errors))).verdict is Verdict.HOLDS
    errors[len(errors) // 2] = 1e-6
    row = only(part.judge(claim, _with_errors(part, listed, errors)))
    assert row.verdict is Verdict.REFUTED
    culprit = listed[len(errors) // 2]
    assert all(f"{name}={value}" in row.judgement.reason for name, value in culprit.parameters.items())
    assert f"replicate={culprit.replicate}" in row.judgement.reason


def _with_errors(part: Agreement, listed: list[TrialSpec], errors: list[float]) -> list[Trial]:
    return [finished(spec, {part.observable: error}) for spec, error in zip(listed, errors, strict=True)]


def test_agreement_names_the_trial_without_a_number_and_leaves_out_diverged_ones() -> None:
    part = Agreement(name="made up", observable="error")
    claim = claim_of(Kind.IDENTITY, None)
    trials = [finished(spec, {"error": 1e-15}) for spec in specs(4)]
    nan = [*trials[:2], finished(trials[2].spec, {"error": math.nan}), trials[3]]
    row = only(part.judge(claim, nan))
    assert row.verdict is Verdict.REFUTED
    assert row.judgement.reason.endswith("replicate=2")
    lost = [*trials[:3], finished(trials[3].spec, {}, Outcome.DIVERGED)]
    row = only(part.judge(claim, lost))
    assert row.verdict is Verdict.HOLDS
    assert row.judgement.reason.endswith("1 of 4 runs diverged")
    assert only(part.judge(claim, lost[3:])).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("claim", "part"), all_parts(Behaviour))
def test_every_behaviour_that_never_shows_is_violated(claim: Claim, part: Behaviour) -> None:
    listed = part.specs(Preset.FULL)
    bare = replace(part, remark=None, where=None, excludes=None)
    never, always = (replace(bare, shows=lambda trial, seen=seen: seen) for seen in (False, True))
    trials = [finished(spec, {}) for spec in listed]
    row = only(never.judge(claim, trials))
    of_one_algorithm = claim.kind is Kind.EVERY_ALGORITHM
    accused = Verdict.REFUTED if of_one_algorithm else Verdict.VIOLATED
    many = 1 - (0.025 / shared_by(part, claim)) ** (1 / len(trials)) < part.rate  # exact limit of none among so many
    assert row.verdict is (accused if many else Verdict.INCONCLUSIVE)
    assert many or "at its share among the" in row.judgement.reason or "would decide" in row.judgement.reason
    assert "; not at " in row.judgement.reason
    enough = math.log(0.05) / math.log(part.rate)
    shown = CONFIRMED[Kind.EVERY_ALGORITHM] if of_one_algorithm else Verdict.HOLDS
    assert only(always.judge(claim, trials)).verdict is (shown if len(trials) >= enough else Verdict.INCONCLUSIVE)


def test_a_diverged_trial_does_not_show_a_behaviour() -> None:
    part = Behaviour(name="made up", shows=lambda trial: True, rate=0.9)
    trials = [finished(spec, {}, Outcome.DIVERGED) for spec in specs(30)]
    row = only(part.judge(claim_of(Kind.BEHAVIOUR, None), trials))
    assert row.verdict is Verdict.VIOLATED
    assert "30 of 30 runs diverged" in row.judgement.reason


def test_trials_that_leave_nothing_to_show_are_counted_and_decide_nothing() -> None:
    part = Behaviour(
        name="made up",
        shows=lambda trial: trial.flag("lower"),
        rate=0.5,
        where=lambda trial: trial.flag("open"),
        where_words="are open",
    )
    claim = claim_of(Kind.BEHAVIOUR, None)
    closed = [finished(spec, {"open": False, "lower": False}) for spec in specs(30)]
    row = only(part.judge(claim, closed))
    assert (row.verdict, row.judgement.reason) == (Verdict.INCONCLUSIVE, "0 of 30 trials are open")
    opened = [finished(spec, {"open": True, "lower": True}) for spec in specs(8)]
    row = only(part.judge(claim, [*closed, *opened]))
    assert row.verdict is Verdict.HOLDS
    assert row.judgement.reason.startswith("seen in 8 of 8 trials")
    assert row.judgement.reason.endswith("8 of 38 trials are open")
    assert figures(row).text.endswith(", of 8 of 38 trials")
    most = only(part.judge(claim, [*opened, *opened, *opened, *opened, *closed[:8]]))
    assert " trials" not in figures(most).text  # a fifth is left out, no more
    lost = [finished(spec, {}, Outcome.DIVERGED) for spec in specs(30)]
    assert only(part.judge(claim, [*opened, *lost])).verdict is Verdict.VIOLATED


SUFFICIENT = Sufficient(
    name="made up",
    symbols=in_letters,
    success="success",
    rate=0.9,
    condition=Hypothesis("x >= 4", sp.Ge(x, 4)),
)


@pytest.mark.parametrize(
    ("inside", "outside", "verdict"),
    [
        (True, False, Verdict.HOLDS),
        (True, True, Verdict.LOOSE),
        (False, False, Verdict.VIOLATED),
        (False, True, Verdict.VIOLATED),
    ],
)
def test_sufficient(inside: bool, outside: bool, verdict: Verdict) -> None:
    trials = [
        finished(spec, {"success": inside if int(spec.parameters["x"]) >= 4 else outside})
        for spec in specs(40, x=(2, 8))
    ]
    assert only(SUFFICIENT.judge(claim_of(Kind.SUFFICIENT), trials)).verdict is verdict


def test_sufficient_out_of_regime() -> None:
    trials = [finished(spec, {"success": True}) for spec in specs(40, x=(1, 2))]
    assert only(SUFFICIENT.judge(claim_of(Kind.SUFFICIENT), trials)).verdict is Verdict.OUT_OF_REGIME


@pytest.mark.parametrize(("claim", "part"), all_parts(Sufficient))
def test_every_condition_with_failure_inside_is_violated(claim: Claim, part: Sufficient) -> None:
    listed = part.specs(Preset.FULL)
    fails = only(part.judge(claim, [finished(spec, {part.success: False}) for spec in listed]))
    works = only(part.judge(claim, [finished(spec, {part.success: True}) for spec in listed]))
    met = any(part.condition.evaluate(part.symbols(spec.parameters)).value == "met" for spec in listed)
    assert fails.verdict is (Verdict.VIOLATED if met else Verdict.OUT_OF_REGIME)
    assert works.verdict in ({Verdict.HOLDS, Verdict.LOOSE} if met else {Verdict.OUT_OF_REGIME})


@pytest.mark.parametrize("n_late", [2, 3])
def test_a_curve_counts_from_three_records_in_its_late_half_the_middle_among_them(n_late: int) -> None:
    """The middle of 1 to 100 is 10 on an axis of powers."""
    t = np.array([1.0, 2.0, *(10.0, 30.0, 100.0)[3 - n_late :]])
    t[-n_late] = 10.0
    t[-1] = 100.0
    curve = Curve(t, t**-0.5, np.ones(len(t), dtype=bool))
    slopes, late = _slopes(ClaimedRate(-0.5), Axis(x), [curve], [0.5])
    expected = [-1.0] if n_late == 3 else []
    assert slopes == pytest.approx(expected)
    assert late == pytest.approx(expected)
