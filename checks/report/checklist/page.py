"""A filled checklist as markdown, LaTeX or JSON: heading, answer, reason, claims and commands; every text escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from checks.report.checklist.answers import Answer
from checks.report.checklist.facts import Facts
from checks.report.checklist.venues import Item, Venue
from checks.report.escape import latex, markdown, plain

FORMATS = ("markdown", "latex", "json")
PLACE = "{id}"
"""What stands for a claim's id in a link."""
_SAFE = "/:.?=&_-"
"""Characters of a link besides letters and digits; all others are written by their code."""


def render(venue: Venue, facts: Facts, *, fmt: str, link: str = "") -> str:
    """The checklist, as far as the facts answer it, and the headings that they leave to the authors.

    Args:
        fmt: markdown, latex or json. LaTeX is a fragment for a document; with a link it needs the package hyperref.
        link: the address of a claim's page, with `{id}` for its id; "" for none.
    """
    if fmt == "json":
        return json.dumps(record_of(venue, facts), indent=1) + "\n"
    page = _LatexPage(link) if fmt == "latex" else _MarkdownPage(link)
    lines = [page.title(venue.title), *page.paragraph(_opening(facts)), *page.paragraph(venue.words)]
    rest: list[Item] = []
    for heading, items in venue.sections:
        lines += page.section(heading) if heading else []
        for item in items:
            answer = item.question(facts) if item.question else Answer(None, "")
            if answer.word is None:
                rest.append(item)
            else:
                lines += page.item(item, answer)
    if rest:
        lines += page.section("Left to the authors")
        lines += page.paragraph("; ".join(" ".join(filter(None, (item.number, item.heading))) for item in rest) + ".")
    return "\n".join(lines).rstrip("\n") + "\n"


def record_of(venue: Venue, facts: Facts) -> dict[str, Any]:
    """The checklist as one JSON-able object; an answer of null is left to the authors."""
    items = []
    for heading, listed in venue.sections:
        for item in listed:
            answer = item.question(facts) if item.question else Answer(None, "")
            items.append(
                {
                    "section": heading,
                    "number": item.number,
                    "heading": item.heading,
                    "answer": answer.word,
                    "reason": plain(answer.reason),
                    "claims": {plain(words): [plain(name) for name in ids] for words, ids in answer.claims.items()},
                    "commands": [plain(command) for command in answer.commands],
                }
            )
    return {"venue": venue.name, "title": venue.title, "made_from": plain(_opening(facts)), "items": items}


def _opening(facts: Facts) -> str:
    made_from = facts.store or "the trials published with the paper"
    return (
        f"Filled in by theoremeter {facts.version} for {', '.join(facts.papers)} from {made_from} at preset "
        f"{facts.preset}: {len(facts.claims)} claims, {facts.n_trials} trials (digest of their keys {facts.digest}). "
        "An answer is what this evidence says and no more. Read, correct and complete it: whoever hands it in answers "
        "for it."
    )


def address(link: str, name: str) -> str:
    """The address of a claim's page; characters that mean something in markdown or LaTeX by their code."""
    return quote(plain(link).replace(PLACE, name), safe=_SAFE).replace("~", "%7E")


class _MarkdownPage:
    def __init__(self, link: str) -> None:
        self._link = link

    def title(self, text: str) -> str:
        return f"# {markdown(text)}\n"

    def section(self, text: str) -> list[str]:
        return [f"## {markdown(text)}", ""]

    def paragraph(self, text: str) -> list[str]:
        return [markdown(text), ""]

    def item(self, item: Item, answer: Answer) -> list[str]:
        number = f"{item.number}. " if item.number else ""
        lines = [f"### {markdown(number + item.heading)}", "", f"**Answer:** {markdown(answer.word)}", ""]
        lines += [markdown(answer.reason), ""]
        lines += [f"- {markdown(words)}: {self._ids(ids)}" for words, ids in answer.claims.items()]
        lines += [f"- shown by: {markdown(command)}" for command in answer.commands]
        return [*lines, ""] if lines[-1] else lines

    def _ids(self, names: Sequence[str]) -> str:
        if not self._link:
            return ", ".join(map(markdown, names))
        return ", ".join(f"[{markdown(name)}](<{address(self._link, name)}>)" for name in names)


class _LatexPage:
    def __init__(self, link: str) -> None:
        self._link = link

    def title(self, text: str) -> str:
        return rf"\section*{{{latex(text)}}}"

    def section(self, text: str) -> list[str]:
        return [rf"\subsection*{{{latex(text)}}}"]

    def paragraph(self, text: str) -> list[str]:
        return [f"{latex(text)}", ""]

    def item(self, item: Item, answer: Answer) -> list[str]:
        number = f"{item.number}. " if item.number else ""
        lines = [
            rf"\paragraph{{{latex(number + item.heading)}}}",
            rf"\textbf{{Answer: {latex(answer.word)}.}} {latex(answer.reason)}",
        ]
        return [*lines, *self._list(answer), ""]

    def _list(self, answer: Answer) -> Iterator[str]:
        entries = [rf"{latex(words)}: {self._ids(ids)}" for words, ids in answer.claims.items()]
        entries += [f"shown by: {_command(command)}" for command in answer.commands]
        if entries:
            yield r"\begin{itemize}\raggedright"
            yield from (rf"\item {entry}" for entry in entries)
            yield r"\end{itemize}"

    def _ids(self, names: Sequence[str]) -> str:
        if not self._link:
            return ", ".join(map(latex, names))
        linked = (rf"\href{{{_escaped(address(self._link, name))}}}{{{latex(name)}}}" for name in names)
        return ", ".join(linked)


def _command(text: str) -> str:
    """A command in typewriter letters; two dashes stay two, and lines may end at its spaces."""
    return rf"\texttt{{{latex(text).replace('--', '-{}-')}}}"


def _escaped(url: str) -> str:
    r"""An address within \href: what is left of LaTeX's own characters after `address`."""
    return "".join(f"\\{character}" if character in "%&_" else character for character in url)
