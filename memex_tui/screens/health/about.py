"""What the checks are called, and what each is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class About(NamedTuple):
    """What a check is about, in words."""

    title: str
    help: str


ABOUT: Mapping[str, About] = {
    "links-resolve": About(
        "Links lead somewhere",
        "These links name pages or files that do not exist: mistyped, or not written yet.",
    ),
    "names-unambiguous": About(
        "Links mean one page",
        "Several pages answer to these names. memex takes the nearest; another program may take another one.",
    ),
    "headings-found": About(
        "Links lead to their place",
        "These links name a heading or block that is not on their page: they open it at its beginning.",
    ),
    "pages-parse": About(
        "Front matter can be read",
        "A page whose front matter cannot be read is found by its text, but its type, tags and relations are "
        "unknown.",
    ),
    "index-fresh": About(
        "The index is up to date",
        "Search, links and this app answer from the index; these pages differ from what it has.",
    ),
    "names-portable": About(
        "Names are portable",
        "These names differ only in letter case or accents: on macOS, Windows and some sync services one "
        "file would replace the other.",
    ),
    "keys-unique": About(
        "Front matter keys stand once",
        "Of a key that stands twice only one value counts; other programs refuse it.",
    ),
    "text-readable": About(
        "Text is as it should be", "These pages are read, but something in them is odd and may not be meant."
    ),
    "sources-hold": About(
        "Sources say it",
        "These pages rest on turns that are not stored or do not say the words quoted, or on no source.",
    ),
    "sources-undisputed": About(
        "Nobody doubts a source", "Somebody noted a doubt about these sources; it stands until it is settled."
    ),
    "parents-acyclic": About(
        "No page is above itself",
        "Going up from these pages, from parent to parent, leads back to where it began.",
    ),
    "validity-ordered": About(
        "Nothing ends before it begins",
        "These pages are never valid: their valid_until is before their valid_from.",
    ),
    "stale-in-window": About(
        "Pages go stale while they are valid",
        "These pages have a stale_after outside the time in which they are valid, so it tells nothing.",
    ),
    "journal-whole": About(
        "The journal is whole",
        "These lines of the journal are no events: what they would undo is lost, all else holds.",
    ),
    "consolidation-yields": About(
        "Models find something",
        "A model was asked again and again and no page came of it: it may be the wrong one, or badly set up.",
    ),
    "doctor": About(
        "The store, the machine and agents",
        "Places and rights, disk, clock, settings and rules, what killed writers left, hooks, the server and "
        "the agents that use it: what `memex doctor` looks at.",
    ),
    "sync": About(
        "Other devices are heard", "What other devices wrote waits, cannot be read, or was not told to them."
    ),
    "okf": About(
        "Other readers understand it",
        "The pages as an Open Knowledge Format bundle: what `memex okf check` finds.",
    ),
}
"""In the order in which the checks are shown: what one can mend at once comes first."""
