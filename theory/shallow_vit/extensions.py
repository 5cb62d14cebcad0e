"""[li2023, appendix G]: more classes, patterns that are sets, several heads, a skip connection. Sketches."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, Hypothesis, Kind, Source
from theory.relations import below
from theory.shallow_vit.hypotheses import ASSUMPTION_1, SEPARATED_PATTERNS
from theory.shallow_vit.notation import kappa, tau

spread = sp.Symbol("Delta", nonnegative=True)
SETTING = (*SEPARATED_PATTERNS, *ASSUMPTION_1)

MULTICLASS = Claim(
    id="A.multiclass",
    source=Source("li2023", "appendix G.1, eq. (227)-(242)"),
    uses=("A.neuron_growth",),  # "following the proof of Claim 1 of Lemma 2"
    kind=Kind.BEHAVIOUR,
    statement=(
        "With four classes coded by two signs, hidden neurons of group W_2 grow along p_2, fall along p_3 and stay "
        "along p_1 and p_4, and attention concentrates as for two classes."
    ),
    observable="projections_of_group_neurons_on_class_features",
    evidence=(Evidence.MEASURED,),
    regime=SETTING,
    reading=(
        "Growth per trial: sign and size of each projection at the end, against its initial spread. (237) and (241), "
        "where the two signs of a neuron of W_2 cancel, are read as printed."
    ),
    fairness=(
        "(241) adds the two signs of a neuron for one sample, which is the gradient of the hinge of y . F: that is the "
        "statement, and a hinge for each output another interpretation. 'Stay' cannot mean not at all, since samples "
        "hold tokens of other classes: a quarter of what is gained along p_2 is allowed, and printed. Of p_3 (240) "
        "prints <= 0 and no size: it has to fall by more than those that stay move, where a fall by 3 initial spreads "
        "was asked first, which a line of its own still asks. Groups exist for one output layer for all tokens only. "
        "Attention is asked to concentrate as for two classes, by the same criterion as in the other extensions. "
        "Neurons that gain more than that quarter elsewhere, or attention that does not concentrate, would speak "
        "against it; both were counted in runs, and frozen attention and W_O uphill fail."
    ),
)

PATTERN_SETS = Claim(
    id="A.pattern_sets",
    source=Source("li2023", "appendix G.2"),
    uses=("A.gradients",),  # "by computing (125) and (167)"
    kind=Kind.BEHAVIOUR,
    statement=(
        "If patterns become sets of vectors whose spread satisfies 2 tau + Delta < kappa, attention still concentrates "
        "on label-relevant tokens."
    ),
    observable="attention_mass_on_label_relevant_tokens",
    evidence=(Evidence.MEASURED,),
    regime=(*SETTING, Hypothesis("2 tau + Delta < kappa", below(2 * tau + spread, kappa))),
    reading=(
        "kappa is the least distance of patterns of different sets, Delta the largest within a set; formulas partly "
        "lost in extraction."
    ),
    fairness=(
        "Sets of two vectors, orthogonal between sets, without token noise: kappa is sqrt(2) and Delta is the only "
        "thing that moves, so 2 tau + Delta < kappa is met or not met exactly. Points beyond it are judged apart and "
        "held against nobody. 'Weights of non-discriminative patterns decreasing to be close to zero' has no number, "
        "as Figure 4's 'close to 1' has none: that they fall, what is lacking to 1 by a quarter at least, is one way "
        "to ask for it. One tenth is a level chosen here, exploratory, at section 4.1's 100 tokens: what is left falls "
        "as |S| grows, so that runs on fewer say nothing of it. Runs within 2 tau + Delta < kappa that do not reach "
        "zero error or do not concentrate would speak against it; they were run, and frozen attention fails."
    ),
)

MULTIHEAD = Claim(
    id="A.multihead",
    source=Source("li2023", "appendix G.3"),
    uses=("A.output_growth",),  # "the backbone of the proof remains the same"
    kind=Kind.BEHAVIOUR,
    statement=(
        "With several heads the samples that are enough for one are enough for zero error; training is expected to be "
        "more stable."
    ),
    observable="variance_of_iterations_over_seeds_by_number_of_heads",
    evidence=(Evidence.MEASURED,),
    regime=SETTING,
    reading=(
        "'More stable' is not defined in the paper (variance of T, or relative to T); how heads are joined is lost in "
        "extraction (sum against concatenation)."
    ),
    fairness=(
        "The statement is that the bounds are the same, an order: with samples that are enough for one head, four "
        "reach zero error, however they are joined. One head must fail with a tenth of them, so that four need at most "
        "ten times as many as one, which a constant hides; frozen attention reaches zero error too, which stands "
        "beside the headline, since bounds of samples do not exclude it. 'One can expect a more stable training "
        "process' is an expectation, and neither stability nor how heads are joined is printed: the variances over "
        "seeds of T and of log T, with either way to join, are exploratory, and held neither for nor against it. Four "
        "heads that fail where one succeeds would speak against it; they were run, and one head with a tenth of the "
        "samples fails."
    ),
)

SKIP = Claim(
    id="A.skip",
    source=Source("li2023", "appendix G.4, eq. (250)"),
    uses=("A.gradients",),  # "almost the same as those for (1)"
    kind=Kind.BEHAVIOUR,
    statement=(
        "With a skip connection after the attention layer the gradients of W_Q, W_K, W_V are the same up to the ReLU "
        "gate, and attention still concentrates."
    ),
    observable="attention_mass_on_label_relevant_tokens_with_skip",
    evidence=(Evidence.PROPERTY, Evidence.MEASURED),
    by_construction=(
        "a skip adds x_l to what the ReLU is given, so that the gradients differ by its gate and W_O's term in x_l, "
        "whatever training does"
    ),
    regime=SETTING,
    reading=(
        "Needs m_a = d. Gate aside, the gradients of W_Q, W_K, W_V are equal exactly, that of W_O gains the term x_l."
    ),
    fairness=(
        "'The same up to the ReLU gate' is exact once the gates and the active hinges are those of the network with a "
        "skip; the forms are written apart from the simulator and compared with automatic differentiation. For "
        "concentration the initial W_V is that of Assumption 1: how (250) changes that assumption is lost, so that "
        "this is an interpretation. Forms that differ from the derivative would speak against it; each form doubled is "
        "found out. Attention that does not concentrate would make the headline depend on how (250) is read; it was "
        "run."
    ),
)
