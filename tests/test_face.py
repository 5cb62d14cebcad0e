"""The public face: every name resolves, nothing heavy is loaded early, and packages that shadow ours are refused."""

from __future__ import annotations

import functools
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import theoremeter
from checks.evidence import open_parts, refutation, sampled, scaling, trajectories
from checks.evidence.part import Part
from checks.statistics import judge
from theoremeter.guard import PACKAGES, ShadowedPackage, require_own_packages
from theory import relations

ROOT = Path(__file__).resolve().parents[1]

STATED = [
    "Axis",
    "Claim",
    "Evidence",
    "Hypothesis",
    "Kind",
    "Source",
    "above",
    "Outcome",
    "System",
    "TrialResult",
    "Check",
    "Preset",
    "Scaling",
    "Sweep",
    "grid",
    "certify",
    "prove",
    "exponent",
    "log_degree",
    "limit",
    "Constant",
    "Inequality",
    "Identity",
    "Limit",
    "Conditions",
    "Control",
    "Path",
    "Role",
    "Trial",
    "TrialSpec",
    "Store",
    "run",
    "table",
    "estimate_threshold",
]
"""What the design of the face promises by name."""


def test_every_name_resolves() -> None:
    for name in theoremeter.__all__:
        value = getattr(theoremeter, name)
        assert getattr(value, "__name__", name) == name or name in ("above", "at_least", "at_most", "below")
        assert name in dir(theoremeter)


def test_the_list_is_sorted_and_complete() -> None:
    assert theoremeter.__all__ == sorted(set(theoremeter.__all__))
    public = set(theoremeter.__all__)
    assert set(STATED) <= public
    assert {name for name in judge.__all__ if name.startswith("judge_")} <= public
    assert {name for name, value in vars(relations).items() if isinstance(value, functools.partial)} <= public
    parts = {
        name
        for module in (open_parts, refutation, sampled, scaling, trajectories)
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Part) and not inspect.isabstract(value)
    }
    assert parts <= public


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'theoremeter' has no attribute 'no_such_name'"):
        _ = theoremeter.no_such_name  # pyrefly: ignore


# ------------------------------------------------------------------------------------------------------- in a process


def python(*words: str, cwd: Path, path: list[Path] | None = None) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that finds this checkout on its path, as it finds installed packages."""
    folders = [*(path or []), ROOT]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *words], cwd=cwd, env=environment, capture_output=True, text=True)


LOADED = "import sys; print(*(m for m in ('torch', 'sympy', 'scipy', 'numpy', 'theory', 'checks') if m in sys.modules))"


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import theoremeter", []),
        ("from theoremeter import Outcome, System, TrialResult, Sweep, grid", []),
        ("from theoremeter import Claim, above", ["sympy", "theory"]),
    ],
)
def test_nothing_is_loaded_before_it_is_needed(statement: str, loaded: list[str], tmp_path: Path) -> None:
    done = python("-c", f"{statement}; {LOADED}", cwd=tmp_path)
    assert done.stdout.split() == loaded, done.stderr


def test_all_names_load_no_torch(tmp_path: Path) -> None:
    """It is imported when a simulator runs."""
    done = python("-c", f"from theoremeter import *; {LOADED}", cwd=tmp_path)
    assert done.stdout.split() == ["sympy", "scipy", "numpy", "theory", "checks"], done.stderr


# ---------------------------------------------------------------------------------------------------------- the guard

COMMAND = """
import sys
from theoremeter.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""
"""What pip writes for an entry point."""


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder with a file of the user's that has the name of one of our packages, and a script."""
    (tmp_path / "sim.py").write_text("THEIRS = True\n")
    (tmp_path / "script.py").write_text("import theoremeter\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "theoremeter").write_text(COMMAND)
    return tmp_path


@pytest.mark.parametrize("words", [["-c", "import theoremeter"], ["script.py"]], ids=["-c", "script"])
def test_a_module_that_shadows_ours_is_named(words: list[str], beside: Path) -> None:
    done = python(*words, cwd=beside)
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert f"theoremeter needs its own package sim, but Python finds {beside / 'sim.py'} first; rename that" in said


def test_the_command_says_it_in_one_line(beside: Path) -> None:
    as_module = python("-m", "theoremeter", "--version", cwd=beside)
    on_path = python("bin/theoremeter", "--version", cwd=beside, path=[beside])
    for done in (as_module, on_path):
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("theoremeter: theoremeter needs its own package sim, but Python finds ")


def test_the_command_works_beside_a_file_that_only_looks_like_ours(beside: Path) -> None:
    """The folder of an installed command comes first on its path, and not the one it is started in."""
    done = python("bin/theoremeter", "prove", "x >= 0", "--let", "x=0:1", cwd=beside)
    assert done.stdout.startswith("proved: x >= 0 for x in [0, 1]"), done.stderr


def test_a_name_that_was_imported_first_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "__init__.py").touch()
    for statement in ("import checks, theoremeter", "import theoremeter"):
        done = python("-c", statement, cwd=tmp_path)
        assert f"finds {tmp_path / 'checks' / '__init__.py'} first" in done.stderr


def test_a_folder_without_init_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "theory").mkdir()
    (tmp_path / "theory" / "notes.py").touch()
    assert python("-c", "from theoremeter import System", cwd=tmp_path).returncode == 0


def test_our_own_packages_are_found() -> None:
    require_own_packages()
    with pytest.raises(ShadowedPackage, match="needs its own package json, but Python finds"):
        require_own_packages(("json",))
    with pytest.raises(ShadowedPackage, match="finds none; install it again"):
        require_own_packages(("no_such_package",))
    assert PACKAGES == ("theory", "sim", "checks")
