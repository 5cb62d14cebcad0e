"""Progress on stderr: of a run, a bar with rate and time left in a terminal, a plain line now and then elsewhere.

Of what takes seconds, such as a table, a bar in a terminal, and elsewhere a line where it takes longer than that.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from checks.report.escape import plain
from checks.report.later import bar, columns, console
from sim.running.run import Progress, WorkerProgress

T = TypeVar("T")

_MAX_LABEL = 60
_FIGURES_WIDTH = 48
"""Places that counts, rate and times take."""
_NARROWEST_BAR = 8
_LINE_EVERY_SECONDS = 10.0


@contextmanager
def shown(*, per_worker: bool = False, quiet: bool = False) -> Iterator[Callable[[Progress], None]]:
    """Yield the callback that a run reports to; nothing is written before it is first called.

    Args:
        per_worker: also say what each worker did.
        quiet: write nothing at all.
    """
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _bar(per_worker) as report:
            yield report
    else:
        yield _lines(per_worker)


@contextmanager
def passing(things: Iterable[T], words: str, *, total: int, quiet: bool = False) -> Iterator[Iterable[T]]:
    """Yield things that move a bar in a terminal as they are taken one by one; elsewhere a line every ten seconds.

    Args:
        words: what is done with them.
        total: how many they are.
        quiet: write nothing at all.
    """
    if quiet:
        yield things
        return
    if not sys.stderr.isatty():
        yield _told(things, words, total)
        return
    shown_columns = (
        columns.TextColumn("{task.description}", markup=False),
        columns.BarColumn(),
        columns.MofNCompleteColumn(),
        columns.TimeElapsedColumn(),
    )
    with columns.Progress(*shown_columns, console=console.Console(stderr=True), transient=True) as moving:
        yield moving.track(things, total=total, description=words)


def _told(things: Iterable[T], words: str, total: int) -> Iterator[T]:
    """The things, with a line now and then of how many have passed; a thing that takes long is told of when it ends."""
    start = last = time.monotonic()
    for done, thing in enumerate(things):
        now = time.monotonic()
        if now - last >= _LINE_EVERY_SECONDS:
            last = now
            print(f"{words}: {done} of {total}, {now - start:.0f} s", file=sys.stderr, flush=True)
        yield thing


@contextmanager
def _bar(per_worker: bool) -> Iterator[Callable[[Progress], None]]:
    screen = console.Console(stderr=True)
    bar_width = min((screen.width - _FIGURES_WIDTH) // 2, 40)
    bar_width = bar_width if bar_width >= _NARROWEST_BAR else 0
    label_width = screen.width - _FIGURES_WIDTH - bar_width
    shown_columns = (
        columns.TextColumn("{task.description}", markup=False),
        *([columns.BarColumn(bar_width)] if bar_width else []),
        columns.MofNCompleteColumn(),
        columns.TextColumn("{task.fields[rate]}", markup=False),
        columns.TimeElapsedColumn(),
        columns.TextColumn("{task.fields[left]} left", markup=False),
    )
    with bar.Bar(*shown_columns, console=screen) as moving:
        task = moving.add_task("trials", total=None, visible=False, rate="", left="?")

        def report(progress: Progress) -> None:
            moving.lines = _worker_lines(progress) if per_worker else []
            failed = _failed(progress)
            moving.update(
                task,
                total=progress.total,
                completed=progress.done,
                visible=True,
                description=f"{plain(progress.current, max(label_width - len(failed), 8))}{failed}",
                rate=f"{progress.rate:.3g}/s",
                left=_short(progress.seconds_left),
            )

        yield report


def _lines(per_worker: bool) -> Callable[[Progress], None]:
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if progress.done == progress.total or progress.seconds - last >= _LINE_EVERY_SECONDS:
            last = progress.seconds
            known = progress.done < progress.total and math.isfinite(progress.seconds_left)
            left = f", about {_about(progress.seconds_left)} left" if known else ""
            lines = [
                f"{progress.done}/{progress.total} trials, {progress.seconds:.0f} s, {progress.rate:.3g}/s{left}"
                f"{_failed(progress)}, now {plain(progress.current, _MAX_LABEL)}"
            ]
            lines += [f"  {line}" for line in _worker_lines(progress)] if per_worker else []
            print("\n".join(lines), file=sys.stderr, flush=True)

    return report


def _about(seconds: float) -> str:
    """Time left in two significant digits, which is more than any estimate has: "94 s", "12 min", "3.1 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 5700:
        return f"{seconds / 60:.2g} min"
    hours = seconds / 3600
    return f"{hours:.2g} h" if hours < 10 else f"{hours:.0f} h"


def _short(seconds: float) -> str:
    """Time left in few letters: "0:42", "12:30", "3h05"; nobody believes the seconds of hours."""
    if not math.isfinite(seconds):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}"


def _failed(progress: Progress) -> str:
    return f", {progress.failed} failed" if progress.failed else ""


def _worker_lines(progress: Progress) -> list[str]:
    workers: Mapping[str, WorkerProgress] = progress.workers
    return [
        f"{plain(name, _MAX_LABEL)}: {worker.done} trials, "
        f"busy {100 * worker.busy_seconds / max(progress.seconds, 1e-9):.0f} %, last {plain(worker.last, _MAX_LABEL)}"
        for name, worker in sorted(workers.items())
    ]
