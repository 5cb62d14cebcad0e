"""A module by its name, imported when something of it is first asked for; this one imports nothing of ours itself.

What starts often, and mostly without need of a slow module, names it in the two ways that Python and readers ask for:

    if TYPE_CHECKING:
        import numpy as np
    else:
        np = Later("numpy")
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from typing import Any


class Later:
    """A module that is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)
