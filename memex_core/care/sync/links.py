"""Pages whose name another device's page keeps: the links that meant them still reach them.

What a link means is asked of the device on which its text was written: there the name had one owner. A text
that both devices have meant something on each, and is changed only where that was the same page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from memex_core.files.reading import read_page
from memex_core.files.scalars import Path, names_a_page, replace_scalars
from memex_core.model import relink
from memex_core.model.names import NameTable
from memex_core.model.page import Link
from memex_core.model.resolve import resolve
from memex_core.model.slug import fold


class View(NamedTuple):
    """The pages as one device knows them: where each is by its key, and the other way round."""

    paths: Mapping[str, str]
    keys: Mapping[str, str]
    names: NameTable

    @classmethod
    def of(cls, pages: Iterable[tuple[str, str, bytes]], *, folder: bool) -> View:
        """``pages``: (key, path, file) of each."""
        paths: dict[str, str] = {}
        names = NameTable()
        for key, path, data in pages:
            paths[key] = path
            page = read_page(path, data, folder=folder)
            names.add(path, page.aliases, page.title)
        return cls(paths, {path: key for key, path in paths.items()}, names)

    def key_of(self, link: Link, source: str) -> str:
        """The key of the page that a link on ``source`` means here; empty where it means none."""
        path = resolve(link.target, link.form, source, self.names, alias=link.alias).path
        return self.keys.get(path or "", "")


def losers(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    """The keys of pages whose name ``before`` is another page's ``after``."""
    owners = {fold(path): key for key, path in after.items()}
    return {
        key
        for key, path in before.items()
        if key in after and fold(path) != fold(after[key]) and owners.get(fold(path), key) != key
    }


def turned(data: bytes, key: str, wrote: list[View], after: View, lost: set[str]) -> bytes:
    """The file of the page ``key``, on which those in ``wrote`` agree, with each link to a page in ``lost``
    that would mean another page ``after`` turned to the page it meant, in its own form."""
    text = data.decode("utf-8", "surrogateescape")
    target = _target(key, wrote, after, lost)
    out, changes = relink.rewrite_file(text, target)
    done = out.encode("utf-8", "surrogateescape") if changes else data

    def change(path: Path, value: str) -> str | None:
        plain = names_a_page(path) and value and "[[" not in value
        return target(Link(value, "typed")) if plain else None

    return replace_scalars(done, change)[0]


def _target(key: str, wrote: list[View], after: View, lost: set[str]) -> Callable[[Link], str | None]:
    def wanted(link: Link) -> str | None:
        meant = {view.key_of(link, view.paths[key]) for view in wrote}
        (one,) = meant if len(meant) == 1 else ("",)
        if one not in lost or after.key_of(link, after.paths[key]) == one:
            return None
        view = wrote[0]
        to = resolve(link.target, link.form, view.paths[key], view.names, alias=link.alias)
        told = relink.new_target(
            link,
            via=to.via,
            old_path=view.paths[one],
            new_path=after.paths[one],
            new_title=None,
            source_before=view.paths[key],
            source_after=after.paths[key],
            unique=lambda name: True,  # it ends in a piece of the page's key
            ambiguous=to.ambiguous,
        )
        return told or after.paths[one].removesuffix(".md")

    return wanted
