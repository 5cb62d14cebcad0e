"""`theoremeter run --shards N`: a sweep in N parts, each measured by one worker and kept as files of Parquet.

Whoever coordinates hands out parts, not trials, so a scheduler that takes milliseconds a call takes them once a part.
A part is measured in a store of its own on the worker's machine and stands in the folder once it is whole; what stands
there is not measured again. A worker of a cluster needs the same code, and the folder under the same path.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

from checks.commands.notes import note
from checks.commands.options import BadInput, workers_of
from checks.report.escape import MAX_LINE, plain
from sim.running.executors import find

_EVERY_SECONDS = 10.0


def run_in_shards(arguments: argparse.Namespace) -> int:
    """Measure what parts the folder lacks; exit code 1 where trials failed, 2 where a part could not be measured."""
    folder: Path = arguments.store
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"--store must be a folder with --shards, got the file {folder}")
    if arguments.shard or arguments.until_decided or arguments.placement != "grid" or arguments.from_published:
        raise BadInput("--shards must go with the whole grid, and without --shard and --from-published")
    executor = arguments.executor or "process"
    if executor not in ("process", "serial") and not executor.startswith("dask"):
        raise BadInput(f"--executor must be process, serial or dask with --shards, got {executor}")
    find(executor, workers=1)  # a wrong name is found out before anything is made
    folder.mkdir(parents=True, exist_ok=True)
    parts = range(1, arguments.shards + 1)
    lacking = [part for part in parts if not place_of(folder, part, arguments.shards).is_dir()]
    words = _words(arguments)
    workers = 1 if executor == "serial" else workers_of(arguments, executor)
    start, told = time.perf_counter(), []
    with _opened(executor, workers) as opened:
        calls = {
            opened.submit(measure_shard, words, str(folder.resolve()), part, arguments.shards): part for part in lacking
        }
        for part, (code, line) in ended(calls, lambda done: note(f"theoremeter: {done} of {len(calls)} parts")):
            if code:
                told.append((code, f"part {part}: {line}"))
    for _, line in told[:10]:
        print(plain(line, MAX_LINE), file=sys.stderr)
    seconds = time.perf_counter() - start
    note(f"{len(lacking)} of {len(parts)} parts measured in {seconds:.0f} s, {len(told)} with failures; in {folder}")
    return max((code for code, _ in told), default=0)


def place_of(folder: Path, part: int, parts: int) -> Path:
    """Where the files of a part are."""
    return folder / f"{part}-of-{parts}"


def measure_shard(words: Sequence[str], folder: str, part: int, parts: int) -> tuple[int, str]:
    """Measure one part here and put its files into the folder; the exit code, and what was said where it is not 0."""
    place = place_of(Path(folder), part, parts)
    with tempfile.TemporaryDirectory() as own:
        store, out = str(Path(own, "trials.sqlite")), str(Path(own, "out"))
        code, line = _called([*words, "--shard", f"{part}/{parts}", "--executor", "serial", "--store", store])
        if code > 1:
            return code, line
        export = _called(["store", "export", "--parquet", "--out", out, "--store", store])
        if export[0]:
            return export
        copy = place.with_name(f".{place.name}.{os.getpid()}")
        shutil.copytree(out, copy)
        if place.is_dir():  # another worker was given it as well, and has the same
            shutil.rmtree(copy)
        else:
            os.replace(copy, place)
    return code, line


def _called(words: Sequence[str]) -> tuple[int, str]:
    """Exit code and last line of a command of its own."""
    done = subprocess.run([sys.executable, "-m", "theoremeter", *words], capture_output=True, text=True, check=False)
    lines = done.stderr.strip().splitlines()
    return (2 if done.returncode < 0 else done.returncode), lines[-1] if lines else f"ended with {done.returncode}"


def _words(arguments: argparse.Namespace) -> list[str]:
    """The command that measures a part, but for which part and where."""
    before = [word for folder in arguments.papers for word in ("--paper", str(Path(folder).resolve()))]
    before += ["--images", str(arguments.images.resolve())] if arguments.images else []
    words = [*before, "run", *arguments.ids, "--preset", arguments.preset, "--quiet"]
    words += [f"--{name}" for name in ("headlines", "yes") if getattr(arguments, name)]
    for name in ("engine", "trial_seconds", "trial_memory"):
        if (value := getattr(arguments, name, None)) is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


@contextmanager
def _opened(executor: str, workers: int | None) -> Iterator[Executor]:
    if executor.startswith("dask"):
        with find(executor, workers=workers).open() as opened:
            yield opened
        return
    threads = ThreadPoolExecutor(workers or os.cpu_count() or 1)  # each waits for a process that measures
    try:
        yield threads
    finally:
        threads.shutdown(wait=True, cancel_futures=True)


def ended(
    calls: Mapping[Future[tuple[int, str]], int], tell: Callable[[int], None]
) -> Iterator[tuple[int, tuple[int, str]]]:
    """Parts as they end; a worker that died is one that could not measure."""
    left, said = set(calls), time.perf_counter()
    while left:
        done, left = wait(left, timeout=_EVERY_SECONDS, return_when="FIRST_COMPLETED")
        for call in done:
            error = call.exception()
            yield calls[call], call.result() if error is None else (2, f"{type(error).__name__}: {error}")
        if left and time.perf_counter() - said > _EVERY_SECONDS:
            said = time.perf_counter()
            tell(len(calls) - len(left))
