"""One function a step: what the checker replays, as lines of a Coq proof. The goal is `0 < e` or `0 <= e`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.bernstein import shifted_terms
from theory.checker.calculus import derivative
from theory.checker.domain import Condition
from theory.checker.enclosure import INFINITY, Box, Enclosures, SymbolRange, enclose
from theory.checker.goal import ReplayGoal, Step, hypothesis, read_part, symbol_of, without
from theory.checker.nodes import MINUS_ONE, ONE, Node, add, call, mul, number, power, split, subtract
from theory.checker.parser import read_end, read_expression, read_rational, read_symbol
from theory.checker.pieces import put
from theory.checker.walks import normal, substitute, symbols, walk
from theory.checker.zero import ZeroTest
from theory.kernel.script import Scope, Script, equal, stated
from theory.kernel.terms import NotExported, rational

_HALVES, _DEPTH = 30, 12
_NATURAL = {"interval", "mean", "model"}
"""Steps that an enclosure decides, of the whole piece or of smaller ones."""


def proof(node: Any, goal: ReplayGoal, scope: Scope) -> Script:
    """The lines that show a goal, after a step of a record that the checker has replayed."""
    by = node["by"]
    if by not in _STEPS:
        raise NotExported(f"the step {by!r}")
    return _STEPS[by](node, goal, scope)


def bisected(e: Node, scope: Scope, depth: int = 20) -> str:
    """A tactic that encloses an expression on smaller and smaller pieces."""
    moving = sorted({scope.names[x] for x in symbols(e) if x not in scope.points})
    if not moving:
        return "leaf."
    cuts = ", ".join(f"i_bisect {x}" for x in moving)
    taylor = f"interval with ({cuts}, i_taylor {moving[0]}, i_depth {depth})"
    return f"first [at_once | solve [interval] | solve [sides] | {taylor} | interval with ({cuts}, i_depth 12) | leaf]."


def _interval(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    return [bisected(goal.e, scope)]


def pinned(s: Node, r: SymbolRange, scope: Scope) -> tuple[Script, Scope]:
    """A symbol whose range is one number is that number."""
    if not r.is_point or s in scope.points:
        return [], scope
    x = scope.names[s]
    return [f"assert ({x} = {rational(r.low)}) by lra. subst {x}."], scope.at(s, number(r.low))


def _infeasible(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    g, g_strict = goal.given[node["given"]]
    name, denied = scope.name("H"), mul(MINUS_ONE, g)
    return [
        "exfalso.", f"assert ({name} : {scope.sign(denied, not g_strict)}).", [bisected(denied, scope)],
        f"enough ({scope.text(denied)} = - {scope.text(g)}) by lra.", equal(denied, mul(MINUS_ONE, g), goal.box, scope),
    ]  # fmt: skip


def _zero(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    return ["apply Req_le. symmetry.", *equal(goal.e, number(0), goal.box, scope)]


def _empty(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    if not any(r.is_point and (r.is_open or r.is_open_above) for r in goal.box.values()):
        raise NotExported("the step 'empty' of whole numbers")
    return ["exfalso. lra."]


def _split(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    s, at = symbol_of(node["symbol"], goal.box), read_rational(node["at"])
    r, x = goal.box[s], scope.names[s]
    if not r.is_integer and not goal.given and r.is_bounded and _is_natural(node):
        return [bisected(goal.e, scope, 40)]
    below = goal.box | {s: r._replace(high=at, is_open_above=False)}
    above = goal.box | {s: r._replace(low=at + 1 if r.is_integer else at, is_open=False)}
    name = scope.name("B")
    how = f"whole_or {x} {rational(at)} ltac:(assumption)" if r.is_integer else f"Rle_or_lt {x} {rational(at)}"
    known = [f"simpl (IZR _) in {name}."] if r.is_integer else []
    return [
        f"destruct ({how}) as [{name} | {name}].",
        proof(node["below"], replace(goal, box=below), scope),
        [*known, *proof(node["above"], replace(goal, box=above), scope)],
    ]


def _is_natural(node: Any) -> bool:
    """Whether a tree bisects, and enclosures decide each piece."""
    if node["by"] == "split":
        return _is_natural(node["below"]) and _is_natural(node["above"])
    return node["by"] in _NATURAL or (node["by"] == "taylor" and node["zeros"] == 0)


def _cases(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    m = normal(read_expression(node["of"]))
    sign = number(-1 if m.kind == "Min" else 1)
    if m.kind == "Abs":
        values: tuple[Node, ...] = (m.args[0], mul(MINUS_ONE, m.args[0]))
    else:
        values = tuple(normal(a) for a in read_expression(node["of"]).args)
    if len(values) != 2:
        return _choices(m, values, node, goal, scope)
    name, found = scope.name("C"), []
    first, second = values
    gap = mul(sign, subtract(first, second))
    for value, other, branch in zip(values, reversed(values), node["proofs"], strict=True):
        won, known = mul(sign, subtract(value, other)), scope.name("G")
        equation = scope.name("E")
        e = substitute(goal.e, {m: value})
        sound = tuple(Condition(substitute(c, {m: value}), kind) for c, kind in goal.sound)
        inner = replace(goal, e=e, given=(*goal.given, (won, False)), sound=sound)
        raw = put(goal.e, {m: value})
        settle = {"Abs": "unfold Rabs; destruct Rcase_abs; lra.", "Max": "unfold Rmax; destruct Rle_dec; lra.",
                  "Min": "unfold Rmin; destruct Rle_dec; lra."}[m.kind]  # fmt: skip
        found.append([
            f"assert ({known} : {scope.sign(won, False)}).",
            [f"replace {scope.text(won)} with ({'' if value is first else '- '}{scope.text(gap)}).", ["lra."],
             *equal(Node("mul", (gap,), fmpq(1 if value is first else -1)), won, goal.box, scope)],
            f"assert ({equation} : {scope.text(m)} = {scope.text(value)}).", [settle], f"rewrite ?{equation}.",
            *stated(raw, e, goal.box, scope),
            *proof(branch, inner, replace(scope, given=(*scope.given, known))),
        ])  # fmt: skip
    return [f"destruct (Rle_or_lt 0 {scope.text(gap)}) as [{name} | {name}].", *found]


def _choices(m: Node, values: tuple[Node, ...], node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """Each of more than two values of a Max or Min in turn, which is no other's lesser."""
    sign, told, found = number(-1 if m.kind == "Min" else 1), [], []
    for value, branch in zip(values, node["proofs"], strict=True):
        others = [other for other in values if other != value]
        wins = [(mul(sign, subtract(value, other)), False) for other in others]
        pairs = [(value, other) if m.kind == "Max" else (other, value) for other in others]
        raw = [f"0 <= {scope.text(a)} - {scope.text(b)}" for a, b in pairs]
        equation, labels, e = scope.name("E"), [scope.name("G") for _ in others], substitute(goal.e, {m: value})
        told.append((" /\\ ".join([*raw, f"{scope.text(m)} = {scope.text(value)}"]), [*labels, equation]))
        inner = replace(goal, e=e, given=(*goal.given, *wins),
                        sound=tuple(Condition(substitute(c, {m: value}), kind) for c, kind in goal.sound))  # fmt: skip
        lines: Script = [f"rewrite ?{equation}."]
        known = [scope.name("G") for _ in wins]
        lines += [f"assert ({label} : {scope.sign(win, False)}) by lra."
                  for (win, _), label in zip(wins, known, strict=True)]  # fmt: skip
        lines += stated(put(goal.e, {m: value}), e, goal.box, scope)
        found.append([*lines, *proof(branch, inner, replace(scope, given=(*scope.given, *known)))])
    name = scope.name("C")
    ways = [f"{'right; ' * i}{'left; ' if i < len(told) - 1 else ''}repeat split; lra" for i in range(len(told))]
    tried = " | ".join(f"solve [{way}]" for way in ways)
    pattern = f"({' & '.join(told[-1][1])})"
    for _, labels in reversed(told[:-1]):
        pattern = f"[({' & '.join(labels)}) | {pattern}]"
    claims = " \\/ ".join(f"({claim})" for claim, _ in told)
    return [
        f"assert ({name} : {claims}).",
        [f"unfold Rmax, Rmin; repeat destruct Rle_dec; first [{tried}]."],
        f"destruct {name} as {pattern}.", *found,
    ]  # fmt: skip


def derived(e: Node, slope: Node, region: Box, scope: Scope, start: Script) -> Script:
    """The proof of is_derive (fun s => e) s slope for all s that `start` brings in."""
    return [*start, "auto_derive.", ["sides."], "folded.", *equal(Node("add", (e, slope)), slope, region, scope)]


def moved(e: Node, s: Node, sign: int, ends: tuple[str, str], strict: bool, goal: ReplayGoal, scope: Scope,
          slope: Script, there: Scope, between: str, before: Script | None = None) -> Script:  # fmt: skip
    """From what e is at one end to what it is at the other, by the sign of its slope between them.

    Args:
        e: an expression in s.
        sign: 1 where it rises, -1 where it falls.
        ends: of the way, the lower one first.
        strict: whether the slope is > 0, or < 0.
        slope: the proof for a point of the way, in the scope `there`.
        between: the bounds of a point of the way.
        before: what is shown at a point of the way before its slope is.
    """
    g = mul(number(sign), derivative(e, s))
    lemma = ("rise" if sign == 1 else "fall") + ("_strictly" if strict else "")
    x, region = there.names[s], goal.box
    function, slopes = (f"(fun {x} => {there.text(f)})" for f in (e, g))
    way = f"apply ({lemma} {function} {slopes} {ends[0]} {ends[1]})."
    written = g if sign == 1 else Node("mul", (g,), fmpq(-1))
    inside = f"intros {x} [{scope.name('I')} {scope.name('I')}]. {between}"
    start = [inside, *(before or [])]
    return [way, ["lra."], derived(e, written, region, there, start), [*start, *slope]]


def _monotone(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    s, sign = symbol_of(node["symbol"], goal.box), node["sign"]
    r = goal.box[s]
    end = r.low if sign == 1 else r.high
    x, at = scope.names[s], rational(end)
    there = scope.introduced(s)
    slope = mul(number(sign), derivative(goal.e, s))
    inner = ReplayGoal(slope, False, goal.box | {s: r._replace(is_integer=False)})
    face = ReplayGoal(goal.e, goal.strict, goal.box | {s: SymbolRange(end, end)})
    ends = (at, x) if sign == 1 else (x, at)
    faced = scope.at(s, number(end))
    name = scope.name("F")
    bound = _bound_of(there.names[s], r, "lra")
    along = proof(node["slope"], inner, replace(there, given=()))
    return [
        f"assert ({name} : {faced.sign(goal.e, goal.strict)}).", proof(node["face"], face, replace(faced, given=())),
        f"enough ({faced.text(goal.e)} <= {scope.text(goal.e)}) by lra.",
        *moved(goal.e, s, sign, ends, False, goal, scope, along, there, bound),
    ]  # fmt: skip


def _bound_of(x: str, r: SymbolRange, how: str) -> str:
    """That a variable lies between the ends of a range."""
    found = []
    if isinstance(r.low, fmpq):
        found.append(f"assert ({rational(r.low)} <= {x}) by {how}.")
        found += [f"try assert ({rational(r.low)} < {x}) by {how}."] if r.is_open else []
    if isinstance(r.high, fmpq):
        found.append(f"assert ({x} <= {rational(r.high)}) by {how}.")
        found += [f"try assert ({x} < {rational(r.high)}) by {how}."] if r.is_open_above else []
    return " ".join(found)


def _factor(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    found, parts = [], []
    for text, n, part_sign, branch in node["parts"]:
        part = normal(read_expression(text))
        parts.append(Node("pow", (part, number(n))) if n != 1 else part)
        if not part_sign:
            continue
        strict = goal.strict or n < 0
        e = mul(number(part_sign), part)
        name, signed = scope.name("P"), scope.name("P")
        found += [
            f"assert ({name} : {scope.sign(e, strict)}).",
            proof(branch, replace(goal, e=e, strict=strict), scope),
        ]
        if part_sign == -1:
            claim = f"{scope.text(part)} {'<' if strict else '<='} 0"
            equation = scope.name("E")
            found += [f"assert ({equation} : {scope.text(e)} = - {scope.text(part)}).",
                      equal(e, Node("mul", (part,), fmpq(-1)), goal.box, scope),
                      f"assert ({signed} : {claim}) by lra."]  # fmt: skip
    product = Node("mul", tuple(parts), fmpq(1)) if len(parts) > 1 else parts[0]
    return [*found, *stated(goal.e, product, goal.box, scope), "leaf."]


def _restate(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    f = normal(read_expression(node["expression"]))
    return [*stated(goal.e, f, goal.box, scope), *proof(node["proof"], replace(goal, e=f), scope)]


def _rename(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    new, back = {}, {}
    for row in node["rows"]:
        u = read_symbol(row[0])
        new[u], back[u] = SymbolRange(read_end(row[2]), read_end(row[3]), row[4]), normal(read_expression(row[1]))
    f = normal(read_expression(node["expression"]))
    rest = [(normal(read_expression(form)), *hypothesis(ref, goal), ref) for form, ref in node.get("given", [])]
    used = symbols(f).union(*(symbols(form) for form, *_ in rest))
    inner = {x: goal.box[x] if x in goal.box else new[x] for x in used}
    renamed = [u for u in new if u in used]
    there = scope.introduced(*renamed)
    there = replace(there, given=tuple(scope.name("G") for _ in rest))
    hypotheses = [(_sides(u, new[u], there), back[u]) for u in renamed]
    premises = [text for texts, _ in hypotheses for text, _ in texts]
    premises += [there.sign(form, strict) for form, _, strict, _ in rest]
    name, goal_text = scope.name("R"), there.sign(f, goal.strict)
    names = [scope.name("B") for texts, _ in hypotheses for _ in texts]
    variables = " ".join(there.names[u] for u in renamed)
    head = f"forall {variables}, " if renamed else ""
    found: Script = [
        f"assert ({name} : {head}{' -> '.join([*premises, goal_text])}).",
        [f"intros {variables} {' '.join([*names, *there.given])}.",
         *proof(node["proof"], ReplayGoal(f, goal.strict, inner, tuple((form, strict) for form, _, strict, _ in rest)),
                there)],
        *stated(goal.e, put(f, dict(back)), goal.box, scope),
        f"apply ({' '.join([name, *(scope.text(back[u]) for u in renamed)])}).",
    ]  # fmt: skip
    for u in renamed:
        for _, is_strict in _sides(u, new[u], there):
            found.append([bisected(back[u], scope) if not is_strict else "leaf."])
    for form, g, _, ref in rest:
        found.append([*stated(put(form, dict(back)), g, goal.box, scope), *_known(ref, goal, scope)])
    return found


def _known(ref: Any, goal: ReplayGoal, scope: Scope) -> Script:
    """A given, or an end of the box, as it is known."""
    return [f"exact {scope.given[ref]}."] if type(ref) is int else ["lra."]


def _sides(u: Node, r: SymbolRange, scope: Scope) -> list[tuple[str, bool]]:
    """What the range of a new symbol says, and whether strictly."""
    x, found = scope.names[u], []
    if isinstance(r.low, fmpq):
        found.append((f"{rational(r.low)} {'<' if r.is_open else '<='} {x}", r.is_open))
    if isinstance(r.high, fmpq):
        found.append((f"{x} {'<' if r.is_open_above else '<='} {rational(r.high)}", r.is_open_above))
    return found


def _lower(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    s, place = symbol_of(node["symbol"], goal.box), node["given"]
    g, g_strict = goal.given[place]
    t, to = read_symbol(node["new"]), normal(read_expression(node["replacement"]))
    there, test = {s: to}, ZeroTest(goal.box)
    k = test.canonical(derivative(substitute(g, there), t))
    value = mul(number(1 / k.data), g)
    others = [pair for i, pair in enumerate(zip(goal.given, scope.given, strict=True)) if i != place]
    rest = [(substitute(h, there), strict, h, name) for (h, strict), name in others]
    inner = {x: row for x, row in goal.box.items() if x != s} | {t: SymbolRange(fmpq(0), INFINITY, g_strict)}
    sound = tuple(Condition(substitute(c, there), sign) for c, sign in goal.sound)
    e, scoped = substitute(goal.e, there), scope.introduced(t)
    scoped = replace(scoped, given=tuple(scope.name("G") for _ in rest))
    x, name = scoped.names[t], scope.name("R")
    premises = [f"0 {'<' if g_strict else '<='} {x}", *(scoped.sign(h, strict) for h, strict, *_ in rest)]
    found: Script = [
        f"assert ({name} : forall {x}, {' -> '.join([*premises, scoped.sign(e, goal.strict)])}).",
        [f"intros {x} {' '.join([scope.name('B'), *scoped.given])}.",
         *proof(node["proof"], ReplayGoal(e, goal.strict, inner, tuple((h, st) for h, st, *_ in rest), sound), scoped)],
        *stated(goal.e, put(e, {t: value}), goal.box, scope), f"apply ({name} {scope.text(value)}).",
        [*stated(value, Node("mul", (g,), 1 / k.data), goal.box, scope), "leaf."],
    ]  # fmt: skip
    for h, _, old, known in rest:
        found.append([*stated(put(h, {t: value}), old, goal.box, scope), f"exact {known}."])
    return found


def _narrow(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    s, place = symbol_of(node["symbol"], goal.box), node["given"]
    g, strict = goal.given[place]
    slope = derivative(g, s)
    end, r = -subtract(g, mul(slope, s)).data / slope.data, goal.box[s]
    if slope.data > 0:
        r = r._replace(low=end, is_open=strict or (end == r.low and r.is_open))
        claim = f"{rational(end)} {'<' if r.is_open else '<='} {scope.names[s]}"
    else:
        r = r._replace(high=end, is_open_above=strict or (end == r.high and r.is_open_above))
        claim = f"{scope.names[s]} {'<' if r.is_open_above else '<='} {rational(end)}"
    left = tuple(h for i, h in enumerate(goal.given) if i != place)
    named = tuple(h for i, h in enumerate(scope.given) if i != place)
    inner = replace(goal, box=goal.box | {s: r}, given=left)
    pinning, scope = pinned(s, r, replace(scope, given=named))
    return [f"assert ({scope.name('B')} : {claim}) by lra.", *pinning, *proof(node["proof"], inner, scope)]


def _eliminate(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """An equation k (s - to) = 0 with k != 0: s is `to` from here on."""
    s, places = symbol_of(node["symbol"], goal.box), node["givens"]
    box, r, x = without(goal.box, s), goal.box[s], scope.names[s]
    to, (g, _) = read_part(node["to"], box), goal.given[places[0]]
    slope = derivative(g, s)
    if s in symbols(slope):
        raise NotExported("the step 'eliminate' of a square")
    there, name, equation = {s: to}, scope.name("Q"), scope.name("E")
    other, solved = (
        goal.given[places[1]][0],
        Node("mul", (slope, Node("add", (s, Node("mul", (to,), fmpq(-1))))), fmpq(1)),
    )
    found: Script = [
        f"assert ({name} : {scope.text(g)} = 0).",
        [f"enough ({scope.text(other)} = - {scope.text(g)}) by lra.",
         *equal(other, mul(MINUS_ONE, g), goal.box, scope)],
        f"assert ({equation} : {scope.text(g)} = {scope.text(solved)}).", equal(g, solved, goal.box, scope),
        f"rewrite {equation} in {name}. clear {equation}.",
        f"apply Rmult_integral in {name}. destruct {name} as [{name} | {name}].",
        [f"exfalso. assert ({scope.text(slope)} <> 0) by (first [sides | leaf]). contradiction."],
        f"assert ({equation} : {x} = {scope.text(to)}) by lra. clear {name}. rewrite {equation} in *.",
    ]  # fmt: skip
    rest, labels = [], []
    for i, (f, strict) in enumerate(goal.given):
        if i in places:
            continue
        h, label = substitute(f, there), scope.name("G")
        found += [f"assert ({label} : {scope.sign(h, strict)}).",
                  [*stated(h, put(f, there), goal.box, scope), f"exact {scope.given[i]}."]]  # fmt: skip
        rest.append((h, strict))
        labels.append(label)
    for gap, strict, _ in _gaps(to, r):
        label = scope.name("G")
        found.append(f"assert ({label} : {scope.sign(gap, strict)}) by lra.")
        rest.append((gap, strict))
        labels.append(label)
    e = substitute(goal.e, there)
    sound = tuple(Condition(substitute(c, there), sign) for c, sign in goal.sound)
    names = {y: text for y, text in scope.names.items() if y != s}
    known_there = tuple(put(c, there) for c in scope.known)
    inner = replace(scope, names=names, given=tuple(labels), known=known_there)
    return [*found, *stated(put(goal.e, there), e, box, inner),
            *proof(node["proof"], ReplayGoal(e, goal.strict, box, tuple(rest), sound), inner)]  # fmt: skip


def _combine(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    rest, found, parts, some_strict = read_part(node["rest"], goal.box), [], [], False
    enclosures = Enclosures(goal.box)
    for refs, text, branch in node["terms"]:
        weight = read_part(text, goal.box)
        known = [hypothesis(ref, goal) for ref in refs]
        is_positive = enclosures(weight).is_positive
        is_strict = is_positive and all(strict for _, strict in known)
        some_strict = some_strict or is_strict
        name = scope.name("W")
        found += [f"assert ({name} : {scope.sign(weight, is_positive)})."]
        found += [_shown_by(None if is_positive else branch, weight, False, goal, scope)]
        for (g, strict), ref in zip(known, refs, strict=True):
            found += [f"assert ({scope.name('K')} : {scope.sign(g, strict)}).", _known(ref, goal, scope)]
        part = Node("mul", (weight, *(g for g, _ in known)), fmpq(1))
        found += [f"assert ({scope.name('T')} : {scope.sign(part, is_strict)}).", ["leaf."]]
        parts.append(part)
    strict = goal.strict and not some_strict
    found += [f"assert ({scope.name('T')} : {scope.sign(rest, strict)}).",
              proof(node["proof"], replace(goal, e=rest, strict=strict), scope)]  # fmt: skip
    return [*found, *stated(goal.e, Node("add", (rest, *parts)), goal.box, scope), "lra."]


def _either(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    g, name = read_part(node["of"], goal.box), scope.name("G")
    below, scoped = mul(MINUS_ONE, g), replace(scope, given=(*scope.given, name))
    turned = scope.name("G")
    return [
        f"destruct (Rle_or_lt 0 {scope.text(g)}) as [{name} | {turned}].",
        proof(node["above"], replace(goal, given=(*goal.given, (g, False))), scoped),
        [f"assert ({name} : {scope.sign(below, True)}).",
         [*stated(below, Node("mul", (g,), fmpq(-1)), goal.box, scope), "lra."],
         *proof(node["below"], replace(goal, given=(*goal.given, (below, True))), scoped)],
    ]  # fmt: skip


def _drop(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    kept = [i for i in range(len(goal.given)) if i not in node["givens"]]
    inner = replace(goal, given=tuple(goal.given[i] for i in kept))
    return proof(node["proof"], inner, replace(scope, given=tuple(scope.given[i] for i in kept)))


def _order(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    left, right, through = read_part(node["left"], goal.box), read_part(node["right"], goal.box), node["through"]
    difference = Node("add", (left, Node("mul", (right,), fmpq(-1))))
    written = f"{scope.text(left)} - {scope.text(right)}"
    found: Script = [*stated(goal.e, difference, goal.box, scope)]
    found += [f"replace {scope.text(difference)} with ({written}) by ring."]
    lemma = ("by_ln" if through == "log" else "by_exp") + ("_strictly" if goal.strict else "")
    sound, positive = goal.sound, []
    if through == "log":
        for side, branch in zip((left, right), node["positive"], strict=True):
            name = scope.name("P")
            inner = replace(goal, e=side, strict=True)
            shown = [bisected(side, scope)] if branch is None else proof(branch, inner, scope)
            positive += [f"assert ({name} : {scope.sign(side, True)}).", shown]
        sound = (*sound, Condition(left, ">"), Condition(right, ">"))
    function = "ln" if through == "log" else "exp"
    e = subtract(call(through, left), call(through, right))
    raw = Node("add", (Node(through, (left,)), Node("mul", (Node(through, (right,)),), fmpq(-1))))
    apart = f"({function} {scope.text(left)}) - ({function} {scope.text(right)})"
    applied = f"apply {lemma}; [assumption | assumption | ]." if through == "log" else f"apply {lemma}."
    return [*found, *positive, applied, f"replace ({apart}) with {scope.text(raw)} by ring.",
            *stated(raw, e, goal.box, scope),
            *proof(node["proof"], replace(goal, e=e, sound=sound), scope)]  # fmt: skip


def _derive(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    fact, name = read_part(node["fact"], goal.box), scope.name("G")
    return [
        f"assert ({name} : {scope.sign(fact, node['strict'])}).",
        proof(node["show"], replace(goal, e=fact, strict=node["strict"], sound=()), scope),
        *proof(node["proof"], replace(goal, given=(*goal.given, (fact, node["strict"]))),
               replace(scope, given=(*scope.given, name))),
    ]  # fmt: skip


def _shift(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """The polynomial in the distances from the ends of the ranges; no coefficient is negative."""
    before: Script = []
    for x, r in goal.box.items():
        lines, scope = pinned(x, r, scope) if x in scope.names else ([], scope)
        before += lines
    e = substitute(goal.e, dict(scope.points))
    rows = [(x, r) for x, r in goal.box.items() if x not in scope.points]
    terms = ZeroTest().polynomial(e, [x for x, _ in rows])
    bases: list[tuple[Node, Node | None, int]] = []
    scale, corners = fmpq(1), []
    for place, (x, r) in enumerate(rows):
        degree = max((powers[place] for powers in terms), default=0)
        up = subtract(x, number(r.low)) if isinstance(r.low, fmpq) else None
        down = subtract(number(r.high), x) if isinstance(r.high, fmpq) else None
        bases.append((up or down or x, down if up is not None else None, degree))
        if degree:
            terms = shifted_terms(terms, place, r)
            scale *= (r.high - r.low) ** degree if r.is_bounded else 1
            corners += [end for end in (up, down) if end is not None]
    parts = []
    for powers, value in terms.items():
        factors = []
        for n, (up, down, degree) in zip(powers, bases, strict=True):
            factors += [Node("pow", (up, number(n)))] if n else []
            factors += [Node("pow", (down, number(degree - n)))] if down is not None and degree > n else []
        parts.append(Node("mul", tuple(factors), value / scale) if factors else number(value / scale))
    found = [*stated(e, Node("add", tuple(parts)) if len(parts) > 1 else parts[0], goal.box, scope)] if parts else []
    found = [*before, *stated(goal.e, e, goal.box, scope), *found]
    if not goal.strict:
        return [*found, "first [sides | leaf]."]
    either = [f"destruct (Rle_lt_or_eq_dec 0 {scope.text(end)} ltac:(lra)) as [? | ?];" for end in corners]
    return [*found, f"first [sides | {' '.join(either)} sides]."]


def _taylor(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """Slopes up to the first that does not vanish at a point: each is 0 there and rises from there on, or falls."""
    s, at, zeros = symbol_of(node["symbol"], goal.box), read_rational(node["at"]), node["zeros"]
    r, x = goal.box[s], scope.names[s]
    if zeros == 0 or s in scope.points:
        return [bisected(goal.e, scope, 30)]
    if r.low < at < r.high:
        name = scope.name("B")
        below, above = goal.box | {s: r._replace(high=at)}, goal.box | {s: r._replace(low=at)}
        return [f"destruct (Rle_or_lt {x} {rational(at)}) as [{name} | {name}].",
                _taylor(node, replace(goal, box=below), scope),
                _taylor(node, replace(goal, box=above), scope)]  # fmt: skip
    sign, slope = (1 if at == r.low else -1), goal.e
    for _ in range(zeros):
        slope = mul(number(sign), derivative(slope, s))
    near = _near(slope, s, sign, goal)
    if near == (r.high if sign == 1 else r.low):
        return _chain(goal.e, s, at, sign, zeros, goal, scope)
    name = scope.name("B")
    far = goal.box | {
        s: r._replace(low=near, is_open=False) if sign == 1 else r._replace(high=near, is_open_above=False)
    }
    close = goal.box | {s: r._replace(high=near) if sign == 1 else r._replace(low=near)}
    found = [_chain(goal.e, s, at, sign, zeros, replace(goal, box=close), scope), [bisected(goal.e, scope, 30)]]
    del far
    return [f"destruct (Rle_or_lt {x} {rational(near)}) as [{name} | {name}].", *(found if sign == 1 else found[::-1])]


def _near(slope: Node, s: Node, sign: int, goal: ReplayGoal) -> fmpq:
    """How far from an end a slope is positive, as enclosures see it: a half of what is left again and again."""
    r = goal.box[s]
    end, near = (r.low, r.high) if sign == 1 else (r.high, r.low)
    for _ in range(_HALVES):
        piece = SymbolRange(*sorted((end, near)))
        if _is_positive(slope, goal.box | {s: SymbolRange(piece.low, piece.high)}, _DEPTH):
            return near
        near = (end + near) / 2
    raise NotExported("the step 'taylor' where the first slope that differs from 0 has no sign nearby")


def _is_positive(e: Node, box: Box, depth: int) -> bool:
    """Whether enclosures of pieces of a box show that e > 0."""
    if enclose(e, box).low > 0:
        return True
    moving = [(r.high - r.low, x) for x, r in box.items() if x in symbols(e) and r.is_bounded and not r.is_point]
    if depth == 0 or not moving:
        return False
    x = max(moving, key=lambda row: row[0])[1]
    r, middle = box[x], (box[x].low + box[x].high) / 2
    halves = (r._replace(high=middle), r._replace(low=middle))
    return all(_is_positive(e, box | {x: half}, depth - 1) for half in halves)


def _chain(e: Node, s: Node, at: fmpq, sign: int, zeros: int, goal: ReplayGoal, scope: Scope) -> Script:
    """e is 0 at an end, and moves up from there, because its slope does so, and so on."""
    if zeros == 0:
        return [bisected(e, scope, 30)]
    x, r, name = scope.names[s], goal.box[s], scope.name("Z")
    there, end = scope.introduced(s), put(e, {s: number(at)})
    slope = mul(number(sign), derivative(e, s))
    ends = (rational(at), x) if sign == 1 else (x, rational(at))
    along = _chain(slope, s, at, sign, zeros - 1, goal, there)
    relation = "<" if goal.strict else "<="
    return [
        f"assert ({name} : {scope.text(end)} = 0).", equal(end, number(0), goal.box, scope),
        f"enough ({scope.text(end)} {relation} {scope.text(e)}) by lra.",
        *moved(e, s, sign, ends, goal.strict, goal, scope, along, there, _bound_of(there.names[s], r, "lra")),
    ]  # fmt: skip


def _toward(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """From s to `to` and back: what e is there, and the sign of its slope between."""
    s, sign = symbol_of(node["symbol"], goal.box), node["sign"]
    others, r, x = without(goal.box, s), goal.box[s], scope.names[s]
    to, by_slope = read_part(node["to"], others), goal.strict and node["strict"]
    if sign == 0 and by_slope:
        raise NotExported("the step 'toward' from both sides, strictly")
    script: Script = []
    for gap, strict, place in _gaps(to, r):
        if not to.is_number:
            shown = _shown_by(node["inside"][place], gap, strict, goal, scope)
            script += [f"assert ({scope.name('T')} : {scope.sign(gap, strict)}).", shown]
    free, bound = [], []
    for place, branch in node["keep"]:
        (g, strict), label = goal.given[place], scope.given[place]
        if s not in symbols(g):
            free.append(((g, strict), label))
            continue
        h, at_end = substitute(g, {s: to}), scope.name("G")
        script += [f"assert ({at_end} : {scope.sign(h, strict)}).", _shown_by(branch, h, strict, goal, scope)]
        bound.append(((g, strict), label, h, at_end))
    if sign:
        side = mul(number(sign), subtract(s, to))
        script += [f"assert ({scope.name('T')} : {scope.sign(side, by_slope)}).",
                   _shown_by(node["side"], side, by_slope, goal, scope)]  # fmt: skip
    face, end, name = substitute(goal.e, {s: to}), put(goal.e, {s: to}), scope.name("F")
    given = (*(g for g, _ in free), *((h, strict) for (_, strict), _, h, _ in bound))
    labels = (*(label for _, label in free), *(label for *_, label in bound))
    faced = ReplayGoal(face, goal.strict and not node["strict"], others, given)
    script += [f"assert ({name} : {scope.sign(face, faced.strict)}).",
               proof(node["face"], faced, replace(scope, given=labels)),
               *stated(face, end, goal.box, scope, name),
               f"enough ({scope.text(end)} {'<' if by_slope else '<='} {scope.text(goal.e)}) by lra."]  # fmt: skip
    if sign:
        return [*script, *_along(node, goal, scope, sign, to, free, bound)]
    both = [_along(node, goal, scope, way, to, free, bound) for way in (1, -1)]
    return [*script, f"destruct (Rle_or_lt {scope.text(to)} {x}) as [{scope.name('B')} | {scope.name('B')}].", *both]


def _gaps(to: Node, r: SymbolRange) -> list[tuple[Node, bool, int]]:
    """For each end of a range that is a number: how far `to` lies inside, whether it is excluded, its place."""
    found = []
    if isinstance(r.low, fmpq):
        found.append((subtract(to, number(r.low)), r.is_open, 0))
    if isinstance(r.high, fmpq):
        found.append((subtract(number(r.high), to), r.is_open_above, 1))
    return found


def _along(node: Step, goal: ReplayGoal, scope: Scope, sign: int, to: Node, free: list, bound: list) -> Script:
    """The way from `to` to s, upward (1) or downward (-1): e rises with the distance."""
    s, by_slope = symbol_of(node["symbol"], goal.box), goal.strict and node["strict"]
    there, region = scope.introduced(s), goal.box | {s: _way(goal.box[s], to)}
    before, kept = [], []
    for row in bound:
        new = scope.name("G")
        kept.append(new)
        before += _between(row, s, to, new, sign, goal, scope, there)
    given = (*(g for g, _ in free), *(g for g, *_ in bound))
    inner = replace(there, given=(*(label for _, label in free), *kept))
    smooth = ReplayGoal(goal.e, False, region, given)
    for row in node["smooth"]:
        c = read_part(row["of"], region)
        before += [f"assert ({scope.name('D')} : {there.sign(c, row['strict'])}).",
                   proof(row["proof"], replace(smooth, e=c, strict=row["strict"]), inner)]  # fmt: skip
    slope, gap = derivative(goal.e, s), subtract(s, to)
    e, lines = mul(number(sign), slope), []
    if node["sign"] == 0:
        name, times = scope.name("S"), mul(gap, slope)
        raw = Node("mul", (Node("add", (s, Node("mul", (to,), fmpq(-1)))), slope), fmpq(1))
        lines = [f"assert ({name} : {there.sign(times, False)}).",
                 proof(node["slope"], replace(smooth, e=times), inner), *stated(times, raw, region, there, name),
                 f"enough (0 <= {'- ' if sign == -1 else ''}{there.text(slope)}).",
                 [*stated(e, Node("mul", (slope,), fmpq(sign)), region, there), "lra."], "nra."]  # fmt: skip
    else:
        extra = []
        if not (node["side"] is None and to.is_number):
            new, side = scope.name("G"), mul(number(sign), gap)
            extra = [((side, by_slope), new)]
            lines = [f"assert ({new} : {there.sign(side, by_slope)}) by lra."]
        goal_there = replace(smooth, e=e, strict=by_slope, given=(*given, *(g for g, _ in extra)))
        names = (*inner.given, *(label for _, label in extra))
        lines += proof(node["slope"], goal_there, replace(there, given=names))
    ends = (scope.text(to), scope.names[s]) if sign == 1 else (scope.names[s], scope.text(to))
    bounds = _bound_of(there.names[s], goal.box[s], "lra")
    return moved(goal.e, s, sign, ends, by_slope, goal, scope, lines, there, bounds, before)


def _way(r: SymbolRange, to: Node) -> SymbolRange:
    """The range on the way: an end that is excluded and stands as `to` is approached."""
    path = r._replace(is_integer=False)
    if to.is_number:
        path = path._replace(is_open=r.is_open and to.data != r.low)
        path = path._replace(is_open_above=r.is_open_above and to.data != r.high)
    return path


def _between(
    row: tuple, s: Node, to: Node, new: str, sign: int, goal: ReplayGoal, scope: Scope, there: Scope
) -> Script:
    """A given that is affine in s holds between two points at which it holds."""
    (g, strict), here, h, at_end = row
    slope, rest = ZeroTest(goal.box).canonical(derivative(g, s)), substitute(g, {s: number(0)})
    a, b, y = scope.text(slope), scope.text(rest), there.names[s]
    ends = [(to, h, at_end), (s, g, here)][::sign]
    relation, known = "<" if strict else "<=", scope.name("G")
    between = f"{scope.text(ends[0][0])} {y} {scope.text(ends[1][0])}"
    shown: Script = [f"apply (affine_between{'_strictly' if strict else ''} {a} {b} {between}); [lra | | ]."]
    for end, form, label in ends:
        raw = Node("add", (Node("mul", (slope, end), fmpq(1)), rest))
        shown.append([f"enough (0 {relation} {scope.text(raw)}) by lra.", *stated(raw, form, goal.box, scope),
                      f"exact {label}."])  # fmt: skip
    raw = Node("add", (Node("mul", (slope, s), fmpq(1)), rest))
    return [
        f"assert ({known} : 0 {relation} {a} * {y} + {b}).", shown,
        f"assert ({new} : {there.sign(g, strict)}).", [*stated(g, raw, goal.box, there), "lra."],
    ]  # fmt: skip


def _induction(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """From whole numbers to the next; a sum up to s + 1 is written as the sum up to s and its last term."""
    s = symbol_of(node["symbol"], goal.box)
    low, following, there = number(goal.box[s].low), add(s, ONE), scope.introduced(s)
    sums = [part for part in walk(goal.e) if part.kind == "Sum" and s in symbols(part)]
    if any(part.args[1] != s for part in sums):
        raise NotExported("an induction with a sum up to another number")
    at, base, step = scope.at(s, low), [], []
    first, last = {}, {}
    for part in sums:
        body, index = part.data
        if part.args[0] != low:
            raise NotExported("an induction that begins with several terms")
        first[part], after = put(body, {index: low}), put(part, {s: following})
        last[after] = Node("add", (part, put(body, {index: following})))
        base += [f"assert ({(name := scope.name('T'))} : {at.text(part)} = {at.text(first[part])}) by "
                 "(rewrite total_first; reflexivity).",
                 f"rewrite {name}."]  # fmt: skip
        step += [f"assert ({(name := scope.name('T'))} : {there.text(after)} = {there.text(last[after])}).",
                 [f"rewrite total_next; [reflexivity | exists {at.text(low)}%Z; reflexivity | assumption | lra]."],
                 f"rewrite {name}."]  # fmt: skip
    y, known = there.names[s], scope.name("G")
    e = substitute(goal.e, {s: low})
    base += stated(put(goal.e, first), e, goal.box, at)
    base += proof(node["base"], replace(goal, e=e, box=without(goal.box, s), sound=()), at)
    written = put(put(goal.e, {s: following}), last)
    e = normal(written)
    step += stated(written, e, goal.box, there)
    inner = replace(goal, e=e, given=(*goal.given, (goal.e, goal.strict)), sound=())
    step += proof(node["step"], inner, replace(there, given=(*scope.given, known)))
    start = f"intros {y} {scope.name('I')} {scope.name('I')} {known}. cbv beta in {known}."
    return [
        f"apply (whole_induction (fun {y} => {there.sign(goal.e, goal.strict)}) {rational(low.data)}).",
        [f"exists {at.text(low)}%Z. reflexivity."], base, [start, *step], ["assumption."], ["lra."],
    ]  # fmt: skip


def _limit(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """e is at least what it falls to beside 0, or, as a function of 1/s, at infinity."""
    s, end = symbol_of(node["symbol"], goal.box), node["to"]
    r, x, by_slope = goal.box[s], scope.names[s], goal.strict and node["strict"]
    if end not in ("0+", "oo") or node["smooth"]:
        raise NotExported(f"the step 'limit' to {end}")
    kept = [(g, label) for g, label in zip(goal.given, scope.given, strict=True) if s not in symbols(g[0])]
    there = replace(scope.introduced(s), given=tuple(label for _, label in kept))
    path, to_s, y = goal.box | {s: r._replace(is_integer=False)}, x, there.names[s]
    falling = mul(number(-1 if end == "oo" else 1), derivative(goal.e, s))
    along = ReplayGoal(falling, by_slope, path, tuple(g for g, _ in kept))
    slope = proof(node["slope"], along, there)
    e, before, bounds = goal.e, [], _bound_of(y, r, "lra")
    if end == "oo":
        e, inverse, name, sign = _at_infinity(goal.e, s, path), power(s, MINUS_ONE), scope.name("S"), scope.name("S")
        if not isinstance(r.low, fmpq) or r.low < 0:
            raise NotExported("the step 'limit' of a symbol that may be < 0")
        faster = put(falling, {s: inverse})
        squared = Node("mul", (faster, Node("pow", (s, number(-2)))), fmpq(1))
        before = [f"assert ({name} : forall {y}, {x} < {y} -> {there.sign(falling, by_slope)}).",
                  [f"intros {y} {scope.name('I')}. {bounds}", *slope],
                  f"assert ({scope.name('P')} : 0 < {x}) by lra.",
                  f"assert ({scope.name('P')} : 0 < / {x}) by (apply Rinv_0_lt_compat; assumption).",
                  *([f"assert ({scope.name('P')} : / {x} <= / {rational(r.low)}) by (apply Rinv_le_contravar; lra)."]
                    if r.low > 0 else []),
                  *stated(goal.e, put(e, {s: inverse}), path, scope)]  # fmt: skip
        far = path | {s: SymbolRange(fmpq(0), 1 / r.low if r.low > 0 else INFINITY, is_open=True)}
        goal, to_s = replace(goal, box=far), f"(/ {x})"
        product = "Rmult_lt_0_compat" if by_slope else "Rmult_le_pos"
        slope = [f"assert ({scope.name('P')} : 0 < / {y}) by (apply Rinv_0_lt_compat; assumption).",
                 f"pose proof ({name} (/ {y}) ltac:(apply inverse_beyond; assumption)) as {sign}. cbv beta in {sign}.",
                 *stated(derivative(e, s), squared, far, there),
                 f"apply {product}; [exact {sign} | sides]."]  # fmt: skip
        bounds = _bound_of(y, far[s], "lra")
    at, strict, known = scope.at(s, number(0)), goal.strict and not by_slope, scope.name("F")
    value = ZeroTest(goal.box).canonical(substitute(e, {s: number(0)}))
    shown = [*stated(e, value, goal.box, at), "leaf."] if value.is_number else ["leaf."]
    return [
        *before, f"assert ({known} : {at.sign(e, strict)}).", shown,
        f"enough ({at.text(e)} {'<' if by_slope else '<='} {put_text(e, s, to_s, scope)}) by lra.",
        *moved(e, s, 1, ("0", to_s), by_slope, goal, scope, slope, there, bounds),
    ]  # fmt: skip


def _concave(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """Above the lesser of the values at two ends, where the second slope is never positive."""
    s = symbol_of(node["symbol"], goal.box)
    r, there = goal.box[s], scope.introduced(s)
    if goal.strict:
        raise NotExported("the step 'concave' of a strict inequality")
    kept = [(g, label) for g, label in zip(goal.given, scope.given, strict=True) if s not in symbols(g[0])]
    region = goal.box | {s: SymbolRange(r.low, r.high)}
    along = ReplayGoal(goal.e, False, region, tuple(g for g, _ in kept))
    there = replace(there, given=tuple(label for _, label in kept))
    slope = derivative(goal.e, s)
    bend = mul(MINUS_ONE, derivative(slope, s))
    y, x = there.names[s], scope.names[s]
    start = f"intros {y} [{scope.name('I')} {scope.name('I')}]. {_bound_of(y, region[s], 'lra')}"
    functions = " ".join(f"(fun {y} => {there.text(e)})" for e in (goal.e, slope, bend))
    faces = []
    for name, end in (("low", r.low), ("high", r.high)):
        at, e = replace(scope.at(s, number(end)), given=there.given), substitute(goal.e, {s: number(end)})
        face = replace(along, e=e, box=without(goal.box, s))
        faces.append([*stated(goal.e, e, goal.box, at), *proof(node[name], face, at)])
    return [
        f"apply (concave_above {functions} {rational(r.low)} {rational(r.high)} {x}).", ["lra."],
        derived(goal.e, slope, region, there, [start]),
        derived(slope, Node("mul", (bend,), fmpq(-1)), region, there, [start]),
        [start, *proof(node["slope"], replace(along, e=bend), there)], *faces,
    ]  # fmt: skip


def put_text(e: Node, s: Node, value: str, scope: Scope) -> str:
    """An expression with a term of Coq's in place of a symbol."""
    return replace(scope, names={**scope.names, s: value}).text(e)


def _at_infinity(e: Node, s: Node, box: Box) -> Node:
    """e at 1/s in a form that goes on to s = 0: logarithms of what is affine, of weights that cancel, and a quotient.

    Raises NotExported where it is anything else.
    """
    inverse, test = {s: power(s, MINUS_ONE)}, ZeroTest(box)
    parts, rest, weight = [], [], fmpq(0)
    for part in e.args if e.kind == "add" else (e,):
        factor, inner = split(part) if not part.is_number else (fmpq(1), part)
        if inner.kind != "log":
            rest.append(part)
            continue
        slope = derivative(inner.args[0], s)
        if not slope.is_number:
            raise NotExported("the step 'limit' of the logarithm of what is not affine")
        weight += factor if slope.data != 0 else fmpq(0)
        around = substitute(inner.args[0], {s: number(0)})
        form = add(slope, mul(s, around)) if slope.data != 0 else around
        parts.append(mul(number(factor), call("log", form)))
    quotient = test.canonical(substitute(add(*rest), inverse)) if rest else number(0)
    plain = {"number", "symbol", "add", "mul", "pow", "constant"}
    if weight != 0 or any(part.kind not in plain for part in walk(quotient)):
        raise NotExported("the step 'limit' of other than logarithms and a quotient")
    return add(*parts, quotient)


def _shown_by(branch: Any, e: Node, strict: bool, goal: ReplayGoal, scope: Scope) -> Script:
    """A proof of a record, or an enclosure where it has none."""
    return [bisected(e, scope)] if branch is None else proof(branch, replace(goal, e=e, strict=strict), scope)


def _means(node: Step, goal: ReplayGoal, scope: Scope) -> Script:
    """A weighted mean of parts >= 0 is at least b, if b^n is the product of their powers: by logarithms where b > 0."""
    scale, b = read_rational(node["scale"]), read_part(node["of"], goal.box)
    rows = [(read_rational(w), read_part(m, goal.box)) for w, m in node["weights"]]
    n = math.lcm(*[int(w.q) for w, _ in rows])
    found: Script = []
    for _, m in rows:
        found += [f"assert ({scope.name('M')} : {scope.sign(m, False)}).", [bisected(m, scope)]]
    raised = [Node("pow", (m, number(w * n))) for w, m in rows]
    product, power = Node("mul", tuple(raised), fmpq(1)), Node("pow", (b, number(n)))
    name, sign, logs = scope.name("M"), scope.name("M"), scope.name("M")
    found += [f"assert ({name} : {scope.text(power)} = {scope.text(product)}).", equal(power, product, goal.box, scope)]
    mean = Node("add", tuple(Node("mul", (m,), scale * w) for w, m in rows))
    found += stated(goal.e, Node("add", (mean, Node("mul", (b,), -scale))), goal.box, scope)
    value = scope.text(b)
    above: Script = []
    for _, m in rows:
        text = scope.text(m)
        above += [f"assert ({scope.name('M')} : 0 < {text}).",
                    [f"destruct (Rle_lt_or_eq_dec 0 {text} ltac:(assumption)) as [? | Z]; [assumption | exfalso].",
                     f"assert (Y : 0 < {scope.text(power)}) by (apply pow_lt; assumption).",
                     f"rewrite {name}, <- Z in Y; simpl in Y; lra."]]  # fmt: skip
        above.append(f"pose proof (Theoremeter.above_tangent {text} {value} ltac:(assumption) ltac:(assumption)).")
    sides = " + ".join(f"{rational(w)} * ln {scope.text(m)}" for w, m in rows)
    above += [f"assert ({logs} : ln {value} = {sides}).",
              [f"assert (E : ln {scope.text(power)} = ln {scope.text(product)}) by (apply f_equal; exact {name}).",
               "revert E. logs. lra."],
              f"assert ({scope.name('M')} : {value} * (ln {value} - ({sides})) = 0) by (rewrite {logs} at 1; ring).",
              "first [lra | nra]."]  # fmt: skip
    return [*found, f"destruct (Rle_or_lt {value} 0) as [{sign} | {sign}].", ["leaf."], above]


_STEPS = {
    "interval": _interval, "mean": _interval, "model": _interval, "infeasible": _infeasible, "zero": _zero,
    "empty": _empty, "split": _split, "cases": _cases, "monotone": _monotone, "factor": _factor, "restate": _restate,
    "rename": _rename, "change": _rename, "lower": _lower, "narrow": _narrow, "eliminate": _eliminate,
    "combine": _combine, "either": _either,
    "drop": _drop,
    "order": _order, "derive": _derive, "shift": _shift, "taylor": _taylor, "toward": _toward,
    "means": _means, "induction": _induction, "limit": _limit, "concave": _concave,
}  # fmt: skip
