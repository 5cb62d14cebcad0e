"""Where a claim and a measurement meet."""
