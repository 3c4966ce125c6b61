"""The texts of a store that a vector is made of: sections of pages, turns, diary entries.

Each is sent with a line of context before it (title, heading, date, who speaks), because a section or an
answer often does not say what it is about. What a tool printed, and turns of a word or two, get none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files.opening import regular
from memex_core.index.passage_rows import pieces
from memex_core.index.passages import BITS, POSITION
from memex_core.index.vectors.prints import page_print, passage_print
from memex_core.index.vectors.store import Place
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    import sqlite3

    from memex_core.files.layout import Layout
    from memex_core.files.scrubbing import Scrubber

KINDS = {"pages": "page", "diary": "diary", "transcripts": "turn"}
"""A place to look -> the kind of its documents, in the order in which they get their vectors."""

SECTION = 2_000  # characters of a page in one text
SECTIONS = 60  # of a page, at most
_SHORT = 3  # tokens, under which a turn says nothing by itself
_SPOKEN = ("user", "agent")


class Document(NamedTuple):
    """A page, session or diary day, as the index knows it. ``marks`` are (at, print) of what stands in it."""

    kind: str
    name: str
    title: str
    marks: tuple[tuple[int, bytes], ...]


class Text(NamedTuple):
    """A text to be sent, and the place it is from (whose key is still empty)."""

    place: Place
    text: str


def documents(db: sqlite3.Connection, places: Iterable[str]) -> Iterator[Document]:
    """What is to have vectors, the newest of each kind first."""
    wanted = {KINDS[place] for place in places}
    if "page" in wanted:
        sql = (
            "SELECT path, title, digest FROM page WHERE digest <> '' AND status <> 'deprecated' "
            "ORDER BY updated DESC, path"
        )
        for path, title, digest in db.execute(sql).fetchall():
            yield Document("page", path, title, ((0, page_print(digest, title)),))
    for kind in ("diary", "turn"):
        if kind in wanted:
            sql = "SELECT id, name, title FROM passage_doc WHERE kind = ? ORDER BY last DESC, name DESC"
            for number, name, title in db.execute(sql, (kind,)).fetchall():
                marks = [(row["at"], row["print"]) for row in _rows(db, kind, number)]
                yield Document(kind, name, title, tuple(marks))


def present(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """(kind, name) of all that the index holds."""
    pages = {("page", path) for (path,) in db.execute("SELECT path FROM page")}
    return pages | set(db.execute("SELECT kind, name FROM passage_doc"))


def texts(db: sqlite3.Connection, layout: Layout, document: Document, scrubber: Scrubber) -> list[Text]:
    """The texts of a document as its file has them now, without secrets; none when it is not what the index
    says. Secrets go before a long text is cut: half of one is not known as one any more."""
    try:
        if document.kind == "page":
            return _of_page(layout, document, scrubber)
        return _of_rows(db, layout, document, scrubber)
    except (OSError, MemexError):
        return []


def sections(body: str) -> list[tuple[str, str]]:
    """(heading, text) of a page's parts: the whole when it is short, else cut at headings and within."""
    if len(body) <= SECTION:
        return [("", body.strip())]
    from memex_core.model.markdown import outline

    starts = [0, *(one.start for one in outline(body) if one.start), len(body)]
    names = {one.start: one.text for one in outline(body)}
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(starts) - 1:
        upto = at + 1
        while upto < len(starts) - 1 and starts[upto + 1] - starts[at] <= SECTION:
            upto += 1
        text = body[starts[at] : starts[upto]]
        heading = names.get(starts[at], "")
        found += [(heading, text[start:end].strip()) for start, end, *_ in pieces(text)]
        at = upto
    return [(heading, text) for heading, text in found if text][:SECTIONS]


def _of_page(layout: Layout, document: Document, scrubber: Scrubber) -> list[Text]:
    from memex_core.files.atomic import read
    from memex_core.files.reading import read_page

    page = read_page(document.name, read(layout.pages, document.name), folder=layout.folder)
    at, mark = document.marks[0]
    if page_print(page.digest, page.title) != mark:
        return []
    date = (page.occurred_at or page.created)[:10]
    found = []
    for piece, (heading, text) in enumerate(sections(scrubber.text(page.body))):
        about = [page.title, heading if heading != page.title else "", date]
        first = page.description if piece == 0 else ""
        whole = _with(about, "\n".join(part for part in (first, text) if part))
        found.append(Text(Place("page", document.name, at, piece, mark, b""), scrubber.text(whole)))
    return found


def _of_rows(db: sqlite3.Connection, layout: Layout, document: Document, scrubber: Scrubber) -> list[Text]:
    folder, suffix = (layout.diary, ".md") if document.kind == "diary" else (layout.transcripts, ".jsonl")
    number = db.execute(
        "SELECT id FROM passage_doc WHERE kind = ? AND name = ?", (document.kind, document.name)
    ).fetchone()
    found = []
    with open(os.path.join(folder, document.name + suffix), "rb", opener=regular) as file:
        for row in _rows(db, document.kind, number[0]) if number else ():
            file.seek(row["place"])
            said = _said(document, file.read(row["size"]))
            if row["start"] or row["end"] < len(said):
                said = scrubber.blanked(said)[row["start"] : row["end"]]
            said = said.strip()
            who = row["speaker"] or (row["role"] if document.kind == "turn" else "")
            date = " ".join(part for part in (row["date"], row["time"]) if part)
            if said:
                text = scrubber.text(_with([document.title, date, who], said))
                place = Place(document.kind, document.name, row["at"], 0, row["print"], b"")
                found.append(Text(place, text))
    return found


def _said(document: Document, data: bytes) -> str:
    if document.kind == "diary":
        from memex_core.files import diary

        found = diary.entries(data, document.name)
        return diary.text_of(found[0]) if found else ""
    from memex_core.files import turns

    return turns.sound(turns.text_of(turns.parse(data)[0] or {}))


def _rows(db: sqlite3.Connection, kind: str, document: int) -> Iterator[dict[str, Any]]:
    sql = (
        "SELECT id, role, speaker, date, time, at, size, start, end, body, whole FROM passage "
        "WHERE id BETWEEN ? AND ?"
    )
    if kind == "turn":
        sql += f" AND length >= {_SHORT} AND role IN ({','.join('?' * len(_SPOKEN))})"
    span = (document << BITS, (document << BITS) | POSITION)
    for number, role, speaker, date, time, at, size, start, end, body, whole in db.execute(
        sql, (*span, *(_SPOKEN if kind == "turn" else ()))
    ):
        yield {
            "at": number & POSITION,
            "print": passage_print(role, speaker, date, body, whole),
            "role": role,
            "speaker": speaker,
            "date": date,
            "time": time,
            "place": at,
            "size": size,
            "start": start,
            "end": end,
        }


def _with(about: Sequence[str], text: str) -> str:
    context = " · ".join(dict.fromkeys(" ".join(part.split()) for part in about if part.strip()))
    return f"{context}\n{text}" if context else text
