"""Looks for points that refute a statement: floats propose them, exact arithmetic decides."""
