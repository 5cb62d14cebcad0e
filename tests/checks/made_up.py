"""A claim and a system that nobody states and nobody runs: what tests of parts, rows and pages are made from."""

from __future__ import annotations

from typing import Any

from sim.trials.trial import System
from theory.claim import Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))


def made_up(kind: Kind = Kind.BEHAVIOUR, **fields: Any) -> Claim:
    """A measured claim of this kind; `fields` are what differs."""
    default: dict[str, Any] = {
        "id": "A.made_up",
        "source": Source("nobody", "nowhere"),
        "statement": "Made up.",
        "observable": "made_up",
        "evidence": (Evidence.MEASURED,),
    }
    return Claim(kind=kind, **(default | fields))
