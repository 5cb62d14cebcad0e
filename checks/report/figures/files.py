"""Pages in files. The same trials give the same SVG: no date, no random names. It says what it shows, in words."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from checks.report.escape import file_name, plain
from checks.report.figures.gathered import Piece
from checks.report.figures.panel import FONT
from checks.report.figures.sheet import bands_of, sheet_of
from checks.report.plot import require_matplotlib, styled

FORMATS = ("svg", "png")
PNG_DPI = 120
_PLACES = re.compile(r' (?:d|x|y)="[^"]*"|translate\([^)]*\)')
_LONG = 600
_LETTER = re.compile(r'(<use xlink:href="#[^"]+") transform="translate\(([-\d.]+) ([-\d.]+)\)"/>')
_DIGITS = re.compile(r"-?\d+\.\d{3,}(?![\de])")


def write_page(pieces: Sequence[Piece], folder: Path, *, kind: str = "svg") -> Path | None:
    """Draw one claim's page into a folder, named after the claim; None where there is nothing to draw.

    Raises:
        InvalidParameter: where matplotlib is missing.
        OSError: where the folder cannot be written to.
    """
    require_matplotlib()
    page = sheet_of(pieces) if pieces else None
    if page is None:
        return None
    claim = pieces[0].claim
    held = io.BytesIO()
    with styled(FONT), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a box is drawn in the letter's place
        page.savefig(held, format=kind, dpi=PNG_DPI, metadata={"Date": None} if kind == "svg" else None)
    content = held.getvalue()
    if kind == "svg":
        title = f"{claim.id}: {claim.source.place}"
        content = _described(_compact(content.decode()), title, described(pieces)).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_name(claim.id)}.{kind}"
    path.write_bytes(content)
    return path


def described(pieces: Sequence[Piece]) -> str:
    """What the page shows, in words."""
    claim = pieces[0].claim
    bands = [": ".join(filter(None, (band.title, band.told))) for band in bands_of(pieces) if band.told]
    return plain(f"Claimed: {claim.statement} {'. '.join(bands)}.")


def _compact(svg: str) -> str:
    """The same drawing to a hundredth of a point, long curves to a tenth, without indentation: half of the bytes."""
    rounded = _PLACES.sub(_rounded, svg)
    rounded = _LETTER.sub(
        lambda use: f'{use[1]} x="{use[2]}"' + (f' y="{use[3]}"' if float(use[3]) else "") + "/>", rounded
    )
    short = rounded.replace('"#DejaVuSans', '"#D').replace('id="DejaVuSans', 'id="D')  # thousands of letters
    return "\n".join(line.strip() for line in short.splitlines() if line.strip())


def _rounded(found: re.Match[str]) -> str:
    """Places to fewer digits. Straight pieces in a row need no letter each."""
    place = found.group()
    is_long = place.startswith(' d="M') and len(place) > _LONG and not set(place) & set("CQAHV")
    digits = 1 if is_long else 2
    place = _DIGITS.sub(lambda number: f"{float(number.group()):.{digits}f}", place)
    return re.sub(r"\s*\nL ", " ", place) if is_long else place


def _described(svg: str, title: str, description: str) -> str:
    """The file with its title and description where screen readers look for them."""
    start = svg.index("<svg")
    end = svg.index(">", start)
    told = f"\n <title>{escape(plain(title))}</title>\n <desc>{escape(description)}</desc>"
    return f'{svg[:end]} role="img" aria-label={quoteattr(plain(title))}>{told}{svg[end + 1 :]}'
