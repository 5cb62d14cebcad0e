"""Controls: runs that must fail a criterion, because a criterion that they meet decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Verdict
from sim.sweep import Sweep


@dataclass(frozen=True)
class Control:
    """Runs that must fail a part's criterion: an untrained network, shuffled labels, a planted fault.

    A criterion that the control meets decides nothing, and the part's verdict is withdrawn.
    """

    words: str
    sweeps: Mapping[Preset, tuple[Sweep, ...]]


def held_against(
    rows: Sequence[Row], control: Control, shown: Sequence[bool], *, n_diverged: int, rate: float
) -> list[Row]:
    """The rows with what the control did, withdrawn where it meets the criterion in `rate` of its runs, or in half.

    Args:
        shown: whether each run of the control meets the criterion.
        n_diverged: runs besides. A diverged run fails every criterion and shows nothing, so it does not count.
    """
    met = sum(shown)
    words = f"control ({control.words}): meets the criterion in {met} of {len(shown)} runs"
    words += f", {n_diverged} more diverged" if n_diverged else ""
    told = [replace(row, protocol=replace(row.protocol, control=words)) for row in rows]
    if shown and met < min(0.5, rate) * len(shown):
        return told
    failed = Clause(Topic.CONTROL, f"{words}, so the criterion decides nothing", {"met": met, "runs": len(shown)})
    return [row if row.verdict is Verdict.NO_CLAIM else row.withdrawn(Verdict.INCONCLUSIVE, failed) for row in told]
