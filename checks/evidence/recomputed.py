"""What of a store needs no belief: derived numbers and limits are derived again, certificates re-checked.

Each is done once for its content and the version of the sources (`checks.evidence.theory_cache`), so that asking is
cheap. What a simulator measured is not among it: `theoremeter store verify` runs a sample of that again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from checks.evidence.check import Check, ToolError
from checks.evidence.exponents import Derivation
from checks.evidence.proofs import Proof
from checks.records.preset import Preset
from checks.records.stored_trials import Unjudgeable
from sim.store.fingerprint import key
from sim.trials.trial import Trial
from theory.claim import Limit

KINDS = (
    "exponents derived again",
    "limits derived again",
    "certificates re-checked",
    "left open, nothing to re-check",
)


@dataclass(frozen=True)
class Recomputed:
    """How many of each kind came out as they are stored, and a line for each that did not."""

    counts: Mapping[str, int]
    refused: tuple[str, ...]

    @property
    def words(self) -> str:
        """As `store info` says it; "" where the store holds nothing of the kind."""
        told = ", ".join(f"{self.counts[kind]} {kind}" for kind in KINDS if self.counts.get(kind))
        if not told and not self.refused:
            return ""
        return f"recomputed from the formulas: {told or 'nothing'}, {len(self.refused)} otherwise than stored"


def recomputed(checks: Iterable[Check], trials: Mapping[str, Trial]) -> Recomputed:
    """Judge every proof and every derived number that is stored, by key."""
    counts: Counter[str] = Counter()
    refused = []
    for check in checks:
        for part in check.parts:
            if not isinstance(part, Derivation | Proof):
                continue
            (spec,) = part.specs(Preset.SMOKE)
            if (trial := trials.get(key(spec))) is None:
                continue
            try:
                part.judge(check.claim, [trial])
            except (ToolError, Unjudgeable) as error:
                refused.append(str(error))
            else:
                counts[_kind(part, trial)] += 1
    return Recomputed(counts, tuple(refused))


def _kind(part: Derivation | Proof, trial: Trial) -> str:
    if isinstance(part, Derivation):
        return KINDS[0]
    if "status" in trial.result.observables and trial.result.observables["status"] == "unknown":
        return KINDS[3]
    return KINDS[1] if isinstance(part.lemma, Limit) else KINDS[2]
