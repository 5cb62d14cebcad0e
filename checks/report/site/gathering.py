"""From a check, its rows and its trials to the page of a claim: which line, figure and formula stands where.

Everything comes from the same rows as `theoremeter table` prints and from the claim that `theoremeter show` prints;
nothing is judged here. Recorded findings lend their words to lines that came out as recorded, and change no verdict.

Calling order: `page_of` -> `_line`, `hypotheses_of`, `formulas_said`; `steps`, `protocols` and `outlook` stand in
modules of their own.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from checks.evidence.check import Check, claim_headline
from checks.evidence.headline import Headline
from checks.evidence.repairs import mending_of
from checks.evidence.typed import command
from checks.records.findings import Finding
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report.explain import fairness_of
from checks.report.explanation_words import sentence
from checks.report.pictures.gathered import Piece
from checks.report.pictures.tables import points_table
from checks.report.pictures.words import heading
from checks.report.repair_forms import shown
from checks.report.site.formulas import claimed_formula, formula_of, range_formula, toward_formula
from checks.report.site.letters import letters_of, meanings
from checks.report.site.model import Because, ClaimPage, Formula, HypothesisFound, Illustration, JudgedOn, ShownLine
from checks.report.site.outlook import outlook_of
from checks.report.site.protocols import protocols_of, runs_of, sizes_of
from checks.report.site.steps import steps_of
from checks.report.site.words import VERDICTS, unsaid
from checks.report.writing import figures as written
from checks.statistics.explanation import ALLOWED, joined, seconds_text
from checks.statistics.policy import level_words
from checks.statistics.verdict import SKIPPING, Quantity, Verdict
from sim.trials.trial import Trial
from theoremeter_papers import paper_of
from theory.claim import Claim, Role
from theory.tried import in_vain

_SHORT = 120
"""Characters of an explanation that is told again."""
_SETTLED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SATISFIABLE)


@dataclass(frozen=True)
class Gathered:
    """What a report is made from: a preset's finished trials, the store as commands name it, and recorded findings.

    `elsewhere` are headlines at another preset, "full: loose", by claim, as far as evidence of it is published.
    `is_published` says that the trials come with the papers, and stand in a store for as long as a command takes.
    """

    preset: Preset
    placement: Placement
    trials: Mapping[str, Trial]
    store: str = ""
    findings: Sequence[Finding] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    is_published: bool = False
    own: Mapping[tuple[str, str], Finding] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", {(finding.id, finding.part): finding for finding in self.findings})

    def other_headline(self, claim: str, verdict: Verdict) -> str:
        """The headline of a claim at another preset, where it is another."""
        found = self.elsewhere.get(claim, "")
        return "" if found.partition(": ")[2] in ("", verdict.value) else found

    def finding(self, row: Row) -> str:
        """The recorded words for a line that came out as recorded; "" for any other."""
        found = self.own.get((row.claim.id, row.part))
        return found.reason if found is not None and found.verdict is row.verdict else ""


def page_of(
    check: Check, rows: Sequence[Row], pieces: Sequence[Piece], given: Gathered, drawings: tuple[Illustration, ...] = ()
) -> ClaimPage:
    """The page of one claim."""
    claim, headline = check.claim, claim_headline(rows)
    deciding = deciding_at(headline, pieces, drawings)
    return ClaimPage(
        id=claim.id,
        paper=claim.paper,
        title=claim.source.place,
        kind=claim.kind.value,
        statement=claim.statement,
        observable=claim.observable.replace("_", " "),
        reading=claim.reading,
        fairness=fairness_of(check),
        value=claimed_formula(claim),
        more_formulas=formulas_said(claim),
        verdict=headline.verdict,
        verdict_words=VERDICTS[headline.verdict],
        figures=written.headline_figures(headline).text,
        scope=headline.scope,
        elsewhere=given.other_headline(claim.id, headline.verdict),
        why=tuple(why_of(rows, headline, given)),
        readings=headline.readings,
        proof_steps=headline.proof_steps,
        lines=_told_once([_line(check, row, headline, given) for row in rows]),
        hypotheses=hypotheses_of(claim, rows),
        protocols=protocols_of(check, rows, given.preset),
        steps=steps_of(check, rows, given.trials),
        outlook=outlook_of(check, rows, pieces, given.preset, given.trials),
        tried=tuple((one.way.value, one.outcome) for one in claim.tried) if headline.verdict in SKIPPING else (),
        unsaid=unsaid(check, headline, given.preset),
        commands=_commands(claim, given),
        drawings=drawings,
        letters=letters_of(claim, meanings(paper)) if (paper := paper_of(claim.paper)) is not None else (),
        mending=shown(mending_of(rows)) if rows else None,
        deciding_at=max(deciding, 0),
        deciding_is_other=deciding < 0,
        uses=claim.uses,
        runs=runs_of(check, given.preset, given.trials),
        sizes=sizes_of(check, given.preset, given.trials),
        also_met=headline.also_met,
    )


def deciding_at(headline: Headline, pieces: Sequence[Piece], drawings: Sequence[Illustration]) -> int:
    """Which drawing shows the line that decides: that of its part, else one that names it; -1 for none of them."""
    part = "" if headline.decisive is None else headline.decisive.part
    own = [piece for piece in pieces if part and part.startswith(piece.part.name)]
    title = heading(max(own, key=lambda piece: len(piece.part.name))) if own else ""
    for at, drawing in enumerate(drawings):
        if title and drawing.title.startswith(title):
            return at
    named = (at for at, drawing in enumerate(drawings) if part in f"{drawing.title} {drawing.told}")
    return next(named, -1 if part else 0)


# --------------------------------------------------------------------------------------------------------------- words


def why_of(rows: Sequence[Row], headline: Headline, given: Gathered) -> Iterator[Because]:
    """The line that decides, and those that disagree with it, in words where they are recorded.

    What speaks for a claim by a proof or a witness needs no words beside its name.
    """
    decisive = headline.decisive or next((row for row in rows if row.part == ""), None)
    if decisive is None:
        return
    is_split = headline.verdict is Verdict.READING_DEPENDENT
    yield _because("as stated" if is_split else "", decisive, given)
    for row in headline.disagreeing:
        yield _because("read otherwise", row, given)
    for row in headline.repairs:
        yield _because("repaired", row, given)


def _because(label: str, row: Row, given: Gathered) -> Because:
    words = given.finding(row)
    if not words and not (label and row.verdict in _SETTLED):
        words = sentence(row)
    return Because(label, row.part, row.verdict, words)


def _commands(claim: Claim, given: Gathered) -> tuple[str, ...]:
    """What measures the claim's trials and prints its lines."""
    options = f" --preset {given.preset}"
    options += f" --placement {given.placement}" if given.placement is not Placement.GRID else ""
    kept = f" --store {shlex.quote(given.store)}" if given.store and not given.is_published else ""
    shown = f"{options} --published" if given.is_published else f"{options}{kept}"
    return (
        f"{command('run', claim.id)}{options}{kept}",
        f"{command('table', claim.id)}{shown} --parts --points --reasons",
    )


# --------------------------------------------------------------------------------------------------------------- lines


def _line(check: Check, row: Row, headline: Headline, given: Gathered) -> ShownLine:
    part = next((part for part in check.parts if row.part.startswith(part.name)), None)
    words = given.finding(row)
    return ShownLine(
        part=row.part,
        role=row.role,
        verdict=row.verdict,
        reason=f"{words} {sentence(row)}" if words else sentence(row),
        details=_details(row),
        put_to=joined(row.explanation.limits.clauses),
        axis=toward_formula(row.axis.symbol, row.axis.toward) if row.axis is not None else None,
        because=part.because if part is not None else "",
        figures=written.figures(row).text,
        facts=tuple(_facts(row)),
        points=points_table(row),
        is_decisive=row is headline.decisive,
        measured=_measured(row),
    )


def _measured(row: Row) -> JudgedOn | None:
    """What a line was judged on; None where it has no points on an axis."""
    values = [(point.value, point.measured) for point in row.points if point.measured is not None]
    if row.axis is None or not values:
        return None
    told = row.explanation
    every = (*told.evidence.clauses, *told.adequacy.clauses, *told.limits.clauses)
    return JudgedOn(
        hashlib.sha256(repr((row.axis.symbol.name, sorted(values))).encode()).hexdigest()[:16],
        written.claimed(row).text,
        tuple(clause.text for clause in told.decision.obstacles),
        tuple(clause.text for clause in every if ALLOWED in clause.figures),
    )


def _details(row: Row) -> tuple[tuple[str, str], ...]:
    """An explanation part by part; what the line was put to has a fold of its own and is not told twice."""
    told = joined(row.explanation.limits.clauses)
    found = [
        (label, words.removesuffix(told).rstrip("; ") if told and label == "limits" else words)
        for label, words in row.explanation.details
        if label != "next" or not in_vain(row.claim.tried)
    ]
    return tuple((label, words) for label, words in found if words)


def _told_once(lines: Sequence[ShownLine]) -> tuple[ShownLine, ...]:
    """Lines with what they share told at the first of them: hypotheses are often word for word the same."""
    first: dict[tuple[str, str], str] = {}
    found = []
    for line in lines:
        here = line.part or "the claim"
        own = []
        for label, words in line.details:
            at = here if len(words) < _SHORT else first.setdefault((label, words), here)
            own.append((label, words if at == here or label == "choices" else f"as of: {at}"))
        found.append(replace(line, details=tuple(own)))
    return tuple(found)


def _facts(row: Row) -> list[tuple[str, str]]:
    """The figures behind a verdict, by name."""
    judgement, effect, exponents = row.judgement, row.judgement.effect, row.judgement.exponents
    kind = row.interval_words + (", exact" if effect.interval_kind == "exact" and row.level else "")
    of_delta = effect.quantity is Quantity.DELTA
    noun = f"{kind} of {effect.quantity}" if effect.quantity else kind
    shown = written.exponents(row)
    delta = written.delta(row).text
    facts = [
        ("along", written.axis_of(row).text),
        ("measured exponent", shown.measured.text if shown else _number(exponents.measured)),
        ("claimed on this grid", written.claimed(row).text),
        (str(effect.quantity or "Δ"), delta),
        ("over the constants", written.over_constants(row).text),
        ("claimed asymptotically", written.asymptotic(row)),
        (noun, str(judgement.confidence_interval or "")),
        (
            f"{level_words(_level_of_equivalence(row))} interval of one-sided tests",
            str(effect.equivalence_interval or "") if of_delta else "",
        ),
        ("margin", _number(effect.margin)),
        ("fitted prefactor", _number(exponents.prefactor)),
        ("Δ between neighbours", ", ".join(f"{delta:+.2f}" for delta in exponents.local_deltas)),
        ("points", str(judgement.n_points or "")),
        ("trials", str(row.protocol.n_trials or "")),
        ("CPU time", seconds_text(row.protocol.seconds) if row.protocol.seconds else ""),
        ("control", "" if row.explanation.limits.clauses else _control(row)),
    ]
    return [(name, value) for name, value in facts if value]


def _level_of_equivalence(row: Row) -> float:
    """Two one-sided tests at half of what a two-sided interval leaves on both sides: 90 % beside 95 %."""
    confidence = row.judgement.effect.confidence
    return row.policy.equivalence_confidence if confidence is None else 2 * confidence - 1


def _control(row: Row) -> str:
    return row.protocol.control.removeprefix("control (").replace("): ", ": ", 1)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


# ------------------------------------------------------------------------------------------------------------ formulas


def formulas_said(claim: Claim) -> tuple[tuple[str, tuple[Formula, ...], str], ...]:
    """Axes, constants and path of a claim: what it is, the formulas, and words beside them."""
    axes = tuple(toward_formula(axis.symbol, axis.toward) for axis in claim.axes)
    found = [("as", axes, "")] if axes else []
    for is_free, words in ((False, "chosen in the claim's favour"), (True, "for every value")):
        constants = [constant for constant in claim.constants if constant.for_all is is_free]
        ranges = tuple(range_formula(constant.symbol, constant.low, constant.high) for constant in constants)
        found += [("hidden constants", ranges, words)] if ranges else []
    if claim.path is not None:
        moves = tuple(
            Formula(f"{symbol} = {image}", f"{formula_of(symbol).latex} = {formula_of(image).latex}")
            for symbol, image in claim.path.moves.items()
        )
        found.append(("along the path", (toward_formula(claim.path.symbol, claim.path.toward), *moves), ""))
    return tuple(found)


def hypotheses_of(claim: Claim, rows: Sequence[Row]) -> tuple[HypothesisFound, ...]:
    """Each hypothesis with the points of the lines that may decide; of other lines where there are none."""
    deciding = [row for row in rows if row.role is Role.STATEMENT]
    used = [row for row in deciding if row.standing.met or row.standing.not_met or row.standing.undetermined]
    used = used or [row for row in rows if row.role is not Role.STATEMENT]
    found = []
    for hypothesis in claim.regime:
        name = hypothesis.name
        counts = {
            kind: sum(getattr(row.standing, kind).get(name, 0) for row in used)
            for kind in ("met", "not_met", "undetermined")
        }
        needed = next((row.standing.needed[name] for row in used if name in row.standing.needed), "")
        on_path = any(name in row.standing.eventually for row in used)
        found.append(
            HypothesisFound(name, formula_of(hypothesis.relation), **counts, needed=needed, eventually=on_path)
        )
    return tuple(found)
