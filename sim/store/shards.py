"""Finished trials as Parquet, a file a simulator and recipe: for other tools, and for tables of very many trials.

A store has a row a trial, and who judges from it holds every trial in memory. A file here is sorted by what was asked,
so several of them, the shards of a sweep, are read side by side in windows of some ten thousand rows. Rows of a window
that are equal but for replicate and seconds are one, with how many they are (`windows`).

A file may come from anywhere. It must be what `write_shards` writes: columns of known names and flat kinds, sorted, not
compressed, in groups of bounded size. So nothing unpacks to more than the file's own bytes and some numbers a row:
texts are read as dictionaries, of which a group of equal ones holds one. What a row says is checked where it is used.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.store.footer import is_plain
from sim.store.guard import require_plain_files
from sim.store.rows import NAME, checked, duration, json_object, system_name
from sim.store.rows import fingerprint as checked_fingerprint
from sim.store.shard_paths import ENDING
from sim.store.store import Store, written_setting
from sim.trials.errors import StoreError, printable
from sim.trials.trial import FAILURES, Outcome, Scalar, identity_of, key_of

if TYPE_CHECKING:
    import numpy as np

_ABOUT = b"theoremeter"
"""Under which the file says of what simulator and recipe it is."""
_FORMAT = 1
_FIXED = {"parameters": "string", "replicate": "int64", "outcome": "string", "seconds": "double", "readouts": "string"}
_CURVES = "curves"
_VALUE, _WRITTEN = "observable.", "json."
"""Before the name of an observable: of one kind in all trials, or written as JSON."""
_ROWS = 2**14
"""Of a group, as it is written."""
_MAX_ROWS, _MAX_CELLS, _MAX_GROUPS, _MAX_COLUMNS = 2**17, 2**25, 10**5, 1000
_MAX_FOOTER = 16 * 2**20
_ABSENT, _BOOL, _INT, _FLOAT, _TEXT = range(5)


# --------------------------------------------------------------------------------------------------------------- write


def write_shards(store: Store, folder: Path) -> dict[Path, int]:
    """Write every trial of a store, a file a simulator and recipe; returns how many each has.

    Raises:
        StoreError: pyarrow is missing, or a row is malformed; files that were whole before stay.
    """
    _pyarrow()
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[Path, int] = {}
    for system, recipe in sorted({group[:2] for group in store.counts()}):
        path = folder / f"{system}-{recipe}{ENDING}"
        if path.name.lower() in {known.name.lower() for known in written}:
            raise StoreError(f"{store.path}: names of simulators must differ by more than their case, got {system}")
        kinds, has_curves = _kinds_of(store, system, recipe)
        groups = _grouped(store.by_setting(system, recipe), kinds, has_curves=has_curves)
        written[path] = write_file(path, (system, recipe), kinds, groups, has_curves=has_curves)
    return written


def write_file(
    path: Path,
    of: tuple[str, str],
    kinds: Mapping[str, str],
    groups: Iterable[Mapping[str, Any]],
    *,
    has_curves: bool = False,
) -> int:
    """Write columns, a group of rows at a time; returns how many rows.

    Args:
        of: name of the simulator, and its fingerprint.
        kinds: of observables: bool, int64, double, string or json.
    """
    arrow, parquet = _pyarrow()
    schema = _schema(arrow, kinds, has_curves=has_curves)
    part, count = path.with_suffix(".part"), 0
    with parquet.ParquetWriter(str(part), schema, **_HOW) as file:
        about = {"format": _FORMAT, "system": of[0], "recipe": of[1]}
        file.add_key_value_metadata({_ABOUT.decode(): json.dumps(about)})
        for columns in groups:
            table = arrow.table(dict(columns), schema=schema)
            file.write_table(table)
            count += len(table)
    os.replace(part, path)
    return count


_HOW: Mapping[str, Any] = {"compression": "NONE", "store_schema": False, "write_page_checksum": True}


def _kinds_of(store: Store, system: str, recipe: str) -> tuple[dict[str, str], bool]:
    """The kind of column of each observable, and whether any trial has curves."""
    seen: dict[str, set[str]] = {}
    has_curves = False
    for row in store.by_setting(system, recipe):
        has_curves = has_curves or row[8] is not None
        for name, value in json.loads(row[6]).items():
            seen.setdefault(name, set()).add(_kind(value))
    return {name: kinds.pop() if len(kinds) == 1 else "json" for name, kinds in seen.items()}, has_curves


def _kind(value: Scalar) -> str:
    if isinstance(value, str):
        return "string" if value.isascii() else "json"
    return {bool: "bool", int: "int64", float: "double"}[type(value)]


def _schema(arrow: Any, kinds: Mapping[str, str], *, has_curves: bool) -> Any:
    types = {"bool": arrow.bool_(), "int64": arrow.int64(), "double": arrow.float64(), "string": arrow.string()}
    fields = [(name, types[kind]) for name, kind in _FIXED.items()]
    fields += [(_CURVES, arrow.binary())] if has_curves else []
    fields += [(_column(name, kind), types["string" if kind == "json" else kind]) for name, kind in kinds.items()]
    return arrow.schema(fields)


def _column(name: str, kind: str) -> str:
    return f"{_WRITTEN if kind == 'json' else _VALUE}{name}"


def _grouped(rows: Iterator[tuple], kinds: Mapping[str, str], *, has_curves: bool) -> Iterator[Mapping[str, Any]]:
    while some := list(islice(rows, _ROWS)):
        yield _columns(some, kinds, has_curves=has_curves)


def _columns(rows: Sequence[tuple], kinds: Mapping[str, str], *, has_curves: bool) -> dict[str, list[Any]]:
    """Rows of a store as columns of a file."""
    observed = [json.loads(row[6]) for row in rows]
    found: dict[str, list[Any]] = {
        "parameters": [written_setting(json.loads(row[3])) for row in rows],
        "replicate": [row[4] for row in rows],
        "outcome": [row[5] for row in rows],
        "seconds": [row[7] for row in rows],
        "readouts": [row[9] for row in rows],
    }
    if has_curves:
        found[_CURVES] = [row[8] for row in rows]
    for name, kind in kinds.items():
        values = [each.get(name) for each in observed]
        if kind == "json":
            values = [json.dumps(each[name]) if name in each else None for each in observed]
        found[_column(name, kind)] = values
    return found


# ---------------------------------------------------------------------------------------------------------------- read


@dataclass(frozen=True)
class Shard:
    """A file of which the form has been checked, and no row yet."""

    path: Path
    system: str
    recipe: str
    texts: tuple[str, ...]
    """Columns that are read as dictionaries."""
    columns: tuple[str, ...]
    n_rows: int
    n_groups: int


class Distinct(NamedTuple):
    """Trials of one setting that are equal but for replicate and seconds.

    `replicates` are theirs, ascending; `seconds` those of all together.
    """

    setting: str
    replicates: Sequence[int]
    seconds: float
    outcome: Outcome
    observables: Mapping[str, Scalar]
    readouts: str


def shards_at(path: Path) -> list[Shard]:
    """The files below a folder, hidden folders left out, or the one file.

    Raises:
        StoreError: pyarrow is missing, there is no such file, or one is of another form.
    """
    found = path.rglob(f"*{ENDING}") if path.is_dir() else (path,)
    paths = sorted(each for each in found if not any(name.startswith(".") for name in each.relative_to(path).parts))
    if not paths:
        raise StoreError(f"store must be a file, or a folder with files *{ENDING}, got none in {path}")
    return [_opened(each) for each in paths]


def _opened(path: Path) -> Shard:
    """What a file is, its form checked."""
    _, parquet = _pyarrow()
    require_plain_files(path, (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-journal")))
    _require_plain_columns(path)
    with _refusals(path), _file(parquet, path) as file:
        known, schema = file.metadata, file.schema_arrow
        if known.num_columns > _MAX_COLUMNS + len(_FIXED) + 1 or known.num_row_groups > _MAX_GROUPS:
            raise StoreError(f"{path}: must have at most {_MAX_COLUMNS} columns and {_MAX_GROUPS} groups of rows")
        about = _about(path, (known.metadata or {}).get(_ABOUT, b""))
        types = {name: str(schema.field(place).type) for place, name in enumerate(schema.names)}
        if len(types) < len(schema.names):
            raise StoreError(f"{path}: columns must have names of their own, got one twice")
        _require_columns(path, types)
        _require_groups(path, known)
        texts = tuple(name for name, kind in types.items() if kind in ("string", "binary"))
        return Shard(path, *about, texts, tuple(types), known.num_rows, known.num_row_groups)


def _require_plain_columns(path: Path) -> None:
    """A whole file whose columns are as large in memory as in the file; asked before anything else reads it."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        ending = file.read()
        length = int.from_bytes(ending[:4], "little")
        if ending[4:] != b"PAR1" or length > min(size - 8, _MAX_FOOTER):
            raise StoreError(f"{path}: must be a whole file of Parquet, got another")
        file.seek(size - 8 - length)
        footer = file.read(length)
    try:
        is_sound = is_plain(footer)
    except ValueError as error:
        raise StoreError(f"{path}: must be a whole file of Parquet, got {error}") from None
    if not is_sound:
        raise StoreError(f"{path}: columns must not be compressed, got some that are")


def _file(parquet: Any, path: Path, **more: Any) -> Any:
    bounds = {"thrift_string_size_limit": _MAX_FOOTER, "thrift_container_size_limit": 10**7}
    return parquet.ParquetFile(str(path), pre_buffer=False, page_checksum_verification=True, **bounds, **more)


def _about(path: Path, text: bytes) -> tuple[str, str]:
    """Simulator and recipe."""
    try:
        said = json.loads(text) if len(text) < 1000 else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("format") != _FORMAT:
        raise StoreError(f"{path}: must say that theoremeter wrote it in format {_FORMAT}, got another file")
    return (
        checked(system_name, said.get("system"), "system", str(path)),
        checked(checked_fingerprint, said.get("recipe"), "recipe", str(path)),
    )


def _require_columns(path: Path, types: Mapping[str, str]) -> None:
    """Flat columns of the names and kinds that are written."""
    for name, kind in types.items():
        begin, observable = next(((b, name[len(b) :]) for b in (_VALUE, _WRITTEN) if name.startswith(b)), ("", ""))
        if name in _FIXED:
            fits = kind == _FIXED[name]
        elif name == _CURVES:
            fits = kind == "binary"
        else:
            kinds = ("bool", "int64", "double", "string") if begin == _VALUE else ("string",) if begin else ()
            fits = kind in kinds and bool(NAME.fullmatch(observable))
        if not fits:
            raise StoreError(
                f"{path}: columns must be those of a store's trials, got {printable(name)} of {kind}"[:500]
            )
    if lacking := [name for name in _FIXED if name not in types]:
        raise StoreError(f"{path}: columns must include {lacking[0]}, got {printable(', '.join(types), most=200)}")


def _require_groups(path: Path, known: Any) -> None:
    """Groups of rows that are small."""
    for number in range(known.num_row_groups):
        group = known.row_group(number)
        if not 0 <= group.num_rows <= _MAX_ROWS or group.num_rows * known.num_columns > _MAX_CELLS:
            words = f"at most {_MAX_ROWS} rows and {_MAX_CELLS} values"
            raise StoreError(f"{path}: a group of rows must have {words}, got {group.num_rows} rows")


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turn what pyarrow and the file system refuse into a StoreError."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # pyarrow meets damage with errors of many kinds
        raise StoreError(f"{path}: must be a whole file of Parquet, got {printable(str(error), most=200)}") from None


def _pyarrow() -> tuple[Any, Any]:
    if importlib.util.find_spec("pyarrow") is None:
        raise StoreError("files of Parquet need pyarrow, which is not installed: pip install 'theoremeter[parquet]'")
    return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")


# ------------------------------------------------------------------------------------------------------- groups of rows


@dataclass(frozen=True)
class _Values:
    """A column: of each row the kind of its value and its bits, or the place of its text among `texts`."""

    kinds: np.ndarray
    bits: np.ndarray
    texts: Sequence[str] = ()

    def at(self, row: int) -> Scalar | None:
        """A row's value; None where it has none."""
        kind, bits = int(self.kinds[row]), self.bits[row]
        if kind == _TEXT:
            return self.texts[int(bits)]
        number = {_ABSENT: None, _BOOL: bool(bits), _INT: int(bits)}
        return number[kind] if kind in number else float(bits.view("float64"))

    def at_all(self, rows: np.ndarray) -> Sequence[Scalar | None]:
        """The values of rows, in a column of one kind all at once."""
        kinds, bits = self.kinds[rows], self.bits[rows]
        kind = int(kinds[0]) if len(kinds) and (kinds == kinds[0]).all() else None
        if kind is None:
            return list(map(self.at, rows.tolist()))
        if kind == _TEXT:
            return [self.texts[place] for place in bits.tolist()]
        of_kind = {_ABSENT: lambda: [None] * len(rows), _BOOL: (bits != 0).tolist, _INT: bits.tolist}
        return of_kind.get(kind, bits.view("float64").tolist)()


@dataclass(frozen=True)
class _Rows:
    """Rows by setting, then replicate; `settings` are sorted, and `ranks` are places among them."""

    settings: Sequence[str]
    ranks: np.ndarray
    replicates: np.ndarray
    seconds: np.ndarray
    columns: Mapping[str, _Values]
    """Observables by name, and what every row has: `outcome`, `readouts`."""

    def __len__(self) -> int:
        return len(self.ranks)

    def place(self, row: int) -> tuple[str, int]:
        """Setting and replicate of a row."""
        return self.settings[self.ranks[row]], int(self.replicates[row])

    def up_to(self, bound: tuple[str, int]) -> int:
        """How many rows come before a place, that itself among them."""
        import numpy as np

        text, replicate = bound
        rank = sum(each < text for each in self.settings)
        is_there = rank < len(self.settings) and self.settings[rank] == text
        start, end = np.searchsorted(self.ranks, [rank, rank + is_there])
        return int(start + np.searchsorted(self.replicates[start:end], replicate, side="right"))

    def part(self, start: int, end: int) -> _Rows:
        """Some of the rows."""
        some = {
            name: _Values(one.kinds[start:end], one.bits[start:end], one.texts) for name, one in self.columns.items()
        }
        ranks, replicates, seconds = (array[start:end] for array in (self.ranks, self.replicates, self.seconds))
        return _Rows(self.settings, ranks, replicates, seconds, some)


_ALWAYS = ("outcome", "readouts")
_INFINITE = (math.inf, -math.inf)


def _groups(shard: Shard, *, curves: bool = False) -> Iterator[tuple[_Rows, list[bytes | None]]]:
    """The groups of a file, checked: rows in their order, each once; with their curves where these are asked for."""
    _, parquet = _pyarrow()
    wanted = [name for name in shard.columns if name != _CURVES or curves]
    last: tuple[str, int] | None = None
    with _refusals(shard.path), _file(parquet, shard.path, read_dictionary=list(shard.texts)) as file:
        for number in range(shard.n_groups):
            table = file.read_row_group(number, columns=wanted, use_threads=False)
            if not table.num_rows:
                continue
            (batch,) = table.unify_dictionaries().combine_chunks().to_batches()
            batch.validate(full=True)
            rows = _rows(shard, batch)
            if last is not None and rows.place(0) <= last:
                raise StoreError(f"{shard.path}: rows must be sorted by parameters and replicate, each once")
            last = rows.place(len(rows) - 1)
            yield rows, batch.column(_CURVES).to_pylist() if _CURVES in wanted else [None] * len(rows)


def _rows(shard: Shard, batch: Any) -> _Rows:
    """A group of rows."""
    import numpy as np

    place = str(shard.path)
    if any(batch.column(name).null_count for name in _FIXED):
        raise StoreError(f"{place}: {', '.join(_FIXED)} must be there in every row, got none in one")
    codes, texts = _coded(batch.column("parameters"))
    for text in texts:
        if written_setting(checked(json_object, text, "parameters", place)) != text:
            raise StoreError(f"{place}: parameters must be written as theoremeter does, got {printable(text, most=80)}")
    settings = sorted(set(texts))
    of_text = {text: rank for rank, text in enumerate(settings)}
    ranks = np.array([of_text[text] for text in texts], dtype=np.int64)[codes]
    replicates, seconds = (batch.column(name).to_numpy(zero_copy_only=False) for name in ("replicate", "seconds"))
    further, again = np.diff(ranks) > 0, np.diff(ranks) == 0
    if not np.all(further | (again & (np.diff(replicates) > 0))) or replicates.min() < 0:
        raise StoreError(f"{place}: rows must be sorted by parameters and replicate, each once")
    for extreme in (seconds.min(), seconds.max()):
        checked(duration, float(extreme), "seconds", place)
    columns = {name: _texts_of(batch.column(name)) for name in _ALWAYS}
    for text in columns["outcome"].texts:
        checked(Outcome, text, "outcome", place)
    for name in shard.columns:
        if name.startswith(_WRITTEN):
            columns[f"{_VALUE}{name[len(_WRITTEN) :]}"] = _parsed(batch.column(name), name[len(_WRITTEN) :], place)
        elif name.startswith(_VALUE):
            columns[name] = _values(batch.column(name))
    return _Rows(settings, ranks, replicates, seconds, columns)


def _coded(column: Any) -> tuple[np.ndarray, list[str]]:
    """A column of texts: the place of each among them, -1 where there is none."""
    return column.indices.fill_null(-1).to_numpy(zero_copy_only=False), column.dictionary.to_pylist()


def _texts_of(column: Any) -> _Values:
    import numpy as np

    codes, texts = _coded(column)
    return _Values(np.where(codes < 0, _ABSENT, _TEXT).astype(np.uint8), np.maximum(codes, 0).astype(np.int64), texts)


def _values(column: Any) -> _Values:
    """A column of one kind."""
    import numpy as np

    kind = {"bool": _BOOL, "int64": _INT, "double": _FLOAT}.get(str(column.type))
    if kind is None:
        return _texts_of(column)
    is_there = column.is_valid().to_numpy(zero_copy_only=False)
    filled = column.fill_null({_BOOL: False, _INT: 0, _FLOAT: 0.0}[kind]).to_numpy(zero_copy_only=False)
    if kind == _FLOAT:
        filled = np.where(np.isnan(filled), np.nan, filled).view(np.int64)  # nan has many bits, and is one value
    return _Values(np.where(is_there, kind, _ABSENT).astype(np.uint8), filled.astype(np.int64))


def _parsed(column: Any, name: str, place: str) -> _Values:
    """A column of values of several kinds, each written as JSON."""
    import numpy as np

    codes, written = _coded(column)
    kinds, bits, texts = [], [], []
    for text in written:
        found = checked(json_object, f'{{"{name}": {text}}}', name, place)
        if len(found) != 1:
            raise StoreError(f"{place}: {name} must be one value, got {printable(text, most=80)}")
        value = found[name]
        kinds.append({bool: _BOOL, int: _INT, float: _FLOAT, str: _TEXT}[type(value)])
        if isinstance(value, str):
            bits.append(len(texts))
            texts.append(value)
        else:
            bits.append(int(np.float64(value).view(np.int64)) if isinstance(value, float) else int(value))
    of_kind, of_bits = np.array([*kinds, _ABSENT], dtype=np.uint8), np.array([*bits, 0], dtype=np.int64)
    return _Values(of_kind[codes], of_bits[codes], texts)


# -------------------------------------------------------------------------------------------------------------- windows


def windows(shards: Sequence[Shard]) -> Iterator[Iterator[Distinct]]:
    """The trials of one simulator and recipe in files that may share some, in the order of settings and replicates.

    Of a trial that stands in several files it is one; what ended comes before what failed.

    Raises:
        StoreError: a file is damaged, or two have other results for one trial.
    """
    cursors = [cursor for cursor in map(_Cursor, shards) if cursor.fill()]
    while cursors:
        bound = min(cursor.last for cursor in cursors)
        parts = [part for cursor in cursors if len(part := cursor.take(bound))]
        for piece in _pieces(_once(_together(parts), [shard.path for shard in shards])):
            yield _distinct(piece, str(shards[0].path.parent))
        cursors = [cursor for cursor in cursors if cursor.fill()]


def _pieces(rows: _Rows) -> Iterator[_Rows]:
    """Rows in pieces that fit a cache, between settings."""
    import numpy as np

    start = 0
    for end in [*(np.flatnonzero(np.diff(rows.ranks)) + 1).tolist(), len(rows)]:
        if end - start >= _ROWS or end == len(rows):
            yield rows.part(start, end)
            start = end


class _Cursor:
    """How far a file has been read."""

    def __init__(self, shard: Shard) -> None:
        self._groups = _groups(shard)
        self._rows: _Rows | None = None
        self._start = 0

    def fill(self) -> bool:
        """Read on where nothing is left; False at the end."""
        if self._rows is None or self._start == len(self._rows):
            self._rows, self._start = next(self._groups, (None, []))[0], 0
        return self._rows is not None

    @property
    def last(self) -> tuple[str, int]:
        """The place of the last row that has been read."""
        return self._read.place(len(self._read) - 1)

    def take(self, bound: tuple[str, int]) -> _Rows:
        """The rows up to a place."""
        start, self._start = self._start, max(self._start, self._read.up_to(bound))
        return self._read.part(start, self._start)

    @property
    def _read(self) -> _Rows:
        if self._rows is None:
            raise StoreError("a file must be read on while it has rows, got its end")
        return self._rows


def _together(parts: Sequence[_Rows]) -> _Rows:
    """Rows of several files, sorted; of one trial those that ended first."""
    import numpy as np

    settings = sorted({text for part in parts for text in part.settings})
    of_text = {text: rank for rank, text in enumerate(settings)}
    ranks = np.concatenate([np.array([of_text[text] for text in part.settings])[part.ranks] for part in parts])
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = {name: _stacked([(part.columns.get(name), len(part)) for part in parts]) for name in names}
    replicates, seconds = (np.concatenate([getattr(p, name) for p in parts]) for name in ("replicates", "seconds"))
    order = np.lexsort((_failed(columns["outcome"]), replicates, ranks))
    sorted_columns = {name: _Values(one.kinds[order], one.bits[order], one.texts) for name, one in columns.items()}
    return _Rows(settings, ranks[order], replicates[order], seconds[order], sorted_columns)


def _stacked(columns: Sequence[tuple[_Values | None, int]]) -> _Values:
    """A column of several files, one after the other; equal texts have one place."""
    import numpy as np

    texts: dict[str, int] = {}
    kinds, bits = [], []
    for column, length in columns:
        if column is None:
            kinds.append(np.zeros(length, dtype=np.uint8))
            bits.append(np.zeros(length, dtype=np.int64))
            continue
        places = np.array([texts.setdefault(text, len(texts)) for text in column.texts] or [0], dtype=np.int64)
        is_text = column.kinds == _TEXT
        kinds.append(column.kinds)
        bits.append(np.where(is_text, places[np.where(is_text, column.bits, 0)], column.bits))
    return _Values(np.concatenate(kinds), np.concatenate(bits), list(texts))


def _failed(outcomes: _Values) -> np.ndarray:
    """Which rows have an outcome without a result."""
    import numpy as np

    return np.array([text in FAILURES for text in outcomes.texts], dtype=bool)[outcomes.bits]


def _once(rows: _Rows, paths: Sequence[Path]) -> _Rows:
    """The rows, each trial once.

    Raises:
        StoreError: two that ended have other results.
    """
    import numpy as np

    again = (np.diff(rows.ranks) == 0) & (np.diff(rows.replicates) == 0)
    if not again.any():
        return rows
    other = np.zeros(len(again), dtype=bool)
    for column in rows.columns.values():
        other |= (np.diff(column.bits) != 0) | (np.diff(column.kinds.astype(np.int16)) != 0)
    if conflicts := np.flatnonzero(again & other & ~_failed(rows.columns["outcome"])[1:]).tolist():
        setting, replicate = rows.place(conflicts[0] + 1)
        told = f"{len(conflicts)} trials with others, first {printable(setting, most=200)}, replicate {replicate}"
        raise StoreError(f"files that are read as one must have the same results, got {told}, in {_named(paths)}")
    kept = np.concatenate([[True], ~again])
    columns = {name: _Values(one.kinds[kept], one.bits[kept], one.texts) for name, one in rows.columns.items()}
    return _Rows(rows.settings, rows.ranks[kept], rows.replicates[kept], rows.seconds[kept], columns)


def _named(paths: Sequence[Path]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f"{', '.join(map(str, paths[:3]))}{more}"


def _distinct(rows: _Rows, place: str) -> Iterator[Distinct]:
    """Rows that are equal but for replicate and seconds as one, in the order of the first of each."""
    import numpy as np

    arrays = [rows.ranks, *(array for one in rows.columns.values() for array in (one.kinds.astype(np.int64), one.bits))]
    first, inverse, counts = _unique(arrays)
    members = rows.replicates[np.argsort(inverse, kind="stable")].tolist()
    ends, starts = np.cumsum(counts).tolist(), (np.cumsum(counts) - counts).tolist()
    seconds = np.bincount(inverse, weights=rows.seconds).tolist()
    order = np.argsort(first)
    some = first[order]
    outcomes, readouts = (rows.columns[name].at_all(some) for name in _ALWAYS)
    outcome_of = {said: checked(Outcome, said, "outcome", place) for said in set(outcomes)}
    ended = [outcome_of[said] for said in outcomes]
    observed = _all_observed(rows, some, ended, place)
    settings = [rows.settings[rank] for rank in rows.ranks[some].tolist()]
    for group, setting, outcome, seen, readout in zip(order.tolist(), settings, ended, observed, readouts, strict=True):
        yield Distinct(setting, members[starts[group] : ends[group]], seconds[group], outcome, seen, str(readout))


def _all_observed(
    rows: _Rows, some: np.ndarray, outcomes: Sequence[Outcome], place: str
) -> Iterable[dict[str, Scalar]]:
    """The observables of some rows.

    Where every row has a finite value in every column, and none failed, they are looked at together.
    """
    import numpy as np

    columns = {name[len(_VALUE) :]: one for name, one in rows.columns.items() if name not in _ALWAYS}
    values = [one.at_all(some) for one in columns.values()]
    has_all = all((one.kinds[some] != _ABSENT).all() for one in columns.values())
    floats = (one.bits[some][one.kinds[some] == _FLOAT].view("float64") for one in columns.values())
    is_plain = has_all and not any(np.isinf(some_floats).any() for some_floats in floats)
    if columns and is_plain and set(outcomes).isdisjoint(FAILURES):
        return (dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True))
    listed = (
        [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)] if columns else [{}] * len(some)
    )
    return (_observed(row, outcome, place) for row, outcome in zip(listed, outcomes, strict=True))


def _unique(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of rows of whole numbers: the first of each that differs, which of these each is, and how many."""
    import numpy as np

    mixed = np.zeros(len(arrays[0]), dtype=np.uint64)
    for array in arrays:
        mixed = (mixed ^ array.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse, counts = np.unique(mixed, return_index=True, return_inverse=True, return_counts=True)
    if all(np.array_equal(array[first][inverse], array) for array in arrays):
        return first, inverse, counts
    _, first, inverse, counts = np.unique(  # two rows that differ were mixed to one number
        np.stack(arrays, axis=1), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    return first, inverse.reshape(-1), counts


def _observed(values: Mapping[str, Scalar | None], outcome: Outcome, place: str) -> dict[str, Scalar]:
    """The observables of a row, as a store would have them: those that are there."""
    found = {name: value for name, value in values.items() if value is not None}
    if outcome is not Outcome.DIVERGED:
        for name, value in found.items():
            if value.__class__ is float and value in _INFINITE:
                raise StoreError(f"{place}: observables must have finite numbers, got {name} = {value}")
    if outcome.is_failure and not isinstance(found.get("error"), str):
        raise StoreError(f"{place}: observables of a failed trial must have a text 'error', got none")
    return found


def rows_of_shard(shard: Shard, wanted: Collection[str] | None = None) -> Iterator[tuple]:
    """The rows of a file as a store takes them, their keys made from what they say.

    Args:
        wanted: settings as text; None for all.
    """
    for rows, curves in _groups(shard, curves=_CURVES in shard.columns):
        asked = [json.loads(text) if wanted is None or text in wanted else None for text in rows.settings]
        for row, packed in enumerate(curves):
            if asked[rows.ranks[row]] is None:
                continue
            setting, replicate = rows.place(row)
            said = str(rows.columns["outcome"].at(row))
            outcome = checked(Outcome, said, "outcome", str(shard.path))
            values = {name[len(_VALUE) :]: one.at(row) for name, one in rows.columns.items() if name not in _ALWAYS}
            observed = json.dumps(_observed(values, outcome, str(shard.path)))
            name = key_of(identity_of(shard.system, asked[rows.ranks[row]], replicate), shard.recipe)
            readouts = str(rows.columns["readouts"].at(row))
            spent = float(rows.seconds[row])
            yield name, shard.system, shard.recipe, setting, replicate, said, observed, spent, packed, readouts
