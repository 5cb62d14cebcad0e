"""Compile a text by coqc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from theory.kernel.export import LIBRARY, write_library

needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="there is no coqc; Debian has it in coq and libcoq-interval"
)


def coqc(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile a text after its library."""
    if not (folder / "Theoremeter.vo").exists():
        write_library(folder)
        for part in LIBRARY:
            subprocess.run(["coqc", "-w", "none", part], cwd=folder, check=True)
    (folder / "it.v").write_text(text, encoding="utf-8")
    return subprocess.run(["coqc", "-w", "none", "it.v"], cwd=folder, capture_output=True, text=True, timeout=100)
