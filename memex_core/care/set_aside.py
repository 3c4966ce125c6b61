"""The copies that a restore set aside, and what a purge takes out of them: they are the store's files too."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memex_core.files import atomic
from memex_core.files.reading import read_page
from memex_core.model.errors import Refused

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

NAME = "pre-restore-"


def erase(layout: Layout, names: Mapping[str, str]) -> None:
    """Remove these files, as an archive names them (``docs/a.md``, ``transcripts/s.jsonl``), from every such
    folder, and the folders that are empty then. A name comes with the id of its page, or with nothing: a page
    of another id, which had the name before or since, stays. Raises WriteFailed."""
    kept = glob.glob(os.path.join(glob.escape(layout.state), f"{NAME}*"))
    wanted = sorted(names) if kept else []
    for folder in kept:
        if os.path.islink(folder):
            continue
        for name in wanted:
            try:
                file = atomic.inside(folder, name)
                if names[name] and _is_another(atomic.read_file(file), names[name]):
                    continue
                os.unlink(file)
                while (file := os.path.dirname(file)) != layout.state:
                    os.rmdir(file)
            except (FileNotFoundError, NotADirectoryError, Refused):
                continue  # not there, or a link on the way to it: no restore made that
            except OSError as error:
                if os.path.isfile(file):
                    raise atomic.failure(file, error) from error


def _is_another(data: bytes, ident: str) -> bool:
    own = read_page("a.md", data).id
    return bool(own) and own != ident
