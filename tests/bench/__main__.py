"""``python -m tests.bench [store] [--pages 1000,10000,100000]``: the table of speeds, beside their floors."""

from __future__ import annotations

import argparse
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("part", nargs="?", default="store", choices=["store"])
    parser.add_argument("--pages", default="1000,10000,100000", help="sizes of the stores, with commas")
    parser.add_argument("--queries", type=int, default=200)
    options = parser.parse_args()
    from tests.bench import store

    for size in options.pages.split(","):
        store.run(int(size), options.queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
