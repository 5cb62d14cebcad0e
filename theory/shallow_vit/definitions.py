"""Claims of [li2023] about what its data and its network are."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Conditions, Evidence, Hypothesis, Kind, Source
from theory.relations import above, at_least, at_most, below
from theory.shallow_vit.assumptions import FIGURE_RATIO
from theory.shallow_vit.hypotheses import SEPARATED_PATTERNS, condition_8
from theory.shallow_vit.notation import L, S, alpha, alpha_confusion, alpha_nd, kappa, tau

TENTH = sp.Rational(1, 10)

DATA = Claim(
    id="A.data",
    source=Source("li2023", "section 3.2, eq. (5)"),
    kind=Kind.DEFINITION,
    statement=(
        "Every token has unit norm and lies within tau of one of M patterns; the majority of pattern-1 over pattern-2 "
        "tokens is the label; the two labels are balanced up to O(sqrt N)."
    ),
    observable="sampled_data_meet_the_data_model",
    by_construction="samples are drawn by the definition that they are held to",
    evidence=(Evidence.PROPERTY, Evidence.MEASURED),
    lemmas=(
        Conditions(
            "majority, (8) and tau < kappa/4 together, alpha_nd = 1 - alpha_* - alpha_#, at Fig. 4's sigma and delta",
            (
                at_least(alpha_confusion, sp.Rational(1, 100)),
                at_least(1 - alpha - alpha_confusion, sp.Rational(1, 100)),
                condition_8(alpha, alpha_confusion, FIGURE_RATIO),
                below(tau, kappa / 4),
            ),
            {alpha: (0, 1), alpha_confusion: (0, 1), tau: (0, TENTH), kappa: (0, sp.Rational(7, 5))},
        ),
    ),
    regime=(
        *SEPARATED_PATTERNS,
        # Fractions arrive as floats: 1e-12 is rounding, not slack.
        Hypothesis(
            "fractions sum to 1", at_most(sp.Abs(alpha + alpha_confusion + alpha_nd - 1), sp.Rational(1, 10**12))
        ),
        Hypothesis("label-relevant tokens are the majority", above(alpha, alpha_confusion)),
        Hypothesis("sparsification keeps at most L tokens", at_most(S, L)),
    ),
    reading=(
        "Section 4.1 draws Gaussian tokens N(mu_i, c_0^2 I), neither unit-norm nor within any tau; its 'to satisfy "
        "Assumption 1' can only mean section 3.2. Balance is printed |D+| - |D-| and meant in absolute value. (P3) "
        "speaks of 'reducing alpha_*' by removing label-irrelevant tokens (which raises it) and of 'reducing sigma' by "
        "removing noisy ones (which lowers tau)."
    ),
    fairness=(
        "The definition can be met, and tokens that equal their patterns do. Held against nobody: that tokens within "
        "tau of a pattern have unit norm only up to tau, which Assumption 3 gives up by scaling tokens, and that "
        "section 4.1's Gaussian tokens have no bound tau. O(sqrt N) is read with a constant of 3, which labels drawn "
        "by fair coins meet but for three standard errors. Otherwise it comes out with tokens off their patterns or "
        "labels off their tokens in more runs than asked; both were counted, and noise of any length, repeated samples "
        "and random labels are found out."
    ),
)

MODEL = Claim(
    id="A.model",
    source=Source("li2023", "eq. (1)-(4), Algorithm 1, eq. (16)-(21)"),
    kind=Kind.DEFINITION,
    statement=(
        "The network averages a_(l) . relu(W_O W_V X softmax(X^T W_K^T W_Q x_l)) over tokens l with fixed signs a = "
        "+-1/sqrt(m), and mini-batch SGD on its hinge loss moves W_O, W_V, W_K and W_Q."
    ),
    observable="network_output",
    by_construction="the network is written from eq. (1) and Algorithm 1, and compared with a second one",
    evidence=(Evidence.PROPERTY, Evidence.MEASURED),
    reading=(
        "a_(l) has an index l but Algorithm 1 draws one vector or one per token, both interpretations are kept. xi is "
        "1/sqrt(M) in Algorithm 1 and 1/100 in section 4.1. a_(l)i is +-1/sqrt(m), yet (53) weighs neurons with 1/m "
        "and (54) with 1/a where a = sqrt(m). 'Queue' is query; Algorithm 1 draws a from Uniform({+-1/sqrt m}), its "
        "text from +{1/sqrt m, -1/sqrt m}."
    ),
    fairness=(
        "A definition of the paper's, so what is measured is our simulator: outputs, and weights after several steps, "
        "against eq. (1) and Algorithm 1 written out with a sum for every sum sign. A deviation would be our fault. "
        "Seven such faults were planted, a doubled gradient and a wrong step among them, and each is found out."
    ),
)
