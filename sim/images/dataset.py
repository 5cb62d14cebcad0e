"""Data sets by name. Nothing is ever downloaded: what is not on this machine is named, with where to fetch it."""

from __future__ import annotations

from sim.images import stand_ins
from sim.images.labelled import Images
from sim.validation import require_one_of

SPLITS = ("train", "test")


def load(name: str, *, split: str) -> Images:
    """A data set of this machine.

    Args:
        name: "digits" or "photographs", which come with scikit-learn and stand in for the papers' data.
        split: "train" or "test".

    Raises:
        InvalidParameter: an unknown name or split.
        MissingImages: the set is not on this machine; the text says what to fetch and where to put it.
    """
    require_one_of("split", split, SPLITS)
    require_one_of("name", name, tuple(stand_ins.LOADERS))
    return stand_ins.LOADERS[name](split)
