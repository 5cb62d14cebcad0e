"""A cache of results on disk, shared by processes, each result under a hash of everything that decides it.

For work that is exact, slow and always the same: replaying a proof, deriving an exponent, hashing syntax trees. The
folder is named after the sources and libraries that do the work, the file after the question in full. So nothing is
ever out of date: changed sources have another folder. The folders of earlier sources are removed.

A file is written whole or not at all and carries a checksum; one that is damaged, foreign or out of reach counts as
missing, and the work is done again. The cache lies beside the package whose work it keeps. Where that folder cannot be
written nothing is kept: a folder that others may write to could hold results that were never computed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Answer = TypeVar("Answer")
"""Anything that JSON keeps as it is."""

_FORMAT = "2"
_OFF = "THEOREMETER_CACHE"
"""`THEOREMETER_CACHE=off` computes everything again and keeps nothing."""


@dataclass(frozen=True)
class DiskCache:
    """Results by question.

    Attributes:
        folder: where they are; None where nothing is kept.
        most: how many are kept, the latest; None for all.
    """

    folder: Path | None
    most: int | None = None

    def get(self, question: str, work: Callable[[], Answer]) -> Answer:
        """The result for a question, as JSON keeps it; computed where it is missing. An exception is not kept."""
        for kept in self.kept(question):
            return kept
        answer = work()
        self.keep(question, answer)
        return answer

    def kept(self, question: str) -> list[Any]:
        """The result that is kept for a question, alone in a list; an empty list where there is none."""
        if self.folder is None:
            return []
        path, digest = self._place(self.folder, question)
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["checksum"] == _checksum(digest, kept["answer"]):
                return [kept["answer"]]
        return []

    def keep(self, question: str, answer: object) -> None:
        """Keep a result in place of any earlier one, and let go of the oldest beyond `most`."""
        if self.folder is None:
            return
        path, digest = self._place(self.folder, question)
        with suppress(OSError):  # a full disk or a folder that was cleared away costs time, not results
            _write(path, json.dumps({"checksum": _checksum(digest, answer), "answer": answer}))
            if self.most is not None:
                earliest_first = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
                for path in earliest_first[: -self.most]:
                    path.unlink(missing_ok=True)

    @staticmethod
    def _place(folder: Path, question: str) -> tuple[Path, str]:
        """The file of a question, and the hash that it is named after."""
        digest = hashlib.sha256(question.encode()).hexdigest()
        return folder / f"{digest[:32]}.json", digest


def disk_cache(
    package: Path, libraries: Iterable[str] = (), *, files: Iterable[Path] | None = None, most: int | None = None
) -> DiskCache:
    """DiskCache that depend on nothing but the question, the sources of a package and these versions of libraries.

    Args:
        package: its folder; every module below it counts, and so does this one.
        libraries: names with versions.
        files: what counts, where those are not all; of this package, or of others beside it.
        most: how many results are kept; None for all.
    """
    if os.environ.get(_OFF, "").lower() == "off":
        return DiskCache(None)
    digest = hashlib.sha256("\n".join([_FORMAT, sys.version, *libraries]).encode())
    for path in sorted(package.rglob("*.py") if files is None else files):
        digest.update(f"{path.relative_to(package.parent)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    folder = package / "__pycache__" / f"answers-{digest.hexdigest()[:32]}"
    if not folder.is_dir():
        for earlier in folder.parent.glob("answers-*"):
            shutil.rmtree(earlier, ignore_errors=True)
        with suppress(OSError):
            folder.mkdir(parents=True)
    return DiskCache(folder if os.access(folder, os.W_OK) else None, most)


def own_cache() -> DiskCache:
    """That of this package, whose sources are read once: a process goes on as it began."""
    return _own_cache(os.environ.get(_OFF, ""))


@functools.cache
def _own_cache(asked: str) -> DiskCache:
    return disk_cache(Path(__file__).parent)


def _checksum(digest: str, answer: object) -> str:
    """Ties a result to its question, and shows damage."""
    return hashlib.sha256(f"{digest} {json.dumps(answer)}".encode()).hexdigest()


def _write(path: Path, text: str) -> None:
    """Put a file in its place at once, whoever else may be writing it."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
