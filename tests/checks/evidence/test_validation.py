"""What is refused when a check is loaded: one line with claim, paper, part, rule, and the nearest name."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence import exponents, law_search, open_parts, paired, proofs, refutation, rising, sampled, validation
from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.part import Part
from checks.evidence.refutation import CounterexampleSearch
from checks.evidence.sampled import Agreement, Behaviour, Rate, Scaling, Threshold
from checks.evidence.validation import (
    OBSERVABLE_FIELDS,
    PARAMETER_FIELDS,
    InvalidCheck,
    judges_of,
    problems,
)
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.store.store import Store, StoreError
from sim.trials.signature import signature_of
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theory.asymptotics.exponents import exponent
from theory.claim import Axis, Claim, Constant, Evidence, Hypothesis, Kind, Source
from theory.claim import Path as Moves
from theory.relations import above

HERE = "tests.checks.evidence.test_validation"
n, d = sp.symbols("n d", positive=True, integer=True)
RISK = Claim(
    id="ols.risk",
    source=Source("ols", "Theorem 1"),
    kind=Kind.EXACT,
    statement="The expected excess risk is d / (n - d - 1).",
    observable="excess risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=d / (n - d - 1),
    regime=(Hypothesis("n > d + 1", above(n, d + 1)),),
)


def simulate_ols(
    *, n_samples: int, dimension: int, noise: float = 1.0, solver: str = "qr", generator: object
) -> TrialResult:
    return TrialResult(Outcome.CONVERGED, {"excess_risk": 1.0})


OLS = System("ols", f"{HERE}:simulate_ols", observables=("excess_risk", "has_converged"))
LETTERS = {"n_samples": n, "dimension": d}


def sweeps(points: tuple[Mapping[str, Any], ...] = grid(n_samples=(10, 20)), **fixed: Any) -> dict[Preset, tuple]:
    return {Preset.SMOKE: (Sweep(OLS, points, fixed or {"dimension": 5}, 2),)}


def scaling(**changes: Any) -> Scaling:
    asked = {
        "name": "d = 5", "symbol": n, "parameter": "n_samples", "observable": "excess_risk", "symbols": LETTERS,
        "sweeps": sweeps(), **changes,
    }  # fmt: skip
    return Scaling(**asked)


def refusal(part: Part, claim: Claim = RISK) -> str:
    with pytest.raises(InvalidCheck) as caught:
        Check(claim, (part,))
    text = str(caught.value)
    start = f"{claim.id} ({claim.source.key}), part {part.name!r}: "
    assert text.startswith(start)
    assert "\n" not in text
    return text.removeprefix(start)


def test_a_check_without_mistakes_is_loaded() -> None:
    Check(RISK, (scaling(),))
    Check(RISK, (scaling(symbols=lambda parameters: {n: parameters["n_samples"], d: parameters["dimension"]}),))


CONTROLLED = Control("untrained", {Preset.SMOKE: (Sweep(OLS, grid(n_samples=(9,), dimensoin=(1,))),)})
OTHER_N = sp.Symbol("n")
MISTAKES: dict[str, tuple[Callable[[], Part], str]] = {
    "observable": (
        lambda: scaling(observable="exces_risk"),
        "observable must be observed by simulator ols, got 'exces_risk'; nearest is 'excess_risk'",
    ),
    "another observable": (
        lambda: scaling(finished="converged"),
        "finished must be observed by simulator ols, got 'converged'; nearest is 'has_converged'",
    ),
    "observable of success": (
        lambda: Threshold(
            name="t",
            symbol=n,
            parameter="n_samples",
            symbols=LETTERS,
            size="dimension",
            success="converged",
            sweeps=sweeps(),
        ),
        "success must be observed by simulator ols, got 'converged'; nearest is 'has_converged'",
    ),
    "sweep parameter": (
        lambda: scaling(sweeps=sweeps(grid(n_sampels=(10,)))),
        "parameters must be those of simulator ols, got 'n_sampels'; nearest is 'n_samples'",
    ),
    "fixed parameter": (
        lambda: scaling(sweeps=sweeps(dimention=5)),
        "parameters must be those of simulator ols, got 'dimention'; nearest is 'dimension'",
    ),
    "missing parameter": (
        lambda: scaling(symbols=lambda parameters: {}, sweeps=sweeps(noise=0.5)),
        "parameters must include 'dimension' of simulator ols, got n_samples, noise",
    ),
    "parameter of a control": (
        lambda: Threshold(
            name="t",
            symbol=n,
            parameter="n_samples",
            symbols=LETTERS,
            size="dimension",
            success="has_converged",
            sweeps=sweeps(),
            control=CONTROLLED,
        ),
        "parameters must be those of simulator ols, got 'dimensoin'; nearest is 'dimension'",
    ),
    "a fixed parameter that nothing uses": (
        lambda: scaling(sweeps=sweeps(dimension=5, n_samples=7)),
        "fixed must hold what the points leave open, got 'n_samples', which every point sets",
    ),
    "kind of a value": (
        lambda: scaling(sweeps=sweeps(grid(n_samples=(10.5,)))),
        "parameter 'n_samples' of simulator ols must be a whole number, got 10.5",
    ),
    "a symbol as a value": (
        lambda: scaling(sweeps=sweeps(dimension=sp.Integer(5))),
        "parameter 'dimension' must be a plain number, text or True or False, got Integer 5",
    ),
    "parameter of the axis": (
        lambda: scaling(parameter="n_sampels"),
        "parameter must be a parameter of simulator ols, got 'n_sampels'; nearest is 'n_samples'",
    ),
    "parameter that no sweep sets": (
        lambda: scaling(parameter="noise"),
        "parameter must be a parameter that every trial is given, got 'noise', which its sweeps leave out",
    ),
    "cutoff": (
        lambda: scaling(finished="has_converged", cutoff="dimenson"),
        "cutoff must be a parameter of simulator ols, got 'dimenson'; nearest is 'dimension'",
    ),
    "axis": (
        lambda: scaling(symbol=d, parameter="dimension"),
        "symbol must be an axis of the claim, got 'd'; nearest is 'n'",
    ),
    "assumptions of an axis": (
        lambda: scaling(symbol=OTHER_N),
        "symbol must be an axis of the claim, got another 'n', made with other assumptions; use the claim's own symbol",
    ),
    "parameter in symbols": (
        lambda: scaling(symbols={**LETTERS, "noize": sp.Symbol("s")}),
        "symbols must translate parameters of its simulators, got 'noize'; nearest is 'noise'",
    ),
    "text in symbols": (
        lambda: scaling(symbols={**LETTERS, "solver": d}),
        "symbols must translate numbers, got 'solver', which is of kind str",
    ),
    "letter in symbols": (
        lambda: scaling(symbols={**LETTERS, "noise": sp.Symbol("sigma")}),
        "symbols must give letters of the claim, got 'noise': 'sigma'; nearest is 'n'; "
        "a mapping for several claims is named symbols in checks.py",
    ),
    "assumptions in symbols": (
        lambda: scaling(symbols={"n_samples": n, "dimension": sp.Symbol("d")}),
        "symbols must give letters of the claim, got 'dimension': another 'd', made with other assumptions",
    ),
    "no letter in symbols": (
        lambda: scaling(symbols={"n_samples": "n"}),
        "symbols must give letters of the claim, got 'n_samples': 'n', which is no sympy Symbol",
    ),
    "letter given twice": (
        lambda: scaling(symbols={**LETTERS, "noise": d}),
        "symbols must give every letter once, got 'dimension' and 'noise' for d",
    ),
    "letter left over": (
        lambda: scaling(symbols={"n_samples": n}),
        "symbols must give every letter of the claim's value, got 'n_samples': n, and d left over",
    ),
    "axis translated from another parameter": (
        lambda: scaling(symbols={"n_samples": d, "dimension": n}),
        "symbols must give the axis n for 'n_samples', got it for 'dimension'",
    ),
    "exempt hypothesis": (
        lambda: scaling(exempt=("n > d",), because="nowhere"),
        "exempt must name hypotheses of the claim, got 'n > d'; nearest is 'n > d + 1'",
    ),
    "path": (
        lambda: scaling(path=Moves("n grows", OTHER_N, "infinity", {})),
        "path must move letters of the claim, got another 'n', made with other assumptions",
    ),
    "kind": (
        lambda: Agreement(name="same", observable="excess_risk", sweeps=sweeps()),
        "Agreement judges identity, definition, got kind exact, which is judged by Scaling, Threshold",
    ),
    "preset": (
        lambda: scaling(sweeps={"smok": sweeps()[Preset.SMOKE]}),
        "sweeps must be by preset, got 'smok'; nearest is 'smoke'",
    ),
    "one sweep": (
        lambda: scaling(sweeps={Preset.SMOKE: sweeps()[Preset.SMOKE][0]}),
        "sweeps at smoke must be a tuple of sweeps, got Sweep Sweep(",
    ),
    "module of the simulator": (
        lambda: scaling(sweeps={Preset.SMOKE: (Sweep(System("ols", "tests.olss:simulate"), ({},)),)}),
        "system ols: function must be in a module that can be imported, got tests.olss: ModuleNotFoundError",
    ),
    "function of the simulator": (
        lambda: scaling(sweeps={Preset.SMOKE: (Sweep(System("ols", f"{HERE}:simulate_osl"), ({},)),)}),
        f"system ols: function must be one of {HERE}, got 'simulate_osl'; nearest is 'simulate_ols'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_to_do(mistake: str) -> None:
    part, message = MISTAKES[mistake]
    assert refusal(part()).startswith(message)


def test_horizons_and_series_are_parameters_too() -> None:
    claim = replace(RISK, kind=Kind.BEHAVIOUR, value=None, axes=(Axis(n),))
    shown = Behaviour(name="b", shows=lambda trial: True, rate=0.5, horizon="dimensio", sweeps=sweeps())
    assert (
        refusal(shown, claim) == "horizon must be a parameter of simulator ols, got 'dimensio'; nearest is 'dimension'"
    )
    found = open_parts.Exponent(
        name="e", symbol=n, along=lambda p: 1.0, quantity=lambda t: 1.0, series="solvr", sweeps=sweeps()
    )
    assert refusal(found, claim).endswith("got 'solvr'; nearest is 'solver'")


def test_an_error_may_be_exact_or_counted() -> None:
    claim = replace(RISK, kind=Kind.EVERY_ALGORITHM)

    def attack(*observables: str) -> CounterexampleSearch:
        system = replace(OLS, observables=observables)
        listed = {Preset.SMOKE: (Sweep(system, grid(n_samples=(10,)), {"dimension": 5}),)}
        return CounterexampleSearch(name="a", symbols=LETTERS, words=str, sweeps=listed)

    Check(claim, (attack("error"),))
    Check(claim, (attack("n_wrong", "n_test"),))
    lacking = problems_of(claim, attack("n_wrong", "n_tested"))
    assert any("total must be observed by simulator ols, got 'n_test'; nearest is 'n_tested'" in one for one in lacking)


def problems_of(claim: Claim, *parts: Part) -> tuple[str, ...]:
    with pytest.raises(InvalidCheck) as caught:
        Check(claim, parts)
    return caught.value.problems


@pytest.mark.parametrize(
    ("kind", "toward", "condition", "is_refused"),
    [
        (Kind.UPPER, "infinity", n <= 160, True),
        (Kind.UPPER, "infinity", sp.And(n >= 10, n <= 160), True),
        (Kind.UPPER, "zero", n >= 3, True),
        (Kind.UPPER, "zero", n <= 160, False),
        (Kind.UPPER, "infinity", n >= 1000, False),
        (Kind.UPPER, "infinity", n <= d**2, False),
        (Kind.EXPLICIT_UPPER, "infinity", n <= 160, False),
    ],
)
def test_a_hypothesis_that_ends_before_the_limit_is_refused(kind, toward, condition, is_refused: bool) -> None:
    """n <= 160 of a claim about n -> infinity: whatever was measured says nothing of the claim."""
    claim = replace(RISK, kind=kind, axes=(Axis(n, toward),), regime=(Hypothesis("condition", condition),))
    found = [
        line
        for line in problems_of(claim, scaling(), scaling())
        if "regime must not end before the limit n -> " in line
    ]
    assert bool(found) is is_refused


def test_all_mistakes_are_listed_and_the_first_is_the_text() -> None:
    wrong = scaling(observable="risk", parameter="n_sampels", symbols={"n_samples": n})
    with pytest.raises(InvalidCheck) as caught:
        Check(RISK, (wrong, scaling(name="other", symbol=d)))
    assert len(caught.value.problems) == 4
    assert str(caught.value) == f"{caught.value.problems[0]} (and 3 more)"
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_parts_must_be_a_tuple_of_parts_with_names_of_their_own() -> None:
    assert problems_of_parts(scaling()).startswith("parts must be a tuple of parts, got Scaling Scaling(name='d = 5'")
    assert problems_of_parts(scaling()).endswith("; write (part,) for one")
    assert problems_of_parts((sweeps(),)).startswith("parts must be parts such as Scaling or Behaviour, got dict {")
    assert problems_of_parts((scaling(), scaling())) == "parts must have names of their own, got 'd = 5' twice"
    half = scaling(side="upper", because="nothing says more", whole="d = 6")
    assert problems_of_parts((half,)) == "part 'd = 5': whole must name a part of the check, got 'd = 6'"
    Check(RISK, (half, scaling(name="d = 6")))


def problems_of_parts(parts: Any) -> str:
    with pytest.raises(InvalidCheck) as caught:
        Check(RISK, parts)
    return caught.value.problems[0].removeprefix("ols.risk (ols): ")


def test_a_control_is_declared_with_a_word_that_its_lines_can_say() -> None:
    said = r"expects must be what its lines can say \(violated\), got refuted"
    with pytest.raises(InvalidCheck, match=said):
        Check(RISK, (scaling(),), expects=Verdict.REFUTED)
    assert Check(RISK, (scaling(),), expects=Verdict.VIOLATED).parts
    with pytest.raises(ValueError, match=r"expects must be a verdict against the claim .*, got str 'violated'"):
        Check(RISK, (scaling(),), expects="violated")


def test_a_part_without_noise_judges_no_order_and_says_so() -> None:
    order = replace(RISK, kind=Kind.TIGHT)
    assert refusal(scaling(noiseless=True), order).startswith("Scaling with noiseless=True judges ")
    Check(order, (scaling(),))


def test_what_the_author_did_not_list_is_not_checked() -> None:
    unlisted = replace(OLS, observables=())
    listed = {Preset.SMOKE: (Sweep(unlisted, grid(n_samples=(10,)), {"dimension": 5}),)}
    Check(RISK, (scaling(observable="anything", sweeps=listed),))


def test_a_mapping_gives_exact_numbers_with_the_simulators_defaults() -> None:
    s = sp.Symbol("s", positive=True)
    claim = replace(RISK, value=RISK.value * s, constants=(Constant(d, sp.Integer(1), sp.Integer(2)),))
    part = scaling(symbols={"n_samples": n, "noise": s})
    Check(claim, (part,))
    spec = TrialSpec(OLS, {"n_samples": 10, "dimension": 5})
    assert part.letters(spec) == {n: 10, s: 1}
    assert part.letters(replace(spec, parameters={"n_samples": 10, "noise": 0.1}))[s] == sp.Rational(1, 10)


def test_a_value_without_growth_exponent_is_a_row_that_says_what_to_do() -> None:
    falling = replace(RISK, kind=Kind.UPPER, value=n**-n, regime=(), evidence=(Evidence.DERIVED, Evidence.MEASURED))
    rate = Rate(
        name="r", symbol=n, quantity=lambda trial, constant: None, constant="C", values=(1.0,), window=(0.0, 1.0),
        contradiction="", symbols={"n_samples": n}, sweeps=sweeps(),
    )  # fmt: skip
    Check(falling, (rate,))
    trials = [Trial(spec, TrialResult(Outcome.CONVERGED, {}), 0.1) for spec in rate.specs(Preset.SMOKE)]
    (row,) = rate.lines(falling, trials)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.judgement.reason == (
        "the value must be a power or an exponential in n for a rate, got n**(-n) (expr must grow like a power of n, "
        "got exp(-n*log(n)); its logarithm may have one); state its leading order, or use Scaling"
    )
    with pytest.raises(ValueError, match=r"must grow like a power of n, got exp\(n\); its logarithm may have one"):
        exponent(sp.exp(n), n)


@pytest.mark.parametrize("window", [(10.0, 2000.0), (0.5, 0.5), (-0.1, 1.0)])
def test_a_window_that_is_no_share_of_the_course_is_refused(window: tuple[float, float]) -> None:
    """`decay_rate` takes axis values; of them no point was left, and nothing said why."""
    with pytest.raises(ValueError, match="window must be two shares of each trial's last axis value"):
        Rate(
            name="r", symbol=n, quantity=lambda trial, constant: None, constant="C", values=(1.0,), window=window,
            contradiction="", symbols={"n_samples": n}, sweeps=sweeps(),
        )  # fmt: skip


def test_an_observable_that_a_stored_trial_lacks_is_named_with_claim_and_part(tmp_path: Path) -> None:
    unlisted = replace(OLS, observables=())
    listed = {Preset.SMOKE: (Sweep(unlisted, grid(n_samples=(10, 20)), {"dimension": 5}),)}
    part = scaling(observable="exces_risk", sweeps=listed)
    seen = {"excess_risk": 1.0, "n_steps": 3}
    curves = {"risk": np.ones(3)}
    with Store(tmp_path / "trials.sqlite") as store:
        store.put([Trial(spec, TrialResult(Outcome.CONVERGED, seen, curves), 0.1) for spec in part.specs(Preset.SMOKE)])
        trials = store.get(part.specs(Preset.SMOKE))
    with pytest.raises(StoreError) as caught:
        part.rows(RISK, Preset.SMOKE, trials)
    text = str(caught.value)
    assert text.startswith("ols.risk, d = 5: store ")
    assert text.endswith("observables must have exces_risk, got excess_risk, n_steps; nearest is 'excess_risk'")
    with pytest.raises(StoreError, match="curves must have rsk, got risk; nearest is 'risk'"):
        next(iter(trials.values())).result.curves["rsk"]


def test_trials_that_are_judged_together_must_be_alike() -> None:
    words = sweeps(grid(n_samples=(20, 40), solver=("qr", "svd")))
    assert refusal(scaling(sweeps=words)) == (
        "trials that are judged together must agree, got solver 'qr' and 'svd' at n_samples = 20; "
        "give each a part of its own"
    )
    numbers = sweeps(grid(n_samples=(20, 40), dimension=(5, 10)), noise=1.0)
    assert "got dimension 5 and 10 at n_samples = 20" in refusal(scaling(sweeps=numbers))
    Check(replace(RISK, kind=Kind.UPPER), (scaling(sweeps=numbers),))  # an order may be that of several together


# ----------------------------------------------------------------------------------------------- the rules are complete

PART_CLASSES = [
    *(getattr(sampled, name) for name in sampled.__all__),
    paired.PairedDifference,
    rising.Rising,
    refutation.CounterexampleSearch,
    refutation.Construction,
    open_parts.Exponent,
    open_parts.Regions,
    open_parts.Course,
    law_search.LawSearch,
]
WORDS = {
    "name",
    "note",
    "because",
    "aspect",
    "axis_words",
    "x_words",
    "y_words",
    "contradiction",
    "ended",
    "constant",
    "where_words",
    "cost",
    "response",
    "quantity",
}
"""Fields of parts that hold words for readers, or choices that the type checks."""
CHOICES = {"toward", "role", "estimand", "side", "bounds", "noise"}
OTHER_PARTS = {"whole"}
"""Names of other parts of the check, looked up when it is loaded."""


@pytest.mark.parametrize("kind", PART_CLASSES, ids=lambda kind: kind.__name__)
def test_every_text_field_of_a_part_is_a_name_that_is_looked_up_or_words(kind: type[Part]) -> None:
    texts = {field.name for field in fields(kind) if field.type in ("str", "str | None", "str | float", "Role")}
    assert texts <= {*PARAMETER_FIELDS, *OBSERVABLE_FIELDS, *WORDS, *CHOICES, *OTHER_PARTS}


def test_every_field_that_is_looked_up_is_one_of_some_part() -> None:
    known = {field.name for kind in PART_CLASSES for field in fields(kind)}
    assert {*PARAMETER_FIELDS, *OBSERVABLE_FIELDS} <= known


@pytest.mark.parametrize("count", [0, -1, 50.0, True])
def test_a_sweep_has_a_whole_number_of_replicates(count: object) -> None:
    part = scaling()
    sweeps = {preset: tuple(replace(one, replicates=count) for one in listed) for preset, listed in part.sweeps.items()}
    with pytest.raises(ValueError, match="replicates must be a whole number of at least 1, got "):
        Check(RISK, (replace(part, sweeps=sweeps),))


@pytest.mark.parametrize("margin", [-1, 0, 1, math.nan])
def test_a_margin_of_a_ratio_lies_between_0_and_1(margin: float) -> None:
    with pytest.raises(ValueError, match=r"ratio_margin must lie in \(0, 1\), got"):
        scaling(ratio_margin=margin)


def test_every_kind_of_claim_is_judged_by_some_evidence() -> None:
    for kind in Kind:
        assert judges_of(kind), kind


def test_the_table_of_kinds_in_the_documents_is_the_one_that_is_checked() -> None:
    text = Path("docs/claims.md").read_text(encoding="utf-8")
    for part in (*PART_CLASSES, proofs.Proof, exponents.Derivation):
        kinds = object.__new__(part).kinds
        said = "every kind" if kinds == frozenset(Kind) else ", ".join(kind for kind in Kind if kind in kinds)
        line = f"| `{part.__name__}` | {said} |"
        assert line in text, f"docs/claims.md must have the line {line}"


# ------------------------------------------------------------------------------------ planted in the catalogue's checks


def measured_parts() -> list[tuple[Claim, Part]]:
    """One part of each kind of evidence of each claim."""
    return list(
        {
            (name, type(part)): (check.claim, part)
            for name, check in discover().items()
            for part in check.parts
            if part.is_measured and any(sweep.points for listed in part.sweeps.values() for sweep in listed)
        }.values()
    )


def test_a_misspelt_or_missing_parameter_is_found_in_every_claim_of_the_catalogue() -> None:
    for claim, part in measured_parts():
        preset, listed = next((preset, listed) for preset, listed in part.sweeps.items() if listed)
        first = listed[0]
        name = min({**first.fixed, **first.points[0]})
        bad = replace(first, points=tuple({**point, f"{name}x": 1} for point in first.points))
        planted = replace(part, sweeps={**part.sweeps, preset: (bad, *listed[1:])})
        found = list(validation.part_problems(claim, planted))
        assert any(f"got {name + 'x'!r}; nearest is" in problem for problem in found), (claim.id, part.name)
        lacking = signature_of(first.system.function).required & set(first.fixed)
        for name in sorted(lacking)[:1]:
            bad = replace(first, fixed={key: value for key, value in first.fixed.items() if key != name})
            planted = replace(part, sweeps={preset: (bad,)})
            found = list(validation.part_problems(claim, planted))
            assert any(f"must include {name!r}" in problem for problem in found), (claim.id, part.name)


def test_every_check_of_the_catalogue_is_sound() -> None:
    assert [problem for check in discover().values() for problem in problems(check)] == []
