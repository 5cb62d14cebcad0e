"""`theoremeter store verify`: are the numbers of a store those that its simulators return?

Two questions. Equal results under different seeds are named without running anything. And trials are run again here and
now: as many as it takes to meet altered ones with a stated probability, drawn so that nobody knows beforehand which.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from checks.catalogue import checks_of, select
from checks.commands import store as store_commands
from checks.commands.notes import note
from checks.commands.options import require_store, workers_of
from checks.planning.audit import Asked, Audit, asked_by, drawn
from checks.report.escape import MAX_LINE, plain
from checks.statistics.explanation import counted
from sim.running.dispatch import failed_trial, share_of_memory
from sim.running.executors import CallLimits, find
from sim.running.limits import bytes_held, seconds_of
from sim.running.needs import lacks
from sim.running.run import run_trial
from sim.store.fingerprint import TrialKey, key
from sim.store.repeats import repeats
from sim.store.replays import difference, farthest
from sim.store.rows import in_use
from sim.store.store import Record, Store
from sim.trials.trial import BEYOND_LIMITS, Outcome, Trial, TrialSpec
from theoremeter_papers import papers

AGAIN_SECONDS = 60.0
"""The most seconds that a trial is run again that is stored as failed, or as ended at a limit."""
_TO_AN_END = f"to an end (stored as failed or ended at a limit, and {AGAIN_SECONDS:g} s are the most here)"
_MANY_DIFFER = 0.5
_NAMED = 10
_SLOWER = 10.0
"""No machine of today is so many times slower than another."""
_SEEDS = 2**31


@dataclass(frozen=True)
class Verified:
    """What running trials again showed.

    Attributes:
        audit: which trials, and what they would notice.
        differences: a line for each that came out otherwise, or farther off than is tolerated.
        near: how many came out within the tolerance and not bit for bit, and how far off the farthest is.
        copied: a line for each group of equal results under different seeds.
        left_out: how many trials cannot be run again, by why.
    """

    audit: Audit
    differences: tuple[str, ...]
    near: tuple[int, float]
    copied: tuple[str, ...]
    left_out: Mapping[str, int]
    slow: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """CPU seconds stored and needed here of claims of which seconds left out trials, where the first are far more."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing speaks against the store."""
        return not (self.differences or self.copied)

    @property
    def words(self) -> str:
        """What was run again, in a line."""
        told = f"{len(self.audit.keys)} of {self.audit.total} trials run again, {len(self.differences)} differ"
        count, most = self.near
        return told + (f", {count} within the tolerance (at most {most:.2g} off)" if count else "")

    @property
    def dear_words(self) -> str:
        """Which samples were small because of seconds that are not so here, in a line; "" where none was."""
        told = "; ".join(
            f"{name}, {stored:.3g} s stored, {here:.2g} s here" for name, (stored, here) in self.slow.items()
        )
        words = "for the seconds that their trials are stored with fewer were run again; name these claims to run more"
        return f"{words}: {told}" if told else ""

    @property
    def left_words(self) -> str:
        """What cannot be run again, in a line; "" where all can."""
        told = "; ".join(f"{number} {why}" for why, number in self.left_out.items() if number)
        return f"not run again: {told}" if told else ""


def verify_command(arguments: argparse.Namespace) -> int:
    """Run a sample of a store's trials again."""
    require_store(arguments)
    with Store(arguments.store, read_only=True) as store:
        claims = claims_of(arguments.ids)
        found = verified(store, claims, arguments, only=bool(arguments.ids))
        absent = absent_words(claims, store.every_key())
    if arguments.format == "json":
        print(
            json.dumps(
                {"sound": found.is_sound, **audit_record(found), "absent": plain(absent)}, indent=1, allow_nan=False
            )
        )
    else:
        for line in (*found.copied, *found.differences):
            print(plain(line, MAX_LINE))
        for line in [*said_of(found), *([absent] if absent else [])]:
            note(line)
    if len(found.differences) > _MANY_DIFFER * len(found.audit.keys) and not arguments.tolerance:
        note("where most differ another processor or library measured them: --tolerance 1e-6 asks how far they differ")
    return 0 if found.is_sound else 1


def said_of(found: Verified) -> list[str]:
    """What was run again, what that would notice, and what was not run: a line each."""
    return [found.words, *found.audit.words, *filter(None, [found.dear_words, found.left_words])]


def absent_words(claims: Mapping[str, Asked], there: Collection[str]) -> str:
    """Which claims lack trials of parts of which others are there, in a line; "" where none does.

    Who deletes what speaks against a claim has altered nothing that is run again.
    """
    held = frozenset(there)
    found = {name: counts for name, asked in claims.items() if (counts := asked.absent(held))[0]}
    most = sorted(found, key=lambda name: (-found[name][0], name))
    told = "; ".join("{1} of {2} of {0}".format(name, *found[name]) for name in most[:_NAMED])
    more = f"; of {len(most) - _NAMED} more claims" if len(most) > _NAMED else ""
    return f"not there, of parts of which other trials are: {told}{more}" if told else ""


def audit_record(found: Verified) -> dict[str, Any]:
    """What came of running trials again, as `--format json` prints it."""
    audit, (near, farthest) = found.audit, found.near
    return {
        "total": audit.total,
        "run_again": len(audit.keys),
        "altered": audit.altered,
        "chance": audit.power,
        "headlines": {
            plain(name): {
                "deciding": one.total,
                "run_again": one.drawn,
                "altered": one.noticed(audit.confidence),
                "chance": audit.confidence,
            }
            for name, one in sorted(audit.by_claim.items())
        },
        "differences": [plain(line) for line in found.differences],
        "near": near,
        "farthest": farthest,
        "copied": [plain(line) for line in found.copied],
        "not_run_again": {plain(why): number for why, number in found.left_out.items() if number},
    }


def claims_of(ids: Sequence[str]) -> dict[str, Asked]:
    """The trials of claims, all of all papers where none is named."""
    checks = select(ids) if ids else [check for paper in papers() for check in checks_of(paper).values()]
    return asked_by(checks)


def verified(
    store: Store, claims: Mapping[str, Asked], arguments: argparse.Namespace, *, only: bool = False
) -> Verified:
    """Look for copies and run a sample again.

    Args:
        arguments: `detect`, `confidence`, `sample`, `seed`, `tolerance`, `workers` as typed.
        only: whether trials of no other claims count, and the share is that of each of these.
    """
    current = store_commands.current_systems()
    keys = store.keys(current, but=())
    if only:
        keys = sorted(set(keys).intersection(*[frozenset[str]().union(*(asked.every for asked in claims.values()))]))
    population, left_out = {}, Counter[str]()
    finished, seconds = [], {}
    for record in store.records(keys):
        spec = TrialSpec(current[record.fingerprint], record.parameters, record.replicate)
        why = _kept_from_running(record, spec)
        left_out[why] += bool(why)
        finished.append(Trial(spec, in_use(record, spec.system), record.seconds))
        if not why:
            population[record.key] = spec
            seconds[record.key] = record.seconds
    if not only:
        left_out["of simulator versions that are no more"] = len(store) - len(keys)
    seed = secrets.randbelow(_SEEDS) if arguments.seed is None else arguments.seed
    audit = drawn(
        population,
        claims,
        random.Random(seed),
        share=arguments.detect,
        confidence=arguments.confidence,
        sample=arguments.sample,
        each=only,
        seconds=seconds,
    )
    stored = list(store.records(audit.keys))
    note(_plan_words(audit, stored, seed))
    specs = [population[record.key] for record in stored]
    ended = {record.key for record in stored if record.result.outcome.is_failure}
    limits = CallLimits(functools.partial(_seconds, ended=ended), share_of_memory(), bytes_held=bytes_held)
    with find("process", workers=workers_of(arguments), limits=limits).open() as executor:
        again = list(rerun(executor, specs))
    left_out[_TO_AN_END] = sum(key(trial.spec) in ended and trial.result.outcome in BEYOND_LIMITS for trial in again)
    copied = tuple(f"copied? {repeat.words}" for repeat in repeats(finished))
    differences = tuple(compared(stored, again, arguments.tolerance))
    near, slow = _near(stored, again, arguments.tolerance), _slow(audit, stored, again)
    return Verified(audit, differences, near, copied, left_out, slow)


def _slow(audit: Audit, stored: Sequence[Record], again: Sequence[Trial]) -> dict[str, tuple[float, float]]:
    """Claims whose sample seconds have cut, with seconds stored and here, where the first are many times the second.

    Nothing else finds seconds that were altered, and whoever makes a claim look dear has less of it run again.
    """
    took = {record.key: (record.seconds, trial.seconds) for record, trial in zip(stored, again, strict=True)}
    found = {}
    for name, one in audit.by_claim.items():
        before, here = (sum(took[each][place] for each in one.bounded) for place in (0, 1))
        if before > _SLOWER * here:
            found[name] = before, here
    return found


def _seconds(spec: TrialSpec, ended: Collection[TrialKey]) -> float:
    """The most seconds of a trial that is run again: its own limit, or few where it is stored without a result."""
    return min(seconds_of(spec), AGAIN_SECONDS) if key(spec) in ended else seconds_of(spec)


def _plan_words(audit: Audit, stored: Sequence[Record], seed: int) -> str:
    cost = sum(record.seconds for record in stored)
    added = len(audit.keys) - audit.uniform
    more = f", {added} of them for single claims" if added else ""
    return f"runs {counted(len(audit.keys), 'trials')} again{more}: about {cost:.0f} s of CPU; --seed {seed} draws them"


def _kept_from_running(record: Record, spec: TrialSpec) -> str:
    """Why a trial cannot be had again here; "" where it can."""
    if store_commands.is_timed(record) and not is_open(record):
        return "searches that found a certificate, which `table` re-checks"
    lacking = lacks(spec)
    return f"for which this machine lacks something ({lacking})" if lacking else ""


def is_open(record: Record) -> bool:
    """Whether a row says that a search found nothing: no certificate can be re-checked, so the search is run again."""
    return store_commands.is_timed(record) and dict.get({**record.result.observables}, "status") in (None, "unknown")


def rerun(executor: Executor, specs: Sequence[TrialSpec]) -> Iterator[Trial]:
    """The trials as they come out now; one that was ended, or ended its worker, as a failure."""
    calls = [executor.submit(run_trial, spec) for spec in specs]
    for spec, call in zip(specs, calls, strict=True):
        error = call.exception()
        yield call.result() if error is None else failed_trial(spec, error)


def compared(stored: Sequence[Record], again: Iterable[Trial], tolerance: float = 0.0) -> Iterator[str]:
    """One line for each trial that came out otherwise, naming it and the first thing that differs."""
    for record, trial in zip(stored, again, strict=True):
        if is_open(record):  # by the clock it may stay open; what is decided here cannot have been left open unseen
            status = trial.result.observables.get("status", "unknown")
            found = "" if status == "unknown" else f"left open as stored, {status} here"
        elif record.result.outcome.is_failure:
            found = _at_an_end(record.result.outcome, trial)
        else:
            found = difference(record, trial.spec.system, trial.result, tolerance)
        if found:
            setting = {**record.parameters, "replicate": record.replicate}
            yield f"differs: {record.system} {setting} ({record.key[:12]}): {found}"


def _at_an_end(ended: Outcome, trial: Trial) -> str:
    """What speaks against a trial that is stored without a result: that it comes to an end of its own here.

    One that failed may fail otherwise here, for its error may name a machine or a library.
    """
    outcome = trial.result.outcome
    if outcome in BEYOND_LIMITS or (ended is Outcome.FAILED and outcome is ended):
        return ""
    smaller = "; a machine with less memory ends it so" if ended is Outcome.OUT_OF_MEMORY else ""
    return f"{ended} as stored, {outcome} after {trial.seconds:.2g} s here{smaller}"


def _near(stored: Sequence[Record], again: Sequence[Trial], tolerance: float) -> tuple[int, float]:
    """How many came out within the tolerance and not bit for bit, and how far off the farthest."""
    far = []
    for record, trial in zip(stored, again, strict=True):
        system, result = trial.spec.system, trial.result
        if (
            tolerance
            and not is_open(record)
            and not record.result.outcome.is_failure
            and difference(record, system, result)
            and not difference(record, system, result, tolerance)
        ):
            far.append(farthest(record, system, result))
    return len(far), max(far, default=0.0)
