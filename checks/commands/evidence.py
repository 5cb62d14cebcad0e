"""`theoremeter run`, `table` and `plot`: measure what the store lacks, judge what it holds, draw it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from checks.commands.notes import is_quiet, note
from checks.commands.options import (
    DEFAULT_BUDGET_SECONDS,
    BadInput,
    add_command,
    add_evidence,
    add_looks,
    add_placement,
    add_selection,
    add_workers,
    broken_code,
    require_store,
    selected,
    terminal_width,
    told_broken,
    typed_path,
    workers_of,
)
from checks.report import FORMATS
from checks.report.escape import MAX_LINE, plain
from checks.statistics.explanation import counted
from theoremeter_papers import any_named

_NAMED_CLAIMS = 3
"""Up to so many claims are named where a run says what it was of."""

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.records.preset import Placement, Preset
    from checks.records.rows import Row
    from sim.store.store import Store
    from sim.trial import Trial


def add_commands(commands: Any) -> None:
    """Declare `run`, `table` and `plot`."""
    command = add_command(commands, "run", _run, "measure and prove what the store lacks")
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    add_workers(command)
    command.add_argument(
        "--executor",
        default=None,
        help="where trials run: process (default), serial, threads (default with a GPU), dask (a cluster on this "
        "machine), dask://host:port, or dask+tls://host:port with certificates from dask's configuration",
    )
    command.add_argument("--retry-failed", action="store_true", help="run again what is stored as failed")
    command.add_argument(
        "--headlines",
        action="store_true",
        help="only what decides headlines: no exploratory questions, and no other reading of a claim whose statement "
        "cannot be measured here",
    )
    command.add_argument(
        "--readouts", action="store_true", help="fill every readout, also those that figures draw and no row asks for"
    )
    command.add_argument(
        "--retry-unknown",
        action="store_true",
        help="with --budget: ask again, with so many seconds, for what a proof search left unknown with fewer",
    )
    command.add_argument("--per-worker", action="store_true", help="progress of each worker as well")
    command = add_command(commands, "table", _table, "the bound-vs-measurement table, from stored trials")
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    command.add_argument("--format", choices=FORMATS, default="terminal")
    command.add_argument("--parts", action="store_true", help="every line of every claim, with its role")
    command.add_argument("--points", action="store_true", help="bound against measurement, point by point")
    command.add_argument("--reasons", action="store_true", help="in a terminal: why, below each line")
    command.add_argument("--fresh", action="store_true", help="judge again, whatever is kept; exit 1 if that differs")
    command = add_command(
        commands, "plot", _plot, "one picture a row of the table, as SVG and PNG; needs the extra report"
    )
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    command.add_argument("--out", type=typed_path, required=True, help="folder to write to")


def _run(arguments: argparse.Namespace) -> int:
    from checks.commands.engine import executor_of
    from checks.planning.typical_seconds import typical_seconds
    from checks.records.preset import Placement, Preset
    from checks.report.progress import shown
    from checks.sampling.rounds import MeasuredRounds, measure_in_rounds
    from sim.running.executors import find
    from sim.running.interruption import unwound
    from sim.running.run import RunReport, run
    from sim.store.store import Store, asked_for_all
    from sim.trial import TrialSpec

    if arguments.confidence is not None and not arguments.until_decided:
        raise BadInput(f"--confidence must go with --until-decided in a run, got {arguments.confidence:g} alone")
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _with_more_time(arguments) if arguments.retry_unknown else _chosen(arguments, preset)
    claims = {spec.identity: check.claim.id for check in reversed(chosen) for spec in check.specs(preset)}
    executor = executor_of(arguments)
    find(executor, workers=1)  # a wrong name is found out before a store is made
    workers = workers_of(arguments, executor)

    def measure(specs: Sequence[TrialSpec], store: Store) -> RunReport:
        with shown(per_worker=arguments.per_worker, quiet=is_quiet()) as report:
            return run(
                specs,
                store,
                executor=executor,
                workers=workers,
                retry_failed=arguments.retry_failed,
                label=lambda spec: claims.get(spec.identity, spec.system.name),
                expected=typical_seconds,
                report=report,
                tell=lambda words: note(f"theoremeter: {words}"),
            )

    with unwound(), Store(arguments.store) as store:
        outcome = measure_in_rounds(chosen, preset, store, measure, placement)
        if arguments.readouts:
            every = asked_for_all(spec for check in chosen for spec in check.specs(preset))
            outcome = MeasuredRounds((*outcome.reports, measure(every, store)))
    done = f"{counted(outcome.measured, 'trials')} in {outcome.seconds:.0f} s"
    shared = f", {outcome.elsewhere} more by another run" if outcome.elsewhere else ""
    but = f" but {outcome.waiting}" if outcome.waiting else ""
    whole = f"all{but} of preset {preset} for {_claims_words(chosen, everything=not arguments.ids)}"
    rest = (
        f", {len(outcome.failures)} failed; --retry-failed runs them again"
        if outcome.failures
        else f"; {arguments.store} has {whole}"
    )
    note(f"{done}{shared}{rest}")
    for line in _failed_lines(outcome.failures)[:10]:
        print(plain(line, MAX_LINE), file=sys.stderr)
    return broken_code(chosen) or (1 if outcome.failures else 0)


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
        from checks.evidence.check import deciding

        chosen = [deciding(check, preset) for check in chosen]
    if not arguments.until_decided:
        if arguments.budget is not None:
            raise BadInput(
                f"--budget must go with --until-decided, or in a run with --retry-unknown, got {arguments.budget} alone"
            )
        return chosen
    from checks.evidence.interim_analyses import until_decided

    if arguments.placement != "grid":
        raise BadInput(f"--placement must be grid with --until-decided, got {arguments.placement}")
    budget = arguments.budget or DEFAULT_BUDGET_SECONDS
    return [until_decided(check, preset, budget_seconds=budget) for check in chosen]


def _with_more_time(arguments: argparse.Namespace) -> list[Check]:
    """The checks of a run that asks again for what was left unknown."""
    from checks.evidence.proofs import asked_again

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


def _table(arguments: argparse.Namespace) -> int:
    from checks.commands.kept_tables import table_said

    width = terminal_width()

    def judge() -> tuple[str, int]:
        from checks.records.preset import Preset
        from checks.report.table import render

        table = evaluated(arguments)
        wanted = {name: getattr(arguments, name) for name in ("parts", "points", "reasons")}
        text = render(table, Preset(arguments.preset), fmt=arguments.format, **wanted, width=width)
        return text, broken_rows(table)

    text, code = table_said(arguments, width, judge)
    sys.stdout.write(text)
    return code


def evaluated(arguments: argparse.Namespace) -> dict[str, list[Row]]:
    """The rows of the chosen claims, from what the store holds."""
    return judged(arguments)[2]


def judged(arguments: argparse.Namespace) -> tuple[list[Check], dict[str, Trial], dict[str, list[Row]]]:
    """The chosen checks, the trials that the store holds of them, and their rows."""
    from checks.evidence.check import evaluate
    from checks.records.preset import Placement, Preset
    from sim.store.store import Store

    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _chosen(arguments, preset)
    require_store(arguments)
    with Store(arguments.store, read_only=True) as store:
        trials = trials_of(chosen, preset, placement, store)
    with passed(chosen, "judging claims") as checks:
        return chosen, trials, evaluate(checks, preset, trials, placement)


def passed(checks: Sequence[Check], words: str) -> AbstractContextManager[Iterable[Check]]:
    """Checks with a bar that moves as they are taken, unless notes are left out."""
    from checks.report.progress import passing

    return passing(checks, words, total=len(checks), quiet=is_quiet())


def trials_of(checks: Sequence[Check], preset: Preset, placement: Placement, store: Store) -> dict[str, Trial]:
    """The trials that a store holds of checks; a note says how many others of it are not used."""
    from checks.commands.store import stale_words
    from checks.sampling.rounds import stored

    with passed(checks, "reading trials") as taken:
        trials = stored(taken, preset, store.get, placement, failures=store.failures)
    if words := stale_words(store.counts()):
        note(f"theoremeter: {words}")
    return trials


def _plot(arguments: argparse.Namespace) -> int:
    from checks.report.pictures.files import nothing_to_draw, write_rows
    from checks.report.pictures.renderer import require_matplotlib

    if not arguments.ids and not any_named():
        raise BadInput("ids must name claims to draw, got none")
    require_matplotlib()  # found out before the trials are read and judged
    table = evaluated(arguments)
    for name, rows in table.items():
        try:
            for path in write_rows(rows, arguments.out):
                print(plain(path))
        except OSError as error:
            raise BadInput(f"out must be a folder to write to, got {arguments.out}: {error}") from None
        if reason := nothing_to_draw(rows):
            note(f"{name}: nothing to draw: {reason}")
    return broken_rows(table)


def broken_rows(table: Mapping[str, Sequence[Row]]) -> int:
    """Exit code of a command that showed rows, 2 where any of them is broken; says so in one line."""
    from checks.statistics.verdict import UNUSABLE

    reasons: dict[str, str] = {}
    for row in (row for rows in table.values() for row in rows if row.verdict in UNUSABLE):
        reasons.setdefault(row.claim.id, row.judgement.reason)
    return told_broken(reasons)
