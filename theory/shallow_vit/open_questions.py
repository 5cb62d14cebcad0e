"""Questions on [li2023] that the paper leaves open: measured with intervals, no claim."""

from __future__ import annotations

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.shallow_vit.notation import S

OPEN_LENGTH = Claim(
    id="A.open_L",
    source=Source("li2023", "summary, open question 1"),
    kind=Kind.OPEN,
    statement="How samples and iterations depend on the number of tokens left by sparsification, at fixed fractions.",
    observable="samples_and_iterations_to_zero_error_against_tokens",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(S),),
    reading="(10) and (11) do not contain L; (9) asks only for a constant number of tokens.",
    fairness=(
        "A summary of the paper lists the question; the paper states nothing on it. Measured at fixed fractions, with "
        "an output layer per token as eq. (1) has it: with one output layer and the same ratios their number could not "
        "enter. No outcome could speak against it."
    ),
)

OPEN_DEPTH = Claim(
    id="A.open_depth",
    source=Source("li2023", "summary, open question 2"),
    kind=Kind.OPEN,
    statement="How attention sparsity evolves in each of two or three layers.",
    observable="attention_mass_on_label_relevant_tokens_by_layer",
    evidence=(Evidence.MEASURED,),
    reading="The abstract says that experiments generalize to deeper ViTs; no statement on their attention is made.",
    fairness=(
        "No statement is made, and none is held against the paper. The layers are stacked without normalisation, each "
        "drawn as the one layer of eq. (1), with and without skip connections; both are our choices. Whatever came out "
        "would be no more than told."
    ),
)

OPEN_SPURIOUS = Claim(
    id="A.open_spurious",
    source=Source("li2023", "summary, open question 3"),
    kind=Kind.OPEN,
    statement=(
        "How a non-discriminative pattern that correlates with the label in training affects generalization in the "
        "synthetic model."
    ),
    observable="test_hinge_against_spurious_correlation",
    evidence=(Evidence.MEASURED,),
    reading="Theorem 1 has no spurious correlation; Figure 6(c) is its only evidence.",
    fairness=(
        "Theorem 1 has no spurious pattern, so nothing is held against it. The background is that of Figure 6(c) in "
        "the synthetic model; its 90 % and 10 % are a correlation of 4/5, and the test data have none, as there. No "
        "outcome could speak against it."
    ),
)
