"""The copies that a restore set aside, and what a purge takes out of them: they are the store's files too."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memex_core.files import atomic
from memex_core.files.reading import read_page

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

NAME = "pre-restore-"


def erase(layout: Layout, names: Iterable[str], *, ident: str = "") -> None:
    """Remove these files, as an archive names them (``docs/a.md``, ``transcripts/s.jsonl``), from every such
    folder, and the folders that are empty then. With ``ident`` a page of another id, which had the name
    before or since, stays. Raises WriteFailed."""
    kept = glob.glob(os.path.join(glob.escape(layout.state), f"{NAME}*"))
    wanted = sorted(names) if kept else []
    for folder in kept:
        for name in wanted:
            file = os.path.join(folder, *name.split("/"))
            try:
                if ident and _is_another(atomic.read_file(file), ident):
                    continue
                os.unlink(file)
                while (file := os.path.dirname(file)) != layout.state:
                    os.rmdir(file)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                if os.path.isfile(file):
                    raise atomic.failure(file, error) from error


def _is_another(data: bytes, ident: str) -> bool:
    own = read_page("a.md", data).id
    return bool(own) and own != ident
