"""Which checks a command speaks of."""

from __future__ import annotations

import argparse

from checks.catalogue import select
from checks.commands.options import policy_asked
from checks.evidence.check import Check


def selected(arguments: argparse.Namespace) -> list[Check]:
    """The checks that were asked for, judged under the policy that was asked for."""
    policy = policy_asked(arguments)
    return [check.under(policy) for check in select(arguments.ids)]
