"""Jelassi, Sander and Li (NeurIPS 2022), section 4.1: the phases of training on the population risk, and their times.

What single steps do is in `theory.spatial_vit.dynamics`. The paper names two times, T_0 and T_1, and gives neither a
value: how they scale is an open question here, measured and judged against nothing.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Identity, Kind, Role, Source
from theory.spatial_vit.assumptions import PARAMETRIZATION
from theory.spatial_vit.notation import INITIAL_ALPHA, D, T, eta, nu, p
from theory.tried import Tried, Way

multiple, pull = sp.symbols("s g_i", positive=True)
"""alpha over its start nu^(1/(p-1)), and D m_i of a patch that sees more of the feature than of its reverse."""

EVENT_1 = Claim(
    id="B.event1",
    source=Source("jelassi2022", "section 4.1, Event I (Lemma D.2)"),
    uses=("B.three_values", "B.span"),  # "Lemma 4.1 and Lemma 4.2 imply that"
    kind=Kind.BEHAVIOUR,
    statement=(
        "First only the value vector moves: alpha rises to a threshold at T_0 while the logits stay near their initial "
        "values."
    ),
    observable="relative_motion_of_alpha_and_logits_until_threshold",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    lemmas=(
        Identity(
            "in units of its start alpha rises at nu^(1/2) times a function free of nu, while F is small, p = 3",
            ((p * (INITIAL_ALPHA * multiple * pull) ** (p - 1) + nu) * pull / INITIAL_ALPHA).subs(p, 3),
            sp.sqrt(nu) * (3 * (multiple * pull) ** 2 + 1) * pull,
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "Threshold and T_0 are in the appendix, which is not in the text at hand; the check states its own beforehand: "
        "half of the rise to alpha's first maximum, by which no softmax value has changed by a tenth. nu = 1/poly(d) "
        "is read as any power; at 1/D the start nu^(1/2) lies beyond alpha's maximum at small D."
    ),
    fairness=(
        "The headline rests on 'only v updates during this first phase' and 'alpha increases', with our own threshold, "
        "since the appendix's is not at hand. nu = 1/D is one interpretation of nu = 1/poly(d), asked along D, because "
        "a start beyond alpha's maximum is an effect of small D. A change of attention before alpha has risen, lasting "
        "as D grows, would speak against it. That test ran along D; starts 30 times too large fail it."
    ),
)

EVENT_2 = Claim(
    id="B.event2",
    source=Source("jelassi2022", "section 4.1, Event II"),
    uses=("B.event1", "B.glm_at_init", "B.gamma_step", "B.rho_step"),  # (2); "(Lemma 4.3)"
    kind=Kind.BEHAVIOUR,
    statement=(
        "There is a T_1 in [T_0, T] at which the within-set logit exceeds the largest absolute cross-set logit of all "
        "t <= T."
    ),
    observable="within_set_logit_over_largest_cross_set_logit",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading=(
        "The argument is by contradiction through the generalized linear model (2), which lacks the activation. The "
        "maximum runs over all t <= T, not t <= T_1, so that a later |rho| can take T_1 away. 'Any T >= poly(d)/eta' "
        "is asked by one rule of this claim and its siblings: at T = D^3/eta along D, the statement; at D^5/eta along "
        "D, and with T to infinity first at fixed sizes, on data whose label f* gets right, as other interpretations."
    ),
    fairness=(
        "The headline rests on the existence of T_1 in a run of length T = D^3/eta along a path in D with C and q "
        "moving as Assumption 2 asks; fewer than half of the runs with one at the far end would have made it violated, "
        "attention held uniform has none, and both were run. T = D^5/eta was run, too, and T to infinity first at "
        "fixed sizes, which the letter of 'any T' admits: other interpretations, so that the answer may depend on the "
        "order of limits. How long a T_1 stands goes with P[y f* <= 0], also where no drawn label is contradicted: it "
        "says how rare sets are that f* hardly gets right. "
        "Definition 2.1 makes that share smaller than every power of 1/d, so that a T that is a power of d stays below "
        "it, which is what the authors will have meant. A loss of T_1 at T = D^k/eta, k fixed, that stays as D grows "
        "would make it false; beyond k = 5 nothing was run."
    ),
)

EVENT_3 = Claim(
    id="B.event3",
    source=Source("jelassi2022", "section 4.1, Event III (Lemma D.11)"),
    uses=("B.event1", "B.event2"),  # "as in Phase I"; "Because we have gamma > max |rho|"
    kind=Kind.BEHAVIOUR,
    statement="After T_1, alpha increases again, as in the first phase, until the population risk is o(1).",
    observable="alpha_and_population_risk_after_association",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading=(
        "'Again' presupposes that alpha stalls or falls in Event II, which is part of what is measured. Asked where "
        "Events I and II are: T = D^3/eta along D, on all data. 'Any T' by the rule of its siblings: D^5/eta along D, "
        "and T to infinity first at fixed D, without the labels that Definition 2.1 makes negligible, are other "
        "interpretations. 'Because we have gamma > max |rho|' follows from Event II, so that a run without a T_1 does "
        "not show Event III; of the runs that have one alone it is asked beside."
    ),
    fairness=(
        "The headline rests on 'alpha increases again', in the regime of Events I and II. How large poly(d) is in T >= "
        "poly(d)/eta the text hides, so runs in which alpha falls to T = D^3/eta, or to D^5/eta, are not counted as "
        "against it. With T to infinity first, at Event II's settings and horizons, a rise has to come after a T_1, "
        "which Event II asks for. Not held against it: how much of the risk is gone before alpha rises again, which is "
        "reported. An alpha that falls along D for T beyond every polynomial, in both interpretations, would speak "
        "against it; a rise by T = D^3/eta would make it hold. Of these T = D^3/eta and D^5/eta were run, longer runs "
        "at fixed sizes alone."
    ),
    tried=(
        Tried(
            Way.PATH,
            "along D, to T = D^3/eta and to D^5/eta: how large poly(d) is in T >= poly(d)/eta, and the polylogs of C "
            "and q, the text hides, so that no run at a power of D counts against it. alpha rises where the mean of y "
            "F / (1 + e^(y F)) over the data is positive, up to the linear part of the activation: whether it is by "
            "some T beyond every power turns on labels of probability d^-omega(1), at sizes that nobody can run.",
        ),
        Tried(
            Way.LIMITS,
            "T to infinity first, at fixed sizes and on labels that f* gets right: another interpretation, whatever it "
            "comes to.",
        ),
        Tried(
            Way.OWN_SETTINGS,
            "with the root of d in the softmax, at T = D^4/eta, along D.",
        ),
        Tried(
            Way.MORE_TRIALS,
            "none would do: the flow draws nothing, and larger D cost D^3 steps each.",
        ),
    ),
)

IDEALIZED = Claim(
    id="B.idealized",
    source=Source("jelassi2022", "Theorem 4.1"),
    # "proves the first item of Theorem 4.1"; events I to III
    uses=("B.association_always", "B.event1", "B.event2", "B.event3"),
    kind=Kind.BEHAVIOUR,
    statement=(
        "Gradient descent on the population risk ends with patch association and agrees with the labelling function "
        "with probability 1 - o(1)."
    ),
    observable="association_and_generalization_after_idealized_training",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading=(
        "Association ranks A, not positional encodings; 'with high probability' has nothing to be random over in (P). "
        "1 - o(1) is read as: the error is at most half way from the untrained network's to the least possible, P[f* = "
        "0], which itself falls along the path. The diagonal beta takes part in Top_C: beta > rho is needed. Along the "
        "path q D = log2 D, of which the letter of q = poly(C)/D asks no more; q = C^2/D, at which Theorem 3.1 can be "
        "true, is another interpretation."
    ),
    fairness=(
        "The headline rests on both items of Theorem 4.1: Top_C of A, and P[f* F > 0] >= 1 - o(1), on the exact risk. "
        "The error is held against the least possible and the untrained network's, which fails the criterion; an error "
        "below 1/8, asked before, the untrained network meets. Ties of f*, which no network can get right, are not "
        "held against it. A setting within the hypotheses that loses association or stays at the untrained error as D "
        "grows would speak against it. That was run along D to T = D^3/eta, at q = log2(D)/D and at C^2/D; beta = -1 "
        "and a thousandth of a unit of flow time fail."
    ),
)

FIRST_PHASE_TIME = Claim(
    id="B.first_phase_time",
    source=Source("jelassi2022", "section 4.1, Event I: 'until a time T_0'"),
    kind=Kind.OPEN,
    statement="How the time T_0 at which alpha reaches its threshold depends on nu, eta, D and p.",
    observable="time_until_alpha_is_half_way_to_its_first_maximum",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(nu, "zero"), Axis(eta, "zero"), Axis(D)),
    regime=PARAMETRIZATION,
    reading=(
        "Only T_0 > 0 is said, and T >= poly(d)/eta of the run. From alpha = nu^(1/(p-1)) the linear part and the "
        "power start at one order: alpha grows by eta D times nu and alpha^(p-1), so T_0 of order nu^(-(p-2)/(p-1)) "
        "/ (eta D) would be natural where alpha has far to go. The threshold is half of the rise to the first maximum."
    ),
    fairness=(
        "The paper says only T_0 > 0, so how T_0 scales is exploratory: exponents are measured, and nothing is held "
        "against the paper, whatever they are. No outcome could speak against it."
    ),
)

ASSOCIATION_TIME = Claim(
    id="B.association_time",
    source=Source("jelassi2022", "section 4.1, Event II: 'until a time T_1 in [T_0, T]'"),
    kind=Kind.OPEN,
    statement="How the time T_1 at which gamma exceeds max |rho| over the whole run depends on D, nu and the run's T.",
    observable="time_until_the_within_set_logit_exceeds_the_largest_cross_set_logit",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(nu, "zero"), Axis(D), Axis(T)),
    regime=PARAMETRIZATION,
    reading=(
        "The maximum is over all t <= T, so T_1 is defined only with T: where |rho| goes on growing, a longer run puts "
        "T_1 later."
    ),
    fairness=(
        "The paper says only T_0 <= T_1 <= T. Exponents in D below 50 patches are not near their limit, and are called "
        "so. Nothing is claimed of a scale, so no outcome could speak against the paper."
    ),
)
