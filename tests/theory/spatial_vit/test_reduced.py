"""The derivation of the reduced gradient: identities, and numbers against the simulator that never saw the formula."""

import mpmath
import pytest
import sympy as sp

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import population
from theory.spatial_vit import reduced
from theory.spatial_vit.notation import SYMBOLS, C, D, alpha, beta, gamma, nu, p, q, rho, tau


def vanishes(expression: sp.Expr) -> bool:
    """Whether an expression is zero as a rational function of exponentials."""
    b, g, r = sp.symbols("b g r", positive=True)
    plain = expression.subs({sp.exp(beta / tau): b, sp.exp(gamma / tau): g, sp.exp(rho / tau): r})
    assert not plain.has(sp.exp)
    return sp.cancel(sp.together(plain)) == 0


def test_softmax_row_sums_to_one():
    row = reduced.softmax_row(tau)
    assert vanishes(row.own + (C - 1) * row.within + (D - C) * row.across - 1)
    assert vanishes(row.own_set - D * (row.own + (C - 1) * row.within))


def test_paper_quantities_have_no_temperature():
    row = reduced.softmax_row(tau)
    pairs = zip(
        (reduced.LAMBDA, reduced.GAMMA, reduced.XI, reduced.G),
        (row.own, row.within, row.across, row.own_set),
        strict=True,
    )
    assert all(paper == tempered.subs(tau, 1) for paper, tempered in pairs)


def test_closed_forms_follow_from_the_derivation():
    for identity in reduced.closed_forms():
        assert vanishes(identity.left - identity.right), identity.name


def test_a_flipped_sign_in_a_closed_form_is_seen():
    within = reduced.closed_forms()[1]
    assert not vanishes(within.left + within.right)


def test_increments_of_a_row_sum_to_zero():
    identity = reduced.increment_identity()
    assert vanishes(identity.left - identity.right)


def test_linear_part_of_the_activation_moves_no_logit():
    for identity in reduced.linear_part_identities():
        assert vanishes(identity.left - identity.right), identity.name


def test_increment_identity_needs_the_class_sizes():
    by_entry = reduced.entry_derivatives()
    assert not vanishes(by_entry.diagonal + by_entry.within + by_entry.across)


@pytest.mark.parametrize(("n_patches", "set_size", "n_rows"), [(6, 2, 21), (8, 4, 15), (9, 3, 55), (16, 4, 680)])
def test_configurations_are_a_distribution(n_patches, set_size, n_rows):
    rows = list(reduced.configurations(n_patches, set_size))
    assert len(rows) == n_rows
    assert sp.expand(sum(row.weight for row in rows)) == 1


def test_mean_of_the_total_is_the_signal():
    total = sum(
        row.weight * sum(number * x for number, x, _, _ in row.patches(3)) for row in reduced.configurations(9, 3)
    )
    assert sp.expand(total) == 3


def test_set_size_must_divide():
    with pytest.raises(ValueError, match="set_size must divide n_patches, got 5 and 16"):
        list(reduced.configurations(16, 5))


def test_symbols_carry_assumptions():
    assert SYMBOLS["feature_alignment"] is alpha
    assert alpha.is_positive
    assert p.is_odd
    assert nu.is_positive
    assert q.is_nonnegative
    assert beta.is_real
    assert not beta.is_positive


@pytest.mark.parametrize(
    ("n_patches", "set_size", "power", "temperature"),
    [(6, 2, 3, 1), (6, 3, 5, 1), (8, 4, 3, sp.Rational(7, 3)), (9, 3, 3, 4), (12, 3, 5, 1), (16, 4, 3, 1)],
)
def test_derived_gradient_equals_the_simulated_one(n_patches, set_size, power, temperature):
    """The formula derived from (T), in 30 digits, against the simulator's float64 closed form."""
    evaluate = reduced.numeric_gradient(n_patches, set_size)
    with mpmath.workdps(30):
        for a, b, g, r, rate in [(0.15, 1.0, 0.0, 0.0, 0.25), (0.2, -0.4, 0.7, -0.3, 0.6)]:
            setting = Setting(
                n_patches=n_patches, set_size=set_size, spurious_rate=rate, activation_power=power,
                linear_coefficient=1 / 64, diagonal_logit=b, temperature=float(temperature),
            )  # fmt: skip
            table = population.exact_types(setting)
            measured = population.reduced_gradient(table, setting, alignment=a, within=g, across=r)
            derived = evaluate(
                alpha=mpmath.mpf(a), beta=mpmath.mpf(b), gamma=mpmath.mpf(g), rho=mpmath.mpf(r), q=mpmath.mpf(rate),
                nu=mpmath.mpf(1) / 64, p=power, tau=mpmath.mpf(float(temperature)),
            )  # fmt: skip
            for name in ("risk", "alignment", "diagonal", "within", "across"):
                assert getattr(measured, name) == pytest.approx(float(getattr(derived, name)), rel=1e-10), name
