"""Work that is cheapest done together, asked for by many threads: whoever finds nobody at work does it for all.

Trials run in threads, each as if it were alone, and ask for blocks of steps. While one thread steers the device for all
that have asked, the others look after their own trials; what they ask for meanwhile joins at the next block. Nobody
waits for a fixed company, so trials may come and go, and none can hold up the rest by ending.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")


@dataclass
class _Request(Generic[Job]):
    job: Job
    over: bool = False
    error: BaseException | None = None


class Rendezvous(Generic[Job]):
    """Jobs are worked on together, a turn at a time, until each is over.

    Args:
        work: does one turn on some jobs and says of each whether it is over.
    """

    def __init__(self, work: Callable[[Sequence[Job]], Sequence[bool]]) -> None:
        self._work = work
        self._asked: list[_Request[Job]] = []
        self._somebody_works = False
        self._changed = threading.Condition()

    @property
    def waiting(self) -> list[Job]:
        """Jobs asked for and not over."""
        return [request.job for request in self._asked]

    def do(self, job: Job) -> None:
        """Have a job done, whoever does it, and return when it is.

        Raises:
            BaseException: whatever `work` raised, in every thread whose job was part of that turn.
        """
        mine = _Request(job)
        with self._changed:
            self._asked.append(mine)
            while self._somebody_works and not mine.over:
                self._changed.wait()
            self._somebody_works = self._somebody_works or not mine.over
            leads = not mine.over
        if leads:
            self._lead(mine)
        if mine.error is not None:
            raise mine.error

    def _lead(self, mine: _Request[Job]) -> None:
        """Work for all who have asked, until one's own job is over; then somebody else may."""
        while not mine.over:
            with self._changed:
                together = list(self._asked)
            error: BaseException | None = None
            try:
                over = self._work([request.job for request in together])
            except BaseException as raised:  # Ctrl-C as well: nobody may be left waiting
                over, error = [True] * len(together), raised
            with self._changed:
                for request, ended in zip(together, over, strict=True):
                    request.over, request.error = ended, error
                self._asked = [request for request in self._asked if not request.over]
                self._somebody_works = not mine.over
                self._changed.notify_all()
