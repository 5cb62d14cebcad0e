"""Pages of `docs` that keep their word: their blocks run in order, and print what the page shows.

A block whose first line is `# <path>.py` or `.toml` becomes that file, or is added to it after `# at the end of`; other
blocks of Python run in one namespace, as in a session. A block `console` runs its commands. The block `text` that
follows is what was printed, to the letter, but for spaces at the ends of lines, the seconds
that pytest took and the CPU time that a plan names.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checks.cli import main

DOCS = Path(__file__).parents[1] / "docs"
FILE = re.compile(r"# (at the end of )?([\w/-]+\.(?:py|toml))\n")
Block = tuple[str, str, str]


def blocks(page: Path) -> Iterator[Block]:
    """Language and code of every block that runs, with the output that the page shows, "" for none."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for place, (language, body) in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else ("", "")
        if language != "text":
            yield language, body, following[1] if following[0] == "text" else ""


def written(body: str) -> bool:
    """Write the file that a block stands for, in the current folder; False where it stands for none."""
    file = FILE.match(body)
    if file is None:
        return False
    path = Path(file[2])
    path.parent.mkdir(exist_ok=True)
    before = path.read_text(encoding="utf-8") + "\n\n" if file[1] else ""
    path.write_text(before + body, encoding="utf-8")
    return True


def printed(language: str, body: str, session: dict[str, Any]) -> str:
    """What a block prints when it runs in the current folder."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        if written(body):
            pass
        elif language == "python":
            exec(compile(body, "<page>", "exec"), session)
        else:
            for line in body.replace("\\\n", " ").splitlines():
                _typed(line)
    return same(out.getvalue())


def same(text: str) -> str:
    """A text without what may differ: spaces at the ends of lines, and the seconds of pytest."""
    timeless = re.sub(
        r"about [\d.]+ (?:s|min|h)(?: to [\d.]+ (?:s|min|h))? of CPU time", "about so much CPU time", text
    )
    return re.sub(r" in \d+\.\d+s", "", re.sub(r" +$", "", timeless, flags=re.M))


def _typed(line: str) -> None:
    command, *words = shlex.split(line)
    if command == "pytest":
        off = [word for name in ("cacheprovider", "jaxtyping", "warnings") for word in ("-p", f"no:{name}")]
        pytest.main([*words, "-p", "theoremeter.pytest_plugin", *off])
        return
    assert command == "theoremeter"
    alone = ["--executor", "serial"] if "run" in words else []  # the same numbers, without a start of workers
    assert main([*words, *alone]) == 0, line
