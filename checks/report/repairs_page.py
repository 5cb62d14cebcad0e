"""What to correct in a paper, with what, on which evidence: as text, JSON, markdown, or a fragment of LaTeX.

An author turns it into an erratum. Statements that are false, loose or open come first, each as printed and with what
is true instead; then proof steps and misprints; last, by name, the statements that have no repair, and whether one was
searched. Text of many claims is brief, two screens a paper: what is printed, what is true instead, and by which factor
or proof; all that a repair rests on is told of a few claims, and in every other format. The fragment of LaTeX needs the
packages `checks.report.formats.latex.PACKAGES`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checks.evidence.repairs import Mending
from checks.report import layout
from checks.report.escape import latex, markdown, plain
from checks.report.formats.latex import PACKAGES
from checks.report.formats.markdown import grid
from checks.report.layout import paragraph
from checks.report.repair_forms import MISPRINT, records, shown
from checks.report.site.model import Formula, ShownForm, ShownMending, ShownRepair
from checks.report.site.words import GROUP_CLAUSES, group_of
from checks.statistics.explanation import counted
from checks.statistics.verdict import Verdict
from theory.claim import Role
from theory.display.formulas import unicode_line
from theory.display.names import words as upright

REPAIR_FORMATS = ("text", "json", "latex", "markdown")
"""What repairs are written in."""
WIDTH = 80
"""Columns of the text, where the screen is no narrower."""
MOST_FORMULA = 160
"""Characters of a formula that stands on a page; a longer one is in JSON, and on the claim's page of a site."""
TITLE = "What to correct, with what, on which evidence"
STEPS = "Proof steps and misprints"
LACKING = "False, loose, open or dependent on the reading, and without a repair"
"""Headings of the page."""
NOTHING = "No claim was asked for that can be judged."
_REALS, _BOLD = r"\mathbb{R}", r"\mathbf{R}"
"""The real numbers: pages have one letter, and LaTeX without a package of fonts has another."""
_OF_STEPS = (Role.PROOF_STEP.value, MISPRINT)
_NO_FORM = "no true form is known"
_LABEL = 10
_COLUMNS = ("place", "as printed", "correct", "how it is known")
_READ_ALSO = (
    "A repair is listed where its own line came out for it; one that was tried and did not is named as tried. 'proved' "
    "and 'certified' rest on a certificate that a second program has re-checked, 'measured' on runs at the settings "
    "named. `theoremeter explain ID` says how a claim is read, `theoremeter errata` what else is wrong in print."
)


_BRIEF_ALSO = (
    "=: what is true instead. 'theoremeter repairs ID' tells all of one claim. 'proved' and 'certified': a second "
    "program has re-checked a certificate; '2x': measured, and the printed form errs twice as much on settings that no "
    "law was fitted on."
)


SCREENS = 2 * 60
"""Lines of a brief page: two screens."""
_CUT = " ..."
_MOST_LINES = 4
"""Of a claim on a brief page, unless what is true instead takes more."""


@dataclass(frozen=True)
class PaperRepairs:
    """What is to be corrected in a paper.

    Attributes:
        name: its citation key.
        claims: every claim that was asked for, with what is true instead.
    """

    name: str
    title: str
    claims: tuple[ShownMending, ...]

    @property
    def says_something(self) -> bool:
        """Whether anything is to be corrected, or lacks a correction."""
        return any(one.says_something for one in self.claims)

    @property
    def statements(self) -> tuple[ShownMending, ...]:
        """Claims whose statement has a repair."""
        return tuple(one for one in self.claims if one.of_statement)

    @property
    def steps(self) -> tuple[ShownMending, ...]:
        """Claims with proof steps or misprints that have a true form, or are false and have none."""
        return tuple(one for one in self.claims if one.of_steps or one.unmended)

    @property
    def lacking(self) -> tuple[ShownMending, ...]:
        """Claims that are false, loose or open, and have no repair."""
        return tuple(one for one in self.claims if one.lacks)

    @property
    def summary(self) -> str:
        """How many claims are to be corrected, and how many can be, in sentences."""
        wanted = Counter(_state(one.verdict) for one in self.claims if one.of_statement or one.lacks)
        parts = [f"{count} {_CLAUSES[state][count != 1]}" for state, count in wanted.items()]
        unmeasured = sum(one.verdict is Verdict.NOT_MEASURED_YET for one in self.claims)
        parts += [] if wanted else ["none is false, loose or open"]
        parts += [f"{unmeasured} {GROUP_CLAUSES['unmeasured'][unmeasured != 1]}"] if unmeasured else []
        steps = sum(len(one.of_steps) for one in self.claims)
        open_steps = sum(len(one.unmended) for one in self.claims)
        backed = Counter(_best(one) for one in self.statements if not one.lacks)
        told = ", ".join(f"{backed[word]} {word}" for word in _BACKINGS if backed[word])
        of_these = f"Beside {sum(backed.values())} of the {sum(wanted.values())} to be corrected"
        said = [
            f"Of {counted(len(self.claims), 'claims')} {', '.join(parts)}.",
            f"{of_these} stands what is true instead ({told})." if backed else "",
            f"Proof steps and misprints with a true form: {steps}." if steps else "",
            f"Proof steps that are false as printed, without one: {open_steps}." if open_steps else "",
        ]
        return " ".join(filter(None, said))


_BACKINGS = ("proved", "certified", "measured")


def _best(one: ShownMending) -> str:
    """The strongest evidence for a repair of a statement."""
    return min((repair.evidence for repair in one.of_statement), key=_BACKINGS.index)


def _state(verdict: Verdict) -> str:
    return "loose" if verdict is Verdict.LOOSE else group_of(verdict)


_CLAUSES = GROUP_CLAUSES | {"loose": ("is loose", "are loose")}


def render(
    found: Mapping[str, Sequence[Mending]],
    titles: Mapping[str, tuple[str, str]],
    *,
    fmt: str = "text",
    width: int = 0,
    unicode: bool = True,
    brief: bool = False,
) -> str:
    """The page for some papers.

    Args:
        found: by key of the paper, all claims that were asked for.
        titles: by key of the paper, its citation key and its title.
        fmt: one of `REPAIR_FORMATS`.
        width: columns of the terminal; 0 is none, and text is `WIDTH` wide.
        unicode: whether letters beyond ASCII can be shown in text.
        brief: whether text says no more of a repair than what it is and what it rests on.

    Raises:
        ValueError: another format.
    """
    if fmt not in REPAIR_FORMATS:
        raise ValueError(f"format must be one of {', '.join(REPAIR_FORMATS)}, got {fmt!r}")
    if fmt == "json":
        said = [record for mendings in found.values() for one in mendings for record in records(one)]
        return json.dumps(said, indent=1, allow_nan=False) + "\n"
    spell = unicode_line if unicode else str
    papers = [PaperRepairs(*titles[key], tuple(shown(one, spell) for one in some)) for key, some in found.items()]
    if fmt == "markdown":
        return _markdown(papers)
    if fmt == "latex":
        return _latex(papers)
    return (_brief if brief else _text)(papers, min(width or WIDTH, WIDTH), is_screen=bool(width))


def beside(mending: Mending, *, width: int = 0, unicode: bool = True) -> list[str]:
    """What stands beside a claim's headline, as lines of text: its repairs, or that it has none; [] for neither."""
    one = shown(mending, unicode_line if unicode else str)
    lines = [*_on_screen(one.of_statement, width), *_tried_on_screen(one, width)]
    lines += _labelled("none", f"no repair: {'; '.join((one.lacks, *one.searched))}", width) if one.lacks else []
    return lines + _on_screen(one.of_steps, width)


# ---------------------------------------------------------------------------------------------------------------- text


def _text(papers: Sequence[PaperRepairs], width: int, *, is_screen: bool) -> str:
    def heading(words: str) -> list[str]:
        return [layout.coloured(line, "bold", int(is_screen)) for line in paragraph(words, width)]

    lines = [] if papers else [*paragraph(NOTHING, width), ""]
    for paper in papers:
        lines += [*heading(f"[{paper.name}] {paper.title}"), *paragraph(paper.summary, width), ""]
        for one in paper.statements:
            lines += heading(f"{one.id}, {one.place}: {one.verdict.value}")
            lines += _labelled("states", one.statement, width)
            lines += [*_on_screen(one.of_statement, width), *_tried_on_screen(one, width), ""]
        lines += [*heading(STEPS), ""] if paper.steps else []
        for one in paper.steps:
            lines += [*heading(f"{one.id}, {one.place}"), *_on_screen(one.of_steps, width)]
            lines += [line for step in one.unmended for line in _labelled("false", f"{step} ({_NO_FORM})", width)]
            lines.append("")
        lines += heading(LACKING) if paper.lacking else []
        lines += [line for words in lacking_words(paper.lacking) for line in paragraph(words, width, 4, first="")]
        lines += [""] if paper.lacking else []
    return "\n".join([*lines, *paragraph(_READ_ALSO, width)]) + "\n"


def _brief(papers: Sequence[PaperRepairs], width: int, *, is_screen: bool) -> str:
    """Each claim in a few lines: its place, what it prints, and the best of what is true instead."""
    also = paragraph(_BRIEF_ALSO, width)
    lines = [] if papers else [*paragraph(NOTHING, width), ""]
    for paper in papers:
        long, short = (_entries(paper, width, most, is_screen=is_screen) for most in (2, 1))
        lines += long if len(long) + len(also) <= SCREENS else short
    return "\n".join([*lines, *also]) + "\n"


def _entries(paper: PaperRepairs, width: int, most: int, *, is_screen: bool) -> list[str]:
    """What is to be corrected in a paper; so many lines at most have what a claim prints."""

    def entry(printed: str, repairs: Sequence[ShownRepair], most: int = 1) -> list[str]:
        known = "; ".join(f"{_briefly(repair)} ({repair.brief})" for repair in repairs)
        true = paragraph(known, width, 4, first="  = ") if repairs else []
        first, *rest = _cut(printed, width, most if len(true) < _MOST_LINES - 1 else 1)
        return [layout.coloured(first, "bold", int(is_screen)), *rest, *true]

    lines = [*_cut(f"[{paper.name}] {paper.title}", width, 1), *paragraph(paper.summary, width)]
    for one in paper.statements:
        printed, repairs = _told_briefly(one)
        place = one.place.partition(";")[0]
        lines += entry(f"{one.id}, {place}, {one.verdict.value}: {printed}", repairs, most)
    lines += paragraph(f"{STEPS}:", width) if paper.steps else []
    for one in paper.steps:
        for repair in one.of_steps:
            lines += entry(f"{one.id}: {repair.printed[0].words}", [repair])
        for step in one.unmended:
            lines += entry(f"{one.id}: {_NO_FORM}: {step}", [])
    lines += paragraph(f"{LACKING}:", width) if paper.lacking else []
    for one in paper.lacking:
        lines += _cut(f"{one.id}, {one.verdict.value}: {'; '.join((one.lacks, *one.searched))}", width, 1)
    return [*lines, ""]


def _cut(words: str, width: int, most: int) -> list[str]:
    """So many lines at most; what does not fit is behind the command."""
    lines = paragraph(words, width, 4, first="")
    if len(lines) <= most:
        return lines
    *whole, last = paragraph(words, width - len(_CUT), 4, first="")[:most]
    return [*whole, last + _CUT]


def _told_briefly(one: ShownMending) -> tuple[str, list[ShownRepair]]:
    """What a statement prints, and of what is true instead the best by a line or lemma and the first law."""
    laws = [repair for repair in one.of_statement if repair.repaired.is_law]
    others = [repair for repair in one.of_statement if not repair.repaired.is_law]
    chosen = [*others[:1], *laws[:1]]
    false = [form.words for repair in others[:1] for form in repair.printed[:1]]
    return false[0] if false else one.statement, chosen


def _briefly(repair: ShownRepair) -> str:
    """A law is its formula, anything else its words."""
    form = repair.repaired
    return ", ".join(formula.text for formula in form.formulas) if form.is_law else form.words


def _on_screen(repairs: Sequence[ShownRepair], width: int) -> list[str]:
    lines = []
    for repair in repairs:
        for form in repair.printed:
            lines += _labelled(_label(repair), form.words, width)
            lines += [line for words in _phrases(form, repair) for line in _labelled("", words, width)]
        lines += _labelled("instead", repair.repaired.words, width)
        lines += [line for words in _phrases(repair.repaired, repair) for line in _labelled("", words, width)]
        lines += _labelled(repair.evidence, repair.told, width)
        lines += _labelled("because", repair.because, width) if repair.because else []
        lines += [line for words in _facts(repair) for line in _labelled("", words, width)]
    return lines


def _label(repair: ShownRepair) -> str:
    """What a lemma that is false is called: a displayed step is printed as it stands, a statement's lemma is ours."""
    return "printed" if repair.of in _OF_STEPS else "false"


def _labelled(label: str, words: str, width: int) -> list[str]:
    return paragraph(words, width, _LABEL + 2, first=f"  {label:{_LABEL}}")


def _tried_on_screen(one: ShownMending, width: int) -> list[str]:
    return [line for part, verdict in one.tried for line in _labelled("tried", f"{part}: {verdict.value}", width)]


def _phrases(form: ShownForm, repair: ShownRepair) -> list[str]:
    """The formulas of a form as text, if short, and where they hold."""
    shown_ = [formula.text for formula in form.formulas if form.is_law or is_short(formula)]
    said = [f"at one point: {' and '.join(shown_)}"] if form.together and shown_ else shown_
    if form is repair.repaired or any(form.formulas == repair.repaired.formulas for _ in form.formulas):
        short = [formula.text for formula in form.where if is_short(formula)]
        said += [f"{_where(form)} {', '.join(short)}"] if short and len(short) == len(form.where) else []
    return said


def _where(form: ShownForm) -> str:
    """What stands before ranges and conditions: a point was sought within them, or it holds for all that meets them."""
    return "within" if form.together else "for"


def is_short(formula: Formula) -> bool:
    """Whether a formula stands on a page of many."""
    return len(formula.text) <= MOST_FORMULA


# ------------------------------------------------------------------------------------------------------------ markdown


def _markdown(papers: Sequence[PaperRepairs]) -> str:
    blocks = [f"# {TITLE}", *([] if papers else [NOTHING])]
    for paper in papers:
        blocks += [f"## {markdown(f'[{paper.name}]')} {markdown(paper.title)}", markdown(paper.summary)]
        rows = [
            [f"{one.place} ({one.id}: {one.verdict.value})", *_cells(one.statement, repair)]
            for one in paper.statements
            for repair in one.of_statement
        ]
        blocks += ["### Statements", grid(_COLUMNS, rows).rstrip()] if rows else []
        rows = [[f"{one.place} ({one.id})", *_cells("", repair)] for one in paper.steps for repair in one.of_steps]
        rows += [[f"{one.place} ({one.id})", step, _NO_FORM, ""] for one in paper.steps for step in one.unmended]
        blocks += [f"### {STEPS}", grid(_COLUMNS, rows).rstrip()] if rows else []
        lacking = [f"- {markdown(words)}" for words in lacking_words(paper.lacking)]
        blocks += [f"### {LACKING}", "\n".join(lacking)] if lacking else []
    return "\n\n".join([*blocks, markdown(_READ_ALSO)]) + "\n"


def _cells(statement: str, repair: ShownRepair) -> list[str]:
    """As printed, what is correct, and how it is known; not escaped."""
    printed = [words for form in repair.printed for words in (form.words, *_phrases(form, repair))]
    instead = [repair.repaired.words, *_phrases(repair.repaired, repair)]
    return ["; ".join(printed) or statement, "; ".join(instead), f"{repair.evidence}. {_said(repair)}"]


def _said(repair: ShownRepair) -> str:
    """What a repair rests on, in sentences."""
    because = [f"because: {repair.because}"] if repair.because else []
    ended = (f"{words[:1].upper()}{words[1:].rstrip('.')}." for words in (*because, *_facts(repair)))
    return " ".join((repair.told, *ended))


def _facts(repair: ShownRepair) -> list[str]:
    return [f"{name}: {words}" for name, words in repair.facts]


def lacking_words(claims: Sequence[ShownMending]) -> list[str]:
    """Claims without a repair, those alike on one line, with what was tried and did not come out for one."""
    alike: dict[str, list[str]] = {}
    for one in claims:
        tried = "".join(f"; tried: {part}: {verdict.value}" for part, verdict in one.tried)
        why = "; ".join((one.lacks, *one.searched))
        alike.setdefault(f"{why}{tried}", []).append(f"{one.id} ({one.verdict.value})")
    return [f"no repair: {why}: {', '.join(names)}" for why, names in alike.items()]


# --------------------------------------------------------------------------------------------------------------- LaTeX


def _latex(papers: Sequence[PaperRepairs]) -> str:
    lines = [rf"% Needs \usepackage{{{','.join(PACKAGES)}}}", r"\begingroup\footnotesize\raggedright"]
    lines += [] if papers else [latex(NOTHING)]
    for paper in papers:
        lines += [rf"\paragraph{{What to correct in {latex(f'[{paper.name}]')}.}} {latex(paper.summary)}", ""]
        lines += _described("Statements", [(one, one.of_statement) for one in paper.statements])
        lines += _described(STEPS, [(one, one.of_steps) for one in paper.steps if one.of_steps])
        false = [f"{one.id}: {step}" for one in paper.steps for step in one.unmended]
        lines += [rf"\noindent\textbf{{False, {latex(_NO_FORM)}:}} {latex('; '.join(false))}.\par"] if false else []
        lines += [rf"\noindent {latex(words)}.\par" for words in lacking_words(paper.lacking)]
    return "\n".join([*lines, r"\endgroup"]) + "\n"


def _described(title: str, claims: Sequence[tuple[ShownMending, Sequence[ShownRepair]]]) -> list[str]:
    """Claims as items that an erratum can take over."""
    if not claims:
        return []
    lines = [rf"\noindent\textbf{{{latex(title)}}}", r"\begin{description}"]
    for one, repairs in claims:
        states = repairs == one.of_statement
        lines.append(
            rf"\item[{{{latex(one.place)}}}] ({latex(one.id)}{f', {latex(one.verdict.value)}' if states else ''})."
        )
        lines += [rf"  \emph{{States:}} {latex(one.statement)}"] if states else []
        for repair in repairs:
            lines += _item(repair)
    return [*lines, r"\end{description}"]


def _item(repair: ShownRepair) -> list[str]:
    """One repair: what is false, what is true instead, on which evidence."""
    lines = [
        rf"  \emph{{{_label(repair).capitalize()}:}} {latex(form.words)}{_typeset(form.formulas)}."
        for form in repair.printed
    ]
    form = repair.repaired
    formulas = _typeset(form.formulas, is_law=form.is_law)
    instead = f"{latex(form.words)}{formulas}{_typeset(form.where, f'{_where(form)} ')}"
    return [
        *lines,
        rf"  \emph{{Instead:}} {instead}.",
        rf"  \emph{{{latex(repair.evidence.capitalize())}:}} {latex(_said(repair))}",
    ]


def _typeset(formulas: Sequence[Formula], before: str = "", *, is_law: bool = False) -> str:
    """Formulas behind words; nothing where one of them is too long for a line."""
    if not formulas or not (is_law or all(map(is_short, formulas))):
        return ""
    texts = [formula.latex or upright(plain(formula.text)) for formula in formulas]
    return f", {before}" + ", ".join(f"${text.replace(_REALS, _BOLD)}$" for text in texts)
