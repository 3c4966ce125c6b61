"""Whose writes wait for a person, what only a person may do, and what a person has refused before.

``[governance] knowledge_approval = "manual"`` (the default) holds back what agents and programs write:
a new page is a draft, a change of a page that is in use is proposed (:mod:`.proposal`).
``approval = "manual"`` does the same to what a person writes on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.model.actor import is_agent, is_person
from memex_core.model.errors import Refused
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.commit import Edit

OWN_WORD = frozenset(
    ("status", "verified", "generated", "id", "sources", "supersedes", "proposes", "basis", "deferred")
)
"""Front matter that says who stands for a page, or what is proposed: not for an agent to set."""

_PERSONS_ACTS = {
    "rename": "renames pages",
    "restore": "takes changes back",
    "purge": "erases pages",
    "scope": "moves pages between tiers",
    "merge": "merges pages",
}
"""Journal action -> what a person does; an agent could undo a review by each."""

_SHORT = 24  # letters; a text this short says little without its title


def waits(store: Store) -> bool:
    """Whether what the store's actor writes waits for review."""
    rules = store.config.governance
    if is_person(store.actor):
        return store.typed and rules.approval == "manual"
    return rules.knowledge_approval == "manual"


def check_act(store: Store, action: str, edits: Sequence[Edit]) -> None:
    """Raise Refused for an act that would go round the review when an agent does it: the last word on what
    an agent changes, whichever way it came."""
    if not is_agent(store.actor) or not waits(store):
        return
    does = _PERSONS_ACTS.get(action, "")
    for edit in edits:
        if edit.before is not None and not does:
            page = store.page(edit.moved_from or edit.path, edit.before)
            does = "" if page.status == "draft" or page.type == "episode" else "changes pages in use"
    if does:
        raise Refused(
            f"only a person {does} here", hint='[governance] knowledge_approval = "auto" lets agents'
        )


def check_reviewer(store: Store) -> None:
    """Raise Refused when an agent would judge: nobody approves his own writing by another name."""
    if is_agent(store.actor):
        raise Refused("an agent cannot review", hint="a person does that, as with `memex approve`")


def check_keys(store: Store, keys: Iterable[str]) -> None:
    """Raise Refused when an agent would set front matter that is a person's word."""
    own = sorted(key for key in keys if key.lower() in OWN_WORD)
    if own and is_agent(store.actor):
        raise Refused(
            f"{' and '.join(own)} cannot be set by an agent",
            hint="a person does that, as with `memex approve`",
        )


# -- what was refused before -------------------------------------------------------------------


def marks_of(title: str, body: str, before: str = "") -> list[str]:
    """Digests by which a text is known again, whatever its spaces, letter case and punctuation.

    The first is of the whole text, a second one of the lines that it adds to ``before``.
    """
    from memex_core.files.atomic import digest

    whole = _letters(body)
    texts = [whole if len(whole) >= _SHORT else f"{_letters(title)} {whole}"]
    if before:
        known = {_letters(line) for line in before.split("\n")}
        added = " ".join(words for line in body.split("\n") if (words := _letters(line)) not in known)
        if len(added) >= _SHORT and added != whole:
            texts.append(added)
    return [digest(text.encode()) for text in texts]


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))


def check_not_refused(store: Store, title: str, body: str, before: str = "") -> None:
    """Raise Refused when a person has rejected this text before. A person may write it all the same."""
    if is_person(store.actor):
        return
    marks = marks_of(title, body, before)
    for event in rejections(store):
        if set(marks) & set(event["detail"].get("marks", ())):
            why = event["detail"].get("why") or "no reason given"
            raise Refused(
                f"this text was rejected on {event['ts'][:10]}: {why}",
                hint="do not propose it again; a person may write it",
            )


def rejections(store: Store) -> list[Any]:
    """The journal's rejections that nobody has taken back, newest first."""
    found, undone = [], set()
    for event in store.journal.read(reverse=True, holding=(b'"rejected": true', b'"reverted": ')):
        detail = event["detail"]
        if event["action"] == "restore":
            undone.add(detail.get("reverted"))
        elif detail.get("rejected") is True and detail.get("group") not in undone:
            found.append(event)
    return found
