"""[li2023, eq. (57)-(62)]: how long the query feature gets, and the attention mass that is missing at the end."""

from __future__ import annotations

import sympy as sp

from theory.claim import (
    Axis,
    Claim,
    Conditions,
    Constant,
    Evidence,
    Identity,
    Inequality,
    Kind,
    Limit,
    Role,
    Source,
)
from theory.relations import at_least, at_most
from theory.shallow_vit.hypotheses import FEWER_RELEVANT, THEOREM_1
from theory.shallow_vit.notation import C, T, alpha, eta

E = sp.Symbol("E", positive=True)
c = sp.Symbol("c", positive=True)
Q = sp.Symbol("Q", positive=True)
y = sp.Symbol("K*Q", nonnegative=True)
small = sp.Symbol("K", nonnegative=True)
STEP_ABOVE = "(57): one step raises e^{||q_1||^2} by at most 3 eta ||q_1||^2, K = eta e^{-||q_1||^2}, eta <= 1/2"

QUERY_LOG = Claim(
    id="A.query_log",
    source=Source("li2023", "eq. (57)-(60)"),
    uses=("A.attention_growth",),  # (57) is the rate of (147)
    kind=Kind.TIGHT,
    statement="From K(t) >~ eta e^{-(||q_1||^2 - (delta+tau) ||q_1||)} it follows that ||q_1(T)||^2 = Theta(log T).",
    observable="squared_norm_of_query_feature",
    evidence=(Evidence.DERIVED, Evidence.CERTIFIED, Evidence.MEASURED),
    axes=(Axis(T),),
    value=sp.log(T),
    margin=sp.Rational(1, 10),
    regime=THEOREM_1,
    path=FEWER_RELEVANT,
    lemmas=(
        Inequality(
            "(57): one step raises e^{||q_1||^2} by at least 2 eta, K = eta e^{-||q_1||^2}, Q = ||q_1||^2",
            at_least(sp.exp(Q * (2 * small + small**2)), 1 + 2 * small),
            {Q: (1, 10), small: (0, 1)},
        ),
        Inequality(
            STEP_ABOVE,
            at_most(sp.exp(y * (2 + small)), 1 + 3 * y),
            {y: (0, sp.Rational(1, 5)), small: (0, sp.Rational(1, 5))},
            role=Role.REPAIR,
        ),
        Conditions(
            "(60) at T = 1/eta, eta <= 10^-300: ||q_1||^2 >= c log T for some c in [1/100, 10], as (57) leaves ||q_1||",
            (at_most(sp.exp(Q), 3 + 3 * Q), at_least(Q, c * 300 * sp.log(10))),
            {Q: (1, 10), c: (sp.Rational(1, 100), 10)},
            instead=STEP_ABOVE,
            role=Role.READING,
        ),
        Limit(
            "log(eta T) is log T at fixed eta",
            sp.log(eta * T) / sp.log(T),
            T,
            sp.oo,
            sp.Integer(1),
            role=Role.STATEMENT,
        ),
        Limit(
            "but not at T = 1/(eta alpha_*), the end of training",
            (sp.log(eta * T) / sp.log(T)).subs(T, 1 / (eta * alpha)),
            eta,
            sp.Integer(0),
            sp.Integer(0),
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "(58) has (1 + eta e^-..)^T, (59) has lost eta. Keeping it, and without delta+tau, e^{||q_1||^2} grows by "
        "between 2 eta and 3 eta ||q_1||^2 a step, so ||q_1||^2 is a function of eta T, log(eta T) up to lower order,"
        " and at the T of (11) log(1/alpha_*): of order log T only if eta is not small. (58)-(59) use the smallest K "
        "for all steps as if it bounded the product from both sides; (60)'s = o(T) adds nothing."
    ),
    fairness=(
        "Theta(log T) is an order in T, an inference from (57) that algebra settles. (57) gives ||q_1||^2 ~ log(eta "
        "T), by bounds on a step that are proved; that log(eta T)/log T tends to 1 at a fixed eta is calculus, and "
        "makes (60) right there. (61) and (15) use it at the T of (11), where T grows because eta falls, and put "
        "log(1/eta) in its place: there no constant between 1/100 and 10 serves. (60) names T alone, so the order of "
        "the two limits is the reader's, and the headline depends on it; had one of the two come out otherwise it "
        "would not. What (61) makes of it is a claim of its own, and there the same limit is the statement: (61) is an "
        "order in eta, which has no limit but eta to 0, as (60) in T has two. In training it is measured at eta T = 50 "
        "with eta from 1/2 to 1/32: had ||q_1||^2 grown like log T, it would have grown by six tenths. It is measured "
        "at a fixed eta to about the end of training as well; over such T log T grows by half, an exponent of about "
        "1/4, so the margin is 1/10: with the usual 1/4 no growth at all would pass. What is true instead: "
        "e^{||q_1||^2} grows by between 2 eta and 3 eta ||q_1||^2 a step, so that ||q_1||^2 is log(eta T) up to lower "
        "order. Both orders of limits were put to the prover."
    ),
)

h = sp.Symbol("eta^C", positive=True)

lengths = sp.symbols("o v", positive=True)

AT_THE_END = "(61) at T = c/eta, any c: logits at most log E there, whatever eta; 1 - p_n <= 10 eta as eta tends to 0"
FLOOR = "1 - p_n(T) >= (1-alpha_*)/E at T = c/eta, E = e^(largest logit difference), which depends on c and not on eta"
LACKS = "at any T up to 100/eta, whatever eta, as (57) leaves Q = ||q_1||^2: 1 - p_n >= (1-alpha_*)/3100"

MASS_LIMIT = Claim(
    id="A.mass_limit",
    source=Source("li2023", "eq. (61)-(62)"),
    uses=("A.query_log",),  # "Therefore", after (60)
    kind=Kind.INEQUALITY,
    statement=(
        "At the end of training p_n(T) >= 1 - Theta(eta^C), and phi_n(T) times the number of other tokens is at most "
        "eta^C."
    ),
    observable="attention_mass_missing_at_the_end",
    evidence=(Evidence.DERIVED, Evidence.CERTIFIED, Evidence.MEASURED),
    axes=(Axis(eta, "zero"),),
    constants=(Constant(C, sp.Integer(1), sp.Integer(10)),),
    value=eta**C,
    regime=THEOREM_1,
    lemmas=(
        Inequality(
            "(61), last step at T = 1/eta",
            at_least(1 / (1 + (1 - alpha) / alpha * eta**C), 1 - (1 - alpha) / alpha * eta**C),
            {
                alpha: (sp.Rational(1, 100), 1),
                eta: (sp.Rational(1, 100), sp.Rational(1, 2)),
                C: (1, 10),
            },
        ),
        Inequality(
            "(61) in y = ((1-alpha_*)/alpha_*) eta^C: 1/(1+y) >= 1 - y",
            at_least(1 / (1 + E), 1 - E),
            {E: (0, sp.oo)},
        ),
        Inequality(
            "(62) at T = 1/eta with (61)'s C and constant 1, in h = eta^C: phi_n (|S|-|S_1|) <= h",
            at_most((1 - alpha) * h / (alpha + (1 - alpha) * h), h),
            {alpha: (sp.Rational(1, 100), sp.Rational(1, 2)), h: (0, sp.Rational(1, 2))},
            instead="(62) with the factor (1-alpha_*)/alpha_*",
            slip=True,
        ),
        Inequality(
            "(62) with the factor (1-alpha_*)/alpha_*",
            at_most((1 - alpha) * h / (alpha + (1 - alpha) * h), (1 - alpha) / alpha * h),
            {alpha: (sp.Rational(1, 100), 1), h: (0, sp.Rational(1, 2))},
        ),
        Conditions(
            AT_THE_END,
            (
                at_most(eta, (1 - alpha) / (100 * E)),
                at_most((1 - alpha) / (alpha * E + 1 - alpha), 10 * eta),
            ),
            {E: (1, sp.oo), alpha: (0, sp.Rational(99, 100)), eta: (0, 1)},
            instead=FLOOR,
            role=Role.STATEMENT,
        ),
        Inequality(
            FLOOR,
            at_least((1 - alpha) / (alpha * E + 1 - alpha), (1 - alpha) / E),
            {E: (1, sp.oo), alpha: (0, 1)},
            role=Role.REPAIR,
        ),
        Identity(
            "one step adds at most eta v to ||W_O|| = o and eta o to ||W_V|| = v: their sum grows by 1 + eta",
            (lengths[0] + eta * lengths[1]) + (lengths[1] + eta * lengths[0]),
            (1 + eta) * (lengths[0] + lengths[1]),
            role=Role.OWN_QUESTION,
        ),
        Conditions(
            "(61) at T = 100/eta, eta <= 10^-6, as (57) leaves Q = ||q_1||^2: 1 - p_n <= 10 eta",
            (
                at_most(sp.exp(Q), 3 + 300 * Q),
                at_most((1 - alpha) / (alpha * sp.exp(Q) + 1 - alpha), 10 * eta),
            ),
            {Q: (1, 10), alpha: (sp.Rational(1, 100), sp.Rational(1, 2)), eta: (0, sp.Rational(1, 10**6))},
            instead=LACKS,
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            LACKS,
            at_least((1 - alpha) / (alpha * sp.exp(Q) + 1 - alpha), (1 - alpha) / 3100),
            {Q: (1, 10), alpha: (0, 1)},
            given=(at_most(sp.exp(Q), 3 + 300 * Q),),
            role=Role.OWN_QUESTION,
        ),
        Limit("(61) at fixed eta: the mass bound tends to 1", E / (E + (1 - alpha) / alpha), E, sp.oo, sp.Integer(1)),
    ),
    reading=(
        "E stands for T^C. T^C / (T^C + (1-alpha)/alpha) tends to 1 at rate T^-C; 1 - Theta(eta^C) is its value at T "
        "= 1/eta. The C comes from ||q_1||^2 = Theta(log T), so it is the constant hidden there, not 'large'. (61) "
        "prints 1 - 1/((alpha/(1-alpha)) (eta^-1)^C), whose prefactor (1-alpha_*)/alpha_* is hidden in Theta; (62) "
        "prints the same quantity without Theta."
    ),
    fairness=(
        "(61) hides the factor (1-alpha_*)/alpha_* in its Theta; (62), the same quantity seen from the other tokens, "
        "is printed without one. Restoring the factor is the one evident correction, so (62) as printed is a misprint "
        "and not a falsehood. The headline rests on (61) at the T = Theta(1/(eta alpha_*)) of (11), whatever weights "
        "SGD finds. Tokens have norm 1 and a norm 1, so a step adds at most eta ||W_V|| to W_O, eta ||W_O|| to W_V, "
        "and eta ||W_O|| ||W_V|| times the length of the other one to W_K and W_Q. After T steps ||W_O|| + ||W_V|| is "
        "at most e^{eta T} times its start w, and ||W_K|| + ||W_Q|| at most 2 exp(w^2 e^{2 eta T}/8): bounds in eta T, "
        "free of eta. So are all logits, and the mass lacks a number that does not fall with eta, where (61) leaves "
        "Theta(eta^C), an order in eta, which says nothing at a fixed one (A.query_log has T for its letter): any "
        "constant in Theta and any C fail once eta is small, which Theorem 1 admits. That (130) asks for log T <= "
        "Theta(1) would keep eta from falling, and (61) from saying anything. As an inference from (57) it fails too, "
        "a step of the proof: with the K of (57) the mass lacks (1-alpha_*)/3100 after 100/eta steps. Had T been "
        "larger than 1/eta by more than a constant, (61) could stand. Measured is the same at the end of training, "
        "from eta = 1/2 to 1/128: SGD with a small step is a flow, which reaches zero hinge at an eta T that does not "
        "depend on eta. That is along a path on which |S| grows, and at section 4.1's sizes where constants are "
        "hidden, so neither decides. The bounds are algebra, which no run could turn."
    ),
)
