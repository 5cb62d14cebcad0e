"""A paper as a whole: which claims a theorem has, in which order, what it rests on, and what became of figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from checks.evidence.headline import ProofSteps, Readings
from checks.records.errata import Erratum, Needed, of_paper
from checks.records.preset import Preset
from checks.report.site.model import (
    ClaimPage,
    Formula,
    HypothesisFound,
    Illustration,
    PaperPart,
    Provenance,
    ShownLine,
    Site,
    Size,
    Step,
)
from checks.report.site.pages import Renderer
from checks.report.site.steps import FALSE
from checks.report.site.theorems import (
    course_of,
    figures_of,
    over_training,
    printed_words,
    sentences_of,
    size_words,
    sizes_of_paper,
    theorem_named,
    theorems_of,
)
from checks.statistics.verdict import Verdict
from tests.site_pages import ReadPage
from theoremeter_papers import paper_of
from theory.catalogue import claims_of, discover
from theory.claim import Role
from theory.stated import Printed


def claim(
    name: str, place: str, verdict: Verdict = Verdict.HOLDS, *, uses: Sequence[str] = (), kind: str = "upper",
    **more: object,
) -> ClaimPage:  # fmt: skip
    said = (f"toy.{name}", "toy", place, kind, f"{name} is said.", "", "", "", None, (), verdict, "", "", ())
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), uses=tuple(f"toy.{one}" for one in uses))
    return replace(page, **more)  # type: ignore[arg-type]


def paper(*claims: ClaimPage, **more: object) -> PaperPart:
    return replace(PaperPart("toy", "Toy", (), 2026, "", claims, ""), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("Theorem 1, eq. (10); derived in (65)", "Theorem 1"),
        ("Lemma 2 claim 2, eq. (48)", "Lemma 2"),
        ("Lemma 4.3, first display", "Lemma 4.3"),
        ("Lemma D.11", "Lemma D.11"),
        ("proof of Proposition 1, eq. (76)", ""),
        ("section 4.1, below Lemma 4.3", ""),
        ("section 4.1, Event I (Lemma D.2)", ""),
        ("eq. (154) against Theorem 1", ""),
    ],
)
def test_a_claim_is_of_the_theorem_that_its_place_begins_with(place: str, name: str) -> None:
    assert theorem_named(claim("a", place)) == name


def test_a_theorem_has_its_claims_in_the_order_of_print_and_what_lies_below_them() -> None:
    step = Step("(5)", Role.PROOF_STEP, (), (), Verdict.REFUTED, FALSE, "")
    slip = Erratum("Lemma 3, (6)", "a", "b", Needed.YES, "Theorem 1", (("toy.near", "a line"),))
    below = replace(slip, rows=(("toy.far", ""), ("toy.rate", "")))
    whole = paper(
        claim("error", "Theorem 1, eq. (12)", Verdict.FALSE_AS_PRINTED),
        claim("rate", "Theorem 1, eq. (9)", uses=("near", "error")),
        claim("near", "Lemma 10", Verdict.REFUTED, uses=("far",), steps=(step,)),
        claim("other", "Lemma 2 claim 2, eq. (4)"),
        claim("first", "Lemma 2 claim 1, eq. (7)"),
        claim("far", "eq. (3)", Verdict.READING_DEPENDENT),
        claim("loose", "Proposition 1", Verdict.LOOSE),
        errata=(slip, below), theorems_said=(("Theorem 1", "All of it."),),
    )  # fmt: skip
    theorem, proposition, two, ten = theorems_of(whole)
    names = ("Theorem 1", "Proposition 1", "Lemma 2", "Lemma 10")
    assert (theorem.name, proposition.name, two.name, ten.name) == names
    assert [one.id for one in theorem.claims] == ["toy.rate", "toy.error"]
    assert [one.id for one in two.claims] == ["toy.first", "toy.other"]
    assert (theorem.statement, two.statement) == ("All of it.", "first is said. other is said.")
    assert ([one.id for one in theorem.uses], [one.id for one in theorem.beyond]) == (["toy.near"], ["toy.far"])
    assert [one.id for one in theorem.broken] == ["toy.error"]
    assert [one.id for one in theorem.broken_below] == ["toy.near", "toy.far"]
    assert [one.id for one in theorem.relied_on] == ["toy.rate"]
    assert [one.id for one in theorem.left] == ["toy.error"]
    assert [one for _, one in theorem.steps] == [step]
    assert theorem.slips == (slip, below)  # one further down was left out, and the front counts it
    assert [one.id for one in theorem.slipped] == ["toy.rate"]


@pytest.mark.parametrize(("key", "name", "count"), [("A", "Theorem 1", 12), ("B", "Theorem 4.2", 4)])
def test_what_a_theorem_needs_is_counted_alike_on_all_pages(key: str, name: str, count: int) -> None:
    """Theorem 1 had 5 of the 12 slips that the front counts: lemmas of its proof hung in no graph."""
    one = paper_of(key)
    assert one is not None
    pages = [
        replace(claim(each.id, each.source.place), id=each.id, paper=key, uses=each.uses)
        for each in discover().values()
        if each.paper == key
    ]
    whole = paper(*pages, key=key, errata=of_paper(one))
    found = theorems_of(whole)
    assert {slip.place for part in found for slip in part.slips} == {slip.place for slip in whole.needed_errata}
    assert [len(part.slips) for part in found if part.name == name] == [count]


def test_a_theorem_shows_what_it_assumes_and_concludes_as_formulas() -> None:
    """A reader looked for the words of (10) and found paraphrases in two folds."""
    wide, batch = HypothesisFound("width (Theorem 1)", Formula("m > c")), HypothesisFound("(9)", Formula("B > b"))
    whole = paper(
        claim("rate", "Theorem 1, eq. (10)", hypotheses=(wide, batch), value=Formula("N = n^2"), observable="samples"),
        claim("error", "Theorem 1, eq. (12)", hypotheses=(wide,)),
    )
    (found,) = theorems_of(whole)
    assert found.hypotheses == (wide, batch)
    assert [(one.id, formulas) for one, formulas in found.concluded] == [("toy.rate", (Formula("N = n^2"),))]
    text = Renderer(Site((whole,), Provenance(Preset.QUICK, "store", "digest"))).whole(whole)
    assert text.count("width (Theorem 1)") == 1
    assert "2 hypotheses" in text


def test_phases_figures_and_trainings_stand_in_the_order_of_print() -> None:
    run = ShownLine("a stand-in", Role.OWN_QUESTION, Verdict.HOLDS, "", facts=(("trials", "7"),))
    unmeasured = Verdict.NOT_MEASURED_YET
    whole = paper(
        claim("third", "section 4, Event III"),
        claim("first", "section 4, Event I (Lemma D.2)"),
        claim("again", "Event I, its time"),
        claim("ten", "Figure 10", kind="figure", drawings=(Illustration("One training", (), "", over_training=True),)),
        claim("two", "Figure 2", unmeasured, kind="figure", lines=(run,)),
        claim("one", "Figure 1", unmeasured, kind="figure"),
    )
    phases = [(name, [one.id for one in claims]) for name, claims in course_of(whole)]
    assert phases == [("Event I", ["toy.first", "toy.again"]), ("Event III", ["toy.third"])]
    renderer = Renderer(Site((whole,), Provenance(Preset.QUICK, "store", "digest")))
    assert 'href="../theorems-toy.html#course">Event III of the course of training</a>' in renderer.claim(
        whole.claims[0]
    )
    assert "course of training</a>" not in renderer.claim(whole.claims[5])
    became = [(one.title, word) for one, word in figures_of(whole)]
    assert became == [("Figure 1", "not measured"), ("Figure 2", "a stand-in"), ("Figure 10", "drawn again")]
    assert [one.id for one in over_training(whole)] == ["toy.ten"]


def test_sizes_of_a_paper_are_from_the_least_to_the_greatest_of_all_claims() -> None:
    one = claim("a", "eq. (1)", sizes=(Size("engine", "n_tokens", (8, 64)), Size("engine", "labels", ("drawn",))))
    other = claim("b", "eq. (2)", sizes=(Size("engine", "n_tokens", (200,)), Size("engine", "labels", ("planted",))))
    (found,) = sizes_of_paper(paper(one, other))
    assert (found.simulator, found.claims) == ("engine", ("toy.a", "toy.b"))
    assert found.settings == (("n_tokens", "8 to 200", ""), ("labels", "drawn, planted", ""))
    printed = Printed("section 4", {"n_tokens": (50, 100)}), Printed("Figure 1", {"n_tokens": (8,)}, claims=("toy.a",))
    assert printed_words(printed) == {"n_tokens": "50, 100 (section 4), 8 (Figure 1)"}
    assert size_words((5,)) == "5"


def test_what_never_ran_is_not_listed_among_what_was_simulated() -> None:
    """Settings of CIFAR-10 stood there, 12000 steps and all, of which no trial was stored."""
    ran = claim("a", "eq. (1)", sizes=(Size("engine", "steps", (8,), "5"), Size("photographs")))
    later = claim("b", "Figure 1", sizes=(Size("photographs"), Size("engine")))
    whole = paper(ran, later)
    engine, photographs = sizes_of_paper(whole)
    assert (engine.claims, engine.not_run) == (("toy.a",), ("toy.b",))
    assert (photographs.claims, photographs.settings, photographs.not_run) == ((), (), ("toy.a", "toy.b"))
    text = Renderer(Site((whole,), Provenance(Preset.QUICK, "store", "digest"))).whole(whole)
    assert "photographs</code>: not run at this preset" in text
    assert "Not run: toy.b." in text


def test_a_switch_that_only_some_runs_set_has_its_default_beside_it() -> None:
    """False alone stood there for `train_attention`, as if attention had never been trained."""
    sizes = (Size("engine", "trains", ("False",), "True", is_set=False), Size("engine", "n", (3,), "2"))
    (found,) = sizes_of_paper(paper(claim("a", "eq. (1)", sizes=sizes)))
    assert found.settings == (("trains", "False; True where runs do not set it", ""), ("n", "3", ""))
    other = claim("b", "eq. (2)", sizes=(Size("engine", "trains", ("False",), "True"),))
    (found,) = sizes_of_paper(paper(claim("a", "eq. (1)", sizes=sizes[1:]), other))
    assert {name: said for name, said, _ in found.settings}["trains"] == "False; True where runs do not set it"


def test_values_that_are_printed_for_other_experiments_are_not_beside_a_simulator() -> None:
    image = claim("fig6a", "Figure 6", sizes=(Size("scenes", "label_relevant_fraction", (0.66, 1.0)),), id="A.fig6a")
    (found,) = sizes_of_paper(paper(image, key="A"))
    assert found.settings == (("label_relevant_fraction", "0.66 to 1", ""),)


@pytest.mark.parametrize("single", [False, True])
def test_a_theorem_that_is_split_stands_in_the_graph_with_all_of_its_claims(single: bool) -> None:
    """A claim that nothing uses and that uses nothing was in no graph."""
    whole = paper(claim("a", "Theorem 1, eq. (1)"), claim("width", "Theorem 1, eq. (2)"), claim("b", "Lemma 3"))
    site = Site((whole,), Provenance(Preset.QUICK, "store", "digest"))
    renderer = Renderer(site, single=single)
    ((_, drawn),) = renderer.graphs()
    assert all(f'id="g-{name}"' in drawn for name in ("toy.a", "toy.width", "toy-theorem-1"))
    assert renderer.theorems_link("toy", "theorem-1") in drawn
    seen = ReadPage()
    seen.feed(renderer.front() if single else renderer.whole(whole))
    assert len(set(seen.ids)) == len(seen.ids)
    assert renderer.theorems_link("toy", "theorem-1").partition("#")[2] in seen.ids


def test_declared_sentences_are_of_theorems_that_claims_are_of() -> None:
    for key in ("A", "B"):
        known = paper_of(key)
        assert known is not None
        names = {theorem_named(SimpleNamespace(title=one.source.place)) for one in claims_of(known).values()}  # type: ignore[arg-type]
        assert set(sentences_of(known)) <= names
        assert sentences_of(known)


def test_a_theorem_promises_no_conclusion_that_it_does_not_show_and_explains_its_letters() -> None:
    letters = (((Formula("w"),), "A weight."), ((Formula("z"),), "Elsewhere."))
    bare = claim("a", "Theorem 1, eq. (1)", hypotheses=(HypothesisFound("width", Formula("m > w")),), letters=letters)
    whole = paper(bare)
    text = Renderer(Site((whole,), Provenance(Preset.QUICK, "store", "digest"))).whole(whole)
    assert "what is concluded" not in text
    assert "A weight." in text
    assert "Elsewhere." not in text
    (found,) = theorems_of(whole)
    assert found.letters_beside(letters) == ()
