"""Writing a rules file: one writer at a time, on the state that was seen, with the old one kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.files import atomic
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Conflict, Refused
from memex_core.recall.gate import history, overlay
from memex_core.recall.gate.rules import KNOWN, revision_of

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

Change = Callable[[bytes], bytes]


class Changed(NamedTuple):
    """``before`` and ``after`` are revisions; ``kept`` the number of the snapshot of what was (0: none)."""

    before: str
    after: str
    kept: int


class Document(NamedTuple):
    """A rules file: ``rules/<name>.toml``. ``called`` and ``look`` (a command that shows it) are for people;
    ``problems`` finds what makes the bytes of a file inapplicable."""

    name: str
    called: str
    look: str
    problems: Callable[[bytes, str], Sequence[object]]

    def file(self, layout: Layout) -> str:
        """Where the file stands, there or not."""
        return os.path.join(layout.rules, f"{self.name}.toml")

    def read(self, layout: Layout) -> bytes | None:
        """The file's bytes; None when there is none. Raises OSError."""
        try:
            return atomic.read_file(self.file(layout))
        except (FileNotFoundError, NotADirectoryError):
            return None


GATE = Document(
    "gate", "the gate's rules", "memex gate", lambda data, file: overlay.read(data, file, KNOWN).problems
)


def change(
    layout: Layout,
    make: Change,
    *,
    expect: str | None = None,
    dry_run: bool = False,
    sound: bool = True,
    of: Document = GATE,
) -> Changed:
    """Replace the file by what ``make`` makes of it, which must read without errors unless not ``sound``.

    ``expect`` is the revision that was seen: Conflict when another one is there. Raises Damaged or Refused
    for a file that cannot be changed, Refused for a result with errors, Locked, WriteFailed.
    """
    if dry_run:
        return _changed(layout, make, expect, True, sound, of)
    layout.ensure_state()
    with StoreLock(layout.lock):
        return _changed(layout, make, expect, False, sound, of)


def _changed(
    layout: Layout, make: Change, expect: str | None, dry_run: bool, sound: bool, of: Document
) -> Changed:
    file = of.file(layout)
    try:
        data = of.read(layout)
    except OSError as error:
        raise atomic.failure(file, error) from error
    revision = revision_of(data)
    if expect is not None and expect != revision:
        raise Conflict(
            f"{of.called} have changed: their revision is {revision or 'none'}, not {expect or 'none'}",
            hint=f"look at `{of.look} show` and try again",
        )
    before = data or b""
    after = make(before)
    problems = of.problems(after, file) if sound else []
    if problems:
        raise Refused(str(problems[0]), hint=f"correct the file first, or `{of.look} rollback`")
    if after == before:
        return Changed(revision, revision, 0)
    kept = 0
    if not dry_run:
        target = atomic.inside(layout.state, f"rules/{of.name}.toml")
        kept = history.keep(layout, before, of.name)
        atomic.write(target, after)
    return Changed(revision, revision_of(after), kept)
