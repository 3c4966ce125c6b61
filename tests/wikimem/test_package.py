"""What the package offers, and what it loads."""

from __future__ import annotations

import subprocess
import sys

import memex_core.wikimem as wikimem

CONTRACT = """MemoryStore MemoryIndex Journal Diary RecallItem DiaryItem WikiLink RetrievalResult RetrievedItem
TimeRange tokenize est_tokens parse_wiki_links parse_time_range validate_file sanitize_item_name as_recall_item
memorize parse_entries LLM DIARY_PROMPT diary_tool handle_diary_tool DIARY_TOOL_DESCRIPTION""".split()
MODULES = "cli diary journal links memorize models retrieval store timeparse tokenize vectors".split()


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_package_exports_exactly_the_contract() -> None:
    assert sorted(wikimem.__all__) == sorted(CONTRACT)
    assert len(CONTRACT) == 24


def test_every_name_is_importable_from_the_top() -> None:
    names = ", ".join(CONTRACT)
    found = run(f"from memex_core.wikimem import {names}; print(*(type(it).__name__ for it in ({names})))")
    assert len(found.split()) == len(CONTRACT)
    assert "module" not in found.split()


def test_every_module_of_the_contract_is_there() -> None:
    wanted = [f"memex_core.wikimem.{module}" for module in MODULES]
    loaded = run(f"import importlib; print(*(importlib.import_module(name).__name__ for name in {wanted}))")
    assert loaded.split() == wanted


def test_functions_stay_functions_when_the_module_of_their_name_is_loaded() -> None:
    code = (
        "import memex_core.wikimem.tokenize, memex_core.wikimem.memorize; from memex_core import wikimem;"
        "print(callable(wikimem.tokenize), callable(wikimem.memorize))"
    )
    assert run(code) == "True True"


def test_the_face_works_with_pythons_own_packages_alone() -> None:
    """Everything but meaning: nothing that must be installed is loaded, and vectors are not either."""
    code = """
import sys, tempfile
from memex_core.wikimem import MemoryIndex, MemoryStore
store = MemoryStore(tempfile.mkdtemp())
store.add("work", "job", "robots")
store.diary.append("a robot fell over", date="2026-07-21", time="10:00")
assert MemoryIndex(store).retrieve("robots").items[0].item.name == "job"
heavy = {"numpy", "openai", "textual", "rich", "httpx", "yaml", "jieba", "memex_core.wikimem.vectors"}
print(sorted(heavy & set(sys.modules)))
"""
    assert run(code) == "[]"


def test_vectors_are_not_exported_from_the_top() -> None:
    assert not {"VectorCache", "HttpEmbedder", "MemmapVectorIndex", "Embedder"} & set(wikimem.__all__)
    code = "import sys, memex_core.wikimem; print('memex_core.wikimem.vectors' in sys.modules)"
    assert run(code) == "False"
