"""Resolving the links of all pages at once, beside a bulk load."""

from __future__ import annotations

import json
import marshal
import threading
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from memex_core.index.entries import ENTRY_COLUMNS, PATH, Entry
from memex_core.index.links import outcome
from memex_core.model.names import folder_of
from memex_core.model.resolve import NameTable, Resolution, resolve

_TITLE, _ALIASES = ENTRY_COLUMNS.index("title"), ENTRY_COLUMNS.index("aliases")
_REMEMBERED = 20_000  # resolutions: popular targets come early, and memory is better spent on names
_OTHER = -1  # in the array of targets: the outcome is more than a page's number


class Linker(threading.Thread):
    """Works out what every link means, while the database merges and sorts (it lets other threads run).

    Links wait in a file, so that memory holds the names of all pages but not their text.
    """

    def __init__(self, spool: str) -> None:
        super().__init__(daemon=True)
        self._file = open(spool, "w+b")  # noqa: SIM115 (closed by close())
        self._assets: Sequence[str] = ()
        self._targets = array("q")
        self._others: dict[int, tuple[int | None, str | None, str | None]] = {}
        self._failure: BaseException | None = None
        self._ended = False

    def add(self, before: int, entries: list[Entry]) -> None:
        """Take note of the entries of the pages ``before + 1``, ``before + 2`` …"""
        pages = [
            (number, entry[0][PATH], entry[0][_TITLE], entry[0][_ALIASES], entry[4])
            for number, entry in enumerate(entries, before + 1)
        ]
        marshal.dump(pages, self._file)

    def resolve(self, assets: Sequence[str]) -> None:
        """Begin; nothing may be added after it."""
        self._assets = assets
        self._file.flush()
        self.start()

    def run(self) -> None:
        try:
            self._resolve()
        except BaseException as error:
            self._failure = error

    def _resolve(self) -> None:
        names, ids = NameTable(), {}
        for number, path, title, aliases, _ in self._pages():
            ids[path] = number
            names.add(path, json.loads(aliases) if aliases else (), title)
        for path in self._assets:
            names.add_asset(path)
        known: dict[tuple[str, str, bool, str | None], Resolution] = {}
        targets, others = self._targets, self._others
        for number, path, _, _, found in self._pages():
            for link in found:
                # Shown texts count only where they may be the target; see resolve().
                key = (link[0], folder_of(path), link[3] == "markdown", link[5] if link[2] else None)
                meant = known.get(key)
                if meant is None:
                    meant = resolve(link[0], link[3], path, names, alias=key[3])
                    if link[0].strip() and len(known) < _REMEMBERED:
                        known[key] = meant
                to = outcome(meant, ids, number, path)
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
        for number, _, _, _, found in self._pages():
            for order, link in enumerate(found):
                target = self._targets[at]
                to = (target, None, None) if target != _OTHER else self._others[at]
                batch.append((number, order, *link, *to))
                at += 1
            if len(batch) >= 1000:
                yield batch
                batch = []
        yield batch

    def _pages(self) -> Iterator[tuple[int, str, str, str, list[Any]]]:
        """All that was added, read back from the file."""
        end = self._file.seek(0, 2)
        self._file.seek(0)
        while self._file.tell() < end and not self._ended:
            yield from marshal.load(self._file)

    def close(self) -> None:
        """End it, finished or not."""
        self._ended = True
        if self.is_alive():
            self.join()
        self._file.close()
