"""Which version this is: that of the sources beside this package, or, where it is installed, of the installation."""

from __future__ import annotations

import importlib.metadata
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
