"""Reads statements that people type, by a closed grammar, and bounds how large their numbers may become."""
