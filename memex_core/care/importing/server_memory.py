"""The knowledge graph of the MCP reference server ``server-memory``: one JSON object a line.

``{"type": "entity", "name", "entityType", "observations"}`` becomes a page, its observations a list, and
``{"type": "relation", "from", "to", "relationType"}`` a line and a typed link of the page that it comes from.
Keys that the format does not know are kept under ``server_memory``.
"""

from __future__ import annotations

import json
import os
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from memex_core.care.importing.found import Arrival, Damage, Found
from memex_core.files.compose import new_page
from memex_core.model.slug import numbered, slugify

_ENTITY = ("type", "name", "entityType", "observations")
_RELATION = ("type", "from", "to", "relationType")
_NAMES = ("memory.jsonl", "memory.json")


class _Entity:
    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = ""
        self.observations: list[str] = []
        self.relations: list[tuple[str, str]] = []
        self.more: dict[str, Any] = {}


def read(path: str) -> Found:
    """The graph in the file at ``path``, or in ``memory.jsonl`` of a folder. Raises OSError."""
    if os.path.isdir(path):
        path = next((full for name in _NAMES if os.path.exists(full := os.path.join(path, name))), path)
    with open(path, "rb") as file:
        data = file.read()
        mtime = os.fstat(file.fileno()).st_mtime_ns
    found = Found([], [], [], [])
    entities: dict[str, _Entity] = {}
    relations: list[tuple[int, dict[str, Any]]] = []
    name = os.path.basename(path)
    for line, record in _records(data, name, found.damaged):
        if record.get("type") == "entity" and isinstance(record.get("name"), str) and record["name"].strip():
            why = _entity(entities, record)
        elif record.get("type") == "relation" and _texts(record, "from", "to", "relationType"):
            relations.append((line, record))
            why = ""
        else:
            why = "it is neither an entity nor a relation"
        if why:
            found.damaged.append(Damage(name, line, why))
    for line, record in relations:
        source = entities.get(record["from"])
        if source is None:
            found.damaged.append(
                Damage(name, line, f"the relation comes from {record['from']!r}, which is no entity")
            )
            continue
        pair = (record["relationType"], record["to"])
        if pair not in source.relations:
            source.relations.append(pair)
        more = {key: value for key, value in record.items() if key not in _RELATION}
        if more:
            source.more.setdefault("relations", []).append({**more, "to": pair[1], "relationType": pair[0]})
    return found._replace(arrivals=_arrivals(entities, mtime))


def _records(data: bytes, name: str, damaged: list[Damage]) -> list[tuple[int, dict[str, Any]]]:
    """(line, object) of each line that holds one; a whole graph as one document is read too."""
    text = data.decode("utf-8-sig", "replace")
    try:
        whole = _sound(json.loads(text))
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and isinstance(whole.get("entities"), list):
        rows = [("entity", row) for row in whole["entities"]]
        relations = whole.get("relations")
        rows += [("relation", row) for row in relations] if isinstance(relations, list) else []
        return [(0, {**row, "type": kind}) for kind, row in rows if isinstance(row, dict)]
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = _sound(json.loads(line))
        except (ValueError, RecursionError) as error:
            damaged.append(Damage(name, number, f"no JSON ({error})"))
            continue
        if isinstance(record, dict):
            found.append((number, record))
        else:
            damaged.append(Damage(name, number, "no JSON object"))
    return found


def _sound(value: Any) -> Any:
    """``value`` without halves of characters, which JSON can say and no file can hold."""
    text = json.dumps(value, ensure_ascii=False)
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return value
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _texts(record: dict[str, Any], *keys: str) -> bool:
    return all(isinstance(record.get(key), str) and record[key].strip() for key in keys)


def _entity(entities: dict[str, _Entity], record: dict[str, Any]) -> str:
    """Take an entity in, or what a second line adds to it; what is wrong with it, if anything."""
    observations = record.get("observations") or []
    if not isinstance(observations, list):
        return "observations are no list"
    one = entities.setdefault(record["name"], _Entity(record["name"]))
    kind = record.get("entityType")
    one.kind = one.kind or (kind if isinstance(kind, str) else "")
    for said in observations:
        text = said if isinstance(said, str) else said.get("content") if isinstance(said, dict) else None
        if not isinstance(text, str):
            text = json.dumps(said, ensure_ascii=False)
        elif isinstance(said, dict):
            one.more.setdefault("observations", []).append(said)
        if text not in one.observations:
            one.observations.append(text)
    one.more |= {key: value for key, value in record.items() if key not in _ENTITY}
    return ""


def _arrivals(entities: dict[str, _Entity], mtime: int) -> list[Arrival]:
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for name in entities:
        slug = numbered(slugify(name, ident=_ident(name)), taken.__contains__)
        taken.add(slug)
        slugs[name] = slug
    return [
        Arrival(f"entities/{slugs[name]}.md", _page(one, slugs), f"entity:{name}", mtime)
        for name, one in entities.items()
    ]


def _page(one: _Entity, slugs: dict[str, str]) -> bytes:
    tag = slugify(one.kind) if one.kind else ""
    fields: dict[str, Any] = {
        "type": "entity",
        "title": " ".join(one.name.split()),
        "tags": [tag] if tag else [],
        "id": _ident(one.name),
        "links": [{"target": slugs.get(to, to), "rel": _kebab(rel)} for rel, to in one.relations],
        "entity_type": one.kind,
        "server_memory": one.more,
    }
    if fields["title"] != one.name:
        fields["name"] = one.name
    parts = ["\n".join(f"- {_indented(text)}" for text in one.observations)] if one.observations else []
    if one.relations:
        rows = [f"- {' '.join(rel.split())} {_link(to, slugs)}" for rel, to in one.relations]
        parts.append("## Relations\n\n" + "\n".join(rows))
    return new_page(fields, "\n\n".join(parts))


def _ident(name: str) -> str:
    """The same id for the same entity, wherever and whenever it is imported."""
    return str(uuid5(NAMESPACE_URL, f"server-memory:{name}"))


def _kebab(rel: str) -> str:
    return slugify(rel.replace("_", "-"), ident="relates-to")


def _indented(text: str) -> str:
    """A text of several lines stays one entry of the list."""
    return text.strip("\n").replace("\n", "\n  ")


def _link(name: str, slugs: dict[str, str]) -> str:
    shown = " ".join(name.split())
    target = slugs.get(name, shown)
    if set("[]|").isdisjoint(shown):
        return f"[[{target}|{shown}]]" if target != shown else f"[[{target}]]"
    return f"[[{target}]]" if set("[]|").isdisjoint(target) else shown
