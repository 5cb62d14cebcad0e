"""Powers of the axis by which what is measured may come near its limit: one range for limits, bounded ratios and parts.

It has no imports, so that parts of papers may name it before anything that takes long to load.
"""

LEAST_POWER, MOST_POWER = 0.25, 3.0
"""Of the corrections C d^-p that limits are extrapolated with and ratios rise to a bound by; a rate that is stated lies
between them, the second excluded. Slower ones are not told from no limit, faster ones not from having arrived."""
