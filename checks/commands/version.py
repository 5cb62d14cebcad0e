"""Which version this is: that of the sources beside this package, or, where it is installed, of the installation.

Where the sources are a checkout of git, its commit says more than a version that many commits share.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import tomllib
from pathlib import Path


def version() -> str:
    """The version, e.g. "0.1.0"; "unknown" where neither pyproject.toml nor an installation says."""
    try:
        project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == "theoremeter":
            return str(project["version"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # installed: there is no such file, or it is another project's
    try:
        return importlib.metadata.version("theoremeter")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def commit(root: Path = Path(__file__).parents[2]) -> str:
    """The commit of the checkout that runs, with a word where files differ from it; "" where it is no checkout."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    asked = [git, "-C", str(root), "-c", "core.fsmonitor=false"]
    told = []
    for words in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--untracked-files=no"]):
        try:
            done = subprocess.run([*asked, *words], capture_output=True, text=True, timeout=20, check=True)
        except (OSError, subprocess.SubprocessError):
            return ""
        told.append(done.stdout.strip())
    name, changed = told
    return f"{name}{' with changes' if changed else ''}"
