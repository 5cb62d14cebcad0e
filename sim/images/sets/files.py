"""Files of data sets: read whole, no larger than such a set can be, and held against the published checksum."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping
from pathlib import Path

from sim.images.refusals import BadImages, MissingImages

MAX_BYTES = 2 * 2**30
"""No file of a set that is read here is larger."""
MAX_IMAGES = 2_000_000


def read(path: Path, md5: Mapping[str, str]) -> bytes:
    """The bytes of a file.

    Args:
        md5: sums by name; a file that is not among them is not checked.

    Raises:
        MissingImages: there is no such file.
        BadImages: it cannot be read, is too large, or has another sum.
    """
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # a pipe would be waited for, and /dev/zero never ends
            raise BadImages(f"{path} must be a file, got something else")
        if about.st_size > MAX_BYTES:
            raise BadImages(f"{path} must have at most {MAX_BYTES} bytes, got {about.st_size}")
        data = path.read_bytes()
    except FileNotFoundError:
        raise MissingImages(f"{path} is not there: fetch the whole set again") from None
    except OSError as error:
        raise BadImages(f"{path} cannot be read: {error.strerror}") from None
    expected = md5.get(path.name)
    got = hashlib.md5(data, usedforsecurity=False).hexdigest() if expected else ""
    if expected and got != expected:
        raise BadImages(f"{path} must be the published file, of md5 {expected}, got {got}: fetch it again")
    return data
