"""Data sets by name. Nothing is ever downloaded: what is not on this machine is named, with where to fetch it."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import torch

from sim.images.refusals import BadImages, MissingImages
from sim.images.sets import stand_ins
from sim.images.sets.cifar import has_sums, published_order, read_batches, read_binary
from sim.images.sets.folders import read_folder
from sim.images.sets.hugging_face import read_hub
from sim.images.sets.labelled import Images
from sim.images.sets.published import LIKE, NAMES, TRAINS, Location, Published, found, is_like, missing_words, published
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
    n_classes = known.n_classes
    if place.format == "folder":
        pixels, labels, n_classes = read_folder(path, split, size)
    elif place.format == "mat":
        pixels, labels = read_mat(path / f"{split}_32x32.mat", {} if is_like(name) else known.md5)
    elif place.format == "hub":
        pixels, labels = read_hub(path, split, n_classes)
    elif place.format == "binary":
        pixels, labels = read_binary(path, _files(name, split), n_classes)
    else:
        pixels, labels = read_batches(path, _files(name, split), n_classes)
    labels = labels if labels.ndim == 2 else labels[:, None]
    if not is_like(name):
        _require_whole(name, known, split, labels[:, -1], path)
        if place.format not in ("folder", "mat"):
            pixels, labels = _as_published(name, place, path, split, pixels, labels)
    labels = labels[:, -1].copy()
    return Images(torch.from_numpy(pixels), torch.from_numpy(labels), n_classes, name, stand_in=is_like(name))


def _as_published(
    name: str, place: Location, path: Path, split: str, pixels: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The images and labels in the published order; another set, by the digest of what was decoded, is refused.

    A format may hold the published files in an order of its own, one after another.
    """
    known = published(name)
    sums = known.sha1.get(split, ())
    order = published_order(pixels, labels, sums) if sums else None
    if order is not None:
        return pixels[order], labels[order]
    if place.format == "batches" and has_sums(path, _files(name, split), known.md5):
        return pixels, labels
    told = "by the digest of its decoded images" if sums else "by the md5 of its files, and these are of another format"
    raise BadImages(
        f"{path} must hold {name} as it was published, which is known {told}: got other images, labels or order, which "
        f"are read as {name}{LIKE}"
    )


def _files(name: str, split: str) -> tuple[str, ...]:
    return TRAINS[name.partition("-")[0]][split]


def _require_whole(name: str, known: Published, split: str, labels: np.ndarray, path: Path) -> None:
    expected = known.sizes.get(split)
    if expected is not None and len(labels) != expected:
        raise BadImages(f"{path} must hold the {expected} images of {name}, {split}, got {len(labels)}")
    counted = len(np.unique(labels))
    if known.n_classes > 1 and counted != known.n_classes:
        raise BadImages(f"{path} must hold the {known.n_classes} classes of {name}, {split}, got {counted}")
