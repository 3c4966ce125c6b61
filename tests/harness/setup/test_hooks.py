"""Hooks in JSON settings that people, agents and older versions have been at."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memex_core.harness.setup.claude import HOOKS, OFF
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.hooks import Hook, Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.servers import Server
from memex_core.model.errors import Damaged, Refused

NEW = Caller(("/new/memex",))
FILE = "/home/ada/.claude/settings.json"


def one_hook(caller: Caller = NEW, event: str = "Stop") -> JsonSettings:
    return JsonSettings(FILE, (Hooks("claude", caller, (Hook(event, "transcript", 10),), False),))


def all_hooks(caller: Caller = NEW) -> JsonSettings:
    return JsonSettings(FILE, (Hooks("claude", caller, HOOKS, False),))


def put(settings: JsonSettings, value: Any) -> Any:
    data = settings.put(json.dumps(value, indent=2).encode()).data
    assert data is not None
    return json.loads(data)


def handler(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def stop(*handlers: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"hooks": {"Stop": [{**more, "hooks": list(handlers)}]}}


OURS = "/new/memex hook transcript --agent claude"


def test_an_older_command_is_renewed_in_its_place() -> None:
    old = stop(handler("say"), handler("/old/memex hook transcript", timeout=99), matcher="x")
    new = stop(handler("say"), handler(OURS, timeout=99), matcher="x")
    assert put(one_hook(), old) == new


def test_hooks_of_older_versions_that_are_no_longer_wanted_go() -> None:
    old = {
        "hooks": {
            "Stop": [
                {"hooks": [handler("memex hook transcript")]},
                {"hooks": [handler("memex hook transcript")]},
            ],
            "Notification": [{"hooks": [handler("memex hook transcript")]}],
            "PreToolUse": [{"hooks": [handler("memex hook prompt"), handler("mine")]}],
        }
    }
    assert put(one_hook(), old) == {
        "hooks": {"Stop": [{"hooks": [handler(OURS)]}], "PreToolUse": [{"hooks": [handler("mine")]}]}
    }


def test_ours_is_taken_out_of_a_group_of_others() -> None:
    mixed = stop(handler("a"), handler(OURS, timeout=10), handler("b"))
    data = json.dumps(mixed).encode()
    edited = one_hook().take(data, json.dumps(stop(handler("a"), handler("b"))).encode())
    assert json.loads(edited.data or b"") == stop(handler("a"), handler("b"))
    assert not edited.notes


def test_a_timeout_of_their_own_is_kept_and_still_ours_to_remove() -> None:
    text = json.dumps(stop(handler(OURS, timeout=60)))
    assert one_hook().put(text.encode()).data == text.encode()
    assert one_hook().take(text.encode(), b"{}").data == b"{}"


@pytest.mark.parametrize(
    "changed",
    [handler(f"{OURS} | tee log"), handler(f"nice {OURS}"), handler(OURS, env={"MEMEX_STRICT": "1"})],
)
def test_a_changed_hook_is_neither_doubled_nor_removed(changed: dict[str, Any]) -> None:
    text = json.dumps(stop(changed)).encode()
    edited = one_hook().put(text)
    assert edited.data == text
    assert edited.notes == ("the hook Stop is kept as you changed it",)
    edited = one_hook().take(text, b"{}")
    assert edited.data == text
    assert edited.notes == ("left, since you changed it: the hook Stop",)
    assert one_hook().look(text).changed == ("hook Stop",)


def test_an_empty_container_that_was_there_stays_one_of_ours_goes() -> None:
    for before in (b'{"hooks": {"Stop": []}}', b'{"hooks": {}}', b"{}", b'{"a": 1}'):
        once = all_hooks().put(before).data
        assert once is not None
        assert all_hooks().take(once, before).data == before
    once = all_hooks().put(b'{"hooks": {}}').data
    assert once is not None
    assert all_hooks().take(once, b"{}").data == b"{}"


def test_hooks_that_are_off_are_told_of() -> None:
    for text in ('{"disableAllHooks": true}', '{"disableAllHooks": false}', "{}"):
        (feature,) = all_hooks().features
        assert isinstance(feature, Hooks)
        settings = JsonSettings(FILE, (feature._replace(off=OFF),))
        told = " ".join(settings.put(text.encode()).notes)
        assert ("disableAllHooks" in told) is ("true" in text)


def test_a_comment_among_ours_is_not_lost() -> None:
    once = (one_hook().put(b"{}").data or b"").decode()
    text = once.replace('"Stop": [', '"Stop": [ // why?').replace('"hooks": {', '"hooks": { /* mine */', 1)
    after = (one_hook().take(text.encode(), b"{}").data or b"").decode()
    assert "// why?" in after and "/* mine */" in after and "memex" not in after


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[]", 1),
        ('{\n"hooks": []}', 2),
        ('{\n"hooks": {\n"Stop": {}}}', 3),
        ('{"hooks": null}', 1),
    ],
)
def test_another_shape_is_refused_with_its_line(text: str, line: int) -> None:
    for edit in (lambda: all_hooks().put(text.encode()), lambda: all_hooks().take(text.encode(), b"{}")):
        with pytest.raises(Refused, match=rf"settings\.json .*line {line}"):
            edit()


@pytest.mark.parametrize(("data", "line"), [(b'{\n"a": 1,,\n}', 2), (b'{\n\n"a": \xff}', 3), (b"{", 1)])
def test_a_damaged_file_is_named_with_its_line(data: bytes, line: int) -> None:
    for edit in (lambda: all_hooks().put(data), lambda: all_hooks().look(data)):
        with pytest.raises(Damaged, match=rf"settings\.json .*line {line}"):
            edit()


def test_strange_hooks_of_others_are_passed_by() -> None:
    value = {
        "hooks": {"Stop": [1, None, {"hooks": 3}, {"hooks": [4, {"command": ["memex", "hook"]}]}], "X": 5}
    }
    made = put(one_hook(), value)
    assert made["hooks"]["Stop"][:4] == value["hooks"]["Stop"]
    assert made["hooks"]["X"] == 5
    assert made["hooks"]["Stop"][4]["hooks"][0]["command"] == OURS


SERVER = JsonSettings(FILE, (Server(FILE, "mcpServers", NEW, "stdio"),))


def servers(**entry: Any) -> bytes:
    return json.dumps({"mcpServers": {"memex": entry, "x": {}}}).encode()


def test_the_server_is_renewed_and_stays_read_only() -> None:
    old = servers(command="/old/memex", args=["serve-mcp", "--root", "/r", "--read-only"], env={})
    new = servers(command="/new/memex", args=["serve-mcp", "--read-only"], env={})
    assert SERVER.put(old).data == new
    assert SERVER.put(new).data == new
    assert json.loads(SERVER.take(new, b'{"mcpServers": {"x": {}}}').data or b"") == {"mcpServers": {"x": {}}}


def test_a_server_with_settings_of_theirs_is_left() -> None:
    data = servers(command="/new/memex", args=["serve-mcp"], env={"A": "b"})
    edited = SERVER.take(data, b"{}")
    assert edited.data == data
    assert edited.notes == ("left, since you changed it: the MCP server memex",)
    seen = SERVER.look(data)
    assert (seen.entries, seen.mcp, seen.changed) == ((), True, ("MCP server memex",))


@pytest.mark.parametrize(
    "entry", [{"command": "npx", "args": ["memex"]}, {"url": "http://x"}, {"command": "memex"}]
)
def test_another_server_of_our_name_is_never_touched(entry: dict[str, Any]) -> None:
    data = servers(**entry)
    with pytest.raises(Refused, match="another MCP server called memex"):
        SERVER.put(data)
    assert SERVER.take(data, b"{}").data == data
    assert SERVER.look(data).mcp is False
