"""Small sets of real images that come with scikit-learn: what runs where the papers' data are not.

1 797 handwritten digits of 8 x 8 pixels, and two photographs. The files are read as they are: importing scikit-learn
would take a second and compute nothing more. A digit's brightness of 0 to 16 becomes a byte.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.util
import io
from pathlib import Path

import numpy as np
import torch

from sim.images.refusals import BadImages, MissingImages
from sim.images.sets.labelled import Images

_DIGITS = "data/digits.csv.gz", "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"
_PHOTOGRAPHS = (
    ("images/china.jpg", "8378025ad2519d649d02e32bd98990db4ab572357d9f09841c2fbfbb4fefad29"),
    ("images/flower.jpg", "a77f6ec41e353afdf8bdff2ea981b2955535d8d83294f8cfa49cf4e423dd5638"),
)
"""Files of scikit-learn and their sha256."""

EVERY = 5
"""Of the digits, each fifth is for testing: 359 of 1 797."""


def digits(split: str) -> Images:
    """The handwritten digits, one channel: 1 438 for training, 359 for testing.

    Raises:
        MissingImages: scikit-learn is not installed.
        BadImages: its file is another than the one that is known.
    """
    pixels, labels = _all_digits()
    is_test = torch.arange(len(labels)) % EVERY == EVERY - 1
    chosen = is_test if split == "test" else ~is_test
    return Images(pixels[chosen], labels[chosen], n_classes=10, name="digits", stand_in=True)


def photographs(split: str) -> Images:
    """Two photographs (a temple, a flower), three channels: of 427 x 320 pixels, the left halves for training.

    Raises:
        MissingImages: scikit-learn or pillow is not installed.
        BadImages: a file is another than the one that is known.
    """
    half = slice(0, 320) if split == "train" else slice(320, 640)
    pixels = _all_photographs()[:, :, :, half].contiguous()
    return Images(pixels, torch.arange(2), n_classes=2, name="photographs", stand_in=True)


LOADERS = {"digits": digits, "photographs": photographs}
"""Stand-ins by name."""


@functools.cache
def _all_digits() -> tuple[torch.Tensor, torch.Tensor]:
    rows = np.loadtxt(io.BytesIO(gzip.decompress(_read(*_DIGITS))), delimiter=",", dtype=np.float64)
    bytes_ = np.round(rows[:, :64] * 255 / 16).astype(np.uint8).reshape(-1, 1, 8, 8)
    return torch.from_numpy(bytes_), torch.from_numpy(rows[:, 64].astype(np.int64))


@functools.cache
def _all_photographs() -> torch.Tensor:
    if importlib.util.find_spec("PIL") is None:
        raise MissingImages("photographs need pillow, which is not installed: pip install 'theoremeter[images]'")
    from PIL import Image  # needed by nobody else

    found = [np.array(Image.open(io.BytesIO(_read(*file))).convert("RGB")) for file in _PHOTOGRAPHS]
    return torch.from_numpy(np.stack(found).transpose(0, 3, 1, 2).copy())


def _read(name: str, sha256: str) -> bytes:
    """The bytes of a file of scikit-learn, which is not imported."""
    spec = importlib.util.find_spec("sklearn")
    if spec is None or spec.origin is None:
        raise MissingImages(
            "the stand-ins come with scikit-learn, which is not installed: pip install 'theoremeter[images]'"
        )
    data = (Path(spec.origin).parent / "datasets" / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BadImages(f"{name} of scikit-learn must have sha256 {sha256}, got another file")
    return data
