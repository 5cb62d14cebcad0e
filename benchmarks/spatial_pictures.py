"""Pictures for docs/findings.md that no single row of the table can draw.

    python -m benchmarks.spatial_pictures        # half a minute; linear_region.svg, gaussian_patches.svg in docs/img

Linear region: the least error of a function of the sum of all patches, exact, over D and q at C = 4 and 8, with the
line where it is the 1/8 of Theorem 3.1. Gaussian patches: test errors over steps and learned logits of three runs of
the protocol of Figure 2, drawn from the simulator that the check runs. [jelassi2022]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from checks.report.pictures.model import CLAIMED, MEASURED, UNUSED
from sim.spatial_vit.baselines.gaussian_patches import simulate_gaussian_patches
from sim.spatial_vit.baselines.linear_models import function_of_sum_error
from sim.spatial_vit.network.lattice import joint_law
from sim.spatial_vit.systems import GAUSSIAN_PATCHES
from sim.trials.readouts import observed
from sim.trials.trial import TrialResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = Path(__file__).parents[1] / "docs" / "img"
CLAIMED_ERROR = 1 / 8
SIZES = (16, 24, 32, 48, 64, 96, 128, 192, 256)
RATES = tuple(np.geomspace(0.01, 1.0, 17).tolist())
RUNS = (
    ("P trained, σ_A = 1", "encodings", 1.0),
    ("P trained, σ_A = 4", "encodings", 4.0),
    ("A trained", "logits", 1.0),
)
"""Title, attention and scale at the start."""
STYLE = {"font.size": 7.5, "svg.hashsalt": "spatial", "axes.titlesize": 7.5, "legend.fontsize": 6.5}


def least_errors(sizes: Sequence[int], rates: Sequence[float], *, set_size: int) -> np.ndarray:
    """Least error of any function of the sum of all patches, [rates, sizes]."""
    return np.array(
        [
            [
                function_of_sum_error(joint_law(n_patches=patches, set_size=set_size, spurious_rate=rate))
                for patches in sizes
            ]
            for rate in rates
        ]
    )


def draw_region(axes: Axes, *, set_size: int) -> None:
    """Map of the least error over D and q, with the claimed error and the powers of C that q D is said to be."""
    from matplotlib.colors import LogNorm

    errors = least_errors(SIZES, RATES, set_size=set_size)
    levels = np.geomspace(1e-5, 1.0, 16)
    filled = axes.contourf(SIZES, RATES, errors.clip(1e-5), levels=levels, norm=LogNorm(1e-5, 1.0), cmap="cividis")
    axes.contour(SIZES, RATES, errors, levels=[CLAIMED_ERROR], colors=CLAIMED, linewidths=1.6)
    axes.plot([], [], color=CLAIMED, lw=1.6, label="error 1/8, claimed as the least")
    for power, words, dashes in ((1, "", ":"), (2, "²", "--")):
        sizes = np.array(SIZES, dtype=float)
        axes.plot(sizes, set_size**power / sizes, color="white", ls=dashes, lw=1)
        axes.plot([], [], color=UNUSED, ls=dashes, lw=1, label=f"q D = C{words}")
    axes.set(xscale="log", yscale="log", xlabel="patches D", ylabel="spurious rate q", title=f"C = {set_size}")
    axes.set_xlim(SIZES[0], SIZES[-1])
    axes.set_ylim(RATES[0], RATES[-1])
    axes.set_xticks((16, 32, 64, 128, 256), ("16", "32", "64", "128", "256"))
    axes.minorticks_off()
    axes.figure.colorbar(filled, ax=axes, label="least error", ticks=[1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0])


def run(attention: str, init_scale: float, *, n_steps: int = 2000) -> TrialResult:
    """One run of the check's quick protocol, a little longer, from a fixed seed."""
    done = simulate_gaussian_patches(
        n_patches=16, set_size=4, patch_dimension=16, convolution="shared", attention=attention, init_scale=init_scale,
        n_samples=10_000, n_test=4000, n_steps=n_steps, batch_size=500, learning_rate=0.03, n_records=40,
        generator=torch.Generator().manual_seed(0),
    )  # fmt: skip
    return observed(GAUSSIAN_PATCHES, done)


def main() -> None:
    """Write both pictures."""
    import matplotlib.style
    from matplotlib.figure import Figure

    IMAGES.mkdir(parents=True, exist_ok=True)
    with matplotlib.style.context(["default", STYLE]):
        figure = Figure(figsize=(6.8, 3.0), layout="constrained")
        for axes, set_size in zip(figure.subplots(1, 2), (4, 8), strict=True):
            draw_region(axes, set_size=set_size)
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
        figure.savefig(IMAGES / "linear_region.svg", metadata={"Date": None}, dpi=150)

        figure = Figure(figsize=(6.8, 2.4), layout="constrained")
        curve, *pictures = figure.subplots(1, 1 + len(RUNS), width_ratios=[1.5, 1, 1, 1])
        colours = (MEASURED, "#009E73", "#000000")
        for (words, attention, scale), axes, colour in zip(RUNS, pictures, colours, strict=True):
            result = run(attention, scale)
            curve.plot(result.curves["step"], result.curves["test_error"], color=colour, lw=1, label=words)
            axes.imshow(result.curves["final_logits"], cmap="gray_r")
            for edge in (3.5, 7.5, 11.5):
                axes.axhline(edge, color=UNUSED, lw=0.4)
                axes.axvline(edge, color=UNUSED, lw=0.4)
            axes.set(xticks=[], yticks=[], title=f"{words}\nerror {float(result.observables['test_error']):.3f}")
        curve.axhline(float(result.observables["linear_error"]), color=CLAIMED, ls="--", lw=1, label="fitted linear")
        curve.set(xlabel="step", ylabel="test error", ylim=(0, 0.5))
        curve.legend(frameon=False)
        figure.savefig(IMAGES / "gaussian_patches.svg", metadata={"Date": None}, dpi=150)


if __name__ == "__main__":
    main()
