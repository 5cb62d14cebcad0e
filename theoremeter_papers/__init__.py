"""Papers are plug-ins: folders with a `paper.toml`, found and never registered; and the parent of their modules.

A paper of this repository has its claims in `theory/`, its simulators in `sim/` and its checks in `checks/`, in folders
of one name. A paper from outside is one folder, named by the user or installed as a package; its modules are imported
as `theoremeter_papers.<key>.claims` and so on, whatever lies on `sys.path`. A worker process that asks for such a
module imports this package first, and with it what finds the folder.

This package knows folders and `paper.toml`, the standard library, and nothing of claims, simulators or checks.
"""

from __future__ import annotations

from theoremeter_papers._finder import (
    VARIABLE,
    any_named,
    cached,
    folder_of,
    known,
    locate,
    named,
    outside_key,
    paper_of,
    papers,
    repository,
    under_test,
    when_changed,
)
from theoremeter_papers._paper import FILE, KEY, Origin, Paper, PaperError, problems, read

__all__ = [
    "FILE",
    "KEY",
    "VARIABLE",
    "Origin",
    "Paper",
    "PaperError",
    "any_named",
    "cached",
    "folder_of",
    "known",
    "locate",
    "named",
    "outside_key",
    "paper_of",
    "papers",
    "problems",
    "read",
    "repository",
    "under_test",
    "when_changed",
]
