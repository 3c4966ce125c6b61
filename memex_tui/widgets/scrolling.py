"""Giving a widget another content size, or another frame, at no greater cost than it needs."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget

from memex_tui.render.text import content


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
        bar = view.vertical_scrollbar
        bar.window_virtual_size = size.height
        bar.window_size = room


def set_frame(widget: Widget, title: str, subtitle: str = "") -> None:
    """Write plain texts into a widget's border; only another text has the whole widget painted again."""
    above, below = content(title), content(subtitle)
    if (widget.border_title or "") != above.markup:
        widget.border_title = above
    if (widget.border_subtitle or "") != below.markup:
        widget.border_subtitle = below
