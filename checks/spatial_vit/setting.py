"""The settings of [jelassi2022] in words, and their translation into the paper's letters.

The paper asks for d = poly(D), C = polylog(d), q = poly(C)/D, nu = 1/poly(d), p odd >= 3, beta = polyloglog(d), a small
step. The two sizes used throughout, (D, C, q) = (16, 4, 1/4) and (24, 4, 1/3), have exact population risks by
enumeration; p = 3, nu = D^-2, beta = 1, and the reduced softmax of section 4.1, without the sqrt(d) of (T).
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from checks.check import exact
from sim.trial import Parameters, Scalar
from theory.spatial_vit import notation

SMALL = {"n_patches": 16, "set_size": 4, "spurious_rate": 0.25, "linear_coefficient": 16**-2}
LARGE = {"n_patches": 24, "set_size": 4, "spurious_rate": 1 / 3, "linear_coefficient": 24**-2}
COMMON = {"activation_power": 3, "diagonal_logit": 1.0}


def setting(size: Parameters, **changes: Scalar) -> Parameters:
    """A full parameter set from a size and what differs."""
    return {**COMMON, **size, **changes}


def symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """A trial's parameters as the paper's symbols; noise has variance 1/d and sigma_A is the diagonal logit."""
    named = {word: parameters[word] for word in notation.SYMBOLS if word in parameters}
    values = {notation.SYMBOLS[word]: exact(value) for word, value in named.items()}
    if notation.d in values:
        values[notation.sigma] = 1 / sp.sqrt(values[notation.d])
    if notation.beta in values:
        values[notation.sigma_A] = values[notation.beta]
    return values
