"""[li2023, Lemma 2 claim 3, eq. (29)-(31), (53)-(67)]: value vectors, the activity that moves them, and the output."""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Conditions, Evidence, Inequality, Kind, Role, Source
from theory.relations import above, at_least, at_most
from theory.shallow_vit.generalization import more_tokens
from theory.shallow_vit.hypotheses import FEWER_RELEVANT, THEOREM_1
from theory.shallow_vit.notation import T, a_0, a_1, eta

VALUE_GROWTH = Claim(
    id="A.value_growth",
    source=Source("li2023", "Lemma 2 claim 3, eq. (49)-(52); proof (203)-(207)"),
    uses=("A.gradients",),  # (195)
    kind=Kind.DEFINITION,
    by_construction="with lambda = 1, which the lemma admits, (49) and (50) add up gradient steps",
    statement=(
        "Value vectors of discriminative tokens move along the sum of their lucky neurons, and their remaining error "
        "stays at most sigma+tau."
    ),
    observable="value_vector_error_off_the_lucky_neurons",
    evidence=(Evidence.MEASURED,),
    regime=THEOREM_1,
    reading=(
        "For pattern 2, (50) prints p_1 where (205) has p_2; for the other patterns, (51) prints p_1 where (206) has "
        "p_k. (51) has t+1 on the left and a sum to t on the right. V_i is read as (197)'s coefficient, the gradient "
        "in W_O W_V; with lambda = 1 (49) is then an identity of gradient descent and z the initial error, with "
        "lambda = 0, Assumption 3's for orthonormal patterns, all unlucky neurons must fit into z."
    ),
    fairness=(
        "The lemma says 'there exists lambda <= Theta(1)', so lambda is chosen for the paper: lambda = 1 makes (49) "
        "and (50) true of every gradient descent, with z the initial error, and the headline is that and no finding: "
        "it says nothing of lucky neurons in particular. It fails only where the code does not add up its own "
        "gradients: a doubled gradient of W_V is found. Whether lucky neurons carry the drift alone, lambda = 0, is "
        "our question, and the lemma does not say so. That value vectors of patterns without a label move by more than "
        "sigma+tau is an exploratory question about the proof's idea. Any constant but lambda = 1 could have come out "
        "otherwise; this one could not, so it counts apart."
    ),
)

a_i, g, h = sp.symbols("a_i g h", real=True)
PRINTED_SIGN = "(30) and (36) for one neuron of U, label -1: V_i = a_i h > 0, and a step -a_i g > 0 along p_2"
SIGN_OF_V = "V_i <= 0 for the neurons of U that grow along p_2, as (29) has it for W along p_1"

VALUE_SIGNS = Claim(
    id="A.value_signs",
    source=Source("li2023", "eq. (29)-(31); proof (198)-(200)"),
    uses=("A.gradients", "A.hoeffding", "A.asm3"),  # (197); (200) by (26); "and Assumption 3"
    kind=Kind.BEHAVIOUR,
    statement=(
        "V_i(t) is negative of order alpha_* p_n / a for lucky neurons, of W and, with (30)'s sign corrected, of U, "
        "and of order 1/(a sqrt B) for unlucky ones."
    ),
    observable="signed_activity_of_neurons",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=THEOREM_1,
    lemmas=(
        Conditions(
            PRINTED_SIGN,
            (above(-a_i * g, 0), above(a_i * h, 0)),
            {a_i: (-1, 1), g: (0, 1), h: (0, 1)},
            instead=SIGN_OF_V,
            slip=True,
        ),
        Inequality(
            SIGN_OF_V,
            at_most(a_i * h, 0),
            {a_i: (-1, 1), g: (0, 1), h: (0, 1)},
            given=(above(-a_i * g, 0),),
            role=Role.STATEMENT,
        ),
    ),
    reading=(
        "(29)-(31) scale with 1/m, (198)-(200) with 1/a = 1/sqrt(m), and (29) has L where (198) has |S|. (31) and "
        "(200) bound V_i of unlucky neurons from below only, where (202) uses its size, and (200) has opposite signs "
        "at its two ends: both sides are asked for. V_i is averaged over training, for tokens of the neuron's own "
        "pattern, (49) and (50). Its sign is minus that of the output coefficients on label +1, and theirs on label "
        "-1. So V_i < 0 in W(t) has a positive sum of a, as (54) counts them; growth along p_2, (36), has a negative "
        "one, hence V_i < 0 in U(t) too, where (30) and (199) print the other sign."
    ),
    fairness=(
        "The sign of (30) is a misprint and no falsehood. Its correction is the one that exchanging patterns and "
        "labels turns (29) into, which the proof calls 'similarly'; with it (50) adds lucky neurons to the value "
        "vectors of pattern 2, as the proof idea sketch says, 'of label-relevant tokens'. Nothing uses the printed "
        "sign: (202), which has it, multiplies it by an inner product of two neurons whose sign is not known, so that "
        "(133) and (136) take its size alone. The headline rests on the corrected form: for one neuron, by algebra; in "
        "training, for each planted neuron, of p_1 with a positive sum of a and of p_2 with a negative one, with a "
        "tenth of the claimed order in their mean. With an output layer per token, as (1) prints it, single neurons "
        "may have a sum of a next to nothing, at sizes where constants are hidden. One output layer for all tokens, as "
        "the 1/a of (198) has it, is another interpretation. Random labels are a control; the network after one step "
        "has the sign too, as it should. Unlucky neurons stay within 1/(a sqrt B), on both sides. A neuron of the "
        "other sign in more runs than asked would speak against it; that was run, and labels of the other rule fail."
    ),
)

c_67 = sp.Symbol("c_67", positive=True)
margin_64 = a_0 * (eta * T) ** 5 + a_1 * (eta * T) ** 2

OUTPUT = Claim(
    id="A.output_growth",
    source=Source("li2023", "eq. (53)-(67); proof idea sketch"),
    # (54): "By Lemma 2", with (136), over W(t), of which Lemma 3 and Lemma 4 speak; "by (61)"
    uses=(
        "A.lucky_count",
        "A.lucky_monotone",
        "A.neuron_growth",
        "A.unlucky_bounded",
        "A.attention_growth",
        "A.value_growth",
        "A.value_signs",
        "A.mass_limit",
    ),
    kind=Kind.INEQUALITY,
    statement="The margin satisfies F >= a_0 (eta T)^5 + a_1 (eta T)^2, which exceeds 1 at T = 1/(eta a_1).",
    observable="network_output_on_positive_samples",
    evidence=(Evidence.DERIVED, Evidence.SYMBOLIC, Evidence.MEASURED),
    axes=(Axis(T),),
    value=margin_64,
    regime=THEOREM_1,
    path=FEWER_RELEVANT,
    lemmas=(
        *more_tokens(Role.READING),
        Inequality(
            "F > 1 at T = 1/(eta a_1)",
            above(margin_64.subs(T, 1 / (eta * a_1)), 1),
            {a_0: (0, 100), a_1: (sp.Rational(1, 1000), sp.Rational(99, 100))},
        ),
        Inequality(
            "F >= 1 already at T = 1/(eta sqrt(a_1))",
            at_least(margin_64.subs(T, 1 / (eta * sp.sqrt(a_1))), 1),
            {a_0: (0, 100), a_1: (sp.Rational(1, 1000), sp.Rational(99, 100))},
            role=Role.OWN_QUESTION,
        ),
        Conditions(
            "(67) as a lower bound toward a_1 = 0: F <= 1 still at T = c/(eta a_1), a_0 = 0, for some c in [1/10, 10]",
            (at_most(c_67**2 / a_1, 1),),
            {a_1: (0, sp.Rational(1, 1000)), c_67: (sp.Rational(1, 10), 10)},
            instead="F <= 1 still at T = 1/(eta sqrt(a_1)), a_0 = 0",
            role=Role.PROOF_STEP,
        ),
        Inequality(
            "F <= 1 still at T = 1/(eta sqrt(a_1)), a_0 = 0",
            at_most(margin_64.subs({T: 1 / (eta * sp.sqrt(a_1)), a_0: 0}), 1),
            {a_1: (sp.Rational(1, 1000), sp.Rational(99, 100))},
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "a_1 < 1 is a fraction of tokens up to constants. The sketch says that the output 'changes linearly' in t; "
        "(64) has t^2 and t^5. As 1/sqrt(a_1) steps already suffice, (67) is an upper bound on T, not Theta."
    ),
    fairness=(
        "The statement is the order of the margin in t up to the T at which training ends, with a constant that (64) "
        "hides. At 10/(eta a_1) with the a_1 that (67) prints, eps = 1/2, a margin of fresh samples above 1 is asked "
        "of every run: that is a reading, and T lies past the end of training there. With alpha_* alone for a_1, which"
        " nobody prints, the line is exploratory. Once tokens are many enough and each has a vector a_(l), no "
        "constants let F pass 1 by 1/(eta a_1) with that a_1, which is free of |S| (A.iterations, at fixed N, m and "
        "m_a), and (9) admits so many; with an a_1 of order 1/|S|, as signs per token make it, that T is longer and "
        "nothing is contradicted: a reading as well, so that the answer depends on how many tokens are meant. By (64) "
        "itself F passes 1 earlier than (67) says, which concerns the other half of (67)'s Theta, a step of the proof "
        "that no constant between 1/10 and 10 saves as a_1 tends to zero; it is counted beside the headline. Measured "
        "is the margin of fresh samples, at least a tenth of (t/T)^2 at all t and 1 at the end on average, since (64) "
        "is a lower bound up to a constant, for all samples of the distribution. A network that memorises random "
        "labels does so on its training samples, and not on fresh ones. With frozen attention (64) stands with p_n(0):"
        " the proof of Proposition 1 is that of Theorem 1, (66) apart. The paper claims it of such networks too, and a"
        " line of its own asks it of them; where they meet it, (64) tells nothing of what training attention does. To "
        "speak against the claim networks would have to reach zero hinge on training samples alone. Random labels were"
        " run and fail."
    ),
)
