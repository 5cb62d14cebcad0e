"""Hypotheses of [li2023] as relations: the regimes that its claims share.

"Some constant eps_S in (0, 1/2)" in (8) is read as *there is* such a constant, which makes (8) decidable: alpha_# <
alpha_* e^{-(delta+tau)} (1-(sigma+tau)) / 2. Every O, Omega and "up to a constant" keeps its hidden constant as a free
symbol and is undecidable at a grid point.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.claim import (
    Hypothesis,
    Path,
)
from theory.relations import above, at_least, at_most, below
from theory.shallow_vit.notation import (
    B,
    L,
    M,
    N,
    S,
    T,
    a_0,
    a_1,
    alpha,
    alpha_confusion,
    c_B,
    c_m,
    c_S,
    c_sigma,
    confusion_ratio,
    delta,
    epsilon,
    eta,
    kappa,
    m,
    m_a,
    m_b,
    norm_K,
    norm_Q,
    norm_V,
    p_n,
    sigma,
    t,
    tau,
    value_error,
    zeta,
)

HALF, ONE = sp.Rational(1, 2), sp.Integer(1)
"""With the paper's constants or 1 hidden constants are 1, and eps, a share of neurons below 1, is 1/2."""

required_width = epsilon**-2 * M**2 * sp.log(N)

batch_offset = sp.exp(-(delta + tau)) * value_error

required_batch = (alpha - batch_offset) ** -2


def condition_8(fraction: sp.Expr, confusion: sp.Expr, ratio: sp.Expr = confusion_ratio) -> sp.Basic:
    """(8) for some eps_S < 1/2, at given fractions and e^{-(delta+tau)} (1 - (sigma+tau))."""
    return below(confusion, fraction * ratio / 2)


CONDITION_8 = Hypothesis("(8) for some eps_S < 1/2", condition_8(alpha, alpha_confusion))

SEPARATED_PATTERNS = (
    Hypothesis("tau < kappa/4 (section 3.2)", below(tau, kappa / 4)),
    Hypothesis("2 < M < m_a, m_b (section 3.2)", sp.And(above(M, 2), below(M, m_a), below(M, m_b))),
)

ASSUMPTION_1 = (
    Hypothesis(
        "norms of W_V, W_K, W_Q at most 1 (Assumption 1)",
        sp.And(at_most(norm_V, 1), at_most(norm_K, 1), at_most(norm_Q, 1)),
    ),
    Hypothesis("sigma = O(1/M) (Assumption 1)", at_most(sigma, c_sigma / M), hidden=((c_sigma, ONE),)),
    Hypothesis("delta < 1/2 (Assumption 1)", below(delta, HALF)),
)

THEOREM_1 = (
    *SEPARATED_PATTERNS,
    *ASSUMPTION_1,
    Hypothesis("tau <= min(sigma, delta) (Theorem 1)", sp.And(at_most(tau, sigma), at_most(tau, delta))),
    Hypothesis("width (Theorem 1)", at_least(m, c_m * required_width), hidden=((c_m, ONE), (epsilon, HALF))),
    CONDITION_8,
    Hypothesis(
        "(9), batch", sp.And(above(alpha, batch_offset), at_least(B, c_B * required_batch)), hidden=((c_B, ONE),)
    ),
    Hypothesis("(9), tokens", at_least(S, c_S), hidden=((c_S, ONE),)),
)

FEWER_RELEVANT = Path(
    words=(
        "alpha_* to zero with alpha_# = alpha_*/4, sigma = alpha_*/8, tau = alpha_*/16, zeta = 1, N = alpha_*^-2, "
        "t = T = 1/(eta alpha_*), p_n = 1, a_0 = a_1 = alpha_*"
    ),
    symbol=alpha,
    toward="zero",
    moves={
        alpha_confusion: alpha / 4,
        sigma: alpha / 8,
        tau: alpha / 16,
        zeta: sp.Integer(1),
        N: alpha**-2,
        T: 1 / (eta * alpha),
        t: 1 / (eta * alpha),
        p_n: sp.Integer(1),
        a_0: alpha,
        a_1: alpha,
    },
)
"""(8) and (9) ask that alpha_# and the errors fall with alpha_*; the rest is as the theorem has it at its end."""

MORE_TOKENS = Path(
    words=(
        "|S| to infinity with m = N = 4 |S|, B = |S|/2, eta = 8/|S|, sigma = 8/(5 |S|), eps = 1/4, at alpha_* = 1/2, "
        "alpha_# = 1/8, M = 5, delta = 1/5, tau = 0"
    ),
    symbol=S,
    toward="infinity",
    moves={
        L: S,
        m: 4 * S,
        N: 4 * S,
        B: S / 2,
        eta: 8 / S,
        sigma: sp.Rational(8, 5) / S,
        zeta: 1 - (8 / S) ** 10,
        epsilon: sp.Rational(1, 4),
        alpha: HALF,
        alpha_confusion: sp.Rational(1, 8),
        M: sp.Integer(5),
        m_a: sp.Integer(10),
        m_b: sp.Integer(10),
        delta: sp.Rational(1, 5),
        tau: sp.Integer(0),
        kappa: sp.sqrt(2),
        norm_V: sp.Integer(1),
        norm_K: sp.Integer(1),
        norm_Q: sp.Integer(1),
    },
)
"""Theorem 1 asks for at least a constant number of tokens and for a width that does not depend on it, so it lets both
grow in step; whatever the constants are in width, batch, samples and sigma = O(1/M), they are met from some |S| on."""

_falling_step = (16 / S) ** 6 / 2
SMALLER_STEPS = replace(
    MORE_TOKENS,
    words=MORE_TOKENS.words.replace("eta = 8/|S|", "eta = (16/|S|)^6 / 2"),
    moves={
        **MORE_TOKENS.moves,
        eta: _falling_step,
        zeta: 1 - _falling_step**10,
        T: 1 / (_falling_step * HALF),
    },
)
"""The same with a step that falls fast, for what the paper says as eta tends to 0; T is 1/(eta alpha_*), as in (11)."""
