"""What survives the end of the app, however it ends: area, places, each area's own state, the theme.

Kept as ``tui.json`` beside the index (in the cache folder for a folder opened without a store), since
like the index it can be lost without harm. Anything unreadable in it counts as not there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from memex_core.files.layout import Layout
from memex_tui.areas import BY_ID
from memex_tui.messages import Place

NAME = "tui.json"
RECENT = 50  # pages remembered as read last
STEPS = 60  # places in the history
LONGEST = 2_000_000  # bytes; more is not ours


class Saved:
    """The saved state. Read from ``path`` when made; :meth:`write` only writes when something changed."""

    def __init__(self, path: str | None) -> None:
        """``path`` None: nothing is kept."""
        self.path = path
        self._areas: dict[str, Any] = {}
        self.current = ""
        self.theme = ""
        self.recent: list[str] = []
        self.places: list[Place] = []
        self.at = 0
        self._last = ""
        if path is not None:
            self._read(path)

    def _read(self, path: str) -> None:
        try:
            if os.path.getsize(path) > LONGEST:
                return
            with open(path, encoding="utf-8") as file:
                text = file.read()
            data = json.loads(text)
        except (OSError, ValueError, RecursionError):
            return
        if not isinstance(data, dict):
            return
        self._last = text
        areas = data.get("areas")
        self._areas = (
            {k: v for k, v in areas.items() if isinstance(v, dict)} if isinstance(areas, dict) else {}
        )
        self.current = _text(data.get("area"))
        self.theme = _text(data.get("theme"))
        recent = data.get("recent")
        self.recent = (
            [one for one in recent if isinstance(one, str)][:RECENT] if isinstance(recent, list) else []
        )
        places = data.get("places")
        found = [_place(one) for one in places[-STEPS:]] if isinstance(places, list) else []
        self.places = [one for one in found if one is not None]
        at = data.get("at")
        self.at = at if isinstance(at, int) and 0 <= at < len(self.places) else max(len(self.places) - 1, 0)

    def area(self, area: str) -> dict[str, Any]:
        """The state that an area saved; empty when there is none."""
        state: dict[str, Any] = self._areas.get(area, {})
        return state

    def set_area(self, area: str, state: Mapping[str, Any]) -> None:
        self._areas[area] = dict(state)

    def read_page(self, path: str) -> None:
        """A page was opened: it is the latest of the recent ones."""
        self.recent = [path, *(one for one in self.recent if one != path)][:RECENT]

    def renamed(self, pages: Mapping[str, str]) -> None:
        """Follow pages to their new paths (new -> old)."""
        new = {old: path for path, old in pages.items()}
        self.recent = [new.get(one, one) for one in self.recent]

    def write(self) -> bool:
        """Write what changed since; whether anything was written. A full or read-only disk is no error."""
        if self.path is None:
            return False
        text = json.dumps(
            {
                "area": self.current,
                "theme": self.theme,
                "recent": self.recent,
                "places": [_plain(one) for one in self.places[-STEPS:]],
                "at": self.at - max(len(self.places) - STEPS, 0),
                "areas": self._areas,
            },
            ensure_ascii=False,
            default=str,
        )
        if text == self._last:
            return False
        part = f"{self.path}.part"
        try:
            with open(part, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            os.replace(part, self.path)
        except OSError:
            return False
        self._last = text
        return True


def state_path(layout: Layout) -> str:
    """Where the state of a memory is kept: beside its index."""
    folder, name = os.path.split(layout.index)
    stem = name.removesuffix(".db")
    return os.path.join(folder, NAME if stem == "mem" else f"{stem}.{NAME}")


class History:
    """Where a person has been, and where in that they are now."""

    def __init__(self, places: list[Place] | None = None, at: int = 0) -> None:
        self.places = list(places or [])
        self.at = min(at, max(len(self.places) - 1, 0))

    @property
    def here(self) -> Place | None:
        return self.places[self.at] if self.places else None

    def leave(self, place: Place | None) -> None:
        """Note how the present place is left (scroll, caret); another place is ignored."""
        here = self.here
        if place is not None and here is not None and here.same(place):
            self.places[self.at] = place if place.title else place._replace(title=here.title)

    def moved(self, place: Place) -> None:
        """The person went on inside an area by small steps: none of them is a place of its own."""
        here = self.here
        if here is not None and here.area == place.area:
            self.places[self.at] = place

    def depart(self, place: Place | None) -> None:
        """The place that is being left for another one: it is in the history from now on."""
        here = self.here
        if place is not None and (here is None or not here.same(place)):
            self.visit(place)
        else:
            self.leave(place)

    def visit(self, place: Place) -> None:
        """Go on to a place; what lay ahead is forgotten. The same place again only replaces it."""
        here = self.here
        if here is not None and here.same(place):
            self.places[self.at] = place if place.title else place._replace(title=here.title)
            return
        del self.places[self.at + 1 :]
        self.places.append(place)
        del self.places[:-STEPS]
        self.at = len(self.places) - 1

    def step(self, by: int) -> Place | None:
        """Back (-1) or forward (1); None at the end."""
        if not 0 <= self.at + by < len(self.places):
            return None
        self.at += by
        return self.places[self.at]

    def renamed(self, pages: Mapping[str, str]) -> None:
        """Follow pages to their new paths (new -> old)."""
        new = {old: path for path, old in pages.items()}
        self.places = [one._replace(path=new.get(one.path, one.path)) for one in self.places]

    def trail(self, count: int = 4) -> list[str]:
        """The titles of the last places, the present one last."""
        return [title_of(one) for one in self.places[max(self.at + 1 - count, 0) : self.at + 1]]

    def trail_in(self, area: str) -> list[str]:
        """The trail as an area shows it: one that is at no place of its own yet is called by its name."""
        here = self.here
        at_home = here is not None and here.area == area
        return self.trail() if at_home else [*self.trail(), BY_ID[area].title]


def title_of(place: Place) -> str:
    """What breadcrumbs call a place."""
    if place.title:
        return place.title
    if place.path:
        return place.path.rsplit("/", 1)[-1].removesuffix(".md")
    return place.query or place.session or place.date or place.area.capitalize()


def _plain(place: Place) -> dict[str, Any]:
    full = place._asdict()
    return {"area": place.area, **{key: value for key, value in full.items() if value}}


def _place(value: Any) -> Place | None:
    if not isinstance(value, dict) or not isinstance(value.get("area"), str):
        return None
    kept: dict[str, Any] = {}
    for name, default in Place("")._asdict().items():
        found = value.get(name, default)
        kept[name] = found if isinstance(found, type(default)) and not isinstance(found, bool) else default
    return Place(**kept)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
