"""Checklists of venues, as far as evidence answers them: what is asked (`venues`), what is known (`facts`), the answers
that follow (`answers`), and the page (`page`). What evidence does not answer is left to the authors, by name.
"""
