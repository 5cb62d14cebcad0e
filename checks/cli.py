"""The command line: list and show claims, run their trials, print their table, try one simulation.

stdout carries the result, stderr the progress. Exit 0 whatever the verdicts, 1 if trials failed, 2 on bad input (one
line: argument, rule, value). Listing and showing never import torch or scipy.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from checks.check import Check, Preset, Row

DEFAULT_BUDGET_SECONDS = 600
DEFAULT_STORE = Path(".theoremeter/results.sqlite")


class _Parser(argparse.ArgumentParser):
    """argparse, but bad input is one line."""

    def error(self, message: str) -> NoReturn:
        raise _BadInput(message)


class _BadInput(ValueError):
    """What the user typed breaks a rule."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    from checks.check import ToolError
    from checks.engine_option import engine_of
    from sim.interruption import Terminated, terminable
    from sim.store import StoreError
    from sim.validation import InvalidParameter
    from theory.claim import UnknownClaim

    try:
        arguments = _parser().parse_args(argv)
        with terminable(), engine_of(arguments):
            return arguments.command(arguments)
    except (_BadInput, UnknownClaim, StoreError, InvalidParameter) as error:
        print(f"theoremeter: {error}", file=sys.stderr)
        return 2
    except ToolError as error:
        print(f"theoremeter: internal contradiction: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt as stop:
        signal_number = stop.signal_number if isinstance(stop, Terminated) else signal.SIGINT
        told = f"theoremeter: interrupted; finished trials are kept. Continue with: {_same_command(argv)}"
        print(told, file=sys.stderr)
        return 128 + signal_number
    except BrokenPipeError:  # `theoremeter list | head` is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _same_command(argv: Sequence[str] | None) -> str:
    return shlex.join(["theoremeter", *(sys.argv[1:] if argv is None else argv)])


def _parser() -> argparse.ArgumentParser:
    from checks.check import Preset
    from checks.engine_option import add_engine
    from checks.report.table import FORMATS
    from checks.rounds import Placement
    from checks.store_commands import add_store_commands

    parser = _Parser(prog="theoremeter", description="Does the theorem hold in the machine?")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, function: Any, summary: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=summary, description=summary)
        command.set_defaults(command=function)
        return command

    def add_selection(command: argparse.ArgumentParser) -> None:
        command.add_argument("ids", nargs="*", metavar="ID", help="claims, e.g. A.samples; all of them by default")

    def add_evidence(command: argparse.ArgumentParser) -> None:
        presets = [preset.value for preset in Preset]
        command.add_argument("--preset", choices=presets, default=Preset.QUICK.value, help="how much is measured")
        command.add_argument(
            "--store", type=Path, default=DEFAULT_STORE, help=f"results file (default {DEFAULT_STORE})"
        )
        add_engine(command)

    def add_placement(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--placement",
            choices=[placement.value for placement in Placement],
            default=Placement.GRID.value,
            help="where a threshold's trials go: on its whole grid, or in rounds where they tell most",
        )

    def add_looks(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--until-decided", action="store_true", help="double the replicates of what is open, error rate held"
        )
        command.add_argument(
            "--budget",
            type=_positive,
            default=None,
            metavar="SECONDS",
            help=f"with --until-decided: trial seconds a part may cost (default {DEFAULT_BUDGET_SECONDS})",
        )

    command = add("list", _list, "every claim, one line each")
    add_selection(command)
    command = add("show", _show, "one claim in full: statement, formula, hypotheses, derived exponents, evidence")
    command.add_argument("id", metavar="ID")
    command = add("run", _run, "measure and prove what the store lacks")
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    command.add_argument("--workers", type=_positive, default=None, help="processes (default: all cores)")
    command.add_argument(
        "--executor",
        default=None,
        help="where trials run: process (default), serial, threads (default with a GPU), dask (a cluster on this "
        "machine) or dask://host:port",
    )
    command.add_argument("--retry-failed", action="store_true", help="run again what is stored as failed")
    command.add_argument("--per-worker", action="store_true", help="progress of each worker as well")
    command = add("table", _table, "the bound-vs-measurement table, from stored trials")
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    command.add_argument("--format", choices=FORMATS, default="terminal")
    command.add_argument("--points", action="store_true", help="bound against measurement, point by point")
    command = add("plot", _plot, "one picture a row of the table, as SVG and PNG; needs the extra report")
    command.add_argument("ids", nargs="+", metavar="ID", help="claims, e.g. A.iterations")
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    command.add_argument("--out", type=Path, required=True, help="folder to write to")
    command = add("plan", _plan, "how much data would decide, by simulation, and what it costs on this machine")
    add_selection(command)
    add_evidence(command)
    command.add_argument("--workers", type=_positive, default=None, help="processes (default: all cores)")
    command.add_argument("--format", choices=("terminal", "json"), default="terminal")
    command = add("calibrate", _calibrate, "how often verdicts are wrong: synthetic truths through the rules")
    command.add_argument("--trials", type=_positive, default=10_000, help="experiments a cell (default 10000)")
    command.add_argument("--cells", default="*", metavar="PATTERN", help='which cells, e.g. "censored/*"')
    command.add_argument("--out", type=Path, default=None, help="page whose table is replaced (default: stdout)")
    command.add_argument("--workers", type=_positive, default=None, help="processes (default: all cores)")
    command = add("simulate", _simulate, "one run of a simulator, to try a setting")
    command.add_argument("system", help="a simulator: " + ", ".join(_systems()))
    command.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="its parameters; the system alone lists them"
    )
    add_engine(command)
    command.add_argument(
        "--replicate", type=_not_negative, default=0, help="which of the independent repetitions (default 0)"
    )
    add_store_commands(commands, default=DEFAULT_STORE, whole=_positive)
    return parser


def _positive(text: str) -> int:
    return _whole(text, 1)


def _not_negative(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number >= {least}, got {text!r}")
    return int(text)


def _list(arguments: argparse.Namespace) -> int:
    from checks.check import discover
    from theory.claim import select

    checks = discover()
    for claim in select(arguments.ids):
        ready = f"{len(checks[claim.id].parts)} parts" if checks[claim.id].parts else "not yet"
        print(f"{claim.id:22} {claim.kind.value:21} {ready:9} {claim.statement}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from checks.check import discover
    from checks.report.claim_page import render
    from theory.claim import select

    (claim,) = select([arguments.id])
    print(render(discover()[claim.id]), end="")
    return 0


def _run(arguments: argparse.Namespace) -> int:
    from checks.check import Preset
    from checks.engine_option import executor_of
    from checks.report.progress import shown
    from checks.rounds import Placement, measure_in_rounds
    from sim.executors import find
    from sim.run import RunReport, run
    from sim.store import Store
    from sim.trial import TrialSpec

    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _chosen(arguments, preset)
    claims = {spec.identity: check.claim.id for check in reversed(chosen) for spec in check.specs(preset)}
    executor = executor_of(arguments)
    find(executor, workers=arguments.workers)  # a wrong name is found out before a store is made

    def measure(specs: Sequence[TrialSpec], store: Store) -> RunReport:
        with shown(per_worker=arguments.per_worker) as report:
            return run(
                specs,
                store,
                executor=executor,
                workers=arguments.workers,
                retry_failed=arguments.retry_failed,
                label=lambda spec: claims.get(spec.identity, spec.system.name),
                report=report,
            )

    with Store(arguments.store) as store:
        outcome = measure_in_rounds(chosen, preset, store, measure, placement)
    done = f"{outcome.measured} trials in {outcome.seconds:.0f} s"
    shared = f", {outcome.elsewhere} more by another run" if outcome.elsewhere else ""
    rest = (
        f", {len(outcome.failures)} failed; --retry-failed runs them again"
        if outcome.failures
        else f"; {arguments.store} has all of preset {preset}"
    )
    print(f"{done}{shared}{rest}", file=sys.stderr)
    for failure in outcome.failures[:10]:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if outcome.failures else 0


def _chosen(arguments: argparse.Namespace, preset: Preset) -> list[Check]:
    """The checks that a command speaks of, looked at more than once where that is asked for."""
    from checks.check import discover
    from theory.claim import select

    checks = discover()
    chosen = [checks[claim.id] for claim in select(arguments.ids)]
    if not arguments.until_decided:
        if arguments.budget is not None:
            raise _BadInput(f"--budget must go with --until-decided, got {arguments.budget} alone")
        return chosen
    from checks.looks import until_decided

    if arguments.placement != "grid":
        raise _BadInput(f"--placement must be grid with --until-decided, got {arguments.placement}")
    budget = arguments.budget or DEFAULT_BUDGET_SECONDS
    return [until_decided(check, preset, budget_seconds=budget) for check in chosen]


def _table(arguments: argparse.Namespace) -> int:
    from checks.check import Preset
    from checks.report.table import render

    table = _evaluated(arguments)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    preset = Preset(arguments.preset)
    sys.stdout.write(render(table, preset, fmt=arguments.format, points=arguments.points, width=width))
    return 0


def _evaluated(arguments: argparse.Namespace) -> dict[str, list[Row]]:
    """The rows of the chosen claims, from what the store holds."""
    from checks.check import Preset, evaluate
    from checks.rounds import Placement, stored
    from sim.store import Store

    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = _chosen(arguments, preset)
    with Store(arguments.store, read_only=True) as store:
        trials = stored(chosen, preset, store.get, placement, failures=store.failures)
    return evaluate(chosen, preset, trials, placement)


def _plot(arguments: argparse.Namespace) -> int:
    from checks.report.plot import nothing_to_draw, require_matplotlib, write

    require_matplotlib()  # found out before the trials are read and judged
    for name, rows in _evaluated(arguments).items():
        try:
            for path in write(rows, arguments.out):
                print(path)
        except OSError as error:
            raise _BadInput(f"out must be a folder to write to, got {arguments.out}: {error}") from None
        if reason := nothing_to_draw(rows):
            print(f"{name}: nothing to draw: {reason}", file=sys.stderr)
    return 0


def _plan(arguments: argparse.Namespace) -> int:
    from checks.check import Preset, discover
    from checks.plan import plan_check
    from checks.report.plan_table import render
    from sim.store import Store
    from theory.claim import select

    checks = discover()
    preset = Preset(arguments.preset)
    chosen = [checks[claim.id] for claim in select(arguments.ids)]
    with Store(arguments.store, read_only=True) as store:
        trials = store.get(spec for check in chosen for size in Preset for spec in check.specs(size))
    plans = [plan for check in chosen for plan in plan_check(check, preset, trials)]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    workers = arguments.workers or os.cpu_count() or 1
    sys.stdout.write(render(plans, fmt=arguments.format, workers=workers, width=width))
    return 0


def _calibrate(arguments: argparse.Namespace) -> int:
    from checks.calibration.measure import calibrate, select_cells
    from checks.calibration.page import place, render
    from checks.report.progress import shown

    try:
        cells = select_cells(arguments.cells)
        page = arguments.out.read_text(encoding="utf-8") if arguments.out and arguments.out.exists() else ""
        place("", page)  # a page that cannot take the table is found out before the work, not after
    except (ValueError, OSError) as error:
        raise _BadInput(str(error)) from None
    with shown() as report:
        results = calibrate(cells, trials=arguments.trials, workers=arguments.workers, report=report)
    chosen = "" if arguments.cells == "*" else f" --cells '{arguments.cells}'"
    table = render(results, command=f"theoremeter calibrate --trials {arguments.trials}{chosen}")
    if arguments.out is None:
        sys.stdout.write(table)
    else:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(place(table, page), encoding="utf-8")
    return 0


def _systems() -> dict[str, Any]:
    from checks.systems import SYSTEMS

    return {system.name: system for system in SYSTEMS}


def _simulate(arguments: argparse.Namespace) -> int:
    import difflib

    systems = _systems()
    if arguments.system not in systems:
        near = difflib.get_close_matches(arguments.system, systems, n=1, cutoff=0.0)[0]
        raise _BadInput(f"system must be a known simulator, got {arguments.system!r}; nearest is {near}")
    system = systems[arguments.system]
    accepted = _parameters_of(system)
    if not arguments.parameters:
        print(
            "\n".join(
                f"{name} ({kind}){'' if default is None else f' = {default}'}"
                for name, (kind, default) in accepted.items()
            )
        )
        return 0
    parameters = {}
    for pair in arguments.parameters:
        name, equals, text = pair.partition("=")
        if not equals:
            raise _BadInput(f"parameters must be NAME=VALUE, got {pair!r}")
        if name not in accepted:
            near = difflib.get_close_matches(name, accepted, n=1, cutoff=0.0)[0]
            raise _BadInput(f"parameters of {system.name} must be known, got {name!r}; nearest is {near}")
        parameters[name] = _value(name, text, accepted[name][0])
    lacking = [name for name, (_, default) in accepted.items() if default is None and name not in parameters]
    if lacking:
        raise _BadInput(
            f"parameters of {system.name} must include {', '.join(lacking)}, got {', '.join(parameters) or 'none'}"
        )
    from sim.run import simulate_spec
    from sim.trial import TrialSpec

    result = simulate_spec(TrialSpec(system, parameters, arguments.replicate))
    print(json.dumps({"outcome": result.outcome.value, **result.observables}, indent=1))
    return 0


def _parameters_of(system: Any) -> dict[str, tuple[str, Any]]:
    """Name -> (type, default or None) of a simulator's keyword parameters."""
    import inspect

    from sim.run import simulator

    signature = inspect.signature(simulator(system))
    return {
        name: (str(parameter.annotation), None if parameter.default is inspect.Parameter.empty else parameter.default)
        for name, parameter in signature.parameters.items()
        if name != "generator"
    }


def _value(name: str, text: str, kind: str) -> bool | int | float | str:
    """Read a parameter of the stated type."""
    try:
        if kind == "bool":
            return {"true": True, "false": False}[text.lower()]
        return {"int": int, "float": float}.get(kind, str)(text)
    except (KeyError, ValueError):
        raise _BadInput(f"{name} must be of type {kind}, got {text!r}") from None
