"""Which exact expectation of the reduced network, by size: enumeration of multisets, the Fourier integral, or draws.

Enumeration keeps relative accuracy and costs one table look-up a row; at C = 4 its rows pass 10^5 between L = 7 and
L = 8. The Fourier integral has absolute errors of 1e-15, costs 5 to 20 ms a gradient at any D, and takes over there.
Draws over set types are the third witness.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.fourier import fourier_types
from sim.spatial_vit.reduced.population import PopulationTable, exact_types, sampled_types, set_types

EXPECTATIONS = ("exact", "enumeration", "fourier", "monte_carlo")
ENUMERATED_ROWS = 100_000
"""Most multisets that "exact" enumerates; a gradient then costs as much as the Fourier integral's."""


@dataclass(frozen=True)
class Expectation:
    """A table to take expectations with, the method that made it, and the tolerance at which a flow on it is followed.

    Errors of the Fourier integral are absolute: where gradients are small, a flow at 1e-8 would chase its rounding.
    """

    table: PopulationTable
    method: str
    flow_tolerance: float = 1e-8


def expect(setting: Setting, expectation: str, *, n_draws: int, generator: torch.Generator) -> Expectation:
    """Prepare one of `EXPECTATIONS`; "exact" takes enumeration or the Fourier integral by size.

    Raises:
        ValueError: where "enumeration" has too many rows.
    """
    if expectation == "exact":
        n_random = setting.n_sets - 1
        n_rows = math.comb(n_random + len(set_types(setting.set_size)) - 1, n_random)
        expectation = "enumeration" if n_rows <= ENUMERATED_ROWS else "fourier"
    if expectation == "enumeration":
        return Expectation(exact_types(setting), expectation)
    if expectation == "fourier":
        return Expectation(fourier_types(setting), expectation, flow_tolerance=1e-7)
    return Expectation(sampled_types(setting, n_draws=n_draws, generator=generator), expectation)
