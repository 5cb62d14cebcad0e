"""How much is measured. A module of its own, so that the command line can name presets without importing sympy."""

from __future__ import annotations

from enum import StrEnum


class Preset(StrEnum):
    """How much is measured: smoke in a minute, quick in minutes, full at the papers' sizes and grids."""

    SMOKE = "smoke"
    QUICK = "quick"
    FULL = "full"


SMALLER = {Preset.SMOKE: (), Preset.QUICK: (Preset.SMOKE,), Preset.FULL: (Preset.QUICK, Preset.SMOKE)}
"""Presets that measure less, the largest first."""


class Placement(StrEnum):
    """Where the trials of a threshold go: on a rectangular grid, or where they tell most given those before."""

    GRID = "grid"
    ADAPTIVE = "adaptive"
