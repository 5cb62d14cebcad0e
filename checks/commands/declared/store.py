"""`theoremeter store`: what is typed."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import (
    add_audit,
    add_command,
    add_json,
    add_selection,
    add_store,
    typed_path,
)


def add_commands(commands: Any) -> None:
    """Declare `store` and what it can do."""
    summary = "look after the store: info, digest, export, verify, merge, prune"
    parser = commands.add_parser("store", help=summary, description=summary)
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=type(parser))

    def add(name: str, work: str, summary: str) -> argparse.ArgumentParser:
        action = add_command(actions, name, work, summary)
        add_store(action)
        return action

    add_json(add("info", "store:info_command", "trials by simulator, version and outcome, and who is at work"))
    words = "one hash of all results in use: the same for whoever has the same bits"
    add_json(add("digest", "store:digest_command", words))
    action = add("export", "store:export_command", "a csv of scalars for each simulator, and curves.npz")
    action.add_argument("--out", type=typed_path, required=True, help="folder to write to")
    words = (
        "a file of Parquet for each simulator and recipe, curves in it; commands that read take the folder as --store"
    )
    action.add_argument("--parquet", action="store_true", help=words)
    action = add(
        "verify",
        "verify:verify_command",
        "run trials again, as many as it takes to meet altered ones, and compare bit for bit; exit 1 on a difference",
    )
    add_selection(action)
    add_audit(action)
    add_json(action)
    action = add(
        "merge", "store:merge_command", "take what other stores or archives hold; exit 1 where two trials differ"
    )
    action.add_argument(
        "sources", nargs="+", type=typed_path, metavar="STORE", help="stores or archives to take trials from"
    )
    action = add("prune", "store:prune_command", "delete trials of earlier versions of the simulators known here")
    action.add_argument("--dry-run", action="store_true", help="say what would be deleted, and delete nothing")
    action.add_argument("--yes", action="store_true", help="delete without asking")
    action.add_argument(
        "--unknown",
        action="store_true",
        help="also trials of simulators that are not known here; they may be those of a paper that is not named now",
    )
