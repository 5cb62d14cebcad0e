"""Replays records about constants that may be chosen, by what the folder above has for points."""
