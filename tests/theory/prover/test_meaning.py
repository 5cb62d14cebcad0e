"""What a statement means: where it speaks, where it has a value, and what may be asked at all."""

import json
import random
import subprocess
import sys

import mpmath
import pytest
import sympy as sp

from theory.checker.replay import replay
from theory.prover.certify import NotDefined, Proved, Refuted, Unknown, certify
from theory.prover.expressions.normal_form import is_zero
from theory.prover.expressions.points import displayed, evaluate, sign
from theory.prover.expressions.values import UndefinedValue as NoValue
from theory.relations import above, at_least, at_most, below

x, y, z = sp.symbols("x y z", real=True)
S, T = sp.symbols("S T", positive=True)
NEGATIVE = sp.Symbol("m", negative=True)
k = sp.Symbol("k", integer=True)
oo, HALF, THIRD = sp.oo, sp.Rational(1, 2), sp.Rational(1, 3)
LINE = (-oo, oo)


def equal(left, right):
    return sp.Eq(left, right, evaluate=False)


def shown(answer):
    """What the checker reads in the record of an answer."""
    return replay(json.loads(json.dumps(answer.record)))


class TestDefined:
    """A proof covers every point of the range; one without a value is named."""

    @pytest.mark.parametrize(
        ("relation", "box", "hypotheses"),
        [
            (at_most(sp.cos(sp.sqrt(x)), 1), {x: (0, 9)}, ()),
            (at_least(sp.sqrt(x), -1), {x: (-1, 1)}, (x >= 0,)),
            (above(1 / (x - y), 0), {x: (0, 5), y: (0, 5)}, (x > y,)),
            (below(1 / (x - y), 0), {x: (0, 5), y: (0, 5)}, (x < y,)),
            (above(1 / (1 + 1 / x), 0), {x: (1, 2)}, ()),
            (at_most(sp.log(S), S), {S: (0, 10)}, ()),
            (above(1 / S**2 + 1, 0), {S: (0, 1)}, ()),
            (above(x**y, 0), {x: (1, 2), y: (-1, 1)}, ()),
            (at_least(x**y, 0), {x: (0, 2), y: (1, 2)}, ()),
            (at_least(sp.acos(x) + sp.pi, 0), {x: (-1, 1)}, ()),
            (at_least(1 / (x**2 + y**2 + 1), 0), {x: LINE, y: LINE}, ()),
            (equal(x / x**2, 1 / x), {x: (1, 2)}, ()),
            (equal(1 / (S - T) + 1 / (T - S), 0), {S: (0, 1), T: (0, 1)}, (S > T,)),
        ],
    )
    def test_proved(self, relation, box, hypotheses):
        answer = certify(relation, box, hypotheses, budget_s=20)
        assert isinstance(answer, Proved), answer
        assert shown(answer) == "proved"
        assert not answer.vacuous

    @pytest.mark.parametrize(
        ("relation", "box", "hypotheses", "subterm"),
        [
            (at_most(sp.cos(sp.sqrt(x)), 1), {x: (-9, 9)}, (), sp.sqrt(x)),
            (above(1 / (1 + 1 / x), 0), {x: (0, 1)}, (), 1 / x),
            (above(1 / (x - THIRD) ** 2, 0), {x: (0, 5)}, (), (x - THIRD) ** -2),
            (above(1 / (x - y), 0), {x: (0, 5), y: (0, 5)}, (x >= y,), 1 / (x - y)),
            (above(x**2 + sp.log(x) ** 2, -1), {x: (0, 5)}, (), sp.log(x)),
            (at_least(sp.acos(x), 0), {x: (-3, 1)}, (), sp.acos(x)),
            (equal(1 / (1 / x), x), {x: (-1, 1)}, (), None),
            (equal(sp.exp(sp.log(x + 1)) - x, 1), {x: (-2, 1)}, (), None),
            (equal(1 / (x - 1) - 1 / (x - 1), 0), {x: (0, 2)}, (), None),
            (at_least(sp.sqrt(x) ** 3 + x**2, 0), {x: (-1, 1)}, (), None),
            (at_least(sp.gamma(x) ** 2, 0), {x: (-2, 1)}, (), sp.gamma(x)),
        ],
    )
    def test_undefined_points_are_named(self, relation, box, hypotheses, subterm):
        """Where sympy has not cancelled the subterm; then nothing is left to be undefined."""
        answer = certify(relation, box, hypotheses, budget_s=20)
        if subterm is None and not relation.atoms(sp.Pow, sp.log) - {p for p in relation.atoms(sp.Pow) if p.exp == 2}:
            assert isinstance(answer, Proved)
            return
        assert isinstance(answer, NotDefined), answer
        assert answer.reason.startswith("undefined at ")
        assert subterm in (None, answer.subterm)
        with pytest.raises(NoValue):
            evaluate(answer.subterm, answer.point)

    def test_a_false_statement_is_refuted_where_it_has_a_value(self):
        answer = certify(at_least(sp.log(x), 0), {x: (-3, 3)})
        assert isinstance(answer, Refuted)
        assert 0 < answer.counterexample[x] < 1

    @pytest.mark.parametrize("infinite", [sp.zoo, sp.zoo * x, sp.nan])
    def test_infinities_are_no_values(self, infinite):
        answer = certify(at_least(infinite, x), {x: (1, 2)}, budget_s=5)
        assert isinstance(answer, NotDefined)

    def test_a_pole_at_an_irrational_point_is_unknown(self):
        answer = certify(above(1 / (x**2 - 2) ** 2, 0), {x: (0, 5)}, budget_s=5)
        assert type(answer) is Unknown
        assert "has a real value everywhere is not proved" in answer.reason


class TestAssumptions:
    """What a symbol's assumptions exclude is no part of the range, whoever evaluated the relation."""

    @pytest.mark.parametrize("keep", [above, sp.Gt])
    def test_a_positive_symbol_is_never_zero(self, keep):
        assert isinstance(certify(keep(S, 0), {S: (0, 1)}), Proved)
        assert isinstance(certify(keep(S, 0), {S: (0, oo)}), Proved)
        assert isinstance(certify(keep(S, HALF), {S: (0, 1)}), Refuted)

    @pytest.mark.parametrize("keep", [below, sp.Lt])
    def test_a_negative_symbol_is_never_zero(self, keep):
        assert isinstance(certify(keep(NEGATIVE, 0), {NEGATIVE: (-1, 0)}), Proved)
        assert isinstance(certify(keep(NEGATIVE, 0), {NEGATIVE: (-oo, 0)}), Proved)

    def test_counterexamples_meet_all_assumptions(self):
        answer = certify(sp.false, {S: (0, 1)})
        assert isinstance(answer, Refuted)
        assert answer.counterexample[S] > 0
        prime = sp.Symbol("p", prime=True)
        answer = certify(above(prime, 7), {prime: (4, 9)})
        assert isinstance(answer, Refuted)
        assert answer.counterexample[prime] in (5, 7)

    def test_a_search_that_ends_on_an_excluded_end_steps_back(self):
        answer = certify(above(S, sp.Rational(1, 10**5)), {S: (0, 1)})
        assert isinstance(answer, Refuted)

    @pytest.mark.parametrize(
        "name",
        ["nonzero", "composite", "imaginary", "infinite", "irrational", "transcendental", "rational", "noninteger"],
    )
    def test_others_are_refused_by_name(self, name):
        symbol = sp.Symbol("s", **{name: True})
        with pytest.raises(ValueError, match=f"assumptions on s must be among .*, got {name} = True"):
            certify(above(symbol, -1), {symbol: (1, 2)})

    def test_a_box_without_an_admitted_value_is_refused(self):
        with pytest.raises(ValueError, match="must contain a value that the assumptions on S admit"):
            certify(above(S, 0), {S: (0, 0)})


class TestGivens:
    @pytest.mark.parametrize(
        ("relation", "box", "hypotheses"),
        [
            (x > 5, {x: (-1, 1)}, (x > 2,)),
            (x > 5, {x: LINE}, (x > 2, x < 1)),
            (x > y, {x: LINE, y: LINE}, (x < y, y <= x)),
            (at_least(sp.sqrt(x), 5), {x: LINE}, (x > 2, x < 1)),
            (equal(x, 3), {x: LINE}, (x**2 < 0,)),
            (x > 5, {x: (-1, 1)}, (sp.false,)),
            (above(k, 100), {k: (THIRD, HALF)}, ()),
            # Enclosures alone do not tell that a given has no value on a piece where the other one holds.
            (at_least(x**2, 0), {x: (-9, 9), y: (-9, 9)}, (sp.asin(x) <= 9, x > 1)),
        ],
    )
    def test_contradictory_ones_prove_nothing_but_vacuously(self, relation, box, hypotheses):
        answer = certify(relation, box, hypotheses, budget_s=10)
        assert isinstance(answer, Proved), answer
        assert answer.vacuous
        assert shown(answer) == "vacuous"

    def test_one_that_is_true_is_none(self):
        assert isinstance(certify(x > 0, {x: (-1, 1)}, (sp.true,)), Refuted)
        answer = certify(above(1 / (x - 1), 0), {x: (0, 2), y: (0, 1)}, (sp.true, x > 1, y > HALF))
        assert isinstance(answer, Proved)
        assert not answer.vacuous

    def test_one_without_a_value_is_not_true(self):
        """The range of the statement ends where a given has no value."""
        assert not isinstance(certify(x >= 0, {x: (-2, 2)}, (sp.Max(5, sp.log(x)) >= 4,), budget_s=2), Refuted)


class TestZero:
    """No equation rests on sympy's word."""

    def test_small_numbers_are_not_zero(self):
        tiny = sp.acos(sp.Rational(7823207, 7823209))
        answer = certify(equal(x * tiny, 0), {x: (-1, 1)}, budget_s=5)
        assert isinstance(answer, Refuted), answer

    def test_a_rule_that_holds_for_most_integers_is_none(self):
        assert not isinstance(certify(equal(sp.binomial(k, k - 1), k), {k: (-3, 3)}, budget_s=5), Proved)

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ((x + y) ** 2, x**2 + 2 * x * y + y**2),
            (sp.tanh(x), 1 - 2 / (sp.exp(2 * x) + 1)),
            (sp.sin(2 * x), 2 * sp.sin(x) * sp.cos(x)),
            (sp.sqrt(x + 1) ** 3 * sp.sqrt(x + 1), (x + 1) ** 2),
            (1 / sp.sqrt(1 + x), sp.sqrt(1 + x) / (1 + x)),
            (sp.log(6 * S), sp.log(2) + sp.log(3) + sp.log(S)),
            ((2 * S) ** y, 2**y * S**y),
            ((-1) ** (2 * k + 1), -1),
            (sp.Abs(x) ** 2 / x, x),
            (sp.Max(x, y) + sp.Min(x, y), x + y),
            (sp.sqrt(S / (1 + S)), sp.sqrt(S) / sp.sqrt(1 + S)),
            (sp.exp((x - y) / T) * sp.exp(y / T), sp.exp(x / T)),
            (sp.log(sp.exp(S) / (1 + S)), S - sp.log(1 + S)),
        ],
    )
    def test_normal_forms_show_identities(self, left, right):
        assert is_zero(left - right)
        assert not is_zero(left - right + sp.Rational(1, 10**30))

    @pytest.mark.parametrize(
        "expression",
        [sp.Abs(x) - x, (-1) ** k - 1, sp.sqrt(-x) - sp.sqrt(x), sp.sqrt((x - 1) ** 2) - x + 1, 1 / x],
    )
    def test_what_is_zero_at_some_points_only_is_not_shown(self, expression):
        assert not is_zero(expression)

    def test_what_the_normal_form_calls_zero_is_zero_at_random_points(self):
        """Sums of random products in two writings; the oracle is mpmath."""
        generator = random.Random(20221005)
        atoms = [x, y, S, sp.exp(x), sp.sqrt(S), sp.sqrt(1 + S), sp.log(S), sp.sin(x), 1 / S, sp.Abs(x), 2**x]
        zeros = 0
        for _ in range(150):
            a, b, c = (generator.choice(atoms) + generator.randint(-2, 2) * generator.choice(atoms) for _ in range(3))
            twist = generator.choice([0, 0, generator.choice(atoms) - generator.choice(atoms)])
            expression = (a + b) * c - sp.expand(a * c) - sp.expand(b * c) + twist
            if not is_zero(expression):
                assert twist != 0
                continue
            zeros += 1
            for point in ({x: 0.7, y: -1.3, S: 2.1}, {x: -0.4, y: 0.9, S: 0.3}):
                assert abs(sp.N(expression.subs(point), 30)) < 1e-9, expression
        assert zeros >= 60


class TestPoints:
    @pytest.mark.parametrize(
        ("expression", "at"),
        [
            (1 / (1 + 1 / x), 0),
            (0 * y + 1 / x, 0),
            (sp.sqrt(x) * sp.sqrt(x - 1), -1),
            (sp.exp(-1 / x), 0),
            (sp.atan(1 / x), 0),
            (x**x, -HALF),
            ((x - 1) ** (-HALF), 1),
            (sp.log(x**2), 0),
            (sp.tan(sp.pi * x), HALF),
            (sp.gamma(x), -2),
            (sp.factorial(x), -1),
            (sp.atanh(x), 1),
        ],
    )
    def test_an_undefined_subterm_ends_the_walk(self, expression, at):
        with pytest.raises(NoValue):
            evaluate(expression, {x: sp.sympify(at)})

    def test_values_are_exact_where_they_can_be(self):
        assert evaluate(sp.exp(x) + sp.sqrt(4 + x) + sp.cos(sp.pi * x) + sp.gamma(x + 5), {x: sp.S.Zero}) == 28
        assert sign(sp.exp(x), sp.exp(y), {x: HALF, y: HALF}) == 0
        assert sign(1 / (1 + sp.exp(x)), 1 / (1 + sp.exp(y)), {x: sp.Integer(10**15), y: sp.Integer(10**15)}) == 0
        assert sign(sp.pi, sp.Rational(355, 113), {}) == -1

    def test_what_is_shown_is_short(self):
        assert displayed(x, sp.S.Zero, {x: THIRD}) == THIRD
        assert len(str(displayed(sp.exp(sp.exp(x)), sp.S.Zero, {x: sp.Integer(30)}))) < 60


DOMAINS = [
    (sp.sqrt, lambda v: v >= 0),
    (sp.log, lambda v: v > 0),
    (lambda e: 1 / e, lambda v: v != 0),
    (lambda e: e ** sp.Rational(-1, 2), lambda v: v > 0),
    (sp.acos, lambda v: abs(v) <= 1),
    (lambda e: sp.exp(-1 / e), lambda v: v != 0),
]


def drawn(generator):
    """A statement that is true wherever it has a value, and the inner expression and test of its one condition."""
    function, is_inside = generator.choice(DOMAINS)
    slope, shift = generator.choice([-2, -1, 1, 2]), sp.Rational(generator.randint(-4, 4), 2)
    inner = generator.choice([slope * x + shift, x**2 + slope * x + shift, slope * x + y + shift])
    return at_least(sp.tanh(function(inner)), -2), inner, is_inside


def test_definedness_agrees_with_a_walk_in_mpmath():
    """Roots, logarithms and quotients on boxes that cross the border of their domain, or do not."""
    generator, seen = random.Random(20230501), {"proved": 0, "undefined": 0}
    for _ in range(120):
        relation, inner, is_inside = drawn(generator)
        low = {s: sp.Rational(generator.randint(-6, 4), 2) for s in (x, y)}
        box = {s: (low[s], low[s] + sp.Rational(generator.randint(1, 4), 2)) for s in (x, y)}
        answer = certify(relation, box, budget_s=3)
        steps = [[a + (b - a) * sp.Rational(i, 8) for i in range(9)] for a, b in (box[x], box[y])]
        values = [inner.subs({x: p, y: q}) for p in steps[0] for q in steps[1]]
        inside = [bool(is_inside(mpmath.mpf(v.p) / v.q)) for v in values]
        assert not isinstance(answer, Refuted), (relation, box)
        if isinstance(answer, Proved):
            assert all(inside), (relation, box)
            seen["proved"] += 1
        if isinstance(answer, NotDefined):
            value = inner.subs(answer.point)
            assert not is_inside(mpmath.mpf(value.p) / value.q), (relation, box)
            seen["undefined"] += 1
        if not all(inside):
            assert isinstance(answer, NotDefined), (relation, box, answer)
    assert min(seen.values()) >= 20, seen


class TestBounds:
    """Input that would keep sympy busy for ever ends with one line."""

    @pytest.mark.parametrize(
        ("number", "message"),
        [
            (sp.Pow(10, 10**9, evaluate=False), "exponents of at most"),
            (sp.Pow(10, sp.Pow(10, 9, evaluate=False), evaluate=False), "at most 13000 bits"),
            (sp.factorial(10**7, evaluate=False), "at most 13000 bits"),
            (sp.Float(2) ** 100_000, "exact"),
            (sp.Integer(2) ** 100_000, "at most 13000 bits"),
            ((x + 1) ** (10**9), "exponents of at most"),
            (sp.Function("f")(x), "known functions"),
        ],
    )
    def test_sizes(self, number, message):
        with pytest.raises(ValueError, match=message) as refusal:
            certify(above(x, number), {x: (0, 1)})
        assert "\n" not in str(refusal.value)
        assert len(str(refusal.value)) < 200

    def test_depth(self):
        deep = x
        for _ in range(2000):
            deep = sp.sin(deep, evaluate=False)
        with pytest.raises(ValueError, match="nested 100 deep"):
            certify(above(deep, 0), {x: (0, 1)})

    @pytest.mark.parametrize("end", ["10**10**10", "1", sp.Float(1), sp.sqrt(2), None, sp.Integer(2) ** 100_000])
    def test_ends(self, end):
        with pytest.raises(ValueError, match="box must have"):
            certify(x > 0, {x: (0, end)})

    def test_text_is_never_read(self):
        with pytest.raises(ValueError, match="relation must be a sympy relation, got str"):
            certify("x > 0", {x: (0, 1)})

    def test_high_powers_are_not_multiplied_out(self):
        assert isinstance(certify((x + y - z) ** 999 + 1 >= 0, dict.fromkeys((x, y, z), (0, 2)), budget_s=10), Refuted)


def test_no_statement_ends_the_process():
    """The C code under sympy's polynomials divided by zero here, and took the interpreter with it."""
    program = (
        "import sympy as sp; from theory.prover.certify import certify; x, y = sp.symbols('x y', real=True);"
        "plane = dict.fromkeys((x, y), (-sp.oo, sp.oo));"
        "print(certify(1/(1+sp.exp(x)) > 1/(1+sp.exp(y)), plane, (x < y,), budget_s=20))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]
    assert "Refuted" not in done.stdout


@pytest.mark.parametrize(
    ("relation", "box"),
    [
        (x**2 + 1 > 0, {x: (0, 1), y: LINE}),
        (above(x, -1), {x: (0, 1), y: LINE, k: LINE}),
        (x * sp.sqrt(x) + 1 > 0, {x: (0, 4), y: LINE}),
        (above(sp.exp(x) * (1 + sp.exp(y)), 0), {x: LINE, y: LINE, z: LINE}),
    ],
)
def test_symbols_without_ends_that_do_not_occur_are_no_obstacle(relation, box):
    answer = certify(relation, box, budget_s=10)
    assert isinstance(answer, Proved), answer


class TestSmallNumbersAndEmptyBoxes:
    """Numbers that balls cannot tell from zero are small, and a box without an admissible value asks nothing."""

    def test_a_power_of_an_undecided_constant_is_not_too_large(self):
        tiny = sp.log(sp.Rational(2**140 + 1, 2**140))
        answer = certify(sp.Lt(-(tiny**3) - tiny, 0, evaluate=False), {sp.Symbol("x"): (-1, 1)})
        assert not isinstance(answer, Refuted)

    @pytest.mark.parametrize("kind", [{"prime": True}, {"even": True, "positive": True}])
    def test_a_box_without_an_admissible_value_is_refused(self, kind):
        k = sp.Symbol("k", integer=True, **kind)
        with pytest.raises(ValueError, match="a value that the assumptions on k admit"):
            certify(sp.Ge(k**2, 5, evaluate=False), {k: (0, 1)})
        assert isinstance(certify(sp.Ge(k, 2, evaluate=False), {k: (2, 9)}), Proved)
