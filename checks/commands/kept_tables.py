"""Tables that were judged before, kept so that asking again is answered at once.

A table follows from the bytes of the store, the sources and libraries that judge, and what was asked; nothing of it is
drawn. So it is kept under a hash of all three, and a change of any asks in another place. What else a line may depend
on is no file that can be hashed: then nothing is kept. That is a folder with image data, of which a line says what is
missing; the code of a paper from outside, which may read anything; and a GPU, whose model names its engine.

A kept table lies beside the compiled modules of this package, never beside a store. So no stranger's store brings one
along, and who can write there could change the modules themselves. It is a claim all the same: `table --fresh` judges
again and says whether it was right, and `THEOREMETER_CACHE=off` keeps nothing. Only a process of its own reads them: in
a program that calls the command line, a module may no longer be what its source says.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import checks
from checks.commands.notes import heard, note
from sim import engine_setting, image_root
from sim.store.disk_cache import DiskCache, disk_cache
from theoremeter_papers import papers

MOST = 64
"""How many tables are kept."""
_PACKAGES = ("theory", "sim", "checks", "theoremeter", "theoremeter_papers")
_LOGS = ("", "-wal", "-journal", ".criteria.json")
"""What a store consists of and what lies beside it; `-shm` is an index of the first log."""
_UNASKED = frozenset({"command", "fresh", "own_process", "quiet"})
"""Arguments that change nothing of a table."""
_VARIABLES = ("NO_COLOR", "TERM", "CUDA_VISIBLE_DEVICES", "TRITON_INTERPRET")
"""Of the environment what a table may depend on, beside all that begins as ours do."""
_OWN = "THEOREMETER_"


@dataclass(frozen=True)
class Said:
    """What a command says: its result, notes beside it, and its exit code."""

    text: str
    notes: tuple[str, ...] = ()
    code: int = 0


def table_said(arguments: argparse.Namespace, width: int, judge: Callable[[], tuple[str, int]]) -> tuple[str, int]:
    """The text of a table and the exit code: as kept, or judged now. Notes are said either way.

    Args:
        width: columns of the terminal.
        judge: judges and renders the table; returns its text and the exit code.
    """
    question = _question(arguments, width)
    if question is None:
        return judge()
    kept = _kept(question)
    if kept is not None and not arguments.fresh:
        for line in kept.notes:
            note(line)
        return kept.text, kept.code
    with heard() as notes:
        text, code = judge()
    said = Said(text, tuple(notes), code)
    if code == 0 and _question(arguments, width) == question:  # neither the store nor a source has changed meanwhile
        kept_tables().keep(question, [said.text, *said.notes])
    if kept is not None and kept != said:
        note("theoremeter: the table that was kept differs from this one, which takes its place")
        return text, code or 1
    return text, code


def kept_tables() -> DiskCache:
    """The tables that today's sources have judged."""
    installed = (name for folder in sys.path for name in _entries(folder) if name.endswith((".dist-info", ".egg-info")))
    return disk_cache(Path(checks.__file__).parent, sorted(installed), files=_sources(), most=MOST)


def words(arguments: argparse.Namespace) -> str:
    """How many tables are kept, where, and what judges them again; "" where none is."""
    folder = kept_tables().folder if arguments.own_process else None
    count = len(list(folder.glob("*.json"))) if folder is not None else 0
    many = "1 table is" if count == 1 else f"{count} tables are"
    return f"{many} kept as judged before, in {folder}; table --fresh judges again" if count else ""


def _kept(question: str) -> Said | None:
    """What is kept for a question, where it has the form of what is said."""
    for texts in kept_tables().kept(question):
        if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
            return Said(texts[0], tuple(texts[1:]))
    return None


def _question(arguments: argparse.Namespace, width: int) -> str | None:
    """All that decides a table beside sources and libraries; None where there is more than can be told."""
    if not arguments.own_process or os.environ.get(image_root.VARIABLE) or any(paper.is_outside for paper in papers()):
        return None
    if engine_setting.setting() in engine_setting.GPU_ENGINES or getattr(arguments, "published", False):
        return None
    if getattr(arguments, "shards", ()):
        return None  # its store has no more than the rest of what is read
    store = _bytes_of(arguments.store)
    if store is None:
        return None
    asked: dict[str, Any] = {name: repr(value) for name, value in vars(arguments).items() if name not in _UNASKED}
    names = [name for name in os.environ if name.startswith(_OWN) or name in _VARIABLES]
    environment = {name: os.environ[name] for name in names}
    devices = [name for name in _entries("/dev") if name.startswith("nvidia")]
    return json.dumps([asked, width, store, environment, devices], sort_keys=True)


def _bytes_of(store: Path) -> str | None:
    """A hash of a store's files; None where one of them is no regular file, which might have no end."""
    whole = hashlib.sha256()
    for ending in _LOGS:
        path = store.with_name(store.name + ending)
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                return None
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256")
        except FileNotFoundError:
            content = hashlib.sha256()  # sqlite leaves a log of no bytes, or none
        except OSError:
            return None
        whole.update(content.digest())
    return whole.hexdigest() if store.is_file() else None


def _sources() -> Iterator[Path]:
    """Every file of the program that is no compiled module."""
    root = Path(checks.__file__).parents[1]
    for package in _PACKAGES:
        for folder, below, names in os.walk(root / package):
            below[:] = [name for name in below if name != "__pycache__"]
            yield from (Path(folder, name) for name in names)


def _entries(folder: str) -> list[str]:
    """Names in a folder, sorted; none where it cannot be read."""
    try:
        return sorted(os.listdir(folder or os.curdir))
    except OSError:
        return []
