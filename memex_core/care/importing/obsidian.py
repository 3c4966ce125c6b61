"""An Obsidian vault: its notes come byte for byte, with folders and links as they are.

Links resolve as in the vault, since memex reads the same forms. Pictures, canvases and other files beside the
notes are named and stay where they are.
"""

from __future__ import annotations

from memex_core.care.importing.found import Found
from memex_core.care.importing.markdown import read as read_folder


def read(path: str) -> Found:
    """The notes of the vault at ``path``."""
    return read_folder(path)
