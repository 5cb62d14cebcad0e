"""A progress bar with lines below it. Imported by `progress` only where there is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.progress import Progress
from rich.text import Text


class Bar(Progress):
    """rich's, with `lines` below the bars, cut where the screen ends."""

    lines: Sequence[str] = ()

    def get_renderables(self) -> Iterable[RenderableType]:
        """What is drawn each time."""
        yield from super().get_renderables()
        for line in self.lines:
            yield Text(f"  {line}", no_wrap=True, overflow="ellipsis")
