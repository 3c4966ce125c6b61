"""One file's way through the journal, back through the names that it had.

A journal of a thousand pages' changes says little of one of them: a line in which the file's name does not
stand is passed by unparsed, for parsing it would mean reading a whole page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .journal import event_of, written

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from memex_core.model.results import Event

    from .journal import Journal


def trail(journal: Journal, file: str, *, but: Collection[str] = ()) -> Iterator[Event]:
    """The events of the file called ``file`` now, newest first, followed back through its renames.

    They end where another file had that name and moved away. Actions in ``but`` are passed by. Raises
    Unreachable as :meth:`Journal.read` does.
    """
    name = written(file)
    for line in journal.lines(reverse=True):
        if name not in line:
            continue
        event = event_of(line)
        if event is None or event["action"] in but:
            continue
        came_from = event["detail"].get("from")
        if event["file"] == file:
            yield event
            if isinstance(came_from, str):
                file, name = came_from, written(came_from)
        elif came_from == file:
            return
