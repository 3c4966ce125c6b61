"""Which of two versions came from the other: counts of the changes that each device has made.

A clock maps a device to the number of its last change that a version has seen. One that has seen all
that the other has is newer, whatever the time of day was; if each has seen something that the other
has not, they were made apart (Parker et al., "Detection of mutual inconsistency", 1983).
"""

from __future__ import annotations

from collections.abc import Mapping

Clock = dict[str, int]

SAME, NEWER, OLDER, APART = "same", "newer", "older", "apart"


def compare(one: Mapping[str, int], other: Mapping[str, int]) -> str:
    """How ``one`` stands to ``other``: ``same``, ``newer``, ``older`` or ``apart``."""
    ahead = any(count > other.get(device, 0) for device, count in one.items())
    behind = any(count > one.get(device, 0) for device, count in other.items())
    if ahead and behind:
        return APART
    return NEWER if ahead else OLDER if behind else SAME


def join(*clocks: Mapping[str, int]) -> Clock:
    """The clock of a version that has seen all that these have."""
    seen: Clock = {}
    for clock in clocks:
        for device, count in clock.items():
            seen[device] = max(count, seen.get(device, 0))
    return seen
