"""The one look of a scrollbar at the right, as declarations for a widget's default CSS."""

SCROLLBAR = """
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;
    scrollbar-color: $foreground 25%;
    scrollbar-color-hover: $foreground 40%;
    scrollbar-color-active: $primary;
    scrollbar-background: $foreground 4%;
    scrollbar-background-hover: $foreground 4%;
    scrollbar-background-active: $foreground 4%;
"""
