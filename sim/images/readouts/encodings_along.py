"""Cosines of a ViT's positional encodings, where the patches stand, [patches, patches]; none where it diverged."""

from __future__ import annotations

import numpy as np

from sim.images.encodings import locality
from sim.images.experiments.encodings import EncodingsRun
from sim.trials.trial import Outcome


def similarities(run: EncodingsRun) -> np.ndarray | None:
    """After training."""
    return None if run.outcome is Outcome.DIVERGED else locality.similarities(run.final).numpy()


def initial_similarities(run: EncodingsRun) -> np.ndarray | None:
    """Before training."""
    return None if run.outcome is Outcome.DIVERGED else locality.similarities(run.initial).numpy()
