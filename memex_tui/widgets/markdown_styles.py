"""Names and default looks of everything on a Markdown page; themes change the variables."""

from memex_tui.widgets.scrollbar_look import SCROLLBAR

_NAMES = """
    h1 h2 h3 h4 h5 h6 h1-rule rule strong em strike mark code math html link unresolved ambiguous url tag
    image footnote footnote-text bullet task-open task-done task-part done dropped quote quote-bar embed-bar
    embed-title callout-note callout-tip callout-important callout-warning callout-danger callout-quote
    callout-title
    table-head table-line fence code-label code-comment code-keyword code-string code-number code-function
    code-builtin code-inserted code-deleted property property-key chip notice match match-current hint
    link-current gutter gutter-strong gutter-one gutter-old
"""
COMPONENTS = {f"md--{name}" for name in _NAMES.split()}

CSS = (
    """
PageScroll {
    overflow-x: hidden;
    overflow-y: auto;
"""
    + SCROLLBAR
    + """    color: $foreground;
    & > .md--h1 { color: $text-primary; text-style: bold; }
    & > .md--h1-rule { color: $primary 45%; }
    & > .md--h2 { color: $text-primary; text-style: bold; }
    & > .md--h3 { text-style: bold; }
    & > .md--h4 { color: $foreground 85%; text-style: bold italic; }
    & > .md--h5 { color: $foreground 70%; text-style: bold; }
    & > .md--h6 { color: $foreground 70%; text-style: italic; }
    & > .md--rule { color: $foreground 22%; }
    & > .md--strong { text-style: bold; }
    & > .md--em { text-style: italic; }
    & > .md--strike { color: $foreground 55%; text-style: strike; }
    & > .md--mark { background: $warning 30%; }
    & > .md--code { color: $text-accent; background: $foreground 8%; }
    & > .md--math { color: $text-accent; text-style: italic; }
    & > .md--html { color: $foreground 45%; }
    & > .md--link { color: $text-primary; text-style: underline; }
    & > .md--unresolved { color: $foreground 60%; text-style: italic; }
    & > .md--ambiguous { color: $text-warning; text-style: underline; }
    & > .md--url { color: $text-primary; text-style: underline; }
    & > .md--tag { color: $text-success; }
    & > .md--image { color: $foreground 70%; }
    & > .md--footnote { color: $text-primary; }
    & > .md--footnote-text { color: $foreground 75%; }
    & > .md--bullet { color: $foreground 50%; }
    & > .md--task-open { color: $foreground 60%; }
    & > .md--task-done { color: $text-success; }
    & > .md--task-part { color: $text-warning; }
    & > .md--done { color: $foreground 55%; }
    & > .md--dropped { color: $foreground 45%; text-style: strike; }
    & > .md--quote { color: $foreground 75%; }
    & > .md--quote-bar { color: $foreground 30%; }
    & > .md--embed-bar { color: $primary 60%; }
    & > .md--embed-title { color: $text-primary; text-style: bold; }
    & > .md--callout-note { color: $text-primary; }
    & > .md--callout-tip { color: $text-success; }
    & > .md--callout-important { color: $text-accent; }
    & > .md--callout-warning { color: $text-warning; }
    & > .md--callout-danger { color: $text-error; }
    & > .md--callout-quote { color: $foreground 60%; }
    & > .md--callout-title { text-style: bold; }
    & > .md--table-head { text-style: bold; }
    & > .md--table-line { color: $foreground 25%; }
    & > .md--fence { background: $foreground 6%; }
    & > .md--code-label { color: $foreground 40%; }
    & > .md--code-comment { color: $foreground 50%; text-style: italic; }
    & > .md--code-keyword { color: $text-primary; }
    & > .md--code-string { color: $text-success; }
    & > .md--code-number { color: $text-warning; }
    & > .md--code-function { color: $text-accent; }
    & > .md--code-builtin { color: $text-primary; }
    & > .md--code-inserted { color: $text-success; }
    & > .md--code-deleted { color: $text-error; }
    & > .md--property { color: $foreground 85%; }
    & > .md--property-key { color: $foreground 45%; }
    & > .md--chip { background: $foreground 10%; }
    & > .md--notice { color: $foreground 55%; text-style: italic; }
    & > .md--match { background: $warning 35%; }
    & > .md--match-current { background: $warning; color: auto; text-style: bold; }
    & > .md--hint { background: $accent; color: auto; text-style: bold; }
    & > .md--link-current { background: $primary 35%; text-style: bold; }
    & > .md--gutter { color: $foreground 30%; }
    & > .md--gutter-strong { color: $success; }
    & > .md--gutter-one { color: $success 60%; }
    & > .md--gutter-old { color: $foreground 35%; }
    &:nocolor > .md--mark { text-style: reverse; }
    &:nocolor > .md--match { text-style: bold underline; }
    &:nocolor > .md--match-current {
        background: $foreground 0%;
        color: $foreground;
        text-style: reverse bold;
    }
    &:nocolor > .md--hint { background: $foreground 0%; color: $foreground; text-style: reverse bold; }
    &:nocolor > .md--link-current { text-style: reverse; }
}
"""
)
