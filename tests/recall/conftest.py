"""A folder of pages with its index, and short ways to ask it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core.files.layout import Layout, open_layout
from memex_core.index.index import Index
from memex_core.model.results import Hit, RecallResult
from memex_core.recall.recall import Options, search


class Vault:
    """Pages on disk. The index follows with each question."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / ".memex").mkdir()
        self._index: Index | None = None

    @property
    def layout(self) -> Layout:
        return open_layout(str(self.root))

    @property
    def index(self) -> Index:
        if self._index is None:
            self._index = Index.open(self.layout)
        self._index.refresh()
        return self._index

    def write(self, path: str, text: str = "", **front: str) -> Path:
        """A page; keywords become front matter keys (``valid_until="2026-01-01"``)."""
        file = self.root / (path if path.endswith(".md") else f"{path}.md")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{key}: {value}\n" for key, value in front.items())
        file.write_text((f"---\n{lines}---\n" if front else "") + text + "\n", encoding="utf-8")
        return file

    def recall(self, query: str, **options: Any) -> RecallResult:
        options.setdefault("count", False)
        return search(self.index, query, Options(**options))

    def hits(self, query: str, **options: Any) -> list[Hit]:
        return self.recall(query, **options)["hits"]

    def slugs(self, query: str, **options: Any) -> list[str]:
        """The slugs found, best first."""
        return [hit["slug"] for hit in self.hits(query, **options)]

    def found(self, query: str, **options: Any) -> set[str]:
        return set(self.slugs(query, **options))

    def close(self) -> None:
        if self._index is not None:
            self._index.close()


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = Vault(tmp_path / "vault")
    yield made
    made.close()
