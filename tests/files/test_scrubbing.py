"""What a write is scrubbed of, and what of a page is never touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.files import frontmatter
from memex_core.files.commit import Edit, commit
from memex_core.files.journal import Journal
from memex_core.files.layout import Layout, create_store
from memex_core.files.scrubbing import Scrubber
from memex_core.model.errors import Refused
from tests.model.secrets.examples import SHAPED

GITHUB, NPM = SHAPED["github"][1], SHAPED["npm"][1]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def written(layout: Layout, path: str, before: bytes | None, after: bytes, action: str = "update") -> bytes:
    commit(layout, [Edit(path, before, after)], action=action, item="x", actor="human:ada")
    return Path(layout.file_path(path)).read_bytes()


def test_values_of_every_shape() -> None:
    scrub = Scrubber()
    made = scrub.value({"a": [GITHUB, {"b": f"x {NPM}"}], GITHUB: 7, "c": None, "d": True})
    assert made == {
        "a": ["[REDACTED:github_token]", {"b": "x [REDACTED:npm_token]"}],
        "[REDACTED:github_token]": 7,
        "c": None,
        "d": True,
    }
    assert scrub.counts == {"github_token": 2, "npm_token": 1}
    assert scrub.notes() == ["3 secrets left out (github_token, npm_token)"]
    assert Scrubber().notes() == []


def test_a_turn_keeps_its_own_words() -> None:
    turn = {
        "role": "tool",
        "content": GITHUB,
        "query": NPM,
        "ts": "2026-01-01T00:00:00Z",
        "turn": 3,
        "x": [GITHUB],
    }
    assert Scrubber().turn(turn) == {
        **turn,
        "content": "[REDACTED:github_token]",
        "query": "[REDACTED:npm_token]",
        "x": ["[REDACTED:github_token]"],
    }


def test_what_is_allowed_stays() -> None:
    scrub = Scrubber(allow=[NPM, "ghp_*"])
    assert scrub.text(f"{GITHUB} {NPM} password: hunter22") == f"{GITHUB} {NPM} password: [REDACTED:password]"
    assert not scrub.holds(GITHUB)
    assert scrub.holds("password: hunter22")


def test_off_lets_everything_through_and_says_so() -> None:
    scrub = Scrubber(on=False)
    assert scrub.text(GITHUB) == GITHUB
    assert scrub.file(GITHUB.encode()) == GITHUB.encode()
    assert not scrub.holds(GITHUB)
    (note,) = scrub.notes()
    assert "stored as they are written" in note


def test_front_matter_stays_what_it_is() -> None:
    data = (
        f"---\ntitle: {GITHUB}\ntags: [a, {NPM}]\n# token: {GITHUB}\nkey:  plain\n---\nBody {NPM}\n".encode()
    )
    done = Scrubber().file(data)
    assert GITHUB.encode() not in done
    assert NPM.encode() not in done
    front = frontmatter.read(done)
    assert front.fields["title"] == "[REDACTED:github_token]"
    assert front.fields["tags"] == ["a", "[REDACTED:npm_token]"]
    assert b"\nkey:  plain\n---\nBody [REDACTED:npm_token]\n" in done
    assert not front.problems


def test_a_damaged_front_matter_is_scrubbed_as_it_stands() -> None:
    done = Scrubber().file(f"---\na: [x\nb: {GITHUB}\n---\nBody\n".encode())
    assert done == b"---\na: [x\nb: [REDACTED:github_token]\n---\nBody\n"


def test_what_the_page_held_before_is_not_touched(layout: Layout) -> None:
    old = f"---\r\nx:   {NPM}\r\n---\r\nMine: {GITHUB}\r\n\r\nPlain \xff".encode("latin-1")
    assert written(layout, "a.md", None, old, "restore") == old
    new = old + f"\r\nMore {GITHUB} and {SHAPED['slack'][1]}".encode()
    done = written(layout, "a.md", old, new)
    assert done == old + f"\r\nMore {GITHUB} and [REDACTED:slack_token]".encode()


def test_no_commit_passes_a_secret_and_the_journal_counts(layout: Layout) -> None:
    commit(
        layout,
        [Edit("a.md", None, f"Body {GITHUB}\n".encode()), Edit("b.md", None, f"{GITHUB} {NPM}\n".encode())],
        action="add",
        item="a",
        actor="human:ada",
        detail={"why": f"for {NPM}"},
    )
    assert Path(layout.file_path("b.md")).read_text() == "[REDACTED:github_token] [REDACTED:npm_token]\n"
    events = list(Journal(layout).read())
    assert [event["detail"]["redacted"] for event in events] == [{"github_token": 2, "npm_token": 2}] * 2
    assert events[0]["detail"]["why"] == "for [REDACTED:npm_token]"
    assert events[0]["detail"]["after"] != events[1]["detail"]["after"]


def test_a_file_is_not_named_by_a_secret(layout: Layout) -> None:
    with pytest.raises(Refused, match="name would hold a secret") as refused:
        written(layout, f"{NPM}.md", None, b"x\n", "add")
    assert NPM not in str(refused.value)
    assert not Path(layout.pages, f"{NPM}.md").exists()


def test_an_edit_that_only_brought_a_secret_back_is_none(layout: Layout) -> None:
    old = b"token [REDACTED:npm_token]\n"
    written(layout, "a.md", None, old, "add")
    assert (
        commit(layout, [Edit("a.md", old, f"token {NPM}\n".encode())], action="update", item="a", actor="x")
        == []
    )
    assert Path(layout.file_path("a.md")).read_bytes() == old


def test_the_settings_of_the_store_hold(layout: Layout) -> None:
    Path(layout.config).write_text(f'[capture]\nscrub_allow = ["{NPM[:8]}*"]\n')
    assert written(layout, "a.md", None, f"{NPM} {GITHUB}\n".encode(), "add") == (
        f"{NPM} [REDACTED:github_token]\n".encode()
    )
    Path(layout.config).write_text('[capture]\nscrub = "off"\n')
    assert written(layout, "b.md", None, f"{GITHUB}\n".encode(), "add") == f"{GITHUB}\n".encode()


def test_a_merge_keeps_what_either_page_held(layout: Layout) -> None:
    one, two = b"One\n", f"Mine: {GITHUB}\n".encode()
    for path, data in (("a.md", one), ("b.md", two)):
        written(layout, path, None, data, "restore")
    edits = [Edit("a.md", one, one + two), Edit("b.md", two, b"Moved\n")]
    commit(layout, edits, action="merge", item="a", actor="x")
    assert Path(layout.file_path("a.md")).read_bytes() == one + two


def test_a_setting_that_is_none_is_told_and_secrets_go(layout: Layout) -> None:
    Path(layout.config).write_text('[capture]\nscrub = "maybe"\n')
    from memex_core.files.config import load

    assert "must be one of on, off" in load(layout, {}).warnings[0]
    assert written(layout, "a.md", None, f"{NPM}\n".encode(), "add") == b"[REDACTED:npm_token]\n"
