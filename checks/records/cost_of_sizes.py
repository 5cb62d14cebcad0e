"""What a trial takes at sizes that nobody has run, from what trials took at smaller ones: between two laws.

Most of what a small trial takes is not its work: the call, the generator, the row in the store. So the least that any
size took is taken off first, and a power law goes through what is left at the two largest sizes; work grows at least in
proportion to a size. Beyond the cache of a processor, and where a sort or a matrix begins to count, powers are larger
than at small sizes show: of simulators that were measured, up to half a power, which is the other end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

LEAST_POWER, MOST_POWER, MORE_POWER = 1.0, 4.0, 0.5
"""Work grows at least in proportion; the most that a law may grow by; and by how much more than it shows."""


def seconds_beyond(seconds: Mapping[float, float], size: float) -> tuple[float, float]:
    """CPU seconds of a trial at a size beyond those that were measured: least and most.

    >>> least, most = seconds_beyond({64: 1.1e-3, 128: 1.2e-3, 256: 1.4e-3}, 2560)
    >>> round(least, 4), round(most, 4)
    (0.0126, 0.0376)

    Args:
        seconds: by size, at least one, of sizes > 0.
        size: larger than all of them.
    """
    ordered = sorted(seconds)
    last, floor = ordered[-1], min(seconds.values())
    work, power = seconds[last] - floor, LEAST_POWER
    if len(ordered) > 1 and work > 0 and (before := seconds[ordered[-2]] - floor) > 0:
        shown = math.log(work / before) / math.log(last / ordered[-2])
        power = min(max(shown, LEAST_POWER), MOST_POWER)
    work = max(work, 0.05 * seconds[last])  # what hides in the clock's own error
    factor = size / last
    return floor + work * factor**power, floor + work * factor ** (power + MORE_POWER)
