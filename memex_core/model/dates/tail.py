"""The second end of a range said in short: 上周三到周五, 7月21号到23号, *from last Monday to Wednesday*."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Mapping
from datetime import timedelta

from memex_core.model.dates.days import Days


def with_tail(days: Days, found: "re.Match[str]", weekdays: Mapping[str, int], opened: bool) -> Days | None:
    """``days`` until what ``found`` names behind it: a ``weekday``, or a ``day`` of the same month or of that
    ``month``.

    ``found`` joins them with the group ``to``, or with ``also``, which makes a range of two days in a row or
    where *between* stands before (``opened``); with neither it is an *or*. None where that is no range.
    """
    said = found.groupdict()
    if days.last != days.start or not (said["to"] or said["also"]):
        return None
    if said.get("weekday"):
        last = days.start + timedelta((weekdays[said["weekday"].lower()] - days.start.weekday()) % 7)
    else:
        try:
            last = days.start.replace(month=int(said.get("month") or days.start.month), day=int(said["day"]))
        except ValueError:
            return None
    apart = (last - days.start).days
    if apart < 1 or (said["also"] and not opened and apart > 1):
        return None
    return Days(days.start, last + timedelta(1))
