"""Jelassi, Sander and Li (NeurIPS 2022), sections 2 and 3: the data, the model and how they are set.

`ASSUMPTION_2` and `PARAMETRIZATION` are the regimes that the paper's claims share. Every "poly" and "polylog" is a
power with a hidden exponent, so that it stays undecidable at a grid point; what can be decided there (C divides D, C
< D, q in (0, 1], p odd and at least 3, unit noise energy) is a relation of its own.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, Hypothesis, Identity, Kind, Source
from theory.relations import above, at_least, at_most, below
from theory.spatial_vit.notation import C, D, N, T, d, eta, nu, omega, p, q, sigma, sigma_A

c_D, c_C, c_q, c_eta, c_nu, c_T, c_N, c_A, c_omega = sp.symbols(
    "c_D c_C c_q c_eta c_nu c_T c_N c_A c_omega", positive=True
)
"""Exponents hidden in d = poly(D), C = polylog(d), q = poly(C)/D, eta <= 1/poly(d), T >= poly(d)/eta and so on."""

ASSUMPTION_2 = (
    Hypothesis("C divides D (Definition 2.1)", sp.Eq(sp.Mod(D, C), 0)),
    Hypothesis("1 < C < D", sp.And(above(C, 1), below(C, D))),
    Hypothesis("0 < q <= 1", sp.And(above(q, 0), at_most(q, 1))),
    # sigma^2 arrives as a float: 1e-12 is rounding, not slack.
    Hypothesis("sigma^2 = 1/d", at_most(sp.Abs(sigma**2 * d - 1), sp.Rational(1, 10**12))),
    Hypothesis("d = poly(D)", at_most(d, D**c_D)),
    Hypothesis("C = polylog(d)", at_most(C, sp.log(d) ** c_C)),
    Hypothesis("q = poly(C)/D", at_most(q, C**c_q / D)),
)

MODEL = (
    Hypothesis("p >= 3 and odd (Simplification 3.1)", sp.And(at_least(p, 3), sp.Eq(sp.Mod(p, 2), 1, evaluate=False))),
    Hypothesis("nu = 1/poly(d)", at_most(nu, d**-c_nu)),
)

PARAMETRIZATION = (
    *ASSUMPTION_2,
    *MODEL,
    Hypothesis("eta < 1/poly(d)", at_most(eta, d**-c_eta)),
    Hypothesis("T >= poly(d)/eta", at_least(T, d**c_T / eta)),
    Hypothesis("sigma_A = polyloglog(d)", sp.And(above(sigma_A, 0), at_most(sigma_A, sp.log(sp.log(d)) ** c_A))),
)
"""[jelassi2022, Parametrization 3.1], idealized case."""

REALISTIC = (
    *PARAMETRIZATION,
    Hypothesis("omega = 1/poly(d)", at_most(omega, d**-c_omega)),
    Hypothesis("N = poly(d)", at_least(N, d**c_N)),
)
"""The same for the empirical risk with Gaussian initialisation (Theorem 4.2)."""

DATA = Claim(
    id="B.data",
    source=Source("jelassi2022", "Assumptions 1 and 2"),
    kind=Kind.DEFINITION,
    statement=(
        "All patches of one uniformly drawn set carry y w*, every other patch carries w* or -w* with probability q/2 "
        "each, plus Gaussian noise orthogonal to w*; d is polynomial in D, C polylogarithmic in d, q = poly(C)/D."
    ),
    observable="sampled_data_meet_the_data_model",
    evidence=(Evidence.PROPERTY, Evidence.MEASURED),
    regime=ASSUMPTION_2,
    reading=(
        "The noise covariance is printed with I_D for I_d. Simplification 3.1 sets d = D, Assumption 2 d = poly(D). "
        "Definition 2.1 calls X 'each patch' and sets S_l a subset of D, meaning [D]. 'C << D and q << 1' follow only "
        "for large D."
    ),
)

LABELLING = Claim(
    id="B.labelling",
    source=Source("jelassi2022", "Definition 2.1, eq. (1); below Assumption 1"),
    kind=Kind.UNSPECIFIED_ORDER,
    statement=(
        "Summing set sums that exceed 0.9 C in absolute value gives the label's sign except with probability "
        "d^-omega(1)."
    ),
    observable="probability_that_the_labelling_function_is_wrong",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=ASSUMPTION_2,
    reading=(
        "Threshold_C(z) = z where |z| > C is used at 0.9 C. The signal set contributes y C exactly, as noise is "
        "orthogonal to w*. A random set passes with probability of order q^(0.9 C) at most (2^C of them), so "
        "d^-omega(1) needs C to grow, C = polylog(d) large enough against log d / log D; a tie y f* = 0 counts as "
        "wrong. Threshold_C is written with |z| > C, not >=, irrelevant at 0.9 C."
    ),
)

ASSOCIATION = Claim(
    id="B.association",
    source=Source("jelassi2022", "Definition 2.2"),
    kind=Kind.DEFINITION,
    statement=(
        "A transformer performs patch association if, for every patch, the C largest inner products of positional "
        "encodings are those of its own set."
    ),
    observable="fraction_of_patches_whose_top_C_is_their_set",
    evidence=(Evidence.SYMBOLIC, Evidence.PROPERTY, Evidence.MEASURED),
    reading=(
        "Definition 2.2 ranks <p_i, p_j>, Theorems 4.1 and 4.2 rank A_ij, which gradient descent moves directly: the "
        "learned A need not be a Gram matrix P^T P (A is not constrained to be symmetric or positive semidefinite). "
        "The patch itself counts, so association also asks for beta above rho. Ties leave Top_C undefined: counted as "
        "no association. M is typed as a classifier."
    ),
)

GRAM_INIT = Claim(
    id="B.gram_init",
    source=Source("jelassi2022", "section 3, below Parametrization 3.1"),
    kind=Kind.BEHAVIOUR,
    statement=(
        "With Gaussian positional encodings of variance sigma_A/D, A = P^T P has diagonal Theta(sigma_A) and "
        "off-diagonal entries of order sigma_A/sqrt(D)."
    ),
    observable="diagonal_and_off_diagonal_logits_at_gaussian_initialisation",
    evidence=(Evidence.MEASURED,),
    regime=ASSUMPTION_2,
    reading=(
        "Uses d = D; off-diagonal entries are centred, so Theta means their typical absolute value. 'A_ii = sigma_A "
        "I_D' equates a scalar with a matrix."
    ),
)

DIAGONAL = Claim(
    id="B.diagonal_wlog",
    source=Source("jelassi2022", "Simplification 3.1"),
    kind=Kind.BEHAVIOUR,
    statement="Keeping the diagonal of A fixed loses no generality, because softmax ignores a uniform shift of a row.",
    observable="outcome_of_training_with_free_against_fixed_diagonal",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=PARAMETRIZATION,
    reading=(
        "Every function stays representable, but training differs: freezing one entry of a row is not the quotient by "
        "the shift; the free row's gradient sums to zero and moves the diagonal too. 'Loses nothing' is read as: same "
        "association and test error."
    ),
)

X_1, X_2 = sp.symbols("X_1 X_2", real=True)
own, across, slope = sp.symbols("Lambda Xi nu", positive=True)


def two_patch_network(power: int) -> sp.Expr:
    """(T) for D = 2, C = 1 and unit v, as a function of the two features <v, X_j>."""
    first, second = 2 * (own * X_1 + across * X_2), 2 * (across * X_1 + own * X_2)
    return first**power + slope * first + second**power + slope * second


PERMUTATION = Claim(
    id="B.permutation",
    source=Source("jelassi2022", "sections 2, 3 and 4.1"),
    kind=Kind.IDENTITY,
    statement="Permuting the patches together with rows and columns of A leaves the network's output unchanged.",
    observable="network_output_under_patch_permutation",
    evidence=(Evidence.PROPERTY,),
    lemmas=(
        Identity(
            "two patches swapped, p = 3",
            two_patch_network(3),
            two_patch_network(3).subs({X_1: X_2, X_2: X_1}, simultaneous=True),
        ),
    ),
    reading=(
        "The paper says 'permutation-invariant'; with A held fixed the output is not invariant, only jointly with A "
        "(or P)."
    ),
)

SCALE = Claim(
    id="B.scale",
    source=Source("jelassi2022", "(T) against section 4.1"),
    kind=Kind.DEFINITION,
    statement="(T) divides logits by sqrt(d) before the softmax, the reduced softmax of section 4.1 does not.",
    observable="training_outcome_with_and_without_temperature",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    lemmas=(
        Identity(
            "dividing logits by sqrt(d) is rescaling them",
            (sp.exp(X_1 / sp.sqrt(d)) / (sp.exp(X_1 / sp.sqrt(d)) + sp.exp(X_2 / sp.sqrt(d)))),
            (1 / (1 + sp.exp((X_2 - X_1) / sp.sqrt(d)))),
        ),
    ),
    reading=(
        "With logits a/sqrt(d), GD on A is GD on the divided logits with step eta/d, from a diagonal sigma_A/sqrt(d) "
        "instead of sigma_A: the attention learns d times more slowly against v and starts nearly uniform."
    ),
)

GLM_AT_INIT = Claim(
    id="B.glm_at_init",
    source=Source("jelassi2022", "section 4.1, Event I and eq. (2)"),
    kind=Kind.IDENTITY,
    statement="With attention at its initial value the predictor is a generalized linear model of the patches.",
    observable="network_output_at_initial_attention",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    lemmas=(
        Identity(
            "without activation (2) is linear in the patches: D = 2",
            2 * (own * X_1 + across * X_2) + 2 * (across * X_1 + own * X_2),
            2 * (own + across) * (X_1 + X_2),
        ),
        Identity(
            "with activation p = 3: the direction of the gradient must not depend on X, at D = 2",
            sp.diff(two_patch_network(3), X_1),
            sp.diff(two_patch_network(3), X_2),
        ),
    ),
    reading=(
        "(2) drops the activation of (T) and the factor D. With it, a sum over i of sigma(D sum_j S_ij <v, X_j>) is a "
        "generalized linear model only if all rows of S agree, that is, if the diagonal beta equals the off-diagonal "
        "0. In (2), 'proportional to' holds because all rows have one normaliser."
    ),
)
