"""What each step of a proof asks for, in full: the goals that it leaves to others, and what it refuses.

`LEFT` has steps with the goals that remain, each with its expression, strictness, box, givens and conditions known to
hold. `REFUSED` has steps that show nothing, most of them for a statement that is false; each is one change away from a
step that is accepted, so that it is refused for that reason.
"""

from __future__ import annotations

from typing import Any

import pytest
from flint import ctx

from tests.theory.checker.writing import PI, A, F, M, N, P, R, m, n, p, q, text, x, y, z
from theory.checker import goal as goals
from theory.checker import steps
from theory.checker.domain import Condition
from theory.checker.goal import ReplayGoal
from theory.checker.limits import InvalidRecord, metered
from theory.checker.nodes import Node
from theory.checker.parser import read_symbol
from theory.checker.walks import normal

CHECK = steps.check
k, j = (read_symbol(f"Symbol('{name}', integer=True)") for name in "kj")
t, u = (read_symbol(f"Symbol('{name}', real=True)") for name in "tu")
T, U = (read_symbol(f"Symbol('{name}', positive=True)") for name in "TU")
X, Y, Z, PX, QX, NX, MX, KX = map(text, (x, y, z, p, q, n, m, k))
ONE, ZERO = N(1), N(0)
NO, YES = False, True


def G(e: Any, box: dict, strict: bool = False, given: tuple = (), sound: tuple = ()) -> ReplayGoal:
    """A goal in normal form."""
    return ReplayGoal(
        normal(e), strict, box, tuple((normal(g), s) for g, s in given),
            tuple(Condition(normal(c), s) for c, s in sound)
    )  # fmt: skip


def M1(e: Any) -> Node:
    return M(-1, e)


def subgoals(step: dict, goal: ReplayGoal) -> list[tuple[Any, ReplayGoal]]:
    """What a step leaves to be shown, without that being shown."""
    found: list[tuple[Any, ReplayGoal]] = []
    steps.check = lambda proof, inner: found.append((proof, inner))
    try:
        with ctx.workprec(128), metered():
            CHECK(step, goal)
    finally:
        steps.check = CHECK
    return found


def step(by: str, **rest: Any) -> dict:
    return {"by": by, **{key: text(value) if isinstance(value, Node) else value for key, value in rest.items()}}


I01, I05 = R(0, 1), R(0, 5)
LINE = R()
GIVEN = ((A(5, M1(x)), YES), (A(x, y), NO))
SOUND = ((x, ">"), (A(x, y), "!="))
BXY = {x: I05, y: R(1, 2)}

# A step, its goal, and the goals that it leaves with the proofs it hands on.
LEFT: list[tuple[dict, ReplayGoal, list]] = [
    (step("interval"), G(x, {x: I01}), []),
    (step("interval"), G(x, {x: R(0, 1, "<")}, YES), []),
    (step("mean"), G(A(3, x), {x: R(-2, 2)}, YES), []),
    (step("mean"), G(x, {x: R(1, 3)}, YES), []),
    (step("mean"), G(A(3, x, M1(y)), {x: R(-1, 1), y: R(-1, 1)}, YES), []),
    (step("zero"), G(A(P(A(x, 1), 2), M1(P(x, 2)), M(-2, x), -1), {x: I01}), []),
    (step("zero"), G(A(x, -1), {x: R(1, 1)}), []),
    (step("empty"), G(N(-1), {n: R(N(1, 4).data, N(3, 4).data, whole=True)}, YES), []),
    (step("empty"), G(N(-1), {x: R(1, 1, "<")}, YES), []),
    (step("empty"), G(N(-1), {x: R(1, 1, ">")}, YES), []),
    (step("infeasible", given=0), G(N(-1), {x: I01}, YES, ((A(x, -2), NO),)), []),
    (step("infeasible", given=1), G(N(-1), {x: I01}, YES, ((x, NO), (A(x, -1), YES))), []),
    (step("shift"), G(A(M(x, y), M1(x), M1(y), 2), {x: R(1), y: R(1)}, YES), []),
    (
        step("split", symbol=x, at="2", below="a", above="b"),
        G(x, {x: R(0, 5, "<>"), y: I01}, YES, GIVEN, SOUND),
        [("a", G(x, {x: R(0, 2, "<"), y: I01}, YES, GIVEN, SOUND)),
            ("b", G(x, {x: R(2, 5, ">"), y: I01}, YES, GIVEN, SOUND))],
    ),
    (
        step("split", symbol=n, at="2", below="a", above="b"),
        G(n, {n: R(2, 3, whole=True)}),
        [("a", G(n, {n: R(2, 2, whole=True)})), ("b", G(n, {n: R(3, 3, whole=True)}))],
    ),
    (
        step("split", symbol=x, at="0", below="a", above="b"), G(x, {x: LINE}),
        [("a", G(x, {x: R(None, 0)})), ("b", G(x, {x: R(0, None)}))],
    ),
    (
        step("cases", of=F("Max", x, y), proofs=["a", "b"]),
        G(A(F("Max", x, y), -1), BXY, YES, GIVEN, ((F("Max", x, y), ">"),)),
        [
            ("a", G(A(x, -1), BXY, YES, (*GIVEN, (A(x, M1(y)), NO)), ((x, ">"),))),
            ("b", G(A(y, -1), BXY, YES, (*GIVEN, (A(y, M1(x)), NO)), ((y, ">"),))),
        ],
    ),
    (
        step("cases", of=F("Min", x, y), proofs=["a", "b"]),
        G(A(F("Min", x, y), -1), BXY),
        [("a", G(A(x, -1), BXY, given=((A(y, M1(x)), NO),))), ("b", G(A(y, -1), BXY, given=((A(x, M1(y)), NO),)))],
    ),
    (
        step("cases", of=F("Abs", x), proofs=["a", "b"]),
        G(A(F("Abs", x), -1), {x: R(-1, 5)}),
        [("a", G(A(x, -1), {x: R(-1, 5)}, given=((M(2, x), NO),))),
         ("b", G(A(M1(x), -1), {x: R(-1, 5)}, given=((M(-2, x), NO),)))],
    ),
    (
        step("monotone", symbol=x, sign=1, slope="a", face="b"),
        G(P(x, 3), {x: R(0, 5, "<"), y: I01}, YES, GIVEN, SOUND),
        [("a", G(M(3, P(x, 2)), {x: R(0, 5, "<"), y: I01})), ("b", G(P(x, 3), {x: R(0, 0), y: I01}, YES))],
    ),
    (
        step("monotone", symbol=n, sign=-1, slope="a", face="b"),
        G(M1(P(n, 3)), {n: R(0, 5, whole=True)}),
        [("a", G(M(3, P(n, 2)), {n: R(0, 5)})), ("b", G(M1(P(n, 3)), {n: R(5, 5)}))],
    ),
    (
        step("factor", parts=[[X, 1, 1, "a"], [text(A(x, -6)), 1, -1, "b"], [Y, -1, -1, "c"]]),
        G(M(x, A(x, -6), P(y, -1)), {x: R(0, 5), y: R(1, 2)}, NO, GIVEN, SOUND),
        [("a", G(x, BXY, NO, GIVEN, SOUND)), ("b", G(A(6, M1(x)), BXY, NO, GIVEN, SOUND)),
            ("c", G(M1(y), BXY, YES, GIVEN, SOUND))],
    ),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 2, 0, None]]), G(M(x, P(y, 2)), BXY), [("a", G(x, BXY))]),
    (step("factor", parts=[[X, 3, -1, "a"], [Y, 1, -1, "b"]]), G(M(P(x, 3), y), BXY, YES),
     [("a", G(M1(x), BXY, YES)), ("b", G(M1(y), BXY, YES))]),
    (step("restate", expression=A(P(x, 2), M(2, x), 1), proof="a"), G(P(A(x, 1), 2), BXY, YES, GIVEN, SOUND),
     [("a", G(A(P(x, 2), M(2, x), 1), BXY, YES, GIVEN, SOUND))]),
    (
        step("rename", rows=[[text(T), text(F("exp", x)), "0", "oo", True]], expression=A(T, y), proof="a"),
        G(A(F("exp", x), y), {x: LINE, y: R(1, 2), z: I01}, YES, GIVEN, SOUND),
        [("a", G(A(T, y), {T: R(0, None, "<"), y: R(1, 2)}, YES))],
    ),
    (
        step("change", rows=[[text(t), text(P(x, 2)), "0", "25", False]], expression=A(t, 1),
            given=[[text(A(1, t)), 1]], proof="a"),
        G(A(P(x, 2), 1), {x: I05}, NO, ((x, NO), (A(1, P(x, 2)), YES))),
        [("a", G(A(t, 1), {t: R(0, 25)}, NO, ((A(1, t), YES),)))],
    ),
    (
        step("change", rows=[[text(t), text(M(2, x)), "0", "10", False]], expression=t, proof="a",
             given=[[text(M(N(1, 2), t)), ["low", X]], [text(A(5, M(N(-1, 2), t))), ["high", X]]]),
        G(M(2, x), {x: R(0, 5, ">")}),
        [("a", G(t, {t: R(0, 10)}, NO, ((M(N(1, 2), t), NO), (A(5, M(N(-1, 2), t)), YES))))],
    ),
    (
        step("lower", given=1, symbol=x, new=T, replacement=A(y, M(N(1, 2), T)), proof="a"),
        G(A(x, M1(y)), {x: LINE, y: I01}, YES, ((A(3, M1(x)), YES), (A(M(2, x), M(-2, y)), YES)), ((A(x, 1), ">"),)),
        [("a", G(M(N(1, 2), T), {y: I01, T: R(0, None, "<")}, YES, ((A(3, M1(y), M(N(-1, 2), T)), YES),),
               ((A(y, M(N(1, 2), T), 1), ">"),)))],
    ),
    (step("lower", given=0, symbol=x, new=t, replacement=A(y, t), proof="a"),
        G(x, {x: LINE, y: I01}, YES, ((A(x, M1(y)), NO), (A(3, M1(x)), YES))),
     [("a", G(A(y, t), {y: I01, t: R(0)}, YES, ((A(3, M1(y), M1(t)), YES),)))]),
    (step("mean"), G(A(x, N(-3, 4)), {x: R(1, 3)}), []),
    (step("restate", expression=A(P(x, 2), M(2, x), 1), proof="a"), G(P(A(x, 1), 2), {x: I05}),
        [("a", G(A(P(x, 2), M(2, x), 1), {x: I05}))]),
    # ------------------------------------------------------------------------------------------------ hypotheses
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: I05}, YES, ((A(M(2, x), -4), NO), (y, YES))),
        [("a", G(x, {x: R(2, 5)}, YES, ((y, YES),)))]),
    (step("eliminate", symbol=x, givens=[0, 1], to=N(0), proof="a"),
        G(x, {x: R(0)}, NO, ((P(x, 2), NO), (M1(P(x, 2)), NO))), [("a", G(N(0), {}, NO, ((N(0), NO),)))]),
    (step("order", through="log", left=x, right=y, positive=[None, "d"], proof="a"), G(A(x, M1(y)), BXY),
     [(None, G(x, BXY, YES)), ("d", G(y, BXY, YES)), ("a", G(A(F("log", x), M1(F("log", y))), BXY, NO, (),
         ((x, ">"), (y, ">"))))]),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"),
        G(A(M(N(1, 2), PI), M1(F("atan", x))), {x: R(1)}),
     [("s", G(P(A(P(x, 2), 1), -1), {x: R(1)}))]),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"), G(A(y, P(x, -1)), {x: R(1), y: I01}),
        [("s", G(P(x, -2), {x: R(1), y: I01}))]),
    (
        step("toward", symbol=x, to=N(5), sign=-1, strict=True, keep=[], inside=[None, None], smooth=[], side="d",
            slope="s", face="f"),
        G(M1(x), {x: R(0, 5, "<>")}, YES),
        [("d", G(A(5, M1(x)), {x: R(0, 5, "<>")}, YES)), ("s", G(N(1), {x: R(0, 5, "<")}, YES,
            ((A(5, M1(x)), YES),))), ("f", G(N(-5), {}))],
    ),
    (
        step("toward", symbol=x, to=y, sign=1, strict=False, keep=[], inside=["i", "j"], smooth=[], side=None,
            slope="s", face="f"),
        G(x, {x: R(3, 9, ">"), y: R(1, 2)}),
        [("i", G(A(y, -3), {x: R(3, 9, ">"), y: R(1, 2)})), ("j", G(A(9, M1(y)), {x: R(3, 9, ">"), y: R(1, 2)}, YES)),
         ("s", G(N(1), {x: R(3, 9, ">"), y: R(1, 2)}, NO, ((A(x, M1(y)), NO),))), ("f", G(y, {y: R(1, 2)}))],
    ),
    (step("floor", of=F("floor", x), cases=[[0, "a"]]), G(F("floor", x), {x: R(N(1, 4).data, N(1, 2).data)}),
     [("a", G(N(0), {x: R(N(1, 4).data, N(1, 2).data)}, NO, ((x, NO), (A(1, M1(x)), YES))))]),
    (step("whole", times="1", proof="a"), G(M(A(P(n, 2), -1), P(A(n, -1), -1)), {n: R(2, 5, whole=True)}),
     [("a", G(A(M(A(P(n, 2), -1), P(A(n, -1), -1)), 1), {n: R(2, 5, whole=True)}, YES))]),
    (
        step("narrow", symbol=x, given=1, proof="a"), G(x, {x: R(0, 5)}, YES, ((y, NO), (A(M(2, x), -4), NO)), SOUND),
        [("a", G(x, {x: R(2, 5)}, YES, ((y, NO),), SOUND))],
    ),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5, "<>")}, YES, ((A(M(2, x), -4), YES),)),
     [("a", G(x, {x: R(2, 5, "<>")}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5, "<")}, YES, ((x, NO),)),
        [("a", G(x, {x: R(0, 5, "<")}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5, "<")}, YES, ((A(x, -2), NO),)),
     [("a", G(x, {x: R(2, 5)}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5, "<>")}, YES, ((A(4, M(-2, x)), NO),)),
     [("a", G(x, {x: R(0, 2, "<")}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5, ">")}, YES, ((A(5, M1(x)), NO),)),
     [("a", G(x, {x: R(0, 5, ">")}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5)}, YES, ((A(5, M1(x)), YES),)),
     [("a", G(x, {x: R(0, 5, ">")}, YES))]),
    (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5)}, YES, ((A(x, -5), NO),)),
        [("a", G(x, {x: R(5, 5)}, YES))]),
    (
        step("eliminate", symbol=x, givens=[0, 2], to=P(y, 2), proof="a"),
        G(A(x, y), {x: R(0, 5, "<"), y: R(1, 2)}, YES, ((A(M(2, x), M(-2, P(y, 2))), NO), (A(x, 3), YES),
            (A(M(2, P(y, 2)), M(-2, x)), NO)),
          ((x, ">"),)),
        [("a", G(A(P(y, 2), y), {y: R(1, 2)}, YES, ((A(P(y, 2), 3), YES), (P(y, 2), YES), (A(5, M1(P(y, 2))), NO)),
            ((P(y, 2), ">"),)))],
    ),
    (
        step("eliminate", symbol=x, givens=[0, 1], to=P(y, 1, 2), proof="a"),
        G(x, {x: R(0, None, "<"), y: R(1, 2)}, NO, ((A(P(x, 2), M1(y)), NO), (A(y, M1(P(x, 2))), NO))),
        [("a", G(P(y, 1, 2), {y: R(1, 2)}, NO, ((P(y, 1, 2), YES),)))],
    ),
    (
        step("eliminate", symbol=x, givens=[1, 0], to=N(2), proof="a"),
        G(x, {x: R(0, 5, ">"), y: R(1, 2)}, NO, ((A(P(x, 2), -4), NO), (A(4, M1(P(x, 2))), NO))),
        [("a", G(N(2), {y: R(1, 2)}, NO, ((N(2), NO), (N(3), YES))))],
    ),
    (
        step("combine", terms=[[[0, ["low", X]], text(N(2)), None], [[1], X, "w"], [[], text(P(y, 2)), None]],
            rest=N(1), proof="a"),
        G(A(M(2, A(x, y), x), M(x, A(5, M1(x))), P(y, 2), 1), {x: R(0, 5, "<"), y: R(1, 2)}, YES,
            ((A(x, y), NO), (A(5, M1(x)), YES)), SOUND),
        [("a", G(N(1), {x: R(0, 5, "<"), y: R(1, 2)}, NO, ((A(x, y), NO), (A(5, M1(x)), YES)), SOUND))],
    ),
    (
        step("combine", terms=[[[0], text(A(x, -1)), "w"]], rest=N(1), proof="a"),
        G(A(M(A(x, -1), A(x, y)), 1), BXY, YES, ((A(x, y), YES),)),
        [("w", G(A(x, -1), BXY, NO, ((A(x, y), YES),))), ("a", G(N(1), BXY, YES, ((A(x, y), YES),)))],
    ),
    (
        step("combine", terms=[[[0, 1], text(N(1)), None]], rest=N(0), proof="a"),
        G(M(x, A(x, y)), BXY, YES, ((A(x, y), YES), (x, NO))), [("a", G(N(0), BXY, YES, ((A(x, y), YES), (x, NO))))],
    ),
    (step("combine", terms=[[[["high", X]], text(N(1)), None]], rest=N(0), proof="a"),
        G(A(5, M1(x)), {x: R(0, 5, ">")}, YES),
     [("a", G(N(0), {x: R(0, 5, ">")}))]),
    (
        step("means", weights=[["1/2", text(P(x, 2))], ["1/2", text(P(y, 2))]], of=M(x, y), scale="2"),
        G(A(P(x, 2), P(y, 2), M(-2, x, y)), {x: LINE, y: LINE}), [],
    ),
    (
        step("means", weights=[["1/3", X], ["2/3", text(ONE)]], of=P(x, 1, 3), scale="1"),
        G(A(M(N(1, 3), x), N(2, 3), M1(P(x, 1, 3))), {x: R(0)}), [],
    ),
    (step("either", of=A(x, -2), above="a", below="b"), G(x, BXY, YES, GIVEN, SOUND),
     [("a", G(x, BXY, YES, (*GIVEN, (A(x, -2), NO)), SOUND)), ("b",
         G(x, BXY, YES, (*GIVEN, (A(2, M1(x)), YES)), SOUND))]),
    (step("drop", givens=[1, 3, 9], proof="a"),
         G(x, BXY, YES, ((y, YES), (x, NO), (A(x, y), YES), (A(x, 1), NO)), SOUND),
     [("a", G(x, BXY, YES, ((y, YES), (A(x, y), YES)), SOUND))]),
    (
        step("order", through="exp", left=x, right=y, positive=[None, None], proof="a"),
            G(A(x, M1(y)), BXY, YES, GIVEN, SOUND),
        [("a", G(A(F("exp", x), M1(F("exp", y))), BXY, YES, GIVEN, SOUND))],
    ),
    (
        step("order", through="log", left=x, right=y, positive=["c", None], proof="a"),
            G(A(x, M1(y)), BXY, YES, GIVEN, SOUND),
        [("c", G(x, BXY, YES, GIVEN, SOUND)),
         ("a", G(A(F("log", x), M1(F("log", y))), BXY, YES, GIVEN, (*SOUND, (x, ">"), (y, ">"))))],
    ),
    (
        step("derive", fact=A(x, 1), strict=True, show="s", proof="a"), G(x, BXY, NO, GIVEN, SOUND),
        [("s", G(A(x, 1), BXY, YES, GIVEN)), ("a", G(x, BXY, NO, (*GIVEN, (A(x, 1), YES)), SOUND))],
    ),
    (step("domain", given=0), G(x, {x: LINE}, YES, ((F("log", x), NO),)), []),
    (step("domain", given=0), G(x, {x: LINE}, NO, ((P(x, 1, 2), YES),)), []),
    (step("domain", given=0), G(P(x, 2), {x: LINE}, YES, ((P(x, -1), NO),)), []),
    (step("domain", given=0), G(A(1, M1(x)), {x: LINE}, NO, ((F("asin", x), NO),)), []),
    # ----------------------------------------------------------------------------------------------------- moves
    (
        step("concave", symbol=x, slope="s", low="a", high="b", loose=None),
        G(A(1, M1(P(x, 2))), {x: R(0, 1, "<>"), y: I01}, YES, ((y, YES), (x, NO)), SOUND),
        [("s", G(N(2), {x: R(0, 1), y: I01}, NO, ((y, YES),))), ("a", G(N(1), {y: I01}, YES, ((y, YES),))),
         ("b", G(ZERO, {y: I01}, YES, ((y, YES),)))],
    ),
    (
        step("concave", symbol=x, slope="s", low="a", high="b", loose="high"),
        G(A(1, M1(P(x, 2))), {x: R(0, 1, ">")}, YES),
        [("s", G(N(2), {x: R(0, 1)})), ("a", G(N(1), {}, YES)), ("b", G(ZERO, {}, NO))],
    ),
    (
        step("concave", symbol=x, slope="s", low="a", high="b", loose="low"), G(x, {x: R(0, 1, "<")}, YES),
        [("s", G(ZERO, {x: R(0, 1)})), ("a", G(ZERO, {}, NO)), ("b", G(N(1), {}, YES))],
    ),
    (
        step("induction", symbol=n, base="a", step="b"),
        G(A(P(n, 2), y), {n: R(2, None, whole=True), y: I01}, YES, ((y, NO),), SOUND),
        [("a", G(A(4, y), {y: I01}, YES, ((y, NO),))),
         ("b", G(A(P(A(n, 1), 2), y), {n: R(2, None, whole=True), y: I01}, YES, ((y, NO), (A(P(n, 2), y), YES))))],
    ),
    *[
        (
            step("limit", symbol=x, to=to, strict=True, smooth=[], slope="s"),
                G(e, {x: row, y: I01}, YES, ((y, YES), (x, NO)), SOUND),
            [("s", G(slope, {x: row, y: I01}, YES, ((y, YES),)))],
        )
        for to, e, row, slope in (
            ("oo", A(1, P(x, -1)), R(1), P(x, -2)), ("-oo", A(1, M1(P(x, -1))), R(None, -1), P(x, -2)),
            ("0+", A(x, 1), R(0, 1, "<"), ONE), ("0-", A(1, M1(x)), R(-1, 0, ">"), ONE),
        )
    ],
    (step("limit", symbol=n, to="oo", strict=False, smooth=[], slope="s"),
        G(A(1, P(n, -1)), {n: R(1, None, whole=True)}, YES),
     [("s", G(P(n, -2), {n: R(1)}))]),
    (step("limit", symbol=x, to="oo", strict=True, smooth=[], slope="s"), G(P(x, -1), {x: R(1)}, YES),
        [("s", G(P(x, -2), {x: R(1)}, YES))]),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"), G(P(x, -1), {x: R(1)}),
        [("s", G(P(x, -2), {x: R(1)}))]),
    (
        step("toward", symbol=x, to=N(2), sign=0, strict=False, keep=[[0, None]], inside=[None, None], smooth=[],
            side=None, slope="s", face="f"),
        G(P(A(x, -2), 2), {x: R(0, 5, "<>"), y: I01}, NO, ((y, NO), (A(x, y), NO)), SOUND),
        [("s", G(M(A(x, -2), M(2, A(x, -2))), {x: R(0, 5, "<>"), y: I01}, NO, ((y, NO),))),
            ("f", G(ZERO, {y: I01}, NO, ((y, NO),)))],
    ),
    (
        step("toward", symbol=x, to=N(0), sign=1, strict=True, keep=[[0, None]], inside=[None, None], smooth=[],
            side=None, slope="s", face="f"),
        G(P(x, 3), {x: R(0, 5, "<>"), y: I01}, YES, ((y, NO),), SOUND),
        [("s", G(M(3, P(x, 2)), {x: R(0, 5, ">"), y: I01}, YES, ((y, NO),))),
            ("f", G(ZERO, {y: I01}, NO, ((y, NO),)))],
    ),
    (
        step("toward", symbol=n, to=N(5), sign=-1, strict=False, keep=[], inside=[None, None], smooth=[], side=None,
            slope="s", face="f"),
        G(M1(P(n, 3)), {n: R(0, 5, whole=True)}, YES),
        [("s", G(M(3, P(n, 2)), {n: R(0, 5)})), ("f", G(N(-125), {}, YES))],
    ),
    (
        step("toward", symbol=x, to=y, sign=1, strict=True, keep=[[1, None], [0, None]], inside=["i", None],
            smooth=[], side="d", slope="s", face="f"),
        G(P(x, 3), {x: R(0, None, "<"), y: R(1, 2)}, YES, ((y, NO), (A(x, y), NO)), SOUND),
        [
            ("i", G(y, {x: R(0, None, "<"), y: R(1, 2)}, YES, ((y, NO), (A(x, y), NO)), SOUND)),
            ("d", G(A(x, M1(y)), {x: R(0, None, "<"), y: R(1, 2)}, YES, ((y, NO), (A(x, y), NO)), SOUND)),
            ("s", G(M(3, P(x, 2)), {x: R(0, None, "<"), y: R(1, 2)}, YES,
                ((y, NO), (A(x, y), NO), (A(x, M1(y)), YES)))),
            ("f", G(P(y, 3), {y: R(1, 2)}, NO, ((y, NO), (M(2, y), NO)))),
        ],
    ),
    # ----------------------------------------------------------------------------------------------------- whole
    (
        step("floor", of=F("floor", x), cases=[[0, "a"], [1, "b"], [2, "c"]]),
        G(A(F("floor", x), y), {x: R(N(1, 2).data, N(5, 2).data), y: I01}, YES, ((A(F("floor", x), 1), NO),),
            ((F("floor", x), "!="),)),
        [
            (name, G(A(value, y), {x: R(N(1, 2).data, N(5, 2).data), y: I01}, YES,
                     ((N(value + 1), NO), (A(x, -value), NO), (A(value + 1, M1(x)), YES)), ((N(value), "!="),)))
            for value, name in enumerate("abc")
        ],
    ),
    (
        step("floors", of=F("floor", x),
            new=Node("symbol", (), read_symbol("Symbol('k', integer=True, real=True)").data), low="0",
             high="2", proof="a"),
        G(F("floor", x), {x: R(N(1, 2).data, N(5, 2).data)}),
        None,
    ),
    (
        step("sign", of=F("sign", x), below="a", at="b", above="c"),
            G(A(F("sign", x), 2), {x: LINE}, YES, ((A(x, 5), NO),)),
        [("a", G(N(1), {x: LINE}, YES, ((A(x, 5), NO), (M1(x), YES)))),
            ("b", G(N(2), {x: LINE}, YES, ((A(x, 5), NO), (x, NO), (M1(x), NO)))),
         ("c", G(N(3), {x: LINE}, YES, ((A(x, 5), NO), (x, YES))))],
    ),
    (step("whole", times="2", proof="a"), G(A(N(1, 2), n), {n: R(0, 5, whole=True)}, NO, ((n, NO),), ((n, "!="),)),
     [("a", G(A(2, M(2, n)), {n: R(0, 5, whole=True)}, YES, ((n, NO),), ((n, "!="),)))]),
    # --------------------------------------------------------------------------------------- series, models
    (step("taylor", symbol=x, at="0", order=3, zeros=0), G(F("exp", x), {x: R(N(-1, 2).data, 1)}, YES), []),
    (step("taylor", symbol=x, at="0", order=4, zeros=2), G(A(F("exp", x), -1, M1(x)), {x: R(-1, 1)}), []),
    (step("taylor", symbol=x, at="0", order=4, zeros=2), G(A(F("exp", x), -1, M1(x)), {x: R(0, 1, "<")}, YES), []),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(F("exp", x), -1), {x: R(0, 1)}), []),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(1, M1(F("exp", x))), {x: R(-1, 0, ">")}, YES), []),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(F("sin", x), {x: R(0, 0)}), []),
    (step("taylor", symbol=x, at="-1", order=1, zeros=0), G(M1(P(x, -1)), {x: R(-1, N(-2, 3).data)}), []),
    (step("taylor", symbol=x, at="0", order=9, zeros=8), G(P(x, 8), {x: I01}), []),
    (step("taylor", symbol=x, at="1", order=1, zeros=0), G(A(1, M(y, F("log", x))), {x: R(1, 2), y: R(0, 0)}), []),
    (step("model", order=3), G(A(F("exp", x), y), {x: R(-1, 1), y: I01}, YES), []),
    (step("model", order=1), G(y, {y: I01}), []),
    (step("taylor", symbol=x, at="1", order=3, zeros=1), G(A(F("exp", A(1, M1(x))), -1), {x: I01}), []),
    (step("taylor", symbol=x, at="1/2", order=2, zeros=0), G(A(N(3, 2), M1(x)), {x: I01}, YES), []),
    (
        step("stirling", terms=[[X, "1"]], rest=N(1), proof="a"),
        G(A(F("log", F("factorial", x)), M1(M(x, F("log", x))), x, M(N(-1, 2), F("log", M(2, PI, x))),
            M(N(-1, 12), P(x, -1)), M(N(1, 360), P(x, -3)), 1), {x: R(1, 9)}, YES, GIVEN, SOUND),
        [("a", G(N(1), {x: R(1, 9)}, NO, GIVEN, SOUND))],
    ),
    (
        step("stirling", terms=[[X, "-2"]], rest=N(1), proof="a"),
        G(A(M(-2, F("log", F("factorial", x))), M(2, x, F("log", x)), M(-2, x), F("log", M(2, PI, x)),
            M(N(1, 6), P(x, -1)), 1), {x: R(1, 9)}, YES),
        [("a", G(N(1), {x: R(1, 9)}, NO))],
    ),
]  # fmt: skip
_K = read_symbol("Symbol('k', integer=True, real=True)")
LEFT = [
    (s, g, left if left is not None else [
        ("a", G(_K, {x: R(N(1, 2).data, N(5, 2).data), _K: R(0, 2, whole=True)}, NO,
            ((A(x, M1(_K)), NO), (A(_K, 1, M1(x)), YES))))
    ])
    for s, g, left in LEFT
]  # fmt: skip
LEFT += [
    (
        step("residues", symbol=n, modulus=3, new=_K, proofs=["a", "b", "c"]),
        G(A(n, y), {n: R(1, 7, whole=True), y: I01}, YES, ((n, NO),), ((n, "!="),)),
        [
            (name, G(A(M(3, _K), rest, y), {y: I01, _K: R(low, high, whole=True)}, YES, ((A(M(3, _K), rest), NO),),
                ((A(M(3, _K), rest), "!="),)))
            for rest, name, low, high in ((0, "a", 1, 2), (1, "b", 0, 2), (2, "c", 0, 1))
        ],
    ),
    (
        step("residues", symbol=n, modulus=2, new=_K, proofs=["a", "b"]), G(n, {n: R(2, 2, whole=True)}),
        [("a", G(M(2, _K), {_K: R(1, 1, whole=True)}))],
    ),
    (
        step("residues", symbol=n, modulus=2, new=_K, proofs=["a", "b"]), G(n, {n: R(None, 4, whole=True)}),
        [("a", G(M(2, _K), {_K: R(None, 2, whole=True)})), ("b", G(A(M(2, _K), 1), {_K: R(None, 1, whole=True)}))],
    ),
    (
        step("residues", symbol=n, modulus=2, new=_K, proofs=["a", "b"]), G(n, {n: R(1, None, whole=True)}),
        [("a", G(M(2, _K), {_K: R(1, None, whole=True)})), ("b", G(A(M(2, _K), 1), {_K: R(0, None, whole=True)}))],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("what", "goal", "left"), LEFT, ids=lambda v: v["by"] if isinstance(v, dict) else "")
def test_what_a_step_leaves_to_be_shown(what: dict, goal: ReplayGoal, left: list) -> None:
    assert subgoals(what, goal) == left
    for key in what:
        for changed in ({k: v for k, v in what.items() if k != key}, {**what, "more": None}):
            with pytest.raises(InvalidRecord):
                subgoals(changed, goal)


BAD = (None, True, "x", 0, [], {}, [[]], [None])
TOWARD = {"keep": [], "inside": [None, None], "smooth": [], "side": None, "slope": "s", "face": "f", "strict": False}
FLOOR_BOX, BELOW = {x: R(N(1, 2).data, N(5, 2).data)}, A(F("floor", x), -1)
ROOT_GIVEN = ((A(P(x, 2), M1(y)), NO), (A(y, M1(P(x, 2))), NO))
LINEAR = ((A(M(2, x), M(-2, y)), NO), (A(M(2, y), M(-2, x)), NO))
STIRLING = A(F("log", F("factorial", x)), M1(M(x, F("log", x))), x, M(N(-1, 2), F("log", M(2, PI, x))),
             M(N(-1, 12), P(x, -1)), M(N(1, 360), P(x, -3)))  # fmt: skip

SAME_ONE = A(P(A(z, 1), 2), M1(P(z, 2)), M(-2, z))  # is 1, and has z
GAP = M(A(P(x, 2), x), P(A(x, 1), -1))  # is x, but at -1
Y_GAP = M(A(P(y, 2), M1(y)), P(A(y, -1), -1))  # is y, but at 1
NOTHING = A(P(F("sin", 1), 2), P(F("cos", 1), 2), -1)  # is 0, which no enclosure shows

# Steps that show nothing; of most the statement is false, and a part of it that the step overlooks is named beside it.
REFUSED: list[tuple[dict, ReplayGoal]] = [
    (step("taylor", symbol=x, at="0", order=1, zeros=0), G(A(1, x, M1(y)), {x: I01, y: R(0, 2)})),
    (step("taylor", symbol=x, at="1", order=3, zeros=1), G(A(1, M1(F("exp", A(1, M1(x))))), {x: I01})),
    (step("taylor", symbol=x, at="1", order=2, zeros=1), G(M(A(x, -1), A(x, N(-1, 2))), {x: I01})),
    (step("taylor", symbol=x, at="1/2", order=2, zeros=0), G(A(N(5, 2), M(-3, x)), {x: I01})),
    (step("taylor", symbol=x, at="1/2", order=2, zeros=0), G(A(N(-1, 2), M(3, x)), {x: I01})),
    (step("taylor", symbol=x, at="0", order=1, zeros=0), G(A(N(9, 2), M1(F("exp", M(2, x)))), {x: I01})),
    (step("taylor", symbol=x, at="1", order=1, zeros=0), G(A(N(9, 2), M1(F("exp", A(2, M(-2, x))))), {x: I01})),
    (step("mean"), G(NOTHING, {x: I01})),
    (step("interval"), G(NOTHING, {x: I01})),
    (step("model", order=2), G(A(NOTHING, M(0, x)), {x: I01})),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 0, 1, "b"]]), G(x, BXY)),
    (step("rename", rows=[[text(t), text(F("exp", x)), "1", "3", False, 0]], expression=A(t, y), proof="a"),
        G(A(F("exp", x), y), {x: I01, y: R(1, 2)})),
    (step("change", rows=[[text(t), X, "-oo", "5", False]], expression=t, given=[[text(t), ["low", X]]], proof="a"),
        G(x, {x: R(None, 5)})),
    (step("change", rows=[[text(t), X, "0", "oo", False]], expression=t, given=[[text(M1(t)), ["high", X]]],
        proof="a"), G(x, {x: R(0, None)})),
    (step("change", rows=[[text(t), X, "0", "1", False]], expression=t, given=[[text(t), 0, 0]], proof="a"),
        G(x, {x: I01}, NO, ((x, NO),))),
    (step("rename", rows=[], expression=A(x, SAME_ONE), proof="a"), G(A(x, 1), {x: I01})),
    (step("lower", given=0, symbol=x, new=t, replacement=A(y, t, SAME_ONE, -1), proof="a"),
        G(x, {x: LINE, y: I01}, NO, ((A(x, M1(y)), NO),))),
    (step("lower", given=0, symbol=x, new=t, replacement=A(Y_GAP, t), proof="a"),
        G(x, {x: LINE, y: I01}, NO, ((A(x, M1(y)), NO),))),
    (step("lower", given=0, symbol=x, new=t, replacement=y, proof="a"),
        G(x, {x: LINE, y: I01}, NO, ((A(x, M1(y)), NO),))),
    (step("lower", given=0, symbol=x, new=t, replacement=M(t, P(y, -1)), proof="a"),
        G(x, {x: LINE, y: R(1, 2)}, NO, ((M(x, y), NO),))),
    (step("eliminate", symbol=x, givens=[0, 1, 0], to=y, proof="a"),
        G(x, BXY, NO, ((A(x, M1(y)), NO), (A(y, M1(x)), NO)))),
    # y >= 0 where x y >= 0, which is false where x = 0: 1/x has no value there.
    (step("combine", terms=[[[0], text(P(x, -1)), "w"]], rest=N(0), proof="a"),
        G(y, {x: I05, y: R(-1, 1)}, NO, ((M(x, y), NO),))),
    (step("combine", terms=[], rest=GAP, proof="a"), G(x, {x: R(-2, 1)})),
    (step("combine", terms=[[[0], text(N(1)), None], [[1], text(N(1)), None]], rest=N(0), proof="a"),
        G(N(1), {x: R(-1, 5)}, NO, ((F("log", x), NO), (A(1, M1(F("log", x))), NO)))),
    (step("combine", terms=[[[0], text(ONE), None, 0]], rest=N(0), proof="a"), G(x, {x: R(-1, 5)}, NO, ((x, NO),))),
    (step("means", weights=[["1", X], ["1", X]], of=P(x, 2), scale="1"), G(A(M(2, x), M1(P(x, 2))), {x: I05})),
    (step("means", weights=[["0", text(P(x, 2))], ["1", X]], of=x, scale="1"), G(N(0), {x: I05})),
    (step("means", weights=[["1", X, 0]], of=x, scale="1"), G(N(0), {x: I05})),
    (step("means", weights=[["1/10007", X], ["10006/10007", X]], of=x, scale="1"), G(N(0), {x: I05})),
    (step("order", through="exp", left=GAP, right=y, positive=[None, None], proof="a"),
        G(A(x, M1(y)), {x: R(-2, 5), y: R(1, 2)})),
    (step("order", through="exp", left=y, right=GAP, positive=[None, None], proof="a"),
        G(A(y, M1(x)), {x: R(-2, 5), y: R(1, 2)})),
    (step("order", through="exp", left=x, right=y, positive=[None, None, None], proof="a"), G(A(x, M1(y)), BXY)),
    (step("toward", symbol=x, to=F("log", y), sign=0, **{**TOWARD, "inside": ["i", "j"]}),
        G(x, {x: I05, y: R(-1, 1)})),
    (step("toward", symbol=x, to=N(0), sign=True, **TOWARD), G(P(x, 3), {x: I05})),
    (step("toward", symbol=x, to=y, sign=0, **{**TOWARD, "inside": ["i", "j", "k"]}), G(x, BXY)),
    (step("toward", symbol=x, to=N(0), sign=1, **{**TOWARD, "strict": True}), G(P(x, 3), {x: R(0, 5, ">")}, YES)),
    (step("toward", symbol=x, to=N(5), sign=-1, **{**TOWARD, "strict": True}),
        G(M1(P(x, 3)), {x: R(0, 5, "<")}, YES)),
    (step("toward", symbol=x, to=N(2), sign=0, **{**TOWARD, "keep": [[0, "k"]]}),
        G(x, {x: I05}, NO, ((M(A(P(x, 2), M1(x)), P(A(x, -1), -1)), NO),))),
    (step("toward", symbol=x, to=N(2), sign=0, **{**TOWARD, "keep": [[0, None, 0]]}), G(x, BXY, NO, ((y, NO),))),
    (step("limit", symbol=x, to="oo", strict=True, smooth=[], slope="s"),
        G(A(z, P(x, -1)), {x: R(1), z: R(-1, 1)}, YES)),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"), G(A(z, P(x, -1)), {x: R(1), z: R(-1, 1)})),
    (step("limit", symbol=x, to="0-", strict=True, smooth=[], slope="s"), G(A(1, M1(x)), {x: R(-1, 1, ">")})),
    (step("induction", symbol=n, base="a", step="b"), G(n, {n: R(0, None, whole=True), y: I01}, NO,
        ((n, NO), (y, NO)))),
    (step("interval"), G(x, {x: R(-1, 1)})),
    (step("interval"), G(x, {x: I01}, YES)),
    (step("mean"), G(A(2, x), {x: R(-2, 2)}, YES)),
    (step("mean"), G(A(2, x), {x: R(-2, 2)})),
    (step("mean"), G(A(N(3, 2), x), {x: R(-2, 2)})),
    (step("mean"), G(A(N(5, 2), M1(P(x, 2))), {x: R(0, 2)})),
    (step("mean"), G(A(N(5, 2), M1(P(A(x, -2), 2))), {x: R(0, 2)})),
    (step("mean"), G(A(N(5, 2), M1(x)), {x: R(1, 3)})),
    (step("mean"), G(A(3, x), {x: R(None, 2)})),
    (step("mean"), G(A(3, x), {x: R(0, 1), y: R(0, None)})),
    (step("zero"), G(A(P(A(x, 1), 2), M1(P(x, 2)), M(-2, x), -1), {x: I01}, YES)),
    (step("zero"), G(A(x, -1), {x: I01})),
    (step("zero"), G(A(x, -1), {x: R(2, 2)})),
    (step("empty"), G(N(-1), {x: R(N(1, 4).data, N(3, 4).data)})),
    (step("empty"), G(N(-1), {n: R(N(1, 4).data, 1, whole=True)})),
    (step("empty"), G(N(-1), {n: R(1, 1, whole=True)})),
    (step("empty"), G(N(-1), {n: R(0, N(3, 4).data, whole=True)})),
    (step("empty"), G(N(-1), {n: R(None, N(3, 4).data, whole=True)})),
    (step("empty"), G(N(-1), {x: R(1, 1)})),
    (step("empty"), G(N(-1), {x: R(1, 2, "<>")})),
    (step("infeasible", given=0), G(N(-1), {x: I01}, NO, ((A(x, -1), NO),))),
    (step("infeasible", given=0), G(N(-1), {x: I01}, NO, ((M1(x), NO),))),
    (step("infeasible", given=0), G(N(-1), {x: R(0, 2)}, NO, ((A(x, -1), YES),))),
    *[(step("infeasible", given=bad), G(N(-1), {x: I01}, NO, ((A(x, -2), NO), (A(x, -3), NO)))) for bad in (True, -1,
        2, "0", None)],
    *[(step("split", symbol=x, at=at, below="a", above="b"), G(x, {x: R(0, 5, "<>"), y: I01})) for at in ("0", "5",
        "-1", "6")],
    *[(step("split", symbol=n, at=at, below="a", above="b"), G(n, {n: R(0, 5, whole=True)})) for at in ("5/2", "-1",
        "5", "7")],
    (step("split", symbol=z, at="1", below="a", above="b"), G(x, {x: I05})),
    (step("cases", of=A(x, y), proofs=["a", "b"]), G(A(x, y), BXY)),
    (step("cases", of=F("Max", x, 3), proofs=["a", "b"]), G(F("Max", x, y), BXY)),
    (step("cases", of=F("Max", x, y), proofs=["a"]), G(F("Max", x, y), BXY)),
    (step("cases", of=F("Max", x, y), proofs=["a", "b", "c"]), G(F("Max", x, y), BXY)),
    (step("cases", of=F("Max", x, y), proofs={"a": 1, "b": 2}), G(F("Max", x, y), BXY)),
    (step("cases", of=F("Max", x, F("Max", y, z)), proofs=["a", "b", "c"]),
        G(F("Max", x, y, z), {x: I01, y: I01, z: I01})),
    (step("cases", of=F("Max", x, x, y), proofs=["a", "b"]), G(F("Max", x, y), BXY)),
    *[(step("monotone", symbol=x, sign=bad, slope="a", face="b"), G(x, {x: R(-1, 5)})) for bad in (0, 2, "1", True,
        None)],
    (step("monotone", symbol=x, sign=1, slope="a", face="b"), G(A(x, 9), {x: R(None, 5)})),
    (step("monotone", symbol=x, sign=-1, slope="a", face="b"), G(M1(x), {x: R(0, None)})),
    (step("monotone", symbol=x, sign=1, slope="a", face="b"), G(A(F("floor", y), x), {x: I01, y: I05})),
    (step("monotone", symbol=x, sign=1, slope="a", face="b"), G(P(x, -1), {x: R(-1, 5)})),
    (step("monotone", symbol=x, sign=-1, slope="a", face="b"), G(P(x, -1), {x: R(0, 5, "<")})),
    (step("monotone", symbol=x, sign=1, slope="a", face="b"), G(P(x, 1, 2), {x: I05})),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 1, 1, "b"]]), G(M(x, y, y), BXY)),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 1, -1, "b"]]), G(M(x, y), BXY)),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 2, 0, None]]), G(M(x, P(y, 2)), BXY, YES)),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 2, 0, "b"]]), G(M(x, P(y, 2)), BXY)),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 1, 0, None]]), G(M(x, y), {x: I01, y: R(-1, 1)})),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, 3, 0, None]]), G(M(x, P(y, 3)), {x: I01, y: R(-1, 1)})),
    (step("factor", parts=[[X, 1, 1, "a"], [Y, -2, 0, None]]), G(M(x, P(y, -2)), {x: I01, y: R(-1, 1)})),
    (step("factor", parts=[[text(P(x, -1)), -1, 1, "a"]]), G(x, {x: R(-1, 1)})),
    *[(step("factor", parts=[[X, power, sign, "a"]]), G(x, {x: I01})) for power,
        sign in ((0, 1), (True, 1), ("1", 1), (1, True), (1, 2), (1, -1), (201, 1))],
    *[(step("factor", parts=bad), G(x, {x: I01})) for bad in (None, [[X, 1, 1]], [[X, 1, 1, "a", 0]], ["abcd"],
        {"a": 1})],
    (step("restate", expression=A(P(x, 2), 1), proof="a"), G(P(A(x, 1), 2), BXY)),
    (step("restate", expression=M(A(P(x, 2), x), P(A(x, 1), -1)), proof="a"), G(x, {x: R(-2, 1)})),
    (step("restate", expression=A(x, P(A(z, 1), 2), M1(P(z, 2)), M(-2, z), -1), proof="a"), G(x, BXY)),
    *[
        (step("rename", rows=rows, expression=A(u, y), proof="a"), G(A(F("exp", x), y), {x: R(0, 1), y: R(1, 2)}))
        for row in ([[text(u), text(F("exp", x)), "1", "3", False]],)
        for rows in (
            [[row[0][0], row[0][1], "2", "3", False]], [[row[0][0], row[0][1], "1", "2", False]],
                [[row[0][0], row[0][1], "1", "3", True]],
            [[row[0][0], row[0][1], "0", "3", True]][:0], [[row[0][0], row[0][1], "3", "1", False]],
                [[row[0][0], row[0][1], "1", "3", 0]],
            [row[0], row[0]], [row[0][:4]], row[0], None, [[X, row[0][1], "1", "3", False]],
                [[KX, row[0][1], "1", "3", False]],
            [[text(u), X, "0", "1", False]], ["abcde"], [[text(U), row[0][1], "0", "3", False]],
        )
    ],
    (step("rename", rows=[[text(t), text(F("exp", x)), "0", "3", True]], expression=A(t, -1), proof="a"),
        G(A(x, -1), {x: I01})),
    (step("rename", rows=[[text(t), X, "0", "1", True]], expression=t, proof="a"), G(x, {x: I01}, YES)),
    (step("rename", rows=[[text(t), text(F("log", x)), "-oo", "oo", False]], expression=A(t, M1(t), x), proof="a"),
        G(x, {x: R(-1, 1)})),
    (step("rename", rows=[[text(t), text(P(x, 2)), "0", "25", False]], expression=A(t, z), proof="a"),
        G(A(P(x, 2), z), {x: I05})),
    (step("rename", rows=[[text(t), text(M(2, x)), "0", "2", False],
        [text(Node("symbol", (), read_symbol("Symbol('t', rational=True)").data)), X, "0", "1", False]],
          expression=t, proof="a"), G(M(2, x), {x: I01})),
    *[
        (step("change", rows=[[text(t), text(P(x, 2)), "0", "25", False]], expression=A(t, 1), given=given,
            proof="a"),
         G(A(P(x, 2), 1), {x: I05}, NO, ((x, NO), (A(1, P(x, 2)), YES))))
        for given in ([[text(A(2, t)), 1]], [[text(A(1, t)), 0]], [[text(A(1, t))]], [[text(A(1, t)), 2]],
            [[text(A(1, t)), -1]], None, {}, ["ab"],
                      [[text(A(z, t, M1(z), 1)), 1]][:0] or [[text(A(z, t)), 1]], [[X, ["low", X, X]]],
                          [[X, ["mid", X]]], [[X, ["low", Z]]], [[X, "low"]])
    ],
    (step("change", rows=[[text(t), X, "-5", "5", False]], expression=t, given=[[text(t), ["low", X]]], proof="a"),
        G(x, {x: R(None, 5)})),
    (step("change", rows=[[text(t), X, "-5", "5", False]], expression=t, given=[[text(M1(t)), ["high", X]]],
        proof="a"), G(x, {x: R(0, None)})),
    (step("change", rows=[[text(t), text(F("exp", x)), "0", "oo", False]], expression=t,
        given=[[text(F("log", t)), 0]], proof="a"),
     G(F("exp", x), {x: LINE}, NO, ((x, NO),))),
    *[
        (step("lower", given=place, symbol=x, new=new, replacement=to, proof="a"),
         G(A(x, M1(y)), {x: LINE, y: I01}, NO, ((A(M(2, x), M(-2, y)), strict), (A(P(x, 2), M1(y)), NO))))
        for place, new, to, strict in (
            (0, t, A(y, M(-1, t)), NO), (0, t, A(y, t, 1), NO), (0, t, A(y, z, t), NO), (0, y, A(y, t), NO),
                (1, t, A(y, t), NO), (0, n, A(y, n), NO),
            (0, T, A(y, T), NO), (0, t, A(x, t), NO), (2, t, A(y, t), NO), (0, t, A(y, P(t, 2)), NO),
                (0, t, M(2, y), NO), (0, x, A(y, x), NO),
        )
    ],
    (step("lower", given=0, symbol=x, new=t, replacement=A(M(y, P(y, -1)), t, P(y, -1), M1(P(y, -1))), proof="a"),
        G(x, {x: LINE, y: I01}, NO, ((A(y, 1), NO),))),
    (step("shift"), G(A(M(x, y), M1(x), M1(y), 1), {x: R(1), y: R(1)}, YES)),
    (step("shift"), G(A(x, -2), {x: R(1)})),
    *[
        (step("narrow", symbol=x, given=0, proof="a"), G(x, {x: R(0, 5), y: I01}, YES, ((g, NO),)))
        for g in (A(x, 1), A(6, M1(x)), A(x, -6), A(M1(x), -1), A(x, y), P(x, 2), y, A(y, M1(x)), M(x, y))
    ],
    *[
        (step("eliminate", symbol=x, givens=places, to=to, proof="a"), G(x, {x: R(low, 5), y: R(0, 2)}, NO, given))
        for places, to, low, given in (
            ([0, 1], M(2, y), 0, LINEAR), ([0], y, 0, LINEAR), ([0, 0], y, 0, LINEAR), ([0, 2], y, 0, LINEAR),
                (None, y, 0, LINEAR),
            ([0, 1], P(y, 1, 2), -1, ROOT_GIVEN), ([0, 1], P(y, 1, 3), 0, ROOT_GIVEN),
                ([0, 1], M1(P(y, 1, 2)), 0, ROOT_GIVEN),
            ([0, 1], x, 0, LINEAR), ([0, 1], y, 0, ((A(x, M1(y)), NO), (A(x, M1(y)), NO))),
            ([0, 1], y, 0, ((M(y, A(x, M1(y))), NO), (M(-1, y, A(x, M1(y))), NO))),
            ([0, 1], N(2), -5, ((A(P(x, 2), -4), NO), (A(4, M1(P(x, 2))), NO))),
                ([0, 1], N(-2), 0, ((A(P(x, 2), -4), NO), (A(4, M1(P(x, 2))), NO))),
            ([0, 1], N(3), 0, ((A(P(x, 2), -4), NO), (A(4, M1(P(x, 2))), NO))),
            ([0, 1], M(P(y, -1), y, y), 0, ((A(x, M1(y), F("log", y)), NO), (A(y, M1(x), M1(F("log", y))), NO))),
        )
    ],
    *[
        (step("combine", terms=terms, rest=rest, proof="a"), G(goal, {x: R(0, 5), y: R(-2, 2)}, NO,
            ((A(x, y), NO), (A(5, M1(x)), YES))))
        for terms, rest, goal in (
            ([[[0], text(y), None]], N(0), M(y, A(x, y))), ([[[0], text(N(-1)), None]], N(0), M(-1, A(x, y))),
                ([[[0], text(ONE), None]], N(1), A(x, y)),
            ([[[2], text(ONE), None]], N(0), x), ([[[0], text(ONE)]], N(0), A(x, y)), (None, N(0), N(0)),
                ([[0, text(ONE), None]], N(0), A(x, y)),
            ([[[0], text(ONE), None]], z, A(x, y, z)), ([[[["low", Y]], text(ONE), None]], N(0), y),
                ([[[["high", X]], text(ONE), None]], N(0), x),
            ([[[], text(P(P(y, -2), 1)), None]], A(y, M1(P(y, -2))), y), ([[[0] * 13, text(N(0)), None]], N(0), N(0)),
            ([[[0], text(F("log", x)), "w"]], N(0), M(F("log", A(x, -1)), A(x, y))),
        )
    ],
    (step("combine", terms=[], rest=A(P(y, -1), x, M1(P(y, -1))), proof="a"), G(A(x, y), {x: I01, y: R(-1, 1)})),
    *[
        (step("means", weights=weights, of=of, scale=scale), G(e, {x: R(low), y: R(low)}, strict))
        for weights, of, scale, e, low, strict in (
            ([["1/2", text(P(x, 2))], ["1/2", text(P(y, 2))]], M(x, y), "2", A(P(x, 2), P(y, 2), M(-2, x, y)), None,
                YES),
            ([["1/2", text(P(x, 2))], ["1/2", text(P(y, 2))]], M(x, y), "-2",
                A(M(-1, P(x, 2)), M(-1, P(y, 2)), M(2, x, y)), None, NO),
            ([["1/2", text(P(x, 2))], ["1/2", text(P(y, 2))]], M(2, x, y), "2", A(P(x, 2), P(y, 2), M(-4, x, y)),
                None, NO),
            ([["1/2", text(P(x, 2))], ["1/2", text(P(y, 2))]], M(x, y), "1", A(P(x, 2), P(y, 2), M(-2, x, y)), None,
                NO),
            ([["1/2", text(P(x, 2))]], x, "1", A(M(N(1, 2), P(x, 2)), M1(x)), None, NO),
            ([["1", text(P(x, 2))], ["1", text(ONE)]], x, "1", A(P(x, 2), 1, M1(x)), None, NO),
            ([["-1", text(P(x, 2))], ["2", text(x)]], ONE, "1", A(M(2, x), M1(P(x, 2)), -1), 0, NO),
            ([["1/2", text(x)], ["1/2", text(x)]], x, "0", N(0), 0, NO),
            ([["1/2", text(P(x, 3))], ["1/2", text(x)]], P(x, 2), "2", A(P(x, 3), x, M(-2, P(x, 2))), None, NO),
            ([["1/2", text(A(x, 1)), "1"]], x, "1", x, None, NO), (None, x, "1", x, None, NO),
                ("ab", x, "1", x, None, NO), ({}, x, "1", x, None, NO),
        )
    ],
    *[(step("drop", givens=which, proof="a"), G(x, BXY, YES, GIVEN)) for which in (0, None, "0", {"0": 1})],
    (step("either", of=F("log", x), above="a", below="b"), G(x, {x: R(-1, 5)})),
    (step("either", of=z, above="a", below="b"), G(x, BXY)),
    *[
        (step("order", through=through, left=left, right=right, positive=positive, proof="a"),
            G(A(x, M1(y)), {x: R(-1, 5), y: R(1, 2)}))
        for through, left, right, positive in (
            ("exp", y, x, [None, None]), ("sin", x, y, [None, None]), ("exp", x, M(2, y), [None, None]),
            ("exp", x, y, [None]), ("exp", x, y, None), ("exp", A(x, P(x, -1)), A(y, P(x, -1)), [None, None]),
                ("exp", A(P(x, -1), x), A(P(x, -1), y), "ab"),
        )
    ],
    (step("derive", fact=A(x, 1), strict=1, show="s", proof="a"), G(x, BXY)),
    (step("derive", fact=F("log", x), strict=False, show="s", proof="a"), G(x, {x: R(-1, 1)})),
    (step("derive", fact=z, strict=False, show="s", proof="a"), G(x, {x: R(-1, 1)})),
    (step("domain", given=0), G(x, {x: LINE}, YES, ((P(x, 1, 2), YES),))),
    (step("domain", given=0), G(x, {x: LINE}, NO, ((x, NO),))),
    (step("domain", given=0), G(x, {x: LINE}, NO, ((P(x, -1), YES),))),
    (step("domain", given=0), G(x, {x: LINE, y: LINE}, NO, ((P(x, y), YES),))),
    (step("domain", given=0), G(A(x, -1), {x: LINE}, NO, ((F("log", x), NO),))),
    (step("domain", given=1), G(x, {x: LINE}, NO, ((F("log", x), NO),))),
    # ----------------------------------------------------------------------------------------------------- moves
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(x, {x: R(0, None)})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(x, {x: R(None, 1)})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(x, {x: R(1, 1)})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose="low"), G(x, {x: I01}, YES)),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose="high"), G(A(1, M1(x)), {x: R(0, 1, "<")}, YES)),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose="both"), G(A(1, M1(x)), {x: R(0, 1, "<>")}, YES)),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(A(F("floor", y), x), {x: I01, y: I01})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(M1(F("Abs", x)), {x: R(-1, 1)})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(P(x, -1), {x: R(-1, 1)})),
    (step("concave", symbol=x, slope="s", low="a", high="b", loose=None), G(P(x, 3, 2), {x: R(0, 1)})),
    *[
        (step("induction", symbol=n, base="a", step="b"), G(n, {n: row}, NO, given))
        for row, given in ((R(0, None), ()), (R(None, None, whole=True), ()), (R(0, 9, whole=True), ()),
            (R(0, None, "<", whole=True), ()),
                           (R(N(1, 2).data, None, whole=True), ()), (R(0, None, whole=True), ((n, NO),)))
    ],
    (step("induction", symbol=n, base="a", step="b"), G(P(A(n, -2), -1), {n: R(0, None, whole=True)})),
    *[
        (step("limit", symbol=x, to=to, strict=True, smooth=[], slope="s"), G(A(1, P(x, 2)), {x: row}))
        for to, row in (("oo", R(0, 9)), ("-oo", R(0, 9)), ("0+", R(0, 1)), ("0-", R(-1, 0)), ("0+", R(1, 2, "<")),
            ("0-", R(-2, -1, ">")), ("0", R(0, 1, "<")),
                        ("0+", R(-1, 0, ">")), ("0-", R(0, 1, "<")), (None, R(0)), ("oo", R(None, 0)), ("-oo", R(0)),
                            (0, R(0)))
    ],
    (step("limit", symbol=x, to="oo", strict=1, smooth=[], slope="s"), G(A(1, P(x, -1)), {x: R(1)})),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"), G(P(x, -1), {x: R(1)}, YES)),
    (step("limit", symbol=x, to="oo", strict=True, smooth=[], slope="s"), G(A(P(x, -1), -1), {x: R(1)}, YES)),
    (step("limit", symbol=x, to="oo", strict=False, smooth=[], slope="s"), G(A(P(x, -1), N(-1, 9)), {x: R(1)})),
    (step("limit", symbol=x, to="-oo", strict=False, smooth=[], slope="s"),
        G(A(F("exp", x), N(-1, 9)), {x: R(None, 0)})),
    (step("limit", symbol=x, to="oo", strict=True, smooth=[], slope="s"),
        G(A(F("floor", y), P(x, -1)), {x: R(1), y: I01})),
    (step("limit", symbol=x, to="oo", strict=True, smooth=[], slope="s"), G(A(2, P(A(x, -3), -1)), {x: R(1)})),
    *[
        (step("toward", symbol=x, **{**TOWARD, "to": text(N(2)), "sign": 0, **changed}),
            G(P(A(x, -2), 2), {x: R(0, 5, "<>"), y: I01}, NO, ((A(x, P(y, 2)), NO), (P(x, 2), NO))))
        for changed in (
            {"sign": 2}, {"sign": True}, {"sign": "0"}, {"strict": 0}, {"to": text(N(6))}, {"to": text(N(-1))},
                {"to": X}, {"to": Z}, {"to": text(F("log", y))},
            {"keep": [[1, None]]}, {"keep": [[2, None]]}, {"keep": [[0]]}, {"keep": None}, {"keep": "ab"},
                {"keep": [0, 1]}, {"to": Y, "inside": [None]},
            {"to": Y, "inside": None}, {"to": Y, "inside": [None, None]},
                {"to": text(A(y, 4)), "inside": ["i", None]}, {"sign": 1}, {"sign": -1},
            {"smooth": None}, {"smooth": [{}]}, {"to": text(N(5)), "sign": 1}, {"to": text(N(0)), "sign": -1},
        )
    ],
    (step("toward", symbol=x, to=N(0), sign=1, **{**TOWARD, "strict": True}), G(P(x, 3), {x: R(0, 5)}, YES)),
    (step("toward", symbol=x, to=N(5), sign=-1, **{**TOWARD, "strict": True}), G(M1(P(x, 3)), {x: R(0, 5)}, YES)),
    (step("toward", symbol=x, to=N(2), sign=0, **TOWARD), G(A(F("floor", y), x), {x: I05, y: I01})),
    (step("toward", symbol=x, to=N(2), sign=0, **TOWARD), G(P(A(x, -1), -1), {x: I05, y: I01})),
    (step("toward", symbol=x, to=N(2), sign=0, **{**TOWARD, "keep": [[0, None]]}),
        G(x, {x: I05, y: I01}, NO, ((M(F("floor", y), x), NO),))),
    (step("toward", symbol=x, to=N(2), sign=0, **{**TOWARD, "keep": [[0, None]]}),
        G(x, {x: I05, y: I01}, NO, ((A(1, M1(x)), NO),))),
    # ----------------------------------------------------------------------------------------------------- whole
    *[
        (step("floor", of=F("floor", x), cases=cases), G(BELOW, FLOOR_BOX))
        for cases in ([[1, "b"], [2, "c"]], [[0, "a"], [1, "b"]], [[0, "a"], [2, "c"]], [], None, [[0]],
            [["0", "a"]], [[False, "a"], [1, "b"], [2, "c"]],
                      [[0, "a"], [1, "b"], [2, "c", 0]], ["ab"])
    ],
    (step("floor", of=F("floor", y), cases=[[0, "a"], [1, "b"]]), G(BELOW, FLOOR_BOX | {y: I01})),
    (step("floor", of=x, cases=[[0, "a"], [1, "b"], [2, "c"]]), G(BELOW, FLOOR_BOX)),
    *[
        (step("floors", of=F("floor", x), new=new, low=low, high=high, proof="a"),
            G(BELOW, FLOOR_BOX | {_K: R(0, 1, whole=True)} if new == "K" else FLOOR_BOX))
        for new, low, high in ((_K, "1", "2"), (_K, "0", "1"), (_K, "2", "0"), (t, "0", "2"), (x, "0", "2"),
                               (read_symbol("Symbol('k', even=True)"), "0", "2"),
                                   (read_symbol("Symbol('x', integer=True, real=True)"), "0", "2"))
    ],
    (step("sign", of=F("sign", y), below="a", at="b", above="c"), G(F("sign", x), BXY)),
    (step("sign", of=x, below="a", at="b", above="c"), G(F("sign", x), BXY)),
    (step("sign", of=F("Abs", x), below="a", at="b", above="c"), G(F("Abs", x), BXY)),
    *[(step("whole", times=times, proof="a"), G(A(N(1, 2), n), {n: R(0, 5, whole=True)}, strict)) for times,
        strict in (("1", NO), ("0", NO), ("-2", NO), ("2", YES), ("3", NO))],
    (step("whole", times="1", proof="a"), G(A(x, -1), {x: I05})),
    (step("whole", times="1", proof="a"), G(P(n, -1), {n: R(1, 5, whole=True)})),
    *[
        (step("residues", symbol=s, modulus=modulus, new=new, proofs=proofs), G(n, {n: R(1, 7, whole=True), x: I05}))
        for s, modulus, new, proofs in ((x, 2, _K, ["a", "b"]), (n, 1, _K, ["a"]), (n, 2, _K, ["a"]),
            (n, 2, _K, ["a", "b", "c"]), (n, "2", _K, ["a", "b"]),
                                        (n, True, _K, ["a"]), (n, 2, t, ["a", "b"]), (n, 2, n, ["a", "b"]),
                                            (n, 2, _K, "ab"))
    ],
    # --------------------------------------------------------------------------------------- series, models
    *[
        (step("taylor", symbol=x, **{"at": "0", "order": 4, "zeros": 2, **changed}),
            G(A(F("exp", x), -1, M1(x)), {x: row}, strict))
        for changed, row, strict in (
            ({}, R(-1, 1), YES), ({}, R(0, 1), YES), ({"order": 2}, I01, NO), ({"order": 41}, I01, NO),
                ({"zeros": -1}, I01, NO), ({"zeros": 3}, I01, NO),
            ({"order": True}, I01, NO), ({"zeros": True}, I01, NO), ({"zeros": "2"}, I01, NO),
                ({"at": "2"}, I01, NO), ({"at": "-1"}, I01, NO), ({}, R(0, None), NO),
            ({}, R(None, 1), NO), ({"at": "1"}, I01, NO), ({"zeros": 9, "order": 12}, I01, NO),
                ({}, R(-1, 0, "<"), YES), ({"order": "4"}, I01, NO),
        )
    ],
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(F("exp", x), -1), {x: R(-1, 1)})),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(F("exp", x), -1), {x: R(-1, 0)})),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(F("exp", x), -1), {x: I01}, YES)),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(1, M1(F("exp", x))), {x: I01})),
    (step("taylor", symbol=x, at="0", order=3, zeros=1), G(A(1, M1(F("exp", x))), {x: R(-1, 0)}, YES)),
    (step("taylor", symbol=x, at="-1", order=1, zeros=0), G(M1(P(x, -1)), {x: R(1, 2)})),
    (step("taylor", symbol=x, at="1", order=1, zeros=0), G(M1(P(x, -1)), {x: R(-2, -1)})),
    (step("taylor", symbol=x, at="1", order=3, zeros=2), G(M1(P(A(x, -1), 2)), {x: I01})),
    (step("taylor", symbol=x, at="0", order=10, zeros=9), G(P(x, 9), {x: I01})),
    # what has the factor 0 has an expansion whatever else it has: where it has a value is asked before
    *[(step("taylor", symbol=x, at=at, order=1, zeros=0), G(A(1, M(y, e)), {x: row, y: R(0, 0)}))
      for at, e, row in (("1", F("log", x), R(-1, 1)), ("-1", F("log", M1(x)), R(-1, 1)), ("1", P(x, 1, 2), R(0, 1)))],
    (step("taylor", symbol=x, at="0", order=3, zeros=0), G(A(F("Abs", x), 1), {x: R(-1, 1)})),
    (step("taylor", symbol=x, at="1", order=3, zeros=0), G(A(F("Abs", x), N(1, 9)), {x: R(-1, 1)})),
    (step("taylor", symbol=x, at="1", order=3, zeros=0), G(A(F("floor", y), x), {x: R(1, 2), y: I01})),
    (step("taylor", symbol=x, at="0", order=3, zeros=0), G(A(F("exp", x), y), {x: I01, y: R(0, None)})),
    (step("taylor", symbol=x, at="0", order=2, zeros=0), G(A(1, M(-3, P(x, 2))), {x: R(-1, 1)})),
    (step("taylor", symbol=x, at="0", order=2, zeros=1), G(M(x, y), {x: I01, y: R(-1, 1)})),
    *[(step("model", order=order), G(e, {x: row, y: I01}, strict)) for order, e, row, strict in (
        (3, A(F("exp", x), -1), R(-1, 1), NO), (0, A(F("exp", x), y), R(-1, 1), NO),
            (9, A(F("exp", x), y), R(-1, 1), NO), (True, A(F("exp", x), y), R(-1, 1), NO),
        ("3", A(F("exp", x), y), R(-1, 1), NO), (3, A(F("exp", x), y), R(-1, None), NO),
            (3, A(F("floor", x), 2), R(-1, 1), NO), (3, M(0, x), R(-1, 1), YES),
        (3, A(1, F("Max", x, y)), R(0, 1), NO), (3, A(P(x, -1), 9), R(-1, 1), NO), (2, y, R(-1, 1), YES),
            (2, A(y, N(-1, 2**40)), R(-1, 1), NO))],
    *[
        (step("stirling", terms=terms, rest=rest, proof="a"), G(goal, {x: row}, NO))
        for terms, rest, goal, row in (
            ([[X, "2"]], N(0), STIRLING, R(1, 9)), ([[X, "-1"]], N(0), STIRLING, R(1, 9)),
                ([[X, "1"]], N(1), STIRLING, R(1, 9)), ([], STIRLING, STIRLING, R(1, 9)),
            (None, STIRLING, STIRLING, R(1, 9)), ([[X, "0"]], STIRLING, STIRLING, R(1, 9)),
                ([[X]], N(0), STIRLING, R(1, 9)), ([[X, "1"]], N(0), STIRLING, R(0, 9)),
            ([[X, "1", "1"]], N(0), STIRLING, R(1, 9)), (["ab"], N(0), STIRLING, R(1, 9)),
                ([[X, "1"]] * 21, N(0), M(21, STIRLING), R(1, 9)),
            ([[X, "1"]], M1(STIRLING), N(0), R(0, 9)), ([[X, "1"]], M(A(P(x, 2), M(-2, x)), P(A(x, -2), -1)),
                A(STIRLING, x), R(1, 9)),
            ([[X, "1"]], F("log", A(x, -2)), A(STIRLING, F("log", A(x, -2))), R(0, 9)),
        )
    ],
]  # fmt: skip


@pytest.mark.parametrize(("what", "goal"), REFUSED, ids=lambda v: v["by"] if isinstance(v, dict) else "")
def test_what_a_step_does_not_show(what: dict, goal: ReplayGoal) -> None:
    with pytest.raises(InvalidRecord):
        subgoals(what, goal)


FOLLOWING = [
    ((x, ">"), [(x, ">")], YES), ((x, ">"), [(x, ">=")], NO), ((x, ">"), [(x, "!=")], NO),
        ((x, ">="), [(x, ">")], YES), ((x, ">="), [(x, ">=")], YES),
    ((x, ">="), [(x, "!=")], NO), ((x, "!="), [(x, ">")], YES), ((x, "!="), [(x, "!=")], YES),
        ((x, "!="), [(x, ">=")], NO), ((x, "!="), [], NO),
    ((P(A(x, 1), 2), ">"), [(A(P(x, 2), M(2, x), 1), ">")], YES),
        ((P(A(x, 1), 2), ">"), [(A(P(x, 2), M(2, x), 2), ">")], NO),
    ((M(x, y), "!="), [(x, ">"), (y, "!=")], YES), ((M(x, y), "!="), [(x, "!=")], NO),
        ((M(2, x), "!="), [(x, "!=")], YES), ((M(2, x), ">"), [(x, ">")], NO),
    ((N(0), "!="), [(x, "!=")], NO), ((x, ">"), [(y, ">"), (x, ">")], YES), ((x, "!="), [(N(0), "!="), (y, ">")], NO),
]  # fmt: skip
GIVING = [
    ((x, YES), (x, ">"), YES), ((x, NO), (x, ">"), NO), ((x, NO), (x, ">="), YES), ((x, YES), (x, ">="), YES),
        ((x, YES), (x, "!="), YES), ((x, NO), (x, "!="), NO),
    ((M1(x), YES), (x, "!="), YES), ((P(x, 2), YES), (x, "!="), YES), ((P(x, 2), NO), (x, "!="), NO),
        ((M1(x), YES), (x, ">"), NO), ((y, YES), (x, ">"), NO),
    ((A(P(x, 2), M(2, x), 1), YES), (P(A(x, 1), 2), ">"), YES), ((GAP, YES), (x, ">"), NO),
        ((M(2, x), YES), (x, ">"), NO),
]  # fmt: skip


def test_what_follows_from_conditions_and_entries() -> None:
    box = {x: R(-2, 2), y: R(-2, 2)}
    test = goals.ZeroTest(box)
    for (c, sign), given, holds in FOLLOWING:
        found = goals.follows(Condition(normal(c), sign), [Condition(normal(g), s) for g, s in given], test)
        assert found is holds, (str(c), sign, given)
    for (of, strict), (c, sign), holds in GIVING:
        assert goals.gives((normal(of), strict), Condition(normal(c), sign), box, test) is holds, (str(of), strict,
            str(c), sign)  # fmt: skip
    one, two = Condition(normal(A(x, 1)), ">"), Condition(normal(A(y, 1)), ">")
    with_one = G(F("log", A(x, 1)), box)
    assert goals.all_follow([one], with_one, test)
    assert not goals.all_follow([one, two], with_one, test)
    assert not goals.all_follow([two], with_one, test)
    assert goals.all_follow([one, two], G(F("log", A(x, 1)), box, sound=((A(y, 1), ">"),)), test)
    assert goals.all_follow([], with_one, test)


def test_new_symbols_assume_no_more_than_their_range_shows() -> None:
    for said, r, holds in (
        ("real=True", R(), YES), ("integer=True", R(0, 1), NO), ("integer=False", R(0, 1), NO),
            ("nonzero=True", R(1, 2), NO), ("positive=True", R(1, 2), YES),
        ("positive=True", R(0, 2, "<"), YES), ("positive=True", R(0, 2), NO), ("positive=True", R(-1, 2, "<"), NO),
            ("positive=True", R(N(1, 2).data, 2), YES),
        ("nonnegative=True", R(0, 2), YES), ("nonnegative=True", R(-1, 2), NO), ("nonnegative=True", R(-1, -1), NO),
            ("negative=True", R(-2, -1), YES),
        ("negative=True", R(-2, 0), NO), ("negative=True", R(-2, 0, ">"), NO),
            ("negative=True", R(-2, N(1, 2).data), NO), ("negative=True", R(-2, 1), NO),
        ("nonpositive=True", R(-2, 0), YES), ("nonpositive=True", R(-2, 1), NO),
            ("nonpositive=True", R(-2, N(1, 2).data), NO), ("real=True", R(-2, 1), YES),
    ):  # fmt: skip
        assert goals.unused(read_symbol(f"Symbol('new', {said})"), BXY, r) is holds, (said, r)
    assert not goals.unused(read_symbol("Symbol('x', rational=True)"), BXY, R())


def test_conditions_are_shown_by_rows_of_three() -> None:
    goal, found = G(y, BXY, YES, GIVEN, SOUND), []
    row = {"of": X, "strict": True, "proof": "d"}

    def note(proof: Any, inner: ReplayGoal) -> None:
        found.append((proof, inner))

    goals.require_defined([Condition(x, ">"), Condition(x, "!=")], [row], goal, note)
    assert found == [("d", G(x, BXY, YES, GIVEN, SOUND))]
    goals.require_defined([], [{**row, "strict": False}] * 100, goal, note)
    assert found[-1] == ("d", G(x, BXY, NO, GIVEN, SOUND))
    goals.require_shown((x, NO), None, goal, note)
    assert len(found) == 101
    goals.require_shown((x, NO), "p", goal, note)
    assert found[-1] == ("p", G(x, BXY, NO, GIVEN, SOUND))
    for asked, rows in (
        ([Condition(x, ">")], [{**row, "strict": False}]), ([Condition(y, ">")], [row]),
            ([], [{**row, "strict": 1}]), ([], [{**row, "more": 1}]), ([], [row] * 101),
        ([], None), ([], [None]), ([], [{"of": X, "strict": True}]), ([], [{"of": X, "proof": "d"}]),
            ([], [{"strict": True, "proof": "d"}]), ([], [{**row, "of": Z}]), ([], {}),
    ):  # fmt: skip
        with pytest.raises(InvalidRecord):
            goals.require_defined(asked, rows, goal, note)
    for c in ((x, YES), (A(x, -1), NO), (F("Abs", F("log", x)), NO)):
        with pytest.raises(InvalidRecord):
            goals.require_shown(c, None, goal, note)


def test_every_step_is_there() -> None:
    known = {*steps._STEPS, *steps._FURTHER}
    assert {what["by"] for what, _, _ in LEFT} == known == set(steps._KEYS)
    for bad in (None, "interval", {"by": "nothing"}, {"by": None}, {}):
        with pytest.raises(InvalidRecord):
            CHECK(bad, G(N(1), {}))
