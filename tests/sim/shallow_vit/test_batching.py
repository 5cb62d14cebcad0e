"""Threads that work together: every job is done once, latecomers join, errors reach those whose turn failed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sim.shallow_vit.engine.batching import Rendezvous
from tests.patience import PATIENCE_SECONDS


class Counter:
    """A job of so many units; a turn does one of each, and keeps the company it found."""

    def __init__(self, units: int) -> None:
        self.left = units


def turn(jobs):
    for job in jobs:
        assert job.left > 0  # a job that is over is never worked on again
        job.left -= 1
    return [job.left == 0 for job in jobs]


def test_one_job_takes_as_many_turns_as_it_needs():
    turns = []
    rendezvous = Rendezvous(lambda jobs: turns.append(len(jobs)) or turn(jobs))
    rendezvous.do(Counter(3))
    assert turns == [1, 1, 1]


def test_many_threads_all_come_to_an_end_and_no_two_work_at_once():
    at_work = threading.Lock()

    def alone(jobs):
        assert at_work.acquire(blocking=False)
        try:
            return turn(jobs)
        finally:
            at_work.release()

    rendezvous = Rendezvous(alone)
    jobs = [[Counter(1 + (place + number) % 7) for number in range(20)] for place in range(8)]

    def ask(mine):
        for job in mine:
            rendezvous.do(job)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(ask, mine) for mine in jobs]:
            done.result(timeout=PATIENCE_SECONDS)
    assert not any(job.left for mine in jobs for job in mine)


def test_who_asks_meanwhile_joins_the_next_turn():
    entered, go_on, companies = threading.Event(), threading.Event(), []

    def work(jobs):
        companies.append(len(jobs))
        entered.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return turn(jobs)

    rendezvous = Rendezvous(work)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(rendezvous.do, Counter(2))
        assert entered.wait(PATIENCE_SECONDS)
        others = [pool.submit(rendezvous.do, Counter(1)) for _ in range(2)]
        while len(rendezvous.waiting) < 3:
            threading.Event().wait(0.001)
        go_on.set()
        for done in (first, *others):
            done.result(timeout=PATIENCE_SECONDS)
    assert companies == [1, 3]


def test_an_error_reaches_whoever_was_in_that_turn_and_nobody_else():
    entered, go_on = threading.Event(), threading.Event()

    def work(jobs):
        if any(job.left == 99 for job in jobs):
            entered.set()
            assert go_on.wait(PATIENCE_SECONDS)
            raise ZeroDivisionError("planted")
        return turn(jobs)

    rendezvous = Rendezvous(work)
    with ThreadPoolExecutor(2) as pool:
        guilty = pool.submit(rendezvous.do, Counter(99))
        assert entered.wait(PATIENCE_SECONDS)
        later = pool.submit(rendezvous.do, Counter(4))
        while len(rendezvous.waiting) < 2:
            threading.Event().wait(0.001)
        go_on.set()
        with pytest.raises(ZeroDivisionError, match="planted"):
            guilty.result(timeout=PATIENCE_SECONDS)
        later.result(timeout=PATIENCE_SECONDS)
