"""What becomes of a lemma at drawn points: it holds there, fails as recorded, fails and that is news, or stays open.

No verdict rests on drawn points. They are a test of the lemma, as it stands, by other means than the proof: where the
prover says "proved" and a point says no, one of them is wrong. A lemma of conditions is met the other way round: a
point where all of them hold shows that, and is news where the conditions are recorded as inconsistent.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from checks.evidence import list_lemmas
from checks.evidence.proofs import failed_hypothesis, in_letters_of, problem, shown_refutation
from theory.claim import Claim, Conditions, Lemma, OverLists, Role
from theory.prover.drawn_points import Drawn, examine


@dataclass(frozen=True)
class Drawing:
    """How points are drawn."""

    max_examples: int
    derandomize: bool = True


class Fate(StrEnum):
    """How the test of a lemma ends."""

    HOLDS = "holds"
    OPEN = "open"
    KNOWN = "known"
    NEWS = "news"


def try_lemma(claim: Claim, lemma: Lemma, drawing: Drawing, *, recorded: Collection[str]) -> tuple[Fate, str]:
    """How a lemma of a claim fares at drawn points, and why in one line.

    Args:
        recorded: the verdicts against the lemma that are on record.
    """
    lemma = claim.under_hypotheses(lemma)
    is_sought = isinstance(lemma, Conditions)
    shrink = is_sought == bool(recorded)  # only news is read by anybody
    if isinstance(lemma, OverLists):
        drawn = list_lemmas.examine(
            lemma, max_examples=drawing.max_examples, shrink=shrink, derandomize=drawing.derandomize
        )
    else:
        drawn = examine(
            *problem(lemma), max_examples=drawing.max_examples, shrink=shrink, derandomize=drawing.derandomize
        )
    points = f"{drawn.admitted} drawn {'lists' if isinstance(lemma, OverLists) else 'points'}"
    if drawn.refuted is not None:
        fate, line = _at_point(claim, lemma, drawn, recorded)
    elif drawn.undefined is not None:
        point, subterm = drawn.undefined
        fate, line = Fate.OPEN, f"{subterm} has no value at {', '.join(f'{s} = {v}' for s, v in point.items())}"
    elif drawn.refusal:
        fate, line = Fate.OPEN, drawn.refusal
    elif recorded:
        fate = Fate.KNOWN if is_sought else Fate.OPEN
        line = f"recorded as {', '.join(recorded)}; nothing else at {points}"
    elif is_sought:
        fate, line = Fate.OPEN, f"no point where all hold among {points}"
    else:
        fate = Fate.HOLDS if drawn.admitted else Fate.OPEN
        line = f"holds at {points}" if drawn.admitted else "no drawn point meets the conditions"
    return fate, line


def _at_point(claim: Claim, lemma: Lemma, drawn: Drawn, recorded: Collection[str]) -> tuple[Fate, str]:
    """What a point means where the relation fails, which for conditions is where all of them hold."""
    if drawn.refuted is None:
        raise ValueError("a point must have been found")
    line = shown_refutation(lemma, drawn.refuted.record)
    if isinstance(lemma, Conditions):
        return (Fate.NEWS, f"recorded as {', '.join(recorded)}, but {line}") if recorded else (Fate.HOLDS, line)
    if recorded:
        return Fate.KNOWN, line
    point = drawn.refuted.counterexample
    if isinstance(lemma, OverLists):
        point = in_letters_of(claim, {symbol.name: value for symbol, value in point.items()})
    failed = failed_hypothesis(claim, lemma, point)
    if failed:
        return Fate.OPEN, f"the point fails a hypothesis, {failed}; {line}"
    if claim.role_of(lemma) not in (Role.STATEMENT, Role.PROOF_STEP):
        return Fate.KNOWN, f"{claim.role_of(lemma)}: {line}"
    return Fate.NEWS, line
