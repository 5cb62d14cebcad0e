"""A site in files: `index.html`, `graph.html`, of each paper what to correct and the paper as a whole, and in `claims/`
a page a claim; or all in one file.

Where the extra `interactive` is installed, `vega.js` beside them holds Vega-Lite with all that it needs, which a page
loads when a reader asks for a picture to be explored, and never before.
"""

from __future__ import annotations

import functools
import importlib
from pathlib import Path

from checks.report.site.model import Site
from checks.report.site.pages import CLAIMS_FOLDER, VEGA, Renderer, asset, has_whole, packed


def write(site: Site, folder: Path, *, single: bool = False) -> list[Path]:
    """Write the site into a folder; pages that are there are replaced, other files are left alone.

    Raises:
        OSError: where the folder cannot be written to.
    """
    script = "" if single else vega_script()
    renderer = Renderer(site, single=single, explores=bool(script))
    pages = {folder / "index.html": renderer.front()}
    if not single:
        if renderer.graphs():
            pages[folder / "graph.html"] = renderer.graph()
        if site.beside:
            pages[folder / "compare.html"] = renderer.compare()
        for paper in filter(renderer.has_repairs, site.papers):
            pages[folder / renderer.repairs_link(paper.key)] = renderer.repairs(paper)
        for paper in filter(has_whole, site.papers):
            pages[folder / renderer.theorems_link(paper.key)] = renderer.whole(paper)
        for claim in site.claims:
            pages[folder / CLAIMS_FOLDER / f"{renderer.slug(claim.id)}.html"] = renderer.claim(claim)
    if script:
        pages[folder / VEGA] = script
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(pages)


@functools.cache
def vega_script() -> str:
    """Vega-Lite, Vega and Vega-Embed, packed, and what shows a picture with them; "" where the extra is missing.

    The bundle is a classic script, since modules do not load from a folder, and runs as an inline one when unpacked.
    """
    try:
        bundle = importlib.import_module("vl_convert").javascript_bundle("window.vegaEmbed = vegaEmbed;")
    except ImportError:
        return ""
    return f'window.packedVega = "{packed(f"(function () {{{bundle}}})();")}";\n{asset("explore.js")}'
