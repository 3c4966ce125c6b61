"""``python -m tests.bench [PART] [--pages 1000,10000,100000]``: speeds, beside their floors.

Parts: store (the default), app, conversations, vectors, items, upkeep.
"""

from __future__ import annotations

import argparse
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        default="store",
        choices=["store", "app", "conversations", "vectors", "items", "upkeep"],
    )
    parser.add_argument("--pages", default="1000,10000,100000", help="sizes of the stores, with commas")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=500, help="size of the session")
    options = parser.parse_args()
    if options.part == "conversations":
        from tests.bench import conversations

        conversations.run(options.megabytes)
        return 0
    if options.part == "app":
        from tests.bench import app

        for size in options.pages.split(","):
            app.run(int(size))
        return 0
    if options.part == "vectors":
        from tests.bench import vectors

        for size in options.pages.split(","):
            vectors.run(int(size))
        return 0
    if options.part == "items":
        from tests.bench import items

        for size in options.pages.split(","):
            items.run(int(size), options.queries)
        return 0
    if options.part == "upkeep":
        from tests.bench import upkeep

        for size in options.pages.split(","):
            upkeep.run(int(size))
        return 0
    from tests.bench import store

    for size in options.pages.split(","):
        store.run(int(size), options.queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
