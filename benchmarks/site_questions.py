"""Whether thirty questions of an author, a referee and a student are answered by a site of both papers alone.

    python -m benchmarks.site_questions SITE

`site_questions.toml` has the questions, where a reader clicks, and the words that answer. A question is answered if
each page links to the next, at most three clicks lead there, and the last place has the words. That a reader finds the
way is not measured: whoever wrote the questions knew it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

MOST_CLICKS = 3
_VOID = frozenset({"meta", "link", "br", "input", "img", "hr"})


@dataclass
class Place(HTMLParser):
    """A page: its links, and the text of one element of it, or of all."""

    wanted: str = ""
    links: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take links and places; begin the wanted one."""
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        if tag == "a":
            self.links.add(given.get("href") or "")
        if tag in ("script", "style"):
            self._silent = tag
        if tag in _VOID:
            return
        if self._depth or (self.wanted and given.get("id") == self.wanted):
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        """End the wanted place."""
        if tag == self._silent:
            self._silent = ""
        if self._depth and tag not in _VOID:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        """Take what a reader sees."""
        if not self._silent and (self._depth or not self.wanted):
            self.said.append(data)


def read(site: Path, address: str) -> Place:
    """A page; of an address with a place in it the text of that place, or of the section that it heads."""
    path, _, wanted = address.partition("#")
    text = (site / path).read_text(encoding="utf-8")
    page = Place(wanted)
    page.feed(text)
    if wanted and (wanted.startswith("paper-") or wanted == "provenance"):  # a heading: its section is meant
        start = text.index(f'id="{wanted}"')
        page.said.clear()
        section = Place()
        section.feed(text[start - 4 : text.index("</section>", start)])
        page.said = section.said
    return page


def missing(site: Path, clicks: list[str], answer: str) -> str:
    """Why a question is not answered; "" where it is."""
    if len(clicks) > MOST_CLICKS:
        return f"{len(clicks)} clicks"
    here = "index.html"
    for address in clicks:
        path, _, place = address.partition("#")
        if not (site / path).is_file():
            return f"there is no {path}"
        page = read(site, here)
        links = {link.removeprefix("../").removeprefix("claims/").partition("#")[0] for link in page.links}
        if path != here and path.removeprefix("claims/") not in links:
            return f"{here} does not link to {path}"
        if place and place not in read(site, path).ids:
            return f"{path} has no place {place}"
        here = path
    words = " ".join(" ".join(read(site, clicks[-1]).said).split())
    return "" if re.search(answer, words, re.DOTALL) else f"{clicks[-1]} does not say {answer}"


def main() -> int:
    """Ask all; 0 where at least 28 of 30 are answered."""
    site = Path(sys.argv[1])
    asked = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    answered, total = 0, 0
    for who, questions in asked.items():
        for question in questions:
            why = missing(site, question["clicks"], question["answer"])
            answered, total = answered + (not why), total + 1
            print(f"{'yes' if not why else 'NO '} {who}: {question['ask']}{f' ({why})' if why else ''}")
    print(f"{answered} of {total} answered")
    return 0 if answered >= 28 * total / 30 else 1


if __name__ == "__main__":
    raise SystemExit(main())
