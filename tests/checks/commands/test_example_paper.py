"""The documented paper runs as printed: from any folder, beside the user's own `sim.py`, in worker processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PAPER = """
key = "ols"
title = "The risk of least squares"
authors = ["A. Author"]
year = 2024
url = "https://example.org"
"""

CLAIMS = """
import sympy as sp
from theoremeter import Axis, Claim, Evidence, Hypothesis, Kind, Source, above
n, d = sp.symbols("n d", positive=True, integer=True)
RISK = Claim(id="ols.risk", source=Source("ols", "Theorem 1"), kind=Kind.EXACT, statement="The expected excess risk is d / (n - d - 1).",
             observable="excess risk", evidence=(Evidence.MEASURED,), axes=(Axis(n),), value=d / (n - d - 1), regime=(Hypothesis("n > d + 1", above(n, d + 1)),))
"""  # noqa: E501

SIMULATORS = """
import torch
from theoremeter import Outcome, System, TrialResult
def simulate_ols(*, n_samples: int, dimension: int, generator: torch.Generator) -> TrialResult:
    x = torch.randn(n_samples, dimension, generator=generator, dtype=torch.float64)
    y = torch.randn(n_samples, 1, generator=generator, dtype=torch.float64)
    return TrialResult(Outcome.CONVERGED, {"excess_risk": float(torch.linalg.lstsq(x, y).solution.square().sum())})
OLS = System("ols", simulate_ols)
"""

CHECKS = """
from theoremeter import Check, Preset, Scaling, Sweep, grid
from .claims import RISK, d, n
from .simulators import OLS
RISK_CHECK = Check(RISK, (Scaling(name="d = 5", symbol=n, parameter="n_samples", observable="excess_risk", symbols={"n_samples": n, "dimension": d},
    sweeps={preset: (Sweep(OLS, grid(n_samples=(10, 20, 40, 80, 160)), {"dimension": 5}, replicates),) for preset, replicates in
            {Preset.SMOKE: 50, Preset.QUICK: 200, Preset.FULL: 2000}.items()}),))
"""  # noqa: E501

FILES = {"paper.toml": PAPER, "claims.py": CLAIMS, "simulators.py": SIMULATORS, "checks.py": CHECKS}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with modules of the user's own whose names are ours, and the paper in another one."""
    (tmp_path / "my-paper").mkdir()
    for name, text in FILES.items():
        (tmp_path / "my-paper" / name).write_text(text, encoding="utf-8")
    here = tmp_path / "work"
    (here / "checks").mkdir(parents=True)
    for name in ("sim.py", "theory.py", "checks/__init__.py", "claims.py"):
        (here / name).write_text("raise RuntimeError('a module of the user')\n")
    return here


def theoremeter(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The installed command: with -P, as a script in another folder, the current one is not on the path."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    program = [sys.executable, "-P", "-m", "theoremeter", *words]
    return subprocess.run(program, capture_output=True, text=True, cwd=folder, env=environment)


def verdicts(folder: Path, *words: str) -> dict[str, str]:
    shown = theoremeter(folder, *words, "--format", "json")
    assert shown.returncode == 0, shown.stderr
    return {row["id"]: row["claim_verdict"] for row in json.loads(shown.stdout)}


def test_it_runs_as_printed_in_worker_processes(elsewhere: Path) -> None:
    paper = ("--paper", "../my-paper")
    ran = theoremeter(elsewhere, *paper, "run", "--preset", "smoke", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert "250 trials in" in ran.stderr
    assert "failed" not in ran.stderr
    assert set(verdicts(elsewhere, *paper, "table", "--preset", "smoke")) == {"ols.risk"}


def test_it_runs_on_dask(elsewhere: Path) -> None:
    pytest.importorskip("distributed")
    checks = elsewhere.parent / "my-paper" / "checks.py"
    checks.write_text(checks.read_text(encoding="utf-8").replace("Preset.SMOKE: 50", "Preset.SMOKE: 3"))
    words = ("--paper", "../my-paper", "run", "--preset", "smoke", "--executor", "dask", "--workers", "1")
    ran = theoremeter(elsewhere, *words)
    assert ran.returncode == 0, ran.stderr
    assert "15 trials in" in ran.stderr


def test_a_name_of_ours_on_the_path_is_refused_in_one_line(elsewhere: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-m", "theoremeter", "list"]
    shown = subprocess.run(program, capture_output=True, text=True, cwd=elsewhere, env=environment)
    assert shown.returncode == 2
    assert shown.stderr.count("\n") == 1
    assert "theoremeter needs its own package" in shown.stderr


def test_the_documented_text_is_in_the_template() -> None:
    """`init` writes the same claim, simulator and check, with comments."""
    template = ROOT / "checks" / "commands" / "template"
    for name, text in FILES.items():
        if name.endswith(".py"):
            squeezed = "".join((template / name).read_text(encoding="utf-8").split())
            for piece in ("d/(n-d-1)", "torch.linalg.lstsq(x,y", "n_samples=(10,20,40,80,160)"):
                assert (piece in squeezed) == (piece in "".join(text.split()))
