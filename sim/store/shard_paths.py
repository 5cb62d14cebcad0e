"""Which paths hold trials as Parquet. Importing this imports nothing that reads them."""

from __future__ import annotations

from pathlib import Path

ENDING = ".parquet"


def are_shards(path: Path) -> bool:
    """Whether a path is to be read as Parquet: a folder, or a file of that name."""
    return path.is_dir() or path.suffix == ENDING
