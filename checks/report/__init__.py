"""What people read: tables of rows (`table`), one claim in full (`claim_page`), progress of a run (`progress`)."""

from pathlib import Path

FORMATS = tuple(sorted(path.stem for path in (Path(__file__).parent / "formats").glob("[a-z]*.py")))
"""Of a table: the files of `formats`. Asking for help imports none of them."""
