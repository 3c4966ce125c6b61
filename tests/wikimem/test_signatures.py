"""Parameters, their kinds and defaults, are part of the contract."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from memex_core import wikimem
from memex_core.wikimem import (
    LLM,
    Diary,
    DiaryItem,
    Journal,
    MemoryIndex,
    MemoryStore,
    RecallItem,
    WikiLink,
)


def shape(function: Callable[..., Any]) -> str:
    """``root, *, journal=None`` without types."""
    signature = inspect.signature(function)
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name != "self"
    ]
    text = str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return text[1:-1]


PROVENANCE = "owner=None, source_conv=None"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (MemoryStore.__init__, "root"),
        (MemoryStore.files, ""),
        (MemoryStore.items, "file=None"),
        (MemoryStore.get, "file, name"),
        (MemoryStore.add, f"file, name, content, *, {PROVENANCE}, ts=None"),
        (MemoryStore.remove, "file, name, *, owner=None"),
        (Diary.__init__, "root, *, journal=None"),
        (Diary.append, f"content, *, ts=None, date=None, time=None, {PROVENANCE}, tz=None"),
        (Diary.day, "date"),
        (Diary.window, "start, end"),
        (Diary.dates, ""),
        (Journal.__init__, "path"),
        (Journal.append, f"action, *, file, name, {PROVENANCE}, detail=None"),
        (Journal.append_diary, f"*, date, time, {PROVENANCE}"),
        (Journal.entries, ""),
        (
            MemoryIndex.__init__,
            "store, *, use_jieba=None, embedder=None, vectors_dir=None, fusion_weight=0.5, binary_threshold=10000",
        ),
        (MemoryIndex.rebuild, ""),
        (
            MemoryIndex.retrieve,
            "query, *, limit=10, budget_tokens=None, expand_links=True, explain=False, time_range=None, tz=None",
        ),
        (
            wikimem.memorize,
            f"diary, turn, *, llm, character='the assistant', prompt=None, {PROVENANCE}, **append_kwargs",
        ),
        (wikimem.parse_time_range, "text, *, tz=None, today=None"),
        (wikimem.tokenize, "text, *, use_jieba=None"),
        (wikimem.est_tokens, "text"),
        (wikimem.parse_wiki_links, "text"),
        (wikimem.validate_file, "file"),
        (wikimem.sanitize_item_name, "name"),
        (wikimem.as_recall_item, "entry"),
        (wikimem.diary_tool, ""),
        (wikimem.handle_diary_tool, "diary, args, **append_kwargs"),
        (LLM.chat, "messages"),
    ],
)
def test_signatures(function: Callable[..., Any], expected: str) -> None:
    assert shape(function) == expected


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (RecallItem, "file name content owner source_conv ts"),
        (DiaryItem, "date time content owner source_conv ts"),
        (WikiLink, "file name"),
    ],
)
def test_fields(kind: type, names: str) -> None:
    assert is_dataclass(kind)
    assert [field.name for field in fields(kind)] == names.split()


def test_everything_is_synchronous() -> None:
    """When to run a thing in the background is for the host to say."""
    functions = [wikimem.memorize, wikimem.handle_diary_tool, MemoryIndex.retrieve, Diary.append, LLM.chat]
    assert not any(inspect.iscoroutinefunction(function) for function in functions)


def test_the_model_is_a_protocol_of_one_method() -> None:
    assert getattr(LLM, "_is_protocol", False)
    assert [name for name in vars(LLM) if not name.startswith("_")] == ["chat"]


def test_a_revision_is_a_number_and_cannot_be_set(store: MemoryStore) -> None:
    assert isinstance(store.revision, int)
    with pytest.raises(AttributeError):
        store.revision = 5  # type: ignore[misc]
