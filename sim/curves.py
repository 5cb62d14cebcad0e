"""Curves as the store keeps them: an npz blob, opened when somebody looks.

A trial has a dozen curves and most verdicts look at none; decoding all of them was a tenth of what the table cost.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def pack(curves: Mapping[str, object]) -> bytes | None:
    """The blob of some curves; None for none."""
    if not curves:
        return None
    import numpy as np

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **curves)  # pyrefly: ignore
    return buffer.getvalue()


def unpack(blob: bytes | None) -> Mapping[str, np.ndarray]:
    """The curves of a blob by name."""
    return {} if blob is None else _Packed(blob)


@dataclass(frozen=True, eq=False)
class _Packed(Mapping[str, "np.ndarray"]):
    """Curves that are decoded together at the first look and then stay."""

    blob: bytes

    @functools.cached_property
    def _opened(self) -> dict[str, np.ndarray]:
        import numpy as np

        with np.load(io.BytesIO(self.blob), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._opened[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._opened)

    def __len__(self) -> int:
        return len(self._opened)
