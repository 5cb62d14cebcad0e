"""Where a claim meets its measurements: which trials, at which sizes, and what is read from them."""

from theoremeter import Check, Preset, Scaling, Sweep, grid

from .claims import RISK, d, n
from .simulators import OLS

RISK_CHECK = Check(
    RISK,
    (
        Scaling(
            name="d = 5",  # of the line in the table
            symbol=n,  # the claim's axis that is measured,
            parameter="n_samples",  # and the simulator's parameter that moves it
            observable="excess_risk",  # what each trial returns
            symbols={"n_samples": n, "dimension": d},  # parameters of the simulator in letters of the paper
            sweeps={
                # trials by size of the run: --preset smoke, quick (the default) or full
                preset: (Sweep(OLS, grid(n_samples=(10, 20, 40, 80, 160)), {"dimension": 5}, replicates),)
                for preset, replicates in {Preset.SMOKE: 50, Preset.QUICK: 200, Preset.FULL: 2000}.items()
            },
        ),
    ),
)
