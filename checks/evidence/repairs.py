"""What is true instead: the repairs of what a claim states or displays, collected from its judged lines.

Three kinds of lines repair. A lemma that is false as printed names its nearest true form (`instead`); a part or a lemma
has the role of a repair; a search has found a law (`Row.law`). A line repairs only where it came out so: a form that is
refuted, violated or open is named as tried and never as what is true, and a law that the claimed one beats on settings
that neither was fitted on is none. A claim that stands has no repair, since nothing is to be corrected; its misprints
and false proof steps have.

Calling order: `mending_of` -> `_by_lemma`, `_by_role`, `_by_law`, each of which makes a `Repair` of a line or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence import list_lemmas
from checks.evidence.headline import Headline, headline_of, sign
from checks.records.rows import Row
from checks.statistics.verdict import FAILING, UNUSABLE, Interval, Verdict
from theory.claim import Claim, ForSome, Identity, Lemma, Limit, OverLists, Role

if TYPE_CHECKING:
    from checks.search.held_out import HeldOut
    from checks.search.law import RivalLaw, SearchedLaw

NO_PROOF = "measured law, no proof"
"""What stands for the derivation of a repair that has none."""


class Backing(StrEnum):
    """What a repair rests on."""

    PROVED = "proved"
    CERTIFIED = "certified"
    MEASURED = "measured"


class NoRepair(StrEnum):
    """Why what is false, loose or open has no repair beside it."""

    NOT_SEARCHED = "not searched"
    NOTHING_FOUND = "searched, nothing simpler found"


@dataclass(frozen=True)
class Form:
    """What is asserted: in words, and what its formulas are written from; None where words are all there is."""

    words: str
    stated: Claim | Lemma | SearchedLaw | None = None


@dataclass(frozen=True)
class Repair:
    """One thing that is true instead.

    Attributes:
        line: the line that bears it out.
        role: of what it repairs: the statement, another reading of it, or a proof step.
        exponents: of each factor of a law; None where the held-out settings carry no interval.
        constants: by name, those of a law with their intervals, those of a lemma with the range one is chosen from.
        range: of the letters, on which it was found or proved.
        held_out: how a law did on settings that it was not fitted on; None for what is no law.
        rivals: other laws in the same race. alternatives: laws that the settings do not tell from it.
        derivation: names of the lemmas that prove it.
        reasons: lines of lemmas that give a measured law a reason, whole or in part, those that came out for it.
        is_misprint: whether it corrects a slip with one evident correction.
    """

    line: Row
    role: Role
    printed: Form
    repaired: Form
    evidence: Backing
    exponents: Mapping[str, Interval | None] = field(default_factory=dict)
    constants: Mapping[str, Interval] = field(default_factory=dict)
    range: Mapping[str, Interval] = field(default_factory=dict)
    held_out: HeldOut | None = None
    rivals: tuple[RivalLaw, ...] = ()
    alternatives: tuple[str, ...] = ()
    derivation: tuple[str, ...] = ()
    reasons: tuple[Row, ...] = ()
    is_misprint: bool = False

    @property
    def id(self) -> str:
        """The claim that it repairs."""
        return self.line.claim.id

    @property
    def of_statement(self) -> bool:
        """Whether it says what is true instead of the statement, and not of a step or a misprint."""
        return self.role is not Role.PROOF_STEP

    @property
    def derived(self) -> str:
        """What proves it, in words."""
        return "; ".join(self.derivation) or NO_PROOF


@dataclass(frozen=True)
class Mending:
    """What is true instead of a claim and of its proof steps, as far as that is known.

    Attributes:
        repairs: those of the statement first, the best evidence first.
        tried: lines that would repair it and did not come out so.
        unmended: proof steps that are false as printed, without a true form beside them.
        searched: lines of searches that found nothing that repairs it, each with its front.
    """

    claim: Claim
    headline: Headline
    repairs: tuple[Repair, ...] = ()
    tried: tuple[Row, ...] = ()
    unmended: tuple[Row, ...] = ()
    searched: tuple[Row, ...] = ()

    @property
    def is_wanted(self) -> bool:
        """Whether the statement is false, loose or open."""
        return wants_repair(self.headline.verdict)

    @property
    def of_statement(self) -> tuple[Repair, ...]:
        """What is true instead of the statement."""
        return tuple(repair for repair in self.repairs if repair.of_statement)

    @property
    def of_steps(self) -> tuple[Repair, ...]:
        """What is true instead of proof steps, misprints among them."""
        return tuple(repair for repair in self.repairs if not repair.of_statement)

    @property
    def holds_as_read(self) -> bool:
        """Whether only another reading speaks against the statement, so that nothing has to stand in its place."""
        line = self.headline.decisive
        if self.headline.verdict is not Verdict.READING_DEPENDENT or line is None:
            return False
        return sign(line.verdict) > 0 and line.verdict is not Verdict.LOOSE

    @property
    def lacks(self) -> NoRepair | None:
        """Why the statement has no repair; None where it has one, or needs none.

        What is true instead of another reading serves the statement only where the headline depends on the reading.
        """
        divided = self.headline.verdict is Verdict.READING_DEPENDENT
        if not self.is_wanted or self.holds_as_read:
            return None
        if any(divided or one.role is not Role.READING for one in self.of_statement):
            return None
        return NoRepair.NOTHING_FOUND if self.searched else NoRepair.NOT_SEARCHED


def wants_repair(verdict: Verdict) -> bool:
    """Whether a claim with this headline is false, loose or open; what nobody measured is none of these."""
    if verdict in UNUSABLE or verdict in (Verdict.NOT_MEASURED_YET, Verdict.NO_CLAIM):
        return False
    return sign(verdict) <= 0 or verdict is Verdict.LOOSE


def mending_of(rows: Sequence[Row]) -> Mending:
    """What the rows of one claim say is true instead."""
    headline, claim = headline_of(rows), rows[0].claim
    is_wanted = wants_repair(headline.verdict)
    repairs = list(_by_lemma(rows))
    lines = {repair.line.part for repair in repairs}
    candidates = [row for row in rows if row.role is Role.REPAIR and row.part not in lines] if is_wanted else []
    for row in candidates:
        repairs += _by_law(row, rows) if row.law is not None else _by_role(row)
    taken = {id(repair.line) for repair in repairs}
    steps = {repair.printed.words for repair in repairs}
    false = [row for row in rows if row.role is Role.PROOF_STEP and row.verdict in FAILING and row.part not in steps]
    return Mending(
        claim,
        headline,
        tuple(sorted(repairs, key=lambda repair: (not repair.of_statement, [*Backing].index(repair.evidence)))),
        tuple(row for row in candidates if id(row) not in taken and row.law is None),
        tuple(false),
        tuple(row for row in candidates if id(row) not in taken and row.law is not None),
    )


# ------------------------------------------------------------------------------------------------------------- sources

_PRINTED = (Role.STATEMENT, Role.READING, Role.PROOF_STEP)
"""Roles of lemmas that the paper prints."""


def _by_lemma(rows: Sequence[Row]) -> Iterator[Repair]:
    """Lemmas that are false as printed, each with the true form that it names."""
    by_part = {row.part: row for row in rows}
    for lemma in rows[0].claim.lemmas:
        row, instead = by_part.get(lemma.name), by_part.get(lemma.instead)
        if row is None or instead is None or row.role not in _PRINTED or row.verdict not in FAILING:
            continue
        form = _lemma_of(instead)
        if form is None or sign(instead.verdict) <= 0:
            continue
        yield _repair_by_lemma(instead, form, row.role, Form(lemma.name, lemma), is_misprint=lemma.slip)


def _by_role(row: Row) -> Iterator[Repair]:
    """A line of the role, if it came out for the repair."""
    if sign(row.verdict) <= 0:
        return
    printed, lemma = _as_printed(row), _lemma_of(row)
    if lemma is not None:
        yield _repair_by_lemma(row, lemma, Role.STATEMENT, printed)
        return
    ranges = {str(letter): Interval(*row.ranges[letter]) for letter in sorted(row.ranges, key=str)}
    yield Repair(row, Role.STATEMENT, printed, Form(row.part), backing_of(row.verdict), range=ranges)


def _by_law(row: Row, rows: Sequence[Row]) -> Iterator[Repair]:
    """The law that a search found, unless the line is against it, or the claimed law does no worse."""
    law = row.law
    if law is None or not law.found or row.verdict in FAILING | UNUSABLE or not beats_claimed(law):
        return
    constants = {"constant": law.constant_interval}
    if law.offset_interval is not None:
        constants["offset"] = law.offset_interval
    yield Repair(
        row,
        Role.STATEMENT,
        _as_printed(row),
        Form(f"{law.response} = {law.formula}", law),
        Backing.MEASURED,
        exponents={term.factor.text: term.interval for term in law.terms},
        constants=constants,
        range=dict(law.ranges),
        held_out=law.held_out,
        rivals=law.rivals,
        alternatives=law.alternatives,
        reasons=tuple(one for one in rows if one.part in row.reasons and sign(one.verdict) > 0),
    )


def beats_claimed(law: SearchedLaw) -> bool:
    """Whether a law errs less than the claimed one on held-out settings, beyond the interval of the factor; where none
    is claimed, whether it is a law.
    """
    rival = law.claimed_rival
    return rival is None or rival.is_beaten


def backing_of(verdict: Verdict) -> Backing:
    """What a line that came out for a repair rests on."""
    if verdict in (Verdict.PROVED, Verdict.SATISFIABLE):  # an exact point where all conditions hold proves that
        return Backing.PROVED
    return Backing.CERTIFIED if verdict is Verdict.CERTIFIED else Backing.MEASURED


def _repair_by_lemma(row: Row, lemma: Lemma, role: Role, printed: Form, *, is_misprint: bool = False) -> Repair:
    stated = row.claim.under_hypotheses(lemma)
    constants = stated.constants if isinstance(stated, ForSome) else {}
    return Repair(
        row,
        role,
        printed,
        Form(lemma.name, stated),
        backing_of(row.verdict),
        constants={str(letter): _interval(ends) for letter, ends in constants.items()},
        range=_ranges(stated),
        derivation=(lemma.name,),
        is_misprint=is_misprint,
    )


def _as_printed(row: Row) -> Form:
    """The statement, which a repair that names no lemma stands beside."""
    return Form(row.claim.statement, row.claim)


def _lemma_of(row: Row) -> Lemma | None:
    return next((lemma for lemma in row.claim.lemmas if lemma.name == row.part), None)


def _ranges(lemma: Lemma) -> dict[str, Interval]:
    """The box of a lemma, by letter."""
    if isinstance(lemma, Limit):
        return {}
    if isinstance(lemma, OverLists):
        return {str(letter): _interval(ends) for letter, ends in list_lemmas.ranges_of(lemma).items()}
    box = lemma.ranges if isinstance(lemma, Identity) else lemma.box
    return {str(letter): _interval(ends) for letter, ends in box.items()}


def _interval(ends: tuple[sp.Expr | int, sp.Expr | int]) -> Interval:
    low, high = (float(sp.N(end)) for end in ends)
    return Interval(low, high)
