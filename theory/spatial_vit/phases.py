"""Jelassi, Sander and Li (NeurIPS 2022), section 4.1: the phases of training on the population risk, and their times.

What single steps do is in `theory.spatial_vit.dynamics`. The paper names two times, T_0 and T_1, and gives neither a
value: how they scale is an open question here, measured and judged against nothing.
"""

from __future__ import annotations

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.spatial_vit.data_model import PARAMETRIZATION
from theory.spatial_vit.notation import D, T, eta, nu

EVENT_1 = Claim(
    id="B.event1",
    source=Source("jelassi2022", "section 4.1, Event I (Lemma D.2)"),
    kind=Kind.BEHAVIOUR,
    statement=(
        "First only the value vector moves: alpha rises to a threshold at T_0 while the logits stay near their initial "
        "values."
    ),
    observable="relative_motion_of_alpha_and_logits_until_threshold",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading=(
        "Threshold and T_0 are in the appendix, which is not in the text at hand; the check states its own beforehand."
    ),
)

EVENT_2 = Claim(
    id="B.event2",
    source=Source("jelassi2022", "section 4.1, Event II"),
    kind=Kind.BEHAVIOUR,
    statement="By some T_1 the within-set logit exceeds the largest absolute cross-set logit of the whole run.",
    observable="within_set_logit_over_largest_cross_set_logit",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading=(
        "The argument is by contradiction through the generalized linear model (2), which lacks the activation. The "
        "maximum runs over all t <= T, not t <= T_1."
    ),
)

EVENT_3 = Claim(
    id="B.event3",
    source=Source("jelassi2022", "section 4.1, Event III (Lemma D.11)"),
    kind=Kind.BEHAVIOUR,
    statement="After T_1, alpha increases again, as in the first phase, until the population risk is o(1).",
    observable="alpha_and_population_risk_after_association",
    evidence=(Evidence.MEASURED,),
    regime=PARAMETRIZATION,
    reading="'Again' presupposes that alpha stalls or falls in Event II, which is part of what is measured.",
)

IDEALIZED = Claim(
    id="B.idealized",
    source=Source("jelassi2022", "Theorem 4.1"),
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
        "o(1) is read as error below the 1/8 of Theorem 3.1 and falling with training. The diagonal beta takes part in "
        "Top_C: beta > rho is needed."
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
)
