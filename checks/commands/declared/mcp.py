"""`theoremeter mcp`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import DEFAULT_STORE, add_command, add_preset, typed_path


def add_commands(commands: Any) -> None:
    """Declare `mcp`."""
    summary = (
        "answer an assistant on stdin and stdout by the Model Context Protocol: claims, verdicts, repairs, errata, "
        "proofs and judgements; it measures nothing, loads no paper and writes no file"
    )
    command = add_command(commands, "mcp", "mcp:mcp_command", summary)
    add_preset(command)
    words = f"whose verdicts it tells (default {DEFAULT_STORE})"
    command.add_argument("--store", type=typed_path, default=DEFAULT_STORE, help=words)
