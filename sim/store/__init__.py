"""Keeps finished trials in one file, and tells who is at work on which."""
