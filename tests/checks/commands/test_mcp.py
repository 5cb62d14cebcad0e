"""The server of the Model Context Protocol: its answers, that nothing a client sends is an option, what it refuses."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from checks.commands import mcp, process
from checks.commands.declared.judge import RELATIONS
from checks.commands.mcp import MAX_LINE, TOOLS, VERSIONS, answer

STORE = ["--preset=smoke", "--store=none.sqlite"]


def asked(method: str, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    reply = answer(json.dumps(message).encode(), STORE)
    assert reply is not None
    assert (reply["jsonrpc"], reply["id"]) == ("2.0", 7)
    return reply


def called(name: str, **arguments: Any) -> tuple[bool, str]:
    found = asked("tools/call", name=name, arguments=arguments)["result"]
    ((kind, text),) = [(one["type"], one["text"]) for one in found["content"]]
    assert kind == "text"
    return found["isError"], text


def test_a_client_is_met_at_its_version_or_at_the_newest() -> None:
    for version in VERSIONS:
        assert asked("initialize", protocolVersion=version)["result"]["protocolVersion"] == version
    assert asked("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == VERSIONS[0]
    assert answer(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', STORE) is None
    assert asked("ping")["result"] == {}


def test_tools_are_listed_with_their_arguments() -> None:
    tools = asked("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    assert all(set(tool["inputSchema"]["required"]) <= set(tool["inputSchema"]["properties"]) for tool in tools)


def test_tools_answer_in_json() -> None:
    failed, text = called("prove", statement="-x<=1", let=["x=0:1"])
    assert (failed, json.loads(text)["verdict"]) == (False, "proved")
    failed, text = called("list", ids=["A.samples"])
    assert (failed, [one["id"] for one in json.loads(text)]) == (False, ["A.samples"])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("prove", {"statement": "--export=coq", "let": ["x=0:1"]}),
        ("prove", {"statement": "x<=1", "let": ["x=0:1", "--to=here"]}),
        ("judge", {"data": "--plot=x.svg", "axis": "n", "value": "y", "claim": "n", "relation": "upper"}),
    ],
)
def test_what_a_client_sends_is_never_an_option(name: str, arguments: dict[str, Any]) -> None:
    failed, text = called(name, **arguments)
    assert failed
    assert text.startswith("theoremeter: ")
    assert text.count("\n") == 1


def test_an_id_is_never_an_option() -> None:
    for name, word in (("list", "--help"), ("explain", "--store=other.sqlite")):
        failed, text = called(name, ids=[word])
        assert failed
        assert text.startswith("theoremeter: id must be a known claim")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense\n", -32700),
        (b"\xff\n", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'{"id": 1}', -32600),
        (b'{"id": 1, "method": "ping", "params": 3}', -32602),
        (b'{"id": 1, "method": "shutdown"}', -32601),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "run"}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "prove"}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {"ids": "A"}}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {"ids": [3]}}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "prove", "arguments": {"statement": 1}}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {"paper": "x"}}}', -32602),
    ],
)
def test_what_breaks_a_rule_has_its_code(line: bytes, code: int) -> None:
    reply = answer(line, STORE)
    assert reply is not None
    assert reply["error"]["code"] == code
    assert reply["id"] == (1 if b'"id": 1' in line else None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"x": "1"}, "arguments of prove must be among statement, let, given, exists, got 'x'"),
        ({}, "arguments of prove must have statement"),
        (["statement"], "arguments of prove must be an object"),
    ],
)
def test_what_is_wrong_with_arguments_is_named(arguments: object, words: str) -> None:
    message = {"id": 1, "method": "tools/call", "params": {"name": "prove", "arguments": arguments}}
    reply = answer(json.dumps(message).encode(), STORE)
    assert reply is not None
    assert reply["error"]["message"] == words


def test_data_are_judged_by_every_relation_that_can_be_typed() -> None:
    assert TOOLS["judge"].properties["relation"]["enum"] == list(RELATIONS)


def test_a_bug_is_said_and_the_next_message_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(words: object, command: object) -> int:
        raise KeyError("inside")

    with monkeypatch.context() as patch:
        patch.setattr(process, "told", broken)
        assert asked("tools/call", name="list")["error"]["code"] == -32603
    assert "KeyError" in capsys.readouterr().err
    assert asked("ping")["result"] == {}


def test_a_conversation_is_a_line_each_and_a_long_line_is_one_refusal() -> None:
    stream = io.BytesIO(b'{"id": 1, "method": "ping"}\n' + b"x" * (2 * MAX_LINE) + b'\n{"id": 2, "method": "ping"}\n')
    replies = [answer(line, STORE) for line in mcp._lines(stream)]
    assert [(reply or {}).get("id") for reply in replies] == [1, None, 2]
