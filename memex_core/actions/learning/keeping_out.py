"""The user's rules of extraction at the places where machines write: pages, diary entries, episode pages.

What a person writes by hand is never held back. A machine's text that a rule keeps out is refused, and so is
every one while the rules do not load or cannot be tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.model.actor import is_person
from memex_core.model.errors import MemexError, Refused
from memex_core.model.evidence import parse_resource

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.commit import Edit
    from memex_core.learn.extract_rules import Rules, Text, Verdict
    from memex_core.model.page import Page

_HELD = "`memex rules validate` checks the rules; a person may write it by hand"
_HINT = "`memex rules show` lists the rules; a person may write it by hand"


def check_edits(store: Store, action: str, edits: Sequence[Edit], detail: Mapping[str, Any]) -> None:
    """Raise Refused when one of the edits is a machine's and says what a rule keeps out.

    An episode page (``ingest``) is made of turns that were looked at already, see :func:`quotable`.
    """
    if action == "ingest":
        return
    written = [edit for edit in edits if edit.after is not None and edit.after != edit.before]
    if is_person(store.actor):
        written = [edit for edit in written if _made_by_machine(store, action, edit, detail)]
    rules = _in_force(store) if written else None
    if rules is None:
        return
    from memex_core.learn.extract_rules import Checker

    with Checker(rules) as checker:
        for edit in written:
            page = store.page(edit.path, edit.after)
            texts = list(texts_of(store, page))
            known = [text for old in _before(store, edit, page) for text in texts_of(store, old)]
            _refuse(checker.check(texts, project=page.project, known=known))


def _in_force(store: Store) -> Rules | None:
    """The rules that may hold something back; None, and nothing loaded, in the usual store without any."""
    try:
        os.lstat(os.path.join(store.layout.rules, "extract.toml"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        pass  # there may be some: reading them says why it cannot be done
    from memex_core.learn.extract_rules import load

    rules = load(store.layout)
    return None if rules.silent else rules


def _made_by_machine(store: Store, action: str, edit: Edit, detail: Mapping[str, Any]) -> bool:
    """Whether a person's command made a page that a program or a model signs, as extraction does."""
    if action != "add" or edit.before is not None or edit.after is None or "import" in detail:
        return False
    signed = store.page(edit.path, edit.after).front.get("generated")
    by = signed.get("by") if isinstance(signed, dict) else None
    return isinstance(by, str) and bool(by) and not is_person(by)


def _before(store: Store, edit: Edit, page: Page) -> Iterator[Page]:
    """What was said before: by the page itself, or by the page that a proposal would change."""
    from memex_core.actions.reviewing import proposal

    if edit.before is not None:
        yield store.page(edit.moved_from or edit.path, edit.before)
    found = proposal.read(store, edit.path, edit.after) if page.status == "draft" else None
    if found is not None and found.target:
        try:
            yield store.page(found.target)
        except MemexError:
            pass  # gone meanwhile: then it says nothing


def texts_of(store: Store, page: Page) -> Iterator[Text]:
    """What a page says, and the words that it cites as evidence; a source without words is its turn's."""
    from memex_core.learn.extract_rules import Text

    yield Text("text", page.path)
    yield Text("text", page.title)
    front = {key: value for key, value in page.front.items() if key != "sources"}
    yield Text("text", "\n".join(_flat(front)))
    yield Text("text", page.body)
    for source in page.sources:
        yield Text("evidence", source.quote or _turn(store, source.resource))
        yield Text("text", "\n".join((source.title, source.resource)))


def _turn(store: Store, resource: str) -> str:
    from memex_core.files import transcripts
    from memex_core.files.turns import text_of

    named = parse_resource(resource)
    if named is None or not named[1]:
        return ""
    try:
        turns = transcripts.read_turns(store.layout, named[0], named[1], named[1])
    except MemexError:
        return ""
    return text_of(turns[0]) if turns else ""


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _flat(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield str(value)


def check_words(store: Store, text: str, project: str = "") -> None:
    """Raise Refused for words that a machine would keep, such as a diary entry."""
    if is_person(store.actor):
        return
    rules = _in_force(store)
    if rules is not None:
        from memex_core.learn.extract_rules import Text, check

        _refuse(check([Text("text", text)], rules, project=project))


def quotable(
    store: Store, turns: Iterable[Mapping[str, Any]], project: str = "", *, held: list[str] | None = None
) -> Iterator[Mapping[str, Any]]:
    """The turns of a conversation, those that a rule keeps out without their words: they are still counted.

    All of them while the rules cannot be tried, since what is made of a conversation is a machine's; ``held``
    then takes the reasons.
    """
    rules = _in_force(store)
    if rules is None:
        yield from turns
        return
    from memex_core.learn.extract_rules import Checker, Text

    with Checker(rules) as checker:
        for turn in turns:
            said = "\n".join(str(turn.get(key) or "") for key in ("content", "query", "tool_name"))
            both = (Text("text", said), Text("evidence", said))
            verdict = checker.check(both, project=project)
            if verdict.held and held is not None:
                held.append(verdict.held)
            yield turn if verdict.ok else {**turn, "content": "", "query": None, "tool_name": None}


def _refuse(verdict: Verdict) -> None:
    if verdict.held:
        raise Refused(f"nothing was stored: {verdict.held}", hint=_HELD)
    if verdict.blocked:
        raise Refused(f"nothing was stored: {verdict.reason}", hint=_HINT)
