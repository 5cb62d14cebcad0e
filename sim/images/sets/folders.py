"""A folder of image files, a folder a class: what ImageNet and torchvision's ImageFolder look like.

`train` and one of `test` and `val` lie side by side; classes are their folders' names in alphabetical order, and both
splits must have the same. Images have sizes of their own, so each is cut to its middle square and resized.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sim.images.refusals import BadImages, MissingImages
from sim.images.sets.decoding import decoded
from sim.images.sets.files import MAX_IMAGES, read

ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
SPLITS = {"train": ("train",), "test": ("test", "val")}
MAX_HELD = 256 * 2**30
"""Bytes that the images of a split may take together, as they are kept in memory: ImageNet at 224 pixels, 193 GB."""


def read_folder(folder: Path, split: str, size: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Pixels uint8 [n, 3, size, size], labels int64 [n], and the number of classes.

    Raises:
        UnusableImages: no such split, no classes, classes that differ between splits, or a file that cannot be used.
    """
    here = _split_of(folder, split)
    if here is None:
        raise MissingImages(f"{folder} must have a folder {' or '.join(SPLITS[split])} with a folder a class, got none")
    classes = _classes(here)
    other = _split_of(folder, "test" if split == "train" else "train")
    if other is not None and (known := _classes(other)) != classes:
        odd = sorted(set(classes) ^ set(known))
        raise BadImages(f"{folder} must have the same classes in both splits, got {odd[0]} in one of them alone")
    files = [(path, label) for label, name in enumerate(classes) for path in _images_of(here / name)]
    if len(files) > MAX_IMAGES or len(files) * 3 * size**2 > MAX_HELD:
        raise BadImages(f"{here} must hold what fits in {MAX_HELD} bytes, got {len(files)} images of side {size}")
    pixels = np.empty((len(files), 3, size, size), dtype=np.uint8)
    for place, (path, _) in enumerate(files):
        pixels[place] = decoded(read(path, {}), str(path), size)
    return pixels, np.array([label for _, label in files], dtype=np.int64), len(classes)


def _split_of(folder: Path, split: str) -> Path | None:
    return next((folder / name for name in SPLITS[split] if (folder / name).is_dir()), None)


def _classes(folder: Path) -> list[str]:
    found = sorted(path.name for path in folder.iterdir() if path.is_dir())
    if not found:
        raise BadImages(f"{folder} must have a folder for each class, got none")
    return found


def _images_of(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not found:
        raise BadImages(f"{folder} must hold images ({', '.join(ENDINGS)}), got none")
    return found
