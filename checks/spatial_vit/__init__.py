"""Checks of [jelassi2022]: which trials settle each claim, and how they are read."""
