"""What commands share: how one is declared, the options that several have, and what is wrong with a word typed.

An option means the same wherever it occurs because it is declared here once.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import importlib
import math
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from checks.commands.engine import add_engine
from checks.commands.notes import note
from checks.records.preset import Placement, Preset
from checks.report.escape import MAX_LINE, plain
from checks.statistics.policy import CONFIDENCE, POWER, ErrorPolicy
from sim.running.capacity import MAX_THREADS, fitting
from sim.store.shard_paths import are_shards

if TYPE_CHECKING:
    from checks.evidence.check import Check

MAX_COUNT = 10**9
"""Beyond this a whole number is a slip."""
DEFAULT_BUDGET_SECONDS = 600
DEFAULT_WIDTH = 80
"""Columns of a terminal that does not say how many it has."""
_MOST_CHOICES = 8
"""Values of an argument that a message lists."""
_RELATION = re.compile(r"-[^-].*[<>=]")
"""A statement or condition that begins with a minus."""
DEFAULT_STORE = Path(".theoremeter/results.sqlite")

EXIT_CODES = """exit codes:
  0    done, whatever the verdicts
  1    trials failed, `store verify` or `diff` found a difference, or a seeded fault survived `check-paper`
  2    bad input, a broken paper, or a file, stream or worker that failed: one line says which
  3    evidence that contradicts itself: a bug of theoremeter
  130  interrupted by Ctrl-C (128 + signal: 143 by SIGTERM, 129 by SIGHUP)"""


class BadInput(ValueError):
    """What the user typed breaks a rule."""


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal; lines stay lines, and an exit code's words go on below its words."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled = []
        for line in text.splitlines():
            code = re.match(r" +\d+ +", line)
            below = " " * code.end() if code else ""
            filled += textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent + below)
        return "\n".join(filled)


class Parser(argparse.ArgumentParser):
    """argparse, but bad input is one line, and help says what exit codes mean."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("epilog", EXIT_CODES)
        settings.setdefault("formatter_class", Help)
        super().__init__(**settings)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and ending the process."""
        raise BadInput(message)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the words of a command line.

        Raises:
            BadInput: whatever breaks a rule, with the nearest name for a word that is misspelt.
        """
        words = _on_their_sides(self, list(sys.argv[1:] if args is None else args))
        first = words[0].partition("=")[0] if words else ""
        if first.startswith("-") and (first == "-" or not self._get_option_tuples(first)):
            rule = "options before the command must be those of theoremeter, and others stand after it"
            raise BadInput(f"{rule}, got {words[0]!r}{nearest(words[0], self._option_string_actions)}")
        read, rest = self.parse_known_args(words, namespace)
        rest = _among_words(_command_of(self, words), read, rest)
        if rest:
            raise BadInput(_unknown_words(self, words, rest))
        return read

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read words, or, where a command must follow and no word does, show the commands that there are.

        That is told on stderr with the exit code of bad input, as argparse has it: a script whose command went missing
        must not pass for one that ran.
        """
        if args is not None and not args and self._subparsers is not None:
            self.print_help(sys.stderr)
            self.exit(2)
        return super().parse_known_args(args, namespace)

    def _parse_optional(self, arg_string: str) -> Any:
        """What an option's word means; a relation that begins with a minus, such as -x<=1, is no option."""
        return None if _RELATION.match(arg_string) else super()._parse_optional(arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is none of an argument's choices, with the nearest one."""
        if action.choices is None or value in action.choices:
            return
        choices = [*map(str, action.choices)]
        known = ", ".join(choices) if len(choices) <= _MOST_CHOICES else "those that --help lists"
        told = f"must be one of {known}, got {str(value)[:40]!r}{nearest(str(value), choices)}"
        raise argparse.ArgumentError(action, told)


def _on_their_sides(parser: argparse.ArgumentParser, words: list[str]) -> list[str]:
    """Words with `--store` that stands before the command put after it, and `--paper` after it before it."""
    own = parser._option_string_actions
    before, moved, place = list[str](), list[str](), 0
    while place < len(words) and words[place].startswith("-"):
        name, _, value = words[place].partition("=")
        takes = not value and (name == "--store" or (name in own and own[name].nargs != 0))
        (moved if name == "--store" and name not in own else before).extend(words[place : place + 1 + takes])
        place += 1 + takes
    command, after = words[place : place + 1], list[str]()
    if _has_commands(_command_of(parser, command)):  # such as `store`, whose own take the options
        command = words[place : place + 2]
        moved = moved if len(command) > 1 else []
    place, takes_papers = place + len(command), "--paper" in _command_of(parser, command)._option_string_actions
    while place < len(words) and words[place] != "--":
        name, _, value = words[place].partition("=")
        is_moved = name == "--paper" and not takes_papers and (value or place + 1 < len(words))
        length = 2 if is_moved and not value else 1
        (before if is_moved else after).extend(words[place : place + length])
        place += length
    return [*before, *command, *moved, *after, *words[place:]] if command else words


def _has_commands(parser: argparse.ArgumentParser) -> bool:
    """Whether what follows is a command again."""
    return any(isinstance(action, argparse._SubParsersAction) for action in parser._actions)


def _command_of(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.ArgumentParser:
    """What reads the words of the command that is typed."""
    for word in words:
        commands = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        if commands and word in commands[0].choices:
            parser = commands[0].choices[word]
    return parser


def _among_words(command: argparse.ArgumentParser, read: argparse.Namespace, rest: list[str]) -> list[str]:
    """What is left of words once a command's list of them has taken those that stand behind its options.

    argparse ends such a list at the first option: `simulate SYSTEM --replicate 2 size=3`, `run A --preset smoke B`.
    """
    lists = [action for action in command._actions if action.nargs == "*" and not action.option_strings]
    if not lists or any(word.startswith("-") for word in rest):
        return rest
    setattr(read, lists[0].dest, [*getattr(read, lists[0].dest), *rest])
    return []


def _unknown_words(parser: argparse.ArgumentParser, words: Sequence[str], rest: Sequence[str]) -> str:
    """What is wrong with words that a command does not take, with the nearest of its options for the first."""
    before = set(parser._option_string_actions)
    parser = _command_of(parser, words)
    first = rest[0].partition("=")[0]
    if first in before - set(parser._option_string_actions):
        return f"{first} must stand before the command, got it after {parser.prog.partition(' ')[2]}"
    options = [name for name in parser._option_string_actions if name.startswith("--")]
    is_option = first.startswith("-") and not _RELATION.match(rest[0])
    near = nearest(first, options) if is_option else ""
    what = "options must be those of" if is_option else "no more words must follow for"
    return f"{what} {parser.prog}, got {' '.join(rest)!r}{near}"


def nearest(typed: str, known: Iterable[str]) -> str:
    """The most similar of the known names, to end a message with; "" where none is similar."""
    by_folded = {name.lower(): name for name in known}
    near = difflib.get_close_matches(typed[:50].lower(), by_folded, n=1, cutoff=0.6)
    return f"; nearest is {by_folded[near[0]]}" if near else ""


def add_command(commands: Any, name: str, work: str, summary: str) -> argparse.ArgumentParser:
    """Declare a command.

    Args:
        commands: what `ArgumentParser.add_subparsers` returned.
        work: the function that carries it out and returns the exit code, as module:function of `checks.commands`.
    """
    command = commands.add_parser(name, help=summary, description=summary)
    command.set_defaults(command=functools.partial(_carried_out, work))
    add_quiet(command, default=argparse.SUPPRESS)  # a default of its own would undo what was said before the command
    return command


def _carried_out(work: str, arguments: argparse.Namespace) -> int:
    """Carry a command out; here, and nowhere else, is what does it imported."""
    module, _, name = work.partition(":")
    function = getattr(importlib.import_module(f"checks.commands.{module}"), name)
    if getattr(arguments, "published", False):
        opened = importlib.import_module("checks.commands.published").opened
    elif "published" in arguments and are_joined(getattr(arguments, "stores", ())):  # a command that reads
        opened = importlib.import_module("checks.commands.several_stores").joined
    else:
        return function(arguments)
    with opened(arguments):
        return function(arguments)


def are_joined(stores: Sequence[Path]) -> bool:
    """Whether stores are laid out as one before they are read: several, files of Parquet, or folders of them."""
    return len(stores) > 1 or any(map(are_shards, stores))


def add_quiet(command: argparse.ArgumentParser, *, default: object = False) -> None:
    """Whether to say what was done."""
    words = "on stderr only what went wrong: no progress, no notes"
    command.add_argument("-q", "--quiet", action="store_true", default=default, help=words)


def add_selection(command: argparse.ArgumentParser) -> None:
    """Which claims: some by id, key of a paper or pattern, or all."""
    words = (
        "claims by id, key, pattern or the paper's own number, e.g. A.samples, A, 'A.fig*', 'Theorem 1' or 'eq. (10)'; "
        "all (of --paper's) by default"
    )
    command.add_argument("ids", nargs="*", metavar="ID", help=words)


def broken_code(checks: Iterable[Check]) -> int:
    """Exit code of a command that used checks, 2 where any of them is broken; says so in one line."""
    return told_broken({check.claim.id: "; ".join(check.broken) for check in checks if check.broken})


def told_broken(reasons: Mapping[str, str]) -> int:
    """Say what is broken and why, the first in full; returns the exit code."""
    if not reasons:
        return 0
    (name, reason), *others = reasons.items()
    more = f" (and {', '.join(other for other, _ in others[:5])}{', ...' if len(others) > 5 else ''})" if others else ""
    print(plain(f"theoremeter: broken: {blamed_line(name, reason)}{more}", MAX_LINE), file=sys.stderr)
    return 2


def blamed_line(name: str, reason: str) -> str:
    """What is broken and why, its name once: reasons of checks and of trials begin with it."""
    return reason if reason.startswith((f"{name} (", f"{name}, ")) else f"{name}: {reason}"


def add_json(command: argparse.ArgumentParser, words: str = "") -> None:
    """Text for people, or JSON for programs; `theoremeter schema` says what is in it."""
    command.add_argument("--format", choices=("terminal", "json"), default="terminal", help=words or None)


class _OneStore(argparse.Action):
    """A store that is written, or looked at by itself."""

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        if getattr(namespace, "stores", ()):
            parser.error(f"argument --store: must be given once here, got {namespace.stores[0]} and {values}")
        namespace.store, namespace.stores = values, (values,)


class _Stores(argparse.Action):
    """Stores that are read, and may be several (`checks.commands.several_stores`)."""

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        namespace.stores = (*namespace.stores, values)
        namespace.store = namespace.stores[0]


def add_store(command: argparse.ArgumentParser, *, published: bool = False) -> None:
    """Where results are.

    Args:
        published: whether the command reads alone, so that it may read several stores as one, or the evidence that
            comes with a paper in place of a store.
    """
    place = command.add_mutually_exclusive_group()
    several = "; given several times, they are read as one" if published else ""
    place.add_argument(
        "--store", type=typed_path, default=DEFAULT_STORE, action=_Stores if published else _OneStore,
        help=f"results file (default {DEFAULT_STORE}){several}",
    )  # fmt: skip
    command.set_defaults(stores=())
    if published:
        words = "in place of a store the trials that come with each paper; nothing is measured"
        place.add_argument("--published", action="store_true", help=words)


def require_store(arguments: argparse.Namespace) -> None:
    """Refuse a store that was named and is not there; say of the usual one what makes it.

    Raises:
        BadInput: the named store does not exist.
    """
    path: Path = arguments.store
    if path.exists() or path.is_symlink():
        return
    if path is not DEFAULT_STORE:  # argparse hands out the default itself where nothing is named
        raise BadInput(f"store must exist to be read, got {path}")
    told = f"nothing measured yet: there is no {path}; `theoremeter run` measures and makes it"
    note(f"theoremeter: {told}")


def add_evidence(command: argparse.ArgumentParser, *, published: bool = False) -> None:
    """How much is measured, where it is kept, which engine's trials count, and how sure a verdict must be."""
    add_preset(command)
    add_store(command, published=published)
    add_engine(command)
    add_confidence(command)


def add_confidence(command: argparse.ArgumentParser) -> None:
    """How sure intervals and verdicts are."""
    command.add_argument(
        "--confidence",
        type=_level,
        default=None,
        metavar="LEVEL",
        help=f"of intervals and verdicts, between 0.5 and 1 (default {CONFIDENCE:g}); trials need not be run again",
    )


def add_power(command: argparse.ArgumentParser) -> None:
    """How likely a planned experiment decides."""
    words = f"chance that a planned experiment decides, between 0.5 and 1 (default {POWER:g})"
    command.add_argument("--power", type=_level, default=None, metavar="CHANCE", help=words)


def _level(text: str) -> float:
    """argparse type of a confidence or a power."""
    try:
        return ErrorPolicy(float(text)).confidence if text.isascii() and "_" not in text else float("")
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be between 0.5 and 1, such as 0.99, got {text[:40]!r}") from None


def policy_asked(arguments: argparse.Namespace) -> ErrorPolicy:
    """The error policy of what was typed."""
    given = {name: getattr(arguments, name, None) for name in ("confidence", "power")}
    return ErrorPolicy(**{name: value for name, value in given.items() if value is not None})


def add_preset(command: argparse.ArgumentParser) -> None:
    """How much is measured."""
    presets = [preset.value for preset in Preset]
    command.add_argument("--preset", choices=presets, default=Preset.QUICK.value, help="how much is measured")


def add_placement(command: argparse.ArgumentParser) -> None:
    """Where the trials of a threshold go."""
    command.add_argument(
        "--placement",
        choices=[placement.value for placement in Placement],
        default=Placement.GRID.value,
        help="where a threshold's trials go: on its whole grid, or in rounds where they tell most",
    )


def add_looks(command: argparse.ArgumentParser) -> None:
    """Whether to go on until a part is decided, and for how long."""
    command.add_argument(
        "--until-decided", action="store_true", help="double the replicates of what is open, error rate held"
    )
    command.add_argument(
        "--budget",
        type=positive,
        default=None,
        metavar="SECONDS",
        help=f"with --until-decided: trial seconds a part may cost (default {DEFAULT_BUDGET_SECONDS}); "
        "with --retry-unknown: seconds of a search",
    )


def add_workers(command: argparse.ArgumentParser) -> None:
    """How many processes."""
    command.add_argument(
        "--workers", type=positive, default=None, help="processes (default: all cores); capped at what this machine has"
    )


def workers_of(arguments: argparse.Namespace, executor: str = "process") -> int | None:
    """How many workers to start: as asked for, or by default as many as fit, but no more than fit; says so in a line.

    Workers of a running cluster, and one that runs in this process, are not for this machine to bound.
    """
    asked: int | None = arguments.workers
    if executor == "threads":
        count, words = asked, ""
        if asked is not None and asked > MAX_THREADS:
            count, words = MAX_THREADS, f"{asked} threads are more than are of use; {MAX_THREADS} start"
    elif executor in ("process", "dask"):
        count, words = fitting(asked)
    else:
        return asked
    if words:
        note(f"theoremeter: {words}")
    return count


def add_audit(command: argparse.ArgumentParser) -> None:
    """How many trials are run again, which, and how they are compared."""
    command.add_argument(
        "--detect",
        type=share,
        default=0.01,
        metavar="SHARE",
        help="what share of altered trials is to be met (default 1%%)",
    )
    command.add_argument(
        "--confidence",
        type=share,
        default=0.95,
        metavar="CHANCE",
        help="with which chance (default 95%%)",
    )
    command.add_argument("--sample", type=positive, default=None, help="how many trials instead, drawn from all alike")
    command.add_argument(
        "--seed", type=whole, default=None, help="which sample (default: one that nobody knows before)"
    )
    command.add_argument(
        "--tolerance",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="how far numbers may differ, as a share, where another processor measured (default: not by a bit)",
    )
    command.add_argument("--workers", type=positive, default=1, help="processes (default 1)")


def share(text: str) -> float:
    """argparse type of a number between 0 and 1, or of a percentage."""
    value = number(text[:-1]) / 100 if text.endswith("%") else number(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, or 0% and 100%, got {text[:40]!r}")
    return value


def number(text: str) -> float:
    """The number that a text is; NaN where it is none."""
    try:
        return float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan


def positive_number(text: str) -> float:
    """argparse type of a finite number > 0, which may be a ratio of two: 1/13."""
    over, _, under = text.partition("/")
    value = number(over) / (number(under) or math.nan) if under else number(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"must be a finite number > 0, got {text[:40]!r}")
    return value


def positive(text: str) -> int:
    """argparse type of a whole number >= 1."""
    return _whole(text, 1)


def not_negative(text: str) -> int:
    """argparse type of a whole number >= 0."""
    return _whole(text, 0)


def whole(text: str) -> int:
    """argparse type of a whole number, negative ones included."""
    return _whole(text, -MAX_COUNT)


def _whole(text: str, least: int) -> int:
    rule = f"must be a whole number >= {least}" if least > -MAX_COUNT else "must be a whole number"
    digits = text.removeprefix("-") if least < 0 else text
    if not (digits.isascii() and digits.isdecimal()):
        raise argparse.ArgumentTypeError(f"{rule}, got {text!r}")
    if len(digits.lstrip("0")) > len(str(MAX_COUNT)) or not least <= int(text) <= MAX_COUNT:
        rule = rule if text.startswith("-") or int(digits[:99]) < least else f"must be a whole number <= {MAX_COUNT}"
        raise argparse.ArgumentTypeError(f"{rule}, got {text if len(text) < 40 else text[:40] + '...'!r}")
    return int(text)


def typed_path(text: str) -> Path:
    """argparse type of a path: some text, in Unicode, that a file system can take."""
    if not text or "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise argparse.ArgumentTypeError(f"must be a path, got {text!r}")
    return Path(text)


def terminal_width() -> int:
    """Columns of the terminal that stdout is; 0 where it is none and lines may be of any length."""
    if not sys.stdout.isatty():
        return 0
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or DEFAULT_WIDTH
    except (OSError, ValueError):
        return DEFAULT_WIDTH


def shows_unicode() -> bool:
    """Whether what stdout is encoded in has the letters of formulas."""
    try:
        "αΩ√²₁≤∞─⋅".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
