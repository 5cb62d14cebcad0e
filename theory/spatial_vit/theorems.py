"""[jelassi2022]: what a lemma says that is split into several claims, in one sentence."""

from __future__ import annotations

from theory.stated import Theorem

THEOREMS = (
    Theorem(
        "Lemma 4.3",
        "At every step the logit within a set rises by a rate that is printed, and logits across sets move by at most "
        "about 1/D of it.",
    ),
)
