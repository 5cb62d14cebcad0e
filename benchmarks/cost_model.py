"""What a step costs against the number of neurons, tokens, samples in a batch, samples, and dimensions.

    python benchmarks/cost_model.py [--engine grouped] [--output-layer "per token"] [--redraw]

One size moves at a time, the others stay at m=1000, L=100, B=16, N=128, d=10. Through the CPU times against each goes
the curve that the arithmetic has, fitted by non-negative least squares with relative weights: a line against m, B and
d, a constant against N, a line and a square, which is the attention's, against L. "slope" is the exponent of a power
law and "worst" the largest relative deviation of a point from the curve. `--redraw` fits and draws what was kept.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
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
POWERS = {"m": (0, 1), "L": (0, 1, 2), "B": (0, 1), "N": (0,), "d": (0, 1)}
"""Powers of each size that a step's arithmetic has."""


@dataclass(frozen=True)
class Fit:
    """A cost as a sum of powers of a size, coefficients by power; how well it and a power law describe the points."""

    coefficients: dict[int, float]
    slope: float
    worst: float

    def at(self, size: np.ndarray) -> np.ndarray:
        """Seconds at sizes."""
        return sum(each * size**power for power, each in self.coefficients.items()) + 0.0 * size


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


def fit(axis: str, sizes: Sequence[int], seconds: Sequence[float]) -> Fit:
    """Fit the powers of an axis with relative weights."""
    from scipy.optimize import nnls

    x, y, powers = np.array(sizes, float), np.array(seconds), POWERS[axis]
    scale = np.array([x.max() ** power for power in powers])
    found, _ = nnls(np.stack([x**power for power in powers], axis=1) / scale / y[:, None], np.ones_like(y))
    coefficients = {power: float(value) for power, value in zip(powers, found / scale, strict=True)}
    slope = float(np.polyfit(np.log(x), np.log(y), 1)[0])
    curve = Fit(coefficients, slope, worst=0.0)
    return replace(curve, worst=float(np.abs(curve.at(x) / y - 1).max()))


def words(axis: str, curve: Fit) -> str:
    """The fitted curve in microseconds."""
    terms = [
        f"{1e6 * each:.3g}" + ("" if power == 0 else f" {axis}^{power}") for power, each in curve.coefficients.items()
    ]
    return " + ".join(terms).replace("^1", "")


def draw(report: dict[str, Any], folder: Path, stem: str) -> None:
    """Cost against each size with the fitted curve, on logarithmic axes."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(AXES), figsize=(2.6 * len(AXES), 2.9), layout="constrained", sharey=True)
    for panel, (axis, entry) in zip(panels, report["axes"].items(), strict=True):
        curve = fit(axis, entry["sizes"], entry["seconds"])
        x = np.array(entry["sizes"], float)
        fine = np.geomspace(x[0], x[-1], 100)
        panel.loglog(fine, 1e3 * curve.at(fine), color="tab:blue")
        panel.loglog(x, 1e3 * np.array(entry["seconds"]), "o", color="black", markersize=4)
        panel.set_xticks(x, labels=[f"{size:g}" for size in x], fontsize=7)
        panel.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
        form = {(0,): "constant", (0, 1): "line", (0, 1, 2): "line + square"}[POWERS[axis]]
        panel.set_title(f"{form}, within {curve.worst:.0%}\npower law {curve.slope:.2f}", fontsize=8)
        panel.set_xlabel(axis)
    panels[0].set_ylabel("ms a step, one core")
    figure.suptitle(f"{report['engine']}, output layer {report['output_layer']}, float64", fontsize=9)
    figure.savefig(folder / f"{stem}.svg")
    pyplot.close(figure)


def main() -> None:
    """Measure, fit, print; keep figures and, where matplotlib is there, the drawing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="grouped", choices=("torch", "fused", "grouped", "collapsed"))
    parser.add_argument("--output-layer", default="per token", choices=("per token", "shared"))
    parser.add_argument("--redraw", action="store_true", help="fit and draw what was kept, measure nothing")
    options = parser.parse_args()
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    stem = f"cost-{options.engine}-{options.output_layer.replace(' ', '-')}"
    kept = results / f"{stem}.json"
    report: dict[str, Any] = {"engine": options.engine, "output_layer": options.output_layer, "base": BASE, "axes": {}}
    if options.redraw:
        report = json.loads(kept.read_text())
    print(f"{options.engine}, output layer {options.output_layer}, float64, around {BASE}\n")
    print("| size | ms a step | fitted, us | slope | worst |\n|---|---|---|---|---|")
    for axis, sizes in AXES.items():
        if not options.redraw:
            seconds = [step_seconds({**BASE, axis: size}, options.engine, options.output_layer) for size in sizes]
            report["axes"][axis] = {"sizes": sizes, "seconds": seconds}
        entry = report["axes"][axis]
        curve = fit(axis, entry["sizes"], entry["seconds"])
        report["axes"][axis] = {"sizes": entry["sizes"], "seconds": entry["seconds"], **asdict(curve)}
        costs = ", ".join(f"{n}: {1e3 * cost:.2f}" for n, cost in zip(entry["sizes"], entry["seconds"], strict=True))
        print(f"| {axis} | {costs} | {words(axis, curve)} | {curve.slope:.2f} | {curve.worst:.0%} |", flush=True)
    kept.write_text(json.dumps(report, indent=1))
    if importlib.util.find_spec("matplotlib"):
        draw(report, results, stem)


if __name__ == "__main__":
    main()
