"""Symbols of [li2023]: Table 1, Table 2 and section 3, with the assumptions under which the paper uses them.

Names are printed as in the paper. What the paper hides in O, Theta and "some constant" gets a symbol here too, so
that a hypothesis with a hidden constant is a relation with a free symbol: evaluating it at a grid point then leaves
it undecidable instead of silently true. Counts are integers, fractions and errors are non-negative reals.
"""

from __future__ import annotations

import sympy as sp

# Data: fractions of tokens, patterns, tokens before and after sparsification (section 3.2, Definition 1).
alpha = sp.Symbol("alpha_*", positive=True)
"""Average fraction of label-relevant tokens in a sample."""
alpha_confusion = sp.Symbol("alpha_#", nonnegative=True)
"""Average fraction of confusion tokens: those of the other label's pattern."""
alpha_nd = sp.Symbol("alpha_nd", nonnegative=True)
"""Average fraction of tokens of patterns without a label."""
M = sp.Symbol("M", integer=True, positive=True)
"""Number of patterns; the first two make the labels."""
d = sp.Symbol("d", integer=True, positive=True)
"""Dimension of a token."""
L = sp.Symbol("L", integer=True, positive=True)
"""Number of tokens of a sample."""
S = sp.Symbol("|S|", integer=True, positive=True)
"""Number of tokens that sparsification keeps."""
S_1 = sp.Symbol("|S_1|", positive=True)
"""Number of kept tokens that are label-relevant."""
rest = sp.Symbol("|S|-|S_1|", positive=True)
"""Number of kept tokens that are not label-relevant."""
kappa = sp.Symbol("kappa", positive=True)
"""Least distance between two patterns."""
tau = sp.Symbol("tau", nonnegative=True)
"""Largest distance of a token from its pattern: the token noise."""
lambda_ = sp.Symbol("lambda", real=True)
"""A number below 1: the largest inner product of rescaled tokens of two patterns (Assumption 3), a share in (49)."""

# Network and initialisation (eq. (1), Assumption 1, Algorithm 1).
m = sp.Symbol("m", integer=True, positive=True)
"""Number of hidden neurons."""
m_a = sp.Symbol("m_a", integer=True, positive=True)
"""Rows of W_V."""
m_b = sp.Symbol("m_b", integer=True, positive=True)
"""Rows of W_Q and W_K."""
sigma = sp.Symbol("sigma", nonnegative=True)
"""Largest error of the initial values: of W_V times a pattern about its feature."""
delta = sp.Symbol("delta", nonnegative=True)
"""Largest error of the initial keys and queries about their features."""
xi = sp.Symbol("xi", positive=True)
"""Standard deviation of the initial hidden weights."""
a = sp.Symbol("a", positive=True)
"""Size of an output weight, 1/sqrt(m)."""
c_0 = sp.Symbol("c_0", positive=True)
"""Standard deviation of Gaussian token noise in the paper's experiments."""
norm_V, norm_K, norm_Q = sp.symbols("||W_V|| ||W_K|| ||W_Q||", nonnegative=True)
"""Spectral norm of an initial matrix."""

# Training: samples, batch, step, iterations, current iteration.
N = sp.Symbol("N", integer=True, positive=True)
"""Number of training samples."""
B = sp.Symbol("B", integer=True, positive=True)
"""Samples of a batch."""
eta = sp.Symbol("eta", positive=True)
"""Learning rate."""
T = sp.Symbol("T", positive=True)
"""Number of SGD iterations."""
t = sp.Symbol("t", positive=True)
"""Current iteration."""

# Quantities of the proof: norm of the query feature of pattern 1, its growth rate, attention mass, output coefficients.
q = sp.Symbol("||q_1||", positive=True)
"""Norm of the query feature of pattern 1."""
K = sp.Symbol("K(t)", positive=True)
"""Rate at which that norm grows at iteration t."""
p_n = sp.Symbol("p_n", positive=True)
"""Attention mass of sample n on label-relevant tokens."""
a_0 = sp.Symbol("a_0", nonnegative=True)
a_1 = sp.Symbol("a_1", positive=True)

# Letters of statements that no formula here has.
weights = sp.symbols("W_V W_K W_Q W_O")
"""Weights of values, of keys, of queries and of the hidden layer."""
token_weights = sp.symbols("phi_n nu_n", positive=True)
"""Bounds from below and above on the attention weight of one token that is not label-relevant (Definition 1)."""
key_growth = sp.Symbol("Q(t)", positive=True)
"""Rate at which the norms of key features grow at iteration t."""
value_features = sp.symbols("p_1 p_2")
"""Features of the values of the two patterns that make the labels."""
key_feature = sp.Symbol("r_i", real=True)
"""Key feature of pattern i."""
neuron_step = sp.Symbol("V_i", real=True)
"""What a step adds to neuron i along the feature of its pattern."""
lucky = sp.symbols("W(t) U(t)")
"""Neurons that are lucky at iteration t: for label 1, and for label -1 (Definition 2)."""
spread = sp.Symbol("Delta", nonnegative=True)
"""Spread of the vectors of one set of patterns (appendix G.2)."""
attention_column, value_column, gradient_column = sp.symbols("P_l v_l g_l", real=True)
"""Of token l: its attention, its value, and the hinge gradient of an active sample by that value."""

# Hidden constants of Theorem 1 and its lemmas.
epsilon = sp.Symbol("epsilon", positive=True)
"""A small positive number of Theorem 1."""
epsilon_m = sp.Symbol("epsilon_m", nonnegative=True)
"""Share of the lucky neurons that a finite width costs."""
zeta = sp.Symbol("zeta", nonnegative=True)
"""A number near 1 in (10): at least 1 - eta^10."""
c_prime, c_second = sp.symbols("c' c''", nonnegative=True)
"""Constants of the offset in (10), which the paper leaves open."""
C = sp.Symbol("C", positive=True)
"""A constant that an order hides."""
c_sigma, c_m, c_B, c_S, c_N = sp.symbols("c_sigma c_m c_B c_S c_N", positive=True)
"""Constants that hypotheses hide: of the initial error, the width, the batch, the kept tokens, the samples."""
epsilon_S = sp.Symbol("epsilon_S", positive=True)
"""Hidden in the fraction of confusion tokens that condition (8) admits."""
theta_const = sp.Symbol("Theta(1)", positive=True)
"""A number that the paper bounds from both sides and leaves open."""

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
