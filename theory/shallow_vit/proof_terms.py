"""Terms that occur in the steps of the proofs of [li2023], and the boxes in which the steps are looked at."""

from __future__ import annotations

import sympy as sp

from theory.shallow_vit.hypotheses import HALF
from theory.shallow_vit.notation import S_1, alpha, alpha_confusion, epsilon_S, eta, q, rest, xi

s = sp.Symbol("(sigma+tau)", nonnegative=True)
b = sp.Symbol("(delta+tau)", nonnegative=True)
c_1, c_2, c_3 = sp.symbols("c_1 c_2 c_3", positive=True)
z, w = sp.symbols("z w", positive=True)

ORDERS = {constant: (sp.Rational(1, 10), 10) for constant in (c_1, c_2, c_3)}

TOWARD_ZERO = {alpha: (sp.Rational(1, 10**9), sp.Rational(1, 1000)), s: (0, 0)}
middle_78 = c_1 * alpha - 1 + c_2 * alpha**2 - c_3 * alpha * s

c_4 = sp.Symbol("c_4", positive=True)
second_moment = z * (sp.exp(z**2 / w) / 2 - 1 + xi) + 1
phi = 1 / (S_1 * sp.exp(q**2 + b * q) + rest)
nu = 1 / (S_1 * sp.exp(q**2 - b * q) + rest)
BETA_BOX = {q: (1, 3), b: (0, sp.Rational(3, 5)), S_1: (1, 100), rest: (1, 100)}
"""delta + tau below 3/5: delta < 1/2 and tau <= min(sigma, delta), sigma of order 1/M."""

R = sp.Symbol("e^{-(delta+tau)}(1-(sigma+tau))", positive=True)

CONFUSION_BOX = {
    alpha: (sp.Rational(1, 10), 1),
    alpha_confusion: (0, HALF),
    epsilon_S: (sp.Rational(1, 100), HALF),
    R: (sp.Rational(1, 10), 1),
}

mean_of_155 = HALF - (z + 1) / (2 * z)
"""Sum of 1/2 - b/t over b = 1..t, by t, at t = z."""

batch_70 = sp.exp(-b) * ((1 - s) * alpha / 2 - s)
batch_9 = alpha - sp.exp(-b) * s

log_T = sp.log(c_3 / (eta * alpha))
