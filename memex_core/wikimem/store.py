"""What is true now: items in files, read as people leave them and written by strict rules."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path

from memex_core.files import items, layout, provenance
from memex_core.wikimem.diary import Diary
from memex_core.wikimem.instants import instant, utc_stamp
from memex_core.wikimem.journal import Journal
from memex_core.wikimem.models import RecallItem
from memex_core.wikimem.scrubbed import scrubbed

_FILE = re.compile(r"[a-z0-9_][a-z0-9_-]*")
_RESERVED = ("[[", "]]", ":", "|", "#")


def validate_file(file: str) -> str:
    """``file`` itself if it can name a file and stand in a link. Raises ValueError."""
    if not isinstance(file, str) or not _FILE.fullmatch(file):
        raise ValueError(f"{file!r} is no file name: lowercase ASCII letters, digits, _ and - only")
    return file


def sanitize_item_name(name: str) -> str:
    """``name`` with single spaces. Raises ValueError when it is empty or has ``[[ ]] : |`` or ``#``."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError("an item needs a name")
    for mark in _RESERVED:
        if mark in name:
            raise ValueError(f"the item name {name!r} must not hold {mark!r}")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"the item name {name!r} holds half a character") from None
    return items.one_space(name)


class MemoryStore:
    """The items under ``root``, in ``wiki/``. Making one touches no file."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)
        self.journal = Journal(self.root / "journal.jsonl")
        self._layout = layout.of_items(os.path.abspath(root))
        self._revision = 0

    @property
    def revision(self) -> int:
        """How often this object changed an item; edits by others and diary entries do not count."""
        return self._revision

    @cached_property
    def diary(self) -> Diary:
        """The events of the same root; both write to one journal."""
        return Diary(self.root, journal=self.journal)

    def files(self) -> list[str]:
        """The names of the item files, sorted."""
        return items.files(self._layout)

    def items(self, file: str | None = None) -> list[RecallItem]:
        """All items, or those of one file; none of a file that is not there."""
        names = self.files() if file is None else [file]
        return [_recalled(item) for name in names for item in items.read(self._layout, name)]

    def get(self, file: str, name: str) -> RecallItem | None:
        """The item of that name, white space as it may be; None without one."""
        wanted = items.one_space(name)
        found = (item for item in items.read(self._layout, file) if item.name == wanted)
        return next(map(_recalled, found), None)

    def add(
        self,
        file: str,
        name: str,
        content: str,
        *,
        owner: str | None = None,
        source_conv: str | None = None,
        ts: str | None = None,
    ) -> RecallItem:
        """Keep an item; one of the same name is replaced, which is how items are updated.

        ``ts`` defaults to now. Raises ValueError for a name that :func:`validate_file` or
        :func:`sanitize_item_name` refuses, and for a ts that is no time.
        """
        validate_file(file)
        name = sanitize_item_name(name)
        at = utc_stamp() if ts is None else _kept(ts)
        content, owner, source_conv = scrubbed(self._layout.root, content, owner, source_conv)
        content = content.replace("\r\n", "\n").strip()
        said = provenance.Provenance(provenance.value(owner), provenance.value(source_conv), at)
        item = items.Item(file, name, content, said)
        there = items.put(self._layout, item)
        self._revision += 1
        self.journal.append(
            "update" if there else "add", file=file, name=name, owner=owner, source_conv=source_conv
        )
        return _recalled(item)

    def remove(self, file: str, name: str, *, owner: str | None = None) -> bool:
        """Drop an item, and its file with the last one. False when there is none of that name."""
        name = items.one_space(name)
        if not items.take(self._layout, validate_file(file), name):
            return False
        self._revision += 1
        self.journal.append("remove", file=file, name=name, owner=owner)
        return True


def _kept(ts: str) -> str:
    """A time as it is stored: in UTC, and as it was given where it is in UTC already."""
    at, given = instant(ts), ts.strip()
    return given if len(given) == 10 or given.endswith(("Z", "+00:00")) else utc_stamp(at)


def _recalled(item: items.Item) -> RecallItem:
    said = item.said
    return RecallItem(
        item.file, item.name, item.content, said.owner or None, said.source or None, said.ts or None
    )
