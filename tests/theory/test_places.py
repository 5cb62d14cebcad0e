"""Places of papers by their own numbers: what a source names, what a typed text asks for, and which claims it finds."""

from __future__ import annotations

import pytest

from theory.catalogue import UnknownClaim, discover, select
from theory.places import MAX_CHARACTERS, NumberedPlace, places_of, typed_place


def named(text: str) -> set[str]:
    return {str(place) for place in places_of(text)}


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("Theorem 1, eq. (10); derived in (65)-(67)", {"Theorem 1", "(10)", "(65)", "(66)", "(67)"}),
        ("Figure 6(a), section 4.2", {"Figure 6", "Figure 6a", "Section 4.2"}),
        ("sections 2, 3 and 4.1", {"Section 2", "Section 3", "Section 4.1"}),
        ("derived from (T), (P) for Lemmas 4.1-4.3", {"(T)", "(P)", "Lemma 4.1", "Lemma 4.2", "Lemma 4.3"}),
        ("(P1), (P3), Remark 2", {"(P1)", "(P3)", "Remark 2"}),
        ("section 4.1, Event III (Lemma D.11)", {"Section 4.1", "Event III", "Lemma D.11"}),
        ("Theorem 1, at nu = 2 and kappa + 1 = 2", {"Theorem 1"}),
        ("Definition 1 (1-3); redefined at (80)", {"Definition 1", "(80)"}),
        ("the arithmetic and the geometric mean", set()),
    ],
)
def test_what_a_source_names(source: str, places: set[str]) -> None:
    assert named(source) == places


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Theorem 1", {"A.width", "A.fraction", "A.batch", "A.samples", "A.iterations", "A.zero_error"}),
        ("thm. 1", {"A.width", "A.fraction", "A.batch", "A.samples", "A.iterations", "A.zero_error"}),
        ("(10)", {"A.samples"}),
        ("eq. (10)", {"A.samples"}),
        ("Equation 10", {"A.samples"}),
        ("Theorem 1, eq. (10)", {"A.samples"}),
        ("Lemma 4", {"A.lucky_monotone"}),
        ("Lemma 4.2", {"B.span", "B.reduced_gradient"}),
        ("(77)", {"A.prop1_algebra", "A.samples_frozen"}),
        ("A Figure 4", {"A.fig4"}),
        ("li2023, fig4", {"A.fig4"}),
        ("[jelassi2022] Fig. 4", {"B.fig4"}),
        ("[jelassi2022, Figure 4]", {"B.fig4"}),
        ("Fig. 6a", {"A.fig6a"}),
        ("A figure 6", {"A.fig6a", "A.fig6b", "A.fig6c"}),
        ("Event III", {"B.event3"}),
        ("classical Corollary 1", {f"classical.amsgrad_regret{end}" for end in ("", "_by_half", "_by_quarter")}),
    ],
)
def test_a_typed_place_finds_the_claims_that_stand_there(typed: str, found: set[str]) -> None:
    assert {claim.id for claim in select([typed])} == found


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Figure 4", r"a place must be of one paper, got 'Figure 4', which A and B have; write 'A Figure 4' or 'B Fig"),
        ("Theorem 9", r"must be one that a claim is read from, got 'Theorem 9'; A has Theorem 1; B has Theorem 3\.1"),
        ("A (9999)", r"must be one that a claim of A is read from, got 'A \(9999\)'; A has .*\(250\)$"),
        ("Conjecture 1", "got 'Conjecture 1'; no claim has a conjecture"),
        ("Theorem", "id must be a known claim, got 'Theorem'"),
        ("Theorem 1 of mine", "id must be a known claim"),
        ("Theorem 1" + " " * MAX_CHARACTERS, "id must be a known claim"),
        ("A.samples 1", "id must be a known claim, got 'A.samples 1'; nearest is A.samples"),
    ],
)
def test_what_is_no_place_or_one_of_several_papers_is_refused(typed: str, told: str) -> None:
    with pytest.raises(UnknownClaim, match=told):
        select([typed])


def test_every_claim_is_found_by_the_places_of_its_own_source() -> None:
    """A number that is printed beside a claim and does not find it would be a trap."""
    for claim in discover().values():
        for place in places_of(claim.source.place):
            assert claim.id in {found.id for found in select([f"{claim.paper} {place}"])}, (claim.id, str(place))


def test_a_range_is_bounded() -> None:
    assert places_of("(1)-(999999999)") == {NumberedPlace("equation", "1"), NumberedPlace("equation", "999999999")}
    assert typed_place("(10)-(12)") == (frozenset(NumberedPlace("equation", str(number)) for number in (10, 11, 12)),)
