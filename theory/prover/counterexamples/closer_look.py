"""A second search for a counterexample, for statements that the first rungs of the ladder leave open.

Exact points are proposed that random ones in floats miss (`proposals`), and evaluated like all others.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from theory.intervals.box import exact
from theory.prover.counterexamples.attack import CANDIDATE_S, CandidateCounterexamples
from theory.prover.counterexamples.jumps import near_jumps
from theory.prover.counterexamples.proposals import descents, grid, ladders
from theory.timeout import cpu_clock, reckon

_PATIENCE_S, _WALL = 1.5, 1e30
"""Seconds for exact points; what counts as a high value where there is none."""
_KEPT = 24
_DESCENTS_S = 0.1
"""Seconds at which all descents are reckoned."""


class CloserLook(CandidateCounterexamples):
    """The search for a point where the relation fails, with a second one beside it."""

    def look_closer(self, seconds: float) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample that random points miss: close to an end, far out, or at a point of contact."""
        if not self.symbols or self.relation in (sp.true, sp.false):
            return None
        deadline = cpu_clock() + min(seconds, _PATIENCE_S)
        best = self._least()
        bases = [found for found in map(self._fractions, best[:2]) if found] or list(grid(self.box))[:1]
        jumps = near_jumps((self.relation, *self.given), self.box, bases)
        for proposal in itertools.chain(grid(self.box), jumps, ladders(self.box, bases)):
            point = self._on_equations({s: exact(v) for s, v in proposal.items()})
            reckon(CANDIDATE_S)
            if cpu_clock() > deadline:
                break
            if point is not None and self._is_hit(point):
                return point
        if len(best) == 0 or cpu_clock() > deadline:
            return None
        reckon(_DESCENTS_S)
        objective = self._objective()
        ends = np.array([*best[:3], *descents(objective, best, self.box)])
        ends = self._admissible(ends)
        return self._first_exact(ends, self._gaps(self.parts, ends), self._is_hit)

    def _least(self) -> Any:
        """The points, as far as floats tell, at which the relation is nearest to failing: [count, d]."""
        points = self._sample(2000)
        gaps = self._gaps(self.parts, points)
        best = np.argsort(gaps, kind="stable")[:_KEPT]
        return points[best[np.isfinite(gaps[best])]]

    def _fractions(self, point: Any) -> dict[sp.Symbol, Fraction] | None:
        found = self.rounded(1000, tuple(map(float, point)))
        return {s: Fraction(int(v.p), int(v.q)) for s, v in found.items()} if self.is_admitted(found) else None

    def _objective(self) -> Any:
        """What a descent makes small: left side minus right side, large where a hypothesis fails."""

        def value(x: Any) -> float:
            at = self._admissible(np.array([x], dtype=float))
            gap = self._gaps(self.parts[:1], at)[0] if self.given else self._values(self.parts[:1], at)[0][0]
            return float(gap) if np.isfinite(gap) else _WALL

        return value
