"""The public face: everything that a paper, or a script of yours, imports.

    from theoremeter import Axis, Check, Claim, Kind, Scaling, System, judge_scaling, prove

A name is imported when it is first asked for [PEP 562]. So this import takes milliseconds, a simulator that asks for
`TrialResult` loads no sympy, and claims load no torch. Nothing is defined here. The names, each with its module, stand
once, as import statements in `__init__.pyi`: type checkers take them from there, and so does this module.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys

from theoremeter.guard import require_own_packages

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from typing import Any


def _modules() -> dict[str, str]:
    """Public name -> the module it lives in."""
    path = os.path.join(os.path.dirname(__file__), "__init__.pyi")
    statements = ast.parse(__loader__.get_data(path)).body  # a file beside this one, also within an archive
    imports = [statement for statement in statements if isinstance(statement, ast.ImportFrom)]
    return {alias.name: str(statement.module) for statement in imports for alias in statement.names}


_MODULES = _modules()

__all__ = sorted(_MODULES.keys() - {"open"})  # a star must not take Python's own from who writes one


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name == "__version__":
        require_own_packages()
        globals()[name] = importlib.import_module("checks.commands.version").version()
        return globals()[name]
    if name not in _MODULES:
        raise AttributeError(f"module 'theoremeter' has no attribute {name!r}")
    require_own_packages()
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


# The command says it in one line by itself; while Python looks for `python -m theoremeter`, argv[0] is "-m". pytest
# loads the plug-in for everybody, also beside a folder `checks` of theirs; there the first name asked for says it.
_is_command = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] in ("-m", "theoremeter")
if not _is_command and "_pytest" not in sys.modules:
    require_own_packages()
