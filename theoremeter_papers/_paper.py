"""What a paper says of itself: `paper.toml`, read as text of unknown origin.

Its keys are a closed list, its values plain text of bounded length. Nothing in it is ever run, imported or formatted.
"""

from __future__ import annotations

import difflib
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

FILE = "paper.toml"
"""Every paper's folder has one."""

KEY = r"[A-Z]|[a-z][a-z0-9_-]{0,39}"
"""What the ids of a paper's claims begin with, as a regular expression."""

_MAX_BYTES = 65_536
_MAX_TEXT = 300
_MAX_AUTHORS = 200
_KEYS = ("key", "title", "authors", "year", "url", "only_when_named")


class PaperError(ValueError):
    """A folder is no paper, two papers cannot be told apart, or what one declares cannot be used."""


class Origin(StrEnum):
    """How a paper was found."""

    REPOSITORY = "repository"
    NAMED = "named"
    INSTALLED = "installed"


@dataclass(frozen=True)
class Paper:
    """One paper and where its modules are.

    Attributes:
        key: what the ids of its claims begin with.
        folder: where its `paper.toml` lies.
        only_when_named: whether a command that names neither claims nor papers leaves it out.
        broken: why it cannot be read at all, for an installed package; "" otherwise.
    """

    key: str
    folder: Path
    origin: Origin
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    url: str = ""
    only_when_named: bool = False
    broken: str = ""

    @property
    def is_outside(self) -> bool:
        """Whether it lies in a folder of its own, outside this repository."""
        return self.origin is not Origin.REPOSITORY

    @property
    def claims(self) -> str:
        """The module or package with its claims."""
        return self._module("claims", f"theory.{self.folder.name}")

    @property
    def simulators(self) -> str:
        """The module with its systems."""
        return self._module("simulators", f"sim.{self.folder.name}.systems")

    @property
    def checks(self) -> str:
        """The module or package with its checks."""
        return self._module("checks", f"checks.{self.folder.name}")

    @property
    def translation(self) -> str:
        """The module whose `symbols` translates parameters where a part brings no translation of its own."""
        return self._module("checks", f"checks.{self.folder.name}.setting")

    @property
    def faults(self) -> str:
        """The module with its seeded faults; it need not exist."""
        return self._module("faults", f"checks.{self.folder.name}.faults")

    @property
    def findings(self) -> Path:
        """Its recorded findings; the file need not exist."""
        return self.folder / "findings.toml"

    @property
    def errata(self) -> Path:
        """Where its text is wrong or contradicts itself; the file need not exist."""
        return self.folder / "errata.toml"

    def _module(self, own: str, inside: str) -> str:
        return f"theoremeter_papers.{self.key}.{own}" if self.is_outside else inside


def read(folder: Path, origin: Origin = Origin.NAMED) -> Paper:
    """The paper in a folder.

    Raises:
        PaperError: there is none, or its `paper.toml` breaks a rule; the first one in one line.
    """
    folder = _absolute(folder)
    stated = _stated(folder)
    for problem in _problems(stated):
        raise PaperError(f"{folder / FILE}: {problem}")
    authors = stated.get("authors", ())
    return Paper(
        key=stated["key"],
        folder=folder,
        origin=origin,
        title=stated["title"],
        authors=(authors,) if isinstance(authors, str) else tuple(authors),
        year=stated.get("year"),
        url=stated.get("url", ""),
        only_when_named=stated.get("only_when_named", False),
    )


def problems(folder: Path) -> list[str]:
    """Every rule that a folder's `paper.toml` breaks, in one line each; none where it can be read."""
    folder = _absolute(folder)
    try:
        return [f"{folder / FILE}: {problem}" for problem in _problems(_stated(folder))]
    except PaperError as error:
        return [str(error)]


def _absolute(folder: Path) -> Path:
    try:
        return folder.expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PaperError(f"paper must be a folder with a {FILE}, got {folder}: {error}") from None


def _stated(folder: Path) -> dict[str, Any]:
    """What `paper.toml` says, before any of it is believed."""
    path = folder / FILE
    if not path.is_file():
        raise PaperError(f"paper must be a folder with a {FILE}, got {folder}")
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise PaperError(f"{path}: must be at most {_MAX_BYTES} bytes long")
        text = data.decode("utf-8-sig")  # some editors open every text with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise PaperError(f"{path}: must be TOML in UTF-8, got {error}") from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is an error of its own
        raise PaperError(f"{path}: must be TOML in UTF-8, got {error}") from None


def key_rule(key: object) -> str:
    """The rule that a key breaks; "" where it breaks none."""
    if not isinstance(key, str) or not re.fullmatch(KEY, key):
        return "key must be one capital letter, or up to 40 of a-z, 0-9, _ and - that begin with a letter"
    # modules of a paper are theoremeter_papers.<key>, and importing them would hide a function of that name
    taken = [name for name in vars(sys.modules[__name__.partition(".")[0]]).get("__all__", ()) if name == key]
    return f"key must be none of the names in theoremeter_papers, such as {key}" if taken else ""


def _problems(stated: Mapping[str, Any]) -> Iterator[str]:
    for name in stated:
        if name not in _KEYS:
            near = difflib.get_close_matches(name, _KEYS, n=1, cutoff=0.0)
            yield f"keys must be among {', '.join(_KEYS)}, got {name[:40]!r}; nearest is {near[0]}"
    if rule := key_rule(stated.get("key")):
        yield f"{rule}, got {_shown(stated.get('key'))}"
    if not _is_text(stated.get("title")) or not stated["title"].strip():
        yield f"title must be one line of text, at most {_MAX_TEXT} characters, got {_shown(stated.get('title'))}"
    authors = stated.get("authors", "")
    listed = authors if isinstance(authors, list) else [authors]
    if len(listed) > _MAX_AUTHORS or not all(map(_is_text, listed)):
        yield f"authors must be a text or at most {_MAX_AUTHORS} texts of one line, got {_shown(authors)}"
    year = stated.get("year", 2000)
    if isinstance(year, bool) or not isinstance(year, int) or not 1000 <= year <= 9999:
        yield f"year must be a whole number of four digits, got {_shown(year)}"
    url = stated.get("url", "")
    if not _is_text(url) or (url and not re.fullmatch(r"https?://[!-~]+", url)):
        yield f"url must begin with https:// or http:// and hold no spaces, got {_shown(url)}"
    if not isinstance(stated.get("only_when_named", False), bool):
        yield f"only_when_named must be true or false, got {_shown(stated['only_when_named'])}"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_TEXT and value.isprintable()


def _shown(value: object) -> str:
    if value is None:
        return "none"
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
