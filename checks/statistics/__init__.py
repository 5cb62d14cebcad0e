"""Numbers become estimates and verdicts. Knows no claim, no trial and no sympy: fit for anyone's data."""
