from __future__ import annotations

import base64
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.files import atomic
from memex_core.files.journal import Journal, before_of, bytes_before, line_of
from memex_core.files.layout import Layout
from memex_core.model.errors import NotFound, WriteFailed
from memex_core.model.results import Event


def event(file: str = "a.md", **more: Any) -> dict[str, Any]:
    return {"action": "update", "file": file, "item": Path(file).stem, "actor": "human:me", **more}


def seqs(journal: Journal, **options: Any) -> list[int]:
    return [one["seq"] for one in journal.read(**options)]


class TestAppend:
    def test_the_line_is_as_the_format_says(self, store: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MEMEX_NOW", "2026-11-30T06:16:02Z")
        assert Journal(store).append([event(before={"text": "ü"}, detail={"group": 1})]) == 1
        assert Path(store.journal).read_text() == (
            '{"seq": 1, "ts": "2026-11-30T06:16:02Z", "action": "update", "file": "a.md", "item": "a", '
            '"actor": "human:me", "before": {"text": "ü"}, "detail": {"group": 1}}\n'
        )

    def test_numbers_go_on(self, store: Layout) -> None:
        assert Journal(store).append([event(), event()]) == 2
        assert Journal(store).append([event()]) == 3
        assert Journal(store).append([]) == 3
        assert Journal(store).last_seq() == 3
        assert seqs(Journal(store)) == [1, 2, 3]

    def test_a_time_of_its_own_is_kept(self, store: Layout) -> None:
        Journal(store).append([event(ts="2020-01-01T00:00:00Z")])
        assert next(Journal(store).read())["ts"] == "2020-01-01T00:00:00Z"

    def test_a_folder_gets_its_state_folder_with_the_first_line(self, vault: Layout) -> None:
        assert list(Journal(vault).read()) == []
        assert Journal(vault).last_seq() == 0
        assert not os.path.exists(vault.state)
        Journal(vault).append([event()])
        assert os.path.exists(vault.journal)

    @pytest.mark.parametrize("torn", [b'{"seq": 3, "ts', b"\x00" * 5000, b"x" * 70_000, b"{}", b"3"])
    def test_a_torn_last_line_is_ignored_then_repaired(self, store: Layout, torn: bytes) -> None:
        Journal(store).append([event(), event()])
        whole = Path(store.journal).read_bytes()
        Path(store.journal).write_bytes(whole + torn)
        assert seqs(Journal(store)) == [1, 2]
        assert seqs(Journal(store), reverse=True) == [2, 1]
        assert Path(store.journal).read_bytes() == whole + torn  # reading repairs nothing
        assert Journal(store).append([event()]) == 3
        assert Path(store.journal).read_bytes().startswith(whole)
        assert seqs(Journal(store)) == [1, 2, 3]

    def test_a_whole_last_line_without_its_end_is_completed(self, store: Layout) -> None:
        Journal(store).append([event(), event()])
        data = Path(store.journal).read_bytes()
        Path(store.journal).write_bytes(data[:-1])
        assert Journal(store).append([event()]) == 3
        assert seqs(Journal(store)) == [1, 2, 3]

    def test_a_file_that_is_one_torn_line_starts_again(self, store: Layout) -> None:
        Path(store.journal).write_bytes(b'{"seq": 7, "a')
        assert Journal(store).append([event()]) == 1
        assert seqs(Journal(store)) == [1]

    def test_lines_of_others_at_the_end_do_not_restart_the_numbers(self, store: Layout) -> None:
        Journal(store).append([event(), event()])
        with open(store.journal, "ab") as file:
            file.write(b"\n<<<<<<< HEAD\n{}\n[1]\n")
        assert Journal(store).append([event()]) == 3

    def test_an_append_reads_no_more_than_the_end(
        self, store: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Journal(store).append([event(before={"text": "x" * 1000}) for _ in range(3000)])
        size = os.path.getsize(store.journal)
        read = 0
        real = os.read

        def counting(descriptor: int, count: int) -> bytes:
            nonlocal read
            data = real(descriptor, count)
            read += len(data)
            return data

        monkeypatch.setattr(os, "read", counting)
        assert Journal(store).append([event()]) == 3001
        assert read < 10_000 < size

    def test_a_line_larger_than_any_chunk(self, store: Layout) -> None:
        text = "ü€🚀\n" * 700_000
        Journal(store).append([event(), event(before={"text": text})])
        assert Journal(store).append([event()]) == 3
        assert seqs(Journal(store), reverse=True) == [3, 2, 1]
        assert Journal(store).get(2)["before"] == {"text": text}

    def test_a_full_disk_leaves_no_part_of_a_line(self, store: Layout) -> None:
        Journal(store).append([event()])
        whole = Path(store.journal).read_bytes()
        code = (
            "import resource, signal, sys\n"
            "from memex_core.files.journal import Journal\n"
            "from memex_core.files.layout import open_layout\n"
            "from memex_core.model.errors import WriteFailed\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
            "try:\n"
            "    event = {'action': 'add', 'before': {'text': 'x' * 90_000}}\n"
            "    Journal(open_layout(sys.argv[1])).append([event])\n"
            "except WriteFailed as error:\n"
            "    print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", code, store.root], capture_output=True, text=True)
        assert "journal.jsonl was not written: the file is larger than allowed here" in done.stdout
        assert Path(store.journal).read_bytes() == whole

    def test_the_append_is_flushed_to_the_disk(self, store: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
        synced: list[str] = []
        real = os.fsync

        def watching(descriptor: int) -> None:
            synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
            real(descriptor)

        monkeypatch.setattr(os, "fsync", watching)
        Journal(store).append([event()])
        assert synced[0] == os.path.realpath(store.journal)

    def test_an_unreadable_name_does_not_stop_a_line(self, store: Layout) -> None:
        Journal(store).append([event(file="caf\udce9.md")])
        assert next(Journal(store).read())["file"] == "caf\udce9.md"


class TestRead:
    @pytest.fixture
    def journal(self, store: Layout) -> Journal:
        Journal(store).append(
            [
                event("a.md"),
                event("b.md"),
                event("c.md", action="rename", item="a", detail={"from": "a.md"}),
                event("ü/a.md"),
                event("a.md", item="other"),
                event('q"\\.md', detail={"text": "a.md"}),
            ]
        )
        return Journal(store)

    def test_both_directions(self, journal: Journal) -> None:
        assert seqs(journal) == [1, 2, 3, 4, 5, 6]
        assert seqs(journal, reverse=True) == [6, 5, 4, 3, 2, 1]

    def test_of_a_file_with_its_renames(self, journal: Journal) -> None:
        assert seqs(journal, file="a.md") == [1, 3, 5]
        assert seqs(journal, file="c.md") == [3]
        assert seqs(journal, file="ü/a.md") == [4]
        assert seqs(journal, file='q"\\.md') == [6]
        assert seqs(journal, file="no.md") == []

    def test_of_an_item_and_after(self, journal: Journal) -> None:
        assert seqs(journal, item="a") == [1, 3, 4]
        assert seqs(journal, item="a", file="a.md", after=1) == [3]
        assert seqs(journal, after=4) == [5, 6]
        assert seqs(journal, after=4, reverse=True) == [6, 5]

    def test_get(self, journal: Journal) -> None:
        assert journal.get(4)["file"] == "ü/a.md"
        for seq in (0, 7, -1):
            with pytest.raises(NotFound, match=str(seq)):
                journal.get(seq)

    def test_only_the_end_is_read_for_the_newest(
        self, store: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Journal(store).append([event(before={"text": "x" * 1000}) for _ in range(3000)])
        taken = 0
        real = os.read

        def counting(descriptor: int, count: int) -> bytes:
            nonlocal taken
            taken += count
            return real(descriptor, count)

        monkeypatch.setattr(os, "read", counting)
        assert next(Journal(store).read(reverse=True))["seq"] == 3000
        assert taken < 10_000

    def test_memory_does_not_grow_with_the_journal(self, store: Layout) -> None:
        Journal(store).append([event(before={"text": "x" * 10_000}) for _ in range(4000)])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert sum(1 for _ in Journal(store).read(reverse=True)) == 4000
        assert sum(1 for _ in Journal(store).read()) == 4000
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KB; the file has 40 MB

    def test_lines_end_at_line_feeds_only(self, store: Layout) -> None:
        odd = "a\u2028b\u2029c\x85d\x0be\x0cf\r\ng\x1eh"
        Journal(store).append([event(before={"text": odd}), event()])
        data = Path(store.journal).read_bytes().decode()
        assert data.count("\n") == 2 == len(data.splitlines())  # nor do other tools see more lines
        assert next(Journal(store).read())["before"] == {"text": odd}

    def test_raw_separators_written_by_others_are_read(self, store: Layout) -> None:
        line = json.dumps({"seq": 1, "action": "hand", "item": "a\u2028b"}, ensure_ascii=False)
        Path(store.journal).write_text(line + "\n" + line.replace("1", "2", 1) + "\n", encoding="utf-8")
        assert [one["item"] for one in Journal(store).read()] == ["a\u2028b"] * 2

    @pytest.mark.parametrize(
        "bad", [b"", b"nonsense", b"[]", b'{"seq": "1"}', b'{"seq": 0}', b"\xff\xfe", b"[" * 100_000]
    )
    def test_bad_lines_are_passed_by_and_told(self, store: Layout, bad: bytes) -> None:
        Journal(store).append([event(), event()])
        first, second = Path(store.journal).read_bytes().splitlines(keepends=True)
        Path(store.journal).write_bytes(first + bad + b"\n" + second)
        assert seqs(Journal(store)) == [1, 2]
        assert seqs(Journal(store), reverse=True) == [2, 1]
        assert Journal(store).problems() == ([(2, "the line is no event")] if bad else [])

    def test_numbers_out_of_order_are_told(self, store: Layout) -> None:
        Journal(store).append([event(), event()])
        first, second = Path(store.journal).read_bytes().splitlines(keepends=True)
        Path(store.journal).write_bytes(second + first)
        assert Journal(store).problems() == [(2, "event 1 follows event 2")]

    def test_a_reader_in_the_middle_does_not_wait_or_break(self, store: Layout) -> None:
        Journal(store).append([event() for _ in range(5)])
        reading = Journal(store).read(reverse=True)
        assert next(reading)["seq"] == 5
        Journal(store).append([event()])
        assert [one["seq"] for one in reading] == [4, 3, 2, 1]


class TestBefore:
    @given(st.binary(max_size=200))
    def test_any_bytes_come_back(self, data: bytes) -> None:
        line = line_of(event(before=before_of(data)), 1)
        assert line.count(b"\n") == 1
        assert bytes_before(json.loads(line)) == data

    def test_text_stays_readable_and_other_bytes_are_coded(self) -> None:
        assert before_of(b"\xef\xbb\xbfh\xc3\xbc\r\n") == {"text": "\ufeffhü\r\n"}
        assert before_of(b"h\xfc") == {"b64": base64.b64encode(b"h\xfc").decode()}
        assert before_of(None) is None

    def test_no_bytes_without_text(self) -> None:
        for before in (None, {"purged": "abc"}, {}):
            assert bytes_before({**event(), "before": before}) is None  # type: ignore[typeddict-item]


class TestPurge:
    def test_the_text_goes_and_a_hash_stays(self, store: Layout) -> None:
        journal = Journal(store)
        journal.append(
            [
                event(
                    "a.md",
                    before={"text": "my secret"},
                    detail={"group": 1, "after": "ff", "title": "secret"},
                ),
                event("b.md", before={"text": "harmless"}, detail={"group": 2}),
                event("c.md", before={"text": "secret two"}, detail={"from": "a.md", "group": 3}),
                event("a.md", before={"b64": base64.b64encode(b"\xffsecret").decode()}),
                event("a.md"),
            ]
        )
        harmless = journal.get(2)
        assert journal.rewrite_without(["a.md"]) == 4
        data = Path(store.journal).read_bytes()
        assert b"secret" not in data
        assert base64.b64encode(b"\xffsecret") not in data
        assert seqs(journal) == [1, 2, 3, 4, 5]
        assert journal.get(1)["before"] == {"purged": atomic.digest(b"my secret")}
        assert journal.get(1)["detail"] == {"group": 1, "after": "ff"}
        assert journal.get(3)["detail"] == {"from": "a.md", "group": 3}
        assert journal.get(4)["before"] == {"purged": atomic.digest(b"\xffsecret")}
        assert journal.get(5)["before"] is None
        assert journal.get(2) == harmless
        assert journal.append([event()]) == 6

    def test_twice_changes_no_hash(self, store: Layout) -> None:
        journal = Journal(store)
        journal.append([event("a.md", before={"text": "secret"})])
        journal.rewrite_without(["a.md"])
        once = journal.get(1)
        journal.rewrite_without(["a.md"])
        assert journal.get(1) == once

    def test_nothing_to_do_leaves_the_file_alone(self, store: Layout) -> None:
        journal = Journal(store)
        assert journal.rewrite_without(["a.md"]) == 0
        journal.append([event("b.md")])
        inode = os.stat(store.journal).st_ino
        assert journal.rewrite_without(["a.md"]) == 0
        assert os.stat(store.journal).st_ino == inode
        assert not [name for name in os.listdir(store.root) if name.endswith(".tmp")]

    def test_lines_of_others_and_the_mode_stay(self, store: Layout) -> None:
        Journal(store).append([event("a.md", before={"text": "secret"})])
        with open(store.journal, "ab") as file:
            file.write(b"# a note\n{torn")
        os.chmod(store.journal, 0o600)
        assert Journal(store).rewrite_without(["a.md"]) == 1
        assert Path(store.journal).read_bytes().split(b"\n")[1:] == [b"# a note", b""]
        assert os.stat(store.journal).st_mode & 0o777 == 0o600

    def test_a_disk_that_refuses_leaves_the_journal(
        self, store: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Journal(store).append([event("a.md", before={"text": "secret"})])
        whole = Path(store.journal).read_bytes()

        def refuse(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", refuse)
            with pytest.raises(WriteFailed, match="disk is full"):
                Journal(store).rewrite_without(["a.md"])
        assert Path(store.journal).read_bytes() == whole
        assert not [name for name in os.listdir(store.root) if name.endswith(".tmp")]


def test_an_event_is_told_from_one_with_its_number(store: Layout) -> None:
    journal = Journal(store)
    journal.append([event("a.md"), event("b.md")])
    first: Event = journal.get(1)
    assert journal.holds(first)
    assert not journal.holds({**first, "file": "x.md"})
    assert not journal.holds({**first, "seq": 9})
