"""Statements over a length: what is typed, what is proved, what is refuted, and what is refused in one line."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from theory.checker import statement
from theory.checker.lists import lengths
from theory.checker.replay import InvalidRecord, replay
from theory.kernel.export import NotExported, exported
from theory.prover.certify import BODY, Unknown
from theory.prover.decision import Decision
from theory.prover.lengths import question
from theory.prover.prove import prove
from theory.prover.records import sealed

LINE = "-oo:oo"
DIVERGENCE, LISTS = "sum(p[i]*log(p[i]/q[i]), i=1..n)", {"p[i]": "(0,1]", "q[i]": "(0,1]"}
BOTH = ["sum(p[i], i=1..n) = 1", "sum(q[i], i=1..n) = 1"]
TRUE = {
    "entropy": ("sum(p[i]*log(1/p[i]), i=1..n) <= log(n)", {"p[i]": "(0,1]"}, ["sum(p[i], i=1..n) = 1"]),
    "triangle": ("abs(sum(x[i], i=1..n)) <= sum(abs(x[i]), i=1..n)", {"x[i]": LINE}, []),
    "means": ("mean(x)^2 <= mean(x^2)", {"x[i]": LINE}, []),
    "cauchy": ("dot(x, y)^2 <= dot(x, x)*dot(y, y)", {"x[i]": LINE, "y[i]": LINE}, []),
    "bernoulli": ("prod(1 - p[i], i=1..n) >= 1 - sum(p[i], i=1..n)", {"p[i]": "0:1"}, []),
    "exponential": ("prod(1 + x[i], i=1..n) <= exp(sum(x[i], i=1..n))", {"x[i]": "0:oo"}, []),
    "gauss": ("sum(i, i=1..n) = n*(n + 1)/2", {}, []),
    "norms": ("norm(x, 2) <= norm(x, 1)", {"x[i]": LINE}, []),
    "largest": ("norm(x, oo) <= norm(x, 1)", {"x[i]": LINE}, []),
    "halves": ("sum(1/2^i, i=1..n) <= 1", {}, []),
    "below 2": ("sum(1/i^2, i=1..n) <= 2", {}, []),
    "roots": ("sum(1/sqrt(i), i=1..n) >= 2*sqrt(n + 1) - 2", {}, []),
    "subsets": ("sum(binomial(n, i), i=0..n) = 2^n", {}, []),
    "square": (
        "sum(x[i], i=1..n)^2 = sum(x[i]^2, i=1..n) + 2*sum(x[i]*sum(x[j], j=1..i-1), i=1..n)",
        {"x[i]": LINE},
        [],
    ),
    "softmax": ("sum(softmax(x)[i], i=1..n) = 1", {"x[i]": LINE}, []),
    "each place": ("x[k] <= max(x)", {"x[i]": LINE}, []),
    "one place": ("max(x) <= c", {"x[i]": "0:oo", "c": "0:oo"}, ["x[i] <= c"]),
    "information": (f"{DIVERGENCE} >= 0", LISTS, BOTH),
    "pinsker": (f"{DIVERGENCE} >= norm(p - q, 1)^2/2", LISTS, BOTH),
    "gibbs": (
        "logsumexp(x) >= sum(p[i]*x[i], i=1..n) + sum(p[i]*log(1/p[i]), i=1..n)",
        {"x[i]": LINE, "p[i]": "(0,1]"},
        BOTH[:1],
    ),
    "collision": ("-log(sum(p[i]^2, i=1..n)) <= sum(p[i]*log(1/p[i]), i=1..n)", {"p[i]": "(0,1]"}, BOTH[:1]),
    "scheffe": ("sum(min(p[i], q[i]), i=1..n) = 1 - norm(p - q, 1)/2", LISTS, BOTH),
    "rayleigh": ("sum(l[i]*x[i]^2, i=1..n) <= max(l)*sum(x[i]^2, i=1..n)", {"x[i]": LINE, "l[i]": LINE}, []),
    "chernoff": (
        "prod(1 + p[i]*(exp(t) - 1), i=1..n) <= exp((exp(t) - 1)*sum(p[i], i=1..n))",
        {"p[i]": "0:1", "t": LINE},
        [],
    ),
    "hadamard": ("prod(l[i], i=1..n) <= mean(l)^n", {"l[i]": "0:oo"}, []),
    "temperature": (
        "log(sum(exp(h*x[i]), i=1..n))/h <= max(x) + log(n)/h",
        {"x[i]": LINE, "h": "(0,oo)"},
        [],
    ),
    "pairs": (
        "sum(sum((x[i] - x[j])^2, j=1..n), i=1..n) = 2*n*sum(x[i]^2, i=1..n) - 2*sum(x[i], i=1..n)^2",
        {"x[i]": LINE},
        [],
    ),
    "effective rank": ("sum(l[i], i=1..n)/max(l) <= n", {"l[i]": "(0,oo)"}, []),
    "softmax mean": ("sum(x[i]*softmax(x)[i], i=1..n) <= max(x)", {"x[i]": LINE}, []),
    "chebyshev": ("sum(x[i]*exp(x[i]), i=1..n)/sum(exp(x[i]), i=1..n) >= mean(x)", {"x[i]": LINE}, []),
    "chebyshev, falling": (
        "n*sum(x[i]*exp(-x[i]), i=1..n) <= sum(x[i], i=1..n)*sum(exp(-x[i]), i=1..n)",
        {"x[i]": LINE},
        [],
    ),
    "softmax below 1": ("max(softmax(x)) <= 1", {"x[i]": LINE}, []),
    "named ends": ("sum(x[i], i=1..n) <= n*b", {"x[i]": "[a, b]", "a": LINE, "b": LINE}, []),
    "harmonic": ("sum(1/i, i=1..n) <= 1 + log(n)", {}, []),
    "least loss": ("-log(sum(exp(-h*x[i]), i=1..n)/n) <= h*min(x) + log(n)", {"x[i]": "0:oo", "h": "0:oo"}, []),
    "noise": (
        "abs(sum(p[i]*x[i], i=1..n) - c) <= t",
        {"p[i]": "(0,1]", "x[i]": LINE, "c": LINE, "t": "0:oo"},
        ["sum(p[i], i=1..n) = 1", "abs(x[i] - c) <= t"],
    ),
    "a part in n to spare": ("sum(1/i, i=1..n) >= log(n) + 1/2", {}, []),
    "geometric": ("sum(r^i, i=0..n-1) <= 1/(1 - r)", {"r": "(0,1)"}, []),
    "boosting": ("prod(sqrt(1 - 4*g[i]^2), i=1..n) <= exp(-2*sum(g[i]^2, i=1..n))", {"g[i]": "0:1/2"}, []),
    "cubes": ("sum(abs(x[i])^3, i=1..n)^(1/3) <= sum(x[i]^2, i=1..n)^(1/2)", {"x[i]": LINE}, []),
    "fourth powers": ("sum(x[i]^4, i=1..n)^(1/4) <= norm(x, 2)", {"x[i]": LINE}, []),
    "attention, least": ("min(softmax(x)) >= exp(-2*b)/n", {"x[i]": LINE, "b": "0:oo"}, ["abs(x[i]) <= b"]),
    "attention, greatest": ("max(softmax(x)) <= exp(2*b)/n", {"x[i]": LINE, "b": "0:oo"}, ["abs(x[i]) <= b"]),
    "convex": ("logsumexp((x + y)/2) <= (logsumexp(x) + logsumexp(y))/2", {"x[i]": LINE, "y[i]": LINE}, []),
}
FALSE = {
    "cubes": ("sum(abs(x[i])^3, i=1..n)^(1/3) >= sum(x[i]^2, i=1..n)^(1/2)", {"x[i]": LINE}, []),
    "variation": ("norm(p - q, 1) <= 1", LISTS, BOTH),
    "entropy": ("sum(p[i]*log(1/p[i]), i=1..n) <= log(n) - 1/10", {"p[i]": "(0,1]"}, ["sum(p[i], i=1..n) = 1"]),
    "no simplex": ("sum(p[i]*log(1/p[i]), i=1..n) <= log(n)", {"p[i]": "(0,1]"}, []),
    "means": ("sum(x[i], i=1..n)^2 <= (n - 1/2)*sum(x[i]^2, i=1..n)", {"x[i]": LINE}, []),
    "bernoulli": ("prod(1 - p[i], i=1..n) <= 1 - sum(p[i], i=1..n)", {"p[i]": "0:1"}, []),
    "gauss": ("sum(i, i=1..n) <= n*(n + 1)/2 - 1/1000", {}, []),
    "norms": ("norm(x, 1) <= norm(x, 2)", {"x[i]": LINE}, []),
    "pinsker": (f"{DIVERGENCE} >= norm(p - q, 1)^2", LISTS, BOTH),
    "no simplex of q": (f"{DIVERGENCE} >= 0", LISTS, BOTH[:1]),
    "collision": ("-2*log(sum(p[i]^2, i=1..n)) <= sum(p[i]*log(1/p[i]), i=1..n)", {"p[i]": "(0,1]"}, BOTH[:1]),
    "rayleigh": ("sum(l[i]*x[i]^2, i=1..n) <= mean(l)*sum(x[i]^2, i=1..n)", {"x[i]": LINE, "l[i]": LINE}, []),
    "chernoff": (
        "prod(1 + p[i]*(exp(t) - 1), i=1..n) <= exp(t*sum(p[i], i=1..n))",
        {"p[i]": "0:1", "t": LINE},
        [],
    ),
    "hadamard": ("prod(l[i], i=1..n) >= mean(l)^n", {"l[i]": "0:oo"}, []),
    "a part in n to spare": ("sum(1/i, i=1..n) >= log(n) + 3/5", {}, []),
    "half of two divergences": (
        "sum(p[i]*log(2*p[i]/(p[i] + q[i])), i=1..n) <= log(2)/2",
        {"p[i]": "(0,1]", "q[i]": "(0,1]"},
        ["sum(p[i], i=1..n) = 1", "sum(q[i], i=1..n) = 1"],
    ),
    "attention, least": ("min(softmax(x)) >= exp(-b)/n", {"x[i]": LINE, "b": "0:oo"}, ["abs(x[i]) <= b"]),
    "boosting": ("prod(sqrt(1 - 4*g[i]^2), i=1..n) <= exp(-3*sum(g[i]^2, i=1..n))", {"g[i]": "0:1/2"}, []),
    "soft maximum": ("max(x) <= log(sum(exp(h*x[i]), i=1..n))", {"x[i]": LINE, "h": "(0,oo)"}, []),
    "margin": (
        "log(exp(s) + sum(exp(x[i]), i=1..n)) - s <= log(1 + exp(-m))",
        {"x[i]": LINE, "s": LINE, "m": "0:oo"},
        ["x[i] <= s - m"],
    ),
    "pairs": (
        "sum(sum((x[i] - x[j])^2, j=1..n), i=1..n) = n*sum(x[i]^2, i=1..n) - sum(x[i], i=1..n)^2",
        {"x[i]": LINE},
        [],
    ),
    "each against all": ("x[k] <= sum((x[k] - x[j])^2, j=1..n)", {"x[i]": "0:2"}, []),
    "effective rank": ("sum(l[i], i=1..n)/max(l) <= n/2", {"l[i]": "(0,oo)"}, []),
    "softmax below 1": ("max(softmax(x)) <= 1 - 1/n", {"x[i]": LINE}, []),
    "named ends": ("sum(x[i], i=1..n) <= n*b", {"x[i]": "[a, 2*b]", "a": "0:1", "b": "1:2"}, []),
    "least loss": ("-log(sum(exp(-h*x[i]), i=1..n)/n) <= h*min(x)", {"x[i]": "0:oo", "h": "0:oo"}, []),
    "noise": (
        "abs(sum(p[i]*x[i], i=1..n) - c) <= t",
        {"p[i]": "(0,1]", "x[i]": LINE, "c": LINE, "t": "0:oo"},
        ["abs(x[i] - c) <= t"],
    ),
    "large n": ("sum(x[i], i=1..n) <= 30", {"x[i]": "0:1"}, []),
    "harmonic": ("sum(1/i, i=1..n) <= 4", {}, []),
    "geometric": ("sum(1/2^i, i=0..n) <= 19/10", {}, []),
    "half a square": ("2*sum(x[i]*sum(x[j], j=1..i), i=1..n) <= sum(x[i], i=1..n)^2", {"x[i]": LINE}, []),
    "tail": ("2*sum(x[i]*sum(x[j], j=i+1..n), i=1..n) >= sum(x[i], i=1..n)^2", {"x[i]": LINE}, []),
    "softmax": ("softmax(x)[i] <= 2/3", {"x[i]": LINE}, []),
    "softmax squared": ("sum(softmax(x)[i]^2, i=1..n) <= 1/2", {"x[i]": LINE}, []),
    "each place": ("x[k] <= mean(x)", {"x[i]": LINE}, []),
    "subsets": ("sum(binomial(n, i), i=0..n) <= n^3", {}, []),
    "factorial": ("n! <= sum(i^3, i=1..n)", {}, []),
    "gamma": ("gamma(n) <= sum(i^3, i=1..n)", {}, []),
    "shifted": ("sum(i, i=0..n-1) >= n*(n - 1)/2 + 1/9", {}, []),
}


def asked(text: str, ranges: dict[str, str], given: list[str], seconds: float = 20) -> Decision:
    return prove(text, {"n": "1:oo"} | ranges, given=given, integers="n", seconds=seconds)


QUICK = ["pairs", "exponential", "gauss", "halves", "one place", "square"]


@pytest.mark.parametrize("name", sorted(TRUE.keys() - set(QUICK)))
def test_what_takes_longer_is_proved_as_well(name: str) -> None:
    """With seconds to spare: those of the processor are longer where many share it."""
    _is_proved(asked(*TRUE[name], seconds=60))


@pytest.mark.parametrize("name", QUICK)
def test_what_holds_at_every_length_is_proved(name: str) -> None:
    _is_proved(asked(*TRUE[name]))


def _is_proved(decision: Decision) -> None:
    assert (decision.verdict, replay(decision.record)) == ("proved", "proved")


LATE = {"half of two divergences"}
"""Found at a second look."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in LATE)) for name in FALSE]
)
def test_what_fails_at_some_length_is_refuted_there(name: str) -> None:
    decision = asked(*FALSE[name])
    assert (decision.verdict, replay(decision.record)) == ("refuted", "refuted")
    assert decision.point["n"] >= 1
    assert float(decision.gap) != 0


def test_means_of_a_random_variable_are_those_of_finitely_many_values() -> None:
    """A variance is at most 1/4 on [0, 1], and not at most 1/5."""
    variance = "E[X^2] - E[X]^2"
    proved = prove(f"{variance} <= 1/4", X="0:1", seconds=20)
    assert (proved.verdict, replay(proved.record)) == ("proved", "proved")
    refuted = prove(f"{variance} <= 1/5", X="0:1", seconds=20)
    assert (refuted.verdict, replay(refuted.record)) == ("refuted", "refuted")
    with pytest.raises(ValueError, match="names with a range"):
        prove("E[X^2] <= Y", X="0:1")


@pytest.mark.parametrize(
    "text", ["E[exp(t*X)] <= exp(t^2*(b - a)^2/9)", "E[X^2] <= -9*a*b/10", "E[X^4] <= (b - a)^4/20"]
)
def test_what_fails_at_the_ends_of_a_named_range_is_refuted_there(text: str) -> None:
    """The extreme laws of a given mean: two values, at the ends, with the weights that equations leave."""
    ranges = {"X": "[a, b]", "a": "-3:0", "b": "0:3"} | ({"t": "-2:2"} if "t" in text else {})
    decision = prove(text, ranges, given="E[X] = 0", seconds=20)
    assert (decision.verdict, replay(decision.record)) == ("refuted", "refuted")
    assert [decision.point["X[1]"], decision.point["X[2]"]] == [decision.point["a"], decision.point["b"]]


def test_a_proof_by_powers_is_one_of_nothing_else() -> None:
    """Both sides to the fourth power: a record with another power, other proofs or a lesser bound is refused."""
    decision = asked(*TRUE["fourth powers"], seconds=60)
    assert replay(decision.record) == "proved"
    body = {key: value for key, value in (decision.record or {}).items() if key != "digest"}
    first, second = body["last"]["raised"]
    assert body["last"]["to"] == 4
    halved = body["relation"].replace("Rational(1, 2)", "Rational(1, 3)")
    assert halved != body["relation"]
    forged = [{"relation": halved}, *({"last": last} for last in (
        {"raised": [first, second], "to": 3}, {"raised": [first, second], "to": 2}, {"squared": [first, second]},
        {"raised": [second, first], "to": 4}, {"raised": [first, first], "to": 4}, {"raised": [second], "to": 4},
        {"raised": [first, second], "to": -4}, {"raised": [first, second], "to": 1}, {"raised": [first, second]},
    ))]  # fmt: skip
    for changes in forged:
        with pytest.raises(InvalidRecord):
            replay(sealed(body | changes))
    with pytest.raises(NotExported, match="raised to the power 4"):
        exported(decision.record, "norms")


def test_a_function_may_have_the_name_of_a_letter() -> None:
    assert prove("gamma*2 >= 0", gamma="0:1").verdict == "proved"


def test_terms_without_a_value_are_neither() -> None:
    assert asked("sum(1/(i - 1), i=1..n) <= n", {}, [], seconds=2).verdict == "unknown"


def test_conditions_that_no_entry_meets_make_it_vacuous() -> None:
    decision = asked("sum(x[i], i=1..n) <= 0", {"x[i]": "1:2"}, ["sum(x[i], i=1..n) <= n/2"])
    assert decision.verdict == "vacuous"


@pytest.mark.parametrize(
    ("text", "ranges", "line"),
    [
        ("sum(p[i], i=1..n) <= n", {"p": "0:2"}, "two for p"),
        ("sum(p[i], i=1..n) <= n", {"p[j]": "0:2"}, "two for p"),
        ("sum(p[i]) <= n", {}, "an index with its range in sum, as in sum(x[i], i=1..n), got 'sum' at column 1"),
        (
            "p[i] <= sum(sum(p[j] - p[i], j=1..n)*sum(p[k], k=1..n)*sum(sum(p[i], j=1..n), k=1..n), m=1..n)",
            {},
            "the index of the total around them (p[i] in sum(..., i=1..n)), got 'i'",
        ),
        (
            "p[i] <= prod(p[j] - p[i], j=1..n)",
            {},
            "must be a sum of polynomials where it has entries of the total around",
        ),
        ("p[i] <= sum(exp(p[j] - p[i]), j=1..n)", {}, "must be a sum of polynomials where it has entries of the total"),
        ("eigmax([[1, 2], [3, 4]]) <= sum(p[i], i=1..n)", {}, "a symmetric matrix, [[a, b], [b, c]], got '3'"),
        ("sum(p[i], i=1..n) <= sum(p[i], i=0..n-1)", {}, "one range for all entries (1..n), got '0..n-1' at column 34"),
        ("sum(sum(p[j], j=1..i+1)*p[i], i=1..n) <= n", {}, "must end at the index around it, one before"),
        ("softmax(p) <= n", {}, "an index after softmax(...), got '<=' at column 12"),
        ("E[q] <= n", {}, "got 'q' at column 3"),
        ("p <= n", {}, "an index after p"),
        ("sum(p[j], i=1..n) <= n", {}, "got 'j' at column 7"),
        ("sum(p[i], i=1..m) <= n", {}, "length must be a whole number with a range, got m at column 16"),
        ("norm(p, 3) <= n", {}, "norms with 1, 2 or oo"),
        ("sum(p[i], i=1..n <= n", {}, "must have ')' here, got '<=' at column 18"),
        ("sum(q[i], i=1..n) <= n", {}, "got 'q' at column 5"),
        ("sum(p[i], i=1..n)", {}, "must be a relation"),
        ("max(p) <= 1", {"n": "0:oo"}, "at least 1 where a greatest or least is taken"),
        ("sum(p[i], i=1..n) <= n", {"n": "70:oo"}, "begins at 0 to 64, got n from 70 on"),
        ("sum(Piecewise((p[i], p[i] > 1/2), (0, True)), i=1..n) <= n", {}, "without Piecewise"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text: str, ranges: dict[str, str], line: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        prove(text, {"p[i]": "0:1", "n": "1:oo"} | ranges, integers="n", seconds=1)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bounds_are_those_of_the_checker() -> None:
    for bound in ("MAX_FIRST", "MAX_LENGTH", "MAX_POWER"):
        assert getattr(question, bound) == getattr(lengths, bound)
    assert BODY == statement.BODY


FOUR = [sp.Rational(3, 2), sp.S(-2), sp.Rational(1, 3), sp.S(5)]
PLACES = range(1, 5)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("sum(sum((x[i] - x[j])^2, j=1..n), i=1..n)", lambda i, x: sum((x(i) - x(j)) ** 2 for j in PLACES)),
        ("sum(sum((x[i] - x[j])^2, j=1..i-1), i=1..n)", lambda i, x: sum((x(i) - x(j)) ** 2 for j in range(1, i))),
        (
            "sum(x[i]*sum(x[i]*x[j] + i*j, j=i+1..n), i=1..n)",
            lambda i, x: x(i) * sum(x(i) * x(j) + i * j for j in range(i + 1, 5)),
        ),
        ("sum(sum(i*x[j] + j*x[i] + 2, j=1..n), i=1..n)", lambda i, x: sum(i * x(j) + j * x(i) + 2 for j in PLACES)),
        (
            "sum(x[i]*sum(sum(x[j]*x[k] + k, k=1..n)*x[i], j=1..n), i=1..n)",
            lambda i, x: x(i) * sum(sum(x(j) * x(k) + k for k in PLACES) * x(i) for j in PLACES),
        ),
        (
            "sum(x[i]*abs(sum(x[i] + x[j], j=1..n)), i=1..n)",
            lambda i, x: x(i) * abs(sum(x(i) + x(j) for j in PLACES)),
        ),
        (
            "sum(x[i]/(1 + sum((x[i] - x[j])^2, j=1..n)), i=1..n)",
            lambda i, x: x(i) / (1 + sum((x(i) - x(j)) ** 2 for j in PLACES)),
        ),
    ],
)
def test_double_sums_are_what_they_say(text: str, term: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At four numbers, written out by the question that was read and by Python."""
    asked_of: list[question.LengthQuestion] = []
    monkeypatch.setattr(
        "theory.prover.prove.certify_length", lambda q, **_: (asked_of.append(q), Unknown((), "", 0.0))[1]
    )
    prove(f"{text} <= n", {"x[i]": LINE, "n": "1:oo"}, integers="n")
    (read,) = asked_of
    relation, _ = read.written_out(4, dict.fromkeys(read.entries, FOUR))
    assert sp.simplify(relation.lhs) == sum(term(i, lambda k: FOUR[k - 1]) for i in PLACES)


def test_the_order_of_ranges_does_not_matter() -> None:
    text, ranges = "sum(a*x[i], i=1..n) <= a*n", {"n": "1:oo", "x[i]": "0:1", "a": "0:5"}
    one, other = (prove(text, dict(rows), integers="n").record for rows in (ranges.items(), reversed(ranges.items())))
    assert one == other


def test_ends_of_ranges_may_be_other_names() -> None:
    """Also of a number, and of a random variable: E[X^2] <= (a + b) E[X] - a b."""
    ends = {"a": "-3:0", "b": "0:3"}
    assert prove("x <= b", {"x": "[a, b)"} | ends).verdict == "proved"
    found = prove("E[X^2] <= (a + b)*E[X] - a*b", {"X": "[a, b]"} | ends)
    assert (found.verdict, replay(found.record)) == ("proved", "proved")
    assert prove("E[X^2] <= (a + b)*E[X]", {"X": "[a, b]"} | ends).verdict == "refuted"
    with pytest.raises(ValueError, match="got 'c'"):
        prove("x <= b", {"x": "[c, b]"} | ends)
    with pytest.raises(ValueError, match="got 'x'"):
        prove("x <= b", {"x": "[x, 3]"} | ends)


def test_the_greatest_eigenvalue_is_convex() -> None:
    names = dict.fromkeys("abcrst", LINE)
    parts = "eigmax([[a, b], [b, c]])", "eigmax([[r, s], [s, t]])"
    whole = "eigmax([[a + r, b + s], [b + s, c + t]])"
    assert prove(f"{whole} <= {' + '.join(parts)}", names, seconds=20).verdict == "proved"
    assert prove(f"{whole} >= {' + '.join(parts)}", names, seconds=20).verdict == "refuted"
    assert prove("eigmin([[a, b], [b, c]]) <= min(a, c)", dict.fromkeys("abc", LINE)).verdict == "proved"


def test_a_length_without_a_range_is_refused() -> None:
    with pytest.raises(ValueError, match="names with a range"):
        prove("sum(p[i], i=1..n) <= n", {"p[i]": "0:1"}, integers="n")


@pytest.mark.parametrize(
    ("text", "first", "verdict"),
    [
        ("sum(1/i, i=1..n) >= 3", 22, "proved"),
        ("sum(1/i, i=1..n) >= 37/10", 22, "refuted"),
        ("sum(1/i^2, i=1..n) <= 1644/1000", 1, "refuted"),
        pytest.param("sum(1/i, i=1..n) >= log(n) + 578/1000", 1, "refuted", marks=pytest.mark.exhaustive),
        ("prod(1 - 1/(i+1)^2, i=1..n) >= 501/1000", 1, "refuted"),
    ],
)
def test_what_begins_late_and_what_fails_late(text: str, first: int, verdict: str) -> None:
    """Sums without entries are as short at n = 1000 as at 10; pi^2/6 is beyond 1.644 from n = 1100 on."""
    found = prove(text, {"n": f"{first}:oo"}, integers="n", seconds=20)
    assert (found.verdict, replay(found.record)) == (verdict, verdict)
