"""CIFAR-10 and CIFAR-100 as they are published: the binary version, and the batches that torchvision keeps.

Both hold the same images in the same order: 3 072 bytes each, red, green and blue by rows. In the binary version a
label stands before each image; in CIFAR-100 two do, the coarse one first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.images.refusals import BadImages
from sim.images.sets.files import MAX_IMAGES, read
from sim.images.sets.pickled import read_pickled

_PIXELS = 3 * 32 * 32


def read_binary(folder: Path, files: tuple[str, ...], n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels uint8 [n, 3, 32, 32] and labels int64 [n] of files of the binary version.

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
        found.append((rows[:, before:], rows[:, before - 1].astype(np.int64)))
        _require_labels(path, found[-1][1], n_classes)
        if n_classes == 100 and int(rows[:, 0].max()) > 19:
            raise BadImages(f"{path} must have coarse labels from 0 to 19, got {int(rows[:, 0].max())}")
    return _joined(found)


def read_batches(
    folder: Path, files: tuple[str, ...], n_classes: int, md5: Mapping[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """The same of batches; `md5` has the sums of those that are published.

    Raises:
        UnusableImages: a file that is missing, truncated, altered, or of the other set.
    """
    found = []
    for name in files:
        path = folder / name
        batch = read_pickled(read(path, md5), str(path))
        key = b"fine_labels" if n_classes == 100 else b"labels"
        pixels, labels = _entry(batch, b"data", path), _entry(batch, key, path)
        if not isinstance(pixels, np.ndarray) or pixels.ndim != 2 or pixels.shape[1] != _PIXELS:
            shape = list(pixels.shape) if isinstance(pixels, np.ndarray) else type(pixels).__name__
            raise BadImages(f"{path} must have data of shape [n, {_PIXELS}], got {shape}")
        is_whole = isinstance(labels, list) and all(type(label) is int for label in labels)
        if not is_whole or len(labels) != len(pixels):
            got = len(labels) if is_whole else "something else"
            raise BadImages(f"{path} must have a label for each of {len(pixels)} images, got {got}")
        _require_labels(path, np.array(labels, dtype=np.int64), n_classes)
        found.append((pixels, np.array(labels, dtype=np.int64)))
    return _joined(found)


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
