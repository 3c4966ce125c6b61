"""Giving a widget another content size, or another frame, at no greater cost than it needs."""

from __future__ import annotations

from math import ceil

from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.widget import Widget

from memex_tui.render.text import content

EIGHTHS = 8  # a scrollbar is drawn in eighths of a row


def set_content_size(view: ScrollView, size: Size) -> None:
    """Make ``size`` the size of what is scrolled.

    Textual arranges the whole screen anew for it, and each time repaints the scrollbars of all framed
    widgets. That is only needed where a scrollbar comes or goes.
    """
    if view.virtual_size == size:
        return
    room = view.scrollable_content_region.height
    shown = view.show_vertical_scrollbar
    wanted = view.styles.overflow_y == "scroll" or (view.styles.overflow_y == "auto" and size.height > room)
    if shown != wanted or not room:
        view.virtual_size = size
        return
    view.set_reactive(ScrollView.virtual_size, size)
    if shown:
        move_bar(view.vertical_scrollbar, size.height, room, view.vertical_scrollbar.position)


def move_bar(bar: ScrollBar, total: int, window: int, at: float) -> None:
    """Show rows ``at`` to ``at + window`` of ``total`` on a scrollbar at the right. Its own setters have
    all of it painted; here it is what lies between the old and the new ends of its thumb."""
    before = _thumb(bar)
    bar.set_reactive(ScrollBar.window_virtual_size, total)
    bar.set_reactive(ScrollBar.window_size, window)
    bar.set_reactive(ScrollBar.position, at)
    for old, new in zip(before, _thumb(bar), strict=True):
        if old != new:
            first, last = sorted((old // EIGHTHS, new // EIGHTHS))
            bar.refresh(Region(0, first, bar.size.width, last - first + 1))


def _thumb(bar: ScrollBar) -> tuple[int, int]:
    """Where the thumb begins and ends, in eighths of a row, as Textual draws it."""
    rows, total, window = bar.size.height, bar.window_virtual_size, bar.window_size
    if not 0 < window < total:
        return 0, rows * EIGHTHS
    size = max(1.0, window * rows / total)
    start = int((rows - size) * bar.position / (total - window) * EIGHTHS)
    return start, start + ceil(size * EIGHTHS)


def set_frame(widget: Widget, title: str, subtitle: str = "") -> None:
    """Write plain texts into a widget's border; of another text only that line of the border is painted."""
    above, below = content(title), content(subtitle)
    (x, y), (width, height) = widget.content_offset, widget.outer_size
    if (widget.border_title or "") != above.markup:
        widget._border_title = above  # its own setter has the whole widget painted again
        widget.refresh(Region(-x, -y, width, 1))
    if (widget.border_subtitle or "") != below.markup:
        widget._border_subtitle = below
        widget.refresh(Region(-x, height - 1 - y, width, 1))
