"""Arithmetic on calendar days: weeks begin on Monday, months and years as the calendar has them."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from datetime import date, timedelta
from typing import NamedTuple

UNITS = ("day", "week", "month", "year")


class Days(NamedTuple):
    """From ``start`` on, before ``end``."""

    start: date
    end: date

    @property
    def last(self) -> date:
        """The last day of it."""
        return self.end - timedelta(1)

    def wider(self, days: int) -> "Days":
        """The same with so many days more on either side, as far as the calendar goes."""
        room = min(days, (self.start - date.min).days), min(days, (date.max - self.end).days)
        return Days(self.start - timedelta(room[0]), self.end + timedelta(room[1]))


def one(day: date) -> Days:
    return Days(day, day + timedelta(1))


def begin(day: date, unit: str) -> date:
    """The first day of the week, month or year that ``day`` is in."""
    if unit == "week":
        return day - timedelta(day.weekday())
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def moved(day: date, count: int, unit: str) -> date:
    """``count`` units later (or earlier); the last day of a month where it has no such day."""
    if unit in ("day", "week"):
        return day + timedelta(count * (7 if unit == "week" else 1))
    year, month = divmod(day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1), 12)
    for number in range(day.day, 28, -1):  # 31 March less a month is the last of February
        try:
            return date(year, month + 1, number)
        except ValueError:
            continue
    return date(year, month + 1, min(day.day, 28))


def whole(today: date, count: int, unit: str) -> Days:
    """The day, week, month or year that is ``count`` after this one: -1 is the last."""
    start = begin(moved(begin(today, unit), count, unit), unit)
    return Days(start, moved(start, 1, unit))


def weekday(today: date, number: int, weeks: int) -> Days:
    """The day ``number`` (Monday is 0) of the week that is ``weeks`` after this one."""
    return one(begin(today, "week") + timedelta(7 * weeks + number))


def latest(today: date, number: int) -> Days:
    """The last day ``number`` (Monday is 0) before today."""
    return one(today - timedelta((today.weekday() - number - 1) % 7 + 1))


def until_today(today: date, count: int, unit: str) -> Days:
    """The last ``count`` units, today included."""
    return Days(moved(today, -count, unit), today + timedelta(1))


def day_of_year(today: date, year: int, month: int, day: int) -> Days:
    """A day named with its month; without a year (0) the last one that has been. ValueError for no day."""
    if year:
        return one(date(year, month, day))
    for back in range(9):  # 29 February comes every four years, and once in eight
        try:
            found = date(today.year - back, month, day)
        except ValueError:
            if month != 2 or day != 29:
                raise
            continue
        if found <= today:
            return one(found)
    raise ValueError(f"{month}-{day}")
