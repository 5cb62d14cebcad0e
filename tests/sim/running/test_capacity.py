"""How many workers fit: by cores and memory, and by what a container or a batch job leaves of them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sim.running.capacity import WORKER_BYTES, cores, fitting, free_memory


@pytest.mark.parametrize(
    ("asked", "n_cores", "memory", "count", "word"),
    [
        (None, 4, math.inf, 4, ""),
        (3, 4, math.inf, 3, ""),
        (100_000, 4, math.inf, 4, "100000 workers are more than fit this machine, which has 4 cores to use; 4 start"),
        (2, 1, math.inf, 1, "1 core to use; 1 start"),
        (8, 8, 3.5 * WORKER_BYTES, 3, "1.4 GiB of free memory, of which a worker needs 0.4; 3 start"),
        (None, 8, 3.5 * WORKER_BYTES, 3, "8 workers are more than fit"),
        (2, 8, 0.0, 1, "0.0 GiB of free memory"),
        (1, 8, 0.0, 1, ""),
    ],
)
def test_workers_are_capped_by_cores_and_memory(
    asked: int | None, n_cores: int, memory: float, count: int, word: str
) -> None:
    found, words = fitting(asked, n_cores=n_cores, memory=memory)
    assert found == count
    assert word in words
    assert bool(word) == bool(words)


def test_a_control_group_bounds_both(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable:    4000 kB\n")
    assert free_memory(cgroup=tmp_path, meminfo=meminfo) == 4000 * 1024
    assert free_memory(cgroup=tmp_path, meminfo=tmp_path / "none") == math.inf
    (tmp_path / "memory.current").write_text("700000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory(cgroup=tmp_path, meminfo=meminfo) == 4000 * 1024
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 50000\n")
    assert free_memory(cgroup=tmp_path, meminfo=meminfo) == 350_000
    for quota in ("max 100000\n", "nonsense", ""):
        (tmp_path / "cpu.max").write_text(quota)
        assert cores(cgroup=tmp_path) == cores(cgroup=tmp_path / "none") >= 1
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert cores(cgroup=tmp_path) == 1


def test_the_first_version_of_control_groups_counts_too(tmp_path: Path) -> None:
    for folder, files in {
        "memory": {"memory.limit_in_bytes": 1000, "memory.usage_in_bytes": 1200},
        "cpu": {"cpu.cfs_quota_us": 100_000, "cpu.cfs_period_us": 100_000},
    }.items():
        (tmp_path / folder).mkdir()
        for name, number in files.items():
            (tmp_path / folder / name).write_text(f"{number}\n")
    assert free_memory(cgroup=tmp_path, meminfo=tmp_path / "none") == 0
    assert cores(cgroup=tmp_path) == 1
