"""A figure that says "linear in" a value, judged as the picture that it is.

The exponent is judged by the Delta rule, as that of a tight claim: proportional to the value, up to a constant. But a
picture with an offset is linear as well, and the eye allows for some curvature. So a judgement against the exponent
does not speak against a figure whose look is straight; an exponent within the margin that the data tell from the
claimed one is agreement where the claimed value with an offset is adequate on the whole grid; and every judgement says
how straight it is and which exponents the look cannot tell apart, and on which part of the axis the claimed curve is
adequate. On an axis too short for an exponent that curve is what is judged, and open is the most that it can say:
where other curves fit as well it is not told from them, and where it fits a part of the axis alone, which part the
picture shows is rarely printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.later import laws
from checks.statistics.explanation import ALLOWED, Clause, Topic
from checks.statistics.verdict import Interval, Judgement, Verdict

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate
    from checks.statistics.laws import Look


LEAST_SHOWN = 1e-6
"""Chance below which no figure is printed: there the errors' own errors decide it."""


def as_pictured(
    judgement: Judgement,
    axis: Sequence[float],
    estimates: Sequence[Estimate],
    claimed: Sequence[float],
    *,
    confidence: float,
) -> Judgement:
    """The judgement with what the picture looks like; against the figure only where it does not look straight."""
    look = laws.linear_look(axis, estimates, claimed, confidence=confidence)
    if look is None:
        return judgement.adding(evidence=(Clause(Topic.PICTURE, "too few points to judge the picture"),))
    ends = float(laws.LOOK_POWERS[0]), float(laws.LOOK_POWERS[-1])
    words = (
        f"as a picture: correlation {look.correlation:.3f} with the claimed value, at least {laws.STRAIGHT:g} with "
        f"powers of the axis {_words(look.alike, ends)}; a straight line is within the errors of measurement against "
        f"powers {_words(look.fitting, ends)}"
    )
    judgement = _offset_allowed(judgement, look)
    if judgement.verdict is Verdict.VIOLATED and look.is_straight:
        linear = Clause(Topic.PICTURE, "the picture looks linear all the same", {"correlation": look.correlation})
        judgement = judgement.withdrawn(Verdict.INCONCLUSIVE, linear)
    if judgement.verdict is Verdict.INCONCLUSIVE and look.whole is not None and _is_short(judgement):
        said = f"on so short an axis the claimed curve is judged, not an exponent: it is {_adequacy(look)}"
        also = f"; a straight line fits against powers of the axis {_words(look.fitting, ends)} as well"
        curve = Clause(Topic.CLAIMED_CURVE, said + (also if look.fitting else ""), {"chance": look.whole})
        judgement = judgement.withdrawn(Verdict.INCONCLUSIVE, curve)
    found = Clause(Topic.PICTURE, words, {"correlation": look.correlation})
    return judgement.adding(evidence=(found, *_claimed_curve(look)))


def _offset_allowed(judgement: Judgement, look: Look) -> Judgement:
    """The judgement, which passes where only a Delta within the margin kept it from that and an offset explains it."""
    passed = judgement.without(Topic.APART)
    is_adequate = look.is_straight and look.adequate is not None and look.adequate[1] == look.whole
    if passed is judgement or passed.explanation.decision.obstacles or not is_adequate:
        return judgement
    offset = Clause(
        Topic.PICTURE,
        "its exponent is told from the claimed one, which an offset explains; a straight line may have one",
        {ALLOWED: 1},
    )
    return passed.adding(evidence=(offset,))


def _is_short(judgement: Judgement) -> bool:
    """Whether the rule for exponents had too few data."""
    return any(clause.topic is Topic.SHORTAGE for clause in judgement.explanation.decision.obstacles)


def _adequacy(look: Look) -> str:
    """On which part of the axis the claimed curve is adequate, in words."""
    whole = _chance_words(look.whole or 0.0)
    if look.adequate is None:
        return f"rejected on the whole grid ({whole}) and on every part of it"
    where, chance = look.adequate
    if chance == look.whole:
        return f"adequate on the whole grid ({whole})"
    return f"rejected on the whole grid ({whole}), adequate from {where.low:g} to {where.high:g} (p = {chance:.2g})"


def _claimed_curve(look: Look) -> tuple[Clause, ...]:
    """Where the claimed value, with an offset, is adequate, and what it says of the whole grid."""
    if look.whole is None:
        return ()
    measured, claimed = look.changes
    words = (
        f"over the grid measured values change by a factor {measured:.3g} where claimed ones change by {claimed:.3g}"
    )
    figures = {"measured": measured, "claimed": claimed, "chance": look.whole}
    if look.adequate is not None and look.adequate[1] != look.whole:
        where, _ = look.adequate
        figures |= {"adequate_from": where.low, "adequate_to": where.high}
    said = _adequacy(look)
    return (Clause(Topic.CLAIMED_CURVE, f"the claimed curve, up to constant and offset, is {said}; {words}", figures),)


def _chance_words(chance: float) -> str:
    """A chance, where it is tiny as a bound."""
    return f"p = {chance:.2g}" if chance >= LEAST_SHOWN else f"p < {LEAST_SHOWN:g}"


def _words(powers: Interval | None, ends: tuple[float, float]) -> str:
    """A range of powers in words; its ends are open where they are those of what was tried."""
    if powers is None:
        return "none"
    low = f"{powers.low:+.2f}" + (" or less" if powers.low <= ends[0] else "")
    high = f"{powers.high:+.2f}" + (" or more" if powers.high >= ends[1] else "")
    return f"from {low} to {high}"
