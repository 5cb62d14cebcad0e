"""The checker: it accepts what certify writes and refuses what was changed, sealed again or not."""

import ast
import copy
import functools
import hashlib
import json
from pathlib import Path

import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from theory import enclosure, intervals
from theory.certify import Proved, Refuted, certify
from theory.checker import InvalidRecord, replay

x, y = sp.symbols("x y", real=True)
HALF = sp.Rational(1, 2)
beta, gamma, rho = sp.symbols("beta gamma rho", real=True)
C, D = sp.symbols("C D", positive=True)
TOTAL = sp.exp(beta) + (C - 1) * sp.exp(gamma) + (D - C) * sp.exp(rho)
BOX = {beta: (-5, 5), gamma: (-5, 5), rho: (-5, 5), C: (2, 64), D: (4, sp.oo)}

STATEMENTS = {
    "interval": (x * (1 - x) >= 0, {x: (0, 1)}, ()),
    "split": (x**2 - x + 1 > 0, {x: (-1, 2)}, ()),
    "monotone": (sp.exp(x) >= 1 + x, {x: (0, 5)}, ()),
    "pieces": (sp.exp(x) >= 1 + x, {x: (-3, 5)}, ()),
    "shift": (x * y - x - y + 2 > 0, {x: (1, sp.oo), y: (1, sp.oo)}, ()),
    "factor": (x**2 - x + sp.Rational(1, 4) >= 0, {x: (-5, 5)}, ()),
    "bumps": (x**4 - x**2 * y + y**2 + sp.Rational(1, 100) > 0, {x: (-3, 3), y: (-3, 3)}, ()),
    "rename": (sp.exp(x) / (sp.exp(x) + 3 * sp.exp(y)) < 1, {x: (-sp.oo, sp.oo), y: (-sp.oo, sp.oo)}, ()),
    "lower": (sp.exp(gamma) / TOTAL >= sp.exp(rho) / TOTAL, BOX, (D >= 2 * C, gamma >= rho)),
    "infeasible": (x**2 + y**2 > sp.Rational(1, 3), {x: (0, 1), y: (0, 1)}, (x + y > 1,)),
    "mean": (sp.exp(-(x**2)) * (1 + x**2) <= 1 + sp.Rational(1, 50), {x: (-2, 2)}, ()),
}
FALSE = {
    "corner": (x * (1 - x) > 0, {x: (0, 1)}, ()),
    "order": (sp.exp(gamma) / TOTAL >= sp.exp(rho) / TOTAL, BOX, (D >= 2 * C,)),
    "identity": (sp.Eq((x + y) ** 2, x**2 + y**2), {x: (0, 1), y: (0, 1)}, ()),
}


@functools.cache
def written(name):
    """What certify writes about a statement, as JSON text."""
    relation, box, hypotheses = {**STATEMENTS, **FALSE}[name]
    answer = certify(relation, box, hypotheses, budget_s=20)
    assert isinstance(answer, Proved if name in STATEMENTS else Refuted), answer
    return json.dumps(answer.record)


def record_of(name):
    return json.loads(written(name))


def resealed(record):
    """The record with a digest that fits it: what a careful forger would hand in."""
    body = {key: value for key, value in record.items() if key != "digest"}
    return body | {"digest": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()}


def nodes(proof):
    """Every proof node of a tree."""
    yield proof
    for value in proof.values():
        children = value if isinstance(value, list) else [value]
        for child in children:
            for part in child if isinstance(child, list) else [child]:
                if isinstance(part, dict):
                    yield from nodes(part)


def theory_imports(name):
    """Modules of `theory` that one of them imports."""
    tree = ast.parse((Path(enclosure.__file__).parent / f"{name}.py").read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return {module for module in imported if module.startswith("theory")}


def refused(record, reason="."):
    with pytest.raises(InvalidRecord, match=reason) as caught:
        replay(resealed(record))
    assert "\n" not in str(caught.value)
    return True


FLIPPED = {
    "StrictGreaterThan": "StrictLessThan",
    "GreaterThan": "LessThan",
    "StrictLessThan": "StrictGreaterThan",
    "LessThan": "GreaterThan",
}


def flip(relation):
    head, rest = relation.split("(", 1)
    return f"{FLIPPED[head]}({rest}"


class TestReplay:
    @pytest.mark.parametrize("name", [*STATEMENTS, *FALSE])
    def test_accepts_and_is_repeatable(self, name):
        record = record_of(name)
        assert replay(record) is True
        assert replay(record) is True

    def test_every_step_is_exercised(self):
        used = {node["by"] for name in STATEMENTS for node in nodes(record_of(name)["proof"]) if "by" in node}
        steps = {"interval", "split", "monotone", "shift", "factor", "rename", "lower"}
        assert steps <= used

    def test_every_function_of_the_prover_is_known(self):
        """At points inside, and as enclosures over boxes that contain them, half-infinite ones included."""
        for function in set(intervals._FUNCTIONS) - {sp.log, sp.Heaviside}:
            value = function(x) if function not in (sp.Max, sp.Min) else function(x, HALF)
            for at in (sp.Rational(-3, 7), sp.Integer(0), sp.Rational(9, 4)):
                exact = function(*value.args).subs(x, at).evalf(60)
                for ends in ((at, at), (-1, 3), (-sp.oo, 3), (-1, sp.oo), (-sp.oo, sp.oo)):
                    low, high = enclosure.enclose(value, {x: (*map(sp.sympify, ends), False)})
                    assert low <= arb(str(exact)).upper(), (value, ends)
                    assert arb(str(exact)).lower() <= high, (value, ends)

    def test_shares_no_code_with_the_prover(self):
        """What the checker rests on imports nothing else of theory; nothing of the prover imports any of it."""
        assert theory_imports("checker") == {"theory.enclosure", "theory.reader"}
        assert theory_imports("enclosure") == theory_imports("reader") == set()
        for module in ("attack", "branching", "certify", "corner", "goal", "intervals", "prover", "rewriting"):
            assert not theory_imports(module) & {"theory.enclosure", "theory.reader"}


class TestTampering:
    @pytest.mark.parametrize("name", [*STATEMENTS, *FALSE])
    def test_any_change_breaks_the_seal(self, name):
        record = record_of(name)
        for key in record:
            changed = copy.deepcopy(record)
            changed[key] = "" if isinstance(record[key], str) else [*record[key], 0] if record[key] != [] else [0]
            with pytest.raises(InvalidRecord):
                replay(changed)

    @pytest.mark.parametrize("name", STATEMENTS)
    def test_flipped_relation(self, name):
        record = record_of(name)
        assert refused(record | {"relation": flip(record["relation"])})

    @pytest.mark.parametrize("name", ["interval", "split", "monotone", "shift", "bumps"])
    def test_another_relation(self, name):
        """The same proof does not serve the relation lowered by 10."""
        record = record_of(name)
        relation, _, _ = STATEMENTS[name]
        assert refused(record | {"relation": sp.srepr(relation.func(relation.lhs - 10, relation.rhs))})

    @pytest.mark.parametrize(
        ("name", "row"),
        [("interval", ["0", "2"]), ("interval", ["-1/2", "1"]), ("shift", ["-9", "oo"]), ("monotone", ["-oo", "5"])],
    )
    def test_enlarged_box(self, name, row):
        record = record_of(name)
        record["box"][0][1:] = row
        assert refused(record)

    @pytest.mark.parametrize("name", ["split", "pieces", "bumps"])
    @pytest.mark.parametrize("side", ["below", "above"])
    def test_removed_leaf(self, name, side):
        record = record_of(name)
        next(node for node in nodes(record["proof"]) if node.get("by") == "split").pop(side)
        assert refused(record)

    @pytest.mark.parametrize("at", ["-100", "100"])
    def test_cut_outside_the_box(self, at):
        record = record_of("split")
        next(node for node in nodes(record["proof"]) if node.get("by") == "split")["at"] = at
        assert refused(record, "cover")

    def test_dropped_hypothesis(self):
        for name in ("lower", "infeasible"):
            assert refused(record_of(name) | {"given": []})

    def test_changed_range_of_a_renamed_function(self):
        record = record_of("rename")
        node = next(node for node in nodes(record["proof"]) if node.get("by") == "rename")
        node["rows"][0][2:4] = ["1", "2"]
        assert refused(record, "range")

    def test_changed_sign_of_a_part(self):
        for name in ("rename", "lower"):
            record = record_of(name)
            factor = next(node for node in nodes(record["proof"]) if node.get("by") == "factor")
            for part in factor["parts"]:
                part[2] = -part[2] or 1
            assert refused(record)

    def test_monotone_toward_the_wrong_face(self):
        record = record_of("monotone")
        node = next(node for node in nodes(record["proof"]) if node.get("by") == "monotone")
        node["sign"] = -node["sign"]
        assert refused(record)

    @pytest.mark.parametrize("name", FALSE)
    def test_changed_point(self, name):
        record = record_of(name)
        outside = copy.deepcopy(record)
        outside["point"][0][1] = "-1000"
        assert refused(outside, "outside")
        missing = copy.deepcopy(record)
        missing["point"].pop()
        assert refused(missing, "outside")

    def test_a_point_where_the_relation_holds(self):
        record = record_of("corner")
        record["point"][0][1] = "1/3"
        assert refused(record, "holds at the point")
        record = record_of("identity")
        record["point"] = [[symbol, "0"] for symbol, _ in record["point"]]
        assert refused(record, "holds at the point")

    def test_a_point_against_the_hypotheses(self):
        record = record_of("order")
        values = dict(record["point"])
        values[sp.srepr(D)] = "4"
        values[sp.srepr(C)] = "64"
        assert refused(record | {"point": [list(pair) for pair in values.items()]}, "givens")

    def test_verdicts_are_not_exchangeable(self):
        assert refused(record_of("interval") | {"verdict": "refuted"})
        assert refused(record_of("corner") | {"verdict": "proved"})
        assert refused(record_of("interval") | {"proof": {"by": "trust me"}}, "unknown step")


class TestForgery:
    """Proofs written by hand for false statements, each with a step that looks right."""

    def forged(self, relation, box, proof, hypotheses=()):
        return {
            "relation": sp.srepr(relation),
            "box": [[sp.srepr(s), str(low), str(high)] for s, (low, high) in box.items()],
            "given": [sp.srepr(hypothesis) for hypothesis in hypotheses],
            "verdict": "proved",
            "proof": proof,
        }

    @pytest.mark.parametrize("by", ["interval", "mean", "shift"])
    @pytest.mark.parametrize(
        ("relation", "box"),
        [
            (x > 0, {x: (0, 1)}),
            (x**2 - x >= 0, {x: (0, 2)}),
            (-1 / x > 0, {x: (-1, 1)}),
            (1 / x > 0, {x: (-1, 1)}),
            (sp.log(x) > 0, {x: (0, 2)}),
            (x * y > 0, {x: (0, sp.oo), y: (1, 2)}),
            (sp.sqrt(x) > 0, {x: (-1, 2)}),
            (x**3 > -1, {x: (-sp.oo, 5)}),
        ],
    )
    def test_one_step(self, by, relation, box):
        assert refused(self.forged(relation, box, {"by": by}))

    def test_monotone_across_a_pole(self):
        """-1/x rises wherever it is defined and is 1 at -1; it is negative at 1."""
        step = {
            "by": "monotone",
            "symbol": sp.srepr(x),
            "sign": 1,
            "slope": {"by": "interval"},
            "face": {"by": "interval"},
        }
        assert refused(self.forged(-1 / x > 0, {x: (-1, 1)}, step), "monotone")

    def test_monotone_out_of_the_hypotheses(self):
        """x + y rises in x, but the hypothesis that rules out the face does not hold there."""
        face = {"by": "infeasible", "given": 0}
        step = {"by": "monotone", "symbol": sp.srepr(x), "sign": 1, "slope": {"by": "interval"}, "face": face}
        assert refused(self.forged(x > sp.Rational(9, 10), {x: (0, 1)}, step, (x > sp.Rational(1, 2),)))

    def test_odd_number_of_negative_parts(self):
        parts = [[sp.srepr(x), 1, 1, {"by": "interval"}], [sp.srepr(-y), 1, -1, {"by": "interval"}]]
        assert refused(self.forged(-x * y > 0, {x: (1, 2), y: (1, 2)}, {"by": "factor", "parts": parts}), "negative")

    def test_false_identity(self):
        assert refused(self.forged(sp.Eq(x**2, x), {x: (0, 1)}, {"by": "identity"}), "identity")

    def test_a_part_without_a_value_at_the_end(self):
        """x is 0 at 0; 1/x is positive wherever it has a value, and so is its reciprocal."""
        parts = [[sp.srepr(1 / x), -1, 1, {"by": "interval"}]]
        step = {"by": "factor", "parts": parts}
        assert refused(self.forged(x > 0, {x: (0, 1)}, step), "undefined where x is not")
        assert replay(resealed(self.forged(x > 0, {x: (sp.Rational(1, 9), 1)}, step)))

    def test_a_renamed_function_without_a_value_at_the_end(self):
        u = sp.Symbol("u", real=True)
        inner = {"by": "factor", "parts": [[sp.srepr(u), -1, 1, {"by": "interval"}]]}
        step = {"by": "rename", "rows": [[sp.srepr(u), sp.srepr(1 / x), "1", "oo", False]], "proof": inner}
        assert refused(self.forged(x > 0, {x: (0, 1)}, step | {"expression": sp.srepr(1 / u)}), "range of 1/x")

    def test_another_form_without_a_value_at_the_end(self):
        parts = [[sp.srepr(1 + 1 / x), -1, 1, {"by": "interval"}], [sp.srepr(1 + x), 1, 1, {"by": "interval"}]]
        inner = {"by": "factor", "parts": parts}
        step = {"by": "rename", "rows": [], "expression": sp.srepr((1 + x) / (1 + 1 / x)), "proof": inner}
        assert refused(self.forged(x > 0, {x: (0, 1)}, step), "another expression")

    def test_negative_numbers_have_powers_of_either_sign(self):
        """(-2)**3 is -8, though the real exp(3 log(-2)) does not exist."""
        k = sp.Symbol("k", integer=True, positive=True)
        for power in ((-1) ** k, y**k, (-k) ** x):
            box = {s: (3, 3) if s is k else (-1, 3) for s in power.free_symbols | {k}}
            box |= {y: (-2, -1)} if y in box else {}
            assert refused(self.forged(power > -HALF, box, {"by": "interval"}), "may be negative")

    def test_integers_are_not_skipped(self):
        """Integers may be cut between neighbours, and a box without one is empty; a real symbol has no such gaps."""
        k = sp.Symbol("k", integer=True)
        halves = {"by": "split", "symbol": sp.srepr(k), "at": "0", "below": {"by": "interval"}}
        record = self.forged(k * (k - 1) >= 0, {k: (-5, 5)}, halves | {"above": {"by": "interval"}})
        assert replay(resealed(record))
        assert refused(self.forged(k * (k - 2) >= 0, {k: (-5, 5)}, halves | {"above": {"by": "interval"}}), "negative")
        assert refused(record | {"proof": record["proof"] | {"at": "-1/2"}}, "cover")
        assert refused(record | {"proof": {"by": "empty"}}, "integers")
        assert replay(resealed(self.forged(k > 9, {k: ("1/3", "2/3")}, {"by": "empty"})))
        assert refused(self.forged(x > 9, {x: ("1/3", "2/3")}, {"by": "empty"}), "integers")
        real = {"by": "split", "symbol": sp.srepr(x), "at": "0", "below": {"by": "interval"}}
        assert refused(self.forged(x * (x - 1) >= 0, {x: (-5, 5)}, real | {"above": {"by": "interval"}}), "negative")

    def test_every_case_of_a_choice_is_needed(self):
        """|x| is x only where x >= 0, and both signs must be shown."""
        yes = {"by": "interval"}
        choice = {"by": "cases", "of": sp.srepr(sp.Abs(x))}
        statement = (sp.Abs(x) > -sp.Rational(1, 9), {x: (-1, 1)})
        lowered = {
            "by": "lower", "given": 0, "symbol": sp.srepr(x), "new": "Symbol('t', real=True)", "proof": yes,
        }  # fmt: skip
        sides = [lowered | {"replacement": f"{'-' * side}Symbol('t', real=True)"} for side in (0, 1)]
        assert replay(resealed(self.forged(*statement, choice | {"proofs": sides})))
        assert refused(self.forged(*statement, choice | {"proofs": sides[:1]}), "zip")
        assert refused(self.forged(*statement, choice | {"proofs": sides[::-1]}), "lower")
        assert refused(self.forged(x > 0, {x: (-1, 1)}, choice | {"of": sp.srepr(x), "proofs": [yes]}), "no choice")

    def test_a_slope_may_not_ignore_a_jump(self):
        """sign(x) + 1 - x/2 falls wherever it has a slope and is positive at 1; at -1/2 it is not."""
        e = sp.sign(x) + 1 - x / 2
        falls = {
            "by": "monotone",
            "symbol": sp.srepr(x),
            "sign": -1,
            "slope": {"by": "interval"},
            "face": {"by": "interval"},
        }
        assert refused(self.forged(e > 0, {x: (-1, 1)}, falls), "jump")
        assert refused(self.forged(sp.Heaviside(x) > 0, {x: (-1, 1)}, {"by": "mean"}), "DiracDelta")

    def test_a_logarithm_of_zero_refutes_nothing(self):
        record = self.forged(sp.log(x) > -1, {x: (0, 1)}, {}) | {"verdict": "refuted", "point": [[sp.srepr(x), "0"]]}
        assert refused(record, "no enclosure of zoo")

    def test_where_a_side_has_no_value_nothing_is_refuted(self):
        relation = sp.Gt(x + 1 / x, 1 / x, evaluate=False)
        record = self.forged(relation, {x: (0, 1)}, {}) | {"verdict": "refuted", "point": [[sp.srepr(x), "0"]]}
        assert refused(record, "no enclosure of zoo")

    def test_integers_are_refuted_at_integers(self):
        k = sp.Symbol("k", integer=True)
        record = self.forged((2 * k - 1) ** 2 > 0, {k: (0, 1)}, {})
        assert refused(record | {"verdict": "refuted", "point": [[sp.srepr(k), "1/2"]]}, "must be an integer")

    def test_a_renamed_function_is_not_an_integer(self):
        """Sympy knows that sin(pi u) vanishes at integers u; a record may not call exp(x) one."""
        u = sp.Symbol("u", integer=True)
        rows = [[sp.srepr(u), sp.srepr(sp.exp(x)), "0", "10", False]]
        step = {"by": "rename", "rows": rows, "expression": sp.srepr(u), "proof": {"by": "interval"}}
        assert refused(self.forged(sp.exp(x) >= 0, {x: (0, 2)}, step), "range")

    def test_text_is_never_evaluated(self, tmp_path):
        """Sympy runs a string as code where it expects an expression."""
        target = tmp_path / "written"
        code = f"__import__('pathlib').Path({str(target)!r}).write_text('x')"
        for text in (f"GreaterThan(sin({code!r}), Integer(0))", f"GreaterThan(Symbol('x'), {code!r})"):
            assert refused(self.forged(x > 0, {x: (1, 2)}, {"by": "interval"}) | {"relation": text}, "text")
        assert not target.exists()

    def test_what_is_too_deep_to_read_is_refused(self):
        record = self.forged(x > -1, {x: (0, 2)}, {"by": "interval"})
        assert refused(record | {"relation": "-" * 5000 + "x"}, "malformed")
        step = {"by": "interval"}
        for _ in range(5000):
            step = {"by": "split", "below": step}
        with pytest.raises(InvalidRecord, match="malformed"):
            replay(record | {"proof": step})

    @pytest.mark.parametrize("record", [None, [], {}, {"digest": ""}, "proved", {1: 2, "x": 3}])
    def test_what_is_no_record_is_refused(self, record):
        with pytest.raises(InvalidRecord):
            replay(record)

    @pytest.mark.parametrize("text", ["lambdify(1)", "__import__('os')", "Symbol", "x", "Symbol('x'", "evalf", ""])
    def test_expressions_are_data(self, text):
        record = self.forged(x > 0, {x: (1, 2)}, {"by": "interval"})
        assert refused(record | {"relation": text})

    @settings(deadline=None, derandomize=True, max_examples=40)
    @given(st.data())
    def test_random_edits_of_a_proof_of_a_false_statement(self, data):
        """The tree proving x^4 - x^2 y + y^2 + 1/100 > 0 is of no use for the same with -1/100, whatever is edited."""
        record = record_of("bumps")
        relation, _, _ = STATEMENTS["bumps"]
        record["relation"] = sp.srepr(relation.func(relation.lhs - sp.Rational(1, 50), 0))
        found = list(nodes(record["proof"]))
        node = data.draw(st.sampled_from(found))
        node["by"] = data.draw(st.sampled_from(["interval", "mean", "shift", "split", "infeasible"]))
        assert refused(record)
