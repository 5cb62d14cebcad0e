"""Statements about points as theorems: what is said of the points, what is shown, and the lines of its proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.domain import Condition, holds_by_enclosure
from theory.checker.enclosure import Enclosures, End
from theory.checker.goal import Given, ReplayGoal, gives
from theory.checker.nodes import MINUS_ONE, Node, mul, number, subtract
from theory.checker.parser import Relation, read_end, read_expression
from theory.checker.statement import Statement, both, positive, read_point
from theory.checker.walks import normal
from theory.checker.zero import ZeroTest
from theory.kernel.script import Scope, Script, equal, rendered, stated
from theory.kernel.steps import bisected, pinned, proof
from theory.kernel.terms import Names, NotExported, asked, condition, rational, term, twice, variable

_SIGNS = {">": ">", ">=": ">=", "<": "<", "<=": "<=", "==": "="}
_FAILS = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "<>"}
Ends = Mapping[Node, tuple[End, End]]
"""The ends of the range of each symbol."""


def printed_statement(statement: Statement) -> list[str]:
    """The statement as the checker prints it."""
    lines = [written(statement.relation)]
    lines += [f"for {s} in [{r.low}, {r.high}]" for s, r in statement.box.items()]
    return [*lines, *(f"where {written(g)}" for g in statement.given)]


def written(r: Relation) -> str:
    """A relation as the checker prints it."""
    return r.sign if r.sign in ("true", "false") else f"{r.left} {r.sign} {r.right}"


def proposition(r: Relation, names: Names) -> str:
    """A relation as a proposition."""
    if r.sign in ("true", "false"):
        return r.sign.capitalize()
    return f"{term(r.left, names)} {_SIGNS[r.sign]} {term(r.right, names)}"


def _denied(r: Relation, names: Names) -> str:
    if r.sign in ("true", "false"):
        return "True" if r.sign == "false" else "False"
    return f"{term(r.left, names)} {_FAILS[r.sign]} {term(r.right, names)}"


def assumptions(s: Node, low: End, high: End, x: str) -> list[str]:
    """What is said of one symbol: its kind, its ends, its sign."""
    found, said = [], s.data
    if said.says("prime") or said.says("integer") is False:
        raise NotExported(f"the assumptions on {said.name}")
    kind = next((kind for kind in ("even", "odd") if said.says(kind)), "whole" if said.is_integer else "")
    found += [f"{kind} {x}"] if kind else []
    found += [f"{rational(low)} <= {x}"] if isinstance(low, fmpq) else []
    found += [f"{x} <= {rational(high)}"] if isinstance(high, fmpq) else []
    found += [f"0 < {x}"] if said.is_positive and low <= 0 else []
    found += [f"{x} < 0"] if said.is_negative and high >= 0 else []
    return found


def written_ends(rows: Sequence[Any], symbols: Iterable[Node]) -> Ends:
    """The ends of ranges as rows of a record have them."""
    return {s: (read_end(row[1]), read_end(row[2])) for s, row in zip(symbols, rows, strict=True)}


def hypotheses(statement: Statement, names: Names, ends: Ends | None = None) -> list[str]:
    """All that is said of the points: ranges (by their ends as written, or as read), and the givens."""
    found = []
    for s, r in statement.box.items():
        found += assumptions(s, *(ends[s] if ends is not None else (r.low, r.high)), names[s])
    return list(dict.fromkeys([*found, *givens(statement, names)]))


def givens(statement: Statement, names: Names) -> list[str]:
    """The givens, each after what it asks for to have a value."""
    found = []
    for g in statement.given:
        if g.sign in ("true", "false"):
            found += ["True" if g.sign == "true" else "False"]
            continue
        _require_plain(g, statement)
        found += [condition(c, sign, names) for side in (g.left, g.right) for c, sign in asked(side)]
        found.append(proposition(g, names))
    return found


def _require_plain(g: Relation, statement: Statement) -> None:
    """A power by what is no half has a value at a base <= 0 too, perhaps; its base must be > 0 over the box."""
    enclosures = Enclosures(statement.box)
    for side in (g.left, g.right):
        for c, sign in asked(side):
            is_power = any(p.kind == "pow" and p.args[0] == c and twice(p.args[1]) is None for p in _parts(side))
            if is_power and sign == ">" and not enclosures(normal(c)).is_positive:
                raise NotExported("a condition with a power whose base may be <= 0")


def _parts(e: Node) -> list[Node]:
    return [e, *(part for a in e.args for part in _parts(a))]


def _demands(statement: Statement) -> list[tuple[Node, str]]:
    """What the two sides ask for, inner parts first."""
    return list(dict.fromkeys(pair for side in statement.sides for pair in asked(side)))


# ------------------------------------------------------------------------------------------------------------- proofs


def names_of(statement: Statement) -> dict[Node, str]:
    """A variable for each symbol."""
    names: dict[Node, str] = {}
    for s in statement.box:
        names[s] = variable(s.data.name, set(names.values()))
    return names


def conclusion(statement: Statement, names: Names) -> list[str]:
    """Where the parts of the relation have values, and the relation."""
    wanted = [condition(c, sign, names) for c, sign in _demands(statement)]
    return [*wanted, proposition(statement.relation, names)]


def theorem(statement: Statement, body: Mapping[str, Any], label: str, ends: Ends | None = None) -> list[str]:
    """A statement and its proof; `body` has `proof`, `defined` and the like."""
    if "pieces" in body:
        raise NotExported("formulas by cases")
    names = names_of(statement)
    scope = Scope(names, taken=frozenset(names.values()))
    said = hypotheses(statement, names, ends)
    labels = [scope.name("A") for _ in said]
    script: Script = [*introduced(names, labels), "unfold Rpower, tanh, sinh, cosh in *."]
    script += _integers(statement, scope)
    for s, r in statement.box.items():
        pinning, scope = pinned(s, r, scope)
        script += pinning
    script += _shown(statement, body, scope)
    return framed(label, list(names.values()), said, conclusion(statement, names), script)


def introduced(names: Names, labels: Sequence[str]) -> Script:
    """The first line of a proof."""
    return [f"intros {' '.join([*names.values(), *labels])}." if names or labels else "idtac."]


def framed(
    label: str, variables: Sequence[str], said: Sequence[str], wanted: Sequence[str], script: Script
) -> list[str]:
    """A theorem over real variables, with its proof."""
    head = f"Theorem {label} : forall {' '.join(variables)} : R," if variables else f"Theorem {label} :"
    body = [*(f"  {text} ->" for text in said), "  " + " /\\\n  ".join(f"({text})" for text in wanted) + "."]
    return [head, *body, "Proof.", *rendered(script), "Qed."]


def _integers(statement: Statement, scope: Scope) -> Script:
    """The least and the greatest whole number of the range of a symbol that is whole."""
    found: Script = []
    for s, r in statement.box.items():
        if not r.is_integer:
            continue
        x = scope.names[s]
        kind = next((kind for kind in ("even", "odd") if s.data.says(kind)), "")
        if kind:
            found.append(f"assert ({scope.name('A')} : whole {x}) by (apply {kind}_whole; assumption).")
        if isinstance(r.low, fmpq):
            below = int(r.low.p) - 1
            found += [f"assert ({scope.name('A')} : {rational(r.low)} <= {x}).",
                      [f"first [lra | change {rational(r.low)} with (IZR ({below} + 1)); apply whole_above; "
                       f"[assumption | lra]]."]]  # fmt: skip
        if isinstance(r.high, fmpq):
            above = int(r.high.p) + 1
            found += [f"assert ({scope.name('A')} : {x} <= {rational(r.high)}).",
                      [f"first [lra | change {rational(r.high)} with (IZR ({above} - 1)); apply whole_below; "
                       f"[assumption | lra]]."]]  # fmt: skip
    return found


def _shown(statement: Statement, record: Mapping[str, Any], scope: Scope) -> Script:
    """The conditions one by one, then the relation."""
    script: Script = []
    givens, labels = [], []
    for g in statement.whole_givens:
        if g.sign in ("true", "false"):
            continue
        for h, strict in both(g):
            label = scope.name("G")
            script += [f"assert ({label} : {scope.sign(h, strict)}).", _from_given(g, h, statement, scope)]
            givens.append((h, strict))
            labels.append(label)
    if tuple(givens) != statement.hypotheses:
        raise NotExported("a condition that is false by itself")
    scope = replace(scope, given=tuple(labels))
    if "vacuous" in record:
        if record["vacuous"].get("by") == "nowhere":
            raise NotExported("a condition without a value")
        name = scope.name("V")
        goal = ReplayGoal(MINUS_ONE, True, statement.box, statement.hypotheses)
        return [*script, "exfalso.", f"assert ({name} : 0 < (-1)).", proof(record["vacuous"], goal, scope), "lra."]
    conditions_shown, names, scope = _conditions(statement, record, scope)
    script += conditions_shown
    script += [f"split; [exact {name} | ]." for name in names]
    return script + _relation(statement, record, scope)


def _from_given(g: Relation, h: Node, statement: Statement, scope: Scope) -> Script:
    """A given in its normal form, from what is printed."""
    raw = _difference(g.left, g.right)
    if h != positive(g)[0] and g.sign != "==":
        raise NotExported("a condition of another form")
    if g.sign in ("<", "<=") or (g.sign == "==" and h == subtract(normal(g.right), normal(g.left))):
        raw = _difference(g.right, g.left)
    return [*stated(h, raw, statement.box, scope), "lra."]


def _difference(a: Node, b: Node) -> Node:
    return Node("add", (a, Node("mul", (b,), fmpq(-1))))


def _conditions(statement: Statement, record: Mapping[str, Any], scope: Scope) -> tuple[Script, list[str], Scope]:
    """Each condition as a hypothesis of its own, and their names."""
    enclosures, test = Enclosures(statement.box), ZeroTest(statement.box)
    rows = [(normal(read_expression(row["of"])), row["strict"], row["proof"]) for row in record.get("defined", [])]
    script: Script = []
    names: list[str] = []
    for c, sign in _demands(statement):
        name, asks = scope.name("D"), Condition(normal(c), sign)
        claim = f"{scope.text(c)} <> 0" if sign == "!=" else scope.sign(c, sign == ">")
        names.append(name)
        inner: Script = ["sides."] if sign == "!=" else [bisected(c, scope)]
        entry = None
        if not holds_by_enclosure(asks, enclosures):
            entry = next((row for row in rows if gives(row[:2], asks, statement.box, test)), None)
        if entry is not None:
            inner = _by_entry(entry, c, sign, statement, scope)
        script += [f"assert ({name} : {claim}).", inner]
        scope = replace(scope, known=(*scope.known, c))
    return script, names, scope


def _by_entry(entry: tuple[Node, bool, Any], c: Node, sign: str, statement: Statement, scope: Scope) -> Script:
    """A condition from an entry of the record, which says that a form of it, of its negative or its square is > 0."""
    of, strict, steps = entry
    goal, name = ReplayGoal(of, strict, statement.box, statement.hypotheses), scope.name("H")
    script: Script = [f"assert ({name} : {scope.sign(of, strict)}).", proof(steps, goal, scope)]
    test = ZeroTest(statement.box)
    form = next((form for form, is_form in (
        (c, subtract(of, normal(c))), (Node("mul", (c,), fmpq(-1)), subtract(of, mul(MINUS_ONE, normal(c)))),
        (Node("pow", (c, number(2))), None)) if is_form is None or test.is_zero(is_form)), c)  # fmt: skip
    script += stated(of, form, statement.box, scope, name)
    return [*script, "lra." if sign != "!=" else "nra." if form.kind == "pow" else "lra."]


def _relation(statement: Statement, record: Mapping[str, Any], scope: Scope) -> Script:
    relation = statement.relation
    if relation.sign in ("true", "false"):
        return ["exact I."]
    steps = record["proof"]
    if relation.sign == "==" and steps["by"] == "identity":
        return equal(relation.left, relation.right, statement.box, scope)
    if relation.sign == "==":
        if steps["by"] != "both":
            raise NotExported(f"the step {steps['by']!r}")
        found: Script = []
        for (g, _), way in zip(both(relation), ("above", "below"), strict=True):
            goal = ReplayGoal(g, False, statement.box, statement.hypotheses, statement.asked)
            found += _signed((g, False), relation, goal, steps[way], scope, turned=way == "below")
        return [*found, "lra."]
    goal = ReplayGoal(*positive(relation), statement.box, statement.hypotheses, statement.asked)
    turned = relation.sign in ("<", "<=")
    return [*_signed(positive(relation), relation, goal, steps, scope, turned=turned), "lra."]


def _signed(given: Given, relation: Relation, goal: ReplayGoal, steps: Any, scope: Scope, *, turned: bool) -> Script:
    """That one side less the other is > 0 or >= 0, as written."""
    e, strict = given
    raw = _difference(*((relation.right, relation.left) if turned else (relation.left, relation.right)))
    name = scope.name("S")
    known = [f"assert ({name} : {scope.sign(e, strict)}).", proof(steps, goal, scope)]
    return [*known, *stated(e, raw, goal.box, scope, name)]


# -------------------------------------------------------------------------------------------------------- refutations


def refutation(statement: Statement, record: dict[str, Any], label: str) -> list[str]:
    """There is a point where all that is said holds, each part has a value, and the relation fails."""
    names = names_of(statement)
    point = read_point(statement, record["point"])
    said = hypotheses(statement, names, written_ends(record["box"], statement.box))
    said += [condition(c, sign, names) for c, sign in _demands(statement)]
    said.append(_denied(statement.relation, names))
    values = ", ".join(rational(point[s]) for s in statement.box)
    head = f"Theorem {label} : exists {' '.join(names.values())} : R," if names else f"Theorem {label} :"
    body = "  " + " /\\\n  ".join(f"({text})" for text in said) + "."
    script: Script = [f"exists {values}."] if names else []
    script += ["unfold Rpower, tanh, sinh, cosh in *.", "repeat match goal with |- _ /\\ _ => split end; at_the_point."]
    return [head, body, "Proof.", *rendered(script), "Qed."]
