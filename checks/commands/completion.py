"""`theoremeter completion`: what bash, zsh and fish need to complete commands, options, their values and claims.

shtab writes the script out from the parser itself, so it knows what `--help` knows, and no Python starts at a Tab.
Claims stand in it as they are now, those of papers named with `--paper` among them: write it anew when there are
others. What shtab leaves out is added here: `--option=value` in bash and zsh, and in zsh a second claim.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

import shtab

from checks.catalogue import select
from checks.commands.options import typed_path
from checks.commands.parser import parser

_PLAIN = re.compile(r"[A-Za-z0-9_.*-]+")

_JOINED = """
_theoremeter() {  # bash makes three words of --preset=quick, where two are expected
    local word="${COMP_WORDS[COMP_CWORD]}" kept=() each
    for each in "${COMP_WORDS[@]:0:COMP_CWORD}"; do [ "$each" = "=" ] || kept+=("$each"); done
    local COMP_WORDS=("${kept[@]}" "${word#=}") COMP_CWORD="${#kept[@]}"
    _shtab_theoremeter
}
complete -o bashdefault -F _theoremeter theoremeter
"""
_ZSH_VALUED = re.compile(r'^( *(?:"\*")?"--[\w-]+)(\[(?:\\.|[^\]\\])*\]:)', re.MULTILINE)
"""An option that takes a value: its name, then its help."""
_ZSH_FIRST = re.compile(r'^( *")\(\*\)::', re.MULTILINE)
"""Words of which there may be several, said to be one at most."""


def completion_command(arguments: argparse.Namespace) -> int:
    """Write the script of a shell."""
    claims = [check.claim.id for check in select([])]
    keys = dict.fromkeys(name.partition(".")[0] for name in claims)
    ids = [name for name in (*keys, *claims) if _PLAIN.fullmatch(name)]
    sys.stdout.write(script(parser(), arguments.shell, ids))
    return 0


def script(whole: argparse.ArgumentParser, shell: str, ids: Sequence[str]) -> str:
    """The script of a parser for one of `SHELLS`; `ids` are plain words, which need no quotes in any of them."""
    _say_what_follows(whole, _completer(ids), shtab.FILE)
    text = shtab.complete(whole, shell)
    if shell == "bash":
        return text + _JOINED
    return _ZSH_FIRST.sub(r"\1*:", _ZSH_VALUED.sub(r"\1=\2", text)) if shell == "zsh" else text


def _completer(ids: Sequence[str]) -> dict[str, Any]:
    """What completes a claim in each shell, with the function that it calls."""
    words, call = " ".join(ids), "_theoremeter_ids"
    preamble = {
        "bash": f"{call}() {{ compgen -W '{words}' -- \"$1\"; }}",
        "zsh": f'{call}() {{ compadd "$@" -- {words}; }}',
        "fish": f"function {call}; string split ' ' '{words}'; end",
    }
    return {"bash": call, "zsh": call, "fish": f"({call})", "preamble": preamble}


def _say_what_follows(parser: argparse.ArgumentParser, claims: object, files: object) -> None:
    """Set, on every argument that takes claims or files, the attribute in which shtab looks for what completes it."""
    for action in parser._actions:
        argument: Any = action
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                _say_what_follows(child, claims, files)
        elif action.type is typed_path:
            argument.complete = files
        elif not action.option_strings and action.dest in ("ids", "id"):
            argument.complete = claims
