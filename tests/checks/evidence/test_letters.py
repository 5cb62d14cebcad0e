"""An order is tight only in letters that were swept: planted falsehoods of every way to leave one out."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.headline import headline_of
from checks.evidence.letters import FACTOR, groups, letters_of
from checks.records.rows import Row
from checks.records.standing import Standings
from checks.statistics.explanation import Explanation, Ruling, finding
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Verdict
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, Constant, Kind, Role

a, b, s, t, c = sp.symbols("a b s t c", positive=True)
VALUE = a * b**2 / (1 - c * (s + t))
CLAIM = made_up(
    Kind.TIGHT,
    axes=(Axis(a), Axis(b), Axis(s, 1 / c - t)),
    value=VALUE,
    constants=(Constant(c, sp.Rational(1, 4), sp.Rational(1, 2)),),
)
ALL = ("a", "b", "s")


def line(axis: str, verdict: Verdict = Verdict.TIGHT, *, claim: Claim = CLAIM, role: Role = Role.STATEMENT) -> Row:
    along = next(one for one in claim.axes if one.symbol.name == axis)
    judgement = Judgement(verdict, finding("why"), effect=Effect(0.0, Interval(-0.1, 0.1)))
    return Row(claim, axis, judgement, along, role=role)


def lines(*axes: str) -> list[Row]:
    return [line(axis) for axis in axes]


def test_an_order_whose_letters_were_all_swept_is_tight():
    found = headline_of(lines(*ALL))
    assert found.verdict is Verdict.TIGHT
    assert found.letters.words == "tight in a, b, s + t"


def test_a_picture_is_never_tight():
    picture = replace(CLAIM, kind=Kind.FIGURE)
    found = headline_of([line(axis, claim=picture) for axis in ALL])
    assert (found.verdict, found.letters.unswept) == (Verdict.HOLDS, ())


def test_a_letter_that_is_tight_and_told_from_the_claimed_order_has_its_delta_beside_it():
    first, *others = lines(*ALL)
    apart = replace(first, judgement=replace(first.judgement, effect=Effect(-0.2, Interval(-0.24, -0.16))))
    found = headline_of([apart, *others])
    assert found.verdict is Verdict.TIGHT
    assert found.letters.words == "tight in a (Δ -0.20), b, s + t"


def test_a_constant_that_is_an_axis_of_the_claim_is_a_letter():
    claim = replace(CLAIM, axes=(*CLAIM.axes, Axis(c)))
    found = headline_of([line(axis, claim=claim) for axis in ALL])
    assert (found.verdict, found.letters.unswept) == (Verdict.HOLDS, ("c",))


@pytest.mark.parametrize("left_out", [axes for size in (1, 2) for axes in itertools.combinations(ALL, size)])
def test_no_order_with_a_letter_that_was_not_swept_reads_tight(left_out: tuple[str, ...]):
    found = headline_of(lines(*(axis for axis in ALL if axis not in left_out)))
    assert found.verdict is Verdict.HOLDS
    assert set(found.letters.unswept) == {"s + t" if axis == "s" else axis for axis in left_out}
    assert f"not swept: {', '.join(found.letters.unswept)}" in found.scope[0]


def test_an_order_is_tight_at_the_papers_own_settings_only_in_letters_that_were_swept_there():
    inside = Standings(Verdict.UNDECIDABLE, Verdict.TIGHT)
    beyond = Standings(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME)
    first, *others = lines(*ALL)
    every = [replace(row, standings=inside) for row in (first, *others)]
    assert headline_of(every).standings == inside
    one = [replace(first, standings=inside), *(replace(row, standings=beyond) for row in others)]
    found = headline_of(one)
    assert (found.verdict, found.standings) == (Verdict.TIGHT, Standings(Verdict.UNDECIDABLE, Verdict.HOLDS))


@pytest.mark.parametrize("role", [Role.READING, Role.REPAIR, Role.OUTSIDE, Role.OWN_QUESTION])
def test_only_a_statement_sweeps_a_letter(role: Role):
    found = headline_of([*lines("a", "b"), line("s", role=role)])
    assert (found.verdict, found.letters.unswept) == (Verdict.HOLDS, ("s + t",))


def test_what_was_not_measured_is_not_swept():
    for open_ in (Verdict.NOT_MEASURED_YET, Verdict.OUT_OF_REGIME):
        rows = [*lines("a", "b"), line("s", open_)]
        assert letters_of(rows).unswept == ("s + t",)
    unjudged = replace(line("s"), judgement=Judgement(Verdict.TIGHT, finding("a rate, which reads no formula")))
    assert headline_of([*lines("a", "b"), unjudged]).verdict is Verdict.HOLDS


def test_a_letter_in_which_the_order_is_loose_makes_the_headline_loose_and_is_named():
    found = headline_of([*lines("a", "b"), line("s", Verdict.LOOSE)])
    assert found.verdict is Verdict.LOOSE
    assert found.scope[0] == "loose in s + t; tight in a, b"


@pytest.mark.parametrize(
    ("span", "swept"),
    [((1.0, FACTOR), True), ((0.0, 0.01), True), ((1.0, 1.3), False), ((1.0, 1.0), False)],
)
def test_a_letter_that_moves_beside_an_axis_is_swept_where_it_moves_far(span: tuple[float, float], swept: bool):
    beside = replace(line("a"), spans={s: span})
    assert (letters_of([beside, line("b")]).unswept == ()) is swept


def test_a_letter_whose_small_steps_move_the_claimed_value_far_is_swept():
    near_the_pole = replace(line("a"), spans={s: (1.3, 2.6), t: (0.0, 0.0), a: (1.0, 2.0), b: (1.0, 1.0)})
    assert letters_of([near_the_pole, line("b")]).unswept == ()


def test_a_value_with_a_letter_that_no_point_gives_moves_nothing():
    lacking_t = replace(line("a"), spans={s: (1.3, 2.6), a: (1.0, 2.0), b: (1.0, 1.0)})
    assert letters_of([lacking_t, line("b")]).unswept == ("s + t",)


def test_letters_read_off_beside_an_axis_are_swept_with_it():
    assert letters_of([replace(line("a"), beside=frozenset({s})), line("b")]).unswept == ()


POWER = made_up(Kind.TIGHT, axes=(Axis(a),), value=a**b)


@pytest.mark.parametrize(("second", "swept"), [(5.0, True), (3.0, False)])
def test_a_letter_in_an_exponent_is_swept_by_lines_at_several_of_its_values(second: float, swept: bool):
    rows = [replace(line("a", claim=POWER), spans={b: (value, value)}) for value in (3.0, second)]
    assert (headline_of(rows).verdict is Verdict.TIGHT) is swept
    turned = [rows[0], replace(rows[1], axis=Axis(b))]
    assert letters_of(turned).swept[1][0] == "b"  # along its own axis


def test_a_letter_in_an_exponent_and_before_it_is_swept_along_it_alone():
    claim = made_up(Kind.TIGHT, axes=(Axis(a), Axis(b)), value=b**7 * a ** (-1 / b))
    rows = [replace(line("a", claim=claim), spans={b: (value, value)}) for value in (3.0, 6.0)]
    found = headline_of(rows)
    assert (found.verdict, found.letters.unswept) == (Verdict.HOLDS, ("b",))  # a factor b^7 met any prefactors
    assert headline_of([*rows, line("b", claim=claim)]).verdict is Verdict.TIGHT


def test_hidden_constants_are_no_letters_and_sums_are_one():
    assert groups(VALUE, frozenset({c})) == ((a,), (b,), (s, t))
    assert groups(sp.expand(c * (s + t) + a), frozenset({c})) == ((a,), (s, t))
    assert groups(s + 2 * t, frozenset()) == ((s,), (t,))


def test_what_a_letter_does_that_the_formula_lacks_stands_beside_the_headline():
    told = Explanation(Ruling(interval=Interval(0.4, 0.7), measured=0.55))
    length = sp.Symbol("L", positive=True)
    judgement = Judgement(Verdict.NO_CLAIM, told, exponents=Exponents(0.55))
    moving = Row(CLAIM, "T against L", judgement, role=Role.OWN_QUESTION, lacked=length)
    still = replace(moving, judgement=Judgement(
        Verdict.NO_CLAIM, Explanation(Ruling(interval=Interval(-0.1, 0.1), measured=0.0)), exponents=Exponents(0.0)
    ))  # fmt: skip
    found = headline_of([*lines(*ALL), moving])
    assert found.verdict is Verdict.TIGHT
    assert found.scope[0].endswith("exponent in letters that the formula lacks: L: +0.55 (+0.40 to +0.70)")
    assert "no exponent seen in L" in headline_of([*lines(*ALL), still]).scope[0]


def test_no_claim_of_a_paper_lacks_a_letter_that_it_has():
    for check in discover().values():
        for part in check.parts:
            lacked = getattr(part, "lacked", None)
            assert lacked is None or lacked not in check.claim.formula.free_symbols
