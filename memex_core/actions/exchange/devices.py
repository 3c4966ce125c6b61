"""The devices that sync knows of: what each has told, and a way to forget one that is no more."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.exchange.syncing import check_person
from memex_core.care.sync import meeting, record, share
from memex_core.care.sync.archive import opened
from memex_core.care.sync.record import HERE, State
from memex_core.files import atomic
from memex_core.model.errors import Ambiguous, MemexError, NotFound, Refused
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.store import Store


def status(store: Store) -> dict[str, Any]:
    """Whether sync is on, what waits to be told, and what is known of the other devices.

    ``label`` is a device's name, with the start of its id where another one has the same name; ``file`` is
    its archive, empty where none lies where the devices meet.
    """
    state = record.load(store.layout)
    known, problems = _known(state)
    was = (state.exported.get("print"), state.exported.get("target"))
    shared = share.gather(store.layout, state)
    return {
        "enabled": state.enabled,
        "target": state.target,
        "device": state.device,
        "name": state.name,
        "label": state.labels(_names(known))[state.device],
        "pages": sum(1 for one in state.pages.values() if one.life == HERE),
        "unexported": state.enabled and was != (share.content_print(shared), state.target),
        "exported": state.exported.get("at", ""),
        "imported": state.imported_at,
        "devices": sorted(known.values(), key=lambda one: str(one["label"])),
        "problems": problems,
        "aliases": {here: there for there, here in state.aliases.items()},
    }


def forget(store: Store, device: str, *, dry_run: bool = False) -> dict[str, Any]:
    """Know no more of another device, by its name or the start of its id; its archive goes where the
    devices meet. What came from it stays. A device that still lives is back with its next export.

    Raises Refused while its archive holds what is not imported here, NotFound, and Ambiguous naming those
    of that name.
    """
    check_person(store)
    with store.alone(unless=dry_run):
        state = record.load(store.layout)
        found = _named(state, _known(state)[0], device)
        file = str(found["file"])
        if found["new"]:
            raise Refused(
                f"{found['label']} has told what is not here yet", hint="memex sync import comes first"
            )
        if file and file == state.target:
            raise Refused(f"{file} holds what it told", hint="memex sync export comes first")
        if not dry_run:
            if file:
                _remove(file)
            state.peers.pop(str(found["device"]), None)
            record.save(store.layout, state)
    return {key: found[key] for key in ("device", "name", "label", "file")} | {"dry_run": dry_run}


def _known(state: State) -> tuple[dict[str, dict[str, Any]], list[dict[str, str]]]:
    """The other devices by their ids, and what could not be read."""
    known = {
        device: {"device": device, "name": told["name"], "imported": told["at"], "new": False, "file": ""}
        for device, told in state.peers.items()
    }
    problems = []
    try:
        files = meeting.archives(state.target) if state.enabled else []
    except MemexError as error:
        files, problems = [], [{"file": state.target, "reason": str(error)}]
    for file in files:
        try:
            with opened(file) as found:
                if found.device == state.device:
                    continue
                seen = state.peers.get(found.device, {}).get("count", -1)
                one = {"device": found.device, "name": found.name, "imported": ""}
                known[found.device] = {
                    **known.get(found.device, one),
                    "new": found.number > seen,
                    "file": file,
                    "exported": found.manifest["at"],
                }
        except MemexError as error:
            problems.append({"file": file, "reason": error.message})
    labels = state.labels(_names(known))
    for device, one in known.items():
        one["label"] = labels[device]
    return known, problems


def _names(known: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {device: str(one["name"]) for device, one in known.items()}


def _named(state: State, known: dict[str, dict[str, Any]], wanted: str) -> dict[str, Any]:
    """The device that a person means: by its label, its name, or the start of its id."""
    begins = {key: key[: len(wanted)] if len(wanted) >= 4 else "" for key in known}
    for words in (
        {key: str(one["label"]) for key, one in known.items()},
        {key: str(one["name"]) for key, one in known.items()},
        begins,
    ):
        found = [known[key] for key, word in words.items() if fold(word) == fold(wanted)]
        if len(found) > 1:
            labels = sorted(str(one["label"]) for one in found)
            raise Ambiguous(
                f"{wanted!r} names {len(found)} devices", labels, hint=f"say {' or '.join(labels)}"
            )
        if found:
            return found[0]
    if wanted and (fold(wanted) == fold(state.name) or state.device.startswith(wanted.lower())):
        raise Refused(f"{wanted} is this device", hint="`memex sync disable` turns sync off here")
    raise NotFound(f"no device {wanted!r} is known", hint="`memex sync status` lists them")


def _remove(file: str) -> None:
    try:
        os.unlink(file)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise atomic.failure(file, error) from error
