"""How far a sweep scales: `python -m benchmarks.scale [--trials N]`.

Three questions, one run: how many trials a second the path from spec to stored row carries and how well more workers
share real work (process and dask executors); how long a store of N no-op trials takes to fill, to resume and to table,
and how large it is (10^6 by default); what follows for 10^6 and 10^9 real trials. Writes benchmarks/results/scale.json
and prints the tables of benchmarks/results/scale.md. Rates depend on the machine; ratios within one run are what to
read.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import platform
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.no_op import NO_OP
from checks.evidence.check import Check, evaluate
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from sim.running.executors import find
from sim.running.run import run
from sim.store.store import Store
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Trial, TrialSpec
from theory.catalogue import select

RESULTS = Path(__file__).parent / "results" / "scale.json"
WORK_MILLISECONDS = 20.0
WORK_TRIALS = 400
OVERHEAD_TRIALS = 4000


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1_000_000, help="no-op trials in the large store")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    if arguments.trials < 1:
        parser.error(f"--trials must be >= 1, got {arguments.trials}")
    with tempfile.TemporaryDirectory() as folder:
        result = {
            "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()[0]},
            "sharing": sharing(Path(folder)),
            "large_store": large_store(Path(folder), arguments.trials),
        }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(render(result))


def sharing(folder: Path) -> list[dict[str, Any]]:
    """Throughput of no-op trials, and efficiency on trials of 20 ms, by executor and number of workers."""
    rows = []
    for executor, workers in (("serial", 0), ("process", 1), ("process", 2), ("dask", 1), ("dask", 2), ("dask", 4)):
        row: dict[str, Any] = {"executor": executor, "workers": workers}
        start = time.perf_counter()
        with find(executor, workers=workers).open() as opened, Store(folder / f"{executor}{workers}.sqlite") as store:
            timed = functools.partial(_seconds, store, opened, workers)
            timed(
                no_ops(16 * max(workers, 1), milliseconds=WORK_MILLISECONDS, first=10**9)
            )  # workers start when needed
            row["start_seconds"] = time.perf_counter() - start
            row["overhead_seconds"] = timed(no_ops(OVERHEAD_TRIALS))
            row["work_seconds"] = timed(no_ops(WORK_TRIALS, milliseconds=WORK_MILLISECONDS))
        row["no_op_trials_per_second"] = OVERHEAD_TRIALS / row["overhead_seconds"]
        usable = min(max(workers, 1), os.cpu_count() or 1)
        row["efficiency"] = WORK_TRIALS * WORK_MILLISECONDS / 1000 / usable / row["work_seconds"]
        rows.append(row)
    return rows


def _seconds(store: Store, opened: Executor, workers: int, specs: Sequence[TrialSpec]) -> float:
    """Wall time of a sweep on workers that run already."""
    start = time.perf_counter()
    run(specs, store, executor=lambda: nullcontext(opened), workers=workers)
    return time.perf_counter() - start


def large_store(folder: Path, count: int) -> dict[str, Any]:
    """Fill a store with `count` no-op trials, resume it, table it."""
    path = folder / "large.sqlite"
    specs = no_ops(count)
    timing: dict[str, float] = {}

    def timed(name: str, function: Any) -> Any:
        start = time.perf_counter()
        answer = function()
        timing[name] = time.perf_counter() - start
        return answer

    with Store(path) as store:
        timed("fill_seconds", lambda: run(specs, store, executor="serial"))
        assert len(store) == count
    with Store(path) as store:
        assert timed("resume_seconds", lambda: store.missing(specs)) == []
    with Store(path, read_only=True) as store:
        trials = timed("read_seconds", lambda: store.get(specs))
    timed("table_seconds", lambda: table(specs, trials))
    return {"trials": count, "bytes": path.stat().st_size, **timing}


def table(specs: Sequence[TrialSpec], trials: dict[str, Trial]) -> None:
    """One row that rests on all of them."""
    points = tuple(dict(spec.parameters) for spec in specs)
    part = Behaviour(name="drawn", shows=_shows, rate=0.9, sweeps={Preset.QUICK: (Sweep(NO_OP, points),)})
    (claim,) = select(["B.association_always"])
    (rows,) = evaluate([Check(claim, (part,))], Preset.QUICK, trials).values()
    assert rows[0].protocol.n_trials == len(specs)


def _shows(trial: Trial) -> bool:
    return bool(trial.result.observables["shown"])


def no_ops(count: int, *, milliseconds: float = 0.0, first: int = 0) -> list[TrialSpec]:
    """A sweep of so many trials."""
    return Sweep(NO_OP, grid(size=range(first, first + count)), {"milliseconds": milliseconds}).specs()


def render(result: dict[str, Any]) -> str:
    """The tables of benchmarks/results/scale.md."""
    lines = [
        "| executor | workers | start | no-op trials a second | efficiency at 20 ms a trial |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['executor']} | {row['workers'] or ''} | {row['start_seconds']:.1f} s | "
        f"{row['no_op_trials_per_second']:.0f} | {row['efficiency']:.0%} |"
        for row in result["sharing"]
    ]
    large = result["large_store"]
    count = large["trials"]
    lines += ["", "| large store | |", "|---|---:|", f"| trials | {count} |"]
    lines += [
        f"| fill, one process | {large['fill_seconds']:.0f} s ({count / large['fill_seconds']:.0f} a second) |",
        f"| resume: find that nothing is missing | {large['resume_seconds']:.0f} s |",
        f"| read all | {large['read_seconds']:.0f} s |",
        f"| judge and table one row of all | {large['table_seconds']:.0f} s |",
        f"| file | {large['bytes'] / 1e6:.0f} MB ({large['bytes'] / count:.0f} bytes a trial) |",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
