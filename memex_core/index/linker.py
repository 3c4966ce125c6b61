"""Resolving the links of all pages at once, beside a bulk load."""

from __future__ import annotations

import json
import marshal
import struct
import threading
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from memex_core.index.entries import ENTRY_COLUMNS, PATH, Entry
from memex_core.index.links import outcome
from memex_core.model.names import folder_of, stem_of
from memex_core.model.resolve import NameTable, Resolution, keys_of_asset, resolve
from memex_core.model.slug import fold

_TITLE, _ALIASES = ENTRY_COLUMNS.index("title"), ENTRY_COLUMNS.index("aliases")
_REMEMBERED = 20_000  # resolutions: popular targets come early, and memory is better spent on names
_OTHER = -1  # in the array of targets: the outcome is more than a page's number
_HEAD = struct.Struct("<QI")
_NOTHING = (None, None, None)

Outcome = tuple[int | None, str | None, str | None]
"""The columns ``dst``, ``asset`` and ``ambiguous`` of a link."""


class Linker(threading.Thread):
    """Works out what every link means, while the database merges and sorts (it lets other threads run).

    Links wait in a file, so that memory holds the names of all pages but not their text.
    """

    def __init__(self, spool: str) -> None:
        super().__init__(daemon=True)
        self._file = open(spool, "w+b")  # noqa: SIM115 (closed by close())
        self._names = Named()
        self._targets = array("q")
        self._others: dict[int, Outcome] = {}
        self._failure: BaseException | None = None
        self._ended = False

    def add(self, before: int, entries: list[Entry]) -> None:
        """Take note of the entries of the pages ``before + 1``, ``before + 2`` …"""
        for number, entry in enumerate(entries, before + 1):
            self._names.add(number, entry)
        data = marshal.dumps([entry[4] for entry in entries])
        self._file.write(_HEAD.pack(before, len(data)) + data)

    def resolve(self, assets: Sequence[str]) -> None:
        """Begin; nothing may be added after it."""
        self._names.add_assets(assets)
        self._file.flush()
        self.start()

    def run(self) -> None:
        try:
            self._resolve()
        except BaseException as error:
            self._failure = error

    def _resolve(self) -> None:
        targets, others, meaning = self._targets, self._others, self._names.meaning
        for page, found in self._pages():
            for link in found:
                to = meaning(page, link)
                if to[0] is not None and to[2] is None:
                    targets.append(to[0])
                else:
                    others[len(targets)] = to
                    targets.append(_OTHER)

    def rows(self) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of ``link`` in batches, once all are resolved."""
        self.join()
        if self._failure is not None:
            raise self._failure
        batch: list[tuple[Any, ...]] = []
        at = 0
        for page, found in self._pages():
            for order, link in enumerate(found):
                target = self._targets[at]
                to = (target, None, None) if target != _OTHER else self._others[at]
                batch.append((page, order, *link, *to))
                at += 1
            if len(batch) >= 1000:
                yield batch
                batch = []
        yield batch

    def _pages(self) -> Iterator[tuple[int, list[Any]]]:
        """The number and the links of every page, read back from the file."""
        self._file.seek(0)
        while not self._ended and (head := self._file.read(_HEAD.size)):
            before, size = _HEAD.unpack(head)
            yield from enumerate(marshal.loads(self._file.read(size)), before + 1)

    def close(self) -> None:
        """End it, finished or not."""
        self._ended = True
        if self.is_alive():
            self.join()
        self._file.close()


class Named:
    """The pages and files by the keys of their names: whatever a link could mean has its key.

    So most links need no more than one look-up: the only page with the key is meant, when the link says
    its title or file name; and nothing is meant when nothing has the key.
    """

    def __init__(self) -> None:
        self._paths = [""]
        self._titles = [""]
        self._aliases: dict[int, str] = {}
        self._pages: dict[str, int | list[int]] = {}
        self._assets: dict[str, list[str]] = {}
        self._known: dict[tuple[str, str | None, str, str | None], Resolution] = {}
        self._forget()

    def _forget(self) -> None:
        """Begin the table anew of the names that the first look-up does not settle."""
        self._table = NameTable()
        self._ids: dict[str, int] = {}
        self._in_table: set[str] = set()
        self._served = 0

    def add(self, page: int, entry: Entry) -> None:
        """Make page number ``page`` known; the first is 1, and none is left out."""
        row = entry[0]
        self._paths.append(row[PATH])
        self._titles.append(row[_TITLE])
        if row[_ALIASES]:
            self._aliases[page] = row[_ALIASES]
        pages = self._pages
        for _, key in entry[3]:
            known = pages.setdefault(key, page)
            if known is page:
                continue
            if isinstance(known, list):
                known.append(page)
            else:
                pages[key] = [known, page]

    def add_assets(self, paths: Sequence[str]) -> None:
        """Make the files known that are no pages."""
        for path in paths:
            for _, key in keys_of_asset(path):
                self._assets.setdefault(key, []).append(path)

    def meaning(self, page: int, link: tuple[Any, ...]) -> Outcome:
        """What a link of an entry means on that page."""
        target, key, label, form, _, alias = link[:6]
        text = target.strip()
        if not text:
            return page, None, None
        only = self._pages.get(key)
        bare = label is None and not ("/" in text or "." in text or "\\" in text)
        if label is None and only is None and key not in self._assets:
            return _NOTHING
        if bare and only.__class__ is int and key not in self._assets:
            said = fold(text)
            if said == fold(self._titles[only].strip()) or said == fold(stem_of(self._paths[only])):
                return only, None, None
        path = self._paths[page]
        self._served += 1
        if _REMEMBERED < len(self._ids) < self._served:  # as many links were asked as names are fetched anew
            self._forget()
        self._fetch(key)
        if label is not None:
            self._fetch(label)
        return outcome(
            self._resolved(target, key, form, path, alias if label else None, bare), self._ids, page, path
        )

    def _resolved(
        self, target: str, key: str, form: str, path: str, alias: str | None, bare: bool
    ) -> Resolution:
        """:func:`resolve`, with a memory. ``alias`` only where it may be the target. The source's folder does
        not matter for a ``bare`` name that has one meaning."""
        kind = form if alias or form == "markdown" else ""  # other forms are all alike
        anywhere = (target, None, kind, alias)
        here = (target, folder_of(path), kind, alias)
        known = self._known
        meant = (known.get(anywhere) if bare else None) or known.get(here)
        if meant is None:
            meant = resolve(target, form, path, self._table, alias=alias)
            if len(known) < _REMEMBERED:
                alone = bare and kind != "markdown" and not meant.ambiguous and self._differ(key)
                known[anywhere if alone else here] = meant
        return meant

    def _differ(self, key: str) -> bool:
        """Whether the paths of all pages with that key differ in more than letter case."""
        pages = self._pages.get(key, ())
        paths = [self._paths[page] for page in ((pages,) if isinstance(pages, int) else pages)]
        return len(set(map(fold, paths))) == len(paths)

    def _fetch(self, key: str) -> None:
        """Put the names of all pages and files that have the key into the table."""
        if key in self._in_table:
            return
        self._in_table.add(key)
        pages = self._pages.get(key, ())
        for page in (pages,) if isinstance(pages, int) else pages:
            path = self._paths[page]
            if path not in self._ids:
                self._ids[path] = page
                aliases = self._aliases.get(page)
                self._table.add(path, json.loads(aliases) if aliases else (), self._titles[page])
        for path in self._assets.get(key, ()):
            self._table.add_asset(path)
