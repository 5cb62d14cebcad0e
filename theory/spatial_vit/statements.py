"""Jelassi, Sander and Li (NeurIPS 2022), Theorems 3.1, 3.2 and 4.2: what fails, what exists, what is learned."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, Inequality, Kind, Source
from theory.relations import at_most
from theory.spatial_vit.data_model import ASSUMPTION_2, REALISTIC

norm_i, norm_j, cosine = sp.symbols("||p_i|| ||p_j|| cos", real=True)

GLM_FAILS = Claim(
    id="B.glm_fails",
    source=Source("jelassi2022", "Theorem 3.1"),
    kind=Kind.EVERY_ALGORITHM,
    statement=(
        "Every generalized linear model phi(sum_j <w_j, X_j>) disagrees with the labelling function with probability "
        "at least 1/8."
    ),
    observable="error_of_generalized_linear_models",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    value=sp.Rational(1, 8),
    regime=ASSUMPTION_2,
    reading=(
        "phi is arbitrary, hence may be non-monotone or fit to injective projections: noise is orthogonal to w*, so "
        "w_j = 3^j w* makes the sum determine every coefficient exactly, and an arbitrary phi reads the label from it. "
        "That attack, and linear phi as a function of q, C, D, are separate parts. The proof is in an appendix that is "
        "not in the text at hand."
    ),
)

NO_STRUCTURE = Claim(
    id="B.no_structure",
    source=Source("jelassi2022", "Theorem 3.2"),
    kind=Kind.EXISTENCE,
    statement=(
        "Some one-layer transformer generalizes up to d^-omega(1) although, for every patch, the C largest inner "
        "products of positional encodings avoid its set."
    ),
    observable="error_and_top_C_of_a_constructed_transformer",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=ASSUMPTION_2,
    lemmas=(
        Inequality(
            "for the encoding of largest norm, no inner product exceeds the one with itself",
            at_most(norm_i * norm_j * cosine, norm_i**2),
            {norm_i: (0, 10), norm_j: (0, 10), cosine: (-1, 1)},
            given=(at_most(norm_j, norm_i),),
        ),
    ),
    reading=(
        "As written it is impossible up to ties: by Cauchy-Schwarz the patch of largest norm is in its own Top_C, and "
        "it is in its own set. Read with j != i it is a construction to be printed and measured."
    ),
)

REALISTIC_CASE = Claim(
    id="B.realistic",
    source=Source("jelassi2022", "Theorem 4.2"),
    kind=Kind.UNSPECIFIED_ORDER,
    statement=(
        "From polynomially many samples and Gaussian initialisation, gradient descent on the empirical risk for any T "
        ">= poly(d)/eta gives association and error o(1)."
    ),
    observable="samples_to_association_and_generalization",
    evidence=(Evidence.MEASURED,),
    regime=REALISTIC,
    reading=(
        "'Any T >= poly(d)/eta' has no upper end: on separable training data GD goes on growing v and A without bound, "
        "so stability of association in T is part of the measurement. poly is judged by a power of D against a stated "
        "largest log degree. Figure 4 claims to be this setting."
    ),
)
