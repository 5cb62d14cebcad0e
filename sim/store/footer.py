"""The footer of a Parquet file, read without pyarrow: whether any column is compressed.

pyarrow ends the process where a footer names a compression that there is none of, and what is compressed may unpack to
any size. So the footer's own bytes are looked at first: a struct of thrift's compact protocol, of which numbers and
lists are read and nothing is believed. A field that stands twice is refused, for readers may differ in which they take.
https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from typing import Any

_ROW_GROUPS, _COLUMNS, _META_DATA, _CODEC = 4, 1, 3, 4
"""Numbers of fields: row groups of the file, columns of one, what is said of a column, and how it is compressed."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_WHOLE = (4, 5, 6)
_DEEPEST = 12


def is_plain(footer: bytes) -> bool:
    """Whether every column of every group of rows is said to be not compressed.

    Raises:
        ValueError: the footer is no such struct.
    """
    try:
        found = _Struct(footer).struct(0)
        return all(
            column[_META_DATA][_CODEC] == 0 for group in found.get(_ROW_GROUPS, []) for column in group[_COLUMNS]
        )
    except (IndexError, KeyError, TypeError, AttributeError):
        raise ValueError("a footer that is none") from None


class _Struct:
    """Where one is in the bytes; whatever leads beyond their end is an IndexError."""

    def __init__(self, content: bytes) -> None:
        self._content, self._place = content, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """The fields of a struct by number."""
        if depth > _DEEPEST:
            raise ValueError("structs too deep")
        found: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != 0:
            step, kind = head >> 4, head & 15
            number = number + step if step else self._whole()
            if number in found:
                raise ValueError(f"field {number} twice")
            found[number] = self._value(kind, depth + 1)
        return found

    def _value(self, kind: int, depth: int, *, in_list: bool = False) -> Any:
        if kind in (_TRUE, _FALSE):
            return self._byte() == _TRUE if in_list else kind == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind in _WHOLE:
            return self._whole()
        if kind in (_DOUBLE, _TEXT):
            return self._skip(8 if kind == _DOUBLE else self._unsigned())
        if kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._unsigned()
            if count > len(self._content):
                raise ValueError("a list longer than the footer")
            return [self._value(head & 15, depth, in_list=True) for _ in range(count)]
        if kind == _STRUCT:
            return self.struct(depth)
        raise ValueError(f"kind {kind}, which no footer has")

    def _byte(self) -> int:
        self._place += 1
        return self._content[self._place - 1]

    def _unsigned(self) -> int:
        found, shift = 0, 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128 or shift > 63:
                return found

    def _whole(self) -> int:
        found = self._unsigned()
        return (found >> 1) ^ -(found & 1)

    def _skip(self, count: int) -> None:
        self._place += count
        if self._place > len(self._content):
            raise IndexError
