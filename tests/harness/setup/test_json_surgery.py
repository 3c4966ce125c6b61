"""JSON settings: what goes in comes out again, and nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.harness.setup import json_edit
from memex_core.harness.setup.claude import HOOKS
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.hooks import Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.jsonc import JsonError, parse
from memex_core.harness.setup.servers import Server
from tests.harness.setup.documents import SLOWLY, VALUES, settings_of_others, written

CALLER = Caller(("/opt/memex bin/memex",), "/srv/ü")
SETTINGS = JsonSettings(
    "/home/ada/settings.json",
    (Hooks("claude", CALLER, HOOKS, False), Server("/home/ada/settings.json", "mcpServers", CALLER, "stdio")),
)
WITH_ROOM = settings_of_others().flatmap(lambda value: st.tuples(st.just(value), written(value)))


@SLOWLY
@given(VALUES.flatmap(lambda value: st.tuples(st.just(value), written(value))))
def test_comments_and_commas_are_read_past(case: tuple[Any, str]) -> None:
    value, text = case
    assert parse(text).value == value


@SLOWLY
@given(VALUES, st.booleans())
def test_plain_json_is_read_as_json_does(value: Any, indented: bool) -> None:
    text = json.dumps(value, indent=2 if indented else None)
    assert parse(text).value == json.loads(text)


@SLOWLY
@given(WITH_ROOM)
def test_what_is_put_in_is_all_that_changes(case: tuple[dict[str, Any], str]) -> None:
    value, text = case
    after = SETTINGS.put(text.encode()).data
    assert after is not None
    said = parse(after.decode()).value
    hooks, server = said["hooks"], said["mcpServers"].pop("memex")
    assert server["args"] == ["serve-mcp", "--root", "/srv/ü"]
    for hook in HOOKS:
        mine = hooks[hook.event].pop()["hooks"][0]
        assert mine["command"].startswith(f"'/opt/memex bin/memex' hook {hook.verb} ")
        assert mine["timeout"] == hook.timeout
        if not hooks[hook.event] and hook.event not in value.get("hooks", {}):
            del hooks[hook.event]
    empty: dict[str, Any] = {"hooks": {}, "mcpServers": {}}
    assert said == {**empty, **value}


@SLOWLY
@given(WITH_ROOM)
def test_putting_and_taking_gives_the_same_bytes(case: tuple[dict[str, Any], str]) -> None:
    before = case[1].encode()
    once = SETTINGS.put(before).data
    assert once is not None
    assert SETTINGS.put(once).data == once
    assert SETTINGS.take(once, before).data == before


@SLOWLY
@given(WITH_ROOM, st.sampled_from(("first", "last")))
def test_what_was_added_meanwhile_stays(case: tuple[dict[str, Any], str], where: str) -> None:
    """Somebody adds a setting of theirs after the installation: only ours goes."""
    before = case[1].encode()
    once = SETTINGS.put(before).data
    assert once is not None
    text = json_edit.insert(once.decode(), ("hooks", "Stop"), None, {"hooks": [{"command": "mine"}]})
    if where == "last":
        text = json_edit.insert(text, (), "added", {"by": ["hand"]})
    after = SETTINGS.take(text.encode(), before).data
    assert after is not None
    said, wanted = parse(after.decode()).value, {**case[0]}
    if where == "last":
        assert said.pop("added") == {"by": ["hand"]}
    assert said["hooks"]["Stop"].pop() == {"hooks": [{"command": "mine"}]}
    stops = wanted.get("hooks", {}).get("Stop", [])
    wanted["hooks"] = {**wanted.get("hooks", {}), "Stop": stops}
    assert said == wanted


@SLOWLY
@given(WITH_ROOM)
def test_after_the_agent_wrote_its_settings_anew_only_ours_goes(case: tuple[dict[str, Any], str]) -> None:
    """Agents keep state in these files and write them whole, in their own style."""
    before = case[1].encode()
    once = SETTINGS.put(before).data
    assert once is not None
    anew = json.dumps({**parse(once.decode()).value, "numStartups": 2}, indent=2)
    after = SETTINGS.take(anew.encode(), before).data
    assert after is not None
    said = parse(after.decode()).value  # emptied containers have the white space from before, as they should
    assert json.dumps(said) == json.dumps({**case[0], "numStartups": 2})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\ufeff",
        "// only a comment",
        "{}",
        "{ }",
        "{\n}",
        "{\r\n\t// c\r\n}\r\n",
        '{"hooks":{}}',
        '{"hooks": {"Stop": [ ]}, }',
        '{\n    "a": 1, // one\n    "b": 2 // two\n}',
        '{"a":1}',
        '{\n  "hooks": {\n    "Stop": [{"hooks": [{"command": "say"}]}]\n  }\n}',
        '{"a": [1, 2,], /* x */ }',
    ],
)
def test_the_odd_ones_come_back_too(text: str) -> None:
    before = text.encode()
    once = SETTINGS.put(before).data
    assert once is not None
    assert json.loads(json.dumps(parse(once.decode()).value))["mcpServers"]["memex"]["type"] == "stdio"
    assert SETTINGS.put(once).data == once
    assert SETTINGS.take(once, before).data == before


def test_a_file_that_was_not_there_goes() -> None:
    once = SETTINGS.put(None).data
    assert once is not None and once.endswith(b"}\n")
    assert json.loads(once).keys() == {"hooks", "mcpServers"}
    assert SETTINGS.take(once, None).data is None


def test_the_style_of_the_file_is_kept() -> None:
    text = '{\r\n\t"a": 1, // one\r\n\t"mcpServers": {\r\n\t\t"x": {} // two\r\n\t}\r\n}'
    server = Server("s.json", "mcpServers", Caller(("memex",)))
    assert server.put(text)[0] == (
        '{\r\n\t"a": 1, // one\r\n\t"mcpServers": {\r\n\t\t"x": {}, // two\r\n\t\t"memex": {\r\n'
        '\t\t\t"command": "memex",\r\n\t\t\t"args": [\r\n\t\t\t\t"serve-mcp"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}'
    )
    assert server.put('{"mcpServers":{"x":1}}')[0] == (
        '{"mcpServers":{"x":1,"memex":{"command":"memex","args":["serve-mcp"]}}}'
    )


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"a": }', 6),
        ('{"a" 1}', 5),
        ('{"a": 1 "b": 2}', 8),
        ("{'a': 1}", 1),
        ('{"a": [1}', 8),
        ('{"a": 1', 7),
        ('{"a": 1}}', 8),
        ('{"a": NaN}', 6),
        ('{"a": 01}', 6),
        ('{"a": "b\n"}', 6),
        ("/* open", 0),
        ('{"a": truely}', 6),
        ("[" * 400 + "]" * 400, 151),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, at: int) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text)
    assert caught.value.at == at
