"""The steps on floors, signs, remainders and cases: each takes what it is for, and refuses what is just false."""

import copy
import json

import pytest
import sympy as sp

from benchmarks.forging import resealed
from tests.theory.checker.replaying import FIRST, INTERVAL, ZERO, Q, accepts, log, oo, refuses, toward, x, y
from theory.checker.replay import InvalidRecord, replay
from theory.prover.certify import Proved, certify
from theory.relations import above, at_least, at_most

k = sp.Symbol("k", integer=True)
t = sp.Symbol("t", integer=True)


def floor(e):
    return sp.floor(e, evaluate=False)


def by_values(e, *cases):
    return {"by": "floor", "of": sp.srepr(floor(e)), "cases": [list(case) for case in cases]}


def as_symbol(e, proof, *, new=t, low="-oo", high="oo"):
    return {"by": "floors", "of": sp.srepr(floor(e)), "new": sp.srepr(new), "low": low, "high": high, "proof": proof}


SLOPE = {"by": "monotone", "symbol": sp.srepr(x), "sign": 1, "slope": INTERVAL, "face": INTERVAL}


class TestFloor:
    def test_every_value_in_turn(self):
        assert accepts(by_values(x, [0, FIRST], [1, FIRST]), x - floor(x), {x: (0, Q(3, 2))})
        assert accepts(by_values(x, [-1, INTERVAL], [0, INTERVAL], [1, INTERVAL]), floor(x) + 1, {x: (-Q(1, 9), 1)})

    @pytest.mark.parametrize(
        "cases",
        [
            [[0, INTERVAL]], [[1, INTERVAL]], [[0, INTERVAL], [2, INTERVAL]], [[1, INTERVAL], [0, INTERVAL]], [],
            [[0, INTERVAL], [0, INTERVAL], [1, INTERVAL]], [[0, INTERVAL], [True, INTERVAL]], [["0", INTERVAL]],
        ],
    )  # fmt: skip
    def test_a_value_left_out_is_refused(self, cases):
        assert refuses(by_values(x, *cases), floor(x) + 9, {x: (0, Q(3, 2))})

    def test_a_closed_end_at_a_whole_number_is_a_value_of_its_own(self):
        assert refuses(by_values(x, [0, INTERVAL]), 1 - floor(x), {x: (0, 1)}, strict=True)
        last = {"by": "infeasible", "given": 0}
        assert accepts(by_values(x, [0, INTERVAL], [1, last]), 1 - floor(x), {x: (0, 1, False, True)}, strict=True)
        assert refuses(by_values(x, [0, INTERVAL], [1, last]), 1 - floor(x), {x: (0, 1)}, strict=True)

    def test_a_floor_that_does_not_occur_or_is_none_is_refused(self):
        assert refuses(by_values(y, [0, INTERVAL]), floor(x) + 1, {x: (0, 1), y: (0, Q(1, 2))})
        assert refuses(by_values(1 / x, [0, INTERVAL]), sp.S.One, {x: (2, 3)})
        step = {"by": "floor", "of": sp.srepr(x), "cases": [[0, INTERVAL]]}
        assert refuses(step, floor(x) + 1, {x: (0, Q(1, 2))})

    @pytest.mark.parametrize(
        "step",
        [
            SLOPE, {"by": "mean"}, {"by": "taylor", "symbol": sp.srepr(x), "at": "0", "order": 2, "zeros": 0},
            toward(x, 0, 1, INTERVAL, INTERVAL), {"by": "shift"},
            {"by": "concave", "symbol": sp.srepr(x), "slope": INTERVAL, "low": INTERVAL, "high": INTERVAL,
             "loose": None},
        ],
    )  # fmt: skip
    def test_no_slope_is_taken_across_a_jump(self, step):
        assert refuses(step, x - floor(x) + 1, {x: (0, 3)})
        assert refuses(step, 2 - floor(x) / 9, {x: (0, 3)})

    def test_a_limit_of_a_floor_is_none(self):
        step = {"by": "limit", "symbol": sp.srepr(x), "to": "oo", "strict": False, "smooth": [], "slope": INTERVAL}
        assert refuses(step, floor(1 / x), {x: (1, oo)})

    def test_whole_symbols_leave_a_floor_only_where_they_are_whole(self):
        same = {"by": "zero"}
        assert accepts(same, floor(x + k) - floor(x) - k, {x: (0, 1), k: (0, 5)} | {y: (1, 1)})
        assert refuses(same, floor(x + y) - floor(x) - y, {x: (0, 1), y: (0, 5)})
        assert refuses(same, floor(x / 2 + k / 2) - floor(x / 2) - k / 2, {x: (0, 1), k: (0, 5)})


class TestFloorsAsSymbols:
    LESS, MORE = FIRST, {"by": "combine", "terms": [[[1], "Integer(1)", None]], "rest": "Integer(0)", "proof": ZERO}

    def test_the_symbol_lies_between(self):
        assert accepts(as_symbol(x, self.LESS), x - floor(x), {x: (-oo, oo)})
        assert accepts(as_symbol(x, self.MORE), floor(x) + 1 - x, {x: (-oo, oo)}, strict=True)

    def test_what_is_just_false_is_refused(self):
        assert refuses(as_symbol(x, self.LESS), x - floor(x), {x: (-oo, oo)}, strict=True)
        assert refuses(as_symbol(x, self.MORE), floor(x) + Q(999, 1000) - x, {x: (-oo, oo)}, strict=True)

    def test_a_symbol_that_is_not_new_or_not_plain_is_refused(self):
        for new in (y, x, sp.Symbol("x", integer=True), sp.Symbol("t", integer=True, positive=True),
                    sp.Symbol("t", even=True), sp.Symbol("t", real=True)):  # fmt: skip
            assert refuses(as_symbol(x, self.LESS, new=new), x - floor(x), {x: (-oo, oo)})

    def test_a_range_that_is_too_short_is_refused(self):
        assert accepts(as_symbol(x, self.LESS, low="0", high="2"), x - floor(x), {x: (0, 2)})
        assert refuses(as_symbol(x, self.LESS, low="0", high="1"), x - floor(x), {x: (0, 2)})
        assert refuses(as_symbol(x, self.LESS, low="1", high="2"), x - floor(x), {x: (0, 2)})


class TestWhole:
    def test_what_is_whole_and_above_minus_one_is_not_negative(self):
        step = {"by": "whole", "times": "1", "proof": INTERVAL}
        assert accepts(step, k, {k: (0, 5)})
        half = {"by": "whole", "times": "2", "proof": INTERVAL}
        assert accepts(half, k / 2, {k: (0, 5)})
        assert accepts(step, floor(x) + Q(0), {x: (0, 5)})

    def test_what_is_not_whole_or_asked_to_be_strict_is_refused(self):
        step = {"by": "whole", "times": "1", "proof": INTERVAL}
        assert refuses(step, k, {k: (0, 5)}, strict=True)
        assert refuses(step, x - Q(1, 2), {x: (0, 5)})
        assert refuses(step, k / 2 - Q(1, 4), {k: (0, 5)})
        assert refuses(step, 1 / k - Q(1, 2), {k: (1, 5)})
        assert refuses({"by": "whole", "times": "-1", "proof": INTERVAL}, k, {k: (0, 5)})
        assert refuses({"by": "whole", "times": "0", "proof": INTERVAL}, x - 9, {x: (0, 5)})


BY_SIGN = {"by": "sign", "of": sp.srepr(sp.sign(x)), "below": INTERVAL, "at": INTERVAL, "above": INTERVAL}


class TestSignsAndRemainders:
    def test_a_sign_has_three_values(self):
        assert accepts(BY_SIGN, sp.sign(x) ** 2 - sp.sign(x) + 1, {x: (-1, 1)})
        assert refuses(BY_SIGN, sp.sign(x) ** 2 - Q(1, 2), {x: (-1, 1)})
        assert refuses(BY_SIGN, sp.sign(y) + 1, {x: (-1, 1), y: (-1, 1)})

    def remainders(self, m, *proofs, s=k):
        return {"by": "residues", "symbol": sp.srepr(s), "modulus": m, "new": sp.srepr(t), "proofs": list(proofs)}

    def test_every_remainder_in_turn(self):
        assert accepts(
            self.remainders(2, ZERO, ZERO), floor(k**2 / 4) - (k**2 - k + 2 * floor(k / 2)) / 4, {k: (-9, 9)}
        )

    def test_a_remainder_left_out_and_a_number_that_is_not_whole_are_refused(self):
        e = k**2 - 2 * k * 3 + 9
        assert accepts(self.remainders(2, INTERVAL, INTERVAL), e + 999, {k: (-9, 9)})
        assert refuses(self.remainders(2, INTERVAL), e + 999, {k: (-9, 9)})
        assert refuses(self.remainders(1, INTERVAL), e + 999, {k: (-9, 9)})
        assert refuses(self.remainders(True, INTERVAL), e + 999, {k: (-9, 9)})
        assert refuses(self.remainders(2, INTERVAL, INTERVAL, s=x), x + 999, {x: (-9, 9)})

    def test_a_remainder_without_a_number_needs_no_proof(self):
        unread = {"by": "nothing"}
        assert accepts(self.remainders(3, unread, INTERVAL, unread), k - 3, {k: (4, 4)})
        assert refuses(self.remainders(3, INTERVAL, unread, INTERVAL), k - 3, {k: (4, 4)})


def pieces(*cases):
    return sp.Piecewise(*cases, evaluate=False)


def proved(relation, box, given=()):
    answer = certify(relation, box, given, budget_s=20)
    assert isinstance(answer, Proved), answer
    return json.loads(json.dumps(answer.record))


def refused(record, **changes):
    with pytest.raises(InvalidRecord) as caught:
        replay(resealed(record | changes))
    return str(caught.value)


@pytest.fixture(scope="module")
def record():
    return proved(at_least(pieces((x, x > 0), (0, True)), 0), {x: (-2, 3)})


class TestPieces:
    def test_one_proof_for_each_part(self, record):
        assert replay(record) == "proved"
        (first, second), of = record["pieces"]["parts"], record["pieces"]["of"]
        for parts in (
            [first],
            [second, first],
            [first, first],
            [],
            [first, second, first],
            [first, {}],
            [first, {"by": 1}],
        ):
            refused(record, pieces={"of": of, "defined": [], "parts": parts})

    def test_another_relation_decides_nothing(self, record):
        for other in (sp.Gt(x, 1, evaluate=False), sp.Ge(x, 0, evaluate=False), sp.Lt(x, 0, evaluate=False)):
            refused(record, pieces=record["pieces"] | {"of": sp.srepr(other)})
        turned = record["pieces"] | {"of": sp.srepr(sp.Lt(0, x, evaluate=False))}
        assert replay(resealed(record | {"pieces": turned})) == "proved"  # the same said from the other side

    def test_a_relation_without_a_value_is_refused(self, record):
        asked = sp.Gt(log(x), 0, evaluate=False)
        parts = [{"pieces": record["pieces"]}] * 2
        assert "undefined" in refused(record, pieces={"of": sp.srepr(asked), "defined": [], "parts": parts})

    def test_the_proof_serves_no_other_statement(self, record):
        for other in (above(pieces((x, x > 0), (0, True)), 0), at_least(pieces((x, x >= -1), (0, True)), 0),
                      at_least(pieces((0, x > 0), (x, True)), 0), at_least(pieces((x, x > 0), (0, x < 0)), 0),
                      at_least(pieces((x, x > 0)), 0)):  # fmt: skip
            refused(record, relation=sp.srepr(other))

    def test_a_choice_that_is_left_is_refused(self, record):
        whole = {key: value for key, value in record.items() if key != "pieces"}
        assert "left" in refused(whole, proof=INTERVAL)
        refused(whole, proof=INTERVAL, pieces=record["pieces"])

    def test_pieces_stand_in_no_step(self):
        fact = sp.srepr(pieces((1, x > 0), (2, True)))
        step = {"by": "derive", "fact": fact, "strict": True, "show": INTERVAL, "proof": INTERVAL}
        assert refuses(step, x + 9, {x: (-2, 3)})

    def test_what_nothing_covers_must_be_no_point(self):
        relation = at_least(pieces((x, x > 0), (0, x < 0)), 0)
        assert replay(proved(relation, {x: (-2, 3)}, (at_least(x, 1),))) == "proved"
        answer = certify(relation, {x: (-2, 3)}, budget_s=5)
        assert answer.point == {x: 0}

    def test_a_given_by_cases_counts(self):
        given = at_least(pieces((x, x > 0), (-1, True)), 1)
        record = proved(at_least(x, 1), {x: (-2, 3)}, (given,))
        weaker = sp.srepr(at_least(pieces((x, x > 0), (1, True)), 1))
        refused(record, given=[weaker])
        assert replay(proved(at_least(x, 9), {x: (-2, 3)}, (at_most(given.lhs, -2),))) == "vacuous"

    def test_a_point_is_judged_by_the_piece_that_is_taken(self):
        relation = at_most(pieces((1 / x, x > 0), (7, True)), 6)
        record = json.loads(json.dumps(certify(relation, {x: (-1, 1)}, budget_s=5).record))
        for value, shown in (("0", "refuted"), ("-1", "refuted"), ("1/9", "refuted")):
            assert replay(resealed(record | {"point": [[sp.srepr(x), value]]})) == shown
        refused(record, point=[[sp.srepr(x), "1/2"]])
        one = copy.deepcopy(record) | {"relation": sp.srepr(at_most(pieces((1, log(x) > 0), (7, True)), 6))}
        assert "undefined" in refused(one, point=[[sp.srepr(x), "-1"]])

    def test_a_given_that_no_case_covers_leaves_no_point(self):
        given = at_least(pieces((x, x > 1)), -5)
        record = proved(at_least(x, 1), {x: (-2, 3)}, (given,))
        assert replay(record) == "proved"
        assert record["pieces"]["parts"][1] == {"vacuous": {"by": "nowhere"}}
        refused(record, given=[sp.srepr(at_least(pieces((x, x > 1), (x, True)), -5))])
        bare = {key: record[key] for key in ("relation", "box", "verdict")} | {"vacuous": {"by": "nowhere"}}
        assert "nowhere" in refused(bare, given=[])
