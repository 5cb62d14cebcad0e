"""A paper as a whole: its theorems with their claims, the course of training, its figures, and the sizes of the runs.

Which claims make up a theorem is read from their places in the paper: "Theorem 1, eq. (10)" is of Theorem 1, "proof of
Proposition 1" and "below Lemma 4.3" are of none. So any paper has this page, whether or not it declares sentences
(`theory.stated`) for theorems that are split into several claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from checks.records.errata import Erratum
from checks.report.site.letters import Letter
from checks.report.site.model import ClaimPage, Formula, HypothesisFound, PaperPart, Size, Step
from checks.report.site.protocols import ends_of, printed_by
from checks.report.site.steps import CORRECTED, FALSE
from checks.report.site.words import group_of
from checks.statistics.verdict import Verdict
from theoremeter_papers import Paper
from theory.catalogue import Contents, instances_below
from theory.claim import Kind, Role
from theory.places import places_of
from theory.stated import Printed, Theorem

_KINDS = ("Theorem", "Proposition", "Corollary", "Lemma")
"""What is a theorem here, the order of the page."""
_PLACE = re.compile(rf"({'|'.join(_KINDS)}) ((?:[A-Z]\.)?\d+(?:\.\d+)*)\b")
_EVENT = re.compile(r"\b(Event|Phase|Stage) (IV|V?I{1,3}|V|\d+)\b")
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8}
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"[A-Za-z]\w*\*?")
DRAWN, STAND_IN, UNMEASURED = "drawn again", "a stand-in", "not measured"
"""What became of a figure."""


@dataclass(frozen=True)
class TheoremPart:
    """A theorem with what its claims came to.

    Attributes:
        claims: in the order of print.
        uses: other claims that their printed proofs use. beyond: all that these use in turn.
        steps: displayed steps that are false as printed, corrected or not, of its claims and of what they use.
        slips: slips in print at places that the proof of a theorem uses, shown by these.
    """

    name: str
    statement: str
    claims: tuple[ClaimPage, ...]
    uses: tuple[ClaimPage, ...]
    beyond: tuple[ClaimPage, ...]
    steps: tuple[tuple[ClaimPage, Step], ...]
    slips: tuple[Erratum, ...]

    @property
    def hypotheses(self) -> tuple[HypothesisFound, ...]:
        """What its claims assume, each hypothesis once, in the order of the claims."""
        return tuple({(one.name, one.formula): one for claim in self.claims for one in claim.hypotheses}.values())

    @property
    def concluded(self) -> tuple[tuple[ClaimPage, tuple[Formula, ...]], ...]:
        """Its claims with what each asserts as formulas, those that have any."""
        found = (
            (claim, (claim.value,) if claim.value else tuple(one for step in claim.stated for one in step.formulas))
            for claim in self.claims
        )
        return tuple((claim, formulas) for claim, formulas in found if formulas)

    def letters_beside(self, known: Sequence[Letter]) -> tuple[Letter, ...]:
        """The letters of its formulas that are described, and not among known ones."""
        texts = [one.formula.text for one in self.hypotheses]
        texts += [formula.text for _, formulas in self.concluded for formula in formulas]
        used = set(_NAME.findall(" ".join(texts)))
        there = {letter.text for letters, _ in known for letter in letters}
        own = {(letters, said): None for claim in self.claims for letters, said in claim.letters}
        shown = ((tuple(letter for letter in letters if letter.text in used - there), said) for letters, said in own)
        return tuple((letters, said) for letters, said in shown if letters)

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower())

    @property
    def is_lemma(self) -> bool:
        """Whether it is a lemma, of which papers have many."""
        return self.name.startswith("Lemma")

    @property
    def broken(self) -> tuple[ClaimPage, ...]:
        """Its own claims that are contradicted, or are so under one interpretation."""
        return tuple(claim for claim in self.claims if group_of(claim.verdict) in ("against", "reading"))

    @property
    def broken_below(self) -> tuple[ClaimPage, ...]:
        """The same of what its proof uses, near or far."""
        return tuple(claim for claim in (*self.uses, *self.beyond) if group_of(claim.verdict) in ("against", "reading"))

    @property
    def slipped(self) -> tuple[ClaimPage, ...]:
        """Its claims that may be used as printed but for a slip in print."""
        return tuple(claim for claim in self.relied_on if any(_touches(slip, claim) for slip in self.slips))

    @property
    def relied_on(self) -> tuple[ClaimPage, ...]:
        """Its own claims that are in agreement or consistent, and may be used as they are printed."""
        return tuple(claim for claim in self.claims if group_of(claim.verdict) in ("for", "consistent"))

    @property
    def mended(self) -> tuple[ClaimPage, ...]:
        """Its other claims beside which stands what is true instead."""
        rest = (claim for claim in self.claims if claim not in self.relied_on)
        return tuple(claim for claim in rest if claim.mending is not None and claim.mending.of_statement)

    @property
    def as_read(self) -> tuple[ClaimPage, ...]:
        """Its claims that stand under one interpretation of their text, and have no form that stands under all."""
        split = (claim for claim in self.claims if group_of(claim.verdict) == "reading")
        return tuple(claim for claim in split if claim not in self.mended)

    @property
    def left(self) -> tuple[ClaimPage, ...]:
        """Its claims on which nothing can be rested yet."""
        known = (*self.relied_on, *self.mended, *self.as_read)
        return tuple(claim for claim in self.claims if claim not in known)


@dataclass(frozen=True)
class SizesOf:
    """The sizes of the runs of one simulator over all claims of a paper, each with what the paper prints of it.

    Attributes:
        claims: those of which runs are stored.
        not_run: those of which none is.
    """

    simulator: str
    claims: tuple[str, ...]
    settings: tuple[tuple[str, str, str], ...]
    not_run: tuple[str, ...] = ()


def sentences_of(paper: Paper) -> Mapping[str, str]:
    """What a paper's declared theorems say, by place; what cannot be read is said nothing of here."""
    found = instances_below(paper, paper.claims, Theorem, Contents(), optional=True)
    return {one.place: one.statement for _, one in found}


def theorem_named(claim: ClaimPage) -> str:
    """The theorem that a claim is of, "Theorem 1"; "" for none."""
    found = _PLACE.match(claim.title)
    return f"{found[1]} {found[2]}" if found else ""


def theorems_of(paper: PaperPart) -> tuple[TheoremPart, ...]:
    """The theorems of a paper, then its propositions, corollaries and lemmas, each kind by number."""
    grouped: dict[str, list[ClaimPage]] = {}
    for claim in paper.claims:
        if name := theorem_named(claim):
            grouped.setdefault(name, []).append(claim)
    by_id = {claim.id: claim for claim in paper.claims}
    return tuple(_part(paper, name, grouped[name], by_id) for name in sorted(grouped, key=_order))


def _part(paper: PaperPart, name: str, claims: list[ClaimPage], by_id: Mapping[str, ClaimPage]) -> TheoremPart:
    own = sorted(claims, key=lambda claim: [int(number) for number in _NUMBER.findall(claim.title.partition(";")[0])])
    ids = {claim.id for claim in own}
    near = [id_ for claim in own for id_ in claim.uses if id_ in by_id and id_ not in ids]
    far, ahead = dict.fromkeys(near), list(near)
    while ahead:
        fresh = [id_ for id_ in by_id[ahead.pop(0)].uses if id_ in by_id and id_ not in far and id_ not in ids]
        far |= dict.fromkeys(fresh)
        ahead += fresh
    near = list(dict.fromkeys(near))
    every = [*own, *(by_id[id_] for id_ in far)]  # a slip below a lemma is one below the theorem
    said = dict(paper.theorems_said)
    return TheoremPart(
        name,
        said.get(name) or " ".join(claim.statement for claim in own),
        tuple(own),
        tuple(by_id[id_] for id_ in near),
        tuple(by_id[id_] for id_ in far if id_ not in near),
        tuple(_false_steps(every)),
        tuple(slip for slip in paper.needed_errata if {claim.id for claim in every} & set(slip.claims)),
    )


def _touches(slip: Erratum, claim: ClaimPage) -> bool:
    """Whether a slip is shown by a claim, or speaks of an equation of the claim's."""
    shared = places_of(f"{slip.place}; {slip.why}") & places_of(claim.title)
    return claim.id in slip.claims or any(place.kind == "equation" for place in shared)


def _false_steps(claims: Iterable[ClaimPage]) -> Iterable[tuple[ClaimPage, Step]]:
    for claim in claims:
        for step in claim.steps:
            if step.role is Role.PROOF_STEP and step.fate in (FALSE, CORRECTED):
                yield claim, step


def _order(name: str) -> tuple[int, bool, list[int]]:
    kind, _, number = name.partition(" ")
    return _KINDS.index(kind), number[0].isalpha(), [int(part) for part in _NUMBER.findall(number)]


# ----------------------------------------------------------------------------------------------------- all of the paper


def phase_named(claim: ClaimPage) -> str:
    """The phase of training that a claim speaks of, "Event I"; "" for none."""
    found = _EVENT.search(claim.title)
    return found[0] if found else ""


def course_of(paper: PaperPart) -> tuple[tuple[str, tuple[ClaimPage, ...]], ...]:
    """The phases of training that a paper names, in their order, each with its claims."""
    found: dict[tuple[int, str], list[ClaimPage]] = {}
    for claim in paper.claims:
        if name := phase_named(claim):
            number = name.rpartition(" ")[2]
            found.setdefault((_ROMAN.get(number) or int(number), name), []).append(claim)
    return tuple((name, tuple(found[at, name])) for at, name in sorted(found))


def figures_of(paper: PaperPart) -> tuple[tuple[ClaimPage, str], ...]:
    """The figures of a paper in the order of print, each with what became of it."""
    figures = [claim for claim in paper.claims if claim.kind == Kind.FIGURE.value]
    return tuple((claim, _became(claim)) for claim in sorted(figures, key=_figure_order))


def _figure_order(claim: ClaimPage) -> tuple[list[int], str]:
    return [int(number) for number in _NUMBER.findall(claim.title)[:1]], claim.title


def _became(claim: ClaimPage) -> str:
    if claim.verdict is not Verdict.NOT_MEASURED_YET:
        return DRAWN
    return STAND_IN if any("trials" in dict(line.facts) for line in claim.lines) else UNMEASURED


def over_training(paper: PaperPart) -> tuple[ClaimPage, ...]:
    """The claims whose pictures show a training step by step."""
    return tuple(claim for claim in paper.claims if any(drawing.over_training for drawing in claim.drawings))


def sizes_of_paper(paper: PaperPart) -> tuple[SizesOf, ...]:
    """What was simulated for a paper, simulator by simulator: those of most claims first."""
    claims: dict[str, dict[str, bool]] = {}
    sizes: dict[str, dict[str, list[tuple[str, Size]]]] = {}
    for claim in paper.claims:
        for size in claim.sizes:
            claims.setdefault(size.simulator, {})[claim.id] = bool(size.name)
            if size.name:
                sizes.setdefault(size.simulator, {}).setdefault(size.name, []).append((claim.id, size))
    declared = printed_by(paper.key)
    found = []
    for name, ids in claims.items():
        ran = tuple(id_ for id_, has_run in ids.items() if has_run)
        settings = tuple(_setting(key, each, ran, declared) for key, each in sizes.get(name, {}).items())
        found.append(SizesOf(name, ran, settings, tuple(id_ for id_ in ids if id_ not in ran)))
    return tuple(sorted(found, key=lambda one: -len(one.claims)))


def _setting(
    name: str, sizes: Sequence[tuple[str, Size]], claims: Sequence[str], declared: Sequence[Printed]
) -> tuple[str, str, str]:
    """A parameter with its values, its default where runs leave it out, and what is printed for these claims."""
    said = size_words(ends_of(value for _, size in sizes for value in size.values))
    is_set = len(sizes) == len(claims) and all(size.is_set for _, size in sizes)
    default = next((size.default for _, size in sizes if size.default), "")
    said += f"; {default} where runs do not set it" if default and not is_set else ""
    own = [one for one in declared if any(one.of(claim) for claim, _ in sizes)]
    return name, said, printed_words(own).get(name, "")


def printed_words(declared: Sequence[Printed]) -> Mapping[str, str]:
    """What a paper prints of each parameter, with the places."""
    found: dict[str, dict[str, None]] = {}
    for one in declared:
        for name, values in one.settings.items():
            said = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
            found.setdefault(name, {}).setdefault(f"{said} ({one.place})")
    return {name: ", ".join(said) for name, said in found.items()}


def size_words(values: Sequence[float | str]) -> str:
    """Two numbers are the ends of a range; words stand one behind the other."""
    said = [f"{value:.6g}" if isinstance(value, int | float) else value for value in values]
    is_range = len(said) > 1 and not any(isinstance(value, str) for value in values)
    return " to ".join(said) if is_range else ", ".join(said)
