"""What a step costs against the number of neurons, tokens, samples in a batch, samples, and dimensions.

    python benchmarks/cost_model.py [--engine grouped] [--output-layer "per token"]

One size moves at a time, the others stay at m=1000, L=100, B=16, N=128, d=10. Against each the least squares line
through the CPU times is fitted with relative weights; "slope" is the exponent of a power law and "worst" the largest
relative deviation of a point from the line. Costs should be linear in m, B and d, flat in N, and linear in L with a
quadratic part from the attention.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

BASE = {"m": 1000, "L": 100, "B": 16, "N": 128, "d": 10}
AXES = {
    "m": (250, 500, 1000, 2000, 4000),
    "L": (25, 50, 100, 200, 400),
    "B": (4, 8, 16, 32, 64),
    "N": (64, 128, 256, 512, 1024),
    "d": (6, 10, 16),
}


@dataclass(frozen=True)
class Fit:
    """A line cost = fixed + each * size, and how well a power law and the line describe the points."""

    fixed: float
    each: float
    slope: float
    worst: float


def step_seconds(sizes: dict[str, int], engine: str, output_layer: str) -> float:
    """CPU seconds of one step with all hinges active: the least of several blocks."""
    import torch

    from sim.engine_setting import forced
    from sim.shallow_vit.data import TokenModel
    from sim.shallow_vit.engine.interface import StepRule
    from sim.shallow_vit.engine.start import start
    from sim.shallow_vit.model import initialize

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    noise = 0.0 if engine == "collapsed" else 0.01
    data = TokenModel(
        n_tokens=sizes["L"],
        label_relevant_fraction=0.4,
        confusion_fraction=0.1,
        dimension=sizes["d"],
        token_noise=noise,
    ).sample(sizes["N"], generator)
    weights = initialize(
        dimension=sizes["d"], n_neurons=sizes["m"], n_tokens=sizes["L"], value_error=0.1, key_query_error=0.2,
        neuron_scale=0.01, output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    with forced(engine):
        built = start(data, weights, StepRule(sizes["B"], 1e-6, train_attention=True))
    blocks, order = sizes["N"] // sizes["B"], torch.arange(sizes["N"])
    least, spent = np.inf, 0.0
    built.advance(order, 0, 1)
    while spent < 0.25:
        began = time.process_time()
        built.advance(order, 0, blocks)
        took = time.process_time() - began
        least, spent = min(least, took / blocks), spent + took
    return float(least)


def fit(sizes: tuple[int, ...], seconds: list[float]) -> Fit:
    """Fit a line with relative weights."""
    x, y = np.array(sizes, float), np.array(seconds)
    design = np.stack([np.ones_like(x), x], axis=1) / y[:, None]
    (fixed, each), *_ = np.linalg.lstsq(design, np.ones_like(y), rcond=None)
    return Fit(
        fixed=float(fixed),
        each=float(each),
        slope=float(np.polyfit(np.log(x), np.log(y), 1)[0]),
        worst=float(np.abs((fixed + each * x) / y - 1).max()),
    )


def draw(report: dict[str, Any], path: Path) -> None:
    """Cost against each size, on logarithmic axes."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(AXES), figsize=(3 * len(AXES), 3), layout="constrained", sharey=True)
    for panel, (axis, entry) in zip(panels, report["axes"].items(), strict=True):
        x = np.array(entry["sizes"], float)
        panel.loglog(x, 1e3 * np.array(entry["seconds"]), "o", color="black")
        panel.loglog(x, 1e3 * (entry["fixed"] + entry["each"] * x), color="tab:blue")
        panel.set(xlabel=axis, title=f"slope {entry['slope']:.2f}")
    panels[0].set_ylabel("ms a step, one core")
    figure.savefig(path)


def main() -> None:
    """Measure, fit, print; keep figures and, where matplotlib is there, the drawing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="grouped", choices=("torch", "fused", "grouped", "collapsed"))
    parser.add_argument("--output-layer", default="per token", choices=("per token", "shared"))
    options = parser.parse_args()
    report: dict[str, Any] = {"engine": options.engine, "output_layer": options.output_layer, "base": BASE, "axes": {}}
    print(f"{options.engine}, output layer {options.output_layer}, float64, around {BASE}\n")
    print("| size | ms a step | fixed, ms | each, us | slope | worst |\n|---|---|---|---|---|---|")
    for axis, sizes in AXES.items():
        seconds = [step_seconds({**BASE, axis: size}, options.engine, options.output_layer) for size in sizes]
        line = fit(sizes, seconds)
        report["axes"][axis] = {"sizes": sizes, "seconds": seconds, **line.__dict__}
        costs = ", ".join(f"{size}: {1e3 * cost:.2f}" for size, cost in zip(sizes, seconds, strict=True))
        fitted = f"{1e3 * line.fixed:.2f} | {1e6 * line.each:.2f} | {line.slope:.2f} | {line.worst:.0%}"
        print(f"| {axis} | {costs} | {fitted} |", flush=True)
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    stem = f"cost-{options.engine}-{options.output_layer.replace(' ', '-')}"
    (results / f"{stem}.json").write_text(json.dumps(report, indent=1))
    if importlib.util.find_spec("matplotlib"):
        draw(report, results / f"{stem}.svg")


if __name__ == "__main__":
    main()
