"""Where compiled kernels are kept between processes.

numba notices a change of a kernel but not of what the kernel calls. So the folder is named after all sources of the
package that holds the kernels and of this one: beside them where that can be written, otherwise in the system's
temporary folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def kernels_kept(package: Path) -> Iterator[None]:
    """Bind the kernels that are imported within the block to the folder of their package."""
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder(package, before))
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def folder(package: Path, asked_for: str = "") -> Path:
    """Folder for the kernels of a package; within `asked_for` (numba's own setting) if that is given."""
    digest = hashlib.sha256()
    for path in (*sorted(package.glob("*.py")), *sorted(Path(__file__).parent.glob("*.py"))):
        digest.update(path.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    if asked_for:
        return Path(asked_for) / name
    beside = package / "__pycache__"
    with suppress(OSError):
        beside.mkdir(exist_ok=True)
    if os.access(beside, os.W_OK):
        return beside / name
    return Path(tempfile.gettempdir()) / f"theoremeter-{os.getuid()}" / name
