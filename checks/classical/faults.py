"""Faults planted in the simulators of known truths. The false twins of every claim are falsehoods already."""

from __future__ import annotations

from collections.abc import Iterator

from checks.evidence.fault import Fault


def faults() -> Iterator[Fault]:
    """None."""
    yield from ()
