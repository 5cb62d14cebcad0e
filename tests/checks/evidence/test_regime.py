"""Hypotheses at measured points: three values, paths that lead inside, and who may be accused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from checks.evidence import regime as regimes
from checks.evidence.check import Check, evaluate
from checks.evidence.comparison import make_row
from checks.evidence.control import Control
from checks.evidence.part import APART_WORDS, Outside, Part
from checks.evidence.regime import constants_needed, follows, is_met_eventually, met_at, standing
from checks.evidence.sampled import Behaviour, Fraction, Scaling, Sufficient, Threshold
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.estimates import Estimate
from checks.statistics.explanation import finding
from checks.statistics.verdict import Interval, Judgement, Verdict
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, Constant, Hypothesis, Kind, Met, Path, Role

n, m, q = sp.symbols("n m q", positive=True)
c, k = sp.symbols("c k", positive=True)
SMALL = Hypothesis("q < 1", sp.Lt(q, 1, evaluate=False))
WIDE = Hypothesis("m >= c n^2", sp.Ge(m, c * n**2, evaluate=False))
POLYNOMIAL = Hypothesis("m <= n^k", sp.Le(m, n**k, evaluate=False), free=(k,))
CLAIM = made_up(regime=(SMALL,))
SYSTEM = System("made_up", "tests.checks.evidence.test_regime:nothing", ("checks.evidence.regime",))


def points(*values: tuple[float, float]) -> list[dict[sp.Symbol, sp.Expr]]:
    return [{n: sp.Rational(a), m: sp.Rational(b)} for a, b in values]


def test_a_hidden_constant_leaves_a_point_undetermined_and_is_named() -> None:
    found = standing((WIDE,), points((2, 8), (4, 8)))
    assert found.in_regime is None
    assert not found.may_accuse
    assert found.words() == "m >= c n^2 needs c <= 0.5"


def test_points_are_in_only_where_every_hypothesis_is_met() -> None:
    inside, outside = {q: sp.Rational(1, 2)}, {q: sp.Integer(2)}
    assert standing((SMALL,), [inside]).in_regime is True
    assert standing((SMALL,), [inside]).may_accuse
    assert standing((SMALL,), [outside]).in_regime is False
    assert standing((SMALL,), [{}]).in_regime is None  # the trial's parameters do not name q


def test_a_path_leads_inside_whatever_the_constant() -> None:
    wider = Path("m = n^3", n, "infinity", {m: n**3})
    level = Path("m = n^2", n, "infinity", {m: n**2})
    assert is_met_eventually(WIDE, wider)
    assert not is_met_eventually(WIDE, level)  # only for c <= 1
    assert is_met_eventually(POLYNOMIAL, wider)  # whoever applies the theorem chooses the polynomial
    assert not is_met_eventually(replace(POLYNOMIAL, free=()), wider)
    assert not is_met_eventually(POLYNOMIAL, Path("m = exp(n)", n, "infinity", {m: sp.exp(n)}))
    assert standing((WIDE,), points((2, 8), (4, 64)), path=wider).may_accuse
    assert not standing((WIDE,), points((2, 8), (4, 8)), path=wider).may_accuse  # these points are not on it


def test_what_a_path_leaves_alone_is_met_by_choice_where_the_theorem_hides_no_constant_in_it() -> None:
    """At a fixed size "m is a polynomial in n" is for whoever applies the theorem to say, "m >= c n^2" is not."""
    longer = Path("q grows alone", q, "infinity", {})
    at = [{q: sp.Integer(t), n: sp.Integer(2), m: sp.Integer(8)} for t in (10, 100)]
    large = Hypothesis("q >= c m", sp.Ge(q, c * m, evaluate=False))
    assert standing((POLYNOMIAL, large), at, path=longer).may_accuse
    assert not standing((POLYNOMIAL, large), at).may_accuse
    assert not standing((WIDE, large), at, path=longer).may_accuse
    assert not standing((replace(POLYNOMIAL, hidden=((k, sp.Integer(1)),)),), at, path=longer).may_accuse


def test_points_follow_a_path_only_with_its_values() -> None:
    path = Path("m = n^3", n, "infinity", {m: n**3})
    assert follows(path, points((2, 8), (3, 27)))
    assert not follows(path, points((2, 8), (3, 26)))
    assert not follows(path, points((2, 8)))
    assert not follows(path, [{m: sp.Integer(8)}] * 2)


def test_sides_of_no_sign_are_not_ordered_by_their_quotient() -> None:
    path = Path("n grows", n, "infinity", {})
    for greater, lesser in ((-(n**2), -c * n), (1 - n**2, c), ((c - 1) * n**2, n)):
        assert not is_met_eventually(Hypothesis("h", sp.Ge(greater, lesser, evaluate=False)), path)
    assert is_met_eventually(Hypothesis("h", sp.Ge(n**2, c * n, evaluate=False)), path)


def test_what_a_path_leaves_still_must_not_move_in_step() -> None:
    path = Path("n grows", n, "infinity", {})
    assert not follows(path, points((2, 8), (4, 64)))  # m moves as well
    assert not follows(path, points((2, 8), (2, 9)))  # n does not move
    assert follows(path, points((2, 8), (4, 8)))
    assert follows(path, points((2, 8), (4, 8), (2, 9), (4, 9)))  # the path twice, side by side


def test_needed_constants_are_told_only_where_they_are_simple() -> None:
    assert constants_needed(WIDE, points((1, 2), (1, 3))) == "c <= 2"
    assert constants_needed(POLYNOMIAL, points((2, 8))) == ""


@given(
    st.sampled_from((
        WIDE, Hypothesis("1/c", sp.Ge(m, c**2 / n, evaluate=False)), Hypothesis("not at 3", sp.Ge(c * (n - 3), m - 4)),
        Hypothesis("root", sp.Le(m, c * sp.sqrt(n), evaluate=False)),
    )),
    st.lists(st.tuples(st.fractions(1, 6, max_denominator=8), st.fractions(1, 6, max_denominator=8)), min_size=1),
)  # fmt: skip
def test_points_that_floats_pass_over_change_no_needed_constant(hypothesis: Hypothesis, drawn: list) -> None:
    some = points(*drawn)
    found = constants_needed(hypothesis, some)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regimes, "_that_decide", lambda _, places: places)
        assert constants_needed(hypothesis, some) == found


def test_floats_leave_few_of_many_points() -> None:
    places = [regimes._values(WIDE, point) for point in points(*((1, size) for size in range(2, 99)))]
    (values,) = regimes._that_decide(WIDE, places)
    assert dict(values)[m] == 2


# ------------------------------------------------------------------------------------------------- lines of a part


def nothing(**parameters: object) -> TrialResult:
    raise AssertionError("never run")


def trials_of(part: Part, shows: dict[float, bool], control: bool | None = None) -> dict[str, Trial]:
    found = {}
    for spec in part.specs(Preset.SMOKE):
        seen = {"seen": shows[float(spec.parameters["q"])]}
        found[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, seen), 0.0)
    for spec in part.control_specs(Preset.SMOKE):
        found[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, {"seen": bool(control)}), 0.0)
    return found


def behaviour(values: Sequence[float], **changes: object) -> Behaviour:
    sweeps = {Preset.SMOKE: (Sweep(SYSTEM, grid(q=tuple(values)), {}, 20),)}
    part = Behaviour(
        name="seen", shows=lambda trial: bool(trial.result.observables["seen"]), rate=0.8, sweeps=sweeps,
        symbols=lambda parameters: {q: sp.Rational(str(parameters["q"]))},
    )  # fmt: skip
    return replace(part, **changes)


def judged(part: Part, trials: dict[str, Trial], claim: Claim = CLAIM) -> list[Row]:
    return evaluate([Check(claim, (part,))], Preset.SMOKE, trials)[claim.id]


def test_points_outside_are_a_line_of_their_own() -> None:
    part = behaviour((0.5, 2.0))
    inside, outside = judged(part, trials_of(part, {0.5: True, 2.0: False}))
    assert (inside.role, inside.verdict, inside.in_regime) == (Role.STATEMENT, Verdict.HOLDS, True)
    assert (outside.role, outside.verdict, outside.in_regime) == (Role.OUTSIDE, Verdict.VIOLATED, False)
    assert outside.part == f"seen{APART_WORDS}"


def test_an_accusation_needs_points_that_can_carry_it() -> None:
    claim = replace(CLAIM, regime=(Hypothesis("q <= c/9", sp.Le(q, c / 9, evaluate=False)),))
    part = behaviour((0.5, 0.25))
    (row,) = judged(part, trials_of(part, {0.5: False, 0.25: False}), claim)
    assert row.verdict is Verdict.UNDECIDABLE
    assert row.in_regime is None
    assert "c >= 4.5" in row.judgement.reason
    (row,) = judged(part, trials_of(part, {0.5: True, 0.25: True}), claim)
    assert row.verdict is Verdict.HOLDS  # undetermined points may speak for the claim


def test_small_sizes_accuse_nobody_along_a_path() -> None:
    path = Path("q to 0", q, "zero", {})
    claim = replace(CLAIM, regime=(Hypothesis("q <= c", sp.Le(q, c, evaluate=False)),))
    part = behaviour((0.5, 0.25, 0.125), path=path)
    (row,) = judged(part, trials_of(part, {0.5: False, 0.25: False, 0.125: True}), claim)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.judgement.reason.startswith("finite size: violated, but not on the last third of the path")
    (row,) = judged(part, trials_of(part, {0.5: True, 0.25: False, 0.125: False}), claim)
    assert row.verdict is Verdict.VIOLATED


def test_nobody_chooses_outside() -> None:
    with pytest.raises(ValueError, match="role must be one of"):
        behaviour((0.5,), role=Role.OUTSIDE)
    with pytest.raises(ValueError, match="because must say why"):
        behaviour((0.5,), role=Role.READING)


def test_a_criterion_that_the_control_meets_decides_nothing() -> None:
    control = Control("untrained", {Preset.SMOKE: (Sweep(SYSTEM, grid(q=(0.125,)), {}, 5),)})
    part = behaviour((0.5,), control=control)
    (row,) = judged(part, trials_of(part, {0.5: True}, control=True))
    assert row.verdict is Verdict.UNINFORMATIVE
    assert "also met by untrained, 5 of 5, so the criterion decides nothing" in row.judgement.reason
    (row,) = judged(part, trials_of(part, {0.5: True}, control=False))
    assert row.verdict is Verdict.HOLDS
    assert row.protocol.control == "control (untrained): meets the criterion in 0 of 5 runs"
    (row,) = judged(
        part, {name: t for name, t in trials_of(part, {0.5: True}).items() if t.spec.parameters["q"] == 0.5}
    )
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert row.judgement.reason.startswith("the control is not measured")


def test_a_control_must_run_and_be_able_to_fail_what_is_asked() -> None:
    control = Control("untrained", {Preset.SMOKE: (Sweep(SYSTEM, grid(q=(0.125,)), {}, 5),)})
    part = behaviour((0.5,), control=control)
    trials = trials_of(part, {0.5: True}, control=False)
    for name in map(key, part.control_specs(Preset.SMOKE)):
        trials[name] = replace(trials[name], result=TrialResult(Outcome.DIVERGED, {"seen": False}))
    (row,) = judged(part, trials)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.protocol.control == "control (untrained): meets the criterion in 0 of 0 runs, 5 more diverged"
    seldom = replace(part, rate=0.2)
    trials = trials_of(seldom, {0.5: True}, control=False)
    name = key(part.control_specs(Preset.SMOKE)[0])
    trials[name] = replace(trials[name], result=TrialResult(Outcome.CONVERGED, {"seen": True}))
    (row,) = judged(seldom, trials)
    assert row.verdict is Verdict.UNINFORMATIVE  # 1 of 5 is all that was asked
    with pytest.raises(ValueError, match="control must be of a part with a criterion"):
        Violating(name="always", control=control)


def test_what_a_part_leaves_out_is_never_said_to_be_met() -> None:
    part = behaviour((0.5, 2.0), exempt=(SMALL.name,), because="nowhere in the text")
    (row,) = judged(part, trials_of(part, {0.5: True, 2.0: True}))
    assert (row.role, row.verdict, row.in_regime) == (Role.STATEMENT, Verdict.HOLDS, None)
    with pytest.raises(ValueError, match="because must say why part 'seen' leaves out"):
        behaviour((0.5,), exempt=(SMALL.name,))
    with pytest.raises(ValueError, match="exempt must name hypotheses of the claim, got 'q < 2'; nearest is 'q < 1'"):
        judged(replace(part, exempt=("q < 2",)), {})


def test_a_sufficient_condition_is_held_against_a_claim_only_where_all_else_is_met() -> None:
    condition = Hypothesis("q <= 3", sp.Le(q, 3, evaluate=False))
    claim = replace(CLAIM, kind=Kind.SUFFICIENT, regime=(SMALL, condition))
    template = behaviour((0.5, 2.0))
    part = Sufficient(
        name="enough", success="seen", rate=0.8, condition=condition,
        sweeps=template.sweeps, symbols=template.symbols or (lambda _: {}),
    )  # fmt: skip
    trials = trials_of(part, {0.5: True, 2.0: False})
    inside, outside = judged(part, trials, claim)
    assert (inside.role, inside.verdict, inside.in_regime) == (Role.STATEMENT, Verdict.HOLDS, True)
    assert (outside.role, outside.verdict) == (Role.OUTSIDE, Verdict.VIOLATED)
    hidden = Hypothesis("q <= c", sp.Le(q, c, evaluate=False))
    (row,) = judged(replace(part, condition=hidden), trials, replace(claim, regime=()))
    assert row.verdict is Verdict.OUT_OF_REGIME
    assert "whether 40 trials meet the condition is open" in row.judgement.reason
    failing = trials_of(part, {0.5: False, 2.0: False})
    (row,) = judged(part, failing, replace(claim, regime=(hidden, condition)))
    assert (row.verdict, row.in_regime) == (Verdict.UNDECIDABLE, None)


def test_points_are_never_said_to_be_in_where_their_line_is_not() -> None:
    hidden = Hypothesis("n <= c", sp.Le(n, c, evaluate=False))
    for regime, expected in (((hidden,), None), ((Hypothesis("n > 0", sp.Gt(n, 0, evaluate=False)),), True)):
        row = explicit(Kind.EXPLICIT_UPPER, 0.5, regime=regime)
        assert {point.in_regime for point in row.points} == {row.in_regime} == {expected}


@dataclass(frozen=True, kw_only=True)
class Violating(Part):
    """A part that always speaks against the claim."""

    @property
    def outside(self) -> Outside:
        return Outside.GREYED

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        return [make_row(self, claim, Judgement(Verdict.VIOLATED, finding("always")), trials)]


def test_greyed_points_make_a_line_outside_only_where_all_are() -> None:
    template = behaviour((0.5, 2.0))
    part = Violating(name="always", sweeps=template.sweeps, symbols=template.symbols)
    trials = trials_of(part, {0.5: True, 2.0: True})
    (row,) = judged(part, trials)
    assert (row.role, row.verdict) == (Role.STATEMENT, Verdict.VIOLATED)
    part = replace(part, sweeps=behaviour((2.0, 3.0)).sweeps)
    (row,) = judged(part, trials_of(part, {2.0: True, 3.0: True}))
    assert row.role is Role.OUTSIDE


# ------------------------------------------------------------------------------------------------------------- kinds


def test_a_part_refuses_by_name_a_kind_that_it_cannot_judge() -> None:
    common = {"symbol": n, "parameter": "n", "symbols": lambda parameters: {}}
    for part, kind in (
        (Scaling(name="s", observable="o", **common), Kind.BEHAVIOUR),
        (Threshold(name="t", **common), Kind.IDENTITY),
        (Fraction(name="f", count="k", total="n", bounds="count", symbols=lambda parameters: {}), Kind.UPPER),
        (behaviour((0.5,)), Kind.EXPLICIT_UPPER),
    ):
        with pytest.raises(ValueError, match=rf"A\.made_up \(.*\), part '{part.name}': {type(part).__name__} judges"):
            Check(replace(CLAIM, kind=kind, value=n, axes=(Axis(n),)), (part,))


def explicit(kind: Kind, factor: float, regime: tuple[Hypothesis, ...] = (), value: sp.Expr = n) -> Row:
    """Samples of n times a factor against a claim of n."""
    claim = replace(CLAIM, kind=kind, value=value, axes=(Axis(n),), regime=regime)
    part = Scaling(
        name="s", observable="o", symbol=n, parameter="n", symbols=lambda parameters: {n: sp.Integer(parameters["n"])},
        sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(n=(10, 20, 40, 80, 160)), {}, 20),)},
    )  # fmt: skip
    trials = {}
    for spec in part.specs(Preset.SMOKE):
        value = factor * spec.parameters["n"] * (1 + 0.01 * ((spec.replicate * 7) % 5 - 2))
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, {"o": value}), 0.0)
    (row,) = judged(part, trials, claim)
    return row


@pytest.mark.parametrize(
    ("kind", "factor", "verdict"),
    [
        (Kind.EXPLICIT_UPPER, 0.5, Verdict.HOLDS),
        (Kind.EXPLICIT_UPPER, 100.0, Verdict.VIOLATED),  # a bound 100 times too small is not tight
        (Kind.EXPLICIT_LOWER, 0.01, Verdict.VIOLATED),
        (Kind.EXPLICIT_LOWER, 2.0, Verdict.HOLDS),
        (Kind.EXACT, 1.0, Verdict.HOLDS),
        (Kind.EXACT, 1.2, Verdict.VIOLATED),
        (Kind.EXACT, 0.8, Verdict.VIOLATED),
        (Kind.TIGHT, 100.0, Verdict.TIGHT),
    ],
)
def test_explicit_values_are_compared_as_they_stand(kind: Kind, factor: float, verdict: Verdict) -> None:
    row = explicit(kind, factor)
    assert row.verdict is verdict
    if kind is not Kind.TIGHT:
        assert [point.bound for point in row.points] == [10, 20, 40, 80, 160]


def test_values_claimed_to_be_negative_are_compared_and_zero_is_not() -> None:
    assert explicit(Kind.EXACT, -1.0, value=-n).verdict is Verdict.HOLDS
    assert explicit(Kind.EXPLICIT_UPPER, -0.5, value=-n).verdict is Verdict.VIOLATED
    row = explicit(Kind.EXACT, 1.0, value=n - 10)
    assert (row.verdict, "claimed to be 0" in row.judgement.reason) == (Verdict.INCONCLUSIVE, True)


def test_a_point_without_threshold_keeps_an_explicit_bound_from_holding() -> None:
    part = Threshold(name="t", symbol=n, parameter="n", symbols=lambda parameters: {})
    claim = replace(CLAIM, kind=Kind.EXPLICIT_UPPER, value=n, axes=(Axis(n),))
    good = Estimate(5.0, Interval(4.0, 6.0), standard_error=0.1, n_trials=20)
    lost = Estimate(None, None, n_trials=20, reason="success shows no dependence on N")
    assert part._explicit(claim, [good, good], [10, 10]).verdict is Verdict.HOLDS
    found = part._explicit(claim, [good, lost], [10, 10])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.reason.startswith("1 of 2 points have no threshold")
    near = Estimate(5.0, Interval(4.0, 6.25), standard_error=0.114, n_trials=20)
    assert part._explicit(claim, [near], [3.95]).verdict is Verdict.VIOLATED
    assert part._explicit(claim, [near] * 20, [3.95] + [10] * 19).verdict is Verdict.INCONCLUSIVE  # one of twenty


def test_lines_have_names_of_their_own() -> None:
    part = behaviour((0.5,))
    for other in (part, replace(part, name=f"seen{APART_WORDS}")):
        with pytest.raises(ValueError, match="parts must have names of their own"):
            Check(CLAIM, (part, other))


def test_points_outside_contradict_no_proof() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Proving(Violating):
        def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
            return [make_row(self, claim, Judgement(Verdict.PROVED, finding("always")), trials)]

    template = behaviour((0.5,))
    proof = Proving(name="proof", aspect="one", sweeps=template.sweeps, symbols=template.symbols)
    part = behaviour((0.5, 2.0), aspect="one")
    table = evaluate([Check(CLAIM, (proof, part))], Preset.SMOKE, trials_of(part, {0.5: True, 2.0: False}))
    assert [row.role for row in table[CLAIM.id]] == [Role.STATEMENT, Role.STATEMENT, Role.OUTSIDE]


def test_a_constant_claimed_for_every_value_counts_at_its_least_favourable() -> None:
    claim = replace(
        CLAIM, kind=Kind.EXPLICIT_UPPER, value=c * n, axes=(Axis(n),), regime=(),
        constants=(Constant(c, sp.Integer(1), sp.Integer(3)),),
    )  # fmt: skip
    part = Scaling(
        name="s", observable="o", symbol=n, parameter="n", symbols=lambda parameters: {n: sp.Integer(parameters["n"])},
        sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(n=(10, 20, 40, 80, 160)), {}, 20),)},
    )  # fmt: skip

    def spread(spec) -> float:
        return 2.0 + 0.001 * (spec.replicate % 5)

    trials = {
        key(spec): Trial(
            spec,
            TrialResult(Outcome.CONVERGED, {"o": spread(spec) * spec.parameters["n"]}),
            0.0,
        )
        for spec in part.specs(Preset.SMOKE)
    }
    (exists,) = judged(part, trials, claim)
    assert exists.verdict is Verdict.HOLDS
    (every,) = judged(part, trials, replace(claim, constants=(replace(claim.constants[0], for_all=True),)))
    assert every.verdict is Verdict.VIOLATED
    assert "least favourable: c = 1" in every.judgement.reason


def test_floats_answer_as_sympy_does_whether_a_hypothesis_hangs_on_its_constants() -> None:
    whole = sp.Symbol("w", positive=True, integer=True)
    error = sp.Symbol("tau", nonnegative=True)
    relations = [
        WIDE.relation,
        POLYNOMIAL.relation,
        sp.Ge(m + c, n, evaluate=False),  # met without the constant where m > n
        sp.And(sp.Ge(m, n, evaluate=False), sp.Ge(m, c * n, evaluate=False)),
        sp.Le(1, whole * n, evaluate=False),  # met by every whole number where n >= 1
        sp.Le(2 * c, c**2 + 1, evaluate=False),  # met by every number
        sp.And(sp.Gt(m, error, evaluate=False), sp.Ge(m, n * (c + error) ** -2, evaluate=False)),  # tau may be 0
        sp.Ge(error + n, n - m, evaluate=False),  # met whatever the error is
        sp.Gt(m, n, evaluate=False),
        sp.And(sp.Gt(m, sp.exp(-n) / 3), sp.Ge(n, (m - sp.exp(-n) / 3) ** -2)),
    ]
    for relation in relations:
        hypothesis = Hypothesis("it", relation)
        for point in points((2, 9), (9, 2), (1, 1)):
            assert met_at(hypothesis, point) is hypothesis.evaluate(point), (relation, point)
    assert met_at(WIDE, points((2, 9))[0]) is Met.UNDECIDABLE


@pytest.mark.parametrize(("integer", "off", "followed"), [(True, 1, True), (True, 2, False), (False, 1, False)])
def test_a_whole_number_may_be_the_path_rounded_and_no_more(integer: bool, off: int, followed: bool) -> None:
    n, d = sp.Symbol("n", positive=True), sp.Symbol("d", positive=True, integer=integer)
    points = [{n: sp.Integer(size), d: sp.Integer(10 * size + off)} for size in (10, 20, 40)]
    assert follows(Path("d = 10 n", n, "infinity", {d: 10 * n}), points) is followed
