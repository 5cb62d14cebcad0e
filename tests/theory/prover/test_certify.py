"""Certification: nothing false is proved, nothing true refuted, and every answer carries evidence that replays."""

import json
import threading
from fractions import Fraction
from functools import partial

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from theory.checker.replay import InvalidRecord, replay
from theory.failures import Failures
from theory.prover import certify as certification
from theory.prover.certify import Proved, Refuted, Unknown, certify

x, y, z = sp.symbols("x y z", real=True)
beta, gamma, rho = sp.symbols("beta gamma rho", real=True)
C, D, S = sp.symbols("C D S", positive=True)
k = sp.Symbol("k", integer=True)
oo, HALF = sp.oo, sp.Rational(1, 2)

TOTAL = sp.exp(beta) + (C - 1) * sp.exp(gamma) + (D - C) * sp.exp(rho)
LAMBDA, GAMMA, XI = (sp.exp(logit) / TOTAL for logit in (beta, gamma, rho))
SIZES = {C: (2, 64), D: (4, oo)}
BOX = dict.fromkeys((beta, gamma, rho), (-5, 5)) | SIZES
SPACE = dict.fromkeys((beta, gamma, rho), (-oo, oo)) | SIZES
SETS = (D >= 2 * C,)
FIXED = {C: 4, D: 16}


def proves(relation, box, hypotheses=()):
    answer = certify(relation, box, hypotheses, budget_s=20)
    assert isinstance(answer, Proved), answer
    return replay(json.loads(json.dumps(answer.record)))


def refutes(relation, box, hypotheses=()):
    """Whether certify refutes, at a point that is rational, inside, satisfies the hypotheses and fails, recomputed."""
    answer = certify(relation, box, hypotheses, budget_s=20)
    assert isinstance(answer, Refuted), answer
    point = answer.counterexample
    assert set(point) == set(box)
    assert all(value.is_Rational for value in point.values())
    assert all(box[s][0] <= value <= box[s][1] for s, value in point.items())
    assert all(hypothesis.subs(point) == True for hypothesis in hypotheses)  # noqa: E712
    assert relation.subs(point) == False, point  # noqa: E712
    return replay(json.loads(json.dumps(answer.record)))


class TestSoftmax:
    """The three values of the reduced attention of paper B, in sizes and logits at once."""

    @pytest.mark.parametrize(("value", "box"), [(LAMBDA, SPACE), (GAMMA, SPACE), (XI, SPACE), (GAMMA, BOX)])
    def test_between_zero_and_one(self, value, box):
        assert proves(value > 0, box, SETS)
        assert proves(value < 1, box, SETS)

    @pytest.mark.parametrize(
        ("value", "logit", "sign"),
        [(LAMBDA, gamma, -1), (GAMMA, gamma, 1), (XI, gamma, -1), (GAMMA, rho, -1), (XI, rho, 1)],
    )
    def test_monotone(self, value, logit, sign):
        assert proves(sign * sp.diff(value, logit) > 0, SPACE, SETS)

    def test_order_follows_the_logits(self):
        assert proves(GAMMA >= XI, BOX, (*SETS, gamma >= rho))
        assert refutes(GAMMA >= XI, BOX, SETS)
        assert refutes(GAMMA > XI, BOX, (*SETS, gamma >= rho))

    def test_values_sum_to_one(self):
        assert proves(sp.Eq(LAMBDA + (C - 1) * GAMMA + (D - C) * XI, 1), BOX, SETS)

    @pytest.mark.parametrize(
        "relation",
        [
            sp.diff(GAMMA, rho) > 0,
            sp.diff(LAMBDA, gamma) >= 0,
            LAMBDA > HALF,
            (C - 1) * GAMMA < HALF,
            D * GAMMA < C,
            LAMBDA + (C - 1) * GAMMA > (D - C) * XI,
            sp.Eq(LAMBDA + C * GAMMA + (D - C) * XI, 1),
        ],
    )
    def test_planted_falsehoods(self, relation):
        assert refutes(relation, BOX)

    @settings(deadline=None, derandomize=True, max_examples=12)
    @given(
        st.sampled_from([beta, gamma, rho]), st.sampled_from([beta, gamma, rho]), st.integers(2, 6), st.integers(2, 6)
    )
    def test_every_derivative_has_one_sign(self, logit, other, size, sets):
        """A value rises with its own logit and falls with any other; the negations are refuted."""
        value = (sp.exp(logit) / TOTAL).subs({C: size, D: size * sets})
        slope = sp.diff(value, other) * (1 if logit == other else -1)
        box = dict.fromkeys((beta, gamma, rho), (-4, 4))
        assert proves(slope > 0, box)
        assert refutes(slope < 0, box)


class TestLadder:
    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            (x * (1 - x) >= 0, {x: (0, 1)}),
            (x**2 - x + 1 > 0, {x: (-oo, oo)}),
            (x**2 - x + sp.Rational(1, 4) >= 0, {x: (-oo, oo)}),
            (sp.exp(x) >= 1 + x, {x: (-3, 5)}),
            (sp.log(1 + x) <= x, {x: (0, oo)}),
            (sp.log(x) <= x - 1, {x: (sp.Rational(1, 10), 10)}),
            (sp.sqrt(x) <= (1 + x) / 2, {x: (0, 10)}),
            (x * y * z - x - y - z + 2 >= 0, {x: (1, oo), y: (1, oo), z: (1, oo)}),
            (x**4 - x**2 * y + y**2 + sp.Rational(1, 100) > 0, {x: (-3, 3), y: (-3, 3)}),
            (sp.exp(-x) < sp.Rational(1, 10**6), {x: (14, oo)}),
            (sp.exp(-(x**2)) * (1 + x**2) <= 1 + sp.Rational(1, 50), {x: (-2, 2)}),
            (x / (1 + x) < 1, {x: (0, oo)}),
            (x**3 - x >= 0, {x: (1, 2)}),
            (sp.exp(sp.exp(x)) > 2, {x: (0, 1)}),
            (x + y <= 3, {x: (0, 1), y: (2, 2)}),
            (sp.pi * x + sp.E < 6, {x: (0, 1)}),
            (sp.sin(x) <= x, {x: (0, 3)}),
            (sp.sin(x) > HALF, {x: (1, 2)}),
            (2 + sp.sin(x * y) + sp.cos(x) / 2 > 0, {x: (1, 2), y: (-oo, oo)}),
            (sp.cos(x) >= 1 - x**2 / 2, {x: (0, 2)}),
            (sp.sin(x) ** 8 * sp.exp(x) < 4, {x: (0, sp.Rational(5, 4))}),
            (sp.tanh(x) < x, {x: (sp.Rational(1, 100), 5)}),
            (sp.erf(x) + sp.erfc(y) > 0, {x: (0, oo), y: (0, 4)}),
            (sp.Abs(x) + sp.Max(x, y) >= 0, {x: (-1, 1), y: (0, 1)}),
            (sp.Integer(10) ** 400 * x + 1 > 0, {x: (0, 1)}),
            (x > y, {x: (sp.Integer(10) ** 400, sp.Integer(10) ** 500), y: (-oo, 7)}),
            (sp.pi ** sp.erfc(HALF) * (2 + x) >= 0, {x: (-1, oo)}),
            ((sp.Max(1, x) + 4) * sp.cosh(y) ** 2 >= sp.Max(1, sp.tanh(x)), {x: (-1, 6), y: (-oo, 6)}),
        ],
    )
    def test_true(self, relation, box):
        assert proves(relation, box)

    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            (x * (1 - x) > 0, {x: (0, 1)}),
            (x**2 - x + sp.Rational(1, 4) > 0, {x: (-oo, oo)}),
            (sp.exp(x) > 1 + x, {x: (-3, 5)}),
            (sp.exp(-x) < sp.Rational(1, 10**6), {x: (13, oo)}),
            (sp.exp(x) / (sp.exp(x) + 3) < sp.Rational(9999, 10000), {x: (-10, 20)}),
            (x**2 * y**2 * (x**2 + y**2 - 3) + 1 > 0, {x: (-2, 2), y: (-2, 2)}),
            (-1 / x > 0, {x: (-1, 1)}),
            (sp.log(x) >= 0, {x: (0, 3)}),
            (x**2 + y**2 > sp.Rational(1, 10**8), {x: (-1, 1), y: (-1, 1)}),
            (x < 5, {x: (5, 5)}),
            (sp.sin(x) > x - x**3 / 7, {x: (sp.Rational(1, 10), 2)}),
            (sp.cos(x) > 0, {x: (0, 10)}),
            (sp.erfc(x) >= sp.tanh(x), {x: (0, oo)}),
            (sp.Abs(x) > sp.Max(x, y), {x: (-1, 1), y: (0, 1)}),
            (sp.Integer(10) ** 400 * x < 1, {x: (0, 1)}),
            (x < y, {x: (sp.Integer(10) ** 400, sp.Integer(10) ** 500), y: (-7, 7)}),
            (sp.exp(x) < sp.Integer(10) ** 400, {x: (0, 1000)}),
            (x / sp.Abs(x) > HALF, {x: (-2, 1)}),
            (y**S >= x, {x: (1, 5), y: (-2, sp.Rational(-3, 2)), S: (3, 3)}),
            (sp.Eq((-HALF) ** S * S, 5), {S: (2, 3)}),
        ],
    )
    def test_false(self, relation, box):
        assert refutes(relation, box)

    def test_exponentials_that_overflow_are_no_obstacle(self):
        """Floats give inf / inf far out; the warning that this raised once would be an error here."""
        value = sp.exp(x) / (sp.exp(x) + sp.exp(y))
        plane = {x: (-oo, oo), y: (-oo, oo)}
        assert proves(value < 1, plane)
        assert refutes(value < HALF, plane)
        assert refutes(sp.exp(x**2) - sp.exp(y**2) > -1, plane)
        assert refutes(sp.Eq(sp.exp(x) * sp.exp(sp.exp(y)), 1), plane)

    @pytest.mark.parametrize(
        "relation",
        [
            sp.zeta(x) > 0,
            sp.besselj(0, x) > 0,
            sp.Eq(sp.zeta(x), x),
            x ** sp.Rational(1, 3) + sp.sqrt(-2) * sp.sqrt(-2) * x > -9,
            x ** sp.Rational(3, 2) * (x - 9) * (x**2 + 1) >= -1,
            sp.sqrt(x - 9) >= -1,
            sp.floor(x) * x > -1,
            sp.Piecewise((x, x > 0), (0, True)) >= 0,
        ],
    )
    @pytest.mark.parametrize("low", [2, -2])
    def test_what_floats_or_enclosures_lack_is_unknown_and_no_crash(self, relation, low):
        answer = certify(relation, {x: (low, 3)}, budget_s=2)
        assert isinstance(answer, Unknown) or replay(json.loads(json.dumps(answer.record)))

    @pytest.mark.parametrize(("relation", "kind"), [(x**2 + 1 > 0, "proof"), (x > HALF, "counterexample")])
    def test_what_does_not_replay_is_unknown(self, monkeypatch, relation, kind):
        def refuse(record):
            raise InvalidRecord("not today")

        monkeypatch.setattr(certification, "replay", refuse)
        monkeypatch.setattr(Failures, "are_raised", False)
        answer = certify(relation, {x: (0, 1)})
        assert isinstance(answer, Unknown)
        assert answer.reason == f"a {kind} was found that the checker refuses: not today"

    def test_hypotheses_cut_the_box(self):
        assert refutes(x * y >= 1, {x: (0, 2), y: (0, 2)})
        assert proves(x * y >= 1, {x: (0, 2), y: (0, 2)}, (x >= 1, y >= 1))
        assert proves(x**2 + y**2 > sp.Rational(1, 3), {x: (0, 1), y: (0, 1)}, (x + y > 1,))

    def test_a_slope_may_not_be_used_across_a_pole(self):
        """-1/x rises wherever it is defined and is positive at -1, yet negative on (0, 1]."""
        box = {x: (-1, 1)}
        assert not isinstance(certify(-1 / x > -2, box, (x <= HALF, x >= sp.Rational(1, 10)), budget_s=5), Proved)
        assert not isinstance(certify(-1 / (x - sp.sqrt(2) / 2) > 0, {x: (0, 1)}, budget_s=5), Proved)

    def test_a_slope_may_not_leave_the_hypotheses(self):
        """The least value of y in the box is 0, and it rises with y; but only the part above the diagonal counts."""
        assert not isinstance(certify(y > HALF, {x: (0, 1), y: (0, 1)}, (y >= x,), budget_s=5), Proved)

    def test_irrational_zero_is_neither(self):
        """(x^2 - 2)^2 > 0 fails, but at no rational point."""
        answer = certify((x**2 - 2) ** 2 > 0, {x: (1, 2)}, budget_s=5)
        assert isinstance(answer, Unknown)
        low, high = answer.remaining[0][x]
        assert low**2 <= 2 <= high**2

    def test_integer_symbols_are_refuted_at_integers(self):
        assert refutes(k**2 > 0, {k: (-3, 3)})
        assert refutes((-1) ** k * k > -50, {k: (1, 60)})
        assert refutes((7 * k - 40) ** 2 > 4, {k: (-oo, oo)})

    def test_odd_symbols_are_refuted_at_odd_numbers(self):
        """Once Refuted at p = 2, which is not odd."""
        p = sp.Symbol("p", odd=True)
        assert not isinstance(certify((p - 2) ** 2 >= 1, {p: (1, 9)}, budget_s=2), Refuted)
        assert refutes((p - 2) ** 2 >= 2, {p: (1, 9)})

    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            ((3 * k - 1) ** 2 > 0, {k: (-3, 3)}),
            (k * (k - 1) >= 0, {k: (-oo, oo)}),
            ((3 * k - 1) * (3 * k - 2) > 0, {k: (-oo, oo)}),
            (sp.sin(k) ** 2 > sp.Rational(1, 10**5), {k: (1, 40)}),
            ((-1) ** k + sp.Rational(3, 2) > 0, {k: (1, 9)}),
            ((k - HALF) ** 2 * (x**2 + 1) >= sp.Rational(1, 4), {k: (-20, 20), x: (-1, 1)}),
            (k > 100, {k: (sp.Rational(1, 3), sp.Rational(2, 3))}),
            ((-1) ** k * k < 60, {k: (1, 59)}),
        ],
    )
    def test_true_at_integers_alone(self, relation, box):
        """Each fails, or touches zero, somewhere between the integers."""
        assert proves(relation, box)
        assert relation not in (sp.true, sp.false)
        real = sp.Symbol("r", real=True)
        relaxed = relation.subs(k, real)
        assert not isinstance(certify(relaxed, {real: box[k]} | {x: (0, 0)}, budget_s=2), Proved)

    @pytest.mark.parametrize(
        ("kinds", "ends"),
        [
            ({"integer": True}, (sp.Rational(7, 4), sp.Rational(13, 4))),
            ({"integer": True}, (sp.Rational(7, 4), 2)),
            ({"even": True}, (sp.Rational(3, 2), oo)),
            ({"prime": True}, (sp.Rational(4, 3), sp.Rational(17, 2))),
            ({"integer": True, "positive": True}, (sp.Rational(3, 2), 9)),
        ],
    )
    def test_ends_between_integers(self, kinds, ends):
        """The worst integer is the one next to the end: a face at the end itself holds no point."""
        n = sp.Symbol("n", **kinds)
        assert proves(n**3 * sp.exp(n) > 58, {n: ends})
        assert proves(n**n + x**2 >= 4, {n: ends, x: (-1, 1)})
        assert refutes(n**n + x**2 > 4, {n: ends, x: (-1, 1)})

    @pytest.mark.parametrize("kinds", [{}, {"odd": True}, {"prime": True}])
    def test_no_integer_at_an_excluded_zero(self, kinds):
        n = sp.Symbol("n", integer=True, positive=True, **kinds)
        for high in (3, oo):
            assert proves(n**2 * sp.exp(x**2) >= 1, {n: (0, high), x: (-1, 1)})
            assert proves(n + 2 * sp.sin(n) > HALF, {n: (0, high)})
            assert proves((-n) ** 3 <= -1, {n: (0, high)})
        if not kinds:
            minus = sp.Symbol("m", integer=True, negative=True)
            assert proves(sp.exp(-minus) >= sp.E, {minus: (-oo, 0)})
            assert refutes(sp.exp(-minus) > sp.E, {minus: (-oo, 0)})

    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            (y**S + 1 > 0, {y: (-2, sp.Rational(-3, 2)), S: (3, 3)}),
            ((-1) ** k + HALF > 0, {k: (1, 5)}),
            (sp.Max(y**S, -3) >= -2, {y: (-2, -1), S: (3, 5)}),
        ],
    )
    def test_negative_bases(self, relation, box):
        """Once Proved, with a record that replayed: exp(S log y) was taken for y**S below zero."""
        assert refutes(relation, box)

    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            (sp.Abs(x) + sp.Abs(y) >= sp.Abs(x + y), {x: (-oo, oo), y: (-oo, oo)}),
            (sp.Abs(x * y) <= (x**2 + y**2) / 2, {x: (-oo, oo), y: (-oo, oo)}),
            (sp.Max(x, y) >= (x + y) / 2, {x: (-3, 3), y: (-3, 3)}),
            (sp.Max(x, y) + sp.Min(x, y) <= x + y, {x: (-3, 3), y: (-3, 3)}),
            (sp.Max(x, 1 - x) >= HALF, {x: (-3, 3)}),
            (sp.Min(x, y, z) <= (x + y + z) / 3, {x: (0, 1), y: (0, 1), z: (0, 1)}),
            (sp.Abs(x) * sp.exp(-sp.Abs(x)) < sp.Rational(37, 100), {x: (-3, 3)}),
            (sp.Max(0, 1 - x) ** 2 <= 1 + x**2 - 2 * x, {x: (-2, 3)}),
            (sp.Max(0, x - HALF) <= x**2, {x: (0, 1)}),
        ],
    )
    def test_choices(self, relation, box):
        assert proves(relation, box)
        strict = relation.func(relation.lhs, relation.rhs + (-1 if isinstance(relation, sp.Le | sp.Lt) else 1))
        assert refutes(strict, box)

    @pytest.mark.parametrize(
        ("relation", "box", "hypotheses"),
        [
            (x >= 0, {x: (-2, 2)}, (sp.Max(5, sp.log(x)) >= 4,)),
            (sp.Max(1, sp.sqrt(x)) <= 1, {x: (-2, HALF)}, ()),
            (sp.Min(1, sp.sqrt(x)) >= 1, {x: (-2, -1)}, ()),
            (sp.Max(0, sp.log(x)) * y <= 9, {x: (-1, -1), y: (-2, 2)}, ()),
        ],
    )
    def test_a_choice_without_a_value_refutes_nothing(self, relation, box, hypotheses):
        """Sympy raises on Max of a complex number; once this left certify as a traceback."""
        assert not isinstance(certify(relation, box, hypotheses, budget_s=2), Refuted)

    def test_hinge_loss_slopes(self):
        """The slope of a choice is enclosed over its kink: [0, 1] for max(x, 0), [-1, 1] for |x|."""
        bumps = sp.Max(0, 1 - x) * sp.exp(x / 3) + sp.Abs(x - 2) * sp.sin(x) ** 2
        assert proves(bumps > sp.Rational(-1, 100), {x: (-2, 4)})
        assert refutes(bumps > sp.Rational(1, 2), {x: (-2, 4)})


LOGITS, TEMPERATURE = sp.symbols("l1:5", real=True), sp.Symbol("T", positive=True)
SHARE = 1 / (1 + sum(sp.exp((logit - LOGITS[0]) / TEMPERATURE) for logit in LOGITS[1:]))


class TestFiveDimensions:
    """Softmax over four logits, with a temperature: a lemma and its falsehood in five variables at once."""

    space = dict.fromkeys(LOGITS, (-3, 3)) | {TEMPERATURE: (1, 4)}

    def test_share_is_at_least_that_of_the_worst_corner(self):
        least = 1 / (1 + 3 * sp.exp(6))
        assert proves(sp.Ge(SHARE, least), self.space)
        assert refutes(sp.Ge(SHARE, least * sp.Rational(101, 100)), self.space)

    def test_the_largest_logit_has_the_largest_share(self):
        first, *others = LOGITS
        hypotheses, quarter = tuple(first >= other for other in others), sp.Rational(1, 4)
        assert proves(sp.Ge(SHARE, quarter), self.space, hypotheses)
        assert refutes(sp.Gt(SHARE, quarter), self.space, hypotheses)
        assert refutes(sp.Ge(SHARE, quarter), self.space, hypotheses[1:])

    def test_products_and_exponentials(self):
        a, b, c, d, e = symbols = sp.symbols("a b c d e", real=True)
        box, mean = dict.fromkeys(symbols, (0, 2)), sum(symbols) / 5
        product = (1 + a * b) * (1 + c * d) * (1 + e)
        assert proves(product >= 1 + a * b * c * d * e, box)
        assert refutes(product >= 1 + 3 * a * b * c * d * e, box)
        assert proves(sp.exp(-mean) + mean >= 1, box)
        assert refutes(sp.exp(-mean) + mean > 1, box)
        assert refutes(sp.exp(-mean) + mean >= 1 + mean**2 / 2, box)


class TestLateRungs:
    def test_relations_kept_as_written(self):
        """A relation that sympy could decide alone is still proved from its expression."""
        assert proves(sp.Gt(S / (S + 1) + 1, 0, evaluate=False), {S: (0, oo)})
        assert proves(sp.Lt(S / (S + 1), 1, evaluate=False), {S: (0, oo)})
        assert proves(sp.Gt(S / (S + 1), 0, evaluate=False), {S: (0, oo)})
        assert refutes(sp.Gt(x / (x + 1), 0), {x: (0, oo)})

    def test_relations_decided_by_sympy(self):
        assert proves(sp.true, {x: (0, 1)})
        assert isinstance(certify(sp.false, {x: (0, 1)}, (x >= HALF,)), Refuted)


class TestIdentity:
    def test_true(self):
        assert proves(sp.Eq((x + y) ** 2, x**2 + 2 * x * y + y**2), {x: (-1, 1), y: (0, 1)})
        assert proves(sp.Eq(sp.exp(x + y) / sp.exp(x), sp.exp(y)), {x: (-1, 1), y: (0, 1)})
        assert proves(sp.Eq(sp.tanh(x), 1 - 2 / (sp.exp(2 * x) + 1)), {x: (-1, 1)})

    def test_false(self):
        assert refutes(sp.Eq((x + y) ** 2, x**2 + x * y + y**2), {x: (-1, 1), y: (0, 1)})


SMALL = st.fractions(-3, 3, max_denominator=4)


def rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


@st.composite
def boxes(draw):
    ends = {}
    for symbol in (x, y):
        low, width = draw(SMALL), draw(st.fractions(0, 4, max_denominator=4))
        ends[symbol] = (rational(low), rational(low + width))
    return ends


@st.composite
def polynomials(draw):
    """A random polynomial of degree at most two in each of x and y, perhaps with exp(x) for x."""
    coefficients = draw(st.lists(SMALL, min_size=4, max_size=4))
    monomials = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=4, max_size=4))
    base = draw(st.sampled_from([x, sp.exp(x)]))
    return sum((rational(a) * base**i * y**j for a, (i, j) in zip(coefficients, monomials, strict=True)), sp.S.Zero)


@st.composite
def points_of(draw, box):
    shares = draw(st.tuples(*[st.fractions(0, 1, max_denominator=8)] * len(box)))
    return {
        s: low + rational(share) * (high - low) for (s, (low, high)), share in zip(box.items(), shares, strict=True)
    }


class TestSoundness:
    """Random statements whose truth is known by construction."""

    @settings(deadline=None, derandomize=True, max_examples=8)
    @given(polynomials(), polynomials(), boxes())
    def test_squares_are_never_refuted(self, p, q, box):
        value = p**2 + sp.expand(q**2) + HALF
        assert not isinstance(certify(sp.Gt(value, 0, evaluate=False), box, budget_s=0.1), Refuted)
        assert not isinstance(certify(sp.Ge(p**2 / value, 0, evaluate=False), box, budget_s=0.1), Refuted)

    @settings(deadline=None, derandomize=True, max_examples=25)
    @given(polynomials(), boxes(), st.data())
    def test_what_dips_below_zero_is_never_proved(self, p, box, data):
        """The value p - p(point) - 1/16 is negative at the point."""
        point = data.draw(points_of(box))
        dipped = sp.expand(p - p.subs(point)) - sp.Rational(1, 16)
        assert not isinstance(certify(sp.Ge(dipped, 0, evaluate=False), box, budget_s=1), Proved)

    @settings(deadline=None, derandomize=True, max_examples=15)
    @given(polynomials(), polynomials(), boxes(), st.data())
    def test_quotients_that_dip_are_never_proved(self, p, q, box, data):
        """Signs of denominators, poles included, do not fool the prover."""
        point = data.draw(points_of(box))
        below = q.subs(point)
        assume(below != 0)
        value = p / q - p.subs(point) / below - sp.Rational(1, 16)
        assert not isinstance(certify(sp.Gt(value, 0, evaluate=False), box, budget_s=1), Proved)

    @settings(deadline=None, derandomize=True, max_examples=15)
    @given(polynomials(), boxes(), st.data())
    def test_hypotheses_that_the_point_meets_do_not_help(self, p, box, data):
        point = data.draw(points_of(box))
        dipped = sp.expand(p - p.subs(point)) - sp.Rational(1, 16)
        hypotheses = (x + y >= sum(point.values()), x - y <= point[x] - point[y])
        assert not isinstance(certify(sp.Ge(dipped, 0, evaluate=False), box, hypotheses, budget_s=1), Proved)

    @settings(deadline=None, derandomize=True, max_examples=20)
    @given(polynomials(), boxes())
    def test_answers_replay(self, p, box):
        answer = certify(sp.Ge(p, 0, evaluate=False), box, budget_s=1)
        assert isinstance(answer, Unknown) or replay(json.loads(json.dumps(answer.record)))

    def test_the_same_question_has_the_same_answer(self):
        first, second = (certify(LAMBDA > HALF, BOX) for _ in range(2))
        assert first.counterexample == second.counterexample


class TestChoicesAtAPoint:
    """Enclosures show which argument a choice takes, and then its value is as exact as that argument."""

    @pytest.mark.parametrize(
        ("relation", "given"),
        [
            (x > sp.Rational(3, 2), sp.Ge(sp.Min(x, sp.cosh(HALF)), 1, evaluate=False)),
            (x < HALF, sp.Le(sp.Max(x, sp.exp(-1)), 1, evaluate=False)),
            (x + sp.Heaviside(x * sp.cosh(HALF) - sp.cosh(HALF) / 2) > 2, x >= 1),
            (x > 1, sp.Ge(-sp.sign(-x * sp.exp(HALF)), 1, evaluate=False)),
        ],
    )
    def test_refutes_at_equality(self, relation, given):
        answer = certify(relation, {x: (-1, 3)}, (given,), budget_s=5)
        assert isinstance(answer, Refuted), answer

    @pytest.mark.parametrize(
        "relation",
        [
            sp.Eq(sp.Max(x, sp.cosh(HALF)), x, evaluate=False),
            sp.Eq(sp.Abs(x - sp.cosh(HALF)), x - sp.cosh(HALF), evaluate=False),
            sp.Eq(sp.Abs(x - 2), x - 2, evaluate=False),
            sp.Gt(sp.Max(x, x**2, sp.exp(-1)), sp.Max(1, sp.exp(-1)), evaluate=False),
        ],
    )
    def test_takes_the_right_one(self, relation):
        assert isinstance(certify(relation, {x: (0, 1)}, budget_s=5), Refuted)


class TestBudget:
    HARD = x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2 >= x**4 * (y**2 + z**2) + y**4 * (x**2 + z**2) + z**4 * (
        x**2 + y**2
    )  # Robinson's polynomial: no sum of squares, and not below by weighted means

    def test_nothing_is_guessed_when_time_is_up(self):
        box = dict.fromkeys((x, y, z), (-2, 2))
        answer = certify(self.HARD, box, budget_s=0.3)
        assert isinstance(answer, Unknown)
        assert answer.remaining
        assert answer.reason

    def test_outside_the_main_thread(self):
        answers = []
        thread = threading.Thread(target=lambda: answers.append(certify(x * (1 - x) >= 0, {x: (0, 1)})))
        thread.start()
        thread.join()
        assert isinstance(answers[0], Proved)


class TestInput:
    def test_one_symbol_of_each_name(self):
        other = sp.Symbol("x", positive=True)
        with pytest.raises(ValueError, match="box must have one symbol of each name, got two for x"):
            certify(x * other >= 0, {x: (-1, 1), other: (1, 2)})

    def test_a_function_that_floats_lack(self):
        integral = sp.Integral(sp.exp(x * y), (y, 0, 1))
        assert isinstance(certify(integral >= 0, {x: (0, 1), y: (0, 1)}, budget_s=1), Unknown)

    @pytest.mark.parametrize(
        ("relation", "box", "hypotheses", "message"),
        [
            (x > 0, {x: (1, 0)}, (), "low <= high"),
            (x + y > 0, {x: (0, 1)}, (), "every symbol"),
            (x > 0, {x: (0, 1)}, (y > 0,), "every symbol"),
            (x > 0, {x: (0, sp.sqrt(2))}, (), "rational or infinite"),
            (x > 0, {x: (0, 0.5)}, (), "rational or infinite"),
            (x > 0, {x: (oo, oo)}, (), "low <= high"),
            (x > 0.5, {x: (0, 1)}, (), "exact"),
            (sp.Ne(x, 0), {x: (0, 1)}, (), "relation must be"),
            (sp.And(x > 0, x < 1), {x: (0, 1)}, (), "relation must be"),
            (x > 0, {x: (0, 1)}, (sp.Ne(x, 1),), "given must be"),
            (S + x > 0, {S: (-1, 1), x: (0, 1)}, (), "assumptions on S"),
        ],
    )
    def test_is_refused_in_one_line(self, relation, box, hypotheses, message):
        with pytest.raises(ValueError, match=message):
            certify(relation, box, hypotheses)

    def test_budget(self):
        with pytest.raises(ValueError, match="budget_s must be > 0, got 0"):
            certify(x > 0, {x: (0, 1)}, budget_s=0)


def test_a_search_that_takes_longer_than_it_is_reckoned_ends_with_its_budget() -> None:
    """It reckons nothing: the seconds that it computes end it, and no more than were asked for."""

    def search(budget_s: float) -> Unknown:
        assert budget_s == 1
        while True:
            pass

    left_open = partial(Unknown, ())
    answer = certification.within_budget(1.0, lambda reason: left_open(reason, 0.0), search, is_reckoned=True)
    assert isinstance(answer, Unknown)
    assert answer.seconds < 1.3
    assert "budget of 1 s is spent" in answer.reason
