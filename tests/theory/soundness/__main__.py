"""Put statements to the prover: `python -m tests.theory.soundness [--seed N] [--jobs 2] [--every 5]`; 1 on any fault.

Each job is a process of its own that writes what it is about to try, so that a crash of the interpreter has a name.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter

from tests.theory.soundness.trial import BUDGET_S, SEED, Truth, draw, numbers, put


def work(share: int, jobs: int, every: int, seed: int, budget_s: float) -> None:
    """Try one share of the statements; a line before and after each."""
    for truth, name, index in numbers(stride=jobs * every, offset=share * every):
        print("try", truth.name, name, index, sep="\t", flush=True)
        trial = put(draw(truth, name, index, seed), budget_s=budget_s)
        whole, text = (" ".join(str(part).split()) for part in (trial.verdict, trial.statement))
        print("end", whole.split(":")[0], trial.fault, whole, text, sep="\t", flush=True)


def started(share: int, options: argparse.Namespace) -> subprocess.Popen:
    """A process that works on one share."""
    command = [sys.executable, "-m", __spec__.parent, "--share", str(share), "--jobs", str(options.jobs)]
    command += ["--every", str(options.every)]
    command += ["--seed", str(options.seed), "--budget", str(options.budget)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def report(counts: Counter, faults: list[str]) -> None:
    """Verdicts by truth, then every fault."""
    for truth in Truth:
        of_truth = {verdict: count for (kind, verdict), count in sorted(counts.items()) if kind == truth.name}
        print(f"{truth.value}: {sum(of_truth.values())}, " + ", ".join(f"{v} {c}" for v, c in of_truth.items()))
    print(f"faults: {len(faults)}", *sorted(faults), sep="\n")


def main() -> int:
    """Run all shares side by side and report."""
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.parent}", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="put one statement in so many (default 1)")
    parser.add_argument("--budget", type=float, default=BUDGET_S)
    parser.add_argument("--share", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.share is not None:
        work(options.share, options.jobs, options.every, options.seed, options.budget)
        return 0
    counts, faults = Counter(), []
    processes = [started(share, options) for share in range(options.jobs)]
    for process in processes:
        trying = None
        output, _ = process.communicate()
        for kind, *rest in (line.split("\t") for line in output.splitlines()):
            if kind == "try":
                trying = rest
                continue
            verdict, fault, whole, text = rest
            counts[trying[0], verdict] += 1
            if fault:
                faults.append(f"{fault}: {text} [{whole}]")
        if process.returncode:
            faults.append(f"process ended with {process.returncode} at {trying}")
    report(counts, faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
