"""The app's own looks, beside Textual's built-in ones."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="memex-dark",
    primary="#7aa2c8",
    secondary="#9d8fb8",
    accent="#c49a6c",
    foreground="#cfd2d6",
    background="#16181b",
    surface="#1b1e22",
    panel="#22262b",
    success="#8fae7e",
    warning="#d0a95b",
    error="#cf7b73",
    dark=True,
    luminosity_spread=0.12,
    text_alpha=0.95,
    variables={
        "border": "#3a4048",
        "border-blurred": "#2b3036",
        "block-cursor-background": "#2f3a46",
        "block-cursor-foreground": "#e6e8ea",
        "block-cursor-text-style": "none",
        "input-selection-background": "#7aa2c8 30%",
        "input-cursor-background": "#cfd2d6",
        "input-cursor-foreground": "#16181b",
        "footer-background": "#16181b",
    },
)

LIGHT = Theme(
    name="memex-light",
    primary="#2f6690",
    secondary="#6d5a92",
    accent="#9a5b1e",
    foreground="#2a2d31",
    background="#f7f6f2",
    surface="#f0eee8",
    panel="#e6e3db",
    success="#4d7a34",
    warning="#8f6500",
    error="#b03a30",
    dark=False,
    luminosity_spread=0.12,
    text_alpha=0.95,
    variables={
        "border": "#c4c0b5",
        "border-blurred": "#d9d5ca",
        "block-cursor-background": "#d5dfe8",
        "block-cursor-foreground": "#16181b",
        "block-cursor-text-style": "none",
        "input-selection-background": "#2f6690 25%",
        "input-cursor-background": "#2a2d31",
        "input-cursor-foreground": "#f7f6f2",
        "footer-background": "#f7f6f2",
    },
)

CONTRAST = Theme(
    name="memex-contrast",
    primary="#4fc3ff",
    secondary="#d7a6ff",
    accent="#ffd24a",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    success="#7dff7a",
    warning="#ffd24a",
    error="#ff7b72",
    dark=True,
    variables={"border": "#a0a0a0", "border-blurred": "#707070"},
)

OWN = (DARK, LIGHT, CONTRAST)
DEFAULT = DARK.name
