"""One picture a claim, drawn from its trials: what the points of a row leave out. `theoremeter figures`.

`gathered` brings each part of a check together with its row and its trials; a module for each kind of part makes the
panels (`success_maps`, `overlay`, `scalings`, `runs`, `pairs`, `rates`); `sheet` puts them on one page and into a file.
Verdicts, thresholds, fitted prefactors and slopes are those of the rows: nothing is judged here.
"""
