"""Text that is memex's own: a section of Markdown between marks, and pi's extension."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.harness.setup import copilot, pi
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.marked import Marked
from memex_core.harness.setup.own_file import OwnFile
from memex_core.harness.setup.where import Where
from memex_core.model.errors import Damaged, Refused
from tests.harness.setup.documents import SLOWLY

MARKED = Marked("/p/.github/copilot-instructions.md", copilot.SECTION, "`memex uninstall copilot`")
OLDER = MARKED._replace(section="## Memory\n\nAsk memex.")
LINES = st.sampled_from(("# Rules", "", "Use tabs.", "  ", "<!-- memex: end -->", "```", "ü\tx"))


@SLOWLY
@given(st.lists(LINES, max_size=6), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_a_section_goes_in_and_out(lines: list[str], newline: str, closed: bool) -> None:
    before = (newline.join(lines) + (newline if closed else "")).encode()
    once = MARKED.put(before).data
    assert once is not None
    assert before.rstrip(b"\r\n") in once
    assert once.decode().replace("\r\n", "\n").count(copilot.SECTION) == 1
    assert once.count(b"\r\n") in (0, once.count(b"\n"))
    assert MARKED.put(once).data == once
    assert MARKED.take(once, before).data == before


@pytest.mark.parametrize("after", ["", "\n", "\n\n## More\n\ntext", "\r\nx"])
def test_an_older_section_is_replaced_where_it_stands(after: str) -> None:
    old = (OLDER.put(b"# Rules\n").data or b"").decode() + after
    new = MARKED.put(old.encode()).data
    assert new is not None
    assert new.decode() == (MARKED.put(b"# Rules\n").data or b"").decode() + after
    assert MARKED.take(new, b"").data == f"# Rules\n{after}".encode()


def test_a_section_that_somebody_changed_is_left() -> None:
    once = (MARKED.put(b"").data or b"").replace(b"information", b"gospel")
    for edited in (MARKED.put(once), MARKED.take(once, b"")):
        assert edited.data == once
        assert len(edited.notes) == 1 and "you changed" in edited.notes[0]
    assert MARKED.look(once).changed == ("instructions",)


def test_a_file_of_nothing_else_goes_and_one_that_is_no_text_is_told() -> None:
    once = MARKED.put(None).data
    assert once is not None and once.endswith(b"<!-- memex: end -->\n")
    assert MARKED.take(once, None).data is None
    with pytest.raises(Damaged, match=r"not UTF-8 \(line 2"):
        MARKED.put(b"a\n\xff")


def extension(home: Path, caller: Caller) -> OwnFile:
    (found,) = pi.settings(Where(str(home), {}), caller, windows=False)
    assert isinstance(found, OwnFile)
    return found


def test_the_extension_is_renewed_unless_somebody_changed_it(tmp_path: Path) -> None:
    old = extension(tmp_path, Caller(("/old/memex",))).put(None).data
    new = extension(tmp_path, Caller(("/new/memex",), "/r"))
    assert old is not None
    now = new.put(old).data
    assert now is not None and b'const MEMEX = ["/new/memex", "--root", "/r"];' in now
    assert new.put(now).data == now
    assert new.take(old, None).data is None  # whatever version wrote it
    changed = old.replace(b"10_000", b"99")
    for edited in (new.put(changed), new.take(changed, None)):
        assert edited.data == changed and len(edited.notes) == 1
    assert new.look(changed).changed == ("extension",)
    with pytest.raises(Refused, match=r"memex\.ts is not memex's"):
        new.put(b"export default 1\n")
    assert new.take(b"export default 1\n", None).data == b"export default 1\n"


PLAY = """
import load from %s;
const on = {};
load({ on: (name, handler) => { on[name] = handler; } });
const ctx = { cwd: "/srv", sessionManager: { getSessionId: () => "s1", getSessionFile: () => "/s1.jsonl" } };
const said = [];
await on.session_start({ reason: "startup" }, ctx);
said.push(await on.before_agent_start({ prompt: "why rye?" }, ctx));
said.push(await on.before_agent_start({ prompt: "and now?" }, ctx));
await on.session_before_compact({}, ctx);
await on.session_shutdown({}, ctx);
console.log(JSON.stringify(said));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="pi needs Node.js")
@pytest.mark.parametrize("works", [True, False])
def test_the_extension_asks_the_hooks_and_fails_in_silence(tmp_path: Path, works: bool) -> None:
    program, log, pipe = tmp_path / "a b" / "memex", tmp_path / "log", tmp_path / "pipe"
    os.mkfifo(pipe)
    program.parent.mkdir()
    answer = (
        'if [ "$2" = session-end ]; then cat > "$PIPE"; exit; fi\n'  # not before somebody reads there
        'cat >> "$LOG"; echo >> "$LOG"; echo "about $2"'
        if works
        else "echo noise; exit 3"
    )
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    module = tmp_path / "memex.mjs"
    text = extension(tmp_path, Caller((str(program),))).put(None).data or b""
    module.write_bytes(text.replace(b"WAIT = 10_000", b"WAIT = 250_000"))  # a busy machine is no failure
    play = tmp_path / "play.mjs"
    play.write_text(PLAY % json.dumps(str(module)))
    environ = {**os.environ, "LOG": str(log), "PIPE": str(pipe)}
    done = subprocess.run(["node", str(play)], capture_output=True, text=True, env=environ, timeout=300)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    if not works:
        assert said == [None, None]
        return
    assert [one["message"]["content"] for one in said] == [
        "about session-start\n\nabout prompt",
        "about prompt",
    ]
    told = [json.loads(line) for line in log.read_text().splitlines() if line]
    about = {"session_id": "s1", "transcript_path": "/s1.jsonl", "cwd": "/srv"}
    assert told == [
        {**about, "source": "startup"},
        {**about, "prompt": "why rye?"},
        {**about, "prompt": "and now?"},
        about,
    ]
    # pi has ended; the last hook lives on and has been told all
    last = subprocess.run(["cat", str(pipe)], capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(last.stdout) == about
