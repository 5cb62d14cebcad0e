"""Checks of [li2023]: which trials settle each claim, and how they are read."""
