"""The batches of the CIFAR sets, which are pickles of Python 2 or 3, read without Python's own reader.

A pickle is a program: unpickling a stranger's file runs it. Torchvision's data are pickles all the same, and many have
them, so this is a reader of its own over the opcodes that such files hold, of protocols 2 to 5: numbers, texts, lists,
dicts, and arrays of whole numbers that numpy wrote. Everything else is refused by name. It builds nothing but bytes,
whole numbers, lists, dicts and those arrays; lengths are checked against the file before anything is made, and the
number of opcodes is bounded.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.images.refusals import BadImages

MAX_OPCODES = 4_000_000
"""A training batch of CIFAR-100 has about 300 000."""
_MAX_DIMENSIONS = 4

_GLOBALS = {
    b"numpy.core.multiarray _reconstruct": "reconstruct",
    b"numpy._core.multiarray _reconstruct": "reconstruct",
    b"numpy ndarray": "ndarray",
    b"numpy dtype": "dtype",
    b"numpy.core.numeric _frombuffer": "frombuffer",
    b"numpy._core.numeric _frombuffer": "frombuffer",
    b"_codecs encode": "encode",
}
"""What a file may name, each standing for a word here and never for a function."""


@dataclass(frozen=True)
class _Word:
    name: str


class _Mark:
    pass


@dataclass
class _Kind:
    """A kind of whole numbers; the order of their bytes comes after it."""

    name: str
    is_little: bool = False


_KINDS = {b"u1": "u1", b"|u1": "u1", b"i4": "i4", b"<i4": "i4", b"i8": "i8", b"<i8": "i8"}
"""Kinds of pixels, and of labels that are an array."""


@dataclass
class _Array:
    """An array whose shape and bytes come after it."""

    value: np.ndarray | None = None


class _Refused(Exception):
    pass


def read_pickled(data: bytes, name: str) -> dict[bytes, Any]:
    """The dict that a batch holds: keys are bytes; values whole numbers, bytes, lists, or arrays of whole numbers.

    Raises:
        BadImages: the file is truncated, holds an opcode that no such batch has, or is no dict; it is called `name`.
    """
    try:
        found = _BatchReader(data).read()
    except (_Refused, struct.error, IndexError, KeyError, TypeError, ValueError) as error:
        told = error if isinstance(error, _Refused) else "truncated or damaged"
        raise BadImages(f"{name} must be a batch as torchvision keeps it, got one that is {told}") from None
    if not isinstance(found, dict):
        raise BadImages(f"{name} must hold a dict, got {type(found).__name__.strip('_').lower()}")
    return {key: value.value if isinstance(value, _Array) else value for key, value in found.items()}


class _BatchReader:
    """A stack, a memo and a place in the file."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self) -> Any:
        for _ in range(MAX_OPCODES):
            code = self._take(1)
            if code == b".":
                (whole,) = self._stack  # more than one is left of a file that was cut and mended
                return whole
            if code not in _OPCODES:
                raise _Refused(f"no plain data: opcode {code!r}")
            _OPCODES[code](self)
        raise _Refused(f"of more than {MAX_OPCODES} opcodes")

    def _take(self, count: int) -> bytes:
        if count < 0 or self._at + count > len(self._data):
            raise _Refused("truncated")
        self._at += count
        return self._data[self._at - count : self._at]

    def _number(self, form: str) -> int:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def push(self, value: object) -> None:
        self._stack.append(value)

    def number(self, form: str) -> None:
        self.push(self._number(form))

    def text(self, form: str) -> None:
        self.push(self._take(self._number(form)))

    def protocol(self) -> None:
        if self._number("<B") not in (2, 3, 4, 5) or self._at != 2:
            raise _Refused("of another protocol than 2 to 5")

    def frame(self) -> None:
        """How long a frame is, which says nothing to one who holds the whole file."""
        self._take(8)

    def named(self) -> None:
        end = self._data.find(b"\n", self._data.find(b"\n", self._at) + 1)
        name = self._take(min(end, self._at + 100) - self._at).replace(b"\n", b" ") if end >= 0 else b""
        self._at += 1
        self._name(name)

    def named_on_stack(self) -> None:
        module, word = self.last(2)
        self._name(module + b" " + word)

    def _name(self, name: bytes) -> None:
        if name not in _GLOBALS:
            raise _Refused(f"no plain data: it names {name[:60]!r}")
        self.push(_Word(_GLOBALS[name]))

    def put(self, form: str) -> None:
        self._memo[self._number(form)] = self._stack[-1]

    def memoize(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def get(self, form: str) -> None:
        self.push(self._memo[self._number(form)])

    def _since_mark(self) -> list[Any]:
        place = len(self._stack) - 1
        while place >= 0 and not isinstance(self._stack[place], _Mark):
            place -= 1
        if place < 0:
            raise _Refused("damaged: items without a beginning")
        items = self._stack[place + 1 :]
        del self._stack[place:]
        return items

    def append(self, items: list[Any]) -> None:
        if not isinstance(self._stack[-1], list):
            raise _Refused("damaged: an item of no list")
        self._stack[-1].extend(items)

    def set(self, items: list[Any]) -> None:
        whole = self._stack[-1]
        if not isinstance(whole, dict) or len(items) % 2 or not all(isinstance(key, bytes) for key in items[::2]):
            raise _Refused("damaged: an entry of no dict, or a key that is no text")
        whole.update(zip(items[::2], items[1::2], strict=True))

    def last(self, count: int) -> list[Any]:
        if len(self._stack) < count:
            raise _Refused("damaged")
        items = self._stack[len(self._stack) - count :]
        del self._stack[len(self._stack) - count :]
        return items

    def make(self) -> None:
        """An array, a kind of whole numbers, or bytes that Python 3 wrote as a text: what such pickles make."""
        word, given = self.last(2)
        if word == _Word("reconstruct") and given[:1] == (_Word("ndarray"),):
            self.push(_Array())
        elif word == _Word("frombuffer") and len(given) == 4 and given[3] == b"C":
            data, kind, shape, _ = given
            self.push(_Array(_array(shape, kind, False, data)))
        elif word == _Word("dtype") and given[0] in _KINDS:
            self.push(_Kind(_KINDS[given[0]], is_little=given[0][:1] == b"<"))
        elif word == _Word("encode") and given[1:] == (b"latin1",):
            self.push(given[0].decode().encode("latin1"))
        elif word == _Word("encode"):
            raise _Refused("no plain data: a text in another encoding than latin1")
        else:
            raise _Refused("no plain data: it makes something else than an array of whole numbers")

    def build(self) -> None:
        """Fill an array, or say the order of the bytes of a kind; nothing else that a file says of it counts."""
        whole, state = self.last(2)
        if isinstance(whole, _Array) and isinstance(state, tuple):
            _, shape, kind, is_fortran, data = state
            whole.value = _array(shape, kind, is_fortran, data)
        elif isinstance(whole, _Kind):
            whole.is_little = state[1] == b"<"
        else:
            raise _Refused("no plain data: it fills something else than an array of whole numbers")
        self.push(whole)

    def from_mark(self, use: Callable[[list[Any]], None]) -> None:
        use(self._since_mark())

    def pair(self, use: Callable[[list[Any]], None], count: int) -> None:
        use(self.last(count))


def _array(shape: object, kind: object, is_fortran: object, data: object) -> np.ndarray:
    whole = isinstance(shape, tuple) and 0 < len(shape) <= _MAX_DIMENSIONS and all(type(side) is int for side in shape)
    if not (whole and isinstance(kind, _Kind) and isinstance(data, bytes)) or is_fortran not in (False, 0):
        raise _Refused("no plain data: an array that is not of whole numbers, or not by rows")
    if kind.name != "u1" and not kind.is_little:
        raise _Refused("no plain data: an array whose whole numbers begin with their largest byte")
    sides: tuple[int, ...] = shape  # type: ignore[assignment]
    size = np.dtype(kind.name).itemsize
    if min(sides) < 0 or int(np.prod([int(side) for side in sides], dtype=object)) * size != len(data):
        raise _Refused(f"damaged: an array of shape {sides} with {len(data)} bytes")
    return np.frombuffer(data, dtype=f"<{kind.name}").reshape(sides)


_OPCODES: dict[bytes, Callable[[_BatchReader], None]] = {
    b"\x80": _BatchReader.protocol,
    b"\x95": _BatchReader.frame,
    b"}": lambda reader: reader.push({}),
    b"]": lambda reader: reader.push([]),
    b")": lambda reader: reader.push(()),
    b"N": lambda reader: reader.push(None),
    b"\x88": lambda reader: reader.push(True),
    b"\x89": lambda reader: reader.push(False),
    b"(": lambda reader: reader.push(_Mark()),
    b"K": lambda reader: reader.number("<B"),
    b"M": lambda reader: reader.number("<H"),
    b"J": lambda reader: reader.number("<i"),
    b"U": lambda reader: reader.text("<B"),
    b"T": lambda reader: reader.text("<i"),
    b"X": lambda reader: reader.text("<I"),
    b"\x8c": lambda reader: reader.text("<B"),
    b"C": lambda reader: reader.text("<B"),
    b"B": lambda reader: reader.text("<I"),
    b"\x8e": lambda reader: reader.text("<Q"),
    b"\x96": lambda reader: reader.text("<Q"),
    b"q": lambda reader: reader.put("<B"),
    b"r": lambda reader: reader.put("<I"),
    b"h": lambda reader: reader.get("<B"),
    b"j": lambda reader: reader.get("<I"),
    b"\x94": _BatchReader.memoize,
    b"c": _BatchReader.named,
    b"\x93": _BatchReader.named_on_stack,
    b"a": lambda reader: reader.pair(reader.append, 1),
    b"e": lambda reader: reader.from_mark(reader.append),
    b"s": lambda reader: reader.pair(reader.set, 2),
    b"u": lambda reader: reader.from_mark(reader.set),
    b"t": lambda reader: reader.from_mark(lambda items: reader.push(tuple(items))),
    b"\x85": lambda reader: reader.pair(lambda items: reader.push(tuple(items)), 1),
    b"\x86": lambda reader: reader.pair(lambda items: reader.push(tuple(items)), 2),
    b"\x87": lambda reader: reader.pair(lambda items: reader.push(tuple(items)), 3),
    b"R": _BatchReader.make,
    b"b": _BatchReader.build,
}
"""The opcodes of protocols 2 to 5 that plain data and arrays of whole numbers need."""
