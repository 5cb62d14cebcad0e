"""Records from anyone: nothing in them is run, everything is bounded, and each refusal is one line."""

import pytest

from benchmarks.forging import resealed
from theory.checker.limits import DEPTH, RECORD_DEPTH
from theory.checker.parser import read, read_end, read_rational
from theory.checker.replay import InvalidRecord, replay

X = "Symbol('x', real=True)"
MARK = "checker-sentinel"


def record(**changes):
    """A valid record with some fields replaced."""
    valid = {
        "relation": f"GreaterThan({X}, Integer(0))",
        "box": [[X, "1", "2"]],
        "given": [],
        "verdict": "proved",
        "proof": {"by": "interval"},
    }
    return resealed(valid | changes)


def refused(stored):
    with pytest.raises(InvalidRecord) as caught:
        replay(stored)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    return str(caught.value)


CODE = f"__import__('os').environ.__setitem__('{MARK}', 'ran')"
SPELLED = CODE.replace("'", '"')
RUN = [
    CODE, f"eval({SPELLED!r})", f"exec({SPELLED!r})", f"sympify({SPELLED!r})", f"parse_expr({SPELLED!r})",
    f"S({SPELLED!r})", f"sin({SPELLED!r})", f"sin(arg={SPELLED!r})", f"Integer({SPELLED!r})", f"Rational({SPELLED!r})",
    f"Rational('1', {SPELLED!r})", f"Float({SPELLED!r})", f"Sum(function='{SPELLED}')",
    f"Sum({X}, ({X}, 0, {SPELLED!r}))",
    f"Subs(expr='{SPELLED}')", f"Subs(expr='{SPELLED}', variables={X}, point=Integer(0))", f"Lambda({X}, '{SPELLED}')",
    f"Poly({X}, modulus='{SPELLED}')", f"Poly({X}, domain='{SPELLED}')", f"Poly('{SPELLED}', {X})",
    f"Integral(function='{SPELLED}')", f"Integral('{SPELLED}', {X})", f"Product(function='{SPELLED}')",
    f"Derivative('{SPELLED}', {X})", f"Derivative(expr='{SPELLED}')", f"Limit('{SPELLED}', {X}, Integer(0))",
    f"Limit(e='{SPELLED}')", f"Piecewise(('{SPELLED}', true))", f"Function('{SPELLED}')({X})", f"Wild({SPELLED!r})",
    f"RootOf('{SPELLED}', 0)", f"CRootOf('{SPELLED}', 0)", f"rootof('{SPELLED}', 0)", f"Matrix([['{SPELLED}']])",
    f"ImmutableDenseMatrix([['{SPELLED}']])", f"MatrixSymbol('{SPELLED}', 2, 2)", f"Tuple('{SPELLED}')",
    f"FiniteSet('{SPELLED}')", f"Interval('{SPELLED}', 1)", f"ConditionSet({X}, '{SPELLED}')", f"Order('{SPELLED}')",
    f"UnevaluatedExpr('{SPELLED}')", f"Add('{SPELLED}', {X})", f"Mul({X}, '{SPELLED}')", f"Pow({X}, '{SPELLED}')",
    f"Pow({X}, Integer(2), evaluate='{SPELLED}')", f"Max('{SPELLED}')", f"Heaviside({X}, '{SPELLED}')",
    f"Symbol('x', real='{SPELLED}')", f"Symbol('x', **'{SPELLED}')", f"Symbol('x', positive={CODE})",
    f"Dummy('u', dummy_index='{SPELLED}')", f"Symbol(name={SPELLED!r})", f"Str({SPELLED!r})", "lambdify(1)",
    f"(lambda: {CODE})()", f"[{CODE}][0]", f"f'{{{SPELLED}}}'", f"{X}.__class__", f"{X}.subs('{SPELLED}', 1)",
    f"x if {CODE} else x", f"{X} + {CODE}", f"{CODE}; {X}", f"{X}\n{CODE}", f"exp({X}, evaluate={CODE})",
    f"log({X}, '{SPELLED}')", f"plot('{SPELLED}')", f"preview('{SPELLED}')", f"init_printing('{SPELLED}')",
]  # fmt: skip
MALFORMED = [
    "", " ", "(", ")", "x", "Symbol", "Symbol(", "Symbol('x'", "Symbol('x',)", "Symbol('')", "Symbol('x' 'y')",
    "Symbol('x', real)", "Symbol('x', real=)", "Symbol('x', True)", "Symbol(x)", "Symbol()", "Symbol('x\\n')",
    "Symbol('\\x41')", "Symbol('\x1b[31m')", "Symbol('\u202e')", f"Symbol('{'x' * 5000}')", "Dummy('u')",
    "Dummy('u', dummy_index=-1)", "Symbol('x', dummy_index=3)", "Integer", "Integer()", "Integer(1", "Integer(1.5)",
    "Integer(1e9)", "Integer(--1)", "Integer(+1)", "Integer(0x10)", "Integer(1_000)", "Integer(\u0661)",
    "Integer(1, 2)",
    "Rational(1)", "Rational(1, 0)", "Rational(1, 2, 3)", "Add()", "Mul()", "Pow()", f"Pow({X})", f"Pow({X}, {X}, {X})",
    "oo", "-oo", "zoo", "nan", "I", "Add(oo, Integer(1))", "Infinity()", "true", "false", "None", "True", "E()", "pi()",
    "exp()", f"exp({X}, {X})", f"Abs({X}, {X})", f"sin({X},)", f"sin({X};)", f"sin {X}", f"sin({X}))", "Max()",
    f"Equality({X})", f"Equality({X}, {X}, {X})", f"Unequality({X}, Integer(0))", f"Not(Equality({X}, {X}))",
    f"And(Equality({X}, {X}), Equality({X}, {X}))", f"Add(Equality({X}, {X}), Integer(1))", f"GreaterThan(true, {X})",
    f"gamma({X})", f"loggamma({X})", f"binomial({X}, Integer(2))", f"floor({X}, {X})", f"Mod({X})", "\x00",
    "Float('1.0', precision=53)", "S.One", "a.b", "lambda x: x", "{}", "[]", "'x'", "1", "1/2", "x = 1", "#", "\\",
]  # fmt: skip
GIANT = [
    "Pow(Integer(10), Pow(Integer(10), Integer(9)))", "Pow(Integer(10), Integer(1000000000))",
    "gamma(Integer(10000000))", "Float('1e999999999')", "1e999999999", f"Integer({'9' * 5000})",
    f"Integer({'9' * 300000})", f"Rational(1, {'9' * 9000})", "Pow(Integer(2), Rational(1, 100000000000))",
    f"Pow({X}, Integer({10**9}))", f"Pow({X}, Integer(-{10**30}))", f"Pow(Add({X}, Integer(1)), Integer(10000000))",
    "Pow(Pow(Pow(Integer(10), Integer(100000)), Integer(100000)), Integer(100000))",
    "Mul(" + ", ".join(["Pow(Integer(7), Integer(60000))"] * 60) + ")",
    "Add(" + "Integer(1), " * 60000 + "Integer(1))",
    "sin(" * 5000 + X + ")" * 5000, "sin(" * (DEPTH + 1) + X + ")" * (DEPTH + 1), "(" * 100000, "-" * 100000 + "x",
    "Max(" + ", ".join([X] * 100) + ")", "Symbol('x', " + "real=True, " * 100 + "real=True)", "A" * 1_000_000,
]  # fmt: skip


@pytest.fixture(autouse=True)
def sentinel(monkeypatch):
    """Whatever a text does, the mark of code that ran must not appear."""
    monkeypatch.delenv(MARK, raising=False)
    yield
    import os

    assert MARK not in os.environ


@pytest.mark.parametrize("text", RUN, ids=range(len(RUN)))
@pytest.mark.parametrize("place", ["whole", "side", "inside", "given", "box", "point", "of", "part", "defined"])
def test_no_text_is_run(text, place):
    side = f"GreaterThan({text}, Integer(0))"
    step = {"by": "factor", "parts": [[text, 1, 1, {"by": "interval"}]]}
    changes = {
        "whole": {"relation": text},
        "side": {"relation": side},
        "inside": {"relation": f"GreaterThan(Add({X}, sin({text})), Integer(0))"},
        "given": {"given": [side]},
        "box": {"box": [[text, "0", "1"], [X, "0", text]]},
        "point": {"verdict": "refuted", "point": [[X, text]]},
        "of": {"proof": {"by": "cases", "of": text, "proofs": []}},
        "part": {"proof": step},
        "defined": {"defined": [{"of": text, "strict": True, "proof": {"by": "interval"}}]},
    }[place]
    refused(record(**changes))


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_outside_the_grammar_is_refused(text):
    refused(record(relation=f"GreaterThan({text}, Integer(0))"))
    refused(record(relation=text) if text not in ("true",) else record(relation=text, given=[text, "x"]))
    refused(record(given=[text] if text not in ("true", "false") else [f"{text}()"]))
    if text not in ("1", "1/2", "oo", "-oo"):
        refused(record(box=[[X, "0", text]]))
        with pytest.raises(InvalidRecord):
            read_end(text)


@pytest.mark.parametrize("text", GIANT, ids=range(len(GIANT)))
def test_what_is_too_large_is_refused_at_once(text):
    refused(record(relation=f"GreaterThan({text}, Integer(1))", proof={"by": "zero"}))
    refused(record(relation=f"Equality({text}, Integer(1))", proof={"by": "identity"}))


@pytest.mark.parametrize(
    "text", ["9" * 5000, "1/" + "9" * 9000, "1e999999999", "10**9", "1 ", "\u0663", "0x1", "+1", "--1"]
)
def test_numbers_are_plain_and_short(text):
    with pytest.raises(InvalidRecord):
        read_rational(text)


def test_nothing_is_kept_of_what_was_refused():
    """The same text is refused again; a cache holds no half-read expression."""
    for _ in range(2):
        with pytest.raises(InvalidRecord, match="not in the list"):
            read("gamma(Integer(1))")


STRUCTURES = [
    None,
    [],
    "proved",
    7,
    1.5,
    True,
    {},
    {"digest": ""},
    {1: 2, "x": 3},
    {"digest": None},
    [record()],
    (1, 2),
    {"a": {1}},
    {"a": float("nan")},
    {"a": float("inf")},
    {"a": 10**100},
    {"a": b"x"},
    {"a": object()},
]  # fmt: skip


@pytest.mark.parametrize("stored", STRUCTURES, ids=range(len(STRUCTURES)))
def test_what_is_no_record_is_refused(stored):
    refused(stored)


@pytest.mark.parametrize("key", ["relation", "box", "given", "verdict", "proof"])
@pytest.mark.parametrize("value", [None, 7, True, "", "x", [], {}, [[]], [None], [["x"]], {"by": []}, {"by": {}}, [{}]])
def test_wrong_types(key, value):
    if (key, value) != ("given", []):
        refused(record(**{key: value}))


STEPS = [
    {"by": "split"},
    {"by": "split", "symbol": X, "at": None, "below": 1, "above": 2},
    {"by": "monotone", "symbol": X},
    {"by": "monotone", "symbol": X, "sign": True, "slope": {}, "face": {}},
    {"by": "factor", "parts": None},
    {"by": "factor", "parts": [[]]},
    {"by": "factor", "parts": [[X, 10**9, 1, None]]},
    {"by": "factor", "parts": [[X, 0, 1, None]]},
    {"by": "factor", "parts": [[X, True, 1, {"by": "interval"}]]},
    {"by": "factor", "parts": [[X, 1, True, {"by": "interval"}]]},
    {"by": "rename", "rows": 3, "expression": X, "proof": {}},
    {"by": "rename", "rows": [[X] * 5], "expression": X, "proof": {}},
    {"by": "rename", "rows": [], "expression": "Symbol('z')", "proof": {"by": "interval"}},
    {"by": "infeasible", "given": -1},
    {"by": "infeasible", "given": True},
    {"by": "infeasible", "given": "0"},
    {"by": "infeasible", "given": 10**6},
    {"by": "lower", "given": 0, "symbol": X, "new": X, "replacement": X, "proof": {}},
    {"by": "cases", "of": X, "proofs": []},
    {"by": "cases", "of": None, "proofs": None},
    {"by": "interval", "extra": 1},
    {"by": "identity"},
    {"by": "__class__"},
    {"by": "check"},
    {"by": None},
    {},
    {"by": "restate", "expression": "Integer(1)", "proof": {"by": "interval"}},
]


@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_malformed_steps(step):
    assert not refused(record(proof=step)).startswith("malformed")


def test_depth_of_a_record_is_bounded():
    step = {"by": "interval"}
    for _ in range(RECORD_DEPTH + 1):
        step = {"by": "split", "symbol": X, "at": "3/2", "below": step, "above": {"by": "interval"}}
    assert "nested deeper" in refused(record(proof=step))
    nested = []
    for _ in range(50_000):
        nested = [nested]
    assert "nested deeper" in refused({"relation": nested})


def test_a_replay_has_a_budget(monkeypatch):
    monkeypatch.setattr("theory.checker.limits.STEPS", 200)
    assert replay(record()) == "proved"
    terms = ", ".join(f"sin(Mul(Integer({n}), {X}))" for n in range(2, 300))
    assert "steps" in refused(record(relation=f"GreaterThan(Add({terms}), Integer(-400))"))


def test_every_truncation_of_a_valid_text_is_refused():
    text = f"GreaterThan(Add({X}, Mul(Rational(-1, 2), Pow({X}, Integer(2)))), Integer(-9))"
    assert replay(record(relation=text)) == "proved"
    for length in range(len(text)):
        refused(record(relation=text[:length]))
