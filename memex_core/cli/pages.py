"""What is special about the commands on single pages: ``init``, ``show --raw`` and the editor."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.output import is_terminal
from memex_core.cli.parse import Usage
from memex_core.cli.run import Call
from memex_core.model.errors import Conflict, MemexError

_CHANGES = ("title", "body", "append", "section", "tags", "set", "unset", "sources", "quotes")


class EditorFailed(MemexError):
    """The person's editor is missing or did not end well; the page is as it was."""

    code = "editor"


def init(call: Call) -> int:
    from memex_core.memex import Memex

    where = call.values["dir"] or call.request.root
    call.answer(Memex.init(where, dry_run=call.dry_run))
    return 0


def show(call: Call) -> int:
    if not call.values["raw"]:
        call.answer(call.do())
        return 0
    if call.values["section"]:
        raise Usage("--raw prints the whole file", hint="leave --section or --raw out")
    data = call.memex.read_bytes(call.values["slug"], scope=call.values["scope"])
    if call.out.explicit_json:
        page = call.do()
        text = data.decode("utf-8", "surrogateescape")
        call.out.document({"slug": page["slug"], "file_path": page["file_path"], "raw": text})
    elif is_terminal(sys.stdout):
        from memex_core.model.printable import printable

        call.out.write(printable(data.decode("utf-8", "replace")))
    else:
        call.out.write_bytes(data)
    return 0


def edit(call: Call) -> int:
    if any(name in call.request.given for name in _CHANGES):
        if call.values["section"] and not {"body", "append"} & call.request.given:
            raise Usage("--section needs --body or --append", hint="say what becomes of the section")
        if {"body", "append"} <= call.request.given:
            raise Usage("--body and --append exclude each other", hint="give one of them")
        # As typed: the core knows which keys hold lists.
        assignments = [f"{key}={value}" for key, value in (call.values["set"] or {}).items()]
        call.answer(call.do(set=assignments))
        return 0
    return _edit_in_editor(call)


def _edit_in_editor(call: Call) -> int:
    """Open a copy of the file; put the result back unless the page changed meanwhile."""
    import shutil
    import tempfile

    command = editor_command()
    page = call.memex.show(call.values["slug"], scope=call.values["scope"])
    before = call.memex.read_bytes(page["path"])
    folder = tempfile.mkdtemp(prefix="memex-edit-")
    copy = os.path.join(folder, os.path.basename(page["file_path"]))
    with open(copy, "wb") as file:
        file.write(before)
    _run_editor(command, copy, folder)
    with open(copy, "rb") as file:
        after = file.read()
    if after == before:
        shutil.rmtree(folder, ignore_errors=True)
        call.out.note(f"{page['path']} is unchanged")
        call.answer(call.memex.edit(page["path"], expect=page["digest"], dry_run=call.dry_run))
        return 0
    try:
        text = after.decode("utf-8", "surrogateescape")
        result = call.memex.edit(page["path"], text=text, expect=page["digest"], dry_run=call.dry_run)
    except Conflict as error:
        raise Conflict(error.message, hint=f"your text is kept in {copy}") from None
    except MemexError as error:
        raise type(error)(error.message, hint=f"your text is kept in {copy}") from None
    shutil.rmtree(folder, ignore_errors=True)
    call.answer(result)
    return 0


def editor_command() -> list[str]:
    """``$VISUAL`` or ``$EDITOR`` as words. Raises :class:`EditorFailed` when neither is usable."""
    import shlex
    import shutil

    for name in ("VISUAL", "EDITOR"):
        value = os.environ.get(name, "").strip()
        if not value:
            continue
        try:
            words = shlex.split(value)
        except ValueError:
            raise EditorFailed(f"${name} cannot be read: {value}", hint="check its quotes") from None
        if shutil.which(words[0]) is None:
            raise EditorFailed(
                f"the editor {words[0]} was not found", hint=f"set ${name} to an editor you have"
            )
        return words
    raise EditorFailed("no editor is set", hint="set $VISUAL or $EDITOR, or give --body, --append, --set …")


def _run_editor(command: list[str], copy: str, folder: str) -> None:
    import shutil
    import subprocess

    try:
        code = subprocess.call([*command, copy])
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise EditorFailed(
            f"the editor {command[0]} cannot be run: {error.strerror}", hint="check $EDITOR"
        ) from None
    if code != 0:
        raise EditorFailed(
            f"the editor ended with exit code {code}; the page is as it was",
            hint=f"your text is kept in {copy}",
        )


HANDLERS: dict[str, Callable[[Call], Any]] = {"init": init, "show": show, "edit": edit}
