"""Pages that another program describes by their fields, as in the specification's export document.

What a node says is kept: its id, status, times, sources and every key that memex does not know. The same node
gives the same page, so that importing twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from memex_core.actions import terms
from memex_core.actions.conversations.citing import cited
from memex_core.actions.pages.write import new_path, one_line, same_page
from memex_core.actions.reviewing import governance
from memex_core.files.compose import new_page
from memex_core.model import clock
from memex_core.model.actor import is_agent
from memex_core.model.errors import BadInput
from memex_core.model.links import find_links
from memex_core.model.scope import check_scope
from memex_core.model.slug import slugify
from memex_core.model.status import read_status

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber

_OURS = frozenset(
    """path slug file body links typed_links front_matter updated updated_at timestamp access_count
    last_access content_hash okf_version project_id project_label valid_to expires_at""".split()
)
"""Keys of a node that are no front matter of the page as they stand."""

_TIMES = ("created", "valid_from", "valid_until", "stale_after", "occurred_at")


class Plain(NamedTuple):
    """A page made of a node; ``there`` are the paths that pages of its id or name have already."""

    path: str
    data: bytes
    there: list[str]


def made(store: Store, node: Mapping[str, Any], ids: Mapping[str, str], scrub: Scrubber, where: str) -> Plain:
    """The page of a node. Raises BadInput for one that is none, Refused for what a person has rejected."""
    said = scrub.value({str(key): value for key, value in node.items() if key != "body"})
    front = said.get("front_matter")
    front = front if isinstance(front, dict) else {}
    links = said.get("typed_links") or front.get("links")
    if "typed_links" not in said and "front_matter" not in said:  # another program's: its names tell all
        links = said.get("links")
    said = {**front, **said, "links": links}
    title = one_line(str(said.get("title") or said.get("slug") or ""), "title")
    kind = terms.as_type(str(said.get("type") or "summary"))
    body = scrub.text(str(node.get("body") or ""))
    scope, project, branch = check_scope(
        *(str(said.get(key) or "") for key in ("scope", "project", "branch"))
    )
    governance.check_not_refused(store, title, body)
    ident = str(said.get("id") or uuid5(NAMESPACE_URL, f"memex:{kind}:{scope}:{project}:{branch}:{title}"))
    fields = {key: value for key, value in said.items() if key not in _OURS}
    fields |= _checked(store, said, body)
    fields |= {
        "type": kind,
        "title": title,
        "id": ident,
        "project": project or None,
        "branch": branch or None,
    }
    fields["scope"] = None if scope == "global" else scope
    if is_agent(store.actor):  # who stands for a page, and what proves it, is not for an agent to say
        own = dict.fromkeys(governance.OWN_WORD - {"id", "status", "sources"})
        fields |= {**own, "generated": {"by": store.actor, "at": clock.stamp()}}
        fields["sources"] = cited(store, said.get("sources") or [], scrub=scrub)
    waits = governance.waits(store) and kind != "episode"
    if waits:
        fields |= {"status": "draft", "verified": None}
    if kind == "episode" and not said.get("session_id"):
        raise BadInput(f"{where}: an episode needs its session", hint="give session_id")
    known = ids.get(ident)
    there = [known] if known else same_page(store, kind, title, scope, project, branch)
    slug = str(said.get("slug") or "")
    path = there[0] if there else new_path(store, kind, slug or title, ident, scope=scope, project=project)
    return Plain(path, new_page(fields, body), there)


def _checked(store: Store, said: Mapping[str, Any], body: str) -> dict[str, Any]:
    """The declared keys, each read as ``write`` reads it."""
    fields: dict[str, Any] = {"tags": list(terms.as_tags(said.get("tags") or []))}
    fields["aliases"] = list(terms.as_list(said.get("aliases") or [], "aliases"))
    if said.get("description"):
        fields["description"] = one_line(str(said["description"]), "description", limit=512)
    for key in _TIMES:
        older = {"valid_until": "valid_to", "stale_after": "expires_at"}.get(key, "")
        fields[key] = terms.as_time(said.get(key) or said.get(older), key) or None
    number = said.get("importance")
    if number is not None:
        number = terms.as_importance(number)
        fields["importance"] = None if number == 0.5 else terms.plain(number)
    status = read_status(str(said.get("status") or ""))
    fields["status"] = None if status == "stable" else status
    links = _beside(said["links"], body)
    if links:
        fields["links"] = terms.as_links(links)
    changed = next((said[key] for key in ("updated", "updated_at", "timestamp") if said.get(key)), "")
    at = clock.normal(str(changed)) or fields["created"] or ""
    if "generated" not in said:
        fields["generated"] = {"by": store.actor, "at": at or clock.stamp()}
    return fields


def _beside(links: Any, body: str) -> list[Any]:
    """Of ``links`` those that do not stand in the body too: with their relation, or a name alone."""
    if not isinstance(links, list | str):
        return []
    in_body = {slugify(link.target) for link in find_links(body)}
    kept: list[Any] = [one for one in links if isinstance(one, dict)] if isinstance(links, list) else []
    names = links if isinstance(links, str) else [one for one in links if isinstance(one, str)]
    bare = [one for one in terms.as_list(names, "links") if slugify(one) not in in_body]
    return [*kept, *terms.as_links([{"target": one} for one in bare])]
