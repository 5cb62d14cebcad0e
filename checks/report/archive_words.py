"""What an archive says of itself: RO-Crate metadata, a citation, and a page for whoever unpacks it.

https://www.researchobject.org/ro-crate/specification/1.1/ and https://citation-file-format.github.io
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theoremeter_papers import Paper

MEMBERS = {
    "CITATION.cff": ("text/yaml", "How to cite the archive, and the papers that it speaks of."),
    "README.md": ("text/markdown", "What the archive is, and the command that verifies it."),
    "headlines.json": ("application/json", "A line a claim, as `theoremeter table` prints it."),
    "policy.json": ("application/json", "How often a verdict may be wrong, and what was judged."),
    "proofs.jsonl": ("application/jsonl", "Certificates of proofs and counterexamples, a lemma each line."),
    "repairs.json": ("application/json", "What is true instead of what is false, loose or open."),
    "ro-crate-metadata.json": ("application/ld+json", "This description."),
    "rocq.tar": ("application/x-tar", "The proofs as files for coqc, with the library that they rest on."),
    "systems.json": ("application/json", "Versions of the simulators: hashes of their sources and readouts."),
    "table.json": ("application/json", "Every line of the table with its explanation, as judged from the trials."),
    "table.txt": ("text/plain", "The same for people."),
    "trials.jsonl": (
        "application/jsonl",
        "The trials as a store keeps them, a row each line; curves in base64.",
    ),
    "versions.json": ("application/json", "Versions of the program and of the libraries that computed."),
}
"""Everything that an archive may have beside its manifest: its kind, and what it is."""
ROCQ = "rocq.tar"
"""A member that archives which come with papers lack: `theoremeter proofs export --published` writes these files."""
_NO_LICENSE = "no licence is stated"
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,39}|unknown")


@dataclass(frozen=True)
class ArchiveOrigin:
    """Who made an archive, when, of which papers, and under which licence; dates as YYYY-MM-DD."""

    papers: Sequence[Paper]
    date: str
    version: str
    authors: Sequence[str] = ()
    license: str = ""

    @property
    def title(self) -> str:
        """Of the archive."""
        return f"Evidence on the claims of {', '.join(paper.title or paper.key for paper in self.papers)}"


def crate(origin: ArchiveOrigin, sizes: Mapping[str, int]) -> str:
    """The metadata as JSON-LD.

    Args:
        sizes: bytes of the other members.
    """
    files = [name for name in sorted(MEMBERS) if name in sizes]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": origin.title,
        "description": "Stored trials, the verdicts that follow from them, and what is needed to check both.",
        "datePublished": origin.date,
        "license": origin.license or _NO_LICENSE,
        "hasPart": [{"@id": name} for name in files],
        "about": [{"@id": _paper_id(paper)} for paper in origin.papers],
    }
    described = {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": {"@id": "./"}}
    described["conformsTo"] = {"@id": "https://w3id.org/ro/crate/1.1"}
    program = {
        "@id": "#theoremeter",
        "@type": "SoftwareApplication",
        "name": "theoremeter",
        "softwareVersion": origin.version,
    }
    made = {
        "@id": "#made",
        "@type": "CreateAction",
        "instrument": {"@id": "#theoremeter"},
        "result": {"@id": "./"},
        "endTime": origin.date,
    }
    if origin.authors:
        root["author"] = [{"@id": f"#author{number}"} for number, _ in enumerate(origin.authors)]
    graph = [
        described,
        root,
        *(_file(name, sizes[name]) for name in files),
        *map(_article, origin.papers),
        *({"@id": f"#author{n}", "@type": "Person", "name": name} for n, name in enumerate(origin.authors)),
        program,
        made,
    ]
    return json.dumps({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, indent=1) + "\n"


def _file(name: str, size: int) -> dict[str, Any]:
    kind, words = MEMBERS[name]
    told = {"@id": name, "@type": "File", "name": name, "description": words}
    return {**told, "encodingFormat": kind, "contentSize": str(size)}


def _paper_id(paper: Paper) -> str:
    return paper.url or f"#paper-{paper.key}"


def _article(paper: Paper) -> dict[str, Any]:
    told: dict[str, Any] = {"@id": _paper_id(paper), "@type": "ScholarlyArticle", "name": paper.title or paper.key}
    if paper.authors:
        told["author"] = list(paper.authors)
    return {**told, "datePublished": str(paper.year)} if paper.year else told


def citation(origin: ArchiveOrigin) -> str:
    """How to cite the archive, as CITATION.cff; JSON strings are YAML."""
    lines = [
        "cff-version: 1.2.0",
        "message: Please cite the archive together with the papers whose claims it checks.",
        f"title: {json.dumps(origin.title, ensure_ascii=False)}",
        "type: dataset",
        f"date-released: {origin.date}",
        *_names("authors", origin.authors or ["who made this archive"], ""),
    ]
    if origin.papers:
        lines.append("references:")
    for paper in origin.papers:
        lines.append("  - type: article")
        lines.append(f"    title: {json.dumps(paper.title or paper.key, ensure_ascii=False)}")
        lines += _names("authors", paper.authors or ["unknown"], "    ")
        lines += [f"    year: {paper.year}"] if paper.year else []
        lines += [f"    url: {json.dumps(paper.url)}"] if paper.url else []
    return "\n".join(lines) + "\n"


def _names(key: str, names: Sequence[str], indent: str) -> list[str]:
    return [f"{indent}{key}:", *(f"{indent}  - name: {json.dumps(name, ensure_ascii=False)}" for name in names)]


def said_origin(text: str, papers: Sequence[Paper], date: str) -> ArchiveOrigin | None:
    """Who made an archive, as its metadata say: what nobody can compute, and what the rest is computed from.

    None where they say it in no form of `crate`'s.
    """
    try:
        graph = json.loads(text)["@graph"]
        names = [str(entry["name"]) for entry in graph if entry["@type"] == "Person"]
        (root,) = (entry for entry in graph if entry["@id"] == "./")
        (version,) = (entry["softwareVersion"] for entry in graph if entry["@type"] == "SoftwareApplication")
        stated = str(root["license"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not (isinstance(version, str) and _VERSION.fullmatch(version)):
        return None
    return ArchiveOrigin(papers, date, version, names, "" if stated == _NO_LICENSE else stated)


def readme(origin: ArchiveOrigin, n_trials: int, names: Collection[str]) -> str:
    """A page for whoever unpacks the archive.

    Args:
        names: of its members.
    """
    paper = "--paper FOLDER " if any(paper.is_outside for paper in origin.papers) else ""
    lines = [
        f"# {origin.title}",
        "",
        f"{n_trials} stored trials, judged by theoremeter {origin.version}.",
        "",
        f"    theoremeter {paper}verify ARCHIVE",
        "",
        "judges them again, re-checks every proof, runs a sample of the trials again, and ends with one line.",
        "",
        *(f"- `{name}`: {words}" for name, (_, words) in sorted(MEMBERS.items()) if name in names),
    ]
    return "\n".join(lines) + "\n"
