"""`benchmarks.room_mutants`: a fault of each room dies by its tests, and one that no test passes through is left."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.gate import ROOT
from benchmarks.room_mutants import PAGE, drawn, modules_of, page

CASES = {
    "evidence": ("both_ways.standings_of", "tests/checks/evidence/test_both_ways.py"),
    "statistics": ("policy.look_shares", "tests/checks/statistics/test_policy.py"),
    "store": ("sealed_file._manifest", "tests/sim/store/test_sealed_file.py"),
}


def rows_of(room: str, owner: str, tests: str, folder: Path) -> list[dict[str, str]]:
    words = ["--room", room, "--owner", owner, "--tests", tests, "--sample", "1", "--rows", str(folder / "rows")]
    subprocess.run([sys.executable, "-m", "benchmarks.room_mutants", *words], cwd=ROOT, check=True, capture_output=True)
    return [json.loads(line) for line in (folder / "rows").read_text().splitlines()]


@pytest.mark.parametrize("room", CASES)
def test_a_fault_of_a_room_dies_by_its_tests(room: str, tmp_path: Path) -> None:
    owner, tests = CASES[room]
    (row,) = rows_of(room, owner, tests, tmp_path)
    assert row["fault"].startswith(owner)
    assert row["killer"].startswith(tests)


@pytest.mark.parametrize("room", [pytest.param("evidence", marks=pytest.mark.dear), "store"])
def test_of_a_drawn_sample_of_faults_a_third_is_seen_at_least(room: str, tmp_path: Path) -> None:
    """Four and six of six when this was written; another draw wherever the room's sources change."""
    words = ["--room", room, "--seed", "3", "--sample", "6", "--rows", str(tmp_path / "rows")]
    subprocess.run([sys.executable, "-m", "benchmarks.room_mutants", *words], cwd=ROOT, check=True, capture_output=True)
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert len({row["fault"] for row in rows}) == 6
    assert sum(bool(row["killer"]) for row in rows) >= 2


def test_the_rate_in_the_documents_is_that_of_the_page() -> None:
    counted = re.search(r"^\| all \| (\d+) \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert counted is not None
    words = f"of which their quick tests see {counted[2]} of {counted[1]}."
    assert words in (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")


def test_a_fault_that_no_test_passes_through_survives(tmp_path: Path) -> None:
    (row,) = rows_of("store", "replays._agree", "tests/sim/store/test_sealed_file.py", tmp_path)
    assert (row["killer"], row["tests"]) == ("", 0)


def test_a_sample_is_the_same_each_time_and_each_fault_is_in_it_once() -> None:
    modules = [module for module in modules_of("sim.store") if module.__name__.endswith(("guard", "footer"))]
    first, again = ([mutant.key for _, mutant in drawn(modules, 5, seed)] for seed in (1, 1))
    assert first == again
    assert len(set(first)) == 5
    assert first != [mutant.key for _, mutant in drawn(modules, 5, 2)]


def test_the_page_counts_and_names_what_survives() -> None:
    rows = [
        {"room": "store", "fault": "a.b: c", "killer": "tests/x.py::test", "tests": 3},
        {"room": "store", "fault": "a.d: e", "killer": "", "tests": 4},
    ]
    text = page(rows, 0)
    assert "| sim.store | 2 | 1 |" in text
    assert "- sim.store, 4: `a.d: e`" in text
    assert "a.b" not in text
