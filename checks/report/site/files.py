"""A site in files: `index.html`, a page of repairs a paper, a page a claim in `claims/`; or all in one `index.html`."""

from __future__ import annotations

from pathlib import Path

from checks.report.site.model import Site
from checks.report.site.pages import CLAIMS_FOLDER, Renderer


def write(site: Site, folder: Path, *, single: bool = False) -> list[Path]:
    """Write the site into a folder; pages that are there are replaced, other files are left alone.

    Raises:
        OSError: where the folder cannot be written to.
    """
    renderer = Renderer(site, single=single)
    pages = {folder / "index.html": renderer.front()}
    if not single:
        for paper in filter(renderer.has_repairs, site.papers):
            pages[folder / renderer.repairs_link(paper.key)] = renderer.repairs(paper)
        for claim in site.claims:
            pages[folder / CLAIMS_FOLDER / f"{renderer.slug(claim.id)}.html"] = renderer.claim(claim)
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(pages)
