"""What the face hands out: items, diary entries, and what retrieving found."""

from __future__ import annotations

from dataclasses import dataclass, field

from memex_core.wikimem.links import WikiLink, parse_wiki_links


@dataclass
class RecallItem:
    """What retrieval finds: one item of a file. None where its file does not say."""

    file: str
    name: str
    content: str
    owner: str | None = None
    source_conv: str | None = None
    ts: str | None = None

    @property
    def links(self) -> list[WikiLink]:
        return parse_wiki_links(self.content)


@dataclass
class DiaryItem:
    """One event: ``date`` and ``time`` on the writer's own calendar and clock, ``ts`` the instant in UTC."""

    date: str
    time: str
    content: str
    owner: str | None = None
    source_conv: str | None = None
    ts: str | None = None

    @property
    def links(self) -> list[WikiLink]:
        return parse_wiki_links(self.content)


@dataclass
class RetrievedItem:
    """One memory of a result. ``source`` is ``hit`` or ``link``; ``via`` names the hit a link came from.

    ``score`` is what ranked a hit: the fused score where vectors took part, else the words' own.
    """

    item: RecallItem
    source: str
    score: float | None = None
    bm25_score: float | None = None
    cos_score: float | None = None
    via: str | None = None
    matched_terms: list[str] = field(default_factory=list)
    tokens_est: int = 0


@dataclass
class RetrievalResult:
    """What a query found, in the order to hand it on, and how it was found."""

    items: list[RetrievedItem] = field(default_factory=list)
    budget_tokens: int | None = None
    budget_used: int = 0
    embedding_used: bool = False
    dropped: list[RetrievedItem] = field(default_factory=list)
    unresolved_links: list[str] = field(default_factory=list)
    time_range: tuple[str, str] | None = None
    time_range_source: str | None = None
    time_range_widened: bool = False
