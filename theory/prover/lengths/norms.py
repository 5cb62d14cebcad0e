"""Norms fall in their power: a sum of |x_i|^p is at most S^(p/q), where S is that of |x_i|^q and q < p.

No term u = |x_i|^q is more than S, so u^r <= S^r for r = (p - q)/q, |x_i|^p <= S^r u, and these add up. That powers
rise is a lemma in u and S - u; the ladder has it where r is whole or 1/2.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

import sympy as sp

from theory.prover.goal import Node
from theory.prover.lengths.by_given import certified, gap
from theory.prover.lengths.facts import sums
from theory.prover.lengths.kept import KeptProofs
from theory.prover.lengths.question import LengthQuestion, Total, put

_LOW, _MORE = sp.symbols("u d", real=True)
_ENDS = sp.S.Zero, sp.oo
_RISING = KeptProofs()
_SHOWING = 4.0
"""Seconds for the lemma that a power rises, and at least for what is left then."""


def norms(search: Any) -> Iterator[None]:
    """Sums of powers of an entry's size by those of a lesser power, where the relation has roots of them."""
    question = search.question
    rooted = {s for p in question.relation.atoms(sp.Pow) if not p.exp.is_Integer for s in p.base.free_symbols}
    listed = [(place, t, _power_of(question, t)) for place, t in sums(question) if t.symbol in rooted]
    for (i, s, p), (j, t, q) in itertools.permutations(listed, 2):
        if p is None or q is None or p[0] != q[0] or s.first != t.first or not p[1] > q[1]:
            continue
        if t.symbol in search.facts.members or search.facts.member(j):
            r = (p[1] - q[1]) / q[1]
            shown = partial(_shown, search, t, r)
            if search.facts.termwise([(i, sp.S.One), (j, -sp.Pow(t.symbol, r))], sp.S.Zero, shown=shown):
                yield


def _shown(search: Any, total: Total, r: sp.Rational, relation: sp.Basic) -> Node | None:
    """What shows |x|^p - S^r u <= 0 at a place: u >= 0 times what (u + d)^r >= u^r says at d = S - u."""
    lemma = sp.Ge(sp.Pow(sp.Add(_LOW, _MORE), r), sp.Pow(_LOW, r), evaluate=False)
    proof = _RISING.proof(
        (lemma, sp.S.Zero), _SHOWING, lambda most: certified(lemma, dict.fromkeys((_LOW, _MORE), _ENDS), (), most)
    )
    _, box, given = search.facts.at_one_place(relation, total.first)
    most = sp.Le(total.body, total.symbol, evaluate=False)
    if proof is None or most not in given:
        return None
    rest = sp.Add(total.symbol, sp.Mul(-1, total.body, evaluate=False), evaluate=False)
    seconds, known = search.facts.seconds(), [most]
    inside = [certified(sp.Ge(e, 0, evaluate=False), box, known, seconds) for e in (total.body, rest)]
    there = put(lemma, {_LOW: total.body, _MORE: rest})
    parts = [gap(relation), sp.Mul(-1, total.body, gap(there), evaluate=False)]
    left = sp.Ge(sp.Add(*parts, evaluate=False), sp.S.Zero, evaluate=False)
    body = certified(left, box, known, max(seconds, _SHOWING)) if all(inside) else None
    values = [[sp.srepr(_LOW), sp.srepr(total.body)], [sp.srepr(_MORE), sp.srepr(rest)]]
    rows = [[sp.srepr(s), "0", "oo"] for s in (_LOW, _MORE)]
    row = {"relation": sp.srepr(lemma), "box": rows, "proof": proof, "values": values, "inside": inside}
    taken = [[0, sp.srepr(total.body), inside[0]]]
    at = [given.index(most)]
    return body and {"instances": [row], "ahead": at, "taken": taken, "kept": [], "left": body}


def _power_of(question: LengthQuestion, total: Total) -> tuple[sp.Symbol, sp.Rational] | None:
    """The entry and the power, of a sum whose terms are powers of an entry's size."""
    base, power = total.body.as_base_exp()
    size = base.args[0] if isinstance(base, sp.Abs) else base
    is_size = isinstance(base, sp.Abs) or size.is_nonnegative or (power.is_Integer and power % 2 == 0)
    return (size, power) if size in question.entries and power.is_Rational and power > 0 and is_size else None
