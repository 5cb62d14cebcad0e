"""What would decide the open lines of a claim, and what it costs here.

The figures are those of the verdicts themselves (`Judgement.plan`, the constants that would be needed) and of the
seconds of stored trials. `theoremeter plan` searches by simulation for the smallest experiment; that takes minutes, so
a page names the command, and where the verdict has no formula for the number of trials, what one of them costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from checks.evidence.check import Check
from checks.evidence.typed import command
from checks.planning.costs import Costs, preset_cost
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.pictures.gathered import Piece
from checks.report.site.model import Outlook
from checks.statistics.explanation import seconds_text
from checks.statistics.verdict import SKIPPING, Plan, Verdict
from sim.trials.trial import Trial
from theory.claim import ROLES_OF_THE_PAPER
from theory.tried import Way


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
            cost = "" if _is_in_vain(check) and row.judgement.plan is None else _cost(row, piece, preset, trials)
            found.append(Outlook(row.part, row.verdict, words, cost))
    return tuple(found)


def _words(row: Row, check: Check, preset: Preset) -> Iterator[str]:
    plan = row.judgement.plan
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
    if row.judgement.finite_size:
        yield "Larger sizes: the answer may be another one nearer to the limit."
    if plan is not None:
        only = row.judgement.explanation.next.only
        words = f"{_plan_words(plan)} by the formula of the verdict."
        yield f"{only[0].upper()}{only[1:]}: about {words}" if only else f"About {words}"
    if row.verdict is Verdict.INCONCLUSIVE and check.parts and not _is_in_vain(check):
        yield f"`{command('plan', check.claim.id)} --preset {preset}` finds by simulation how many trials decide."


def _is_in_vain(check: Check) -> bool:
    """Whether it is on record that no number of trials decides; then no page may ask how many would."""
    ways = (one.outcome.lower() for one in check.claim.tried if one.way is Way.MORE_TRIALS)
    return any(outcome.startswith("none would do") for outcome in ways)


def _plan_words(plan: Plan) -> str:
    points = f"{plan.n_points} points with " if plan.n_points > 1 else ""
    return f"{points}{plan.n_replicates} trials{' each' if points else ''}"


def _cost(row: Row, piece: Piece | None, preset: Preset, trials: Mapping[str, Trial]) -> str:
    """What the verdict's own plan and the next larger preset cost, from the seconds of the stored trials."""
    if piece is None:
        return "not known here, since nothing of it has run" if row.verdict is Verdict.NOT_MEASURED_YET else ""
    costs = Costs.of(piece.part, piece.trials)
    said = [_of_plan(row, costs)]
    if preset is not Preset.FULL and piece.part.specs(Preset.FULL) != piece.part.specs(preset):
        cost = preset_cost(piece.part, Preset.FULL, costs, trials)
        if cost.n_missing and math.isfinite(cost.seconds):
            words = f"preset full adds {cost.n_missing} trials, {seconds_text(cost.seconds)} of CPU ({cost.source})"
            said.append(words)
    return "; ".join(filter(None, said))


def _of_plan(row: Row, costs: Costs) -> str:
    """What the trials cost that the verdict asks for; of one trial, where it asks for no number."""
    if not costs.seconds or row.verdict is not Verdict.INCONCLUSIVE:
        return ""
    mean = sum(costs.seconds.values()) / len(costs.seconds)
    plan = row.judgement.plan
    if plan is None:
        return f"about {seconds_text(mean)} of CPU a trial; how many are needed takes minutes of simulation to say"
    sizes = max(len({size for _, size in costs.seconds}), 1)
    points = plan.n_points if plan.n_points > 1 else max(len({value for value, _ in costs.seconds}), 1)
    seconds = mean * plan.n_replicates * points * sizes
    return f"about {seconds_text(seconds)} of CPU at the stored trials' mean cost"
