"""Tests that need no torch, with the lowest and with the newest dependencies, on each Python to be had: `make matrix`.

Each set goes into an environment of its own that is thrown away. The lowest set is what `pyproject.toml` names as
bounds; Pythons that are not there, and sets without wheels for a Python, are skipped with a line.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
TESTS = ("tests/theory", "tests/checks/statistics", "--ignore=tests/theory/spatial_vit")
LEFT_OUT = {"torch"}


def dependencies() -> list[str]:
    """What `pyproject.toml` asks for, without what these tests do not need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [d for d in project["dependencies"] if re.split(r"[<>=~!]", d)[0] not in LEFT_OUT]


def lowest(requirement: str) -> str:
    """The requirement at its lower bound: numpy>=2.0 becomes numpy==2.0."""
    name, bound = re.fullmatch(r"([\w-]+)>=([\d.]+).*", requirement).groups()
    return f"{name}=={bound}"


def python_of(version: str) -> str | None:
    """Where a Python of this version is, of the system's or of pyenv's."""
    found = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    return next((str(path) for path in found if path), None)


def run(version: str, name: str, requirements: list[str]) -> bool:
    """Whether the tests pass in a new environment, or there is none; says which."""
    began, python = time.monotonic(), python_of(version)
    if python is None:
        print(f"Python {version}: not here, skipped", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        inside = f"{folder}/bin/python"
        install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        if subprocess.run([*install, *requirements], check=False, stderr=subprocess.DEVNULL).returncode:
            print(f"Python {version}, {name}: no wheels, skipped", flush=True)
            return True
        options = ["-q", "-p", "no:cacheprovider", "-m", "not slow and not exhaustive"]
        code = subprocess.run([inside, "-m", "pytest", *options, *TESTS], check=False, cwd=ROOT).returncode
    print(f"Python {version}, {name}: {'failed' if code else 'passed'}, {time.monotonic() - began:.0f} s", flush=True)
    return code == 0


def main() -> int:
    """All sets on all Pythons; the versions in the arguments alone, if there are some."""
    newest = dependencies()
    sets = {"lowest": [lowest(d) for d in newest], "newest": newest}
    wanted = sys.argv[1:] or PYTHONS
    passed = [run(version, name, needed) for version in wanted for name, needed in sets.items()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
