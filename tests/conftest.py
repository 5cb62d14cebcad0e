"""Hypothesis profiles, threads, and what tests share.

Profile `ci`, the default, draws the same examples each time; `--hypothesis-profile dev` goes hunting. What it finds is
worth keeping: write it beside its test as an explicit `@example`.

Tests compute on one thread, as simulators do in a sweep. Their arrays are small: a second thread computes nothing
sooner, and what it burns while it waits is taken from the tests that run beside it. Libraries read how many threads to
start when they are first imported, which is after this file.
"""

from __future__ import annotations

import gc
import itertools
import os
import signal
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from theory.failures import Failures

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
os.environ["TRITON_INTERPRET"] = "1"  # tests of the GPU engine need no GPU; Triton reads it when it is first imported
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.register_profile("dev", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("ci")
Failures.are_raised = True  # a step of a search that fails ends the test, where a user would get what the others find


ROOT = Path(__file__).resolve().parents[1]


def listed(name: str) -> frozenset[str]:
    """Tests in a list beside this file: `path::name`, with `[case]` for that case alone, or the path of a module."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


MARKED = {marker: listed(marker) for marker in ("slow", "exhaustive")}
"""`make check` leaves both to `make test`, and that leaves what is exhaustive to `make exhaustive`."""
EXHAUSTIVE_MODULES = frozenset(line.partition("::")[0] for line in MARKED["exhaustive"])
TOGETHER = ("tests/checks/mutation/",)
"""Folders whose modules share what takes long to compute: one process has all of them."""


def has_exhaustive(name: str) -> bool:
    """Whether tests of the module with this path are exhaustive: it is listed, or its source marks cases of its own."""
    return name in EXHAUSTIVE_MODULES or "mark.exhaustive" in (ROOT / name).read_text(encoding="utf-8")


def pytest_sessionstart() -> None:
    """No search for circles of garbage while modules are imported: what they define stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Search again, but not through what was imported and collected, and seldom through all that is older."""
    gc.freeze()
    gc.set_threshold(2000, 10, 25)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Several plain processes each: with a share they collect less, in turns they end together.

    Workers of pytest-xdist would send three reports of every test to a process of their own, a millisecond and a half.
    """
    parser.addoption("--share", metavar="K/N", default="1/1", help="of the modules in N parts collect the K-th")
    parser.addoption("--turns", metavar="FOLDER", help="run a module where no process that names this folder has it")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules of another share; where slow tests are left out, modules that are slow as a whole.

    And where exhaustive tests are asked for alone, modules that have none: most, and they take long to import.
    """
    if collection_path.suffix != ".py":
        return None
    name = str(collection_path.relative_to(ROOT))
    if "not slow" in config.option.markexpr and name in MARKED["slow"]:
        return True
    if config.option.markexpr.startswith("exhaustive") and not has_exhaustive(name):
        return True
    share, shares = map(int, config.option.share.split("/"))
    return True if zlib.crc32(name.encode()) % shares != share - 1 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the lists name, and put modules with many slow tests first.

    Processes take one module after the other: what is quick comes last and evens out when they end.
    """
    for item in items:
        for marker, names in MARKED.items():
            if not names.isdisjoint((item.nodeid, item.nodeid.partition("[")[0], _module(item))):
                item.add_marker(marker)
    n_slow = Counter(turn_of(item) for item in items if any(map(item.get_closest_marker, MARKED)))
    items.sort(key=lambda item: -n_slow[turn_of(item)])  # stable: a module's tests keep their order


def _module(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def turn_of(item: pytest.Item) -> str:
    """What one process runs as a whole: a module, or the modules of a folder."""
    module = _module(item)
    return next(filter(module.startswith, TOGETHER), module)


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Where processes take turns, the loop of pytest over what is left for this one; None for pytest's own."""
    options = session.config.option
    if options.turns is None or options.collectonly or session.testsfailed:
        return None
    tests = taken(session.items, Path(options.turns))
    item = next(tests, None)
    while item is not None:
        following = next(tests, None)  # what it does not share with the next is torn down
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


def taken(items: Iterable[pytest.Item], folder: Path) -> Iterator[pytest.Item]:
    """The tests whose turn no other process has taken, each asked for when the one before begins.

    Args:
        items: the same in the same order in all processes.
        folder: has an empty file for each turn that is taken.
    """
    for turn, tests in itertools.groupby(items, key=turn_of):
        try:
            (folder / turn.replace("/", ".")).touch(exist_ok=False)
        except FileExistsError:
            continue
        yield from tests


@pytest.fixture
def signals_of_a_terminal() -> Iterator[None]:
    """Hang-up and Ctrl-C as a terminal has them, whatever was inherited: nohup and shells' & have them ignored."""
    wanted = {signal.SIGHUP: signal.SIG_DFL, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
