"""The simulators of the paper of known truths, by name. Importing this imports none of them."""

from __future__ import annotations

from sim.trials.trial import System


def _system(module: str, function: str) -> System:
    return System(function.partition("_")[2], f"sim.classical.{module}:{function}")


LEAST_SQUARES = _system("regression", "simulate_least_squares")
RIDGE = _system("regression", "simulate_ridge")
GAUSSIAN_MAXIMUM = _system("extremes", "simulate_gaussian_maximum")
COUPONS = _system("occupancy", "simulate_coupons")
BIRTHDAYS = _system("occupancy", "simulate_birthdays")
RANDOM_GRAPH = _system("random_graphs", "simulate_random_graph")
QUICKSORT = _system("sorting", "simulate_quicksort")
SUBSEQUENCE = _system("sorting", "simulate_subsequence")
EXIT = _system("walks", "simulate_exit")
SINGULAR_VALUES = _system("matrices", "simulate_singular_values")
PERCOLATION = _system("percolation", "simulate_percolation")
DESCENT = _system("optimisation", "simulate_descent")
CONVEX_DESCENT = _system("optimisation", "simulate_convex_descent")
NOISY_DESCENT = _system("optimisation", "simulate_noisy_descent")
ONLINE = _system("online", "simulate_online")
