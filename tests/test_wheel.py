"""The package as it is installed: sdist -> wheel -> commands and pytest, with nothing of the checkout in reach.

The wheel is unpacked into a folder, and Python is started without `site`, so that it reads no path file: an editable
installation would bring the checkout back. Libraries are found because their folder is named as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"theory", "sim", "checks", "theoremeter", "theoremeter_papers"}
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


@dataclass(frozen=True)
class Installed:
    """A wheel, the folder it is installed in, and an empty folder far from the checkout."""

    wheel: Path
    target: Path
    away: Path

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A fresh interpreter that finds the installed package and the libraries; a warning is an error."""
        path = os.pathsep.join([str(self.target), *dict.fromkeys(map(sysconfig.get_path, ("purelib", "platlib")))])
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
        command = [sys.executable, "-S", *words]
        return subprocess.run(command, cwd=self.away, env=environment, capture_output=True, text=True)

    def theoremeter(self, *words: str) -> str:
        """What the command says on stdout."""
        done = self.python(str(self.target / "bin" / "theoremeter"), *words)
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
        return done.stdout

    def pytest(self, *words: str) -> subprocess.CompletedProcess[str]:
        """pytest with the plug-in as its entry point brings it."""
        return self.python("-m", "pytest", "-p", "no:jaxtyping", "-p", "no:cacheprovider", "-v", *words)


def build(kind: str, source: Path, out: Path) -> Path:
    """An sdist or wheel of a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (path,) = out.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return path


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel made of the sdist, installed, and a paper beside nothing of ours."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    wheel = build("wheel", source, folder)
    target, away = folder / "site", folder / "away"
    install = ("install", "--no-deps", "--no-index", "--no-compile", "--target", str(target), str(wheel))
    subprocess.run([*PIP, *install], check=True, capture_output=True)
    take_compiled(target)
    away.mkdir()
    return Installed(wheel, target, away)


def take_compiled(target: Path) -> None:
    """Compiled modules of the checkout beside the same sources: Python knows them by time and size."""
    for path in (path for package in PACKAGES for path in (target / package).rglob("*.py")):
        own = ROOT / path.relative_to(target)
        compiled = own.parent / "__pycache__" / f"{own.stem}.{sys.implementation.cache_tag}.pyc"
        if compiled.is_file() and own.read_bytes() == path.read_bytes():
            shutil.copystat(own, path)
            (path.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copy(compiled, path.parent / "__pycache__")


def sources(folder: Path) -> Mapping[str, bytes]:
    """Files of the packages in a folder, but for what Python keeps beside them."""
    found = (path for package in PACKAGES for path in (folder / package).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_packages_as_they_are_and_nothing_else(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == set(sources(ROOT))
    assert sources(installed.target) == sources(ROOT)
    assert {"checks/test_claims.py", "checks/shallow_vit/paper.toml", "checks/shallow_vit/findings.toml"} <= names


def test_its_own_packages_are_imported_and_its_claims_are_listed(installed: Installed) -> None:
    shown = "import theoremeter, checks.catalogue as c; print(theoremeter.__file__, c.__file__)"
    places = installed.python("-c", shown).stdout.split()
    assert all(Path(place).is_relative_to(installed.target) for place in places)
    assert len(places) == 2
    listed = [line.split()[0] for line in installed.theoremeter("list").splitlines() if line]
    assert {"A.samples", "B.span"} <= set(listed)


def test_a_paper_is_started_and_measured_and_all_claims_are_tests(installed: Installed) -> None:
    installed.theoremeter("init", "my-paper")
    installed.theoremeter("--paper", "my-paper", "run", "--preset", "smoke", "--executor", "serial")
    chosen = ("-k", "my-paper or A.open_L or B.span and drawn")
    done = installed.pytest("my-paper", "--pyargs", "checks", "--preset", "smoke", *chosen)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "plugins: theoremeter" in done.stdout
    tests = [line for line in done.stdout.splitlines() if "::" in line]
    for name in ("my-paper/paper.toml::test_claim[my-paper.risk] ", "test_claims.py::test_claim[A.open_L] "):
        assert any(line.startswith(name) for line in tests)
    assert sum("::test_lemma_at_drawn_points[B.span: " in line and "PASSED" in line for line in tests) == 2
    assert "my-paper.risk          inconclusive      Claimed: " in done.stdout, "the trials of the run are judged"
