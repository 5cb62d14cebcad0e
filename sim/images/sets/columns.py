"""The columns of a parquet file or an arrow stream that hold images and labels, read without trusting its sizes.

A file of a few kilobytes can unpack to terabytes: a page that repeats one entry, a compressed buffer, a dictionary. So
parquet is taken row by row, which holds one page and one entry at a time, and what an arrow stream says to be
compressed is refused before it is unpacked; Hugging Face's datasets compress none. The sums are kept by whoever reads
(`Allowance`). Only the kinds of columns that datasets write are read, and every batch is validated: offsets that point
outside their buffer would be followed otherwise.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.images.refusals import BadImages
from sim.images.sets.files import MAX_BYTES, MAX_IMAGES

IMAGES = ("img", "image")
LABELS = ("fine_label", "label")
COARSE = "coarse_label"
_COMPRESSION, _BODY = 3, 2
"""Places of the compression in the table of a record batch, and of that table in a message."""
_RECORD_BATCH, _SCHEMA = "record batch", "schema"
MAX_BATCHES = 1_000_000


@dataclass
class Allowance:
    """How many rows and unpacked bytes the files of a split may have together, and how many were read."""

    most_rows: int = MAX_IMAGES
    most_bytes: int = MAX_BYTES
    rows: int = 0
    size: int = 0

    def take(self, path: Path, rows: int, size: int) -> None:
        """Count what was read of a file. Raises BadImages where the sum is more than is allowed."""
        self.rows += rows
        self.size += size
        if self.rows > self.most_rows:
            raise BadImages(f"{path} and the files before it must have at most {self.most_rows} rows, got more")
        if self.size > self.most_bytes:
            raise BadImages(f"{path} and the files before it must unpack to at most {self.most_bytes} bytes, got more")


def read_parquet(path: Path) -> Iterator[Any]:
    """Record batches of one row: the image, its label, and its coarse label where the file has them.

    Raises:
        BadImages: a file that is too large, or without such columns; pyarrow raises its own on damage.
    """
    from pyarrow import parquet

    _require_size(path)
    with parquet.ParquetFile(path) as file:
        names = _names(path, file.schema_arrow)
        for batch in file.iter_batches(batch_size=1, columns=[f"{names[0]}.bytes", *names[1:]], use_threads=False):
            yield batch.select(names)


def read_stream(path: Path) -> Iterator[Any]:
    """Record batches of an arrow stream, the images and their labels; pages of the file are not copied.

    Raises:
        BadImages: as `read_parquet`, or a stream that is compressed or of another order.
    """
    import pyarrow
    from pyarrow import ipc

    _require_size(path)
    with pyarrow.memory_map(str(path)) as source:
        messages = ipc.MessageReader.open_stream(source)
        schema = ipc.read_schema(messages.read_next_message())
        names = _names(path, schema)
        for _ in range(MAX_BATCHES):
            try:
                message = messages.read_next_message()
            except StopIteration:
                return
            if message.type != _RECORD_BATCH:
                raise BadImages(f"{path} must have record batches after its schema, got a {message.type}")
            if _is_compressed(message.metadata.to_pybytes()):
                raise BadImages(f"{path} must not be compressed, as datasets write it, got a compressed batch")
            batch = ipc.read_record_batch(message, schema).select(names)
            batch.validate(full=True)
            yield batch
    raise BadImages(f"{path} must have at most {MAX_BATCHES} batches, got more")


def _require_size(path: Path) -> None:
    if not path.is_file():  # a pipe would be waited for
        raise BadImages(f"{path} must be a file, got something else")
    if path.stat().st_size > MAX_BYTES:
        raise BadImages(f"{path} must have at most {MAX_BYTES} bytes, got {path.stat().st_size}")


def _names(path: Path, schema: Any) -> list[str]:
    """The names of the columns of images, of labels and, where there are some, of coarse labels; of known kinds."""
    from pyarrow import types

    names = list(schema.names)
    found = [next((name for name in some if names.count(name) == 1), None) for some in (IMAGES, LABELS)]
    image, label = found
    if image is None or label is None:
        raise BadImages(f"{path} must have columns img or image, and label, got {', '.join(names[:6])}")
    kind, of_label = schema.field(image).type, schema.field(label).type
    of_bytes = kind.field("bytes").type if types.is_struct(kind) and kind.get_field_index("bytes") >= 0 else kind
    if of_bytes is kind or not (types.is_binary(of_bytes) or types.is_large_binary(of_bytes)):
        raise BadImages(f"{path} must have images that are structs with bytes, got {str(kind)[:60]}")
    if not types.is_integer(of_label):
        raise BadImages(f"{path} must have labels that are whole numbers, got {str(of_label)[:60]}")
    has_coarse = names.count(COARSE) == 1 and types.is_integer(schema.field(COARSE).type)
    return [image, label, COARSE] if has_coarse else [image, label]


def _is_compressed(metadata: bytes) -> bool:
    """Whether the record batch of a message has compressed buffers, by the flatbuffer that describes it."""
    message = struct.unpack_from("<I", metadata, 0)[0]
    slot = _slot(metadata, message, _BODY)
    batch = message + slot + struct.unpack_from("<I", metadata, message + slot)[0]
    return _slot(metadata, batch, _COMPRESSION) != 0


def _slot(data: bytes, table: int, place: int) -> int:
    """Where a table of a flatbuffer has its field, from the table's start; 0 where it has none."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    length = struct.unpack_from("<H", data, fields)[0]
    at = 4 + 2 * place
    return struct.unpack_from("<H", data, fields + at)[0] if at + 2 <= length else 0
