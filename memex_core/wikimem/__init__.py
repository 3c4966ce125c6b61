"""A small library face for characters and assistants: state in item files, events in a diary.

``MemoryStore`` keeps what is true now (``wiki/<file>.md``), its ``diary`` what happened and when
(``diary/<day>.md``); ``MemoryIndex`` finds both again. Nothing here needs a package beyond Python's own;
``memex_core.wikimem.vectors`` is loaded only where an embedder is given.
"""

from __future__ import annotations

from memex_core.wikimem.diary import Diary, as_recall_item
from memex_core.wikimem.journal import Journal
from memex_core.wikimem.links import WikiLink, parse_wiki_links
from memex_core.wikimem.memorize import (
    DIARY_PROMPT,
    DIARY_TOOL_DESCRIPTION,
    LLM,
    diary_tool,
    handle_diary_tool,
    memorize,
    parse_entries,
)
from memex_core.wikimem.models import DiaryItem, RecallItem, RetrievalResult, RetrievedItem
from memex_core.wikimem.retrieval import MemoryIndex
from memex_core.wikimem.store import MemoryStore, sanitize_item_name, validate_file
from memex_core.wikimem.timeparse import TimeRange, parse_time_range
from memex_core.wikimem.tokenize import est_tokens, tokenize

__all__ = [
    "DIARY_PROMPT",
    "DIARY_TOOL_DESCRIPTION",
    "LLM",
    "Diary",
    "DiaryItem",
    "Journal",
    "MemoryIndex",
    "MemoryStore",
    "RecallItem",
    "RetrievalResult",
    "RetrievedItem",
    "TimeRange",
    "WikiLink",
    "as_recall_item",
    "diary_tool",
    "est_tokens",
    "handle_diary_tool",
    "memorize",
    "parse_entries",
    "parse_time_range",
    "parse_wiki_links",
    "sanitize_item_name",
    "tokenize",
    "validate_file",
]
