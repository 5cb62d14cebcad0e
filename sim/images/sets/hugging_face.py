"""What Hugging Face's datasets write: parquet files of a repository, or the arrow files of `save_to_disk`.

An image is an entry {bytes, path}, its bytes a PNG or JPEG file; the label is a whole number. Columns are called img or
image, and label, or fine_label beside coarse_label. pyarrow reads both formats and runs nothing of theirs;
these files alone need it. What they may unpack to is bounded (`sim.images.sets.columns`).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sim.images.refusals import BadImages, MissingImages
from sim.images.sets.columns import Allowance, read_parquet, read_stream
from sim.images.sets.decoding import decoded

MAX_FILES = 10_000
"""Of a split, which the published sets have one or two of."""


def read_hub(folder: Path, split: str, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels uint8 [n, 3, 32, 32] and labels int64 [n, 1] of a split, [n, 2] where each has a coarse one before it.

    Raises:
        UnusableImages: pyarrow is missing, or files are missing, damaged, or hold something else.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingImages(f"{folder} needs pyarrow, which is not installed: pip install 'theoremeter[images]'")
    files = _files(folder, split)
    if not files:
        raise MissingImages(f"{folder} must have {split}-*.parquet or {split}/*.arrow, got none")
    if len(files) > MAX_FILES:
        raise BadImages(f"{folder} must have at most {MAX_FILES} files of its split {split}, got {len(files)}")
    pixels, labels, allowance = [], [], Allowance()
    for path in files:
        for image, label, *coarse in _entries(path, allowance):
            if type(label) is not int or not 0 <= label < n_classes:
                raise BadImages(f"{path} must have labels from 0 to {n_classes - 1}, got {label!r}")
            found = decoded(image, str(path), None)
            if found.shape != (3, 32, 32):
                raise BadImages(f"{path} must have images of 32 x 32 pixels, got {found.shape[2]} x {found.shape[1]}")
            pixels.append(found)
            labels.append([*(value if type(value) is int and 0 <= value < 256 else -1 for value in coarse), label])
    if not pixels:
        raise BadImages(f"{folder} must have images in its split {split}, got none")
    if len(set(map(len, labels))) > 1:
        raise BadImages(f"{folder} must have coarse labels in all files of its split {split} or in none, got some")
    return np.stack(pixels), np.array(labels, dtype=np.int64)


def _files(folder: Path, split: str) -> list[Path]:
    parquet = sorted(path for path in folder.rglob("*.parquet") if path.name.startswith(f"{split}-"))
    return parquet or sorted(path for path in folder.rglob("*.arrow") if path.parent.name == split)


def _entries(path: Path, allowance: Allowance) -> Iterator[tuple[Any, ...]]:
    """The bytes of each image with its label, and its coarse label where there is one."""
    try:
        for batch in read_parquet(path) if path.suffix == ".parquet" else read_stream(path):
            allowance.take(path, batch.num_rows, batch.nbytes)
            for image, *labels in zip(*(batch.column(place) for place in range(batch.num_columns)), strict=True):
                held = image.as_py()
                data = held.get("bytes") if isinstance(held, dict) else None
                if not isinstance(data, bytes):
                    raise BadImages(f"{path} must have the bytes of each image, got a row without")
                yield data, *(label.as_py() for label in labels)
    except BadImages:
        raise
    except Exception as error:  # pyarrow meets damage with errors of many kinds
        told = " ".join(f"{type(error).__name__}: {error}".split())[:100]
        raise BadImages(f"{path} must be a whole {path.suffix[1:]} file, got {told}") from None
