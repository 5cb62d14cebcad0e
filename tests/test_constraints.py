"""constraints.txt pins what the Makefile installs: each package once, with all that it needs in turn."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
BUILT_FOR_GPUS = ("nvidia-", "cuda-")
"""What a CUDA build of torch asks for. The Makefile's users may have a build without it; torch pins these itself."""
OF_THE_ENVIRONMENT = ("pip", "setuptools")


def pins() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"([\w.-]+)==[\w.]+", line) for line in lines if not line.startswith("#")]
    assert all(found)
    return [canonicalize_name(match[1]) for match in found if match]


def needed_here(requirements: list[str]) -> Iterator[Requirement]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement


def with_all_they_need(names: list[str]) -> set[str]:
    """Names of packages and of what the installed ones among them need, and so on."""
    found: set[str] = set()
    while names:
        name = canonicalize_name(names.pop())
        if name not in found and not name.startswith(BUILT_FOR_GPUS) and name not in OF_THE_ENVIRONMENT:
            found.add(name)
            with contextlib.suppress(metadata.PackageNotFoundError):  # of a group that this environment does not have
                names += [requirement.name for requirement in needed_here(metadata.requires(name) or [])]
    return found


def test_each_package_is_pinned_once() -> None:
    assert sorted(pins()) == sorted(set(pins()))


def test_all_that_is_installed_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [project["dependency-groups"][name] for name in ("dev", "browser", "docs")]
    asked = needed_here([*project["project"]["dependencies"], *(line for group in groups for line in group)])
    assert with_all_they_need([requirement.name for requirement in asked]) - set(pins()) == set()
