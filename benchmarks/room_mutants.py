"""How many faults of a room its own quick tests see: `python -m benchmarks.room_mutants [--room store] [--write]`.

A room is a package that verdicts rest on. Faults are those of `benchmarks.gate`: a comparison shifted by its end, an
"and" for an "or", a "not" dropped, a constant moved, a direction or sign turned, an obligation or an entry dropped. A
sample is drawn with a fixed seed: a module by the length of its source, then one of its faults. Against each stand the
tests of the room that `make check` runs and that pass through the function, for at most `SECONDS` of CPU time. The
checker, where proofs rest, has all of its faults planted by `benchmarks.gate` itself, so it is no room here.

One process a room collects its tests once and notes what each passes through; a fault is planted in a fork of it, with
every cache emptied, for a cache remembers what the sound code said.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import json
import os
import pkgutil
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from benchmarks.gate import ROOT, CheckerMutant, mutants_of, plant_in, run_test, with_tests

PAGE = ROOT / "benchmarks" / "results" / "room_mutants.md"
ROOMS = {"evidence": "checks.evidence", "statistics": "checks.statistics", "store": "sim.store"}
"""Packages by the name of their room; tests lie in the folder of the same name below tests/."""
SAMPLE = 6
SECONDS = 20.0
"""CPU seconds of tests for one fault."""
OWN = ("checks", "sim", "theory", "theoremeter_papers")
"""Packages whose caches are emptied, and in which a table is replaced."""


@dataclass(frozen=True)
class RoomFault:
    """What became of a fault: the test that fails, or "" where none of so many that pass through it does."""

    room: str
    mutant: CheckerMutant
    killer: str
    tried: int


@dataclass(frozen=True)
class RoomTest:
    """A quick test that passes, and the functions of the room, by file and qualified name, that it passes through."""

    item: pytest.Item
    calls: frozenset[tuple[str, str]]


def main() -> None:
    """Draw, plant, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="default: all, one after the other")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="faults of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--owner", default="", help="faults of this function alone, as module.function")
    parser.add_argument("--tests", type=Path, help="these tests in place of those of the room")
    parser.add_argument("--rows", type=Path, help="a file that gets a line for each fault, as JSON")
    parser.add_argument("--write", action="store_true", help="write the page")
    arguments = parser.parse_args()
    rooms = arguments.room or list(ROOMS)
    if len(rooms) > 1 and hasattr(os, "fork"):
        rows = [row for room in rooms for row in _apart(room, arguments)]
    else:
        rows = list(_rows(rooms[0], arguments))
    for row in rows:
        print(json.dumps(row))
    if arguments.rows:
        arguments.rows.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    if arguments.write:
        PAGE.write_text(page(rows, arguments.seed), encoding="utf-8")


def _apart(room: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows of a room, from a process of its own: pytest collects once a process."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(list(_rows(room, arguments))))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as stream:
        text = stream.read()
    os.waitpid(child, 0)
    if not text:
        raise SystemExit(f"room_mutants: the tests of {room} could not be run")
    return json.loads(text)


def _rows(room: str, arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    found: list[RoomFault] = []

    def work(items: list[pytest.Item]) -> None:
        modules = modules_of(ROOMS[room])
        tests = tests_of(items, modules)
        print(f"{room}: {len(tests)} tests", file=sys.stderr, flush=True)
        for module, mutant in drawn(modules, arguments.sample, arguments.seed, arguments.owner):
            found.append(fate(room, module, mutant, tests))
            print(f"{room}: {mutant.key}: {found[-1].killer or 'survives'}", file=sys.stderr, flush=True)

    with_tests(work, [arguments.tests or ROOT / "tests" / ROOMS[room].replace(".", "/")])
    for one in found:
        yield {"room": room, "fault": one.mutant.key, "killer": one.killer, "tests": one.tried}


def modules_of(package: str) -> list[ModuleType]:
    """All modules of a package."""
    found = pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
    return [importlib.import_module(info.name) for info in found]


def drawn(
    modules: Sequence[ModuleType], number: int, seed: int, owner: str = ""
) -> Iterator[tuple[ModuleType, CheckerMutant]]:
    """Faults with their modules, each module drawn by the length of its source, no fault twice."""
    rng, seen = random.Random(seed), set()
    if owner:
        modules = [module for module in modules if module.__name__.endswith(f".{owner.partition('.')[0]}")]
    lengths = [Path(str(module.__file__)).stat().st_size for module in modules]
    faults = functools.cache(lambda module: list(mutants_of(module)))
    for _ in range(100 * number):
        (module,) = rng.choices(modules, lengths)
        some = [one for one in faults(module) if not owner or f"{one.module}.{one.owner}" == owner]
        if some and (mutant := rng.choice(some)).key not in seen:
            seen.add(mutant.key)
            yield module, mutant
        if len(seen) == number:
            return


def tests_of(items: Sequence[pytest.Item], modules: Sequence[ModuleType]) -> list[RoomTest]:
    """The tests that are neither slow nor exhaustive, and pass; those that pass through least first."""
    files = {str(module.__file__) for module in modules}
    quick = [item for item in items if not any(item.get_closest_marker(name) for name in ("slow", "exhaustive"))]
    found = [one for item in quick if (one := _noted(item, files)) is not None]
    return sorted(found, key=lambda one: len(one.calls))


def _noted(item: pytest.Item, files: set[str]) -> RoomTest | None:
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in files:
            seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        run_test(item)
    except BaseException:
        return None
    finally:
        sys.setprofile(None)
    return RoomTest(item, frozenset(seen))


def fate(room: str, module: ModuleType, mutant: CheckerMutant, tests: Sequence[RoomTest]) -> RoomFault:
    """Plant a fault in a fork and give it the tests that pass through its function; a table, those of its module."""
    file = str(module.__file__)
    is_table = mutant.kind == "table"
    own = [
        one
        for one in tests
        if (is_table and any(place == file for place, _ in one.calls)) or (file, mutant.owner) in one.calls
    ]
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)  # which ends this process
        os.write(writer, (_killer(module, mutant, own) or "-").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read().decode()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGVTALRM:
        answer = "-"  # what does not end within the time is not said to be killed
    return RoomFault(room, mutant, "" if answer == "-" else answer or "the process ends", len(own))


def _killer(module: ModuleType, mutant: CheckerMutant, tests: Sequence[RoomTest]) -> str:
    try:
        plant(module, mutant)
    except Exception:
        return "import"
    for one in tests:
        try:
            run_test(one.item)
        except pytest.skip.Exception:
            continue
        except BaseException:
            return one.item.nodeid
    return ""


def plant(module: ModuleType, mutant: CheckerMutant) -> None:
    """Replace the function, the default or the table in this process, and empty all caches."""
    if mutant.kind == "table":
        _replace_table(module, mutant)
    else:
        plant_in(_function(module, mutant.owner), module, mutant)
    for other in _own_modules():
        for value in list(vars(other).values()):
            with contextlib.suppress(Exception):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def _replace_table(module: ModuleType, mutant: CheckerMutant) -> None:
    names = [name.strip() for name in mutant.owner.strip("()").split(",")]
    value = eval(mutant.code, vars(module))
    for name, new in zip(names, value if len(names) > 1 else [value], strict=True):
        old = vars(module)[name]
        for other in _own_modules():
            if vars(other).get(name) is old:
                setattr(other, name, new)


def _own_modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in OWN]


def _function(module: ModuleType, owner: str) -> FunctionType:
    """The function as it is imported, under whatever decorates it."""
    found: Any = module
    for name in owner.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType):
        names = [name for name in ("__wrapped__", "fget", "__func__", "func") if hasattr(found, name)]
        found = getattr(found, names[0])
    return found


def page(rows: Sequence[dict[str, Any]], seed: int) -> str:
    """The page: counts by room, and what survives."""
    killed, drawn_of = Counter(row["room"] for row in rows if row["killer"]), Counter(row["room"] for row in rows)
    lines = [
        "# Faults of rooms",
        "",
        "After this page you know how many single faults of rooms that verdicts rest on their own quick tests see.",
        "",
        f"Written by `python -m benchmarks.room_mutants --write`: faults drawn with seed {seed}, each put to the tests",
        f"of its room that `make check` runs and that pass through its function, for at most {SECONDS:.0f} CPU s.",
        "Tests elsewhere, slow ones and claims see more. The checker has a page of its own, [gate.md](gate.md).",
        "",
        "| room | faults drawn | killed |",
        "|---|---:|---:|",
        *(f"| {ROOMS[room]} | {number} | {killed[room]} |" for room, number in drawn_of.items()),
        f"| all | {len(rows)} | {sum(killed.values())} |",
        "",
        "Survivors, with how many tests pass through the function:",
        "",
    ]
    left = [row for row in rows if not row["killer"]]
    lines += [f"- {ROOMS[row['room']]}, {row['tests']}: `{row['fault']}`" for row in left] or ["none"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
