"""One file with members and their digests: a zip whose bytes follow from its members, read as a stranger's file is.

Members stand in the order of their names, with no time and no owner, so the same members give the same bytes (with one
version of zlib and of liblzma; their digests hold with any). The first is `manifest.json`, which has the digest and the
size of every other.

What is read may come from anywhere. Before the table of contents is read its size is known to be small; a member has
one of the names that are expected, once, is no link, unpacks to at most so many bytes, and has its digest. Members are
read as streams and never written under a name of theirs, so no name leads anywhere.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sim.trials.errors import StoreError, printable

MANIFEST = "manifest.json"
MAX_MEMBER = 2**31
"""Bytes of the largest member when unpacked."""
MAX_TEXT = 64 * 2**20
"""The same of members that are read as a whole."""
MAX_LINE = 100 * 2**20
_MAX_MEMBERS = 64
_MAX_CONTENTS = 2**14
_MAX_MANIFEST = 2**20
_MAX_RATIO = 200
"""How often its packed size a member may unpack to, where that is much; text and numbers of ours have a twentieth."""
_FREE = 2**24
_LARGE = 2**16
"""Bytes from which a member is packed by LZMA, to two thirds of what deflate makes of trials; whatever unpacks zips
reads the others, README.md among them."""
_DICTIONARY = 2**26
"""Bytes that unpacking a member by LZMA may hold; what is written here has an eighth."""
_LOCAL, _LZMA = struct.Struct("<4s22x2H"), struct.Struct("<2xHBL")
"""Of the words before a member's content, and of those with which content packed by LZMA begins."""
_END = struct.Struct("<4s4H2LH")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BLOCK = 2**20


@dataclass(frozen=True)
class Sealed:
    """An open file of members whose digests are those of its manifest; `sizes` are their bytes."""

    path: Path
    manifest: Mapping[str, Any]
    sizes: Mapping[str, int]
    _zip: zipfile.ZipFile

    @property
    def names(self) -> frozenset[str]:
        """The members, but for the manifest."""
        return frozenset(self.manifest["members"])

    def text(self, name: str) -> str:
        """A member as text."""
        with self._opened(name) as file:
            return _text(self.path, name, _bounded(file, MAX_TEXT, self.path, name))

    def lines(self, name: str) -> Iterator[str]:
        """A member line by line."""
        with self._opened(name) as file:
            while line := file.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    raise StoreError(f"{self.path}: {name} must have lines of at most {MAX_LINE} bytes")
                yield _text(self.path, name, line)

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        with _refusals(self.path), self._zip.open(name) as file:
            yield file


def write_sealed(path: Path, members: Mapping[str, Path], about: Mapping[str, Any]) -> str:
    """Write members, from files, under their names; returns the digest of the manifest, which names the whole.

    Args:
        about: what the manifest says beside names, sizes and digests.

    Raises:
        FileExistsError: something is there already.
        StoreError: there is more of it than an archive holds.
    """
    listed = {name: {"sha256": _digest(file), "bytes": file.stat().st_size} for name, file in sorted(members.items())}
    manifest = (json.dumps({**about, "members": listed}, indent=1, sort_keys=True) + "\n").encode()
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED, allowZip64=False, compresslevel=9) as out:
            out.writestr(_entry(MANIFEST, len(manifest)), manifest)
            for name, file in sorted(members.items()):
                with file.open("rb") as source, out.open(_entry(name, file.stat().st_size), "w") as target:
                    while block := source.read(_BLOCK):
                        target.write(block)
        if path.exists() or path.is_symlink():
            raise FileExistsError(f"{path} is there already")
        unfinished.replace(path)
    except zipfile.LargeZipFile:
        raise StoreError(
            f"{path}: an archive must have less than 2 GiB; name fewer claims, or leave curves out"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)
    return hashlib.sha256(manifest).hexdigest()


@contextmanager
def read_sealed(path: Path, names: Collection[str]) -> Iterator[Sealed]:
    """Open a file of members, each of which must be one of `names`.

    Raises:
        StoreError: whatever is wrong with it, in one line.
    """
    with _refusals(path):
        if not path.is_file():
            raise StoreError(f"archive must be a plain file, got {path}")
        file = path.open("rb")
    with file, _refusals(path):
        _require_small_contents(file, path)
        with zipfile.ZipFile(file) as opened:
            _require_plain(opened, path, {MANIFEST, *names})
            for entry in opened.infolist():
                if entry.compress_type == zipfile.ZIP_LZMA:
                    _require_small_dictionary(file, entry, path)
            with opened.open(MANIFEST) as member:
                manifest = _manifest(path, _text(path, MANIFEST, _bounded(member, _MAX_MANIFEST, path, MANIFEST)))
            if set(manifest["members"]) != set(opened.namelist()) - {MANIFEST}:
                raise StoreError(f"{path}: the manifest must name every member, and no other")
            sizes = {}
            for name, said in manifest["members"].items():
                with opened.open(name) as member:
                    found, sizes[name] = hashlib.sha256(), 0
                    while block := member.read(_BLOCK):
                        found.update(block)
                        sizes[name] += len(block)
                if found.hexdigest() != said["sha256"]:
                    raise StoreError(f"{path}: {name} must have the digest that the manifest says, got another")
            yield Sealed(path, manifest, sizes, opened)


def _entry(name: str, size: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED if size < _LARGE else zipfile.ZIP_LZMA
    entry.file_size, entry.create_system = size, 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def begins_as_archive(path: Path) -> bool:
    """Whether a file begins as an archive does; a store may end as one, with a packed curve on its last page."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turn what zipfile, zlib and the file system refuse into one line."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        UnicodeDecodeError,
        struct.error,
    ) as error:
        said = printable(str(error) or type(error).__name__, most=200)
        raise StoreError(f"archive must be one that theoremeter wrote, got {path}: {said}") from None


def _require_small_contents(file: IO[bytes], path: Path) -> None:
    """The end of the file says how large its table of contents is, and that table stands right before it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END.size - 20))
    tail = file.read()
    if len(tail) < _END.size + 20:
        raise StoreError(f"archive must be one that theoremeter wrote, got {path}, which is too short")
    mark, disk, first, here, entries, length, start, comment = _END.unpack(tail[20:])
    is_plain = mark == b"PK\x05\x06" and (disk, first, comment) == (0, 0, 0) and here == entries
    if not is_plain or tail.startswith(b"PK\x06\x07") or start + length + _END.size != size:
        raise StoreError(f"archive must be one that theoremeter wrote, got {path}, which ends otherwise")
    if entries > _MAX_MEMBERS or length > _MAX_CONTENTS:
        raise StoreError(f"{path}: an archive must have at most {_MAX_MEMBERS} members, got {entries}")


def _require_plain(opened: zipfile.ZipFile, path: Path, names: Collection[str]) -> None:
    """Members under expected names, each once, no links, not encrypted, and no bombs."""
    seen: set[str] = set()
    for entry in opened.infolist():
        name = printable(repr(entry.filename), most=80)
        if entry.filename not in names or entry.orig_filename != entry.filename:
            raise StoreError(f"{path}: a member must be one of {', '.join(sorted(names))}, got {name}")
        if entry.filename in seen:
            raise StoreError(f"{path}: a member must be there once, got {name} twice")
        seen.add(entry.filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & 1:
            raise StoreError(f"{path}: a member must be a plain file, got {name}")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
            raise StoreError(f"{path}: a member must be packed by deflate or LZMA, got {name}")
        if entry.file_size > min(MAX_MEMBER, _FREE + _MAX_RATIO * entry.compress_size):
            raise StoreError(f"{path}: a member must not unpack to far more than it is, got {name}")
    if MANIFEST not in seen:
        raise StoreError(f"{path}: an archive must have a {MANIFEST}")


def _require_small_dictionary(file: IO[bytes], entry: zipfile.ZipInfo, path: Path) -> None:
    """Content packed by LZMA says how much memory unpacking takes."""
    file.seek(entry.header_offset)
    _, name, more = _LOCAL.unpack(file.read(_LOCAL.size))
    file.seek(name + more, os.SEEK_CUR)
    length, _, dictionary = _LZMA.unpack(file.read(_LZMA.size))
    if length != 5 or dictionary > _DICTIONARY:
        raise StoreError(f"{path}: a member must unpack in {_DICTIONARY} bytes of memory, got {entry.filename!r}")


def _bounded(file: IO[bytes], most: int, path: Path, name: str) -> bytes:
    content = file.read(most + 1)
    if len(content) > most:
        raise StoreError(f"{path}: {name} must have at most {most} bytes")
    return content


def _text(path: Path, name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise StoreError(f"{path}: {name} must be text in UTF-8") from None


def _manifest(path: Path, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise StoreError(f"{path}: {MANIFEST} must be JSON") from None
    members = found.get("members") if isinstance(found, dict) else None
    if not isinstance(members, dict) or not all(
        isinstance(said, dict) and isinstance(said.get("sha256"), str) and _DIGEST.fullmatch(said["sha256"])
        for said in members.values()
    ):
        raise StoreError(f"{path}: {MANIFEST} must have the digest of every member")
    return found
