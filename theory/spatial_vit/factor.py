"""The factor that Lemma 4.3 of Jelassi, Sander and Li (NeurIPS 2022) calls polylog(d): its closed form and its bounds.

With y = 1, m_i = sum_k S_ik x_k, g_i = D m_i / G and a temperature tau (1 in section 4.1, sqrt(d) in (T)) it is

    K = E[ 1 / (1 + e^F) sum_i (p g_i^(p-1) + nu (alpha G)^(1-p)) ((s_i - x_i) / (C - 1) - m_i) ] / tau.

- From above: where alpha is at its start or beyond, and beta and gamma at rho or beyond, the bracket is at most (p + 1)
  (1 + W/C)^(p-1) with W = sum_j |x_j|, and the absolute values of the rest add up to 2 W at most, since columns of S
  sum to one. So K is at most a polynomial of degree p in W, whose moments are poly(C): polylog(d), for every t.
- From below nothing holds for every t. The flow spends D (C-1) times the integral of (d gamma / dt)^2, at most the
  first risk. With K at least (log d)^-k and alpha at least its start up to T, it would spend more by T = D^8 / eta,
  whatever k: against "any T >= poly(d)/eta".
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Identity, Inequality, Limit, Role
from theory.relations import at_least, at_most
from theory.spatial_vit.notation import SET_SIZES, SEVERAL_SETS, C, D, alpha, nu, p, tau
from theory.spatial_vit.reduced import patch_pull, preactivation, s, softmax_row, x, z

OWN = Role.OWN_QUESTION
_a, _g, _r, _c, _k = sp.symbols("a g r c k", positive=True)
"""e^beta, e^gamma, e^rho, C - 1 and D - C; sizes need not be whole."""
_own, _others, _across = sp.symbols("x_i others across", real=True)
"""A patch's coefficient, and the sums over the rest of its set and over all other sets."""
_features, _share, _seen, _linear, _y = sp.symbols("W w g_i n y", nonnegative=True)
"""W; W/C; |g_i|; nu / (alpha G)^(p-1); e^-F."""
_degree = sp.Symbol("degree", positive=True)

_ROW = softmax_row(tau)
_MEAN = preactivation(tau) / (D * alpha)
_CLOSED = (
    alpha**3
    * _ROW.within
    * _ROW.own_set**2
    * (3 * (D * _MEAN / _ROW.own_set) ** 2 + nu / (alpha * _ROW.own_set) ** 2)
    * ((s - x) / (C - 1) - _MEAN)
    / tau
)
"""alpha^p Gamma G^(p-1) times one patch's part of K, p = 3."""
_CLOSED_DIAGONAL = _CLOSED / _ROW.within / ((s - x) / (C - 1) - _MEAN) * _ROW.own * (x - _MEAN)
"""The same of the increment that the diagonal would get: with Lambda, and x_i in place of the mean over its set."""
_rate, _more = sp.symbols("lambda m_1", positive=True)
_power = 1 + _more
"""Exponent m > 1 of q = C^m/D."""
_BOUND = 8 * (4 * C + 8 * _rate + 5 * (_rate + _rate**2) / C + (_rate + 3 * _rate**2 + _rate**3) / C**2)
"""2 (p + 1) E[W (1 + W/C)^(p-1)], p = 3, at most: W = C + n, with n binomial of mean q (D - C) <= lambda."""
_SPENT = 16 * D**3 / (D + 2) ** 2 / sp.log(D) ** (2 * _degree)
"""T D (C-1) ((log d)^-k alpha_0^3 C^2 / (D - 1 + e))^2, less rounding, at T = D^8, alpha_0 = 1/D, C = 2."""

_SIGNAL, _OTHER = {x: 1, s: C, z: C}, {x: 0, s: 0, z: C}
"""A patch of the signal set, and one of another set, where no random patch carries the feature."""
_WEIGHT = _ROW.own_set / D
"""G/D."""

LEMMAS = (
    Identity(
        "without spurious signs K is p C (1 - G/D) (1 - g^(p-1)) times the logistic factor, g = C D Xi / G, p = 3",
        (C * _CLOSED.xreplace(_SIGNAL) + (D - C) * _CLOSED.xreplace(_OTHER)).subs({nu: 0, tau: 1}),
        (
            alpha**3
            * _ROW.within
            * _ROW.own_set**2
            * 3
            * C
            * (1 - _WEIGHT)
            * (1 - (C * D * _ROW.across / _ROW.own_set) ** 2)
        ).subs(tau, 1),
        box=SET_SIZES,
        given=SEVERAL_SETS,
        role=OWN,
    ),
    Identity(
        "a patch's exact pull is alpha^p Gamma G^(p-1) times its part of the factor's closed form, p = 3, any tau",
        patch_pull(tau).within.subs(p, 3),
        _CLOSED,
        box=SET_SIZES,
        given=SEVERAL_SETS,
        role=OWN,
    ),
    Inequality(
        "where beta and gamma are at least rho, m_i is at most (1 + W/C) G/D",
        at_most(
            (_a * _own + _g * _others + _across) / (_a + _c * _g + _k),
            (_a + _c * _g) / (_a + _c * _g + _k) * (1 + _features / (_c + 1)),
        ),
        {
            _a: (1, sp.oo),
            _g: (1, sp.oo),
            _c: (1, sp.oo),
            _k: (1, sp.oo),
            _features: (0, sp.oo),
            _own: (-1, 1),
            _others: (-sp.oo, sp.oo),
            _across: (-sp.oo, sp.oo),
        },
        given=(at_most(_others, _c), at_most(_across, _features)),
        role=OWN,
    ),
    Inequality(
        "so the bracket of the closed form is at most (p + 1) (1 + W/C)^(p-1), p = 3, where nu <= (alpha G)^2",
        at_most(3 * _seen**2 + _linear, 4 * (1 + _share) ** 2),
        {_seen: (0, sp.oo), _share: (0, sp.oo), _linear: (0, 1)},
        given=(at_most(_seen, 1 + _share),),
        role=OWN,
    ),
    Limit(
        "at most polylog(d): 2 (p + 1) E[W (1 + W/C)^(p-1)] is o((log d)^(3 m + 1)), C = log D, q = C^m/D, p = 3",
        _BOUND.subs(_rate, C**_power).subs(C, sp.log(D)) / sp.log(D) ** (3 * _power + 1),
        D,
        sp.oo,
        sp.Integer(0),
        role=Role.READING,
    ),
    Inequality(
        "the logistic factor is at most the loss: y / (1 + y) <= log(1 + y) with y = e^-F",
        at_most(_y / (1 + _y), sp.log(1 + _y)),
        {_y: (0, sp.oo)},
        role=OWN,
    ),
    Inequality(
        "where gamma is at least 0 and rho, Gamma is at least 1 / (D - 1 + e^beta)",
        at_least(_g / (_a + _c * _g + _k * _r), 1 / (_a + _c + _k)),
        {_a: (1, sp.oo), _g: (1, sp.oo), _c: (1, sp.oo), _k: (1, sp.oo), _r: (0, sp.oo)},
        given=(at_most(_r, _g),),
        role=OWN,
    ),
    Limit(
        "the first risk over what a factor (log d)^-k at every t spends by T = D^8/eta tends to 0: no power serves",
        1 / _SPENT,
        D,
        sp.oo,
        sp.Integer(0),
        role=OWN,
    ),
    Limit(
        "with the sqrt(d) of (T) the factor is 1/sqrt(d) times that, below every power of 1/log d",
        sp.log(D) ** _degree / sp.sqrt(D),
        D,
        sp.oo,
        sp.Integer(0),
        role=OWN,
    ),
)
"""Beside the first display of Lemma 4.3."""

_held = sp.Symbol("a", positive=True)
"""e^beta, which bounds Lambda / Gamma where gamma is at least 0."""
OF_RHO = (
    Identity(
        "a patch's exact pull on its diagonal entry has the closed form with Lambda for Gamma and x_i - m_i, p = 3",
        patch_pull(tau).diagonal.subs(p, 3),
        _CLOSED_DIAGONAL,
        box=SET_SIZES,
        given=SEVERAL_SETS,
        role=OWN,
    ),
    Limit(
        "at every t at most polylog(d): D/(D-C) (C - 1 + e^beta) times the factor's bound is o((log d)^(3 m + 3))",
        (2 * (C - 1 + _held) * _BOUND.subs(_rate, C**_power)).subs(C, sp.log(D)) / sp.log(D) ** (3 * _power + 3),
        D,
        sp.oo,
        sp.Integer(0),
        role=Role.STATEMENT,
    ),
)
"""Beside the second: rho's increment is -(diagonal + (C-1) within)/(D-C), and either is at most polylog(d) times its
closed form's alpha^p Lambda G^(p-1) or alpha^p Gamma G^(p-1), since |x_i| adds up to W as m_i does. At a fixed beta."""
