"""Orders and limits that are known by construction or by hand: found exactly or refused by name, never wrong."""

import mpmath
import pytest
import sympy as sp

from tests.theory.asymptotics import orders
from theory.asymptotics import cross_check as witness
from theory.asymptotics import exponents as asymptotics
from theory.asymptotics import fixed_order, zeros
from theory.asymptotics.cross_check import NumericFinding
from theory.asymptotics.exponents import Undetermined, WitnessDisagreement, exponent, leading_order, limit, log_degree
from theory.intervals import balls

n, c, p = sp.symbols("n c p", positive=True)
x = sp.Symbol("x", real=True)
k = sp.Symbol("k", integer=True, positive=True)
ACOS = sp.acos(sp.Rational(7823207, 7823209))
HALF = sp.Rational(1, 2)
ASCENDING = fixed_order._ascending
DRAWN, SEED, DEPTHS = 200, 20230501, (1, 1, 1, 2)


class TestByConstruction:
    def test_no_order_is_wrong_and_most_are_exact(self):
        """The longer search is `python -m tests.theory.asymptotics.orders 5000`."""
        said = []
        for number, piece in enumerate(orders.drawn(DRAWN, SEED, DEPTHS)):
            way = ("infinity", "zero", "one")[number % 3]
            said.append((orders.judged(piece, way=way), way, piece))
            if number % 2:
                said.append((orders.limit_judged(piece), "limit", piece))
        assert [each for each in said if each[0] not in ("exact", "refused")] == []
        assert sum(each[0] == "exact" for each in said) > 0.85 * len(said)

    def test_every_rule_alone(self):
        """Each table entry on a plain power; a small or large argument hides nothing behind another piece."""
        small, large = orders.Piece(2 / n, sp.Integer(2), sp.Integer(-1)), orders.Piece(3 * n, sp.Integer(3), sp.S.One)
        pieces = [small.mapped(f(small.expression), sp.sympify(a), sp.sympify(b)) for f, a, b in orders.SMALL]
        pieces += [large.mapped(f(large.expression), sp.sympify(a), sp.sympify(b)) for f, a, b in orders.LARGE]
        said = [(orders.judged(piece, way="infinity"), piece.expression) for piece in pieces]
        assert [each for each in said if each[0] != "exact"] == []


class TestByHand:
    @pytest.mark.parametrize(
        ("expression", "power", "logs"),
        [
            (sp.gamma(1 / n), 1, 0),
            (sp.gamma(-3 + 1 / n), 1, 0),
            (sp.gamma(c + 1 / n), 0, 0),
            (sp.gamma(n + c) / sp.gamma(n), c, 0),
            (sp.loggamma(1 / n), 0, 1),
            (sp.loggamma(n) / n, 0, 1),
            (sp.digamma(1 / n**2), 2, 0),
            (sp.polygamma(1, -1 + 1 / n), 2, 0),
            (sp.zeta(1 + 1 / n), 1, 0),
            (sp.zeta(1 + 1 / n) - n, 0, 0),
            (sp.asin(1 - 1 / n) - sp.pi / 2, -HALF, 0),
            (sp.acos(1 - 1 / n**2), -1, 0),
            (sp.acos(-1 + 1 / n) - sp.pi, -HALF, 0),
            (sp.atanh(1 - 1 / n), 0, 1),
            (sp.acosh(1 + 1 / n), -HALF, 0),
            (sp.acosh(n), 0, 1),
            (sp.asech(1 / n), 0, 1),
            (sp.ceiling(1 / n), 0, 0),
            (sp.floor(2 - 1 / n), 0, 0),
            (sp.floor(n) / n, 0, 0),
            (sp.frac(-1 / n), 0, 0),
            (sp.frac(1 / n), -1, 0),
            (sp.Mod(n + 1 / n, 1) + n, 1, 0),
            (sp.sign(1 / n - 1), 0, 0),
            (sp.Heaviside(1 / n), 0, 0),
            (sp.Abs(1 / n - 1) - 1, -1, 0),
            (sp.Max(1 / n, 1 / n**2), -1, 0),
            (sp.Min(n, n**c / n ** (c + 1)), -1, 0),
            (sp.Piecewise((n, n < 100), (n**2, True)), 2, 0),
            (sp.log(1 / n), 0, 1),
            (sp.log(1 + 1 / n), -1, 0),
            (sp.sqrt(1 / n) / n, -sp.Rational(3, 2), 0),
            (sp.tan(sp.pi / 2 - 1 / n), 1, 0),
            (sp.cot(1 / n), 1, 0),
            (sp.sec(sp.pi / 2 + 1 / n), 1, 0),
            (sp.LambertW(-sp.exp(-1) + 1 / n) + 1, -HALF, 0),
            (sp.LambertW(n), 0, 1),
            (sp.LambertW(n) - sp.log(n), 0, 0),
            (sp.erfc(sp.sqrt(sp.log(n))), -1, -HALF),
            (1 - sp.erf(sp.sqrt(2 * sp.log(n))), -2, -HALF),
            (sp.li(n), 1, -1),
            (sp.Ei(1 / n), 0, 1),
            (sp.Ei(sp.log(n)), 1, -1),
            (sp.Ci(1 / n), 0, 1),
            (sp.binomial(n, 4), 4, 0),
            (sp.binomial(2 * n, n) / 4**n, -HALF, 0),
            (sp.log(sp.factorial(n)), 1, 1),
            (sp.harmonic(n) - sp.log(n) - sp.EulerGamma, -1, 0),
            (sp.exp(sp.exp(-n)) + 1 / n, 0, 0),
            (sp.exp(n + sp.exp(-n)) - sp.exp(n) - 1 + 1 / n, -1, 0),
            (n + sp.sin(n), 1, 0),
            (n**2 + n * sp.cos(n) ** 3, 2, 0),
            (sp.Max(n, sp.sin(n)), 1, 0),
            (ACOS * n + 1 / n, 1, 0),
            ((sp.sqrt(2) + sp.sqrt(3) - sp.sqrt(5 + 2 * sp.sqrt(6))) * n + 1 / n, -1, 0),
            ((sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1) * n + 1, 0, 0),
            ((sp.log(6) - sp.log(2) - sp.log(3)) * n + 1, 0, 0),
            ((sp.Rational(1, 10**60) * n + 1) / n, 0, 0),
            (n**c * sp.log(n) ** p, c, p),
            (sp.coth(1 / n) - n, -1, 0),
            (1 / (sp.exp(1 / n) - 1) - n, 0, 0),
        ],
        ids=str,
    )
    def test_exact(self, expression, power, logs):
        assert sp.expand(exponent(expression, n) - power) == 0
        assert sp.expand(log_degree(expression, n) - logs) == 0

    @pytest.mark.parametrize(
        ("expression", "words"),
        [
            (sp.sin(n), "oscillates"),
            (sp.sin(n) / n, "oscillates"),
            (sp.frac(n), "oscillates"),
            (sp.tan(n), "oscillates"),
            (n * sp.gamma(-n), "at -oo, among its poles"),
            (sp.log(sp.log(sp.log(sp.log(n)))), "three nested logarithms"),
            (sp.log(-n), "logarithm of a negative quantity"),
            ((1 - n) ** HALF, "below zero"),
            (sp.asin(1 + 1 / n), "no finite real number"),
            (sp.acos(n), "not real"),
            (sp.LambertW(-sp.exp(-1) - 1 / n), "no finite real number"),
            (sp.airyai(n), "no expansion is known"),
            (sp.sqrt(n) * sp.besselj(0, n), "oscillates"),
            (sp.besselj(HALF, -n), "no finite real number|besselj at -oo"),
            (sp.besseli(c, n), "besseli of order c"),
            (sp.bessely(0, -1 - 1 / n), "bessely below zero"),
            (sp.expint(sp.Rational(1, 3), 1 / n), "expint of order 1/3 at 0"),
            (sp.polylog(2, 1 + 1 / n), "below zero|logarithm of a negative quantity"),
            (sp.polylog(2, 2 + 1 / n), "above 1, where it is not real"),
            (sp.polylog(n, HALF), "no expansion is known"),
            (sp.Function("f")(n), "no expansion is known"),
            (sp.gamma(n), "like a power"),
            (sp.exp(-n), "like a power"),
            (sp.exp(sp.sqrt(sp.log(n))), "between powers"),
            (sp.floor(c + 1 / n), "no expansion is known for floor"),
            (n**x + n, "x relative to 1"),
            (sp.Max(n**c, n), "c relative to 1"),
            (sp.I * n, "no finite real number"),
            (n ** sp.Rational(1, 10**6) + sp.log(n) ** 9, "an independent second computation"),
        ],
        ids=str,
    )
    def test_refused_by_name(self, expression, words):
        with pytest.raises(ValueError, match=words):
            exponent(expression, n)


FIXED_ORDERS = [
    (sp.Si(n), sp.oo, sp.pi / 2),
    (sp.Si(-n), sp.oo, -sp.pi / 2),
    (sp.Ci(n), sp.oo, 0),
    (sp.Chi(n) - sp.log(n), 0, sp.EulerGamma),
    (n * sp.exp(-n) * sp.Shi(n), sp.oo, HALF),
    (n**2 * (sp.exp(n) * sp.expint(1, n) - 1 / n), sp.oo, -1),
    (n * sp.exp(n) * sp.expint(c, n), sp.oo, 1),
    (sp.expint(1, n) + sp.log(n), 0, -sp.EulerGamma),
    ((1 - sp.expint(2, n)) / n + sp.log(n), 0, 1 - sp.EulerGamma),
    (sp.besselj(0, n), sp.oo, 0),
    (sp.bessely(HALF, n), sp.oo, 0),
    ((1 - sp.besselj(0, n)) / n**2, 0, sp.Rational(1, 4)),
    (sp.besselj(-HALF, n) * sp.sqrt(n), 0, sp.sqrt(2 / sp.pi)),
    (n * (1 - sp.besseli(1, n) / sp.besseli(0, n)), sp.oo, HALF),
    (n * (sp.besselk(1, n) / sp.besselk(0, n) - 1), sp.oo, HALF),
    (sp.besselk(0, n) + sp.log(n), 0, sp.log(2) - sp.EulerGamma),
    (sp.besselk(2, n) - 2 / n**2, 0, -HALF),
    (sp.besselk(HALF, n) * sp.sqrt(n), 0, sp.sqrt(sp.pi / 2)),
    (sp.bessely(0, n) - 2 / sp.pi * sp.log(n), 0, 2 / sp.pi * (sp.EulerGamma - sp.log(2))),
    (sp.bessely(-1, n) * n, 0, 2 / sp.pi),
    (sp.bessely(sp.Rational(1, 3), n) * sp.cbrt(n), 0, -sp.gamma(sp.Rational(1, 3)) * 2 ** sp.Rational(1, 3) / sp.pi),
    ((sp.besselj(0, 1 + n) - sp.besselj(0, 1)) / n, 0, -sp.besselj(1, 1)),
    ((sp.polylog(2, n) - n) / n**2, 0, sp.Rational(1, 4)),
    ((sp.pi**2 / 6 - sp.polylog(2, 1 - n)) / n + sp.log(n), 0, 1),
    ((sp.polylog(sp.Rational(3, 2), 1 - n) - sp.zeta(sp.Rational(3, 2))) / sp.sqrt(n), 0, -2 * sp.sqrt(sp.pi)),
    (sp.polylog(2, -n) + sp.log(n) ** 2 / 2, sp.oo, -(sp.pi**2) / 6),
    (sp.polylog(3, -n) + sp.log(n) ** 3 / 6 + sp.pi**2 / 6 * sp.log(n), sp.oo, 0),
]
"""Limits of functions of a fixed order (DLMF, chapters 6, 8, 10 and 25)."""


class TestFixedOrders:
    @pytest.mark.parametrize(("expression", "point", "value"), FIXED_ORDERS, ids=str)
    def test_limits_of_handbooks(self, expression, point, value):
        found = limit(expression, n, point)
        assert abs(sp.N(found - value, 30)) < 1e-25

    def test_a_wrong_expansion_is_contradicted(self, monkeypatch):
        monkeypatch.setattr(fixed_order, "_ascending", lambda place, order, turn: ASCENDING(place, order, -turn))
        with pytest.raises(WitnessDisagreement, match="was derived"):
            limit((1 - sp.besselj(0, n)) / n**2, n, 0)


class TestSides:
    @pytest.mark.parametrize(
        ("expression", "point", "words"),
        [
            (1 / x, 0, "oo from above, -oo from below"),
            (sp.sign(x), 0, "1 from above, -1 from below"),
            (sp.floor(x), 2, "2 from above, 1 from below"),
            (sp.atan(1 / x), 0, "pi/2 from above, -pi/2 from below"),
            (sp.exp(1 / x), 0, "oo from above, 0 from below"),
            (sp.tan(x), sp.pi / 2, "-oo from above, oo from below"),
            (sp.gamma(x), -1, "oo from above|-oo from above"),
            (sp.sqrt(x), 0, "from below"),
            (sp.log(x), 0, "from below"),
            (sp.Piecewise((x, x < 1), (x + 1, True)), 1, "2 from above, 1 from below"),
        ],
    )
    def test_two_sides_must_agree(self, expression, point, words):
        with pytest.raises(Undetermined, match=words):
            limit(expression, x, point)

    @pytest.mark.parametrize(
        ("expression", "point", "above", "below"),
        [
            (1 / x, 0, sp.oo, -sp.oo),
            (sp.floor(x), 2, 2, 1),
            (sp.Heaviside(x), 0, 1, 0),
            (sp.exp(1 / x), 0, sp.oo, 0),
            (sp.Abs(x - 1), 1, 0, 0),
            (sp.zeta(x), 1, sp.oo, -sp.oo),
        ],
    )
    def test_one_side_is_asked_for_by_name(self, expression, point, above, below):
        assert limit(expression, x, point, side="above") == above
        assert limit(expression, x, point, side="below") == below

    def test_exponents_have_sides_too(self):
        bent = sp.Max(x, 0) + x**2
        with pytest.raises(Undetermined, match="power 1 from above, 2 from below"):
            exponent(bent, x, toward="zero")
        assert exponent(bent, x, toward="zero", side="above") == 1
        assert exponent(bent, x, toward="zero", side="below") == 2
        assert exponent(sp.acos(x), x, toward=1, side="below") == HALF

    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: limit(n, n, -sp.oo), "symbol must be able to tend to -oo"),
            (lambda: limit(n, n, -1), "symbol must be able to tend to -1"),
            (lambda: limit(1 / k, k, 0), "symbol must be able to tend to 0"),
            (lambda: limit(x, x, 0, side="left"), "side must be 'above' or 'below'"),
            (lambda: limit(n, n, sp.oo, side="above"), "side must be 'above' or 'below' a finite point"),
            (lambda: limit(0.5 * x, x, 0), "no floats"),
        ],
    )
    def test_what_cannot_be_asked(self, call, words):
        with pytest.raises(ValueError, match=words):
            call()

    def test_towers_raise_no_alarm(self):
        assert limit(sp.exp(n + sp.exp(-n)) - sp.exp(n), n, sp.oo) == 1
        with pytest.raises(Undetermined, match="an independent second computation"):
            limit(sp.exp(sp.exp(n)) * (sp.exp(sp.exp(-sp.exp(n))) - 1), n, sp.oo)


class TestZeros:
    NESTED = sp.sqrt(2) + sp.sqrt(3) - sp.sqrt(5 + 2 * sp.sqrt(6))

    @pytest.mark.parametrize(
        "value",
        [
            NESTED,
            sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1,
            sp.log(6) - sp.log(2) - sp.log(3),
            (sp.sqrt(c) + 1) ** 2 - c - 2 * sp.sqrt(c) - 1,
            1 / c + 1 / p - (c + p) / (c * p),
            sp.exp(c) * sp.exp(-c) - 1,
            sp.gamma(c + 1) - c * sp.gamma(c),
        ],
    )
    def test_what_vanishes(self, value):
        assert zeros.is_zero(value)

    @pytest.mark.parametrize(
        "value", [ACOS, NESTED + sp.Rational(1, 10**80), sp.exp(sp.pi * sp.sqrt(163)) - 262537412640768744, c - p]
    )
    def test_what_does_not(self, value):
        assert not zeros.is_zero(value)

    def test_what_neither_witness_settles_is_refused(self):
        with pytest.raises(Undetermined, match="neither an enclosure nor a normal form"):
            zeros.is_zero(4 * sp.atan(sp.Rational(1, 5)) - sp.atan(sp.Rational(1, 239)) - sp.pi / 4)

    def test_signs_of_numbers(self):
        assert zeros.sign(ACOS) == zeros.sign(sp.exp(1) - sp.Rational(27, 10)) == 1
        assert zeros.sign(sp.sqrt(2) - sp.Rational(141421356237309504881, 10**20)) == -1
        assert zeros.sign(self.NESTED) == 0

    def test_answers_do_not_depend_on_what_was_asked_before(self):
        formula, answers = ACOS * n + 1 / n, []
        for before in (lambda: None, lambda: sp.simplify(ACOS), lambda: ACOS.is_zero, lambda: sp.N(ACOS, 2)):
            sp.core.cache.clear_cache()
            before()
            answers.append((exponent(formula, n), limit(formula, n, sp.oo), exponent(ACOS / n + n**-2, n)))
        assert set(answers) == {(1, sp.oo, -1)}


class TestSecondWitness:
    """A neighbour of the truth is told apart, whichever exponent is off."""

    FORMULA = n**2 * sp.log(n) * (1 + 1 / sp.log(n)) + n

    @pytest.mark.parametrize(
        "wrong",
        [
            n**2 * sp.log(n) ** 2,
            n**2,
            n ** sp.Rational(201, 100) * sp.log(n),
            n ** sp.Rational(199, 100) * sp.log(n),
            n**2 * sp.log(n) * sp.log(sp.log(n)),
            sp.Rational(101, 100) * n**2 * sp.log(n),
            -(n**2) * sp.log(n),
        ],
    )
    def test_a_neighbour_is_not_confirmed(self, wrong):
        assert witness.ratio_finding(self.FORMULA, wrong, n, {}) is not NumericFinding.APPROACHED

    def test_the_truth_is(self):
        assert witness.ratio_finding(self.FORMULA, n**2 * sp.log(n), n, {}) is NumericFinding.APPROACHED

    @pytest.mark.parametrize("degree", [-1, 0, 2])
    def test_a_wrong_log_degree_is_never_an_answer(self, monkeypatch, degree):
        derive = asymptotics.Expansion.lead

        def off(expression, at, *, strict):
            coefficient, monomial = derive(expression, at, strict=strict)
            return coefficient, type(monomial)(monomial.growth, monomial.power, sp.Integer(degree))

        monkeypatch.setattr(asymptotics.Expansion, "lead", off)
        with pytest.raises((Undetermined, asymptotics.WitnessDisagreement)):
            leading_order(n * sp.log(n) + 1, n)

    def test_what_cannot_be_evaluated_is_refused(self, monkeypatch):
        monkeypatch.setattr(balls, "ball", lambda *arguments, **options: None)
        with pytest.raises(Undetermined, match="an independent second computation"):
            exponent(n**2 + n, n)

    def test_parameters_are_drawn_within_their_assumptions(self):
        assert leading_order(sp.sqrt(1 - c**2) * n + 1, n).power == 1


class TestPoints:
    @pytest.mark.parametrize(
        ("expression", "expected"),
        [
            (sp.gamma(n), mpmath.gamma),
            (sp.loggamma(n), mpmath.loggamma),
            (sp.digamma(n), mpmath.digamma),
            (sp.polygamma(2, n), lambda v: mpmath.polygamma(2, v)),
            (sp.zeta(n), mpmath.zeta),
            (sp.erf(n), mpmath.erf),
            (sp.erfc(n), mpmath.erfc),
            (sp.erfi(n), mpmath.erfi),
            (sp.Ei(n), mpmath.ei),
            (sp.li(n), mpmath.li),
            (sp.Si(n), mpmath.si),
            (sp.Ci(n), mpmath.ci),
            (sp.LambertW(n), mpmath.lambertw),
            (sp.besselj(1, n), lambda v: mpmath.besselj(1, v)),
            (sp.bessely(HALF, n), lambda v: mpmath.bessely(0.5, v)),
            (sp.besseli(2, n), lambda v: mpmath.besseli(2, v)),
            (sp.besselk(0, n), lambda v: mpmath.besselk(0, v)),
            (sp.expint(2, n), lambda v: mpmath.expint(2, v)),
            (sp.polylog(3, 1 / n), lambda v: mpmath.polylog(3, 1 / v)),
            (sp.harmonic(n), mpmath.harmonic),
            (sp.binomial(7, n), lambda v: mpmath.binomial(7, v)),
            (sp.beta(n, 2), lambda v: mpmath.beta(v, 2)),
            (sp.acosh(n), mpmath.acosh),
            (sp.asec(n), mpmath.asec),
            (sp.floor(n) + sp.ceiling(n), lambda v: mpmath.floor(v) + mpmath.ceil(v)),
            (n ** sp.Rational(2, 3) + sp.cbrt(n), lambda v: mpmath.cbrt(v) ** 2 + mpmath.cbrt(v)),
            (sp.Piecewise((sp.sin(n), n < 3), (sp.cos(n), True)), mpmath.sin),
        ],
    )
    def test_values_are_those_of_another_library(self, expression, expected):
        found = balls.ball(expression, {n: sp.Rational(9, 4)}, bits=128)
        assert float(found) == pytest.approx(float(mpmath.re(expected(mpmath.mpf(9) / 4))), rel=1e-13)

    @pytest.mark.parametrize(
        "expression",
        [sp.log(x), sp.sqrt(x), sp.gamma(x), 1 / (x + 1), sp.asin(2 * x), sp.loggamma(x), x ** sp.Rational(1, 3)],
    )
    def test_what_is_not_real_has_no_value(self, expression):
        assert balls.ball(expression, {x: sp.S.NegativeOne}, bits=128) is None
