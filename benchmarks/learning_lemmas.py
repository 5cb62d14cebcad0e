"""How many lemmas of learning theory the prover proves: `python -m benchmarks.learning_lemmas [--seconds 10]`.

The corpus is `theory.classical.learning`; all of it is true. Each answer is replayed by the checker before it counts.
The limit is of computation, as is the time that is printed: what else a machine does changes neither.
"""

from __future__ import annotations

import argparse
import time

from theory.classical.learning import LEMMAS
from theory.prover.certify import Proved, Refuted, Unknown, certify


def main() -> None:
    """Put every lemma to the prover; one line each, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each lemma")
    options = parser.parse_args()
    n_proved = 0
    for lemma in LEMMAS:
        before = time.process_time()
        answer = certify(lemma.relation, lemma.box, lemma.given, budget_s=options.seconds)
        if isinstance(answer, Refuted):
            raise SystemExit(f"a true lemma was refuted: {lemma.name} at {answer.counterexample}")
        n_proved += isinstance(answer, Proved)
        reason = f": {answer.reason}" if isinstance(answer, Unknown) else ""
        spent = time.process_time() - before
        print(f"{type(answer).__name__.lower():8} {spent:5.1f} s  {lemma.name}{reason}", flush=True)
    print(f"{n_proved} of {len(LEMMAS)} proved in {time.process_time():.0f} CPU s")


if __name__ == "__main__":
    main()
