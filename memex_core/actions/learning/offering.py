"""Which existing pages a stretch of conversation may be about: those it is compared with, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memex_core.actions.asking.recalling import recall
from memex_core.index.analyse import analyse
from memex_core.learn.prompt import Offered
from memex_core.learn.windows import shown
from memex_core.model.errors import MemexError
from memex_core.model.evidence import find_quote
from memex_core.model.slug import fold, slugify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from memex_core.actions.store import Store
    from memex_core.model.page import Page

MOST = 12
"""Pages that a model is told of in one call."""

_STATUSES = ("stable", "draft")
_QUESTIONS, _EACH, _LENGTH = 8, 6, 600  # prompts that are looked up, pages for each, characters of one
_SAME = 0.9  # of a sentence's words that a page must have to say it already


class Shown(NamedTuple):
    """The pages that a model is told of. ``files`` holds the bytes of each by its path, as the model knows
    them; a note that changes a page puts there what it made of it, so that the next one may go on."""

    pages: list[Offered]
    files: dict[str, bytes]


def offered(store: Store, turns: Iterable[Mapping[str, Any]], reach: tuple[str, str] | None) -> Shown:
    """The pages in use and the drafts that what a person said may be about, the nearest first."""
    said = [shown(turn) for turn in turns if turn.get("role") == "user"]
    questions = sorted(filter(None, said), key=len, reverse=True)[:_QUESTIONS]
    ranks: dict[str, float] = {}
    for question in questions:
        for place, path in enumerate(_near(store, question[:_LENGTH], reach)):
            ranks[path] = ranks.get(path, 0.0) + 1 / (place + 1)
    found = Shown([], {})
    for path in sorted(ranks, key=lambda path: (-ranks[path], path)):
        try:
            data = store.read_bytes(path)
        except MemexError:  # gone meanwhile
            continue
        page = store.page(path, data)
        if page.type != "episode" and "proposes" not in page.front:
            found.pages.append(Offered(page.slug, path, page.type, page.title, page.status, page.body))
            found.files[path] = data
        if len(found.pages) == MOST:
            break
    return found


def _near(store: Store, question: str, reach: tuple[str, str] | None) -> list[str]:
    found = recall(
        store,
        question,
        k=_EACH,
        budget=0,
        expand=False,
        kinds=("pages",),
        status=_STATUSES,
        loose=True,
        no_count=True,
        include_expired=True,
        reach=reach,
    )
    root = store.layout.pages
    return [hit["file_path"][len(root) :].lstrip("/\\").replace("\\", "/") for hit in found["hits"]]


def said_already(store: Store, title: str, quote: str) -> str:
    """The path of a page, draft or proposal that says this sentence already; empty for none."""
    for row in store.index.find(title, exact=True):
        if row.type != "episode":
            return row.path
    words = set(analyse(quote))
    for path in _near(store, quote[:_LENGTH], None):
        try:
            page = store.page(path)
        except MemexError:
            continue
        if page.type != "episode" and _says(page, quote, words):
            return path
    return ""


class Drafted(NamedTuple):
    """A draft that a dry run has not written."""

    path: str
    title: str
    quote: str


def drafted_already(drafts: Iterable[Drafted], title: str, quote: str) -> str:
    """What :func:`said_already` would find if these drafts had been written."""
    words = set(analyse(quote))
    for one in drafts:
        named = fold(one.title) == fold(title) or slugify(one.title) == slugify(title)
        if named or _tells(f"{one.title}\n{one.quote}", (one.quote,), quote, words):
            return one.path
    return ""


def _says(page: Page, quote: str, words: set[str]) -> bool:
    quotes = [source.quote for source in page.sources]
    return _tells(f"{page.title}\n{page.body}", quotes, quote, words)


def _tells(text: str, quotes: Iterable[str], quote: str, words: set[str]) -> bool:
    if find_quote(quote, text) or any(find_quote(quote, one) for one in quotes):
        return True
    return bool(words) and len(words & set(analyse(text))) >= _SAME * len(words)
