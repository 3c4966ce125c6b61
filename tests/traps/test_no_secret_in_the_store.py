"""Every kind of secret through every door: none of them reaches the disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.actions.pages.put import put
from tests.model.secrets.examples import in_context

ALL = in_context()
TEXTS = [text for _, text, _ in ALL.values()]
LINES = [text for text in TEXTS if "\n" not in text]
WHOLE = "\n\n".join(TEXTS)


def hidden(root: Path, *more: str) -> None:
    """No file below ``root`` holds a secret, in whatever spelling of case, nor does what was printed."""
    found = []
    places = [(str(path), path.read_bytes()) for path in root.rglob("*") if path.is_file()]
    places += [("printed", text.encode()) for text in more]
    assert len(places) > 3
    for place, data in places:
        low = data.lower()
        for name, (_, _, secret) in ALL.items():
            parts = {
                secret,
                json.dumps(secret)[1:-1],
                *(line for line in secret.split("\n") if len(line) > 30),
            }
            found += [(place, name) for part in parts if part.lower().encode() in low]
    assert not found
    names = [str(path.relative_to(root)).lower() for path in root.rglob("*")]
    assert not [name for name in names for _, _, secret in ALL.values() if secret.lower() in name]


def test_pages(memex: Any, root: Path) -> None:
    shown: list[str] = []
    for number, line in enumerate(LINES):
        done = memex.write(type="entity", title=f"{number}. {line}", body=line, project=line, scope="project")
        shown.append(json.dumps(memex.show(done["path"])))
    done = memex.write(
        type="note",
        title="All",
        body=WHOLE,
        tags=[text.replace(",", " ") for text in LINES],
        aliases=LINES,
        description=LINES[0],
        links=[{"target": line, "rel": "relates-to"} for line in LINES],
        sources=[{"resource": f"notes/{n}.md", "title": line, "quote": line} for n, line in enumerate(LINES)],
    )
    kinds = {kind for kind, _, _ in ALL.values()}
    note = next(warning for warning in done["warnings"] if "left out" in warning)
    assert set(note.partition("(")[2].rstrip(")").split(", ")) == kinds
    (event,) = [event for event in memex.store.journal.read() if event["item"] == "all"]
    assert set(event["detail"]["redacted"]) == kinds
    page = memex.show("all")
    assert page["body"].count("[REDACTED:") == len(ALL)
    assert len(page["sources"]) == len(LINES)
    memex.close()
    hidden(root, *shown, json.dumps(page), json.dumps(done))


def test_changes(memex: Any, root: Path) -> None:
    memex.write(type="note", title="Page", body="Old.\n\n## Part\n\nText.\n", tags=["old"], status="draft")
    for number, line in enumerate(LINES):
        memex.edit(
            "page", title=f"{number}. {line}", append=line, set={f"note{number}": line, "list": [line]}
        )
    memex.edit("page", tags=[text.replace(",", " ") for text in LINES])
    memex.edit("page", section="Part", body=WHOLE)
    memex.edit("page", body=f"{WHOLE}\n\n## Part\n\nText.\n")
    text = memex.read_bytes("page").decode()
    memex.edit(
        "page",
        text=text.replace("Text.", WHOLE).replace("---\n", f"---\nmore: {LINES[0]}\n# {LINES[1]}\n", 1),
    )
    put(memex.store, "new.md", f"---\ntitle: New\ntags: [{LINES[0]}]\n---\n{WHOLE}".encode())
    memex.rename("page", f"Page {LINES[2]}")
    memex.write(type="note", title="Draft", body="x", tags=["one"], status="draft")
    memex.tags_rename("one", LINES[3].replace(" ", "-"))
    memex.reject("draft", why="\n".join(TEXTS))
    memex.write(type="note", title="Tier", body="x", scope="project", project="p")
    memex.promote("tier", why=LINES[4])
    memex.diary_append(WHOLE)
    memex.write(type="note", title="Gone", body=WHOLE)
    memex.forget("gone")
    memex.revert("gone")
    memex.recall("token")
    answers = [json.dumps(memex.export()), json.dumps(memex.diary_show())]
    memex.close()
    hidden(root, *answers)


def test_conversations(memex: Any, root: Path) -> None:
    turns: list[dict[str, Any]] = [{"role": "user", "content": text, "name": LINES[0]} for text in TEXTS]
    turns += [
        {
            "role": "tool",
            "tool_name": text,
            "query": text,
            "result": text,
            "xid": text,
            "extra": {"deep": [text]},
        }
        for text in TEXTS
    ]
    turns += [{"role": "agent", "content": f"We decided to use it: {text}\nTODO: {text}"} for text in TEXTS]
    done = memex.ingest_transcript("sess-1", turns=turns, project=LINES[0])
    assert [warning for warning in done["warnings"] if "left out" in warning]
    (event,) = [event for event in memex.store.journal.read() if event["action"] == "ingest"]
    assert set(event["detail"]["redacted"]) == {kind for kind, _, _ in ALL.values()}
    session = memex.session("sess-1")
    assert session["turns"][0]["content"].count("[REDACTED:") == 1
    answers = [json.dumps(session), json.dumps(memex.sessions()), json.dumps(memex.recall("decided")["hits"])]
    memex.close()
    hidden(root, *answers)


def test_imports(memex: Any, root: Path) -> None:
    page = f"---\ntitle: A\naliases:\n  - {LINES[0]}\n---\n{WHOLE}"
    nodes = [
        {"path": "a.md", "id": "", "file": {"text": page}},
        {"path": "b.md", "id": "", "file": {"b64": ""}},
        {"type": "entity", "title": LINES[5], "body": WHOLE, "tags": LINES, "description": LINES[2]},
    ]
    done = memex.import_({"nodes": nodes})
    assert done["imported"] == 3
    assert memex.import_({"nodes": nodes[:2]})["unchanged"] == 2
    memex.close()
    hidden(root)


def test_the_command_line(cli: Callable[..., Any], root: Path) -> None:
    turns = "".join(json.dumps({"role": "user", "content": text}) + "\n" for text in TEXTS)
    runs = [
        cli(
            "write",
            "--type",
            "note",
            "--title",
            f"A {LINES[0]}",
            "--body",
            "-",
            "--alias",
            LINES[1],
            input=WHOLE,
        ),
        cli("write", "--type", "note", "--title", "B", "--body", "b", "--description", LINES[2]),
        cli("edit", "b", "--append", "-", "--set", f"x={LINES[3]}", input=WHOLE),
        cli("rename", "b", f"C {LINES[4]}", "--slug", "c"),
        cli("diary", "append", "-", input=WHOLE),
        cli("ingest-transcript", "--session-id", "s1", "--turns-file", "-", input=turns),
        cli(
            "import", "-i", "-", input=json.dumps({"nodes": [{"title": "D", "type": "note", "body": WHOLE}]})
        ),
    ]
    assert [run.returncode for run in runs] == [0] * len(runs), [run.stderr for run in runs]
    hidden(root, *(run.stdout + run.stderr for run in runs))


def test_a_name_that_is_a_secret_is_refused_and_not_repeated(cli: Callable[..., Any], root: Path) -> None:
    cli("init", check=True)
    key, token = ALL["mailgun"][2], ALL["npm"][2]
    slug = cli("write", "--type", "note", "--title", "A", "--slug", key)
    session = cli("ingest-transcript", "--session-id", token, "--turns-file", "-", input="")
    assert (slug.returncode, session.returncode) == (1, 2)
    assert "secret" in slug.stderr
    assert "secret" in session.stderr
    hidden(root, slug.stdout + slug.stderr, session.stdout + session.stderr)


@pytest.mark.parametrize("command", ["status", "info"])
def test_scrubbing_that_is_off_is_loud(cli: Callable[..., Any], root: Path, command: str) -> None:
    cli("init", check=True)
    (root / "memex.toml").write_text('[capture]\nscrub = "off"\n')
    token = ALL["github"][2]
    done = cli("write", "--type", "note", "--title", "A", "--body", token, "--json")
    assert any("stored as they are written" in warning for warning in done.json["warnings"])
    assert token in (root / "docs" / "note" / "a.md").read_text()
    assert any("stored as they are written" in warning for warning in cli(command, "--json").json["warnings"])
    (root / "memex.toml").write_text("")
    assert cli(command, "--json").json["warnings"] == []
