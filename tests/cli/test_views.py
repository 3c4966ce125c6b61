"""Readable text at 80 columns: what is shown, cut, wrapped and made harmless."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request, parse
from memex_core.cli.views import conversations, history, links, pages, recall, upkeep

EVIL = "\x1b]52;c;aGk=\x07\x1b[31m [bold]x[/bold] <script>"


def asked(*words: str) -> Request:
    request = Request()
    parse(list(words), request)
    return request


def hit(**changed: Any) -> dict[str, Any]:
    made = {
        "rank": 1,
        "kind": "page",
        "slug": "ruff",
        "file_path": "/s/docs/ruff.md",
        "title": "Ruff",
        "node_type": "preference",
        "status": "stable",
        "score": 12.345,
        "snippet": "Use <mark>ruff</mark>, never flake8",
        "updated": "2026-11-27T09:00:00Z",
        "date": "",
        "heading": "Usage › Hooks",
        "line": 7,
        "matched": ["ruff"],
        "why": {"title": 2.0, "relaxed": False, "parts": {"bm25": 1.25}},
    }
    return {**made, **changed}


def answer(*hits: dict[str, Any], **changed: Any) -> dict[str, Any]:
    made = {
        "query": "ruff",
        "hits": list(hits),
        "total_indexed": 1204,
        "search_time_ms": 3.14,
        "relaxed": False,
        "corrected": {},
        "time_range": None,
        "omitted": 0,
        "stale": False,
    }
    return {**made, **changed}


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_hit(capsys: pytest.CaptureFixture[str]) -> None:
    recall.recall(answer(hit()), Paper(), asked("recall", "ruff"))
    assert capsys.readouterr().out == (
        " 1  Ruff" + " " * 55 + "preference  12.35\n"
        "    Use ruff, never flake8\n"
        "    /s/docs/ruff.md:7 · Usage › Hooks · 2026-11-27\n"
        "\n"
        "1 hit in 1,204 documents, 3.1 ms\n"
    )


def test_marks_that_the_page_holds_are_shown_as_they_stand() -> None:
    snippet = "&lt;mark><mark>needle</mark>&lt;/mark> &amp;"
    assert recall.marked(snippet) == ["<mark>", ("needle", "mark"), "</mark> &amp;"]


def test_explain_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    recall.recall(answer(hit()), Paper(), asked("recall", "ruff", "--explain"))
    out = capsys.readouterr().out
    assert "    found: ruff\n" in out
    assert "    why: title: 2.00; parts: bm25 1.25\n" in out


def test_no_hit_and_what_was_done_about_the_query(capsys: pytest.CaptureFixture[str]) -> None:
    recall.recall(answer(query="zzz"), Paper(), asked("recall", "zzz"))
    assert capsys.readouterr().out == "Nothing found for “zzz” in 1,204 documents.\n"
    recall.recall(
        answer(hit(), relaxed=True, corrected={"rust": "ruff"}, omitted=2, stale=True),
        Paper(),
        asked("recall", "rust"),
    )
    out = capsys.readouterr().out
    for line in (
        "Not every hit holds all words.",
        "rust is not known: searched for ruff.",
        "2 hits left out",
    ):
        assert line in out
    assert "memex rebuild-index" in out


def test_stored_text_is_never_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    recall.recall(
        answer(hit(title=EVIL, snippet=EVIL, file_path=f"/s/{EVIL}.md", heading=EVIL, matched=[EVIL])),
        Paper(),
        asked("recall", EVIL, "--explain"),
    )
    history.diff({"diff": f"+++ {EVIL}\n+{EVIL}\n-{EVIL}\n"}, Paper(), asked("diff", "x"))
    links.tags({"tags": [{"tag": EVIL, "pages": 1}]}, Paper(), asked("tags"))
    upkeep.verify(
        {
            "ok": False,
            "checks": [
                {"name": EVIL, "ok": False, "detail": EVIL, "files": [{"file": EVIL, "message": EVIL}]}
            ],
        },
        Paper(),
        asked("verify"),
    )
    conversations.session(
        {"session_id": EVIL, "title": EVIL, "turns": [{"turn": 1, "role": "user", "content": EVIL}]},
        Paper(),
        asked("session", "x"),
    )
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]x[/bold]" in out


def test_no_line_is_wider_than_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.cells import cell_len

    wide = "数据库🚀" * 60
    recall.recall(answer(hit(title=wide, snippet=f"<mark>{wide}</mark>")), Paper(), asked("recall", "x"))
    row = {
        "slug": wide,
        "title": wide,
        "node_type": "entity",
        "tags": [wide],
        "status": "draft",
        "updated": "2026-11-27",
    }
    pages.list_({"pages": [row], "total": 1, "cursor": None}, Paper(), asked("list"))
    assert max(cell_len(line) for line in capsys.readouterr().out.splitlines()) <= 80


def page(**changed: Any) -> dict[str, Any]:
    made = {
        "slug": "p",
        "path": "p.md",
        "file_path": "/s/p.md",
        "title": "P",
        "node_type": "note",
        "status": "stable",
        "scope": "global",
        "project": "",
        "updated": "2026-11-27T09:00:00Z",
        "trust": "unreviewed",
        "tags": ["a"],
        "aliases": ["Pea"],
        "description": "",
        "body": "",
        "sources": [],
        "backlinks": [],
    }
    return {**made, **changed}


def test_a_page_keeps_its_code_and_wraps_its_prose(capsys: pytest.CaptureFixture[str]) -> None:
    code = "x = 1  # " + "long " * 30
    body = f"# H\n\n{'word ' * 30}\n\n~~~py\n{code}\n```\n~~~\n\n| a | b |\n\n    {code}\n[bold]"
    pages.show(page(body=body), Paper(), asked("show", "p"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["P", "note · 2026-11-27", "/s/p.md", "#a  also: Pea"]
    assert code in lines
    assert "    " + code in lines
    assert "| a | b |" in lines
    assert lines[-1] == "[bold]"
    assert all(len(line) <= 80 for line in lines if not line.strip().startswith("x = 1"))


def test_a_page_names_its_backlinks_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    sources = [{"lane": "evidence", "resource": "memex:s#1", "quote": "use ruff"}]
    back = [{"slug": "shop", "line": 3, "text": "see [[P]]"}]
    pages.show(page(sources=sources, backlinks=back), Paper(), asked("show", "p"))
    out = capsys.readouterr().out
    assert "  evidence memex:s#1 “use ruff”\n" in out
    assert "  shop:3  see [[P]]\n" in out


def test_verify_marks_checks_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    files = [{"file": "a.md", "line": 3, "column": 7, "message": "a colon in a value"}]
    checks = [
        {"name": "parse", "ok": False, "level": "error", "detail": "1 page", "files": files},
        {"name": "links", "ok": False, "level": "warning", "detail": "2 links", "files": []},
        {"name": "index", "ok": True, "level": "error", "detail": "fresh", "files": []},
    ]
    upkeep.verify({"ok": False, "checks": checks}, Paper(), asked("verify"))
    assert capsys.readouterr().out == (
        "✗ parse  1 page\n"
        "    a.md:3:7  a colon in a value\n"
        "! links  2 links\n"
        "✓ index  fresh\n"
        "1 check of 3 did not hold\n"
    )


def test_colour_only_where_it_is_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    history.diff({"diff": "+a\n-b"}, Paper(), asked("diff", "x"))
    assert capsys.readouterr().out.startswith("\x1b[32m+a\x1b[0m\n\x1b[31m-b")
    monkeypatch.setenv("NO_COLOR", "1")
    history.diff({"diff": "+a\n-b"}, Paper(), asked("diff", "x"))
    assert "\x1b[3" not in capsys.readouterr().out


def test_names_and_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    assert place(f"{tmp_path}/a/b.md", 3) == "a/b.md:3"
    assert place("/home/ada/n/x.md") == "~/n/x.md"
    assert place("/n/a\nb\tc.md", 2) == "/n/a␊b␉c.md:2"
    assert place("/home/adam/x.md") == "/home/adam/x.md"
    assert [plural(n, "entry") for n in (0, 1, 1204)] == ["0 entries", "1 entry", "1,204 entries"]


def test_a_move_with_many_links_shows_the_first_and_counts_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    links = [{"path": "a.md", "line": at, "before": "[[X]]", "after": "[[Y]]"} for at in range(1, 5001)]
    moved = {"old_path": "X.md", "path": "Y.md", "rewritten": links, "dry_run": True}
    title = {"line": 3, "before": "# X", "after": "# Y"}
    pages.moved({**moved, "retitled": title}, Paper(), asked("rename", "X", "Y", "--dry-run"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["would move X.md", "  → Y.md", "  X.md:3  # X → # Y", "  a.md:1  [[X]] → [[Y]]"]
    assert lines[-3:] == [
        "  a.md:20  [[X]] → [[Y]]",
        "  … and 4,980 more; --json lists them all",
        "5,000 links to rewrite",
    ]
    pages.moved({**moved, "rewritten": links[:20], "retitled": None}, Paper(), asked("rename", "X", "Y"))
    assert "more" not in capsys.readouterr().out
