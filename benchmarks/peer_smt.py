"""A problem in SMT-LIB for a solver: its hypotheses, and that the conclusion fails, with every term defined.

Each solver has a closed list of functions. What it lacks is said with what it has where that is a definition (a square
root is the y >= 0 with y^2 = t, tanh is a quotient of exponentials); otherwise the problem cannot be stated for it.
That divisors are not 0, and so on, is asserted with the rest: a solution has to give every term a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from theory.problems.formulas import And, Comparison, Formula, Or, StatedProblem, negated, symbols_of
from theory.problems.wording import sorted_arguments


class CannotState(ValueError):
    """A function that the solver lacks."""


@dataclass(frozen=True)
class Dialect:
    """A solver's functions of one argument, how it writes pi ("" for not at all), and what else it has.

    `states_logic`: whether it wants to know which. `has_log_by_exp`: whether log(t) is to be the y with exp(y) = t.
    `has_choice`: whether it has min, max and abs. `exponent`: how it writes a whole exponent.
    """

    name: str
    functions: dict[type, str]
    pi: str
    states_logic: bool = True
    exponent: str = "{}"
    has_sqrt: bool = False
    has_pow: bool = False
    has_choice: bool = False
    has_log_by_exp: bool = False


Z3 = Dialect(
    "z3", {
        sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.asin: "asin", sp.acos: "acos", sp.atan: "atan",
        sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh",
    }, "pi", states_logic=False,
)  # fmt: skip
CVC5 = Dialect(
    "cvc5", {
        sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.asin: "arcsin", sp.acos: "arccos", sp.atan: "arctan",
        sp.exp: "exp",
    }, "real.pi", exponent="{}.0", has_log_by_exp=True,
)  # fmt: skip
DREAL = Dialect(
    "dreal", {
        sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.asin: "asin", sp.acos: "acos", sp.atan: "atan", sp.exp: "exp",
        sp.log: "log", sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh",
    }, "", has_sqrt=True, has_pow=True, has_choice=True,
)  # fmt: skip
_PI = ("3.14159265358979", "3.14159265358980")
_SIGNS = {"<": "<", "<=": "<=", "==": "="}


def smt_text(problem: StatedProblem, dialect: Dialect) -> str:
    """The text of a file that asks whether the conclusion can fail.

    Raises:
        CannotState: the solver lacks a function.
    """
    writer = _Writer(dialect, problem.whole)
    asserted = [writer.formula(part) for part in problem.hypotheses]
    asserted.append(writer.formula(negated(problem.conclusion)))
    names = symbols_of((*problem.hypotheses, problem.conclusion))
    lines = [f"(set-logic {writer.logic()})"] if dialect.states_logic else []
    lines += [f"(declare-fun {name} () {'Int' if name in problem.whole else 'Real'})" for name in names]
    lines += [f"(declare-fun {name} () Real)" for name in writer.fresh]
    lines += [f"(assert {part})" for part in (*writer.conditions, *asserted)]
    return "\n".join([*lines, "(check-sat)", "(exit)", ""])


@dataclass
class _Writer:
    dialect: Dialect
    whole: frozenset[str]
    fresh: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    known: dict[sp.Expr, str] = field(default_factory=dict)
    is_algebraic: bool = True

    def logic(self) -> str:
        """The least logic that has what was written."""
        if self.dialect is DREAL or (self.is_algebraic and not self.whole):
            return "QF_NRA"
        return f"QF_N{'I' if self.whole else ''}RA{'' if self.is_algebraic else 'T'}"

    def formula(self, formula: Formula) -> str:
        """A formula."""
        if isinstance(formula, Comparison):
            left, right = self.term(formula.left), self.term(formula.right)
            if formula.sign == "!=":
                return f"(not (= {left} {right}))"
            return f"({_SIGNS[formula.sign]} {left} {right})"
        parts = [self.formula(part) for part in formula.parts]
        if not parts:
            return "true" if isinstance(formula, And) else "false"
        return f"({'or' if isinstance(formula, Or) else 'and'} {' '.join(parts)})"

    def term(self, e: sp.Expr) -> str:
        """A term; each subterm is written once for all."""
        if e not in self.known:
            self.known[e] = self.written(e)
        return self.known[e]

    def written(self, e: sp.Expr) -> str:
        """A term by its outermost operation."""
        if e.is_Symbol:
            return f"(to_real {e.name})" if e.name in self.whole else e.name
        if e.is_Rational:
            return _number(e)
        if e == sp.pi:
            return self.pi()
        if e == sp.E:
            return self.written(sp.exp(sp.S.One, evaluate=False))
        if e.is_Pow:
            return self.power(e)
        parts = [self.term(part) for part in sorted_arguments(e)]
        if e.is_Add or e.is_Mul:
            return f"({'+' if e.is_Add else '*'} {' '.join(parts)})"
        if isinstance(e, sp.Abs | sp.Max | sp.Min):
            return self.choice(e, parts)
        return self.function(e, parts[0])

    def pi(self) -> str:
        """The number pi, or a number close to it where the solver has none."""
        self.is_algebraic = False
        if self.dialect.pi:
            return self.dialect.pi
        if "pi_" not in self.fresh:
            self.fresh.append("pi_")
            self.conditions.append(f"(and (<= {_PI[0]} pi_) (<= pi_ {_PI[1]}))")
        return "pi_"

    def choice(self, e: sp.Expr, parts: list[str]) -> str:
        """abs, min and max."""
        if isinstance(e, sp.Abs):
            return (
                f"(abs {parts[0]})"
                if self.dialect.has_choice
                else f"(ite (>= {parts[0]} 0.0) {parts[0]} (- {parts[0]}))"
            )
        name, sign = ("max", ">=") if isinstance(e, sp.Max) else ("min", "<=")
        found = parts[0]
        for part in parts[1:]:
            has = self.dialect.has_choice
            found = f"({name} {found} {part})" if has else f"(ite ({sign} {found} {part}) {found} {part})"
        return found

    def function(self, e: sp.Expr, part: str) -> str:
        """A function of one argument, its domain asserted."""
        kind, functions = type(e), self.dialect.functions
        self.is_algebraic = False
        if kind in (sp.asin, sp.acos):
            self.conditions.append(f"(and (<= (- 1.0) {part}) (<= {part} 1.0))")
        if kind is sp.log:
            self.conditions.append(f"(> {part} 0.0)")
        if kind in functions:
            return f"({functions[kind]} {part})"
        if kind is sp.log and self.dialect.has_log_by_exp:
            name = self.new()
            self.conditions.append(f"(= (exp {name}) {part})")
            return name
        if kind in (sp.sinh, sp.cosh, sp.tanh) and sp.exp in functions:
            up, down = f"(exp {part})", f"(exp (- {part}))"
            if kind is sp.tanh:
                return f"(/ (- {up} {down}) (+ {up} {down}))"
            return f"(/ ({'-' if kind is sp.sinh else '+'} {up} {down}) 2.0)"
        raise CannotState(f"{self.dialect.name} has no {kind.__name__}")

    def power(self, e: sp.Expr) -> str:
        """A power: whole, a root, or any where the solver has them."""
        base, exponent = e.args
        if not exponent.is_Rational:
            if not self.dialect.has_pow:
                raise CannotState(f"{self.dialect.name} has no powers with symbols in the exponent")
            self.conditions.append(f"(> {self.term(base)} 0.0)")
            return f"(pow {self.term(base)} {self.term(exponent)})"
        under = self.term(base)
        if exponent.is_Integer:
            return self.whole_power(under, int(exponent))
        self.conditions.append(f"({'>' if exponent < 0 else '>='} {under} 0.0)")
        if exponent.q == 2 and self.dialect.has_sqrt:  # dReal knows it; for others a root is a number of its own
            return self.whole_power(f"(sqrt {under})", int(exponent.p))
        name = self.new()
        self.conditions.append(f"(and (>= {name} 0.0) (= {self.raised(name, int(exponent.q))} {under}))")
        return self.whole_power(name, int(exponent.p))

    def whole_power(self, base: str, exponent: int) -> str:
        """A whole power; a divisor is asserted not to be 0."""
        if exponent >= 0:
            return self.raised(base, exponent)
        self.conditions.append(f"(not (= {base} 0.0))")
        return f"(/ 1.0 {self.raised(base, -exponent)})"

    def raised(self, base: str, exponent: int) -> str:
        """A power with a whole exponent >= 0."""
        if exponent <= 4:
            return ["1.0", base][exponent] if exponent < 2 else f"(* {' '.join([base] * exponent)})"
        return f"(^ {base} {self.dialect.exponent.format(exponent)})"

    def new(self) -> str:
        """A name of a number of its own."""
        self.fresh.append(f"aux_{len(self.fresh)}")
        return self.fresh[-1]


def _number(value: sp.Rational) -> str:
    top = f"{abs(int(value.p))}.0"
    text = top if value.q == 1 else f"(/ {top} {int(value.q)}.0)"
    return f"(- {text})" if value < 0 else text
