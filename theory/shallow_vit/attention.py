"""[li2023, Proposition 2, Definition 1, Lemma 2 claim 2]: attention concentrates on label-relevant tokens.

With E = e^{||q_1||^2 - (delta+tau) ||q_1||} the paper's bounds are the rational functions |S_1| E / (|S_1| E + rest)
and 1 / (|S_1| E + rest), rest = |S| - |S_1|: monotone in E, and E is monotone in ||q_1|| from (delta+tau)/2 on.
Lemmas come in this rational form, valid on whole orthants, and in the paper's exponential form on boxes.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Conditions, Evidence, Hypothesis, Identity, Inequality, Kind, Limit, Role, Source
from theory.relations import above, at_least, at_most, below
from theory.shallow_vit.hypotheses import FEWER_RELEVANT, THEOREM_1
from theory.shallow_vit.notation import S_1, K, alpha, alpha_confusion, delta, lambda_, q, query_error, rest, t, tau
from theory.tried import Tried, Way

E = sp.Symbol("E", positive=True)
growth = sp.Symbol("g", positive=True)
b = sp.Symbol("(delta+tau)", nonnegative=True)

weight_exponent = sp.exp(q**2 - b * q)
phi_n = 1 / (S_1 * sp.exp(q**2 + b * q) + rest)
nu_n = 1 / (S_1 * weight_exponent + rest)
mass = S_1 * weight_exponent * nu_n
rational_mass = S_1 * E / (S_1 * E + rest)

TOKENS = {S_1: (1, 100), rest: (1, 100)}
ALL_TOKENS = {S_1: (1, sp.oo), rest: (1, sp.oo)}
NORMS = {q: (1, 3), b: (0, sp.Rational(3, 5))}
"""delta + tau below 3/5: delta < 1/2 and tau <= min(sigma, delta), sigma of order 1/M."""

odds = sp.Symbol("r", positive=True)
mass_if_1 = alpha * odds / (alpha * odds + alpha_confusion)
mass_if_2 = alpha / (alpha + alpha_confusion * odds)
"""Largest mass on label-relevant tokens that a query of a third pattern can have if pattern 1, or 2, is the label's.

odds = e^{logit of pattern 1 - logit of pattern 2} is one number for both labels; other tokens have no weight at all.
"""
ON_AVERAGE = (
    "over both labels the mass of such a query falls short of alpha_*/(alpha_*+alpha_#) by a product of squares"
)


def for_each_token(confusion: sp.Expr) -> tuple[sp.Basic, ...]:
    """(15) with eta^C = 1/100 for a query of a third pattern under both labels, alpha_* = 1/2."""
    at = {alpha: sp.Rational(1, 2), alpha_confusion: confusion}
    return tuple(at_least(mass.subs(at), sp.Rational(99, 100)) for mass in (mass_if_1, mass_if_2))


CONCENTRATION = Claim(
    id="A.concentration",
    source=Source("li2023", "Proposition 2, eq. (15)"),
    uses=("A.attention_growth", "A.query_log", "A.mass_limit"),  # "from Claim 2 of Lemma 2, (60), and (61)"
    kind=Kind.UPPER,
    statement=(
        "For every token of every sample the attention mass on label-relevant tokens tends to 1 - eta^C, and what it "
        "lacks to that limit falls at least like 1/t."
    ),
    observable="attention_mass_below_its_limit",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    axes=(Axis(t),),
    value=1 / t,
    regime=THEOREM_1,
    lemmas=(
        Conditions(
            "(15) for each token at Fig. 4's alpha_* = 1/2, alpha_# = 1/20, eta^C = 1/100: a query of a third pattern",
            for_each_token(sp.Rational(1, 20)),
            {odds: (sp.Rational(1, 10**6), 10**6)},
            instead=ON_AVERAGE,
            role=Role.STATEMENT,
        ),
        Conditions(
            "the same at alpha_# = 1/1000, below eta^C alpha_*",
            for_each_token(sp.Rational(1, 1000)),
            {odds: (sp.Rational(1, 10**6), 10**6)},
            role=Role.OWN_QUESTION,
        ),
        Identity(
            ON_AVERAGE,
            alpha / (alpha + alpha_confusion) - (mass_if_1 + mass_if_2) / 2,
            alpha
            * alpha_confusion
            * (alpha - alpha_confusion)
            * (odds - 1) ** 2
            / (2 * (alpha + alpha_confusion) * (alpha * odds + alpha_confusion) * (alpha + alpha_confusion * odds)),
        ),
    ),
    reading=(
        "'At a sublinear rate O(1/t)' bounds the gap to the limit 1 - eta^C from above; C is 'a large constant' that "
        "exists: the exponent is profiled over C in [1, 10] and printed for each, as is the C that the final mass "
        "implies. eta^1 at eta = 1 leaves nothing, so eta < 1. 'For all l and n' is the worst query token of any "
        "sample; Fig. 4 averages over l. 'When t is large' is the last three quarters of a training that ends at zero "
        "hinge, at t of order 1/(eta alpha_*). By (61) the gap to 1 falls like T^-C at fixed eta, and eta^C is what is "
        "left of it at T of order 1/eta: the limit in (15) is a stopping value. With alpha_# > 0 query and key "
        "features of pattern 2 agree as well, so confusion tokens attend to each other; and a query of a third pattern "
        "cannot tell which of patterns 1 and 2 is the label's, so no weights bring it above alpha_*/(alpha_*+alpha_#) "
        "under both labels."
    ),
    fairness=(
        "The headline rests on 'for all l and n': a query of a third pattern looks the same under both labels, so no "
        "weights whatever, trained or not, bring it above alpha_*/(alpha_*+alpha_#) under both, at Fig. 4's own "
        "fractions 10/11 where (15) has 1 - eta^C. That is false for every eta and C with eta^C < 1/11; neither is "
        "printed for Fig. 4, and eta is free for any C, so 99/100 is asked. Had (15) spoken of label-relevant queries "
        "alone, or alpha_# fallen below eta^C alpha_*, that would say nothing. Measured beside is what the worst query "
        "lacks at the end, along a path on which eta falls and width, batch, tokens and sigma = O(1/M) are met from "
        "some |S| on: what (15) leaves falls there like eta^C; a shared output layer is run as well. The proof has |S| "
        "= Theta(1), so that path decides nothing alone. At section 4.1's sizes the slope in t is held against 1/t for "
        "every C in [1, 10], on lines that cannot speak against the paper by themselves. What is true instead: "
        "label-relevant queries concentrate, to a mass that does not depend on eta. That inequality is proved, not "
        "sampled, so no run could turn it; frozen attention and the network after one step do not concentrate."
    ),
)

SOFTMAX_BOUNDS = Claim(
    id="A.softmax_bounds",
    source=Source("li2023", "Definition 1 (1-3); redefined at (80), (92)"),
    kind=Kind.INEQUALITY,
    statement=(
        "phi_n <= nu_n, the mass bound p_n lies in (0, 1), rises with ||q_1|| beyond (delta+tau)/2 and tends to 1."
    ),
    observable="bounds_of_attention_weights",
    by_construction="properties of the three formulas of Definition 1; what weights do is A.attention_growth",
    evidence=(Evidence.SYMBOLIC, Evidence.CERTIFIED, Evidence.PROPERTY, Evidence.MEASURED),
    lemmas=(
        Inequality("phi_n <= nu_n", at_most(phi_n, nu_n), {**NORMS, **TOKENS}),
        Inequality("p_n > 0", above(rational_mass, 0), {E: (sp.Rational(1, 100), sp.oo), **ALL_TOKENS}),
        Inequality("p_n < 1", below(rational_mass, 1), {E: (0, sp.oo), **ALL_TOKENS}),
        Inequality(
            "p_n rises with E = e^{||q_1||^2 - (delta+tau) ||q_1||}",
            above(sp.diff(rational_mass, E), 0),
            {E: (0, sp.oo), **ALL_TOKENS},
        ),
        Inequality(
            "E rises with ||q_1|| beyond (delta+tau)/2", at_least(2 * q - b, 0), NORMS, given=(at_least(q, b / 2),)
        ),
        Inequality(
            "p_n rises with ||q_1||", at_least(sp.diff(mass, q), 0), {**NORMS, **TOKENS}, given=(at_least(q, b / 2),)
        ),
        Limit("p_n tends to 1", rational_mass, E, sp.oo, sp.Integer(1)),
        Identity(
            "(92) is Definition 1 only if tau = delta",
            query_error.subs(tau, delta),
            2 * delta,
            role=Role.OWN_QUESTION,
        ),
    ),
    fairness=(
        "Definition 1's bounds are formulas, so everything said of them is proved or certified, and is no finding: it "
        "counts apart. Whether weights of trained networks stay within them, with and without a constant, is an "
        "exploratory question: (43) to (46) state it with hidden constants and have a row of their own. That (80) and "
        "(92) print delta for (delta+tau)/2 is a question of notation. A formula that falls in ||q_1|| or leaves (0, "
        "1) would have been refuted by the prover; no network could have."
    ),
    reading=(
        "Definition 1 has e^{-(delta+tau) ||q_1||}; (80) and (92) use e^{-2 delta ||q_1||} (with delta for delta+tau "
        "also in the claim's (45)-(46)), which agrees only for tau = delta. |S_1| stands for |S_*| throughout: y = "
        "+1."
    ),
)

c = sp.Symbol("c", positive=True)
initial_mass = alpha * sp.exp(1 - b) / (alpha * sp.exp(1 - b) + 1 - alpha)

MASS_AT_START = Claim(
    id="A.mass_at_start",
    source=Source("li2023", "eq. (154) against the proof of Proposition 1 below (76)"),
    uses=("A.softmax_bounds",),  # "From Definition 1, we know"
    kind=Kind.TIGHT,
    statement="At initialisation the attention mass bound p_n(0) is of order alpha_*.",
    observable="initial_attention_mass_on_label_relevant_tokens",
    by_construction="Assumption 1 bounds the initial logits, so that each token's weight is 1/|S| up to a constant",
    evidence=(Evidence.DERIVED, Evidence.SYMBOLIC, Evidence.MEASURED),
    axes=(Axis(alpha, "zero"),),
    value=alpha,
    regime=THEOREM_1,
    path=FEWER_RELEVANT,
    lemmas=(
        Identity(
            "Definition 1 at ||q_1|| = 1, in fractions",
            mass.subs({q: 1, rest: S_1 * (1 - alpha) / alpha}),
            initial_mass,
            box={alpha: (0, 1)},
            role=Role.OWN_QUESTION,
        ),
        Limit(
            "p_n(0) is of order alpha_*",
            initial_mass / alpha,
            alpha,
            sp.Integer(0),
            sp.exp(1 - b),
            role=Role.STATEMENT,
        ),
        Conditions(
            "(154) toward alpha_* = 0: p_n(0) >= c e^{-(delta+tau)} for some c in [1/10, 10], alpha_* <= 1/1000",
            (at_least(initial_mass, c * sp.exp(-b)),),
            {alpha: (0, sp.Rational(1, 1000)), b: (0, sp.Rational(3, 5)), c: (sp.Rational(1, 10), 10)},
            instead="(154) with the factor alpha_*: p_n(0) >= alpha_* e^{-(delta+tau)}",
        ),
        Inequality(
            "(154) with the factor alpha_*: p_n(0) >= alpha_* e^{-(delta+tau)}",
            at_least(initial_mass, alpha * sp.exp(-b)),
            {alpha: (0, sp.Rational(1, 2)), b: (0, 1)},
        ),
    ),
    reading=(
        "Proposition 1 needs p_n(0) = Theta(alpha_*); (154) states p_n(0) >= Theta(e^{-(delta+tau)}), free of "
        "alpha_*. Only the first survives alpha_* toward zero. (154) also drops the factor e^{||q_1||^2 - (delta+tau)"
        " ||q_1||} of Definition 1 from the numerator and one power of it from the denominator."
    ),
    fairness=(
        "What Proposition 1 uses, p_n(0) of order alpha_*, is the statement; it is proved of the formula, and networks "
        "that are drawn to meet Assumption 1 cannot do otherwise, so it counts apart and is no finding. (154) is a "
        "step of another proof, free of alpha_*; it is tested with every constant between 1/10 and 10 toward alpha_* = "
        "0, fails for all of them there, and is counted as false as printed; with the factor alpha_* it is certified. "
        "An exponent that leaves 1 by more than 1/4 would tell of a fault of the simulator; scores eight times too "
        "large are found out so."
    ),
)

x = sp.Symbol("x", real=True)
k = sp.Symbol("k", nonnegative=True)


def weight(exponential: sp.Expr) -> sp.Expr:
    """Attention on one label-relevant token: E / (|S_1| E + rest). [li2023, eq. (43)]"""
    return exponential / (S_1 * exponential + rest)


def other_weight(exponential: sp.Expr) -> sp.Expr:
    """Bound of the attention on any other token: 1 / (|S_1| E + rest). [li2023, eq. (45)]"""
    return 1 / (S_1 * exponential + rest)


worst_weight = weight_exponent / (weight_exponent + (S_1 - 1) * sp.exp(q**2 + b * q) + rest)
"""Smallest weight of a label-relevant token when logits of its kind lie in q^2 +- (delta+tau) q, all others at 0."""
worst_other = sp.exp(b * q) / (S_1 * weight_exponent + sp.exp(b * q) + (rest - 1) * sp.exp(-b * q))
"""Largest weight of another token when logits of its kind lie in +- (delta+tau) q."""

of_relevant, of_confusion, of_confusion_otherwise = sp.symbols("u_* u_# v_#", positive=True)
"""For a query of a third pattern, the factors over one step of the weight of a label-relevant token (pattern 1) and of
one of confusion (pattern 2) under label +1, and of one of confusion (pattern 1) under label -1. The odds of pattern 1
over pattern 2 change by u_*/u_# under either label, so that label-relevant tokens under -1 have v_# u_#/u_*."""
BOTH_LABELS = "(44) and (46) at one step for a query of a third pattern, under label +1 and under label -1"
ONE_LABEL = "the same under label +1 alone"
ONE_TURNS = "where (44) and (46) hold for such a query under label +1, pattern 2 loses against 1 under -1 too"
_POSITIVE = (above(of_relevant, 1), at_most(of_confusion, 1))
_NEGATIVE = (above(of_confusion_otherwise * of_confusion / of_relevant, 1), at_most(of_confusion_otherwise, 1))
_FACTORS = dict.fromkeys((of_relevant, of_confusion, of_confusion_otherwise), (sp.Rational(1, 10**6), 10**6))

GROWTH = Claim(
    id="A.attention_growth",
    source=Source("li2023", "Lemma 2 claim 2, eq. (43)-(48); proof (179)-(194)"),
    # (125), (129), (133) and (136) by (27), "given (32) to (35)", "by (40) to (42)"; "Given conditions in (8)"
    uses=(
        "A.gradients",
        "A.softmax_bounds",
        "A.value_growth",
        "A.neuron_growth",
        "A.unlucky_bounded",
        "A.fraction",
    ),
    kind=Kind.INEQUALITY,
    statement=(
        "As ||q_1|| is multiplied by 1 + K(t), K(t) > 0, weights of label-relevant tokens under a label-relevant query "
        "stay above (43) and rise by at least (44), all others stay below (45) and fall by at least (46)."
    ),
    observable="attention_weight_increments",
    evidence=(Evidence.CERTIFIED, Evidence.PROPERTY, Evidence.MEASURED),
    regime=THEOREM_1,
    lemmas=(
        Conditions(BOTH_LABELS, (*_POSITIVE, *_NEGATIVE), _FACTORS, instead=ONE_TURNS, role=Role.READING),
        Conditions(
            ONE_LABEL,
            _POSITIVE,
            {of_relevant: _FACTORS[of_relevant], of_confusion: _FACTORS[of_confusion]},
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            ONE_TURNS,
            below(of_confusion / of_relevant, 1),
            {of_relevant: _FACTORS[of_relevant], of_confusion: _FACTORS[of_confusion]},
            given=_POSITIVE,
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            "(43) with constant e^{-2 (delta+tau) ||q_1||}",
            at_least(worst_weight, sp.exp(-2 * b * q) * weight(weight_exponent)),
            {**NORMS, **TOKENS},
        ),
        Inequality(
            "(45) with constant e^{2 (delta+tau) ||q_1||}",
            at_most(worst_other, sp.exp(2 * b * q) * other_weight(weight_exponent)),
            {**NORMS, **TOKENS},
        ),
        Inequality(
            "(44) with e^k - 1 for k, E multiplied by g = e^k",
            at_least(weight(E * growth) - weight(E), rest * E * (growth - 1) / (S_1 * E * growth + rest) ** 2),
            {E: (0, sp.oo), growth: (1, sp.oo), **ALL_TOKENS},
        ),
        Inequality(
            "(46) with e^k - 1 for k, E multiplied by g = e^k",
            at_most(
                other_weight(E * growth) - other_weight(E), -S_1 * E * (growth - 1) / (S_1 * E * growth + rest) ** 2
            ),
            {E: (0, sp.oo), growth: (1, sp.oo), **ALL_TOKENS},
        ),
        Inequality("e^k - 1 >= k", at_least(sp.exp(k) - 1, k), {k: (0, 4)}),
        Inequality(
            "the logit grows by K ||q_1||^2 >= K while ||q_1|| >= 1",
            at_least(K * q**2, K),
            {K: (0, sp.oo), q: (1, sp.oo)},
        ),
        Inequality(
            "(44) in exponential form",
            at_least(
                weight(sp.exp(x + k)) - weight(sp.exp(x)), rest * sp.exp(x) * k / (S_1 * sp.exp(x + k) + rest) ** 2
            ),
            {x: (0, 2), k: (0, 2), **TOKENS},
        ),
    ),
    reading=(
        "Claim 2 does not say which query x_l is; Lemma 2 opens with 'For l in S_1^n for the data with y^n = 1', which "
        "|S_1^n| and q_1 in (43)-(46) fit, so the statement has label-relevant queries. That any query is meant is "
        "another interpretation: the proof goes on to queries outside S_1 and S_2 at (182)-(187) and below (190), and "
        "Proposition 2, for all l, is 'easily derived' from here. "
        "Read with E at step t and E e^{K ||q_1||^2} at t+1, the increments follow from the two values alone, by the "
        "mean value theorem; the claim is that K(t) > 0. (43), (44), (46) lose a transpose, (44) mixes x_j and x_l in"
        " its last argument, (45)-(46) have delta where (188)-(189) have delta+tau, and the product sign in (47)-(48)"
        " reads as a sum in extraction. (144) and (168) swap the names of query and key features against Assumption "
        "1. >~ and <~ hide constants: those of (43) and (45) are e^{-+2 (delta+tau) ||q_1||}, bounded while ||q_1|| "
        "is, which log T <= Theta(1) below (130) grants; they are bounded by no constant where ||q_1|| grows without "
        "end."
    ),
    fairness=(
        "The headline rests on the queries that Lemma 2 opens with. For a query of a third pattern (44) and (46) are "
        "false by algebra: it has the same logits under both labels, under label +1 pattern 1 has to gain weight and "
        "pattern 2 to lose it, under label -1 the reverse, at the same step of the same weights, and the odds of the "
        "two cannot do both. The claim does not say that it means them, so this is a line of its own, and counts where "
        "a text does, as (15). At label-relevant queries the inequalities are orders and are certified with constants, "
        "under the bound on ||q_1|| that the proof assumes. Trained networks are measured with constants between 1/10 "
        "and 10, over quarters of training and not over single batches, and without the first ('large enough t before "
        "the end of training'). The runs are at sizes where constants are hidden, or along a path on which |S| grows, "
        "and do not decide (46). (47) is asked by quarter, of which late ones have few active hinges, where (125) sums "
        "over all samples. What the runs come to with every constant of the hypotheses at 1 is the second standing "
        "beside the headline, and no accusation, since nobody knows the constants. To speak against the claim "
        "confusion tokens must gain weight under label-relevant queries inside hypotheses whose constants are known. "
        "Nine in ten runs with growth in each quarter would make (47) hold; runs of a network with scores of the other "
        "sign fail it. Asked as a repair is the same over three quarters together, for tokens of patterns without a "
        "label."
    ),
    tried=(
        Tried(
            Way.PROOF,
            "for a query of a third pattern algebra decides, against (46). A label-relevant query has logits of its "
            "own under each label, so that the two labels contradict nothing there.",
        ),
        Tried(
            Way.PATH,
            "with |S| growing, confusion tokens are followed to the end of training. The proof of this claim has |S| = "
            "Theta(1), below (160): that line is exploratory, whatever it comes to.",
        ),
        Tried(
            Way.MORE_TRIALS,
            "for (47) more runs may settle whether queries grow in each quarter in nine of ten (theoremeter plan says "
            "how many); for (46) no number does, since it hangs on the constants of width, batch and tokens whether "
            "runs count.",
        ),
        Tried(
            Way.OWN_SETTINGS,
            "at constants of 1 (1000 neurons) the runs are inside, and what they come to stands beside the headline. A "
            "larger constant of the width or batch is not excluded.",
        ),
    ),
)

KEY_GROWTH = Claim(
    id="A.key_growth",
    source=Source("li2023", "Lemma 2 claim 2, eq. (48); proof (168)-(171), (193)-(194)"),
    uses=("A.gradients", "A.attention_growth"),  # (167); "follow the derivation of (144)"
    kind=Kind.BEHAVIOUR,
    statement=(
        "The key features of patterns 1 and 2 grow as r_i(t+1) = (1 + Q(t)) r_i(t) with Q(t) >= K(t) (1 - lambda) > 0."
    ),
    observable="growth_rate_of_key_features_over_query_features",
    evidence=(Evidence.MEASURED,),
    regime=(
        *THEOREM_1,
        Hypothesis("0 < lambda < 1, of order 1 (Assumption 3)", sp.And(above(lambda_, 0), below(lambda_, 1))),
    ),
    reading=(
        "Key growth is positive and at least (1 - lambda) times query growth, over each of the last three quarters of "
        "training, for both patterns; where K(t) > 0, in those in which queries grow. (25) bounds inner products of "
        "tokens of different patterns by lambda < 1, a letter of the hypothesis, and takes 'lambda and 1 - lambda as "
        "Theta(1)': (48) is claimed for every such lambda that the tokens meet, so the statement has 1/10, the least "
        "of constants between 1/10 and 9/10; 1/2 and 9/10 are other interpretations. 0, which orthonormal tokens meet, "
        "is no Theta(1). (169) rests on (167), which lacks 1/|S|."
    ),
    fairness=(
        "The headline rests on (169) only where queries grow, with growth summed over quarters of training so that no "
        "single batch decides, in nine of ten runs, with every constant of the hypotheses at 1, at the width and the "
        "number of tokens of section 4.1. Where keys keep up with lambda = 1/10, they do with every milder one as "
        "well. That the '> 0' of (169) is asked for too, K(t) > 0 in the second and third quarter, is another "
        "interpretation, since the claim is for t 'large enough before the end'; in the last quarter it is "
        "exploratory, and what fails there is (47), which A.attention_growth judges. lambda = 0, which Assumption 3 "
        "excludes, is out of regime, and held against nobody. A path with |S|, m and N to infinity and eta to 0 is "
        "exploratory, since the proof of this very claim has |S| = Theta(1), below (160), and the path's widths are "
        "below a third of what a constant of 1 asks. Keys that grow at least half as fast as queries over three "
        "quarters together are the repair. A shared output layer is another interpretation. Not held against it: "
        "single steps and the first quarter, as the lemma speaks of large t. Quarters in which queries do not grow are "
        "those in which one of the two labels has no active hinge left. To speak against the claim keys would have to "
        "stay behind nine tenths of the growth of queries in more than a tenth of the runs, inside hypotheses whose "
        "constants are known. That test ran; networks after one step, at a smaller width, on random labels or with "
        "frozen attention must fail it."
    ),
)
