"""Under which names pages and other files are known, and how equal names are brought together.

A link names a page by path, file name, slug, alias or title, in any letter case. All names that could
ever mean the same share one *key* (:func:`key_of_target`), so an index keeps a column of keys and needs
no other name table: fetch what has the key of a link, build a :class:`NameTable` of it, and resolve.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from .slug import MAX_CHARS, RESERVED, fold, slugify

KEY_LENGTH = 48
"""Keys are cut: no shorter than this are the slugs of long names, and equal slugs must have equal keys."""

PAGE_ENDINGS = (".md", ".markdown")
_NO_LETTER = bytes(code for code in range(128) if not chr(code).isalnum())


class Names(Protocol):
    """What :func:`memex_core.model.resolve.resolve` asks; every answer is a list of paths.

    ``fold`` is :func:`memex_core.model.slug.fold`. Order does not matter.
    """

    def exact(self, path: str) -> list[str]:
        """Pages whose folded path is ``path``."""

    def stem(self, stem: str) -> list[str]:
        """Pages whose folded file name without its ending is ``stem``."""

    def slug(self, slug: str) -> list[str]:
        """Pages with that slug."""

    def alias(self, name: str) -> list[str]:
        """Pages with that folded alias."""

    def title(self, name: str) -> list[str]:
        """Pages with that folded title; those whose file name equals it may be left out."""

    def asset(self, path: str) -> list[str]:
        """Other files whose folded path is ``path``."""

    def asset_name(self, name: str) -> list[str]:
        """Other files whose folded name, ending included, is ``name``."""


def without_ending(name: str) -> str:
    """``Rye.md`` → ``Rye``; a name that is nothing but an ending stays."""
    lowered = name[-9:].lower()
    for ending in PAGE_ENDINGS:
        if lowered.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def stem_of(path: str) -> str:
    """The file name of a page without folder and ending."""
    return without_ending(path[path.rfind("/") + 1 :])


def folder_of(path: str) -> str:
    """The folder of a path, empty for the root."""
    cut = path.rfind("/")
    return path[:cut] if cut > 0 else ""


def key_of_target(target: str) -> str:
    """The key of what a link says: no page or file that the link can mean lacks this key.

    Letters and digits of the last part of the path, folded, without the ending ``.md``.
    """
    text = target.strip()
    if "/" in text or "." in text or "\\" in text:
        text = text.replace("\\", "/").rstrip("/")
        text = without_ending(text[text.rfind("/") + 1 :]) or text
    return _squashed(text)


def keys_of(path: str, aliases: Iterable[str] = (), title: str = "") -> list[tuple[str, str]]:
    """The ``(kind, key)`` pairs of a page, each key once.

    The kind says where a key first came from: ``stem`` ``slug`` ``space`` ``alias`` ``title``.
    """
    stem = stem_of(path)
    squashed = squash(stem)
    keys = {(squashed or fold(stem))[:KEY_LENGTH]: "stem"}
    ordinary = squashed and stem.isascii() and len(stem) <= MAX_CHARS and squashed not in RESERVED
    if not ordinary or "." in stem or "\\" in stem:
        keys[key_of_target(stem)] = "stem"
    if not ordinary:  # else the slug has the same letters
        keys.setdefault(_squashed(slugify(stem)), "slug")
    for separator in ("___", "."):
        if separator in stem:
            keys.setdefault(_squashed(stem[stem.rfind(separator) + len(separator) :]), "space")
    for alias in aliases:
        keys.setdefault(key_of_target(alias), "alias")
    if title:
        keys.setdefault(key_of_target(title), "title")
    return [(kind, key) for key, kind in keys.items()]


def keys_of_asset(path: str) -> list[tuple[str, str]]:
    """The ``(kind, key)`` pairs of a file that is no page."""
    return [("asset", key_of_target(path))]


def squash(name: str) -> str:
    """Only the letters and digits of the folded name; may be empty."""
    folded = fold(name)
    if folded.isascii():
        return folded.encode().translate(None, _NO_LETTER).decode()
    return "".join(filter(str.isalnum, folded))


def _squashed(name: str) -> str:
    return (squash(name) or fold(name))[:KEY_LENGTH]


Paths = dict[str, "str | list[str]"]


class NameTable:
    """:class:`Names` in memory, for a whole store or for the few pages that share a key."""

    def __init__(self) -> None:
        self._paths: Paths = {}
        self._stems: Paths = {}
        self._slugs: Paths = {}
        self._aliases: Paths = {}
        self._titles: Paths = {}
        self._assets: Paths = {}
        self._asset_names: Paths = {}

    def add(self, path: str, aliases: Iterable[str] = (), title: str = "") -> None:
        """Make a page known. Its slug is that of its file name."""
        stem = stem_of(path)
        folded = fold(stem)
        _put(self._paths, fold(path), path)
        _put(self._stems, folded, path)
        slug = slugify(stem)
        if slug != folded:
            _put(self._slugs, slug, path)
        for alias in aliases:
            name = fold(alias.strip())
            if name:
                _put(self._aliases, name, path)
        name = fold(title.strip())
        if name and name != folded:
            _put(self._titles, name, path)

    def add_asset(self, path: str) -> None:
        """Make a file known that is no page."""
        folded = fold(path)
        _put(self._assets, folded, path)
        _put(self._asset_names, folded[folded.rfind("/") + 1 :], path)

    def exact(self, path: str) -> list[str]:
        return _get(self._paths, path)

    def stem(self, stem: str) -> list[str]:
        return _get(self._stems, stem)

    def slug(self, slug: str) -> list[str]:
        found = _get(self._slugs, slug)
        return found + [path for path in _get(self._stems, slug) if path not in found]

    def alias(self, name: str) -> list[str]:
        return _get(self._aliases, name)

    def title(self, name: str) -> list[str]:
        return _get(self._titles, name)

    def asset(self, path: str) -> list[str]:
        return _get(self._assets, path)

    def asset_name(self, name: str) -> list[str]:
        return _get(self._asset_names, name)


def _put(table: Paths, key: str, path: str) -> None:
    """Most names mean one page: then the path stands for the list, which saves a third of the memory."""
    known = table.get(key)
    if known is None:
        table[key] = path
    elif isinstance(known, str):
        if known != path:
            table[key] = [known, path]
    elif path not in known[-8:]:
        known.append(path)


def _get(table: Paths, key: str) -> list[str]:
    known = table.get(key)
    if known is None:
        return []
    return [known] if isinstance(known, str) else known
