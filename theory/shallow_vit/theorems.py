"""[li2023]: what the theorems say that are split into several claims, each in one sentence."""

from __future__ import annotations

from theory.stated import Theorem

THEOREMS = (
    Theorem(
        "Theorem 1",
        "If the network is wide enough, label-relevant tokens outnumber confusion tokens by the factor of (8), batches "
        "are as large as (9) asks and samples as many as (10) asks, then SGD returns after the T iterations of (11), "
        "with probability at least 0.99, a model without generalization error (12).",
    ),
    Theorem(
        "Proposition 1",
        "With query and key weights frozen at their start, the same holds after the same number of iterations, and "
        "takes samples of order (alpha_* (alpha_* - sigma - tau))^-2 (13).",
    ),
    Theorem(
        "Lemma 2",
        "During training lucky neurons grow along the pattern of their label and unlucky ones stay bounded (claim 1), "
        "attention moves onto label-relevant tokens (claim 2), and value vectors move along the sum of lucky neurons "
        "(claim 3).",
    ),
)
