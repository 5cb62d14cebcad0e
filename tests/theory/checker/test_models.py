"""Taylor models: what they enclose holds at points, and the step takes a goal only where it is shown."""

import itertools
import random

import pytest
import sympy as sp
from flint import arb, ctx, fmpq

from tests.theory.checker.replaying import Q, accepts, exp, goal, log, n, node, oo, p, refuses, x, y, z
from theory.checker import models
from theory.checker.enclosure import NOUGHT
from theory.checker.limits import InvalidRecord, metered
from theory.checker.walks import symbols

STEP = {"by": "model", "order": 4}
SQUARE = {x: (Q(-1, 4), Q(1, 4)), y: (Q(-1, 4), Q(1, 4))}
FORMS = (
    exp(x * y) - x * y, log(exp(x) + exp(y)), sp.sin(x + y) * sp.cos(x * z), 1 / (1 + x**2 + y**2),
    sp.sqrt(2 + x + y * z), sp.atan(x * y) - sp.tanh(z), (2 + x) ** (y + z), sp.erf(x + y), x**5 * y**4 * z - x,
    sp.cosh(x) * sp.sinh(y), sp.Abs(x + 3) * y, sp.asin(y / 3) / (3 + x) ** 3 + sp.acos(x / 4), sp.erfc(z) + sp.pi * x,
)  # fmt: skip


def at(found, h):
    """The polynomial of a model at h, and its remainder."""
    total = found.rest
    for powers, c in found.terms.items():
        for share, k in zip(h, powers, strict=True):
            c = c * arb(share) ** k if k else c
        total += c
    return total


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_model_encloses_the_values_at_points(form):
    source = random.Random(str(form))
    for order, width in itertools.product((1, 2, 5), (fmpq(1, 20), fmpq(1, 2))):
        low = {s: fmpq(source.randint(-50, 50), 100) for s in (x, y, z)}
        box = {s: (Q(int(a.p), int(a.q)), Q(int((a + width).p), int((a + width).q))) for s, a in low.items()}
        whole = goal(form, box)
        used = [s for s in (x, y, z) if node(s) in symbols(whole.e)]
        with ctx.workprec(128), metered():
            found = models._Models(whole.box, symbols(whole.e), order).of(whole.e)
            least = models.least(whole.e, whole.box, order)
            for _ in range(5):
                h = {s: fmpq(source.choice((-4, -4, 4, 4, -1, 2)), 4) for s in (x, y, z)}
                point = {s: low[s] + (h[s] + 1) / 2 * width for s in h}
                there = {s: Q(int(v.p), int(v.q)) for s, v in point.items()}
                value = arb(str(sp.N(form.subs(there), 45)))
                assert abs(at(found, [h[s] for s in used]) - value).lower() < 1e-30
                assert least < value + arb(1e-30)


def test_a_gap_that_vanishes_on_a_curve_is_above_a_small_number():
    near, narrow = exp(x - y) - 1 - x + y, {x: (Q(-1, 20), Q(1, 20)), y: (Q(-1, 20), Q(1, 20))}
    assert accepts(STEP, near + Q(1, 300), narrow, strict=True)
    assert refuses(STEP, near, narrow)
    assert refuses(STEP, near - Q(1, 10**12), narrow)
    assert refuses({"by": "interval"}, near + Q(1, 300), narrow)


def test_terms_above_the_order_are_kept_as_a_remainder():
    """x^4 y^4 is made of a square of a square; what the first leaves out is multiplied on."""
    fourth = (Q(43, 200) + x) ** 4 * (Q(29, 200) + y) ** 4
    for order in range(1, 8):
        with ctx.workprec(128), metered():
            whole = goal(-fourth, {x: (Q(-1, 200), Q(1, 200)), y: (Q(-1, 40), Q(1, 40))})
            assert models.least(whole.e, whole.box, order) < -(0.22**4) * 0.17**4 * 0.9999


def test_a_product_keeps_remainders_around_zero():
    box = goal(x, SQUARE).box
    made = models._Models(box, set(box), 2)
    unsure = models.Model({made.zero: arb(1)}, NOUGHT.union(arb(1)).union(arb(-1)))
    assert made._product(made.of(node(x)), unsure).range().contains(arb(1) / 2)
    assert made._product(unsure, unsure).range().contains(4)


def test_an_odd_remainder_counts_on_both_sides():
    """The middle of sin is 0, with cos(0)/6 as the coefficient of the cube: below 0 it is less."""
    assert refuses({"by": "model", "order": 2}, sp.sin(x) - x, {x: (-1, 1)})
    assert refuses({"by": "model", "order": 2}, x - sp.sin(x), {x: (-1, 1)})


@pytest.mark.parametrize(
    ("e", "box"),
    [
        (sp.Abs(x - y) + 1, SQUARE),
        (sp.Max(x, y) + 1, SQUARE),
        (sp.sign(x) + 2, SQUARE),
        (1 / (x - y) ** 2, SQUARE),
        (log(x + y + Q(1, 2)) + 99, SQUARE),
        (sp.sqrt(x + y) + 1, {x: (0, 1), y: (0, 1)}),
        (exp(x * y) + 1, {x: (0, oo), y: (0, 1)}),
    ],
)
def test_what_has_no_expansion_is_refused(e, box):
    assert refuses(STEP, e, box)


def test_a_strict_bound_that_is_reached_is_refused_and_a_closed_one_is_not():
    assert accepts(STEP, (x + Q(1, 4)) * (y + Q(1, 4)), SQUARE)
    assert refuses(STEP, (x + Q(1, 4)) * (y + Q(1, 4)), SQUARE, strict=True)


@pytest.mark.parametrize("order", [0, -1, 9, True, "4", 2.0, None])
def test_an_order_out_of_bounds_is_refused(order):
    assert refuses({"by": "model", "order": order}, exp(x * y) + 1, SQUARE)


def test_more_symbols_than_a_model_takes_are_refused():
    names = sp.symbols("a:5", real=True)
    assert refuses(STEP, sp.Add(*names) + 9, dict.fromkeys(names, (0, 1)))


def test_whole_numbers_and_excluded_ends_count_with_all_between():
    assert refuses(STEP, (n - Q(3, 2)) ** 2 - Q(1, 8) + x**2, {n: (1, 2), x: (0, 1)}, strict=True)
    assert accepts(STEP, p + x**2, {p: (0, 1, True), x: (0, 1)})
    assert refuses(STEP, p + x**2, {p: (0, 1, True), x: (0, 1)}, strict=True)


def test_a_model_that_is_no_number_shows_nothing():
    with pytest.raises(InvalidRecord):
        models.Model({(0,): arb(1), (1,): arb("nan")}, NOUGHT).least()
    with pytest.raises(InvalidRecord):
        models.Model({(0,): arb(1)}, arb("nan")).least()
