"""Where files of trained weights lie below the user's folder. Imports no torch: whoever hands out trials asks here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sim.image_root import VARIABLE, image_root
from sim.trials.validation import InvalidParameter, require

FOLDER = "weights"
ENDINGS = (".safetensors", ".pt", ".pth", ".bin")


def weights_file(name: str) -> Path | None:
    """The file of this name, None where this machine has none.

    Args:
        name: without ending: letters, digits, "-", "_" and "." alone, so that it stays in its folder.

    Raises:
        InvalidParameter: a name with other characters, or a root that is no folder.
    """
    plain = name.replace("-", "a").replace("_", "a").replace(".", "a")
    is_plain = plain.isascii() and plain.isalnum() and not name.startswith(".")
    require(is_plain, "weights", "be the plain name of a file", name[:80])
    root = image_root()
    paths = [] if root is None else [root / FOLDER / f"{name}{ending}" for ending in ENDINGS]
    return next((path for path in paths if path.is_file()), None)


def missing_words(name: str) -> str:
    """What to put where, in one line."""
    wanted = f"{FOLDER}/{name}.safetensors (or {', '.join(ENDINGS[1:])})"
    where = f"below the folder that {VARIABLE} names" if image_root() is None else f"below {image_root()}"
    return f"the weights {name} are not on this machine: put {wanted} {where}; nothing is downloaded"


def lacking(parameters: Mapping[str, object]) -> str:
    """What this machine lacks for a trial on such weights, in one line; "" where nothing."""
    name = parameters.get("weights")
    try:
        return missing_words(name) if isinstance(name, str) and weights_file(name) is None else ""
    except InvalidParameter as error:
        return str(error)
