"""Names and default looks of everything in a drawing of a graph."""

_NAMES = """
    edge edge-near faint rel0 rel1 rel2 rel3 rel0-near rel1-near rel2-near rel3-near
    c0 c1 c2 c3 c4 c5 ghost focus label count selected hint empty
"""
COMPONENTS = {f"graph--{name}" for name in _NAMES.split()}

CSS = """
GraphCanvas {
    color: $foreground;
    overflow: hidden;
    & > .graph--edge { color: $foreground 28%; }
    & > .graph--edge-near { color: $foreground 75%; }
    & > .graph--faint { color: $foreground 18%; }
    & > .graph--rel0 { color: $primary 65%; }
    & > .graph--rel1 { color: $warning 55%; }
    & > .graph--rel2 { color: $success 55%; }
    & > .graph--rel3 { color: $error 55%; }
    & > .graph--rel0-near { color: $text-primary; }
    & > .graph--rel1-near { color: $text-warning; }
    & > .graph--rel2-near { color: $text-success; }
    & > .graph--rel3-near { color: $text-error; }
    & > .graph--c0 { color: $text-primary; }
    & > .graph--c1 { color: $text-accent; }
    & > .graph--c2 { color: $text-success; }
    & > .graph--c3 { color: $text-error; }
    & > .graph--c4 { color: $text-secondary; }
    & > .graph--c5 { color: $text-warning; }
    & > .graph--ghost { color: $foreground 50%; text-style: italic; }
    & > .graph--focus { text-style: bold; }
    & > .graph--label { color: $foreground 85%; }
    & > .graph--count { color: $foreground 40%; }
    & > .graph--selected { background: $foreground 15%; text-style: bold; }
    &:focus > .graph--selected { background: $primary; color: auto; text-style: bold; }
    & > .graph--hint { background: $accent; color: auto; text-style: bold; }
    & > .graph--empty { color: $foreground 50%; text-style: italic; }
    &:nocolor > .graph--selected { background: $foreground 0%; color: $foreground; text-style: reverse; }
    &:nocolor > .graph--hint { background: $foreground 0%; color: $foreground; text-style: reverse bold; }
}
"""
