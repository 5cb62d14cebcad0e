"""The contract of `theory.claim`: what a claim refuses, how claims are found and named, how a regime is read."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys

import pytest
import sympy as sp

from theory.catalogue import UnknownClaim, discover, select
from theory.claim import (
    Axis,
    Claim,
    Conditions,
    Constant,
    Evidence,
    ForSome,
    Hypothesis,
    Identity,
    Inequality,
    Kind,
    Limit,
    Met,
    OverLists,
    Path,
    Source,
    at,
    evaluate_regime,
)

x, y = sp.symbols("x y", positive=True)


def a_claim(**changes: object) -> Claim:
    """A valid upper bound x^-2 toward zero, with fields replaced."""
    fields: dict[str, object] = {
        "id": "A.example",
        "source": Source("li2023", "eq. (0)"),
        "kind": Kind.UPPER,
        "statement": "An example.",
        "observable": "nothing",
        "evidence": (Evidence.MEASURED,),
        "axes": (Axis(x, "zero"),),
        "value": x**-2,
    }
    return Claim(**{**fields, **changes})


class TestValidation:
    def test_a_valid_claim_knows_its_paper_and_axes(self) -> None:
        claim = a_claim()
        assert claim.paper == "A"
        assert claim.axis(x) == Axis(x, "zero")
        assert claim.margin == sp.Rational(1, 4)
        assert str(claim.source) == "li2023, eq. (0)"

    @pytest.mark.parametrize("name", ["A", "samples", "AB.samples", "9.samples", "A.Samples", "A.two words", ""])
    def test_refuses_an_id_that_names_no_paper(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"id must be '<key of the paper>\.<name>', got"):
            a_claim(id=name)

    @pytest.mark.parametrize(
        ("place", "changes", "instead"),
        [
            ("value", {"value": sp.Float(0.1) * x}, r"Rational\(1, 10\) for 0.1"),
            ("value", {"value": 3.0 * x**0.5}, r"Rational\(1, 2\) for 0.5, sympy.Integer\(3\) for 3.0"),
            ("limit of axis x", {"axes": (Axis(x, sp.Float(0.5)),)}, r"Rational\(1, 2\) for 0.5"),
            ("range of constant y", {"constants": (Constant(y, sp.Integer(1), sp.Float(1.5)),)}, r"Rational\(3, 2\)"),
            ("hypothesis 'small'", {"regime": (Hypothesis("small", x < 0.25),)}, r"Rational\(1, 4\) for 0.25"),
            ("path of x", {"path": Path("x falls", y, "infinity", {x: y**-0.5})}, r"Rational\(-1, 2\) for -0.5"),
        ],
    )
    def test_refuses_a_float_in_a_formula_and_says_what_to_write(self, place: str, changes: dict, instead: str) -> None:
        with pytest.raises(ValueError, match=rf"{place} of A\.example must be exact .*write sympy.{instead}"):
            a_claim(**changes)

    @pytest.mark.parametrize(
        ("value", "instead"), [(0.5, r"sympy.Rational\(1, 2\)"), (3, r"sympy.Integer\(3\)"), (math.inf, "sympy.oo")]
    )
    def test_refuses_a_python_number_for_a_formula(self, value: float, instead: str) -> None:
        with pytest.raises(
            ValueError, match=rf"value of A\.example must be a sympy expression, got .*; write {instead}"
        ):
            a_claim(value=value)

    def test_refuses_a_text_for_a_formula(self) -> None:
        with pytest.raises(ValueError, match=r"value of A\.example must be a sympy expression, got 'x'$"):
            a_claim(value="x")

    def test_refuses_an_axis_that_the_value_does_not_contain(self) -> None:
        with pytest.raises(ValueError, match=r"axes must occur in the value of A\.example, got 'y'; nearest is 'x'"):
            a_claim(axes=(Axis(y),))
        with pytest.raises(ValueError, match="got another 'x', made with other assumptions"):
            a_claim(axes=(Axis(sp.Symbol("x")),))
        assert a_claim(value=sp.Integer(1), axes=(Axis(y),)).axes == (Axis(y),)  # what does not depend on y

    def test_refuses_a_scaling_claim_without_axis(self) -> None:
        with pytest.raises(ValueError, match="axes must name at least one parameter"):
            a_claim(axes=())

    def test_explicit_claims_need_no_axis(self) -> None:
        assert a_claim(kind=Kind.EXPLICIT_UPPER, axes=()).axes == ()

    @pytest.mark.parametrize("margin", [sp.Integer(0), sp.Rational(-1, 4)])
    def test_refuses_a_margin_that_is_not_positive(self, margin: sp.Rational) -> None:
        with pytest.raises(ValueError, match="margin must be > 0, got"):
            a_claim(margin=margin)

    def test_refuses_an_unknown_direction(self) -> None:
        with pytest.raises(ValueError, match="toward must be 'infinity', 'zero' or a sympy number, got 'up'"):
            Axis(x, "up")

    def test_a_missing_axis_is_named(self) -> None:
        with pytest.raises(KeyError, match=r"A\.example has no axis y"):
            a_claim().axis(y)

    def test_claims_are_frozen(self) -> None:
        with pytest.raises(AttributeError):
            a_claim().id = "A.other"  # type: ignore[misc]

    def test_only_orders_are_scaling_kinds(self) -> None:
        assert {kind for kind in Kind if kind.is_scaling} == {Kind.TIGHT, Kind.UPPER, Kind.LOWER}


class TestRegime:
    regime = (
        Hypothesis("small", sp.Lt(x, sp.Rational(1, 2), evaluate=False)),
        Hypothesis("hidden", sp.Le(x, sp.Symbol("c", positive=True) / y, evaluate=False)),
        Hypothesis("both", sp.And(x > 1, y > x)),
    )

    def test_met_not_met_and_undecidable(self) -> None:
        met = evaluate_regime(self.regime, {x: 0.25, y: 4})
        assert met == {"small": Met.MET, "hidden": Met.UNDECIDABLE, "both": Met.NOT_MET}

    def test_a_parameter_left_open_is_undecidable(self) -> None:
        assert evaluate_regime(self.regime, {x: 2})["both"] is Met.UNDECIDABLE

    def test_one_failing_part_decides_a_conjunction(self) -> None:
        assert evaluate_regime(self.regime, {x: 0.5})["both"] is Met.NOT_MET

    def test_boundaries_are_strict_where_stated(self) -> None:
        assert evaluate_regime(self.regime, {x: sp.Rational(1, 2)})["small"] is Met.NOT_MET

    def test_theorem_1_at_the_settings_of_figure_4(self) -> None:
        from theory.shallow_vit.figures import SETTINGS
        from theory.shallow_vit.hypotheses import THEOREM_1
        from theory.shallow_vit.notation import kappa, norm_K, norm_Q, norm_V, tau

        literal = {norm_V: 100, norm_K: 400, norm_Q: 400, tau: 0, kappa: sp.sqrt(2)}
        met = evaluate_regime(THEOREM_1, {**SETTINGS["A.fig4"], **literal})
        assert met["(8) for some eps_S < 1/2"] is Met.MET
        assert met["tau < kappa/4 (section 3.2)"] is Met.MET
        assert met["norms of W_V, W_K, W_Q at most 1 (Assumption 1)"] is Met.NOT_MET
        assert met["width (Theorem 1)"] is Met.UNDECIDABLE

    def test_condition_8_fails_on_figure_1b(self) -> None:
        from theory.shallow_vit.figures import SETTINGS
        from theory.shallow_vit.hypotheses import CONDITION_8
        from theory.shallow_vit.notation import delta, sigma, tau

        point = {**SETTINGS["A.fig1b"], sigma: 0.0, delta: 0.0, tau: 0.0}
        assert CONDITION_8.evaluate(point) is Met.NOT_MET

    def test_the_set_size_must_divide_the_number_of_patches(self) -> None:
        from theory.spatial_vit.assumptions import ASSUMPTION_2
        from theory.spatial_vit.notation import C, D

        name = "C divides D (Definition 2.1)"
        assert evaluate_regime(ASSUMPTION_2, {D: 16, C: 4})[name] is Met.MET
        assert evaluate_regime(ASSUMPTION_2, {D: 16, C: 5})[name] is Met.NOT_MET


class TestDiscovery:
    def test_keys_are_ids_and_papers_come_in_order(self) -> None:
        claims = discover()
        assert all(name == claim.id for name, claim in claims.items())
        letters = [name[0] for name in claims]
        assert letters == sorted(letters)

    def test_selects_by_id_in_the_order_asked(self) -> None:
        assert [claim.id for claim in select(["B.softmax", "A.samples"])] == ["B.softmax", "A.samples"]

    def test_selects_everything_for_no_id(self) -> None:
        assert select([]) == list(discover().values())

    @pytest.mark.parametrize(
        ("wrong", "near"),
        [
            ("A.sample", "A.samples"),
            ("a.samples", "A.samples"),
            ("B.gama_step", "B.gamma_step"),
            ("A.openL", "A.open_L"),
        ],
    )
    def test_suggests_the_nearest_id(self, wrong: str, near: str) -> None:
        with pytest.raises(UnknownClaim, match=f"id must be a known claim, got '{wrong}'; nearest is {near}"):
            select([wrong])

    def test_theory_imports_neither_torch_nor_the_other_side(self) -> None:
        program = (
            "import sys; from theory.catalogue import discover; discover(); "
            "print([name for name in ('torch', 'sim', 'checks') if name in sys.modules])"
        )
        answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert answer.stdout.strip() == "[]"


def exact_parts(claim: Claim) -> list[object]:
    """Every number-carrying object of a claim."""
    parts: list[object] = [claim.margin]
    if claim.value is not None:
        parts.append(claim.value)
    for axis in claim.axes:
        parts += [axis.symbol] if isinstance(axis.toward, str) else [axis.symbol, axis.toward]
    for constant in claim.constants:
        assert isinstance(constant, Constant)
        parts += [constant.low, constant.high]
    parts += [hypothesis.relation for hypothesis in claim.regime]
    for lemma in claim.lemmas:
        if isinstance(lemma, Inequality):
            parts += [lemma.relation, *lemma.given, *(end for ends in lemma.box.values() for end in ends)]
        elif isinstance(lemma, Identity):
            parts += [lemma.left, lemma.right]
        elif isinstance(lemma, Conditions):
            parts += [*lemma.relations, *(end for ends in lemma.box.values() for end in ends)]
        elif isinstance(lemma, ForSome):
            ranges = [*lemma.constants.values(), *lemma.box.values()]
            parts += [*lemma.relations, *lemma.given, *lemma.such, *(end for ends in ranges for end in ends)]
        elif isinstance(lemma, OverLists):
            continue  # texts, which the prover reads as exact numbers
        else:
            assert isinstance(lemma, Limit)
            parts += [lemma.expression, lemma.point, lemma.value]
    return parts


@pytest.mark.parametrize("claim", discover().values(), ids=lambda claim: claim.id)
def test_no_float_anywhere_in_a_claim(claim: Claim) -> None:
    for part in exact_parts(claim):
        assert isinstance(part, (int, sp.Basic)), part
        assert not sp.sympify(part).atoms(sp.Float), part


class TestConditions:
    """Conditions are the inequality "not the last, given the others"."""

    x = sp.Symbol("x", real=True)

    @pytest.mark.parametrize(("relation", "denied"), [(sp.Lt, sp.Ge), (sp.Le, sp.Gt), (sp.Gt, sp.Le), (sp.Ge, sp.Lt)])
    def test_denial(self, relation: type, denied: type) -> None:
        first, last = sp.Ge(self.x, 0, evaluate=False), relation(self.x, 1, evaluate=False)
        denial = Conditions("made up", (first, last), {self.x: (-1, 2)}).denial
        assert denial.relation == denied(self.x, 1, evaluate=False)
        assert denial.given == (first,)
        assert denial.box == {self.x: (-1, 2)}


def test_a_path_moves_symbols_at_once() -> None:
    x, y = sp.symbols("x y", positive=True)
    path = Path("x to zero", x, "zero", {y: x**2, x: x / 2})
    assert path.along(x * y) == x**3 / 2


def test_a_true_form_must_stand_beside_the_false_one() -> None:
    x = sp.Symbol("x", positive=True)
    lemma = Identity("false", x, 2 * x, instead="true")
    claim = discover()["A.gradients"]
    assert dataclasses.replace(claim, lemmas=(lemma, Identity("true", x, x)))
    for lemmas in ((lemma,), (lemma, Identity("other", x, x)), (dataclasses.replace(lemma, instead="false"),)):
        with pytest.raises(ValueError, match="instead must name another lemma"):
            dataclasses.replace(claim, lemmas=lemmas)


class TestAt:
    """All symbols at once must come to what one after the other comes to, at points that the symbols allow."""

    @pytest.mark.parametrize("name", [name for name, claim in discover().items() if claim.regime or claim.value])
    def test_agrees_with_subs_on_formulas_and_hypotheses(self, name: str) -> None:
        claim = discover()[name]
        parts = [hypothesis.relation for hypothesis in claim.regime] + ([] if claim.value is None else [claim.value])
        for part in parts:
            symbols = sorted(part.free_symbols, key=str)
            for start in (2, 5):
                whole = {symbol: sp.Integer(start + 3 * i) for i, symbol in enumerate(symbols)}
                small = {s: value if s.is_integer else 1 / value for s, value in whole.items()}
                for point in (whole, small, dict(list(whole.items())[1:]), {}):
                    assert at(part, point) == part.subs(point), (part, point)

    def test_symbols_that_an_expression_binds_are_its_own(self) -> None:
        k = sp.Symbol("k", integer=True)
        assert at(sp.Sum(k * x, (k, 1, 3)), {k: 7, x: 2}).doit() == 12
        assert at(sp.Derivative(x**2, x), {x: 3}).doit() == 6


class TestLemmas:
    """What a lemma refuses when it is written."""

    x = sp.Symbol("x", positive=True)

    def test_constants_that_may_be_chosen_have_ranges_of_their_own(self) -> None:
        c, relation = sp.Symbol("c", positive=True), sp.Le(self.x, 1)
        assert ForSome("made up", (relation,), {c: (0, 1)}, {self.x: (0, 1)}).given == ()
        with pytest.raises(ValueError, match="must have constants and relations"):
            ForSome("made up", (relation,), {}, {self.x: (0, 1)})
        with pytest.raises(ValueError, match="must not be in its box, got x"):
            ForSome("made up", (relation,), {self.x: (0, 1)}, {self.x: (0, 1)})
        with pytest.raises(
            ValueError, match=r"relation of lemma 'three' must compare two sides in one argument, got x"
        ):
            Inequality("three", x, {x: (0, 1)}, (x,))
        with pytest.raises(ValueError, match="must give every symbol a range"):
            ForSome("made up", (relation,), {c: (0, 1)}, {})
        with pytest.raises(ValueError, match="must give every symbol a range"):
            ForSome("made up", (relation,), {c: (0, 1)}, {self.x: (0, 1)}, such=(relation,))

    def test_floats_are_refused_with_what_to_write(self) -> None:
        with pytest.raises(ValueError, match=r"lemma 'half' must be exact .*; write sympy.Rational\(1, 2\) for 0.5"):
            Inequality("half", sp.Le(0.5 * self.x, self.x, evaluate=False), {self.x: (0, 1)})
        with pytest.raises(ValueError, match="lemma 'half' must be exact"):
            Inequality("half", sp.Le(self.x, 1, evaluate=False), {self.x: (0, 1)}, given=(sp.Le(self.x, 0.5),))
        with pytest.raises(ValueError, match="lemma 'half' must be exact"):
            Identity("half", 0.5 * self.x, self.x / 2)

    def test_a_symbol_without_a_range_is_named(self) -> None:
        y = sp.Symbol("y", positive=True)
        with pytest.raises(ValueError, match="box of lemma 'pair' must give every symbol a range, got none for 'y'"):
            Inequality("pair", sp.Le(self.x, y, evaluate=False), {self.x: (0, 1)})


def test_ends_of_a_constant_may_be_whole_numbers() -> None:
    constant = Constant(y, 0, 10**6)  # type: ignore[arg-type]
    assert (constant.low, constant.high) == (sp.Integer(0), sp.Integer(10**6))
    assert constant == Constant(y, sp.Integer(0), sp.Integer(10**6))
