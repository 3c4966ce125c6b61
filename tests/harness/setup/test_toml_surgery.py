"""Codex' ``config.toml``: what goes in comes out again, and nothing else moves."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given

from memex_core.harness.setup import blocks
from memex_core.harness.setup.codex_toml import CodexToml
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.toml_edit import TomlError, parse, set_key, unset_key
from memex_core.harness.setup.toml_spans import statements
from memex_core.model.errors import Damaged, Refused
from tests.harness.setup.documents import SLOWLY, toml

CALLER = Caller(("C:\\Program Files\\memex.exe",), "/srv/ü")
CONFIG = CodexToml("/home/ada/.codex/config.toml", CALLER, notify=True)


@SLOWLY
@given(toml())
def test_putting_and_taking_gives_the_same_bytes(text: str) -> None:
    before = text.encode()
    once = CONFIG.put(before).data
    assert once is not None
    said, was = parse(once.decode()), parse(text)
    server = said["mcp_servers"].pop("memex")
    assert server == {"command": CALLER.program[0], "args": ["serve-mcp", "--root", "/srv/ü"]}
    assert said.pop("notify")[1:5] == ["hook", "transcript", "--agent", "codex"]
    assert repr(said) == repr({**({} if said["mcp_servers"] else {"mcp_servers": {}}), **was}) or _same(
        said, was
    )
    assert CONFIG.put(once).data == once
    assert CONFIG.take(once, before).data == before


def _same(said: dict[str, object], was: dict[str, object]) -> bool:
    """Equal but for the order of keys and an empty table; nan, which equals nothing, by its spelling."""

    def plain(value: dict[str, object]) -> list[tuple[str, str]]:
        return sorted((key, repr(item)) for key, item in value.items() if item != {})

    return plain(said) == plain(was)


@SLOWLY
@given(toml())
def test_every_setting_is_found_where_it_stands(text: str) -> None:
    plain = text.removeprefix("\ufeff")
    found = [one for one in statements(text) if not one.header]
    for one in found:
        value = text[one.value_start : one.value_end]
        assert repr(tomllib.loads(f"x = {value}")) != "{}"
        assert text[one.start : one.end].rstrip("\r\n").count("=") >= 1
    tables = sum(line.lstrip().startswith("[") for line in plain.split("\n"))
    assert sum(one.header for one in statements(text)) <= tables


@pytest.mark.parametrize("end", ["", "\n"])
def test_notify_stands_above_the_tables(end: str) -> None:
    """Under a table's header it would be a setting of that table, and Codex would never run it."""
    text = f'model = "o"\n\n[tui]\nnotify = true{end}'
    after = set_key(text, "notify", ["memex"])
    assert after == f'model = "o"\nnotify = ["memex"]\n\n[tui]\nnotify = true{end}'
    assert unset_key(after, "notify") == text


def test_another_notify_program_is_never_lost() -> None:
    text = b'notify = [\n  "say", # loud\n  "done",\n]\n'
    edited = CONFIG.put(text)
    assert edited.data is not None and edited.data.startswith(text)
    assert "another notify program" in edited.notes[0]
    assert CONFIG.take(edited.data, text).data == text


def test_an_older_entry_is_changed_where_it_stands() -> None:
    text = (
        b'notify = ["/old/memex", "hook", "transcript"] # mine\n[mcp_servers."memex"]  # ours\n'
        b'startup_timeout_sec = 9\nargs = ["serve-mcp"]\ncommand = "/old/memex"\n\n[x]\ny = 1\n'
    )
    after = CodexToml("c", Caller(("/new/memex",)), notify=True).put(text).data
    assert after == text.replace(b"/old/memex", b"/new/memex").replace(
        b'"transcript"]', b'"transcript", "--agent", "codex"]'
    )


def test_what_codex_keeps_in_our_table_goes_with_it() -> None:
    text = b'a = 1\n\n[mcp_servers.memex]\ncommand = "memex"\nargs = ["serve-mcp"]\n'
    more = b'\n[mcp_servers.memex.tools.memex_recall]\napproval_mode = "approve"\n'
    assert CONFIG.take(text + more, b"a = 1\n").data is not None
    assert tomllib.loads((CONFIG.take(text + more, b"a = 1\n").data or b"").decode()) == {"a": 1}
    assert CONFIG.take(text, b"a = 1\n").data == b"a = 1\n"


def test_a_table_that_somebody_changed_is_left_and_told() -> None:
    text = b'[mcp_servers.memex]\ncommand = "memex"\nargs = ["serve-mcp"]\nenabled = false\n'
    edited = CONFIG.take(text, b"")
    assert edited.data == text
    assert edited.notes == ("left, since you changed it: the MCP server memex",)


@pytest.mark.parametrize(
    "text",
    ['mcp_servers = { x = { command = "y" } }\n', "[mcp_servers]\nmemex = 3\n"],
)
def test_what_cannot_be_edited_line_by_line_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="line by line"):
        CONFIG.put(text.encode())


def test_another_server_of_our_name_is_refused() -> None:
    with pytest.raises(Refused, match="another MCP server called memex"):
        CONFIG.put(b'[mcp_servers.memex]\ncommand = "npx"\nargs = ["memex"]\n')


@pytest.mark.parametrize(
    ("text", "line"), [(b"a = 1\nb =\n", 2), (b"a = 1\n[x\n", 2), (b"a = 1\nb = \xff", 2)]
)
def test_a_damaged_file_is_named_with_its_line(text: bytes, line: int) -> None:
    with pytest.raises(Damaged, match=rf"config\.toml is not .*line {line}"):
        CONFIG.put(text)


@pytest.mark.parametrize(
    ("key", "told"), [("memories = true", 1), ("memory_tool = true", 1), ("memories = false", 0)]
)
def test_memories_that_codex_keeps_itself_are_told(key: str, told: int) -> None:
    notes = CONFIG.put(f"[features]\n{key}\n".encode()).notes
    assert len([note for note in notes if "memories of its own" in note]) == told


def test_hooks_that_are_off_are_told_of() -> None:
    notes = CONFIG.put(b"[features]\nhooks = false\n").notes
    assert len(notes) == 1 and "turns hooks off" in notes[0]


def test_hooks_in_the_same_file_are_told_of() -> None:
    text = b'[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say"\n'
    edited = CONFIG.put(text)
    assert len(edited.notes) == 1 and "hooks.json" in edited.notes[0]
    assert CONFIG.take(edited.data or b"", text).data == text


def test_reading_says_where_it_ended() -> None:
    with pytest.raises(TomlError) as caught:
        parse("a = 1\nb = [1,\n")
    assert caught.value.line == 2


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\n\n", "\n", "a\r\nb\r\n", "a\r\nb"])
def test_a_block_at_the_end_is_cut_to_the_byte(text: str) -> None:
    after = blocks.append(text, "<x>\n</x>")
    assert (
        blocks.cut(after, [(after.index("<x>"), after.index("</x>") + len(after.split("</x>")[1]) + 4)])
        == text
    )
