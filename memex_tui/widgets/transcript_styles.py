"""Names and default looks of the turns of a conversation."""

from memex_tui.widgets.scrollbar_look import SCROLLBAR

_NAMES = """
    number you agent tool text tool-name query result faint aside missing pending bar cursor
    evidence context other doubtful evidence-quote context-quote current-quote
"""
COMPONENTS = {f"turn--{name}" for name in _NAMES.split()}

CSS = (
    """
TranscriptView {
    overflow-x: hidden;
    overflow-y: auto;
"""
    + SCROLLBAR
    + """    color: $foreground;
    & > .turn--number { color: $foreground 40%; }
    & > .turn--you { color: $text-primary; text-style: bold; }
    & > .turn--agent { color: $text-accent; }
    & > .turn--tool { color: $foreground 50%; }
    & > .turn--text { color: $foreground 90%; }
    & > .turn--tool-name { color: $foreground 75%; text-style: bold; }
    & > .turn--query { color: $foreground 65%; }
    & > .turn--result { color: $foreground 55%; }
    & > .turn--faint { color: $foreground 40%; }
    & > .turn--aside { color: $foreground 45%; }
    & > .turn--missing { color: $text-error; }
    & > .turn--pending { color: $foreground 30%; }
    & > .turn--bar { color: $foreground 40%; }
    & > .turn--cursor { background: $foreground 7%; }
    & > .turn--evidence { color: $text-success; text-style: bold; }
    & > .turn--context { color: $text-warning; text-style: bold; }
    & > .turn--other { color: $foreground 60%; text-style: bold; }
    & > .turn--doubtful { color: $text-error; text-style: bold; }
    & > .turn--evidence-quote { color: $text-success; text-style: underline; }
    & > .turn--context-quote { color: $text-warning; text-style: underline; }
    & > .turn--current-quote { background: $foreground 14%; text-style: bold; }
    &:focus > .turn--cursor { background: $primary 22%; }
    &:focus > .turn--bar { color: $primary; }
    &:nocolor:focus > .turn--cursor { text-style: bold; }
    &:nocolor > .turn--current-quote { text-style: bold underline; }
}
"""
)
