"""Jelassi, Sander and Li (NeurIPS 2022), sections 2 and 3: the data, the model and how they are set.

Without noise, on the population risk, d appears in no formula of the dynamics; it is D then, as Simplification 3.1 sets
it. The regimes are in `theory.spatial_vit.assumptions`.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import (
    Axis,
    Claim,
    Conditions,
    Evidence,
    Hypothesis,
    Identity,
    Inequality,
    Kind,
    Limit,
    OverLists,
    Role,
    Source,
)
from theory.relations import above, at_least, at_most, below
from theory.spatial_vit.assumptions import ASSUMPTION_2, PARAMETRIZATION
from theory.spatial_vit.counting import labelling_error
from theory.spatial_vit.notation import SET_SIZES, SEVERAL_SETS, C, D, beta, d, gamma, q, rho, sigma_A, tau
from theory.spatial_vit.reduced import GAMMA, LAMBDA, XI

DATA = Claim(
    id="B.data",
    source=Source("jelassi2022", "Assumptions 1 and 2"),
    kind=Kind.DEFINITION,
    statement=(
        "All patches of one uniformly drawn set carry y w*, every other patch carries w* or -w* with probability q/2 "
        "each, plus Gaussian noise orthogonal to w*; d is polynomial in D, C polylogarithmic in d, q = poly(C)/D."
    ),
    observable="sampled_data_meet_the_data_model",
    by_construction="samples are drawn by the definition that they are held to",
    evidence=(Evidence.PROPERTY, Evidence.MEASURED),
    regime=ASSUMPTION_2,
    lemmas=(
        Conditions(
            "Assumption 2 with d = D, C <= (log D)^2, C/D <= q <= C^2/D, C <= D/4, q <= 1/4",
            (at_least(q * D, C), at_most(q * D, C**2), at_most(C, sp.log(D) ** 2), at_most(4 * C, D)),
            {D: (64, 256), C: (4, 9), q: (0, sp.Rational(1, 4))},
        ),
    ),
    reading=(
        "The noise covariance is printed with I_D for I_d. Simplification 3.1 sets d = D, Assumption 2 d = poly(D). "
        "Definition 2.1 calls X 'each patch' and sets S_l a subset of D, meaning [D]. 'C << D and q << 1' follow only "
        "for large D."
    ),
    fairness=(
        "A definition: the statement is that the data drawn here are the data defined there, and that Assumption 2 can "
        "be met at sizes at all. I_D for I_d, 'each patch' and 'a subset of D' are slips that nobody would build on, "
        "and are not counted. A sampler that draws spurious features at another rate must be found out. Otherwise it "
        "comes out with frequencies or norms that leave their intervals; both were measured, and a sampler that gives "
        "a tenth of the samples the signs of the label, or draws spurious features twice as often, fails."
    ),
)

slow, degree = sp.symbols("epsilon m", positive=True)
UNION = sp.log(D / C) + C * sp.log(2) + sp.Rational(9, 10) * C * (degree * sp.log(C) - sp.log(D))
"""Logarithm of L 2^C q^(9 C/10) at q = C^m/D: the union over sets of 0.9 C patches that carry the feature."""

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
    axes=(Axis(D),),
    value=D**-4,
    regime=ASSUMPTION_2,
    lemmas=(
        OverLists(
            "(1), any C and any number n of random sets: y times the sum over sets is at least C less C for each that "
            "passes against the label, t its thresholded sum and b whether it does",
            "C + sum(t[i], i=1..n) >= C*(1 - sum(b[i], i=1..n))",
            {"t[i]": "(-oo, oo), i=1..n", "b[i]": "[0, 1], i=1..n", "C": "1:oo", "n": "0:oo"},
            whole=("C", "n"),
            given=("t[i] >= -C*b[i]",),
            role=Role.OWN_QUESTION,
        ),
        OverLists(
            "a set's sum is at most the number of its patches that carry the feature, any C",
            "abs(sum(x[j], j=1..C)) <= sum(abs(x[j]), j=1..C)",
            {"x[j]": "[-1, 1]", "C": "1:oo"},
            whole=("C",),
            role=Role.OWN_QUESTION,
        ),
        OverLists(
            "a random set passes with probability 2^C q^(C - d) at most, any C, where it passes with at most d patches "
            "without the feature, also d <= C/10: that probability is q^(C - d) times this sum",
            "sum(binomial(C, i)*q^(d - i)*(1 - q)^i, i=0..d) <= 2^C",
            {"q": "(0, 1]", "d": "0:oo", "C": "1:oo"},
            whole=("C", "d"),
            given=("d <= C",),
            role=Role.OWN_QUESTION,
        ),
        OverLists(
            "union over n independent random sets, any n: each passes with probability u at most, 2^C q^(9 C/10) at "
            "any C, and one of them with n u",
            "1 - prod(1 - p[i], i=1..n) <= n*u",
            {"p[i]": "[0, 1]", "u": "0:oo", "n": "1:oo"},
            whole=("n",),
            given=("p[i] <= u",),
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            "exact error at D = 16, C = 4 is at most that of one random set passing against the label",
            at_most(labelling_error(16, 4), 3 * (q / 2) ** 4),
            {q: (0, 1)},
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            "exact error at D = 16, C = 4, q <= 1/4 is below 1/1000",
            below(labelling_error(16, 4), sp.Rational(1, 1000)),
            {q: (0, sp.Rational(1, 4))},
            role=Role.OWN_QUESTION,
        ),
        Limit(
            "at fixed C = 4 and q = 1/D the error is of order D^-3, a power and no d^-omega(1)",
            sp.log((D / 4 - 1) / (2 * D) ** 4) / sp.log(D),
            D,
            sp.oo,
            sp.Integer(-3),
            role=Role.OWN_QUESTION,
        ),
        Limit(
            "the union over sets, L 2^C q^(9 C/10), falls faster than any power: C = (log D)^eps, q = C^m/D",
            sp.log(D) / UNION.subs(C, sp.log(D) ** slow),
            D,
            sp.oo,
            sp.Integer(0),
            role=Role.STATEMENT,
        ),
        Limit(
            "at a constant C = 6, the control, it is a power: log D over its logarithm tends to -5/22",
            sp.log(D) / UNION.subs(C, 6),
            D,
            sp.oo,
            -sp.Rational(5, 22),
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "Threshold_C(z) = z where |z| > C is used at 0.9 C. The signal set contributes y C exactly, as noise is "
        "orthogonal to w*. A random set passes with probability 2^C q^(0.9 C) at most, since 0.9 C of its patches "
        "carry the feature; a tie y f* = 0 counts as wrong. 'd^-omega(1)' is below every power of d, which no grid "
        "shows: that is proved of the union over sets for C of any power of log d, however small, and q of any degree "
        "in C. Measured is, with d = D, whether the error lies below that union and its exponent goes on falling, "
        "which at any constant C it does not. Threshold_C is written with |z| > C, not >=, irrelevant at 0.9 C."
    ),
    fairness=(
        "The headline rests on 'P[y f*(X) > 0] = 1 - d^-omega(1)' with C = polylog(d) growing, as C is a quantity of "
        "the limit: on the proof that the union over sets falls faster than every power, and on exact errors that lie "
        "below it. It would be 'refuted' had the exact error kept above some power of d, as it does at a constant C, "
        "which 'polylog(d)' as an upper bound would admit and nobody claims: at C = 6 the same limit comes out as a "
        "power, and the exponent does not go on falling. Both were run. Whether the error is below D^-4 is asked "
        "beside it and decides nothing, since a power, D^-5 at C = 6, is below it as well."
    ),
)

eigenvalue = sp.Symbol("lambda", real=True)
THREE_VALUED = sp.Matrix(4, 4, lambda row, column: beta if row == column else gamma if row // 2 == column // 2 else rho)
"""Two sets of two patches."""
ASSOCIATED = (at_least(gamma - rho, 1), at_least(beta - rho, 1))
EIGENVALUES = (at_least(beta - gamma, 0), at_least(beta + gamma - 2 * rho, 0), at_least(beta + gamma + 2 * rho, 0))
"""No eigenvalue of A with three values is negative, at D = 4 and C = 2: A is a Gram matrix."""
LOGITS = {beta: (-4, 4), gamma: (-4, 4), rho: (-4, 4)}

ASSOCIATION = Claim(
    id="B.association",
    source=Source("jelassi2022", "Definition 2.2"),
    kind=Kind.DEFINITION,
    statement=(
        "A transformer performs patch association if, for every patch, the C largest inner products of positional "
        "encodings are those of its own set."
    ),
    observable="fraction_of_patches_whose_top_C_is_their_set",
    by_construction="a definition; what is shown is that it can be met",
    evidence=(Evidence.SYMBOLIC, Evidence.PROPERTY, Evidence.MEASURED),
    lemmas=(
        Identity(
            "A with three values, D = 4, C = 2: its characteristic polynomial",
            (THREE_VALUED - eigenvalue * sp.eye(4)).det(method="berkowitz"),
            (beta - gamma - eigenvalue) ** 2
            * (beta + gamma + 2 * rho - eigenvalue)
            * (beta + gamma - 2 * rho - eigenvalue),
        ),
        Conditions(
            "A associates patches and is a Gram matrix",
            (*ASSOCIATED, *EIGENVALUES),
            LOGITS,
        ),
        Conditions(
            "A associates patches and is no Gram matrix: gamma beyond the fixed diagonal",
            (*ASSOCIATED, below(beta - gamma, 0)),
            LOGITS,
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "Definition 2.2 ranks <p_i, p_j>, Theorems 4.1 and 4.2 rank A_ij, which gradient descent moves directly: the "
        "learned A need not be a Gram matrix P^T P: with three values its eigenvalues are beta - gamma, beta + "
        "(C-1) gamma - C rho and beta + (C-1) gamma + (D-C) rho: gamma beyond the fixed diagonal ends it. "
        "The patch itself counts, so association also asks for beta above rho. Ties leave Top_C undefined: counted as "
        "no association. M is typed as a classifier."
    ),
    fairness=(
        "The definition itself asserts nothing that could be false: its headline says that three-valued A have the "
        "eigenvalues by which A is a Gram matrix or not, and that associated Gram matrices exist. The paper says that "
        "it optimizes A 'for simplicity' although A = P^T P, and never claims that the learned A has encodings; "
        "whether it has is exploratory. Otherwise it comes out where an eigenvalue has another sign than its formula "
        "or no associated Gram matrix can be built; the first is proved, the second was built, and a diagonal of -1 "
        "fails the count."
    ),
)

_share = sp.Symbol("x", positive=True)
"""log(D) / D, at most 0.0461 from D = 100 on."""

GRAM_INIT = Claim(
    id="B.gram_init",
    source=Source("jelassi2022", "section 3, below Parametrization 3.1"),
    kind=Kind.TIGHT,
    statement=(
        "With Gaussian positional encodings of variance sigma_A/D, A = P^T P has diagonal Theta(sigma_A) and "
        "off-diagonal entries of order sigma_A/sqrt(D)."
    ),
    observable="diagonal_and_off_diagonal_logits_at_gaussian_initialisation",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    axes=(Axis(D), Axis(sigma_A)),
    value=sigma_A / sp.sqrt(D),
    regime=(Hypothesis("d = D (Simplification 3.1)", sp.Eq(d, D)),),
    lemmas=(
        # P[some |A_ij| > t] <= D^2 exp(-s t) E[exp(s <p_i, p_j>)], and that mean is (1 - u^2)^(-D/2) with
        # u = s sigma_A / D, below 1. With t = 3 sigma_A (log(D) / D)^(1/2) and u^2 = 9 log(D) / D the bound is
        # D^-7 (1 - u^2)^(-D/2), at most 1/D where what follows holds; log(D) / D falls from D = e on.
        Inequality(
            "every |A_ij| at most 3 sigma_A (log(D) / D)^(1/2), i != j, with probability 1 - 1/D: Chernoff's bound, "
            "x = log(D) / D, D >= 100",
            at_most(-sp.log(1 - 9 * _share), 12 * _share),
            {_share: (0, sp.Rational(47, 1000))},
            role=Role.REPAIR,
        ),
    ),
    reading=(
        "Uses d = D. Off-diagonal entries are centred, so Theta(sigma_A/sqrt(D)) is read as their typical size, the "
        "root mean square; 'with high probability' for each pair i != j at once is another interpretation. The "
        "constants of Theta are the claim's to choose: a prefactor is fitted for the off-diagonal entries, and for the "
        "diagonal the constants 1/4 and 4 serve at every size. 'A_ii = sigma_A I_D' equates a scalar with a matrix."
    ),
    fairness=(
        "The headline rests on 'A_ii = Theta(sigma_A) and A_ij = Theta(sigma_A/sqrt(D))', whose use is the next "
        "sentence: since D is large, A_ij = 0 is a reasonable start. Both scales are right, the typical entry's to its "
        "exponents in D and in sigma_A. Read word by word, for every pair with high probability, no constants serve: "
        "the least of D^2/2 centred entries lies far below sigma_A/sqrt(D), and each single one does with a "
        "probability that does not vanish; for the largest a factor sqrt(log D) more is enough, which is proved. That "
        "costs the argument nothing and is no more than the wording, so the headline names the interpretation. An "
        "exponent that leaves -1/2 in D or 1 in sigma_A by more than 1/4 would have violated the scales; both axes "
        "were swept, and encodings shorter by the root of D are found out."
    ),
)

own_weight, within_weight, C_ = sp.symbols("Lambda Gamma C", positive=True)

DIAGONAL = Claim(
    id="B.diagonal_wlog",
    source=Source("jelassi2022", "Simplification 3.1"),
    kind=Kind.BEHAVIOUR,
    statement="Keeping the diagonal of A fixed loses no generality, because softmax ignores a uniform shift of a row.",
    observable="outcome_of_training_with_free_against_fixed_diagonal",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=PARAMETRIZATION,
    lemmas=(
        *(
            Identity(
                f"{name} depends on gamma - beta and rho - beta alone",
                value.subs({beta: 0, gamma: gamma - beta, rho: rho - beta}, simultaneous=True),
                value,
                box=SET_SIZES,
                given=SEVERAL_SETS,
                role=Role.STATEMENT,
            )
            for name, value in (("Lambda", LAMBDA), ("Gamma", GAMMA), ("Xi", XI))
        ),
        Inequality(
            "a free diagonal would move: Lambda (1 - Lambda - (C-1) Gamma) > 0 in a signal set without spurious signs",
            above(own_weight * (1 - own_weight - (C_ - 1) * within_weight), 0),
            {own_weight: (sp.Rational(1, 100), 1), within_weight: (0, 1), C_: (2, 100)},
            given=(below(own_weight + (C_ - 1) * within_weight, 1),),
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "Every function stays representable, but training differs: freezing one entry of a row is not the quotient by "
        "the shift; the free row's gradient sums to zero and moves the diagonal too. 'Loses nothing' is read as: both "
        "runs end as Theorem 4.1 says, associated and with a small error."
    ),
    fairness=(
        "The headline rests on 'without loss of generality': that the attention matrices are the same ones is proved, "
        "and Theorem 4.1's conclusion is asked with a fixed and with a free diagonal, at small sizes and where the "
        "theorem itself is asked, at T = D^3/eta along D. That the two runs differ in speed or error is not held "
        "against it: the paper does not say that they agree, and a uniform shift is no reason why they should. A "
        "setting within the hypotheses where only one of the two associates or generalizes would speak against it. "
        "Both kinds were run at the same settings, and a thousandth of a unit of flow time fails."
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
    by_construction="(T) sums over all patches and all pairs of them, and their order is a matter of names",
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
    fairness=(
        "The claim is used for Lemma 4.1, where patches are permuted together with rows and columns of A, and so read "
        "it is a change of names: the headline is 'consistent', no finding. That the output changes when patches move "
        "and A stays is not held against the word 'permutation-invariant'; positional encodings are there for that. "
        "Otherwise it comes out where the two sides differ at one point; the prover was asked, for two patches, and "
        "refutes the identity with a side a hundredth larger."
    ),
)

_LOGITS = (beta, gamma, rho, rho)
"""A row of three-valued A, D = 4, C = 2."""


def _own_share(divisor: sp.Expr) -> sp.Expr:
    """S_ii of that row, its logits over a divisor."""
    weights = [sp.exp(logit / divisor) for logit in _LOGITS]
    return weights[0] / sp.Add(*weights)


def _lambda_at_four(divisor: sp.Expr) -> sp.Expr:
    """Lambda of section 4.1 at D = 4, C = 2, its logits over a divisor."""
    logits = {entry: entry / divisor for entry in (beta, gamma, rho)}
    return LAMBDA.xreplace({D: sp.Integer(4), C: sp.Integer(2)}).xreplace(logits)


_AS_IN_T = "with the divisor of (T) in Lambda as well, it is S_ii, D = 4, C = 2"

SCALE = Claim(
    id="B.scale",
    source=Source("jelassi2022", "(T) against section 4.1"),
    kind=Kind.DEFINITION,
    statement="Lambda, Gamma and Xi of section 4.1 are the coefficients of the attention matrix S.",
    observable="training_outcome_with_and_without_temperature",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    by_construction="with one divisor in both, they are the definition of a softmax; the misprint is a step of its own",
    lemmas=(
        Identity(
            "as printed, without the sqrt(d) of (T): Lambda is S_ii, D = 4, C = 2",
            _own_share(sp.sqrt(d)),
            _lambda_at_four(sp.Integer(1)),
            box={d: (4, 4), beta: (-4, 4), gamma: (-4, 4), rho: (-4, 4)},
            instead=_AS_IN_T,
            slip=True,
        ),
        Identity(_AS_IN_T, _own_share(tau), _lambda_at_four(tau), role=Role.STATEMENT),
        Identity(
            "dividing logits by sqrt(d) is rescaling them",
            (sp.exp(X_1 / sp.sqrt(d)) / (sp.exp(X_1 / sp.sqrt(d)) + sp.exp(X_2 / sp.sqrt(d)))),
            (1 / (1 + sp.exp((X_2 - X_1) / sp.sqrt(d)))),
            role=Role.OWN_QUESTION,
        ),
        Identity(
            "a step of A moves the divided logits like a step eta/d of their own",
            sp.diff(1 / (1 + sp.exp((X_2 - X_1) / sp.sqrt(d))), X_1) / sp.sqrt(d),
            sp.diff(1 / (1 + sp.exp(X_2 - X_1)), X_1).subs({X_1: X_1 / sp.sqrt(d), X_2: X_2 / sp.sqrt(d)}) / d,
            role=Role.OWN_QUESTION,
        ),
        Limit(
            "at the start the diagonal weighs e^(beta/sqrt(d)) times another patch, which tends to 1 as d -> oo",
            sp.exp(beta / sp.sqrt(d)),
            d,
            sp.oo,
            sp.Integer(1),
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "S_ij divides A_ij by sqrt(d) in Definition 3.2 and (T); the Lambda, Gamma and Xi that are said to be its "
        "coefficients do not. One of the two is a misprint. With logits a/sqrt(d), GD on A is GD on the divided logits "
        "with step eta/d, from a diagonal sigma_A/sqrt(d) instead of sigma_A: the attention learns d times more slowly "
        "against v and starts nearly uniform. A step of A that is d times longer undoes the first alone; only with a "
        "diagonal sqrt(d) sigma_A besides is (T) the network of section 4.1. In as many steps as that takes, d times "
        "more, v moves d times further."
    ),
    fairness=(
        "That (T) has sqrt(d) and section 4.1 has not is a fact of the print: with it Lambda is not the coefficient "
        "that it is said to be, with one divisor in both it is, by the definition of a softmax: so it counts apart, "
        "and the misprint as a step that holds as corrected. Which of the two is meant is not held against the paper: "
        "Theorem 4.1 and its events are asked of both networks, each on a line of its own. What sqrt(d) changes in "
        "training the paper does not say, so the measured rows are exploratory. Had the corrected identity failed, or "
        "Theorem 4.1 held for one network alone, the place would be a contradiction and no misprint; both were looked "
        "at."
    ),
)

GLM_AT_INIT = Claim(
    id="B.glm_at_init",
    source=Source("jelassi2022", "section 4.1, Event I and eq. (2)"),
    uses=("B.glm_fails",),  # "would not generalize ... (see Theorem 3.1)"
    kind=Kind.IDENTITY,
    statement=(
        "With attention at its initial value 'the model is nothing else than a generalized linear model': (2), the sum "
        "over i and j of S_ij <v, X_j>."
    ),
    observable="network_output_at_initial_attention",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    by_construction="(2) has no activation, and a weighted sum of patches is linear in them",
    lemmas=(
        Identity(
            "without activation (2) is linear in the patches: D = 2",
            2 * (own * X_1 + across * X_2) + 2 * (across * X_1 + own * X_2),
            2 * (own + across) * (X_1 + X_2),
        ),
        Identity(
            "with activation p = 3: the direction of the gradient must not depend on X, at D = 2",
            sp.diff(two_patch_network(3), X_1).subs(across, 1 - own),
            sp.diff(two_patch_network(3), X_2).subs(across, 1 - own),
            box={own: (sp.Rational(3, 5), sp.Rational(4, 5)), slope: (0, 1), X_1: (-1, 1), X_2: (-1, 1)},
            instead="with activation p = 3 and equal rows, Lambda = Xi, the direction is fixed, at D = 2",
            role=Role.READING,
        ),
        Identity(
            "with activation p = 3 and equal rows, Lambda = Xi, the direction is fixed, at D = 2",
            sp.diff(two_patch_network(3), X_1).subs(own, across),
            sp.diff(two_patch_network(3), X_2).subs(own, across),
        ),
    ),
    reading=(
        "Two sentences name two predictors. Event I: 'the model is nothing else than a generalized linear model', and "
        "the model is (T), whose sum over i has the activation sigma(D sum_j S_ij <v, X_j>). Event II: 'the predictor "
        "g we would have is' (2), printed without the activation and the factor D, proportional to one sum since all "
        "rows have one normaliser. Both stand: (2) as printed is the statement, (T) is another interpretation. With "
        "the activation the model is a generalized linear one only if all rows of S agree, that is, if the diagonal "
        "beta equals the off-diagonal 0."
    ),
    fairness=(
        "(2) as printed is a generalized linear model, exactly, and could not come out otherwise: so far the headline "
        "would be 'consistent'. That 'the model' is one is false of (T) wherever beta is not 0: two data points of one "
        "sum get unlike outputs, and the direction of the gradient turns with the patches. The text allows both, so "
        "the headline says that it depends on the reading. Not held against the paper is that a sketch may leave the "
        "activation out; what Event II needs of it is that a model at initial attention does not generalize, which is "
        "asked of generalized linear models in B.glm_fails. Outputs at equal sums that agree with the activation "
        "would have made both interpretations agree; they were compared, and one patch attended to twice is found out."
    ),
)
