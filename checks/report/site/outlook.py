"""What would decide the open lines of a claim, and what it costs here.

It is the last part of a line's explanation (`Row.explanation.next`), word for word what Data prints of the same line,
so that no line has two costs or two answers. `theoremeter plan` searches by simulation for the smallest experiment;
that takes minutes, so a page names the command, and where the explanation says nothing, what a trial costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from checks.evidence.check import Check
from checks.evidence.typed import command
from checks.planning.costs import Costs, preset_cost
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.pictures.gathered import Piece
from checks.report.site.model import Outlook
from checks.statistics.explanation import Topic, next_text, seconds_text
from checks.statistics.verdict import SKIPPING, Verdict
from sim.trials.trial import Trial
from theory.claim import ROLES_OF_THE_PAPER
from theory.tried import in_vain


def outlook_of(
    check: Check, rows: Sequence[Row], pieces: Sequence[Piece], preset: Preset, trials: Mapping[str, Trial]
) -> tuple[Outlook, ...]:
    """One entry for each line that may decide and is open."""
    by_part = {piece.part.name: piece for piece in pieces}
    found = []
    for row in rows:
        if row.role in ROLES_OF_THE_PAPER and row.verdict in SKIPPING:
            piece = by_part.get(row.part)
            words = " ".join(_words(row, check, preset)) or "What was tried to decide the claim stands under Why."
            cost = (
                "" if in_vain(check.claim.tried) and row.judgement.plan is None else _cost(row, piece, preset, trials)
            )
            found.append(Outlook(row.part, row.verdict, words, cost))
    return tuple(found)


def _words(row: Row, check: Check, preset: Preset) -> Iterator[str]:
    if row.verdict is Verdict.NOT_MEASURED_YET:
        yield f"Its trials; {row.judgement.reason}." if check.parts else "Somebody has to build its trials."
        return
    if row.verdict is Verdict.UNDECIDABLE:
        needed = row.standing.words()
        yield (
            f"Known constants: {needed}."
            if needed
            else "Constants that the paper leaves hidden, or a path inside its hypotheses."
        )
        yield "More trials at these points decide nothing."
        return
    if row.verdict is Verdict.UNKNOWN:
        yield "A longer search for a proof, or a simpler form of the statement."
        return
    if in_vain(check.claim.tried) and row.judgement.plan is None:
        return  # what was tried says it; "points over a factor 4 would decide" stood of an axis that ends at 2
    step = row.explanation.next
    routes = tuple(clause for clause in step.clauses if clause.topic is not Topic.COST)
    words = next_text(replace(step, clauses=routes))
    if row.judgement.finite_size and not words:
        words = "larger sizes may decide: the answer may be another one nearer to the limit"
    if words:
        yield f"{words[0].upper()}{words[1:]}."
    asked = f"`{command('plan', check.claim.id)} --preset {preset}`"
    if step.plan is not None:
        yield f"That is the formula of the verdict; {asked} simulates it."
    elif not words and row.verdict is Verdict.INCONCLUSIVE and check.parts and not in_vain(check.claim.tried):
        yield f"{asked} finds by simulation how many trials decide."


def _cost(row: Row, piece: Piece | None, preset: Preset, trials: Mapping[str, Trial]) -> str:
    """What one trial costs where nobody says how many decide, and the next larger preset."""
    if piece is None:
        return "not known here, since nothing of it has run" if row.verdict is Verdict.NOT_MEASURED_YET else ""
    costs = Costs.of(piece.part, piece.trials)
    said = [_of_one(row, costs)]
    if preset is not Preset.FULL and piece.part.specs(Preset.FULL) != piece.part.specs(preset):
        cost = preset_cost(piece.part, Preset.FULL, costs, trials)
        if cost.n_missing and math.isfinite(cost.seconds):
            words = f"preset full adds {cost.n_missing} trials, {seconds_text(cost.seconds)} of CPU ({cost.source})"
            said.append(words)
    return "; ".join(filter(None, said))


def _of_one(row: Row, costs: Costs) -> str:
    """What a trial costs, where the verdict names neither a number of them nor another way."""
    step = row.explanation.next
    if not costs.seconds or row.verdict is not Verdict.INCONCLUSIVE or next_text(step):
        return ""
    mean = sum(costs.seconds.values()) / len(costs.seconds)
    return f"about {seconds_text(mean)} of CPU a trial; how many are needed takes minutes of simulation to say"
