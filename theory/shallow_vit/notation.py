"""Symbols of [li2023]: Table 1, Table 2 and section 3, with the assumptions under which the paper uses them.

Names are printed as in the paper. What the paper hides in O, Theta and "some constant" gets a symbol here too, so
that a hypothesis with a hidden constant is a relation with a free symbol: evaluating it at a grid point then leaves
it undecidable instead of silently true. Counts are integers, fractions and errors are non-negative reals.
"""

from __future__ import annotations

import sympy as sp

# Data: fractions of label-relevant, confusion and non-discriminative tokens; patterns; tokens before and after
# sparsification (section 3.2, Definition 1).
alpha = sp.Symbol("alpha_*", positive=True)
alpha_confusion = sp.Symbol("alpha_#", nonnegative=True)
alpha_nd = sp.Symbol("alpha_nd", nonnegative=True)
M = sp.Symbol("M", integer=True, positive=True)
d = sp.Symbol("d", integer=True, positive=True)
L = sp.Symbol("L", integer=True, positive=True)
S = sp.Symbol("|S|", integer=True, positive=True)
S_1 = sp.Symbol("|S_1|", positive=True)
rest = sp.Symbol("|S|-|S_1|", positive=True)
kappa = sp.Symbol("kappa", positive=True)
tau = sp.Symbol("tau", nonnegative=True)
lambda_ = sp.Symbol("lambda", real=True)

# Network and initialisation (eq. (1), Assumption 1, Algorithm 1).
m = sp.Symbol("m", integer=True, positive=True)
m_a = sp.Symbol("m_a", integer=True, positive=True)
m_b = sp.Symbol("m_b", integer=True, positive=True)
sigma = sp.Symbol("sigma", nonnegative=True)
delta = sp.Symbol("delta", nonnegative=True)
xi = sp.Symbol("xi", positive=True)
a = sp.Symbol("a", positive=True)
c_0 = sp.Symbol("c_0", positive=True)
norm_V, norm_K, norm_Q = sp.symbols("||W_V|| ||W_K|| ||W_Q||", nonnegative=True)

# Training: samples, batch, step, iterations, current iteration.
N = sp.Symbol("N", integer=True, positive=True)
B = sp.Symbol("B", integer=True, positive=True)
eta = sp.Symbol("eta", positive=True)
T = sp.Symbol("T", positive=True)
t = sp.Symbol("t", positive=True)

# Quantities of the proof: norm of the query feature of pattern 1, its growth rate, attention mass, output coefficients.
q = sp.Symbol("||q_1||", positive=True)
K = sp.Symbol("K(t)", positive=True)
p_n = sp.Symbol("p_n", positive=True)
a_0 = sp.Symbol("a_0", nonnegative=True)
a_1 = sp.Symbol("a_1", positive=True)

# Hidden constants of Theorem 1 and its lemmas.
epsilon = sp.Symbol("epsilon", positive=True)
epsilon_m = sp.Symbol("epsilon_m", nonnegative=True)
epsilon_S = sp.Symbol("epsilon_S", positive=True)
zeta = sp.Symbol("zeta", nonnegative=True)
c_prime = sp.Symbol("c'", nonnegative=True)
c_second = sp.Symbol("c''", nonnegative=True)
C = sp.Symbol("C", positive=True)
c_sigma = sp.Symbol("c_sigma", positive=True)
c_m = sp.Symbol("c_m", positive=True)
c_B = sp.Symbol("c_B", positive=True)
c_S = sp.Symbol("c_S", positive=True)
c_N = sp.Symbol("c_N", positive=True)
theta_const = sp.Symbol("Theta(1)", positive=True)

value_error = sigma + tau
"""Distance of a token's value vector from its feature (Assumption 2): initial error plus token noise."""

query_error = delta + tau
"""The same for query and key vectors."""

confusion_ratio = sp.exp(-query_error) * (1 - value_error)
"""e^{-(delta+tau)} (1 - (sigma+tau)): up to epsilon_S, the largest alpha_# / alpha_* that condition (8) admits."""

samples_offset = c_prime * (1 - zeta) + c_second * value_error
"""The fraction alpha_* at which the sample bound (10) diverges."""

neuron_deficit = epsilon + value_error * M / sp.pi
"""What (11) subtracts from 1: the share of lucky neurons that initialisation and width cost."""
