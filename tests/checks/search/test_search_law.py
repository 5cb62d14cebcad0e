"""The search for a law: what it finds, when it says that there is none, and each of its steps computed another way."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats

from checks.search.factors import factors_of, logarithms_of, read_factor, read_settings
from checks.search.fitting import Estimates, estimates_of, fit_shape, simple_fraction
from checks.search.held_out import closer, permutation_p, times_as_much
from checks.search.search import search_law
from checks.search.shapes import Columns, Grammar, LawShape, best_shapes, columns_of, grammar_of
from checks.statistics.verdict import Interval


def letters_of(seed: int, names: str = "abcd", count: int = 40) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {name: 10 ** generator.uniform(0.3, 2.0, count) for name in names}


def noisy(values: np.ndarray, noise: float, seed: int, replicates: int = 1) -> np.ndarray:
    scatter = np.random.default_rng(seed).standard_normal((len(values), replicates))
    return values[:, None] * np.exp(noise * scatter)


# ------------------------------------------------------------------------------------------------------ what is found


@pytest.mark.parametrize(
    ("law", "formula", "combinations"),
    [
        (lambda a, b, c, d: 3 * a**-2 * c**0.5, "3 a^-2 c^(1/2)", ()),
        (lambda a, b, c, d: 0.5 * a * np.log(a), "0.5 a log(a)", ()),
        (lambda a, b, c, d: 2 + a**1.5 / b, "2 + 1 a^(3/2) b^-1", ()),
        (lambda a, b, c, d: (a + b) ** 2 / d, "1 d^-1 (a + b)^2", ("a + b",)),
        (lambda a, b, c, d: 7 * np.ones_like(a) * d ** (1 / 3), "7 d^(1/3)", ("a + b", "c + d")),
        (lambda a, b, c, d: np.log(b) ** -0.5 * c**0.75, "1 c^(3/4) log(b)^(-1/2)", ()),
    ],
)
def test_a_law_without_noise_is_found_as_it_is(law, formula: str, combinations: tuple[str, ...]) -> None:
    letters = letters_of(1)
    found = search_law(letters, law(**letters), combinations=combinations)
    assert found.found
    assert found.formula == formula
    assert found.predict(letters) == pytest.approx(law(**letters), rel=1e-6)
    assert found.held_out.factor == pytest.approx(1, abs=1e-6)


def test_noise_replicates_and_a_claim() -> None:
    letters = letters_of(2)
    truth = 3 * letters["a"] ** -2 * letters["b"] ** 0.5
    found = search_law(letters, noisy(truth, 0.2, 3, 4), claimed=letters["a"] ** -2, response="T")
    assert [term.text for term in found.terms] == ["a^-2", "b^(1/2)"]
    assert all(term.is_borne_out and term.exponent in term.interval for term in found.terms)
    assert 3 in found.constant_interval
    assert {rival.name for rival in found.rivals} == {"constant", "best single letter", "claimed law"}
    assert all(rival.factor > 2 and rival.p < 0.01 for rival in found.rivals)
    assert found.held_out.noise == pytest.approx(0.1, rel=0.3)
    assert "replicates alone" in found.words
    assert "claimed law errs" in str(found)


def test_letters_that_move_in_step_are_named_as_alternatives() -> None:
    letters = letters_of(4, "ac")
    letters["b"] = letters["a"] ** 2
    found = search_law(letters, noisy(letters["a"] ** 2 * letters["c"], 0.05, 5))
    assert {"b", "c"} <= set(" ".join([found.formula, *found.alternatives]).replace("^", " ").split())
    assert "does not tell it from" in found.words


def test_a_letter_that_does_not_vary_is_named() -> None:
    letters = {**letters_of(6, "a"), "b": np.full(40, 3.0)}
    found = search_law(letters, letters["a"])
    assert found.fixed == ("b",)
    assert "Nothing is said of b" in found.words
    nothing = search_law({"b": np.geomspace(1, 2, 40), "a": np.full(40, 2.0)}, np.ones(40))
    assert not nothing.found


def test_no_law_is_an_answer() -> None:
    found = search_law(letters_of(7), noisy(np.ones(40), 1.0, 8), response="T")
    assert (found.found, found.terms, found.rivals) == (False, (), ())
    assert found.words.startswith("No law found for T. ")
    assert json.dumps(found.record(), allow_nan=False)


def test_a_candidate_that_chance_explains_is_refused_with_its_figures() -> None:
    """Tables are drawn until one tempts the search beyond a constant; the held-out half must refuse it."""
    for seed in range(60):
        found = search_law(letters_of(seed, "abcdef", 24), noisy(np.ones(24), 1.0, 1000 + seed))
        assert not found.found
        if "permutation test" in found.reason:
            assert "no more than chance may" in found.reason
            return
    pytest.fail("no table tempted the search")


def test_the_held_out_half_chooses_nothing() -> None:
    letters = letters_of(9)
    values = noisy(letters["a"] / letters["b"], 0.1, 10)[:, 0]
    found = search_law(letters, values)
    # With the halves known, what was measured on the second one may be anything: the law stays.
    order = np.random.default_rng(0).permutation(40)
    values[order[20:]] = np.random.default_rng(11).permutation(values[order[20:]])
    changed = search_law(letters, values)
    assert not changed.found
    assert [point.formula for point in changed.front] == [point.formula for point in found.front]
    assert [point.is_chosen for point in changed.front] == [point.is_chosen for point in found.front]


def test_rows_of_one_setting_are_its_replicates() -> None:
    letters = letters_of(12)
    samples = noisy(letters["a"], 0.1, 13, 3)
    thrice = {name: np.repeat(values, 3) for name, values in letters.items()}
    together, apart = search_law(letters, samples), search_law(thrice, samples.ravel())
    assert together.record() == apart.record()
    lost = [[*row, float("nan")] for row in samples.tolist()]
    assert search_law(letters, lost).record() == together.record()


def test_settings_that_differ_by_rounding_are_one() -> None:
    """Else copies stand in both halves, and chance that belongs to a setting looks like a law."""
    letters = letters_of(12)
    values = noisy(letters["a"], 0.1, 13)[:, 0]
    moved = {name: np.concatenate([column, column * (1 + 1e-15)]) for name, column in letters.items()}
    copies = search_law(moved, np.concatenate([values, values]), claimed=moved["a"] ** 3)
    assert copies.fitted + copies.held_out.settings == 40
    assert copies.formula == search_law(letters, values).formula


def test_the_true_one_of_two_letters_that_move_together_is_named() -> None:
    missed = 0
    for seed in range(12):
        letters = letters_of(300 + seed, "ac")
        letters["b"] = noisy(letters["a"] ** 2, 0.02, seed)[:, 0]
        law = search_law(letters, noisy(letters["a"] ** 2 / letters["c"], 0.1, 400 + seed))
        missed += not any("a^" in form and "b" not in form for form in (law.formula, *law.alternatives))
    assert missed <= 1


def test_the_same_seed_gives_the_same_law_and_units_change_the_constant_alone() -> None:
    letters = letters_of(14)
    samples = noisy(letters["a"] ** -1.5, 0.1, 15)
    found = search_law(letters, samples)
    assert search_law(letters, samples).record() == found.record()
    scaled = search_law({**letters, "a": letters["a"] * 100}, samples * 8)
    assert [term.exponent for term in scaled.terms] == [term.exponent for term in found.terms]
    assert scaled.held_out.error == pytest.approx(found.held_out.error)
    assert scaled.constant == pytest.approx(found.constant * 8 * 100**1.5)


@pytest.mark.parametrize("confidence", [pytest.param(0.8, marks=pytest.mark.exhaustive), 0.95])
def test_intervals_hold_the_exponents_as_often_as_they_say(confidence: float) -> None:
    held = total = 0
    for seed in range(40):
        letters = letters_of(100 + seed)
        scale = 0.1 + 0.4 * (letters["b"] > 10)  # uneven noise
        scatter = np.exp(scale * np.random.default_rng(seed).standard_normal(40))
        for term in search_law(letters, letters["a"] ** -2 * letters["b"] * scatter, confidence=confidence).terms:
            truth = {"a": -2.0, "b": 1.0}.get(term.factor.text)
            if truth is not None and term.interval is not None:
                held, total = held + (truth in term.interval), total + 1
    assert total > 60
    assert held / total > confidence - 3 * (confidence * (1 - confidence) / total) ** 0.5


# ------------------------------------------------------------------------------------------------- what is refused

GOOD = np.geomspace(1, 100, 20)
REFUSED = [
    ({}, GOOD, {}, "letters must name a column or more, got none"),
    ({"a": GOOD[:10]}, GOOD[:10], {}, "settings must be at least 16 that differ in a letter"),
    ({"a": GOOD}, GOOD[:10], {}, "letter a must have one value per row (10), got 20"),
    ({"a": -GOOD}, GOOD, {}, "letter a must be finite and > 0 (its logarithm is taken), got -1 in row 1"),
    ({"a": [*GOOD[1:], float("nan")]}, GOOD, {}, "letter a must be finite and > 0"),
    ({"a": ["x"] * 20}, GOOD, {}, "letter a must be numbers, got ['x'"),
    ({"a": GOOD[:, None]}, GOOD, {}, "letter a must be one number a row, got shape (20, 1)"),
    ({"a": GOOD}, [0.0, *GOOD[1:]], {}, "samples must be finite and > 0 (its logarithm is taken), got 0 in row 1"),
    ({"a": GOOD}, GOOD * 1e150, {}, "samples must be between 1e-150 and 1e+150"),
    ({"a": GOOD}, [[float("nan")]] * 20, {}, "samples must hold a run in every row, got none in row 1"),
    ({"a\n": GOOD}, GOOD, {}, "the name of a letter must be printable text"),
    ({"a" * 99: GOOD}, GOOD, {}, "the name of a letter must have at most 60 characters"),
    ({"a": GOOD}, GOOD, {"combinations": ["a - b"]}, "a combination must be a sum or difference of two letters"),
    ({"a": GOOD}, GOOD, {"combinations": ["a - a"]}, "a combination must be a sum or difference of two letters"),
    ({"a": GOOD}, GOOD, {"combinations": ["a - 1"]}, "a - 1 must be > 0 at every setting, got 0 at a = 1"),
    ({"a": GOOD, "b": GOOD}, GOOD, {"combinations": ["a + b", "b + a"]}, "combinations must differ, got b + a twice"),
    ({f"a{i}": GOOD for i in range(17)}, GOOD, {}, "letters and combinations must be at most 16 together, got 17"),
    ({"a": GOOD}, GOOD, {"level": 0.05}, "level must be > 0 and <= 0.01, got 0.05"),
    ({"a": GOOD}, GOOD, {"confidence": 1.0}, "confidence must lie in (0.5, 1), got 1"),
    ({"a": GOOD}, GOOD, {"max_terms": 9}, "max_terms must be from 1 to 5, got 9"),
    ({"a": GOOD}, GOOD, {"max_terms": 2.5}, "max_terms must be a whole number from 1 on, got 2.5"),
    ({"a": GOOD}, GOOD, {"seed": -1}, "seed must be a whole number from 0 on, got -1"),
    ({"a": GOOD}, GOOD, {"response": 5}, "response must be printable text, got 5"),
    ({"a": GOOD}, GOOD, {"combinations": "a + 1"}, "combinations must be texts such as ['a - b'], got 'a + 1'"),
    ({"a": GOOD}, GOOD, {"combinations": None}, "combinations must be texts such as ['a - b'], got None"),
    (None, GOOD, {}, "letters must map names to numbers, got None"),
    ({"a": GOOD + 0j}, GOOD, {}, "letter a must be real numbers"),
    ({"a": GOOD}, GOOD + 0j, {}, "samples must be real numbers"),
    ({"a": np.ma.masked_less(GOOD, 2)}, GOOD, {}, "letter a must be real numbers, none of them masked"),
    ({"a": GOOD}, np.ma.masked_less(GOOD, 2), {}, "samples must hold a run in every row, got none in row 1"),
    ({"a": GOOD}, GOOD, {"claimed": GOOD[:3]}, "claimed must have one value per row (20), got 3"),
    (
        {"a": [*GOOD, 1.0]},
        [*GOOD, 1.0],
        {"claimed": [*GOOD, 2.0]},
        "claimed must be one number at one setting, got two",
    ),
]


@pytest.mark.parametrize(("letters", "samples", "rule", "said"), REFUSED, ids=[said[:40] for *_, said in REFUSED])
def test_what_breaks_a_rule_is_refused_in_one_line(letters, samples, rule, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        search_law(letters, samples, **rule)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_combinations_are_read() -> None:
    names = ["alpha_*", "alpha_#", "n samples", "q-1"]
    assert read_factor("alpha_* - alpha_#", names).letters == ("alpha_*", "alpha_#")
    assert read_factor("1-alpha_*", names).parts == ((1, 1.0), (-1, "alpha_*"))
    assert read_factor("q-1 + n samples", names).parts == ((1, "q-1"), (1, "n samples"))


# ------------------------------------------------------------------------------------ every step, computed another way


def columns_for(seed: int, count: int = 24) -> tuple[Grammar, Columns]:
    letters = letters_of(seed, "abcd", count)
    settings = read_settings(letters, noisy(letters["a"] ** 0.7 / letters["c"], 0.5, seed + 1))
    factors = factors_of(settings.letters, ("a + b",))
    logarithms = logarithms_of(factors, settings.letters)
    columns = columns_of(settings, factors, logarithms)
    return grammar_of(columns, factors, logarithms, max_terms=3, max_cost=4), columns


def test_the_best_shapes_are_those_of_a_search_through_all_of_them() -> None:
    grammar, columns = columns_for(20)
    least: dict[int, float] = {}
    for size in range(4):
        for terms in itertools.combinations(range(len(grammar.factors)), size):
            for log in range(columns.logs.shape[1]):
                cost = sum(grammar.factors[place].cost for place in terms) + (log > 0)
                design = np.column_stack([np.ones(len(columns.y)), columns.x[:, list(terms)]])
                response = columns.y - columns.logs[:, log]
                left = response - design @ np.linalg.lstsq(design, response, rcond=None)[0]
                least[cost] = min(least.get(cost, np.inf), float(left @ left))
    found = best_shapes(grammar, columns)
    for cost in range(5):
        plain = [shape.misfit for shape in found[cost] if shape.offset is None]
        assert min(plain) == pytest.approx(least[cost], rel=1e-6)


def test_a_fit_with_an_offset_is_that_of_scipy() -> None:
    letters = letters_of(21, "ab", 30)
    values = noisy(0.3 + letters["a"] ** -1.5 * letters["b"] ** 0.5, 0.1, 22)[:, 0]
    x = np.column_stack([np.log(letters["a"]), np.log(letters["b"])])
    columns = Columns(x, np.zeros((30, 1)), np.log(values))
    law = fit_shape(columns, LawShape((0, 1), 0, 0.2, 4, 0.0))

    def left(theta: np.ndarray) -> np.ndarray:
        return columns.y - np.log(np.exp(theta[0]) + np.exp(theta[1] + x @ theta[2:]))

    theirs = optimize.least_squares(left, [np.log(0.2), 0, -1, 0], xtol=1e-12, ftol=1e-12)
    assert [law.log_offset, law.level, *law.exponents] == pytest.approx(theirs.x, abs=1e-4)
    assert float(np.sum(law.left_of(columns) ** 2)) == pytest.approx(2 * theirs.cost, rel=1e-6)
    moved = [(law.log_at(columns) - fit_shape(columns, law.shape, {0: -1.5}).log_at(columns)).std()]
    assert moved[0] < 0.1


def test_slopes_are_derivatives() -> None:
    columns = Columns(np.random.default_rng(23).normal(size=(12, 2)), np.zeros((12, 1)), np.linspace(0, 1, 12))
    law = fit_shape(columns, LawShape((0, 1), 0, 0.5, 4, 0.0))
    assert law.log_offset is not None
    theta = np.array([law.level, *law.exponents, law.log_offset])

    def value(parameters: np.ndarray) -> np.ndarray:
        product = parameters[0] + columns.x @ parameters[1:3]
        return np.logaddexp(parameters[3], product)

    for place, slopes in enumerate(law.slopes_at(columns).T):
        step = np.zeros(4)
        step[place] = 1e-6
        assert (value(theta + step) - value(theta - step)) / 2e-6 == pytest.approx(slopes, abs=1e-6)


def test_intervals_are_those_of_least_squares_where_the_noise_is_even() -> None:
    generator = np.random.default_rng(24)
    x = generator.normal(size=200)
    y = 1 + 2 * x + generator.normal(size=200)
    design = np.column_stack([np.ones(200), x])
    found = estimates_of(design, y, np.zeros(2), None)
    assert isinstance(found, Estimates)
    theirs = stats.linregress(x, y)
    half = stats.t.ppf(0.975, 198) * theirs.stderr
    assert found.values == pytest.approx([theirs.intercept, theirs.slope])
    assert found.half_width(1, 0.95) == pytest.approx(half, rel=0.2)
    assert found.half_width(1, 0.95) >= half * (1 - 1e-9)
    assert estimates_of(np.ones((20, 2)), np.zeros(20), np.zeros(2), None) is None


def test_the_permutation_test_has_its_level_also_where_a_letter_moves_the_noise() -> None:
    generator = np.random.default_rng(25)
    low = 0
    for _ in range(200):
        predicted = generator.normal(size=20)
        measured = generator.standard_t(2, 20) * np.exp(0.5 * predicted)
        low += permutation_p(predicted, measured, generator) <= 0.05
    assert low <= 10 + 3 * (200 * 0.05 * 0.95) ** 0.5
    line = np.arange(20.0)
    assert permutation_p(line, 3 * line, generator) == 1e-4
    assert permutation_p(line, -line, generator) > 0.9
    assert permutation_p(np.ones(20), line, generator) == 1


def test_the_sign_test_is_scipy_s() -> None:
    generator = np.random.default_rng(26)
    law, rival = generator.normal(size=30) * 0.5, generator.normal(size=30)
    n_closer, count, p = closer(law, rival)
    assert p == pytest.approx(stats.binomtest(n_closer, count, alternative="greater").pvalue)
    assert closer(rival, rival) == (0, 0, 1.0)


def test_the_interval_of_how_many_times_as_much_a_rival_errs_holds_the_truth() -> None:
    generator = np.random.default_rng(27)
    held = {1.0: 0, 2.0: 0}
    for truth in held:
        for _ in range(400):
            law, other = generator.standard_normal((2, 24))
            times = times_as_much(law, truth * (0.5 * law + 0.75**0.5 * other), 0.95)
            held[truth] += truth in times
    assert all(380 - 3 * (400 * 0.05 * 0.95) ** 0.5 <= count < 400 for count in held.values()), held
    there, back = times_as_much(law, other, 0.9), times_as_much(other, law, 0.9)
    assert (there.low, there.high) == pytest.approx((1 / back.high, 1 / back.low))
    exact = times_as_much(np.zeros(24), other, 0.95)
    assert 1e6 < exact.low < exact.high


@pytest.mark.parametrize(
    ("value", "half", "expected"),
    [
        (-1.98, 0.05, Fraction(-2)),
        (0.47, 0.1, Fraction(1, 2)),
        (0.3, 0.2, Fraction(1, 3)),
        (0.02, 0.1, None),
        (0.37, 0.01, None),
        (1.2, 0.5, Fraction(1)),
        (0.26, 0.02, Fraction(1, 4)),
    ],
)
def test_simple_fractions(value: float, half: float, expected: Fraction | None) -> None:
    assert simple_fraction(value, [Interval(value - half, value + half)], half / 2) == expected


# ------------------------------------------------------------------------------------------------- tables that mislead


def test_a_fraction_that_the_held_out_settings_exclude_is_none() -> None:
    """A power of 0.27 is near 1/4: with little noise the fitting half may take the fraction, the other half refuses."""
    n_fractions = 0
    for seed in range(16):
        letters = letters_of(200 + seed, "ab")
        law = search_law(letters, noisy(letters["a"] ** 0.262 / letters["b"], 0.04, seed))
        assert not any(term.is_excluded for term in law.terms if term.fraction is not None), law.formula
        n_fractions += any(term.fraction == Fraction(1, 4) for term in law.terms)
    assert n_fractions < 40


def test_an_exact_law_has_no_doubt_that_is_rounding() -> None:
    letters = letters_of(1, "ab")
    assert "exclude" not in search_law(letters, letters["a"] ** 1.37 / letters["b"] ** 0.29).words


def with_seeds(seed: int, law: float) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Settings of two letters, six runs each, whose seed is a column: chance belongs to the setting."""
    generator = np.random.default_rng(seed)
    n_settings = 10 if law == 0 else 30
    a, b = 10 ** generator.uniform(1, 3, n_settings), 10 ** generator.uniform(0, 2, n_settings)
    values = a**law * np.exp((1.0 if law == 0 else 0.1) * generator.standard_normal(n_settings))
    columns = {"a": np.repeat(a, 6), "b": np.repeat(b, 6), "seed": np.tile(np.arange(1.0, 7.0), n_settings)}
    return columns, np.repeat(values, 6) * np.exp(0.1 * generator.standard_normal(6 * n_settings))


def test_a_column_of_seeds_makes_no_settings() -> None:
    """Without care three such tables in twenty yield a law."""
    told = []
    for seed in range(20):
        try:
            assert not search_law(*with_seeds(seed, 0)).found
        except ValueError as error:
            told.append(str(error))
    assert told
    assert all("got 10, since those that differ in seed alone are alike and count as runs" in words for words in told)
    law = search_law(*with_seeds(0, -2.0))
    assert (law.labels, law.fitted, [term.text for term in law.terms]) == (("seed",), 15, ["a^-2"])
    assert "Settings that differ in seed alone are alike and count as runs of one." in law.words


def test_a_letter_of_a_full_grid_that_does_not_matter_is_no_label() -> None:
    grid = np.array(list(itertools.product([1.0, 2, 4, 8, 16], repeat=3))).T
    letters = dict(zip("abc", grid, strict=True))
    law = search_law(letters, noisy(letters["a"] / letters["b"], 0.2, 3)[:, 0])
    assert (law.found, law.labels) == (True, ())


def test_a_gap_that_is_most_of_a_range_is_told() -> None:
    generator = np.random.default_rng(5)
    a = np.repeat([10.0, 1000.0], 20) * np.exp(0.1 * generator.uniform(size=40))
    law = search_law({"a": a}, noisy(a**0.5, 0.2, 6)[:, 0])
    assert "most of its range, lies no setting" in law.words
    assert not search_law(letters_of(1, "a"), letters_of(1, "a")["a"]).gaps


def test_a_constant_that_no_number_holds_is_refused() -> None:
    letters = letters_of(1, "ab")
    with pytest.raises(ValueError, match=r"the constant of y is no power of ten beyond 300, got one of 400"):
        search_law({**letters, "a": letters["a"] * 1e100}, letters["a"] ** -4.0)
