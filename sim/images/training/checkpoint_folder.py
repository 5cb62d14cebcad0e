"""Where trainings of trials keep checkpoints: a folder that the user names, or nowhere.

A setting of the process and no part of a trial, which ends the same with checkpoints or without.
"""

from __future__ import annotations

import os
from pathlib import Path

from sim.trials.validation import require

VARIABLE = "THEOREMETER_CHECKPOINTS"
"""Names the folder; without it no checkpoints are kept."""


def checkpoint_folder() -> Path | None:
    """The folder, None where none is named.

    Raises:
        InvalidParameter: what is named is no folder.
    """
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    require(Path(named).is_dir(), VARIABLE, "be a folder for checkpoints", named)
    return Path(named)
