"""Benchmarks: `make bench`. Nothing here is part of the tool or its tests."""
