"""The errata of papers, a table for each, in markdown.

Everything on it comes from the `errata.toml` of the papers, nothing from a store. `theoremeter errata > docs/errata.md`
writes the page of the repository; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from checks.evidence.check import Check
from checks.evidence.named_rows import unknown_row
from checks.records.errata import Erratum, Needed
from checks.report.escape import markdown
from theoremeter_papers import Paper

_OPENING = """# Errata

After this page you know where the text of a paper is wrong or contradicts itself, and whether one of its theorems needs
the place as printed. `theoremeter errata` prints it from `errata.toml` in the folder of each paper, and `theoremeter
errata A.lucky_count` what concerns one claim.

- **no**: with the correction every statement stands as it is. Misprints, constants, and settings of figures are here.
- **yes**: the step or statement named rests on the place as printed; corrected, it must be proved anew or changes.
- **open**: nobody has shown either.

"How it is known" names lines of the table of verdicts, by claim and part: `theoremeter run ID --preset smoke` and
`theoremeter table ID --preset smoke --parts --reasons` print them. A claim without a part stands for its reading,
which `theoremeter explain ID` prints. Where no line shows it, a derivation stands there. An erratum is no verdict:
what is held against a claim is in the table of verdicts alone. The texts were read as extracted from PDF; what may be
an error of extraction is left out.
"""


def render(recorded: Mapping[Paper, Sequence[Erratum]], names: Mapping[str, str]) -> str:
    """The page for the errata of some papers; `names` are the citation keys, by key of the paper."""
    sections = [_section(paper, errata, names[paper.key]) for paper, errata in recorded.items() if errata]
    return "\n".join([_OPENING, *sections])


def unknown_rows(errata: Iterable[Erratum], checks: Mapping[str, Check]) -> Iterator[str]:
    """What is wrong with the rows that errata name, one line each."""
    rows = dict.fromkeys(row for erratum in errata for row in erratum.rows)
    for claim, part in rows:
        yield from unknown_row("errata.toml", claim, part, checks)


def _section(paper: Paper, errata: Sequence[Erratum], name: str) -> str:
    counts = ", ".join(f"{sum(e.needed is answer for e in errata)} {answer}" for answer in Needed)
    lines = [f"## {markdown(f'[{name}]')}", "", f"{markdown(paper.title)}. Needed by a theorem: {counts}.", ""]
    lines += [
        "| place | as printed | correct | needed by a theorem | how it is known |",
        "| --- | --- | --- | --- | --- |",
    ]
    for erratum in errata:
        cells = (
            erratum.place,
            erratum.printed,
            erratum.correct,
            f"{erratum.needed}: {erratum.why}",
            "; ".join(filter(None, (*map(_row, erratum.rows), erratum.derivation))),
        )
        lines.append(f"| {' | '.join(map(markdown, cells))} |")
    return "\n".join([*lines, ""])


def _row(row: tuple[str, str]) -> str:
    claim, part = row
    return f"{claim}, '{part}'" if part else claim
