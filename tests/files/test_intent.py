from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memex_core.files import atomic, intent
from memex_core.files.commit import Edit, commit, recover
from memex_core.files.journal import Journal, line_of
from memex_core.files.layout import Layout, create_store
from memex_core.files.lock import StoreLock
from memex_core.model.results import Event

from .conftest import Unprivileged, is_settled, pages, put


def half_done(layout: Layout, edits: list[Edit], done: int) -> list[Event]:
    """What a process leaves that dies after ``done`` of its edits, before the journal."""
    layout.ensure_state()
    events: list[Event] = []
    first = Journal(layout).last_seq() + 1
    for seq, edit in enumerate(edits, first):
        after = None if edit.after is None else atomic.digest(edit.after)
        detail = {"group": first, "after": after} | ({"from": edit.moved_from} if edit.moved_from else {})
        before = None if edit.before is None else {"text": edit.before.decode()}
        events.append(
            Event(
                seq=seq,
                ts="2026-11-30T00:00:00Z",
                action="update",
                file=edit.path,
                item="",
                actor="",
                before=before,
                detail=detail,
            )
        )
    lines = b"".join(line_of(event, event["seq"]) for event in events)
    intent.write(layout, intent.Intent(events, ["n"]), lines)
    os.makedirs(layout.file_path("n"), exist_ok=True)
    for edit in edits[:done]:
        if edit.moved_from:
            os.rename(layout.file_path(edit.moved_from), layout.file_path(edit.path))
        if edit.after is None:
            os.unlink(layout.file_path(edit.path))
        else:
            Path(layout.file_path(edit.path)).write_bytes(edit.after)
    return events


class TestRecover:
    EDITS = (
        Edit("n/a.md", b"1", b"11", "a.md"),
        Edit("b.md", b"2", b"22"),
        Edit("c.md", b"3", None),
        Edit("d.md", None, b"44"),
    )

    @pytest.mark.parametrize("done", [0, 1, 2, 3])
    def test_an_act_half_done_is_undone(self, layout: Layout, done: int) -> None:
        put(layout, a="1", b="2", c="3")
        before = pages(layout)
        half_done(layout, list(self.EDITS), done)
        assert layout.interrupted
        assert recover(layout) == []
        assert pages(layout) == before
        assert not os.path.exists(layout.file_path("n"))
        assert list(Journal(layout).read()) == []
        assert is_settled(layout)

    def test_an_act_all_done_gets_its_lines(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        events = half_done(layout, list(self.EDITS), 4)
        assert recover(layout) == events
        assert pages(layout) == {"n/a.md": b"11", "b.md": b"22", "d.md": b"44"}
        assert list(Journal(layout).read()) == events
        assert recover(layout) == []

    @pytest.mark.parametrize("lines", [1, 2, 3, 4])
    def test_an_act_whose_lines_were_cut_off_gets_the_rest(self, layout: Layout, lines: int) -> None:
        put(layout, a="1", b="2", c="3")
        events = half_done(layout, list(self.EDITS), 4)
        data = b"".join(line_of(event, event["seq"]) for event in events[:lines])
        Path(layout.journal).write_bytes(data + b'{"seq": 9, "tor')
        assert recover(layout) == events[lines:]
        assert list(Journal(layout).read()) == events
        assert Journal(layout).problems() == []

    def test_numbers_that_others_used_meanwhile_are_not_given_twice(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        half_done(layout, list(self.EDITS), 4)
        Journal(layout).append([{"action": "recall"}, {"action": "recall"}])
        assert [(e["seq"], e["detail"]["group"]) for e in recover(layout)] == [(3, 3), (4, 3), (5, 3), (6, 3)]
        assert Journal(layout).problems() == []

    def test_and_do_not_make_a_half_done_act_look_done(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        before = pages(layout)
        half_done(layout, list(self.EDITS), 2)
        Journal(layout).append([{"action": "recall"}] * 5)
        assert recover(layout) == []
        assert pages(layout) == before

    def test_a_file_edited_since_is_left_alone(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        half_done(layout, list(self.EDITS), 3)
        Path(layout.file_path("b.md")).write_bytes(b"by hand")
        recover(layout)
        assert pages(layout) == {"a.md": b"1", "b.md": b"by hand", "c.md": b"3"}

    @pytest.mark.parametrize("cut", [1, 10, 100, -1])
    def test_a_note_that_was_never_finished_means_nothing_was_done(self, layout: Layout, cut: int) -> None:
        put(layout, a="1", b="2", c="3")
        before = pages(layout)
        half_done(layout, list(self.EDITS), 0)
        data = Path(layout.pending).read_bytes()
        Path(layout.pending).write_bytes(data[:cut])
        assert recover(layout) == []
        assert pages(layout) == before
        assert not layout.interrupted

    def test_a_page_caught_between_two_spellings(self, layout: Layout) -> None:
        put(layout, tea="one")
        half_done(layout, [Edit("Tea.md", b"one", b"one", "tea.md")], 0)
        os.rename(layout.file_path("tea.md"), intent._between(layout.file_path("Tea.md")))
        assert recover(layout) == []
        assert pages(layout) == {"tea.md": b"one"}

    def test_the_next_writer_settles_first(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        half_done(layout, list(self.EDITS), 2)
        commit(layout, [Edit("b.md", b"2", b"new")], action="update", item="b", actor="me")
        assert pages(layout) == {"a.md": b"1", "b.md": b"new", "c.md": b"3"}
        assert [event["seq"] for event in Journal(layout).read()] == [1]

    def test_a_live_writer_is_left_in_peace(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        half_done(layout, list(self.EDITS), 2)
        seen: list[list[Event]] = []
        with StoreLock(layout.lock):
            thread = threading.Thread(target=lambda: seen.append(recover(layout)))
            thread.start()
            thread.join()
        assert seen == [[]]
        assert layout.interrupted

    def test_a_disk_that_cannot_be_written_is_read_as_it_is(
        self, public_dir: Path, unprivileged: Unprivileged
    ) -> None:
        layout = create_store(str(public_dir / "s"))
        put(layout, a="1", b="2", c="3")
        half_done(layout, list(self.EDITS), 2)
        (public_dir / "s").chmod(0o555)
        with unprivileged():
            assert recover(layout) == []
        assert layout.interrupted

    def test_nothing_to_do_creates_nothing(self, vault: Layout) -> None:
        assert recover(vault) == []
        assert os.listdir(vault.root) == ["recipes"]
