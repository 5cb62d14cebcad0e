"""A cache of results on disk, shared by processes, each result under a hash of everything that decides it.

For work that is exact, slow and always the same: replaying a proof, deriving an exponent, hashing syntax trees. The
folder is named after the sources and libraries that do the work, the file after the question in full. So nothing is
ever out of date: changed sources have another folder. The folders of earlier sources are removed.

A file is written whole or not at all and carries a checksum; one that is damaged, foreign or out of reach counts as
missing, and the work is done again. The cache lies beside the package whose work it keeps. Where that folder cannot be
written nothing is kept: a folder that others may write to could hold results that were never computed.
"""

from __future__ import annotations

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
from typing import TypeVar

Answer = TypeVar("Answer")
"""Anything that JSON keeps as it is."""

_FORMAT = "2"
_OFF = "THEOREMETER_CACHE"
"""`THEOREMETER_CACHE=off` computes everything again and keeps nothing."""


@dataclass(frozen=True)
class DiskCache:
    """Results by question; `folder` is None where nothing is kept."""

    folder: Path | None

    def get(self, question: str, work: Callable[[], Answer]) -> Answer:
        """The result for a question, as JSON keeps it; computed where it is missing. An exception is not kept."""
        if self.folder is None:
            return work()
        digest = hashlib.sha256(question.encode()).hexdigest()
        path = self.folder / f"{digest[:32]}.json"
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["checksum"] == _checksum(digest, kept["answer"]):
                return kept["answer"]
        answer = work()
        with suppress(OSError):  # a full disk or a folder that was cleared away costs time, not results
            _write(path, json.dumps({"checksum": _checksum(digest, answer), "answer": answer}))
        return answer


def disk_cache(package: Path, libraries: Iterable[str] = (), *, files: Iterable[Path] | None = None) -> DiskCache:
    """DiskCache that depend on nothing but the question, the sources of a package and these versions of libraries.

    Args:
        package: its folder; every module below it counts, and so does this one.
        libraries: names with versions.
        files: the modules that count, where those are not all.
    """
    if os.environ.get(_OFF, "").lower() == "off":
        return DiskCache(None)
    digest = hashlib.sha256("\n".join([_FORMAT, sys.version, *libraries]).encode())
    for path in sorted(package.rglob("*.py") if files is None else files):
        digest.update(f"{path.relative_to(package)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    folder = package / "__pycache__" / f"answers-{digest.hexdigest()[:32]}"
    if not folder.is_dir():
        for earlier in folder.parent.glob("answers-*"):
            shutil.rmtree(earlier, ignore_errors=True)
        with suppress(OSError):
            folder.mkdir(parents=True)
    return DiskCache(folder if os.access(folder, os.W_OK) else None)


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
