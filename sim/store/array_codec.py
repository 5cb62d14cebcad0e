"""Curves as the store keeps them: an npz blob, opened when somebody looks.

A trial has a dozen curves and most verdicts look at none; decoding all of them was a tenth of what the table cost.

A blob may come from anywhere: names, sizes and types are checked against the archive's own words before anything is
unpacked, and an array is made only of as many bytes as are really there. Nothing in a blob is ever unpickled.
"""

from __future__ import annotations

import functools
import io
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.trials.errors import MissingValueError, StoreError, nearest, printable

if TYPE_CHECKING:
    import numpy as np

MAX_CURVES = 1000
MAX_BYTES = 64 * 2**20
"""Bytes that the curves of one trial may have when unpacked; real ones have a thousandth."""
_MAX_DIMENSIONS = 4
_KINDS = "biuf"
_HEADER = re.compile(
    rb"\x93NUMPY(?:\x01\x00..|\x02\x00....)"
    rb"\{'descr': '(?P<type>[<>|][biuf][0-9]{1,2})', 'fortran_order': (?P<columns_first>True|False), "
    rb"'shape': \((?P<shape>[0-9]{0,12}(?:, [0-9]{1,12})*),?\), \} *\n",
    re.DOTALL,
)
"""The header that numpy writes for arrays of numbers. Others are refused; none is evaluated."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")


def pack(curves: Mapping[str, object]) -> bytes | None:
    """The blob of some curves; None for none.

    Raises:
        StoreError: a name, a type or a size that would be refused when read.
    """
    if not curves:
        return None
    import numpy as np

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays_of(curves))  # pyrefly: ignore
    return buffer.getvalue()


def arrays_of(curves: Mapping[str, object]) -> dict[str, np.ndarray]:
    """The curves as arrays that can be kept.

    Raises:
        StoreError: a name, a type or a size that would be refused when read.
    """
    if not curves:
        return {}
    import numpy as np

    arrays = {}
    try:
        _require(len(curves) <= MAX_CURVES, f"must be at most {MAX_CURVES}, got {len(curves)}")
        for name, curve in curves.items():
            _require_name(name)
            try:
                arrays[name] = np.asanyarray(curve)
            except Exception:  # whatever a foreign array raises where numpy cannot read it
                words = (
                    f"must be numpy arrays, got {name} of type {type(curve).__name__}; write .detach().cpu().numpy()"
                )
                raise ValueError(words) from None
            _require_shape(name, arrays[name].dtype, arrays[name].shape)
        total = sum(array.nbytes for array in arrays.values())
        _require(total <= MAX_BYTES, f"must have at most {MAX_BYTES} bytes, got {total}")
    except ValueError as error:
        raise StoreError(f"curves {error}") from None
    return arrays


def unpack(blob: bytes | None, origin: str = "curves") -> Mapping[str, np.ndarray]:
    """The curves of a blob by name. The first look raises a StoreError, which names `origin`, where it is malformed."""
    return {} if blob is None else _Packed(blob, origin)


@dataclass(frozen=True, eq=False)
class _Packed(Mapping[str, "np.ndarray"]):
    """Curves that are decoded together at the first look and then stay."""

    blob: bytes
    origin: str

    @functools.cached_property
    def _opened(self) -> dict[str, np.ndarray]:
        try:
            return _decoded(self.blob)
        except Exception as error:  # zipfile, zlib and numpy raise a dozen kinds on bytes that nobody wrote
            text = printable(str(error))
            rule = text if text.startswith("must ") else f"must be a sound npz archive, got one with: {text}"
            raise StoreError(f"{self.origin}: curves {rule}") from None

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._opened:
            words = f"curves must have {printable(str(name))}, got {', '.join(self._opened)}"
            raise MissingValueError(f"{self.origin}: {words}{nearest(str(name), self._opened)}")
        return self._opened[name]

    def __contains__(self, name: object) -> bool:
        """Nothing is decoded for a name that the archive, which keeps names as they are, does not hold."""
        return f"{name}.npy".encode() in self.blob and name in self._opened

    def __iter__(self) -> Iterator[str]:
        return iter(self._opened)

    def __len__(self) -> int:
        return len(self._opened)


def _decoded(blob: bytes) -> dict[str, np.ndarray]:
    _require(blob.count(b"PK\x01\x02") <= MAX_CURVES, f"must be at most {MAX_CURVES}, got more")
    with zipfile.ZipFile(io.BytesIO(blob)) as archive:
        members = archive.infolist()
        total = sum(member.file_size for member in members)
        _require(total <= MAX_BYTES, f"must have at most {MAX_BYTES} bytes, got {total}")
        found: dict[str, np.ndarray] = {}
        for member in members:
            stem, dot, ending = member.filename.rpartition(".")
            _require(dot + ending == ".npy", f"must be npy files, got {member.filename[:60]!r}")
            _require_name(stem)
            _require(stem not in found, f"must have names once each, got {stem!r} twice")
            usual = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not member.flag_bits & 1
            _require(usual, f"must be stored or deflated, got {stem!r} otherwise")
            with archive.open(member) as file:
                found[stem] = _array(stem, file.read(member.file_size + 1))
    return found


def _array(name: str, content: bytes) -> np.ndarray:
    """The array of an npy file: as long as its header says, and no longer."""
    import numpy as np

    header = _HEADER.match(content)
    if header is None:
        raise ValueError(f"must be npy files of numbers, got {name!r} with another header")
    dtype = np.dtype(header["type"].decode())
    shape = tuple(int(size) for size in header["shape"].split(b",") if size.strip())
    _require_shape(name, dtype, shape)
    body = content[header.end() :]
    expected = math.prod(shape) * dtype.itemsize
    _require(len(body) == expected, f"must have the bytes of their shapes, got {name!r} with {len(body)} of {expected}")
    order = "F" if header["columns_first"] == b"True" else "C"
    return np.frombuffer(body, dtype).reshape(shape, order=order).copy(order="K")


def _require_name(name: str) -> None:
    _require(_NAME.fullmatch(name) is not None, f"must have names of letters, digits, _, . and -, got {name[:60]!r}")


def _require_shape(name: str, dtype: np.dtype, shape: tuple[int, ...]) -> None:
    plain = dtype.kind in _KINDS and dtype.fields is None and dtype.subdtype is None and dtype.itemsize <= 16
    _require(plain, f"must be arrays of numbers, got {name!r} of type {str(dtype)[:60]}")
    sizes = all(type(size) is int and 0 <= size <= MAX_BYTES for size in shape)
    fits = sizes and len(shape) <= _MAX_DIMENSIONS
    _require(fits, f"must have at most {_MAX_DIMENSIONS} sides of a sane size, got {name!r} of shape {str(shape)[:60]}")


def _require(condition: bool, rule: str) -> None:
    if not condition:
        raise ValueError(rule)
