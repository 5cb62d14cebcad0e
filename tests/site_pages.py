"""A small site for tests, from a paper whose every text is hostile, and what is read from its pages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from checks.cli import main
from tests.papers import CHECKS, CLAIMS, TOML, write_paper

HOSTILE = (
    "</script></style><script>alert(1)</script><img src=x onerror=alert(2)> \"'><a href=javascript:alert(3)> ]]> "
    "{{ 7*7 }}"
)

MORE_CLAIMS = """
from theory.claim import Conditions, Hypothesis, Inequality
from theory.relations import above, at_least, at_most

HOSTILE = {hostile!r}
odd = sp.Symbol("x<img src=y onerror=alert(4)>", positive=True)
'''A letter with <script>alert(5)</script> in its words.'''
BAD = Claim(
    id="{key}.bad", source=Source("toy", HOSTILE), kind=Kind.INEQUALITY, statement=HOSTILE, reading=HOSTILE,
    fairness=HOSTILE, observable="", evidence=(Evidence.SYMBOLIC,),
    regime=(Hypothesis(HOSTILE, at_most(n, 3)),),
    lemmas=(
        Inequality(HOSTILE, at_least((odd - 1) ** 2, 0), {{odd: (0, 3)}}),
        Inequality("false as printed", at_least(n, 2), {{n: (1, 3)}}, instead="true form"),
        Inequality("true form", at_least(n, 2), {{n: (2, 3)}}),
    ),
)
UNMEASURED = Claim(
    id="{key}.later", source=Source("toy", "Theorem 2"), kind=Kind.UPPER, statement="Nobody has measured this.",
    observable="later", evidence=(Evidence.MEASURED,), axes=(Axis(n),), value=n**2 / (n + 1),
    uses=("{key}.bad", "{key}.mean"),
)
"""


ERRATA = """
[[erratum]]
place = {hostile}
printed = {hostile}
correct = "n >= 2"
needed = "yes"
why = "Theorem 2"
rows = ["toy.bad: false as printed"]

[[erratum]]
place = "below Theorem 2"
printed = "reducing n"
correct = "raising n"
needed = "no"
why = "a slip of words"
rows = ["toy.mean"]
derivation = "the mean rises"
"""
SECOND_PART = """        Scaling(
            name="larger sizes", symbol=n, parameter="size", observable="mean", symbols={"size": n},
            sweeps={Preset.SMOKE: (Sweep(TOY, grid(size=(8, 16, 32, 64, 128)), {}, 3),)},
        ),
"""


def made_store(folder: Path) -> Path:
    """The folder of the toy paper, measured at the smoke preset into a store `s.sqlite` beside it."""
    paper = folder / "paper"
    if not paper.exists():
        checks = CHECKS.format(key="toy").replace("\n    ),\n)\n", f"\n{SECOND_PART}    ),\n)\n")
        claims = (
            CLAIMS + MORE_CLAIMS.replace("{hostile!r}", repr(HOSTILE).replace("{", "{{").replace("}", "}}"))
        ).format(key="toy")
        toml = TOML.format(key="toy") + 'authors = ["A. <b>Author</b>"]\nyear = 2026\nurl = "https://example.org/<x>"\n'
        write_paper(paper, claims_py=claims, checks_py=checks, paper_toml=toml)
        (paper / "errata.toml").write_text(ERRATA.format(hostile=json.dumps(HOSTILE)), encoding="utf-8")
    store = folder / "s.sqlite"
    if not store.exists():
        options = ["--preset", "smoke", "--store", str(store), "--executor", "serial"]
        assert main(["--paper", str(paper), "run", *options]) == 0
    return paper


def made_site(folder: Path, *, single: bool = False) -> Path:
    """The front page of a site of that paper."""
    paper, out = made_store(folder), folder / ("one" if single else "many")
    options = ["--preset", "smoke", "--store", str(folder / "s.sqlite"), "--out", str(out)]
    assert main(["--paper", str(paper), "report", *options, *(["--single-file"] if single else [])]) == 0
    return out / "index.html"


@dataclass
class Tag:
    """An element with its attributes and the text inside."""

    name: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class ReadPage(HTMLParser):
    """The elements of a page; void ones are closed where they stand."""

    tags: list[Tag] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[Tag] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = Tag(tag, {name: value or "" for name, value in attrs})
        self.tags.append(found)
        if tag not in ("meta", "link", "br", "input", "img"):
            self._open.append(found)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().name != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        for tag in self._open:
            tag.text += data

    def named(self, name: str) -> list[Tag]:
        return [tag for tag in self.tags if tag.name == name]

    @property
    def ids(self) -> list[str]:
        return [tag.attributes["id"] for tag in self.tags if "id" in tag.attributes]


def read(path: Path) -> ReadPage:
    page = ReadPage()
    page.feed(path.read_text(encoding="utf-8"))
    return page
