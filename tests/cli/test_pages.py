"""Commands on single pages, as processes: what they do, and how they refuse."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


def pages_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.md"))}


# -- init ----------------------------------------------------------------------------------


def test_init_makes_a_store_and_says_so_again(memex: Runner, root: Path) -> None:
    dry = memex("init", str(root), "--dry-run")
    assert (dry.code, dry.json["created"], root.exists()) == (0, False, False)
    first = memex("init", str(root))
    assert first.code == 0, first.err
    assert (first.json["root"], first.json["created"], first.json["folder"]) == (str(root), True, False)
    assert (root / "docs").is_dir()
    again = memex("init", str(root))
    assert (again.code, again.json["created"]) == (0, False)


def test_init_takes_a_folder_of_markdown_and_touches_no_page(bare: Runner, tmp_path: Path) -> None:
    notes = tmp_path / "my notes"
    notes.mkdir()
    (notes / "One.md").write_bytes(b"# One\r\nno end")
    before = (notes / "One.md").stat()
    done = bare("init", str(notes))
    assert (done.code, done.json["folder"]) == (0, True)
    after = (notes / "One.md").stat()
    assert (after.st_mtime_ns, after.st_size, after.st_ino) == (
        before.st_mtime_ns,
        before.st_size,
        before.st_ino,
    )
    assert sorted(os.listdir(notes)) == [".memex", "One.md"]


def test_init_refuses_a_file(bare: Runner, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    done = bare("init", "x")
    assert done.code == 1
    assert done.out == b""
    assert done.err.startswith("memex: ")


# -- write and show ------------------------------------------------------------------------


def test_write_makes_the_store_and_show_reads_it_back(memex: Runner, root: Path) -> None:
    body = "Zeile – 数据 🚀\n\n```\n[[not a link]]\n```\n"
    done = memex(
        "write",
        "--type",
        "preference",
        "--title",
        "Ruff: never 'flake8'",
        "--body",
        "-",
        "--tags",
        "b,a",
        "--tags",
        "c",
        "--description",
        "one line",
        "--importance",
        "0.9",
        "--alias",
        "lint",
        "--link",
        "other:supports",
        stdin=body.encode(),
    )
    assert done.code == 0, done.err
    assert done.json["slug"] == "ruff-never-flake8"
    assert Path(done.json["file_path"]).is_file()
    page = memex("show", "ruff-never-flake8").json
    assert page["title"] == "Ruff: never 'flake8'"
    assert page["body"].strip() == body.strip()
    assert (page["tags"], page["aliases"], page["importance"]) == (["b", "a", "c"], ["lint"], 0.9)
    assert [(link["target"], link["rel"], link["to"]) for link in page["links"]] == [
        ("other", "supports", None)
    ]


def test_write_refuses_a_twin_unless_told(memex: Runner, store: Path) -> None:
    words = ("write", "--type", "preference", "--title", "Ruff", "--body", "Other.")
    before = pages_of(store)
    refused = memex(*words)
    assert (refused.code, refused.out) == (1, b"")
    assert refused.err.count("\n") == 1
    assert pages_of(store) == before
    assert memex(*words, "--new").json["slug"] == "ruff-2"
    assert memex(*words, "--update").json["slug"] == "ruff"
    assert "Other." in memex("show", "ruff").json["body"]


TOLD_ANEW = {
    "valid_from": "2026-01-01",
    "valid_until": "2027-01-01",
    "stale_after": "2026-06-01",
    "occurred_at": "2025-12-24",
    "session_id": "s-9",
    "status": "draft",
}


def test_an_update_takes_all_that_is_told(memex: Runner, store: Path) -> None:
    words = ("write", "--type", "preference", "--title", "Ruff", "--update", "--alias", "linter,lint")
    options = [word for key, value in TOLD_ANEW.items() for word in (f"--{key.replace('_', '-')}", value)]
    body = memex("show", "ruff").json["body"]
    assert memex(*words, *options).code == 0
    page = memex("show", "ruff").json
    assert {key: page["front_matter"][key] for key in TOLD_ANEW} == TOLD_ANEW
    assert page["aliases"] == ["linter", "lint"]
    assert page["body"] == body  # no text was told
    once = pages_of(store)
    assert memex(*words, *options).json["changed"] is False
    assert pages_of(store) == once


def test_an_update_of_no_page_writes_it(memex: Runner, store: Path) -> None:
    words = ("write", "--type", "entity", "--title", "Kiln", "--update", "--body")
    assert memex(*words, "Cold.").json["slug"] == "kiln"
    assert memex(*words, "Hot.").json["slug"] == "kiln"
    assert memex("show", "kiln").json["body"].strip() == "Hot."


def test_an_update_leaves_the_page_where_it_is(memex: Runner, store: Path) -> None:
    before = pages_of(store)
    words = ("write", "--type", "preference", "--title", "Ruff", "--body", "Other.", "--update", "--slug")
    refused = memex(*words, "flake8")
    assert (refused.code, refused.out) == (2, b"")
    assert "memex rename" in refused.err
    assert pages_of(store) == before
    assert memex(*words, "ruff").code == 0


def test_write_dry_writes_nothing(memex: Runner, store: Path) -> None:
    before = pages_of(store)
    done = memex("write", "--type", "entity", "--title", "New", "--dry-run")
    assert (done.code, done.json["dry_run"], done.json["slug"]) == (0, True, "new")
    assert pages_of(store) == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("write", "--type", "entity", "--title", ""), 2),
        (("write", "--type", "", "--title", "T"), 2),
        (("write", "--title", "T"), 2),
        (("write", "--type", "entity", "--title", "T", "--importance", "7"), 2),
        (("write", "--type", "entity", "--title", "T", "--valid-until", "soonish"), 2),
        (("write", "--type", "entity", "--title", "T", "--scope", "galaxy"), 2),
        (("write", "--type", "entity", "--title", "T", "--slug", "../../x"), (1, 2)),
        (("write", "--type", "entity", "--title", "T", "--new", "--update"), 2),
        (("show", "nope"), 1),
        (("show", "ruff", "--section", "Nowhere"), 1),
        (("show", "../../etc/passwd"), (1, 2)),
        (("list", "--sort", "colour"), 2),
        (("list", "--limit", "0"), 2),
        (("edit", "nope", "--body", "x"), 1),
        (("edit", "ruff", "--section", "Nowhere", "--body", "x"), 1),
        (("edit", "ruff", "--section", "Usage"), 2),
        (("edit", "ruff", "--body", "a", "--append", "b"), 2),
        (("rename", "nope", "X"), 1),
        (("rename", "ruff", "Shop", "--slug", "a/b"), (1, 2)),
        (("move", "ruff"), 2),
        (("move", "ruff", "--folder", "../out"), (1, 2)),
        (("forget", "nope"), 1),
        (("forget", "ruff", "--mode", "gentle"), 2),
        (("forget", "ruff", "--mode", "soft", "--valid-until", "never"), 2),
    ],
)
def test_a_refusal_is_one_line_and_changes_nothing(
    memex: Runner, store: Path, words: tuple[str, ...], code: int | tuple[int, ...]
) -> None:
    before = pages_of(store)
    done = memex(*words, "--json")
    codes = code if isinstance(code, tuple) else (code,)
    assert done.code in codes, done
    if done.code:
        assert set(done.json["error"]) >= {"code", "message", "hint"}
        assert done.err.startswith("memex: ")
        assert done.err.count("\n") == 1
        assert pages_of(store) == before


def test_show_raw_gives_the_bytes(memex: Runner, store: Path) -> None:
    path = next(store.rglob("shop.md"))
    raw = b"\xef\xbb\xbf---\r\ntitle: Shop # mine\r\n---\r\nno UTF-8: \xff\xfe, no final newline"
    path.write_bytes(raw)
    done = memex("show", "shop", "--raw")
    assert (done.code, done.out) == (0, raw)
    as_json = memex("show", "shop", "--raw", "--json").json
    assert as_json["raw"].encode("utf-8", "surrogateescape") == raw
    assert memex("show", "shop", "--raw", "--section", "x").code == 2


def test_show_a_section(memex: Runner, store: Path) -> None:
    assert "Run it often." in memex("show", "ruff", "--section", "Usage").json["body"]
    assert "flake8" not in memex("show", "ruff", "--section", "Usage").json["body"]


# -- list ----------------------------------------------------------------------------------


def test_list_filters_pages_and_streams(memex: Runner, store: Path) -> None:
    slugs = {"ruff", "shop", "ada-park"}
    assert {page["slug"] for page in memex("list").json["pages"]} == slugs
    assert {row["slug"] for row in memex("list", "--jsonl").lines} == slugs
    assert memex("list", "--jsonl").text.startswith('{"slug": "')
    assert [row["slug"] for row in memex("list", "--type", "preference", "--jsonl").lines] == ["ruff"]
    assert {row["slug"] for row in memex("list", "--tag", "python", "--jsonl").lines} == {"ruff", "shop"}
    assert [row["slug"] for row in memex("list", "--sort", "title", "--jsonl").lines] == [
        "ada-park",
        "ruff",
        "shop",
    ]
    assert memex("list", "--tag", "x' OR 1=1 --").json["total"] == 0


def test_list_goes_on_at_the_cursor(memex: Runner, store: Path) -> None:
    seen: list[str] = []
    cursor: list[str] = []
    for _ in range(3):
        done = memex("list", "--sort", "title", "--limit", "1", *cursor).json
        assert done["total"] == 3
        seen += [page["slug"] for page in done["pages"]]
        cursor = ["--cursor", done["cursor"]] if done["cursor"] else []
    assert seen == ["ada-park", "ruff", "shop"]
    assert cursor == []


# -- edit ----------------------------------------------------------------------------------


def test_edit_changes_only_what_was_asked(memex: Runner, store: Path) -> None:
    path = next(store.rglob("ruff.md"))
    before = path.read_bytes()
    done = memex("edit", "ruff", "--append", "-", stdin="Anhang: ü\n".encode())
    assert (done.code, done.json["changed"]) == (0, True)
    assert "Anhang: ü" in path.read_text(encoding="utf-8")
    assert memex("edit", "ruff", "--set", "mood=good", "--set", "importance=0.7").code == 0
    page = memex("show", "ruff").json
    assert (page["front_matter"]["mood"], page["importance"]) == ("good", 0.7)
    assert memex("edit", "ruff", "--unset", "mood", "--tags", "x").json["changed"] is True
    page = memex("show", "ruff").json
    assert "mood" not in page["front_matter"]
    assert page["tags"] == ["x"]
    assert memex("edit", "ruff", "--section", "Usage", "--body", "Never.").code == 0
    assert "Run it often." not in path.read_text(encoding="utf-8")
    assert "See [[Shop]]." in path.read_text(encoding="utf-8")
    memex("edit", "ruff", "--body", "Dry.", "--dry-run")
    assert "Dry." not in path.read_text(encoding="utf-8")
    assert before != path.read_bytes()


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """An editor that runs a line of shell with the file as ``$1``."""

    def make(code: str) -> dict[str, str]:
        path = tmp_path / "my editor"
        path.write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return {"EDITOR": f"'{path}' --wait", "TMPDIR": str(tmp_path)}

    return make


def test_the_editor_changes_a_page(
    memex: Runner, store: Path, editor: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    path = next(store.rglob("shop.md"))
    before = path.read_bytes()
    done = memex("edit", "shop", env=editor('printf "One more.\\377\\n" >> "$2"'))
    assert (done.code, done.json["changed"]) == (0, True), done.err
    # Only the stamp of the change moves beside what was typed.
    after = path.read_bytes()
    assert after.endswith(b"One more.\xff\n")
    assert [line for line in after.split(b"\n") if b"at: " not in line and b"One more" not in line] == [
        line for line in before.split(b"\n") if b"at: " not in line
    ]
    assert not list(tmp_path.glob("memex-edit-*"))


def test_the_editor_that_changes_nothing(
    memex: Runner, store: Path, editor: Callable[[str], dict[str, str]]
) -> None:
    path = next(store.rglob("shop.md"))
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    done = memex("edit", "shop", env=editor("exit 0"))
    assert (done.code, done.json["changed"]) == (0, False)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_page_that_changed_meanwhile_is_a_conflict_and_both_texts_exist(
    memex: Runner, store: Path, editor: Callable[[str], dict[str, str]]
) -> None:
    path = next(store.rglob("shop.md"))
    done = memex(
        "edit",
        "shop",
        env=editor(
            f'echo Mine. >> "$2"; echo Theirs. >> "{path}"'.replace("$x", "\\$x").replace("ü'\"", "ü'\\\"")
        ),
    )
    assert done.code == 1
    assert path.read_text(encoding="utf-8").endswith("Theirs.\n")
    kept = Path(done.err.rsplit("your text is kept in ", 1)[1].strip())
    assert kept.read_text(encoding="utf-8").endswith("Mine.\n")


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "no editor is set"),
        ({"EDITOR": "/no/such/editor"}, "the editor /no/such/editor was not found"),
        ({"VISUAL": "vi 'unclosed"}, "$VISUAL cannot be read"),
        ({"EDITOR": "false"}, "the editor ended with exit code 1"),
    ],
)
def test_an_editor_that_fails_is_one_line(memex: Runner, store: Path, env: dict[str, str], said: str) -> None:
    before = pages_of(store)
    done = memex("edit", "shop", env=env)
    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") == 1
    assert pages_of(store) == before


# -- rename, move, forget ------------------------------------------------------------------


def test_a_misspelt_filter_is_told_in_every_form(memex: Runner, store: Path) -> None:
    said = "no page has the type 'prefrence'; did you mean preference?"
    assert memex("list", "--type", "prefrence").json["warnings"] == [said]
    for form in ("--text", "--jsonl"):
        done = memex("list", "--type", "prefrence", form)
        assert (done.code, done.err) == (0, f"memex: {said}\n")


def test_rename_shows_then_rewrites_the_links(memex: Runner, store: Path) -> None:
    before = pages_of(store)
    dry = memex("rename", "shop", "Bakery", "--dry-run")
    assert dry.code == 0
    assert {link["path"].rsplit("/", 1)[-1] for link in dry.json["rewritten"]} == {"ruff.md", "ada-park.md"}
    assert {link["before"] for link in dry.json["rewritten"]} == {"[[Shop]]"}
    title = dry.json["retitled"]
    assert (title["before"], title["after"]) == ("title: Shop", "title: Bakery")
    assert {link["after"].casefold() for link in dry.json["rewritten"]} == {"[[bakery]]"}
    assert pages_of(store) == before
    done = memex("rename", "shop", "Bakery").json
    assert (done["slug"], done["old_slug"]) == ("bakery", "shop")
    assert "[[bakery]]" in memex("show", "ruff").json["body"].casefold()
    assert memex("verify").code == 0


def test_move_changes_type_and_folder(memex: Runner, store: Path) -> None:
    assert memex("move", "ruff", "--type", "procedure", "--dry-run").json["path"] == "procedures/ruff.md"
    assert memex("move", "ruff", "--type", "procedure").json["path"] == "procedures/ruff.md"
    assert memex("show", "ruff").json["node_type"] == "procedure"
    assert memex("move", "ruff", "--folder", "tools/py").json["path"] == "tools/py/ruff.md"


@pytest.mark.parametrize("mode", ["hard", "soft", "decay", "archive"])
def test_forget_in_every_mode_and_back(memex: Runner, store: Path, mode: str) -> None:
    path = next(store.rglob("ruff.md"))
    before = path.read_bytes()
    assert memex("forget", "ruff", "--mode", mode, "--dry-run").json["mode"] == mode
    assert path.read_bytes() == before
    assert memex("forget", "ruff", "--mode", mode).json["forgotten"] is True
    assert path.exists() == (mode != "hard")
    assert memex("revert", "ruff").code == 0
    assert path.read_bytes() == before
