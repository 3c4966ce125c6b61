"""The one way a page is written, moved or removed: all of an act's files, or none of them.

An act is noted first (:mod:`memex_core.files.intent`), then done file by file; then its lines join
the journal and the note is cleared. Every file is compared with what the caller read, under the
store's lock, so that nobody's text is overwritten unseen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.model import clock
from memex_core.model.errors import AlreadyExists, Conflict, Locked, Refused, WriteFailed

from . import atomic, flushing, intent
from .ignore import is_canvas
from .journal import Journal, before_of, line_of
from .layout import Layout
from .lock import StoreLock
from .scan import is_page

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.results import Event

_TOGETHER = 8
"""Files of an act from which their bytes go to the disk at once."""


class Edit(NamedTuple):
    """One file of an act. Paths are POSIX, relative to the page folder.

    ``before`` is what the caller read (None: the page must not exist), ``after`` what it shall be
    (None: removed). With ``moved_from`` the page of that name, whose bytes are ``before``, becomes
    ``path`` with the bytes ``after``, and stays the same file to the system.
    """

    path: str
    before: bytes | None
    after: bytes | None
    moved_from: str = ""


class Written(NamedTuple):
    """What an act has made of a file: its bytes, and the stat that belongs to them."""

    data: bytes
    at: os.stat_result


def commit(
    layout: Layout,
    edits: Iterable[Edit],
    *,
    action: str,
    item: str,
    actor: str,
    detail: dict[str, Any] | None = None,
    scrubber: Scrubber | None = None,
    written: dict[str, Written] | None = None,
) -> list[Event]:
    """Do ``edits`` in order, all or nothing; returns their journal events.

    Each event's ``detail`` is ``detail`` plus ``group`` (the first event's number), ``after`` (the
    digest of the new bytes, None when removed), for a move ``from``, and ``redacted``: how many
    secrets of which kind the act was scrubbed of. An edit that changes nothing is left out.
    ``scrubber`` holds what the caller scrubbed already; what is restored comes back as it was.
    ``written`` is told what the files hold now that kept their names, so that nobody has to read them.

    Raises, with no file changed: Refused for a path outside the pages, AlreadyExists, Conflict when
    a file is no longer what ``before`` says, Locked, and WriteFailed when the disk refuses.
    """
    wanted = [edit for edit in edits if edit.before != edit.after or edit.moved_from]
    detail = dict(detail or {})
    if wanted and action != "restore":
        scrubber = scrubber or _scrubber(layout)
        wanted, detail = _scrubbed(wanted, detail, scrubber, together=action == "merge")
    if not wanted:
        return []
    layout.ensure_state()
    with StoreLock(layout.lock):
        if layout.interrupted:
            intent.settle(layout)
        _check(layout, wanted)
        journal = Journal(layout)
        events = _events(wanted, journal.end() + 1, action, item, actor, detail)
        lines = b"".join(line_of(event, event["seq"]) for event in events)
        plan = intent.Intent(events, _missing_folders(layout, wanted))
        intent.write(layout, plan, lines)
        try:
            contents = _apply(layout, wanted)
            with flushing.syncing_folders(_touched(layout, wanted, plan.made)):
                journal.append_lines(lines)
        except BaseException:
            if journal.end() < events[0]["seq"]:
                intent.undo(layout, plan)
            intent.clear(layout)
            raise
        intent.clear(layout)
    if written is not None:
        written |= _as_written(wanted, contents)
    return events


def recover(layout: Layout) -> list[Event]:
    """Finish or undo what a killed process left half done; returns the events it had to add.

    Costs one stat when there is nothing to do. A live writer is not disturbed, and on a disk that
    cannot be written everything stays as it is: reading goes on.
    """
    if not layout.interrupted:
        return []
    try:
        with StoreLock(layout.lock, timeout=0):
            return intent.settle(layout) if layout.interrupted else []
    except (Locked, WriteFailed):
        return []


def _scrubber(layout: Layout) -> Scrubber:
    from .scrubbing import Scrubber

    return Scrubber.load(layout)


def _scrubbed(
    edits: Sequence[Edit], detail: dict[str, Any], scrubber: Scrubber, *, together: bool
) -> tuple[list[Edit], dict[str, Any]]:
    """The edits and what is noted of them without secrets. What a page held before stays in it; with
    ``together``, what any of the pages held may stay in any."""
    detail = scrubber.value(detail)
    done: list[Edit] = []
    every = [edit.before for edit in edits if together]
    for edit in edits:
        if (edit.before is None or edit.moved_from) and scrubber.holds(edit.path):
            raise Refused("the file name would hold a secret", hint="give another title or slug")
        if edit.after is not None:
            known = every or [edit.before]
            edit = edit._replace(after=scrubber.file(edit.after, *filter(None, known)))
        if edit.before != edit.after or edit.moved_from:
            done.append(edit)
    return done, {**detail, **({"redacted": dict(scrubber.counts)} if scrubber.counts else {})}


def _check(layout: Layout, edits: Sequence[Edit]) -> None:
    """Compare every file with what the caller read, as the earlier edits will leave the names."""
    freed: set[str] = set()
    used: set[str] = set()
    for edit in edits:
        source = edit.moved_from or edit.path
        for path in {edit.path, source}:
            atomic.inside(layout.pages, path)
            if not is_page(layout, path) and not (edit.before and is_canvas(path)):
                raise Refused(f"{path} is no page's name", hint="it is hidden, reserved or ignored")
        if edit.before is not None:
            if source in used:
                raise Refused(f"{source} is changed twice in one act")
            _compare(layout, source, edit.before)
        if edit.moved_from and (edit.before is None or edit.after is None):
            raise Refused(f"a move of {source} needs its bytes before and after")
        if (edit.before is None or edit.moved_from) and edit.path not in freed:
            _must_be_free(layout, edit)
        if edit.moved_from:
            _keep_link(layout, edit)
        used |= {edit.path, source}
        if edit.after is None or edit.moved_from:
            freed.add(source)
        freed.discard(edit.path if edit.after is not None else "")


def _compare(layout: Layout, path: str, before: bytes) -> None:
    hint = "nothing was written; read it again and repeat the change"
    try:
        now = atomic.read_file(layout.file_path(path))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise Conflict(f"{path} is gone since it was read", hint=hint) from None
    except OSError as error:
        raise atomic.failure(layout.file_path(path), error) from error
    if now != before:
        raise Conflict(f"{path} changed since it was read", hint=hint)


def _must_be_free(layout: Layout, edit: Edit) -> None:
    target = layout.file_path(edit.path)
    if not os.path.lexists(target):
        return
    if edit.moved_from and intent.only_spelling(edit.path, edit.moved_from):
        source = layout.file_path(edit.moved_from)
        if os.path.exists(source) and os.path.samefile(source, target) and not intent.named(target):
            return  # the same file on a disk that ignores case
    raise AlreadyExists(f"{edit.path} is there already", hint="nothing was written")


def _keep_link(layout: Layout, edit: Edit) -> None:
    source = layout.file_path(edit.moved_from)
    stays = os.path.dirname(edit.path) == os.path.dirname(edit.moved_from)
    if not stays and os.path.islink(source) and not os.path.isabs(os.readlink(source)):
        raise Refused(f"{edit.moved_from} is a relative link", hint="move the file it points to")


def _events(
    edits: Sequence[Edit], first: int, action: str, item: str, actor: str, detail: dict[str, Any]
) -> list[Event]:
    now = clock.stamp()
    events: list[Event] = []
    for seq, edit in enumerate(edits, first):
        after = None if edit.after is None else atomic.digest(edit.after)
        more: dict[str, Any] = {"group": first, "after": after}
        if edit.moved_from:
            more["from"] = edit.moved_from
        events.append(
            {
                "seq": seq,
                "ts": now,
                "action": action,
                "file": edit.path,
                "item": item,
                "actor": actor,
                "before": before_of(edit.before),
                "detail": {**detail, **more},
            }
        )
    return events


def _missing_folders(layout: Layout, edits: Sequence[Edit]) -> list[str]:
    """Folders that the edits need and that are not there, outermost first."""
    missing: list[str] = []
    for edit in edits:
        folder, needed = os.path.dirname(edit.path), []
        while folder and folder not in missing and not os.path.isdir(layout.file_path(folder)):
            needed.append(folder)
            folder = os.path.dirname(folder)
        missing += reversed(needed)
    return missing


def _apply(layout: Layout, edits: Sequence[Edit]) -> list[atomic.Staged | None]:
    """Change the files; returns what was staged for each edit.

    Every new content is on the disk before the first name changes, so that a full disk is found
    out while there is nothing to undo.
    """
    staged: list[atomic.Staged | None] = []
    together = len(edits) >= _TOGETHER and os.name != "nt"  # Windows flushes only what is open for writing
    try:
        for edit in edits:
            staged.append(_stage(layout, edit, sync=not together))
        if together:
            atomic.flush(content for content in staged if content is not None)
        for edit, content in zip(edits, staged, strict=True):
            _publish(layout, edit, content)
    except BaseException:
        atomic.discard(one for one in staged if one is not None)
        raise
    return staged


def _touched(layout: Layout, edits: Sequence[Edit], made: Sequence[str]) -> Iterator[str]:
    """The absolute paths of the names that an act made, took away or gave other bytes."""
    for edit in edits:
        yield layout.file_path(edit.path)
        if edit.moved_from:
            yield layout.file_path(edit.moved_from)
    yield from map(layout.file_path, made)


def _as_written(edits: Sequence[Edit], contents: Sequence[atomic.Staged | None]) -> dict[str, Written]:
    return {
        edit.path: Written(edit.after, content.at)
        for edit, content in zip(edits, contents, strict=True)
        if edit.after is not None and content is not None and content.at is not None and not edit.moved_from
    }


def _stage(layout: Layout, edit: Edit, *, sync: bool) -> atomic.Staged | None:
    target = layout.file_path(edit.path)
    if edit.after is None:
        return None
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    except OSError as error:
        raise atomic.failure(target, error) from error
    if not edit.moved_from:
        return atomic.stage(target, edit.after, sync=sync)
    if edit.before == edit.after:
        return None
    source = layout.file_path(edit.moved_from)
    if os.path.islink(source):
        return atomic.stage(source, edit.after, sync=sync)  # the file it points to stays where it is
    return atomic.stage(target, edit.after, like=source, sync=sync)


def _publish(layout: Layout, edit: Edit, content: atomic.Staged | None) -> None:
    target = layout.file_path(edit.path)
    try:
        if edit.moved_from:
            intent.move(layout.file_path(edit.moved_from), target)
        elif edit.after is None:
            os.unlink(target)
    except OSError as error:
        raise atomic.failure(target, error) from error
    if content is not None:
        atomic.publish(content, new=edit.before is None)
