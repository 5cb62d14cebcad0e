"""Refuse to run where another package called theory, sim or checks stands before ours.

These names are common. Python takes the first one on its path, and the folder of a script, or with `python -m` the
current folder, comes first: a file `sim.py` there would be imported in place of our package, and fail far from its
cause. What Python finds is compared with the folders beside this one, in a wheel and in a checkout alike.
"""

from __future__ import annotations

import importlib.util
import os
import sys

PACKAGES = ("theory", "sim", "checks")
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class ShadowedPackage(ImportError):
    """Python finds another package where one of ours is needed; the message says which and what to do."""


def require_own_packages(names: tuple[str, ...] = PACKAGES) -> None:
    """Raise ShadowedPackage unless Python finds our own packages by these names."""
    for name in names:
        found = _found(name)
        if found is None:
            raise ShadowedPackage(f"theoremeter needs its package {name} in {_HOME} and finds none; install it again")
        if not _is_ours(name, found):
            shown = found if found.isprintable() else ascii(found)
            raise ShadowedPackage(
                f"theoremeter needs its own package {name}, but Python finds {shown} first; rename that, or start "
                "where it is not found (the folder of a script, with -m the current one, and PYTHONPATH come first)"
            )


def _found(name: str) -> str | None:
    """The file or folder that an import of this name takes, or took; None where there is none."""
    module = sys.modules.get(name)
    if module is not None:
        folders = list(getattr(module, "__path__", ()))
        return getattr(module, "__file__", None) or (folders[0] if folders else f"a module {name} without a file")
    spec = importlib.util.find_spec(name)
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    return spec.origin or (folders[0] if folders else None)


def _is_ours(name: str, found: str) -> bool:
    folder, file = os.path.split(found)
    ours = os.path.join(_HOME, name)
    return file.startswith("__init__.") and os.path.realpath(folder) == os.path.realpath(ours)
