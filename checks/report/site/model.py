"""What the page of a claim says, as records: words, formulas as LaTeX, figures as text, pictures as SVG. No HTML.

Every text is a paper's, a store's or ours, and none of it is escaped here: whoever renders it does that. Numbers are
already text, so that every format prints the same digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.evidence.headline import ProofSteps, Readings
from checks.records.errata import Erratum, Needed
from checks.records.preset import Preset
from checks.report.pictures.model import DataTable
from checks.statistics.explanation import counted
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import SKIPPING, Verdict
from theory.claim import Role

_MOST_STATED, _MOST_FORMULAS, _SHORT = 3, 6, 400
"""Lemmas, formulas of each, and characters of LaTeX, that a statement shows; the rest stands with the proof steps."""


@dataclass(frozen=True)
class Formula:
    """A formula as LaTeX, and as text where nothing typesets it; `latex` is "" where it is too long to be typeset."""

    text: str
    latex: str = ""


@dataclass(frozen=True)
class PanelPicture:
    """One set of axes, drawn: `svg` with the words above it. `wide` where it needs more than a column.

    `spec` is the same picture in the grammar of Vega-Lite, as JSON; "" where it stays as it is drawn.
    """

    title: str
    svg: str
    wide: bool = False
    spec: str = ""


@dataclass(frozen=True)
class Illustration:
    """Panels that belong together, what they show in words, and the figures that they are drawn from.

    `left_out` says what is not drawn, "" for nothing; `over_training` whether it shows a training step by step; `note`
    what whoever looks at it must know beside it.
    """

    title: str
    panels: tuple[PanelPicture, ...]
    told: str
    data: tuple[DataTable, ...] = ()
    left_out: str = ""
    over_training: bool = False
    note: str = ""


@dataclass(frozen=True)
class JudgedOn:
    """What a line was judged on, as far as a line of another claim may be judged on the same and come out otherwise.

    Attributes:
        points: a hash of its axis with every measured value.
        asked: relation and exponent that are claimed, "= -1.00".
        against: what stands against the word that its rule gives.
        allowed: what would stand against it, and why it does not.
    """

    points: str
    asked: str
    against: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownLine:
    """One line of the table: a verdict on one part and axis, with its figures. "" stands for what does not apply.

    Attributes:
        reason: its first sentence. details: its explanation, part by part, under their labels.
        because: why its author gave it this role, with the place in the paper.
        figures: measured against claimed in one phrase.
        facts: name and value of each figure behind the verdict.
        points: claim against measurement, point by point.
        put_to: controls and rivals that were put to its criterion, with what came of each, and what else bounds it.
        measured: None where it has no points.
    """

    part: str
    role: Role
    verdict: Verdict
    reason: str
    axis: Formula | None = None
    because: str = ""
    details: tuple[tuple[str, str], ...] = ()
    put_to: str = ""
    figures: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    points: DataTable | None = None
    is_decisive: bool = False
    measured: JudgedOn | None = None


@dataclass(frozen=True)
class Because:
    """Why a headline is what it is, from one line: `label` says how the text is read there."""

    label: str
    part: str
    verdict: Verdict
    words: str


@dataclass(frozen=True)
class HypothesisFound:
    """A hypothesis and at how many points of the statement lines it is met, not met, or undetermined.

    Attributes:
        needed: constants for which every point would meet it.
        eventually: whether it is met from some size on along the path of some line, whatever its constants.
    """

    name: str
    formula: Formula
    met: int = 0
    not_met: int = 0
    undetermined: int = 0
    needed: str = ""
    eventually: bool = False

    @property
    def word(self) -> str:
        """In one word; "not looked at" where no statement line has points."""
        if self.not_met:
            return "not met"
        if self.undetermined:
            return "undetermined"
        return "met" if self.met else "not looked at"


@dataclass(frozen=True)
class ProtocolOf:
    """What was run for one part.

    Attributes:
        settings: parameter and value or values, those that vary first; where `alike` names another part, the others
            are as there.
        control: what must fail the criterion.
        may_meet: other systems that were put to it, each with the place in the paper that does not exclude it.
        remarks: other words that a reader must know: path, what is left out, notes.
        once: the command of its first trial alone.
        printed: the parameters whose every value the paper prints, each with the place; None where no setting of the
            paper is declared.
    """

    part: str
    role: Role
    kind: str
    simulator: str
    settings: tuple[tuple[str, str], ...]
    counts: str
    control: str = ""
    may_meet: str = ""
    remarks: tuple[str, ...] = ()
    once: str = ""
    alike: str = ""
    printed: Mapping[str, str] | None = None

    @property
    def as_printed(self) -> tuple[tuple[str, str, str], ...]:
        """Settings that are the paper's own, with the place."""
        found = self.printed or {}
        return tuple((name, value, found[name]) for name, value in self.settings if name in found)

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        """All other settings."""
        return tuple((name, value) for name, value in self.settings if name not in (self.printed or {}))


@dataclass(frozen=True)
class Size:
    """What one parameter of a simulator was in the runs of a claim's own statement: numbers from least to most, or one
    word of several. A simulator of which nothing has run has neither name nor values.

    Attributes:
        default: what it is where a run does not set it; "" where every run must.
        is_set: whether each run of the claim sets it.
    """

    simulator: str
    name: str = ""
    values: tuple[float | str, ...] = ()
    default: str = ""
    is_set: bool = True


@dataclass(frozen=True)
class Step:
    """A lemma: a displayed step, or a statement that symbols settle.

    Attributes:
        formulas: its relation, or several that hold together.
        where: ranges and conditions.
        reason, details: as of a line of the table.
        fate: "holds", "holds as corrected", "false as printed", "open"; of what is no step of the paper its verdict.
        instead: name of the nearest true form among the claim's lemmas.
        record: the record of its proof as JSON, which the checker replays; "" where there is none.
    """

    name: str
    role: Role
    formulas: tuple[Formula, ...]
    where: tuple[Formula, ...]
    verdict: Verdict
    fate: str
    reason: str
    details: tuple[tuple[str, str], ...] = ()
    instead: str = ""
    is_misprint: bool = False
    record: str = ""


@dataclass(frozen=True)
class ShownForm:
    """What is asserted: in words, as formulas, and where: ranges and conditions.

    `together` where the formulas are conditions that are to hold at one point; `is_law` for a law that was searched,
    whose formula is shown however long.
    """

    words: str
    formulas: tuple[Formula, ...] = ()
    where: tuple[Formula, ...] = ()
    together: bool = False
    is_law: bool = False


@dataclass(frozen=True)
class ShownRepair:
    """One thing that is true instead.

    Attributes:
        of: what it repairs: "statement", "reading", "proof step", "misprint".
        part: the line that bears it out.
        printed: the lemmas that are false as printed; none where it stands beside the statement as a whole.
        evidence: "measured", "certified" or "proved"; `told` says in a sentence by what.
        because: why it is the repair, with the place in the paper; "" where nobody says.
        brief: what it rests on in a few words: "proved"; "2.7x" of a law, as much more errs the printed form.
        facts: name and words of what else is known: exponents, ranges, rivals, derivation.
    """

    of: str
    part: str
    printed: tuple[ShownForm, ...]
    repaired: ShownForm
    evidence: str
    told: str
    brief: str = ""
    because: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ShownMending:
    """What is true instead of a claim, as far as it is known.

    Attributes:
        lacks: why the statement, which is false, loose or open, has no repair; "" where it has one or needs none.
        searched: what searches that found no law say in its place; told where there is no repair.
        fronts: complexity against error of those searches, each in words.
        tried: what would repair it and did not come out so, each with its verdict.
        unmended: proof steps that are false as printed, without a true form beside them.
    """

    id: str
    place: str
    statement: str
    verdict: Verdict
    of_statement: tuple[ShownRepair, ...] = ()
    of_steps: tuple[ShownRepair, ...] = ()
    lacks: str = ""
    tried: tuple[tuple[str, Verdict], ...] = ()
    unmended: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    fronts: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether anything is to be corrected, or lacks a correction."""
        return bool(self.of_statement or self.of_steps or self.lacks or self.unmended)


@dataclass(frozen=True)
class Outlook:
    """What would decide a line that is open, and what that costs here."""

    part: str
    verdict: Verdict
    words: str
    cost: str = ""


@dataclass(frozen=True)
class ClaimPage:
    """Everything that is known of a claim.

    Attributes:
        title: the claim in a few words: its place in the paper.
        statement: what the paper asserts, in words; `reading` is what had to be settled to read it so.
        fairness: why the headline is one that the paper's authors would accept.
        tried: where the headline is open, ways that were gone to decide it, each with what came of it.
        value: the claimed value, with the sign of its order; `more_formulas` are axes, constants and the path, each
            with its name and words beside it.
        why: the lines that the headline comes from; `verdict_words` what the verdict means.
        scope: how far the headline goes, in phrases.
        elsewhere: the headline at another preset whose evidence is published, "full: loose"; "" where it is the same.
        unsaid: what the page does not say.
        commands: what prints the same lines again.
        letters: what the letters of its formulas and words mean, as far as the paper's notation says.
        mending: what is true instead of it and of its proof steps.
        deciding_at: which of the drawings shows the line that decides, or else stands first.
        deciding_is_other: whether that drawing shows another line than the one that decides.
        uses: ids of claims that its printed proof uses.
        runs: how many trials all of its lines rest on, each counted once, and what they took.
        sizes: of the runs of its statement.
        also_met: systems that lack what it is about and meet its statement as well, each with what came of it.
    """

    id: str
    paper: str
    title: str
    kind: str
    statement: str
    observable: str
    reading: str
    fairness: str
    value: Formula | None
    more_formulas: tuple[tuple[str, tuple[Formula, ...], str], ...]
    verdict: Verdict
    verdict_words: str
    figures: str
    why: tuple[Because, ...]
    readings: Readings
    proof_steps: ProofSteps
    scope: tuple[str, ...] = ()
    elsewhere: str = ""
    lines: tuple[ShownLine, ...] = ()
    hypotheses: tuple[HypothesisFound, ...] = ()
    protocols: tuple[ProtocolOf, ...] = ()
    steps: tuple[Step, ...] = ()
    outlook: tuple[Outlook, ...] = ()
    tried: tuple[tuple[str, str], ...] = ()
    unsaid: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    drawings: tuple[Illustration, ...] = ()
    letters: tuple[tuple[tuple[Formula, ...], str], ...] = ()
    mending: ShownMending | None = None
    deciding_at: int = 0
    deciding_is_other: bool = False
    uses: tuple[str, ...] = ()
    runs: str = ""
    sizes: tuple[Size, ...] = ()
    also_met: tuple[str, ...] = ()

    @property
    def is_put_to(self) -> bool:
        """Whether a line of the statement was put to systems that lack what it is about, and none of them meets any."""
        return not self.also_met and any(each.control for each in self.protocols if each.role is Role.STATEMENT)

    @property
    def evidence(self) -> str:
        """How many of its lines were measured, and how many of its lemmas are settled, in a few words."""
        measured, settled, lemmas = self._counts
        said = [f"{counted(measured, 'lines')} measured"] if measured else []
        said += [f"{settled} of {counted(lemmas, 'lemmas')} settled"] if lemmas else []
        return ", ".join(said) or "nothing measured"

    @property
    def evidence_in_short(self) -> str:
        """The same on a box of the graph, which holds 25 letters."""
        measured, settled, lemmas = self._counts
        if not (measured and lemmas):
            return self.evidence
        return f"{counted(measured, 'lines')}, {settled}/{counted(lemmas, 'lemmas')}"

    @property
    def _counts(self) -> tuple[int, int, int]:
        """Measured lines, settled lemmas, and lemmas."""
        lemmas = {step.name for step in self.steps}
        measured = sum("trials" in dict(line.facts) for line in self.lines if line.part not in lemmas)
        return measured, sum(step.verdict not in SKIPPING for step in self.steps), len(lemmas)

    @property
    def deciding(self) -> Illustration | None:
        """The drawing of the line that decides; None where nothing is drawn."""
        return self.drawings[self.deciding_at] if self.drawings else None

    @property
    def controls(self) -> tuple[tuple[str, str], ...]:
        """By part what must fail its criterion, with what came of it, and else what limits it."""
        found = []
        for line in self.lines:
            said = line.put_to or dict(line.facts).get("control", "")
            found += [(line.part or "the claim", said)] if said else []
        return tuple(found)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """By part what was chosen after data were seen."""
        found = [(line.part or "the claim", dict(line.details).get("choices", "")) for line in self.lines]
        return tuple((part, said) for part, said in found if said)

    @property
    def hypotheses_said(self) -> str:
        """How many hypotheses are met, not met and so on, in words."""
        counts = Counter(found.word for found in self.hypotheses)
        return ", ".join(f"{count} {word}" for word, count in counts.items()) or "none"

    def of_role(self, *roles: Role) -> tuple[ShownLine, ...]:
        """Lines by what they may do to the headline."""
        return tuple(line for line in self.lines if line.role in roles)

    @property
    def statements(self) -> tuple[ShownLine, ...]:
        """The lines that decide."""
        return self.of_role(Role.STATEMENT)

    @property
    def from_lines(self) -> str:
        """How the headline comes from the lines of the statement, the worst of which decides."""
        worst = next((line.verdict for line in self.statements if line.is_decisive), self.verdict)
        if worst is self.verdict:
            return "The worst of them is the headline."
        if self.verdict is Verdict.READING_DEPENDENT:
            rest = "read otherwise the text comes out differently, so the headline is reading-dependent"
        elif self.verdict is Verdict.FALSE_AS_PRINTED:
            rest = "beside it stands a repair, so the headline is false as printed"
        else:
            rest = f"the headline reads {self.verdict.value}, for the reasons under Why"
        return f"The worst of them is {worst.value}; {rest}."

    @property
    def stated(self) -> tuple[Step, ...]:
        """What a claim without a value asserts as mathematics: the first lemmas that are its statement, if short."""
        found = [step for step in self.steps if step.role is Role.STATEMENT and len(step.formulas) <= _MOST_FORMULAS]
        short = [step for step in found if step.formulas and all(0 < len(one.latex) < _SHORT for one in step.formulas)]
        return () if self.value is not None else tuple(short[:_MOST_STATED])

    @property
    def n_stated(self) -> int:
        """How many lemmas are its statement."""
        return sum(step.role is Role.STATEMENT for step in self.steps)


@dataclass(frozen=True)
class PaperPart:
    """A paper with its claims, in the order of the catalogue; `bibtex` cites it."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    url: str
    claims: tuple[ClaimPage, ...]
    bibtex: str
    errata: tuple[Erratum, ...] = ()
    """Where its text is wrong or contradicts itself, as it is recorded."""
    letters: tuple[tuple[tuple[Formula, ...], str], ...] = ()
    """What the letters in the words of its claims mean."""
    theorems_said: tuple[tuple[str, str], ...] = ()
    """Theorems by place, each in a sentence, as far as the paper declares any."""

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many claims came out as what, worst first."""
        found = {verdict: sum(claim.verdict is verdict for claim in self.claims) for verdict in Verdict}
        return {verdict: count for verdict, count in found.items() if count}

    @property
    def needed_errata(self) -> tuple[Erratum, ...]:
        """Those at places that a theorem needs as printed."""
        return tuple(found for found in self.errata if found.needed is Needed.YES)

    @property
    def proof_steps(self) -> ProofSteps:
        """The displayed steps of all claims."""
        names = ("hold", "corrected", "false", "open")
        return ProofSteps(**{name: sum(getattr(claim.proof_steps, name) for claim in self.claims) for name in names})


@dataclass(frozen=True)
class Provenance:
    """What the site was made from: versions by name, the preset, the store's digest, and how sure intervals are."""

    preset: Preset
    store: str
    digest: str
    versions: Mapping[str, str] = field(default_factory=dict)
    bibtex: str = ""
    confidence: float = CONFIDENCE
    is_published: bool = False
    """Whether the trials come with the papers."""
    address: str = ""
    """Where the program is found, "" where its package names no address."""
    took: str = ""
    """What its trials took, all together."""


@dataclass(frozen=True)
class Told:
    """A headline and its figures in words; figures are "" where nobody says them."""

    word: str
    figures: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The word as a verdict; None where it is none of today's."""
        return next((verdict for verdict in Verdict if verdict.value == self.word), None)

    def differs(self, other: Told) -> bool:
        """Whether the word is another one, or both say figures and those are others."""
        return self.word != other.word or bool(self.figures and other.figures and self.figures != other.figures)


@dataclass(frozen=True)
class Beside:
    """Headlines by claim, under the name of what they were made from."""

    name: str
    told: Mapping[str, Told] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """All papers of a report; `beside` are headlines of other evidence, the oldest first."""

    papers: tuple[PaperPart, ...]
    provenance: Provenance
    beside: tuple[Beside, ...] = ()

    @property
    def claims(self) -> Sequence[ClaimPage]:
        """The claims of all papers."""
        return [claim for paper in self.papers for claim in paper.claims]
