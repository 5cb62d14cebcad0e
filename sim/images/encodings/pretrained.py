"""Positional encodings of a ViT that somebody else trained, read from a file of weights that the user has.

Two kinds of file are read: safetensors (a header in JSON, then plain numbers) and what `torch.save` writes. Both may
come from strangers. Of the first, one array is read, by a header that is held against the file; of the second, torch's
reader of tensors alone is used, on archives without compression. Nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import torch

from sim.images.encodings.weight_files import missing_words, weights_file
from sim.images.refusals import BadImages, MissingImages

MAX_BYTES = 4 * 2**30
MAX_HEADER = 16 * 2**20
MAX_NUMBERS = 16 * 2**20
"""Of one array of encodings: 4096 patches of width 4096."""
NAMES = ("pos_embed", "position_embeddings", "pos_embedding", "positions")
"""What libraries call positional encodings, behind any prefix that ends in a dot."""
_KINDS = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
_EXTRA = (1, 0, 2)
"""Tokens before the patches: a class token, none, or a class and a distillation token."""


@dataclass(frozen=True, eq=False)
class Pretrained:
    """Encodings of the patches, [patches, width], row by row, and the sha256 of their file."""

    encodings: torch.Tensor
    sha256: str


def pretrained(name: str) -> Pretrained:
    """The encodings in the file of this name below the user's folder.

    Args:
        name: of the file, without ending: letters, digits, "-", "_" and "." alone.

    Raises:
        InvalidParameter: a name with other characters.
        MissingImages: there is no such file; the text says where to put it.
        BadImages: the file is damaged, or holds no encodings of a square grid.
    """
    path = weights_file(name)
    if path is None:
        raise MissingImages(missing_words(name))
    return Pretrained(encodings_of(path), _digest(path))


def encodings_of(path: Path) -> torch.Tensor:
    """Positional encodings of the patches in a file of weights, float64 [patches, width].

    Raises:
        BadImages: the file cannot be read, is too large or damaged, or holds none.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise BadImages(f"{path} must have at most {MAX_BYTES} bytes, got {size}")
    found = _safetensors(path, size) if path.suffix == ".safetensors" else _torch_archive(path)
    return _patches_of(found, path)


def _patches_of(found: torch.Tensor, path: Path) -> torch.Tensor:
    """The rows of the patches, without those of extra tokens."""
    rows = found[0] if found.dim() == 3 and len(found) == 1 else found
    if rows.dim() == 2:
        for extra in _EXTRA:
            count = len(rows) - extra
            if count >= 9 and math.isqrt(count) ** 2 == count:
                return rows[extra:].double()
    raise BadImages(f"{path} must hold encodings of a square grid of patches, got shape {list(found.shape)}")


def _chosen(names: Mapping[str, object], path: Path) -> str:
    """The one name among those of a file that is positional encodings'."""
    fits = [name for name in names if name.rpartition(".")[2] in NAMES]
    if len(fits) != 1:
        raise BadImages(f"{path} must hold one array called {', '.join(NAMES)}, got {len(fits)}")
    return fits[0]


# ---------------------------------------------------------------------------------------------------------- safetensors


def _safetensors(path: Path, size: int) -> torch.Tensor:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(MAX_HEADER, size - 8):
            raise BadImages(f"{path} is damaged: its header would have {length} bytes")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError):
            raise BadImages(f"{path} is damaged: its header is not JSON") from None
        if not isinstance(header, dict):
            raise BadImages(f"{path} is damaged: its header is no table")
        return _array(file, header[_chosen(header, path)], path, start=8 + length, size=size)


def _array(file: BinaryIO, about: object, path: Path, *, start: int, size: int) -> torch.Tensor:
    """One array by what the header says of it, held against the file."""
    said = about if isinstance(about, dict) else {}
    kind, shape, ends = (
        _KINDS.get(str(said.get("dtype"))),
        _counts(said.get("shape")),
        _counts(said.get("data_offsets")),
    )
    if kind is None or not shape or len(ends) != 2:
        raise BadImages(f"{path} is damaged: the header of the encodings is not as it should be")
    low, high = ends
    count, width = math.prod(shape), torch.empty(0, dtype=kind).element_size()
    if not 0 < count <= MAX_NUMBERS or high - low != count * width or start + high > size:
        raise BadImages(f"{path} is damaged: the encodings do not fit their shape {shape}")
    file.seek(start + low)
    return torch.frombuffer(bytearray(file.read(high - low)), dtype=kind).reshape(shape).double()


def _counts(values: object) -> list[int]:
    """A list of at most four whole numbers that are not negative; empty for anything else."""
    if not isinstance(values, list) or len(values) > 4:
        return []
    counts = [value for value in values if type(value) is int and 0 <= value <= MAX_BYTES]
    return counts if len(counts) == len(values) else []


# --------------------------------------------------------------------------------------------------------------- torch


def _torch_archive(path: Path) -> torch.Tensor:
    try:
        with zipfile.ZipFile(path) as archive:
            packed = [entry.filename for entry in archive.infolist() if entry.compress_type != zipfile.ZIP_STORED]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise BadImages(f"{path} must be an archive that torch.save writes, got another file") from None
    if packed:
        raise BadImages(f"{path} must be an archive without compression, as torch.save writes it")
    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        words = f"{path} must hold tensors alone, in plain containers; torch says {type(error).__name__}"
        raise BadImages(words) from None
    held = next((held[key] for key in ("state_dict", "model") if isinstance(held, dict) and key in held), held)
    if not isinstance(held, dict):
        raise BadImages(f"{path} must hold a table of weights, got {type(held).__name__}")
    found = held[_chosen({str(name): None for name in held}, path)]
    if not isinstance(found, torch.Tensor) or found.is_sparse or not found.is_floating_point():
        raise BadImages(f"{path} must hold encodings as an array of numbers, got another kind")
    if not 0 < found.numel() <= MAX_NUMBERS:
        raise BadImages(f"{path} must hold at most {MAX_NUMBERS} numbers as encodings, got {found.numel()}")
    return found.detach().double()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
