"""What waits in the Review area: items in groups, counted by kind, and how each is told in words.

Plain functions over the core; those that take a ``Memex`` are called in a lane of the gateway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.memex import Memex
from memex_core.model.errors import NotFound
from memex_tui.render.text import counted, printable
from memex_tui.screens.review.hunks import Change

KINDS = ("draft", "change", "conflict", "dispute")
WORDS = {"draft": "new", "change": "change", "conflict": "conflict", "dispute": "dispute"}
PLURALS = {"draft": "new", "change": "changes", "conflict": "conflicts", "dispute": "disputes"}
SIGNS = {
    "draft": ("+", "good"),
    "change": ("~", "accent"),
    "conflict": ("⇄", "warn"),
    "dispute": ("!", "bad"),
}
FAILING = ("secrets", "target")  # checks that do not let one accept without a second thought
GROUPINGS = ("session", "page", "agent", "")
HOW_THEY_COME = (
    "Nothing waits for you.\n\n"
    "What an agent writes is a draft until somebody looked: it comes here, with the turns it rests on. So "
    "does an agent's edit of a page that is in force: the page stays as it is, the edit waits.\n\n"
    "Here too come pages that exist in two versions, and sources that somebody disputes (! in Sources).\n\n"
    "“What agents write” in Settings, Memory, says whether they have to wait."
)


class Check(NamedTuple):
    """Something that was looked at before you: ``state`` is ``ok``, ``warn`` or ``fail``."""

    name: str
    state: str
    detail: str


class Proof(NamedTuple):
    """Words of a turn that a proposal rests on. ``found`` is None for what cannot be looked up; without a
    ``quote`` the ``text`` of the turn says what was meant. ``doubt`` is who disputes it, and why."""

    id: str
    lane: str
    session: str
    turn: int
    quote: str
    role: str
    ts: str
    found: bool | None
    resource: str
    title: str
    text: str
    doubt: str
    number: int

    @property
    def key(self) -> str:
        return f"{self.number} {self.resource}"


class Key(NamedTuple):
    """A front matter key that a change sets, with its values as they are shown; of a list what is added."""

    name: str
    before: str
    after: str


class Item(NamedTuple):
    """Something to decide. ``target`` is the slug (and ``target_path`` the path) of the page that a change is
    about, or that a disputed page contradicts. The rest is known once the item was read: ``before`` and
    ``after`` are texts of a page, ``forget`` is the way in which a page shall be forgotten (empty: it shall
    not), ``why`` says why one should look."""

    id: str
    kind: str
    slug: str
    path: str
    title: str
    type: str
    by: str
    at: str
    scope: str
    project: str
    session: str
    why: str
    target: str
    target_path: str
    target_digest: str
    before: str
    after: str
    forget: str
    digest: str
    evidence: tuple[Proof, ...] = ()
    checks: tuple[Check, ...] = ()
    keys: tuple[Key, ...] = ()
    deferred: bool = False

    @property
    def version(self) -> tuple[str, ...]:
        """Its name, and the texts that it is about as they were when it was told."""
        return self.id, self.digest, self.target_digest

    @property
    def page(self) -> str:
        """The slug of the page that it is about."""
        return self.target or self.slug

    @property
    def partly(self) -> bool:
        """Whether a part of its text can be accepted."""
        return self.kind != "dispute" and not self.forget

    @property
    def sessions(self) -> Sequence[str]:
        """The conversations behind it, its own first."""
        named = [self.session, *(one.session for one in self.evidence)]
        return [one for one in dict.fromkeys(named) if one]


class Queue(NamedTuple):
    """All that waits. ``titles`` names the conversations that are known."""

    items: tuple[Item, ...] = ()
    total: int = 0
    titles: Mapping[str, str] = {}


class Row(NamedTuple):
    """A row of the list: an item, or the head of a group with the items in it."""

    item: Item | None
    name: str = ""
    about: str = ""
    members: tuple[Item, ...] = ()

    @property
    def key(self) -> str:
        return self.item.id if self.item is not None else f"group {self.name}"


# -- loading -----------------------------------------------------------------------------------


def load(memex: Memex, known: Mapping[str, str] | None = None) -> Queue:
    """All that waits, in short: :func:`read` has the texts of one item. ``known`` are titles of conversations
    that need not be looked up again."""
    memex.store.look_again()
    found = memex.waiting()
    items = tuple(item_of(one) for one in found["items"])
    titles = dict(known or {})
    for session in dict.fromkeys(session for one in items for session in one.sessions):
        if session in titles:
            continue
        try:
            titles[session] = memex.session(session, turns="1-1")["title"]
        except NotFound:
            continue
    return Queue(items, found["total"], titles)


def read(memex: Memex, item: Item) -> Item:
    """The item with its texts, without evidence and checks: :func:`look` has those."""
    return look(memex, item, brief=True)


def look(memex: Memex, item: Item, *, brief: bool = False) -> Item:
    """The item with all that is known of it. Raises NotFound when it does not wait any more."""
    found = memex.waiting_at(item.path, brief)
    if found is not None and found["id"] == item.id:
        return item_of(found)
    raise NotFound(f"“{item.title or item.slug}” does not wait any more")


_TEXTS = (
    "id kind slug path title type by at scope project why target target_path target_digest before after "
    "forget digest"
).split()


def item_of(found: Mapping[str, Any]) -> Item:
    """An item as the core tells it."""
    return Item(
        **{name: str(found.get(name) or "") for name in _TEXTS},
        session=str(found.get("session_id") or ""),
        evidence=tuple(_proof(one, at) for at, one in enumerate(found.get("evidence") or ())),
        checks=tuple(_check(one) for one in found.get("checks") or ()),
        keys=tuple(_key(one) for one in found.get("keys") or ()),
        deferred=bool(found.get("deferred")),
    )


def change_of(item: Item) -> Change:
    """The texts of an item against each other; a page that is only doubted stays as it is."""
    alone = item.kind == "dispute" and not item.target_path
    return Change(item.after if alone else item.before, item.after)


def _key(found: Mapping[str, Any]) -> Key:
    return Key(str(found.get("key") or ""), _value(found.get("before")), _value(found.get("after")))


def _value(value: object) -> str:
    """A value of front matter in a line; of a source or link what it names."""
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return str(
            value.get("resource")
            or value.get("target")
            or "; ".join(f"{k}: {_value(v)}" for k, v in value.items())
        )
    return "" if value is None else str(value)


def _proof(found: Mapping[str, Any], number: int) -> Proof:
    names = "id lane session quote role ts resource title text"
    texts: dict[str, Any] = {name: str(found.get(name) or "") for name in names.split()}
    turn, known, doubted = found.get("turn"), found.get("found"), found.get("disputed")
    doubt = ""
    if isinstance(doubted, Mapping):
        doubt = ": ".join(str(doubted[key]) for key in ("by", "why") if doubted.get(key)) or "somebody"
    return Proof(
        **texts,
        turn=turn if isinstance(turn, int) else 0,
        found=known if isinstance(known, bool) else None,
        doubt=doubt,
        number=number,
    )


def _check(found: Mapping[str, Any]) -> Check:
    name = str(found.get("name") or "")
    state = "ok" if found.get("ok") is True else "fail" if name in FAILING else "warn"
    return Check(name, state, str(found.get("detail") or ""))


# -- the list ----------------------------------------------------------------------------------


def counts(items: Iterable[Item]) -> Counter[str]:
    """How many wait, by kind."""
    return Counter(one.kind for one in items)


def rows(queue: Queue, kind: str, grouping: str, gone: Collection[str] = ()) -> list[Row]:
    """The list: items of the kind (all when empty) in their groups, what was put off at the end."""
    items = [one for one in queue.items if one.id not in gone and kind in ("", one.kind)]
    found: list[Row] = []
    groups: dict[str, list[Item]] = {}
    for one in items:
        if not one.deferred:
            groups.setdefault(group_of(one, grouping), []).append(one)
    for name, members in groups.items():
        if grouping:
            found.append(_head(queue, grouping, name, members))
        found += [Row(one) for one in members]
    late = [one for one in items if one.deferred]
    if late:
        found.append(Row(None, "put off", kinds_told(late), tuple(late)))
        found += [Row(one) for one in late]
    return found


def group_of(item: Item, grouping: str) -> str:
    """What an item has in common with the others of its group."""
    if grouping == "page":
        return item.page
    if grouping == "agent":
        return item.by or "nobody known"
    if grouping == "session":
        return next(iter(item.sessions), "")
    return ""


def _head(queue: Queue, grouping: str, name: str, members: Sequence[Item]) -> Row:
    title = name
    if grouping == "session":
        title = queue.titles.get(name) or name or "outside a conversation"
    elif grouping == "page":
        title = members[0].title or name
    return Row(None, title, kinds_told(members), tuple(members))


def kinds_told(items: Sequence[Item]) -> str:
    """``2 new · 1 change``."""
    found = counts(items)
    return " · ".join(kind_counted(kind, found[kind]) for kind in KINDS if found[kind])


def kind_counted(kind: str, number: int) -> str:
    """``2 new``, ``1 change``, ``3 disputes``."""
    return f"{number:,} {WORDS[kind] if number == 1 else PLURALS[kind]}"


def next_kind(kind: str, items: Sequence[Item]) -> str:
    """The kind that the filter shows after this one: only those of which something waits, then all."""
    found = counts(items)
    ring = ["", *(one for one in KINDS if found[one])]
    return ring[(ring.index(kind) + 1) % len(ring)] if kind in ring else ""


def around(rows: Sequence[Row], gone: Collection[str]) -> list[str]:
    """The items to go to when some are decided: those after them, nearest first, then those before."""
    ids = [row.item.id for row in rows if row.item is not None]
    places = [at for at, id in enumerate(ids) if id in gone]
    if not places:
        return ids
    after, before = ids[places[-1] + 1 :], ids[: places[0]][::-1]
    inside = [id for id in ids[places[0] : places[-1]] if id not in gone]
    return [*after, *before, *inside]


# -- in words ----------------------------------------------------------------------------------


def speaker(role: str) -> str:
    return {"user": "you", "agent": "agent", "tool": "tool"}.get(role, printable(role))


def decided(word: str, items: Sequence[Item]) -> str:
    """What was done, for a toast: ``Accepted “Rate limits”``."""
    if len(items) == 1:
        return f"{word} “{items[0].title or items[0].slug}”"
    return f"{word} {counted(len(items), 'item')}"
