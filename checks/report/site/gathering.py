"""From a check, its rows and its trials to the page of a claim: which line, figure and formula stands where.

Everything comes from the same rows as `theoremeter table` prints and from the claim that `theoremeter show` prints;
nothing is judged here. Recorded findings lend their words to lines that came out as recorded, and change no verdict.

Calling order: `page_of` -> `_line`, `hypotheses_of`, `formulas_said`; `steps`, `protocols` and `outlook` stand in modules of
their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.evidence.check import Check, claim_headline
from checks.evidence.headline import Headline
from checks.evidence.typed import command
from checks.records.findings import Finding
from checks.records.preset import Placement, Preset
from checks.records.rows import Point, Row
from checks.report import claims_table
from checks.report.explain import fairness_of
from checks.report.figures.gathered import Piece
from checks.report.site.formulas import formula_of, range_formula, toward_formula
from checks.report.site.model import ClaimPage, DataTable, Drawing, Formula, HypothesisFound, Line
from checks.report.site.outlook import outlook_of
from checks.report.site.protocols import protocols_of
from checks.report.site.steps import steps_of
from checks.report.site.words import VERDICTS, time_words, unsaid
from checks.report.table import point_cells, point_names
from checks.statistics.verdict import Verdict
from sim.trial import Trial
from theory.claim import Claim, Kind, Role

_DECISIVE_FACTS = 6


@dataclass(frozen=True)
class Gathered:
    """What a report is made from: a preset's finished trials, the store they lie in, and recorded findings."""

    preset: Preset
    placement: Placement
    trials: Mapping[str, Trial]
    store: str = ""
    findings: Sequence[Finding] = ()
    own: Mapping[tuple[str, str], Finding] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", {(finding.id, finding.part): finding for finding in self.findings})

    def finding(self, row: Row) -> str:
        """The recorded words for a line that came out as recorded; "" for any other."""
        found = self.own.get((row.claim.id, row.part))
        return found.reason if found is not None and found.verdict is row.verdict else ""


def page_of(
    check: Check, rows: Sequence[Row], pieces: Sequence[Piece], given: Gathered, drawings: tuple[Drawing, ...] = ()
) -> ClaimPage:
    """The page of one claim."""
    claim, headline = check.claim, claim_headline(rows)
    value = formula_of(claim.value) if claim.value is not None else None
    return ClaimPage(
        id=claim.id,
        paper=claim.paper,
        title=claim.source.place,
        kind=claim.kind.value,
        statement=claim.statement,
        observable=claim.observable.replace("_", " "),
        reading=claim.reading,
        fairness=fairness_of(check),
        value=value,
        more_formulas=formulas_said(claim),
        verdict=headline.verdict,
        verdict_words=VERDICTS[headline.verdict],
        figures=claims_table.figures(headline.decisive),
        why=why_of(rows, headline, given),
        readings=headline.readings,
        proof_steps=headline.proof_steps,
        lines=tuple(_line(check, row, headline, given) for row in rows),
        hypotheses=hypotheses_of(claim, rows),
        protocols=protocols_of(check, rows, given.preset),
        steps=steps_of(check, rows, given.trials),
        outlook=outlook_of(check, rows, pieces, given.preset, given.trials),
        unsaid=unsaid(check, headline, given.preset),
        commands=_commands(claim, given),
        drawings=drawings,
    )


# --------------------------------------------------------------------------------------------------------------- words


def why_of(rows: Sequence[Row], headline: Headline, given: Gathered) -> str:
    """Why the headline is what it is: the deciding line, and what disagrees with it, in words where they are recorded."""

    def told(row: Row) -> str:
        said = given.finding(row) or row.judgement.reason
        return f"{row.part}: {said}" if row.part else said

    decisive = headline.decisive
    own = told(decisive) if decisive is not None else next((told(row) for row in rows if row.part == ""), "")
    if headline.verdict is not Verdict.READING_DEPENDENT or decisive is None:
        return own or "No line of it is measured or proved yet."
    others = "; ".join(f"{row.verdict}: {told(row)}" for row in headline.disagreeing)
    return f"As stated {decisive.verdict}: {own} Read otherwise {others}"


def _commands(claim: Claim, given: Gathered) -> tuple[str, ...]:
    """What measures the claim's trials and prints its lines."""
    import shlex

    options = f" --preset {given.preset}"
    options += f" --placement {given.placement}" if given.placement is not Placement.GRID else ""
    options += f" --store {shlex.quote(given.store)}" if given.store else ""
    return (
        f"{command('run', claim.id)}{options}",
        f"{command('table', claim.id)}{options} --parts --points --reasons",
    )


# --------------------------------------------------------------------------------------------------------------- lines


def _line(check: Check, row: Row, headline: Headline, given: Gathered) -> Line:
    part = next((part for part in check.parts if row.part.startswith(part.name)), None)
    words = given.finding(row)
    return Line(
        part=row.part,
        role=row.role,
        verdict=row.verdict,
        reason=f"{words} ({row.judgement.reason})" if words else row.judgement.reason,
        because=part.because if part is not None else "",
        figures=claims_table.figures(row),
        facts=tuple(_facts(row)),
        points=points_table(row),
        is_decisive=row is headline.decisive,
    )


def _facts(row: Row) -> list[tuple[str, str]]:
    """The figures behind a verdict, by name."""
    judgement, effect, exponents = row.judgement, row.judgement.effect, row.judgement.exponents
    kind = {"range": "range", "exact": "95 % interval, exact"}.get(effect.interval_kind or "", "95 % interval")
    of_delta = judgement.delta is not None
    noun = f"{kind} of Δ" if of_delta else kind
    facts = [
        ("claimed exponent", row.display.asymptotic_exponent or ""),
        ("claimed on this grid", _number(exponents.on_grid)),
        ("measured exponent", _number(exponents.measured)),
        ("Δ", f"{judgement.delta:+.3g}" if judgement.delta is not None else ""),
        (noun, str(judgement.confidence_interval or "")),
        ("90 % interval", str(effect.equivalence_interval or "") if of_delta else ""),
        ("margin", _number(effect.margin)),
        ("fitted prefactor", _number(exponents.prefactor)),
        ("Δ between neighbours", ", ".join(f"{delta:+.2f}" for delta in exponents.local_deltas)),
        ("points", str(judgement.n_points or "")),
        ("trials", str(row.protocol.n_trials or "")),
        ("CPU time", time_words(row.protocol.seconds) if row.protocol.seconds else ""),
        ("control", row.protocol.control),
    ]
    return [(name, value) for name, value in facts if value]


def points_table(row: Row) -> DataTable | None:
    """Claim against measurement at each point of a row."""
    if not row.points:
        return None
    names = point_names(row)
    rows = tuple((*point_cells(point)[:-1], _note(point)) for point in row.points)
    return DataTable(row.part, names, rows)


def _note(point: Point) -> str:
    standing = {True: "", False: "outside the hypotheses", None: "hypotheses undetermined"}[point.in_regime]
    told = point_cells(point)[-1].replace("out of regime", "")
    return ", ".join(words for words in (standing, told.strip(", ")) if words)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


# ------------------------------------------------------------------------------------------------------------ formulas


def formulas_said(claim: Claim) -> tuple[tuple[str, Formula, str], ...]:
    """Axes, constants and path of a claim: what it is, the formula, and words beside it."""
    found = [("as", toward_formula(axis.symbol, axis.toward), "") for axis in claim.axes]
    found += [
        (
            "hidden constant",
            range_formula(constant.symbol, constant.low, constant.high),
            "for every value of it" if constant.for_all else "chosen in the claim's favour",
        )
        for constant in claim.constants
    ]
    if claim.path is not None:
        moves = [
            Formula(f"{symbol} = {image}", f"{formula_of(symbol).latex} = {formula_of(image).latex}")
            for symbol, image in claim.path.moves.items()
        ]
        found += [("along the path", moved, claim.path.words if number == 0 else "") for number, moved in enumerate(moves)]
    return tuple(found)


def hypotheses_of(claim: Claim, rows: Sequence[Row]) -> tuple[HypothesisFound, ...]:
    """Each hypothesis with the points of the lines that may decide; of other lines where there are none."""
    deciding = [row for row in rows if row.role is Role.STATEMENT]
    used = [row for row in deciding if row.standing.met or row.standing.not_met or row.standing.undetermined]
    used = used or [row for row in rows if row.role is not Role.STATEMENT]
    found = []
    for hypothesis in claim.regime:
        name = hypothesis.name
        counts = [
            sum(getattr(row.standing, kind).get(name, 0) for row in used)
            for kind in ("met", "not_met", "undetermined")
        ]
        needed = next((row.standing.needed[name] for row in used if name in row.standing.needed), "")
        on_path = any(name in row.standing.eventually for row in used)
        found.append(HypothesisFound(name, formula_of(hypothesis.relation), *counts, needed, on_path))
    return tuple(found)


def asked_words(claims: Sequence[Claim]) -> str:
    """How many statements of which kinds a paper was asked for."""
    counts: dict[Kind, int] = {}
    for claim in claims:
        counts[claim.kind] = counts.get(claim.kind, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count} {kind.value}" for kind, count in ordered)
