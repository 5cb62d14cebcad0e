"""`theoremeter run`, `table` and `plot`: measure what the store lacks, judge what it holds, draw it."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from checks.commands.counting import counted_checks, counted_in_store
from checks.commands.engine import executor_of
from checks.commands.leave import require_leave
from checks.commands.notes import is_quiet, note
from checks.commands.options import (
    DEFAULT_BUDGET_SECONDS,
    BadInput,
    broken_code,
    require_store,
    told_broken,
    workers_of,
)
from checks.commands.placed_shards import run_in_shards
from checks.commands.published import archives
from checks.commands.selection import selected
from checks.commands.store import current_fingerprints, stale_words
from checks.commands.taking import taken_from
from checks.evidence.check import claim_headline, deciding, evaluate, keep_criteria, remembering
from checks.evidence.interim_analyses import until_decided
from checks.evidence.proofs import asked_again
from checks.evidence.typed import naming
from checks.planning.typical_seconds import typical_seconds
from checks.records.preset import Placement, Preset
from checks.records.published import PRESETS
from checks.report.escape import MAX_LINE, plain
from checks.report.pictures.files import nothing_to_draw, write_rows
from checks.report.pictures.looks import require_matplotlib
from checks.report.progress import passing, shown
from checks.report.table import render
from checks.sampling.rounds import MeasuredRounds, measure_in_rounds, stored
from checks.statistics.explanation import counted
from checks.statistics.verdict import UNUSABLE, Verdict
from sim.running.executors import find
from sim.running.interruption import unwound
from sim.running.limits import BeyondMemory, BeyondSeconds
from sim.running.run import RunReport
from sim.running.run import run as run_trials
from sim.store.repeats import Repeat, repeats
from sim.store.store import Merged, Store, asked_for_all
from sim.trials.sweep import MANY_TRIALS, shard_of
from sim.trials.trial import BEYOND_LIMITS, TrialSpec
from theoremeter_papers import any_named, paper_of

_NAMED_CLAIMS = 3
_NAMED_REPEATS = 3
"""Up to so many claims are named where a run says what it was of."""

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.records.rows import Row
    from sim.trials.trial import Trial


def run_command(arguments: argparse.Namespace) -> int:
    """Measure and prove what the store lacks."""
    if arguments.shards:
        return run_in_shards(arguments)
    if arguments.confidence is not None and not arguments.until_decided:
        raise BadInput(f"--confidence must go with --until-decided in a run, got {arguments.confidence:g} alone")
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _with_more_time(arguments) if arguments.retry_unknown else _chosen(arguments, preset)
    claims = _claims_by_trial(chosen, preset)
    executor = executor_of(arguments)
    find(executor, workers=1)  # a wrong name is found out before a store is made
    workers = workers_of(arguments, executor)
    shard = arguments.shard
    if shard and (placement is not Placement.GRID or arguments.until_decided):
        raise BadInput("--shard must go with the whole grid, got trials that depend on others")

    def some(specs: Sequence[TrialSpec]) -> Sequence[TrialSpec]:
        return specs if shard is None else shard_of(specs, *shard)

    def measure(specs: Sequence[TrialSpec], store: Store) -> RunReport:
        require_leave(specs, chosen, preset, yes=arguments.yes)
        with shown(per_worker=arguments.per_worker, quiet=is_quiet()) as report:
            return run_trials(
                specs,
                store,
                executor=executor,
                workers=workers,
                retry_failed=arguments.retry_failed or (BEYOND_LIMITS if arguments.retry_timeouts else False),
                trial_seconds=arguments.trial_seconds,
                trial_bytes=arguments.trial_memory and arguments.trial_memory * 2**30,
                label=lambda spec: claims.get(spec.identity, spec.system.name),
                expected=typical_seconds,
                report=report,
                tell=lambda words: note(f"theoremeter: {words}"),
            )

    with unwound(), Store(arguments.store) as store:
        _take_published(chosen, store, asked=arguments.from_published)
        keep_criteria(chosen, preset, store)
        outcome = measure_in_rounds(chosen, preset, store, measure, placement, some=some)
        if arguments.readouts:
            filled = asked_for_all(spec for check in chosen for spec in some(check.specs(preset)))
            outcome = MeasuredRounds((*outcome.reports, measure(filled, store)))
    done = f"{counted(outcome.measured, 'trials')} in {outcome.seconds:.0f} s"
    shared = f", {outcome.elsewhere} more by another run" if outcome.elsewhere else ""
    but = f" but {outcome.waiting}" if outcome.waiting else ""
    every = f"all{but}" if shard is None else f"part {shard[0]} of {shard[1]}{but}"
    whole = f"{every} of preset {preset} for {_claims_words(chosen, everything=not arguments.ids)}"
    rest = (
        f", {len(outcome.failures)} failed; {_retry_words(outcome.failures)}"
        if outcome.failures
        else f"; {arguments.store} has {whole}"
    )
    note(f"{done}{shared}{rest}")
    if arguments.until_decided and shard is None:
        note(_where_decided(arguments, chosen, nothing_added=not outcome.measured))
    for line in _failed_lines(outcome.failures)[:10]:
        print(plain(line, MAX_LINE), file=sys.stderr)
    return broken_code(chosen) or (1 if outcome.failures else 0)


def _claims_by_trial(chosen: Sequence[Check], preset: Preset) -> dict[str, str]:
    """The claim that a trial is of, by the trial's identity; nothing of very many, which are not gone through."""
    if sum(len(check.specs(preset)) for check in chosen) >= MANY_TRIALS:
        return {}
    return {spec.identity: check.claim.id for check in reversed(chosen) for spec in check.specs(preset)}


def _where_decided(arguments: argparse.Namespace, chosen: Sequence[Check], *, nothing_added: bool) -> str:
    """Which table shows what such a run came to, and why it measured nothing."""
    papers = naming(dict.fromkeys(check.claim.paper for check in chosen))
    words = ["theoremeter", *papers, "table", *arguments.ids, "--until-decided", "--reasons"]
    words += [] if arguments.budget is None else ["--budget", f"{arguments.budget:g}"]
    words += ["--preset", arguments.preset, "--store", str(arguments.store)]
    why = "nothing was to be added: every part is decided, or more replicates would not decide it within the budget; "
    return (
        f"{why if nothing_added else ''}verdicts of this mode, which a plain table does not give: {shlex.join(words)}"
    )


def _take_published(chosen: Sequence[Check], store: Store, *, asked: bool) -> None:
    """Put the trials that come with the papers of claims into a store, where today's simulators measured them."""
    if not asked:
        return
    keys = dict.fromkeys(check.claim.paper for check in chosen)
    found = archives(filter(None, map(paper_of, keys)), PRESETS)
    taken = sum((taken_from(store, path, current_fingerprints()) for _, _, path in found), Merged())
    but = f"; {len(taken.conflicts)} differ from those there, which stay" if taken.conflicts else ""
    note(f"theoremeter: {taken.new + taken.better} trials taken of {counted(len(found), 'published archives')}{but}")


def _retry_words(failures: Sequence[str]) -> str:
    """Which options run again what failed."""
    ended = sum(
        any(f"}}: {kind.__name__}: " in failure for kind in (BeyondSeconds, BeyondMemory)) for failure in failures
    )
    if not ended:
        return "--retry-failed runs them again"
    them = "them" if ended == len(failures) else f"the {ended} of them that were ended at a limit"
    return f"--retry-timeouts with a larger --trial-seconds or --trial-memory runs {them} again, --retry-failed all"


def _failed_lines(failures: Sequence[str]) -> list[str]:
    """A line for each error: one mistake in a simulator fails every trial, and is one line."""
    by_error: dict[str, list[str]] = {}
    for failure in failures:
        by_error.setdefault(failure.partition("}: ")[2], []).append(failure)  # what follows the parameters
    alike = by_error.values()
    return [f"failed: {same[0]}" + (f"; {len(same) - 1} more alike" if same[1:] else "") for same in alike]


def _chosen(arguments: argparse.Namespace, preset: Preset) -> list[Check]:
    """The checks that a command speaks of, looked at more than once where that is asked for."""
    chosen = selected(arguments)
    if getattr(arguments, "headlines", False):  # `table` has no such option
        chosen = [deciding(check, preset) for check in chosen]
    if not arguments.until_decided:
        if arguments.budget is not None:
            raise BadInput(
                f"--budget must go with --until-decided, or in a run with --retry-unknown, got {arguments.budget} alone"
            )
        return chosen
    if arguments.placement != "grid":
        raise BadInput(f"--placement must be grid with --until-decided, got {arguments.placement}")
    budget = arguments.budget or DEFAULT_BUDGET_SECONDS
    return [until_decided(check, preset, budget_seconds=budget) for check in chosen]


def _with_more_time(arguments: argparse.Namespace) -> list[Check]:
    """The checks of a run that asks again for what was left unknown."""
    if arguments.until_decided:
        raise BadInput("--retry-unknown must go without --until-decided, whose --budget is of trials, got both")
    if arguments.budget is None:
        raise BadInput("--retry-unknown must go with --budget SECONDS, got none")
    return [asked_again(check, float(arguments.budget)) for check in selected(arguments)]


def _claims_words(checks: Sequence[Check], *, everything: bool) -> str:
    """The claims that a run was of, without broken ones: a few by name, more by their number."""
    names = [check.claim.id for check in checks if not check.broken]
    if 0 < len(names) <= _NAMED_CLAIMS:
        return ", ".join(names)
    return f"{'all ' if everything and names else ''}{counted(len(names), 'claims')}"


def table_judged(arguments: argparse.Namespace, width: int) -> tuple[str, int]:
    """The text of the table and the exit code."""
    text, code, _ = table_and_words(arguments, width)
    return text, code


def table_and_words(arguments: argparse.Namespace, width: int) -> tuple[str, int, dict[str, str]]:
    """The text of the table, the exit code, and the word of each claim's headline."""
    table = evaluated(arguments)
    _tell_lacking_searches(table)
    wanted = {name: getattr(arguments, name) for name in ("parts", "points", "reasons")}
    text = render(table, Preset(arguments.preset), fmt=arguments.format, **wanted, width=width)
    words = {name: claim_headline(rows).verdict.value for name, rows in table.items()}
    return text, broken_rows(table), words


def evaluated(arguments: argparse.Namespace) -> dict[str, list[Row]]:
    """The rows of the chosen claims, from what the store holds."""
    return judged(arguments)[2]


def judged(arguments: argparse.Namespace) -> tuple[list[Check], dict[str, Trial], dict[str, list[Row]]]:
    """The chosen checks, the trials that the store holds of them, and their rows."""
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _chosen(arguments, preset)
    require_store(arguments)
    if shards := getattr(arguments, "shards", ()):
        chosen = counted_checks(chosen, preset, placement, shards, arguments.store)
    else:
        chosen = counted_in_store(chosen, preset, placement, arguments.store)
    with Store(arguments.store, read_only=True) as store:
        trials = trials_of(chosen, preset, placement, store)
    chosen = remembering(chosen, arguments.store)
    with passed(chosen, "judging claims") as checks:
        return chosen, trials, evaluate(checks, preset, trials, placement)


def passed(checks: Sequence[Check], words: str) -> AbstractContextManager[Iterable[Check]]:
    """Checks with a bar that moves as they are taken, unless notes are left out."""
    return passing(checks, words, total=len(checks), quiet=is_quiet())


def trials_of(checks: Sequence[Check], preset: Preset, placement: Placement, store: Store) -> dict[str, Trial]:
    """The trials that a store holds of checks; a note says how many others of it are not used."""
    with passed(checks, "reading trials") as taken:
        trials = stored(taken, preset, store.get, placement, failures=store.failures)
    if words := stale_words(store.counts()):
        note(f"theoremeter: {words}")
    _tell_repeats(repeats(trials.values()))
    return trials


def _tell_lacking_searches(table: Mapping[str, Sequence[Row]]) -> None:
    """Name the claims of which lines were judged and lemmas were not asked: one that would be refuted is not heard."""
    lacking: dict[str, int] = {}
    for name, rows in table.items():
        open_lines = {row.part for row in rows if row.verdict is Verdict.NOT_MEASURED_YET}
        number = sum(lemma.name in open_lines for lemma in rows[0].claim.lemmas)
        if number and any(row.part not in open_lines for row in rows):
            lacking[name] = number
    if lacking:
        named = ", ".join(sorted(lacking, key=lambda name: -lacking[name])[:_NAMED_CLAIMS])
        more = f" and {len(lacking) - _NAMED_CLAIMS} more" if len(lacking) > _NAMED_CLAIMS else ""
        told = counted(sum(lacking.values()), "lemmas")
        note(f"theoremeter: not asked yet, and not heard in any headline: {told} of {named}{more}; `theoremeter run`")


def _tell_repeats(found: Sequence[Repeat]) -> None:
    """Name the largest groups of equal trials, and how many more there are."""
    for repeat in found[:_NAMED_REPEATS]:
        note(plain(f"theoremeter: copied? {repeat.words}; theoremeter store verify runs trials again", MAX_LINE))
    if rest := found[_NAMED_REPEATS:]:
        groups = counted(len(rest), "more groups")
        note(f"theoremeter: copied? {groups} of equal trials; theoremeter store verify names them")


def plot_command(arguments: argparse.Namespace) -> int:
    """Draw the rows of the table."""
    if not arguments.ids and not any_named():
        raise BadInput("ids must name claims to draw, got none")
    require_matplotlib()  # found out before the trials are read and judged
    table = evaluated(arguments)
    try:
        for path in write_rows([row for rows in table.values() for row in rows], arguments.out):
            print(plain(path))
    except OSError as error:
        raise BadInput(f"out must be a folder to write to, got {arguments.out}: {error}") from None
    for name, rows in table.items():
        if reason := nothing_to_draw(rows):
            note(f"{name}: nothing to draw: {reason}")
    return broken_rows(table)


def broken_rows(table: Mapping[str, Sequence[Row]]) -> int:
    """Exit code of a command that showed rows, 2 where any of them is broken; says so in one line."""
    reasons: dict[str, str] = {}
    for row in (row for rows in table.values() for row in rows if row.verdict in UNUSABLE):
        reasons.setdefault(row.claim.id, row.judgement.reason)
    return told_broken(reasons)
