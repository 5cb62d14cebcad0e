"""Exponents, limits and slopes: known orders, refused questions, and the two witnesses against each other."""

import functools
import math
import signal
import sys
import threading
import time

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.asymptotics import cross_check as witness
from theory.asymptotics import exponents as asymptotics
from theory.asymptotics import zeros
from theory.asymptotics.exponents import (
    Undetermined,
    WitnessDisagreement,
    along,
    exponent,
    leading_order,
    limit,
    log_degree,
)
from theory.asymptotics.local_slopes import SlopeRange, grid_exponent, local_slope_range, slope_range
from theory.timeout import TimedOut, within

n, c, p, s, eta, alpha, zeta, sigma, tau, c1, c2 = sp.symbols("n c p s eta alpha zeta sigma tau c1 c2", positive=True)
k = sp.Symbol("k", integer=True, positive=True)
x = sp.Symbol("x", real=True)
OFFSET = c1 * (1 - zeta) + c2 * (sigma + tau)


class TestExponent:
    @pytest.mark.parametrize(
        ("expression", "symbol", "toward", "power", "logs"),
        [
            (n * sp.log(n) ** 3, n, "infinity", 1, 3),
            (alpha**-2, alpha, "zero", -2, 0),
            (sp.log(1 / alpha) ** 2 / alpha, alpha, "zero", -1, 2),
            ((alpha - OFFSET) ** -2, alpha, "zero", 0, 0),
            ((alpha - OFFSET) ** -2, alpha, OFFSET, -2, 0),
            ((alpha - OFFSET) ** -2, alpha, "infinity", -2, 0),
            (1 / ((1 - s - (sigma + tau) * c / sp.pi) * eta * alpha), eta, "zero", -1, 0),
            (n**p + n ** (p - 1), n, "infinity", p, 0),
            (n**p * c / (1 + n), n, "infinity", p - 1, 0),
            (sp.exp(2 * sp.log(n) + 3), n, "infinity", 2, 0),
            (n * sp.log(sp.log(n)), n, "infinity", 1, 0),
            (k**3 + k, k, "infinity", 3, 0),
            (sp.Max(n, n**2) + sp.Min(n, 1), n, "infinity", 2, 0),
            (sp.Integer(7), n, "infinity", 0, 0),
            (sp.sqrt(sp.log(n) / n), n, "infinity", sp.Rational(-1, 2), sp.Rational(1, 2)),
        ],
    )
    def test_leading_order(self, expression, symbol, toward, power, logs):
        assert sp.simplify(exponent(expression, symbol, toward=toward) - power) == 0
        assert sp.simplify(log_degree(expression, symbol, toward=toward) - logs) == 0

    @pytest.mark.parametrize(
        ("expression", "power"),
        [
            (sp.sqrt(n**2 + 1) - n, -1),
            (1 - sp.exp(-1 / n), -1),
            (sp.log(1 + 1 / n) - 1 / n, -2),
            ((1 + 1 / n) ** n - sp.E, -1),
            (sp.cosh(1 / n) - 1, -2),
            (n**5 - (n + 1) ** 5, 4),
            (sp.atan(1 / n) - 1 / n, -3),
        ],
    )
    def test_cancelling_leading_terms(self, expression, power):
        assert exponent(expression, n) == power

    @pytest.mark.parametrize("expression", [sp.exp(n), sp.exp(-(n**2)), n**n, sp.exp(sp.sqrt(sp.log(n))), n - n])
    def test_no_power(self, expression):
        with pytest.raises(ValueError, match=r"expr must|between powers"):
            exponent(expression, n)

    def test_an_open_comparison_is_named(self):
        with pytest.raises(Undetermined, match="c relative to 1"):
            exponent(n**c + n, n)

    @pytest.mark.parametrize("toward", ["sideways", sp.oo, sp.Float(0.5), alpha])
    def test_bad_toward(self, toward):
        with pytest.raises(ValueError, match="toward must be"):
            exponent(alpha**2, alpha, toward=toward)

    def test_floats_are_refused(self):
        with pytest.raises(ValueError, match="expr must be exact"):
            exponent(n**0.5, n)

    @settings(deadline=None, derandomize=True, max_examples=25)
    @given(
        terms=st.lists(
            st.tuples(st.integers(1, 9), st.fractions(-3, 3, max_denominator=6), st.integers(-3, 3)),
            min_size=1,
            max_size=4,
        ),
        power=st.integers(-2, 3).filter(bool),
    )
    def test_sums_of_powers_and_logs(self, terms, power):
        """The largest (power, log degree) of positive terms wins, and an outer power multiplies both."""
        total = sum(a * n ** sp.Rational(b.numerator, b.denominator) * sp.log(n) ** d for a, b, d in terms)
        largest = max((b, d) for _, b, d in terms)
        assert exponent(total**power, n) == sp.Rational(largest[0]) * power
        assert log_degree(total**power, n) == largest[1] * power


class TestLeadingOrder:
    def test_everything_is_kept(self):
        found = leading_order(3 * c * n**p * sp.log(n) ** 2 / sp.log(sp.log(n)) + n ** (p - 1), n)
        assert (found.coefficient, found.power, found.log_degree, found.loglog_degree) == (3 * c, p, 2, -1)
        assert found.cancellations == ()

    def test_a_cancellation_is_named_with_its_orders(self):
        (found,) = leading_order(sp.sqrt(n**2 + c) - n, n).cancellations
        assert (found.terms, found.left) == (n, 1 / n)
        assert str(found) == "in -n + sqrt(c + n**2) terms of order n cancel and 1/n is left"

    def test_a_nested_cancellation_is_found(self):
        found = leading_order(n**3 / (1 - sp.cos(1 / n)) + n, n)
        assert found.power == 5
        assert [(each.terms, each.left) for each in found.cancellations] == [(1, n**-2)]

    def test_toward_a_boundary_it_speaks_of_the_distance(self):
        value = (alpha**2 - OFFSET**2) / (alpha - OFFSET) ** 3
        found = leading_order(value, alpha, toward=OFFSET)
        assert found.power == -2
        assert sp.simplify(found.cancellations[0].left - (alpha - OFFSET)) == 0

    def test_what_does_not_cancel_is_not_named(self):
        assert leading_order(n**2 - c * n + 1, n).cancellations == ()

    def test_a_hang_is_an_error(self, monkeypatch):
        monkeypatch.setattr(asymptotics, "CALL_SECONDS", 0.05)
        monkeypatch.setattr(asymptotics.Expansion, "lead", lambda *arguments, **options: _spin())
        for call in (exponent, log_degree, leading_order):
            with pytest.raises(TimedOut):
                call(n, n)
        with pytest.raises(TimedOut):
            limit(1 / n, n, sp.oo)


class TestAlong:
    """Exponents along a path, where all parameters of a regime move at once, against the partial ones."""

    VALUE = (alpha - c1 * (1 - zeta) - c2 * (sigma + tau)) ** -2

    def test_partial_and_path_differ(self):
        moved = along(self.VALUE, {alpha: n**-s, sigma: n ** (-2 * s), tau: n ** (-2 * s), zeta: 1 - n ** (-3 * s)})
        assert exponent(self.VALUE, alpha, toward="zero") == 0
        assert exponent(moved, n) == 2 * s

    def test_the_path_on_which_terms_cancel(self):
        moved = along((alpha - c1 * sigma) ** -2, {alpha: c1 / (n + 1), sigma: 1 / n})
        found = leading_order(moved, n)
        assert found.power == 4
        assert found.cancellations[0].terms == 1 / n

    def test_a_comparison_the_path_leaves_open_is_named(self):
        with pytest.raises(Undetermined, match="p relative to 1"):
            exponent(along(alpha + sigma, {alpha: 1 / n, sigma: n**-p}), n)

    def test_symbols_are_replaced_at_once(self):
        assert along(alpha / sigma, {alpha: n**2, sigma: n}) == n

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ({eta: 1 / n}, "path must move symbols of the expression, got eta"),
            ({alpha: sigma, sigma: n}, "in symbols that do not move"),
            ({alpha: 0.5 * n}, "path must be exact"),
        ],
    )
    def test_bad_paths(self, path, message):
        with pytest.raises(ValueError, match=message):
            along(alpha * sigma, path)


class TestLimit:
    def test_sympy_would_be_wrong(self):
        """A comparison that sympy decides without a reason is reported with all three answers."""
        with pytest.raises(Undetermined, match="c relative to 1") as caught:
            limit(n**c / (n**c + n - 1), n, sp.oo)
        assert caught.value.cases == {"c < 1": 0, "c = 1": sp.Rational(1, 2), "c > 1": 1}

    @pytest.mark.parametrize(("power", "value"), [(1 + s, 1), (1, sp.Rational(1, 2)), (1 / (1 + s), 0)])
    def test_each_regime(self, power, value):
        assert limit(n**power / (n**power + n - 1), n, sp.oo) == value

    @pytest.mark.parametrize(
        ("expression", "symbol", "point", "value"),
        [
            ((1 + c / n) ** n, n, sp.oo, sp.exp(c)),
            (sp.sin(x) / x, x, 0, 1),
            (x**2 + c, x, 3, 9 + c),
            (sp.log(sp.log(n)) / sp.log(n), n, sp.oo, 0),
            (n * sp.exp(-n), n, sp.oo, 0),
            (sp.exp(n + 1 / n) - sp.exp(n), n, sp.oo, sp.oo),
            (-(n**2) + c * n, n, sp.oo, -sp.oo),
            (sp.tanh(n), n, sp.oo, 1),
            (1 - eta**c, eta, 0, 1),
            (alpha * sp.log(alpha), alpha, 0, 0),
            (sp.erf(n), n, sp.oo, 1),
            (sp.atan(x), x, -sp.oo, -sp.pi / 2),
            (sp.exp(x) / (sp.exp(x) + c), x, -sp.oo, 0),
            (sp.exp(x) / (sp.exp(1) + c * sp.exp(x)), x, sp.oo, 1 / c),
            (sp.Abs(-n) / n, n, sp.oo, 1),
        ],
    )
    def test_value(self, expression, symbol, point, value):
        assert sp.simplify(limit(expression, symbol, point) - value) == 0 or limit(expression, symbol, point) == value

    @pytest.mark.parametrize(
        ("expression", "condition"),
        [
            ((c - 1) * n, "c relative to 1"),
            (sp.exp((c - 2) * n), "c relative to 2"),
            (1 / ((c - 1) + 1 / n), "c relative to 1"),
            (x * n, "x relative to 0"),
        ],
    )
    def test_dependence_is_named(self, expression, condition):
        with pytest.raises(Undetermined, match=condition):
            limit(expression, n, sp.oo)

    def test_the_side_matters(self):
        with pytest.raises(Undetermined, match="side"):
            limit(1 / x, x, 0)

    def test_oscillation_has_no_limit(self):
        with pytest.raises(Undetermined):
            limit(sp.sin(n), n, sp.oo)

    def test_disagreement_is_an_error(self, monkeypatch):
        """A derivation that is off by one is caught by evaluation."""
        derive = asymptotics._derived_limit
        monkeypatch.setattr(asymptotics, "_derived_limit", lambda moved, at: derive(moved, at) + 1)
        with pytest.raises(WitnessDisagreement):
            limit((n + c) / (n + 1), n, sp.oo)

    @pytest.mark.parametrize("wrong", [0, 2, sp.oo, -sp.oo])
    def test_the_witness_alone_refuses_a_wrong_value(self, wrong):
        at = sp.Dummy("x", positive=True)
        assert witness.approaches(1 + 1 / sp.log(at), at, {}, sp.sympify(wrong)) is False
        assert witness.approaches(1 + 1 / sp.log(at), at, {}, sp.S.One) is True

    @settings(deadline=None, derandomize=True, max_examples=15)
    @given(st.lists(st.integers(-5, 5), min_size=2, max_size=4), st.lists(st.integers(1, 5), min_size=2, max_size=4))
    def test_rational_functions(self, numerator, denominator):
        """Rational functions have the limit of their leading coefficients."""
        top, bottom = sp.Poly(numerator, n), sp.Poly(denominator, n)
        rise = top.degree() - bottom.degree() if not top.is_zero else -1
        ratio = sp.Rational(top.LC(), bottom.LC())
        expected = 0 if rise < 0 else ratio if rise == 0 else sp.sign(ratio) * sp.oo
        assert limit(top.as_expr() / bottom.as_expr(), n, sp.oo) == expected


@functools.cache
def swept(degree):
    """A formula with an offset, and its slopes on the box from which sweeps are drawn."""
    value = n**2 * sp.log(n) ** degree / (n + c)
    return value, slope_range(value, n, {n: (2, 50), c: (0, 2)})


class TestSlopes:
    GRID = (16, 32, 64, 128, 256)

    def test_slope_on_a_grid_is_not_the_exponent(self):
        assert grid_exponent(n * sp.log(n), n, self.GRID) == pytest.approx(1.2485, abs=1e-4)
        assert grid_exponent(sp.log(n) ** 3, n, self.GRID) == pytest.approx(0.7456, abs=1e-4)

    def test_pure_powers_are_exact(self):
        assert grid_exponent(c * n**-2, n, self.GRID, {c: 3}) == pytest.approx(-2, abs=1e-12)
        found = local_slope_range(c * n**-2, n, (16, 256), {c: 3})
        assert found.low <= -2 <= found.high
        assert found.high - found.low < 1e-12

    def test_range_is_certified_and_tight(self):
        found = local_slope_range(n * sp.log(n), n, self.GRID)
        low, high = 1 + 1 / math.log(256), 1 + 1 / math.log(16)
        assert found.low <= low < high <= found.high
        assert found.high - found.low < high - low + 0.05

    def test_range_over_a_box_of_all_symbols(self):
        """Slopes of (alpha - c1 s)^-2 are -2 alpha / (alpha - c1 s): -2 at s = 0, and -8/3 at the worst corner."""
        value = (alpha - c1 * s) ** -2
        box = {alpha: (sp.Rational(2, 5), sp.Rational(4, 5)), c1: (0, 1), s: (0, sp.Rational(1, 10))}
        found = slope_range(value, alpha, box)
        assert found.low <= -sp.Rational(8, 3) <= -2 <= found.high
        assert found.high - found.low < sp.Rational(2, 3) + 0.06
        assert str(SlopeRange(-2.6667, -2)) == "[-2.67, -2]"

    @settings(deadline=None, derandomize=True, max_examples=30)
    @given(
        st.lists(st.fractions(2, 50, max_denominator=20), min_size=2, max_size=6, unique=True),
        st.fractions(0, 2, max_denominator=9),
        st.integers(0, 3),
    )
    def test_no_sweep_shows_a_slope_outside(self, values, offset, degree):
        """Whatever the grid, its least-squares slope lies in the certified range over a box that contains it."""
        value, found = swept(degree)
        shown = grid_exponent(value, n, [sp.Rational(v.numerator, v.denominator) for v in values], {c: offset})
        assert found.low - 1e-9 <= shown <= found.high + 1e-9

    def test_a_range_that_is_too_narrow_would_be_noticed(self):
        """The planted falsehood: on [20, 50] alone, the slope shown on 2..20 lies outside."""
        narrow = slope_range(n * sp.log(n), n, {n: (20, 50)})
        assert not narrow.low <= grid_exponent(n * sp.log(n), n, (2, 5, 20)) <= narrow.high

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: slope_range(n * c, n, {n: (1, 2)}), "box must contain every symbol, got none for c"),
            (lambda: slope_range(n, n, {n: (2, 1)}), "low <= high"),
            (lambda: slope_range(n, n, {n: (0, 1)}), "box must be positive for n"),
            (lambda: slope_range(n - c, n, {n: (1, 2), c: (1, 2)}), "finite slope"),
            (lambda: slope_range(sp.zeta(n), n, {n: (2, 3)}), "slopes that can be enclosed"),
            (lambda: grid_exponent(n * c, n, (1, 2)), "fixed must give"),
            (lambda: grid_exponent(n, n, (2, 2)), "values must be"),
            (lambda: grid_exponent(1 - n, n, (2, 3)), "expr must be > 0"),
            (lambda: local_slope_range(n * c, n, (1, 2)), "fixed must give"),
            (lambda: local_slope_range(n, n, (0, 2)), "interval must be positive"),
            (lambda: local_slope_range(1 / (n - 2), n, (1, 3)), "finite slope"),
        ],
    )
    def test_bad_input(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()


def _spin():
    """An endless call with the clause that swallows one exception after another."""
    while True:
        try:
            sum(range(10000))
        except Exception:
            continue


def _spin_nested():
    within(50, _spin)


def _in_thread(function, *arguments):
    """What a call returns or raises in a thread that is not the main one."""
    outcome = []

    def target():
        try:
            outcome.append(function(*arguments))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    return outcome[0]


class _Slow:
    """An object whose destructor, where exceptions are swallowed, is running when the timer goes off."""

    def __del__(self):
        until = time.monotonic() + 0.15
        while time.monotonic() < until:
            pass


def _spin_after_a_destructor():
    _Slow()
    _spin()


class TestTimeout:
    def test_a_swallowed_timer_fires_again_and_is_not_reported(self, monkeypatch):
        reported = []
        monkeypatch.setattr(sys, "unraisablehook", reported.append)
        with pytest.raises(TimedOut):
            within(0.05, _spin_after_a_destructor)
        assert reported == []
        assert sys.unraisablehook == reported.append

    def test_other_swallowed_exceptions_are_reported(self, monkeypatch):
        class Broken:
            def __del__(self):
                raise RuntimeError("in a destructor")

        reported = []
        monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: reported.append(type(unraisable.exc_value)))
        within(5, lambda: Broken() and None)
        assert reported == [RuntimeError]

    def test_the_shortest_limits_leave_nothing_behind(self):
        handler = signal.getsignal(signal.SIGALRM)
        for exponent_of_limit in range(30):
            with pytest.raises(TimedOut):
                within(1e-6 * 1.3**exponent_of_limit, _spin)
        assert signal.getsignal(signal.SIGALRM) == handler
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)

    def test_an_endless_call_is_stopped(self):
        with pytest.raises(TimedOut):
            within(0.1, _spin)

    def test_the_shorter_of_two_limits_wins(self):
        with pytest.raises(TimedOut):
            within(0.1, _spin_nested)
        assert within(5, abs, -1) == 1

    def test_errors_pass_through(self):
        with pytest.raises(ZeroDivisionError):
            within(5, divmod, 1, 0)
        with pytest.raises(ValueError, match="seconds must be > 0"):
            within(0, abs, 1)

    def test_outside_the_main_thread(self):
        assert _in_thread(within, 30, sp.factor, x**2 - 1) == (x - 1) * (x + 1)
        assert isinstance(_in_thread(within, 30, divmod, 1, 0), ZeroDivisionError)
        assert isinstance(_in_thread(within, 0.3, sp.factorint, 10**160 + 7), TimedOut)

    def test_limit_outside_the_main_thread(self):
        assert _in_thread(limit, (n + c) / (n + 1), n, sp.oo) == 1

    def test_a_timeout_is_never_a_limit(self, monkeypatch):
        monkeypatch.setattr(zeros, "_NORMAL_FORM_SECONDS", 0.05)
        monkeypatch.setattr(zeros, "vanishes", lambda expression: _spin())
        with pytest.raises(TimedOut):
            limit((sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1) * n + 1 / n, n, sp.oo)
