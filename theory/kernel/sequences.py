"""Statements over recursions as theorems."""

from __future__ import annotations

from typing import Any

from theory.kernel.terms import NotExported


def sequence_theorem(record: dict[str, Any], label: str) -> tuple[list[str], list[str]]:
    """The statement as the checker prints it, and the lines of lemmas and theorem."""
    raise NotExported("recursions")
