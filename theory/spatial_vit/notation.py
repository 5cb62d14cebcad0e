"""Symbols of paper B: Jelassi, Sander, Li, "Vision Transformers provably learn spatial structure" (NeurIPS 2022).

One symbol for one letter, with the assumptions the paper makes of it, so that every formula of this folder means the
same thing by it. `SYMBOLS` lists them by word name, the name used outside `theory/`.

Three readings had to be fixed. The paper writes sigma for the activation and for the noise level; the activation is
a function here and `sigma` is the noise. The diagonal logit is called sigma_A where it is set and beta where it is
used: both symbols exist and `DIAGONAL` equates them. (T) divides the logits by sqrt(d) but the reduced softmax of
section 4.1 does not: `tau` is the divisor, sqrt(d) in the one and 1 in the other.
"""

from __future__ import annotations

import sympy as sp

from theory.relations import at_least

D = sp.Symbol("D", positive=True, integer=True)
"""Number of patches."""
C = sp.Symbol("C", positive=True, integer=True)
"""Patches in a set."""
L = sp.Symbol("L", positive=True, integer=True)
"""Number of sets; D = L C."""
d = sp.Symbol("d", positive=True, integer=True)
"""Dimension of a patch."""
q = sp.Symbol("q", nonnegative=True)
"""Probability that a patch outside the signal set carries the feature, with either sign equally likely."""
sigma = sp.Symbol("sigma", positive=True)
"""Standard deviation of the noise orthogonal to the feature; sigma^2 = 1/d."""
p = sp.Symbol("p", positive=True, integer=True, odd=True)
"""Power of the activation x^p + nu x; odd, at least 3."""
nu = sp.Symbol("nu", positive=True)
"""Coefficient of the activation's linear part."""
tau = sp.Symbol("tau", positive=True)
"""Temperature: divisor of the logits inside the softmax."""

N = sp.Symbol("N", positive=True, integer=True)
"""Number of training samples."""
eta = sp.Symbol("eta", positive=True)
"""Learning rate."""
T = sp.Symbol("T", positive=True, integer=True)
"""Number of gradient-descent steps."""
t = sp.Symbol("t", nonnegative=True)
"""Current step."""
omega = sp.Symbol("omega", positive=True)
"""Standard deviation of the Gaussian initialisation of the realistic case."""
sigma_A = sp.Symbol("sigma_A", real=True)
"""Value at which the diagonal of the attention logits is held fixed."""

alpha = sp.Symbol("alpha", positive=True)
"""<v, w*>; positive along the idealized trajectory, which starts at nu^(1/(p-1)) > 0."""
beta = sp.Symbol("beta", real=True)
"""Diagonal attention logit."""
gamma = sp.Symbol("gamma", real=True)
"""Attention logit of two different patches of one set."""
rho = sp.Symbol("rho", real=True)
"""Attention logit of two patches of different sets."""

# Letters of statements that no formula here has.
feature = sp.Symbol("w*", real=True)
"""The feature: patches of the signal set carry it with the sign of the label."""
value_vector = sp.Symbol("v", real=True)
"""Value vector, the one that is trained."""
phase_times = sp.symbols("T_0 T_1", positive=True)
"""Ends of the first and of the second phase of training (Events I and II)."""
weights = sp.Symbol("S_ij", real=True)
"""Weight that the softmax gives patch j for patch i."""
weight_values = sp.symbols("Lambda Gamma Xi", positive=True)
"""Weight of a patch on itself, on another one of its set, and on one of another set."""
own_set = sp.Symbol("G", positive=True)
"""D times the weight of a patch on its own set."""
positions = sp.Symbol("P", real=True)
"""Positional encodings, by columns; A = P^T P."""
patch = sp.Symbol("X_j", real=True)
"""Patch j of a sample."""

DIAGONAL = sp.Eq(beta, sigma_A)
"""[jelassi2022, Lemma 4.1 (1)]"""
PARTITION = sp.Eq(D, L * C)
"""[jelassi2022, Assumption 1]"""
NOISE = sp.Eq(sigma**2, 1 / d)
"""[jelassi2022, Assumption 2]"""
INITIAL_ALPHA = nu ** (1 / (p - 1))
"""alpha at step 0 in the idealized case. [jelassi2022, Parametrization 3.1]"""
SET_SIZES = {C: (2, sp.oo), D: (4, sp.oo)}
SEVERAL_SETS = (at_least(D, 2 * C),)
"""Where all three kinds of entries exist: a set has another patch, and there is another set; D = L C with L >= 2."""
PAPER_TEMPERATURE = sp.sqrt(d)
"""Divisor of the logits in (T)."""
REDUCED_TEMPERATURE = sp.Integer(1)
"""Divisor of the logits in the reduced softmax of section 4.1."""

SYMBOLS: dict[str, sp.Symbol] = {
    "n_patches": D,
    "set_size": C,
    "n_sets": L,
    "patch_dimension": d,
    "spurious_rate": q,
    "noise_level": sigma,
    "activation_power": p,
    "linear_coefficient": nu,
    "temperature": tau,
    "n_samples": N,
    "learning_rate": eta,
    "n_steps": T,
    "step": t,
    "init_scale": omega,
    "diagonal_logit": beta,
    "feature_alignment": alpha,
    "within_logit": gamma,
    "across_logit": rho,
}
"""Word name at a module border -> symbol."""
