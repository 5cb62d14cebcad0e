"""Papers for tests: folders as a user would write them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.cli import main

TOML = 'key = "{key}"\ntitle = "A toy"\n'

CLAIMS = """
from dataclasses import replace

import sympy as sp
from theory.claim import Axis, Claim, Evidence, Identity, Kind, Source

n = sp.Symbol("n", positive=True)
MEAN = Claim(
    id="{key}.mean", source=Source("toy", "Theorem 1"), kind=Kind.TIGHT, statement="The mean falls like 1/n.",
    observable="mean", evidence=(Evidence.MEASURED,), axes=(Axis(n),), value=1 / n,
)
STEP = Claim(
    id="{key}.step", source=Source("toy", "eq. (2)"), kind=Kind.IDENTITY, statement="A square, written out.",
    observable="", evidence=(Evidence.SYMBOLIC,), lemmas=(Identity("square", (n + 1) ** 2, n**2 + 2 * n + 1),),
)
"""

SIMULATORS = """
from sim.trials.trial import Outcome, System, TrialResult

def simulate(*, size: int, generator) -> TrialResult:
    return TrialResult(Outcome.CONVERGED, {{"mean": (1 + 0.01 * generator.random()) / size}})

TOY = System("{key}", simulate, uses_torch=False, libraries=())
"""

CHECKS = """
from dataclasses import replace

from checks.evidence.check import Check
from checks.evidence.scaling import Scaling
from checks.records.preset import Preset
from sim.trials.sweep import Sweep, grid

from .claims import MEAN, n
from .simulators import TOY

MEAN_CHECK = Check(
    MEAN,
    (
        Scaling(
            name="sizes", symbol=n, parameter="size", observable="mean", symbols={{"size": n}},
            sweeps={{Preset.SMOKE: (Sweep(TOY, grid(size=(2, 4, 8, 16, 32)), {{}}, 3),)}},
        ),
    ),
)
"""

FILES = {"paper.toml": TOML, "claims.py": CLAIMS, "simulators.py": SIMULATORS, "checks.py": CHECKS}


def write_paper(folder: Path, key: str = "toy", **changes: str | None) -> Path:
    """A paper that works, with files replaced, or left out where None; names of files have _ for the dot."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text.format(key=key), encoding="utf-8")
    for name, text in changes.items():
        path = folder / ".".join(name.rsplit("_", 1))
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace text in a file that must hold it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def command_on_copy(
    paper: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, list[str], list[str]]]:
    """The command line on a copy of a paper's folder: exit code, lines of output and of errors."""
    shutil.copytree(paper, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def call(*words: str) -> tuple[int, list[str], list[str]]:
        code = main(["--paper", copy.name, *words])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call
