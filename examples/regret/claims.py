"""Online gradient descent over a ball: what it guarantees, what no learner can avoid, and where both meet.

Letters: T rounds; R the radius of the ball and D = 2 R its diameter; G the greatest length of a gradient; d the
dimension; alpha the curvature of strongly convex losses; eta a step; x an argument of a distribution function.

[zinkevich2003] M. Zinkevich. Online convex programming and generalized infinitesimal gradient ascent. ICML 2003.
[hazan2016] E. Hazan. Introduction to Online Convex Optimization. Foundations and Trends in Optimization 2 (2016).
[abernethy2008] J. Abernethy, P. Bartlett, A. Rakhlin and A. Tewari. Optimal strategies and minimax lower bounds for
online convex games. COLT 2008. [cover1966] T. M. Cover. Behavior of sequential predictors of binary sequences. Prague
Conference 1965. [rayleigh1880] Lord Rayleigh. On the resultant of a large number of vibrations of the same pitch and of
arbitrary phase. Philosophical Magazine 10 (1880). [cesabianchi2006] N. Cesa-Bianchi and G. Lugosi. Prediction,
Learning, and Games. Cambridge 2006.
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
    Source,
    at_least,
    at_most,
)

T, d = sp.symbols("T d", positive=True, integer=True)
R, G, alpha, eta, t = sp.symbols("R G alpha eta t", positive=True)
x = sp.Symbol("x", real=True)
D = 2 * R

SPACE = Hypothesis("d >= 3", at_least(d, 3))
MEAN_OF_SUM = T * sp.binomial(T, T / 2) / 2**T
"""E |s_1 + ... + s_T| of random signs, for even T."""
EVEN = Hypothesis("T is even", sp.Eq(sp.Mod(T, 2), 0))


def measured(name: str, source: Source, kind: Kind, statement: str, observable: str, value=None, **more) -> Claim:
    """A claim that games settle; along T where it has a value that is no bound for every learner."""
    along = value is not None and kind is not Kind.EVERY_ALGORITHM
    return Claim(
        id=f"regret.{name}",
        source=source,
        kind=kind,
        statement=statement,
        observable=observable,
        evidence=(Evidence.MEASURED,),
        axes=(Axis(T),) if along else (),
        value=value,
        **more,
    )


REGRET = "regret against the best fixed point in hindsight"

# ------------------------------------------------------------------------------------------------------- upper bounds

ZINKEVICH = measured(
    "zinkevich",
    Source("zinkevich2003", "Theorem 1"),
    Kind.EXPLICIT_UPPER,
    "With steps t^(-1/2) the regret is at most D^2 sqrt(T) / 2 + (sqrt(T) - 1/2) G^2.",
    REGRET,
    D**2 * sp.sqrt(T) / 2 + (sp.sqrt(T) - sp.Rational(1, 2)) * G**2,
)
SCALED = measured(
    "scaled_steps",
    Source("hazan2016", "Theorem 3.1"),
    Kind.EXPLICIT_UPPER,
    "With steps D / (G sqrt(t)) the regret is at most 3 G D sqrt(T) / 2.",
    REGRET,
    3 * G * D * sp.sqrt(T) / 2,
)
ANYTIME = measured(
    "anytime",
    Source("hazan2016", "Theorem 3.1, for all T >= 1"),
    Kind.BEHAVIOUR,
    "With steps D / (G sqrt(t)) the bound 3 G D sqrt(t) / 2 holds after every round of every game.",
    "regret after each round",
)
FIXED = measured(
    "fixed_step",
    Source("abernethy2008", "upper bound for linear losses over a ball"),
    Kind.EXPLICIT_UPPER,
    "From the centre, with the fixed step R / (G sqrt(T)), the regret is at most R G sqrt(T).",
    REGRET,
    R * G * sp.sqrt(T),
)
STRONG = measured(
    "strongly_convex",
    Source("hazan2016", "Theorem 3.3"),
    Kind.EXPLICIT_UPPER,
    "For alpha-strongly convex losses and steps 1 / (alpha t) the regret is at most G^2 (1 + log T) / (2 alpha).",
    REGRET,
    G**2 * (1 + sp.log(T)) / (2 * alpha),
)
LOGARITHM = measured(
    "logarithm",
    Source("cesabianchi2006", "the logarithm of square losses is met"),
    Kind.TIGHT,
    "Against targets that alternate between opposite points this regret is of order log T.",
    REGRET,
    sp.log(T),
    margin=sp.Rational(1, 8),
)
BATCH = measured(
    "batch",
    Source("hazan2016", "Theorem 3.4"),
    Kind.EXPLICIT_UPPER,
    "Averaged stochastic gradient descent has mean excess at most 3 G D / (2 sqrt(T)).",
    "f at the mean of all points played, less the minimum of f",
    3 * G * D / (2 * sp.sqrt(T)),
)

# -------------------------------------------------------------------------------------------------------- lower bounds

FORCED = measured(
    "forced",
    Source("abernethy2008", "lower bound for linear losses over a ball, d >= 3"),
    Kind.EVERY_ALGORITHM,
    "In three dimensions or more an adversary forces regret R G sqrt(T) on every learner.",
    "regret of a learner against gradients orthogonal to its point and to their own sum",
    R * G * sp.sqrt(T),
    regime=(SPACE,),
)
ADVERSARY = measured(
    "adversary_exists",
    Source("abernethy2008", "lower bound for linear losses over a ball, d >= 3"),
    Kind.EXISTENCE,
    "For every learner and every T there are losses against which its regret is at least R G sqrt(T).",
    REGRET,
    regime=(SPACE,),
)
EQUALITY = measured(
    "equality",
    Source("abernethy2008", "value of the game"),
    Kind.EXACT,
    "Fixed steps against this adversary have regret R G sqrt(T) exactly: upper and lower bound meet.",
    REGRET,
    R * G * sp.sqrt(T),
    regime=(SPACE,),
)
LEADER = measured(
    "leader",
    Source("cesabianchi2006", "follow the leader on the line"),
    Kind.EXACT,
    "On losses x / 2, -x, x, -x, ... over the line the leader's regret is R G (T - 1/2): linear.",
    REGRET,
    R * G * (T - sp.Rational(1, 2)),
)
LINE = measured(
    "line",
    Source("cover1966", "achievable loss of predictors of signs"),
    Kind.EVERY_ALGORITHM,
    "On the line every learner meets signs with regret at least E |s_1 + ... + s_T|, about 0.8 sqrt(T).",
    "greatest regret over all sequences of signs",
    MEAN_OF_SUM,
    regime=(EVEN,),
)
LINE_MEAN = measured(
    "line_mean",
    Source("cover1966", "achievable loss of predictors of signs"),
    Kind.EXACT,
    "The mean regret over all sequences of signs is E |s_1 + ... + s_T| whatever the learner does.",
    "mean regret over all sequences of signs",
    MEAN_OF_SUM,
    regime=(EVEN,),
)
ROOT = measured(
    "root_of_two_over_pi",
    Source("cesabianchi2006", "central limit theorem in lower bounds"),
    Kind.LIMIT,
    "Against random signs the mean regret over sqrt(T) tends to sqrt(2 / pi).",
    "mean regret over sqrt(T)",
    sp.sqrt(2 / sp.pi),
)
RAYLEIGH = measured(
    "rayleigh",
    Source("rayleigh1880", "law of a sum of many vibrations"),
    Kind.LIMIT,
    "Against random unit gradients in the plane the regret over sqrt(T) of a learner at 0 tends in distribution to a "
    "Rayleigh law.",
    "distribution of regret over sqrt(T)",
    1 - sp.exp(-(sp.Max(x, 0) ** 2)),
)

# ------------------------------------------------------------------------------------------------------------- lemmas

STEPS = Claim(
    id="regret.steps",
    source=Source("hazan2016", "proofs of Theorems 3.1 and 3.3"),
    kind=Kind.INEQUALITY,
    statement="Sums of steps: 1 / sqrt(t) is at most 2 sqrt(t) - 2 sqrt(t - 1), 1 / t at most log t - log(t - 1).",
    observable="none, formulas are compared",
    evidence=(Evidence.CERTIFIED,),
    lemmas=(
        Inequality("roots telescope", at_most(1 / sp.sqrt(t), 2 * sp.sqrt(t) - 2 * sp.sqrt(t - 1)), {t: (1, sp.oo)}),
        Inequality("logarithms telescope", at_most(1 / t, sp.log(t) - sp.log(t - 1)), {t: (2, sp.oo)}),
    ),
)
TUNING = Claim(
    id="regret.tuning",
    source=Source("abernethy2008", "upper bound for linear losses over a ball"),
    kind=Kind.INEQUALITY,
    statement="No fixed step makes R^2 / (2 eta) + eta G^2 T / 2 less than R G sqrt(T), which R / (G sqrt(T)) gives.",
    observable="none, formulas are compared",
    evidence=(Evidence.CERTIFIED,),
    lemmas=(
        Inequality(
            "no step is better",
            at_least(R**2 / (2 * eta) + eta * G**2 * t / 2, R * G * sp.sqrt(t)),
            {R: (0, sp.oo), G: (0, sp.oo), eta: (0, sp.oo), t: (1, sp.oo)},
        ),
        Identity(
            "the best step",
            (R**2 / (2 * eta) + eta * G**2 * t / 2).subs(eta, R / (G * sp.sqrt(t))),
            R * G * sp.sqrt(t),
        ),
    ),
)

# ------------------------------------------------------------------------------------------- false, beside what is true

WIDER = measured(
    "rayleigh_of_unit_variance",
    Source("planted", "coordinates of variance 1 in place of 1/2: false on purpose"),
    Kind.LIMIT,
    "In the plane the regret over sqrt(T) of a learner at 0 tends in distribution to the length of a standard normal.",
    "distribution of regret over sqrt(T)",
    1 - sp.exp(-(sp.Max(x, 0) ** 2) / 2),
)

FIXED_ANYTIME = measured(
    "fixed_step_anytime",
    Source("planted", "a step that is tuned for T, before T: false on purpose"),
    Kind.BEHAVIOUR,
    "With the fixed step R / (G sqrt(T)) the bound R G sqrt(t) holds after every round of every game.",
    "regret after each round",
)
HALF = measured(
    "half",
    Source("planted", "half of the value of the game: false on purpose"),
    Kind.EXPLICIT_UPPER,
    "From the centre, with the fixed step R / (G sqrt(T)), the regret is at most R G sqrt(T) / 2.",
    REGRET,
    R * G * sp.sqrt(T) / 2,
)
LEADER_ROOT = measured(
    "leader_as_descent",
    Source("planted", "the bound of descent for the leader: false on purpose"),
    Kind.EXPLICIT_UPPER,
    "The leader's regret is at most 3 G D sqrt(T) / 2.",
    REGRET,
    3 * G * D * sp.sqrt(T) / 2,
)
LINE_FORCED = measured(
    "line_forced",
    Source("planted", "the lower bound without its hypothesis d >= 3: false on purpose"),
    Kind.EVERY_ALGORITHM,
    "On the line every learner meets signs with regret at least R G sqrt(T).",
    "greatest regret over all sequences of signs",
    R * G * sp.sqrt(T),
)
NO_LOGARITHM = measured(
    "root_not_logarithm",
    Source("planted", "the order of linear losses for strongly convex ones: false on purpose"),
    Kind.TIGHT,
    "Against targets that alternate between opposite points this regret is of order sqrt(T).",
    REGRET,
    sp.sqrt(T),
)
FEW_STEPS = Claim(
    id="regret.few_steps",
    source=Source("planted", "a telescope without its factor: false on purpose"),
    kind=Kind.INEQUALITY,
    statement="1 / sqrt(t) is at most sqrt(t) - sqrt(t - 1).",
    observable="none, formulas are compared",
    evidence=(Evidence.CERTIFIED,),
    lemmas=(
        Inequality(
            "without the factor 2",
            at_most(1 / sp.sqrt(t), sp.sqrt(t) - sp.sqrt(t - 1)),
            {t: (1, sp.oo)},
            instead="with the factor 2",
        ),
        Inequality("with the factor 2", at_most(1 / sp.sqrt(t), 2 * sp.sqrt(t) - 2 * sp.sqrt(t - 1)), {t: (1, sp.oo)}),
    ),
)
