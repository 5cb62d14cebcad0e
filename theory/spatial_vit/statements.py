"""Jelassi, Sander and Li (NeurIPS 2022), Theorems 3.1, 3.2 and 4.2: what fails, what exists, what is learned."""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Conditions, Evidence, Identity, Inequality, Kind, Source
from theory.relations import above, at_least, at_most, below
from theory.spatial_vit.counting import decoder_error, paired_error, sum_error
from theory.spatial_vit.data_model import ASSUMPTION_2, REALISTIC
from theory.spatial_vit.notation import D, d, q

norm_i, norm_j, cosine = sp.symbols("||p_i|| ||p_j|| cos", real=True)
k = sp.Symbol("k", positive=True, integer=True)
j = sp.Symbol("j", integer=True)
EIGHTH, QUARTER = sp.Rational(1, 8), sp.Rational(1, 4)
RATES = {q: (sp.Rational(1, 16), QUARTER)}

# Positional encodings for Theorem 3.2 with j != i: sets are partners two by two; n = <p_i, p_i>, own = <p_i, p_j>
# within a set, partner = <p_i, p_j> across partners, 0 elsewhere. C = 4 patches a set.
n, own, partner, unit = sp.symbols("n own partner lambda", real=True)
GRAM_OF_PARTNERS = sp.Matrix(
    4, 4, lambda row, column: n if row == column else own if row // 2 == column // 2 else partner
)
"""Two partner sets of two patches each."""

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
    lemmas=(
        Identity(
            "3^k exceeds every difference of lower digits by one, so sum_j 3^j <w*, X_j> determines all signs",
            3**k - sp.Sum(2 * 3**j, (j, 0, k - 1)).doit(),
            sp.Integer(1),
        ),
        Inequality(
            "Theorem 3.1 with w_j = 3^j w* and phi a table, at D = 8, C = 2",
            at_least(decoder_error(8, 2), EIGHTH),
            RATES,
            instead="that table errs less than 1/8 at every such q",
        ),
        Inequality(
            "that table errs less than 1/8 at every such q",
            below(decoder_error(8, 2), EIGHTH),
            RATES,
        ),
        Inequality(
            "Theorem 3.1 with phi increasing and w_j = w*, at D = 16, C = 4",
            at_least(sum_error(16, 4), EIGHTH),
            RATES,
            instead="phi increasing and w_j = w*, at D = 64, C = 4, q = 1/4",
        ),
        Inequality(
            "phi increasing and w_j = w*, at D = 64, C = 4, q = 1/4",
            at_least(sum_error(64, 4), EIGHTH),
            {q: (QUARTER, QUARTER)},
        ),
    ),
    reading=(
        "phi is arbitrary, hence may be non-monotone or fit to injective projections: noise is orthogonal to w*, so "
        "w_j = 3^j w* makes the sum determine every coefficient exactly, and an arbitrary phi reads the label from it: "
        "it errs only where f* = 0. An increasing phi with equal weights errs with the probability that D - C random "
        "signs outweigh C, above 1/8 only where q (D - C) is large against C^2. The proof is in an appendix that is "
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
        Conditions(
            "as written: the patch of largest norm outside its own Top_C",
            (
                at_most(norm_j, norm_i),
                above(norm_i * norm_j * cosine, norm_i**2),
            ),
            {norm_i: (0, 10), norm_j: (0, 10), cosine: (-1, 1)},
            instead="with j != i: encodings of partner sets, C = 4",
        ),
        Identity(
            "Gram matrix of partner sets, C = 2: its characteristic polynomial",
            (GRAM_OF_PARTNERS - unit * sp.eye(4)).det(method="berkowitz"),
            (n - own - unit) ** 2 * (n + own + 2 * partner - unit) * (n + own - 2 * partner - unit),
        ),
        Conditions(
            "with j != i: encodings of partner sets, C = 4",
            (
                above(own, 5),
                at_least(n - own, 0),
                at_least(n + 3 * own - 4 * partner, 0),
                at_most(n - own, 1),
                above(partner, own),
            ),
            {n: (0, 10), own: (0, 10), partner: (0, 10)},
        ),
        Inequality(
            "with j != i: attending evenly to both partner sets, p = 3, D = 24, C = 4, errs less than 1/8",
            at_most(paired_error(24, 4, 3), EIGHTH),
            RATES,
        ),
    ),
    reading=(
        "As written it is impossible up to ties: by Cauchy-Schwarz the patch of largest norm is in its own Top_C, and "
        "it is in its own set. Read with j != i sets can be partners two by two: products of n for a patch with "
        "itself, own within its set, partner > own with the partner set, 0 elsewhere; a Gram matrix needs n >= own and "
        "n + (C-1) own >= C partner. With n, own and partner close together and large, every patch attends evenly to "
        "both sets, and F sums odd powers of pair sums."
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
    axes=(Axis(D), Axis(d)),
    value=D**3 * d,
    regime=REALISTIC,
    reading=(
        "'Any T >= poly(d)/eta' has no upper end: on separable training data GD goes on growing v and A without bound, "
        "so stability of association in T is part of the measurement. poly(d) names no power; D^3 d is the largest "
        "member it is judged against, stated beforehand: D^4 where d = D, and linear in d, the number of unknowns of "
        "v. Figure 4 claims to be this setting."
    ),
)
