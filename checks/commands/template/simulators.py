"""What a machine measures: one trial for each call, from named parameters and a generator of random numbers.

A simulator must not know the formula that it tests: this module imports neither sympy nor claims nor checks. All its
randomness comes from `generator`, so a trial can be had again bit for bit.
"""

import torch

from theoremeter import Outcome, System, TrialResult


def simulate_ols(*, n_samples: int, dimension: int, generator: torch.Generator) -> TrialResult:
    """Fit pure noise by least squares: the squared length of the solution is the excess risk of this sample."""
    x = torch.randn(n_samples, dimension, generator=generator, dtype=torch.float64)
    y = torch.randn(n_samples, 1, generator=generator, dtype=torch.float64)
    fit = torch.linalg.lstsq(x, y, driver="gels")  # the default driver's last bits differ from call to call
    return TrialResult(Outcome.CONVERGED, {"excess_risk": float(fit.solution.square().sum())})


# A name under which trials are kept: the paper's key, or "ols." and more.
OLS = System("ols", simulate_ols)
