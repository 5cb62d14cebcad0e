"""The page of known truths: what counts as right, that the page kept is of these claims, and its command."""

from __future__ import annotations

import functools
import io
import re
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import known_truths
from checks.report.known_truths import Correctness, Entry, entries, main, render
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from checks.test_claims import Case, Suite, end
from theoremeter_papers import papers
from theory.claim import Role

PAGE = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "classical.md"
CHECKS = {name: check for name, check in discover(papers()).items() if check.claim.truth is not None}
TRUE, FALSE = "classical.power_law", "classical.power_law_by_half"


def row(name: str, verdict: Verdict) -> Row:
    return Row(CHECKS[name].claim, CHECKS[name].parts[0].name, Judgement(verdict, finding("made up; more")))


@pytest.mark.parametrize(
    ("name", "verdict", "outcome"),
    [
        (TRUE, Verdict.TIGHT, Correctness.RIGHT),
        (TRUE, Verdict.LOOSE, Correctness.RIGHT),
        (TRUE, Verdict.VIOLATED, Correctness.WRONG),
        (TRUE, Verdict.INCONCLUSIVE, Correctness.UNDECIDED),
        (FALSE, Verdict.VIOLATED, Correctness.RIGHT),
        (FALSE, Verdict.REFUTED, Correctness.RIGHT),
        (FALSE, Verdict.LOOSE, Correctness.WRONG),
        (FALSE, Verdict.NOT_MEASURED_YET, Correctness.UNDECIDED),
    ],
)
def test_a_verdict_is_right_where_its_sign_is_the_truth(name: str, verdict: Verdict, outcome: Correctness) -> None:
    (found,) = entries({name: [row(name, verdict)]}, [CHECKS[name]])
    assert found.outcome is outcome


def test_claims_of_unknown_truth_are_no_entries() -> None:
    check = discover()["A.samples"]
    unknown = Row(check.claim, "made up", Judgement(Verdict.HOLDS, finding("made up")))
    assert entries({check.claim.id: [unknown]}, [check]) == []


def test_the_page_counts_and_names_what_is_open() -> None:
    found = [
        Entry(CHECKS[TRUE].claim, Verdict.TIGHT, ""),
        Entry(CHECKS[FALSE].claim, Verdict.TIGHT, "made up"),
        Entry(CHECKS["classical.pinsker"].claim, Verdict.UNKNOWN, "no proof; none sought."),
    ]
    page = render(found, Preset.SMOKE)
    assert "| true | 2 | 1 | 0 | 1 |" in page
    assert "| false by half a power | 1 | 0 | 1 | 0 |" in page
    assert "Wrong verdicts: 1 of 2 decided" in page
    assert "Undecided: 1 of 3 (33.3 %)" in page
    assert "- `classical.pinsker` (true), *unknown*: no proof; none sought.\n" in page
    assert f"| `{FALSE}` | the loss is of the order of 1/t. | false by half a power | tight | wrong |" in page
    assert "None." in render(found[:1], Preset.SMOKE)


def test_the_page_kept_is_of_these_claims_and_adds_up() -> None:
    text = PAGE.read_text(encoding="utf-8")
    line = r"^\| `(classical\.\w+)` \| .* \| ([a-z ]+) \| ([a-z ]+) \| (right|wrong|undecided) \|$"
    rows = re.findall(line, text, re.M)
    shown = [name for name, _, _, _ in rows]  # a new claim may be missing until the page is written again
    assert len(shown) > 150
    assert [(name, truth) for name, truth, _, _ in rows] == [
        (name, str(check.claim.truth)) for name, check in CHECKS.items() if name in shown
    ]
    counted = [
        Entry(CHECKS[name].claim, Verdict(verdict), "").outcome.value == outcome for name, _, verdict, outcome in rows
    ]
    assert all(counted)
    counts = Counter((truth, outcome) for _, truth, _, outcome in rows)
    for truth in {truth for _, truth, _, _ in rows}:
        numbers = [counts[truth, outcome.value] for outcome in Correctness]
        assert f"| {truth} | {sum(numbers)} | {' | '.join(map(str, numbers))} |" in text
    assert not counts["true", "wrong"]
    opened = sum(count for (_, outcome), count in counts.items() if outcome == "undecided")
    assert text.count("\n- `classical.") == opened
    assert len({line for line in text.splitlines() if line.startswith("| `")}) == len(shown)


def test_the_command_measures_what_is_lacking_and_prints_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = {name: CHECKS[name] for name in ("classical.adam_regret", "classical.adam_regret_by_half")}
    monkeypatch.setattr(known_truths, "discover", lambda among: chosen)
    monkeypatch.setattr(known_truths, "run", functools.partial(known_truths.run, workers=0))
    assert main(["--store", str(tmp_path / "results.sqlite"), "--preset", "smoke"]) == 0
    page = capsys.readouterr().out
    assert "| `classical.adam_regret` | On the periodic sequence Adam's regret is at least of the order of T. |" in page
    assert "Wrong verdicts: 0 of 2 decided" in page
    assert known_truths.__name__ in page


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of all claims at smoke, from an empty store."""
    store = tmp_path_factory.mktemp("known truths") / "results.sqlite"
    with redirect_stdout(io.StringIO()) as page:
        assert main(["--store", str(store), "--preset", "smoke"]) == 0
    return page.getvalue()


def test_no_verdict_at_smoke_is_wrong(smoke: str) -> None:
    wrong = [line for line in smoke.splitlines() if line.endswith("| wrong |")]
    assert wrong == []
    assert sum(line.endswith("| right |") for line in smoke.splitlines()) > len(CHECKS) / 2


class TestEnd:
    """How the test of a claim ends where its truth is known."""

    @staticmethod
    def end(name: str, verdict: Verdict, *, strict: bool = False) -> None:
        case = Case(Suite({name: CHECKS[name]}, ()), CHECKS[name], [row(name, verdict)], strict)
        end(case, heard=(Role.STATEMENT,))

    def test_a_false_claim_that_is_violated_passes_without_a_recorded_finding(self) -> None:
        self.end(FALSE, Verdict.VIOLATED, strict=True)

    def test_a_false_claim_that_holds_fails(self) -> None:
        with pytest.raises(pytest.fail.Exception, match="holds, and known to be false by half a power"):
            self.end(FALSE, Verdict.TIGHT)

    def test_an_undecided_one_is_skipped(self) -> None:
        for name in (TRUE, FALSE):
            with pytest.raises(pytest.skip.Exception, match="inconclusive"):
                self.end(name, Verdict.INCONCLUSIVE)

    def test_a_true_claim_that_is_violated_fails(self) -> None:
        with pytest.raises(pytest.fail.Exception, match="violated"):
            self.end(TRUE, Verdict.VIOLATED)
