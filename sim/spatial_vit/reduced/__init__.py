"""The dynamics of gamma, rho and alpha on exact expectations: what infinitely many samples would do."""
