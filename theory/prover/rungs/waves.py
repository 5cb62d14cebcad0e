"""The rung for a polynomial in the waves of one argument: a + b with b odd in one wave, by the sign of a^2 - b^2.

In the square of b that wave has even powers only, and sin(w)^2 is 1 - cos(w)^2: what is left knows one wave alone.
"""

from __future__ import annotations

import sympy as sp

from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.sampling import is_plausible, points
from theory.prover.goal import Goal, Node, Searching
from theory.prover.rungs.forms import by_squares, without_even_powers


def odd_wave(search: Searching, goal: Goal, depth: int) -> Node | None:
    """sin(x) (1 + cos(x)) <= 3 sqrt(3)/4, since its square is (1 - cos(x)) (1 + cos(x))^3."""
    waves = in_order(goal.expression.atoms(sp.sin, sp.cos))
    if depth > 1 or len(waves) != 2 or waves[0].args != waves[1].args or not is_small(goal.expression):
        return None
    e, drawn = sp.expand(goal.expression), points(goal)
    if not e.is_polynomial(*waves) or not drawn:
        return None
    for wave, other in (waves, waves[::-1]):
        odd = sp.Add(*[t for t in sp.Add.make_args(e) if sp.degree(t, wave) % 2])
        even = without_even_powers(e - odd, wave, 1 - other**2)
        if odd == 0 or wave in even.atoms(sp.sin, sp.cos):
            continue
        over = without_even_powers(even**2 - odd**2, wave, 1 - other**2)
        if not is_plausible(over, goal.box, drawn):
            continue
        proof = by_squares(search, goal, depth, goal.expression - odd, over)
        if proof is not None:
            return proof
    return None
