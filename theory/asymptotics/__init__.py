"""Exponents, expansions, limits and local slopes of formulas, derived and then doubted."""
