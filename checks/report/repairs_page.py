"""What to correct in a paper, with what, on which evidence: as text, JSON, markdown, or a fragment of LaTeX.

An author turns it into an erratum. Statements come first, those that are false before those that are loose, depend on
the reading or are open, what is proved before what is measured, each as printed and with what is true instead; then
proof steps and misprints; last, by name, the statements that have no repair, and whether one was searched. The page of
many claims is brief, two screens a paper in every format but JSON: what is printed, what is true instead, and by which
factor or proof. All that a repair rests on is told of a few claims, and of all where it is asked for. The fragment of
LaTeX needs the packages `checks.report.formats.latex.PACKAGES`.
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


BRIEF_ALSO = (
    "'theoremeter repairs ID' tells all of one claim. 'proved', 'certified': a second program has re-checked a "
    "certificate. '2x, at least 1.5x': the printed form, its free constants as suits it best, errs twice as much on "
    "settings that no law was fitted on; 1.5 is the interval's end."
)
"""How to read a brief page."""


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
        """Claims whose statement has a repair, first what an author should change first."""
        return tuple(sorted((one for one in self.claims if one.of_statement), key=_urgency))

    @property
    def steps(self) -> tuple[ShownMending, ...]:
        """Claims with proof steps or misprints that have a true form, or are false and have none."""
        return tuple(one for one in self.claims if one.of_steps or one.unmended)

    @property
    def lacking(self) -> tuple[ShownMending, ...]:
        """Claims that are false, loose or open, and have no repair."""
        return tuple(sorted((one for one in self.claims if one.lacks), key=_urgency))

    @property
    def entries(self) -> tuple[BriefEntry, ...]:
        """What a brief page says of statements."""
        return tuple(BriefEntry(one, *_told_briefly(one)) for one in self.statements)

    @property
    def groups(self) -> tuple[tuple[str, tuple[BriefEntry, ...]], ...]:
        """The same under headings: what is loose or open is not to be corrected, and does not stand as if it were."""
        found: dict[str, list[BriefEntry]] = {}
        for entry in self.entries:
            found.setdefault(heading_of(entry.claim), []).append(entry)
        return tuple((heading, tuple(entries)) for heading, entries in found.items())

    @property
    def step_entries(self) -> tuple[BriefEntry, ...]:
        """What it says of proof steps and misprints, first those without a true form."""
        false = [BriefEntry(one, f"{_NO_FORM}: {step}") for one in self.steps for step in one.unmended]
        found = [BriefEntry(one, repair.printed[0].words, (repair,)) for one in self.steps for repair in one.of_steps]
        return (*false, *found)

    @property
    def summary(self) -> str:
        """How many claims are to be corrected, and how many can be, in sentences."""
        wanted = Counter(_state(one.verdict) for one in self.claims if one.of_statement or one.lacks)
        every = Counter(_state(one.verdict) for one in self.claims)
        parts = [
            f"{count} {_CLAUSES[state][count != 1]}{_beside(state, every[state] - count)}"
            for state, count in wanted.items()
        ]
        unmeasured = sum(one.verdict is Verdict.NOT_MEASURED_YET for one in self.claims)
        others = len(self.claims) - unmeasured
        of_which = f"none of the other {others}" if unmeasured else "none"
        parts += [f"{unmeasured} {GROUP_CLAUSES['unmeasured'][unmeasured != 1]}"] if unmeasured else []
        parts += [f"{of_which} is false, loose or open"] if others and not wanted else []
        steps = sum(len(one.of_steps) for one in self.claims)
        open_steps = sum(len(one.unmended) for one in self.claims)
        backed = Counter(_best(one) for one in self.statements if not one.lacks)
        told = ", ".join(f"{backed[word]} {word}" for word in _BACKINGS if backed[word])
        of_these = f"Beside {sum(backed.values())} of these {sum(wanted.values())}"
        said = [
            f"Of {counted(len(self.claims), 'claims')} {', '.join(parts)}.",
            f"{of_these} stands what is true instead ({told})." if backed else "",
            f"Proof steps and misprints with a true form: {steps}." if steps else "",
            f"Proof steps that are false as printed, without one: {open_steps}." if open_steps else "",
        ]
        return " ".join(filter(None, said))


@dataclass(frozen=True)
class BriefEntry:
    """What a brief page says of a claim: what is printed, and of what is true instead the best."""

    claim: ShownMending
    printed: str
    repairs: tuple[ShownRepair, ...] = ()

    @property
    def place(self) -> str:
        """The first place in the paper."""
        return self.claim.place.partition(";")[0]

    @property
    def known(self) -> str:
        """What is true instead, with what it rests on."""
        return "; ".join(f"{_briefly(repair)} ({repair.brief})" for repair in self.repairs)


_BACKINGS = ("proved", "certified", "measured")
_URGENCY = ("against", "loose", "reading", "open")
"""What an author should change first."""


def _urgency(one: ShownMending) -> tuple[int, int]:
    """The place of a claim among others: how wrong it is, then how well its repair is known."""
    state = _state(one.verdict)
    return (
        _URGENCY.index(state) if state in _URGENCY else len(_URGENCY),
        _BACKINGS.index(_best(one)) if one.of_statement else len(_BACKINGS),
    )


def _best(one: ShownMending) -> str:
    """The strongest evidence for a repair of a statement."""
    return min((repair.evidence for repair in one.of_statement), key=_BACKINGS.index)


def _state(verdict: Verdict) -> str:
    return "loose" if verdict is Verdict.LOOSE else group_of(verdict)


_CLAUSES = GROUP_CLAUSES | {"loose": ("is loose", "are loose")}
_HEADINGS = {
    "against": "To be corrected: contradicted",
    "loose": "True, but loose: what can be said instead",
    "reading": "To be made clear: depends on the reading",
    "open": "Left open: what is known instead",
}
_OTHERS = "Others"
_UNWANTED = ("needs no repair", "need no repair")


def heading_of(one: ShownMending) -> str:
    """Under which heading a claim stands that has a repair."""
    return _HEADINGS.get(_state(one.verdict), _OTHERS)


def _beside(state: str, count: int) -> str:
    """How many more claims other pages count so, which need no repair."""
    one, many = _UNWANTED if state != "reading" else ("holds as it is read here", "hold as they are read here")
    return f" (beside {count} more that {one if count == 1 else many})" if count else ""


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
        brief: whether no more is said of a repair than what it is and what it rests on; JSON has all.

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
        return _markdown(papers, brief=brief)
    if fmt == "latex":
        return _latex(papers, brief=brief)
    return (_brief if brief else _text)(papers, min(width or WIDTH, WIDTH), is_screen=bool(width))


def beside(mending: Mending, *, width: int = 0, unicode: bool = True) -> list[str]:
    """What stands beside a claim's headline, as lines of text: its repairs, or that it has none; [] for neither."""
    one = shown(mending, unicode_line if unicode else str)
    lines = [*_on_screen(one.of_statement, width), *_tried_on_screen(one, width)]
    lines += _labelled("none", f"no repair: {'; '.join((one.lacks, *one.searched))}", width) if one.lacks else []
    lines += [line for words in one.fronts for line in _labelled("front", words, width)]
    return lines + _on_screen(one.of_steps, width)


# ---------------------------------------------------------------------------------------------------------------- text


def _text(papers: Sequence[PaperRepairs], width: int, *, is_screen: bool) -> str:
    def heading(words: str) -> list[str]:
        return [layout.coloured(line, "bold", int(is_screen)) for line in paragraph(words, width)]

    lines = [] if papers else [*paragraph(NOTHING, width), ""]
    for paper in papers:
        lines += [*heading(f"[{paper.name}] {paper.title}"), *paragraph(paper.summary, width), ""]
        for before, one in zip((None, *paper.statements), paper.statements, strict=False):
            if before is None or heading_of(before) != heading_of(one):
                lines += [*heading(f"{heading_of(one)}:"), ""]
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
        lines += [line for one in paper.lacking for front in one.fronts for line in _labelled("front", front, width)]
        lines += [""] if paper.lacking else []
    return "\n".join([*lines, *paragraph(_READ_ALSO, width)]) + "\n"


def _brief(papers: Sequence[PaperRepairs], width: int, *, is_screen: bool) -> str:
    """Each claim in a few lines: its place, what it prints, and the best of what is true instead."""
    also = paragraph(BRIEF_ALSO, width)
    lines = [] if papers else [*paragraph(NOTHING, width), ""]
    for paper in papers:
        long, short = (_entries(paper, width, most, is_screen=is_screen) for most in (2, 1))
        lines += long if len(long) + len(also) <= SCREENS else short
    return "\n".join([*lines, *also]) + "\n"


def _entries(paper: PaperRepairs, width: int, most: int, *, is_screen: bool) -> list[str]:
    """What is to be corrected in a paper; so many lines at most have what a claim prints."""

    def written(head: str, entry: BriefEntry, most: int = 1) -> list[str]:
        true = paragraph(entry.known, width, 4, first="  = ") if entry.repairs else []
        first, *rest = _cut(f"{head}: {entry.printed}", width, most if len(true) < _MOST_LINES - 1 else 1)
        return [layout.coloured(first, "bold", int(is_screen)), *rest, *true]

    lines = [*_cut(f"[{paper.name}] {paper.title}", width, 1), *paragraph(paper.summary, width)]
    for title, entries in paper.groups:
        lines += paragraph(f"{title}:", width)
        for one in entries:
            lines += written(f"{one.claim.id}, {one.place}, {one.claim.verdict.value}", one, most)
    lines += paragraph(f"{STEPS}:", width) if paper.steps else []
    for one in paper.step_entries:
        lines += written(one.claim.id, one)
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


def _told_briefly(one: ShownMending) -> tuple[str, tuple[ShownRepair, ...]]:
    """What a statement prints, and of what is true instead the best by a line or lemma and the first law."""
    laws = [repair for repair in one.of_statement if repair.repaired.is_law]
    others = [repair for repair in one.of_statement if not repair.repaired.is_law]
    chosen = (*others[:1], *laws[:1])
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


def _markdown(papers: Sequence[PaperRepairs], *, brief: bool) -> str:
    blocks = [f"# {TITLE}", *([] if papers else [NOTHING])]
    for paper in papers:
        blocks += [f"## {markdown(f'[{paper.name}]')} {markdown(paper.title)}", markdown(paper.summary)]
        statements, steps = (_brief_rows if brief else _rows)(paper)
        for title, rows in statements.items():
            blocks += [f"### {title}", grid(_COLUMNS, rows).rstrip()]
        blocks += [f"### {STEPS}", grid(_COLUMNS, steps).rstrip()] if steps else []
        said = [*lacking_words(paper.lacking), *([] if brief else _fronts(paper))]
        lacking = [f"- {markdown(words)}" for words in said]
        blocks += [f"### {LACKING}", "\n".join(lacking)] if lacking else []
    return "\n\n".join([*blocks, markdown(BRIEF_ALSO if brief else _READ_ALSO)]) + "\n"


def _rows(paper: PaperRepairs) -> tuple[dict[str, list[list[str]]], list[list[str]]]:
    """Of statements by heading and of steps, with all that a repair rests on."""
    statements: dict[str, list[list[str]]] = {}
    for one in paper.statements:
        statements.setdefault(heading_of(one), []).extend(
            [f"{one.place} ({one.id}: {one.verdict.value})", *_cells(one.statement, repair)]
            for repair in one.of_statement
        )
    steps = [[f"{one.place} ({one.id})", *_cells("", repair)] for one in paper.steps for repair in one.of_steps]
    steps += [[f"{one.place} ({one.id})", step, _NO_FORM, ""] for one in paper.steps for step in one.unmended]
    return statements, steps


def _brief_rows(paper: PaperRepairs) -> tuple[dict[str, list[list[str]]], list[list[str]]]:
    """The same, a row an entry."""

    def row(head: str, entry: BriefEntry) -> list[str]:
        known = "; ".join(repair.brief for repair in entry.repairs)
        return [head, entry.printed, "; ".join(map(_briefly, entry.repairs)), known]

    return (
        {
            title: [row(f"{one.place} ({one.claim.id}: {one.claim.verdict.value})", one) for one in entries]
            for title, entries in paper.groups
        },
        [row(one.claim.id, one) for one in paper.step_entries],
    )


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


def _fronts(paper: PaperRepairs) -> list[str]:
    """What searches that found no repair tried, by claim."""
    return [f"{one.id}: {front}" for one in paper.lacking for front in one.fronts]


# --------------------------------------------------------------------------------------------------------------- LaTeX


def _latex(papers: Sequence[PaperRepairs], *, brief: bool) -> str:
    lines = [rf"% Needs \usepackage{{{','.join(PACKAGES)}}}", r"\begingroup\footnotesize\raggedright"]
    lines += [] if papers else [latex(NOTHING)]
    for paper in papers:
        lines += [rf"\paragraph{{What to correct in {latex(f'[{paper.name}]')}.}} {latex(paper.summary)}", ""]
        if brief:
            for title, entries in paper.groups:
                lines += _brief_items(title, entries, states=True)
            lines += _brief_items(STEPS, paper.step_entries, states=False)
        else:
            for title in dict.fromkeys(map(heading_of, paper.statements)):
                own = [(one, one.of_statement) for one in paper.statements if heading_of(one) == title]
                lines += _described(title, own)
            lines += _described(STEPS, [(one, one.of_steps) for one in paper.steps if one.of_steps])
            false = [f"{one.id}: {step}" for one in paper.steps for step in one.unmended]
            lines += [rf"\noindent\textbf{{False, {latex(_NO_FORM)}:}} {latex('; '.join(false))}.\par"] if false else []
        said = [*lacking_words(paper.lacking), *([] if brief else _fronts(paper))]
        lines += [rf"\noindent {latex(words)}.\par" for words in said]
    return "\n".join([*lines, r"\endgroup"]) + "\n"


def _brief_items(title: str, entries: Sequence[BriefEntry], *, states: bool) -> list[str]:
    """An item an entry: what is printed, what is true instead, and by which factor or proof."""
    if not entries:
        return []
    lines = [rf"\noindent\textbf{{{latex(title)}}}", r"\begin{description}\setlength{\itemsep}{0pt}"]
    for one in entries:
        place, verdict = (one.place, f", {one.claim.verdict.value}") if states else (one.claim.id, "")
        named = f" ({latex(one.claim.id)}{verdict})" if states else ""
        known = "; ".join(f"{_instead(repair)} ({latex(repair.brief)})" for repair in one.repairs)
        said = rf" \emph{{Instead:}} {known}." if known else ""
        lines.append(rf"\item[{{{latex(place)}}}]{named} {latex(one.printed.rstrip('.'))}.{said}")
    return [*lines, r"\end{description}"]


def _instead(repair: ShownRepair) -> str:
    """A law is its formula, anything else its words."""
    form = repair.repaired
    return _typeset(form.formulas, is_law=True).removeprefix(", ") if form.is_law else latex(form.words)


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
