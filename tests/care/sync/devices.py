"""Stores of one person on several devices, driven by numbers, and what must be true of them afterwards."""

from __future__ import annotations

import os
import random
import re
import uuid
from pathlib import Path
from typing import Any

from memex_core import Memex
from memex_core.care.sync.conflict import page_of
from memex_core.files import frontmatter
from memex_core.files.journal import bytes_before
from memex_core.model.errors import MemexError

TITLES = ("Rye", "rye", "Wheat", "Oat")
TAGS = ("grain", "bread", "field")
WORD = re.compile(r"word\d+x")
ROUNDS = 6


class Device:
    """One store. ``skew`` is by how many hours its clock is wrong."""

    def __init__(self, root: Path, share: Path, name: str, skew: int) -> None:
        self.memex = Memex(root, create=True, actor="human:ada")
        self.name, self.skew = name, skew
        self.memex.sync_enable(share, name=name)

    def pages(self) -> dict[str, bytes]:
        """Every page file by its path."""
        docs = Path(self.memex.store.layout.pages)
        return {path.relative_to(docs).as_posix(): path.read_bytes() for path in sorted(docs.rglob("*.md"))}

    def journal_text(self) -> str:
        """All that the journal could bring back."""
        texts = (bytes_before(event) for event in self.memex.store.journal.read())
        return "\n".join(text.decode() for text in texts if text is not None)


class World:
    """Some devices, and an account of what was written, dropped, forgotten and purged on them."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.share = folder / "share"
        rng = random.Random(seed)
        self._real = uuid.uuid4, os.fsync
        uuid.uuid4 = lambda: uuid.UUID(int=rng.getrandbits(128), version=4)
        os.fsync = lambda descriptor: None  # no power cut is tested here, and it is half of the time
        self.devices = [
            Device(folder / f"d{n}", self.share, f"device {n}", skew)
            for n, skew in zip(range(count), (0, -30, 50), strict=False)
        ]
        self.now = 0
        self.words = 0
        self.written: set[str] = set()
        self.dropped: set[str] = set()
        self.forgotten: set[str] = set()
        self.gone_once: set[str] = set()
        self.purged: set[str] = set()
        self.erased: set[str] = set()  # words of pages that were purged
        self.of_page: dict[str, set[str]] = {}  # words ever written into a page, by its id

    def close(self) -> None:
        uuid.uuid4, os.fsync = self._real
        for device in self.devices:
            device.memex.close()
        os.environ.pop("MEMEX_NOW", None)

    def word(self, *idents: str) -> str:
        """A word that no page has had yet, for the page of these ids: a draft has its page's too."""
        self.words += 1
        word = f"word{self.words}x"
        self.written.add(word)
        for ident in idents:
            self.of_page.setdefault(ident, set()).add(word)
        return word

    # -- what can happen -------------------------------------------------------------------

    def act(self, act: str, number: int, pick: int) -> None:
        """One thing that happens on device ``number``; ``pick`` chooses the page and how."""
        device = self.devices[number % len(self.devices)]
        self.now += 1
        self.gone_once |= self.forgotten
        hour = 12 + self.now // 60
        day = 10 + device.skew // 24
        os.environ["MEMEX_NOW"] = f"2026-03-{day:02}T{hour % 24:02}:{self.now % 60:02}:00Z"
        device.memex.look_again()
        if act == "write":
            return self._write(device, pick)
        if act == "sync":
            self.sync(device)
            return None
        if act == "tell":
            device.memex.sync_export()
            return None
        if act == "hear":
            device.memex.sync_import()
            return None
        pages = sorted(device.pages())
        if not pages:
            return None
        path = pages[pick % min(3, len(pages))]  # few, so that two devices often meet on one
        getattr(self, f"_{act}")(device, path, pick)
        return None

    def sync(self, device: Device) -> dict[str, Any]:
        device.memex.look_again()
        done = device.memex.sync_import()
        assert done["refused"] == []
        return {**done, "exported": device.memex.sync_export()["exported"]}

    def _write(self, device: Device, pick: int) -> None:
        title = TITLES[pick % len(TITLES)]
        about = f"{title.lower()}-2"  # the page that two devices are likely to make
        body = f"first\n\n{self.word('?')}\n\nsee [[{about}]]\n\nlast\n"
        done = device.memex.write(type="entity", title=title, body=body, new=True, tags=["grain"])
        self.of_page.setdefault(done["id"], set()).update(self.of_page.pop("?"))

    def _edit(self, device: Device, path: str, pick: int) -> None:
        """A line of the body is written anew: what stood there is given up by who saw it."""
        data = device.pages()[path]
        body = frontmatter.read(data).body
        lines = body.split("\n")
        at = pick % len(lines)
        self.dropped |= set(WORD.findall(lines[at]))
        lines[at] = self.word(*self.idents(data))
        device.memex.edit(path, body="\n".join(lines))

    def _hand(self, device: Device, path: str, pick: int) -> None:
        """Somebody else's editor adds a line at the end, or on top of the text."""
        full = Path(device.memex.store.layout.file_path(path))
        data = full.read_bytes()
        at = frontmatter.read(data).body_offset if pick % 2 else len(data)
        line = f"{self.word(*self.idents(data))}\n".encode()
        full.write_bytes(data[:at] + line + data[at:])

    def _tags(self, device: Device, path: str, pick: int) -> None:
        device.memex.edit(path, tags=list(TAGS[: 1 + pick % 3]))

    def _archive(self, device: Device, path: str, pick: int) -> None:
        device.memex.forget(path, mode="archive")

    def _rename(self, device: Device, path: str, pick: int) -> None:
        try:
            device.memex.rename(path, TITLES[pick % len(TITLES)])
        except MemexError:
            pass  # the name is taken

    def _forget(self, device: Device, path: str, pick: int) -> None:
        data = device.pages()[path]
        self.dropped |= set(WORD.findall(data.decode()))
        self.forgotten.add(self.ident(data))
        device.memex.forget(path)

    def _purge(self, device: Device, path: str, pick: int) -> None:
        data = device.pages()[path]
        if b"conflict_of" in data:
            return  # its words stand in the page too
        ident = self.ident(data)
        self.dropped |= set(WORD.findall(data.decode()))
        self.erased |= set(WORD.findall(data.decode()))
        self.purged.add(ident)
        before = device.journal_text()
        device.memex.purge(path, id=ident)
        self.dropped |= set(WORD.findall(before)) - set(WORD.findall(device.journal_text()))

    def _unlink(self, device: Device, path: str, pick: int) -> None:
        """Somebody removes the file by hand."""
        data = device.pages()[path]
        self.dropped |= set(WORD.findall(data.decode()))
        self.forgotten.add(self.ident(data))
        Path(device.memex.store.layout.file_path(path)).unlink()

    def _revert(self, device: Device, path: str, pick: int) -> None:
        """The last change of a page, or the last forgetting, is taken back, with all that it did."""
        gone = [event["file"] for event in device.memex.store.journal.read() if event["action"] == "remove"]
        target = gone[-1] if gone and pick % 2 else path
        before = device.pages()
        try:
            device.memex.revert(target)
        except MemexError:
            return  # it changed since, or there is nothing to take back
        was, now = ({self.ident(data): data for data in one.values()} for one in (before, device.pages()))
        self.forgotten = (self.forgotten | (was.keys() - now.keys())) - (now.keys() - was.keys())
        for ident, data in was.items():
            self.dropped |= set(WORD.findall(data.decode())) - set(WORD.findall(now.get(ident, b"").decode()))

    def _decide(self, device: Device, path: str, pick: int) -> None:
        """A conflict is settled: rejected, or both texts are accepted."""
        items = device.memex.review(kind="conflict")["items"]
        if not items:
            return
        item = items[pick % len(items)]
        data = device.pages()[item["path"]]
        if pick % 2 or not item["target"]:
            device.memex.reject(item["path"])
            self.dropped |= set(WORD.findall(data.decode()))
        else:
            device.memex.approve(item["path"], text=f"{item['before']}\n{item['after']}")
        self.forgotten.add(self.ident(data))

    def idents(self, data: bytes) -> set[str]:
        """The page's id, and of a conflict draft that of the page whose other text it holds."""
        return {self.ident(data), page_of(data).removeprefix("id:") or self.ident(data)}

    @staticmethod
    def ident(data: bytes) -> str:
        return str(frontmatter.read(data).fields["id"])

    # -- what must be true -----------------------------------------------------------------

    def settle(self) -> None:
        """Sync round after round until nobody hears or tells anything new."""
        kinds = ("added", "changed", "deleted", "conflicts", "exported")
        for _ in range(ROUNDS):
            told = [self.sync(device) for device in self.devices]
            if not any(done[kind] for done in told for kind in kinds):
                return
        raise AssertionError("the devices go on changing each other")

    def check(self) -> None:
        self.gone_once |= self.forgotten
        first = self.devices[0].pages()
        for device in self.devices[1:]:
            assert device.pages() == first
        idents = {self.ident(data) for data in first.values()}
        assert len(idents) == len(first)
        assert not idents & (self.forgotten | self.purged)
        text = b"\n".join(first.values()).decode()
        alive = set(WORD.findall(text))
        assert not alive & self.erased
        never = idents - self.gone_once  # what was written meanwhile into a page that was gone is history
        present = set().union(*(self.of_page.get(ident, set()) for ident in never))
        assert present - self.dropped <= alive
        kept = alive.union(*(WORD.findall(device.journal_text()) for device in self.devices))
        purged = set().union(*(self.of_page.get(ident, set()) for ident in self.purged))
        assert self.written - self.dropped - purged <= kept
        for device in self.devices:
            assert not set(WORD.findall(device.journal_text())) & self.erased
            assert device.memex.store.journal.problems() == []
