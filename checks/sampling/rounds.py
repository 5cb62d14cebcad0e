"""Measuring in synchronous rounds: which trials come next may depend on those that are finished.

A part names its trials round by round: `Part.next_round` is a pure function of the trials of all earlier rounds, and
the next round begins when the last one is finished. So neither the number of workers, nor the order in which trials
end, nor an interruption changes which trials are run; and whoever walks the rounds again over the same store, to go on
or to print the table, finds the same trials there. A rectangular grid is one round that looks at nothing.

A finished trial may lack a readout that its simulator has by now. Which are wanted is found out by judging: whatever a
part asks for, its trials are replayed for, and those that lack what nobody asks for are left alone.

`walk` goes through the rounds of one part, `measure_in_rounds` runs what they lack, `stored` reads what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from checks.records.preset import Placement
from checks.records.stored_trials import blamed
from sim.store.fingerprint import key
from sim.store.store import asked_for_all, merged
from sim.trials.errors import MissingReadout
from sim.trials.sweep import Specs
from sim.trials.trial import Trial, TrialSpec

if TYPE_CHECKING:
    from checks.records.preset import Preset
    from sim.running.run import RunReport
    from sim.store.store import Store


Get = Callable[[Iterable[TrialSpec]], Mapping[str, Trial]]
"""Finished trials among some, by their key in the store."""


class Rounds(Protocol):
    """What is measured in rounds: a part of a check."""

    @property
    def name(self) -> str:
        """The part's name, for messages."""
        ...

    def next_round(self, preset: Preset, trials: Sequence[Trial], placement: Placement, /) -> Sequence[TrialSpec]:
        """The trials that come next, a pure function of those of all earlier rounds."""
        ...

    def one_round(self, placement: Placement, /) -> bool:
        """Whether what is measured depends on no result."""
        ...

    def control_specs(self, preset: Preset, /) -> Sequence[TrialSpec]:
        """The trials of the control."""
        ...


class Parts(Protocol):
    """Whatever has parts: a check."""

    @property
    def parts(self) -> Sequence[Any]:
        """What is measured in rounds (`Rounds`)."""
        ...

    def unread(self, part: Any, preset: Preset, trials: Mapping[str, Trial], placement: Placement, /) -> frozenset[str]:
        """Readouts that judging a part asks for first, of those that its stored trials lack."""
        ...


class RunTrials(Protocol):
    """Measure trials that the store lacks, as `sim.running.run.run` does."""

    def __call__(self, specs: Sequence[TrialSpec], store: Store, /) -> RunReport:
        """Run the trials and commit them to the store."""
        ...


@dataclass(frozen=True)
class Round:
    """One round of a part: its trials by key, and those of them that are finished."""

    specs: Mapping[str, TrialSpec]
    found: Mapping[str, Trial]

    @property
    def missing(self) -> list[TrialSpec]:
        """What the round lacks."""
        return [spec for name, spec in self.specs.items() if name not in self.found]


@dataclass(frozen=True)
class MeasuredRounds:
    """What `measure_in_rounds` did: one report for each time it ran trials."""

    reports: tuple[RunReport, ...]

    @property
    def measured(self) -> int:
        """Trials measured now."""
        return sum(report.measured for report in self.reports)

    @property
    def elsewhere(self) -> int:
        """Trials that another process on the same store measured meanwhile."""
        return sum(report.elsewhere for report in self.reports)

    @property
    def waiting(self) -> int:
        """Trials left out, because this machine lacks what they need."""
        return sum(report.waiting for report in self.reports)

    @property
    def failures(self) -> tuple[str, ...]:
        """The error text of each trial that failed, now or earlier."""
        return tuple(failure for report in self.reports for failure in report.failures)

    @property
    def seconds(self) -> float:
        """Wall time of the runs."""
        return sum(report.seconds for report in self.reports)


def walk(part: Rounds, preset: Preset, placement: Placement, get: Get) -> Iterator[Round]:
    """Go through a part's rounds up to the first unfinished one, or to the end.

    A trial that two sweeps or two rounds share counts once. A round that names nothing new is the end, so a walk ends
    whatever a part answers.
    """
    ended: dict[str, Trial] = {}
    while True:
        with blamed(tuple(ended.values()), part.name):
            named = {key(spec): spec for spec in part.next_round(preset, tuple(ended.values()), placement)}
        specs = {name: spec for name, spec in named.items() if name not in ended}
        if not specs:
            return
        found = get(specs.values())
        yield Round(specs, {name: found[name] for name in specs if name in found})
        if len(found) < len(specs):
            return
        ended.update({name: found[name] for name in specs})


def measure_in_rounds(
    checks: Sequence[Parts],
    preset: Preset,
    store: Store,
    run: RunTrials,
    placement: Placement = Placement.GRID,
    *,
    some: Callable[[Sequence[TrialSpec]], Sequence[TrialSpec]] = lambda specs: specs,
) -> MeasuredRounds:
    """Measure what the checks' parts lack, round after round, until no part asks for more.

    The present rounds of all parts run together, so that workers stay busy; that changes no part's rounds. A part with
    a trial that failed stands still, the others go on; `run` decides whether trials that failed earlier run again.

    Args:
        some: which trials of a grid are measured here.
    """
    unfinished = [(check, part) for check in checks for part in check.parts]
    tried: set[tuple[str, frozenset[str]]] = set()
    reports = []
    while unfinished:
        lacking = [(each, lacks(*each, preset, store, placement, some)) for each in unfinished]
        todo = merged(spec for _, missing in lacking for spec in missing)
        fresh = [spec for name, spec in todo.items() if (name, spec.asked) not in tried]
        if not fresh:
            break
        tried.update((name, spec.asked) for name, spec in todo.items())
        reports.append(run(fresh, store))
        unfinished = [each for each, missing in lacking if missing]
    return MeasuredRounds(tuple(reports))


def lacks(
    check: Parts,
    part: Rounds,
    preset: Preset,
    store: Store,
    placement: Placement,
    some: Callable[[Sequence[TrialSpec]], Sequence[TrialSpec]] = lambda specs: specs,
) -> list[TrialSpec]:
    """What a part's present round and its control lack, trials that failed among it; nothing where it is finished.

    Where all trials are there: those that lack a readout which judging them asks for.
    """
    controls = some(part.control_specs(preset))
    if part.one_round(placement):
        asked = Specs([some(part.next_round(preset, (), placement)), controls])
        missing = store.missing(asked, retry_failed=True)
    else:
        rounds: list[Round] = []
        try:
            rounds.extend(walk(part, preset, placement, store.get))
        except MissingReadout as error:  # what the next round rests on
            ended = {name: trial for stage in rounds for name, trial in stage.found.items()}
            return _to_replay(ended, error.asked)
        asked = [*(spec for stage in rounds for spec in stage.specs.values()), *controls]
        missing = [spec for stage in rounds for spec in stage.missing] + store.missing(controls, retry_failed=True)
    return missing or _unread(check, part, preset, store, placement, asked)


def _unread(
    check: Parts, part: Rounds, preset: Preset, store: Store, placement: Placement, specs: Sequence[TrialSpec]
) -> list[TrialSpec]:
    """Finished trials that judging asks a readout of which they lack; nothing is read where none lacks any."""
    if not store.missing(asked_for_all(specs)):
        return []
    trials = store.get(specs)
    return _to_replay(trials, check.unread(part, preset, trials, placement))


def _to_replay(trials: Mapping[str, Trial], asked: frozenset[str]) -> list[TrialSpec]:
    """Trials that lack any of some readouts, each asked for those."""
    return [replace(trial.spec, asked=asked & trial.lacking) for trial in trials.values() if asked & trial.lacking]


def stored(
    checks: Iterable[Parts],
    preset: Preset,
    get: Get,
    placement: Placement = Placement.GRID,
    *,
    failures: Callable[[Iterable[TrialSpec]], Iterable[Trial]] = lambda specs: (),
) -> dict[str, Trial]:
    """The finished trials of the checks' rounds and controls, by key; those that failed where `failures` has them."""
    trials: dict[str, Trial] = {}
    read: dict[str, Trial] = {}

    def get_once(specs: Iterable[TrialSpec]) -> dict[str, Trial]:
        """What `get` gives, a trial that several parts share read once; each has the spec that it is asked by."""
        wanted = {key(spec): spec for spec in specs}
        read.update(get(spec for name, spec in wanted.items() if name not in read))
        return {name: replace(read[name], spec=spec) for name, spec in wanted.items() if name in read}

    for check in checks:
        for part in check.parts:
            with suppress(MissingReadout):  # on which the next round rests; judging the part says so
                for stage in walk(part, preset, placement, get_once):
                    trials.update(stage.found)
                    trials.update({key(trial.spec): trial for trial in failures(stage.missing)})
            trials.update(get_once(part.control_specs(preset)))
    return trials


def finished(trials: Mapping[str, Trial]) -> dict[str, Trial]:
    """Those that can be judged: a trial that failed has no observables."""
    return {name: trial for name, trial in trials.items() if not trial.result.outcome.is_failure}


def finished_of(trials: Mapping[str, Trial], specs: Iterable[TrialSpec]) -> dict[str, Trial]:
    """The same of `specs` alone: a store has thousands of trials, and a table asks for each part of each check."""
    return finished({name: trials[name] for name in map(key, specs) if name in trials})
