"""Names and default looks of the rows of a list."""

from memex_tui.widgets.scrollbar_look import SCROLLBAR

_NAMES = "cursor bar mark empty pending title text muted faint path match accent good warn bad number"
COMPONENTS = {f"row--{name}" for name in _NAMES.split()}

CSS = (
    """
VirtualList {
    overflow-x: hidden;
    overflow-y: auto;
"""
    + SCROLLBAR
    + """    color: $foreground;
    & > .row--cursor { background: $foreground 7%; }
    & > .row--bar { color: $foreground 40%; }
    & > .row--mark { color: $text-accent; text-style: bold; }
    & > .row--empty { color: $foreground 50%; text-style: italic; }
    & > .row--pending { color: $foreground 30%; }
    & > .row--title { text-style: bold; }
    & > .row--muted { color: $foreground 65%; }
    & > .row--faint { color: $foreground 40%; }
    & > .row--path { color: $foreground 50%; }
    & > .row--match { color: $text-warning; text-style: bold; }
    & > .row--accent { color: $text-primary; }
    & > .row--good { color: $text-success; }
    & > .row--warn { color: $text-warning; }
    & > .row--bad { color: $text-error; }
    & > .row--number { color: $foreground 55%; }
    &:focus > .row--cursor { background: $primary 22%; }
    &:focus > .row--bar { color: $primary; }
    &:nocolor > .row--match { text-style: bold underline; }
    &:nocolor:focus > .row--cursor { text-style: bold; }
}
"""
)
