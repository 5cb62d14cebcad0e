"""Whose doing an error is: errors of any room that are the user's or the machine's, and the one that is ours."""

from __future__ import annotations

from checks.evidence.check import ToolError
from sim.images.refusals import UnusableImages
from sim.running.executors import WorkerDied
from sim.store.store import StoreError
from sim.trials.validation import InvalidParameter
from theoremeter_papers import PaperError
from theory.catalogue import UnknownClaim

BAD_INPUT = (UnknownClaim, PaperError, StoreError, InvalidParameter, UnusableImages, WorkerDied)
CONTRADICTION = ToolError
