"""CIFAR-10 and CIFAR-100 as they are published: the binary version, and the batches that torchvision keeps.

Both hold the same images in the same order: 3 072 bytes each, red, green and blue by rows. In the binary version a
label stands before each image; in CIFAR-100 two do, the coarse one first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.images.refusals import BadImages
from sim.images.sets.files import MAX_IMAGES, read
from sim.images.sets.pickled import read_pickled

_PIXELS = 3 * 32 * 32
_AT_ONCE = 1000
"""Images whose records are written out together."""


def read_binary(folder: Path, files: tuple[str, ...], n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels uint8 [n, 3, 32, 32] and labels int64 [n, 1] of files of the binary version, [n, 2] with coarse ones.

    Raises:
        UnusableImages: a file that is missing, truncated, or of the other set.
    """
    before = 2 if n_classes == 100 else 1
    found = []
    for name in files:
        path = folder / f"{name}.bin"
        data = read(path, {})
        record = before + _PIXELS
        if len(data) % record or not data:
            raise BadImages(f"{path} must hold records of {record} bytes, got {len(data)} bytes: fetch it again")
        rows = np.frombuffer(data, dtype=np.uint8).reshape(-1, record)
        found.append((rows[:, before:], rows[:, :before].astype(np.int64)))
        _require_labels(path, found[-1][1][:, -1], n_classes)
        if n_classes == 100 and int(rows[:, 0].max()) > 19:
            raise BadImages(f"{path} must have coarse labels from 0 to 19, got {int(rows[:, 0].max())}")
    return _joined(found)


def read_batches(folder: Path, files: tuple[str, ...], n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """The same of batches, written by Python 2 or 3.

    Raises:
        UnusableImages: a file that is missing, truncated, or of the other set.
    """
    keys = (b"coarse_labels", b"fine_labels") if n_classes == 100 else (b"labels",)
    found = []
    for name in files:
        path = folder / name
        batch = read_pickled(read(path, {}), str(path))
        pixels, labels = _entry(batch, b"data", path), [_entry(batch, key, path) for key in keys]
        if not (isinstance(pixels, np.ndarray) and pixels.dtype == np.uint8 and pixels.shape[1:] == (_PIXELS,)):
            shape = f"{pixels.dtype} {list(pixels.shape)}" if isinstance(pixels, np.ndarray) else type(pixels).__name__
            raise BadImages(f"{path} must have data of kind uint8 and shape [n, {_PIXELS}], got {shape}")
        found.append((pixels, np.stack([_labels_of(path, each, len(pixels)) for each in labels], axis=1)))
        _require_labels(path, found[-1][1][:, -1], n_classes)
    return _joined(found)


def _labels_of(path: Path, labels: Any, count: int) -> np.ndarray:
    """A list of whole numbers or an array of them, as an array int64 [n]."""
    if isinstance(labels, np.ndarray):
        is_whole = labels.ndim == 1
    else:
        is_whole = isinstance(labels, list) and all(type(label) is int for label in labels)
    if not is_whole or len(labels) != count:
        got = len(labels) if is_whole else "something else"
        raise BadImages(f"{path} must have a label for each of {count} images, got {got}")
    return np.array(labels, dtype=np.int64)


def published_order(pixels: np.ndarray, labels: np.ndarray, sums: tuple[str, ...]) -> np.ndarray | None:
    """Where the images of each published file stand, file by file (int64 [n]); None for other images or another order.

    Args:
        pixels: uint8 [n, 3, 32, 32].
        labels: int64 [n, 1], or [n, 2] with the coarse label first.
        sums: sha1 of each file of the binary version, all of which have as many images.
    """
    if len(pixels) % len(sums) or labels.min() < 0 or labels.max() > 255:
        return None
    places = np.arange(len(pixels)).reshape(len(sums), -1)
    found = {_sha1(pixels[block[0] : block[-1] + 1], labels[block]): block for block in places}
    return np.concatenate([found[each] for each in sums]) if found.keys() == set(sums) else None


def _sha1(pixels: np.ndarray, labels: np.ndarray) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    for start in range(0, len(pixels), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        heads = labels[some].astype(np.uint8)
        digest.update(np.concatenate([heads, pixels[some].reshape(len(heads), -1)], axis=1).tobytes())
    return digest.hexdigest()


def has_sums(folder: Path, files: tuple[str, ...], md5: Mapping[str, str]) -> bool:
    """Whether each file is the published one, by its md5."""
    for name in files:
        try:
            if name not in md5:
                return False
            read(folder / name, md5)
        except BadImages:
            return False
    return True


def _entry(batch: Mapping[bytes, Any], key: bytes, path: Path) -> Any:
    if key not in batch:
        has = ", ".join(sorted(name.decode(errors="replace")[:20] for name in batch)[:6])
        raise BadImages(f"{path} must have an entry {key.decode()}, got {has or 'none'}")
    return batch[key]


def _require_labels(path: Path, labels: np.ndarray, n_classes: int) -> None:
    if len(labels) and not (labels.min() >= 0 and labels.max() < n_classes):
        got = int(labels.max()) if labels.max() >= n_classes else int(labels.min())
        raise BadImages(f"{path} must have labels from 0 to {n_classes - 1}, got {got}: perhaps of another set")


def _joined(found: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    pixels = np.concatenate([part for part, _ in found])
    if len(pixels) > MAX_IMAGES:
        raise BadImages(f"a set must have at most {MAX_IMAGES} images, got {len(pixels)}")
    return pixels.reshape(-1, 3, 32, 32).copy(), np.concatenate([part for _, part in found])
