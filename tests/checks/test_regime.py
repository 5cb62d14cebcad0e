"""Hypotheses at measured points: three values, paths that lead inside, and who may be accused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
import sympy as sp

from checks.check import APART_WORDS, Check, Control, Outside, Part, Preset, Row, evaluate
from checks.comparison import make_row
from checks.parts import Behaviour, Fraction, Scaling, Threshold
from checks.regime import constants_needed, follows, is_met_eventually, standing
from checks.verdict import Judgement, Verdict
from sim.store import key
from sim.sweep import Sweep, grid
from sim.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Constant, Evidence, Hypothesis, Kind, Path, Role, Source

n, m, q = sp.symbols("n m q", positive=True)
c, k = sp.symbols("c k", positive=True)
SMALL = Hypothesis("q < 1", sp.Lt(q, 1, evaluate=False))
WIDE = Hypothesis("m >= c n^2", sp.Ge(m, c * n**2, evaluate=False))
POLYNOMIAL = Hypothesis("m <= n^k", sp.Le(m, n**k, evaluate=False), free=(k,))
CLAIM = Claim(
    id="A.made_up",
    source=Source("nobody", "nowhere"),
    kind=Kind.BEHAVIOUR,
    statement="Made up.",
    observable="made_up",
    evidence=(Evidence.MEASURED,),
    regime=(SMALL,),
)
SYSTEM = System("made_up", "tests.checks.test_regime:nothing", ("checks.regime",))


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


def test_points_follow_a_path_only_with_its_values() -> None:
    path = Path("m = n^3", n, "infinity", {m: n**3})
    assert follows(path, points((2, 8), (3, 27)))
    assert not follows(path, points((2, 8), (3, 26)))
    assert not follows(path, points((2, 8)))
    assert not follows(path, [{m: sp.Integer(8)}] * 2)


def test_needed_constants_are_told_only_where_they_are_simple() -> None:
    assert constants_needed(WIDE, points((1, 2), (1, 3))) == "c <= 2"
    assert constants_needed(POLYNOMIAL, points((2, 8))) == ""


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


def test_nobody_chooses_outside() -> None:
    with pytest.raises(ValueError, match="role must be one of"):
        behaviour((0.5,), role=Role.OUTSIDE)
    with pytest.raises(ValueError, match="because must say why"):
        behaviour((0.5,), role=Role.READING)


def test_a_criterion_that_the_control_meets_decides_nothing() -> None:
    control = Control("untrained", {Preset.SMOKE: (Sweep(SYSTEM, grid(q=(0.125,)), {}, 5),)})
    part = behaviour((0.5,), control=control)
    (row,) = judged(part, trials_of(part, {0.5: True}, control=True))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "meets the criterion in 5 of 5 runs, so the criterion decides nothing" in row.judgement.reason
    (row,) = judged(part, trials_of(part, {0.5: True}, control=False))
    assert row.verdict is Verdict.HOLDS
    assert row.control == "control (untrained): meets the criterion in 0 of 5 runs"
    (row,) = judged(
        part, {name: t for name, t in trials_of(part, {0.5: True}).items() if t.spec.parameters["q"] == 0.5}
    )
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert row.judgement.reason.startswith("the control is not measured")


@dataclass(frozen=True, kw_only=True)
class Violating(Part):
    """A part that always speaks against the claim."""

    @property
    def outside(self) -> Outside:
        return Outside.GREYED

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        return [make_row(self, claim, Judgement(Verdict.VIOLATED, "always"), trials)]


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
        (Fraction(name="f", count="k", total="n", symbols=lambda parameters: {}), Kind.UPPER),
        (behaviour((0.5,)), Kind.EXPLICIT_UPPER),
    ):
        with pytest.raises(ValueError, match=rf"A\.made_up: part '{part.name}' \({type(part).__name__}\) must judge"):
            Check(replace(CLAIM, kind=kind, value=n, axes=(Axis(n),)), (part,))


def explicit(kind: Kind, factor: float) -> Row:
    """Samples of n times a factor against a claim of n."""
    claim = replace(CLAIM, kind=kind, value=n, axes=(Axis(n),), regime=())
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


def test_a_constant_claimed_for_every_value_counts_at_its_least_favourable() -> None:
    claim = replace(
        CLAIM, kind=Kind.EXPLICIT_UPPER, value=c * n, axes=(Axis(n),), regime=(),
        constants=(Constant(c, sp.Integer(1), sp.Integer(3)),),
    )  # fmt: skip
    part = Scaling(
        name="s", observable="o", symbol=n, parameter="n", symbols=lambda parameters: {n: sp.Integer(parameters["n"])},
        sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(n=(10, 20, 40, 80, 160)), {}, 5),)},
    )  # fmt: skip
    trials = {
        key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {"o": 2.0 * spec.parameters["n"]}), 0.0)
        for spec in part.specs(Preset.SMOKE)
    }
    (exists,) = judged(part, trials, claim)
    assert exists.verdict is Verdict.HOLDS
    (every,) = judged(part, trials, replace(claim, constants=(replace(claim.constants[0], for_all=True),)))
    assert every.verdict is Verdict.VIOLATED
    assert "least favourable: c = 1" in every.judgement.reason
