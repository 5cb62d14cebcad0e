"""Arrays laid out for whole vectors: how many entries one holds, and where it begins."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

VECTOR_BYTES = 64
Arrays = TypeVar("Arrays", bound="tuple[Any, ...]")


def lane_count(kind: np.dtype | type) -> int:
    """Entries of a vector of this precision."""
    return VECTOR_BYTES // np.dtype(kind).itemsize


def padded(length: int, kind: np.dtype | type, *, vectors: int = 1) -> int:
    """The least whole number of vectors (or pairs of them) that holds `length` entries, in entries."""
    lanes = vectors * lane_count(kind)
    return -(-length // lanes) * lanes


def aligned(arrays: Arrays) -> Arrays:
    """The same arrays where whole vectors begin at whole lines of the cache; elsewhere each would take two."""
    return type(arrays)(*(aligned_array(entry) if isinstance(entry, np.ndarray) else entry for entry in arrays))


def aligned_array(values: np.ndarray) -> np.ndarray:
    """A copy that begins at a whole line of the cache."""
    room = np.zeros(values.nbytes + VECTOR_BYTES, np.uint8)
    start = -room.ctypes.data % VECTOR_BYTES
    found = room[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    found[...] = values
    return found
