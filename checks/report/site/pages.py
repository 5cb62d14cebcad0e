"""Records of a site as HTML: templates with every text escaped, one style and one script inside each page.

A page asks for nothing: no file, no font, no address. Its script is small, and what it does is a convenience: without
it every row, figure and record is there.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jinja2
from markupsafe import Markup

from checks.evidence.headline import ProofSteps
from checks.records.errata import Erratum, Needed
from checks.report.escape import file_name, plain
from checks.report.escape import unique_names as names_of_files
from checks.report.pictures.model import DataTable
from checks.report.pictures.svg import PAGE_STYLE, without_words
from checks.report.repairs_page import BRIEF_ALSO, LACKING, STEPS, TITLE, PaperRepairs, is_short
from checks.report.site import graph, theorems, words
from checks.report.site.beside import compared
from checks.report.site.mathml import mathml
from checks.report.site.model import ClaimPage, Formula, PaperPart, Site, Step
from checks.report.site.prose import brief, found_of, prose
from checks.report.site.siblings import siblings_of
from checks.report.site.steps import CORRECTED, FALSE
from checks.report.writing.figures import figures_words
from checks.report.writing.from_rows import steps
from checks.statistics.explanation import counted
from checks.statistics.policy import level_words
from checks.statistics.verdict import Verdict
from theory.claim import Kind, Role
from theory.tried import Way

_TO_EXPLORE = re.compile(r"/\* explore \*/.*?/\* end \*/\n", re.DOTALL)
_FOLDER = Path(__file__).parent / "templates"
CLAIMS_FOLDER, VEGA = "claims", "vega.js"
_MARKS = {"against": "✕", "reading": "⇄", "open": "○", "for": "✓", "consistent": "=", "none": "·", "unmeasured": "–"}

DISAGREEMENTS = (
    ("against", "What is contradicted, and why"),
    ("reading", "What depends on how the text is interpreted, and why"),
)
"""What the front page tells of a paper before all else, with its headings."""


class Renderer:
    """Turns a site into pages; with `single` all of them are one page, and links lead to places in it.

    With `explores` the file `VEGA` stands beside the front page, and pictures bring what it needs to show them.
    """

    def __init__(self, site: Site, *, single: bool = False, explores: bool = False) -> None:
        self.site, self.single, self.explores = site, single, explores
        self.names = unique_names(claim.id for claim in site.claims)
        self.paper_names = unique_names(paper.key for paper in site.papers)
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_FOLDER),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= _filters()
        environment.globals |= self._names()
        self._environment = environment

    def _names(self) -> dict[str, Any]:
        """What templates know beside their own arguments."""
        return {
            "site": self.site, "single": self.single, "style": asset("site.css"), "script": self._script(),
            "front_style": asset("front.css"), "plot_style": Markup(PAGE_STYLE), "plot_style_of": plot_style_of,
            "slug": self.slug, "link": self.link, "home": self.home, "order": self._order,
            "neighbours": self.neighbours, "graphs": self.graphs, "graph_link": self.graph_link,
            "used_by": self.used_by, "slips_shown": self.slips_shown,
            "label_folds": {"as stated": "numbers", "read otherwise": "readings"},
            "siblings": siblings_of(self.site.claims),
            "specs_of": specs_of, "compared": compared(self.site.claims, self.site.beside),
            "claim_of": {claim.id: claim for claim in self.site.claims}, "explores": self.explores, "web": web_address,
            "mark": mark, "group": words.group_of, "groups": words.GROUPS, "group_words": words.GROUP_WORDS,
            "group_clauses": words.GROUP_CLAUSES,
            "group_marks": _MARKS, "kind_words": words.KIND_WORDS, "roles": words.ROLES, "Role": Role, "asked": asked,
            "more_trials": Way.MORE_TRIALS.value,
            "outcome": outcome, "open_of": open_of,
            "theorems_link": self.theorems_link, "theorems_anchor": self.theorems_anchor,
            "theorem_at": self.theorem_at, "phase_named": theorems.phase_named,
            "paper_of_claim": self._paper_of, "has_whole": has_whole,
            "theorems_of": theorems.theorems_of, "course_of": theorems.course_of, "figures_of": theorems.figures_of,
            "over_training": theorems.over_training, "sizes_of_paper": theorems.sizes_of_paper,
            "table_place": table_place, "first_place": first_place,
            "repairs_link": self.repairs_link, "repairs_of": repairs_of, "has_repairs": self.has_repairs,
            "needs": needs,
            "repairs_also": BRIEF_ALSO, "repairs_title": TITLE, "repairs_steps": STEPS, "repairs_lacking": LACKING,
            "slips_of": slips_of, "anchor": anchor, "steps": steps, "steps_said": steps_said,
            "disagreements": DISAGREEMENTS, "verdicts_of": words.verdicts_of, "totals": totals(self.site),
            "grounds": grounds(self.site), "line_verdicts": line_verdicts(self.site),
            "made_up_of": made_up_of(self.site), "cut_across": cut_across(self.site),
            "verdict_words": words.VERDICTS,
            "level": level_words(self.site.provenance.confidence),
            "level_left": level_words(1 - self.site.provenance.confidence),
            "figures_words": figures_words(level_words(self.site.provenance.confidence)),
        }  # fmt: skip

    def _script(self) -> Markup:
        """The script of every page, without what shows pictures otherwise where nothing can."""
        script = asset("site.js")
        return script if self.explores else Markup(_TO_EXPLORE.sub("", script))

    def slug(self, claim_id: str) -> str:
        """The name of a claim's page, without its ending."""
        return self.names.get(claim_id, file_name(claim_id))

    def link(self, claim_id: str, *, above: bool = False) -> str:
        """Where a claim's page is, seen from the front page, or from the page of another claim (`above`)."""
        if self.single:
            return f"#claim-{self.slug(claim_id)}"
        return f"{'' if above else f'{CLAIMS_FOLDER}/'}{self.slug(claim_id)}.html"

    def home(self, anchor: str = "") -> str:
        """Where the front page is, seen from the page of a claim."""
        return f"#{anchor or 'top'}" if self.single else f"../index.html{f'#{anchor}' if anchor else ''}"

    def repairs_link(self, key: str, *, above: bool = False) -> str:
        """Where the page is that says what to correct in a paper, seen as in `link`."""
        if self.single:
            return f"#repairs-{self.paper_names[key]}"
        return f"{'../' if above else ''}repairs-{self.paper_names[key]}.html"

    def theorems_link(self, key: str, anchor: str = "", *, above: bool = False) -> str:
        """Where the page of a paper as a whole is, or a place on it, seen as in `link`."""
        name = f"theorems-{self.paper_names[key]}"
        if self.single:
            return f"#{self.theorems_anchor(key)}{anchor}" if anchor else f"#{name}"
        return f"{'../' if above else ''}{name}.html{f'#{anchor}' if anchor else ''}"

    def theorems_anchor(self, key: str) -> str:
        """What names of places begin with on that page: where all is one page, no two papers have the same."""
        return f"t-{self.paper_names[key]}-" if self.single else ""

    def theorem_at(self, claim: ClaimPage) -> theorems.TheoremPart | None:
        """The theorem that a claim is of."""
        name = theorems.theorem_named(claim)
        return next((one for one in theorems.theorems_of(self._paper_of(claim)) if one.name == name), None)

    def _paper_of(self, claim: ClaimPage) -> PaperPart:
        return next(paper for paper in self.site.papers if paper.key == claim.paper)

    def whole(self, paper: PaperPart) -> str:
        """The page of a paper as a whole."""
        return self._environment.get_template("theorems.html.j2").render(paper=paper)

    def neighbours(self, claim: ClaimPage) -> list[tuple[str, str]]:
        """The claims before and after one in the order of its paper, each with an arrow."""
        own = [known.id for known in self.site.claims if known.paper == claim.paper]
        at = own.index(claim.id)
        return [("←", known) for known in own[max(at - 1, 0) : at]] + [("→", known) for known in own[at + 1 : at + 2]]

    def used_by(self, claim: ClaimPage) -> list[str]:
        """The claims whose printed proofs use a claim."""
        return [other.id for other in self.site.claims if claim.id in other.uses]

    def slips_shown(self, claim: ClaimPage) -> list[Erratum]:
        """Errors of the printed text that the lines of a claim show."""
        return [slip for paper in self.site.papers for slip in paper.errata if claim.id in slip.claims]

    def graph_link(self, claim_id: str = "", *, above: bool = False) -> str:
        """Where the graph is, or a claim in it, seen as in `link`."""
        is_drawn = claim_id in self._in_graphs
        place = f"g-{self.slug(claim_id)}" if is_drawn else "graph"
        if self.single:
            return f"#{place}"
        return f"{'../' if above else ''}graph.html{f'#{place}' if is_drawn else ''}"

    @cached_property
    def _in_graphs(self) -> frozenset[str]:
        """The claims that stand in a graph: those that use another, are used, or are one of several of a theorem."""
        columns = [column for paper in self.site.papers for column in graph.columns_of(_uses(paper))]
        return frozenset(name for column in columns for name in column)

    def graphs(self) -> list[tuple[PaperPart, Markup]]:
        """Each paper in which a claim uses another, with the graph of its claims."""
        found = []
        for number, paper in enumerate(self.site.papers):
            boxes = [self._box(claim) for claim in paper.claims]
            boxes += [self._whole_box(paper, one) for one in _split_theorems(paper)]
            named = {"name": f"graph-{number}", "title": f"What proofs of {paper.key} use"}
            drawn = graph.drawn(boxes, _uses(paper), **named)
            found += [(paper, Markup(drawn))] if drawn else []
        return found

    def _box(self, claim: ClaimPage) -> graph.GraphBox:
        group = words.group_of(claim.verdict)
        lines = (claim.id, f"{_MARKS[group]} {claim.verdict.value}", claim.evidence_in_short)
        title = f"{claim.id}: {claim.verdict.value}; {claim.title}; {claim.evidence}"
        return graph.GraphBox(claim.id, f"g-{self.slug(claim.id)}", self.link(claim.id), lines, title, group)

    def _whole_box(self, paper: PaperPart, one: theorems.TheoremPart) -> graph.GraphBox:
        """A theorem that is split into several claims, to the left of them."""
        lines = (one.name, counted(len(one.claims), "claims"), f"{len(one.relied_on)} in agreement")
        title = f"{one.name}: {', '.join(claim.id for claim in one.claims)}"
        name = f"g-{self.paper_names[paper.key]}-{one.anchor}"
        return graph.GraphBox(one.name, name, self.theorems_link(paper.key, one.anchor), lines, title, "none")

    def compare(self) -> str:
        """The page of headlines beside those of other evidence."""
        return self._environment.get_template("compare.html.j2").render()

    def graph(self) -> str:
        """The page of the graphs."""
        return self._environment.get_template("graph.html.j2").render()

    def _order(self, claim: ClaimPage) -> int:
        return [known.id for known in self.site.claims].index(claim.id)

    def front(self) -> str:
        """The front page; the whole site where it is one file."""
        script = self._script() + asset("front.js")
        return self._environment.get_template("front.html.j2").render(script=script)

    def claim(self, page: ClaimPage) -> str:
        """The page of one claim."""
        return self._environment.get_template("claim.html.j2").render(claim=page)

    def has_repairs(self, paper: PaperPart) -> bool:
        """Whether there is anything to say on the page of repairs."""
        return repairs_of(paper).says_something or bool(paper.errata)

    def repairs(self, paper: PaperPart) -> str:
        """The page that says what to correct in a paper."""
        return self._environment.get_template("repairs.html.j2").render(paper=paper)


def _filters() -> dict[str, Callable[..., Any]]:
    """What templates do to texts, formulas and pictures; whatever else they print is escaped as it stands."""
    return {
        "prose": prose, "brief": brief, "found_of": found_of, "math": mathml, "mathblock": _block,
        "is_short": is_short, "math_display": _display, "plain": plain, "svg": _svg, "svg_alone": _svg_alone,
        "packed": packed, "groupby_verdict": _by_verdict, "without_words": without_words,
    }  # fmt: skip


def has_whole(paper: PaperPart) -> bool:
    """Whether there is anything to say on the page of a paper as a whole."""
    sizes, figures = theorems.sizes_of_paper(paper), theorems.figures_of(paper)
    return bool(sizes or figures or theorems.theorems_of(paper))


def table_place(claim: ClaimPage, table: DataTable | None) -> str:
    """Where a table of a line's points stands below a picture, as a name on the page; "" where it does not."""
    is_drawn = table is not None and any(table in drawing.data for drawing in claim.drawings)
    return first_place(claim, table) if is_drawn and table is not None else ""


def first_place(claim: ClaimPage, table: DataTable) -> str:
    """Where the figures of a table first stand below a picture of a claim; several pictures may show the same."""
    figures = table.columns, table.rows, table.left_out
    for number, drawing in enumerate(claim.drawings, start=1):
        for at, other in enumerate(drawing.data, start=1):
            if (other.columns, other.rows, other.left_out) == figures:
                return f"data-{number}-{at}"
    return ""


def unique_names(ids: Iterable[str]) -> dict[str, str]:
    """A name for the file of each claim; no two are the same, upper or lower case apart."""
    every = list(dict.fromkeys(ids))
    return dict(zip(every, names_of_files(every), strict=True))


def mark(verdict: Verdict) -> Markup:
    """A verdict with a sign of its group: told apart without colour, and read aloud as the word alone."""
    group = words.group_of(verdict)
    return Markup('<span class="verdict {}"><span class="sign" aria-hidden="true">{}</span> {}</span>').format(
        group, _MARKS[group], verdict.value
    )


def web_address(text: str) -> str:
    """An address of the web, as it may stand in a link; "" for anything else, which a browser might run."""
    try:
        parts = urlsplit(plain(text))
    except ValueError:
        return ""
    return plain(text) if parts.scheme in ("http", "https") and parts.netloc else ""


def asked(paper: PaperPart) -> str:
    """How many claims of which kinds a paper was asked for, the most frequent first."""
    counts = Counter(claim.kind for claim in paper.claims)
    return ", ".join(f"{count} {words.kinds(Kind(kind), count)}" for kind, count in counts.most_common())


def outcome(paper: PaperPart) -> list[tuple[str, list[tuple[Verdict, int]]]]:
    """Counts of a paper's headlines in groups; good news, bad news, open ends, gaps."""
    found = []
    for name in words.GROUPS_TOLD:
        counts = [(verdict, count) for verdict, count in paper.counts.items() if words.group_of(verdict) == name]
        if counts:
            found.append((name, counts))
    return found


def totals(site: Site) -> list[tuple[str, int]]:
    """How many claims of all papers are in each group; those contradicted even where there are none."""
    counts = Counter(words.group_of(claim.verdict) for claim in site.claims)
    return [(name, counts[name]) for name in words.GROUPS if counts[name] or name == "against"]


def grounds(site: Site) -> list[str]:
    """What the counts rest on: how agreement was earned, and what is known of what is contradicted."""
    agree = [claim for claim in site.claims if words.group_of(claim.verdict) == "for"]
    against = [claim for claim in site.claims if words.group_of(claim.verdict) == "against"]
    runs = [[each for each in claim.protocols if each.role is Role.STATEMENT] for claim in agree]
    in_agreement = [
        (sum(not own for own in runs), "by computer algebra alone"),
        (
            sum(claim.is_put_to for claim in agree),
            "against adversaries, all of which fail the criterion",
        ),
        (
            sum(claim.verdict is Verdict.LOOSE for claim in agree),
            "with room to spare (loose), some of which may be among those",
        ),
    ]
    repaired = sum(claim.verdict is Verdict.FALSE_AS_PRINTED for claim in against)
    contradicted = [(repaired, "false as printed, beside a repair that stands so far")]
    return [
        f"of the {len(claims)} {word}, {', '.join(f'{count} {how}' for count, how in found if count)}"
        for claims, word, found in ((agree, "in agreement", in_agreement), (against, "contradicted", contradicted))
        if any(count for count, _ in found)
    ]


def line_verdicts(site: Site) -> list[Verdict]:
    """The verdicts of lines and lemmas that no headline has, the worst first."""
    found = {each.verdict for claim in site.claims for each in (*claim.lines, *claim.steps)}
    found -= {claim.verdict for claim in site.claims}
    return sorted(found, key=lambda verdict: verdict.severity, reverse=True)


def made_up_of(site: Site) -> list[tuple[str, int, list[tuple[Verdict, int]]]]:
    """Every group of `totals` with the headlines that make it up: what is counted under one name adds up to it."""
    found = []
    for name, count in totals(site):
        own = Counter(claim.verdict for claim in site.claims if words.group_of(claim.verdict) == name)
        found.append((name, count, sorted(own.items(), key=lambda item: item[0].severity, reverse=True)))
    return found


def cut_across(site: Site) -> list[str]:
    """Two counts across the groups, each told with that from which it is taken."""
    agree = [claim for claim in site.claims if words.group_of(claim.verdict) == "for"]
    tested = [claim for claim in agree if claim.is_put_to]
    loose = sum(claim.verdict is Verdict.LOOSE for claim in tested)
    wanted = [one for claim in site.claims if (one := claim.mending) is not None and (one.of_statement or one.lacks)]
    repaired = sum(not one.lacks for one in wanted)
    said = []
    if tested:
        parts = f" ({len(tested) - loose} that hold, {loose} that are loose)" if loose else ""
        of_these = f"Of the {len(agree)} in agreement {len(tested)}{parts}"
        met = "; ".join(
            f"{claim.id}, which is not one of these, is met by {', '.join(claim.also_met)}"
            for claim in agree
            if claim.also_met
        )
        fail = f"{of_these} were put to adversaries, all of which fail their criterion"
        said.append(f"{fail}{met and f'; {met}'}.")
    if wanted:
        said.append(_mended(site, len(wanted), repaired))
    return said


def _split_theorems(paper: PaperPart) -> list[theorems.TheoremPart]:
    """The theorems that are split into several claims."""
    return [one for one in theorems.theorems_of(paper) if len(one.claims) > 1 and not one.is_lemma]


def _uses(paper: PaperPart) -> dict[str, Sequence[str]]:
    """What each claim uses, and each theorem that is split: its claims."""
    uses: dict[str, Sequence[str]] = {claim.id: claim.uses for claim in paper.claims}
    return uses | {one.name: [claim.id for claim in one.claims] for one in _split_theorems(paper)}


_UNSETTLED = {name: words.GROUP_CLAUSES[name] for name in ("against", "reading", "open")}
_UNSETTLED |= {"loose": ("is loose", "are loose")}


def _mended(site: Site, n_wanted: int, n_repaired: int) -> str:
    """Beside how many that are no plain agreement stands a repair: groups with the counts that the front page has."""
    states = Counter(
        "loose" if each is Verdict.LOOSE else words.group_of(each) for each in (claim.verdict for claim in site.claims)
    )
    counts = [f"{states[name]} {clause[states[name] != 1]}" for name, clause in _UNSETTLED.items() if states[name]]
    every = sum(states[name] for name in _UNSETTLED)
    rest = every - n_wanted
    left = f" {rest} {'needs' if rest == 1 else 'need'} none as read here." if rest > 0 else ""
    said = " and ".join(filter(None, (", ".join(counts[:-1]), *counts[-1:])))
    return f"{said}: beside {n_repaired} of these {every} stands what is true instead.{left}"


def plot_style_of(claim: ClaimPage) -> Markup:
    """The styles of marks that the pictures of a claim have."""
    drawn = [panel.svg for drawing in claim.drawings for panel in drawing.panels]
    used = {name for svg in drawn for name in _CLASS.findall(svg)}
    return Markup("\n".join(rule for rule in PAGE_STYLE.splitlines() if rule[1:].partition("{")[0] in used))


def specs_of(claim: ClaimPage) -> list[str]:
    """The pictures of a claim that can be explored, one a line of what its page packs: alike, they shrink together."""
    return [panel.spec for drawing in claim.drawings for panel in drawing.panels if panel.spec]


def steps_said(found: ProofSteps) -> str:
    """What became of the displayed steps of a paper's proofs."""
    said = [
        (found.hold, "hold as printed"), (found.corrected, "hold as corrected"),
        (found.false, "are false as printed"), (found.open, "are open"),
    ]  # fmt: skip
    return ", ".join(f"{count} {fate}" for count, fate in said if count)


def open_of(paper: PaperPart) -> list[ClaimPage]:
    """A paper's claims that are left open."""
    return [claim for claim in paper.claims if words.group_of(claim.verdict) == "open"]


def slips_of(paper: PaperPart) -> list[tuple[ClaimPage, Step]]:
    """Displayed steps of a paper that are false as printed, corrected or not, each with its claim."""
    return [
        (claim, step)
        for claim in paper.claims
        for step in claim.steps
        if step.role is Role.PROOF_STEP and step.fate in (FALSE, CORRECTED)
    ]


def repairs_of(paper: PaperPart) -> PaperRepairs:
    """What to correct in a paper."""
    found = tuple(claim.mending for claim in paper.claims if claim.mending is not None)
    return PaperRepairs(paper.key, paper.title, found)


def needs(paper: PaperPart) -> list[tuple[str, int]]:
    """How many recorded errata a theorem needs as printed, how many it may need, and how many not."""
    said = {Needed.YES: "needed by a theorem", Needed.OPEN: "open", Needed.NO: "not needed"}
    counts = Counter(found.needed for found in paper.errata)
    return [(words, counts[answer]) for answer, words in said.items() if counts[answer]]


def anchor(key: str, verdict: Verdict) -> str:
    """The name of the first row of a paper's claims with a headline."""
    return re.sub(r"[^A-Za-z0-9]+", "-", f"rows-{plain(key)}-{verdict.value}")


def _by_verdict(claims: Iterable[ClaimPage]) -> list[tuple[Verdict, list[ClaimPage]]]:
    found: dict[Verdict, list[ClaimPage]] = {}
    for claim in claims:
        found.setdefault(claim.verdict, []).append(claim)
    return list(found.items())


def _block(formula: Formula) -> Markup:
    return mathml(formula, block=True)


def _display(formula: Formula) -> Markup:
    """A formula at the size of a display, in a line with words."""
    return Markup(str(mathml(formula)).replace("<math ", '<math displaystyle="true" ', 1))


def packed(text: str) -> Markup:
    """A text as gzip in letters of base64, a third of its length, which the page's script unpacks."""
    return Markup(base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode())


_CLASS = re.compile(r' class="([a-z])"')
_BETWEEN_MARKS = re.compile(r"(?<=>)\n+(?=<(?!tspan|/text))")
"""Between elements of a picture, of which a site has tens of thousands; a text is left as it is."""
_OF_CLAIM = re.compile(r'(?<=["#( ])c[0-9]+(?=[A-Z]+[0-9td]*["\) ])')
"""What the names inside a picture begin with, so that no two claims of one page have the same."""


def _svg_alone(text: str) -> Markup:
    """The same on a page that has no pictures of other claims."""
    return _svg(_OF_CLAIM.sub("", text))


def _svg(text: str) -> Markup:
    """A picture that this package drew: its texts were escaped when it was written. Its marks need no lines."""
    return Markup(_BETWEEN_MARKS.sub("", text))


def asset(name: str) -> Markup:
    """A file of ours for the inside of a page, without its indents; nothing in it may end the element it stands in."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    if re.search(r"</(style|script)", text, re.IGNORECASE):
        raise ValueError(f"{name} must not end the element that it stands in")
    return Markup("\n".join(line.strip() for line in text.splitlines()))
