"""Tiny files in the formats of the published archives: what the loaders are tested on."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np


def some_pixels(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (n, 3, 32, 32), dtype=np.uint8)


class BatchWriter:
    """Writes a dict as cPickle of Python 2 did with protocol 2, every value put into the memo."""

    def __init__(self) -> None:
        self.memo = 0

    def put(self) -> bytes:
        self.memo += 1
        return b"q" + bytes([self.memo]) if self.memo < 256 else b"r" + struct.pack("<I", self.memo)

    def text(self, value: bytes) -> bytes:
        head = b"U" + bytes([len(value)]) if len(value) < 256 else b"T" + struct.pack("<i", len(value))
        return head + value + self.put()

    def number(self, value: int) -> bytes:
        if 0 <= value < 256:
            return b"K" + bytes([value])
        return b"M" + struct.pack("<H", value) if 0 <= value < 65536 else b"J" + struct.pack("<i", value)

    def array(self, value: np.ndarray) -> bytes:
        rows, columns = value.shape
        made = b"cnumpy.core.multiarray\n_reconstruct\n" + self.put() + b"cnumpy\nndarray\n" + self.put()
        made += b"K\x00\x85U\x01b\x87R" + self.put() + b"(K\x01" + self.number(rows) + self.number(columns) + b"\x86"
        kind = b"cnumpy\ndtype\n" + self.put() + b"U\x02u1K\x00K\x01\x87R" + self.put()
        kind += b"(K\x03U\x01|NNN" + b"J\xff\xff\xff\xff" * 2 + b"K\x00tb"
        return made + kind + b"\x89" + self.text(value.tobytes()) + b"tb"

    def value(self, value: object) -> bytes:
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, bytes):
            return self.text(value)
        if isinstance(value, int):
            return self.number(value)
        assert isinstance(value, list)
        return b"]" + self.put() + b"(" + b"".join(self.value(item) for item in value) + b"e"

    def whole(self, entries: dict[bytes, object]) -> bytes:
        body = b"}" + self.put() + b"(" + b"".join(self.text(k) + self.value(v) for k, v in entries.items())
        return b"\x80\x02" + body + b"u."


def batch(pixels: np.ndarray, labels: Sequence[int], *, key: bytes = b"labels") -> bytes:
    names = [f"image_s_{place:06}.png".encode() for place in range(len(labels))]
    entries = {b"batch_label": b"training batch 1 of 5", key: list(labels)}
    if key == b"fine_labels":
        entries[b"coarse_labels"] = [0] * len(labels)
    return BatchWriter().whole({**entries, b"data": pixels.reshape(len(pixels), -1), b"filenames": names})


def binary(pixels: np.ndarray, labels: Sequence[int], *, coarse: bool = False) -> bytes:
    heads = [bytes([3, label]) if coarse else bytes([label]) for label in labels]
    return b"".join(head + image.tobytes() for head, image in zip(heads, pixels, strict=True))


def write_cifar10_like(root: Path, pixels: np.ndarray, labels: Sequence[int], *, kind: str) -> Path:
    """All images in order over five training files, the first two again for testing."""
    folder = root / "cifar10-like" / ("cifar-10-batches-py" if kind == "batches" else "cifar-10-batches-bin")
    folder.mkdir(parents=True)
    write, ending = (batch, "") if kind == "batches" else (binary, ".bin")
    for number, places in enumerate(np.array_split(np.arange(len(pixels)), 5), start=1):
        part = write(pixels[places], [labels[place] for place in places])
        (folder / f"data_batch_{number}{ending}").write_bytes(part)
    (folder / f"test_batch{ending}").write_bytes(write(pixels[:2], list(labels[:2])))
    return folder
