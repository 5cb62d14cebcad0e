"""The checker: it accepts what certify writes and refuses what was changed, sealed again or not."""

import ast
import copy
import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import theory.checker
from benchmarks.forging import resealed
from theory.checker.parser import read_symbol
from theory.checker.replay import InvalidRecord, replay
from theory.prover.certify import Proved, Refuted, certify

x, y = sp.symbols("x y", real=True)
HALF = sp.Rational(1, 2)
beta, gamma, rho = sp.symbols("beta gamma rho", real=True)
C, D = sp.symbols("C D", positive=True)
TOTAL = sp.exp(beta) + (C - 1) * sp.exp(gamma) + (D - C) * sp.exp(rho)
BOX = {beta: (-5, 5), gamma: (-5, 5), rho: (-5, 5), C: (2, 64), D: (64, sp.oo)}
WIDE = BOX | {D: (4, sp.oo)}

STATEMENTS = {
    "interval": (x * (1 - x) >= 0, {x: (0, 1)}, ()),
    "split": (x**2 - x + sp.cos(x) > 0, {x: (-1, 2)}, ()),
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


def entry(c, box, hypotheses=()):
    """The entry of a record that shows c > 0."""
    answer = certify(c > 0, box, hypotheses, budget_s=20)
    assert isinstance(answer, Proved), answer
    return {"of": sp.srepr(c), "strict": True, "proof": answer.record["proof"]}


def record_of(name):
    return json.loads(written(name))


def nodes(proof):
    """Every proof node of a tree."""
    yield proof
    for value in proof.values():
        children = value if isinstance(value, list) else [value]
        for child in children:
            for part in child if isinstance(child, list) else [child]:
                if isinstance(part, dict):
                    yield from nodes(part)


def imports(path):
    """Modules that a file imports, at any depth."""
    tree = ast.parse(path.read_text())
    found = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return found | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


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
        shown = "proved" if name in STATEMENTS else "refuted"
        assert replay(record) == shown
        assert replay(record) == shown

    def test_every_step_is_exercised(self):
        used = {node["by"] for name in STATEMENTS for node in nodes(record_of(name)["proof"]) if "by" in node}
        steps = {"interval", "split", "monotone", "shift", "factor", "rename", "lower"}
        assert steps <= used

    def test_rests_on_the_standard_library_and_flint_alone(self):
        """No sympy, and nothing of the prover; nor does the prover import any part of the checker.

        But for what asks it: whether a record or the proof of one goal replays, what one says, and whether a step to a
        limit or a model would do.
        """
        folder = Path(theory.checker.__file__).parent
        for path in folder.rglob("*.py"):
            for module in imports(path):
                first = module.split(".")[0]
                assert first in sys.stdlib_module_names or first == "flint" or module.startswith("theory.checker"), path
        for path in [*folder.parent.glob("prover/**/*.py"), *folder.parent.glob("intervals/*.py")]:
            if path.stem not in ("certify", "existence", "records", "ends", "models", "replaying", "uniform"):
                assert not any(module.startswith("theory.checker") for module in imports(path)), path

    def test_runs_without_sympy(self):
        """In a process of its own, where importing sympy is an error."""
        code = (
            "import json, sys; sys.modules['sympy'] = None; from theory.checker.replay import replay; "
            "print(replay(json.loads(sys.stdin.read())))"
        )
        done = subprocess.run([sys.executable, "-c", code], input=written("lower"), capture_output=True, text=True)
        assert (done.stdout.strip(), done.stderr) == ("proved", "")

    def test_ordinary_proofs_are_replayed_by_the_core_alone(self):
        """What lists and chosen constants need is not even loaded; a record of theirs loads it."""
        code = (
            "import json, sys; from theory.checker.replay import InvalidRecord, replay\n"
            "def loaded():\n"
            "    rooms = 'theory.checker.lists', 'theory.checker.constants'\n"
            "    return [name for name in sys.modules if name.startswith(rooms)]\n"
            "print(replay(json.loads(sys.stdin.read())), loaded())\n"
            "import hashlib\n"
            "body = {'length': 1}; digest = hashlib.sha256(json.dumps(body).encode()).hexdigest()\n"
            "try: replay(body | {'digest': digest})\n"
            "except InvalidRecord: print('theory.checker.lists.lengths' in loaded())"
        )
        done = subprocess.run([sys.executable, "-c", code], input=written("lower"), capture_output=True, text=True)
        assert (done.stdout.splitlines(), done.stderr) == (["proved []", "True"], "")


class TestTampering:
    @pytest.mark.parametrize("name", [*STATEMENTS, *FALSE])
    def test_any_change_is_found(self, name):
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
        values[sp.srepr(D)] = "64"
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

    def against(self, relation, box, point, hypotheses=()):
        """A refutation written by hand."""
        record = self.forged(relation, box, {}, hypotheses)
        del record["proof"]
        return record | {"verdict": "refuted", "point": [[sp.srepr(s), str(value)] for s, value in point.items()]}

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
        assert refused(self.forged(-1 / x > 0, {x: (-1, 1)}, step), "undefined: nothing shows that x != 0")
        far = self.forged(sp.Abs(x) - 1 / (x**2 + 1) > -2, {x: (-1, 1)}, step)
        assert refused(far, "may be negative")

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
        assert refused(self.forged(x > 0, {x: (0, 1)}, step | {"expression": sp.srepr(1 / u)}), "range of")

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
            assert refused(self.forged(power > -HALF, box, {"by": "interval"}), "may be negative|undefined")

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
        statement = (sp.Gt(sp.Abs(x), -sp.Rational(1, 9), evaluate=False), {x: (-1, 1)})
        lowered = {
            "by": "lower", "given": 0, "symbol": sp.srepr(x), "new": "Symbol('t', real=True)", "proof": yes,
        }  # fmt: skip
        sides = [lowered | {"replacement": f"Mul(Integer({1 - 2 * side}), Symbol('t', real=True))"} for side in (0, 1)]
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
        assert refused(self.forged(sp.Heaviside(x) > 0, {x: (-1, 1)}, {"by": "mean"}), "jump")

    def test_a_logarithm_of_zero_refutes_nothing(self):
        assert refused(self.against(sp.log(x) > -1, {x: (0, 1)}, {x: 0}), "undefined")

    def test_where_a_side_has_no_value_nothing_is_refuted(self):
        relation = sp.Gt(x + 1 / x, 1 / x, evaluate=False)
        assert refused(self.against(relation, {x: (0, 1)}, {x: 0}), "undefined")

    def test_points_are_evaluated_by_walking_the_tree(self):
        """1/(1 + 1/x) is no number at 0, whatever the limit is; sympy makes it 0."""
        relation = sp.Gt(1 / (1 + 1 / x), 0, evaluate=False)
        assert refused(self.against(relation, {x: (0, 1)}, {x: 0}), "undefined")
        text = "Pow(Add(Symbol('x', real=True), Mul(Integer(-1), Symbol('x', real=True))), Integer(-1))"
        record = self.against(x < 0, {x: (0, 1)}, {x: 1})
        record["relation"] = f"GreaterThan(Mul(Integer(0), {text}), Integer(1))"
        assert refused(record, "undefined")

    def test_integers_are_refuted_at_integers(self):
        k = sp.Symbol("k", integer=True)
        relation, box = (2 * k - 1) ** 2 > 0, {k: (0, 1)}
        assert refused(self.against(relation, box, {k: HALF}), "must be as assumed")

    def test_a_renamed_function_is_not_an_integer(self):
        """Sympy knows that sin(pi u) vanishes at integers u; a record may not call exp(x) one."""
        u = sp.Symbol("u", integer=True)
        rows = [[sp.srepr(u), sp.srepr(sp.exp(x)), "0", "10", False]]
        step = {"by": "rename", "rows": rows, "expression": sp.srepr(u), "proof": {"by": "interval"}}
        assert refused(self.forged(sp.exp(x) >= 0, {x: (0, 2)}, step), "range")

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


class TestDefinedness:
    """A statement is proved only where every part of it has a value, and refuted only at such points."""

    forged = TestForgery.forged
    against = TestForgery.against

    def test_a_root_below_zero(self):
        """cos(sqrt(x)) <= 1 on [-9, 9]: neither proved (no value at -4) nor refuted there."""
        relation = sp.Le(sp.cos(sp.sqrt(x)), 1, evaluate=False)
        assert refused(self.forged(relation, {x: (-9, 9)}, {"by": "interval"}), "undefined: nothing shows that x >= 0")
        assert refused(self.against(relation, {x: (-9, 9)}, {x: -4}), "undefined")
        assert replay(resealed(self.forged(relation, {x: (0, 9)}, {"by": "interval"}))) == "proved"

    @pytest.mark.parametrize(
        ("e", "sign"),
        [
            (1 / x, "!="), (x**-2, "!="), (sp.log(x), ">"), (sp.sqrt(x), ">="), (x**sp.Rational(-1, 3), ">"),
            (sp.asin(x + 1), ">="), (sp.acos(x + 1), ">="), (x**y, ">"), (x / x**2, "!="),
        ],
    )  # fmt: skip
    def test_what_may_have_no_value_proves_nothing(self, e, sign):
        relation = (
            sp.Ge(e - e + 1, 0, evaluate=False) if False else sp.Ge(sp.Mul(0, e, evaluate=False), 0, evaluate=False)
        )
        box = {x: (-1, 1), y: (-1, 1)}
        assert refused(self.forged(relation, box, {"by": "interval"}), f"undefined: nothing shows that .* {sign} 0")

    def test_the_open_end_of_a_positive_symbol(self):
        """0 is no value of a positive symbol: 1/C is a number on all of [0, 2], and C > 0 holds there."""
        for relation in (sp.Gt(1 / C, 0, evaluate=False), sp.Gt(C, 0, evaluate=False), C + x**2 > 0):
            record = self.forged(relation, {C: (0, 2), x: (-1, 1)}, {"by": "interval"})
            assert replay(resealed(record)) == "proved"
        assert refused(self.forged(x > 0, {x: (0, 2)}, {"by": "interval"}), "may be negative")
        relation = sp.Gt(C, 0, evaluate=False)
        assert refused(self.against(relation, {C: (0, 2)}, {C: 0}), "must be as assumed")
        n = sp.Symbol("n", negative=True)
        assert replay(resealed(self.forged(sp.Lt(1 / n, 0, evaluate=False), {n: (-2, 0)}, {"by": "interval"})))

    def test_entries_discharge_what_intervals_leave_open(self):
        """TOTAL > 0 needs D >= 2 C; the record says so and proves it."""
        relation, box, hypotheses = (sp.exp(gamma) / TOTAL > 0, WIDE, (D >= 2 * C,))
        shown = entry(TOTAL, box, hypotheses)
        parts = [[sp.srepr(sp.exp(gamma)), 1, 1, {"by": "interval"}], [sp.srepr(TOTAL), -1, 1, shown["proof"]]]
        record = self.forged(relation, box, {"by": "factor", "parts": parts}, hypotheses)
        assert refused(record, "undefined: nothing shows that")
        assert replay(resealed(record | {"defined": [shown]})) == "proved"
        square = shown | {
            "of": sp.srepr(TOTAL**2),
            "proof": {"by": "factor", "parts": [[*parts[1][:1], 2, 1, shown["proof"]]]},
        }
        assert replay(resealed(record | {"defined": [square]})) == "proved"
        assert refused(record | {"defined": [shown | {"strict": False}]}, "undefined")
        assert refused(record | {"defined": [shown | {"of": sp.srepr(TOTAL + 1)}]})
        assert refused(record | {"defined": [shown | {"more": 1}]}, "keys")
        assert refused(record | {"defined": [shown], "given": []})

    def test_an_entry_with_gaps_of_its_own_is_none(self):
        """x**2/x is not negative wherever it has a value, and says nothing of x at 0."""
        relation = sp.Ge(sp.sqrt(x), 0, evaluate=False)
        record = self.forged(relation, {x: (-1, 1)}, {"by": "interval"})
        assert refused(
            record | {"defined": [{"of": "Integer(1)", "strict": True, "proof": {"by": "interval"}}]}, "undefined"
        )

    def test_contradictory_givens_prove_vacuously(self):
        record = self.forged(1 / x > 5, {x: (0, 1)}, {}, (x > 2,))
        del record["proof"]
        assert replay(resealed(record | {"vacuous": {"by": "infeasible", "given": 0}})) == "vacuous"
        assert refused(record | {"vacuous": {"by": "infeasible", "given": 0}, "given": []}, "no given")
        assert refused(record | {"vacuous": {"by": "interval"}}, "may be negative")

    def test_a_given_without_a_value_rules_a_point_out(self):
        relation, hypotheses = x > 1, (sp.Gt(1 / x, -5, evaluate=False),)
        assert refused(self.against(relation, {x: (0, 2)}, {x: 0}, hypotheses), "undefined")
        assert replay(resealed(self.against(relation, {x: (0, 2)}, {x: 1}, hypotheses))) == "refuted"


class TestHoles:
    """Records that an earlier checker believed."""

    forged = TestForgery.forged
    against = TestForgery.against

    def test_the_way_to_a_face_passes_between_integers(self):
        """1/2 - 3 k**2 + 2 k**3 has slope 0 at the integers 0 and 1, is 1/2 at 0 and -1/2 at 1."""
        k = sp.Symbol("k", integer=True)
        fall = HALF - 3 * k**2 + 2 * k**3
        point = {"by": "zero"}
        halves = {"by": "split", "symbol": sp.srepr(k), "at": "0", "below": point, "above": point}
        step = {"by": "monotone", "symbol": sp.srepr(k), "sign": 1, "slope": halves, "face": {"by": "interval"}}
        assert refused(self.forged(fall > 0, {k: (0, 1)}, step), "the pieces of a cut do not cover")

    def test_a_face_between_integers_is_not_empty(self):
        """k - 6/5 rises and its face at 1/3 holds no integer; but at 1, the least integer, it is negative."""
        k = sp.Symbol("k", integer=True)
        rises = {"by": "monotone", "symbol": sp.srepr(k), "sign": 1, "slope": {"by": "interval"}}
        box = {k: (sp.Rational(1, 3), sp.Rational(5, 3))}
        for face in ("empty", "interval"):
            assert refused(self.forged(k - sp.Rational(6, 5) > 0, box, rises | {"face": {"by": face}}))
        assert replay(resealed(self.forged(k - HALF > 0, box, rises | {"face": {"by": "interval"}}))) == "proved"

    def test_infinity_is_no_point(self):
        record = self.against(x < 10, {x: (0, sp.oo)}, {x: sp.oo})
        assert refused(record, "no rational number")

    @pytest.mark.parametrize("assumed", ["positive=True", "integer=True", "nonnegative=True, even=True", "prime=True"])
    def test_a_step_invents_no_assumption(self, assumed):
        """t stands for x - 1/2 >= 0; nothing says that it is positive, or an integer."""
        t = f"Symbol('t', {assumed})"
        step = {
            "by": "lower", "given": 0, "symbol": sp.srepr(x), "new": t,
            "replacement": f"Add({t}, Rational(1, 2))", "proof": {"by": "interval"},
        }  # fmt: skip
        assert refused(self.forged(x > HALF, {x: (0, 1)}, step, (x >= HALF,)), "lower: not what the given says")

    def test_a_positive_name_for_what_may_be_zero(self):
        u = sp.Symbol("u", positive=True)
        rows = [[sp.srepr(u), sp.srepr(x**2), "0", "1", False]]
        step = {"by": "rename", "rows": rows, "expression": sp.srepr(u), "proof": {"by": "interval"}}
        assert refused(self.forged(x**2 > 0, {x: (-1, 1)}, step), "range")
        rows[0][4] = True
        assert refused(self.forged(x**2 > 0, {x: (-1, 1)}, step), "may reach its end")

    def test_a_case_that_covers_no_point(self):
        """Where log(x) has no value neither argument of Max(log(x), 0) is the greatest."""
        m = sp.Max(sp.log(x), 0)
        step = {"by": "cases", "of": sp.srepr(m), "proofs": [{"by": "infeasible", "given": 0}] * 2}
        assert refused(self.forged(x > 0, {x: (-1, 1)}, step), "does not occur")

    @pytest.mark.parametrize(
        "rows",
        [
            [["pi", "0", "1"]],
            [["Integer(1)", "0", "1"]],
            [["Add(Symbol('x', real=True), Integer(1))", "0", "1"]],
            [[sp.srepr(x), "0", "1"], [sp.srepr(x), "0", "2"]],
            [[sp.srepr(x), "0", "1"], ["Symbol('x')", "0", "2"]],
            [[sp.srepr(x), "0", "1", "2"]],
            [[sp.srepr(x), "1", "0"]],
            [[sp.srepr(x), "oo", "oo"]],
            [[sp.srepr(x), "-oo", "-oo"]],
            [[sp.srepr(x), "nan", "1"]],
            [[sp.srepr(x), "0.5", "1"]],
            [[sp.srepr(x), 0, 1]],
            [[sp.srepr(x), "0", "1/0"]],
            [[sp.srepr(y), "0", "1"]],
            {sp.srepr(x): ["0", "1"]},
            "box",
            None,
        ],
    )
    def test_what_is_no_box(self, rows):
        record = self.forged(x > -1, {x: (0, 1)}, {"by": "interval"})
        assert replay(resealed(record)) == "proved"
        assert refused(record | {"box": rows})

    def test_two_arguments_of_a_logarithm(self):
        record = self.forged(x > -1, {x: (0, 1)}, {"by": "interval"})
        text = f"GreaterThan(log({sp.srepr(x + 2)}, Integer(2)), Integer(0))"
        assert refused(record | {"relation": text}, "log does not take 2 arguments")

    @pytest.mark.parametrize("by", ["mean", "shift", "interval", "zero", "empty"])
    def test_an_unbounded_symbol(self, by):
        """Refused or proved, with a reason of the checker's own."""
        record = self.forged(sp.Gt(x**2 + 1, 0, evaluate=False), {x: (-sp.oo, sp.oo)}, {"by": by})
        if by == "interval":
            assert replay(resealed(record)) == "proved"
        else:
            assert refused(record, "^(?!malformed)")

    def test_false_identities_beyond_the_reach_of_numbers(self):
        tiny = sp.acos(sp.Rational(7823207, 7823209))
        statement = sp.Eq(x * tiny, 0, evaluate=False)  # sympy, asked for the sign of tiny, at times contradicts itself
        assert refused(self.forged(statement, {x: (-1, 1)}, {"by": "identity"}))
        k = sp.Symbol("k", integer=True)
        record = self.forged(sp.Eq(k, k, evaluate=False), {k: (-3, 3)}, {"by": "identity"})
        assert replay(resealed(record)) == "proved"
        record["relation"] = f"Equality(binomial({sp.srepr(k)}, {sp.srepr(k - 1)}), {sp.srepr(k)})"
        assert refused(record, "undefined: nothing shows that k . 1 > 0")

    @pytest.mark.parametrize(
        "assumed",
        [
            "composite=True", "imaginary=True", "infinite=True", "irrational=True", "real=False", "finite=False",
            "zero=True", "nonzero=False", "rational=False", "algebraic=True", "positive=True, negative=True",
            "integer=False, even=True", "even=True, odd=True", "extended_positive=True", "noninteger=True",
            "positive=1", "positive=None", "positive='True'", "name='y'", "positive=True, positive=True",
        ],
    )  # fmt: skip
    def test_assumptions_outside_the_list(self, assumed):
        record = self.forged(x > -1, {x: (0, 1)}, {"by": "interval"})
        s = f"Symbol('x', {assumed})"
        assert refused(record | {"relation": f"StrictGreaterThan({s}, Integer(-1))", "box": [[s, "1", "2"]]})

    def test_a_nonzero_symbol_needs_a_box_without_zero(self):
        s = sp.Symbol("s", nonzero=True)
        assert refused(self.forged(s**2 >= 0, {s: (-1, 1)}, {"by": "interval"}), "contains 0")
        assert replay(resealed(self.forged(1 / s > 0, {s: (1, 2)}, {"by": "interval"}))) == "proved"

    def test_a_refusal_is_one_line_whatever_the_record_says(self):
        record = record_of("interval") | {"proof": {"by": "a\nb\x1b[31m\u202e"}}
        assert refused(record, r"unknown step a\?b\?\[31m\?$")

    @pytest.mark.parametrize("key", ["more", "Proof", "point", ""])
    def test_unknown_keys(self, key):
        assert refused(record_of("interval") | {key: []}, "keys")
        record = record_of("interval")
        assert refused(record | {"proof": record["proof"] | {key: 1}}, "keys")


def leaves(value, path=()):
    """The place of every text, number and truth value of a record."""
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(child, (*path, key))
    else:
        yield path


def changed(record, path, value):
    copied = copy.deepcopy(record)
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copied


class TestMutation:
    """Every field of valid records is changed: the record is refused, or what it says then is true all the same."""

    @pytest.mark.parametrize("name", [*STATEMENTS, *FALSE])
    def test_another_value(self, name):
        """What may pass is a wider box, where the statement is as true (or as false at the point) as in the old one."""
        record, passed = record_of(name), []
        paths = [path for path in leaves(record) if path != ("digest",)]
        for path in paths[:: max(1, len(paths) // 30)]:
            old = functools.reduce(lambda part, key: part[key], path, record)
            for value in (None, 1.5, [], {}, 10**12, "", "x", "oo", "Symbol('x')", True):
                if value != old or type(value) is not type(old):
                    passed += [path] if "rows" not in path and self.passes(changed(record, path, value)) else []
        assert {path[0] for path in passed} <= ({"box"} if name not in ("interval", "shift") else set()), passed

    def passes(self, record):
        try:
            replay(resealed(record))
        except InvalidRecord:
            return False
        return True

    @pytest.mark.parametrize("name", [*STATEMENTS, *FALSE])
    @pytest.mark.parametrize("key", ["relation", "box", "given", "verdict", "proof", "point"])
    def test_a_missing_field(self, name, key):
        record = record_of(name)
        if key in record:
            del record[key]
            assert refused(record)


class TestSymbolsOfOneMeaning:
    """sympy writes an equal symbol in the way of whichever was made first, so records hold both."""

    WAYS = (
        ({"prime": True}, {"prime": True, "integer": True}, {"prime": True, "positive": True}),
        ({"odd": True, "nonnegative": True}, {"odd": True, "positive": True}, {"integer": True, "even": False}),
        ({"even": True}, {"even": True, "integer": True}, {"integer": True, "odd": False}),
        ({"positive": True}, {"positive": True, "real": True}, {"nonnegative": True, "nonzero": True}),
        ({"integer": True}, {"integer": True, "real": True}, {"integer": True, "rational": True}),
        ({"real": True}, {"real": True, "finite": True}, {"real": True, "commutative": True}),
    )

    @pytest.mark.parametrize("ways", WAYS)
    def test_read_as_sympy_compares(self, ways):
        symbols = {sp.Symbol("n", **way) for way in ways}
        read = [
            read_symbol("Symbol('n', {})".format(", ".join(f"{kind}={said}" for kind, said in way.items())))
            for way in ways
        ]
        assert len(set(read)) == len(symbols)
        for way, symbol in zip(ways, read, strict=True):
            allowed = [q for q in range(-6, 7) if symbol.data.allows(fmpq(q))]
            assert allowed == [q for q in range(-6, 7) if _fits(way, q)]
            assert symbol.data.allows(fmpq(13, 2)) == (not symbol.data.is_integer)

    @pytest.mark.parametrize("ways", WAYS)
    def test_proofs_do_not_depend_on_which_came_first(self, ways):
        for way in ways:
            n = sp.Symbol("n", **way)
            assert isinstance(certify(sp.Ge(n**2 * sp.exp(n**2), 0, evaluate=False), {n: (1, 4)}), Proved)

    def test_an_odd_number_not_below_zero_is_positive(self):
        n = sp.Symbol("n", odd=True, nonnegative=True)
        assert isinstance(certify(sp.Ge(n**2, 1, evaluate=False), {n: (0, 3)}), Proved)


def _fits(assumptions, value):
    return all(getattr(sp.Integer(value), f"is_{kind}") == said for kind, said in assumptions.items())
