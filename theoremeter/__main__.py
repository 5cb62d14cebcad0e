"""The command `theoremeter`, and `python -m theoremeter`."""

from __future__ import annotations

import sys

from theoremeter.guard import ShadowedPackage, require_own_packages

BAD_INPUT = 2


def main() -> int:
    """Run one command; returns the exit code."""
    try:
        require_own_packages()
    except ShadowedPackage as error:
        print(f"theoremeter: {error}", file=sys.stderr)
        return BAD_INPUT
    from checks.cli import main as command

    return command()


if __name__ == "__main__":
    raise SystemExit(main())
