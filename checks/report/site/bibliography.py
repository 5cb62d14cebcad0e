"""BibTeX of a paper and of this program, from what each says of itself."""

from __future__ import annotations

import importlib.metadata
import re

from checks.report.escape import latex, plain
from theoremeter_papers import Paper


def bibtex_of(paper: Paper) -> str:
    """An entry for a paper, from its `paper.toml`."""
    first = re.sub(r"[^a-z]", "", plain(paper.authors[0]).split()[-1].lower()) if paper.authors else ""
    name = f"{first or paper.key.lower()}{paper.year or ''}"
    fields = {
        "title": f"{{{latex(paper.title)}}}",
        "author": latex(" and ".join(paper.authors)),
        "year": str(paper.year or ""),
        "url": _address(paper.url),
    }
    return entry("misc", re.sub(r"[^A-Za-z0-9]", "", name), fields)


def address_of_program() -> str:
    """Where the installed package says that it is found: its repository, or else the first address that it names."""
    try:
        named = importlib.metadata.metadata("theoremeter").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:
        return ""
    found = {name.strip().lower(): address.strip() for name, _, address in (one.partition(",") for one in named)}
    return found.get("repository") or found.get("source") or next(iter(found.values()), "")


def bibtex_of_program(version: str, address: str = "") -> str:
    """An entry for this program."""
    fields = {
        "title": "{theoremeter: a symbolic-numeric verifier of learning theory}",
        "author": "{The theoremeter authors}",
        "year": "2026",
        "note": f"version {latex(version)}",
        "url": _address(address),
    }
    return entry("software", "theoremeter", fields)


def _address(text: str) -> str:
    return re.sub(r"[^\w:/.?&=%#~+-]", "", plain(text))


def entry(kind: str, name: str, fields: dict[str, str]) -> str:
    """One entry; fields without a value are left out."""
    lines = [f"  {key} = {{{value}}}," for key, value in fields.items() if value.strip("{}")]
    return "\n".join([f"@{kind}{{{name},", *lines, "}"])
