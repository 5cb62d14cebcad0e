"""How often the verdicts are wrong, measured: synthetic truths sent through the very path that verdicts take.

`cells` simulates one experiment on each kind of truth, `grid` lists the truths, `measure` repeats them on all cores,
`page` writes the tables of `benchmarks/results/calibration.md`. `theoremeter calibrate` runs all of it.
"""
