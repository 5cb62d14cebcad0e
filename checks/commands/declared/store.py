"""`theoremeter store`: what is typed."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import (
    add_command,
    add_store,
    positive,
    typed_path,
    whole,
)


def add_commands(commands: Any) -> None:
    """Declare `store` and what it can do."""
    summary = "look after the store: info, digest, export, verify, prune"
    parser = commands.add_parser("store", help=summary, description=summary)
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=type(parser))

    def add(name: str, work: str, summary: str) -> argparse.ArgumentParser:
        action = add_command(actions, name, work, summary)
        add_store(action)
        return action

    add("info", "store:info_command", "trials by simulator, version and outcome, and who is at work")
    add("digest", "store:digest_command", "one hash of all results in use: the same for whoever has the same bits")
    action = add("export", "store:export_command", "a csv of scalars for each simulator, and curves.npz")
    action.add_argument("--out", type=typed_path, required=True, help="folder to write to")
    action = add(
        "verify", "store:verify_command", "run a random sample again and compare bit for bit; exit 1 on a difference"
    )
    action.add_argument("--sample", type=positive, default=20, help="how many trials (default 20)")
    action.add_argument("--seed", type=whole, default=0, help="which sample (default 0)")
    action.add_argument("--workers", type=positive, default=1, help="processes (default 1)")
    action = add("prune", "store:prune_command", "delete trials of earlier versions of the simulators known here")
    action.add_argument("--dry-run", action="store_true", help="say what would be deleted, and delete nothing")
    action.add_argument("--yes", action="store_true", help="delete without asking")
    action.add_argument(
        "--unknown",
        action="store_true",
        help="also trials of simulators that are not known here; they may be those of a paper that is not named now",
    )
