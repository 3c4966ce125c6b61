"""A folder of Markdown files, as they are: the part that every tool which keeps one has in common."""

from __future__ import annotations

import os
from collections.abc import Callable

from memex_core.care.importing.found import Arrival, Damage, Found
from memex_core.files import frontmatter
from memex_core.files.ignore import is_asset_name, is_text
from memex_core.files.opening import regular

_FOLDERS = ("node_modules", "__pycache__")


def read(root: str) -> Found:
    """Every ``.md`` file below ``root`` with its bytes. Folders with a dot name (settings, a trash) are
    passed by, and links out of the folder are not followed. Raises OSError when it cannot be listed."""
    found = Found([], [], [], [])
    real = os.path.realpath(root)
    for folder, folders, names in os.walk(root, onerror=_raise_for(root)):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _FOLDERS)
        home = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted(names):
            path = name if home == "." else f"{home}/{name}"
            if name.startswith(".") or not is_text(path):
                if not name.startswith("."):
                    found.damaged.append(Damage(ascii(path), 0, "its name is no Unicode"))
            elif name.lower().endswith(".md"):
                _page(found, real, os.path.join(folder, name), path)
            elif is_asset_name(name):
                found.attachments.append(path)
    return found


def _raise_for(root: str) -> Callable[[OSError], None]:
    def failed(error: OSError) -> None:
        if error.filename == root:
            raise error

    return failed


def _page(found: Found, root: str, file: str, path: str) -> None:
    real = os.path.realpath(file)
    if os.path.commonpath((real, root)) != root:
        found.damaged.append(Damage(path, 0, "the link leads out of the folder"))
        return
    if os.path.exists(real) and not os.path.isfile(real):  # a pipe would be waited for without end
        found.damaged.append(Damage(path, 0, "it is no plain file"))
        return
    try:
        with open(real, "rb", opener=regular) as opened:
            data = opened.read()
            mtime = os.fstat(opened.fileno()).st_mtime_ns
    except OSError as error:
        found.damaged.append(
            Damage(path, 0, f"cannot be read ({(error.strerror or 'unknown error').lower()})")
        )
        return
    if b"\0" in data:
        found.damaged.append(
            Damage(path, data.count(b"\n", 0, data.index(b"\0")) + 1, "it is no text (a NUL byte)")
        )
        return
    front = frontmatter.read(data)
    found.odd.extend(Damage(path, one.line, one.message) for one in front.problems if one.level == "error")
    found.arrivals.append(Arrival(path, data, path, mtime))
