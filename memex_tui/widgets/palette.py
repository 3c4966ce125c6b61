"""Component class names become terminal styles: theme, focus and colour mode are settled here.

Names are laid over each other from left to right like layers: a later background is blended onto
the earlier ones, a later colour replaces them, text attributes add up.
"""

from __future__ import annotations

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.css.styles import RenderStyles
from textual.widget import Widget

from memex_tui.render.line import Names


class Palette:
    """Resolves names for one widget. Call :meth:`clear` in the widget's ``notify_style_update``."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[Names, Style] = {}
        self._layers: dict[str, RenderStyles | None] = {}

    def clear(self) -> None:
        """Forget everything: the theme, the focus or the stylesheet changed."""
        self._styles.clear()
        self._layers.clear()

    def __call__(self, names: Names) -> Style:
        style = self._styles.get(names)
        if style is None:
            style = self._styles[names] = self._compose(names)
        return style

    def _layer(self, name: str) -> RenderStyles | None:
        if name not in self._layers:
            try:
                self._layers[name] = self._widget.get_component_styles(name)
            except KeyError:  # a name that this widget does not style
                self._layers[name] = None
        return self._layers[name]

    def _compose(self, names: Names) -> Style:
        _, _, background, color = self._widget.colors
        text = Style()
        for name in names:
            layer = self._layer(name)
            if layer is None:
                continue
            if layer.has_rule("background"):
                background = background + layer.background
            if layer.has_rule("auto_color") and layer.auto_color:
                color = background.get_contrast_text(layer.color.a)
            elif layer.has_rule("color"):
                color = layer.color
            text += layer.text_style
        color = background.blend(color, color.a, 1.0) if color.a < 1 else color
        return text + Style.from_color(_rich(color), _rich(background))


def _rich(color: Color) -> RichColor:
    return color.rich_color
