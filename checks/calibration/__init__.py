"""How often the verdicts are wrong, measured: synthetic truths sent through the very path that verdicts take.

`cells` states the truths and simulates one experiment of each, `measure` repeats them on all cores, `page` writes the
table of `docs/statistics.md`. `theoremeter calibrate` runs all three.
"""
