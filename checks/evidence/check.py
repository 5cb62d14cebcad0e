"""A check joins a claim with the evidence that settles it; the rows of many checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from checks.evidence.family import stepped_down
from checks.evidence.headline import Headline, headline_of
from checks.evidence.part import Part
from checks.evidence.siblings import Siblings
from checks.evidence.validation import InvalidCheck, problems
from checks.records.criteria import Criteria, criteria_of, note_criteria, read_criteria, set_later
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.records.stored_trials import Unjudgeable
from checks.statistics.explanation import Clauses, Topic, counted, obstacle
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.verdict import Judgement, Verdict, short_repr
from sim.running.needs import lacks
from sim.store.fingerprint import TrialKey, fingerprint
from sim.store.store import Store
from sim.trials.errors import MissingReadout, StoreError
from sim.trials.sweep import Specs, systems_in
from sim.trials.trial import Outcome, Trial, TrialSpec
from theory.claim import CHOSEN_ROLES, Claim, Evidence, Kind, Role
from theory.timeout import TimedOut

_collecting: ContextVar[bool] = ContextVar("collecting", default=False)


@contextmanager
def mistakes_collected() -> Iterator[None]:
    """Make checks with mistakes all the same, broken, so that one of them takes no other of its module along."""
    token = _collecting.set(True)
    try:
        yield
    finally:
        _collecting.reset(token)


@dataclass(frozen=True, repr=False)
class Check:
    """A claim and the parts that measure, prove or certify it; `broken` says why something of it cannot be used.

    `policy` says how often a verdict may be wrong; it is that of every part (`under`).
    """

    claim: Claim
    parts: tuple[Part, ...]
    broken: tuple[str, ...] = ()
    policy: ErrorPolicy = DEFAULT_POLICY
    siblings: Siblings | None = None
    """Claims that the paper's argument uses together with this one; all have a statement line in one regime."""
    expects: Verdict | None = None
    """Of a control, a claim that is false on purpose: the verdict against it that must come out. No rule reads it."""
    earlier: Mapping[str, tuple[Criteria, ...]] = field(default_factory=dict, compare=False)
    """By part the criteria that runs on a store had, the first first (`remembering`). No rule reads them."""

    def __post_init__(self) -> None:
        found = tuple(problems(self))
        if found and not _collecting.get():
            raise InvalidCheck(found)
        if found:
            object.__setattr__(self, "broken", tuple(dict.fromkeys((*self.broken, *found))))

    def __repr__(self) -> str:
        name = getattr(self.claim, "id", type(self.claim).__name__)
        broken = f", broken: {self.broken[0]}" if self.broken else ""
        return short_repr("Check", f"{name}: {counted(len(self.parts), 'parts')}{broken}")

    def under(self, policy: ErrorPolicy) -> Check:
        """The check with every part judged under a policy; the lines that share its error stay those of its paper."""
        return self._under(policy.of_family(self.policy.family))

    def of_family(self, lines: int) -> Check:
        """The check as one of a paper of which so many lines share an error."""
        return self._under(self.policy.of_family(max(1, lines)))

    def _under(self, policy: ErrorPolicy) -> Check:
        """With every part under the policy; one that rests on no draws shares no error."""
        if policy == self.policy:
            return self
        alone = policy.of_family(1)
        parts = tuple(part.under(policy if part.has_sampling_error else alone) for part in self.parts)
        with mistakes_collected():  # what is broken stays so, and is said when the check is used
            return replace(self, parts=parts, policy=policy)

    def specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """All trials of all parts and of their controls."""
        return Specs(specs for part in self.parts for specs in (part.specs(preset), part.control_specs(preset)))

    def rows(self, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID) -> list[Row]:
        """All rows of all parts, and first, where something is broken, one that says so."""
        rows = []
        for part in self.parts:
            later = self._set_later(part, preset, trials)
            found = _rows_of(part, self.claim, preset, trials, placement)
            rows += [replace(row.adding(choices=later) if later else row, expects=self.expects) for row in found]
        return [broken_row(self, "; ".join(self.broken)), *rows] if self.broken else rows

    def _set_later(self, part: Part, preset: Preset, trials: Mapping[str, Trial]) -> Clauses:
        """What of a part's criteria was set after its trials were seen."""
        runs, values = self.earlier.get(part.name, ()), criteria_of(self.claim, part.stated)
        if not runs or runs[0].values == values:
            return ()
        return set_later(runs, values, part.keys_there(preset, trials))

    def unread(
        self, part: Part, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> frozenset[str]:
        """Readouts that judging a part asks for first, of those that its stored trials lack."""
        try:
            part.rows_or_lack(self.claim, preset, trials, placement)
        except MissingReadout as error:
            return error.asked
        except Exception:  # whoever reads the table hears of it; measuring goes on
            return frozenset()
        return frozenset()


def _rows_of(part: Part, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement) -> list[Row]:
    """The rows of a part; one that says so where a derivation that it rests on does not end."""
    try:
        return part.rows(claim, preset, trials, placement)
    except TimedOut as error:  # an OSError, as those of files, which end a table
        left = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SEARCH, f"a derivation that it rests on failed: {error}"))
        return [Row(claim, part.name, left, role=part.role_in(claim), policy=part.policy)]


def broken_row(check: Check, reason: str) -> Row:
    """The line of a claim of which something cannot be used."""
    broken = Judgement(Verdict.BROKEN, obstacle(Topic.UNUSABLE, reason))
    return Row(check.claim, "", broken, policy=check.policy, expects=check.expects)


def remembering(checks: Iterable[Check], store: Path | str) -> list[Check]:
    """The checks with the criteria that runs on a store had, so that rows say which were set later."""
    kept = read_criteria(store)
    by_claim: dict[str, dict[str, tuple[Criteria, ...]]] = {}
    for (claim, part), runs in kept.items():
        by_claim.setdefault(claim, {})[part] = runs
    with mistakes_collected():  # what is broken stays so, and is said when the check is used
        return [replace(check, earlier=by_claim.get(check.claim.id, {})) for check in checks]


def keep_criteria(checks: Iterable[Check], preset: Preset, store: Store) -> None:
    """Keep beside a store which criteria a run on it is for, before it measures."""
    parts = (
        ((check.claim.id, part.name), criteria_of(check.claim, part), part.specs(preset))
        for check in checks
        if not check.broken
        for part in check.parts
        if part.is_measured
    )

    def there(specs: Sequence[TrialSpec]) -> list[TrialKey]:
        return store.keys(map(fingerprint, systems_in(specs)), but=(Outcome.FAILED,))

    note_criteria(store.path, parts, there)


def symbolic(check: Check) -> Check:
    """The check without what trials of a simulator settle: its proofs and derived numbers."""
    return replace(check, parts=tuple(part for part in check.parts if not part.is_measured))


def deciding(check: Check, preset: Preset) -> Check:
    """The check without what decides no headline at a preset: own questions, and what stands beside no statement.

    Readings can make a headline depend on the reading, and repairs say what stands instead, so they are kept wherever a
    statement can be measured here, but for searches of laws. An open question is kept whole: its headline tells whether
    it was measured.
    """
    if check.claim.kind is Kind.OPEN:
        return check
    role_of = {part.name: part.role_in(check.claim) for part in check.parts}
    statements = [part for part in check.parts if role_of[part.name] is Role.STATEMENT and part.is_measured]
    is_stated = any(not lacks(spec) for part in statements for spec in part.specs(preset)[:1])
    beside = {Role.OWN_QUESTION} if is_stated else {*CHOSEN_ROLES} - {Role.STATEMENT}
    kept = (
        part for part in check.parts if not part.is_measured or (part.may_decide and role_of[part.name] not in beside)
    )
    return replace(check, parts=tuple(kept))


def evaluate(
    checks: Iterable[Check],
    preset: Preset,
    trials: Mapping[str, Trial],
    placement: Placement = Placement.GRID,
) -> dict[str, list[Row]]:
    """Rows by claim id; where a claim's evidence cannot be judged, one row says so, and the others are judged.

    Accusations spend the error of their paper by steps (`checks.evidence.family`): what a single claim's line lacks for
    one, the accusations beside it in a table of the whole paper may add.

    Raises:
        ToolError: a measurement contradicts a proof.
    """
    known: dict[str, Check] = {}

    def judged(check: Check) -> list[Row]:
        rows = _rows_or_reason(check, preset, trials, placement)
        if not rows or (_lacks_measurement(check, preset) and rows[0].verdict is not Verdict.BROKEN):
            rows.append(_to_be_measured(check))
        _refuse_contradiction(check.claim, rows)
        return rows

    table: dict[str, list[Row]] = {}
    for check in checks:
        known[check.claim.id] = check
        table[check.claim.id] = judged(check)
    return stepped_down(table, lambda names: {name: judged(known[name]) for name in names})


def _rows_or_reason(check: Check, preset: Preset, trials: Mapping[str, Trial], placement: Placement) -> list[Row]:
    """A check's rows, or the one line why its author's functions make none of these trials."""
    try:
        return check.rows(preset, trials, placement)
    except Unjudgeable as error:
        return [broken_row(check, str(error))]
    except (StoreError, ToolError, OSError, MemoryError):
        raise
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return [broken_row(check, f"its trials cannot be judged: {said[:300]}")]


def _lacks_measurement(check: Check, preset: Preset) -> bool:
    """Whether the claim must be measured and nothing does at this preset: lemmas alone must not speak for it."""
    return Evidence.MEASURED in check.claim.evidence and not any(p.is_measured and p.specs(preset) for p in check.parts)


def _to_be_measured(check: Check) -> Row:
    measured = [part for part in check.parts if part.is_measured]
    later = next((size for size in Preset if any(part.specs(size) for part in measured)), None)
    reason = f"measured from preset {later} on" if later else "no trials are built for this claim yet"
    unmeasured = Judgement(Verdict.NOT_MEASURED_YET, obstacle(Topic.UNMEASURED, reason))
    return Row(check.claim, "", unmeasured, policy=check.policy, expects=check.expects)


def claim_verdict(rows: Sequence[Row]) -> Verdict:
    """The verdict in the headline of a claim."""
    return claim_headline(rows).verdict


def claim_headline(rows: Sequence[Row]) -> Headline:
    """The headline of a claim, from the roles and verdicts of its rows."""
    return headline_of(rows)


class ToolError(RuntimeError):
    """Evidence that cannot all be right: the tool is wrong, not the paper."""


def _refuse_contradiction(claim: Claim, rows: Sequence[Row]) -> None:
    """A statement proved by one kind of evidence and refuted by another is an error of the tool."""
    by_aspect: dict[str, set[Verdict]] = {}
    for row in rows:
        if row.role is Role.OUTSIDE:
            continue  # what fails a hypothesis contradicts no proof
        by_aspect.setdefault(row.aspect or row.part, set()).add(row.verdict)
    for aspect, verdicts in by_aspect.items():
        proved = verdicts & {Verdict.PROVED, Verdict.CERTIFIED}
        against = verdicts & {Verdict.REFUTED, Verdict.VIOLATED}
        if proved and against:
            raise ToolError(f"{claim.id} ({aspect}) is both {min(proved)} and {min(against)}: the tool is in error")


def diverged(trials: Sequence[Trial]) -> int:
    """How many trials diverged."""
    return sum(trial.result.outcome == Outcome.DIVERGED for trial in trials)
