"""What an unmeasured line says: how far the store is, what this machine lacks, and the command that goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from checks.evidence.typed import command
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.rounds import Round
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Verdict
from sim.running.needs import lacks
from sim.trials.errors import MissingReadout
from sim.trials.trial import Outcome, TrialSpec
from theory.claim import Claim


class Unmeasured(Protocol):
    """What is asked of a part."""

    @property
    def cost(self) -> str:
        """What its trials take, in words."""
        ...

    def placed(self, placement: Placement) -> Placement:
        """How its trials are placed."""
        ...

    def specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """Its trials."""
        ...


def missing_words(
    part: Unmeasured,
    claim: Claim,
    preset: Preset,
    rounds: Sequence[Round],
    placement: Placement,
    *,
    lost: Mapping[Outcome, int],
) -> str:
    """How far the store is, and what goes on.

    Args:
        lost: how many trials ended without a result, by how.
    """
    last = rounds[-1]
    adaptive = part.placed(placement) is not Placement.GRID
    where = f" of round {len(rounds)}" if adaptive else ""
    option = f" --placement {placement}" if adaptive else ""
    words = [stored_words(claim, preset, (len(last.found), len(last.specs)), lost, where=where, option=option)]
    return "; ".join([*words, *needs_words(part, last.missing)])


def stored_words(
    claim: Claim,
    preset: Preset,
    counts: tuple[int, int],
    lost: Mapping[Outcome, int],
    *,
    where: str = "",
    option: str = "",
) -> str:
    """How many of how many trials are stored, how many were lost and how, and the command that goes on."""
    told = "".join(f", {number} {outcome}" for outcome, number in sorted(lost.items()))
    count = f"{counts[0]} of {counts[1]} trials{where} stored{told}"
    return f"{count}; {_goes_on(claim, preset, option, lost)}"


def _goes_on(claim: Claim, preset: Preset, option: str, lost: Mapping[Outcome, int]) -> str:
    """The command that measures what is lacking, and what was lost in one way first."""
    retry = " --retry-failed" if Outcome.FAILED in lost else " --retry-timeouts" if lost else ""
    return f"{command('run', claim.id)} --preset {preset}{option}{retry}"


def with_retry(rows: Sequence[Row], claim: Claim, preset: Preset, lost: Mapping[Outcome, int]) -> list[Row]:
    """The rows of what was judged without some lost trials; where these left it open, with what runs them again."""
    again = Clause(Topic.ROUTE, f"the lost runs, measured: {_goes_on(claim, preset, '', lost)}")
    return [row.adding(next=(again,)) if lost and row.verdict is Verdict.INCONCLUSIVE else row for row in rows]


def lacking_words(claim: Claim, preset: Preset, lacking: MissingReadout) -> str:
    """Which readouts the stored trials lack, and what fills them."""
    names = ", ".join(sorted(lacking.asked))
    return f"stored trials lack the readout {names}; {command('run', claim.id)} --preset {preset} replays them"


def control_words(claim: Claim, preset: Preset) -> str:
    """What is said where the trials are there and those of a control are not."""
    return f"the control is not measured; {command('run', claim.id)} --preset {preset}"


def at_another_preset(part: Unmeasured, claim: Claim) -> str:
    """What measures a part that has no trials at the preset asked for; "" where its cost is nothing to speak of."""
    later = next((size for size in Preset if part.specs(size)), None) if part.cost else None
    if later is None:
        return ""
    return "; ".join([f"{command('run', claim.id)} --preset {later}", *needs_words(part, part.specs(later))])


def needs_words(part: Unmeasured, specs: Iterable[TrialSpec]) -> list[str]:
    """What the trials take, and what this machine lacks for the first that lacks something."""
    lacking = next(filter(None, map(lacks, specs)), "")
    return [words for words in (part.cost, lacking) if words]
