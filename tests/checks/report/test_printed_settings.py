"""Which settings of a protocol the paper prints, and which were chosen here, is declared and stands beside each."""

from __future__ import annotations

import pytest

from checks.catalogue import discover
from checks.evidence.headline import ProofSteps, Readings
from checks.records.preset import Preset
from checks.report.site.model import ClaimPage, PaperPart, ProtocolOf, Provenance, Site
from checks.report.site.pages import Renderer
from checks.report.site.protocols import printed_by, printed_in, protocols_of
from checks.statistics.verdict import Verdict
from sim.trials.trial import System, TrialSpec
from theory.claim import Role
from theory.stated import Printed

SYSTEM = System("engine", "tests.engine:run")
DECLARED = (
    Printed("section 4", {"width": (10, 20), "noise": (0.1,)}),
    Printed("Figure 1", {"size": (64,)}, claims=("toy.a",)),
)


def specs(*settings: dict[str, float]) -> list[TrialSpec]:
    return [TrialSpec(SYSTEM, own) for own in settings]


def test_a_setting_is_printed_where_all_of_its_values_are() -> None:
    own = specs({"width": 10, "noise": 0.1, "size": 64}, {"width": 20, "noise": 0.2, "size": 64})
    assert printed_in(own, DECLARED, "toy.a") == {"width": "section 4", "size": "Figure 1"}
    assert printed_in(own, DECLARED, "toy.b") == {"width": "section 4"}
    assert printed_in(own, (), "toy.a") is None


@pytest.mark.parametrize("printed", [None, {}, {"width": "section 4"}])
def test_a_page_tells_settings_of_the_paper_from_those_chosen_here(printed: dict[str, str] | None) -> None:
    """A reader could not tell: a setting that no remark named might be the paper's or ours."""
    own = (("width", "10"), ("size", "64"))
    protocol = ProtocolOf("a rate", Role.STATEMENT, "", "engine", own, "1 trial", printed=printed)
    said = ("toy.a", "toy", "", "upper", "It falls.", "", "", "", None, (), Verdict.HOLDS, "", "", ())
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), protocols=(protocol,))
    site = Site((PaperPart("toy", "Toy", (), 2026, "", (page,), ""),), Provenance(Preset.QUICK, "store", "digest"))
    fold = Renderer(site).claim(page).partition('id="protocol"')[2].partition('id="choices"')[0]
    assert ("is not declared" in fold) == (printed is None)
    assert (">Chosen here</p>" in fold) == (printed is not None)
    assert (">As printed</p>" in fold) == bool(printed)


@pytest.mark.parametrize("key", ["A", "B"])
def test_declared_settings_are_parameters_of_trials(key: str) -> None:
    """And every protocol of the two papers says which of its settings are printed."""
    checks = [check for check in discover().values() if check.claim.paper == key]
    known = {name for check in checks for preset in Preset for spec in check.specs(preset) for name in spec.parameters}
    declared = {name for one in printed_by(key) for name in one.settings}
    assert declared
    assert declared <= known
    assert {name for one in printed_by(key) for name in one.claims} <= {check.claim.id for check in checks}
    assert all(one.printed is not None for check in checks for one in protocols_of(check, (), Preset.QUICK))
