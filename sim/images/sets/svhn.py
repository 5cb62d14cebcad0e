"""SVHN in its cropped form: a file of Matlab's format 5 with X, uint8 [32, 32, 3, n], and y, [n, 1], where 10 is 0.

scipy reads it. Shapes and kinds are asked for first, from the headers alone, so that nothing large is made that is not
an array of images.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from sim.images.refusals import BadImages
from sim.images.sets.files import MAX_IMAGES, read

_MAGIC = b"MATLAB 5.0 MAT-file"


def read_mat(path: Path, md5: Mapping[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """Pixels uint8 [n, 3, 32, 32] and labels int64 [n], 0 for the digit 0.

    Raises:
        UnusableImages: a file that is missing, altered, truncated, or holds something else.
    """
    from scipy.io import loadmat, whosmat  # takes a while, and is needed by nobody else

    data = read(path, md5)
    if not data.startswith(_MAGIC):
        raise BadImages(f"{path} must be a Matlab file of format 5, got one that begins {data[:20]!r}")
    try:
        held = {name: (shape, kind) for name, shape, kind in whosmat(io.BytesIO(data))}
        _require_arrays(path, held)
        found = loadmat(io.BytesIO(data), variable_names=["X", "y"], verify_compressed_data_integrity=True)
    except BadImages:
        raise
    except Exception as error:  # scipy's reader meets damage with errors of many kinds
        told = " ".join(f"{type(error).__name__}: {error}".split())[:100]
        raise BadImages(f"{path} must be a Matlab file of format 5, got one that is damaged ({told})") from None
    labels = found["y"].reshape(-1).astype(np.int64)
    if len(labels) and not (labels.min() >= 1 and labels.max() <= 10):
        raise BadImages(f"{path} must have labels from 1 to 10, got {int(labels.min())} to {int(labels.max())}")
    return np.ascontiguousarray(found["X"].transpose(3, 2, 0, 1)), labels % 10


def _require_arrays(path: Path, held: Mapping[str, tuple[tuple[int, ...], str]]) -> None:
    if not {"X", "y"} <= held.keys():
        raise BadImages(f"{path} must have X and y, got {', '.join(sorted(held)[:6]) or 'nothing'}")
    (shape, kind), (labels, label_kind) = held["X"], held["y"]
    if kind != "uint8" or len(shape) != 4 or shape[:3] != (32, 32, 3) or not 0 < shape[3] <= MAX_IMAGES:
        raise BadImages(f"{path} must have X of kind uint8 and shape [32, 32, 3, n], got {kind} {list(shape)}")
    if labels != (shape[3], 1) or label_kind not in ("uint8", "double"):
        raise BadImages(f"{path} must have y of shape [{shape[3]}, 1], got {label_kind} {list(labels)}")
