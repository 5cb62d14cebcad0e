"""What a store says that a checklist asks: headlines, hypotheses, steps of proofs, intervals, trials and their cost.

Figures are counted from rows and trials alone. Rows of one part may share trials; seconds and runs are therefore
counted over trials, each once.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checks.evidence.check import Check, claim_headline
from checks.evidence.headline import Headline, ProofSteps, sign
from checks.records.rows import Row
from checks.statistics.verdict import FAILING, Verdict
from sim.store.store import fingerprint
from sim.trials.trial import Trial
from theory.claim import Claim, Kind, Role


@dataclass(frozen=True)
class ClaimFacts:
    """What is known of one claim."""

    claim: Claim
    headline: Headline
    rows: tuple[Row, ...]

    @property
    def id(self) -> str:
        """Its id."""
        return self.claim.id

    @property
    def measured(self) -> tuple[Row, ...]:
        """Statement lines that rest on trials of a simulator: they have points, a rate or a slope, or say of trials."""
        lemmas = {lemma.name for lemma in self.claim.lemmas}
        return tuple(
            row for row in self.rows if row.role is Role.STATEMENT and row.protocol.n_trials and row.part not in lemmas
        )

    @property
    def asserts(self) -> bool:
        """Whether the paper asserts something that evidence can hold against it or for it."""
        return self.claim.kind not in (Kind.OPEN, Kind.DEFINITION) and self.headline.expects is None

    @property
    def is_against(self) -> bool:
        """Whether the headline speaks against the claim, or does under one reading of it."""
        return self.headline.verdict in FAILING or self.headline.verdict is Verdict.READING_DEPENDENT

    @property
    def holds(self) -> bool:
        """Whether the headline speaks for the claim, and trials are among what it rests on."""
        return sign(self.headline.verdict) > 0 and bool(self.measured)

    @property
    def is_proved(self) -> bool:
        """Whether the headline speaks for the claim without a trial: by symbols or rigorous arithmetic."""
        return sign(self.headline.verdict) > 0 and not self.measured

    @property
    def is_formal(self) -> bool:
        """Whether it is written as a formula, relations or lemmas, and not in words alone."""
        return self.claim.value is not None or bool(self.claim.lemmas)

    def hypotheses(self) -> tuple[set[str], set[str], set[str]]:
        """Names of its hypotheses: all, those that hang on constants nobody states, those that a point fails."""
        named = {hypothesis.name for hypothesis in self.claim.regime}
        counted = [row for row in self.rows if row.role in (Role.STATEMENT, Role.OUTSIDE)]
        open_ends = {name for row in counted for name in row.standing.undetermined}
        failed = {name for row in counted for name in row.standing.not_met}
        return named | open_ends | failed, open_ends, failed


@dataclass(frozen=True)
class Facts:
    """What is known of some claims.

    Attributes:
        seconds: CPU seconds of the trials, by simulator.
        runs: trials by simulator.
        versions: fingerprint of each simulator's present sources.
        replicates: fewest, median and most runs of one setting; zeros where there is none.
        digest: of the keys of the trials, which name simulator, version, parameters and replicate.
        n_failed: trials that ended in an error.
        preset, store, version: as asked for; "" for the trials published with the papers; the version of this program.
        again: how many of the trials were run again, and how many of those came out otherwise; None where none was.
    """

    claims: tuple[ClaimFacts, ...]
    seconds: Mapping[str, float]
    runs: Mapping[str, int]
    versions: Mapping[str, str]
    replicates: tuple[int, int, int]
    digest: str
    n_failed: int
    preset: str
    store: str
    version: str
    again: tuple[int, int] | None = None

    @property
    def n_trials(self) -> int:
        """Trials, each counted once."""
        return sum(self.runs.values())

    @property
    def papers(self) -> tuple[str, ...]:
        """Citation keys; the paper's own where its claims are of several sources."""
        cited: dict[str, set[str]] = {}
        for one in self.claims:
            cited.setdefault(one.claim.paper, set()).add(one.claim.source.key)
        return tuple(dict.fromkeys(min(found) if len(found) == 1 else key for key, found in cited.items()))

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the papers on the command line."""
        return tuple(dict.fromkeys(claim.claim.paper for claim in self.claims))

    @property
    def steps(self) -> ProofSteps:
        """Displayed steps of proofs, of all claims."""
        found = [claim.headline.proof_steps for claim in self.claims]
        return ProofSteps(*(sum(getattr(s, name) for s in found) for name in ("hold", "corrected", "false", "open")))


def collect(
    checks: Sequence[Check],
    table: Mapping[str, Sequence[Row]],
    trials: Mapping[str, Trial],
    *,
    preset: str,
    store: str,
    version: str,
    again: tuple[int, int] | None = None,
) -> Facts:
    """The facts of a table and of the trials that it was made of."""
    runs: Counter[str] = Counter()
    settings: Counter[tuple[str, str]] = Counter()
    spent: dict[str, float] = {}
    systems = {}
    for trial in trials.values():
        spec = trial.spec
        systems[spec.system.name] = spec.system
        spent[spec.system.name] = spent.get(spec.system.name, 0.0) + trial.seconds
        runs[spec.system.name] += 1
        if spec.system.name not in ("proof", "derivation"):
            settings[spec.system.name, repr(sorted(spec.parameters.items()))] += 1
    counts = sorted(settings.values()) or [0]
    return Facts(
        tuple(
            ClaimFacts(check.claim, claim_headline(table[check.claim.id]), tuple(table[check.claim.id]))
            for check in checks
        ),
        spent,
        dict(runs),
        {name: fingerprint(system) for name, system in systems.items()},
        (counts[0], int(statistics.median(counts)), counts[-1]),
        hashlib.sha256("\n".join(sorted(trials)).encode()).hexdigest()[:16],
        sum(trial.result.outcome.is_failure for trial in trials.values()),
        preset,
        store,
        version,
        again,
    )
