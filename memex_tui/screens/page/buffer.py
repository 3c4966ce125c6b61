"""A page as it is being edited: the text it grew from, the text it is now, and what the disk says since."""

from __future__ import annotations

from memex_core.files.atomic import digest
from memex_tui.screens.page.editor import Editable, editable
from memex_tui.screens.page.filetext import FileText


class Buffer:
    """The text of one page in the editor.

    ``digest`` is that of the bytes it was made from, None for a page without a file (a new one, or one
    that was deleted since). ``theirs`` are the bytes of a version that came from outside while this one
    was changed; until that is settled nothing is written over either.
    """

    def __init__(self, path: str, data: bytes | None, lines: list[str] | None = None) -> None:
        """``lines``: the text is another one already (it was found again after a crash)."""
        self.path = path
        self.base = FileText(data or b"")
        self.digest = digest(data) if data is not None else None
        self.text: Editable = editable(lines if lines is not None else self.base.lines)
        self.caret = (0, 0)
        self.top = 0
        self.theirs: bytes | None = None
        self.gone = data is None

    @property
    def lines(self) -> list[str]:
        """The text now; not to be changed."""
        return self.text.document.lines

    @property
    def dirty(self) -> bool:
        """Whether it is another text than the one it was made from (or has no file at all)."""
        return self.gone or self.lines != self.base.lines

    def data(self) -> bytes:
        """The file with this text: lines that were not edited keep their bytes."""
        return self.base.encode(self.lines)

    def rebase(self, data: bytes) -> None:
        """``data`` is on disk now, and this text grows from it."""
        self.base = FileText(data)
        self.digest = digest(data)
        self.theirs = None
        self.gone = False

    def lost(self) -> None:
        """The file was deleted: the text is kept, and saving writes it anew."""
        self.digest = None
        self.theirs = None
        self.gone = True
