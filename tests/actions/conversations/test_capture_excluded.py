"""What capture must not keep: sessions their users excluded, memex's own, secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core.files.exclusion import excluded_sessions
from memex_core.model.exclusion import BY_USER, marked
from memex_core.model.prompts import OWN_PROMPT
from tests.model.secrets.examples import in_context

ID = "11111111-aaaa-4000-8000-00000000000a"


def record(kind: str, content: Any, number: int, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, "id": f"m{number}"}
    return {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": f"u{number - 1}" if number else None,
        "sessionId": ID,
        "timestamp": f"2026-03-04T10:{number:02}:00.000Z",
        "cwd": "/w/kettle",
        "message": message,
        **more,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / f"{ID}.jsonl"


def put(file: Path, *records: dict[str, Any]) -> None:
    file.parent.mkdir(exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in records)


HELLO = [
    record("user", "Why does the lid rattle?", 0),
    record("assistant", [{"type": "text", "text": "Hinge."}], 1),
]


def test_a_marker_in_a_grown_file_erases_what_was_kept(memex: Any, root: Path, file: Path) -> None:
    put(file, *HELLO)
    assert [one["new_turns"] for one in memex.capture([str(file)])["sessions"]] == [2]
    assert memex.recall("rattle")["hits"]
    put(file, record("user", "Oh. DO NOT INDEX", 2))
    done = memex.capture([str(file)])
    assert done["sessions"] == []
    assert [one["reason"] for one in done["left_out"]] == [BY_USER]
    assert memex.sessions()["total"] == 0
    memex.look_again()
    assert memex.recall("rattle")["hits"] == []
    put(file, record("user", "Still there?", 3))
    assert memex.capture([str(file)])["sessions"] == []
    assert excluded_sessions(memex.store.layout) == {ID: BY_USER}
    memex.close()
    assert not [path for path in root.rglob("*") if path.is_file() and b"rattle" in path.read_bytes()]


def test_a_marker_in_the_host_s_instructions_counts(memex: Any, file: Path) -> None:
    instructions = "<system-reminder>\nDO NOT INDEX THIS CHAT\n</system-reminder>"
    put(file, record("user", instructions, 0, isMeta=True), record("user", "Hello there", 1))
    assert memex.capture([str(file)])["sessions"] == []
    assert memex.sessions()["total"] == 0


@pytest.mark.parametrize(
    "one",
    [
        record("assistant", [{"type": "text", "text": "DO NOT INDEX"}], 2),
        record("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "DO NOT INDEX"}], 2),
        record("user", "DO NOT INDEX", 2, isSidechain=True),
        record("user", "This session is being continued. DO NOT INDEX", 2, isCompactSummary=True),
        {"type": "summary", "summary": "DO NOT INDEX"},
        {"type": "user", "message": None},
        "DO NOT INDEX",
        None,
    ],
)
def test_no_other_s_marker_counts(one: Any) -> None:
    assert not marked(one)


def test_other_agents_records_are_known() -> None:
    text = [{"type": "input_text", "text": "DO NOT INDEX"}]
    assert marked({"type": "response_item", "payload": {"type": "message", "role": "user", "content": text}})
    assert marked(
        {
            "type": "message",
            "message": {"role": "user", "content": [{"type": "text", "text": "DO NOT INDEX"}]},
        }
    )
    assert marked({"role": "user", "content": "DO NOT INDEX"})


def test_a_purged_session_stays_away(memex: Any, file: Path) -> None:
    put(file, *HELLO)
    memex.capture([str(file)])
    memex.purge(session=ID)
    done = memex.capture([str(file)])
    assert (done["sessions"], [one["reason"] for one in done["left_out"]]) == ([], ["purged"])


def test_memex_s_own_prompts_are_no_sessions(memex: Any, file: Path) -> None:
    put(file, record("user", f'{OWN_PROMPT} name="consolidate">Merge these pages.', 0), *HELLO[1:])
    assert memex.capture([str(file)])["sessions"] == []
    assert memex.sessions()["total"] == 0


def test_no_secret_is_captured(memex: Any, root: Path, file: Path) -> None:
    kinds = in_context()
    records: list[dict[str, Any]] = []
    for number, (_, text, _) in enumerate(kinds.values()):
        call = {
            "type": "tool_use",
            "id": f"t{number}",
            "name": "Bash",
            "input": {"command": f"echo '{text}'"},
        }
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text}
        records += [
            record("user", text, 4 * number % 60, uuid=f"a{number}"),
            record("assistant", [{"type": "text", "text": text}, call], 4 * number % 60, uuid=f"b{number}"),
            record("user", [result], 4 * number % 60, uuid=f"c{number}", toolUseResult={"stdout": text}),
        ]
        records[-2]["message"]["id"] = f"answer{number}"
    put(file, *records, {"type": "custom-title", "customTitle": kinds["github"][1], "sessionId": ID})
    put(file, {"type": "summary", "summary": kinds["slack"][1], "leafUuid": "b0"})
    (session,) = memex.capture([str(file)])["sessions"]
    assert session["turns"] == 3 * len(kinds)
    memex.recall("there")
    memex.close()
    found = []
    for path in root.rglob("*"):
        if path.is_file():
            low = path.read_bytes().lower()
            found += [
                (path.name, name) for name, (_, _, secret) in kinds.items() if secret.lower().encode() in low
            ]
            found += [(path.name, name) for name, (_, _, secret) in kinds.items() for line in secret.split("\n")
                      if len(line) > 30 and line.lower().encode() in low]  # fmt: skip
    assert found == []
