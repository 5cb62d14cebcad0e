"""Bisection with Taylor models: sides that come close along a curve, in two symbols and more."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.prover.certify import Proved, StatementSearch
from theory.prover.goal import Goal
from theory.prover.rungs.models import modelled
from theory.prover.search import Prover
from theory.prover.statement import stated
from theory.relations import above
from theory.timeout import cpu_clock

x, y, z = sp.symbols("x y z", real=True)
UNIT = {x: (-1, 1), y: (-1, 1)}
SMALL = sp.Rational(1, 1000)
LOG_SUM = sp.log(sp.exp(x) + sp.exp(y)) - sp.log(2) - (x + y) / 2


def settled(relation, box, *, seconds=20.0):
    """The answer by the rung alone, replayed by the checker; None where it finds nothing."""
    search = StatementSearch(*stated(relation, box, ()), cpu_clock() + seconds)
    goal = Goal(relation.gts - relation.lts, True, search.proved_on)
    proof = modelled(Prover(search.deadline), goal, 0)
    return None if proof is None else search.proved({"proof": proof, "defined": []})


@pytest.mark.parametrize(
    ("form", "box"),
    [
        (LOG_SUM, UNIT),
        (sp.atan((x + y) / (1 - x * y)) - sp.atan(x) - sp.atan(y), {x: (0, sp.S.Half), y: (0, sp.S.Half)}),
        (sp.exp(x * y - z) - 1 - x * y + z, dict.fromkeys((x, y, z), (0, sp.Rational(1, 4)))),
    ],
    ids=["logsumexp", "arctangents", "three symbols"],
)
def test_a_gap_along_a_curve_is_seen(form, box):
    assert isinstance(settled(above(form, -SMALL), box), Proved)
    assert settled(above(form, SMALL**9), box, seconds=0.1) is None


def test_what_has_no_model_is_left_to_other_rungs():
    for form in (sp.Abs(x - y), x**2 + y**2, sp.exp(x), sp.Max(x, y) + sp.exp(y)):
        box = dict.fromkeys(form.free_symbols, (-1, 1))
        assert settled(above(form, -SMALL), box) is None
    assert settled(above(sp.exp(x * y), -SMALL), {x: (0, sp.oo), y: (0, 1)}) is None
