"""Are predicted costs right? Predict trials that nobody has run, run them, and compare, all in one run.

    python benchmarks/plan_costs.py [CLAIM ...] [--trials 60]

The smoke preset of the claims is run into a store of its own and short trials are timed beside it. Every trial that
the quick preset asks for beyond that has then a predicted cost, from its parameters alone, as `theoremeter plan` gives
it. A sample of them is run. Printed are the ratio of predicted to actual CPU seconds in all, and how single trials
scatter. Parts that the smoke preset lacks are marked: steps are then those of the nearest trials of other parts.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

CLAIMS = ("A.iterations", "A.samples", "A.samples_frozen", "A.zero_error")


def main() -> None:
    """Predict, run, compare; keep the figures."""
    from checks.catalogue import discover
    from checks.planning.costs import Costs
    from checks.planning.plan import planned_parts
    from checks.planning.timings import cost_models
    from checks.records.preset import Preset
    from sim.running.run import run, run_trial
    from sim.store.store import Store, key

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="*", default=CLAIMS)
    parser.add_argument("--trials", type=int, default=60)
    options = parser.parse_args()
    chosen = [
        (discover()[name], part) for name in options.claims for part in planned_parts(discover()[name], Preset.QUICK)
    ]
    results = {}
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
        small = [spec for _, part in chosen for spec in part.specs(Preset.SMOKE)]
        run(small, store, workers=0)
        known = store.get(small)
        large = [spec for _, part in chosen for spec in part.specs(Preset.QUICK)]
        models = cost_models(large, store, measure=True, tell=print)
        predicted = {}
        for check, part in chosen:
            found = [known[name] for name in map(key, part.specs(Preset.SMOKE)) if name in known]
            system = part.specs(Preset.QUICK)[0].system.name
            costs = Costs.of(part, found, models.get(system))
            for spec in part.specs(Preset.QUICK):
                if key(spec) not in known and not costs.has_measured(spec):
                    words = f"{check.claim.id}, {part.name}{'' if found else ' (not in smoke)'}"
                    predicted.setdefault(key(spec), (words, spec, costs.of_spec(spec)))
        names = sorted(predicted)
        random.Random(0).shuffle(names)
        for name in names[: options.trials]:
            part_name, spec, seconds = predicted[name]
            results.setdefault(part_name, []).append((seconds, run_trial(spec).seconds))
    print("| trials of | number | predicted, s | actual, s | ratio | single trials, 10 to 90 % |")
    print("|---|---|---|---|---|---|")
    report = {}
    pairs = np.array([pair for group in results.values() for pair in group])
    for part_name, group in [*results.items(), ("all", pairs)]:
        guessed, actual = np.array(group).T
        low, high = np.quantile(guessed / actual, [0.1, 0.9])
        ratio = guessed.sum() / actual.sum()
        report[part_name] = {"pairs": [[float(g), float(a)] for g, a in group], "ratio": float(ratio)}
        print(
            f"| {part_name} | {len(group)} | {guessed.sum():.1f} | {actual.sum():.1f} | {ratio:.2f} |"
            f" {low:.2f} to {high:.2f} |"
        )
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "plan_costs.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
