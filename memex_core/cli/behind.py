"""What a hook starts and nobody waits for: commands one after the other, in a process of their own."""

from __future__ import annotations

import json
import sys

from memex_core.cli.run import run


def main(text: str) -> int:
    """Run each of a JSON list of command lines, whatever became of the one before; the first code that is
    not 0, else 0."""
    codes = [run(words) for words in json.loads(text)]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
