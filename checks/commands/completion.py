"""`theoremeter completion`: what bash, zsh and fish need to complete commands, options, their values and claims.

The script is written out from the parser itself, so it knows what `--help` knows. Claims stand in it as they are now,
those of papers named with `--paper` among them: write it anew when there are others. Only plain words are written, and
every text is quoted for its shell.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from checks.commands.options import add_command, typed_path

SHELLS = ("bash", "zsh", "fish")
_PLAIN = re.compile(r"[A-Za-z0-9_.*-]+")
_NO_VALUE = (argparse._StoreTrueAction, argparse._HelpAction)


@dataclass(frozen=True)
class Option:
    """An option of a command: its names, and what may follow it."""

    names: tuple[str, ...]
    words: str
    values: tuple[str, ...] = ()
    is_path: bool = False
    takes_value: bool = False


@dataclass(frozen=True)
class Position:
    """A place on the command line: after these commands, what may come.

    Attributes:
        path: the commands before it, none at the beginning.
        commands: commands that may follow, each with its summary.
        values: other words that may follow; claims where `has_claims`, files where `has_files`.
    """

    path: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]
    values: tuple[str, ...]
    has_claims: bool
    has_files: bool


def add_commands(commands: Any, whole: argparse.ArgumentParser) -> None:
    """Declare `completion`, which writes out the whole parser."""
    summary = (
        "a script for your shell that completes commands, options and claims (docs/running.md says where to put it)"
    )
    command = add_command(commands, "completion", functools.partial(_completion, whole), summary)
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def _completion(whole: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    from checks.catalogue import select

    claims = [check.claim.id for check in select([])]
    keys = dict.fromkeys(name.partition(".")[0] for name in claims)
    ids = [name for name in (*keys, *claims) if _PLAIN.fullmatch(name)]
    write = {"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell]
    sys.stdout.write(write(list(places(whole)), ids))
    return 0


def places(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[Position]:
    """Every place of a parser, the beginning first."""
    children: dict[str, argparse.ArgumentParser] = {}
    summaries: dict[str, str] = {}
    options: list[Option] = []
    values: list[str] = []
    has_claims = has_files = False
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            children = dict(action.choices)
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
        elif action.option_strings:
            options.append(_option(action))
        else:
            values += _words(action.choices or ())
            has_claims = has_claims or action.dest in ("ids", "id")
            has_files = has_files or action.type is typed_path
    named = tuple((name, summaries.get(name, "")) for name in children)
    yield Position(path, named, tuple(options), tuple(values), has_claims, has_files)
    for name, child in children.items():
        yield from places(child, (*path, name))


def _option(action: argparse.Action) -> Option:
    words = " ".join((action.help or "").replace("%%", "%").split())
    takes_value = action.nargs != 0 and not isinstance(action, _NO_VALUE)
    is_path = action.type is typed_path
    return Option(tuple(action.option_strings), words, _words(action.choices or ()), is_path, takes_value)


def _words(choices: Iterable[object]) -> tuple[str, ...]:
    return tuple(word for word in map(str, choices) if _PLAIN.fullmatch(word))


# ----------------------------------------------------------------------------------------------------------------- bash

_WALK = """    for word in {words}; do
        if [ -n "$skip" ]; then [ "$word" = "=" ] || skip=""; continue; fi
        case "$place $word" in
{moves}
        esac
    done
"""


def bash(found: Sequence[Position], ids: Sequence[str]) -> str:
    """The script for bash 4 and later."""
    answer = 'COMPREPLY=($(compgen -W {} -- "$current")); return'
    values = [f"        {where}) {answer.format(_quoted(' '.join(words)))} ;;" for where, words in _valued(found)]
    cases = []
    for place in found:
        flags = " ".join(name for option in place.options for name in option.names)
        words = " ".join([*(name for name, _ in place.commands), *place.values])
        words = f'{_quoted(words)}" $_theoremeter_ids"' if place.has_claims else _quoted(words)
        cases.append(f"        {_at(place)}) flags={_quoted(flags)}; words={words} ;;")
    lines = [
        "# Completion of theoremeter for bash, written by `theoremeter completion bash`.",
        f"_theoremeter_ids={_quoted(' '.join(ids))}",
        "_theoremeter() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" place="" skip="" word flags words',
        '    [ "$current" = "=" ] && current=""',  # bash makes three words of --preset=quick
        _walk(found, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"'),
        '    case "$place $skip" in',
        *values,
        "    esac",
        '    [ -n "$skip" ] && { COMPREPLY=(); return; }',  # readline then completes files
        '    case "$place" in',
        *cases,
        "    esac",
        '    [ "${current#-}" != "$current" ] && words="$flags"',
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _theoremeter theoremeter",
    ]
    return "\n".join(lines) + "\n"


def _walk(found: Sequence[Position], words: str) -> str:
    """Find the place of the word under the cursor; `skip` is then the option whose value it is."""
    moves = [
        f'            {_quoted(" ".join(["", *place.path, name]))}) place="$place $word" ;;'
        for place in found
        for name, _ in place.commands
    ]
    takes = dict.fromkeys(name for p in found for o in p.options if o.takes_value for name in o.names)
    if takes:
        moves.append(f'            {"|".join("*" + _quoted(f" {name}") for name in takes)}) skip="$word" ;;')
    return _WALK.format(words=words, moves="\n".join(moves)).rstrip("\n")


def _valued(found: Sequence[Position]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where an option with known values stands, as a pattern for `case`, and the values."""
    for place in found:
        for option in (option for option in place.options if option.values):
            yield "|".join(_quoted(" ".join(["", *place.path, name])) for name in option.names), option.values


def _at(place: Position) -> str:
    return _quoted("".join(f" {name}" for name in place.path))


def _quoted(text: str) -> str:
    """Text for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


# ------------------------------------------------------------------------------------------------------------------ zsh


def zsh(found: Sequence[Position], ids: Sequence[str]) -> str:
    """The script for zsh: a file `_theoremeter` in a folder of $fpath, or sourced after compinit."""
    values = [f"        {where}) compadd -- {' '.join(words)}; return ;;" for where, words in _valued(found)]
    cases = []
    for place in found:
        flags = [_described(name, option.words) for option in place.options for name in option.names]
        named = [_described(name, words) for name, words in place.commands]
        cases += [
            f"        {_at(place)})",
            f"            flags=({' '.join(flags)})",
            f"            commands=({' '.join(named)})",
            f"            values=({' '.join(place.values)}{' $ids' if place.has_claims else ''})",
            f"            files={'1' if place.has_files else ''} ;;",
        ]
    lines = [
        "#compdef theoremeter",
        "# Completion of theoremeter for zsh, written by `theoremeter completion zsh`.",
        "_theoremeter() {",
        '    local place="" skip="" files="" word',
        "    local -a flags commands values ids",
        f"    ids=({' '.join(ids)})",
        _walk(found, '"${(@)words[2,CURRENT-1]}"'),
        """    if [[ "${words[CURRENT]}" == --*=* ]]; then skip="${words[CURRENT]%%=*}"; compset -P '*='; fi""",
        '    case "$place $skip" in',
        *values,
        "    esac",
        '    [ -n "$skip" ] && { _files; return; }',
        '    case "$place" in',
        *cases,
        "    esac",
        '    if [[ "${words[CURRENT]}" == -* ]]; then _describe -t options option flags; return; fi',
        "    (( $#commands )) && { _describe -t commands command commands; return; }",
        "    (( $#values )) && compadd -- $values",
        '    [ -n "$files" ] && _files',
        "}",
        'if [ "$funcstack[1]" = "_theoremeter" ]; then _theoremeter "$@"; else compdef _theoremeter theoremeter; fi',
    ]
    return "\n".join(lines) + "\n"


def _described(name: str, words: str) -> str:
    return _quoted(f"{name}:{words.replace(':', ' -')}")


# ----------------------------------------------------------------------------------------------------------------- fish


def fish(found: Sequence[Position], ids: Sequence[str]) -> str:
    """The script for fish 3 and later."""
    lines = ["# Completion of theoremeter for fish, written by `theoremeter completion fish`."]
    for place in found:
        names = [name for name, _ in place.commands]
        seen = [f"__fish_seen_subcommand_from {name}" for name in place.path]
        seen += [f"not __fish_seen_subcommand_from {' '.join(names)}"] if names else []
        begin = f"complete -c theoremeter -n {_fish('; and '.join(seen))}"
        lines += [f"{begin} -f -a {name} -d {_fish(words)}" for name, words in place.commands]
        words = [*place.values, *(ids if place.has_claims else ())]
        files = "" if place.has_files else " -f"
        lines += [f"{begin}{files} -a {_fish(' '.join(words))}"] if words else []
        lines += [f"{begin} {_fish_option(option)}" for option in place.options]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.values:
        parts.append(f"-x -a {_fish(' '.join(option.values))}")
    elif option.takes_value:
        parts.append("-r -F" if option.is_path else "-x")
    return " ".join([*parts, f"-d {_fish(option.words)}"])


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
