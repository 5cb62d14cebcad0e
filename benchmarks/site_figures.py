"""Whether every headline of a site says what the archives say: word, figures, steps of proofs, and readings.

    theoremeter report A B --published --preset quick --out site
    python -m benchmarks.site_figures site checks/*/published/quick.zip

Front page and claim pages are read as a reader sees them, and held against `headlines.json` of the archives. Exit code
1 where a claim is missing or says something else.
"""

from __future__ import annotations

import argparse
import html
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from checks.report.archive_headlines import read
from checks.report.escape import file_name
from checks.report.site.prose import prose

_ROW = re.compile(r'<tr\b[^>]*?data-id="(?P<id>[^"]*)"[^>]*?data-verdict="(?P<verdict>[^"]*)".*?</tr>', re.DOTALL)
_CELL = re.compile(r'<td data-label="(?P<name>[^"]*)"[^>]*>(?P<words>.*?)</td>', re.DOTALL)
_HEADLINE = re.compile(
    r'<p class="headline[^"]*"><span class="verdict[^"]*">(?P<verdict>.*?)</span>\s*'
    r'(?:<span class="figures">(?P<figures>.*?)</span>\s*)?</p>', re.DOTALL,
)  # fmt: skip
COLUMNS = {"headline": "verdict", "measured": "figures", "proof": "steps", "readings": "readings"}


def seen(markup: str) -> str:
    """What a reader sees of markup, without spaces and the sign of a group of verdicts."""
    text = re.sub(r'<span class="sign".*?</span>', "", markup, flags=re.DOTALL)
    return "".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def front(site: Path) -> dict[str, dict[str, str]]:
    """The cells of the front page's table, by claim and name."""
    text = (site / "index.html").read_text(encoding="utf-8")
    return {
        html.unescape(row["id"]): {
            **{cell["name"]: seen(cell["words"]) for cell in _CELL.finditer(row[0])},
            "headline": seen(row["verdict"]),
        }
        for row in _ROW.finditer(text)
    }


def archived(paths: Sequence[Path]) -> dict[str, dict[str, str]]:
    """The cells of the archives' headlines, by claim and name, letters written as pages write them."""
    found = {}
    for path in paths:
        with zipfile.ZipFile(path) as archive:
            headlines = read(archive.read("headlines.json").decode(), path).headlines
        for one in headlines:
            found[one.claim] = {name: seen(prose(one.line[name].text)) for name in COLUMNS.values()}
    return found


def differences(site: Path, wanted: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """A line for each cell that is another one, and for each claim that is on one side alone."""
    found = front(site)
    yield from (f"{claim}: only on one side" for claim in sorted(set(found) ^ set(wanted)))
    for claim in sorted(set(found) & set(wanted)):
        for here, there in COLUMNS.items():
            if found[claim].get(here, "") != wanted[claim][there]:
                yield f"{claim}: {here} {found[claim].get(here, '')!r}, archived {wanted[claim][there]!r}"
        page = (site / "claims" / f"{file_name(claim)}.html").read_text(encoding="utf-8")
        head = _HEADLINE.search(page)
        for name in ("verdict", "figures"):
            said = seen(head[name] or "") if head else ""
            if said != wanted[claim][name]:
                yield f"{claim}: its page says {said!r}, archived {wanted[claim][name]!r}"


def main() -> int:
    """Print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("archives", type=Path, nargs="+")
    asked = parser.parse_args()
    wanted = archived(asked.archives)
    found = list(differences(asked.site, wanted))
    print("\n".join([*found, f"{len(wanted)} claims, {len(found)} differences"]))
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
