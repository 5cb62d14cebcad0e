"""Data sets by name. Nothing is ever downloaded: what is not on this machine is named, with where to fetch it."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import torch

from sim.images.refusals import BadImages, MissingImages
from sim.images.sets import stand_ins
from sim.images.sets.cifar import read_batches, read_binary
from sim.images.sets.folders import read_folder
from sim.images.sets.hugging_face import read_hub
from sim.images.sets.labelled import Images
from sim.images.sets.published import NAMES, TRAINS, Location, Published, found, is_like, missing_words, published
from sim.images.sets.svhn import read_mat
from sim.trials.validation import require_integer, require_one_of

__all__ = ["SPLITS", "Images", "load"]

SPLITS = ("train", "test")


def load(name: str, *, split: str, size: int = 32) -> Images:
    """A data set of this machine.

    Args:
        name: "digits" or "photographs", which come with scikit-learn and stand in for the papers' data; a published
            set (`sim.images.sets.published.NAMES`), below the folder that THEOREMETER_IMAGES names; or one with "-like"
            behind it, of the same format, which is a stand-in whatever it holds.
        split: "train" or "test".
        size: side in pixels of the images of a folder; all others have a side of their own.

    Raises:
        InvalidParameter: an unknown name or split, or a root that is no folder.
        MissingImages: the set is not on this machine; the text says what to fetch and where to put it.
        BadImages: its files are truncated, altered, or hold something else.
    """
    require_one_of("split", split, SPLITS)
    require_one_of("name", name, (*stand_ins.LOADERS, *NAMES))
    require_integer(least=1, size=size)
    if name in stand_ins.LOADERS:
        return stand_ins.LOADERS[name](split)
    place = found(name)
    if place is None:
        raise MissingImages(missing_words(name))
    return _read(name, *place, split, size if place[0].format == "folder" else 0)


@functools.lru_cache(maxsize=4)
def _read(name: str, place: Location, path: Path, split: str, size: int) -> Images:
    """The set at its place; a process that trains many networks on it reads it once."""
    known = published(name)
    md5 = {} if is_like(name) else known.md5
    n_classes = known.n_classes
    if place.format == "folder":
        pixels, labels, n_classes = read_folder(path, split, size)
    elif place.format == "mat":
        pixels, labels = read_mat(path / f"{split}_32x32.mat", md5)
    elif place.format == "hub":
        pixels, labels = read_hub(path, split, n_classes)
    elif place.format == "binary":
        pixels, labels = read_binary(path, _files(name, split), n_classes)
    else:
        pixels, labels = read_batches(path, _files(name, split), n_classes, md5)
    if not is_like(name):
        _require_whole(name, known, split, labels, path)
    return Images(torch.from_numpy(pixels), torch.from_numpy(labels), n_classes, name, stand_in=is_like(name))


def _files(name: str, split: str) -> tuple[str, ...]:
    return TRAINS[name.partition("-")[0]][split]


def _require_whole(name: str, known: Published, split: str, labels: np.ndarray, path: Path) -> None:
    expected = known.sizes.get(split)
    if expected is not None and len(labels) != expected:
        raise BadImages(f"{path} must hold the {expected} images of {name}, {split}, got {len(labels)}")
    counted = len(np.unique(labels))
    if known.n_classes > 1 and counted != known.n_classes:
        raise BadImages(f"{path} must hold the {known.n_classes} classes of {name}, {split}, got {counted}")
