"""The contestants, each asked in a process of its own: theoremeter's prover, z3, cvc5, dReal, Gappa, LeanCert, sympy.

A contestant answers "proved", "refuted" or "unknown" in a child that is killed at the limit. Libraries are imported by
the parent, once, so that a limit measures the search. None of them is needed by anything else: `pip install
'theoremeter[peers]'` brings them.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import sympy as sp

from benchmarks.peer_bounds import ask_gappa, ask_leancert
from benchmarks.peer_smt import CVC5, DREAL, Z3, CannotState, smt_text
from theory.problems.cases import ProblemCase, cases_of
from theory.problems.formulas import Comparison, StatedProblem
from theory.problems.settle import settle

GRACE = 1.5
"""CPU seconds beyond the limit before a child is killed: it has to answer for itself first."""
LATE = 0.5
"""CPU seconds beyond the limit after which an answer counts no more."""
WALL = 30
"""How many times the limit a child may take by the clock, on a machine that does other things."""
ANSWERS = ("proved", "refuted", "unknown", "cannot state", "failed")


@dataclass(frozen=True)
class Answer:
    """What a contestant answered, in how many seconds, and a note where it is none."""

    answer: str
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Contestant:
    """A solver.

    Attributes:
        name: as tables have it.
        missing: why it cannot be asked here; "" where it can.
        version: of the library.
        ask: (problem, seconds) -> answer, or an error.
    """

    name: str
    missing: str
    version: str
    ask: Callable[[StatedProblem, float], str]


def asked(contestant: Contestant, problem: StatedProblem, *, seconds: float) -> Answer:
    """The answer of a contestant in a process of its own, killed soon after so many seconds of CPU time."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(contestant, problem, seconds, theirs), daemon=True)
    child.start()
    theirs.close()
    found = Answer("unknown", seconds, "stopped at the limit")
    try:
        if ours.poll(WALL * seconds):
            found = ours.recv()
    except EOFError:
        child.join()
        if child.exitcode not in (-signal.SIGXCPU, -signal.SIGKILL):
            found = Answer("failed", seconds, f"its process ended with {child.exitcode}")
    child.kill()
    child.join()
    return found


def _child(contestant: Contestant, problem: StatedProblem, seconds: float, pipe: Connection) -> None:
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    limit = math.ceil(seconds + GRACE)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    note = ""
    try:
        answer = contestant.ask(problem, seconds)
    except CannotState as error:
        answer, note = "cannot state", str(error)
    except Exception as error:
        answer, note = "failed", f"{type(error).__name__}: {str(error)[:200]}"
    spent = sum(os.times()[:4])  # with the programs that it asked
    if spent > seconds + LATE and answer in ("proved", "refuted"):
        answer, note = "unknown", f"{answer} too late"
    pipe.send(Answer(answer, spent, note))
    pipe.close()


# ------------------------------------------------------------------------------------------------------------ the asked


def ask_theoremeter(problem: StatedProblem, seconds: float) -> str:
    """The prover of this checkout, which counts seconds of computation itself."""
    verdict = settle(problem, seconds=seconds).verdict
    return {"proved": "proved", "vacuous": "proved", "refuted": "refuted"}.get(verdict, "unknown")


_ANSWER_OF = {"unsat": "proved", "sat": "refuted"}


def ask_z3(problem: StatedProblem, seconds: float) -> str:
    """z3 by its own default tactics."""
    z3 = importlib.import_module("z3")
    solver = z3.Solver()
    solver.from_string(smt_text(problem, Z3).replace("(check-sat)", "").replace("(exit)", ""))
    return _ANSWER_OF.get(str(solver.check()), "unknown")


def ask_cvc5(problem: StatedProblem, seconds: float) -> str:
    """cvc5 with transcendental functions."""
    cvc5 = importlib.import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, smt_text(problem, CVC5), "problem")
    symbols, said = parser.getSymbolManager(), "unknown"
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, symbols).strip() or said
    return _ANSWER_OF.get(said, "unknown")


def ask_dreal(problem: StatedProblem, seconds: float) -> str:
    """The program dreal; what it calls delta-sat is no refutation."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.smt2"
        path.write_text(smt_text(problem, DREAL), encoding="utf-8")
        done = subprocess.run(["dreal", str(path)], capture_output=True, text=True, check=False)
    return "proved" if done.stdout.split("\n")[0].strip() == "unsat" else "unknown"


def ask_sympy(problem: StatedProblem, seconds: float) -> str:
    """sympy: the sign that its assumptions give the difference, `ask`, and `reduce_inequalities` in one symbol."""
    answers = [_sympy_case(case) for case in cases_of(problem)]
    if "refuted" in answers:
        return "refuted"
    return "proved" if all(answer == "proved" for answer in answers) else "unknown"


def _sympy_case(case: ProblemCase) -> str:
    with_signs = {sp.Symbol(name, real=True): _sympy_symbol(name, case) for name in case.ranges}
    is_strict = case.goal.sign == "<"
    gap = _gap(case.goal).xreplace(with_signs).doit()
    if case.goal.sign == "==":
        return "proved" if sp.simplify(gap) == 0 else "unknown"
    facts = [_fact(given, with_signs) for given in case.given if given.sign != "=="]
    for told in (gap.is_positive if is_strict else gap.is_nonnegative, _asked(gap, is_strict, facts)):
        if told is not None:
            return "proved" if told else "refuted"
    return "unknown" if len(case.ranges) != 1 or case.whole else _reduced(case)


def _reduced(case: ProblemCase) -> str:
    """What `reduce_inequalities` makes of one symbol's ranges, hypotheses and the denied goal."""
    (x,) = (sp.Symbol(name, real=True) for name in case.ranges)
    gap = _gap(case.goal).doit()
    denied = sp.Le(gap, 0) if case.goal.sign == "<" else sp.Lt(gap, 0)
    conditions = [_compared(_gap(given).doit(), given.sign) for given in case.given] + _range_conditions(case, x)
    try:
        found = sp.reduce_inequalities([*conditions, denied], x)
        return "proved" if found == sp.false or found.as_set().is_empty else "refuted"
    except NotImplementedError:
        return "unknown"


def _gap(relation: Comparison) -> sp.Expr:
    return relation.right - relation.left


def _fact(given: Comparison, symbols: dict[sp.Symbol, sp.Symbol]) -> Any:
    gap = _gap(given).xreplace(symbols).doit()
    return sp.Q.positive(gap) if given.sign == "<" else sp.Q.nonnegative(gap)


def _asked(gap: sp.Expr, is_strict: bool, facts: list[Any]) -> bool | None:
    query = sp.Q.positive(gap) if is_strict else sp.Q.nonnegative(gap)
    try:
        return sp.ask(query, sp.And(*facts) if facts else True)
    except ValueError:  # it calls the facts inconsistent
        return None


def _compared(gap: sp.Expr, sign: str) -> sp.Basic:
    return {"<": sp.Gt, "<=": sp.Ge, "==": sp.Eq}[sign](gap, 0)


def _range_conditions(case: ProblemCase, symbol: sp.Symbol) -> list[sp.Basic]:
    range_ = case.ranges[symbol.name]
    low = (sp.Gt if range_.open_low else sp.Ge)(symbol, range_.low) if range_.low != -sp.oo else sp.true
    high = (sp.Lt if range_.open_high else sp.Le)(symbol, range_.high) if range_.high != sp.oo else sp.true
    return [part for part in (low, high) if part != sp.true]


def _sympy_symbol(name: str, case: ProblemCase) -> sp.Symbol:
    range_ = case.ranges[name]
    facts: dict[str, bool] = {"integer": True} if name in case.whole else {"real": True}
    if range_.low > 0 or (range_.low == 0 and range_.open_low):
        facts["positive"] = True
    elif range_.low == 0:
        facts["nonnegative"] = True
    elif range_.high < 0 or (range_.high == 0 and range_.open_high):
        facts["negative"] = True
    elif range_.high == 0:
        facts["nonpositive"] = True
    return sp.Symbol(name, **facts)


# -------------------------------------------------------------------------------------------------------- who is here


def contestants() -> list[Contestant]:
    """All contestants, those that cannot be asked here with the reason."""
    return [
        Contestant("theoremeter", "", "", ask_theoremeter),
        _with_library("z3", "z3", "z3-solver", ask_z3),
        Contestant("sympy", "", sp.__version__, ask_sympy),
        _with_library("cvc5", "cvc5", "cvc5", ask_cvc5),
        _with_dreal(),
        _with_library("leancert", "leancert", "leancert", ask_leancert),
        _with_gappa(),
    ]


def _with_gappa() -> Contestant:
    if not shutil.which("gappa"):
        return Contestant("gappa", "no program gappa is on the path; Debian has it", "", ask_gappa)
    said = subprocess.run(["gappa", "--version"], capture_output=True, text=True, check=True).stdout
    return Contestant("gappa", "", said.split()[-1], ask_gappa)


def _with_library(name: str, module: str, package: str, ask: Callable[[StatedProblem, float], str]) -> Contestant:
    try:
        importlib.import_module(module)
    except ImportError as error:
        return Contestant(name, f"not here: {error}", "", ask)
    return Contestant(name, "", importlib.metadata.version(package), ask)


def _with_dreal() -> Contestant:
    """dReal is asked by its program; its wheel has only a library, and that needs another that no wheel has."""
    if shutil.which("dreal"):
        return Contestant("dreal", "", "", ask_dreal)
    try:
        importlib.import_module("dreal")
        reason = "its wheel is here, and no program dreal is on the path"
    except ImportError as error:
        reason = f"no program dreal is on the path; the wheel: {error}"
    return Contestant("dreal", reason, "", ask_dreal)
