"""The search for a law: which product of powers of the letters of a setting does a measured quantity follow?

Knows tables of numbers and the rules of `checks.statistics`, and no paper, claim, trial or sympy: fit for anyone's
data. Read in this order:

- `factors`: what a law is a product of, and the table of settings, checked;
- `shapes`: every shape of the grammar, fitted at once;
- `fitting`: one shape fitted in full, with its offset, and its exponents shrunk to simple fractions;
- `front`: the best shape of each complexity, and which complexity is chosen, by cross-validation;
- `held_out`: what settings say of a law that it was not fitted on;
- `law`: the result;
- `labels`: letters that only number runs;
- `search`: all of it in order, `search_law`;
- `designs`: random settings that fill a range, for those who can choose where to measure.
"""
