"""Polya's examples and teorth's estimates: statements inside Python files, read from the syntax tree and never run.

Both write sympy-like expressions: `Example(hyps=[0 < x, x < y], conc=(x**2 < y**2))` in Polya's, and functions with
`x, y = p.vars("real", "x", "y")`, `p.assume(x <= y, "h")`, `p.begin_proof(...)` in teorth's. Only these shapes are
read. What speaks of unknown functions, orders of magnitude or truth values is skipped by name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import sympy as sp

from theory.problems.formulas import FALSE, And, Formula, Or, ProblemError, StatedProblem, negated, related
from theory.prover.typed.parts import FUNCTIONS, inverse, plus, raised, times
from theory.prover.typed.size import require_small

MAX_CHARACTERS, MAX_DEPTH = 200_000, 60
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_CALLS = {
    "exp": "exp", "log": "log", "abs": "abs", "Abs": "abs", "minm": "min", "maxm": "max", "Min": "min", "Max": "max",
    "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "sgn": "sign",
}  # fmt: skip


class TreeReader:
    """Terms and formulas of a Python expression in known symbols."""

    def __init__(self, symbols: Mapping[str, sp.Symbol]) -> None:
        self.symbols = symbols

    def formula(self, node: ast.expr, depth: int = 0) -> Formula:
        """A comparison, or comparisons joined by &, | and ~."""
        if isinstance(node, ast.Compare):
            sides = [self.small(part) for part in (node.left, *node.comparators)]
            signs = [self.sign(op) for op in node.ops]
            links = tuple(related(a, s, b) for a, s, b in zip(sides, signs, sides[1:], strict=False))
            return links[0] if len(links) == 1 else And(links)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
            kind = And if isinstance(node.op, ast.BitAnd) else Or
            return kind((self.formula(node.left, self.down(depth)), self.formula(node.right, self.down(depth))))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return negated(self.formula(node.operand, self.down(depth)))
        if isinstance(node, ast.Call) and _name(node.func) == "Eq" and len(node.args) == 2:
            return related(self.small(node.args[0]), "==", self.small(node.args[1]))
        raise ProblemError(f"is no comparison: {_shown(node)}")

    def sign(self, op: ast.cmpop) -> str:
        """The sign of a comparison."""
        if type(op) not in _SIGNS:
            raise ProblemError(f"compares by {type(op).__name__}")
        return _SIGNS[type(op)]

    def small(self, node: ast.expr) -> sp.Expr:
        """A term whose numbers stay small however it is simplified."""
        term = self.term(node)
        require_small(term)
        return term

    def term(self, node: ast.expr, depth: int = 0) -> sp.Expr:
        """A number, a symbol, arithmetic, or a known function."""
        depth = self.down(depth)
        if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 10**30:
            return sp.Integer(node.value)
        if isinstance(node, ast.Name) and node.id in self.symbols:
            return self.symbols[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return times([sp.S.NegativeOne, self.term(node.operand, depth)])
        if isinstance(node, ast.BinOp):
            return _arithmetic(node.op, self.term(node.left, depth), self.term(node.right, depth))
        if isinstance(node, ast.Call) and not node.keywords:
            return self.call(_name(node.func), [self.term(part, depth) for part in node.args])
        raise ProblemError(f"has a term that is not read: {_shown(node)}")

    def call(self, name: str, arguments: list[sp.Expr]) -> sp.Expr:
        """A known function of its arguments; root(3, x) is x^(1/3)."""
        if name in ("root", "Fraction", "Rational") and len(arguments) == 2:
            if name == "root":
                return raised(arguments[1], inverse(arguments[0]))
            return times([arguments[0], inverse(arguments[1])])
        if name not in _CALLS or len(arguments) not in FUNCTIONS[_CALLS[name]][0]:
            raise ProblemError(f"has a function that is not read: {name[:30]!r}")
        return FUNCTIONS[_CALLS[name]][1](*arguments)

    def down(self, depth: int) -> int:
        """One level deeper. Raises ProblemError where that is too deep."""
        if depth >= MAX_DEPTH:
            raise ProblemError(f"is nested more than {MAX_DEPTH} deep")
        return depth + 1


def _shown(node: ast.expr) -> str:
    """A piece of source within a message, cut."""
    try:
        return repr(ast.unparse(node)[:40])
    except RecursionError:
        return "one nested too deep"


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _arithmetic(op: ast.operator, left: sp.Expr, right: sp.Expr) -> sp.Expr:
    if isinstance(op, ast.Add):
        return plus([left, right])
    if isinstance(op, ast.Sub):
        return plus([left, times([sp.S.NegativeOne, right])])
    if isinstance(op, ast.Mult):
        return times([left, right])
    if isinstance(op, ast.Div) and right != 0:
        return times([left, inverse(right)])
    if isinstance(op, ast.Pow) and not (left == 0 and right.is_negative):
        return raised(left, right)
    raise ProblemError(f"has an operation that is not read: {type(op).__name__}")


def _tree(text: str) -> ast.Module:
    """The syntax tree of a file. Raises ProblemError."""
    if len(text) > MAX_CHARACTERS:
        raise ProblemError(f"is longer than {MAX_CHARACTERS} characters")
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ProblemError(f"is no Python file: {type(error).__name__}") from None


# --------------------------------------------------------------------------------------------------------------- Polya


def read_polya(text: str) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """The examples of a file in the order of the file, and what was skipped with the reason."""
    tree = _tree(text)
    symbols: dict[str, sp.Symbol] = {}
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and _name(node.value.func) in ("Vars", "Var")
        ):
            words = [a.value for a in node.value.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            names = " ".join(words).replace(",", " ").split()
            symbols |= {name: sp.Symbol(name, real=True) for name in names}
    problems, skipped = [], []
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _name(n.func) == "Example"]
    for number, call in enumerate(sorted(calls, key=lambda c: c.lineno)):
        name = f"polya-{number:02d}"
        try:
            problems.append(_example(call, name, TreeReader(symbols)))
        except ValueError as error:
            skipped.append((name, str(error)))
    return problems, skipped


def _example(call: ast.Call, name: str, reader: TreeReader) -> StatedProblem:
    parts = {keyword.arg: keyword.value for keyword in call.keywords}
    if "axioms" in parts:
        raise ProblemError("speaks of unknown functions")
    hyps = parts.get("hyps", ast.List(elts=[]))
    comment = parts.get("comment")
    comment = comment.value if isinstance(comment, ast.Constant) else ""
    hypotheses = tuple(reader.formula(node) for node in getattr(hyps, "elts", []))
    conclusion = reader.formula(parts["conc"]) if "conc" in parts else FALSE
    is_consistent = conclusion == FALSE and "consistent" in str(comment)
    return StatedProblem(name, hypotheses, conclusion, expected="refuted" if is_consistent else "proved")


# ------------------------------------------------------------------------------------------------------------ estimates

_KINDS = {"real": None, "pos_real": "<", "nonneg_real": "<=", "int": None, "pos_int": "<", "nonneg_int": "<="}


def read_estimates(text: str) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """The exercises of teorth's estimates, and what was skipped with the reason."""
    problems, skipped = [], []
    for node in _tree(text).body:
        if (isinstance(node, ast.FunctionDef) and "exercise" in node.name) or "example" in getattr(node, "name", ""):
            try:
                problems.append(_exercise(node))
            except ValueError as error:
                skipped.append((node.name, str(error)))
    return problems, skipped


def _exercise(function: ast.FunctionDef) -> StatedProblem:
    symbols: dict[str, sp.Symbol] = {}
    hypotheses: list[Formula] = []
    conclusion: Formula | None = None
    whole: set[str] = set()
    for statement in function.body:
        call = getattr(statement, "value", None)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr in ("var", "vars"):
            kind, *names = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if kind not in _KINDS:
                raise ProblemError(f"speaks of {kind}")
            for name in names:
                symbols[name] = sp.Symbol(name, real=True)
                whole |= {name} if kind.endswith("int") else set()
                if (sign := _KINDS[kind]) is not None:
                    hypotheses.append(related(sp.S.Zero, sign, symbols[name]))
        elif call.func.attr == "assume":
            hypotheses.append(TreeReader(symbols).formula(call.args[0]))
        elif call.func.attr == "begin_proof":
            conclusion = TreeReader(symbols).formula(call.args[0])
    if conclusion is None:
        raise ProblemError("has no goal")
    expected = "refuted" if "impossible" in function.name else "proved"
    return StatedProblem(f"estimates-{function.name}", tuple(hypotheses), conclusion, frozenset(whole), expected)
