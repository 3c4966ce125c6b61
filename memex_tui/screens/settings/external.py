"""Handing a file to the person's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping

from memex_core.model.errors import Refused


def editor(environ: Mapping[str, str]) -> list[str]:
    """The command of ``$VISUAL`` or ``$EDITOR``, in words. Raises Refused when neither is set."""
    for name in ("VISUAL", "EDITOR"):
        if environ.get(name, "").strip():
            try:
                return shlex.split(environ[name])
            except ValueError:
                raise Refused(f"${name} cannot be read: {environ[name]}", hint="mind its quotes") from None
    raise Refused("no editor is named", hint="set EDITOR in your shell, to nano for instance")


def edit(path: str, environ: Mapping[str, str]) -> None:
    """Open the file there and wait. Raises Refused when that fails; call it while the app is suspended."""
    command = [*editor(environ), path]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        done = subprocess.run(command, check=False)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(f"{command[0]} could not be started: {reason}", hint="see $EDITOR") from error
    if done.returncode:
        raise Refused(f"{command[0]} ended with code {done.returncode}")
