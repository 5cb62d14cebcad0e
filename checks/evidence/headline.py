"""The headline of a claim: what its lines, by their roles, let a reader say of the paper in one word.

Statement lines decide, alone: the worst of their verdicts. Readings can only make the answer depend on the reading,
where one of them has the other sign. Repairs, which change a symbol, excuse nothing: where the printed form is false
they stand beside it. What cannot come out otherwise is consistent, no finding, and so is what a system meets as well
that was put to it as an adversary, be it one that the statement does not exclude. Proof steps are counted, not heard.
Lines outside the hypotheses, questions of our own and derived exponents say nothing about the claim. A headline against
a paper is therefore always earned by the paper's own statement, at points that fail none of its hypotheses.

A headline for a paper says how far it goes. An order is tight only where each of its letters was swept
(`checks.evidence.letters`); with a letter that was not swept it holds, as does a picture, which looks straight for
many an exponent. Where hypotheses hide constants there are two
standings beside the headline (`checks.evidence.both_ways`); what fails with the paper's constants or 1 does not hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from checks.evidence.letters import NO_LETTERS, Letters, letters_of
from checks.records.standing import Standings
from checks.statistics.explanation import Topic, size_words
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Quantity, Verdict, worst
from theory.claim import Kind, Lemma, Role

if TYPE_CHECKING:
    from checks.records.rows import Row


class Readings(StrEnum):
    """Whether the readings of an ambiguous text agree in sign, with the statement's verdict and with each other."""

    ONE = "one"
    AGREE = "agree"
    """One reading at least comes out as the statement does, and none the other way."""
    DIFFER = "differ"
    OPEN = "open"
    """The statement is undecided, or every reading is, and no two contradict each other."""


Fate = Literal["hold", "corrected", "false", "open"]
"""What becomes of a displayed step; corrected is a misprint whose one evident correction holds."""


@dataclass(frozen=True)
class ProofSteps:
    """Displayed steps of a proof by what became of them.

    Only a misprint counts as corrected. A step that is false as printed stays so, whatever is true instead.
    """

    hold: int = 0
    corrected: int = 0
    false: int = 0
    open: int = 0

    @property
    def total(self) -> int:
        """All steps."""
        return self.hold + self.corrected + self.false + self.open

    def __str__(self) -> str:
        said = [(self.hold, "hold"), (self.corrected, "as corrected"), (self.false, "false"), (self.open, "open")]
        return ", ".join(f"{count} {words}" for count, words in said if count)


@dataclass(frozen=True)
class Headline:
    """One claim in one line.

    Attributes:
        verdict: of the statement lines, or reading-dependent, or false as printed.
        decisive: the statement line that the verdict comes from, None where there is none.
        readings: whether other readings agree in sign.
        disagreeing: the readings that do not.
        repairs: where the printed form is false, the repairs that hold or are not refuted.
        proof_steps: counted by what became of them.
        letters: which letters of a claimed order were swept.
        standings: what the statement lines come to by either way to take hidden constants; None where none is hidden.
        also_met: systems that meet the statement lines as well, and that the statement does not exclude.
        excludes: which rivals of the statement its lines tell it from, where that is not all of them.
        against: where the statement is open, the readings that are decided against it, or whose points fail it.
        expects: of a control, a claim that is false on purpose: the verdict that must come out.
        one_sided: of an order from both sides, the statement lines that judge one, each with what both come to.
        later: criteria of statement lines that were set after their trials were seen, in words.
        fails_with_own: with the paper's constants or 1, the first statement line that fails.
        outside: where no line has points that may meet the hypotheses, the lines whose points fail one.
        climbs: of explicit bounds that hold, which come nearer to 1 along their axis, and where they would reach it.
        but_for: constants of the claim's own order that are not 1 where it stands with the paper's constants or 1.
    """

    verdict: Verdict
    decisive: Row | None
    readings: Readings
    disagreeing: tuple[Row, ...]
    repairs: tuple[Row, ...]
    proof_steps: ProofSteps
    letters: Letters = NO_LETTERS
    standings: Standings | None = None
    also_met: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    against: tuple[Row, ...] = ()
    one_sided: tuple[tuple[Row, Verdict], ...] = ()
    expects: Verdict | None = None
    fails_with_own: Row | None = None
    later: tuple[str, ...] = ()
    but_for: tuple[str, ...] = ()
    climbs: tuple[str, ...] = ()
    outside: tuple[Row, ...] = ()

    @property
    def control(self) -> str:
        """Of a claim that is false on purpose: that it is one, and whether it came out as declared; "" elsewhere."""
        if self.expects is None:
            return ""
        if self.as_declared:
            return f"control, false on purpose: {self.verdict}, as declared"
        if sign(self.verdict) == 0:
            return f"control, false on purpose: declared {self.expects}, open"
        row, at = self.decisive, ""
        if row is not None and row.claim.kind.is_scaling and sign(self.verdict) > 0:
            at = f" at margin {row.claim.margin} (Claim.margin; less, and more data, tells nearer rivals)"
        return f"control, false on purpose: declared {self.expects}, but {self.verdict}{at}"

    @property
    def as_declared(self) -> bool:
        """Whether a control came out as it must."""
        return self.expects is not None and self.verdict is self.expects

    @property
    def scope(self) -> tuple[str, ...]:
        """How far the headline goes, in phrases.

        Its letters, what the decisive line is also met by, which rivals it excludes, and what it comes to by either way
        to take constants; what judges half of an order only, and which readings fail where the statement is open.
        """
        told = [self.control] if self.control else []
        told += [*self.later, *self.climbs]
        told += [self.letters.words] if self.letters.words else []
        told += [
            f"{row.part}: its {row.judgement.effect.relation} half alone, both halves {both}"
            for row, both in self.one_sided
        ]
        told += [f"its boundary is that of {chosen}" for chosen in _constants_of_boundary(self.decisive)]
        told += [f"read otherwise, {row.part}: {_against(row)}" for row in self.against]
        told += [f"also met by {', '.join(self.also_met)}, not excluded by the statement"] if self.also_met else []
        told += self.excludes
        if self.standings is not None:
            failing = self.fails_with_own
            where = f" ({failing.part})" if failing is not None and failing is not self.decisive else ""
            stands = sign(self.standings.own) > 0
            own = ", but for ".join([OWN_SETTINGS, *(self.but_for if stands else ())])
            found = NO_RUN_INSIDE if self.standings.own is Verdict.OUT_OF_REGIME else f"{self.standings.own}{where}"
            told.append(f"{WHATEVER}: {self.standings.whatever}; {own}: {found}")
            stands = any(sign(verdict) > 0 for verdict in (self.standings.whatever, self.standings.own))
            needed = _constants_needed(self.decisive)
            told += [f"its points need {', '.join(needed)}"] if needed and sign(self.verdict) > 0 and not stands else []
        return tuple(told)


def _against(row: Row) -> str:
    """What a reading comes to that fails beside an open statement."""
    by_rule = row.judgement.explanation.decision.by_rule
    return f"{by_rule} at its points, of which hypotheses are undecidable" if fails_there(row) else str(row.verdict)


WHATEVER, OWN_SETTINGS = "whatever the constants", "with the paper's constants or 1"
"""What the two standings of a claim are called wherever they are printed."""
NO_RUN_INSIDE = "no run meets every hypothesis, so none speaks"
"""Of the second, beside lines whose runs fail none whatever the constants."""


def headline_of(rows: Sequence[Row]) -> Headline:
    """The headline of one claim's rows."""
    statements = [row for row in rows if row.role is Role.STATEMENT]
    readings = [row for row in rows if row.role is Role.READING]
    verdict = _verdict_of_statements(rows, statements)
    is_open = sign(verdict) == 0
    leaning = sign(verdict) or -any(_heard(row, rows) is verdict and fails_there(row) for row in statements)
    disagreeing = [row for row in readings if leaning and _disagrees(row, leaning, [*statements, *readings])]
    agreement = Readings.DIFFER if disagreeing else _agreement(verdict, readings)
    decisive = _weakest([row for row in statements if _heard(row, rows) is verdict])
    is_false = sign(verdict) < 0 and verdict is not Verdict.VACUOUS
    repairs = [row for row in rows if is_false and row.role is Role.REPAIR and sign(row.verdict) > 0]
    if disagreeing:
        verdict = Verdict.READING_DEPENDENT
    elif repairs:
        verdict = Verdict.FALSE_AS_PRINTED
    elif sign(verdict) > 0 and any(is_misprint(row) and corrections_of(row, statements) for row in rows):
        verdict = Verdict.HOLDS_MISPRINTED
    elif sign(verdict) > 0 and any(row.claim.by_construction for row in rows):
        verdict = Verdict.CONSISTENT
    letters, standings = letters_of(rows), _standings(statements)
    is_picture = any(row.claim.kind is Kind.FIGURE for row in rows)
    if verdict is Verdict.TIGHT and (letters.unswept or is_picture):
        verdict = Verdict.HOLDS
    also = tuple(dict.fromkeys(words for row in statements for words in row.protocol.also_met))
    if also and verdict in HELD:
        verdict = Verdict.CONSISTENT
    if sign(verdict) > 0 and standings is not None and standings.own in FAILING:
        verdict = Verdict.UNDECIDABLE
    found = tuple(disagreeing), tuple(repairs)
    excludes = tuple(dict.fromkeys(row.protocol.excludes for row in statements if row.protocol.excludes))
    fail = [row for row in readings if sign(row.verdict) < 0 or fails_there(row)]
    against = tuple(fail) if is_open and not disagreeing else ()
    sides, expects = _one_sided(statements, readings), rows[0].expects if rows else None
    failing = next((row for row in statements if row.standings is not None and row.standings.own in FAILING), None)
    told = (clause for row in statements for clause in row.judgement.explanation.about(Topic.LATER))
    later = tuple(dict.fromkeys(clause.text for clause in told))
    but_for = tuple(dict.fromkeys(row.protocol.but_for for row in statements if row.protocol.but_for))
    climbs = tuple(words for row in statements for words in _climb(row)) if sign(verdict) > 0 else ()
    is_out = verdict is Verdict.OUT_OF_REGIME and decisive is None
    outside = tuple(row for row in rows if row.role is Role.OUTSIDE) if is_out else ()
    said = (also, excludes, against, sides, expects, failing, later, but_for, climbs, outside)
    return Headline(verdict, decisive, agreement, *found, count_steps(rows), letters, standings, *said)


def _climb(row: Row) -> Iterator[str]:
    """That a bound is neared along the axis of a line, and where it would be reached."""
    for clause in row.judgement.explanation.about(Topic.GRID):
        if row.axis is not None and isinstance(reach := clause.figures.get("reach"), float):
            place = f"{row.axis.symbol} = {size_words(reach, 2)}"
            yield f"{row.part}: nears its bound along {row.axis.symbol}, and going on so reaches it near {place}"


def _weakest(deciding: Sequence[Row]) -> Row | None:
    """Of the lines that a verdict comes from, the one whose figures stand beside it: the first.

    Where that is a rate that was reached, the rate that is shown least, so that the best of several is never printed.
    """
    rates = [row for row in deciding if row.judgement.effect.quantity is Quantity.RATE and sign(row.verdict) > 0]
    first = next(iter(deciding), None)
    if first not in rates or any(row.judgement.effect.relation == "upper" for row in rates):
        return first
    return min(rates, key=lambda row: interval.low if (interval := row.judgement.effect.confidence_interval) else 1.0)


HELD = (Verdict.HOLDS, Verdict.TIGHT, Verdict.HOLDS_MISPRINTED)
"""Headlines that say more than a system can have that lacks what the claim is about; *loose* says how little is
needed."""


def _one_sided(statements: Sequence[Row], readings: Sequence[Row]) -> tuple[tuple[Row, Verdict], ...]:
    """Statement lines that judge half of an order from both sides, each with the reading of its trials that asks both.

    The line names it (`Row.whole`).
    """
    halves = [row for row in statements if row.claim.kind is Kind.TIGHT and row.judgement.effect.relation in _ONE_SIDE]
    return tuple(
        (row, other.verdict)
        for row in halves
        for other in readings
        if other.part == row.whole and other.judgement.effect.relation == "tight"
    )


_ONE_SIDE = ("upper", "lower")


def _standings(statements: Sequence[Row]) -> Standings | None:
    """The worst of the statement lines by either way to take constants; None where no line rests on hidden ones.

    Lines that say nothing there are not heard beside others that do, and sweep no letter: an order is tight there only
    in letters that were swept there. A proof accuses, and does not speak for them.
    """
    both = [row.standings for row in statements if row.standings is not None]
    if not both:
        return None
    others = [row.verdict for row in statements if row.standings is None]

    def heard(way: Callable[[Standings], Verdict]) -> Verdict:
        speaking = [row for row in statements if row.standings is None or way(row.standings) not in _SILENT]
        said = [way(row.standings) for row in speaking if row.standings is not None] or [way(one) for one in both]
        found = worst([worst(said), *others])
        return Verdict.HOLDS if found is Verdict.TIGHT and letters_of(speaking).unswept else found

    return Standings(heard(lambda one: one.whatever), heard(lambda one: one.own))


_SILENT = (Verdict.OUT_OF_REGIME, Verdict.UNDECIDABLE)
"""What a line comes to that says nothing of the claim by one way to take constants."""


def _constants_of_boundary(row: Row | None) -> list[str]:
    """The constants, in words, at which the boundary of a line's axis was taken."""
    if row is None or row.axis is None or isinstance(row.axis.toward, str):
        return []
    chosen = [clause.figures.get("chosen") for clause in row.judgement.explanation.about(Topic.CONSTANTS)]
    return [words for words in chosen if isinstance(words, str)]


def _constants_needed(row: Row | None) -> list[str]:
    """The hidden constants, in words, for which a line's points meet the hypotheses."""
    if row is None:
        return []
    hiding = {hypothesis.name for hypothesis in row.claim.regime if hypothesis.hidden}
    return [words for name, words in row.standing.needed.items() if name in hiding]


def _agreement(verdict: Verdict, readings: Sequence[Row]) -> Readings:
    """Whether readings agree of which none comes out against the verdict."""
    if not readings:
        return Readings.ONE
    found = {sign(row.verdict) for row in readings}
    if {1, -1} <= found:
        return Readings.DIFFER
    return Readings.AGREE if sign(verdict) and sign(verdict) in found else Readings.OPEN


def _verdict_of_statements(rows: Sequence[Row], statements: Sequence[Row]) -> Verdict:
    unusable = [row.verdict for row in rows if row.verdict in UNUSABLE]
    if any(row.claim.kind is Kind.OPEN for row in rows) and not unusable:
        measured = any(row.verdict is not Verdict.NOT_MEASURED_YET for row in rows)
        return Verdict.NO_CLAIM if measured else Verdict.NOT_MEASURED_YET
    if statements:
        return worst(_heard(row, rows) for row in statements)
    if rows and all(row.role is Role.DERIVED for row in rows):
        return Verdict.NO_CLAIM
    outside = any(row.role is Role.OUTSIDE for row in rows)
    return Verdict.OUT_OF_REGIME if outside else Verdict.NOT_MEASURED_YET


def corrections_of(row: Row, statements: Sequence[Row]) -> list[Row]:
    """The statements that stand in the place of a misprint."""
    lemma = _lemma(row)
    return [other for other in statements if lemma is not None and lemma.instead and other.part == lemma.instead]


def _heard(row: Row, rows: Sequence[Row]) -> Verdict:
    """What a statement says of the paper: a correction accuses only where what is printed is false.

    Otherwise the slip is none, the correction is ours, and the printed form speaks for itself.
    """
    printed = [other.verdict for other in rows if _is_slip(other) and row in corrections_of(other, [row])]
    spared = [verdict for verdict in printed if verdict not in FAILING]
    return worst(spared) if spared and row.verdict in FAILING else row.verdict


def _lemma(row: Row) -> Lemma | None:
    return next((lemma for lemma in row.claim.lemmas if lemma.name == row.part), None)


def _is_slip(row: Row) -> bool:
    lemma = _lemma(row)
    return lemma is not None and lemma.slip


def sign(verdict: Verdict) -> int:
    """-1 against the claim, +1 for it, 0 where nothing is decided."""
    if verdict in FAILING:
        return -1
    return 0 if verdict in SKIPPING or verdict in UNUSABLE or verdict is Verdict.NO_CLAIM else 1


def fails_there(row: Row) -> bool:
    """Whether the points fail the claim, and only hidden constants keep that from counting against it.

    Points that are good enough to speak for a claim's siblings are good enough to speak against it: where another
    reading alone holds, the headline depends on the reading.
    """
    return row.verdict is Verdict.UNDECIDABLE and row.judgement.explanation.decision.by_rule in FAILING


def _disagrees(reading: Row, leaning: int, heard: Sequence[Row]) -> bool:
    """Whether a reading comes out against the way the statement leans.

    Points at which a line that is heard holds are good enough to speak against it by another reading of the same.
    """
    if sign(reading.verdict) == -leaning:
        return True
    at_same = any(row.standing.is_that_of(reading.standing) and sign(row.verdict) > 0 for row in heard)
    return leaning > 0 and at_same and fails_there(reading)


def is_misprint(row: Row) -> bool:
    """Whether a row is a step that is false as printed, by a slip with one evident correction."""
    return _is_slip(row) and row.verdict in FAILING


def count_steps(rows: Sequence[Row]) -> ProofSteps:
    """Proof steps by what became of them; a misprint is corrected where the form that was meant is settled."""
    verdicts = {row.part: row.verdict for row in rows}
    steps = [row for row in rows if row.role is Role.PROOF_STEP]
    fates = Counter(fate_of(row.verdict, _lemma(row), verdicts) for row in steps)
    return ProofSteps(**fates)


def fate_of(verdict: Verdict, lemma: Lemma | None, verdicts: Mapping[str, Verdict]) -> Fate:
    """What became of a step; `verdicts` are those of all lines by part."""
    if verdict not in FAILING:
        return "hold" if sign(verdict) > 0 else "open"
    is_corrected = lemma is not None and lemma.slip and sign(verdicts.get(lemma.instead, Verdict.UNKNOWN)) > 0
    return "corrected" if is_corrected else "false"
