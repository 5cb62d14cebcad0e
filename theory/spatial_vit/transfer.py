"""Jelassi, Sander and Li (NeurIPS 2022), section 5: patch association makes fine-tuning cheap."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, Identity, Kind, Limit, Source
from theory.spatial_vit.data_model import ASSUMPTION_2, REALISTIC
from theory.spatial_vit.notation import C, D, q

spurious = sp.Symbol("c", positive=True)
"""Exponent hidden in q = poly(C)/D."""

TRANSFER = Claim(
    id="B.transfer",
    source=Source("jelassi2022", "Theorem 5.1"),
    kind=Kind.UNSPECIFIED_ORDER,
    statement=(
        "With the pre-trained attention frozen, polylog(D) samples of a distribution with a new feature suffice to fit "
        "its labels up to o(1)."
    ),
    observable="fine_tuning_samples_to_generalization_with_association",
    evidence=(Evidence.MEASURED,),
    regime=REALISTIC,
    reading=(
        "'N <= polylog(D)' is an upper bound on what is needed, not a ceiling on what is allowed. A power of D is the "
        "rival: (log D)^3 has slope 0.75 on D = 16..256, so the largest log degree is stated beforehand. d = poly(D) "
        "is the number of unknowns of the new feature."
    ),
)

NO_TRANSFER = Claim(
    id="B.no_transfer",
    source=Source("jelassi2022", "Theorem 5.2"),
    kind=Kind.EVERY_ALGORITHM,
    statement=(
        "Every algorithm without knowledge of the patch association needs D^Omega(1) samples for test error o(1) on "
        "the new distribution."
    ),
    observable="fine_tuning_samples_to_generalization_without_association",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=ASSUMPTION_2,
    lemmas=(
        Identity(
            "the mean of y sum_j <w*, X_j> is C, whatever the partition: a random patch adds nothing",
            C + (D - C) * (q / 2 - q / 2),
            C,
        ),
        Limit(
            "with q = C^c / D spurious signs cost (D-C) q / C^2 samples, C^(c-2): no power of D",
            ((D - C) * C**spurious / D / C**2),
            D,
            sp.oo,
            C ** (spurious - 2),
        ),
    ),
    reading=(
        "'Without patch association knowledge' needs a prior over partitions, read as uniform. The algorithm is typed "
        "as a classifier of one data point. The mean over samples of y times the sum of all patches is C w*, no "
        "partition needed: along w* its spurious part costs a number of samples free of D. What is left for D^Omega(1) "
        "is the noise of D patches, whose mean falls like sqrt(D/N), and the fitted model's own confusion of sets."
    ),
)
