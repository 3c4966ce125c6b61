"""The command line: ``memex``. This module stays tiny, because every call of ``memex`` pays for it."""

from __future__ import annotations

import gc
import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

    Without ``argv`` it is the process' own command line, and the process ends here.
    """
    if argv is not None:
        from memex_core.cli.run import run

        return run(list(argv))
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        from memex_core import __version__

        try:
            sys.stdout.write(f"memex {__version__}\n")
            sys.stdout.flush()
        except OSError as error:
            from memex_core.cli.run import output_failed

            return _leave(output_failed(error))
        return _leave(0)
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode:
        _again_in_utf8()
    # A command lives for a moment, and what it loads is no garbage: looking for some took it a twelfth.
    gc.set_threshold(50_000, 20, 50)
    try:
        from memex_core.cli.run import run, use_utf8

        use_utf8()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after run's own care
        code = 130
    return _leave(code)


def _leave(code: int) -> int:
    """End the process at once: the interpreter's own ending (teardown, idle threads) keeps nothing."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        code = code or 1
    os._exit(code)


def _again_in_utf8() -> None:
    """Start over in UTF-8 mode: file names are UTF-8 whatever the locale says."""
    os.execv(sys.executable, [sys.executable, "-P", "-X", "utf8", "-m", "memex_core.cli", *sys.argv[1:]])
