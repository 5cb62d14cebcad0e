"""The steps that move, expand, combine and compare: each takes what it is for, and refuses what is just false."""

import pytest
import sympy as sp
from flint import ctx

from tests.theory.checker.replaying import (
    FIRST,
    INTERVAL,
    ZERO,
    Q,
    accepts,
    exp,
    log,
    n,
    node,
    oo,
    p,
    refuses,
    toward,
    x,
    y,
    z,
)
from theory.checker.enclosure import SymbolRange
from theory.checker.infinity import limit_of
from theory.checker.limits import metered
from theory.checker.parser import read_end, read_symbol
from theory.checker.replay import replay
from theory.prover.certify import NotDefined, Proved, Refuted, certify
from theory.relations import above, at_least, at_most, below


class TestToward:
    STEP = toward(x, 0, 1, INTERVAL, ZERO)

    def test_an_end_decides_and_an_excluded_one_is_strict_by_the_slope(self):
        assert accepts(self.STEP, exp(x) - 1, {x: (0, 1)})
        strict = toward(p, 0, 1, INTERVAL, ZERO, strict=True)
        assert accepts(strict, exp(p) - 1, {p: (0, 1, True)}, strict=True)

    def test_a_strict_bound_needs_the_end_to_be_excluded(self):
        strict = toward(x, 0, 1, INTERVAL, ZERO, strict=True)
        assert refuses(strict, exp(x) - 1, {x: (0, 1)}, strict=True)
        assert refuses(self.STEP, exp(x) - 1, {x: (0, 1)}, strict=True)

    def test_the_other_end_and_a_place_outside_are_refused(self):
        assert refuses(toward(x, 1, 1, INTERVAL, INTERVAL), exp(x) - 2, {x: (0, 1)})
        assert refuses(toward(x, 1, -1, INTERVAL, INTERVAL), exp(x) - 2, {x: (0, 1)})
        assert refuses(toward(x, 2, -1, INTERVAL, INTERVAL), 3 - x - 1, {x: (0, 1)})
        assert refuses(toward(x, Q(1, 2), 1, INTERVAL, INTERVAL), x - Q(1, 4), {x: (0, 1)})

    def test_a_jump_on_the_way_is_refused(self):
        step = toward(x, -1, 1, INTERVAL, INTERVAL)
        assert refuses(step, sp.Heaviside(-x, Q(1, 2)) - Q(1, 2), {x: (-1, 1)})
        assert refuses(step, -1 / x, {x: (-1, 1)})

    def test_a_given_is_kept_only_where_it_holds_at_the_place(self):
        kept = toward(x, 0, 1, INTERVAL, {"by": "infeasible", "given": 0}, keep=[[0, None]])
        assert refuses(kept, x - Q(1, 2), {x: (0, 1)}, given=((x - Q(1, 2), False),))
        free = toward(x, 0, 1, INTERVAL, {"by": "infeasible", "given": 0})
        assert refuses(free, x - Q(1, 2), {x: (0, 1)}, given=((x - Q(1, 2), False),))

    def test_a_given_that_bends_or_jumps_is_not_kept(self):
        for g in (x**2 - Q(1, 4), sp.Abs(x) - Q(1, 2), sp.atan(x) + sp.atan(1 / x)):
            step = toward(x, -1, 1, INTERVAL, INTERVAL, keep=[[0, None]])
            assert refuses(step, x + 1, {x: (-1, 1)}, given=((g, False),))

    def test_a_bound_by_another_symbol_needs_its_side(self):
        step = toward(x, y, 1, INTERVAL, ZERO, side=None)
        assert refuses(step, x - y, {x: (0, 1), y: (0, 1)})
        refs = {"by": "combine", "terms": [[[0], "Integer(1)", None]], "rest": "Integer(0)", "proof": ZERO}
        shown = step | {"side": refs}
        assert accepts(shown, x - y, {x: (0, 1), y: (0, 1)}, given=((x - y, False),))
        assert refuses(shown, x - y, {x: (0, 1), y: (0, 1)}, given=((x - y + 1, False),))

    def test_a_place_outside_the_range_of_a_symbol_is_refused(self):
        assert refuses(toward(x, y, 0, INTERVAL, ZERO), (x - y) ** 2, {x: (0, 1), y: (0, 2)})
        product = {"by": "factor", "parts": [[sp.srepr(x - y), 2, 0, None], ["Integer(2)", 1, 1, INTERVAL]]}
        assert accepts(toward(x, y, 0, product, ZERO), (x - y) ** 2, {x: (0, 1), y: (0, 1)})

    def test_ties_of_many_choices_have_slope_one(self):
        """Three forms of x: the greatest of them has slope 1 and no more."""
        disguised = (x * (sp.cosh(y) ** 2 - sp.sinh(y) ** 2), x * (sp.sin(y) ** 2 + sp.cos(y) ** 2))
        e = Q(6, 5) * x - sp.Max(x, *disguised) - Q(1, 5)
        for by in (INTERVAL, {"by": "restate", "expression": "Rational(3, 10)", "proof": INTERVAL}):
            assert refuses(toward(x, 1, -1, by, INTERVAL), e, {x: (0, 1), y: (0, 1)})


class TestLimit:
    def step(self, s, end, slope=INTERVAL, *, strict=False):
        return {"by": "limit", "symbol": sp.srepr(s), "to": end, "strict": strict, "smooth": [], "slope": slope}

    def test_what_falls_to_zero_is_positive(self):
        assert accepts(self.step(x, "oo", strict=True), exp(-x), {x: (0, oo)}, strict=True)
        assert accepts(self.step(x, "oo"), 1 / x, {x: (1, oo)})
        assert accepts(self.step(x, "-oo"), exp(x), {x: (-oo, 0)})

    def test_what_falls_below_is_refused(self):
        assert refuses(self.step(x, "oo"), 1 / x - Q(1, 10**9), {x: (1, oo)})
        assert refuses(self.step(x, "oo"), 1 / x, {x: (1, 5)})
        assert refuses(self.step(p, "0+"), -1 / p, {p: (0, 1, True)})
        assert refuses(self.step(x, "0+"), x, {x: (0, 1)})

    @pytest.mark.parametrize(
        ("e", "low", "high"),
        [
            (x * exp(-x), 0, 0), (x**5 * exp(-(x**2)), 0, 0), (log(x) / x, 0, 0), (x - log(x), oo, oo),
            (log(x + 1) - log(x), 0, 0), ((3 * x**2 + 1) / (x**2 + x), 3, 3), (sp.atan(x) - sp.pi / 2, 0, 0),
            (exp(x) / x**9, oo, oo), (sp.erfc(x) * exp(x**2), -oo, oo), (x * sp.sin(1 / x), -oo, oo),
            (exp(x) - x, -oo, oo), (y * x, -oo, oo), (sp.cosh(x) * exp(-x), -oo, oo),
        ],
    )  # fmt: skip
    def test_limits_are_what_they_are_or_unknown(self, e, low, high):
        box = {read_symbol(sp.srepr(y)): SymbolRange(read_end("-1"), read_end("1"))}
        with ctx.workprec(128), metered():
            found = limit_of(node(e), read_symbol(sp.srepr(x)), box)
        assert abs(float(found.low) - float(low)) < 1e-9 or float(found.low) == float(low)
        assert abs(float(found.high) - float(high)) < 1e-9 or float(found.high) == float(high)

    def test_a_limit_of_something_positive_may_be_zero(self):
        """exp(-x) is never 0, but its inverse has no bounded limit."""
        with ctx.workprec(128), metered():
            found = limit_of(node(1 / (exp(-x) * (2 + sp.sin(x)))), read_symbol(sp.srepr(x)), {})
        assert not found.is_finite


class TestTaylor:
    def step(self, at=0, order=4, zeros=0, s=x):
        return {"by": "taylor", "symbol": sp.srepr(s), "at": str(at), "order": order, "zeros": zeros}

    def test_an_equality_at_an_end_is_left_behind(self):
        assert accepts(self.step(zeros=2), exp(x) - 1 - x, {x: (0, 1)})
        assert accepts(self.step(zeros=2), exp(x) - 1 - x, {x: (-1, 1)})
        assert accepts(self.step(zeros=1, s=p), 1 - p / 2 - exp(-p), {p: (0, Q(1, 4), True)}, strict=True)

    def test_strict_where_it_vanishes_is_refused(self):
        assert refuses(self.step(zeros=2), exp(x) - 1 - x, {x: (0, 1)}, strict=True)
        assert refuses(self.step(zeros=2, s=p), 1 - p / 2 - exp(-p), {p: (0, Q(1, 4), True)}, strict=True)

    def test_an_odd_zero_inside_is_refused(self):
        assert refuses(self.step(zeros=1), sp.sin(x), {x: (-1, 1)})
        assert refuses(self.step(at=1, zeros=1), x - 1, {x: (0, 1)})
        assert accepts(self.step(at=1, zeros=1), 1 - x, {x: (0, 1)})

    def test_zeros_that_are_none_are_refused(self):
        assert refuses(self.step(zeros=2), exp(x) - 1 - x + Q(1, 10**40), {x: (0, 1)})
        assert refuses(self.step(zeros=2), exp(x) - 1 - x - Q(1, 10**40), {x: (0, 1)})
        assert refuses(self.step(zeros=3), exp(x) - 1 - x, {x: (0, 1)})

    def test_kinks_poles_and_endless_ranges_are_refused(self):
        for e in (sp.Abs(x), sp.Max(x, 0), sp.sqrt(x) + 1, 1 / (2 * x - 1) ** 2, log(x) + 10):
            assert refuses(self.step(order=2), e, {x: (0, 1)})
        assert refuses(self.step(), exp(x), {x: (0, oo)})
        assert refuses(self.step(at=2), exp(x), {x: (0, 1)})


class TestConcave:
    def step(self, low=INTERVAL, high=INTERVAL, loose=None):
        return {"by": "concave", "symbol": sp.srepr(x), "slope": INTERVAL, "low": low, "high": high, "loose": loose}

    def test_the_ends_decide(self):
        assert accepts(self.step(ZERO, ZERO), x * (1 - x), {x: (0, 1)})
        assert accepts(self.step(ZERO, loose="low"), x * (2 - x), {x: (0, 1, True)}, strict=True)

    def test_what_is_convex_or_open_without_reason_is_refused(self):
        assert refuses(self.step(), (x - Q(1, 2)) ** 2 - Q(1, 8), {x: (0, 1)})
        assert refuses(self.step(ZERO, loose="low"), x * (2 - x), {x: (0, 1)}, strict=True)
        assert refuses(self.step(ZERO, ZERO), x * (1 - x), {x: (0, 1, True, True)}, strict=True)
        assert refuses(self.step(), sp.Abs(x) - Q(1, 2), {x: (-1, 1)})
        assert refuses(self.step(), sp.sqrt(x) + 1, {x: (0, 1)})


class TestHypotheses:
    def test_a_given_becomes_an_end(self):
        step = {"by": "narrow", "given": 0, "symbol": sp.srepr(x), "proof": INTERVAL}
        assert accepts(step, x - 1, {x: (0, 5)}, given=((2 * x - 2, False),))
        assert accepts(step, x - 1 + Q(1, 9), {x: (0, 5)}, given=((2 * x - 2, True),), strict=True)
        assert refuses(step, x - 1, {x: (0, 5)}, given=((2 * x - 1, False),))
        assert refuses(step, x - 1, {x: (0, 5)}, given=((x**2 - 1, False),))
        assert refuses(step, 1 - x, {x: (2, 5)}, given=((1 - x, False),))

    def test_what_is_given_may_be_dropped_and_speaks_no_more(self):
        """x >= 0 on [-5, 5] rests on the given x >= 0, and on no other."""
        box, given = {x: (-5, 5), y: (0, 1)}, ((x, False), (y - 2, False))
        assert accepts({"by": "drop", "givens": [1], "proof": FIRST}, x, box, given=given)
        assert refuses({"by": "drop", "givens": [0], "proof": FIRST}, x, box, given=given)
        assert refuses({"by": "drop", "givens": [0, 1], "proof": FIRST}, x, box, given=given)
        contradicts = {"by": "infeasible", "given": 0}
        assert accepts({"by": "drop", "givens": [0], "proof": contradicts}, x, box, given=given)
        assert refuses({"by": "drop", "givens": [1], "proof": contradicts}, x, box, given=given)

    def test_an_equation_is_put_in(self):
        parts = [[sp.srepr(2 * x - 1), 2, 0, None], ["Rational(1, 2)", 1, 1, INTERVAL]]
        step = {"by": "eliminate", "givens": [0, 1], "symbol": sp.srepr(y), "to": sp.srepr(1 - x),
                "proof": {"by": "factor", "parts": parts}}  # fmt: skip
        g = x + y - 1
        box = {x: (0, 1), y: (0, 1)}
        assert accepts(step, x**2 + y**2 - Q(1, 2), box, given=((g, False), (-g, False)))
        for pair in (((g, False), (g, False)), ((g, False), (-g + Q(1, 9), False)), ((g * x, False), (-g * x, False))):
            assert refuses(step, x**2 + y**2 - Q(1, 2), box, given=pair)
        assert refuses(step | {"to": sp.srepr(1 + x)}, x**2 + y**2 - Q(1, 2), box, given=((g, False), (-g, False)))

    def test_a_square_has_one_root_where_the_symbol_is_not_negative(self):
        step = {
            "by": "eliminate",
            "givens": [0, 1],
            "symbol": sp.srepr(y),
            "to": sp.srepr(sp.sqrt(x)),
            "proof": INTERVAL,
        }
        g = y**2 - x
        assert accepts(step, y, {x: (0, 1), y: (0, 1)}, given=((g, False), (-g, False)))
        assert refuses(step, y, {x: (0, 1), y: (-1, 1)}, given=((g, False), (-g, False)))
        assert refuses(step | {"to": sp.srepr(-sp.sqrt(x))}, y, {x: (0, 1), y: (0, 1)}, given=((g, False), (-g, False)))

    def test_a_sum_of_products_must_add_up(self):
        def step(weight, refs=(0, 1), rest="Integer(0)", proof=ZERO):
            return {"by": "combine", "terms": [[list(refs), sp.srepr(weight), None]], "rest": rest, "proof": proof}

        given = ((x - 1, False), (y - 1, True))
        box = {x: (-5, 5), y: (-5, 5)}
        assert accepts(step(sp.Integer(2)), 2 * (x - 1) * (y - 1), box, given=given)
        assert refuses(step(sp.Integer(2)), 2 * (x - 1) * (y - 1) - Q(1, 10**9), box, given=given)
        assert refuses(step(sp.Integer(-2)), -2 * (x - 1) * (y - 1), box, given=given)
        assert refuses(step(sp.Integer(2)), 2 * (x - 1) * (y - 1), box, given=given, strict=True)
        assert accepts(step(sp.Integer(2), (1, 1)), 2 * (y - 1) ** 2, box, given=given, strict=True)
        assert refuses(step(1 / x), (x - 1) * (y - 1) / x, box, given=given)
        assert refuses(step(x), x * (x - 1) * (y - 1), box, given=given)

    def test_cases_need_a_value_everywhere(self):
        step = {"by": "either", "of": sp.srepr(1 / x), "above": INTERVAL, "below": INTERVAL}
        assert refuses(step, x**2, {x: (-1, 1)})
        infeasible = {"by": "infeasible", "given": 0}
        assert refuses(step | {"of": sp.srepr(x), "above": infeasible, "below": infeasible}, x, {x: (-1, 1)})

    def test_logarithms_compare_positive_sides_alone(self):
        step = {"by": "order", "through": "log", "left": sp.srepr(x), "right": sp.srepr(y), "positive": [None, None],
                "proof": INTERVAL}  # fmt: skip
        assert accepts(step, x - y, {x: (2, 3), y: (1, Q(3, 2))})
        assert refuses(step, x - y, {x: (2, 3), y: (-1, 2)})
        assert refuses(step | {"through": "sin"}, x - y, {x: (2, 3), y: (1, 2)})
        assert refuses(step, x - y - 1, {x: (2, 3), y: (1, 2)})

    def test_a_fact_is_shown_before_it_is_used(self):
        step = {"by": "derive", "fact": sp.srepr(x - 1), "strict": False, "show": INTERVAL,
                "proof": FIRST}  # fmt: skip
        assert accepts(step, x - 1, {x: (1, 2)})
        assert refuses(step, x - 1, {x: (0, 2)})

    def test_renamed_givens_are_the_same_givens(self):
        u = sp.Symbol("u", real=True)
        rows = [[sp.srepr(u), sp.srepr(exp(x)), "0", "8", False]]
        step = {"by": "change", "rows": rows, "expression": sp.srepr(u - 1),
                "given": [[sp.srepr(u - 1), 0]],
                "proof": FIRST}  # fmt: skip
        assert accepts(step, exp(x) - 1, {x: (-2, 2)}, given=((exp(x) - 1, False),))
        assert refuses(step, exp(x) - 1, {x: (-2, 2)}, given=((exp(x), False),))
        assert refuses(step | {"given": [[sp.srepr(u - 1), 7]]}, exp(x) - 1, {x: (-2, 2)}, given=((exp(x) - 1, False),))


class TestInduction:
    def step(self, weight=1, rest="Integer(0)", proof=ZERO, base=INTERVAL, given=0):
        following = {
            "by": "combine",
            "terms": [[[given], sp.srepr(sp.sympify(weight)), None]],
            "rest": rest,
            "proof": proof,
        }
        return {"by": "induction", "symbol": sp.srepr(n), "base": base, "step": following}

    def test_what_grows_from_a_first_number_on_holds(self):
        grows = self.step(2, sp.srepr(n), INTERVAL, ZERO)
        assert accepts(grows, 2**n - n - 1, {n: (1, oo)})
        assert accepts(self.step(1, sp.srepr(n * sp.factorial(n)), INTERVAL), sp.factorial(n) - 1, {n: (1, oo)})

    def test_a_base_a_step_and_a_range_that_do_not_fit_are_refused(self):
        grows = self.step(2, sp.srepr(n), INTERVAL, ZERO)
        assert refuses(grows, 2**n - n - 2, {n: (1, oo)})
        assert refuses(grows, 2**n - n - 1, {n: (1, oo)}, strict=True)
        assert refuses(grows, 2**n - n - 1, {n: (Q(1, 2), oo)})
        real = sp.Symbol("n", positive=True)
        assert refuses(grows | {"symbol": sp.srepr(real)}, 2**real - real - 1, {real: (1, oo)})

    def test_a_given_about_the_number_and_gaps_are_refused(self):
        assert refuses(self.step(), n - 5, {n: (1, oo)}, given=((5 - n, False),))
        assert refuses(self.step(1, "Integer(1)", INTERVAL), log(n - 3) + n, {n: (1, oo)})

    def test_factorials_are_gamma_functions(self):
        assert accepts(ZERO, sp.factorial(n + 2) - (n + 2) * (n + 1) * sp.factorial(n), {n: (1, oo)})
        assert refuses(ZERO, sp.factorial(n + 2) - (n + 2) * n * sp.factorial(n), {n: (1, oo)})
        assert refuses(INTERVAL, sp.factorial(x) - Q(8, 9), {x: (0, 1)})
        assert refuses(INTERVAL, sp.factorial(x), {x: (-2, 1)})
        assert accepts(INTERVAL, sp.factorial(x) - Q(88, 100), {x: (-Q(1, 2), 3)}, strict=True)


TRUE = {
    "strict at an excluded end": (below(exp(-p), 1 - p / 2), {p: (0, 1)}, ()),
    "a valley": (at_least(p + 1 / p, 2), {p: (0, oo)}, ()),
    "an equation": (at_least(x**2 + y**2, Q(1, 2)), {x: (-oo, oo), y: (-oo, oo)}, (sp.Eq(x + y, 1, evaluate=False),)),
    "a product given": (below(y * z, x), {x: (-oo, oo), y: (-oo, oo), z: (-oo, oo), p: (0, oo)},
                        (below(p * y * z, 0), above(p * x, 0))),
    "an equation shown": (sp.Eq(x, y, evaluate=False), {x: (-5, 5), y: (-5, 5)}, (at_most(x, y), at_most(y, x))),
    "far out": (at_least(exp(x) + 1, x**3 / 3), {x: (0, oo)}, ()),
    "factorials": (at_least(sp.factorial(n), 2 ** (n - 1)), {n: (1, oo)}, ()),
    "whole numbers": (below(log(1 + 1 / n), 1 / n), {n: (1, oo)}, ()),
}  # fmt: skip
FALSE = {
    "strict at a closed end": (below(exp(-x), 1 - x / 2), {x: (0, 1)}, ()),
    "a valley too high": (at_least(p + 1 / p, 2 + Q(1, 10**6)), {p: (0, oo)}, ()),
    "another equation": (at_least(x**2 + y**2, Q(1, 2) + Q(1, 10**6)), {x: (-5, 5), y: (-5, 5)},
                         (sp.Eq(x + y, 1, evaluate=False),)),
    "givens that leave a point": (below(x, y), {x: (-5, 5), y: (-5, 5)}, (at_most(x, y), at_most(y, x))),
    "factorials": (at_least(sp.factorial(n), 2**n), {n: (1, oo)}, ()),
    "far out": (at_least(1000 + x, exp(x / 100)), {x: (0, oo)}, ()),
}  # fmt: skip


SLOW = ("an equation", "a product given", "whole numbers")


@pytest.mark.parametrize("name", sorted(set(TRUE) - set(SLOW)))
def test_true_statements_of_these_kinds_are_proved(name):
    proved(name)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] if name == "a product given" else []) for name in SLOW]
)
def test_true_statements_that_take_longer_are_proved(name):
    proved(name)


def proved(name):
    answer = certify(*TRUE[name], budget_s=20)
    assert isinstance(answer, Proved), answer
    assert replay(answer.record) == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_false_ones_beside_them_are_refuted(name):
    assert isinstance(certify(*FALSE[name], budget_s=20), Refuted)


def test_givens_that_contradict_each_other_are_vacuous():
    answer = certify(
        at_least(x, 7), {x: (-5, 5), y: (-5, 5)}, (sp.Eq(x + y, 1, evaluate=False), above(x + y, 2)), budget_s=5
    )
    assert isinstance(answer, Proved)
    assert answer.vacuous


def test_a_point_without_a_value_is_named():
    assert isinstance(certify(at_most(log(x), x - 1), {x: (0, 2)}, budget_s=5), NotDefined)
