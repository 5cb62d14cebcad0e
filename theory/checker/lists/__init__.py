"""Replays records about lists of n entries and about recursions, by what the folder above has for points."""
