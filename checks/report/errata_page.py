"""The errata of papers: in markdown and in a terminal a paragraph for each erratum, in JSON an object.

Everything on it comes from the `errata.toml` of the papers, nothing from a store. The site of the documentation
has the page of all papers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from checks.evidence.check import Check
from checks.evidence.named_rows import unknown_row
from checks.records.errata import Erratum, Needed
from checks.report import layout
from checks.report.escape import markdown, plain
from checks.report.layout import paragraph
from theoremeter_papers import Paper

_ABOUT = """\
After this page you know where the text of a paper is wrong or contradicts itself, and whether one of its theorems needs
the place as printed. `theoremeter errata` prints it from `errata.toml` in the folder of each paper, and `theoremeter
errata A.lucky_count` what concerns one claim."""
_ANSWERS = {
    Needed.NO: "with the correction every statement stands as it is. Misprints, constants, and settings of figures are "
    "here.",
    Needed.YES: "the step or statement named rests on the place as printed; corrected, it must be proved anew or "
    "changes.",
    Needed.OPEN: "nobody has shown either.",
}
_SOURCES = """\
"How it is known" names lines of the table of verdicts, by claim and part: `theoremeter run ID --preset smoke` and
`theoremeter table ID --preset smoke --parts --reasons` print them. A claim without a part stands for how its text is
interpreted, which `theoremeter explain ID` prints. Where no line shows it, a derivation stands there. An erratum is no
verdict: what is held against a claim is in the table of verdicts alone. The texts were read as extracted from PDF; what
may be an error of extraction is left out."""
_NONE = "No erratum is recorded for these claims."
_COLUMNS = ("place", "as printed", "correct", "needed by a theorem", "how it is known")
_LABELS = _COLUMNS[1:]
_LABEL = max(map(len, _LABELS)) + 2


def render(
    recorded: Mapping[Paper, Sequence[Erratum]], names: Mapping[str, str], *, fmt: str = "markdown", width: int = 0
) -> str:
    """The page for the errata of some papers.

    Args:
        names: the citation keys, by key of the paper.
        fmt: "markdown", "json", or "terminal" for text in lines of at most `width` places (0: unlimited).
    """
    kept = [(paper, errata, names[paper.key]) for paper, errata in recorded.items() if errata]
    if fmt == "json":
        found = [_record(name, erratum) for _, errata, name in kept for erratum in errata]
        return json.dumps(found, indent=1) + "\n"
    if fmt == "terminal":
        said = [line for one in kept for line in _on_screen(*one, width)] or [
            "No erratum is recorded for these claims.",
            "",
        ]
        return "\n".join([*said, *_words_on_screen(width), ""])
    answers = "\n".join(f"- **{answer}**: {words}" for answer, words in _ANSWERS.items())
    opening = f"# Errata\n\n{_ABOUT}\n\n{answers}\n\n{_SOURCES}\n"
    return "\n".join([opening, *(_in_markdown(*one) for one in kept)])


def unknown_rows(errata: Iterable[Erratum], checks: Mapping[str, Check]) -> Iterator[str]:
    """What is wrong with the rows that errata name, one line each."""
    rows = dict.fromkeys(row for erratum in errata for row in erratum.rows)
    for claim, part in rows:
        yield from unknown_row("errata.toml", claim, part, checks)


def _counts(errata: Sequence[Erratum]) -> str:
    return ", ".join(f"{sum(e.needed is answer for e in errata)} {answer}" for answer in Needed)


def _cells(erratum: Erratum) -> tuple[str, ...]:
    known = "; ".join(filter(None, (*map(_row, erratum.rows), erratum.derivation)))
    return erratum.place, erratum.printed, erratum.correct, f"{erratum.needed}: {erratum.why}", known


def _record(name: str, erratum: Erratum) -> dict[str, Any]:
    """One erratum as a JSON-able object; a part of "" stands for how the claim's text is interpreted."""
    return {
        "paper": plain(name),
        "place": plain(erratum.place),
        "printed": plain(erratum.printed),
        "correct": plain(erratum.correct),
        "needed": erratum.needed.value,
        "why": plain(erratum.why),
        "rows": [{"id": plain(claim), "part": plain(part)} for claim, part in erratum.rows],
        "derivation": plain(erratum.derivation),
    }


def _in_markdown(paper: Paper, errata: Sequence[Erratum], name: str) -> str:
    title = f"{markdown(paper.title)}. Needed by a theorem: {_counts(errata)}."
    lines = [f"## {markdown(f'[{name}]')}", "", title, ""]
    for erratum in errata:
        place, *rest = map(markdown, _cells(erratum))
        lines += [f"- **{place}**", "", *(f"  {label}: {words}  " for label, words in zip(_LABELS, rest, strict=True))]
        lines += [""]
    return "\n".join(lines)


def _on_screen(paper: Paper, errata: Sequence[Erratum], name: str, width: int) -> list[str]:
    """A paper's errata as text, each place a heading of its own."""
    texts = layout.text_width(width)
    lines = [*paragraph(f"[{name}] {paper.title}. Needed by a theorem: {_counts(errata)}.", texts), ""]
    for erratum in errata:
        place, *rest = _cells(erratum)
        lines += [layout.coloured(line, "bold", width) for line in paragraph(place, texts)]
        for label, words in zip(_LABELS, rest, strict=True):
            lines += paragraph(words, texts, _LABEL, first=f"{label:{_LABEL}}") if words else []
        lines.append("")
    return lines


def _words_on_screen(width: int) -> list[str]:
    """What the words of the page mean."""
    texts = layout.text_width(width)
    answers = [line for answer, words in _ANSWERS.items() for line in paragraph(words, texts, 6, first=f"{answer:6}")]
    sources = paragraph(" ".join(_SOURCES.split()), texts)
    return [layout.coloured("What the words mean", "bold", width), *answers, "", *sources]


def _row(row: tuple[str, str]) -> str:
    claim, part = row
    return f"{claim}, '{part}'" if part else claim
