"""Positional encodings: how local they are, and those in files of weights that somebody else trained."""
