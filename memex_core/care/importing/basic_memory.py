"""A basic-memory project: notes with observations (``- [method] text #tag (why)``) and relations
(``- requires [[Other note]]``).

The text stays byte for byte. Added to the front matter are an ``id`` that is the same every time, the
``permalink`` as an alias, so that links by it lead somewhere, and each relation as a typed link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import NAMESPACE_URL, uuid5

from memex_core.care.importing.found import Arrival, Damage, Found
from memex_core.care.importing.markdown import read as read_folder
from memex_core.files import surgeon
from memex_core.files.reading import read_page
from memex_core.files.values import as_aliases
from memex_core.model.errors import MemexError
from memex_core.model.mask import mask
from memex_core.model.page import Page, Value
from memex_core.model.slug import fold, slugify

_RELATION = re.compile(
    r"^[ \t]*[-*+] (?:\"(?P<words>[^\"\n\[\]]{1,60})\"|(?P<word>[^\W\d][\w-]*)) "
    r"\[\[(?P<target>[^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\][ \t]*(?:\([^\n]*\))?[ \t]*$",
    re.MULTILINE,
)
"""One word (or words in quotes), a link, nothing after it but a remark: a bullet of prose is none."""


def read(path: str) -> Found:
    """The notes of the project at ``path``."""
    found = read_folder(path)
    arrivals = []
    for one in found.arrivals:
        try:
            arrivals.append(_known(one))
        except MemexError as error:  # its front matter does not parse: it comes as it is
            found.odd.append(Damage(one.path, 1, f"relations and id were not added: {error.message}"))
            arrivals.append(one)
    return found._replace(arrivals=arrivals)


def _known(one: Arrival) -> Arrival:
    page = read_page(one.path, one.data)
    permalink = page.front.get("permalink")
    permalink = permalink.strip() if isinstance(permalink, str) else ""
    changes: dict[str, Value | None] = {}
    if not page.id:
        changes["id"] = str(uuid5(NAMESPACE_URL, f"basic-memory:{permalink or one.path}"))
    aliases = as_aliases(page.front.get("aliases"))
    if permalink and fold(permalink) not in map(fold, (*aliases, page.slug, page.title, one.path[:-3])):
        changes["aliases"] = [*aliases, permalink]
    links = _typed(page)
    if links and "links" not in page.front:
        changes["links"] = links
    return one._replace(data=surgeon.set_keys(one.data, changes)) if changes else one


def _typed(page: Page) -> list[Value]:
    """The relations of a note as entries of ``links``, each once."""
    found: list[Value] = []
    for rel, target in relations(page.body):
        entry: Value = {"target": target, "rel": rel}
        if entry not in found:
            found.append(entry)
    return found


def relations(body: str) -> Iterator[tuple[str, str]]:
    """(relation in kebab case, target) of each relation; what stands in code or a comment is none."""
    seen = mask(body)
    for found in _RELATION.finditer(body):
        if seen[found.start("target")] != " ":
            rel = slugify((found["words"] or found["word"]).replace("_", "-"), ident="relates-to")
            yield rel, found["target"].strip()
