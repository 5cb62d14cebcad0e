"""Eigenvalues and eigenvectors of sample covariances with a spike, as dimension and samples grow in proportion.

Letters: n samples of dimension p; gamma is p / n; ell is the spike, the one population eigenvalue that is not 1; kappa
is the fourth moment of a coordinate of variance 1 (3 if Gaussian); x is an argument of a distribution function.

[paul2007] D. Paul. Asymptotics of sample eigenstructure for a large dimensional spiked covariance model. Statistica
Sinica 17 (2007). [baik2006] J. Baik and J. W. Silverstein. Eigenvalues of large sample covariance matrices of spiked
population models. Journal of Multivariate Analysis 97 (2006). [bai2008] Z. Bai and J. Yao. Central limit theorems for
eigenvalues in a spiked population model. Annales de l'IHP, Probabilites et Statistiques 44 (2008). [anderson1963] T. W.
Anderson. Asymptotic theory for principal component analysis. Annals of Mathematical Statistics 34 (1963). [yang2018] J.
Yang and I. M. Johnstone. Edgeworth correction for the largest eigenvalue in a spiked PCA model. Statistica Sinica 28
(2018).
"""

from __future__ import annotations

import sympy as sp

from theoremeter import (
    Axis,
    Claim,
    Evidence,
    Hypothesis,
    Identity,
    Inequality,
    Kind,
    Limit,
    Path,
    Source,
    above,
    at_least,
    at_most,
    below,
)

n, p = sp.symbols("n p", positive=True, integer=True)
ell, gamma, kappa = sp.symbols("ell gamma kappa", positive=True)
x = sp.Symbol("x", real=True)

EDGE = (1 + sp.sqrt(gamma)) ** 2
RHO = ell * (1 + gamma / (ell - 1))
COSINE = (1 - gamma / (ell - 1) ** 2) / (1 + gamma / (ell - 1))
SHARE = 1 - gamma / (ell - 1) ** 2
"""How much of the classical variance 2 ell^2 is left."""

FLAT = Hypothesis("gamma < 1", below(gamma, 1))
VISIBLE = Hypothesis("ell > 1 + sqrt(gamma)", above(ell, 1 + sp.sqrt(gamma)))
HIDDEN = Hypothesis("ell <= 1 + sqrt(gamma)", at_most(ell, 1 + sp.sqrt(gamma)))
SMALL = Hypothesis("ell < 1 - sqrt(gamma)", below(ell, 1 - sp.sqrt(gamma)))
SPIKE = Hypothesis("ell > 1", above(ell, 1))
GAUSSIAN = Hypothesis("Gaussian entries", sp.Eq(kappa, 3))
IN_PROPORTION = Path("p = gamma n with gamma fixed", n, "infinity", {p: gamma * n})


def normal(variance: sp.Expr) -> sp.Expr:
    """Distribution function at x of a normal of mean 0."""
    return (1 + sp.erf(x / sp.sqrt(2 * variance))) / 2


def measured(name: str, source: Source, kind: Kind, statement: str, observable: str, value: sp.Expr, **more) -> Claim:
    """A claim about n toward infinity with p = gamma n."""
    return Claim(
        id=f"spiked.{name}",
        source=source,
        kind=kind,
        statement=statement,
        observable=observable,
        evidence=(Evidence.MEASURED,),
        axes=(Axis(n),),
        value=value,
        path=IN_PROPORTION,
        **more,
    )


LARGEST, COSINE_WORDS = "largest eigenvalue of the sample covariance", "squared cosine between eigenvector and spike"

# ---------------------------------------------------------------------------------------------------- what Paul proves

EDGE_CLAIM = measured(
    "edge",
    Source("paul2007", "Theorem 1"),
    Kind.LIMIT,
    "A spike of at most 1 + sqrt(gamma) does not show: the largest eigenvalue tends to (1 + sqrt(gamma))^2.",
    LARGEST,
    EDGE,
    regime=(GAUSSIAN, FLAT, HIDDEN),
)
OUTLIER_CLAIM = measured(
    "outlier",
    Source("paul2007", "Theorem 2"),
    Kind.LIMIT,
    "A spike above 1 + sqrt(gamma) pulls the largest eigenvalue to ell (1 + gamma / (ell - 1)).",
    LARGEST,
    RHO,
    regime=(GAUSSIAN, FLAT, VISIBLE),
)
NORMAL_CLAIM = measured(
    "normal",
    Source("paul2007", "Theorem 3"),
    Kind.LIMIT,
    "Above 1 + sqrt(gamma) the largest eigenvalue, centred at its limit and times sqrt(n), tends in distribution to a "
    "normal of variance 2 ell^2 (1 - gamma / (ell - 1)^2).",
    "distribution of the largest eigenvalue, centred at its limit and times sqrt(n)",
    normal(2 * ell**2 * SHARE),
    regime=(GAUSSIAN, FLAT, VISIBLE),
)
EDGEWORTH_CLAIM = measured(
    "edgeworth",
    Source("yang2018", "the first correction to the normal limit is of order n^(-1/2)"),
    Kind.TIGHT,
    "Above 1 + sqrt(gamma) the law of the largest eigenvalue, centred at its limit and times sqrt(n), differs from its "
    "normal limit by order n^(-1/2).",
    "Kolmogorov distance of that law from its normal limit",
    1 / sp.sqrt(n),
    margin=sp.Rational(1, 4),
    regime=(GAUSSIAN, FLAT, VISIBLE),
)
COSINE_CLAIM = measured(
    "cosine",
    Source("paul2007", "Theorem 4 (a)"),
    Kind.LIMIT,
    "Above 1 + sqrt(gamma) the first eigenvector keeps an angle to the spike, whose squared cosine tends to "
    "(1 - gamma / (ell - 1)^2) / (1 + gamma / (ell - 1)).",
    COSINE_WORDS,
    COSINE,
    regime=(GAUSSIAN, FLAT, VISIBLE),
)
BLIND_CLAIM = measured(
    "blind",
    Source("paul2007", "Theorem 4 (b)"),
    Kind.LIMIT,
    "Up to 1 + sqrt(gamma) the first eigenvector becomes orthogonal to the spike.",
    COSINE_WORDS,
    sp.Integer(0),
    regime=(GAUSSIAN, FLAT, HIDDEN),
)
TRANSITION_CLAIM = measured(
    "transition",
    Source("paul2007", "Theorem 4"),
    Kind.TRANSITION,
    "The squared cosine tends to 0 for spikes below 1 + sqrt(gamma) and to a positive number for those above.",
    COSINE_WORDS,
    1 + sp.sqrt(gamma),
    regime=(GAUSSIAN, FLAT),
)
SMALLEST_CLAIM = measured(
    "smallest",
    Source("baik2006", "limits of the extreme eigenvalues, gamma < 1"),
    Kind.LIMIT,
    "A spike below 1 - sqrt(gamma) pulls the smallest eigenvalue to ell (1 + gamma / (ell - 1)).",
    "smallest eigenvalue of the sample covariance",
    RHO,
    regime=(FLAT, SMALL),
)
MOMENTS_CLAIM = measured(
    "any_entries",
    Source("bai2008", "central limit theorem for a simple spike of a diagonal covariance"),
    Kind.LIMIT,
    "With independent entries of fourth moment kappa the variance of that normal is "
    "2 ell^2 a + (kappa - 3) ell^2 a^2 with a = 1 - gamma / (ell - 1)^2.",
    "distribution of the largest eigenvalue, centred at its limit and times sqrt(n)",
    normal(ell**2 * SHARE * (2 + (kappa - 3) * SHARE)),
    regime=(FLAT, VISIBLE),
)

# ------------------------------------------------------------------------------------- what follows from the formulas

_BOX = {ell: (1, sp.oo), gamma: (0, 1)}
APART_CLAIM = Claim(
    id="spiked.apart",
    source=Source("paul2007", "Theorems 1 and 2 beside each other"),
    kind=Kind.INEQUALITY,
    statement="The outlier lies above the edge and above its spike; both limits agree at ell = 1 + sqrt(gamma).",
    observable="none, formulas are compared",
    evidence=(Evidence.CERTIFIED,),
    regime=(FLAT, SPIKE),
    lemmas=(
        Inequality("the limit of the outlier is at least the edge", at_least(RHO, EDGE), _BOX),
        Inequality(
            "the largest eigenvalue overestimates its spike",
            above(RHO, ell),
            {**_BOX, gamma: (sp.Rational(1, 10**6), 1)},
        ),
        Identity("they meet at ell = 1 + sqrt(gamma)", RHO.subs(ell, 1 + sp.sqrt(gamma)), EDGE),
        Identity("there the cosine is 0", COSINE.subs(ell, 1 + sp.sqrt(gamma)), sp.Integer(0)),
    ),
)
CLASSICAL_CLAIM = Claim(
    id="spiked.classical",
    source=Source("anderson1963", "the limit gamma to 0 of Paul's formulas"),
    kind=Kind.LIMIT,
    statement="As gamma tends to 0 eigenvalue, variance and cosine are the classical ones: ell, 2 ell^2 and 1.",
    observable="none, formulas are compared",
    evidence=(Evidence.SYMBOLIC,),
    lemmas=(
        Limit("eigenvalue", RHO, gamma, 0, ell),
        Limit("variance", 2 * ell**2 * SHARE, gamma, 0, 2 * ell**2),
        Limit("squared cosine", COSINE, gamma, 0, sp.Integer(1)),
    ),
)
BIAS_CLAIM = Claim(
    id="spiked.bias_at_most_gamma",
    source=Source("planted", "false on purpose, beside Theorem 2"),
    kind=Kind.INEQUALITY,
    statement="The largest eigenvalue overestimates its spike by at most gamma in the limit.",
    observable="none, formulas are compared",
    evidence=(Evidence.CERTIFIED,),
    regime=(FLAT, VISIBLE),
    lemmas=(
        Inequality("at most gamma", at_most(RHO, ell + gamma), _BOX, instead="at least gamma"),
        Inequality("at least gamma", at_least(RHO, ell + gamma), _BOX),
    ),
)

# ------------------------------------------------------------------------------------------- false, beside what is true

CONSISTENT_CLAIM = measured(
    "consistent",
    Source("anderson1963", "consistency, carried over to p in proportion to n: false on purpose"),
    Kind.LIMIT,
    "The largest eigenvalue tends to its spike.",
    LARGEST,
    ell,
    regime=(GAUSSIAN, VISIBLE),
)
ALWAYS_CLAIM = measured(
    "always_outside",
    Source("planted", "Theorem 2 without its hypothesis: false on purpose"),
    Kind.LIMIT,
    "Every spike above 1 pulls the largest eigenvalue to ell (1 + gamma / (ell - 1)).",
    LARGEST,
    RHO,
    regime=(GAUSSIAN, FLAT, SPIKE),
)
UNIVERSAL_CLAIM = measured(
    "universal_normal",
    Source("planted", "Theorem 3 without Gaussian entries: false on purpose"),
    Kind.LIMIT,
    "The normal limit has variance 2 ell^2 (1 - gamma / (ell - 1)^2) for independent entries of any law.",
    "distribution of the largest eigenvalue, centred at its limit and times sqrt(n)",
    normal(2 * ell**2 * SHARE),
    regime=(FLAT, VISIBLE),
)
EARLY_CLAIM = measured(
    "early_transition",
    Source("planted", "another place of the transition: false on purpose"),
    Kind.TRANSITION,
    "The squared cosine tends to 0 for spikes below 1 + 2 sqrt(gamma) and to a positive number for those above.",
    COSINE_WORDS,
    1 + 2 * sp.sqrt(gamma),
    regime=(GAUSSIAN, FLAT),
)
QUICKER_CLAIM = measured(
    "edgeworth_without_skewness",
    Source("planted", "the rate of laws without skewness: false on purpose"),
    Kind.UPPER,
    "That law differs from its normal limit by at most order 1 / n.",
    "Kolmogorov distance of that law from its normal limit",
    1 / n,
    margin=sp.Rational(1, 4),
    regime=(GAUSSIAN, FLAT, VISIBLE),
)
