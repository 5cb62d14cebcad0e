"""Answers kept on disk between processes, each under a hash of everything that decides it.

For work that is exact, slow and always the same: replaying a proof, deriving an exponent, hashing syntax trees. The
folder is named after the sources and libraries that do the work, the file after the question in full. So nothing is
ever out of date: what was changed asks in another place. The folders of earlier sources are cleared away.

A file is written whole or not at all and says what it answers; one that is damaged, foreign or out of reach counts as
none, and the work is done again. Answers live beside the package whose work they are; where that cannot be written,
nothing is kept, for a folder that others may write to could hold answers that nobody worked out.
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

_FORMAT = "1"
_OFF = "THEOREMETER_ANSWERS"
"""`THEOREMETER_ANSWERS=off` does all work afresh and keeps nothing."""


@dataclass(frozen=True)
class Answers:
    """Answers to questions; `folder` is None where none are kept."""

    folder: Path | None

    def recall(self, question: str, work: Callable[[], Answer]) -> Answer:
        """The answer to a question, as JSON keeps it; worked out where it is not known. An exception is no answer."""
        if self.folder is None:
            return work()
        digest = hashlib.sha256(question.encode()).hexdigest()
        path = self.folder / f"{digest[:32]}.json"
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["seal"] == _seal(digest, kept["answer"]):
                return kept["answer"]
        answer = work()
        with suppress(OSError):  # a full disk or a folder that was cleared away costs time, not answers
            _write(path, json.dumps({"seal": _seal(digest, answer), "answer": answer}))
        return answer


def answers(package: Path, libraries: Iterable[str] = ()) -> Answers:
    """Answers that depend on nothing but the question, the sources of a package and these versions of libraries.

    Args:
        package: its folder; every module below it counts, and so does this one.
        libraries: names with versions.
    """
    if os.environ.get(_OFF, "").lower() == "off":
        return Answers(None)
    digest = hashlib.sha256("\n".join([_FORMAT, sys.version, *libraries]).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    folder = package / "__pycache__" / f"answers-{digest.hexdigest()[:32]}"
    if not folder.is_dir():
        for earlier in folder.parent.glob("answers-*"):
            shutil.rmtree(earlier, ignore_errors=True)
        with suppress(OSError):
            folder.mkdir(parents=True)
    return Answers(folder if os.access(folder, os.W_OK) else None)


def _seal(digest: str, answer: object) -> str:
    """Ties an answer to its question, and tells a damaged one."""
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
