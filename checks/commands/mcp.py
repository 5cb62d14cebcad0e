"""`theoremeter mcp`: a server of the Model Context Protocol on stdin and stdout, over the commands that print JSON.

The protocol is a JSON-RPC message a line; this is all of it that a server of tools needs, so no SDK is installed for
it (that of Python brings 26 packages, 9.8 MB). A tool is a command with `--format json`, and what a client sends is
put behind `=` or `--`, so that it never becomes an option. No tool measures, loads a paper or writes a file.

Calling order: `mcp_command` -> `answer` (one message) -> `_called` (one tool) -> `process.told`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from checks.commands import process
from checks.commands.declared.judge import RELATIONS
from checks.commands.version import version
from checks.report.escape import plain

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, the newest first; tools are alike in all of them."""
MAX_LINE = 2**20
"""Bytes of a message; a longer one is refused."""
_PARSE, _REQUEST, _METHOD, _PARAMS, _INTERNAL = -32700, -32600, -32601, -32602, -32603
_MESSAGE = "a message must be an object with a method"
_TEXTS = {"type": "array", "items": {"type": "string"}}
_TEXT = {"type": "string"}
_IDS = {
    "ids": {
        **_TEXTS,
        "description": "claims by id, key, pattern or the paper's own number, e.g. A.samples, A, eq. (10)",
    }
}


class Refused(ValueError):
    """A message that breaks a rule of the protocol."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


@dataclass(frozen=True)
class Tool:
    """One command as a tool.

    Attributes:
        about: what a client reads of it.
        properties: its arguments as JSON schemas; `required` names those that must be there.
        words: the words of the command, from the arguments and from preset and store.
    """

    about: str
    properties: Mapping[str, Any]
    words: Callable[[Mapping[str, Any], list[str]], list[str]]
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """Of its arguments."""
        return {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }


def _of_claims(command: str, *, stored: bool) -> Callable[[Mapping[str, Any], list[str]], list[str]]:
    def words(given: Mapping[str, Any], store: list[str]) -> list[str]:
        return [command, "--format=json", *(store if stored else []), "--", *given.get("ids", [])]

    return words


def _prove(given: Mapping[str, Any], store: list[str]) -> list[str]:
    lists = [f"--{name}={text}" for name in ("let", "given", "exists") for text in given.get(name, [])]
    return ["prove", "--format=json", *lists, "--", given["statement"]]


def _judge(given: Mapping[str, Any], store: list[str]) -> list[str]:
    names = [f"--{name}={given[name]}" for name in ("axis", "value", "claim", "relation")]
    return ["judge", "--format=json", *names, *(f"--let={text}" for text in given.get("let", [])), "--", given["data"]]


_RANGES = {"let": {**_TEXTS, "description": "ranges of symbols, such as x=0:1 or n=1:oo"}}
TOOLS = {
    "list": Tool("Every claim with its statement.", _IDS, _of_claims("list", stored=False)),
    "explain": Tool("How claims are read, and why a headline is fair.", _IDS, _of_claims("explain", stored=True)),
    "table": Tool("Verdicts of a store, line by line, with figures.", _IDS, _of_claims("table", stored=True), ("ids",)),
    "repairs": Tool("What is true instead of false claims.", _IDS, _of_claims("repairs", stored=True), ("ids",)),
    "errata": Tool("Where the text of a paper is wrong.", _IDS, _of_claims("errata", stored=False)),
    "prove": Tool(
        "Prove or refute an inequality over a box; a proof comes with a re-checked certificate.",
        {"statement": {**_TEXT, "description": "such as x*(1-x)<=1/4"}, **_RANGES, "given": _TEXTS, "exists": _TEXTS},
        _prove,
        ("statement",),
    ),
    "judge": Tool(
        "Hold measurements in a csv file against a claimed formula.",
        {"data": {**_TEXT, "description": "path of a csv file"}, "axis": _TEXT, "value": _TEXT, "claim": _TEXT,
         "relation": {"enum": list(RELATIONS)},
         "let": {**_TEXTS, "description": "letters with their numbers, such as d=5"}},
        _judge,
        ("data", "axis", "value", "claim", "relation"),
    ),
}  # fmt: skip


def mcp_command(arguments: argparse.Namespace) -> int:
    """Answer messages until there are no more."""
    store = [f"--preset={arguments.preset}", f"--store={arguments.store}"]
    for line in _lines(sys.stdin.buffer):
        reply = answer(line, store)
        if reply is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
    return 0


def _lines(stream: BinaryIO) -> Iterable[bytes]:
    """The lines of a stream; of one that is too long the beginning, which is no JSON, and nothing of the rest."""
    while line := stream.readline(MAX_LINE):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE)


def answer(line: bytes, store: list[str]) -> dict[str, Any] | None:
    """The reply to one message; None to a notification."""
    name: Any = None
    try:
        message = _read(line)
        name = message.get("id")
        _require_method(message)
        if "id" not in message:
            return None
        found = _result(message["method"], message.get("params") or {}, store)
    except Refused as error:
        return {"jsonrpc": "2.0", "id": name, "error": {"code": error.code, "message": plain(error)}}
    except Exception as error:  # a bug of ours must not end the conversation; stderr has it in full
        traceback.print_exc()
        told = {"code": _INTERNAL, "message": f"a bug of theoremeter: {type(error).__name__}"}
        return {"jsonrpc": "2.0", "id": name, "error": told}
    return {"jsonrpc": "2.0", "id": name, "result": found}


def _read(line: bytes) -> dict[str, Any]:
    """A message. Raises Refused."""
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refused(_PARSE, f"a message must be a line of JSON, at most {MAX_LINE} bytes") from None
    if not isinstance(message, dict):
        raise Refused(_REQUEST, _MESSAGE)
    return message


def _require_method(message: Mapping[str, Any]) -> None:
    """Raise Refused unless a message asks for something, with parameters by name."""
    if not isinstance(message.get("method"), str):
        raise Refused(_REQUEST, _MESSAGE)
    if not isinstance(message.get("params", {}), dict):
        raise Refused(_PARAMS, "params must be an object")


def _result(method: str, params: Mapping[str, Any], store: list[str]) -> dict[str, Any]:
    """What a method returns. Raises Refused."""
    if method == "initialize":
        asked = params.get("protocolVersion")
        about = {"name": "theoremeter", "version": version()}
        chosen = asked if asked in VERSIONS else VERSIONS[0]
        return {"protocolVersion": chosen, "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "ping":
        return {}
    if method == "tools/list":
        tools = TOOLS.items()
        return {"tools": [{"name": n, "description": tool.about, "inputSchema": tool.schema} for n, tool in tools]}
    if method == "tools/call":
        return _called(params.get("name"), params.get("arguments") or {}, store)
    raise Refused(_METHOD, f"method must be one of a server of tools, got {method[:60]!r}")


def _called(name: object, given: object, store: list[str]) -> dict[str, Any]:
    """What a tool says. Raises Refused."""
    if not isinstance(name, str) or name not in TOOLS:
        raise Refused(_PARAMS, f"name must be one of {', '.join(TOOLS)}, got {str(name)[:60]!r}")
    arguments = _checked(name, TOOLS[name], given)
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = process.told(TOOLS[name].words(arguments, store), process.carried_out)
    text = out.getvalue() if code == 0 else "\n".join(filter(None, (out.getvalue(), err.getvalue())))
    return {"content": [{"type": "text", "text": text}], "isError": code != 0}


def _checked(name: str, tool: Tool, given: object) -> Mapping[str, Any]:
    """Arguments that are those of the tool, texts or lists of texts. Raises Refused."""
    if not isinstance(given, dict):
        raise Refused(_PARAMS, f"arguments of {name} must be an object")
    if unknown := sorted(set(given) - set(tool.properties)):
        known = ", ".join(tool.properties)
        raise Refused(_PARAMS, f"arguments of {name} must be among {known}, got {', '.join(unknown)[:60]!r}")
    if lacking := [one for one in tool.required if one not in given]:
        raise Refused(_PARAMS, f"arguments of {name} must have {', '.join(lacking)}")
    for key, value in given.items():
        texts = value if tool.properties[key].get("type") == "array" else [value]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            kind = "a list of texts" if tool.properties[key].get("type") == "array" else "a text"
            raise Refused(_PARAMS, f"{key} of {name} must be {kind}")
    return given
