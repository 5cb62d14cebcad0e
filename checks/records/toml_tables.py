"""Tables of one kind in a TOML file from anywhere: bounded in size and number, and nothing else in the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

MAX_BYTES = 262_144
MAX_ENTRIES = 500
_MAX_SHOWN = 80


def tables(path: Path, key: str, plural: str) -> list[dict[str, Any]]:
    """The tables [[key]] of a file.

    Args:
        plural: what they are called in a refusal.

    Raises:
        ValueError: no TOML in UTF-8, too much of it, or something else beside the tables.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"{plural} must be at most {MAX_BYTES} bytes long, got more")
    try:
        stated = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{plural} must be TOML in UTF-8, got {error}") from None
    entries = stated.get(key, [])
    if set(stated) - {key} or not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise ValueError(f"{plural} must be tables [[{key}]], got {shown(sorted(stated))}")
    if len(entries) > MAX_ENTRIES:
        raise ValueError(f"{plural} must be at most {MAX_ENTRIES}, got {len(entries)}")
    return entries


def shown(value: object) -> str:
    """A value as a refusal prints it: escaped, and no longer than a line."""
    if value is None:
        return "none"
    text = ascii(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
