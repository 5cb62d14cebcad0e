"""Locality of the positional encodings of a ViT that somebody else trained. [jelassi2022, Figure 1(a)]"""

from __future__ import annotations

from dataclasses import asdict

import torch

from sim.images.encodings.locality import measure_locality, similarities
from sim.images.encodings.pretrained import pretrained
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_one_of

PLACES = ("own", "by lot")
"""Where a pre-trained encoding is looked for: at its own patch, or at one drawn by lot, where nothing is local."""


def measure_pretrained(*, weights: str, places: str = "own", generator: torch.Generator) -> TrialResult:
    """The locality of the encodings of a ViT that somebody trained, from a file of the user's.

    Args:
        weights: the file's name, without its ending, in the folder "weights" below the folder of images; see
            `sim.images.encodings.pretrained`.
        places: one of `PLACES`.

    Observables: locality, low, high, chance, near_above_cut, far_above_cut, as of trained networks, on the patches
    where they stand; patches, how many; sha256 of the file.

    Curve: similarities, [patches, patches].

    Raises:
        ValueError: on a bad name, and on a file that is missing, damaged or without encodings of a square grid.
    """
    require_one_of("places", places, PLACES)
    found = pretrained(weights)
    encodings = found.encodings
    if places == "by lot":
        encodings = encodings[torch.randperm(len(encodings), generator=generator)]
    measured = asdict(measure_locality(encodings, generator=generator))
    observables = {
        "locality": measured.pop("score"),
        **measured,
        "patches": len(encodings),
        "sha256": found.sha256,
    }
    return TrialResult(Outcome.BUDGET, observables, {"similarities": similarities(encodings).numpy()})
