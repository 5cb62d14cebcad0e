"""benchmarks/daily_loop.py on commands of no length: all that a command starts counts, and its failure is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import daily_loop
from benchmarks.daily_loop import Command, Took

WORK = "sum(i * i for i in range(3_000_000))"


def python(code: str) -> Command:
    return Command((sys.executable, "-c", code), (("GIVEN", "here"),))


def test_what_a_command_starts_counts() -> None:
    alone = daily_loop.measured(python(WORK))
    child = daily_loop.measured(python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WORK!r}])"))
    nothing = daily_loop.measured(python("import os; assert os.environ['GIVEN'] == 'here'"))
    assert min(alone.cpu, child.cpu) > nothing.cpu > 0


def test_a_command_that_fails_ends_the_measurement() -> None:
    with pytest.raises(SystemExit, match=r"ended with 1: (.*\n)+ValueError: no table"):
        daily_loop.measured(python("raise ValueError('no table')"))


def test_a_row_has_the_median_and_the_range() -> None:
    taken = [Took(cpu, 2 * cpu) for cpu in (3.0, 1.0, 1.25)]
    assert daily_loop.row("table", taken) == "| table | 1.25 (1 to 3) | 2.5 (2 to 6) |"


def test_every_command_is_one_of_ours() -> None:
    made = (daily_loop.ROOT / "Makefile").read_text(encoding="utf-8")
    for command in daily_loop.commands(Path("store"), Path("fresh")).values():
        if command.words[0] == "make":
            assert f"\n{command.words[1]}: " in made
        else:
            assert command.words[:3] == daily_loop.PROGRAM or (daily_loop.ROOT / command.words[0]).is_file()
