"""Records of statements over a length: what the checker must follow, and what it must refuse."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.forging import forged, resealed
from theory.checker.replay import InvalidRecord, replay

Record = dict[str, Any]
RECORDS: dict[str, Record] = json.loads(Path(__file__).with_name("length_records.json").read_text(encoding="utf-8"))
PROVED = sorted(name for name, record in RECORDS.items() if record["verdict"] == "proved")
N, AT, X = "Symbol('n', integer=True, positive=True)", "Symbol('i', integer=True)", "Symbol('x', real=True)"
S, C, R = (f"Symbol('{name}', real=True)" for name in ("S1", "c", "R1"))
ONE, ZERO = "Integer(1)", "Integer(0)"
PIECES = f"Piecewise(ExprCondPair({ONE}, StrictGreaterThan({N}, {ZERO})))"
BY = {"proof": {"by": "interval"}}


def changed(record: Record, change: Callable[[Record], Any]) -> Record:
    """A record with a change, sealed again."""
    made = copy.deepcopy(record)
    change(made)
    return resealed(made)


def refused(record: Record) -> str:
    with pytest.raises(InvalidRecord) as caught:
        replay(record)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", RECORDS)
def test_what_was_shown_replays(name: str) -> None:
    assert replay(RECORDS[name]) == RECORDS[name]["verdict"]


# Each change makes the statement false: the proof that it held must not serve it.
FALSE = {
    "entropy": [
        lambda r: r.update(given=[]),
        lambda r: r.update(relation=r["relation"].replace("LessThan", "StrictLessThan", 1)),
        lambda r: r["totals"][0].__setitem__(2, f"Mul(Integer(2), {r['totals'][0][2]})"),
    ],
    "triangle": [
        lambda r: r.update(relation=r["relation"].replace("LessThan", "GreaterThan", 1)),
        lambda r: r["totals"][1].__setitem__(1, "max"),
        lambda r: r["totals"][1].__setitem__(2, f"Mul(Rational(1, 2), {r['totals'][1][2]})"),
    ],
    "means": [
        lambda r: r.update(relation=r["relation"].replace(N, f"Add({N}, Integer(-1))")),
        lambda r: r["totals"][1].__setitem__(2, X),
    ],
    "cauchy": [
        lambda r: r["totals"][0].__setitem__(2, f"Add({ONE}, {r['totals'][0][2]})"),
        lambda r: r["totals"][2].__setitem__(2, r["totals"][1][2]),
        lambda r: r["totals"][1].__setitem__(1, "max"),
    ],
    "bernoulli": [
        lambda r: r["entries"].__setitem__(0, [r["entries"][0][0], "0", "4"]),
        lambda r: r["totals"][1].__setitem__(1, "max"),
    ],
    "gauss": [
        lambda r: r["totals"][0].__setitem__(3, 0) or r["totals"][0].__setitem__(2, f"Add({ONE}, {AT})"),
        lambda r: r["totals"][0].__setitem__(2, f"Pow({AT}, Integer(2))"),
        lambda r: r["totals"][0].__setitem__(3, 2),
    ],
    "bounded": [
        lambda r: r.update(each=[]),
        lambda r: r["totals"][0].__setitem__(1, "sum"),
    ],
    "squares": [
        lambda r: r["entries"].__setitem__(0, [r["entries"][0][0], "0", "2"]),
        lambda r: r["totals"][0].__setitem__(2, f"Add({ONE}, {r['totals'][0][2]})"),
    ],
    "largest": [
        lambda r: r["totals"][1].__setitem__(1, "min"),
        lambda r: r["totals"][0].__setitem__(2, f"Add({ONE}, {r['totals'][0][2]})"),
    ],
    "square of a sum": [
        lambda r: r["running"].__setitem__(0, [r["running"][0][0], 1]),
        lambda r: r.update(relation=r["relation"].replace("Integer(2)", "Integer(3)")),
        lambda r: r["totals"][2].__setitem__(2, r["totals"][1][2]),
    ],
    "all subsets": [
        lambda r: r["totals"][0].__setitem__(3, 1),
        lambda r: r["totals"][0].__setitem__(2, f"Mul(Integer(2), {r['totals'][0][2]})"),
        lambda r: r["steps"][-1].update(exact=False),
        lambda r: r["steps"][-1].update(base="Integer(2)"),
    ],
    "roots": [
        lambda r: r["totals"][0].__setitem__(2, f"Mul(Rational(1, 2), {r['totals'][0][2]})"),
        lambda r: r["totals"][0].__setitem__(3, 2),
        lambda r: r.update(relation=r["relation"].replace("GreaterThan", "StrictGreaterThan", 1).replace(
            "Integer(-2)", "Integer(-1)")),
    ],
    "hoelder": [
        lambda r: r["totals"][0].__setitem__(2, f"Add({ONE}, {r['totals'][0][2]})"),
        lambda r: r["totals"][1].__setitem__(1, "max"),
        lambda r: next(s for s in r["steps"] if s["by"] == "holder").update(power="Rational(1, 2)"),
        lambda r: next(s for s in r["steps"] if s["by"] == "holder").update(power="Integer(2)"),
    ],
    "softmax": [
        lambda r: r.update(relation=r["relation"].replace("LessThan", "GreaterThan", 1)),
        lambda r: r["totals"][0].__setitem__(2, f"Mul(Integer(-1), {r['totals'][0][2]})"),
        lambda r: r["totals"][0].__setitem__(1, "min"),
        lambda r: r.update(steps=[s for s in r["steps"] if s["by"] != "member"]),
    ],
    "from two": [
        lambda r: r["box"].__setitem__(0, [r["box"][0][0], "1", "oo"]),
        lambda r: r["totals"][0].__setitem__(1, "max"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "place"), [(name, k) for name, changes in FALSE.items() for k in range(len(changes))])
def test_a_proof_does_not_serve_a_false_statement_beside_it(name: str, place: int) -> None:
    made = changed(RECORDS[name], FALSE[name][place])
    assert made != RECORDS[name]
    refused(made)


@pytest.mark.parametrize("name", PROVED)
def test_no_step_can_be_left_out(name: str) -> None:
    for place in range(len(RECORDS[name]["steps"])):
        made = changed(RECORDS[name], lambda r, at=place: r["steps"].pop(at))
        try:
            assert replay(made) == "proved"  # a fact that the last step did not need
        except InvalidRecord:
            continue
    refused(changed(RECORDS[name], lambda r: r.update(steps=[])))


@pytest.mark.parametrize("name", RECORDS)
def test_forged_records_say_nothing_else(name: str) -> None:
    generator = random.Random(20221109)
    for _ in range(8):
        made = forged(RECORDS[name], generator)
        same = all(made.get(key) == RECORDS[name].get(key) for key in _STATEMENT)
        try:
            said = replay(made)
        except InvalidRecord:
            continue
        assert not same or said == RECORDS[name]["verdict"]


_STATEMENT = ("length", "index", "entries", "each", "totals", "relation", "box", "given")


def growing(**changes: Any) -> Record:
    """The sum of n ones is at least 1, by induction: hand-made, so that its parts can be exchanged."""
    claim = f"GreaterThan({S}, {ONE})"
    step = {"by": "induction", "totals": [0], "claims": [claim], "start": [BY], "steps": [_given_and_one()]}
    return resealed({
        "length": N, "index": AT, "entries": [], "each": [], "totals": [[S, "sum", ONE, 1]], "relation": claim,
        "box": [[N, "1", "oo"]], "given": [], "verdict": "proved", "steps": [step], "last": _given(),
    } | changes)  # fmt: skip


def _given() -> Record:
    return {"proof": {"by": "combine", "terms": [[[0], ONE, None]], "rest": ZERO, "proof": {"by": "zero"}}}


def _given_and_one() -> Record:
    return {"proof": {"by": "combine", "terms": [[[0], ONE, None]], "rest": ONE, "proof": {"by": "interval"}}}


def step_of(**changes: Any) -> list[Record]:
    return [growing()["steps"][0] | changes]


@pytest.mark.parametrize(
    "changes",
    [{}, {"box": [[N, "8", "oo"]]}, {"totals": [[S, "sum", ONE, -8]]}],
)
def test_the_hand_made_record_replays(changes: Record) -> None:
    assert replay(growing(**changes)) == "proved"


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"totals": [[S.replace("real", "positive"), "sum", ONE, 1]]}, "more than to be real"),
        ({"totals": [[S, "mean", ONE, 1]]}, "unknown kind"),
        ({"totals": [[S, "sum", ONE, 9]]}, "begin after its end"),
        ({"totals": [[S, "sum", C, 1]]}, "no row"),
        ({"totals": [[S, "sum", S, 1]]}, "no row"),
        ({"totals": [[S, "sum", ONE, True]]}, "begin after its end"),
        ({"totals": []}, "no short list"),
        ({"totals": [[S, "sum", ONE, 1], [S, "sum", ONE, 1]]}, "two symbols of one name"),
        ({"totals": [[S, "sum", f"Piecewise(ExprCondPair({ONE}, StrictGreaterThan({AT}, {ZERO})))", 1]]}, "Piecewise"),
        ({"length": AT}, "no whole number of the box"),
        ({"index": "Symbol('i', integer=True, positive=True)"}, "more than to be whole"),
        ({"box": [[N, "65", "oo"]]}, "least length"),
        ({"entries": [[X, "0", "1"], [X, "0", "1"]]}, "two rows"),
        ({"each": [f"LessThan({X}, {ONE})"]}, "no row"),
        ({"relation": f"GreaterThan({S}, {PIECES})"}, "Piecewise"),
        ({"steps": []}, "have values"),
        ({"steps": step_of(by="magic")}, "unknown kind"),
        ({"steps": step_of(totals=[1])}, "a place that no total has"),
        ({"steps": step_of(totals=[0, 0])}, "one twice"),
        ({"steps": step_of(totals=[True])}, "a place that no total has"),
        ({"steps": step_of(claims=[f"GreaterThan({N}, {ONE})"])}, "nothing is claimed"),
        ({"steps": step_of(claims=[f"GreaterThan({S}, {N})"])}, ""),
        ({"steps": step_of(start=[])}, "not one proof"),
        ({"steps": step_of(steps=[{"proof": {"by": "zero"}}])}, ""),
        ({"last": {"squared": [BY]}}, "not one proof"),
        ({"last": []}, "no object"),
        ({"verdict": "true", "at": {}}, "unknown verdict"),
        ({"more": 1}, "unknown or missing keys"),
        ({"given": [f"GreaterThan({C}, {ZERO})"]}, "no row"),
        ({"box": [[N, "1/2", "3/4"]]}, "least length"),
        ({"totals": [[S, "sum", ONE, 3]]}, "begin after its end"),
        ({"totals": [[S, "sum", ONE, -65]]}, "begin after its end"),
        ({"totals": [[S, "max", ONE, 2]]}, "of nothing"),
        ({"totals": [[S, "sum", ONE, 1, 1]]}, "four entries"),
        ({"totals": [[S, "sum", ONE]]}, "four entries"),
        ({"totals": [[S, "sum", X, 0]], "entries": [[X, "0", "1"]]}, "does not begin at 1"),
        ({"totals": [[S, "sum", X, 2]], "entries": [[X, "0", "1"]]}, "does not begin at 1"),
        ({"totals": [[S, "sum", ONE, 2], [C, "sum", R, 1]], "running": [[R, 0]]}, "no row"),
        ({"running": [[R, 0, 0]]}, "no symbol with a place"),
        ({"steps": step_of(more=1)}, "unknown or missing keys"),
        ({"steps": step_of(claims=[f"GreaterThan({S}, {PIECES})"])}, "Piecewise"),
        ({"last": {"squared": [BY, BY], "more": 1}}, "no object"),
    ],
)  # fmt: skip
def test_malformed_records_are_refused(changes: Record, word: str) -> None:
    assert word in refused(growing(**changes))


def test_an_even_length_has_no_next_one() -> None:
    even = "Symbol('n', even=True, positive=True)"
    made = json.loads(json.dumps(growing()).replace(N, even))
    made["box"] = [[even, "2", "oo"]]
    assert "more than that" in refused(resealed(made))


def walking(**changes: Any) -> Record:
    """The sum of n ones is at least 1, from place to place, with the claim before taken off."""
    claim = f"GreaterThan({S}, {ONE})"
    taken = {"taken": [[0, ONE, None]], "kept": [], "left": BY}
    step = {"by": "walk", "totals": [0], "from": 1, "claims": [claim], "start": [BY], "steps": [taken]}
    return growing(steps=[step | changes])


def taking(**changes: Any) -> Record:
    """The same, with another way to take the claim off."""
    taken = {"taken": [[0, ONE, None]], "kept": [], "left": BY} | changes
    return walking(steps=[taken])


def test_the_walking_record_replays() -> None:
    assert replay(walking()) == "proved"
    # what is kept stands behind i + 1 <= n
    left = {"proof": {"by": "combine", "terms": [[[1], ONE, None]], "rest": ONE, "proof": {"by": "interval"}}}
    assert replay(taking(taken=[], kept=[0], left=left)) == "proved"
    refused(taking(taken=[], left=left))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"from": 0}, ""),
        ({"from": 2}, "no first term"),
        ({"from": -1}, "a place to begin from"),
        ({"from": True}, "a place to begin from"),
        ({"totals": []}, "no totals"),
        ({"totals": [0, 0]}, "one twice"),
        ({"claims": [f"GreaterThan({N}, {ONE})"]}, "nothing is claimed"),
        ({"claims": [f"GreaterThan({S}, {AT})", f"LessThan({S}, {ONE})"], "start": [BY, BY]}, ""),
        ({"claims": [f"GreaterThan({S}, {C})"]}, "no row"),
        ({"claims": [f"GreaterThan({S}, {PIECES})"]}, "pieces"),
        ({"claims": [f"GreaterThan({S}, Integer(2))"]}, ""),
        ({"steps": []}, "not one proof"),
        ({"start": []}, "not one proof"),
    ],
)
def test_a_walk_that_is_none_is_refused(changes: Record, word: str) -> None:
    assert word in refused(walking(**changes))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"taken": []}, ""),
        ({"taken": [[0, "Integer(2)", None]]}, ""),
        ({"taken": [[0, "Integer(-1)", BY]]}, ""),
        ({"taken": [[0, "Integer(0)", None]]}, ""),
        ({"taken": [[0, "Integer(-1)", None]]}, "no object"),
        ({"taken": [[1, ONE, None]]}, "a place that no condition has"),
        ({"taken": [[True, ONE, None]]}, "a place that no condition has"),
        ({"taken": [[0, ONE]]}, "no row of three"),
        ({"taken": [[0, C, BY]]}, "a weight of no row"),
        ({"kept": [3]}, "a place that no condition has"),
        ({"more": 1}, "unknown or missing keys"),
    ],
)
def test_what_cannot_be_taken_off_is_refused(changes: Record, word: str) -> None:
    assert word in refused(taking(**changes))


def test_a_strict_claim_stays_strict() -> None:
    """S > 0 at one place gives S + 0 > 0 at the next; S >= 0 does not."""
    zero = [[S, "sum", ZERO, 1]]
    strict, weak = f"StrictGreaterThan({S}, Integer(-1))", f"GreaterThan({S}, Integer(-1))"
    same = {"taken": [[0, ONE, None]], "kept": [], "left": BY}
    rows = {"by": "walk", "totals": [0], "from": 1, "start": [BY], "steps": [same]}
    assert replay(growing(totals=zero, relation=strict, steps=[rows | {"claims": [strict]}])) == "proved"
    from_weak = rows | {"claims": [strict, weak], "start": [BY, BY]}
    other = {"taken": [[1, ONE, None]], "kept": [], "left": BY}
    assert replay(growing(totals=zero, relation=strict, steps=[from_weak | {"steps": [same, other]}])) == "proved"
    refused(growing(totals=zero, relation=strict, steps=[from_weak | {"steps": [other, other]}]))


def test_an_equation_does_not_follow_from_a_bound() -> None:
    """S >= 1 says nothing of S = 1, which is false for n = 2."""
    bound, same = f"GreaterThan({S}, {ONE})", f"Equality({S}, {ONE})"
    taken = {"taken": [[0, ONE, None]], "kept": [], "left": {"proof": {"by": "identity"}}}
    assert replay(growing(relation=bound, last=taken | {"left": BY})) == "proved"
    assert "an equation by what is none" in refused(growing(relation=same, last=taken))


def test_where_there_is_no_term_nothing_has_a_value_by_itself() -> None:
    """The sum of n ones is at least n min(1, 1 + log n), which has no value at n = 0: as a condition it hid that n."""
    zero_on = "Symbol('n', integer=True, nonnegative=True)"
    least = f"Min({ONE}, Add({ONE}, log({zero_on})))"
    rest = f"Add(Mul({zero_on}, {least}), Integer(-1))"
    above = {"by": "combine", "terms": [[[0], ONE, None]], "rest": rest, "proof": {"by": "interval"}}
    beyond = {"by": "split", "symbol": zero_on, "at": "0", "below": {"by": "empty"}, "above": above}
    narrow = {"by": "narrow", "given": 1, "symbol": zero_on, "proof": beyond}
    proof = {"by": "derive", "fact": zero_on, "strict": True, "show": {"by": "domain", "given": 0}, "proof": narrow}
    slack = "Symbol('t', real=True)"
    lowered = {"by": "lower", "given": 0, "symbol": zero_on, "new": slack, "replacement": f"Add({slack}, {AT})"}
    defined = [{"of": zero_on, "strict": True, "proof": lowered | {"proof": {"by": "interval"}}}]
    step = {"by": "termwise", "weights": [[0, "Integer(-1)"]], "rest": f"Mul(Integer(-1), {least})"}
    made = growing(
        length=zero_on,
        box=[[zero_on, "0", "oo"]],
        steps=[step | {"proof": BY | {"defined": defined}}],
        last={"proof": proof},
    )
    assert "may have no value where there is no term" in refused(made)


def test_a_sum_so_far_is_that_of_a_total_above() -> None:
    r = "Symbol('R1', real=True)"
    for running, word in (
        ([[r, 1]], "a place that no total has"), ([[r, 0], [r, 0]], "two rows"), ([[S, 0]], "two symbols of one name"),
        ([[r.replace("real", "positive"), 0]], "more than to be real"), ([[r, True]], "no symbol with a place"),
    ):  # fmt: skip
        assert word in refused(resealed(growing() | {"running": running}))
    own = growing(totals=[[S, "sum", r, 1]])
    assert "no row" in refused(resealed(own | {"running": [[r, 0]]}))


def test_what_is_given_of_n_is_not_given_on_the_way() -> None:
    """S >= 5 is false for n < 5; with n >= 5 given the step would hold, and the start would be about no point."""
    claim = f"GreaterThan({S}, Integer(5))"
    given = [f"GreaterThan({N}, Integer(5))"]
    vacuous = {"vacuous": {"by": "combine", "terms": [[[0], ONE, None]], "rest": ONE, "proof": {"by": "interval"}}}
    refused(growing(relation=claim, given=given, steps=step_of(claims=[claim], start=[vacuous])))


def test_terms_that_depend_on_n_have_no_induction() -> None:
    assert "depend on n" in refused(growing(totals=[[S, "sum", N, 1]]))


def test_a_total_whose_terms_have_no_value_is_not_proved() -> None:
    """The sum of 1/(i - 1) has no value at i = 1."""
    body = f"Pow(Add({AT}, Integer(-1)), Integer(-1))"
    refused(growing(totals=[[S, "sum", body, 1]]))


def test_a_claim_by_cases_may_say_nothing_of_its_total() -> None:
    """The sum of 1/(i - 1) has no value. It stands in a case of the claim that never holds."""
    never, body = f"StrictLessThan({N}, {ZERO})", f"Pow(Add({AT}, Integer(-1)), Integer(-1))"
    cases = f"Piecewise(ExprCondPair({S}, {never}), ExprCondPair({ONE}, true))"
    parts = {"pieces": {"of": never, "defined": [], "parts": [{"vacuous": {"by": "infeasible", "given": 0}}, BY]}}
    later = {"pieces": {"of": never, "defined": [], "parts": [{"vacuous": {"by": "infeasible", "given": 2}}, BY]}}
    claim = f"GreaterThan({cases}, {ZERO})"
    step = {"by": "walk", "totals": [0], "from": 1, "claims": [claim], "start": [parts], "steps": [later]}
    nought = f"GreaterThan(Mul({ZERO}, {S}), {ZERO})"
    made = growing(totals=[[S, "sum", body, 1]], relation=nought, steps=[step], last=BY)
    assert "a claim has pieces" in refused(made)


def test_the_greatest_of_nothing_is_bounded_by_nothing() -> None:
    for first, said in ((1, "proved"), (2, "of nothing")):
        made = growing(
            totals=[[S, "max", ONE, first]], relation=f"LessThan({S}, {ONE})", last=_given(),
            steps=[{"by": "extreme", "total": 0, "rest": ONE, "proof": BY}],
        )  # fmt: skip
        assert said in (replay(made) if first == 1 else refused(made))


def test_an_entry_cannot_pass_for_another_symbol() -> None:
    """At the least n entries are named x[1], x[2]; no symbol of the box may have such a name."""
    name = "Symbol('x[1]', real=True)"
    made = changed(RECORDS["triangle"], lambda r: r["box"].append([name, "0", "1"]))
    assert "an entry's name" in refused(made)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["at"].update(entries=[]),
        lambda r: r["at"]["entries"][0][1].append("1"),
        lambda r: r["at"]["entries"][0].__setitem__(1, ["1", "-1"]),
        lambda r: r["at"]["entries"][0].__setitem__(1, ["1", "1/0"]),
        lambda r: r["at"]["point"].pop(),
        lambda r: r["at"]["point"].__setitem__(0, [r["at"]["point"][0][0], "1"]),
        lambda r: r["at"]["point"].__setitem__(0, [r["at"]["point"][0][0], "100000"]),
        lambda r: r["each"].append(f"GreaterThan({X}, Integer(7))"),
    ],
)
def test_a_counterexample_that_is_none_is_refused(change: Callable[[Record], Any]) -> None:
    refused(changed(RECORDS["refuted"], change))


def refuting(at: Any = None, **changes: Any) -> Record:
    """Of x in [0, 3] with i x <= 2 the sum may be more than 1: at 2, 0 and 2/3."""
    found = {"point": [[N, "3"]], "entries": [[X, ["2", "0", "2/3"]]]}
    return resealed({
        "length": N, "index": AT, "entries": [[X, "0", "3"]], "each": [f"LessThan(Mul({AT}, {X}), Integer(2))"],
        "totals": [[S, "sum", X, 1]], "relation": f"LessThan({S}, {ONE})", "box": [[N, "1", "oo"]], "given": [],
        "verdict": "refuted", "at": found | at if isinstance(at, dict) else at or found,
    } | changes)  # fmt: skip


def entries(*values: str) -> Record:
    return {"entries": [[X, list(values)]]}


@pytest.mark.parametrize(
    ("at", "changes"),
    [
        (None, {}),
        (entries("3", "0", "0"), {"each": []}),
        ({"point": [[N, "200"]], "entries": []},
         {"each": [], "entries": [], "totals": [[S, "sum", ONE, 1]], "relation": f"LessThan({S}, Integer(199))"}),
    ],
)  # fmt: skip
def test_a_counterexample_refutes(at: Any, changes: Record) -> None:
    assert replay(refuting(at, **changes)) == "refuted"


WHOLE = "Symbol('x', integer=True)"


@pytest.mark.parametrize(
    ("at", "changes", "word"),
    [
        ({"more": 1}, {}, "at: unknown or missing keys"),
        (["point", "entries"], {}, "at: unknown or missing keys"),
        ({"point": [[N, "2001"]], "entries": []},
         {"each": [], "entries": [], "totals": [[S, "sum", ONE, 1]]}, "more than 2000"),
        (entries("3", "0", "2/3"), {}, "as they must be"),
        (entries("2", "0", "1"), {}, "as they must be"),
        (entries("4", "0", "0"), {"each": []}, "outside its range"),
        (entries("3", "0", "-1"), {"each": []}, "outside its range"),
        ({"entries": [[WHOLE, ["3", "0", "1/2"]]]},
         {"each": [], "entries": [[WHOLE, "0", "3"]], "totals": [[S, "sum", WHOLE, 1]]}, "outside its range"),
        ({"entries": [[X, ["2", "0", "2/3"], 1]]}, {}, "no pair with a list"),
        ({"entries": [[X, {"2": 0, "0": 0, "2/3": 0}]]}, {}, "no pair with a list"),
        ({"entries": [[X, ["2", "0", "2/3"]]] * 2}, {}, "not one list for each"),
        ({"entries": {X: ["2", "0", "2/3"]}}, {}, "not one list for each"),
        ({"entries": [[C, ["2", "0", "2/3"]]]}, {}, "not 3 numbers"),
        (entries("2", "0"), {}, "not 3 numbers"),
        (entries("0", "0", "2/3"), {}, "the relation holds"),
    ],
)  # fmt: skip
def test_what_refutes_nothing_says_so(at: Any, changes: Record, word: str) -> None:
    assert word in refused(refuting(at, **changes))
