"""The catalogue of claims: complete, worded, exact where it has formulas, and true where it says that it is.

Ids and false lemmas are written out so that one that gets lost or renamed fails a test; a new one need not be added.
"""

from __future__ import annotations

import random
import re

import pytest
import sympy as sp

from theory.catalogue import discover
from theory.claim import Axis, Claim, Conditions, Evidence, Identity, Inequality, Kind, Limit, Role

SHALLOW_VIT = """
data model asm1 asm3 width fraction batch samples iterations zero_error samples_frozen iterations_frozen attention_gain
noise_scaling init_scaling concentration softmax_bounds mass_at_start attention_growth key_growth query_log mass_limit
value_growth value_signs neuron_growth unlucky_bounded output_growth lucky_count lucky_monotone gradients hoeffding
prop1_algebra condition_algebra consistency fig1a fig1b fig2 fig3 fig4 fig5 fig7 fig8 multiclass pattern_sets multihead
skip fig6a fig6b fig6c open_L open_depth open_spurious
"""
SPATIAL_VIT = """
data labelling association gram_init diagonal_wlog permutation glm_fails no_structure softmax scale three_values span
reduced_gradient increment_identity gamma_step rho_step association_always glm_at_init event1 event2 event3 idealized
first_phase_time association_time realistic transfer no_transfer fig1 fig2 fig4 fig5 fig6 fig7
"""
IDS = [f"A.{name}" for name in SHALLOW_VIT.split()] + [f"B.{name}" for name in SPATIAL_VIT.split()]

KINDS = {
    "A.data": Kind.DEFINITION,
    "A.width": Kind.SUFFICIENT,
    "A.fraction": Kind.SUFFICIENT,
    "A.samples": Kind.UPPER,
    "A.samples_frozen": Kind.UPPER,
    "A.iterations": Kind.TIGHT,
    "A.iterations_frozen": Kind.TIGHT,
    "A.concentration": Kind.UPPER,
    "A.zero_error": Kind.EXPLICIT_LOWER,
    "A.lucky_count": Kind.EXPLICIT_LOWER,
    "A.unlucky_bounded": Kind.EXPLICIT_UPPER,
    "A.gradients": Kind.IDENTITY,
    "A.fig1a": Kind.FIGURE,
    "A.open_L": Kind.OPEN,
    "B.softmax": Kind.INEQUALITY,
    "B.first_phase_time": Kind.OPEN,
    "B.gamma_step": Kind.TIGHT,
    "B.rho_step": Kind.UPPER,
    "B.glm_fails": Kind.EVERY_ALGORITHM,
    "B.no_structure": Kind.EXISTENCE,
    "B.transfer": Kind.UNSPECIFIED_ORDER,
    "B.idealized": Kind.BEHAVIOUR,
    "B.span": Kind.IDENTITY,
}

REFUTED = {
    ("A.condition_algebra", "(70) up to a factor of 100"),
    ("A.hoeffding", "(66) to (69) as printed"),
    ("A.fraction", "Fig. 1(b) meets (8)"),
    ("A.asm1", "section 4.1, literally"),
    ("A.asm1", "section 4.1 for any c_0"),
    ("A.asm3", "(24) for two unit-norm tokens"),
    ("A.concentration", "(15) for each token"),
    ("A.gradients", "W_K, eq. (167) as printed"),
    ("A.query_log", "(60) at T = 1/eta"),
    ("A.mass_limit", "(62) at T = 1/eta with (61)'s C"),
    ("A.mass_limit", "(61) at T = c/eta"),
    ("A.value_signs", "(30) and (36)"),
    ("A.attention_gain", "(10) over (13) with sigma = 1/20"),
    ("A.output_growth", "(67) as a lower bound"),
    ("A.mass_at_start", "(154) toward alpha_* = 0"),
    ("A.lucky_count", "Lemma 3's share"),
    ("A.neuron_growth", "(99)"),
    ("A.neuron_growth", "(34) at t = 0: one neuron"),
    ("A.lucky_monotone", "(217) after one step"),
    ("A.attention_growth", "(44) and (46) at one step"),
    ("A.unlucky_bounded", "(40) at t = 0: "),
    ("A.unlucky_bounded", "(42) at t = 0: "),
    ("A.prop1_algebra", "(77) toward alpha_* = 0"),
    ("A.prop1_algebra", "(78) toward alpha_* = 0"),
    ("A.condition_algebra", "(102) at xi = 1/sqrt(M)"),
    ("A.condition_algebra", "(102) at m = 1000 and xi <= 1/100"),
    ("A.condition_algebra", "(130), last step"),
    ("A.consistency", "(103) with (11)"),
    ("A.consistency", "(130) with (11)"),
    ("B.glm_at_init", "with activation p = 3: the direction"),
    ("B.glm_fails", "Theorem 3.1 with"),
    ("B.no_structure", "as written"),
}
"""(claim, beginning of the lemma's name): steps and readings that are false, conditions that are inconsistent. A new
one says so itself, by naming its nearest true form."""


def claims() -> list[Claim]:
    return list(discover().values())


def lemmas(kind: type) -> list[tuple[Claim, object]]:
    return [(claim, lemma) for claim in claims() for lemma in claim.lemmas if isinstance(lemma, kind)]


def is_expected_false(claim: Claim, name: str) -> bool:
    return any(lemma.name == name and lemma.instead for lemma in claim.lemmas)


OF_OURS = re.compile(r"\b(not|but|without)\b")
"""Words of a lemma that denies what a text says, where the text itself asserts."""


def test_a_denial_of_the_text_is_no_step_of_its_proof() -> None:
    """It would count among displayed steps that hold; a step that is false as printed names its true form instead."""
    for claim in claims():
        for lemma in claim.lemmas:
            is_step = claim.role_of(lemma) is Role.PROOF_STEP and not lemma.instead
            assert not (is_step and OF_OURS.search(lemma.name)), f"{claim.id}: {lemma.name}"


def test_no_claim_gets_lost() -> None:
    assert set(IDS) <= set(discover())


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_kinds(name: str, kind: Kind) -> None:
    assert discover()[name].kind is kind


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_every_claim_is_worded_and_placed(claim: Claim) -> None:
    assert claim.source.key == {"A": "li2023", "B": "jelassi2022"}.get(claim.paper, claim.source.key)
    assert claim.source.place
    assert claim.statement.endswith(".")
    assert re.fullmatch(r"[a-z]+(_[a-zA-Z0-9]+)*", claim.observable)
    assert claim.evidence
    assert len(set(claim.evidence)) == len(claim.evidence)
    assert "  " not in claim.statement + claim.reading


def test_proofs_rest_on_what_the_papers_say() -> None:
    """As "from Claim 2 of Lemma 2, (60), and (61)"; "combining Theorem 1 and Proposition 1"; Lemma 4.3 gives item 1."""
    for name, others in {
        "A.concentration": {"A.attention_growth", "A.query_log", "A.mass_limit"},
        "A.attention_gain": {"A.samples", "A.samples_frozen"},
        "B.association_always": {"B.gamma_step", "B.rho_step"},
    }.items():
        assert set(discover()[name].uses) == others


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_symbolic_parts_are_whole(claim: Claim) -> None:
    names = [lemma.name for lemma in claim.lemmas] + [hypothesis.name for hypothesis in claim.regime]
    assert len(set(names)) == len(names)
    if claim.value is not None:
        for constant in claim.constants:
            assert constant.symbol in claim.value.free_symbols
            assert constant.low < constant.high
        for axis in claim.axes:
            if not isinstance(axis.toward, str):
                assert axis.symbol not in axis.toward.free_symbols


def test_notation_symbols_carry_assumptions() -> None:
    import theory.shallow_vit.notation as paper_a
    import theory.spatial_vit.notation as paper_b

    for module in (paper_a, paper_b):
        symbols = {name: value for name, value in vars(module).items() if isinstance(value, sp.Symbol)}
        assert len(symbols) > 15
        assert len({symbol.name for symbol in symbols.values()}) == len(symbols)
        for name, symbol in symbols.items():
            assert symbol.is_real, f"{module.__name__}.{name}"


class TestExponents:
    """Derived from the values by `theory.asymptotics.exponents`, against what the papers' words say."""

    @pytest.mark.parametrize(
        ("name", "symbol", "expected"),
        [
            ("A.iterations", "alpha_*", "-1"),
            ("A.iterations", "eta", "-1"),
            ("A.iterations_frozen", "alpha_*", "-1"),
            ("A.samples", "alpha_*", "-2"),
            ("A.samples_frozen", "alpha_*", "-2"),
            ("A.attention_gain", "alpha_*", "2"),
            ("A.noise_scaling", "tau", "-2"),
            ("A.init_scaling", "sigma", "-2"),
            ("A.concentration", "t", "-1"),
            ("A.mass_at_start", "alpha_*", "1"),
            ("A.query_log", "T", "0"),
            ("A.neuron_growth", "t", "2"),
            ("A.neuron_growth", "alpha_*", "1"),
            ("A.hoeffding", "N", "0"),
            ("A.batch", "alpha_*", "-2"),
            ("A.output_growth", "T", "5"),
            ("A.fig1a", "alpha_*", "-2"),
            ("A.fig2", "alpha_*", "-1"),
            ("A.fig3", "alpha_*", "2"),
            ("B.gamma_step", "alpha", "p"),
            ("B.gamma_step", "eta", "1"),
            ("B.rho_step", "alpha", "p"),
            ("B.rho_step", "D", "-1"),
        ],
    )
    def test_toward_the_limit_of_the_claim(self, name: str, symbol: str, expected: str) -> None:
        from theory.asymptotics.exponents import exponent

        claim = discover()[name]
        axis = next(axis for axis in claim.axes if axis.symbol.name == symbol)
        assert str(exponent(claim.value, axis.symbol, toward=axis.toward)) == expected

    @pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
    def test_every_scaling_claim_has_one(self, claim: Claim) -> None:
        from theory.asymptotics.exponents import exponent

        assert claim.has_order or not claim.kind.is_scaling
        if claim.has_order:
            assert claim.value is not None
            for axis in claim.axes:
                assert exponent(claim.value, axis.symbol, toward=axis.toward).is_real

    def test_without_noise_the_sample_bounds_differ_by_two_powers(self) -> None:
        from theory.asymptotics.exponents import exponent
        from theory.shallow_vit.generalization import NOISELESS
        from theory.shallow_vit.notation import alpha

        trained, frozen = (discover()[name].value.subs(NOISELESS) for name in ("A.samples", "A.samples_frozen"))
        assert exponent(trained, alpha, toward="zero") == -2
        assert exponent(frozen, alpha, toward="zero") == -4
        for name in ("A.samples", "A.samples_frozen"):
            assert discover()[name].axis(alpha).toward.subs(NOISELESS) == 0

    def test_logarithms(self) -> None:
        from theory.asymptotics.exponents import exponent, log_degree
        from theory.shallow_vit.generalization import NOISELESS
        from theory.shallow_vit.notation import N, T

        assert log_degree(discover()["A.query_log"].value, T) == 1
        assert log_degree(discover()["A.width"].value, N) == 1
        fluctuation = discover()["A.hoeffding"].value.subs(NOISELESS)
        assert exponent(fluctuation, N) == sp.Rational(-1, 2)
        assert log_degree(fluctuation, N) == sp.Rational(1, 2)


class TestLemmas:
    """Every lemma is what the catalogue says it is: true, or one of the printed slips."""

    def test_inequalities_are_undecided_relations_over_whole_boxes(self) -> None:
        for claim, lemma in lemmas(Inequality):
            assert isinstance(lemma.relation, sp.core.relational.Relational), (claim.id, lemma.name)
            symbols = lemma.relation.free_symbols.union(*(given.free_symbols for given in lemma.given))
            assert symbols <= set(lemma.box), (claim.id, lemma.name)

    def test_inequalities_are_decided_as_expected(self) -> None:
        from theory.prover.certify import Proved, Refuted, certify

        for claim, printed in lemmas(Inequality):
            lemma = claim.under_hypotheses(printed)
            answer = certify(lemma.relation, lemma.box, lemma.given, budget_s=20)
            assert isinstance(answer, Refuted if is_expected_false(claim, lemma.name) else Proved), (
                claim.id,
                lemma.name,
            )

    def test_conditions_have_a_witness_or_a_contradiction_as_expected(self) -> None:
        from theory.prover.certify import Proved, Refuted, certify

        for claim, lemma in lemmas(Conditions):
            denial = lemma.denial
            answer = certify(denial.relation, denial.box, denial.given, budget_s=20)
            expected = Proved if is_expected_false(claim, lemma.name) else Refuted
            assert isinstance(answer, expected), (claim.id, lemma.name)
            if isinstance(answer, Refuted):
                for relation in lemma.relations:
                    assert relation.subs(answer.counterexample) == sp.true, (claim.id, lemma.name, relation)

    def test_the_nearest_true_form_of_what_is_false_is_not_false_itself(self) -> None:
        for claim in claims():
            for lemma in claim.lemmas:
                assert not is_expected_false(claim, lemma.instead), (claim.id, lemma.name)

    def test_every_claim_that_symbols_can_settle_has_lemmas(self) -> None:
        for claim in claims():
            if {Evidence.SYMBOLIC, Evidence.CERTIFIED} & set(claim.evidence):
                assert claim.lemmas, claim.id

    def test_limits_are_derived(self) -> None:
        from theory.asymptotics.exponents import limit

        for claim, lemma in lemmas(Limit):
            derived = limit(lemma.expression, lemma.symbol, lemma.point)
            assert sp.simplify(derived - lemma.value) == 0, (claim.id, lemma.name)

    def test_identities_hold_at_random_points(self) -> None:
        generator = random.Random(20230206)
        for claim, lemma in lemmas(Identity):
            difference = lemma.left - lemma.right
            symbols = sorted(difference.free_symbols, key=str)
            # Sizes are integers with C - 1 and D - C away from zero.
            gaps = []
            for _ in range(4):
                point = {symbol: sp.Rational(generator.randint(3, 9), generator.randint(10, 12)) for symbol in symbols}
                sizes = [symbol for symbol in symbols if symbol.is_integer]
                point |= {symbol: sp.Integer(generator.randint(3, 6)) for symbol in sizes}
                point |= {symbol: sp.Integer(17) for symbol in sizes if symbol.name == "D"}
                gaps.append(abs(difference.subs(point).evalf(30)))
            holds = bool(max(gaps) < sp.Float("1e-20"))
            assert holds is not is_expected_false(claim, lemma.name), (claim.id, lemma.name, gaps)

    def test_every_expected_slip_is_in_the_catalogue(self) -> None:
        for key, beginning in REFUTED:
            found = [lemma for lemma in discover()[key].lemmas if lemma.name.startswith(beginning)]
            assert found, (key, beginning)
            assert all(lemma.instead for lemma in found), (key, beginning)

    def test_softmax_is_settled_in_both_forms(self) -> None:
        names = [lemma.name for lemma in discover()["B.softmax"].lemmas]
        for value in ("Lambda", "Gamma", "Xi", "G"):
            for logit in ("gamma", "rho"):
                assert sum(name.startswith(f"{value} ") and f"with {logit}," in name for name in names) == 2


class TestCapProbability:
    """The exact probability behind A.lucky_count."""

    def test_elementary_form_is_the_incomplete_beta_function(self) -> None:
        from theory.shallow_vit.caps import CAP_10, cap_probability, theta

        for angle in (sp.Rational(1, 10), sp.Rational(3, 10), sp.Integer(1), sp.Rational(3, 2)):
            exact = cap_probability(angle, sp.Integer(10)).evalf(30)
            assert abs(CAP_10.subs(theta, angle).evalf(30, maxn=200) - exact) < sp.Float("1e-25")

    def test_small_caps_are_far_below_the_share_of_lemma_3(self) -> None:
        from theory.shallow_vit.caps import CAP_10, theta

        assert CAP_10.subs(theta, sp.Rational(1, 10)).evalf(20, maxn=200) < sp.Rational(1, 10**9)

    def test_a_plane_is_uniform(self) -> None:
        from theory.shallow_vit.caps import cap_probability

        assert abs(cap_probability(sp.pi / 6, sp.Integer(2)).evalf(20) - sp.Rational(1, 6)) < sp.Float("1e-15")


def test_the_papers_grids_are_exact() -> None:
    from theory.shallow_vit.figures import SETTINGS
    from theory.shallow_vit.notation import alpha, alpha_confusion, alpha_nd

    assert set(SETTINGS) <= set(discover())
    for name, setting in SETTINGS.items():
        assert not any(sp.sympify(value).atoms(sp.Float) for value in setting.values())
        if alpha_nd in setting:
            total = setting.get(alpha, alpha) + setting[alpha_confusion] + setting[alpha_nd]
            assert sp.simplify(total) == 1, name


def test_open_questions_claim_nothing() -> None:
    for claim in claims():
        if claim.kind is Kind.OPEN:
            assert claim.value is None
            assert not claim.lemmas
            assert claim.evidence == (Evidence.MEASURED,)


def test_boundaries_are_axes_of_their_own() -> None:
    from theory.shallow_vit.notation import alpha, samples_offset

    assert discover()["A.samples"].axes == (Axis(alpha, samples_offset),)


class TestPaths:
    """All parameters of a regime move together."""

    @pytest.mark.parametrize("claim", [claim for claim in claims() if claim.path], ids=lambda claim: claim.id)
    def test_along_a_path_only_its_symbol_and_constants_are_left(self, claim: Claim) -> None:
        path = claim.path
        left = path.along(claim.value).free_symbols
        assert left <= claim.value.free_symbols - set(path.moves) | {path.symbol} | {
            symbol for value in path.moves.values() for symbol in value.free_symbols
        }
        assert path.symbol not in path.moves

    @pytest.mark.parametrize(
        ("name", "power", "degree"),
        [
            ("A.samples", "-2", "0"),
            ("A.samples_frozen", "-4", "0"),
            ("A.iterations", "-1", "0"),
            ("A.batch", "-2", "0"),
            ("A.width", "0", "1"),
            ("A.attention_gain", "2", "0"),
            ("A.query_log", "0", "1"),
            ("A.hoeffding", "1", "1/2"),
            ("A.output_growth", "-4", "0"),
            ("B.gamma_step", "-5", "4"),
            ("B.rho_step", "-5", "0"),
        ],
    )
    def test_exponents(self, name: str, power: str, degree: str) -> None:
        from theory.asymptotics.exponents import exponent, log_degree

        claim = discover()[name]
        path, value = claim.path, claim.path.along(claim.value)
        assert str(exponent(value, path.symbol, toward=path.toward)) == power
        assert str(log_degree(value, path.symbol, toward=path.toward)) == degree

    def test_the_path_of_fewer_relevant_tokens_meets_theorem_1(self) -> None:
        """Hypotheses that name no hidden constant hold along it, at small alpha_*."""
        from theory.claim import Met
        from theory.shallow_vit.hypotheses import FEWER_RELEVANT, THEOREM_1
        from theory.shallow_vit.notation import alpha, delta

        for hypothesis in THEOREM_1:
            moved = hypothesis.relation.subs(FEWER_RELEVANT.moves)
            for value in (sp.Rational(1, 10), sp.Rational(1, 100), sp.Rational(1, 1000)):
                met = type(hypothesis)(hypothesis.name, moved).evaluate({alpha: value, delta: sp.Rational(1, 5)})
                assert met is not Met.NOT_MET, hypothesis.name


class TestCounting:
    """Exact error probabilities against brute force over all signs."""

    def test_probabilities_of_all_events_sum_to_one(self) -> None:
        from theory.spatial_vit.counting import probability, sums
        from theory.spatial_vit.notation import q

        everything = ((number, featured) for (_, featured), number in sums(5).items())
        assert sp.expand(probability(everything, 5)) == 1
        assert probability([], 5) == 0
        assert q in probability(((1, 1),), 5).free_symbols

    @pytest.mark.parametrize("rate", [sp.Rational(1, 4), sp.Rational(2, 3), sp.Integer(1)])
    def test_labelling_paired_and_sum_errors_are_those_of_enumeration(self, rate: sp.Rational) -> None:
        import itertools

        from theory.spatial_vit.counting import labelling_error, paired_error, sum_error
        from theory.spatial_vit.notation import q

        wrong = [sp.Integer(0)] * 3
        for signs in itertools.product((-1, 0, 1), repeat=6):
            weight = sp.prod(rate / 2 if sign else 1 - rate for sign in signs)
            sets = [2, *(signs[i] + signs[i + 1] for i in (0, 2, 4))]
            outputs = (
                sum(total for total in sets if 10 * abs(total) > 18),
                (sets[0] + sets[1]) ** 3 + (sets[2] + sets[3]) ** 3,
                sum(sets),
            )
            wrong = [total + (weight if output <= 0 else 0) for total, output in zip(wrong, outputs, strict=True)]
        expected = (labelling_error(8, 2), paired_error(8, 2, 3), sum_error(8, 2))
        assert wrong == [error.subs(q, rate) for error in expected]

    def test_the_decoder_errs_only_where_the_labelling_function_is_zero(self) -> None:
        from theory.spatial_vit.counting import decoder_error
        from theory.spatial_vit.notation import q

        # D = 4, C = 2: f* = 0 where the random set cancels the signal set, both signs against the label.
        assert sp.expand(decoder_error(4, 2) - (q / 2) ** 2) == 0
