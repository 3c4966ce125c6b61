"""Whole texts to disk, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.actions.pages.put import put
from memex_core.files.atomic import digest
from memex_core.model.errors import Conflict, Refused

TEXT = b"---\ntitle: A\n---\nbody \xff\r\nend"


def test_a_file_that_is_gone_is_written_anew(memex: Any, root: Path) -> None:
    done = put(memex.store, "entities/a.md", TEXT, expect="whatever it was")
    assert (root / "docs/entities/a.md").read_bytes() == TEXT
    assert done["changed"]
    assert memex.show("A")["path"] == "entities/a.md"


def test_a_file_that_changed_is_kept(memex: Any, root: Path) -> None:
    put(memex.store, "a.md", b"one")
    with pytest.raises(Conflict, match=r"a\.md changed"):
        put(memex.store, "a.md", b"two", expect=digest(b"zero"))
    with pytest.raises(Conflict):
        put(memex.store, "a.md", b"two")
    assert (root / "docs/a.md").read_bytes() == b"one"
    put(memex.store, "a.md", b"two", expect=digest(b"one"))
    assert (root / "docs/a.md").read_bytes() == b"two"


def test_the_same_text_writes_nothing(memex: Any) -> None:
    put(memex.store, "a.md", b"one")
    assert not put(memex.store, "a.md", b"one", expect=digest(b"one"))["changed"]
    assert memex.history("a.md")["total"] == 1


def test_a_path_outside_is_refused(memex: Any) -> None:
    with pytest.raises(Refused):
        put(memex.store, "../a.md", b"x")
