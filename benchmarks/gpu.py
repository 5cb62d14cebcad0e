"""Engines of the shallow ViT on a GPU: model-steps a second, their share of the peak, and how often those of others.

    python benchmarks/gpu.py [--rehearse]

Trials train at once in growing numbers: an autograd loop (eager, one trial), torch.func vmap, both through
torch.compile, and ours. A model-step is one step of one trial. The peak is a matrix product's rate in the same run and
precision; the arithmetic is counted as in `engine.py`, every token's products. All must agree with float64 autograd
on all weights after 50 steps, relative 1e-10 in double precision, 1e-4 in single and 1e-2 in tf32, or they are marked.
Times are medians of five; each ends when its weights are back on the host.

Without a GPU it says so and exits with 2. `--rehearse` runs tiny problems on the CPU, ours through Triton's
interpreter: it shows that this file works and measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.contestants import MATRICES, Train, autograd, functional  # noqa: E402
from benchmarks.engine import Case  # noqa: E402

RESULTS = HERE / "results"
LOOP = "autograd loop"
TOLERANCES = {("float64", "ieee"): 1e-10, ("float32", "ieee"): 1e-4, ("float32", "tf32"): 1e-2}


@dataclass(frozen=True)
class Plan:
    """What is measured where."""

    device: str
    cases: tuple[Case, ...]
    trials: tuple[int, ...]
    steps: int
    rounds: int
    gate_steps: int
    compile_it: bool


GPU = Plan(
    device="cuda",
    cases=tuple(
        Case(length, m, 16, "per token", 0.01, precision)
        for length, m in ((100, 1000), (50, 100), (20, 32))
        for precision in ("float32", "float64")
    ),
    trials=(1, 16, 64, 256, 1024),
    steps=50,
    rounds=5,
    gate_steps=50,
    compile_it=True,
)
REHEARSAL = Plan(
    device="cpu",
    cases=(Case(10, 5, 2, "per token", 0.01, "float64"),),
    trials=(2,),
    steps=1,
    rounds=1,
    gate_steps=3,
    compile_it=False,
)


def ours(case: dict[str, np.ndarray], *, trials: int, device: str, name: str = "gpu") -> Train:
    """Our engine: each trial in a thread of its own."""
    import torch

    from sim.shallow_vit.data import Samples
    from sim.shallow_vit.engine.gpu import GpuEngine
    from sim.shallow_vit.engine.interface import StepRule
    from sim.shallow_vit.model import Weights

    samples = Samples(*(torch.from_numpy(case[field]) for field in ("tokens", "labels", "patterns")))
    start = Weights(*(torch.from_numpy(case[field]) for field in (*MATRICES, "output")))
    rule = StepRule(int(case["batch_size"]), float(case["rate"]), train_attention=True)
    whole = len(samples) // rule.batch_size

    def train(steps: int) -> dict[str, np.ndarray]:
        engines = [GpuEngine(samples, start, rule, name=name, device=device) for _ in range(trials)]
        order = torch.arange(whole * rule.batch_size).repeat(-(-steps // whole))
        with ThreadPoolExecutor(trials) as pool:
            list(pool.map(lambda engine: engine.advance(order, 0, steps), engines))
        weights = engines[0].weights()
        return {matrix: getattr(weights, matrix).numpy() for matrix in MATRICES}

    return train


def contestants(case: dict[str, np.ndarray], plan: Plan, trials: int) -> dict[tuple[str, str], Callable[[], Train]]:
    """How each is built, by name and kind of products."""
    device, single = plan.device, case["tokens"].dtype == np.float32
    found: dict[tuple[str, str], Callable[[], Train]] = {
        ("torch.func vmap", "ieee"): lambda: functional(case, device=device, trials=trials),
        ("ours", "ieee"): lambda: ours(case, device=device, trials=trials),
    }
    if single:
        found["ours", "tf32"] = lambda: ours(case, device=device, trials=trials, name="gpu-tf32")
    if trials == min(plan.trials):
        found[LOOP, "ieee"] = lambda: autograd(case, device=device)
    if plan.compile_it:
        found["torch.compile of vmap", "ieee"] = lambda: functional(case, compile_it=True, device=device, trials=trials)
        if trials == min(plan.trials):
            found["torch.compile of the loop", "ieee"] = lambda: autograd(case, compile_it=True, device=device)
    return found


def measure(train: Train, plan: Plan) -> tuple[float, float]:
    """Seconds of the first call, which compiles, and of a step of all trials."""
    began = time.perf_counter()
    train(1)
    first = time.perf_counter() - began
    few, many = plan.steps, 3 * plan.steps  # their difference leaves out what laying out and fetching cost
    seconds: dict[int, list[float]] = {few: [], many: []}
    for _ in range(plan.rounds):
        for steps, found in seconds.items():
            began = time.perf_counter()
            train(steps)
            found.append(time.perf_counter() - began)
    return first, (statistics.median(seconds[many]) - statistics.median(seconds[few])) / (many - few)


def peak(device: str, precision: str, products: str, *, size: int = 4096) -> float:
    """Floating point operations a second of a square matrix product: the best of ten."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = products == "tf32"
    factor = torch.randn(size, size, dtype=getattr(torch, precision), device=device)
    best = float("inf")
    for _ in range(10):
        began = time.perf_counter()
        float((factor @ factor)[0, 0])  # waits for the device
        best = min(best, time.perf_counter() - began)
    torch.backends.cuda.matmul.allow_tf32 = False
    return 2 * size**3 / best


def compete(case: Case, path: Path, plan: Plan) -> list[dict[str, Any]]:
    """A row for every contestant and number of trials."""
    with np.load(path) as archive:
        problem = dict(archive)
    double = {
        name: values.astype(np.float64) if values.dtype == np.float32 else values for name, values in problem.items()
    }
    reference = autograd(double)(plan.gate_steps)
    rates = {products: peak(plan.device, case.precision, products, size=4096 if plan.device == "cuda" else 64)
             for products in ("ieee", *(["tf32"] if case.precision == "float32" else []))}  # fmt: skip
    rows, loop = [], float("nan")
    for trials in plan.trials:
        built = contestants(problem, plan, trials)
        for (name, products), build in sorted(built.items(), key=lambda item: item[0][0] != LOOP):
            row: dict[str, Any] = {"contestant": name, "products": products, "trials": 1 if "loop" in name else trials}
            try:
                train = build()
                first, step = measure(train, plan)
                gate = train(plan.gate_steps)
            except Exception as error:  # out of memory, or a compiler's refusal: said in the table
                rows.append(row | {"error": f"{type(error).__name__}: {error}".splitlines()[0][:120]})
                continue
            rate = row["trials"] / step
            loop = rate if name == LOOP else loop
            deviation = max(float(np.abs(gate[matrix] - right).max() / np.abs(right).max())
                            for matrix, right in reference.items())  # fmt: skip
            rows.append(
                row
                | {
                    "model_steps_per_s": rate,
                    "share_of_peak": rate * case.flops / rates[products],
                    "times_loop": rate / loop,
                    "first_s": first,
                    "deviation": deviation,
                    "agrees": deviation < TOLERANCES[case.precision, products],
                }
            )
    return rows


def table(report: dict[str, Any]) -> str:
    """The report as markdown."""
    lines = [f"{report['device']}, torch {report['torch']}, triton {report['triton']}.\n"]
    for entry in report["cases"]:
        lines.append(f"\n### {entry['case']}\n")
        lines.append(
            "| contestant | products | trials | model-steps / s | of peak | x loop | first call, s | deviation |"
        )
        lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
        for row in entry["rows"]:
            start = f"| {row['contestant']} | {row['products']} | {row['trials']} |"
            if "error" in row:
                lines.append(f"{start} {row['error']} | | | | |")
                continue
            mark = "" if row["agrees"] else " **disagrees**"
            lines.append(
                f"{start} {row['model_steps_per_s']:.0f} | {row['share_of_peak']:.3f} | {row['times_loop']:.1f} | "
                f"{row['first_s']:.1f} | {row['deviation']:.1e}{mark} |"
            )
    return "\n".join(lines) + "\n"


def run(plan: Plan) -> dict[str, Any]:
    """All cases of a plan."""
    import torch
    import triton

    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for case in plan.cases:
            print(case.name, file=sys.stderr, flush=True)
            cases.append({"case": case.name, "rows": compete(case, case.write(Path(folder)), plan)})
    device = torch.cuda.get_device_name() if plan.device == "cuda" else "a rehearsal on the CPU: times mean nothing"
    return {"device": device, "torch": torch.__version__, "triton": triton.__version__, "cases": cases}


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the table and keep it with the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rehearse", action="store_true", help="tiny problems on the CPU, nothing is kept")
    if parser.parse_args(arguments).rehearse:
        os.environ["TRITON_INTERPRET"] = "1"
        print(table(run(REHEARSAL)))
        return 0
    from sim.engine_setting import checked
    from sim.trials.validation import InvalidParameter

    os.environ.pop("TRITON_INTERPRET", None)
    try:
        checked("gpu", argument="engine")
    except InvalidParameter as refusal:
        print(f"gpu benchmark: {refusal}", file=sys.stderr)
        return 2
    report = run(GPU)
    text = table(report)
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "gpu.json").write_text(json.dumps(report, indent=1))
    (RESULTS / "gpu.md").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
