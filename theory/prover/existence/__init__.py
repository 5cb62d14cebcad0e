"""Statements with constants that may be chosen: for some c in [a, b], for all points of a box."""
