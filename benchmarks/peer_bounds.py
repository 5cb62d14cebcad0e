"""A problem for peers that bound expressions over boxes: LeanCert, compiled from Lean, and Gappa.

LeanCert bounds one expression over a closed box with finite ends, without conditions, and looks for a point beyond the
bound. Gappa bounds expressions of + - * /, square roots and absolute values under conditions; it refutes nothing. What
is beyond that is not stated.
"""

from __future__ import annotations

import importlib
import subprocess
from fractions import Fraction
from typing import Any

import sympy as sp

from benchmarks.peer_smt import CannotState
from theory.problems.cases import EndRange, ProblemCase, cases_of
from theory.problems.formulas import Comparison, StatedProblem

MARGIN = Fraction(1, 10**9)
"""By which a strict relation has to hold for LeanCert, which bounds by <= alone."""
_SPLITS, _DEPTH = 256, 15
"""LeanCert's own `thorough`."""
_LEANCERT = {
    sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.atan: "atan", sp.exp: "exp", sp.log: "log", sp.sinh: "sinh",
    sp.cosh: "cosh", sp.tanh: "tanh", sp.erf: "erf", sp.Abs: "abs",
}  # fmt: skip


def ask_leancert(problem: StatedProblem, seconds: float) -> str:
    """LeanCert: its checked bounds, its own splitting where one does not suffice, then its search for a point."""
    library = importlib.import_module("leancert")
    stated = [_leancert_case(library, case) for case in cases_of(problem)]
    with library.Solver() as solver:
        if all(_is_bounded(library, solver, *case) for case in stated):
            return "proved"
        if any(_has_point(library, solver, *case) for case in stated):
            return "refuted"
    return "unknown"


Bounds = dict[str, Fraction]


def _leancert_case(lean: Any, case: ProblemCase) -> tuple[Any, ProblemCase, Bounds, Bounds]:
    """Right less left, the case, what is to be proved of it and what is to be missed."""
    if case.given or case.whole:
        raise CannotState(f"LeanCert has no {'conditions' if case.given else 'whole numbers'}")
    if any(sp.oo in (abs(r.low), abs(r.high)) for r in case.ranges.values()):
        raise CannotState("LeanCert has no half-lines")
    gap = lean_term(lean, case.goal.right) - lean_term(lean, case.goal.left)
    zero = {"lower": Fraction(0)}
    if case.goal.sign == "==":
        zero |= {"upper": Fraction(0)}
    return gap, case, {"lower": MARGIN} if case.goal.sign == "<" else zero, zero


def _is_bounded(lean: Any, solver: Any, gap: Any, case: ProblemCase, bounds: Bounds, _: Bounds) -> bool:
    box = _box(case)
    if solver.verify_bound(gap, box, **bounds).is_verified:
        return True
    thorough = lean.AdaptiveConfig(max_splits=_SPLITS, max_depth=_DEPTH, parallel=False)
    return bool(box) and bool(solver.verify_bound_adaptive(gap, box, adaptive_config=thorough, **bounds).verified)


def _has_point(lean: Any, solver: Any, gap: Any, case: ProblemCase, _: Bounds, bounds: Bounds) -> bool:
    found = solver.verify_bound(gap, _box(case), method="adaptive", **bounds)
    if not isinstance(found, lean.Rejected):
        return False
    return all(_inside(case.ranges[name], at) for name, at in found.counterexample.values.items())


def _inside(range_: EndRange, at: Fraction) -> bool:
    value = sp.Rational(at.numerator, at.denominator)
    return not (range_.open_low and value == range_.low) and not (range_.open_high and value == range_.high)


def _box(case: ProblemCase) -> dict[str, tuple[Fraction, Fraction]]:
    return {name: (_fraction(range_.low), _fraction(range_.high)) for name, range_ in case.ranges.items()}


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def lean_term(lean: Any, e: sp.Expr) -> Any:
    """A term in LeanCert's expressions. Raises CannotState on what it has not."""
    if e.is_Symbol:
        return lean.var(e.name)
    if e.is_Rational:
        return lean.const(_fraction(e))
    if e == sp.E:
        return lean.exp(lean.const(1))
    if e.is_Pow:
        return _lean_power(lean, *e.args)
    if not (e.is_Add or e.is_Mul or isinstance(e, sp.Max | sp.Min) or type(e) in _LEANCERT):
        raise CannotState(f"LeanCert has no {'pi' if e == sp.pi else type(e).__name__}")
    first, *others = [lean_term(lean, part) for part in e.args]
    if type(e) in _LEANCERT:
        return getattr(lean, _LEANCERT[type(e)])(first)
    for part in others:
        if e.is_Add:
            first = first + part
        elif e.is_Mul:
            first = first * part
        else:
            first = (lean.Max if isinstance(e, sp.Max) else lean.Min)(first, part)
    return first


def _lean_power(lean: Any, base: sp.Expr, exponent: sp.Expr) -> Any:
    if not exponent.is_Rational or exponent.q > 2:
        raise CannotState("LeanCert has no powers but whole ones and square roots")
    found = lean_term(lean, base) if exponent.q == 1 else lean.sqrt(lean_term(lean, base))
    raised = found if abs(exponent.p) == 1 else found ** abs(int(exponent.p))
    return lean.inv(raised) if exponent < 0 else raised


# --------------------------------------------------------------------------------------------------------------- Gappa


def ask_gappa(problem: StatedProblem, seconds: float) -> str:
    """The program gappa, which bisects the range of every symbol."""
    texts = [gappa_text(case) for case in cases_of(problem)]
    runs = (subprocess.run(["gappa"], input=text, capture_output=True, text=True, check=False) for text in texts)
    return "proved" if all(run.returncode == 0 and "Warning" not in run.stderr for run in runs) else "unknown"


def gappa_text(case: ProblemCase) -> str:
    """A case for Gappa. Raises CannotState on what it has not."""
    if case.whole:
        raise CannotState("Gappa has no whole numbers")
    known = [line for name, range_ in case.ranges.items() for line in _gappa_range(f"v_{name}", range_)]
    known += [_gappa_relation(given) for given in case.given]
    splits = f" $ {', '.join(f'v_{name}' for name in case.ranges)};" if case.ranges else ""
    premises = " /\\ ".join(known) + " -> " if known else ""
    return f"{{ {premises}{_gappa_relation(case.goal)} }}{splits}\n"


def _gappa_range(name: str, range_: EndRange) -> list[str]:
    """Closed ends, as Gappa has no others; what holds with them holds without."""
    ends = [(range_.low, ">="), (range_.high, "<=")]
    return [f"{name} * {int(end.q)} - ({int(end.p)}) {sign} 0" if end.q != 1 else f"{name} {sign} {int(end.p)}"
            for end, sign in ends if abs(end) != sp.oo]  # fmt: skip


def _gappa_relation(relation: Comparison) -> str:
    gap = f"{gappa_term(relation.right)} - {gappa_term(relation.left)}"
    if relation.sign == "<":
        return f"not ({gap} <= 0)"
    return f"{gap} {'=' if relation.sign == '==' else '>='} 0"


def gappa_term(e: sp.Expr) -> str:
    """A term in Gappa's syntax."""
    if e.is_Symbol:
        return f"v_{e.name}"
    if e.is_Rational:
        return f"({int(e.p)})" if e.q == 1 else f"(({int(e.p)}) / {int(e.q)})"
    if e.is_Add or e.is_Mul:
        return f"({(' + ' if e.is_Add else ' * ').join(map(gappa_term, e.args))})"
    if isinstance(e, sp.Abs):
        return f"|{gappa_term(e.args[0])}|"
    if e.is_Pow and e.exp.is_Rational and e.exp.q <= 2 and abs(e.exp.p) <= 8:
        base = gappa_term(e.base) if e.exp.q == 1 else f"sqrt({gappa_term(e.base)})"
        raised = " * ".join([base] * abs(int(e.exp.p)))
        return f"(1 / ({raised}))" if e.exp < 0 else f"({raised})"
    raise CannotState(f"Gappa has no {'such power' if e.is_Pow else type(e).__name__}")
