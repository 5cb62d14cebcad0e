"""Jelassi, Sander and Li (NeurIPS 2022), section 5: patch association makes fine-tuning cheap.

Both theorems name a family of orders, and each claim carries the extreme member that is tried: (log D)^3 for polylog(D)
and D^(1/4) for D^Omega(1), with a margin of half the gap between D^(1/4) and a constant. They were written down before
anything was measured.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Identity, Kind, Limit, Source
from theory.spatial_vit.data_model import ASSUMPTION_2, REALISTIC
from theory.spatial_vit.notation import C, D, L, q

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
    axes=(Axis(D),),
    value=sp.log(D) ** 3,
    regime=REALISTIC,
    reading=(
        "'N <= polylog(D)' is an upper bound on what is needed, not a ceiling on what is allowed. A power of D is the "
        "rival: (log D)^3 has slope 0.75 on D = 16..256, so the largest log degree is stated beforehand. d = poly(D) "
        "is the number of unknowns of the new feature. 'o(1)' is read as half of the least error that anyone reaches "
        "who knows the new feature and not the sets: fine-tuning must have used the sets. 'Suffice' is read with high "
        "probability: 16 independent fine-tunings must all succeed."
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
    axes=(Axis(D),),
    value=D ** sp.Rational(1, 4),
    margin=sp.Rational(1, 8),
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
        Limit(
            "with q = C^(3/2) / D their variance over the squared signal vanishes as C grows: the sum alone decides",
            C ** sp.Rational(3, 2) / C**2,
            C,
            sp.oo,
            sp.Integer(0),
        ),
        Limit(
            "after sqrt(L) samples nearly every set is still unseen as a signal set: (1 - 1/L)^sqrt(L) tends to 1",
            (1 - 1 / L) ** sp.sqrt(L),
            L,
            sp.oo,
            sp.Integer(1),
        ),
    ),
    reading=(
        "'Without patch association knowledge' needs a prior over partitions, read as uniform. The algorithm is typed "
        "as a classifier of one data point. The mean over samples of y times the sum of all patches is C w*, no "
        "partition needed: along w* its spurious part costs a number of samples free of D. What is left for D^Omega(1) "
        "is the noise of D patches, whose mean falls like sqrt(D/N), and the confusion of sets. Under that prior the "
        "best guess from the signs <w*, X_j> is the more frequent one, whatever the partition. Whether it errs o(1) "
        "depends on the poly in q = poly(C)/D, so the powers C, C^(3/2) and C^2 are tried. With c < 2 it does and an "
        "attack needs w* alone; with c >= 2 the sets must be learned, and each sample tells of one set at most."
    ),
)
