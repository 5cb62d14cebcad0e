"""Progress of a run on stderr: a bar with the time left in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sim.run import Progress

_LINE_EVERY_SECONDS = 10.0


@contextmanager
def shown(total: int) -> Iterator[Callable[[Progress], None]]:
    """Yield the callback that a run reports to."""
    if total == 0:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _bar(total) as report:
            yield report
    else:
        yield _lines(total)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("trials", total=total)

        def report(progress: Progress) -> None:
            failed = f", {progress.failed} failed" if progress.failed else ""
            bar.update(task, completed=progress.done, description=f"{progress.current}{failed}")

        yield report


def _lines(total: int) -> Callable[[Progress], None]:
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if progress.done == total or progress.seconds - last >= _LINE_EVERY_SECONDS:
            last = progress.seconds
            failed = f", {progress.failed} failed" if progress.failed else ""
            left = f", about {progress.seconds_left:.0f} s left" if progress.done < total else ""
            print(
                f"{progress.done}/{total} trials, {progress.seconds:.0f} s{left}{failed}", file=sys.stderr, flush=True
            )

    return report
