"""One model of pictures, made from rows and trials in one place and drawn in another.

`gathered` brings each part of a check together with its row and its trials. The modules of `kinds`, one for each kind
of picture, turn these into the records of `model`: panels of marks in coordinates of the data. `renderer` alone knows
matplotlib; it draws a panel for a column, a page or a site, and `files` and `svg` write what it drew. `theoremeter
plot` and `figures`, `judge --plot` and the site of `report` differ in the look that they ask for and in nothing else.
Verdicts, thresholds, fitted prefactors and slopes are those of the rows: nothing is judged here.
"""
