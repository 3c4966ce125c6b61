"""A new page's bytes: front matter in its fixed order, then the body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memex_core.files import yamlwrite
from memex_core.files.decoding import clean, unix
from memex_core.model.page import Value


def new_page(fields: Mapping[str, Any], body: str) -> bytes:
    """The file of a page with these front matter fields and this body (UTF-8, unix line ends).

    Known keys come first, in the order of the format, then others as given. Values that are None or
    empty are left out, and so are the defaults ``status: stable`` and ``scope: global`` and the keys
    of earlier formats. The body gets a final newline if it has any text.
    """
    given = {key: plain(value) for key, value in fields.items()}
    keys = [key for key in yamlwrite.ORDER if key in given]
    keys += [key for key in given if key not in yamlwrite.ORDER and key not in yamlwrite.OLDER]
    entries = [yamlwrite.entry(key, given[key]) for key in keys if _worth_writing(key, given[key])]
    text = clean(unix(body))
    if text and not text.endswith("\n"):
        text += "\n"
    if entries or text.startswith(("---", "+++")):  # a rule that opens the body is no front matter
        text = "---\n" + "".join(entries) + "---\n" + text
    return text.encode()


def plain(value: Any) -> Value:
    """``value`` as front matter holds it: text, None, and lists and maps of them."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _worth_writing(key: str, value: Value) -> bool:
    if not value or (isinstance(value, str) and not value.strip()):
        return False
    return (key, value) not in (("status", "stable"), ("scope", "global"))
