"""Changing the user's rules of the recall gate: what the command line and the app write."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from memex_core.actions.store import Store
from memex_core.model.errors import BadInput, NotFound, Refused
from memex_core.recall.gate import editing, history, overlay, quarantine, thresholds
from memex_core.recall.gate.adding import check_new
from memex_core.recall.gate.changing import Changed, change
from memex_core.recall.gate.intents import INTENTS
from memex_core.recall.gate.probe import too_slow
from memex_core.recall.gate.rules import KNOWN, file_of, read_file


def add(
    store: Store,
    intent: str,
    pattern: str,
    *,
    flags: str = "i",
    note: str = "",
    expect: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Add an own rule. BadInput for one that is no expression, Refused for one that is too slow or there."""
    if intent not in INTENTS:
        raise BadInput(f"{intent!r} is no intent", hint=f"one of {', '.join(INTENTS)}")
    one = overlay.pattern_of(intent, pattern, flags, " ".join(note.split()))
    check_new(
        store.scrubber(),
        f"{pattern}\n{note}",
        overlay.why_refused(one),
        "it is a regular expression as Python reads it",
        lambda: too_slow(one),
    )
    file = file_of(store.layout)

    def make(data: bytes) -> bytes:
        if any(known.id == one.id for known in overlay.read(data, file, KNOWN).patterns):
            raise Refused(f"that rule is there already: {one.id}", hint="`memex gate show` lists them")
        return editing.with_pattern(data or editing.HEADER.encode(), one, file)

    return _told(store, change(store.layout, make, expect=expect, dry_run=dry_run), dry_run, id=one.id)


def disable(store: Store, id: str, *, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Switch a built-in or own rule off; it stays where it is. NotFound for an unknown id."""
    file = file_of(store.layout)

    def make(data: bytes) -> bytes:
        _check_known(id, data, file)
        return editing.with_disabled(data or editing.HEADER.encode(), id, file)

    return _told(store, change(store.layout, make, expect=expect, dry_run=dry_run), dry_run, id=id)


def enable(store: Store, id: str, *, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Switch a rule on again."""
    file = file_of(store.layout)

    def make(data: bytes) -> bytes:
        if id not in overlay.read(data, file, KNOWN).disable:
            _check_known(id, data, file)
        return editing.without_disabled(data, id, file)

    return _told(store, change(store.layout, make, expect=expect, dry_run=dry_run), dry_run, id=id)


def set_threshold(
    store: Store, threshold: str, value: Any, *, expect: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Set a threshold; ``default`` as value gives it back to memex."""
    if threshold not in thresholds.DEFAULTS:
        raise BadInput(f"{threshold!r} is no threshold", hint=f"one of {', '.join(thresholds.DEFAULTS)}")
    number = None if value == "default" else _number(threshold, value)
    file = file_of(store.layout)

    def make(data: bytes) -> bytes:
        if number is None and not data:
            return data
        return editing.with_threshold(data or editing.HEADER.encode(), threshold, number, file)

    done = change(store.layout, make, expect=expect, dry_run=dry_run)
    shown = thresholds.DEFAULTS[threshold] if number is None else number
    return _told(store, done, dry_run, threshold=threshold, value=shown)


def reset(store: Store, *, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Give all own rules up; the file as it was is kept for ``rollback``."""
    empty = editing.HEADER.encode()
    done = change(
        store.layout,
        lambda data: empty if data else data,
        expect=expect,
        dry_run=dry_run,
        sound=False,
    )
    return _told(store, done, dry_run)


def rollback(
    store: Store, *, to: int | None = None, expect: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Put a kept state of the file back, by default the one that was replaced last."""
    kept = history.snapshots(store.layout)
    if not kept:
        raise NotFound("the gate's rules were never changed here", hint="there is nothing to go back to")
    number = kept[0].number if to is None else to
    data = history.read(store.layout, number)
    done = change(store.layout, lambda _: data, expect=expect, dry_run=dry_run, sound=False)
    return _told(store, done, dry_run, to=number)


def set_aside(
    store: Store,
    action: str | None = None,
    id: str | None = None,
    *,
    all: bool = False,
    dry_run: bool = False,
) -> dict[str, Any]:
    """The own rules that took too long; with ``action`` "clear" one or all of them may try again."""
    if action not in (None, "clear"):
        raise BadInput(f"{action!r} is no action on the quarantine", hint="clear")
    cleared: list[str] = []
    if action == "clear":
        if bool(id) == all:
            raise BadInput("which rule is to be released?", hint="give its id, or --all")
        cleared = quarantine.clear(store.layout, id or None, dry_run=dry_run)
        if id and not cleared:
            raise NotFound(f"{id!r} is not in quarantine", hint="`memex gate quarantine` lists what is")
    return {"quarantine": quarantine.read(store.layout), "cleared": cleared, "dry_run": dry_run}


def _check_known(id: str, data: bytes, file: str) -> None:
    own = [pattern.id for pattern in overlay.read(data, file, KNOWN).patterns]
    if id in KNOWN or id in own:
        return
    near = get_close_matches(id, [*KNOWN, *own], 1, 0.6)
    hint = f"did you mean {near[0]}?" if near else "`memex gate show` lists them"
    raise NotFound(f"no rule has the id {id!r}", hint=hint)


def _number(threshold: str, value: Any) -> float:
    try:
        number: Any = float(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    why = thresholds.why_wrong(threshold, number)
    if why:
        raise BadInput(f"{why}, not {value!r}", hint="or `default`")
    return int(number) if isinstance(thresholds.DEFAULTS[threshold], int) else number


def _told(store: Store, done: Changed, dry_run: bool, **more: Any) -> dict[str, Any]:
    """What a change did; ``revision`` is what the next one may ``expect``."""
    file = file_of(store.layout)
    warnings: list[str] = []
    if not dry_run:
        found = overlay.read(read_file(store.layout) or b"", file, KNOWN)
        warnings = [str(problem) for problem in (*found.problems, *found.warnings)]
    return {
        **more,
        "file": file,
        "changed": done.before != done.after,
        "was": done.before,
        "revision": done.after,
        "kept": done.kept,
        "dry_run": dry_run,
        "warnings": warnings,
    }
